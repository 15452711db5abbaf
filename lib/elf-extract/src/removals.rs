use crate::extraction::Removal;
use crate::records::RemovalReason;
use elf_schema::{Document, Node, NodeId};
use std::collections::HashMap;

/// Collects the structures that are removed.
pub(crate) struct Removals {
    reasons: Vec<(NodeId, RemovalReason)>,
    /// For each node, whether it is in `reasons`.
    is_removed: Vec<bool>,
    /// The number of remaining substructures of each structure that lost some.
    remaining_substructures: HashMap<NodeId, usize>,
}

impl Removals {
    pub(crate) fn of(document: &Document<'_>) -> Removals {
        Removals {
            reasons: Vec::new(),
            is_removed: vec![false; document.len()],
            remaining_substructures: HashMap::new(),
        }
    }

    pub(crate) fn contains(&self, node: NodeId) -> bool {
        self.is_removed[node.index()]
    }

    /// Removes a structure, and then each structure above it, up to the record, that is empty.
    pub(crate) fn remove_with_emptied(&mut self, node: Node<'_>, reason: RemovalReason) {
        let (mut node, mut reason) = (node, reason);
        while self.remove_only(node, reason) {
            let Some(above) = node.superstructure().filter(|above| !above.is_continuation()) else { return };
            let left = self
                .remaining_substructures
                .entry(above.id())
                .or_insert_with(|| above.substructures().count());
            // A node that is not a proper substructure, such as metadata, was not counted.
            *left = left.saturating_sub(1);
            let is_empty = *left == 0 && above.text().is_empty() && above.pointer().is_none();
            if !is_empty || above.superstructure().is_none() {
                return;
            }
            (node, reason) = (above, RemovalReason::Emptied);
        }
    }

    /// Removes a structure, but none above it. Returns false if it was already removed.
    pub(crate) fn remove_only(&mut self, node: Node<'_>, reason: RemovalReason) -> bool {
        let is_new = !std::mem::replace(&mut self.is_removed[node.id().index()], true);
        if is_new {
            self.reasons.push((node.id(), reason));
        }
        is_new
    }

    /// Returns the outermost removed structures, in file order.
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
