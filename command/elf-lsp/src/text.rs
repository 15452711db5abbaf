//! Stores the text of a buffer, and converts positions in it.
//!
//! The protocol counts lines from 0, and columns in units that client and server agree on. A line ends with LF, CR or
//! CR LF, as in a file.

use gen_lsp_types::{Position, PositionEncodingKind, Range as LspRange};
use std::ops::Range;

/// The unit in which columns are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ColumnUnit {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16. Clients that name no unit use this one.
    #[default]
    Utf16,
    /// Code points.
    Utf32,
}

#[derive(Clone, Debug)]
pub(crate) struct Text {
    content: String,
    /// The offset of the start of each line. There is at least one line.
    starts: Vec<usize>,
}

/// Converts offsets of a text to positions. Ascending offsets are fast, because only the text
/// between them is read.
pub(crate) struct PositionFinder<'t> {
    text: &'t Text,
    unit: ColumnUnit,
    line: usize,
    offset: usize,
    column: usize,
}

impl ColumnUnit {
    /// Returns the first unit in the client's list that the server supports.
    pub(crate) fn negotiate(offered: Option<&[PositionEncodingKind]>) -> ColumnUnit {
        let known = |kind: &PositionEncodingKind| match kind {
            PositionEncodingKind::UTF8 => Some(ColumnUnit::Utf8),
            PositionEncodingKind::UTF16 => Some(ColumnUnit::Utf16),
            PositionEncodingKind::UTF32 => Some(ColumnUnit::Utf32),
            PositionEncodingKind::Custom(_) => None,
        };
        offered.into_iter().flatten().find_map(known).unwrap_or_default()
    }

    /// Returns the name of the unit in the protocol.
    pub(crate) const fn protocol_name(self) -> PositionEncodingKind {
        match self {
            ColumnUnit::Utf8 => PositionEncodingKind::UTF8,
            ColumnUnit::Utf16 => PositionEncodingKind::UTF16,
            ColumnUnit::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// Returns the length of a text in this unit.
    pub(crate) fn length(self, text: &str) -> usize {
        match self {
            ColumnUnit::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            ColumnUnit::Utf16 => text.chars().map(char::len_utf16).sum(),
            ColumnUnit::Utf32 => text.chars().count(),
        }
    }

    const fn length_of_char(self, character: char) -> usize {
        match self {
            ColumnUnit::Utf8 => character.len_utf8(),
            ColumnUnit::Utf16 => character.len_utf16(),
            ColumnUnit::Utf32 => 1,
        }
    }
}

impl Text {
    pub(crate) fn new(content: String) -> Text {
        let mut starts = vec![0];
        push_line_starts(&content, 0, &mut starts);
        Text { content, starts }
    }

    pub(crate) fn content(&self) -> &str {
        &self.content
    }

    pub(crate) const fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the offset of the start of a line. Lines count from 0. For a line after the last
    /// one, returns the end of the text.
    pub(crate) fn line_start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.content.len())
    }

    /// Returns the offsets of a line without its line break. For a line after the last one, the
    /// range is empty at the end of the text.
    pub(crate) fn line_range(&self, line: usize) -> Range<usize> {
        let (start, next) = (self.line_start(line), self.line_start(line + 1));
        let text = self.content.get(start..next).unwrap_or_default();
        start..start + text.trim_end_matches(['\n', '\r']).len()
    }

    pub(crate) fn line(&self, line: usize) -> &str {
        self.content.get(self.line_range(line)).unwrap_or_default()
    }

    /// Returns the number of the line that contains an offset, from 0.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Converts a position to an offset. A column after the end of the line becomes the end of the
    /// line. A line after the last one becomes the end of the text.
    pub(crate) fn offset(&self, position: Position, unit: ColumnUnit) -> usize {
        let line = position.line as usize;
        if line >= self.line_count() {
            return self.content.len();
        }
        let (wanted, mut column, start) = (position.character as usize, 0, self.line_start(line));
        for (at, character) in self.line(line).char_indices() {
            column += unit.length_of_char(character);
            if column > wanted {
                return start + at;
            }
        }
        self.line_range(line).end
    }

    /// Converts a range of the protocol to offsets.
    pub(crate) fn offsets(&self, range: LspRange, unit: ColumnUnit) -> Range<usize> {
        let start = self.offset(range.start, unit);
        start..self.offset(range.end, unit).max(start)
    }

