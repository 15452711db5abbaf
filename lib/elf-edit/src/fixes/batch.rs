//! Units judged together: to read a small one by itself takes as much again as its lines do.
//!
//! What each comes to is what it would come to by itself. Their lines stand behind each other as if nothing
//! stood between them; where one is not repaired by the first attempt, it is judged by itself.

use super::by_finding::RepairedFindings;
use super::found::{FindingTaker, UnitFindings};
use super::patches::Patches;
use super::same::{are_fewer, have_same_structures, repaired_payloads};
use super::units::{PayloadFindings, Unit, settle};
use super::{UnitFixes, repaired};
use elf_base::{FixAction, Safety};
use elf_octets::Passage;
use elf_tagged::Document;
use std::ops::Range;

/// The most octets of units that are judged together, and of one of them: of more, what reading one takes
/// besides its lines does not count, and what is done twice where one has to be judged by itself does.
const MOST_TOGETHER: usize = 1 << 15;

/// Units to be judged together, in the order of the file.
pub(super) struct Batch<'p, M> {
    payloads: &'p PayloadFindings,
    make: M,
    may_be_together: bool,
    units: Vec<(Range<u64>, Passage)>,
    octets: usize,
}

impl<'p, 'u, M: Fn(Passage, UnitFindings) -> Unit<'u>> Batch<'p, M> {
    /// Judges units of a document or a part that `make` makes of their lines and the findings of their
    /// payloads.
    pub(super) fn new(document: &Document<'_>, payloads: &'p PayloadFindings, make: M) -> Batch<'p, M> {
        // What is irregular may be found once for all of a text, and strict rules end the reading.
        let may_be_together = document.rules().recovers() && document.source().irregular().is_empty();
        Batch { payloads, make, may_be_together, units: Vec::new(), octets: 0 }
    }

    /// Adds the next unit, and the repairs of those that are judged with that.
    pub(super) fn add(&mut self, lines: Range<u64>, passage: Passage, all: &mut RepairedFindings) {
        let octets = passage.octets().len();
        let goes_with_others = self.may_be_together && octets <= MOST_TOGETHER && !ends_file(&passage);
        if !goes_with_others || self.octets + octets > MOST_TOGETHER {
            self.repair(all);
        }
        self.octets += octets;
        self.units.push((lines, passage));
        if !goes_with_others {
            self.repair(all);
        }
    }

    /// Adds the repairs of the units that wait.
    pub(super) fn repair(&mut self, all: &mut RepairedFindings) {
        self.octets = 0;
        let units = std::mem::take(&mut self.units);
        let joined = (units.len() > 1).then(|| self.join(&units)).flatten();
        let judged = joined.as_ref().and_then(|(unit, starts)| judge(unit, starts));
        let (document, shares) = judged.map_or((None, Vec::new()), |(of, shares)| (Some(of), shares));
        let mut shares = shares.into_iter();
        for (at, (lines, passage)) in units.into_iter().enumerate() {
            match (shares.next().flatten(), &document) {
                (Some(Share { fixes, findings, .. }), Some(document)) => {
                    let start = joined.as_ref().and_then(|(_, starts)| starts.get(at));
                    let skipped = lines.start - start.copied().unwrap_or(lines.start);
                    all.add(document, fixes, &findings, skipped);
                }
                _ => {
                    let unit = (self.make)(passage, self.payloads.within(&lines));
                    if let Some((document, fixes, findings)) = unit.repaired(&mut ()) {
                        all.add(&document, fixes, &findings, 0);
                    }
                }
            }
        }
    }

    /// Makes one unit of several; with the number that the first line of each has in it.
    fn join(&self, units: &[(Range<u64>, Passage)]) -> Option<(Unit<'u>, Vec<u64>)> {
        let ((first, passage), others) = units.split_first()?;
        let (mut passage, mut starts, mut next) = (passage.clone(), vec![first.start], first.end);
        for (lines, other) in others {
            passage.append(other);
            starts.push(next);
            next += lines.end - lines.start;
        }
        let mut of_payloads = UnitFindings::default();
        for ((lines, _), start) in units.iter().zip(&starts) {
            let here = self.payloads.within(lines);
            let moved = here.with_fixes().map(|(mut finding, fix)| {
                finding.line -= lines.start - start;
                (finding, fix)
            });
            of_payloads.extend(moved);
        }
        Some(((self.make)(passage, of_payloads), starts))
    }
}

