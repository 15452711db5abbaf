//! Converts changes of lines to edits of a buffer.

use crate::snapshot::Snapshot;
use crate::text::{ColumnUnit, PositionFinder, Text};
use elf_tagged::elf_octets::{Patch, Source};
use gen_lsp_types::TextEdit;
use std::ops::Range;

/// Converts patches of a buffer to edits. Each edit is as small as possible, so that the cursor and
/// the folds stay where they are.
pub(crate) fn edits_of(snapshot: &Snapshot, patches: &[Patch], unit: ColumnUnit) -> Vec<TextEdit> {
    let text = &*snapshot.text;
    let mut lines = LastLine::new(text);
    let mut positions = text.positions(unit);
    let source = snapshot.typed.document().source();
    let edits = patches.iter().filter_map(|patch| lines.edit_of_patch(source, patch, &mut positions));
    edits.collect()
}

/// Returns an edit that replaces `range` with `new`. Text that stays the same at both ends is left
/// out. Returns `None` if nothing changes.
pub(crate) fn smallest_edit(
    positions: &mut PositionFinder<'_>,
    text: &Text,
    range: Range<usize>,
    new: &str,
) -> Option<TextEdit> {
    let old = text.content().get(range.clone()).unwrap_or_default();
    let same_at_start = common_start(old, new);
    let (old, new) = (&old[same_at_start..], &new[same_at_start..]);
    let same_at_end = common_end(old, new);
    let (old, new) = (&old[..old.len() - same_at_end], &new[..new.len() - same_at_end]);
    if old.is_empty() && new.is_empty() {
        return None;
    }
    let start = range.start + same_at_start;
    Some(TextEdit { range: positions.range(start..start + old.len()), new_text: new.to_owned() })
}

/// Returns the length of the common start of two texts. The cut is never within a character or
/// within CR LF.
fn common_start(one: &str, other: &str) -> usize {
    let same = one.char_indices().zip(other.chars()).take_while(|((_, a), b)| a == b);
    let length = same.map(|((at, character), _)| at + character.len_utf8()).last().unwrap_or(0);
    length - usize::from(one[..length].ends_with('\r'))
}

/// Returns the length of the common end of two texts. The cut is never within a character or within
/// CR LF.
fn common_end(one: &str, other: &str) -> usize {
    let same = one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b);
    let length: usize = same.map(|(character, _)| character.len_utf8()).sum();
    length - usize::from(one[one.len() - length..].starts_with('\n'))
}

/// The end of a buffer. A last line without a line break is left without one.
struct LastLine<'t> {
    text: &'t Text,
    /// True if the last line has no line break.
    is_open: bool,
    /// True if the next lines that are appended follow a line without a line break.
    meets: bool,
    /// The number of the last line plus one; lines count from 1.
    end: u64,
}

impl<'t> LastLine<'t> {
    fn new(text: &'t Text) -> LastLine<'t> {
        let is_open = !text.line(text.line_count() - 1).is_empty();
        let lines = text.line_count() - usize::from(!is_open);
        LastLine { text, is_open, meets: is_open, end: lines as u64 + 1 }
    }

    fn edit_of_patch(
        &mut self,
        source: &Source<'_>,
        patch: &Patch,
        positions: &mut PositionFinder<'_>,
    ) -> Option<TextEdit> {
        let line_break = source.line_break_of(patch).text();
        let mut new = patch.with.replace('\n', line_break);
        if self.is_open && patch.lines.end == self.end {
            if !new.is_empty() {
                new.truncate(new.len() - line_break.len());
                if self.meets && patch.lines.is_empty() {
                    new.insert_str(0, line_break);
                }
            }
            if !patch.lines.is_empty() || !new.is_empty() {
                self.meets = !new.is_empty();
            }
        }
        let [start, end] = [patch.lines.start, patch.lines.end].map(|line| offset_of_line(self.text, line));
        smallest_edit(positions, self.text, start..end, &new)
    }
}

/// Returns the offset of the start of a line. Lines count from 1.
fn offset_of_line(text: &Text, line: u64) -> usize {
    let line = usize::try_from(line.saturating_sub(1));
    line.map_or(text.content().len(), |line| text.line_start(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::Rules;
    use std::sync::Arc;

    fn edited(file: &str, patches: &[Patch]) -> (String, Vec<TextEdit>) {
        let text = Arc::new(Text::new(file.to_owned()));
        let snapshot = Snapshot::read(Arc::clone(&text), &Rules::WILD).expect("a document");
        let edits = edits_of(&snapshot, patches, ColumnUnit::Utf16);
        let mut changed = (*text).clone();
        for edit in edits.iter().rev() {
            changed.replace(text.offsets(edit.range, ColumnUnit::Utf16), &edit.new_text);
        }
        (changed.content().to_owned(), edits)
    }

    #[test]
    fn edits_change_what_patches_change() {
        for end in ["\n", "\r\n", "\r"] {
            for closed in ["", end] {
                let file = ["0 HEAD", "1 CHAR UTF-8", "0 @I1@ INDI", "1 NAME \u{1D11E} a@b", "0 TRLR"]
                    .join(end)
                    + closed;
                for patches in [
                    vec![Patch::new(4..5, "1 NAME \u{1D11E} a@@b\n")],
                    vec![Patch::new(2..2, "1 GEDC\n2 VERS 5.5.1\n"), Patch::new(5..5, "0 @X@ _X\n")],
                    vec![Patch::new(3..5, "")],
                    vec![Patch::new(6..6, "0 @X@ _X\n")],
                    vec![Patch::new(5..6, "0 @X@ _X\n0 TRLR\n")],
                ] {
                    let source = elf_tagged::Document::parse(file.as_bytes()).expect("a document");
                    let spliced = source.source().splice(&patches).expect("patches that fit");
                    assert_eq!(edited(&file, &patches).0.as_bytes(), spliced, "{file:?} {patches:?}");
                }
            }
        }
    }

    #[test]
    fn edits_are_small() {
        let (_, edits) =
            edited("0 HEAD\n1 NOTE \u{1D11E} a@b\n0 TRLR\n", &[Patch::new(2..3, "1 NOTE \u{1D11E} a@@b\n")]);
        let [edit] = &edits[..] else { panic!("{edits:?}") };
        assert_eq!((edit.range.start, &*edit.new_text), (edit.range.end, "@"));
        assert_eq!(edit.range.start.character, 12);
    }
}
