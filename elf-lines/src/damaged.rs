//! Recognises line strings that are invalid because a line was damaged.

use crate::line::{Kind, Lenience, Line, significant_digits};
use crate::tags::{is_known_tag, tag_of_full_name};
use crate::{is_capital_tag, is_tag, parse_characters_checked};
use elf_base::Span;
use elf_base::rules::LineRules;
use std::borrow::Cow;

/// The greatest number of characters that an identifier between two at signs can have.
const LONGEST_IDENTIFIER: usize = 40;

/// The result of [`damaged_line`], for an invalid line string that looks like a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DamagedLine<'t> {
    /// It is clear which line the string was before it was damaged.
    Meant(MeantLine<'t>),
    /// Only the level of the line is clear. The level is at most [`u32::MAX`], as in
    /// [`Line::level`](crate::Line::level).
    Unclear(u32),
}

/// The line that a damaged line string most likely is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeantLine<'t> {
    /// The length in bytes of the text before the level, which is skipped.
    pub skipped: u32,
    /// The line, which starts with its level.
    pub line: Line<'t>,
    /// The message about the damage: what was expected and what was found.
    pub message: &'static str,
    /// The correct spelling of the line up to its payload.
    pub head: String,
    /// Whether at signs were removed, although that may be wrong.
    pub is_guess: bool,
}

impl DamagedLine<'_> {
    /// Returns the level of the damaged line.
    pub const fn level(&self) -> u32 {
        match self {
            DamagedLine::Meant(meant) => meant.line.level,
            DamagedLine::Unclear(level) => *level,
        }
    }
}

/// Recognises a line string that is invalid but looks like a line. Returns `None` if the string is ordinary text.
///
/// A damaged line starts with a level without leading zeros, followed by an identifier between at signs or by a word
/// that looks like a tag. Such a word has at least three characters, starts with a capital letter or an underscore, and
/// has no lower-case letters. Byte-order marks, no-break spaces and other invisible characters may surround the parts,
/// blanks may be missing, and at signs may be doubled.
///
/// ```
/// use elf_base::Rules;
/// use elf_lines::{DamagedLine, damaged_line};
///
/// let read = |text| damaged_line(text, &Rules::WILD.lines);
/// let Some(DamagedLine::Meant(meant)) = read("0@I2@ INDI") else { panic!("it means a line") };
/// assert_eq!((meant.line.xref(), meant.line.tag(), &*meant.head), (Some("I2"), "INDI", "0 @I2@ INDI"));
/// assert_eq!(read("0 @I2 INDI"), Some(DamagedLine::Unclear(0))); // the at sign that closes the identifier is missing
/// assert_eq!(read("2 BI$T"), Some(DamagedLine::Unclear(2)));
/// assert_eq!(read("19 March too, and 20."), None);
/// assert_eq!(read("01 JAN/FEB"), None); // no level is written with a zero before it
/// assert_eq!(read("second line"), None);
/// ```
pub fn damaged_line<'t>(text: &'t str, rules: &LineRules) -> Option<DamagedLine<'t>> {
    let scanned = ScannedHead::of(text)?;
    if let Some(meant) = parse_after_mark(text, scanned.start, rules) {
        return Some(DamagedLine::Meant(meant));
    }
    let level = capped_level(scanned.level.of(text));
    if scanned.level.len() > 1 && scanned.level.of(text).starts_with('0') || !scanned.is_like_line(text) {
        return None;
    }
    let meant = scanned.find_meant_line(text, rules).map(DamagedLine::Meant);
    Some(meant.unwrap_or(DamagedLine::Unclear(level)))
}

/// Parses a line string that may be [damaged](damaged_line).
pub fn parse_damaged<'t>(text: &'t str, rules: &LineRules) -> Option<Cow<'t, str>> {
    match parse_characters_checked(text, rules) {
        Ok(_) => Some(Cow::Borrowed(text)),
        Err(_) => match damaged_line(text, rules)? {
            DamagedLine::Meant(meant) => Some(Cow::Owned(meant.respelled())),
            DamagedLine::Unclear(_) => None,
        },
    }
}

impl MeantLine<'_> {
    /// Returns the correct spelling of the line.
    pub fn respelled(&self) -> String {
        let behind = self.line.text.get(self.line.payload.start as usize..).unwrap_or_default();
        [&*self.head, behind].concat()
    }
}

