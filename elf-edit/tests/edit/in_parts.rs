//! Repairs counted as a file is read in parts; the tests of several layers use it too.

use elf_edit::Repairable;
use elf_tagged::{Diagnostic, Options, Reader, Rules, XrefReader};

/// Counts the findings that can be repaired, by a reading in parts of about `size` octets.
pub(crate) fn repairable_in_parts(octets: &[u8], rules: &Rules, size: usize) -> u64 {
    let options = Options::default();
    let names = XrefReader::new(octets, rules, &options).with_part_size(size).into_xrefs();
    let names = names.expect("it can be read");
    let mut reader = Reader::with_xrefs(octets, names).with_part_size(size);
    let mut repairable = Repairable::new(rules);
    let mut said = Vec::new();
    loop {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let part = reader.next_part(&mut findings).expect("it can be read");
        said.extend(findings.iter().filter_map(Repairable::about_encoding));
        let Some(part) = part else { break };
        let part = Repairable::of_part(&part, &findings, &|_| true);
        repairable.add(part);
    }
    reader.decision().map_or(0, |decision| repairable.finish(decision, &said, &|_| true).count)
}
