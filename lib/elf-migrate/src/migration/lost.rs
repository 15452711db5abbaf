//! Identifiers that structures go without in the file that is written.

use crate::record::{Record, Value};
use crate::remarks::Remark;
use elf_base::codes;
use elf_tagged::{Node, NodeId, XrefNodes};
use std::collections::{HashMap, HashSet};

/// The identifiers that the structures of a file bear, and those that one of them goes without.
#[derive(Debug, Default)]
pub(super) struct Bearers {
    /// The identifiers by their keys, which are the same in all parts.
    keys: Vec<u64>,
    lost: HashMap<u64, Box<str>>,
}

impl Bearers {
    /// Takes note of the identifiers of a part.
    pub(super) fn meet(&mut self, part: &XrefNodes) {
        self.keys.extend(part.list().bearers().keys());
    }

    /// Takes note of structures of a part that go without theirs.
    pub(super) fn lose(&mut self, part: &XrefNodes, bearers: &[Node<'_>]) {
        for bearer in bearers {
            // No pointer leads to what does not count.
            let Ok(at) = part.bearers().binary_search(&bearer.id()) else { continue };
            if let (Some(key), Some(xref)) = (part.list().bearers().key(at), bearer.xref()) {
                self.lost.insert(key, xref.into());
            }
        }
    }

    /// Returns the identifiers that several structures bear, of which one goes without.
    pub(super) fn lost_of_several(self) -> HashSet<Box<str>> {
        if self.lost.is_empty() {
            return HashSet::new();
        }
        let mut counts: HashMap<u64, u64> = HashMap::new();
        for key in self.keys.into_iter().filter(|key| self.lost.contains_key(key)) {
            *counts.entry(key).or_default() += 1;
        }
        let is_of_several = |key: &u64| counts.get(key).is_some_and(|&count| count > 1);
        self.lost.into_iter().filter(|(key, _)| is_of_several(key)).map(|(_, xref)| xref).collect()
    }
}

/// Returns the structures of a record that go without their identifiers in what is `written` of it: without
/// that, all beneath the record. A header goes without its own. What the reading left out is not among them.
pub(super) fn bearers<'d>(record: Node<'d>, written: Option<&Record<'_>>) -> Vec<Node<'d>> {
    let mut first = record.subtree().filter(|within| within.flags().has_xref());
    let is_header = record.document().head() == Some(record);
    // Nearly always it is the record alone.
    if first.next().is_none_or(|bearer| bearer == record && !is_header) && first.next().is_none() {
        return Vec::new();
    }
    let mut bearers: Vec<Node<'d>> = std::iter::once(record).chain(record.descendants()).collect();
    if is_header {
        let metadata = record.document().serialisation_metadata().flat_map(Node::subtree);
        bearers.extend(metadata.filter(|line| !line.is_continuation()));
        bearers.sort_unstable_by_key(|bearer| bearer.id());
    }
    let mut kept: HashSet<NodeId> = HashSet::new();
    if let Some(written) = written {
        let structures = written.order().into_iter().map(|id| written.get(id));
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

/// Returns what is to be said of structures that go without their identifiers.
pub(super) fn remarks(bearers: &[Node<'_>]) -> Vec<Remark> {
    let remark = |bearer: &Node<'_>| {
        let message = format!(
            "`{}` is left without its identifier `@{}@`: pointers to it lead nowhere",
            bearer.tag(),
            bearer.xref().unwrap_or_default()
        );
        Remark { origin: bearer.id(), code: codes::XREF_CANNOT_BE_WRITTEN, message }
    };
    bearers.iter().map(remark).collect()
}

/// Makes text of the pointers of a record to identifiers that are `lost` with one of their bearers, so that
/// they do not come to lead to another one; returns what is to be said of them.
pub(super) fn leave_no_pointer(record: &mut Record<'_>, lost: &HashSet<Box<str>>) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if lost.is_empty() {
        return remarks;
    }
    for id in record.order() {
        let structure = record.get_mut(id);
        let Value::Pointer(xref) = &structure.payload else { continue };
        if lost.contains(&**xref) {
            let (origin, code) = (structure.origin, codes::POINTER_CANNOT_BE_WRITTEN);
            let message = format!(
                "several structures are called `@{xref}@`: the pointer of `{}` is written as text",
                structure.tag
            );
            structure.payload = Value::Text(format!("@{xref}@").into());
            remarks.push(Remark { origin, code, message });
        }
    }
    remarks
}
