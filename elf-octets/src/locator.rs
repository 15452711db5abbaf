//! From spans of text to places in the file.

use crate::source::Source;
use elf_base::{Excerpt, Place, Span};
use std::ops::Range;

/// Finds where spans of a [`Source`] stand in its file.
///
/// It remembers where it was, so that positions which rise along one line cost no more than the line is long.
#[derive(Debug)]
pub struct Locator<'s> {
    source: &'s Source<'s>,
    cursor: Cursor,
}

/// A place on a line, walked to from its start.
#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    /// The line, from 0; `usize::MAX` before the first use.
    line: Option<usize>,
    /// Offsets in the text and in the octets (from the start of those of the source), and columns before it.
    text: usize,
    octet: usize,
    column: u64,
}

impl<'s> Locator<'s> {
    pub(crate) fn new(source: &'s Source<'_>) -> Locator<'s> {
        Locator { source, cursor: Cursor::default() }
    }

    /// Where `span` stands. What reaches past its line ends at the line's end.
    pub fn place(&mut self, span: Span) -> Place {
        let (line, line_end) = self.seek(span.start as usize);
        let start = self.cursor;
        let end = (span.end as usize).clamp(start.text, line_end.max(start.text));
        let columns = count(self.source.full_text(), start.text..end);
        Place::new(
            self.source.first_octet() + start.octet as u64,
            self.source.first_line() + line as u64,
            start.column + 1,
            start.column + columns + 1,
        )
    }

    /// The line that `span` starts in, or a window of it.
    pub fn excerpt(&mut self, span: Span) -> Option<Excerpt> {
        let (line, line_end) = self.seek(span.start as usize);
        let line_start = self.source.lines().text.get(line).copied().unwrap_or(0) as usize;
        let text = self.source.full_text().get(line_start..line_end)?;
        Some(Excerpt::around(text, self.cursor.text - line_start, self.cursor.column + 1))
    }

    /// The octets of the file that `span` was decoded from.
    pub fn octet_range(&mut self, span: Span) -> Range<u64> {
        let first = self.source.first_octet();
        self.seek(span.start as usize);
        let start = self.cursor.octet;
        self.seek(span.end as usize);
        first + start as u64..first + self.cursor.octet.max(start) as u64
    }

    /// Moves to the character that `offset` lies in. Its line, from 0, and where that ends without its break.
    fn seek(&mut self, offset: usize) -> (usize, usize) {
        let text = self.source.full_text();
        let offset = offset.min(text.len());
        let table = self.source.lines();
        let line = table.text.partition_point(|start| *start as usize <= offset).saturating_sub(1);
        let line_start = table.text.get(line).copied().unwrap_or(0) as usize;
        let next = table.text.get(line + 1).map_or(text.len(), |start| *start as usize);
        let line_end =
            line_start + text.get(line_start..next).unwrap_or_default().trim_end_matches(['\n', '\r']).len();
        if self.cursor.line != Some(line) || self.cursor.text > offset {
            self.cursor = Cursor {
                line: Some(line),
                text: line_start,
                octet: self.source.octet_of_line(line, line_start),
                column: 0,
            };
        }
        self.source.walk(&mut self.cursor.text, &mut self.cursor.octet, &mut self.cursor.column, offset);
        (line, line_end)
    }
}

/// How many characters stand in that range of `text`.
pub(crate) fn count(text: &str, range: Range<usize>) -> u64 {
    let octets = text.as_bytes().get(range).unwrap_or_default();
    octets.iter().filter(|octet| **octet & 0xC0 != 0x80).count() as u64
}
