//! Converts spans of text to places in the file.

use crate::line_table::{Cursor, LineTable, count_characters};
use crate::source::Source;
use elf_base::{Excerpt, Place, Span};
use std::ops::Range;

/// Converts spans of the text of a [`Source`] to places in its file. A place has a line, a column and a byte.
///
/// The first call for a position after the first line builds a table of all lines. A locator stores its last position,
/// so positions in ascending order need only one pass over a line. Use the same locator for many calls.
#[derive(Clone, Debug)]
pub struct Locator<'s> {
    source: &'s Source<'s>,
    /// Whether spans refer to the text as it was decoded, before escapes in it were replaced.
    decoded: bool,
    cursor: Cursor,
    /// The number of the line that was used last, from 0.
    line: usize,
    /// The end of the first line, if it has been searched. The inner `None` means that the line is long.
    first_line: Option<Option<usize>>,
}

/// A line of the text: its number from 0, its start, and its end without the line break.
#[derive(Clone, Copy)]
struct Line {
    number: usize,
    start: usize,
    end: usize,
}

impl Source<'_> {
    /// Creates a locator for spans of [`text`](Source::text).
    pub fn locator(&self) -> Locator<'_> {
        Locator::new(self)
    }
}

impl<'s> Locator<'s> {
    pub(crate) fn new(source: &'s Source<'_>) -> Locator<'s> {
        Locator { source, decoded: false, cursor: Cursor::default(), line: 0, first_line: None }
    }

    /// Creates a locator for spans of the text as it was decoded, before escapes in it were replaced.
    pub(crate) fn of_decoded(source: &'s Source<'_>) -> Locator<'s> {
        Locator { decoded: true, ..Locator::new(source) }
    }

    fn decoded_span(&self, span: Span) -> Span {
        if self.decoded { span } else { self.source.decoded_span(span) }
    }

    /// Returns the place of `span` in the file. If a span continues past its line, its place ends at the end of the
    /// line.
    pub fn place(&mut self, span: Span) -> Place {
        let span = self.decoded_span(span);
        let line = self.seek(span.start as usize);
        let Cursor { text, octet, column } = self.cursor;
        let end = (span.end as usize).clamp(text, line.end.max(text));
        Place::new(
            self.source.octet_of_file(octet),
            self.source.number_of_line(line.number),
            column + 1,
            column + 1 + count_characters(self.source.full_text(), text..end),
        )
    }

    /// Returns the number of the line in which `span` starts. This is faster than [`place`](Locator::place).
    pub fn line_number(&mut self, span: Span) -> u64 {
        let offset = (self.decoded_span(span).start as usize).min(self.source.full_text().len());
        (self.line, _) = self.source.lines().line_near(self.line, offset);
        self.source.number_of_line(self.line)
    }

    /// Returns the line in which `span` starts, or a part of it if the line is long.
    pub fn excerpt(&mut self, span: Span) -> Option<Excerpt> {
        let span = self.decoded_span(span);
        let line = self.seek(span.start as usize);
        let text = self.source.full_text().get(line.start..line.end)?;
        Some(Excerpt::around(text, self.cursor.text - line.start, self.cursor.column + 1))
    }

    /// Returns the range of the bytes from which `span` was decoded. The range contains a combining mark of ANSEL and
    /// its letter always together, because decoding swaps their order.
    pub fn octet_range(&mut self, span: Span) -> Range<u64> {
        let span = self.decoded_span(span);
        self.seek(span.start as usize);
        let start = self.cursor.octet;
        self.seek(span.end as usize);
        let mut end = self.cursor.octet;
        if self.cursor.text < span.end as usize {
            // The offset is within a cluster of marks and a letter, which has only one place.
            end += self.source.step_at(end).map_or(0, |step| step.octet);
        }
        let first = self.source.octet_of_file(start);
        first..first + end.saturating_sub(start) as u64
    }

    /// Moves to the character at `offset`. Returns the line of this character.
    fn seek(&mut self, offset: usize) -> Line {
        let text = self.source.full_text();
        let offset = offset.min(text.len());
        if let Some(line) = self.seek_in_first_line(offset) {
            return line;
        }
        let table = self.source.lines();
        let (number, start) = table.line_near(self.line, offset);
        self.line = number;
        let next = table.text.get(number + 1).map_or(text.len(), |next| *next as usize);
        let end = start + text[start..next].trim_end_matches(['\n', '\r']).len();
        // Start from the nearest known position before the offset: the last position, a landmark, or the start of the
        // line.
        let mut from = self.cursor;
        if !(start..=offset).contains(&from.text) || from.octet == 0 {
            from = self.source.start_of_line(number, start);
        }
        let passed = table.landmarks.partition_point(|landmark| landmark.text <= offset);
        if let Some(landmark) = table.landmarks[..passed].last().filter(|one| one.text > from.text) {
            from = *landmark;
        }
        self.source.advance_to(&mut from, offset);
        self.cursor = from;
        Line { number, start, end }
    }

    /// Moves to the character at `offset`, if it is in the first line and that line is not long. Findings about the
    /// whole file have their place in the first line, and need no table.
    fn seek_in_first_line(&mut self, offset: usize) -> Option<Line> {
        let text = self.source.full_text();
        let end = (*self.first_line.get_or_insert_with(|| end_of_first_line(text.as_bytes())))?;
        if offset > end {
            return None;
        }
        if self.cursor.text > offset || self.cursor.octet == 0 {
            self.cursor = self.source.start_of_text();
        }
        self.source.advance_to(&mut self.cursor, offset);
        Some(Line { number: 0, start: 0, end })
    }
}

/// Returns the end of the first line without its line break. Returns `None` if the line is long.
fn end_of_first_line(text: &[u8]) -> Option<usize> {
    let window = text.get(..LineTable::LONG).unwrap_or(text);
    let end = memchr::memchr2(b'\n', b'\r', window);
    end.or((window.len() == text.len()).then_some(text.len()))
}
