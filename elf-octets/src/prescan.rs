//! The first look at a file: byte-order mark, first octets, and the scan of the header for CHAR.
//!
//! It works on octets before any encoding is known, so it probes level and tag of header lines itself and imports
//! nothing from the layers above (D19 *Specified character encodings*, J19 §7.2.2).

use crate::{DetectedBy, Encoding, Options};
use elf_base::rules::{LevelZeros, PayloadWhitespace, Prescan};
use elf_base::{Excerpt, Place, Rules};
use std::ops::Range;

/// How far into a file the scan for CHAR looks, in octets. The drafts set no bound; without one, a file that never
/// ends its header could not be streamed in bounded memory.
pub(crate) const HEADER_LIMIT: usize = 16 << 20;

/// The longest CHAR payload that is kept, in characters.
const NAME_LIMIT: usize = 80;

/// What the first octets show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Detected {
    pub(crate) encoding: Option<Encoding>,
    pub(crate) by: Option<DetectedBy>,
    /// The length of the byte-order mark, in octets: 0 where there is none.
    pub(crate) mark: usize,
    /// Whether the mark is there twice, and both are skipped.
    pub(crate) repeated: bool,
}

/// A line string of the header that says something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// What it says.
    pub(crate) payload: String,
    /// Its line, from 1.
    pub(crate) line: u64,
    /// Where it starts in the octets.
    pub(crate) at: usize,
}

/// What the scan of the header found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scan {
    /// Whether the first line string is the head of a header; `None` where there is no line string.
    pub(crate) head: Option<bool>,
    /// The first line string that is not blank, for the message: its line and octets without the break.
    pub(crate) first: Option<(u64, Range<usize>)>,
    /// The first CHAR.
    pub(crate) char: Option<Found>,
    /// `2 VERS` on the line string after it.
    pub(crate) version: Option<String>,
    /// The first octet 00 that was passed, if that is a fault: its line and offset.
    pub(crate) nul: Option<(u64, usize)>,
    /// Whether more octets could change the result.
    pub(crate) unfinished: bool,
}

/// What the first octets show (D19 *Detecting a character encoding*, J19 §7.2.1).
pub(crate) fn detect(octets: &[u8], rules: &Rules, options: &Options) -> Detected {
    let marks = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be]
        .map(|one| (one, one.mark().unwrap_or_default()));
    let marked = marks.into_iter().find(|(_, mark)| octets.starts_with(mark));
    let early = rules.octets.prescan == Prescan::Early;
    let none = Detected { encoding: None, by: None, mark: 0, repeated: false };
    if let Some(external) = options.external.filter(|_| early) {
        let mark = marked.filter(|(encoding, _)| *encoding == external).map_or(0, |(_, mark)| mark.len());
        return Detected { encoding: Some(external), by: Some(DetectedBy::External), mark, ..none };
    }
    if let Some((encoding, mark)) = marked {
        // Of two marks the second is text (AMB-46), but not where data is to be preserved.
        let rest = octets.get(mark.len()..).unwrap_or_default();
        let repeated = rules.octets.content && rest.starts_with(mark);
        let length = if repeated { 2 * mark.len() } else { mark.len() };
        return Detected {
            encoding: Some(encoding),
            by: Some(DetectedBy::ByteOrderMark),
            mark: length,
            repeated,
        };
    }
    let shows = |octet: u8| if early { octet == b'0' } else { (0x01..=0x7F).contains(&octet) };
    let sniffed = match octets {
        [first, 0, ..] if shows(*first) => Some(Encoding::Utf16Le),
        [0, second, ..] if shows(*second) => Some(Encoding::Utf16Be),
        _ => None,
    };
    if sniffed.is_some() {
        return Detected { encoding: sniffed, by: Some(DetectedBy::FirstOctets), ..none };
    }
    let by = options.external.map(|_| DetectedBy::External);
    Detected { encoding: options.external, by, ..none }
}

/// Looks for CHAR in the header. `octets` starts after the byte-order mark.
pub(crate) fn scan(octets: &[u8], detected: Option<Encoding>, rules: &Rules) -> Scan {
    let octets = octets.get(..HEADER_LIMIT).unwrap_or(octets);
    let units = Units::of(detected);
    let mut lines = RawLines { octets, units, at: 0, number: 1 };
    match rules.octets.prescan {
        Prescan::Early => early(&mut lines, rules),
        _ => december(&mut lines, detected.is_none(), rules.octets.content),
    }
}

