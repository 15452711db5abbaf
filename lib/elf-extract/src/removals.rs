//! The structures that a plan removes.

use crate::extraction::Removal;
use crate::records::RemovalReason;
use elf_schema::{Document, Node, NodeId};
use std::collections::HashMap;

/// The structures that are removed so far.
pub(crate) struct Removals {
    reasons: Vec<(NodeId, RemovalReason)>,
    /// True for each node of the document that is in `reasons`.
    is_removed: Vec<bool>,
    /// The number of substructures left of structures that lost some.
    left: HashMap<NodeId, usize>,
}

impl Removals {
    pub(crate) fn of(document: &Document<'_>) -> Removals {
        Removals { reasons: Vec::new(), is_removed: vec![false; document.len()], left: HashMap::new() }
    }

    pub(crate) fn contains(&self, node: NodeId) -> bool {
        self.is_removed[node.index()]
    }

    /// Removes a structure, and each structure above it, up to the record, that is empty then.
    pub(crate) fn remove(&mut self, node: Node<'_>, reason: RemovalReason) {
        let (mut node, mut reason) = (node, reason);
        while self.remove_alone(node, reason) {
            let Some(above) = node.superstructure().filter(|above| !above.is_continuation()) else { return };
            let left = self.left.entry(above.id()).or_insert_with(|| above.substructures().count());
            // A structure that is no substructure proper, such as metadata, was not counted.
            *left = left.saturating_sub(1);
            let is_empty = *left == 0 && above.text().is_empty() && above.pointer().is_none();
            if !is_empty || above.superstructure().is_none() {
                return;
            }
            (node, reason) = (above, RemovalReason::Emptied);
        }
    }

    /// Removes a structure, whatever is left above it. Returns whether it was not removed before.
    pub(crate) fn remove_alone(&mut self, node: Node<'_>, reason: RemovalReason) -> bool {
        let is_new = !std::mem::replace(&mut self.is_removed[node.id().index()], true);
        if is_new {
            self.reasons.push((node.id(), reason));
        }
        is_new
    }

    /// The outermost removed structures, in the order of the file.
    pub(crate) fn outermost<'d>(&self, document: &'d Document<'d>) -> Vec<Removal<'d>> {
        let mut reasons = self.reasons.clone();
        reasons.sort_by_key(|(id, _)| *id);
        let mut removed: Vec<Removal<'d>> = Vec::new();
        let mut end = NodeId::FIRST;
        for (id, reason) in reasons {
            if let Some(structure) = document.node(id).filter(|_| id >= end) {
                end = structure.subtree_end();
                removed.push(Removal { structure, reason });
            }
        }
        removed
    }
}
