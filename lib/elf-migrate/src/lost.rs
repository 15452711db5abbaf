//! Finds structures that lose their identifiers.

use crate::record::{Record, Value};
use crate::remarks::Remark;
use elf_base::codes;
use elf_tagged::{Node, NodeId, XrefNodes};
use std::collections::{HashMap, HashSet};

/// The identifiers of a file, and those of them that a structure loses.
#[derive(Debug, Default)]
pub(crate) struct LostIdentifiers {
    /// The identifiers of all structures, as keys that are the same in all runs.
    keys: Vec<u64>,
    lost: HashMap<u64, Box<str>>,
}

impl LostIdentifiers {
    pub(crate) fn add_bearers(&mut self, run: &XrefNodes) {
        self.keys.extend(run.list().bearers().keys());
    }

    pub(crate) fn add_lost(&mut self, run: &XrefNodes, bearers: &[Node<'_>]) {
        for bearer in bearers {
            // Pointers cannot refer to other structures.
            let Ok(at) = run.bearers().binary_search(&bearer.id()) else { continue };
            if let (Some(key), Some(xref)) = (run.list().bearers().key(at), bearer.xref()) {
                self.lost.insert(key, xref.into());
            }
        }
    }

    /// Returns the identifiers of several structures, at least one of which loses its identifier.
    pub(crate) fn shared_identifiers(self) -> HashSet<Box<str>> {
        if self.lost.is_empty() {
            return HashSet::new();
        }
        let mut counts: HashMap<u64, u64> = HashMap::new();
        for key in self.keys.into_iter().filter(|key| self.lost.contains_key(key)) {
            *counts.entry(key).or_insert(0) += 1;
        }
        let is_of_several = |key: &u64| counts.get(key).is_some_and(|&count| count > 1);
        self.lost.into_iter().filter(|(key, _)| is_of_several(key)).map(|(_, xref)| xref).collect()
    }
}

/// Returns the structures of a record that lose their identifiers. `written` is the converted record; if it is `None`,
/// all structures under the record lose them. A header also loses its own.
pub(crate) fn structures_losing_identifiers<'d>(
    record: Node<'d>,
    written: Option<&Record<'_>>,
) -> Vec<Node<'d>> {
    let mut first = record.subtree_lines().filter(|within| within.flags().has_xref());
    let is_header = record.document().head() == Some(record);
    // Fast path: usually only the record itself has an identifier.
    if first.next().is_none_or(|bearer| bearer == record && !is_header) && first.next().is_none() {
        return Vec::new();
    }
    let mut bearers: Vec<Node<'d>> = std::iter::once(record).chain(record.descendants()).collect();
    if is_header {
        let metadata = record.document().serialisation_metadata().flat_map(Node::subtree_lines);
        bearers.extend(metadata.filter(|line| !line.is_continuation()));
        bearers.sort_unstable_by_key(|bearer| bearer.id());
    }
    let mut kept: HashSet<NodeId> = HashSet::new();
    if let Some(written) = written {
        let structures = written.in_document_order().into_iter().map(|id| written.get(id));
        kept.extend(structures.filter(|one| one.xref.is_some()).map(|one| one.origin));
    } else {
        kept.insert(record.id());
    }
    if is_header {
        kept.remove(&record.id());
    }
    bearers.retain(|bearer| bearer.xref().is_some() && !kept.contains(&bearer.id()));
    bearers
}

pub(crate) fn remarks_about_lost(bearers: &[Node<'_>]) -> Vec<Remark> {
    let remark = |bearer: &Node<'_>| {
        let (tag, xref) = (bearer.tag(), bearer.xref()?);
        let message = format!("`{tag}` loses its identifier `@{xref}@`, so pointers to it become unresolved");
        Some(Remark { origin: bearer.id(), code: codes::XREF_CANNOT_BE_WRITTEN, message })
    };
    bearers.iter().filter_map(remark).collect()
}

/// Writes pointers to `lost` identifiers as text, so that they cannot refer to another structure with the same
/// identifier. Returns the remarks about them.
pub(crate) fn write_pointers_as_text(record: &mut Record<'_>, lost: &HashSet<Box<str>>) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if lost.is_empty() {
        return remarks;
    }
    for id in record.in_document_order() {
        let structure = record.get_mut(id);
        let Value::Pointer(xref) = &structure.payload else { continue };
        if lost.contains(&**xref) {
            let (origin, code) = (structure.origin, codes::POINTER_CANNOT_BE_WRITTEN);
            let message = format!(
                "several structures have the identifier `@{xref}@`: the pointer of `{}` is written as text",
                structure.tag
            );
            structure.payload = Value::Text(format!("@{xref}@").into());
            remarks.push(Remark { origin, code, message });
        }
    }
    remarks
}
