//! Repairs told finding by finding: which lines change for which.

use super::Fixes;
use elf_base::{Code, Diagnostic, Place};
use elf_octets::{Patch, Source};
use elf_tagged::Document;
use std::collections::{HashMap, VecDeque};

/// The most octets that a patch may come to when each of the findings that it repairs has it.
const REPEATED: usize = 4096;

/// A finding that safe repairs remove, and the lines that change for it.
///
/// Each patch stands with the findings that it is made for; one that only a repair made necessary, with the
/// nearest before it: so the patches of all findings of a file are all its repairs. A finding that goes
/// because another is repaired has the patch of its line or the nearest before it. A long line with many
/// faults stands with the first of them alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepairedFinding {
    /// The code of the finding.
    pub code: Code,
    /// The place of the finding; `None` where it is about the file.
    pub place: Option<Place>,
    /// The lines that change, with the line break that they are written with.
    pub patches: Vec<Patch>,
}

/// Divides the repairs of a unit among those of its `findings` that they repair.
pub(super) fn by_finding(
    (document, fixes, findings): (Document<'_>, Fixes, Vec<Diagnostic>),
) -> Vec<RepairedFinding> {
    let mut order = fixes.repaired;
    let line =
        |index: &usize| findings.get(*index).and_then(|finding| finding.place).map_or(0, |place| place.line);
    order.sort_by_key(line);
    let places: HashMap<usize, usize> = order.iter().enumerate().map(|(at, index)| (*index, at)).collect();
    let lines: Vec<u64> = order.iter().map(line).collect();
    let patches = told(fixes.patches.into_iter().zip(fixes.owners).collect(), document.source());
    let mut of_patch: Vec<Vec<usize>> = Vec::with_capacity(patches.len());
    let mut has_own = vec![false; order.len()];
    for (_, owners) in &patches {
        let mut owners: Vec<usize> = owners.iter().filter_map(|index| places.get(index).copied()).collect();
        owners.sort_unstable();
        owners.dedup();
        owners.iter().filter_map(|&at| has_own.get_mut(at).map(|has| *has = true)).for_each(drop);
        of_patch.push(owners);
    }
    // What is found of the encoding has no line here: it goes with what names the encoding.
    let is_placeless = |at: &usize| lines.get(*at) == Some(&0);
    let of_encoding = of_patch.iter().position(|owners| owners.iter().any(is_placeless));
    for (at, line) in lines.iter().enumerate().filter(|&(at, _)| has_own.get(at) == Some(&false)) {
        // What goes because another is repaired.
        let behind = || patches.partition_point(|(patch, _)| patch.lines.start <= *line);
        let index = of_encoding.filter(|_| is_placeless(&at)).unwrap_or_else(|| behind().saturating_sub(1));
        of_patch.get_mut(index).into_iter().for_each(|owners| owners.push(at));
    }
    let repaired = order.iter().filter_map(|&index| findings.get(index));
    let mut repaired: Vec<RepairedFinding> = repaired
        .map(|&Diagnostic { code, place, .. }| RepairedFinding { code, place, patches: Vec::new() })
        .collect();
    for ((patch, _), mut owners) in patches.into_iter().zip(of_patch) {
        let [from, upto] =
            [patch.lines.start, patch.lines.end].map(|at| lines.partition_point(|line| *line < at));
        if owners.is_empty() {
            owners.push(if from < upto { from } else { from.saturating_sub(1) });
        }
        owners.sort_unstable();
        let others = REPEATED / (patch.with.len() + 1);
        for &at in owners.iter().skip(1).take(others) {
            repaired.get_mut(at).into_iter().for_each(|other| other.patches.push(patch.clone()));
        }
        if let Some(first) = owners.first().and_then(|&at| repaired.get_mut(at)) {
            first.patches.push(patch);
        }
    }
    repaired
}

/// The patches of a source as an editor would make them: each with its line break, and what comes behind a
/// last line without a break together with that line.
fn told(mut patches: Vec<(Patch, Vec<usize>)>, source: &Source<'_>) -> Vec<(Patch, Vec<usize>)> {
    let last = (source.start().line + source.line_count()).saturating_sub(1);
    let is_open = source.line(last).is_some_and(|line| line.ending.is_none());
    if let Some((mut behind, mut owners)) = patches.pop_if(|(patch, _)| is_open && patch.lines.start > last) {
        behind.line_break = Some(source.line_break_of(&behind));
        let before = patches.pop_if(|(patch, _)| patch.lines.end > last);
        let before = before.unwrap_or_else(|| {
            let text = source.line_text(last).unwrap_or_default();
            (Patch::new(last..last + 1, format!("{text}\n")), Vec::new())
        });
        behind.lines.start = before.0.lines.start;
        behind.with.insert_str(0, &before.0.with);
        owners.extend(before.1);
        patches.push((behind, owners));
    }
    for (patch, _) in &mut patches {
        patch.line_break = Some(source.line_break_of(patch));
    }
    patches
}

/// Findings that repairs remove, to be taken out by the findings that a reader has reported.
///
/// ```
/// use elf_edit::{RepairedFindings, Repairable};
/// use elf_tagged::{Diagnostic, Options, Rules, read};
///
/// let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n";
/// let mut findings: Vec<Diagnostic> = Vec::new();
/// let document = read(file, &Rules::WILD, &Options::default(), &mut findings)?;
/// let mut part = Repairable::of_part(&document, &findings, &|_| true);
/// let mut repaired = RepairedFindings::default();
/// repaired.extend(part.take_repaired());
/// let patches = repaired.take(&findings[0]).expect("a repair");
/// assert_eq!((patches[0].lines.clone(), &*patches[0].with), (4..5, "1 NOTE a@@b\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RepairedFindings(HashMap<(&'static str, u64, u64), VecDeque<Vec<Patch>>>);

impl RepairedFindings {
    fn key(code: Code, place: Option<Place>) -> (&'static str, u64, u64) {
        let (line, column) = place.map_or((0, 0), |place| (place.line, place.column));
        (code.id(), line, column)
    }

    /// Takes out the patches of a finding, if it is among those that repairs remove.
    pub fn take(&mut self, finding: &Diagnostic) -> Option<Vec<Patch>> {
        // What is found of the encoding is known by its code alone.
        let keys = [finding.place, None].map(|place| RepairedFindings::key(finding.code, place));
        keys.iter().find_map(|key| self.0.get_mut(key)?.pop_front())
    }
}

/// Adds findings; of several with one code and place, the first is taken out first.
impl Extend<RepairedFinding> for RepairedFindings {
    fn extend<T: IntoIterator<Item = RepairedFinding>>(&mut self, findings: T) {
        for RepairedFinding { code, place, patches } in findings {
            self.0.entry(RepairedFindings::key(code, place)).or_default().push_back(patches);
        }
    }
}
