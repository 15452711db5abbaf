//! Repairs told finding by finding: which lines change for which.

use super::{Chosen, Fixes};
use elf_base::{Code, Diagnostic, Place};
use elf_octets::Patch;
use std::collections::{HashMap, VecDeque};

/// The most octets that a patch may come to when each of the findings that it repairs has it.
const REPEATED: usize = 4096;

/// A finding that safe repairs remove, and the lines that change for it.
///
/// Each patch stands with the findings of its lines, and where there is none, with the nearest before it: so
/// the patches of all findings of a file are all its repairs. A long line with many faults stands with the
/// first of them alone, and there may be none with a finding that goes because another does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepairedFinding {
    /// The code of the finding.
    pub code: Code,
    /// The place of the finding; `None` where it is about the file.
    pub place: Option<Place>,
    /// The lines that change.
    pub patches: Vec<Patch>,
}

/// Divides the repairs of `findings` among those of them that were asked for.
pub(super) fn by_finding(
    fixes: Fixes,
    findings: &[Diagnostic],
    chosen: Chosen<'_>,
) -> impl Iterator<Item = RepairedFinding> + use<> {
    let line = |place: Option<Place>| place.map_or(0, |place| place.line);
    let repaired = fixes.repaired.iter().filter_map(|&index| findings.get(index));
    let mut repaired: Vec<RepairedFinding> = repaired
        .filter(|finding| chosen(finding))
        .map(|&Diagnostic { code, place, .. }| RepairedFinding { code, place, patches: Vec::new() })
        .collect();
    repaired.sort_by_key(|one| line(one.place));
    for patch in fixes.patches {
        let end = patch.lines.end.max(patch.lines.start + 1);
        let from = repaired.partition_point(|one| line(one.place) < patch.lines.start);
        let upto = repaired.partition_point(|one| line(one.place) < end);
        let here = if from < upto { from..upto } else { from.saturating_sub(1)..from.max(1) };
        let Some((first, others)) = repaired.get_mut(here).and_then(<[_]>::split_first_mut) else {
            continue;
        };
        for other in others.iter_mut().take(REPEATED / (patch.with.len() + 1)) {
            other.patches.push(patch.clone());
        }
        first.patches.push(patch);
    }
    repaired.into_iter()
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
