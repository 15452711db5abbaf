//! The lines of a run with the fixes made so far.

use super::lines::{ChangedLine, NewText};
use elf_octets::{LineBreak, Patch, Source};
use std::ops::Range;

/// The lines of a run, with the fixes made so far. Every line knows the line of the file that it comes from,
/// so fixes of several rounds give patches of the file.
#[derive(Clone)]
pub(super) struct PatchedLines {
    lines: Vec<PatchedLine>,
    /// The number of the line after the run.
    end: u64,
}

#[derive(Clone)]
struct PatchedLine {
    /// The number of the line in the file; of an inserted line, that of the line after it.
    old: u64,
    text: LineText,
    /// The findings that the line changes for.
    findings: Vec<usize>,
}

#[derive(Clone, PartialEq)]
enum LineText {
    Kept,
    Changed(String),
    Removed,
    Inserted(String),
}

/// A patch of the file, and the findings that it is made for.
pub(super) struct OwnedPatch {
    pub(super) patch: Patch,
    pub(super) findings: Vec<usize>,
}

impl PatchedLines {
    pub(super) fn new(lines: Range<u64>) -> PatchedLines {
        let end = lines.end;
        let kept = |old| PatchedLine { old, text: LineText::Kept, findings: Vec::new() };
        PatchedLines { lines: lines.map(kept).collect(), end }
    }

    /// Returns the indices of the lines that are not removed, in the order of their new numbers.
    fn present(&self) -> Vec<usize> {
        let lines = self.lines.iter().enumerate();
        lines.filter(|(_, line)| line.text != LineText::Removed).map(|(index, _)| index).collect()
    }

    /// Returns the number that each line has in the file, by its new number less `start`.
    pub(super) fn old_numbers(&self) -> Vec<u64> {
        self.present().into_iter().map(|index| self.lines[index].old).collect()
    }

    /// Applies changes, whose lines have the new numbers from `start` on. `origin` maps their findings to the
    /// findings of the file.
    pub(super) fn apply(
        &self,
        start: u64,
        changes: Vec<ChangedLine>,
        origin: impl Fn(usize) -> Option<usize>,
    ) -> PatchedLines {
        let present = self.present();
        let mut inserted: Vec<(usize, PatchedLine)> = Vec::new();
        let mut lines = self.lines.clone();
        for ChangedLine { line, change, findings } in changes {
            // A line number too high for an index is after the last line.
            let index = usize::try_from(line - start).ok().and_then(|at| present.get(at)).copied();
            let findings = findings.into_iter().filter_map(&origin);
            match (change, index) {
                (NewText::InsertedBefore(text), _) => {
                    let old = index.map_or(self.end, |index| lines[index].old);
                    let text = LineText::Inserted(text);
                    let new = PatchedLine { old, text, findings: findings.collect() };
                    inserted.push((index.unwrap_or(lines.len()), new));
                }
                (NewText::Changed(text), Some(index)) => {
                    let line = &mut lines[index];
                    line.findings.extend(findings);
                    line.text = match line.text {
                        LineText::Inserted(_) => LineText::Inserted(text),
                        LineText::Kept | LineText::Changed(_) | LineText::Removed => LineText::Changed(text),
                    };
                }
                (NewText::Removed, Some(index)) => {
                    let line = &mut lines[index];
                    line.findings.extend(findings);
                    line.text = LineText::Removed;
                }
                // Only a line of the document changes.
                (NewText::Changed(_) | NewText::Removed, None) => {}
            }
        }
        PatchedLines { lines: merge(lines, inserted), end: self.end }
    }

    /// Returns the patches of the file, with their line endings.
    pub(super) fn patches(&self, source: &Source<'_>) -> Vec<OwnedPatch> {
        let mut patches: Vec<OwnedPatch> = Vec::new();
        for PatchedLine { old, text, findings } in &self.lines {
            let mut patch = match text {
                LineText::Kept => continue,
                LineText::Changed(text) => Patch::new(*old..*old + 1, format!("{text}\n")),
                LineText::Removed => Patch::new(*old..*old + 1, ""),
                LineText::Inserted(text) => Patch::new(*old..*old, format!("{text}\n")),
            };
            patch.line_break = Some(source.line_break_of(&patch));
            patches.push(OwnedPatch { patch, findings: findings.clone() });
        }
        join_behind_open_line(&mut patches, source);
        patches
    }
}

/// Inserts lines before those of their indices, which rise.
fn merge(lines: Vec<PatchedLine>, inserted: Vec<(usize, PatchedLine)>) -> Vec<PatchedLine> {
    if inserted.is_empty() {
        return lines;
    }
    let mut all = Vec::with_capacity(lines.len() + inserted.len());
    let mut inserted = inserted.into_iter().peekable();
    for (index, line) in lines.into_iter().enumerate() {
        while let Some((_, new)) = inserted.next_if(|(before, _)| *before <= index) {
            all.push(new);
        }
        all.push(line);
    }
    all.extend(inserted.map(|(_, new)| new));
    all
}

/// Joins lines that are inserted after a last line without a line ending with that line, as an editor would
/// show the change.
fn join_behind_open_line(patches: &mut Vec<OwnedPatch>, source: &Source<'_>) {
    let end = source.start().line + source.line_count();
    let Some(last) = end.checked_sub(1) else { return };
    if source.line(last).is_none_or(|line| line.ending.is_some()) {
        return;
    }
    while let Some(behind) = patches.pop_if(|one| one.patch.lines.start >= end) {
        let line_break: Option<LineBreak> = behind.patch.line_break;
        let mut joined = patches.pop_if(|one| one.patch.lines.end >= end).unwrap_or_else(|| {
            let text = source.line_text(last).unwrap_or("");
            OwnedPatch { patch: Patch::new(last..end, format!("{text}\n")), findings: Vec::new() }
        });
        joined.patch.with.push_str(&behind.patch.with);
        joined.patch.line_break = line_break;
        joined.findings.extend(behind.findings);
        patches.push(joined);
    }
}
