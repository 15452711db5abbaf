//! Faults of the header that two layers report, so that each is reported once.
//!
//! The reader checks CHAR, GEDC and SCHMA because it needs them, a structural standard checks them again. The
//! finding of the reader stays: it says more, and may have a fix.

use elf_base::{Code, Diagnostic, codes};
use std::collections::HashMap;

/// The codes by which the reader tells a fault, and those by which a standard does, on the same line: of the
/// same payload, or of what the same structure has under it.
const REPORTED_TWICE: [(Code, &[Code]); 11] = [
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

/// Removes what a standard reports about the header where the reader reports it too. The finding of the reader
/// gets the graver class of the two.
pub(crate) fn merge_reported_twice(findings: &mut Vec<Diagnostic>) {
    let mut of_reader: HashMap<(u64, &'static str), usize> = HashMap::new();
    let mut is_removed = vec![false; findings.len()];
    for at in 0..findings.len() {
        let finding = &findings[at];
        let Some(line) = finding.place.map(|place| place.line) else { continue };
        if REPORTED_TWICE.iter().any(|(reader, _)| *reader == finding.code) {
            of_reader.insert((line, finding.code.id()), at);
        }
        let same = REPORTED_TWICE.iter().find_map(|(reader, standard)| {
            let may_be = standard.contains(&finding.code) && is_about_char(*reader, finding);
            of_reader.get(&(line, reader.id())).copied().filter(|_| may_be)
        });
        if let Some(first) = same {
            findings[first].class = findings[first].class.max(findings[at].class);
            is_removed[at] = true;
        }
    }
    let mut removed = is_removed.into_iter();
    // Returns one result for each finding.
    findings.retain(|_| removed.next() != Some(true));
}

/// Returns whether a finding about HEAD may be the one that CHAR is missing: HEAD may lack others too.
fn is_about_char(of_reader: Code, finding: &Diagnostic) -> bool {
    of_reader != codes::ENCODING_UNNAMED || finding.message.starts_with("expected `CHAR` ")
}
