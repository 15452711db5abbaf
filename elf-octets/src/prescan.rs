//! Finds the byte-order mark and CHAR of a file before its encoding is known.
//!
//! Decoding and parsing need the encoding, so this module reads the levels and tags of header lines itself (D19
//! *Specified character encodings*, J19 §7.2.2).

use crate::evidence::HeaderHints;
use crate::pages::Page;
use crate::units::{RawLine, RawLines, Units, is_blank};
use crate::{DetectedBy, Encoding, Options};
use elf_base::rules::Prescan;
use elf_base::{Rules, Version};
use std::ops::Range;

/// The number of bytes of a file in which CHAR is searched. The drafts set no limit. Without a limit, a file whose
/// header never ends could not be read in bounded memory.
pub(crate) const HEADER_LIMIT: usize = 16 << 20;

/// A longer payload of CHAR is cut to this number of characters.
const NAME_LIMIT: usize = 80;

/// The encoding that the first bytes of a file show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Detected {
    pub(crate) encoding: Option<Encoding>,
    pub(crate) by: Option<DetectedBy>,
    /// The length of the byte-order mark, in bytes. The length is 0 if there is no mark.
    pub(crate) mark: usize,
    /// Whether the file starts with two byte-order marks. Both byte-order marks are skipped.
    pub(crate) repeated: bool,
}

/// A line of the header with its payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeaderLine {
    pub(crate) payload: String,
    /// The line number, from 1.
    pub(crate) line: u64,
    /// The offset of the line, in bytes.
    pub(crate) at: usize,
}

/// The result of scanning the header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeaderScan {
    /// Whether the first line is the start of a header. `None` if the file has only blank lines.
    pub(crate) head: Option<bool>,
    /// The line number and the bytes of the first line that is not blank, for use in a message.
    pub(crate) first: Option<(u64, Range<usize>)>,
    pub(crate) char: Option<HeaderLine>,
    /// The payload of `2 VERS` on the line after CHAR.
    pub(crate) version: Option<String>,
    /// Whether `2 VERS` under `1 GEDC` says GEDCOM 7. After CHAR, this line is searched only if it decides the rules
    /// for the file.
    pub(crate) gedcom_7: bool,
    /// Whether the header says that the file follows the draft of GEDCOM 7.1.
    pub(crate) gedcom_7_1: bool,
    /// The line and the offset of the first zero byte, if a zero byte is an error.
    pub(crate) nul: Option<(u64, usize)>,
    /// Other evidence for the encoding, which is collected under rules that let the bytes decide.
    pub(crate) hints: HeaderHints,
    /// Whether more bytes could change the result.
    pub(crate) unfinished: bool,
}

/// Detects the encoding from the first bytes (D19 *Detecting a character encoding*, J19 §7.2.1).
pub(crate) fn detect_encoding(octets: &[u8], rules: &Rules, options: &Options) -> Detected {
    let marks = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be]
        .map(|one| (one, one.mark().unwrap_or_default()));
    let marked = marks.into_iter().find(|(_, mark)| octets.starts_with(mark));
    let prescan = rules.octets.prescan;
    let none = Detected { encoding: None, by: None, mark: 0, repeated: false };
    if let Some(external) = options.external.filter(|_| prescan.prefers_external()) {
        let mark = marked.filter(|(encoding, _)| *encoding == external).map_or(0, |(_, mark)| mark.len());
        return Detected { encoding: Some(external), by: Some(DetectedBy::External), mark, ..none };
    }
    if let Some((encoding, mark)) = marked {
        // A second byte-order mark is text (AMB-46), unless the rules recover from errors.
        let rest = &octets[mark.len()..];
        let repeated = rules.octets.content && rest.starts_with(mark);
        let length = if repeated { 2 * mark.len() } else { mark.len() };
        return Detected {
            encoding: Some(encoding),
            by: Some(DetectedBy::ByteOrderMark),
            mark: length,
            repeated,
        };
    }
    let shows =
        |octet: u8| if prescan.detects_by_zero() { octet == b'0' } else { (0x01..=0x7F).contains(&octet) };
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