/// Tells whether a unit is the last of its file, or starts with a trailer: what follows that is seen to.
fn ends_file(passage: &Passage) -> bool {
    const LOOKED_AT: usize = 64;
    let start = passage.octets().get(..LOOKED_AT).unwrap_or(passage.octets());
    passage.is_last() || memchr::memmem::find(start, b"TRLR").is_some()
}

/// The share of a unit in what several come to. Its lines have the numbers that they have in those.
#[derive(Default)]
struct Share {
    findings: UnitFindings,
    /// The number of its findings that reading the lines shows.
    of_lines: usize,
    /// The findings that are left.
    left: UnitFindings,
    fixes: UnitFixes,
    /// True if one of the findings that are left might be repaired as well.
    has_more: bool,
}

impl Share {
    /// Calls those of its findings repaired that are gone; `None` where other repairs have to be tried.
    fn settled(mut self) -> Option<Share> {
        if self.fixes.patches.is_empty() {
            self.fixes.repaired.clear();
            return Some(self);
        }
        if self.has_more || !are_fewer(&self.findings, &self.left, &self.fixes) {
            return None;
        }
        settle((&self.findings, self.of_lines), &self.left, &mut self.fixes);
        Some(self)
    }
}

/// Reads units that start on the lines `starts` of one, repaired and not, and returns the share of each that
/// is repaired by that; `None` where this cannot be told of each.
fn judge<'u>(unit: &'u Unit<'_>, starts: &[u64]) -> Option<(Document<'u>, Vec<Option<Share>>)> {
    let mut findings = UnitFindings::default();
    let mut taker = FindingTaker { findings: &mut findings, chosen: unit.chosen() };
    let document = unit.read(unit.passage.octets(), &mut taker)?;
    let of_lines = findings.all().len();
    findings.extend(unit.of_payloads.with_fixes());
    let fixes = repaired(unit, &document, &findings, (Safety::Safe, NOTHING), &mut ());
    let octets = document.source().splice_lines(fixes.patches.iter()).ok()?;
    let mut left = UnitFindings::default();
    let again = unit.read(&octets, &mut FindingTaker { findings: &mut left, chosen: unit.chosen() })?;
    let is_same = document.is_complete()
        && unit.is_left_alike(&document, &again)
        && have_same_structures(&document, &again, &repaired_payloads(&document, &findings, &fixes));
    drop(again);
    let shares = is_same.then(|| shares((&findings, of_lines), &left, &fixes, starts)).flatten()?;
    Some((document, shares.into_iter().map(Share::settled).collect()))
}

/// The repairs that a first attempt leaves out.
const NOTHING: &[FixAction] = &[];

