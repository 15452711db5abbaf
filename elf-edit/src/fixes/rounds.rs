//! Repairs that only become possible by others.

use super::same::are_good;
use super::units::{Unit, judged};
use super::{FixOptions, Fixes, round};
use elf_base::Diagnostic;
use elf_octets::Patch;
use elf_tagged::Document;
use elf_tagged::path::Types;
use std::collections::HashMap;
use std::ops::Range;

/// A level put right may show a header without CHAR, a mended line an at sign nobody could see. Chains of
/// more than a few are no file's, and each round reads the lines again.
const ROUNDS: usize = 8;

/// Repairs what is left by `fixes`, again and again, until nothing is.
pub(super) fn repeat(
    unit: &Unit<'_>,
    document: &Document<'_>,
    findings: &[Diagnostic],
    options: FixOptions<'_>,
    types: &mut dyn Types,
    fixes: &mut Fixes,
) {
    let mut known = Findings::of(findings, &fixes.repaired);
    for _ in 1..ROUNDS {
        if fixes.patches.is_empty() {
            return;
        }
        let Ok(octets) = document.source().splice(&fixes.patches) else { return };
        let mut left: Vec<Diagnostic> = Vec::new();
        let Some(again) = unit.read(&octets, &mut |finding: Diagnostic| left.push(judged(finding))) else {
            return;
        };
        let next = round(unit, &again, &left, options, types);
        if next.patches.is_empty() {
            return;
        }
        let (patches, made_of): (Vec<Patch>, Vec<Vec<PatchIndex>>) =
            composed(&fixes.patches, &next.patches).into_iter().unzip();
        let (one, two) = (document.source().splice(&patches), again.source().splice(&next.patches));
        let made: Vec<_> = placed(&fixes.patches).collect();
        let at = |line| old_line(&made, line);
        let mut repaired = fixes.repaired.clone();
        let mut former: HashMap<usize, usize> = HashMap::new();
        for &index in &next.repaired {
            let before = left.get(index).and_then(|finding| known.take(finding, at));
            former.extend(before.map(|before| (index, before)));
        }
        repaired.extend(former.values());
        repaired.sort_unstable();
        let owners = made_of.iter().map(|parts| owners(parts, fixes, &next, &former)).collect();
        let both = Fixes { patches, repaired, owners };
        // Lines written together get one form of line break, which may be another than they would get one by
        // one.
        if one.is_err() || one != two && !are_good(unit, document, findings, &both) {
            return;
        }
        *fixes = both;
    }
}

/// The findings that a patch is made for which is made of others; those of the second patches are known by
/// their `former` indices.
fn owners(parts: &[PatchIndex], first: &Fixes, second: &Fixes, former: &HashMap<usize, usize>) -> Vec<usize> {
    let mut owners: Vec<usize> = Vec::new();
    for &(is_second, index) in parts {
        let fixes = if is_second { second } else { first };
        let of = fixes.owners.get(index).into_iter().flatten();
        if is_second {
            owners.extend(of.filter_map(|index| former.get(index)));
        } else {
            owners.extend(of);
        }
    }
    owners
}