/// Searches for CHAR in the header. `octets` starts after the byte-order mark.
pub(crate) fn scan_header(octets: &[u8], detected: Option<Encoding>, rules: &Rules) -> HeaderScan {
    let octets = octets.get(..HEADER_LIMIT).unwrap_or(octets);
    let units = Units::of(detected);
    let mut lines = RawLines { octets, units, at: 0, number: 1 };
    match rules.octets.prescan {
        Prescan::Early => scan_like_early_drafts(&mut lines, rules),
        Prescan::December | Prescan::Gedcom70 => scan_like_december(&mut lines, detected.is_none(), rules),
    }
}

/// Scans the header by the rules of December 2019: whitespace is normalised and letters are in upper case. Under rules
/// that let the bytes decide, LANG and SOUR are searched until the header ends.
fn scan_like_december(lines: &mut RawLines<'_>, nul_is_fault: bool, rules: &Rules) -> HeaderScan {
    let names = TagSpellings { may_be_full: rules.lines.tag_names.may_be_full() };
    let rules = &rules.octets;
    let lenient = rules.content;
    let mut scan = HeaderScan::default();
    let mut heads = 0;
    let (mut in_gedc, mut said_version) = (false, false);
    let mut behind_char = false;
    let mut is_answered = false;
    while let Some(RawLine { number, octets: range, .. }) = lines.next() {
        let units = lines.units;
        // Rules that recover from errors skip a byte-order mark at the start of any line.
        let mark = if lenient { units.mark_length(&lines.octets[range.clone()]) } else { 0 };
        let range = range.start + mark..range.end;
        let line = &lines.octets[range.clone()];
        let chars = || Normalised::new(units.chars(line));
        if nul_is_fault && scan.nul.is_none() && scan.char.is_none() && !is_answered {
            scan.nul = memchr::memchr(0, line).map(|at| (number, range.start + at));
        }
        if chars().next().is_none() {
            continue;
        }
        // Under rules that recover from errors, leading zeros are ignored.
        let zeros = if lenient { chars().take_while(|c| *c == '0').count().saturating_sub(1) } else { 0 };
        let record = starts_with_prefix(chars().skip(zeros), "0 ");
        if scan.first.is_none() {
            scan.first = Some((number, range.clone()));
            let head = names.matches_line(chars(), "0 HEAD", "ER");
            scan.head = Some(head);
            if !head && !lenient {
                return scan;
            }
        } else if record && (!lenient || heads > 0) {
            return scan;
        }
        heads += usize::from(record);
        if lenient {
            scan.hints.remember_line(chars());
            if is_answered {
                continue;
            }
        }
        if starts_with_prefix(chars(), "1 ") {
            in_gedc = names.matches_line(chars(), "1 GEDC", "OM");
        } else if in_gedc && let Some(version) = names.payload_after(chars(), "2 VERS", "ION") {
            let version: String = version.take(NAME_LIMIT).collect();
            scan.gedcom_7 |= Version::says_gedcom_7(&version);
            scan.gedcom_7_1 |= Version::says_gedcom_7_1(&version);
            in_gedc = false;
            said_version = true;
            if scan.char.is_some() {
                is_answered = true;
            }
        } else if behind_char {
            // The draft says that “one more line string may be read”. That line string may contain the version.
            scan.version =
                names.payload_after(chars(), "2 VERS", "ION").map(|rest| rest.take(NAME_LIMIT).collect());
        }
        // Later lines may still decide the rules for the file.
        if std::mem::take(&mut behind_char) && (said_version || !rules.gedcom_7.is_followed()) {
            is_answered = true;
        }
        if is_answered {
            if lenient {
                continue;
            }
            return scan;
        }
        if rules.prescan.reads_char()
            && scan.char.is_none()
            && let Some(rest) = names.payload_after(chars(), "1 CHAR", "ACTER")
        {
            let payload = make_legible(rest.take(NAME_LIMIT).collect(), units);
            scan.char = Some(HeaderLine { payload, line: number, at: range.start + units.payload_at(line) });
            behind_char = true;
        }
    }
    scan.unfinished = true;
    scan
}

/// The ways in which a tag in the header may be written: only as a tag, or also by its full name.
#[derive(Clone, Copy)]
struct TagSpellings {
    may_be_full: bool,
}

