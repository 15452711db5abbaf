//! Faults of the header that two layers find, so that each is told once.
//!
//! The reader holds CHAR, GEDC and SCHMA against what it needs of them, and a structural standard holds them
//! against its own requirements. What the reader says is told: it says more, and may have a repair. Where the
//! standard takes the fault for graver, it is as grave.

use elf_base::{Code, Diagnostic, codes};
use std::collections::BTreeMap;

/// The codes by which the reader tells a fault, and those by which a standard does, on the same line: of the
/// same payload, or of what the same structure has beneath it.
const TWICE: [(Code, &[Code]); 11] = [
    (codes::ENCODING_UNKNOWN, &[codes::VALUE_NOT_LISTED, codes::PAYLOAD_UNEXPECTED]),
    (codes::ENCODING_ALIAS, &[codes::VALUE_NOT_LISTED]),
    (codes::ENCODING_UNNAMED, &[codes::STRUCTURE_MISSING]),
    (codes::METADATA_POINTER, &[codes::PAYLOAD_UNEXPECTED]),
    (codes::METADATA_REPEATED, &[codes::STRUCTURE_REPEATED]),
    (codes::METADATA_UNKNOWN, &[codes::PAYLOAD_MISSING, codes::PAYLOAD_UNEXPECTED, codes::VALUE_NOT_LISTED]),
    (codes::VERSION_MALFORMED, &[codes::PAYLOAD_MISSING, codes::PAYLOAD_UNEXPECTED, codes::VALUE_MALFORMED]),
    (
        codes::GEDC_MALFORMED,
        &[codes::STRUCTURE_MISSING, codes::PAYLOAD_UNEXPECTED, codes::STRUCTURE_INCOMPLETE],
    ),
    (codes::GEDCOM_VERSION_UNKNOWN, &[codes::VALUE_MALFORMED]),
    (codes::GEDCOM_FORM, &[codes::PAYLOAD_MISSING, codes::PAYLOAD_UNEXPECTED, codes::VALUE_NOT_LISTED]),
    (
        codes::TAG_DEFINITION_MALFORMED,
        &[codes::PAYLOAD_MISSING, codes::PAYLOAD_UNEXPECTED, codes::VALUE_MALFORMED],
    ),
];

/// The most findings of the reader that are known: a header has a few.
const MOST: usize = 1 << 10;

/// The findings of the reader that a standard may bring again, by line and code.
#[derive(Debug, Default)]
pub(crate) struct ToldByReader(BTreeMap<(u64, &'static str), Diagnostic>);

impl ToldByReader {
    /// Takes note of a finding that is told.
    pub(crate) fn see(&mut self, finding: &Diagnostic) {
        let is_of_reader = TWICE.iter().any(|(of_reader, _)| *of_reader == finding.code);
        if let Some(place) = finding.place.filter(|_| is_of_reader && self.0.len() < MOST) {
            self.0.insert((place.line, finding.code.id()), finding.clone());
        }
    }

    /// The finding of the reader that tells the fault which a finding of a standard tells.
    pub(crate) fn of(&mut self, finding: &Diagnostic) -> Option<&mut Diagnostic> {
        if self.0.is_empty() {
            return None;
        }
        let line = finding.place?.line;
        let told = TWICE.iter().find(|(of_reader, of_standard)| {
            of_standard.contains(&finding.code)
                && is_of_char(*of_reader, finding)
                && self.has(line, *of_reader)
        });
        told.and_then(|(of_reader, _)| self.0.get_mut(&(line, of_reader.id())))
    }

    fn has(&self, line: u64, code: Code) -> bool {
        self.0.contains_key(&(line, code.id()))
    }
}

/// Tells whether a finding about HEAD may be the one that CHAR is missing: HEAD may lack others too.
fn is_of_char(of_reader: Code, finding: &Diagnostic) -> bool {
    of_reader != codes::ENCODING_UNNAMED || finding.message.starts_with("expected `CHAR` ")
}
