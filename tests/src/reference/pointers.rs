//! Identifiers and pointers of a whole document (D19 *Pointer conversion*; J19 §5.1).

use super::line::is_valid_pointer;
use super::model::{PayloadValue, Reading, TaggedStructure};
use std::collections::BTreeMap;

/// The structures that have an identifier: their lines, and whether each is a record.
pub type Bearers = BTreeMap<String, Vec<(usize, bool)>>;

/// Collects the structures of each identifier.
pub fn collect_identifiers(records: &[TaggedStructure]) -> Bearers {
    let mut bearers = Bearers::new();
    for record in records {
        collect(record, true, &mut bearers);
    }
    bearers
}

/// Adds a structure and recursively its substructures.
fn collect(structure: &TaggedStructure, is_record: bool, bearers: &mut Bearers) {
    if let Some(xref) = &structure.xref {
        bearers.entry(xref.clone()).or_default().push((structure.line, is_record));
    }
    for substructure in &structure.substructures {
        collect(substructure, false, bearers);
    }
}

/// Returns the line of the target of a pointer. `None` if it does not lead to exactly one structure; such pointers lead
/// to UNDEF.
pub fn resolve_pointer(identifier: &str, bearers: &Bearers) -> Option<usize> {
    match bearers.get(identifier).map(Vec::as_slice) {
        Some([(line, _)]) => Some(*line),
        _ => None,
    }
}

/// Checks identifiers and pointers of December 2019.
pub(super) fn check_in_december(records: &[TaggedStructure], reading: &mut Reading) {
    let bearers = collect_identifiers(records);
    check_identifiers(&bearers, reading);
    for record in records {
        check_pointers(record, &bearers, reading);
    }
}

/// "It must not be the case that two different xref structures be given the same `xref_id`."
pub(super) fn check_identifiers(bearers: &Bearers, reading: &mut Reading) {
    for lines in bearers.values() {
        for (line, _) in lines.iter().skip(1) {
            reading.add_non_conformant(*line, "Pointer conversion: a repeated identifier");
        }
    }
}

/// Checks the pointers of a structure and recursively of its substructures.
fn check_pointers(structure: &TaggedStructure, bearers: &Bearers, reading: &mut Reading) {
    if let PayloadValue::Pointer(identifier) = &structure.payload {
        if !is_valid_pointer(identifier) {
            reading.add_non_conformant(structure.line, "Payloads: a pointer that does not match XRefLabel");
        }
        check_target(structure, identifier, bearers, reading);
    }
    for substructure in &structure.substructures {
        check_pointers(substructure, bearers, reading);
    }
}

/// "A pointer to another structure, which must be a record within the same dataset" (Glossary, *Structure*).
pub(super) fn check_target(
    structure: &TaggedStructure,
    identifier: &str,
    bearers: &Bearers,
    reading: &mut Reading,
) {
    if let Some([(_, false)]) = bearers.get(identifier).map(Vec::as_slice) {
        reading.add_non_conformant(structure.line, "Glossary: a pointer to a structure that is no record");
    }
}