/// Divides findings and repairs among the units; `None` where one belongs to none, or to two.
fn shares(
    (findings, of_lines): (&UnitFindings, usize),
    left: &UnitFindings,
    fixes: &UnitFixes,
    starts: &[u64],
) -> Option<Vec<Share>> {
    let mut shares: Vec<Share> = Vec::new();
    shares.resize_with(starts.len(), Share::default);
    // The number of each finding among those of its unit, with that of the unit.
    let mut numbers: Vec<(usize, u32)> = Vec::with_capacity(findings.all().len());
    for (index, finding) in findings.all().iter().enumerate() {
        let at = unit_of(starts, finding.line)?;
        let share = shares.get_mut(at)?;
        numbers.push((at, u32::try_from(share.findings.all().len()).ok()?));
        share.findings.push(*finding);
        share.of_lines += usize::from(index < of_lines);
    }
    let number = |at: usize, index: &u32| {
        let (of, number) = numbers.get(*index as usize)?;
        (*of == at).then_some(*number)
    };
    let (mut new_starts, mut moved) = (starts.to_vec(), Moved { upto: 0, added: 0, removed: 0 });
    for (index, patch) in fixes.patches.iter().enumerate() {
        let at = unit_of(starts, patch.lines.start)?;
        let last = patch.lines.end.checked_sub(1)?;
        if patch.lines.is_empty() || unit_of(starts, last) != Some(at) {
            return None;
        }
        let owners: Option<Vec<u32>> =
            fixes.patches.owners(index).iter().map(|owner| number(at, owner)).collect();
        moved.pass(at, &mut new_starts);
        moved.added += Patches::written(&patch);
        moved.removed += patch.lines.end - patch.lines.start;
        shares.get_mut(at)?.fixes.patches.push(patch.lines, patch.with, owners?);
    }
    moved.pass(starts.len(), &mut new_starts);
    for index in &fixes.repaired {
        let (at, number) = numbers.get(*index as usize)?;
        shares.get_mut(*at)?.fixes.repaired.push(*number);
    }
    for (finding, fix) in left.with_fixes() {
        let share = shares.get_mut(unit_of(&new_starts, finding.line)?)?;
        share.has_more |= finding.is_wanted && fix.is_some_and(|fix| fix.safety == Safety::Safe);
        share.left.push(finding);
    }
    Some(shares)
}

/// The distance that the lines behind some patches have moved.
struct Moved {
    /// The units whose new start is known.
    upto: usize,
    added: u64,
    removed: u64,
}

impl Moved {
    /// Moves the starts of the units up to one in which the next patch is.
    fn pass(&mut self, at: usize, starts: &mut [u64]) {
        let here = starts.iter_mut().take(at + 1).skip(self.upto);
        here.for_each(|start| *start = *start + self.added - self.removed);
        self.upto = self.upto.max(at + 1);
    }
}

/// The unit that a line belongs to, by the first lines of all.
fn unit_of(starts: &[u64], line: u64) -> Option<usize> {
    starts.partition_point(|start| *start <= line).checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixes::FixOptions;
    use crate::fixes::units::Divider;
    use elf_base::Rules;
    use elf_octets::Options;
    use std::cell::Cell;

    /// The number of units that are made to repair a file, and of findings that are repaired.
    fn made(file: &str) -> (usize, u64) {
        let document = elf_tagged::read(file.as_bytes(), &Rules::WILD, &Options::default(), &mut ());
        let document = document.expect("it can be read");
        let (chosen, count) = (|_: &_| true, Cell::new(0));
        let make = |passage, of_payloads| {
            count.set(count.get() + 1);
            Unit {
                passage,
                rules: document.rules(),
                decision: document.source().decision(),
                header: document.header(),
                encoding: None,
                of_payloads,
                options: FixOptions::from(Safety::Safe).choosing(&chosen),
            }
        };
        let (payloads, divider) = (PayloadFindings::of(UnitFindings::default()), Divider::new(&document));
        let mut all = RepairedFindings::default();
        let mut batch = Batch::new(&document, &payloads, make);
        let lines: Vec<u64> = (1..=document.line_count()).collect();
        for (lines, passage) in divider.units(&lines, 3) {
            batch.add(lines, passage, &mut all);
        }
        batch.repair(&mut all);
        let mut by_code = std::collections::BTreeMap::new();
        all.count(&mut by_code);
        (count.get(), by_code.values().sum())
    }

    #[test]
    fn records_that_a_first_attempt_repairs_are_judged_as_one() {
        let head = "0 HEAD\n1 CHAR UTF-8\n";
        let records = "0 @I1@ INDI\n01 SEX M\n0 @I2@ INDI\n1 NOTE a@b\n0 @I3@ INDI\n01 SEX F\n";
        assert_eq!(made(&format!("{head}{records}0 NOTE end\n0 TRLR\n")), (2, 3));
    }
}
