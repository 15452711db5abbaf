//! The judgement of repairs: the file says what it said before, with fewer faults.

use super::UnitFixes;
use super::found::{CountByCode, FindingTaker, UnitFindings};
use super::lines::Lines;
use super::units::Unit;
use elf_base::{Code, FixAction};
use elf_tagged::{Document, Flags, Node, Payload};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The repaired lines of a unit, read again.
pub(super) struct Reread {
    pub(super) octets: Vec<u8>,
    /// The findings that are left.
    pub(super) left: UnitFindings,
}

impl Reread {
    /// Reads the lines of a unit with repairs; `None` where they cannot be, or would change how the rest of
    /// the file is read.
    pub(super) fn of(unit: &Unit<'_>, document: &Document<'_>, fixes: &UnitFixes) -> Option<Reread> {
        let octets = document.source().splice_lines(fixes.patches.iter()).ok()?;
        let mut left = UnitFindings::default();
        unit.read(&octets, &mut FindingTaker { findings: &mut left, chosen: unit.chosen() })?;
        Some(Reread { octets, left })
    }
}

/// Reads the file with repairs, and returns it if it reads the same: in the same encoding, the same
/// structures in the same order, each with the same tag, identifier, payload, language and superstructure,
/// but for the payloads that are repaired; and if fewer of the repaired faults are found in it, and no more
/// of any other.
pub(super) fn reread(
    unit: &Unit<'_>,
    document: &Document<'_>,
    findings: &UnitFindings,
    fixes: &UnitFixes,
) -> Option<Reread> {
    let octets = document.source().splice_lines(fixes.patches.iter()).ok()?;
    let mut left = UnitFindings::default();
    let again = unit.read(&octets, &mut FindingTaker { findings: &mut left, chosen: unit.chosen() })?;
    let is_same = are_fewer(findings, &left, fixes)
        && unit.is_left_alike(document, &again)
        && have_same_structures(document, &again, &repaired_payloads(document, findings, fixes));
    drop(again);
    is_same.then_some(Reread { octets, left })
}

/// Tells whether documents have the same structures in the same order, each with the same tag, identifier,
/// language and superstructure, and with the same payload or the one that a repair gives it, by its number.
pub(super) fn have_same_structures(
    document: &Document<'_>,
    again: &Document<'_>,
    payloads: &BTreeMap<u32, &str>,
) -> bool {
    let (old, new) = (Numbers::of(document), Numbers::of(again));
    // Hardly any text has a tag that gives one of its structures a language of its own.
    let says_language = [document, again].iter().any(|one| one.text().contains(LANGUAGE));
    old.count == new.count
        && document.header().language() == again.header().language()
        && document.structures().zip(again.structures()).all(|(one, other)| {
            (one.tag(), one.xref(), one.is_error()) == (other.tag(), other.xref(), other.is_error())
                && match payloads.get(&one.id().get()) {
                    Some(text) => other.payload() == Payload::Text(Cow::Borrowed(*text)),
                    None => have_same_payload(one, other),
                }
                && (!says_language || have_same_language(one, other))
                && old.above(one) == new.above(other)
        })
}

/// Tells whether structures have one payload: nearly all have it on one line that is spelled alike. Of a line
/// with at signs, the documents make the same, since what their headers say of escapes is the same.
fn have_same_payload(one: Node<'_>, other: Node<'_>) -> bool {
    let (flags, of_other) = (one.flags(), other.flags());
    let stands_alone = |flags: Flags| {
        !flags.is_pointer() && !flags.is_continued() && !flags.is_continuation() && !flags.has_made_payload()
    };
    let is_plain = flags.is_plain_text() && of_other.is_plain_text();
    (is_plain || flags == of_other && stands_alone(flags)) && one.line_payload() == other.line_payload()
        || one.payload() == other.payload()
}

/// The tag of the language of a payload.
const LANGUAGE: &str = "PLANG";

/// Tells whether structures of documents of one language have one language. It is read from the line as it
/// stands, escapes included (D19 *Header metadata*).
fn have_same_language(one: Node<'_>, other: Node<'_>) -> bool {
    let stands_alone = |node: Node<'_>| node.subtree_end().index() <= node.id().index() + 1;
    stands_alone(one) && stands_alone(other) || one.language() == other.language()
}

/// Tells whether less is left of the faults that are repaired, and no more of any other fault.
pub(super) fn are_fewer(findings: &UnitFindings, left: &UnitFindings, fixes: &UnitFixes) -> bool {
    let repaired = fixes.repaired.iter().filter_map(|&index| findings.get(index));
    let mut codes = CountByCode::default();
    repaired.for_each(|finding| codes.add(finding.code, 1));
    let of_repaired = |by_code: CountByCode| -> usize {
        by_code.iter().filter(|(code, _)| codes.of(*code) > 0).map(|(_, count)| count).sum()
    };
    let known = faults(findings);
    let is_new = |(code, count): (Code, usize)| count > known.of(code);
    !faults(left).iter().any(is_new) && of_repaired(left.by_code()) < of_repaired(findings.by_code())
}

/// The number of faults of each code.
fn faults(findings: &UnitFindings) -> CountByCode {
    findings.count_by_code(|finding| finding.is_fault)
}

/// The payloads that repairs give to structures, by their numbers.
pub(super) fn repaired_payloads<'f>(
    document: &Document<'_>,
    findings: &'f UnitFindings,
    fixes: &UnitFixes,
) -> BTreeMap<u32, &'f str> {
    let mut lines = Lines::new(document, false);
    let repaired = fixes.repaired.iter().filter_map(|&index| findings.get(index));
    let set = repaired.filter_map(|finding| match &findings.fix_of(finding)?.action {
        FixAction::SetPayload(text) => Some((lines.payload_in_place_of(finding.line, text)?.0, &**text)),
        _ => None,
    });
    set.collect()
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
