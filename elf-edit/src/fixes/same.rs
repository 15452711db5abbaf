//! The judgement of repairs: the file says what it said before, with fewer faults.

use super::Fixes;
use super::lines::Lines;
use super::units::Unit;
use elf_base::{Class, Diagnostic, FixAction};
use elf_tagged::{Document, Node, Payload};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Tells whether the file reads the same with the repairs: in the same encoding, the same structures in the
/// same order, each with the same tag, identifier, payload, language and superstructure, but for the payloads
/// that are repaired; and whether fewer of the repaired faults are found in it, and no more of any other.
pub(super) fn are_good(
    unit: &Unit<'_>,
    document: &Document<'_>,
    findings: &[Diagnostic],
    fixes: &Fixes,
) -> bool {
    let repaired = fixes.repaired.iter().filter_map(|&index| findings.get(index));
    let codes: BTreeSet<&str> = repaired.map(|finding| finding.code.id()).collect();
    let is_of = |finding: &&Diagnostic| codes.contains(finding.code.id());
    let before = findings.iter().filter(is_of).count();
    let mut after = 0;
    let mut faults = Faults::of(findings);
    let mut left = |finding: Diagnostic| {
        after += usize::from(is_of(&&finding));
        faults.take(&finding);
    };
    let Ok(octets) = document.source().splice(&fixes.patches) else { return false };
    let Some(again) = unit.read(&octets, &mut left) else { return false };
    if faults.any_new || after >= before || !unit.is_left_alike(document, &again) {
        return false;
    }
    let payloads = repaired_payloads(document, findings, fixes);
    let (old, new) = (Numbers::of(document), Numbers::of(&again));
    old.count == new.count
        && document.structures().zip(again.structures()).all(|(one, other)| {
            (one.tag(), one.xref(), one.is_error()) == (other.tag(), other.xref(), other.is_error())
                && match payloads.get(&one.id().get()) {
                    Some(text) => other.payload() == Payload::Text(Cow::Borrowed(*text)),
                    None => other.payload() == one.payload(),
                }
                // Read from the line as it stands, escapes included (D19 *Header metadata*).
                && one.language() == other.language()
                && old.above(one) == new.above(other)
        })
}

/// The payloads that repairs give to structures, by their numbers.
fn repaired_payloads<'f>(
    document: &Document<'_>,
    findings: &'f [Diagnostic],
    fixes: &Fixes,
) -> BTreeMap<u32, &'f str> {
    let mut lines = Lines::new(document, false);
    let repaired = fixes.repaired.iter().filter_map(|&index| findings.get(index));
    let set = repaired.filter_map(|finding| match &finding.fix.as_ref()?.action {
        FixAction::SetPayload(text) => Some((lines.plain_payload(finding.place?.line)?.0, &**text)),
        _ => None,
    });
    set.collect()
}

/// Tells whether a finding is a fault that repairs may not bring about: any finding is, except those of
/// deprecated statements of the file about itself.
fn is_fault(finding: &Diagnostic) -> bool {
    finding.class != Class::Deprecated
}

/// The number of faults of each code in a file.
struct Faults {
    counts: BTreeMap<&'static str, usize>,
    /// True if there are more of one code than there were.
    any_new: bool,
}

impl Faults {
    fn of(findings: &[Diagnostic]) -> Faults {
        let mut counts = BTreeMap::new();
        for finding in findings.iter().filter(|finding| is_fault(finding)) {
            *counts.entry(finding.code.id()).or_default() += 1;
        }
        Faults { counts, any_new: false }
    }

    /// Notes one that the repaired file has.
    fn take(&mut self, finding: &Diagnostic) {
        match self.counts.get_mut(finding.code.id()) {
            _ if !is_fault(finding) => {}
            Some(count) if *count > 0 => *count -= 1,
            _ => self.any_new = true,
        }
    }
}

/// The structures of a document, numbered in order.
struct Numbers {
    of: Vec<u32>,
    count: u32,
}

impl Numbers {
    fn of(document: &Document<'_>) -> Numbers {
        let mut numbers = Numbers { of: vec![0; document.len()], count: 0 };
        for node in document.structures() {
            numbers.count += 1;
            if let Some(number) = numbers.of.get_mut(node.id().index()) {
                *number = numbers.count;
            }
        }
        numbers
    }

    /// The number of the superstructure; 0 for records, and beneath the header.
    fn above(&self, node: Node<'_>) -> u32 {
        let above = node.superstructure();
        above.and_then(|above| self.of.get(above.id().index()).copied()).unwrap_or(0)
    }
}