    pub(crate) fn positions(&self, unit: ColumnUnit) -> PositionFinder<'_> {
        PositionFinder { text: self, unit, line: 0, offset: 0, column: 0 }
    }

    pub(crate) fn replace(&mut self, range: Range<usize>, with: &str) {
        // A new LF may form one line break with a CR before it.
        let first = self.line_of(range.start.saturating_sub(1));
        let behind = self.starts.partition_point(|start| *start <= range.end);
        let tail = self.starts.split_off(behind);
        self.starts.truncate(first + 1);
        self.content.replace_range(range.clone(), with);
        let moved = |offset: usize| offset - range.end + range.start + with.len();
        let from = self.line_start(first);
        let to = tail.first().map_or(self.content.len(), |next| moved(*next));
        let changed = self.content.get(from..to).unwrap_or_default();
        push_line_starts(changed, from, &mut self.starts);
        if !tail.is_empty() && self.starts.last() == Some(&to) {
            self.starts.pop();
        }
        self.starts.extend(tail.into_iter().map(moved));
    }
}

/// Adds the start of each line after a line break in `text`, which begins at the offset `from`.
fn push_line_starts(text: &str, from: usize, starts: &mut Vec<usize>) {
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
            starts.push(from + at + 1);
        }
    }
}

impl PositionFinder<'_> {
    /// Converts an offset to a position.
    pub(crate) fn position(&mut self, offset: usize) -> Position {
        let offset = floor_char_boundary(&self.text.content, offset);
        let next_line = self.text.line_start(self.line + 1);
        let is_on_line =
            offset >= self.offset && (offset < next_line || self.line + 1 == self.text.line_count());
        if !is_on_line {
            self.line = self.text.line_of(offset);
            self.offset = self.text.line_start(self.line);
            self.column = 0;
        }
        let passed = self.text.content.get(self.offset..offset).unwrap_or_default();
        self.column += self.unit.length(passed);
        self.offset = offset;
        Position { line: protocol_number(self.line), character: protocol_number(self.column) }
    }

    /// Converts two offsets to a range.
    pub(crate) fn range(&mut self, range: Range<usize>) -> LspRange {
        LspRange { start: self.position(range.start), end: self.position(range.end) }
    }
}

/// Converts a number to the type of the protocol. Numbers that are too large do not occur, because
/// a buffer arrives as one JSON string in memory.
pub(crate) fn protocol_number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Moves an offset inside a character to its start, and an offset after the text to its end.
fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_are_counted_in_the_unit_of_the_client() {
        let text = Text::new("0 HEAD\r\n1 NAME \u{1D11E} é /X/\r0 TRLR".to_owned());
        assert_eq!(text.line_count(), 3);
        let offset = text.content().find("/X/").expect("a surname");
        for (unit, column) in [(ColumnUnit::Utf8, 15), (ColumnUnit::Utf16, 12), (ColumnUnit::Utf32, 11)] {
            assert_eq!(text.positions(unit).position(offset), at(1, column), "{unit:?}");
            assert_eq!(text.offset(at(1, column), unit), offset, "{unit:?}");
        }
        // Inside the two units of a character, after the end of a line, and after the last line.
        assert_eq!(text.offset(at(1, 8), ColumnUnit::Utf16), text.line_start(1) + 7);
        assert_eq!(text.offset(at(0, 99), ColumnUnit::Utf16), 6);
        assert_eq!(text.offset(at(9, 0), ColumnUnit::Utf16), text.content().len());
    }

    #[test]
    fn the_unit_is_the_first_that_is_known() {
        use PositionEncodingKind::{Custom, UTF8, UTF16, UTF32};
        assert_eq!(ColumnUnit::negotiate(None), ColumnUnit::Utf16);
        assert_eq!(ColumnUnit::negotiate(Some(&[Custom("ebcdic".into()), UTF32, UTF8])), ColumnUnit::Utf32);
        assert_eq!(ColumnUnit::negotiate(Some(&[UTF8, UTF16])), ColumnUnit::Utf8);
    }

    proptest! {
        #[test]
        fn edits_keep_the_table_of_lines(
            content in "[a\n\r\u{e9}\u{1D11E}]{0,20}",
            edits in prop::collection::vec((0usize..30, 0usize..30, "[b\n\r\u{e9}]{0,6}"), 0..8),
        ) {
            let mut text = Text::new(content);
            for (start, length, with) in edits {
                let start = floor_char_boundary(text.content(), start);
                let end = floor_char_boundary(text.content(), start + length).max(start);
                text.replace(start..end, &with);
                prop_assert_eq!(&text.starts, &Text::new(text.content.clone()).starts);
            }
            for unit in [ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::Utf32] {
                let mut positions = text.positions(unit);
                for (offset, _) in text.content().char_indices() {
                    let position = positions.position(offset);
                    // The LF of CR LF has no position of its own.
                    if text.line_range(position.line as usize).end >= offset {
                        prop_assert_eq!(text.offset(position, unit), offset);
                    }
                }
            }
        }
    }
}
