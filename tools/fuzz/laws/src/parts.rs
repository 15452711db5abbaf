//! The law of parts.

use crate::{Input, summary};
use elf_base::rules::{Duplicates, XrefErrors};
use elf_base::{Diagnostic, Rules, codes};
use elf_tagged::{Options, Reader, XrefReader, Xrefs, read};

/// A document read in parts, however small, has the records, the end and the findings of the document read
/// whole: by any rules where its names are known, and without them by rules that do not need them.
///
/// # Panics
///
/// If the law does not hold.
pub fn parts(input: &Input<'_>) {
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
        // Of what is something else altogether, a part looks at its own first lines only.
        if findings.iter().any(|finding| finding.code == codes::NO_LINES) {
            continue;
        }
        let whole_records: Vec<String> = whole.structures().map(summary).collect();
        let options = Options::default();
        for size in [1, 50] {
            let names = XrefReader::new(octets, rules, &options).with_run_size(size).into_xrefs();
            let named = Reader::with_xrefs(octets, names.expect("memory can be read"));
            let unnamed = (!Xrefs::are_needed(rules)).then(|| Reader::new(octets, rules, &options));
            for reader in [Some(named), unnamed].into_iter().flatten() {
                let mut reader = reader.with_run_size(size);
                let mut found: Vec<Diagnostic> = Vec::new();
                let mut records = Vec::new();
                while let Some(part) = reader.next_run(&mut found).expect("memory can be read") {
                    records.extend(part.structures().map(summary));
                }
                assert_eq!(records, whole_records, "by {} in parts of {size}", rules.name);
                assert_eq!(reader.is_complete(), whole.is_complete(), "by {} in parts of {size}", rules.name);
                assert_eq!(places(&found), places(&findings), "by {} in parts of {size}", rules.name);
            }
        }
    }
}

/// Lists the findings with their places. Findings about identifiers come at the end where parts are read.
fn places(findings: &[Diagnostic]) -> Vec<String> {
    let place = |finding: &Diagnostic| format!("{:?} {}: {}", finding.place, finding.code, finding.message);
    let mut places: Vec<String> = findings.iter().map(place).collect();
    places.sort();
    places
}
