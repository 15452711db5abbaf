//! Merges findings about the header that two layers report.
//!
//! The reader checks CHAR, GEDC and SCHMA because it needs them, and a structural standard checks them again. The
//! finding of the reader is kept, because it is more precise and may have a fix.

use elf_base::{Code, Diagnostic, codes};
use std::collections::HashMap;

/// The codes of the reader. Each comes with the codes that a standard reports for the same problem on the same line.
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

/// Removes the findings of a standard that repeat a finding of the reader. The finding of the reader gets the more
/// severe class of the two.
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
            let may_be = standard.contains(&finding.code) && may_be_missing_char(*reader, finding);
            of_reader.get(&(line, reader.id())).copied().filter(|_| may_be)
        });
        if let Some(first) = same {
            findings[first].class = findings[first].class.max(findings[at].class);
            is_removed[at] = true;
        }
    }
    let mut removed = is_removed.into_iter();
    // The list `is_removed` has one entry for each finding.
    findings.retain(|_| removed.next() != Some(true));
}

// A standard uses the same code on the same line for other structures that are missing in HEAD.
fn may_be_missing_char(of_reader: Code, finding: &Diagnostic) -> bool {
    of_reader != codes::ENCODING_UNNAMED || finding.message.starts_with("expected `CHAR` ")
}