/// Parses a line that follows a byte-order mark. The mark is skipped.
fn parse_after_mark<'t>(text: &'t str, start: usize, rules: &LineRules) -> Option<MeantLine<'t>> {
    let skipped =
        text.get(..start).filter(|skipped| skipped.contains(MARK) || skipped.ends_with(LATIN_MARK))?;
    let line = parse_characters_checked(text.get(skipped.len()..)?, rules).ok()?;
    let head = line.text.get(..line.payload.start as usize)?.to_owned();
    let message = "expected the level first, but found a byte-order mark";
    Some(MeantLine { skipped: offset(skipped.len()), line, message, head, is_guess: false })
}

const MARK: char = '\u{FEFF}';
/// The byte-order mark of UTF-8, decoded in windows-1252.
const LATIN_MARK: &str = "ï»¿";

/// Returns whether a character separates words invisibly, as blanks do.
fn is_gap(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, MARK | '\u{200B}'..='\u{200F}' | '\u{2060}')
}

fn skip_gaps(text: &str) -> &str {
    let behind = text.trim_start_matches(is_gap);
    behind.strip_prefix(LATIN_MARK).unwrap_or(behind)
}

/// The parts of a line string up to its tag. Any characters may be between the parts.
///
/// Use this type to find the parts of a line that was damaged (see [`MeantLine`]), or of a line with the full name of a
/// tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScannedHead {
    /// The offset of the level.
    start: usize,
    level: Span,
    /// The text between the at signs. The text is empty if the line has no identifier.
    pub xref: Span,
    /// The word after the level and the identifier.
    pub tag: Span,
    at_signs: usize,
    /// Whether the identifier also ends with at signs.
    is_closed: bool,
    /// The number of characters between the level and the next part, which is the identifier or, without one, the tag.
    gap: usize,
    /// Whether there is a gap between the identifier and the tag.
    has_gap_behind_xref: bool,
}

impl ScannedHead {
    /// Scans a line string. Returns `None` if it has no level.
    pub fn of(text: &str) -> Option<ScannedHead> {
        let body = skip_gaps(text);
        let start = text.len() - body.len();
        let at = |rest: &str| text.len() - rest.len();
        let behind_level = body.trim_start_matches(|c: char| c.is_ascii_digit());
        if behind_level.len() == body.len() {
            return None;
        }
        let level = span(start, at(behind_level));
        let rest = behind_level.trim_start_matches(is_gap);
        let gap = behind_level[..behind_level.len() - rest.len()].chars().count();
        let label = rest.trim_start_matches('@');
        let at_signs = rest.len() - label.len();
        let mut head = ScannedHead {
            start,
            level,
            xref: span(at(label), at(label)),
            tag: span(at(label), at(label)),
            at_signs,
            is_closed: false,
            gap,
            has_gap_behind_xref: false,
        };
        let mut word = rest;
        if at_signs > 0 {
            // Two at signs with nothing between them are an identifier whose text was lost.
            let is_empty = at_signs == 2 && label.starts_with(is_gap);
            let closed = label.split_once('@').map(|(xref, _)| xref).filter(|_| !is_empty);
            let Some(xref) = closed.or(is_empty.then_some("")) else { return Some(head) };
            head.xref = span(at(label), at(label) + xref.len());
            head.is_closed = true;
            let closed = label.get(xref.len()..)?.trim_start_matches('@');
            word = closed.trim_start_matches(is_gap);
            head.has_gap_behind_xref = word.len() < closed.len();
        }
        let end = word.find(is_gap).unwrap_or(word.len());
        head.tag = span(at(word), at(word) + end);
        Some(head)
    }

    /// Returns whether the level is followed by an identifier, or by a word that looks like a tag.
    fn is_like_line(&self, text: &str) -> bool {
        let tag = self.tag.of(text);
        // Text with several spaces after a number is probably a table.
        let is_near = self.gap <= 1;
        if self.at_signs == 0 {
            return is_near && is_like_tag(tag);
        }
        let xref = self.xref.of(text);
        if !self.is_closed {
            // Even if the second at sign of the identifier is missing, this may be a line.
            let label = text.get(self.xref.start as usize..).unwrap_or_default();
            return self.gap == 1 && label.starts_with(char::is_alphanumeric);
        }
        let is_lost = xref.is_empty() || xref.starts_with('#');
        let starts_well = xref.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_identifier = starts_well && xref.len() <= LONGEST_IDENTIFIER && !xref.contains(is_gap);
        is_identifier || self.gap == 1 && starts_well || is_lost && is_like_tag(tag)
    }

