//! Positions: spans of decoded text, and places in a file.

use std::fmt;
use std::ops::Range;

/// A range of decoded text, in bytes of UTF-8 from the start of that text.
///
/// Offsets have 32 bits, because a text is at most 4 GiB long. `start <= end`, and both are on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span from `start` to `end`. The byte at `end` is not included.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// Returns the length in bytes.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Returns whether the span is empty.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns the range of bytes, for slicing a text.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the part of `text` that the span covers. Returns an empty text if the span is outside `text`.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }
}

/// A place in a file. The place has a line and columns for people, and a byte offset for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Place {
    /// The offset of the first byte of the place, from 0 at the start of the file. The offset counts bytes in the
    /// encoding of the file.
    pub octet: u64,
    /// The number of the line, from 1. Blank lines count.
    pub line: u64,
    /// The first column, from 1, in characters (Unicode scalar values) of the line.
    pub column: u64,
    /// The column that follows the last column of the place, at least `column`. A place never extends past the end of
    /// its line.
    pub end_column: u64,
}

impl Place {
    /// Creates a place.
    pub const fn new(octet: u64, line: u64, column: u64, end_column: u64) -> Place {
        Place { octet, line, column, end_column }
    }
}

/// Writes the range of bytes, such as `57..58`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Writes the start of the place for people, such as `line 4, column 1`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
