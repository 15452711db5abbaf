//! The lines of a run, with the fixes that have been made.

use super::lines::{ChangedLine, NewText};
use elf_octets::{LineBreak, Patch, Source};
use std::ops::Range;

/// The lines of a run, with the fixes that have been made. Every line has its original line number in the file, so that
/// the fixes of several rounds become patches of the file.
#[derive(Clone)]
pub(super) struct PatchedLines {
    lines: Vec<PatchedLine>,
    /// The number of the line after the run.
    end: u64,
}

#[derive(Clone)]
struct PatchedLine {
    /// The line number in the file. For an inserted line, this is the number of the line that follows it.
    line_in_file: u64,
    text: LineText,
    /// The findings for which the line is changed.
    findings: Vec<usize>,
}

#[derive(Clone, PartialEq)]
enum LineText {
    Kept,
    Changed(String),
    Removed,
    Inserted(String),
}

/// A patch of the file, with the findings for which it is made.
pub(super) struct OwnedPatch {
    pub(super) patch: Patch,
    pub(super) findings: Vec<usize>,
}

impl PatchedLines {
    pub(super) fn new(lines: Range<u64>) -> PatchedLines {
        let end = lines.end;
        let kept = |old| PatchedLine { line_in_file: old, text: LineText::Kept, findings: Vec::new() };
        PatchedLines { lines: lines.map(kept).collect(), end }
    }

    /// Returns the indices of the lines that have not been removed, in order.
    fn present_lines(&self) -> Vec<usize> {
        let lines = self.lines.iter().enumerate();
        lines.filter(|(_, line)| line.text != LineText::Removed).map(|(index, _)| index).collect()
    }

    /// Returns the line number in the file of each line that has not been removed.
    pub(super) fn numbers_in_file(&self) -> Vec<u64> {
        self.present_lines().into_iter().map(|index| self.lines[index].line_in_file).collect()
    }

    /// Applies changes. The line numbers of the changes start at `start` and count the lines as they are after the
    /// earlier rounds. `origin` maps the findings of the changes to findings of the file.
    pub(super) fn apply_changes(
        &self,
        start: u64,
        changes: Vec<ChangedLine>,
        origin: impl Fn(usize) -> Option<usize>,
    ) -> PatchedLines {
        let present = self.present_lines();
        let mut inserted: Vec<(usize, PatchedLine)> = Vec::new();
        let mut lines = self.lines.clone();
        for ChangedLine { line, change, findings } in changes {
            // A line number that is too high for an index is after the last line.
            let index = usize::try_from(line - start).ok().and_then(|at| present.get(at)).copied();
            let findings = findings.into_iter().filter_map(&origin);
            match (change, index) {
                (NewText::InsertedBefore(text), _) => {
                    let old = index.map_or(self.end, |index| lines[index].line_in_file);
                    let text = LineText::Inserted(text);
                    let new = PatchedLine { line_in_file: old, text, findings: findings.collect() };
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
                // Only a line of the document can be changed or removed.
                (NewText::Changed(_) | NewText::Removed, None) => {}
            }
        }
        PatchedLines { lines: merge_inserted(lines, inserted), end: self.end }
    }

    /// Returns the patches of the file, with their line endings.
    pub(super) fn patches(&self, source: &Source<'_>) -> Vec<OwnedPatch> {
        let mut patches: Vec<OwnedPatch> = Vec::new();
        for PatchedLine { line_in_file: old, text, findings } in &self.lines {
            let mut patch = match text {
                LineText::Kept => continue,
                LineText::Changed(text) => Patch::new(*old..*old + 1, format!("{text}\n")),
                LineText::Removed => Patch::new(*old..*old + 1, ""),
                LineText::Inserted(text) => Patch::new(*old..*old, format!("{text}\n")),
            };
            patch.line_break = Some(source.line_break_of(&patch));
            patches.push(OwnedPatch { patch, findings: findings.clone() });
        }
        join_to_unended_line(&mut patches, source);
        patches
    }
}

/// Inserts lines before the lines with the given indices. The indices must be in ascending order.
fn merge_inserted(lines: Vec<PatchedLine>, inserted: Vec<(usize, PatchedLine)>) -> Vec<PatchedLine> {
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

/// If lines are inserted after a last line that has no line ending, joins the patch with that line, as an editor would
/// show the change.
fn join_to_unended_line(patches: &mut Vec<OwnedPatch>, source: &Source<'_>) {
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
