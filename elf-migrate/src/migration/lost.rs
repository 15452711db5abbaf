//! Identifiers that structures go without in the file that is written.

use crate::record::{Record, Value};
use crate::remarks::Remark;
use elf_base::codes;
use elf_tagged::{Node, NodeId};
use std::collections::{HashMap, HashSet};

/// Returns the structures of a record that go without their identifiers in what is `written` of it: without
/// that, all beneath the record.
pub(super) fn bearers<'d>(record: Node<'d>, written: Option<&Record<'_>>) -> Vec<Node<'d>> {
    let head = record.document().head().map(Node::id);
    let is_header = |id: NodeId| Some(id) == head;
    let bearers = || record.subtree().filter(|within| within.flags().has_xref());
    let mut first = bearers();
    // Nearly always it is the record alone.
    let is_usual = |bearer: Node<'_>| bearer.id() == record.id() && !is_header(bearer.id());
    if first.next().is_none_or(is_usual) && first.next().is_none() {
        return Vec::new();
    }
    let Some(written) = written else {
        return bearers().filter(|bearer| !is_usual(*bearer)).collect();
    };
    // One identifier may be borne several times, and not each time be written.
    let mut kept: HashMap<&str, usize> = HashMap::new();
    let order = written.order();
    for structure in order.iter().map(|&id| written.get(id)) {
        if let Some(xref) = structure.xref.as_deref().filter(|_| !is_header(structure.origin)) {
            *kept.entry(xref).or_default() += 1;
        }
    }
    let is_lost = |bearer: &Node<'_>| match bearer.xref().and_then(|xref| kept.get_mut(xref)) {
        Some(left) if *left > 0 && !is_header(bearer.id()) => {
            *left -= 1;
            false
        }
        Some(_) | None => true,
    };
    bearers().filter(is_lost).collect()
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
