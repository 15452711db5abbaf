//! Inserts records with the tag UNDEF for unresolved pointers, as January 2019 requires (J19 §5.1).

use super::Statuses;
use crate::offset::to_u32;
use crate::read::tree::{Arena, NONE, NewNode, flag};
use elf_base::Span;

/// Returns the identifier that an inserted record gets if no structure has it.
pub(super) fn invented_name(number: u32) -> String {
    format!("UNDEF{number}")
}

/// Adds the inserted records of a document and appends their identifiers to `made`. `own` contains identifiers that
/// occur in pointers, each with the number of its record. Calls `added` with each record.
pub(in crate::read::xref) fn insert_records(
    statuses: &Statuses,
    mut own: Vec<(u32, Box<str>)>,
    nodes: &mut Arena,
    made: &mut String,
    mut added: impl FnMut(u32),
) {
    own.sort_by_key(|(number, _)| *number);
    let mut own = own.iter().peekable();
    for (number, insertion) in (0..).zip(&statuses.insertions) {
        let own = own.next_if(|(of, _)| *of == number).map(|(_, own)| own);
        if let Some(name) = insertion.invented.as_ref().or(own) {
            added(push_record(nodes, made, name));
        }
    }
}

fn push_record(nodes: &mut Arena, made: &mut String, name: &str) -> u32 {
    let record = to_u32(nodes.len());
    let start = to_u32(made.len());
    made.push_str(name);
    let node = NewNode { start: 0, parent: NONE, flags: flag::XREF | flag::UNDEF };
    nodes.push_aside(node, Span::new(start, to_u32(made.len())));
    record
}
