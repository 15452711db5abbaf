//! Repairs that only become possible by others.

use super::found::{Keyed, UnitFinding, UnitFindings};
use super::patches::Patches;
use super::same::{Reread, reread};
use super::units::Unit;
use super::{UnitFixes, round};
use elf_octets::PatchLines;
use elf_tagged::Document;
use elf_tagged::path::Types;
use std::collections::HashMap;
use std::ops::Range;

/// A level put right may show a header without CHAR, a mended line an at sign nobody could see. Chains of
/// more than a few are no file's, and each round reads the lines again.
const ROUNDS: usize = 8;

/// Repairs what is left by the `first` repairs, again and again, until nothing is; with the repaired lines as
/// they read, where they were read.
pub(super) fn repeat(
    unit: &Unit<'_>,
    document: &Document<'_>,
    findings: &UnitFindings,
    first: (UnitFixes, Option<Reread>),
    types: &mut dyn Types,
) -> (UnitFixes, Option<Reread>) {
    let most = unit.options.most;
    let (mut fixes, mut read) = first;
    let mut known: Option<UnrepairedFindings> = None;
    for _ in 1..ROUNDS {
        if fixes.patches.is_empty() {
            return (fixes, read);
        }
        let Some(repaired) = read.or_else(|| Reread::of(unit, document, &fixes)) else {
            return (fixes, None);
        };
        if !repaired.left.any_repair(most) {
            return (fixes, Some(repaired));
        }
        let Some(again) = unit.read(&repaired.octets, &mut ()) else { return (fixes, None) };
        let (next, read_next) = round(unit, &again, &repaired.left, most, types);
        if next.patches.is_empty() {
            drop(again);
            return (fixes, Some(repaired));
        }
        let known = known.get_or_insert_with(|| UnrepairedFindings::of(findings, &fixes.repaired));
        let former = known.former(&fixes, (&repaired.left, &next));
        let both = composed_fixes(&fixes, &next, &former);
        let one = document.source().splice_lines(both.patches.iter());
        let two = again.source().splice_lines(next.patches.iter());
        drop(again);
        // Lines written together get one form of line break, which may be another than they would get one by
        // one.
        read = match (one, two) {
            (Ok(one), Ok(two)) if one == two => read_next,
            (Ok(_), _) => match reread(unit, document, findings, &both) {
                Some(read) => Some(read),
                None => return (fixes, Some(repaired)),
            },
            (Err(_), _) => return (fixes, Some(repaired)),
        };
        fixes = both;
    }
    (fixes, read)
}

/// The repairs that do at once what the first and then the next do, whose findings are known by their
/// `former` indices.
fn composed_fixes(first: &UnitFixes, next: &UnitFixes, former: &HashMap<u32, u32>) -> UnitFixes {
    let mut patches = Patches::default();
    for (lines, with, parts) in composed(&first.patches, &next.patches) {
        patches.push(lines, &with, owners(&parts, first, next, former));
    }
    let mut repaired = first.repaired.clone();
    repaired.extend(former.values());
    repaired.sort();
    UnitFixes { patches, repaired }
}

/// The findings that a patch is made for which is made of others; those of the second patches are known by
/// their `former` indices.
fn owners(
    parts: &[PatchIndex],
    first: &UnitFixes,
    second: &UnitFixes,
    former: &HashMap<u32, u32>,
) -> Vec<u32> {
    let mut owners: Vec<u32> = Vec::new();
    for &(is_second, index) in parts {
        match is_second {
            true => owners.extend(second.patches.owners(index).iter().filter_map(|index| former.get(index))),
            false => owners.extend(first.patches.owners(index)),
        }
    }
    owners
}

