//! The second pass over each record (D19 *Second pass: processing*, *Merging continuation lines*).

use super::escapes::unescape;
use super::language_tag;
use super::model::{PayloadValue, Reading, TaggedStructure};
use super::schema::Definitions;

/// Processes a structure and recursively its substructures. `is_header` is true for the first record.
pub(super) fn process_structure(
    structure: &mut TaggedStructure,
    is_header: bool,
    definitions: &Definitions,
    reading: &mut Reading,
) {
    if matches!(structure.tag.as_str(), "CONC" | "CONT" | "TRLR") || structure.tag == "HEAD" && !is_header {
        reading.add_malformed(structure.line, "Second pass: a tag that is reserved for another use");
    }
    if let PayloadValue::Text(text) = &structure.payload {
        let text = text.clone();
        let mut unescaped = payload_text(&text, structure, definitions, reading);
        for continuation in take_continuations(structure, reading) {
            // "If a CONC continuation substructure": this must mean CONT, as *Line continuation* says.
            if continuation.tag == "CONT" {
                unescaped.push('\n');
            }
            let part = match &continuation.payload {
                PayloadValue::Text(text) => text.clone(),
                PayloadValue::Pointer(identifier) => {
                    reading.add_non_conformant(continuation.line, "Merging continuation lines: a pointer");
                    structure.payload_is_unspecified = true;
                    format!("@{identifier}@")
                }
            };
            unescaped.push_str(&payload_text(&part, structure, definitions, reading));
        }
        structure.payload = PayloadValue::Text(unescaped);
    }
    check_reserved(structure, reading);
    let mut substructures = std::mem::take(&mut structure.substructures);
    for substructure in &mut substructures {
        process_structure(substructure, false, definitions, reading);
    }
    structure.substructures = substructures;
}

/// Unescapes one part of a payload. After a fault, its value is up to the application.
fn payload_text(
    text: &str,
    structure: &mut TaggedStructure,
    definitions: &Definitions,
    reading: &mut Reading,
) -> String {
    let tag = structure.tag.clone();
    let unescaped = unescape(text, |kind| definitions.permits(&tag, kind));
    if let Some(fault) = unescaped.fault {
        reading.add_non_conformant(structure.line, fault);
        structure.payload_is_unspecified = true;
    }
    unescaped.text
}

/// Removes the continuation substructures of a structure, and checks them.
fn take_continuations(structure: &mut TaggedStructure, reading: &mut Reading) -> Vec<TaggedStructure> {
    let is_continuation = |tag: &str| matches!(tag, "CONC" | "CONT");
    let mut continuations = Vec::new();
    let mut others: Vec<TaggedStructure> = Vec::new();
    for substructure in std::mem::take(&mut structure.substructures) {
        if !is_continuation(&substructure.tag) {
            others.push(substructure);
            continue;
        }
        if substructure.xref.is_some() || !substructure.substructures.is_empty() || !others.is_empty() {
            reading.add_malformed(
                substructure.line,
                "Merging continuation lines: an identifier, substructures, or another structure before it",
            );
        }
        continuations.push(substructure);
    }
    structure.substructures = others;
    continuations
}

/// Checks PLANG and DTYPE, which "must not be used in any other way" than for the payload of a structure (D19
/// *Tags*).
fn check_reserved(structure: &TaggedStructure, reading: &mut Reading) {
    for tag in ["PLANG", "DTYPE"] {
        for (at, found) in structure.substructures.iter().filter(|found| found.tag == tag).enumerate() {
            let is_language =
                matches!(&found.payload, PayloadValue::Text(text) if language_tag::is_well_formed(text));
            if at > 0
                || matches!(structure.payload, PayloadValue::Pointer(_))
                || tag == "PLANG" && !is_language
            {
                reading
                    .add_non_conformant(found.line, "Tags: PLANG and DTYPE must not be used in another way");
            }
        }
    }
}

/// Checks that no record has a tag that is reserved for parts of structures (D19 *Tags*).
pub(super) fn check_records(records: &[TaggedStructure], reading: &mut Reading) {
    for record in records.iter().filter(|record| matches!(record.tag.as_str(), "PLANG" | "DTYPE")) {
        reading.add_non_conformant(record.line, "Tags: PLANG and DTYPE must not be used in another way");
    }
}
