//! The law of runs.

use crate::{Input, summary};
use elf_base::rules::{Duplicates, XrefErrors};
use elf_base::{Diagnostic, Rules, codes};
use elf_tagged::{Options, Reader, read};

/// A document read in runs of any size has the records, the end and the findings of the document read whole.
///
/// # Panics
///
/// If the law does not hold.
pub fn runs(input: &Input<'_>) {
    let octets = input.octets;
    let options = [Duplicates::RejectAll, Duplicates::RejectBearers, Duplicates::DropUnused].map(|option| {
        let mut rules = Rules::DECLARATIVE;
        rules.tagged.xref_errors = XrefErrors::Options(option);
        rules
    });
    // By the declarative draft, the handling of identifiers is the choice of who reads.
    let options = options.iter().filter(|_| *input.rules == Rules::DECLARATIVE);
    for rules in [input.rules].into_iter().chain(options) {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let whole =
            read(octets, rules, &Options::default(), &mut findings).expect("no fuzzed input has 4 GiB");
        // Where a file has no lines at all, the reader looks at the first run only.
        if findings.iter().any(|finding| finding.code == codes::NO_LINES) {
            continue;
        }
        let whole_records: Vec<String> = whole.structures().map(summary).collect();
        for size in [1, 50] {
            let mut reader = Reader::new(octets, rules, &Options::default()).with_run_size(size);
            let mut found: Vec<Diagnostic> = Vec::new();
            let mut records = Vec::new();
            while let Some(run) = reader.next_run(&mut found).expect("memory can be read") {
                records.extend(run.structures().map(summary));
            }
            assert_eq!(records, whole_records, "by {} in runs of {size}", rules.name);
            assert_eq!(reader.is_complete(), whole.is_complete(), "by {} in runs of {size}", rules.name);
            assert_eq!(places(&found), places(&findings), "by {} in runs of {size}", rules.name);
        }
    }
}

/// Lists the findings with their places. Findings about identifiers come after the last run.
fn places(findings: &[Diagnostic]) -> Vec<String> {
    let place = |finding: &Diagnostic| format!("{:?} {}: {}", finding.place, finding.code, finding.message);
    let mut places: Vec<String> = findings.iter().map(place).collect();
    places.sort();
    places
}
