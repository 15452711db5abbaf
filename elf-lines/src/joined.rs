//! Finds lines that follow another line without a line break.

use crate::Line;
use crate::damaged::offset;
use crate::tags::{is_known_tag, takes_no_text};
use elf_base::Span;
use std::ops::Range;

/// A line that follows another line in the same line string, because the line break between them is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinedLine {
    /// The span of the joined line's level, identifier and tag in the line string.
    pub head: Span,
}

/// Finds the first line that is joined to `line`, which was parsed from `text`.
///
/// A joined line starts with a possible level. The level is followed by an identifier between at signs and a tag, or by
/// a known tag. There is no blank before the level, unless the structure of `line` never has text.
///
/// ```
/// use elf_base::Rules;
/// use elf_lines::{joined_line, parse};
///
/// let joined = |text: &'static str| {
///     let line = parse(text, &Rules::WILD.lines).ok()?;
///     joined_line(text, &line).map(|joined| joined.head.of(text))
/// };
/// assert_eq!(joined("1 SEX M0 @I2@ INDI"), Some("0 @I2@ INDI"));
/// assert_eq!(joined("0 @I4@ INDI1 NAME B /H/"), Some("1 NAME"));
/// assert_eq!(joined("1 NOTE Born 1 MAY 1900 at 2 PARK Row"), None);
/// assert_eq!(joined("1 _ATTR1 NAME"), None);
/// ```
pub fn joined_line(text: &str, line: &Line<'_>) -> Option<JoinedLine> {
    let payload = line.payload_span().start as usize;
    let deepest = line.level().saturating_add(1);
    let written = line.tag_span().of(text);
    let base = written.trim_end_matches(|c: char| c.is_ascii_digit());
    // In `INDI1 NAME`, the level of the second line was read as the end of the tag of the first line.
    if base.len() < written.len() && is_known_tag(base) && !is_known_tag(written) {
        let at = line.tag_span().start as usize + base.len();
        return Candidate::with_level_at(text, at)
            .filter(|one| one.is_line() && one.level <= deepest)
            .map(Candidate::into_joined_line);
    }
    if takes_no_text(line.tag(), line.level() == 0)
        && let Some(joined) =
            Candidate::with_level_at(text, payload).filter(|one| one.is_line() && one.level <= deepest)
    {
        return Some(joined.into_joined_line());
    }
    let is_prose = PROSE.contains(&line.tag());
    find_joined_line(text, payload, |one| one.level <= deepest && one.is_joined_to_text(is_prose))
}

/// Finds the first record with an identifier whose line is joined to a text.
///
/// ```
/// assert!(elf_lines::joined_text("and so on0 @I2@ INDI").is_some());
/// assert!(elf_lines::joined_text("see 0 @I2@ INDI").is_none());
/// ```
pub fn joined_text(text: &str) -> Option<JoinedLine> {
    find_joined_line(text, 0, |one| one.level == 0 && one.has_xref && one.is_joined_to_text(true))
}

/// Returns the next offset, from `from` on, at which a joined line may start. Returns the length of `text` if there is
/// none. This is a fast filter for [`joined_line`].
pub fn find_joined(text: &str, from: usize) -> usize {
    let octets = text.as_bytes();
    let mut chunk = from.max(1)..from.max(1);
    while chunk.end < octets.len() {
        chunk = chunk.end..octets.len().min(chunk.end + CHUNK);
        if may_have_start(octets, chunk.clone()) {
            let is_start =
                |&at: &usize| is_like_start(octets, at) && Candidate::ending_at_digit(text, at).is_some();
            if let Some(found) = chunk.clone().find(is_start) {
                return found;
            }
        }
    }
    octets.len()
}

/// The number of bytes that [`may_have_start`] examines at once.
const CHUNK: usize = 32;

/// Returns whether the chunk has a digit, followed by a blank and a capital letter or an at sign. Every text is
/// searched in this way, so the function has no branches and compiles to vector instructions.
fn may_have_start(octets: &[u8], chunk: Range<usize>) -> bool {
    let Some(near) = octets.get(chunk.start - 1..chunk.end + 2) else { return true };
    let (before, digit, blank, first) = (near, &near[1..], &near[2..], &near[3..]);
    let places = before.iter().zip(digit).zip(blank.iter().zip(first));
    places.fold(false, |any, ((before, digit), (blank, first))| {
        any | (digit.is_ascii_digit()
            & (*before > b'\r')
            & (*blank == b' ')
            & first.wrapping_sub(b'@').le(&26))
    })
}

/// Returns whether the digit at offset `at` may be the level of a joined line. `at` is not 0.
fn is_like_start(octets: &[u8], at: usize) -> bool {
    let Some([before, digit, b' ', first]) = octets.get(at - 1..at + 3) else { return false };
    digit.is_ascii_digit()
        && !matches!(before, b'\n' | b'\r')
        && matches!(first, b'@'..=b'Z')
        && !is_month(&octets[at + 2..])
}

