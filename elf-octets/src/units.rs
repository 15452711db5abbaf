//! Splits bytes into lines before the encoding is known.

use crate::Encoding;
use crate::encoding::Scheme;
use std::ops::Range;

/// The number of bytes that are treated as one character before the encoding is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Units {
    /// One byte is the character with the same number, as in ISO 8859-1. With these units, ASCII is found in every
    /// encoding based on ASCII.
    One,
    /// Two bytes are one unit of UTF-16.
    TwoLe,
    TwoBe,
}

impl Units {
    pub(crate) const fn of(encoding: Option<Encoding>) -> Units {
        let Some(encoding) = encoding else { return Units::One };
        match encoding.scheme() {
            Scheme::Utf16Le => Units::TwoLe,
            Scheme::Utf16Be => Units::TwoBe,
            Scheme::Ascii | Scheme::Ansel | Scheme::Utf8 | Scheme::Page => Units::One,
        }
    }

    pub(crate) const fn len(self) -> usize {
        match self {
            Units::One => 1,
            Units::TwoLe | Units::TwoBe => 2,
        }
    }

    /// Returns the end of the last line whose line break starts within the first `want` bytes.
    pub(crate) fn last_break(self, octets: &[u8], want: usize) -> Option<usize> {
        self.breaks_before(octets, want).next()
    }

    /// Returns the offset of the last line end within `want` bytes. If no line ends within the first `searched` bytes,
    /// returns the first line end after them.
    pub(crate) fn line_end(self, octets: &[u8], searched: usize, want: usize) -> Option<usize> {
        pick_cut(self.breaks_before(octets, want), searched)
    }

    /// Returns the offset of a line that starts a record, chosen in the same way as in `line_end`. `starts` returns
    /// whether a line starts a record.
    pub(crate) fn record_end(
        self,
        octets: &[u8],
        searched: usize,
        want: usize,
        starts: impl Fn(LineInOctets<'_>) -> bool,
    ) -> Option<usize> {
        let ends = self.breaks_before(octets, want).filter(|&end| {
            let rest = &octets[end..];
            let mut lines = RawLines { octets: rest, units: self, at: 0, number: 1 };
            self.starts_at_0(rest)
                && lines.next().is_some_and(|line| {
                    let text = &rest[line.octets.clone()];
                    starts(LineInOctets { before: &octets[..end], text, is_whole: line.broken })
                })
        });
        pick_cut(ends, searched)
    }

    /// Returns the offset of the first line that starts a record, searching from the line at `from` on. If there is
    /// none, returns `Err` with the offset at which to continue when more bytes are available.
    pub(crate) fn first_record(
        self,
        octets: &[u8],
        from: usize,
        starts: impl Fn(LineInOctets<'_>) -> bool,
    ) -> Result<usize, usize> {
        let mut lines = RawLines { octets, units: self, at: from, number: 1 };
        let mut last = from;
        while let Some(line) = lines.next() {
            last = line.octets.start;
            let text = &octets[line.octets];
            let before = &octets[..last];
            if self.starts_at_0(text) && starts(LineInOctets { before, text, is_whole: line.broken }) {
                return Ok(last);
            }
        }
        Err(last)
    }

    /// Returns the length of the byte-order mark at the start of a line, in bytes. Returns 0 if there is no mark.
    pub(crate) fn mark_length(self, line: &[u8]) -> usize {
        let mark = match self {
            Units::One => Encoding::Utf8.mark(),
            Units::TwoLe => Encoding::Utf16Le.mark(),
            Units::TwoBe => Encoding::Utf16Be.mark(),
        };
        mark.filter(|mark| line.starts_with(mark)).map_or(0, <[u8]>::len)
    }

    /// Returns whether the bytes end with a line feed that is not part of CR LF.
    pub(crate) fn ends_with_lone_feed(self, octets: &[u8]) -> bool {
        let step = self.len();
        let unit = |back: usize| self.unit_at(octets, octets.len().checked_sub(back * step)?);
        unit(1) == Some(0x0A) && unit(2) != Some(0x0D)
    }

    pub(crate) fn starts_at_0(self, octets: &[u8]) -> bool {
        self.chars(octets).find(|c| !is_blank(c)) == Some('0')
    }

    /// Finds the ends of lines whose line break starts within the first `want` bytes. Returns them from last to first.
    pub(crate) fn breaks_before<'o>(
        self,
        octets: &'o [u8],
        want: usize,
    ) -> impl Iterator<Item = usize> + use<'o> {
        let step = self.len();
        let mut until = want.min(octets.len()) / step * step;
        std::iter::from_fn(move || {
            loop {
                let at = memchr::memrchr2(b'\n', b'\r', octets.get(..until)?)? / step * step;
                until = at;
                let next = self.unit_at(octets, at + step);
                match self.unit_at(octets, at) {
                    Some(0x0D) if next == Some(0x0A) => return Some(at + 2 * step),
                    Some(0x0A | 0x0D) => return Some(at + step),
                    _ => {}
                }
            }
        })
    }

