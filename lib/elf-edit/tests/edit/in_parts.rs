//! Repairs made as a file is read in parts; the tests of several layers use it too.

use elf_edit::{Changes, Repairable};
use elf_tagged::{Diagnostic, Options, Reader, Rules, XrefReader};

/// Counts the findings that can be repaired, by a reading in parts of about `size` octets; with what changes
/// in the file then.
pub(crate) fn repaired_in_parts(octets: &[u8], rules: &Rules, size: usize) -> (u64, Changes) {
    let options = Options::default();
    let names = XrefReader::new(octets, rules, &options).with_run_size(size).into_xrefs();
    let names = names.expect("it can be read");
    let mut reader = Reader::with_xrefs(octets, names).with_run_size(size);
    let mut repairable = Repairable::new(rules);
    let (mut said, mut changes) = (Vec::new(), Changes::default());
    loop {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let part = reader.next_run(&mut findings).expect("it can be read");
        said.extend(findings.iter().filter_map(Repairable::about_encoding));
        let Some(part) = part else { break };
        let repairs = Repairable::of_part(&part, &findings, &|_| true);
        changes.append(repairs.changes(&part));
        repairable.add(repairs);
    }
    let Some(decision) = reader.decision() else { return (0, Changes::default()) };
    let repairs = repairable.finish(decision, &said, &|_| true);
    // What the parts have counts for nothing where the rules ended the reading behind them, or the file would
    // be read in another encoding.
    let changes = if repairs.refused.is_some() {
        Changes::default()
    } else {
        repairs.changes_of_header.followed_by(changes)
    };
    (repairs.count, changes)
}