/// Findings that are not repaired, by code and line.
struct Findings(HashMap<(&'static str, Option<u64>), Vec<usize>>);

impl Findings {
    fn of(findings: &[Diagnostic], repaired: &[usize]) -> Findings {
        let mut by_line: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, finding) in findings.iter().enumerate().rev() {
            if repaired.binary_search(&index).is_err() {
                let line = finding.place.map(|place| place.line);
                by_line.entry((finding.code.id(), line)).or_default().push(index);
            }
        }
        Findings(by_line)
    }

    /// Takes out the index that a finding had before there were repairs, if it was there; `at` gives the
    /// former number of a line.
    fn take(&mut self, finding: &Diagnostic, at: impl Fn(u64) -> u64) -> Option<usize> {
        let line = finding.place.map(|place| at(place.line));
        self.0.get_mut(&(finding.code.id(), line))?.pop()
    }
}

/// A patch among the first (`false`) or the second ones, by its index.
type PatchIndex = (bool, usize);

/// The number of lines that a patch writes.
fn written(patch: &Patch) -> u64 {
    memchr::memchr_iter(b'\n', patch.with.as_bytes()).count() as u64
}

/// The patches, each with the lines that it makes, by their new numbers.
fn placed(patches: &[Patch]) -> impl Iterator<Item = (Range<u64>, &Patch)> {
    let (mut added, mut removed) = (0, 0);
    patches.iter().map(move |patch| {
        let start = patch.lines.start + added - removed;
        added += written(patch);
        removed += patch.lines.end - patch.lines.start;
        (start..start + written(patch), patch)
    })
}

/// The number that a line had before the patches; of a new one, that of the line in whose place it is.
fn old_line(made: &[(Range<u64>, &Patch)], line: u64) -> u64 {
    let before = made.partition_point(|(new, _)| new.start <= line).checked_sub(1);
    match before.and_then(|index| made.get(index)) {
        Some((new, patch)) if line < new.end => {
            (patch.lines.start + (line - new.start)).min(patch.lines.end.max(patch.lines.start + 1) - 1)
        }
        Some((new, patch)) => patch.lines.end + (line - new.end),
        None => line,
    }
}

/// Composes patches: the result does at once what `first` and then `second` do, whose lines are those that
/// `first` makes. Each comes with the patches that it is made of.
fn composed(first: &[Patch], second: &[Patch]) -> Vec<(Patch, Vec<PatchIndex>)> {
    let mut all: Vec<(Range<u64>, PatchIndex, &Patch)> =
        placed(first).enumerate().map(|(index, (new, one))| (new, (false, index), one)).collect();
    all.extend(second.iter().enumerate().map(|(index, two)| (two.lines.clone(), (true, index), two)));
    all.sort_by_key(|(lines, part, _)| (lines.start, lines.end, *part));
    let mut patches = Vec::new();
    let (mut added, mut removed) = (0, 0);
    let mut rest = all.as_slice();
    while let Some(((lines, ..), _)) = rest.split_first() {
        // What one patch writes and another changes becomes one patch.
        let mut lines = lines.clone();
        let mut count = 0;
        for (other, ..) in rest {
            if count > 0 && (other.start >= lines.end || other.end <= lines.start) {
                break;
            }
            lines.end = lines.end.max(other.end);
            count += 1;
        }
        let (cluster, behind) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        rest = behind;
        let start = lines.start + removed - added;
        for (_, _, one) in cluster.iter().filter(|(_, (is_second, _), _)| !is_second) {
            added += written(one);
            removed += one.lines.end - one.lines.start;
        }
        let patch = Patch::new(start..lines.end + removed - added, together(cluster, lines));
        patches.push((patch, cluster.iter().map(|(_, part, _)| *part).collect()));
    }
    patches
}

/// The text of lines that patches write and change.
fn together(cluster: &[(Range<u64>, PatchIndex, &Patch)], lines: Range<u64>) -> String {
    let first = cluster.iter().filter(|(_, (is_second, _), _)| !is_second);
    let mut made = first.flat_map(|(new, _, one)| new.clone().zip(one.with.split_inclusive('\n'))).peekable();
    let mut text = String::new();
    let mut copy = |upto: u64, skipped: u64, text: &mut String| {
        while let Some((line, with)) = made.next_if(|&(line, _)| line < upto) {
            if line >= skipped {
                text.push_str(with);
            }
        }
    };
    let mut at = lines.start;
    for (changed, _, two) in cluster.iter().filter(|(_, (is_second, _), _)| *is_second) {
        copy(changed.start, at, &mut text);
        text.push_str(&two.with);
        at = changed.end;
    }
    copy(lines.end, at, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::Rules;
    use elf_octets::Options;
    use proptest::prelude::*;

    const LINES: u64 = 6;

    fn patches() -> impl Strategy<Value = Vec<Patch>> {
        let one = (0..4_u64, 0..3_u64, 0..3_usize);
        prop::collection::vec(one, 0..4).prop_map(|parts| {
            let mut at = 1;
            let mut patches = Vec::new();
            for (index, (skip, length, new)) in parts.into_iter().enumerate() {
                let start = at + skip;
                if start + length > LINES {
                    break;
                }
                let text: String = (0..new).map(|line| format!("0 N{index}{line}\n")).collect();
                patches.push(Patch::new(start..start + length, text));
                at = start + length;
            }
            patches
        })
    }

    fn spliced(octets: &[u8], patches: &[Patch]) -> Option<Vec<u8>> {
        let document = elf_tagged::read(octets, &Rules::WILD, &Options::default(), &mut ()).unwrap();
        document.source().splice(patches).ok()
    }

    proptest! {
        #[test]
        fn patches_of_what_was_patched_are_patches_of_the_file(first in patches(), second in patches()) {
            let file: String = (1..=LINES).map(|line| format!("0 L{line}\n")).collect();
            let once = spliced(file.as_bytes(), &first).unwrap();
            if let Some(twice) = spliced(&once, &second) {
                let (patches, _): (Vec<Patch>, Vec<Vec<PatchIndex>>) = composed(&first, &second).into_iter().unzip();
                prop_assert_eq!(spliced(file.as_bytes(), &patches), Some(twice), "{:?}", patches);
                let made: Vec<_> = placed(&first).collect();
                let new = String::from_utf8(once).unwrap();
                for (line, text) in (1..).zip(new.lines()) {
                    if let Some(old) = text.strip_prefix("0 L") {
                        prop_assert_eq!(old_line(&made, line).to_string(), old);
                    }
                }
            }
        }
    }
}