/// Returns whether the bytes start with a month. In most text, a month follows a digit and a blank.
fn is_month(octets: &[u8]) -> bool {
    const MONTHS: [&[u8; 3]; 12] =
        [b"JAN", b"FEB", b"MAR", b"APR", b"MAY", b"JUN", b"JUL", b"AUG", b"SEP", b"OCT", b"NOV", b"DEC"];
    let month = octets.first_chunk().filter(|_| !octets.get(3).is_some_and(u8::is_ascii_uppercase));
    month.is_some_and(|month| MONTHS.contains(&month))
}

/// A place where a joined line may start.
#[derive(Clone, Copy)]
struct Candidate<'t> {
    text: &'t str,
    /// The offset of the level.
    start: u32,
    level: u32,
    has_xref: bool,
    tag: Span,
}

impl<'t> Candidate<'t> {
    /// Returns the candidate whose level has its last digit at `at`. If all digits before it together are not a level,
    /// only this digit is used.
    fn ending_at_digit(text: &'t str, at: usize) -> Option<Candidate<'t>> {
        let before = text.get(..=at)?;
        let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        Candidate::with_level_at(text, if digits > LONGEST_LEVEL { at } else { before.len() - digits })
    }

    fn with_level_at(text: &'t str, start: usize) -> Option<Candidate<'t>> {
        let body = text.get(start..)?;
        let behind_level = body.trim_start_matches(|c: char| c.is_ascii_digit());
        let level =
            body.get(..body.len() - behind_level.len()).filter(|level| level.len() <= LONGEST_LEVEL)?;
        let mut rest = behind_level.strip_prefix(' ')?;
        let label = rest.strip_prefix('@').and_then(|label| label.split_once('@'));
        if let Some((xref, behind)) = label {
            let is_identifier =
                xref.starts_with(char::is_alphanumeric) && !xref.contains(char::is_whitespace);
            rest = behind.strip_prefix(' ').filter(|_| is_identifier)?;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let tag = rest.get(..end).filter(|tag| tag.len() >= SHORTEST_TAG && crate::is_capital_tag(tag))?;
        let base = tag.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_possible = label.is_some() || is_known_tag(tag) || is_known_tag(base);
        let at = text.len() - rest.len();
        let tag = Span::new(offset(at), offset(at + tag.len()));
        let level = level.parse().ok().filter(|_| is_possible)?;
        Some(Candidate { text, start: offset(start), level, has_xref: label.is_some(), tag })
    }

    /// Returns whether this can be a line: it has an identifier, or a tag that needs no identifier at this level.
    fn is_line(&self) -> bool {
        let is_bare_record = matches!(self.tag.of(self.text), "HEAD" | "TRLR");
        let is_record = is_bare_record || matches!(self.tag.of(self.text), "FAM" | "INDI");
        self.has_xref || if self.level == 0 { is_bare_record } else { !is_record }
    }

    /// Returns whether this is a line that directly follows text, without a blank.
    fn is_joined_to_text(&self, is_prose: bool) -> bool {
        let before = self.text.get(..self.start as usize).unwrap_or_default();
        let is_word = is_prose && WORDS.contains(&self.tag.of(self.text));
        // Digits within an identifier or an address are not a level.
        let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        let is_named = word.contains('@') && !word.ends_with('@');
        self.is_line() && !word.is_empty() && (self.has_xref || !is_word && !is_named)
    }

    fn into_joined_line(self) -> JoinedLine {
        JoinedLine { head: Span::new(self.start, self.tag.end) }
    }
}

fn find_joined_line(text: &str, from: usize, meant: impl Fn(&Candidate<'_>) -> bool) -> Option<JoinedLine> {
    let octets = text.as_bytes();
    (from.max(1)..octets.len())
        .filter(|&at| is_like_start(octets, at))
        .filter_map(|at| Candidate::ending_at_digit(text, at))
        .find(|one| one.start as usize >= from && meant(one))
        .map(Candidate::into_joined_line)
}

/// The greatest number of digits that a level can have here. A year has more digits.
const LONGEST_LEVEL: usize = 2;
/// The smallest number of letters that a tag can have here.
const SHORTEST_TAG: usize = 3;

/// The tags of structures whose payload is running text.
const PROSE: [&str; 14] = [
    "ADDR", "AUTH", "CAUS", "CONC", "CONT", "COPR", "DSCR", "FILE", "NOTE", "PAGE", "PUBL", "REFN", "TEXT",
    "TITL",
];

/// The tags that are also English words. Such a tag may follow a number in running text: `roll B2 PAGE 7`.
const WORDS: [&str; 20] = [
    "AGE", "CITY", "DATA", "DATE", "FACT", "FAX", "FILE", "LEFT", "LONG", "MAP", "NAME", "NOTE", "PAGE",
    "POST", "ROLE", "SEX", "TEXT", "TIME", "TYPE", "WILL",
];
