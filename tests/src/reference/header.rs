//! The header record of December 2019 (D19 *Header metadata*).

use super::language_tag;
use super::model::{PayloadValue, Reading, TaggedStructure};
use super::schema::{self, Definitions};

/// Removes the serialisation metadata from the header record (D19 *Parsing serialisation metadata*). The table has GED
/// where the text has GEDC.
pub(super) fn parse_metadata(
    head: &mut TaggedStructure,
    reading: &mut Reading,
    defaults: &Definitions,
) -> Definitions {
    let is_metadata = |tag: &str| matches!(tag, "CHAR" | "ELF" | "GEDC" | "PLANG" | "SCHMA");
    let (metadata, others): (Vec<_>, Vec<_>) = std::mem::take(&mut head.substructures)
        .into_iter()
        .partition(|structure| is_metadata(&structure.tag));
    head.substructures = others;
    let mut seen: Vec<&str> = Vec::new();
    for structure in &metadata {
        check_nested(structure, reading);
        if structure.tag != "SCHMA" && seen.contains(&structure.tag.as_str()) {
            reading.add_non_conformant(structure.line, "Parsing serialisation metadata: a repeated tag");
            continue;
        }
        seen.push(&structure.tag);
        match structure.tag.as_str() {
            "ELF" => read_elf_version(structure, reading),
            "GEDC" => read_gedcom_version(structure, reading),
            "PLANG" => read_payload_language(structure, reading),
            "SCHMA" => {
                let reference = text_of(structure).filter(|reference| !reference.is_empty());
                reading.metadata.schemas.extend(reference.map(str::to_owned));
            }
            _ => {}
        }
    }
    // D19 does not define the content of SCHMA. One with neither an IRI nor definitions is not a schema
    // (`docs/readings.md`, AMB-19, S19).
    let is_schema = |structure: &&TaggedStructure| {
        structure.tag == "SCHMA"
            && (structure.payload != PayloadValue::Text(String::new())
                || structure
                    .substructures
                    .iter()
                    .any(|part| matches!(part.tag.as_str(), "PRFX" | "IRI" | "ESC" | "SCHMA")))
    };
    schema::read_schema(&metadata.iter().filter(is_schema).collect::<Vec<_>>(), defaults)
}

/// Checks one serialisation metadata structure and everything under it.
fn check_nested(structure: &TaggedStructure, reading: &mut Reading) {
    if structure.xref.is_some() {
        reading.add_non_conformant(
            structure.line,
            "Parsing serialisation metadata: a cross-reference identifier",
        );
    }
    if matches!(structure.tag.as_str(), "HEAD" | "TRLR" | "CONC" | "CONT") {
        reading.add_non_conformant(structure.line, "Parsing serialisation metadata: a tag of another use");
    }
    if matches!(structure.payload, PayloadValue::Pointer(_)) {
        reading.add_non_conformant(structure.line, "Parsing serialisation metadata: a pointer");
    }
    for substructure in &structure.substructures {
        check_nested(substructure, reading);
    }
}

/// Checks the header record itself: "a HEAD tag, no payload and no cross-reference identifier".
pub(super) fn check_record(head: &TaggedStructure, reading: &mut Reading) {
    if head.tag != "HEAD" {
        reading.add_non_conformant(head.line, "Header metadata: the tag of the header record is not HEAD");
    }
    if head.payload != PayloadValue::Text(String::new()) {
        reading.add_non_conformant(head.line, "Header metadata: the header record has a payload");
    }
    if head.xref.is_some() {
        reading.add_non_conformant(head.line, "Header metadata: the header record has an identifier");
    }
}

/// Returns the payload if it is a string.
fn text_of(structure: &TaggedStructure) -> Option<&str> {
    match &structure.payload {
        PayloadValue::Text(text) => Some(text),
        PayloadValue::Pointer(_) => None,
    }
}

/// `Version ::= Integer "." Integer ( "." Integer )?` and `Integer ::= [0-9]+` (D19 *Version numbers*).
fn parse_version(text: &str) -> Option<[u64; 3]> {
    let integers: Vec<&str> = text.split('.').collect();
    let is_integer = |text: &&str| !text.is_empty() && text.chars().all(|digit| digit.is_ascii_digit());
    if !(2..=3).contains(&integers.len()) || !integers.iter().all(is_integer) {
        return None;
    }
    // "If the revision number is omitted, a value of 0 is assumed."
    let mut version = [0; 3];
    for (component, integer) in version.iter_mut().zip(integers) {
        *component = integer.parse().unwrap_or(u64::MAX);
    }
    Some(version)
}

/// Reads the ELF serialisation version (D19 *ELF serialisation version*).
fn read_elf_version(structure: &TaggedStructure, reading: &mut Reading) {
    reading.metadata.elf = text_of(structure).and_then(parse_version);
    match reading.metadata.elf {
        Some([1, _, _]) => {}
        Some(_) => {
            reading.add_non_conformant(structure.line, "ELF serialisation version: another major version");
        }
        None => reading
            .add_non_conformant(structure.line, "Parsing serialisation metadata: ELF without a version"),
    }
}

/// Reads the legacy GEDCOM version (D19 *Parsing serialisation metadata*, *Legacy GEDCOM version*).
fn read_gedcom_version(structure: &TaggedStructure, reading: &mut Reading) {
    let only = |tag: &str| {
        let mut found = structure.substructures.iter().filter(|substructure| substructure.tag == tag);
        found.next().filter(|_| found.next().is_none())
    };
    let vers = only("VERS").and_then(text_of).and_then(parse_version);
    let has_form = only("FORM").and_then(text_of) == Some("LINEAGE-LINKED");
    let has_payload = structure.payload != PayloadValue::Text(String::new());
    match vers {
        Some(vers) if has_form && !has_payload => {
            reading.metadata.gedcom = Some(vers);
            if !matches!(vers, [5, 5, 0 | 1]) {
                reading.add_non_conformant(structure.line, "Legacy GEDCOM version: neither 5.5 nor 5.5.1");
            }
        }
        _ => reading.add_non_conformant(structure.line, "Parsing serialisation metadata: GEDC"),
    }
}

/// Reads the default payload language, which is a language tag (Basic Concepts §3).
fn read_payload_language(structure: &TaggedStructure, reading: &mut Reading) {
    let language = text_of(structure).filter(|language| language_tag::is_well_formed(language));
    if language.is_none() {
        reading.add_non_conformant(structure.line, "Language tags: PLANG holds none");
    }
    reading.metadata.language = language.map(str::to_owned);
}
