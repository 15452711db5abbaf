//! The table of lines: where each starts in the text, and in the octets that the text was decoded from.

use crate::units::{RawLines, Units};
use elf_base::Span;
use std::ops::Range;

/// The form of a line break.
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

/// The number of line breaks of each form.
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

/// The number of units whose line breaks are counted in octets: more could pass 255.
const RUN: usize = 255;

/// The range of a line in the text and in the file. The line may be blank and includes leading whitespace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineRange {
    /// The text of the line without its break.
    pub text: Span,
    /// The octets of the line with its break, from 0 at the start of the file.
    pub octets: Range<u64>,
    /// The line break at the end of the line; `None` if the text ends here.
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

    /// The break that `text` ends with.
    pub(crate) fn at_end_of(text: &str) -> Option<LineBreak> {
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

    /// Counts those of octets whose line breaks are those of their text, in units.
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

    /// Counts LF, CR and pairs of them on their own, in short runs whose counts fit an octet: that compiles
    /// to vector instructions.
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

    /// Returns whether nearly all are CR LF: at least four fifths.
    pub(crate) const fn are_mostly_crlf(self) -> bool {
        self.crlf > 0 && self.crlf * 5 >= self.total() * 4
    }

    /// Returns the most frequent form; LF if there are no line breaks.
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

/// The starts of all lines, in text and in octets. A break in the text is a break in the octets, in every
/// encoding, so the n-th line of the one is the n-th line of the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineTable {
    /// The offset of the start of each line in the text; after a final break, the start of the line that
    /// would follow is among them.
    pub(crate) text: Vec<u32>,
    /// The offset of the start of each line in the octets, in units of the encoding; empty for UTF-8, where
    /// it follows from the text.
    pub(crate) units: Vec<u32>,
    /// Places along lines so long that walking them from their start would take too long.
    pub(crate) landmarks: Vec<Cursor>,
}

/// A place: an offset in the text, the offset of the same character in the current octets, and its column,
/// from 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    pub(crate) text: usize,
    pub(crate) octet: usize,
    pub(crate) column: u64,
}

impl LineTable {
    /// The least length of a line that gets landmarks, in octets of text. `STRIDE` is the distance between
    /// them.
    pub(crate) const LONG: usize = 1 << 16;
    pub(crate) const STRIDE: usize = 1 << 12;

    /// The line that `offset` of the text lies in, as [`line_of`](LineTable::line_of) finds it: looked for
    /// first in the line `near` and in the one after it, since questions come in the order of the text.
    pub(crate) fn line_from(&self, near: usize, offset: usize) -> (usize, usize) {
        for line in [near, near + 1] {
            if let [start, next] = self.text.get(line..line + 2).unwrap_or_default()
                && (*start as usize..*next as usize).contains(&offset)
            {
                return (line, *start as usize);
            }
        }
        self.line_of(offset)
    }

    /// The line, from 0, that `offset` of the text lies in, and where it starts.
    pub(crate) fn line_of(&self, offset: usize) -> (usize, usize) {
        let line = self.text.partition_point(|start| *start as usize <= offset).saturating_sub(1);
        // Even an empty text has a first line.
        (line, self.text[line] as usize)
    }
}

/// Returns the offset of the start of each line of `octets`, counted in units.
pub(crate) fn starts(octets: &[u8], units: Units) -> Vec<u32> {
    if units == Units::One {
        return starts_by_octet(octets);
    }
    let mut lines = RawLines { octets, units, at: 0, number: 1 };
    let mut starts = vec![0];
    while lines.next().is_some_and(|line| line.broken) {
        starts.push(text_offset(lines.at / units.len()));
    }
    starts
}

/// Returns the offset of the start of each line of `octets`, each of which is a unit.
fn starts_by_octet(octets: &[u8]) -> Vec<u32> {
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

/// Converts an index in a text to an offset. A text over 4 GiB is refused ([`TooLarge`](crate::TooLarge)) before any
/// offset in it is used, so the largest offset never stands for another one.
pub(crate) fn text_offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Counts the characters that start in a range of `text`.
pub(crate) fn count_characters(text: &str, range: Range<usize>) -> u64 {
    let octets = &text.as_bytes()[range];
    octets.iter().filter(|octet| **octet & 0xC0 != 0x80).count() as u64
}