/// December 2019: line strings with their whitespace normalised and their letters upper-cased.
fn december(lines: &mut RawLines<'_>, nul_is_fault: bool, lenient: bool) -> Scan {
    let mut scan = Scan::default();
    let mut heads = 0;
    while let Some(RawLine { number, octets: range, .. }) = lines.next() {
        let units = lines.units;
        let line = lines.octets.get(range.clone()).unwrap_or_default();
        let chars = || Normalised::new(units.chars(line));
        if nul_is_fault && scan.nul.is_none() {
            scan.nul = memchr::memchr(0, line).map(|at| (number, range.start + at));
        }
        if chars().next().is_none() {
            continue;
        }
        let record = starts_with(chars(), "0 ");
        if scan.first.is_none() {
            scan.first = Some((number, range.clone()));
            let head = chars().eq("0 HEAD".chars());
            scan.head = Some(head);
            if !head && !lenient {
                return scan;
            }
        } else if record && (!lenient || heads > 0) {
            return scan;
        }
        heads += usize::from(record);
        if let Some(rest) = strip(chars(), "1 CHAR ") {
            let payload: String = rest.take(NAME_LIMIT).collect();
            scan.char = Some(Found { payload, line: number, at: range.start + units.payload_at(line) });
            // “One more line string may be read” to see whether it is a version.
            while let Some(RawLine { octets: range, .. }) = lines.next() {
                let line = lines.octets.get(range).unwrap_or_default();
                let chars = || Normalised::new(units.chars(line));
                if chars().next().is_some() {
                    scan.version = strip(chars(), "2 VERS ").map(|rest| rest.take(NAME_LIMIT).collect());
                    return scan;
                }
            }
            break;
        }
    }
    scan.unfinished = true;
    scan
}

/// The drafts before December 2019: lines, up to the second one at level 0.
fn early(lines: &mut RawLines<'_>, rules: &Rules) -> Scan {
    let mut scan = Scan::default();
    let mut records = 0;
    while let Some(RawLine { number, octets: range, .. }) = lines.next() {
        let line = lines.octets.get(range.clone()).unwrap_or_default();
        let units = lines.units;
        if Normalised::new(units.chars(line)).next().is_none() {
            continue;
        }
        // Only the start of the line matters; no level, tag or name is longer than this.
        let text: String = units.chars(line).take(4 * NAME_LIMIT).collect();
        let probe = Probe::of(&text, rules);
        if scan.first.is_none() {
            scan.first = Some((number, range.clone()));
            scan.head = Some(probe.is_some_and(|probe| probe.level == "0" && probe.tag == "HEAD"));
        }
        let Some(probe) = probe else { continue };
        match (probe.level, probe.tag) {
            ("0", _) => {
                records += 1;
                if records == 2 {
                    return scan;
                }
            }
            ("1", "CHAR") if probe.payload.is_some() => {
                let payload = probe.payload.unwrap_or_default().chars().take(NAME_LIMIT).collect();
                scan.char = Some(Found { payload, line: number, at: range.start + units.payload_at(line) });
                return scan;
            }
            _ => {}
        }
    }
    scan.unfinished = true;
    scan
}

/// As much of the grammar of lines as finding CHAR takes (J19 §6.1).
#[derive(Clone, Copy)]
struct Probe<'t> {
    level: &'t str,
    tag: &'t str,
    payload: Option<&'t str>,
}

impl<'t> Probe<'t> {
    fn of(line: &'t str, rules: &Rules) -> Option<Probe<'t>> {
        const BLANK: [char; 2] = [' ', '\t'];
        let line = if rules.lines.leading_whitespace { line.trim_start_matches(BLANK) } else { line };
        let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let mut level = line.strip_suffix(after)?;
        let zeros = level.trim_start_matches('0');
        if level.len() > 1 && zeros.len() < level.len() {
            if rules.lines.level_zeros == LevelZeros::Malformed {
                return None;
            }
            level = if zeros.is_empty() { "0" } else { zeros };
        }
        let mut rest = after.trim_start_matches(BLANK);
        if level.is_empty() || rest.len() == after.len() {
            return None;
        }
        if let Some(labelled) = rest.strip_prefix('@') {
            let (_, behind) = labelled.split_once('@')?;
            rest = behind.trim_start_matches(BLANK);
        }
        let after = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let tag = rest.strip_suffix(after)?;
        if tag.is_empty() {
            return None;
        }
        let payload = match rules.lines.payload {
            PayloadWhitespace::Trim => Some(after.trim_matches(BLANK)).filter(|payload| !payload.is_empty()),
            PayloadWhitespace::KeepAfterSpace => after.strip_prefix(' '),
            _ => after.strip_prefix(BLANK),
        };
        Some(Probe { level, tag, payload })
    }
}

/// How octets are taken for characters before the encoding is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Units {
    /// One octet, one character of the same number: ISO 8859-1, which finds ASCII in every encoding based on it.
    One,
    /// Two octets a unit of UTF-16.
    TwoLe,
    TwoBe,
}