impl TagSpellings {
    /// Returns whether the characters are `line`, or `line` followed by `rest`, which completes the full name of the
    /// tag.
    fn matches_line(self, chars: impl Iterator<Item = char> + Clone, line: &str, rest: &str) -> bool {
        chars.clone().eq(line.chars()) || self.may_be_full && chars.eq(line.chars().chain(rest.chars()))
    }

    /// Returns the text that follows `line` and a blank. Before the blank, `rest` may complete the full name of the
    /// tag.
    fn payload_after<I: Iterator<Item = char> + Clone>(self, chars: I, line: &str, rest: &str) -> Option<I> {
        let behind = strip_prefix(chars, line)?;
        let full = if self.may_be_full { strip_prefix(behind.clone(), rest) } else { None };
        full.and_then(|behind| strip_prefix(behind, " ")).or_else(|| strip_prefix(behind, " "))
    }
}

/// Scans the header by the drafts before December 2019, up to the second line at level 0.
fn scan_like_early_drafts(lines: &mut RawLines<'_>, rules: &Rules) -> HeaderScan {
    let mut scan = HeaderScan::default();
    let mut records = 0;
    while let Some(RawLine { number, octets: range, .. }) = lines.next() {
        let line = &lines.octets[range.clone()];
        let units = lines.units;
        if Normalised::new(units.chars(line)).next().is_none() {
            continue;
        }
        // Only the start of a line is needed, because no level, tag or name of an encoding is longer.
        let text: String = units.chars(line).take(4 * NAME_LIMIT).collect();
        let probe = LineProbe::parse(&text, rules);
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
                // Whitespace around a name is not part of it.
                let name = probe.payload.unwrap_or_default().trim_matches(BLANK);
                let payload = make_legible(name.chars().take(NAME_LIMIT).collect(), units);
                scan.char =
                    Some(HeaderLine { payload, line: number, at: range.start + units.payload_at(line) });
                return scan;
            }
            _ => {}
        }
    }
    scan.unfinished = true;
    scan
}

/// Makes a name outside ASCII readable in a message. The bytes of the name were read as the characters with the same
/// numbers, but they are more likely UTF-8 or windows-1252.
fn make_legible(name: String, units: Units) -> String {
    if name.is_ascii() || units != Units::One {
        return name;
    }
    let octets: Vec<u8> = name.chars().filter_map(|character| u8::try_from(character).ok()).collect();
    String::from_utf8(octets).unwrap_or_else(|error| {
        let page = Page::of(Encoding::Windows1252, false);
        error.as_bytes().iter().map(|octet| page.character(*octet).unwrap_or(char::from(*octet))).collect()
    })
}

const BLANK: [char; 2] = [' ', '\t'];

/// The parts of a line that are needed to find CHAR. The parts are parsed by a part of the line grammar (J19 §6.1).
#[derive(Clone, Copy)]
struct LineProbe<'t> {
    level: &'t str,
    tag: &'t str,
    payload: Option<&'t str>,
}

impl<'t> LineProbe<'t> {
    fn parse(line: &'t str, rules: &Rules) -> Option<LineProbe<'t>> {
        let line = if rules.lines.leading_whitespace { line.trim_start_matches(BLANK) } else { line };
        let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let mut level = line.strip_suffix(after)?;
        let zeros = level.trim_start_matches('0');
        if level.len() > 1 && zeros.len() < level.len() {
            if rules.lines.level_zeros.are_malformed() {
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
        let payload = if rules.lines.payload.is_trimmed() {
            Some(after.trim_matches(BLANK)).filter(|payload| !payload.is_empty())
        } else {
            after.strip_prefix(BLANK)
        };
        Some(LineProbe { level, tag, payload })
    }
}

/// Characters in ASCII upper case. Spaces at the ends are removed, and repeated spaces become one.
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

fn starts_with_prefix(chars: impl Iterator<Item = char>, prefix: &str) -> bool {
    strip_prefix(chars, prefix).is_some()
}

fn strip_prefix<I: Iterator<Item = char>>(mut chars: I, prefix: &str) -> Option<I> {
    prefix.chars().all(|expected| chars.next() == Some(expected)).then_some(chars)
}
