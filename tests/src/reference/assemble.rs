//! Lines to structures by their levels (D19 *First pass: assembling*; J19 §6).

use super::model::{ParsedLine, TaggedStructure};
use std::iter::Peekable;
use std::slice::Iter;

/// Assembles all lines into records.
pub(super) fn assemble_records(lines: &[ParsedLine]) -> Vec<TaggedStructure> {
    let mut records = Vec::new();
    let mut rest = lines.iter().peekable();
    while let Some(first) = rest.next() {
        records.push(assemble_structure(first, &mut rest));
    }
    records
}

/// Reads the structure whose first line this is, and recursively its substructures.
fn assemble_structure(first: &ParsedLine, rest: &mut Peekable<Iter<'_, ParsedLine>>) -> TaggedStructure {
    let mut substructures = Vec::new();
    while let Some(next) = rest.next_if(|next| next.level > first.level) {
        substructures.push(assemble_structure(next, rest));
    }
    TaggedStructure {
        line: first.number,
        xref: first.xref.clone(),
        tag: first.tag.clone(),
        payload: first.payload.clone(),
        payload_is_unspecified: false,
        substructures,
        structure_type: String::new(),
    }
}
