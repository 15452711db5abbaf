//! Finds identifiers and pointers within structures that the rules reject (RDX *`xref_id`*).

use super::super::key::{Keys, Label};
use super::{Occurrence, Occurrences, visible_pointer};
use crate::offset::to_u32;
use crate::read::tree::View;

/// An occurrence that is within another occurrence, or that contains one.
#[derive(Clone, Copy, Debug)]
pub(in crate::read::xref) struct Enclosed {
    pub(in crate::read::xref) label: Label,
    pub(in crate::read::xref) role: Role,
    /// The index of the innermost occurrence that contains this one. The containing occurrence comes earlier in the
    /// list.
    pub(in crate::read::xref) within: Option<u32>,
}

/// Whether an occurrence is a pointer or an identifier, and what kind of structure has the identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read::xref) enum Role {
    /// A structure that points to the identifier.
    Pointer,
    /// A record that has the identifier.
    Record,
    /// A structure that has the identifier and is not a record.
    Substructure,
}

/// An occurrence that may contain further occurrences.
struct OpenOccurrence {
    end: u32,
    label: Label,
    role: Role,
    /// The index of the occurrence in the list, if it is already in the list.
    index: Option<u32>,
}

impl Enclosed {
    /// Finds all occurrences in a document or a run that are within others or contain others. There are none if only
    /// records have identifiers and no record is a pointer.
    pub(super) fn find_all(view: View<'_>, occurrences: &Occurrences) -> Vec<Enclosed> {
        let mut all = Vec::new();
        let mut open: Vec<OpenOccurrence> = Vec::new();
        let in_order =
            merge_in_document_order(view, occurrences.bearers.in_order(), occurrences.pointers.in_order());
        for (occurrence, role) in in_order {
            let node = occurrence.node;
            while open.pop_if(|open| open.end <= node).is_some() {}
            let Some(label) = label(view, &occurrences.keys, occurrence, role) else { continue };
            let mut index = None;
            if role != Role::Pointer && !open.is_empty() {
                let within = add_open_occurrences(&mut all, &mut open);
                index = Some(to_u32(all.len()));
                all.push(Enclosed { label, role, within });
            }
            let end = view.nodes.end(node).unwrap_or_default();
            open.push(OpenOccurrence { end, label, role, index });
        }
        all
    }
}

/// Adds the open occurrences that are not in the list. Returns the index of the innermost one.
fn add_open_occurrences(all: &mut Vec<Enclosed>, open: &mut [OpenOccurrence]) -> Option<u32> {
    let entered = open.iter().rposition(|open| open.index.is_some()).map_or(0, |last| last + 1);
    let mut within = entered.checked_sub(1).and_then(|last| open.get(last)?.index);
    for open in open.iter_mut().skip(entered) {
        let index = to_u32(all.len());
        all.push(Enclosed { label: open.label, role: open.role, within });
        open.index = Some(index);
        within = Some(index);
    }
    within
}

/// Merges both lists in document order. A structure that is in both lists comes first as a pointer.
fn merge_in_document_order<'o>(
    view: View<'o>,
    bearers: &'o [Occurrence],
    pointers: &'o [Occurrence],
) -> impl Iterator<Item = (Occurrence, Role)> {
    let mut bearers = bearers.iter().peekable();
    let mut pointers = pointers.iter().peekable();
    std::iter::from_fn(move || {
        let next = bearers.peek().map_or(u32::MAX, |bearer| bearer.node);
        if let Some(pointer) = pointers.next_if(|pointer| pointer.node <= next) {
            return Some((*pointer, Role::Pointer));
        }
        let bearer = bearers.next()?;
        Some((*bearer, if view.is_record(bearer.node) { Role::Record } else { Role::Substructure }))
    })
}

/// Returns the label of the identifier. `None` if the structure is no longer a pointer.
fn label(view: View<'_>, keys: &Keys, occurrence: Occurrence, role: Role) -> Option<Label> {
    let xref = match role {
        Role::Pointer => visible_pointer(view, occurrence.node)?,
        Role::Record | Role::Substructure => view.xref(occurrence.node).unwrap_or_default(),
    };
    Some(keys.label(occurrence.key(), xref))
}
