//! Finds records that may be about someone else than they seem.

use crate::records::RecordKind;
use elf_schema::Node;

/// The tags of facts and links that only people have.
const FACTS_ONLY_OF_PERSONS: [&str; 5] = ["SEX", "BIRT", "DEAT", "FAMC", "FAMS"];

/// Facts that make an extension record look like that of a person. The tags are without leading
/// underscores.
const FACTS_IN_EXTENSION_RECORDS: [&str; 12] = [
    "FULLNAME",
    "FIRSTNAME",
    "LASTNAME",
    "GIVENNAME",
    "GIVN",
    "SURN",
    "SURNAME",
    "GENDER",
    "BIRTHDATE",
    "BIRTHDAY",
    "BIRTH",
    "DOB",
];

/// The tags of facts and links that only families have.
const FACTS_OF_FAMILIES: [&str; 4] = ["HUSB", "WIFE", "CHIL", "MARR"];

/// The tags of facts and links of people and families that do not occur in headers. Some producers
/// write others, such as TITL and RIN, in headers.
const TAGS_NOT_IN_HEADERS: [&str; 56] = [
    "ADDR", "ADOP", "AGE", "ALIA", "ANCI", "ANUL", "ASSO", "BAPL", "BAPM", "BARM", "BASM", "BLES", "BURI",
    "CAST", "CENS", "CHIL", "CHR", "CHRA", "CONF", "CONL", "CREM", "DESI", "DIV", "DIVF", "DSCR", "EDUC",
    "EMAIL", "EMIG", "ENDL", "ENGA", "EVEN", "FACT", "FCOM", "GIVN", "GRAD", "HUSB", "IDNO", "IMMI", "MARB",
    "MARC", "MARL", "MARR", "NATI", "NATU", "OCCU", "ORDN", "PHON", "PROB", "RESI", "RESN", "RETI", "SLGC",
    "SLGS", "SSN", "SURN", "WIFE",
];

/// The tags of records that are not about one person.
const RECORDS_ABOUT_NO_PERSON: [&str; 5] = ["SOUR", "NOTE", "SNOTE", "OBJE", "REPO"];

/// Returns the structure that shows that a record of another kind may be about a person. This is a
/// structure that only people have, or the record itself if it may be a substructure: it has no
/// identifier, or its tag is neither a record's tag (`is_known`) nor an extension.
pub(crate) fn find_misplaced_structure(
    record: Node<'_>,
    kind: RecordKind,
    is_known: bool,
) -> Option<Node<'_>> {
    let tag = record.tag();
    let is_extension = tag.starts_with('_');
    let is_lost = match kind {
        RecordKind::Other => {
            !is_extension && (record.xref().is_none() || !is_known) || looks_like_person(record)
        }
        RecordKind::Header | RecordKind::Person | RecordKind::Family | RecordKind::Submitter => false,
    };
    let is_of_source = is_extension || RECORDS_ABOUT_NO_PERSON.contains(&tag);
    let is_name_of_person = |node: Node<'_>| match kind {
        RecordKind::Header | RecordKind::Family => true,
        RecordKind::Person | RecordKind::Submitter => false,
        // A repository has a name, and some producers write extensions that contain place names.
        RecordKind::Other => tag != "REPO" && (!is_of_source || node.text().matches('/').nth(1).is_some()),
    };
    let is_of_person = |node: &Node<'_>| match node.tag() {
        "NAME" => is_name_of_person(*node),
        // A text or a damaged pointer may refer to anybody.
        "HUSB" | "WIFE" | "CHIL" if kind == RecordKind::Family => node.pointer().is_none(),
        tag => {
            kind != RecordKind::Person && FACTS_ONLY_OF_PERSONS.contains(&tag)
                || !matches!(kind, RecordKind::Person | RecordKind::Family)
                    && FACTS_OF_FAMILIES.contains(&tag)
                || kind == RecordKind::Header && TAGS_NOT_IN_HEADERS.contains(&tag)
        }
    };
    if is_lost { Some(record) } else { record.substructures().find(is_of_person) }
}

/// Returns whether an extension record looks like that of a person.
fn looks_like_person(record: Node<'_>) -> bool {
    let names_person =
        |tag: &str| ["INDI", "PERSON", "PEOPLE", "HUMAN"].iter().any(|word| tag.contains(word));
    let is_fact_of_person = |node: Node<'_>| {
        let tag = node.tag().trim_start_matches('_').to_ascii_uppercase();
        FACTS_IN_EXTENSION_RECORDS.contains(&tag.as_str())
    };
    names_person(&record.tag().to_ascii_uppercase())
        || record.tag().starts_with('_') && record.substructures().any(is_fact_of_person)
}

/// Returns whether an extension record without an identifier may be a substructure of another
/// record. This is so if it has no substructures, a pointer, or a substructure that any
/// record may have.
pub(crate) fn may_be_substructure(record: Node<'_>) -> bool {
    let is_said_of_anybody =
        |node: Node<'_>| matches!(node.tag(), "NOTE" | "SOUR" | "OBJE" | "TEXT" | "REPO");
    record.tag().starts_with('_')
        && record.xref().is_none()
        && (record.subtree_lines().len() == 1
            || record.substructures().any(is_said_of_anybody)
            || record.descendants().any(|node| node.pointer().is_some()))
}

pub(crate) fn has_level_0(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
    let behind = line.trim_start_matches('0');
    behind.len() < line.len() && !behind.starts_with(|c: char| c.is_ascii_digit())
}
