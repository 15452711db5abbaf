//! The January 2019 draft from octets to tagged structures (J19 §2.2).

use super::decode::decode;
use super::encoding::{Found, detect_encoding, specified_in_january};
use super::escapes_january::unescape;
use super::model::{CharacterEncoding, Draft, ParsedLine, PayloadValue, Reading, TaggedStructure};
use super::schema::{self, Definitions};
use super::{assemble, characters, line_strings, parseable, pointers, schema_check};

/// Reads a file up to its tagged structures.
pub(super) fn read_file(octets: &[u8], defaults: &Definitions) -> (Reading, Definitions) {
    let mut reading = Reading::default();
    let (detected, mark) = detect_encoding(octets, Draft::January2019);
    let octets = octets.get(mark..).unwrap_or_default();
    let (found, is_in_doubt) = specified_in_january(octets, detected);
    reading.search_is_in_doubt = is_in_doubt;
    reading.encoding = match found {
        Found::Known(encoding) => Some(encoding),
        Found::Nothing => detected.or(Some(CharacterEncoding::Ansel)),
        Found::Unknown(line) => {
            reading.add_non_conformant(line, "J19 §4.1: a name that is not in the table");
            None
        }
    };
    let decoded = decode(octets, reading.encoding.unwrap_or(CharacterEncoding::Ansel));
    reading.line_strings = line_strings::split_january(&decoded.text);
    for string in reading.line_strings.clone() {
        if !string.text.chars().all(characters::is_character) {
            reading.add_non_conformant(string.number, "Basic Concepts §2: what is no character");
        }
    }
    if !decoded.is_whole {
        reading.add_non_conformant(usize::MAX, "J19 §7.2: octets that stand for no character");
    }
    reading.ends_in_undecodable = !decoded.is_whole;
    reading.text = decoded.text;
    let (lines, errors) = parseable::parse_lines(&reading.line_strings);
    for line in errors {
        reading.add_non_conformant(line, "J19 §6.1: an error line");
    }
    reading.lines = lines;
    let mut records = assemble::assemble_records(&merge_continuations(&reading.lines));
    let definitions = take_metadata(&mut records, &mut reading, defaults);
    for record in &mut records {
        convert_payloads(record, &definitions, &mut reading);
    }
    let bearers = pointers::collect_identifiers(&records);
    pointers::check_identifiers(&bearers, &mut reading);
    for record in &records {
        check_pointers(record, &bearers, &mut reading);
    }
    reading.records = records;
    (reading, definitions)
}

/// Merges additional lines into the first lines of their structures (J19 §6; §2.2 step 3).
///
/// An additional line has tag CONT or CONC, no identifier, a level one greater than that of the first line,
/// and nothing but additional lines between itself and the first line.
fn merge_continuations(lines: &[ParsedLine]) -> Vec<ParsedLine> {
    let mut merged: Vec<ParsedLine> = Vec::new();
    for line in lines {
        let is_additional = matches!(line.tag.as_str(), "CONT" | "CONC") && line.xref.is_none();
        let first = merged.last_mut().filter(|first| is_additional && line.level == first.level + 1);
        let (Some(first), PayloadValue::Text(part)) = (first, &line.payload) else {
            merged.push(line.clone());
            continue;
        };
        if let PayloadValue::Text(text) = &mut first.payload {
            if line.tag == "CONT" {
                text.push('\n');
            }
            text.push_str(part);
        }
    }
    merged
}