    /// Returns the line that was most likely meant. Returns `None` if that is not clear.
    fn find_meant_line<'t>(&self, text: &'t str, rules: &LineRules) -> Option<MeantLine<'t>> {
        let (xref, tag) = (self.xref.of(text), self.tag.of(text));
        let is_meant = match self.at_signs {
            0 => is_certain_tag(tag, rules),
            1 | 2 => self.is_closed && self.has_gap_behind_xref && is_like_tag(tag) && is_tag(tag),
            _ => false,
        };
        let is_full = tag_of_full_name(tag).is_some();
        if !is_meant || is_full && !rules.tag_names.may_be_full() || xref.contains(is_gap) {
            return None;
        }
        let level = self.level.of(text);
        let mut head =
            if self.at_signs == 0 { format!("{level} {tag}") } else { format!("{level} @{xref}@ {tag}") };
        let behind_tag = text.get(self.tag.end as usize..)?;
        let mut gap = behind_tag.chars();
        let payload = if gap.next().is_some() { gap.as_str() } else { behind_tag };
        if payload.len() < behind_tag.len() {
            head.push(' ');
        }
        let respelled = [&*head, payload].concat();
        let parsed = parse_characters_checked(&respelled, rules).ok()?;
        // Both texts end with the same payload and the same trimmed whitespace, so an offset counted from the end is
        // the same in both.
        let moved = |at: u32| (text.len() - self.start) - (respelled.len() - at as usize);
        let within = |span: Span| Span::new(span.start - offset(self.start), span.end - offset(self.start));
        let lenience = parsed.lenience.or(Lenience::DAMAGED).or(Lenience::FULL_TAG.when(is_full));
        let line = Line {
            text: text.get(self.start..)?,
            level: parsed.level,
            xref: within(self.xref),
            tag: within(self.tag),
            payload: match parsed.kind {
                Kind::Absent => span(text.len() - self.start, text.len() - self.start),
                Kind::Empty | Kind::Text | Kind::Pointer => {
                    span(moved(parsed.payload.start), moved(parsed.payload.end))
                }
            },
            kind: parsed.kind,
            lenience,
        };
        head.truncate(parsed.payload.start as usize);
        let (message, is_guess) = (self.describe_damage(text), self.at_signs == 2);
        Some(MeantLine { skipped: offset(self.start), line, message, head, is_guess })
    }

    fn describe_damage(&self, text: &str) -> &'static str {
        if self.gap == 0 {
            "expected a space after the level, but found none"
        } else if self.at_signs == 2 {
            "expected an identifier between single at signs, but the at signs are doubled"
        } else if text.get(..self.start).is_some_and(|before| !before.trim_matches([' ', '\t']).is_empty()) {
            "expected the level first, but found an invisible character"
        } else {
            "expected a space between the parts of the line, but found an invisible character"
        }
    }
}

/// Returns whether a word looks like a tag. Such a word has at least three characters, starts with a capital letter or
/// an underscore, and has no lower-case letters.
fn is_like_tag(word: &str) -> bool {
    word.chars().count() >= 3
        && word.starts_with(|c: char| c.is_uppercase() || c == '_')
        && !word.contains(char::is_lowercase)
}

/// Returns whether a word after a level can only be a tag: a known tag, or one that starts with an underscore.
fn is_certain_tag(word: &str, rules: &LineRules) -> bool {
    let is_full = || rules.tag_names.may_be_full() && tag_of_full_name(word).is_some();
    is_like_tag(word) && is_capital_tag(word) && (word.starts_with('_') || is_known_tag(word) || is_full())
}

/// Returns whether a line string is a line whose level is missing. Such a line string consists of a known tag and a
/// pointer.
///
/// ```
/// use elf_base::Rules;
/// use elf_lines::lacks_level;
/// let wild = Rules::WILD.lines;
/// assert!(lacks_level("CHIL @I1@", &wild) && !lacks_level("CHIL died young", &wild) && !lacks_level("see @I1@", &wild));
/// ```
pub fn lacks_level(text: &str, rules: &LineRules) -> bool {
    let text = text.trim_matches(is_gap);
    let Some((tag, behind)) = text.split_once(is_gap) else { return false };
    let pointer = behind.trim_start_matches(is_gap);
    let label = pointer.strip_prefix('@').and_then(|rest| rest.strip_suffix('@'));
    let is_known = is_known_tag(tag) || rules.tag_names.may_be_full() && tag_of_full_name(tag).is_some();
    is_known && label.is_some_and(|label| label.starts_with(char::is_alphanumeric) && !label.contains('@'))
}

