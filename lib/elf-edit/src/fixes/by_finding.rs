//! Repairs told finding by finding: which lines change for which.

use super::UnitFixes;
use super::found::{CountByCode, Keyed, UnitFindings};
use super::patches::Patches;
use elf_base::{Code, Diagnostic};
use elf_octets::{LineBreak, Patch, PatchLines, Source};
use elf_tagged::Document;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;

/// The most octets that a patch may come to when each of the findings that it repairs has it.
pub(super) const REPEATED: usize = 4096;

/// Findings that safe repairs remove, and the lines that change for each, to be taken out by the findings
/// that a reader has reported.
///
/// Each patch stands with the findings that it is made for; one that only a repair made necessary, with the
/// nearest before it: so the patches of all findings of a file are all its repairs. A finding that goes
/// because another is repaired has the patch of its line or the nearest before it. A long line with many
/// faults stands with the first of them alone.
///
/// ```
/// use elf_edit::{RepairedFindings, Repairable};
/// use elf_tagged::{Diagnostic, Options, Rules, read};
///
/// let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n";
/// let mut findings: Vec<Diagnostic> = Vec::new();
/// let document = read(file, &Rules::WILD, &Options::default(), &mut findings)?;
/// let mut part = Repairable::of_part(&document, &findings, &|_| true);
/// let mut repaired = part.take_repaired();
/// let patches = repaired.take(&findings[0]).expect("a repair");
/// assert_eq!((patches[0].lines.clone(), &*patches[0].with), (4..5, "1 NOTE a@@b\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RepairedFindings {
    /// The findings, each with the range of its patches in `of`.
    findings: Keyed<FindingKey, Range<u32>>,
    /// The patches of one finding after another, by their indices.
    of: Vec<u32>,
    patches: Patches,
    /// The line break of each patch.
    breaks: Vec<LineBreak>,
}

/// The place of a finding, 0 where it is about the file, and its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FindingKey {
    pub(super) line: u64,
    pub(super) column: u32,
    pub(super) code: Code,
}

impl FindingKey {
    pub(super) fn of(finding: &Diagnostic) -> FindingKey {
        let column = |column: u64| u32::try_from(column).unwrap_or(u32::MAX);
        let place = finding.place.map(|place| (place.line, column(place.column)));
        let (line, column) = place.unwrap_or_default();
        FindingKey { line, column, code: finding.code }
    }
}

impl Ord for FindingKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let places = (self.line, self.column).cmp(&(other.line, other.column));
        places.then_with(|| self.code.id().cmp(other.code.id()))
    }
}

impl PartialOrd for FindingKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl RepairedFindings {
    /// Takes out the patches of a finding, if it is among those that repairs remove; of several with one code
    /// and place, the first is taken out first.
    pub fn take(&mut self, finding: &Diagnostic) -> Option<Vec<Patch>> {
        let key = FindingKey::of(finding);
        // What is found of the encoding is known by its code alone.
        let of_file = FindingKey { line: 0, column: 0, ..key };
        let range = self.findings.take(&key).or_else(|| self.findings.take(&of_file))?;
        let of = self.of.get(range.start as usize..range.end as usize)?;
        Some(of.iter().filter_map(|&index| self.patch(index as usize)).collect())
    }

    /// The lines that change for all of them, in the order of the document or the part that they are of.
    pub(super) fn patches(&self) -> impl Iterator<Item = PatchLines<'_>> + Clone {
        self.patches.iter()
    }

    fn patch(&self, index: usize) -> Option<Patch> {
        let mut patch = Patch::from(self.patches.get(index)?);
        patch.line_break = self.breaks.get(index).copied();
        Some(patch)
    }

    /// Adds the number of findings of each code.
    pub(super) fn count(&self, by_code: &mut BTreeMap<&'static str, u64>) {
        let mut counts = CountByCode::default();
        self.findings.iter().for_each(|(key, _)| counts.add(key.code, 1));
        for (code, count) in counts.iter() {
            *by_code.entry(code.id()).or_default() += count as u64;
        }
    }

    /// Adds a finding, and the lines that change for it, each with its line break.
    pub(super) fn add_one(&mut self, finding: &Diagnostic, patches: &[Patch]) {
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let start = small(self.of.len());
        for patch in patches {
            self.of.push(small(self.patches.len()));
            self.patches.push(patch.lines.clone(), &patch.with, []);
            self.breaks.push(patch.line_break.unwrap_or(LineBreak::Lf));
        }
        self.findings.add(FindingKey::of(finding), start..small(self.of.len()));
    }

    /// Adds the repairs of a unit, divided among those of its `findings` that they repair. Its lines stand so
    /// many lines further down in the file than in the document.
    pub(super) fn add(
        &mut self,
        document: &Document<'_>,
        fixes: UnitFixes,
        findings: &UnitFindings,
        skipped: u64,
    ) {
        let mut order = fixes.repaired;
        let line = |index: &u32| findings.get(*index).map_or(0, |finding| finding.line);
        order.sort_by_key(line);
        let (mut patches, last_break) = told(fixes.patches, document.source());
        let of_patches = divided(&patches, &order, findings);
        // The patches of each, one after another.
        let first_patch = self.breaks.len();
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let mut rest = of_patches.as_slice();
        for (at, index) in (0..).zip(&order) {
            let Some(finding) = findings.get(*index) else { continue };
            let start = small(self.of.len());
            let count = rest.partition_point(|(of, _)| *of <= at);
            let (here, behind) = rest.split_at_checked(count).unwrap_or((rest, &[]));
            rest = behind;
            self.of.extend(here.iter().map(|(_, patch)| small(first_patch + *patch as usize)));
            let line = if finding.line == 0 { 0 } else { finding.line + skipped };
            let key = FindingKey { line, column: finding.column, code: finding.code };
            self.findings.add(key, start..small(self.of.len()));
        }
        self.breaks.extend(patches.iter().map(|patch| document.source().line_break_of(patch)));
        if let (Some(known), Some(last)) = (last_break, self.breaks.last_mut()) {
            *last = known;
        }
        patches.move_down(skipped);
        self.patches.append(patches);
    }
}