    /// Returns the offset of the payload of a line, which follows its level, an optional identifier and its tag.
    pub(crate) fn payload_at(self, line: &[u8]) -> usize {
        let mut chars = self.chars(line).enumerate().peekable();
        let mut words = 2;
        while words > 0 {
            while chars.next_if(|(_, c)| is_blank(c)).is_some() {}
            let labelled = chars.peek().is_some_and(|(_, c)| *c == '@');
            while chars.next_if(|(_, c)| !is_blank(c)).is_some() {}
            words -= usize::from(!labelled);
            if chars.peek().is_none() {
                return line.len();
            }
        }
        while chars.next_if(|(_, c)| is_blank(c)).is_some() {}
        // All characters up to the payload are ASCII, so each one is one unit.
        chars.peek().map_or(line.len(), |(at, _)| at * self.len())
    }

    /// Returns the offset of the first LF or CR in bytes of UTF-16.
    fn find_break(self, octets: &[u8]) -> Option<usize> {
        let low = usize::from(self == Units::TwoBe);
        let mut from = 0;
        loop {
            let at = from + memchr::memchr2(b'\n', b'\r', octets.get(from..)?)?;
            let unit = at - at % 2;
            if at % 2 == low && matches!(self.unit_at(octets, unit), Some(0x0A | 0x0D)) {
                return Some(unit);
            }
            from = at + 1;
        }
    }

    fn unit_at(self, octets: &[u8], at: usize) -> Option<u16> {
        match self {
            Units::One => octets.get(at).map(|octet| u16::from(*octet)),
            Units::TwoLe => Some(u16::from_le_bytes([*octets.get(at)?, *octets.get(at + 1)?])),
            Units::TwoBe => Some(u16::from_be_bytes([*octets.get(at)?, *octets.get(at + 1)?])),
        }
    }

    /// Returns the characters of some bytes. A lone surrogate becomes U+FFFD.
    pub(crate) fn chars(self, octets: &[u8]) -> impl Iterator<Item = char> + Clone {
        let units = (0..octets.len()).step_by(self.len()).map_while(move |at| self.unit_at(octets, at));
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

/// A line of undecoded bytes, and the bytes that precede it.
#[derive(Clone, Copy)]
pub(crate) struct LineInOctets<'o> {
    pub(crate) before: &'o [u8],
    /// The line without its line break.
    pub(crate) text: &'o [u8],
    /// Whether `text` is the complete line.
    pub(crate) is_whole: bool,
}

/// An iterator over the lines of undecoded bytes.
pub(crate) struct RawLines<'o> {
    pub(crate) octets: &'o [u8],
    pub(crate) units: Units,
    /// The offset of the next line.
    pub(crate) at: usize,
    /// The number of the next line, from 1.
    pub(crate) number: u64,
}

/// A line of undecoded bytes.
pub(crate) struct RawLine {
    pub(crate) number: u64,
    /// The range of the line without its line break.
    pub(crate) octets: Range<usize>,
    /// Whether the line ends with a line break.
    pub(crate) broken: bool,
}

impl RawLines<'_> {
    pub(crate) fn next(&mut self) -> Option<RawLine> {
        let (start, number) = (self.at, self.number);
        let rest = self.octets.get(start..).filter(|rest| !rest.is_empty())?;
        let step = self.units.len();
        let found = match self.units {
            Units::One => memchr::memchr2(b'\n', b'\r', rest),
            units => units.find_break(rest),
        };
        let end = found.map_or(self.octets.len(), |found| start + found);
        self.at = match found {
            None => end,
            Some(_) => {
                let pair = self.units.unit_at(self.octets, end) == Some(0x0D)
                    && self.units.unit_at(self.octets, end + step) == Some(0x0A);
                end + step * (1 + usize::from(pair))
            }
        };
        self.number += 1;
        Some(RawLine { number, octets: start..end, broken: found.is_some() })
    }
}

/// Returns the smallest of the descending offsets that is greater than `searched`. If `searched` is 0, returns the
/// greatest offset.
fn pick_cut(mut falling: impl Iterator<Item = usize>, searched: usize) -> Option<usize> {
    if searched == 0 { falling.next() } else { falling.take_while(|end| *end > searched).last() }
}

pub(crate) fn is_blank(c: &char) -> bool {
    matches!(c, ' ' | '\t')
}