/// Removes the serialisation metadata: CHAR and SCHMA of the header, and the trailer (J19 §4).
fn take_metadata(
    records: &mut Vec<TaggedStructure>,
    reading: &mut Reading,
    defaults: &Definitions,
) -> Definitions {
    if records.first().is_none_or(|first| first.tag != "HEAD") {
        reading.add_non_conformant(1, "J19 §4: the first structure is no HEAD");
    }
    if records.last().is_none_or(|last| last.tag != "TRLR") {
        reading.add_non_conformant(usize::MAX, "J19 §4: the last structure is no TRLR");
    }
    records.retain(|record| {
        if record.tag == "TRLR"
            && (record.payload != PayloadValue::Text(String::new()) || !record.substructures.is_empty())
        {
            reading.add_non_conformant(record.line, "J19 §4: TRLR has no payload or substructures");
        }
        record.tag != "TRLR"
    });
    for record in records.iter().skip(1).filter(|record| record.tag == "HEAD") {
        reading.add_non_conformant(record.line, "J19 §4: a HEAD that is not the first structure");
    }
    let mut metadata = Vec::new();
    if let Some(head) = records.first_mut().filter(|record| record.tag == "HEAD") {
        // The header is metadata, so no pointer leads to it (J19 §2.3 *Serialisation Metadata*).
        if head.xref.take().is_some() {
            reading.add_non_conformant(head.line, "J19 §5.1: an identifier on serialisation metadata");
        }
        let (taken, others) = std::mem::take(&mut head.substructures)
            .into_iter()
            .partition(|structure: &TaggedStructure| matches!(structure.tag.as_str(), "CHAR" | "SCHMA"));
        metadata.extend::<Vec<TaggedStructure>>(taken);
        head.substructures = others;
    }
    for structure in &mut metadata {
        check_identifiers(structure, reading);
        convert_payloads(structure, &Definitions::default(), reading);
    }
    let schemas: Vec<&TaggedStructure> =
        metadata.iter().filter(|structure| structure.tag == "SCHMA").collect();
    for schema in &schemas {
        if let PayloadValue::Text(text) = &schema.payload {
            reading.metadata.schemas.extend(Some(text.clone()).filter(|text| !text.is_empty()));
        }
    }
    let definitions = schema::read_schema(&schemas, defaults);
    schema_check::check_schemas(&schemas, &definitions, reading);
    definitions
}

/// "Each serialisation metadata tagged structure must not be given an `xref_id`" (J19 §5.1).
fn check_identifiers(structure: &TaggedStructure, reading: &mut Reading) {
    if structure.xref.is_some() {
        reading.add_non_conformant(structure.line, "J19 §5.1: an identifier on serialisation metadata");
    }
    for substructure in &structure.substructures {
        check_identifiers(substructure, reading);
    }
}

/// Converts the payload of a structure and recursively of its substructures (J19 §2.2 step 4).
fn convert_payloads(structure: &mut TaggedStructure, definitions: &Definitions, reading: &mut Reading) {
    if let PayloadValue::Text(text) = &structure.payload {
        structure.payload = match parseable::whole_xref(text) {
            Some(identifier) => PayloadValue::Pointer(identifier.to_owned()),
            None => {
                let unescaped = unescape(text, |kind| definitions.preserves(&structure.tag, kind));
                structure.payload_is_unspecified =
                    unescaped.is_unspecified || definitions.escapes_differ(&structure.tag);
                if unescaped.is_unspecified {
                    reading.add_non_conformant(
                        structure.line,
                        "J19 §5.3: a Unicode escape that names no character",
                    );
                }
                PayloadValue::Text(unescaped.text)
            }
        };
    }
    for substructure in &mut structure.substructures {
        convert_payloads(substructure, definitions, reading);
    }
}

/// Checks the pointers of a structure and recursively of its substructures.
fn check_pointers(structure: &TaggedStructure, bearers: &pointers::Bearers, reading: &mut Reading) {
    if let PayloadValue::Pointer(identifier) = &structure.payload {
        pointers::check_target(structure, identifier, bearers, reading);
        // "which must be a record within the same dataset" (J19 §2.4 *Structure*)
        if pointers::resolve_pointer(identifier, bearers).is_none() {
            reading.add_non_conformant(structure.line, "J19 §2.4: a pointer to no single record");
        }
    }
    for substructure in &structure.substructures {
        check_pointers(substructure, bearers, reading);
    }
}