/// Divides patches among the findings that they repair, which are given in `order`: their numbers in it, each
/// with the number of a patch, rising.
fn divided(patches: &Patches, order: &[u32], findings: &UnitFindings) -> Vec<(u32, u32)> {
    let mut places = vec![u32::MAX; findings.all().len()];
    for (at, &index) in (0..).zip(order) {
        places.get_mut(index as usize).into_iter().for_each(|place| *place = at);
    }
    let line = |at: u32| line_at(order, findings, at as usize);
    // Pairs of a patch and the number of a finding that it is made for.
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(patches.len());
    let mut has_own = vec![false; order.len()];
    let mut of_encoding = None;
    for patch in 0..patches.len() {
        let owners = patches.owners(patch).iter();
        for &at in owners.filter_map(|&index| places.get(index as usize)).filter(|at| **at != u32::MAX) {
            has_own.get_mut(at as usize).into_iter().for_each(|has| *has = true);
            // What is found of the encoding has no line here: it goes with what names the encoding.
            if of_encoding.is_none() && line(at) == 0 {
                of_encoding = Some(patch);
            }
            pairs.push((u32::try_from(patch).unwrap_or(u32::MAX), at));
        }
    }
    drop(places);
    for at in (0..).zip(&has_own).filter(|(_, has)| !**has).map(|(at, _)| at) {
        // What goes because another is repaired.
        let line = line(at);
        let behind = || behind_line(patches, line);
        let index = of_encoding.filter(|_| line == 0).unwrap_or_else(|| behind().saturating_sub(1));
        pairs.push((u32::try_from(index).unwrap_or(u32::MAX), at));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut of_findings: Vec<(u32, u32)> = Vec::with_capacity(pairs.len());
    let mut rest = pairs.as_slice();
    for (number, patch) in (0..).zip(patches.iter()) {
        let (owners, behind) = rest.split_at(rest.partition_point(|(of, _)| *of <= number));
        rest = behind;
        let others = REPEATED / (patch.with.len() + 1);
        of_findings.extend(owners.iter().take(1 + others).map(|&(_, at)| (at, number)));
        if owners.is_empty() {
            let first_from = |line: u64| first_of(order.len(), |at| line_at(order, findings, at) < line);
            let [from, upto] = [patch.lines.start, patch.lines.end].map(first_from);
            let at = if from < upto { from } else { from.saturating_sub(1) };
            of_findings.push((u32::try_from(at).unwrap_or(u32::MAX), number));
        }
    }
    of_findings.sort();
    of_findings
}

fn line_at(order: &[u32], findings: &UnitFindings, at: usize) -> u64 {
    order.get(at).and_then(|&index| findings.get(index)).map_or(0, |finding| finding.line)
}

/// Returns the first number below `count` that `is_before` is false of, which is true of those before it.
fn first_of(count: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Returns the number of patches whose lines start at a line or before it.
fn behind_line(patches: &Patches, line: u64) -> usize {
    first_of(patches.len(), |at| patches.get(at).is_some_and(|patch| patch.lines.start <= line))
}

/// The patches of a source as an editor would make them: what comes behind a last line without a break
/// together with that line, and with the line break of what comes behind it, which is returned.
fn told(mut patches: Patches, source: &Source<'_>) -> (Patches, Option<LineBreak>) {
    let last = (source.start().line + source.line_count()).saturating_sub(1);
    let is_open = source.line(last).is_some_and(|line| line.ending.is_none());
    if let Some((mut behind, mut owners)) = patches.pop_if(|lines| is_open && lines.start > last) {
        let before = patches.pop_if(|lines| lines.end > last);
        let (before, of_before) = before.unwrap_or_else(|| {
            let text = source.line_text(last).unwrap_or_default();
            (Patch::new(last..last + 1, format!("{text}\n")), Vec::new())
        });
        let line_break = source.line_break_of(&behind);
        behind.with.insert_str(0, &before.with);
        owners.extend(of_before);
        patches.push(before.lines.start..behind.lines.end, &behind.with, owners);
        return (patches, Some(line_break));
    }
    (patches, None)
}