/// Findings that are not repaired, by line and code.
struct UnrepairedFindings(Keyed<(u64, &'static str), u32>);

impl UnrepairedFindings {
    fn of(findings: &UnitFindings, repaired: &[u32]) -> UnrepairedFindings {
        let mut by_line = Keyed::default();
        for (index, finding) in (0..).zip(findings.all()) {
            if repaired.binary_search(&index).is_err() {
                by_line.add((finding.line, finding.code.id()), index);
            }
        }
        UnrepairedFindings(by_line)
    }

    /// Takes out the indices that findings `left` by some repairs had before there were any, for those that
    /// the next repair.
    fn former(&mut self, fixes: &UnitFixes, (left, next): (&UnitFindings, &UnitFixes)) -> HashMap<u32, u32> {
        let made: Vec<_> = placed(&fixes.patches).collect();
        let line = |finding: &UnitFinding| match finding.line {
            0 => 0,
            line => old_line(&made, line),
        };
        let mut former = HashMap::new();
        for &index in &next.repaired {
            let key = left.get(index).map(|finding| (line(finding), finding.code.id()));
            let before = key.and_then(|key| self.0.take(&key));
            former.extend(before.map(|before| (index, before)));
        }
        former
    }
}

/// A patch among the first (`false`) or the second ones, by its index.
pub(super) type PatchIndex = (bool, usize);

/// A patch among the first or the second ones, with its lines between the two.
type PlacedPatch<'p> = (Range<u64>, PatchIndex, PatchLines<'p>);

/// The patches, each with the lines that it makes, by their new numbers.
fn placed(patches: &Patches) -> impl Iterator<Item = (Range<u64>, PatchLines<'_>)> {
    let (mut added, mut removed) = (0, 0);
    patches.iter().map(move |patch| {
        let start = patch.lines.start + added - removed;
        added += Patches::written(&patch);
        removed += patch.lines.end - patch.lines.start;
        (start..start + Patches::written(&patch), patch)
    })
}

/// The number that a line had before the patches; of a new one, that of the line in whose place it is.
fn old_line(made: &[(Range<u64>, PatchLines<'_>)], line: u64) -> u64 {
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
pub(super) fn composed(first: &Patches, second: &Patches) -> Vec<(Range<u64>, String, Vec<PatchIndex>)> {
    let mut all: Vec<PlacedPatch<'_>> =
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
            added += Patches::written(one);
            removed += one.lines.end - one.lines.start;
        }
        let parts = cluster.iter().map(|(_, part, _)| *part).collect();
        patches.push((start..lines.end + removed - added, together(cluster, lines), parts));
    }
    patches
}

/// The text of lines that patches write and change.
fn together(cluster: &[PlacedPatch<'_>], lines: Range<u64>) -> String {
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
        text.push_str(two.with);
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

    fn patches() -> impl Strategy<Value = Patches> {
        let one = (0..4_u64, 0..3_u64, 0..3_usize);
        prop::collection::vec(one, 0..4).prop_map(|parts| {
            let mut at = 1;
            let mut patches = Patches::default();
            for (index, (skip, length, new)) in parts.into_iter().enumerate() {
                let start = at + skip;
                if start + length > LINES {
                    break;
                }
                let text: String = (0..new).map(|line| format!("0 N{index}{line}\n")).collect();
                patches.push(start..start + length, &text, []);
                at = start + length;
            }
            patches
        })
    }

    fn spliced(octets: &[u8], patches: &Patches) -> Option<Vec<u8>> {
        let document = elf_tagged::read(octets, &Rules::WILD, &Options::default(), &mut ()).unwrap();
        document.source().splice_lines(patches.iter()).ok()
    }

    proptest! {
        #[test]
        fn patches_of_what_was_patched_are_patches_of_the_file(first in patches(), second in patches()) {
            let file: String = (1..=LINES).map(|line| format!("0 L{line}\n")).collect();
            let once = spliced(file.as_bytes(), &first).unwrap();
            if let Some(twice) = spliced(&once, &second) {
                let mut patches = Patches::default();
                for (lines, with, _) in composed(&first, &second) {
                    patches.push(lines, &with, []);
                }
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