fn span(start: usize, end: usize) -> Span {
    Span::new(offset(start), offset(end))
}

#[allow(clippy::cast_possible_truncation, reason = "a line string is at most 4 GiB long")]
pub(crate) const fn offset(at: usize) -> u32 {
    at as u32
}

/// Returns the level at the start of a line string. Whitespace and byte-order marks may precede the level. The result
/// is at most [`u32::MAX`]. Returns `None` if the string does not start with a level.
///
/// ```
/// use elf_lines::leading_level;
/// assert_eq!(leading_level(" 2 DATE"), Some(2));
/// assert_eq!(leading_level("99999999999 DATE"), Some(u32::MAX));
/// assert_eq!(leading_level("DATE"), None);
/// ```
pub fn leading_level(text: &str) -> Option<u32> {
    let text = skip_gaps(text);
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let level = text.get(..text.len() - rest.len()).filter(|level| !level.is_empty())?;
    Some(capped_level(level))
}

fn capped_level(digits: &str) -> u32 {
    significant_digits(digits).parse().unwrap_or(u32::MAX)
}

/// Returns whether an invalid line string may be the damaged first line of a record. The lines after such a line may
/// belong to another person. A line string may be such a line if it starts with level 0 or an at sign, or if it
/// contains text between two at signs or the tag INDI or FAM.
///
/// ```
/// use elf_lines::may_begin_record;
/// assert!(may_begin_record("0 @@ INDI") && may_begin_record("O @I8@ INDI"));
/// assert!(!may_begin_record("and in 1850 he left"));
/// ```
pub fn may_begin_record(text: &str) -> bool {
    let is_noise = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '\u{FEFF}' | '\u{FFFD}');
    let text = text.trim_start_matches(is_noise);
    let unsigned = text.trim_start_matches(['-', '+']);
    let behind = unsigned.trim_start_matches(['0', 'O', 'o']);
    let has_level = behind.len() < unsigned.len()
        && (behind.starts_with('@')
            || unsigned.starts_with('0') && behind.chars().next().is_none_or(is_noise)
            || behind.trim_start().starts_with('@'));
    has_level || text.starts_with('@') || has_identifier(text) || has_record_tag(text)
}

/// Returns whether there is text without blanks between two at signs.
fn has_identifier(text: &str) -> bool {
    let between = |(at, _)| {
        let behind = &text[at + 1..];
        let end = behind.find(|c: char| c == '@' || c.is_whitespace()).unwrap_or_default();
        (1..=LONGEST_IDENTIFIER).contains(&end) && behind.get(end..).is_some_and(|rest| rest.starts_with('@'))
    };
    text.match_indices('@').any(between)
}

/// Returns whether a text contains the word FAM, or the word INDI in any case.
fn has_record_tag(text: &str) -> bool {
    let is_start = |three: &[u8]| three == b"FAM" || three.eq_ignore_ascii_case(b"IND");
    if !text.as_bytes().windows(3).any(is_start) {
        return false;
    }
    let mut words = text.split(|c: char| !c.is_alphabetic());
    words.any(|word| word.eq_ignore_ascii_case("INDI") || word == "FAM")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_may_begin_records_are_known() {
        for text in [
            "0 @@ INDI",
            "0",
            "00 ",
            "-0 X",
            "O @I8@ INDI",
            "0@I9@INDI",
            "@I6@ INDI",
            "@I6@",
            "\u{FEFF}0 @I1@ X",
            "? @I5@ IN?I",
            "x indi",
            "0INDI",
            "\u{FFFD}\u{FFFD}0 \u{FFFD}",
            "-1 @I12@ INDI",
            "12 FAM",
            "0 @#I14@ INDI",
            "O  @",
        ] {
            assert!(may_begin_record(text), "{text}");
        }
        for text in [
            "he moved to INDIANA",
            "07 May 1850",
            "0.5 acres",
            "Oh dear",
            "O mother",
            "see ada@king.example",
            "",
            "1850 he left",
            "her family",
            "indigo",
            "10 children",
            "a@b.c, d@e.f",
        ] {
            assert!(!may_begin_record(text), "{text}");
        }
    }
}