impl Units {
    pub(crate) const fn of(encoding: Option<Encoding>) -> Units {
        match encoding {
            Some(Encoding::Utf16Le) => Units::TwoLe,
            Some(Encoding::Utf16Be) => Units::TwoBe,
            _ => Units::One,
        }
    }

    pub(crate) const fn len(self) -> usize {
        match self {
            Units::One => 1,
            Units::TwoLe | Units::TwoBe => 2,
        }
    }

    /// Where the last line ends, with its break, of those whose break starts within the first `want` octets.
    pub(crate) fn last_break(self, octets: &[u8], want: usize) -> Option<usize> {
        self.breaks_before(octets, want).next()
    }

    /// Where the octets can be divided between lines: as far on as possible within `want` octets, or, if there is no
    /// place within the first `searched` octets, as soon as possible.
    pub(crate) fn line_end(self, octets: &[u8], searched: usize, want: usize) -> Option<usize> {
        nearest(self.breaks_before(octets, want), searched)
    }

    /// The same between a line and one that starts a record.
    pub(crate) fn record_end(self, octets: &[u8], searched: usize, want: usize) -> Option<usize> {
        let ends = self
            .breaks_before(octets, want)
            .filter(|end| self.starts_record(octets.get(*end..).unwrap_or_default()));
        nearest(ends, searched)
    }

    /// Whether `octets` start with a line at level 0 that continues nothing: `0`, an identifier or none, a tag. What
    /// only looks like one may be text of the record before it.
    fn starts_record(self, octets: &[u8]) -> bool {
        let mut chars = self.chars(octets).skip_while(is_blank).peekable();
        if chars.next() != Some('0') || chars.next_if(is_blank).is_none() {
            return false;
        }
        while chars.next_if(is_blank).is_some() {}
        if chars.next_if_eq(&'@').is_some() {
            while chars.next_if(|c| !matches!(c, '@' | '\n' | '\r')).is_some() {}
            if chars.next() != Some('@') || chars.next_if(is_blank).is_none() {
                return false;
            }
            while chars.next_if(is_blank).is_some() {}
        }
        let mut tag = String::new();
        while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
            // Longer than any tag that is looked for.
            if tag.len() < 8 {
                tag.push(c);
            }
        }
        let ends = chars.peek().is_none_or(|c| is_blank(c) || matches!(c, '\n' | '\r'));
        ends && !matches!(&*tag, "" | "CONT" | "CONC")
    }

    /// Where lines end, with their breaks, those whose break starts within the first `want` octets, from the last on.
    fn breaks_before(self, octets: &[u8], want: usize) -> impl Iterator<Item = usize> {
        let step = self.len();
        let mut until = want.min(octets.len()) / step * step;
        std::iter::from_fn(move || {
            loop {
                let at = memchr::memrchr2(b'\n', b'\r', octets.get(..until)?)? / step * step;
                until = at;
                let next = self.unit(octets, at + step);
                match self.unit(octets, at) {
                    Some(0x0D) if next == Some(0x0A) => return Some(at + 2 * step),
                    Some(0x0A | 0x0D) => return Some(at + step),
                    _ => {}
                }
            }
        })
    }

    /// Where the payload of a line starts, by its whitespace: behind level, tag and an identifier if there is one.
    fn payload_at(self, line: &[u8]) -> usize {
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
        // Up to here all is ASCII, so a character is a unit.
        chars.peek().map_or(line.len(), |(at, _)| at * self.len())
    }

    /// Where the first LF or CR of UTF-16 stands in `octets`, which start with a unit.
    fn find_break(self, octets: &[u8]) -> Option<usize> {
        let low = usize::from(self == Units::TwoBe);
        let mut from = 0;
        loop {
            let at = from + memchr::memchr2(b'\n', b'\r', octets.get(from..)?)?;
            let unit = at - at % 2;
            if at % 2 == low && matches!(self.unit(octets, unit), Some(0x0A | 0x0D)) {
                return Some(unit);
            }
            from = at + 1;
        }
    }

    fn unit(self, octets: &[u8], at: usize) -> Option<u16> {
        match self {
            Units::One => octets.get(at).map(|octet| u16::from(*octet)),
            Units::TwoLe => Some(u16::from_le_bytes([*octets.get(at)?, *octets.get(at + 1)?])),
            Units::TwoBe => Some(u16::from_be_bytes([*octets.get(at)?, *octets.get(at + 1)?])),
        }
    }

    /// How many characters these octets are.
    pub(crate) fn count(self, octets: &[u8]) -> u64 {
        match self {
            Units::One => octets.len() as u64,
            Units::TwoLe | Units::TwoBe => self.chars(octets).count() as u64,
        }
    }

    /// The first `most` characters of these octets.
    pub(crate) fn text(self, octets: &[u8], most: usize) -> String {
        self.chars(octets).take(most).collect()
    }

    fn chars(self, octets: &[u8]) -> impl Iterator<Item = char> + Clone {
        let units = (0..octets.len()).step_by(self.len()).map_while(move |at| self.unit(octets, at));
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

/// The lines of octets, by line break.
pub(crate) struct RawLines<'o> {
    pub(crate) octets: &'o [u8],
    pub(crate) units: Units,
    /// Where the next line starts.
    pub(crate) at: usize,
    /// The number of the next line, from 1.
    pub(crate) number: u64,
}

