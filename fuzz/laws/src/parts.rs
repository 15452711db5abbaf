//! The law of parts.

use crate::summary;
use elf_base::rules::XrefErrors;
use elf_base::{Diagnostic, Rules, codes};
use elf_tagged::{Options, Reader, read};

/// A document read in parts, however small, has the records and the end of the document read whole, and the findings if
/// all of it is read.
///
/// # Panics
///
/// Where that is not so.
pub fn parts(octets: &[u8]) {
    for rules in Rules::PRESETS {
        // Other rules insert and reject records by what only the whole document shows.
        if rules.tagged.xref_errors != XrefErrors::Keep {
            continue;
        }
        let mut findings: Vec<Diagnostic> = Vec::new();
        let whole =
            read(octets, rules, &Options::default(), &mut findings).expect("no fuzzed input has 4 GiB");
        // Of what is something else altogether, a part looks at its own first lines only.
        if findings.iter().any(|finding| finding.code == codes::NO_LINES) {
            continue;
        }
        let whole_records: Vec<String> = whole.structures().map(summary).collect();
        for size in [1, 50] {
            let mut reader = Reader::new(octets, rules, &Options::default()).with_part_size(size);
            let mut found: Vec<Diagnostic> = Vec::new();
            let mut records = Vec::new();
            while let Some(part) = reader.next_part(&mut found).expect("memory can be read") {
                records.extend(part.structures().map(summary));
            }
            assert_eq!(records, whole_records, "by {} in parts of {size}", rules.name);
            assert_eq!(reader.is_complete(), whole.is_complete(), "by {} in parts of {size}", rules.name);
            // What lies behind the end of a reading is known where the whole is read, and not where parts are.
            if whole.is_complete() {
                assert_eq!(places(&found), places(&findings), "by {} in parts of {size}", rules.name);
            }
        }
    }
}

/// What was found and where. Findings about identifiers come at the end where parts are read.
fn places(findings: &[Diagnostic]) -> Vec<String> {
    let place = |finding: &Diagnostic| format!("{:?} {}: {}", finding.place, finding.code, finding.message);
    let mut places: Vec<String> = findings.iter().map(place).collect();
    places.sort();
    places
}
