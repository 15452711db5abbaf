//! Where the lines of a text stand in it, and in the octets it was decoded from.

use crate::units::{RawLines, Units};
use elf_base::Span;
use std::ops::Range;

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LineBreak {
    /// LF, U+000A.
    Lf,
    /// CR, U+000D.
    Cr,
    /// CR LF.
    CrLf,
}

/// How many line breaks of each form there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineBreaks {
    /// LF alone.
    pub lf: u64,
    /// CR alone.
    pub cr: u64,
    /// CR LF.
    pub crlf: u64,
}

/// Where one line stands, blank or not, leading whitespace included.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineRange {
    /// Its text without its break.
    pub text: Span,
    /// Its octets with its break, from 0 at the start of the file.
    pub octets: Range<u64>,
    /// How it ends; `None` where the text ends with it.
    pub ending: Option<LineBreak>,
}

impl LineBreak {
    /// Its characters.
    pub const fn text(self) -> &'static str {
        match self {
            LineBreak::Lf => "\n",
            LineBreak::Cr => "\r",
            LineBreak::CrLf => "\r\n",
        }
    }

    /// The break that `text` ends with.
    pub(crate) fn at_end_of(text: &str) -> Option<LineBreak> {
        [LineBreak::CrLf, LineBreak::Lf, LineBreak::Cr]
            .into_iter()
            .find(|ending| text.ends_with(ending.text()))
    }
}

impl LineBreaks {
    /// Counts those of `text`.
    pub fn of(text: &str) -> LineBreaks {
        let octets = text.as_bytes();
        let mut breaks = LineBreaks::default();
        if memchr::memchr(b'\r', octets).is_none() {
            breaks.lf = memchr::memchr_iter(b'\n', octets).count() as u64;
            return breaks;
        }
        for at in memchr::memchr2_iter(b'\n', b'\r', octets) {
            match octets.get(at) {
                Some(b'\r') if octets.get(at + 1) == Some(&b'\n') => breaks.crlf += 1,
                Some(b'\r') => breaks.cr += 1,
                _ if at > 0 && octets.get(at - 1) == Some(&b'\r') => {}
                _ => breaks.lf += 1,
            }
        }
        breaks
    }

    /// How many there are of any form.
    pub const fn total(self) -> u64 {
        self.lf + self.cr + self.crlf
    }

    /// The commonest form, LF where none is.
    pub const fn commonest(self) -> LineBreak {
        if self.crlf > self.lf && self.crlf >= self.cr {
            LineBreak::CrLf
        } else if self.cr > self.lf {
            LineBreak::Cr
        } else {
            LineBreak::Lf
        }
    }

    pub(crate) fn add(&mut self, other: LineBreaks) {
        self.lf += other.lf;
        self.cr += other.cr;
        self.crlf += other.crlf;
    }
}

/// Where each line starts, in text and in octets. A break in the text is a break in the octets, in every encoding, so
/// the n-th line of the one is the n-th line of the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineTable {
    /// Where each line starts in the text; after a final break, where the next one would.
    pub(crate) text: Vec<u32>,
    /// Where each line starts in the octets, in units of the encoding; empty for UTF-8, where it follows from the text.
    pub(crate) units: Vec<u32>,
    /// Places along lines so long that walking them from their start would take too long.
    pub(crate) landmarks: Vec<Cursor>,
}

/// A place: an offset in the text, the offset of the same character in the octets at hand, and its column, from 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    pub(crate) text: usize,
    pub(crate) octet: usize,
    pub(crate) column: u64,
}

impl LineTable {
    /// How long a line must be, in octets of text, to get landmarks, and how far apart they stand.
    pub(crate) const LONG: usize = 1 << 16;
    pub(crate) const STRIDE: usize = 1 << 12;

    /// The line, from 0, that `offset` of the text lies in, and where it starts.
    pub(crate) fn line_of(&self, offset: usize) -> (usize, usize) {
        let line = self.text.partition_point(|start| *start as usize <= offset).saturating_sub(1);
        (line, self.text.get(line).copied().unwrap_or(0) as usize)
    }
}

/// Where the lines of `octets` start, counted in units.
pub(crate) fn starts(octets: &[u8], units: Units) -> Vec<u32> {
    let mut lines = RawLines { octets, units, at: 0, number: 1 };
    let mut starts = vec![0];
    while lines.next().is_some_and(|line| line.broken) {
        starts.push(u32::try_from(lines.at / units.len()).unwrap_or(u32::MAX));
    }
    starts
}
