//! Places: spans of decoded text, and positions in a file.

use std::fmt;
use std::ops::Range;

/// A range of decoded text, in octets of its UTF-8 form, from 0 at the start of the text it was made for.
///
/// Offsets are 32-bit: a text is at most 4 GiB long. `start <= end`, and both lie on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first octet.
    pub start: u32,
    /// The octet after the last.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to but not including `end`.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// Returns the length of the span in octets.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Returns whether the span holds nothing.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns the range for slicing.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the part of `text` that it covers; empty where the span does not lie in that text.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }
}

/// A place in a file, as a person and as a program would look for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Place {
    /// The octet where it starts, from 0 at the start of the file, in the file's own encoding.
    pub octet: u64,
    /// The line, from 1; every line break counts, those of blank lines too.
    pub line: u64,
    /// The first column, from 1, in characters (Unicode scalar values) of the line.
    pub column: u64,
    /// The column after the last; at least `column`. What reaches past its line ends at the line's end.
    pub end_column: u64,
}

impl Place {
    /// A place.
    pub const fn new(octet: u64, line: u64, column: u64, end_column: u64) -> Place {
        Place { octet, line, column, end_column }
    }
}

/// Writes the range of octets: `57..58`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Writes the start as a person looks for it: `line 4, column 1`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
