//! The table of lines, which has the start of each line in the text and in the bytes.

use crate::units::{RawLines, Units};
use elf_base::Span;
use std::ops::Range;

/// The form of a line break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LineBreak {
    /// LF, U+000A.
    #[default]
    Lf,
    /// CR, U+000D.
    Cr,
    /// CR LF, U+000D U+000A.
    CrLf,
}

/// The number of line breaks of each form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineBreaks {
    /// The number of line breaks that are LF alone.
    pub lf: u64,
    /// The number of line breaks that are CR alone.
    pub cr: u64,
    /// The number of line breaks that are CR LF.
    pub crlf: u64,
}

/// The number of units that are counted together. The number is so small that each count fits into a byte.
const RUN: usize = 255;

/// The range of a line in the text and in the file, including leading whitespace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineRange {
    /// The text of the line without its line break.
    pub text: Span,
    /// The bytes of the line with its line break. The range counts from 0 at the start of the file.
    pub octets: Range<u64>,
    /// The line break at the end of the line. `None` if this is the last line and it has no line break.
    pub ending: Option<LineBreak>,
}

impl LineBreak {
    /// Returns the characters of the line break.
    pub const fn text(self) -> &'static str {
        match self {
            LineBreak::Lf => "\n",
            LineBreak::Cr => "\r",
            LineBreak::CrLf => "\r\n",
        }
    }

    pub(crate) fn ending(text: &str) -> Option<LineBreak> {
        [LineBreak::CrLf, LineBreak::Lf, LineBreak::Cr]
            .into_iter()
            .find(|ending| text.ends_with(ending.text()))
    }
}

impl LineBreaks {
    /// Counts the line breaks of `text`.
    pub fn of(text: &str) -> LineBreaks {
        LineBreaks::of_octets(text.as_bytes(), Units::One)
    }

    /// Counts the line breaks of undecoded bytes.
    pub(crate) fn of_octets(octets: &[u8], units: Units) -> LineBreaks {
        match units {
            Units::One if memchr::memchr(b'\r', octets).is_none() => {
                let lf = memchr::memchr_iter(b'\n', octets).count() as u64;
                LineBreaks { lf, ..LineBreaks::default() }
            }
            Units::One => LineBreaks::count_breaks(octets, |octet| *octet == b'\n', |octet| *octet == b'\r'),
            Units::TwoLe => LineBreaks::count_breaks(
                octets.as_chunks().0,
                |unit| *unit == [b'\n', 0],
                |unit| *unit == [b'\r', 0],
            ),
            Units::TwoBe => LineBreaks::count_breaks(
                octets.as_chunks().0,
                |unit| *unit == [0, b'\n'],
                |unit| *unit == [0, b'\r'],
            ),
        }
    }

    /// Counts LF, CR and CR LF separately, in runs whose counts fit into a byte. The compiler makes vector instructions
    /// of this loop.
    fn count_breaks<T>(units: &[T], is_lf: impl Fn(&T) -> bool, is_cr: impl Fn(&T) -> bool) -> LineBreaks {
        let [mut all_lf, mut all_cr, mut pairs] = [0_u64; 3];
        for run in units.chunks(RUN) {
            all_lf += u64::from(run.iter().map(|unit| u8::from(is_lf(unit))).sum::<u8>());
            all_cr += u64::from(run.iter().map(|unit| u8::from(is_cr(unit))).sum::<u8>());
        }
        let behind = units.get(1..).unwrap_or_default();
        for (run, next) in units.chunks(RUN).zip(behind.chunks(RUN)) {
            let run = run.iter().zip(next);
            pairs += u64::from(run.map(|(unit, next)| u8::from(is_cr(unit) & is_lf(next))).sum::<u8>());
        }
        LineBreaks { lf: all_lf - pairs, cr: all_cr - pairs, crlf: pairs }
    }

    /// Returns the number of line breaks of all forms together.
    pub const fn total(self) -> u64 {
        self.lf + self.cr + self.crlf
    }

    pub(crate) const fn are_mostly_crlf(self) -> bool {
        self.crlf > 0 && self.crlf * 5 >= self.total() * 4
    }

    /// Returns the form that occurs most often. Returns LF if there are no line breaks.
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

/// The starts of all lines, in the text and in the bytes. Text and bytes have the same line breaks in every encoding,
/// so line n is the same in both.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineTable {
    /// The offset of the start of each line in the text. After a final line break, the table has one more entry.
    pub(crate) text: Vec<u32>,
    /// The offset of the start of each line in the bytes, counted in units of the encoding. The table is empty for
    /// UTF-8, where the offset follows from that in the text.
    pub(crate) units: Vec<u32>,
    /// Positions within very long lines, so that no search starts at the beginning of such a line.
    pub(crate) landmarks: Vec<Cursor>,
}

/// A position: the offset of a character in the text and in the available bytes, and its column, from 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    pub(crate) text: usize,
    pub(crate) octet: usize,
    pub(crate) column: u64,
}

impl LineTable {
    /// A line with at least this many bytes of text has landmarks. `STRIDE` is the distance between landmarks.
    pub(crate) const LONG: usize = 1 << 16;
    pub(crate) const STRIDE: usize = 1 << 12;

    /// Finds the line of an offset, as [`line_of`](LineTable::line_of) does, but tries the line `near` and the line
    /// after it first. Most callers go through the text in order.
    pub(crate) fn line_near(&self, near: usize, offset: usize) -> (usize, usize) {
        for line in [near, near + 1] {
            if let [start, next] = self.text.get(line..line + 2).unwrap_or_default()
                && (*start as usize..*next as usize).contains(&offset)
            {
                return (line, *start as usize);
            }
        }
        self.line_of(offset)
    }

    /// Returns the number of the line that contains an offset of the text, from 0, and the start of that line.
    pub(crate) fn line_of(&self, offset: usize) -> (usize, usize) {
        let line = self.text.partition_point(|start| *start as usize <= offset).saturating_sub(1);
        // Even an empty text has one line.
        (line, self.text[line] as usize)
    }
}

/// Returns the start of each line of `octets`, in units.
pub(crate) fn line_starts(octets: &[u8], units: Units) -> Vec<u32> {
    if units == Units::One {
        return line_starts_by_octet(octets);
    }
    let mut lines = RawLines { octets, units, at: 0, number: 1 };
    let mut starts = vec![0];
    while lines.next().is_some_and(|line| line.broken) {
        starts.push(text_offset(lines.at / units.len()));
    }
    starts
}

/// Returns the start of each line of `octets`, in bytes.
fn line_starts_by_octet(octets: &[u8]) -> Vec<u32> {
    let mut starts = vec![0];
    for at in memchr::memchr2_iter(b'\n', b'\r', octets) {
        let behind = text_offset(at + 1);
        let is_second = octets.get(at.wrapping_sub(1)..=at) == Some(b"\r\n");
        match starts.last_mut().filter(|_| is_second) {
            Some(last) => *last = behind,
            None => starts.push(behind),
        }
    }
    starts
}

/// Converts an index to a 32-bit offset. A text over 4 GiB has been rejected before ([`TooLarge`](crate::TooLarge)), so
/// the cast never truncates.
pub(crate) fn text_offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

pub(crate) fn count_characters(text: &str, range: Range<usize>) -> u64 {
    let octets = &text.as_bytes()[range];
    octets.iter().filter(|octet| **octet & 0xC0 != 0x80).count() as u64
}
