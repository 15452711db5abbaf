//! Changes structures by the statuses of identifiers: removes identifiers, rejects structures, inserts records.

use super::super::collect::{HiddenNodes, Occurrence, visible_pointer};
use super::super::report::Findings;
use super::duplicates::DuplicateOutcome;
use super::{Status, Statuses};
use crate::read::header::Header;
use crate::read::tree::build::Built;
use crate::read::tree::{Arena, NONE, NodeData, View, flag};

/// The result of changing the structures of a document or a run by the statuses.
#[derive(Debug, Default)]
pub(crate) struct Applied {
    pub(in crate::read::xref) findings: Findings,
    /// The numbers and identifiers of inserted records. Each identifier is spelled as in the first pointer to the
    /// record.
    pub(in crate::read::xref) wanted: Vec<(u32, Box<str>)>,
    /// The records that keep an identifier which was removed from other structures.
    pub(in crate::read::xref) kept: Vec<u32>,
}

/// Changes the structures in `built` by the statuses. `bearers` and `pointers` contain all occurrences that may have a
/// status, in document order.
pub(in crate::read::xref) fn apply_statuses(
    statuses: &Statuses,
    bearers: &[Occurrence],
    pointers: &[Occurrence],
    text: &str,
    built: &mut Built,
) -> Applied {
    let mut applied = Applied::default();
    let view = View { text, made: &built.made, nodes: &built.nodes };
    let mut rejected: Vec<u32> = Vec::new();
    let mut unnamed: Vec<u32> = Vec::new();
    for bearer in bearers {
        let status = statuses.status_of_key(bearer.key(), view.xref(bearer.node).unwrap_or_default());
        let Some(repeated) = status.and_then(|status| statuses.repeated(status)) else { continue };
        let here = view.xref_span(bearer.node);
        if here.start != repeated.first.start {
            applied.findings.repeated.push((here, repeated.first, bearer.key()));
        }
        match repeated.outcome {
            DuplicateOutcome::Stands => {}
            DuplicateOutcome::KeptByRecord { offset, .. } if offset == u64::from(here.start) => {
                applied.kept.push(bearer.node)
            }
            DuplicateOutcome::KeptByRecord { .. } | DuplicateOutcome::Dropped => unnamed.push(bearer.node),
            DuplicateOutcome::Rejected => rejected.push(bearer.node),
        }
    }
    let mut irregular: Vec<(Occurrence, Status)> = Vec::new();
    for pointer in pointers {
        let Some(xref) = visible_pointer(view, pointer.node) else { continue };
        let Some(status) = statuses.status_of_key(pointer.key(), xref) else { continue };
        irregular.push((*pointer, status));
        if statuses.repeated(status).is_some_and(|one| one.outcome == DuplicateOutcome::Rejected) {
            rejected.push(pointer.node);
        }
    }
    applied.findings.rejected = rejected.iter().map(|&node| view.tag_span(node)).collect();
    built.left_out.in_tree |= statuses.rejects_all || !unnamed.is_empty() || !rejected.is_empty();
    set_flag(&mut built.nodes, &unnamed, flag::UNNAMED);
    set_flag(&mut built.nodes, &rejected, flag::HIDDEN);
    if statuses.rejects_all {
        hide_records(&mut built.nodes);
        built.complete = false;
    }
    if statuses.to_end {
        let view = View { text, made: &built.made, nodes: &built.nodes };
        find_faults(statuses, &irregular, view, &built.header, &mut applied);
    }
    applied
}

/// Finds faults of pointers whose identifiers have a status. Pointers in rejected structures are skipped.
fn find_faults(
    statuses: &Statuses,
    pointers: &[(Occurrence, Status)],
    view: View<'_>,
    header: &Header,
    applied: &mut Applied,
) {
    let mut hidden: Option<HiddenNodes> = None;
    for &(pointer, status) in pointers {
        let node = pointer.node;
        let xref = visible_pointer(view, node).filter(|xref| !header.is_void(xref));
        let Some(xref) = xref else { continue };
        let is_hidden = statuses.is_rejected(status)
            && hidden.get_or_insert_with(|| HiddenNodes::find_before(u32::MAX, view.nodes)).has(node);
        let here = view.payload_span(node);
        let fault = statuses.pointer_fault(status, xref, is_hidden);
        applied.findings.pointers.extend(fault.map(|fault| (here, fault, pointer.key())));
        if let Some((number, insertion)) = statuses.insertion_of(status)
            && insertion.offset == u64::from(here.start)
            && insertion.invented.is_none()
        {
            applied.wanted.push((number, xref.into()));
        }
    }
}

fn set_flag(nodes: &mut [NodeData], ids: &[u32], flag: u32) {
    for &id in ids {
        if let Some(node) = nodes.get_mut(id as usize) {
            node.flags |= flag;
        }
    }
}

/// Rejects all records of the document (RDX).
fn hide_records(nodes: &mut Arena) {
    for id in 0..nodes.next_index() {
        if nodes.parent(id) == NONE {
            set_flag(nodes, &[id], flag::HIDDEN);
        }
    }
}
