//! The December 2019 draft from octets to tagged structures (D19 *Parsing*).

use super::decode::decode;
use super::encoding::{Scan, detect_encoding, specified_in_december};
use super::header;
use super::model::{CharacterEncoding, Draft, ParsedLine, PayloadValue, Reading, TaggedStructure};
use super::schema::Definitions;
use super::{assemble, line, line_strings, pointers, second_pass};

/// Reads a file up to its tagged structures.
pub(super) fn read_file(octets: &[u8], defaults: &Definitions) -> (Reading, Definitions) {
    let mut reading = Reading::default();
    let (detected, mark) = detect_encoding(octets, Draft::December2019);
    let octets = octets.get(mark..).unwrap_or_default();
    match specified_in_december(octets, detected) {
        Scan::Ceased(line, reason) => {
            reading.add_malformed(line, reason);
            return (reading, defaults.clone());
        }
        // "Otherwise, the character encoding shall default to be UTF-8."
        Scan::Specified(specified) => {
            reading.encoding = specified.or(detected).or(Some(CharacterEncoding::Utf8));
        }
    }
    let decoded = decode(octets, reading.encoding.unwrap_or(CharacterEncoding::Utf8));
    reading.line_strings = line_strings::split_december(&decoded.text);
    if !decoded.is_whole {
        let line = last_line(&decoded.text);
        reading.add_non_conformant(line, "Character encodings: octets that stand for no character");
    }
    reading.ends_in_undecodable = !decoded.is_whole;
    reading.text = decoded.text;
    parse_lines(&mut reading);
    let mut records = assemble::assemble_records(&reading.lines);
    if decoded.is_whole
        && !reading.faults.iter().any(|fault| fault.reason == TOO_DEEP || fault.reason == NO_LINE)
    {
        discard_trailer(&mut records, &mut reading);
    }
    let definitions = match records.first_mut() {
        Some(head) => header::parse_metadata(head, &mut reading, defaults),
        None => defaults.clone(),
    };
    for (at, record) in records.iter_mut().enumerate() {
        second_pass::process_structure(record, at == 0, &definitions, &mut reading);
    }
    if let Some(head) = records.first() {
        header::check_record(head, &mut reading);
    }
    second_pass::check_records(&records, &mut reading);
    pointers::check_in_december(&records, &mut reading);
    reading.records = records;
    (reading, definitions)
}

/// Returns the number of the line in which a text ends.
fn last_line(text: &str) -> usize {
    1 + text.replace("\r\n", "\n").matches(['\r', '\n']).count()
}

const NO_LINE: &str = "Parsing lines: a line string that does not match Line";
const TOO_DEEP: &str = "Levels: a level more than one greater than its previous level";

/// Parses line strings up to the first malformed line, which ends the reading (D19 *Parsing lines*, *Levels*).
fn parse_lines(reading: &mut Reading) {
    let mut lines: Vec<ParsedLine> = Vec::new();
    for string in reading.line_strings.clone() {
        let Some(line) = line::parse_line(&string) else {
            reading.add_malformed(string.number, NO_LINE);
            break;
        };
        // "This does not apply to the first line in the input stream."
        if lines.last().is_some_and(|previous| line.level > previous.level + 1) {
            reading.add_malformed(string.number, TOO_DEEP);
            break;
        }
        lines.push(line);
    }
    reading.lines = lines;
}

/// Discards the trailer record, or reports that the last record is not one (D19 *Parsing lines into structures*).
fn discard_trailer(records: &mut Vec<TaggedStructure>, reading: &mut Reading) {
    let Some(last) = records.last() else { return };
    let is_trailer = last.tag == "TRLR"
        && last.xref.is_none()
        && last.payload == PayloadValue::Text(String::new())
        && last.substructures.is_empty();
    if is_trailer {
        records.pop();
    } else {
        reading
            .add_malformed(last.line, "Parsing lines into structures: the last record is no trailer record");
    }
}