/// One line of octets.
pub(crate) struct RawLine {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// Its octets without its break.
    pub(crate) octets: Range<usize>,
    /// Whether it ends with a break.
    pub(crate) broken: bool,
}

impl RawLines<'_> {
    /// The next line.
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
                let pair = self.units.unit(self.octets, end) == Some(0x0D)
                    && self.units.unit(self.octets, end + step) == Some(0x0A);
                end + step * (1 + usize::from(pair))
            }
        };
        self.number += 1;
        Some(RawLine { number, octets: start..end, broken: found.is_some() })
    }
}

/// The place of the octet at `offset`, from it to the end of its line, before the encoding is known.
pub(crate) fn place_of(octets: &[u8], mark: usize, units: Units, offset: usize) -> (Place, Option<Excerpt>) {
    let body = octets.get(mark..).unwrap_or_default();
    let mut lines = RawLines { octets: body, units, at: 0, number: 1 };
    let at = offset.saturating_sub(mark);
    while let Some(line) = lines.next() {
        if at < lines.at || lines.at >= body.len() {
            return place_on(body, mark as u64, units, line.number, line.octets, at);
        }
    }
    (Place::new(offset as u64, 1, 1, 1), None)
}

/// The place of the octet at `at` of `body` on a line of it, from there to the end of the line. `body` starts at
/// octet `base` of the file.
pub(crate) fn place_on(
    body: &[u8],
    base: u64,
    units: Units,
    number: u64,
    line: Range<usize>,
    at: usize,
) -> (Place, Option<Excerpt>) {
    let at = at.clamp(line.start, line.end);
    let before = units.count(body.get(line.start..at).unwrap_or_default());
    let after = units.count(body.get(at..line.end).unwrap_or_default());
    let place = Place::new(base + at as u64, number, before + 1, before + after + 1);
    // A window that surely holds the excerpt; what stands before it is counted, not kept.
    let from = at.saturating_sub(80 * units.len()).max(line.start);
    let text = units.text(body.get(from..line.end).unwrap_or_default(), Excerpt::MAX_CHARS);
    let shift = units.count(body.get(line.start..from).unwrap_or_default());
    let mut excerpt = Excerpt::around(&text, 0, 1);
    excerpt.first_column = shift + 1;
    (place, Some(excerpt))
}

/// The greatest of falling offsets, or, where there is none up to `searched`, the smallest.
fn nearest(mut falling: impl Iterator<Item = usize>, searched: usize) -> Option<usize> {
    if searched == 0 { falling.next() } else { falling.take_while(|end| *end > searched).last() }
}

/// Characters upper-cased in ASCII, each run of whitespace one space, none at either end.
#[derive(Clone)]
struct Normalised<I: Iterator<Item = char>> {
    chars: std::iter::Peekable<I>,
}

impl<I: Iterator<Item = char>> Normalised<I> {
    fn new(chars: I) -> Normalised<I> {
        let mut chars = chars.peekable();
        while chars.next_if(is_blank).is_some() {}
        Normalised { chars }
    }
}

impl<I: Iterator<Item = char>> Iterator for Normalised<I> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let first = self.chars.next()?;
        if !is_blank(&first) {
            return Some(first.to_ascii_uppercase());
        }
        while self.chars.next_if(is_blank).is_some() {}
        self.chars.peek().map(|_| ' ')
    }
}

fn is_blank(c: &char) -> bool {
    matches!(c, ' ' | '\t')
}

fn starts_with(chars: impl Iterator<Item = char>, prefix: &str) -> bool {
    strip(chars, prefix).is_some()
}

fn strip<I: Iterator<Item = char>>(mut chars: I, prefix: &str) -> Option<I> {
    prefix.chars().all(|expected| chars.next() == Some(expected)).then_some(chars)
}
