//! The grammar: one function a production, the production above it.
//!
//! Productions are those of December 2019; what the other drafts change is in the function that it
//! changes.

use crate::chars::{SMALL, VOID, first_forbidden, is_blank, is_capital_octet, tag_class, xref_fault};
use crate::line::{Fault, Kind, Lenience, Line};
use crate::tags::tag_of_full_name;
use elf_base::rules::{LevelZeros, LineRules, PayloadWhitespace, XrefChars};
use elf_base::{Code, Span, codes};
use memchr::memchr;

/// Parses a line string.
///
/// `text` holds no line break and is at most 4 GiB long.
///
/// # Errors
///
/// The fault that keeps it from being a line: E0201 to E0206, the first that is met from left to right, but
/// E0206 before any other.
pub fn parse<'t>(text: &'t str, rules: &LineRules) -> Result<Line<'t>, Fault> {
    if let Some(at) = first_forbidden(text) {
        let found = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
        let message = format!(
            "expected a character, but found the code point U+{:04X}, which is not a character",
            found as u32
        );
        return Err(fault(codes::CHARACTER_FORBIDDEN, at, at + found.len_utf8(), message));
    }
    parse_characters_checked(text, rules)
}

/// Parses a line string like [`parse`], but without checking for U+0000, U+FFFE and U+FFFF, because the caller has
/// done that or accepts them.
///
/// # Errors
///
/// The errors of [`parse`], but for E0206.
#[inline]
pub fn parse_characters_checked<'t>(text: &'t str, rules: &LineRules) -> Result<Line<'t>, Fault> {
    line(text, rules)
}

/// ```text
/// Line ::= Number S (XRefLabel S)? Tag (PayloadSep Payload)?
/// ```
// Always inline, so that the parts of a line are returned in registers. Unusual cases are in separate functions.
#[inline(always)]
fn line<'t>(text: &'t str, rules: &LineRules) -> Result<Line<'t>, Fault> {
    let octets = text.as_bytes();
    let (level, of_level, at) = match octets {
        // Fast path: nearly every line has one digit and one space.
        [digit @ b'0'..=b'9', b' ', next, ..] if *next > b' ' => {
            (u32::from(digit - b'0'), Lenience::default(), 2)
        }
        _ => number_and_separator(text, rules)?,
    };
    let (xref, of_label, at) = match octets.get(at) {
        Some(b'@') => label_and_separator(text, at, rules)?,
        _ => (Span::default(), Lenience::default(), at),
    };
    let (end, is_plain) = tag(text, at)?;
    let tag = span(at, end);
    let odd_tag = !is_plain && rules.tags.are_capitals() && is_odd_tag(octets, at, end);
    let (payload, kind, odd_pointer) = payload(text, end, rules)?;
    let full_tag = !is_plain && rules.tag_names.may_be_full() && is_full_name(text, at, end);
    let tab = octets.get(end) == Some(&b'\t') && rules.payload.reports_tab();
    let behind =
        Lenience::TAG.when(odd_tag).or(Lenience::POINTER.when(odd_pointer)).or(Lenience::TAB.when(tab));
    let lenience = of_level.or(of_label).or(behind).or(Lenience::FULL_TAG.when(full_tag));
    Ok(Line { text, level, xref, tag, payload, kind, lenience })
}

/// ```text
/// Number S
/// ```
///
/// The level, what is to be reported about it, and where it ends with the blanks after it.
#[cold]
fn number_and_separator(text: &str, rules: &LineRules) -> Result<(u32, Lenience, usize), Fault> {
    let start = if rules.leading_whitespace { skip_blanks(text.as_bytes(), 0) } else { 0 };
    let (level, level_zeros, at) = number(text, start, rules)?;
    let end = read_separator(text, at, "the level")?;
    let spacing = rules.delimiters.is_one_space() && (start > 0 || !is_one_space(text, at, end));
    let odd = level_zeros | (level > rules.highest_level);
    Ok((level, Lenience::LEVEL.when(odd).or(Lenience::SPACING.when(spacing)), end))
}

/// Returns whether a separator is one space.
fn is_one_space(text: &str, start: usize, end: usize) -> bool {
    text.as_bytes().get(start..end) == Some(b" ")
}

/// ```text
/// Number ::= "0" | [1-9] [0-9]*
/// ```
///
/// January 2019 reads `[0-9]+`.
fn number(text: &str, start: usize, rules: &LineRules) -> Result<(u32, bool, usize), Fault> {
    let octets = text.as_bytes();
    let mut at = start;
    let mut level: u32 = 0;
    while let Some(digit) = octets.get(at).map(|octet| octet.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        level = level.saturating_mul(10).saturating_add(u32::from(digit));
        at += 1;
    }
    if at == start {
        return Err(make_fault("a level", text, start, codes::LINE_MALFORMED));
    }
    if at == start + 1 || octets.get(start) != Some(&b'0') {
        return Ok((level, false, at));
    }
    match rules.level_zeros {
        LevelZeros::Ignore => Ok((level, false, at)),
        LevelZeros::Report => Ok((level, true, at)),
        LevelZeros::Malformed => {
            let message = "expected a level without leading zeros".to_owned();
            Err(fault(codes::LEVEL_ZEROS, start, at, message))
        }
    }
}

/// ```text
/// S ::= (#x20 | #x9)+
/// ```
fn read_separator(text: &str, start: usize, after: &str) -> Result<usize, Fault> {
    let end = skip_blanks(text.as_bytes(), start);
    if end == start {
        return Err(make_fault(&format!("a space after {after}"), text, start, codes::LINE_MALFORMED));
    }
    Ok(end)
}

/// ```text
/// XRefLabel S
/// ```
///
/// The identifier, what is to be reported about it, and where it ends with the blanks after it.
#[inline]
fn label_and_separator(
    text: &str,
    start: usize,
    rules: &LineRules,
) -> Result<(Span, Lenience, usize), Fault> {
    let octets = text.as_bytes();
    if let Some((close, is_small)) = plain_label(octets, start + 1)
        && let Some([b' ', next]) = octets.get(close + 1..close + 3)
        && *next > b' '
    {
        // GEDCOM 7 asks for more.
        let odd = rules.conformant_xref.are_capitals()
            && (is_small || octets.get(start + 1..close) == Some(VOID.as_bytes()));
        return Ok((span(start + 1, close), Lenience::XREF.when(odd), close + 2));
    }
    let (xref, odd, at) = xref_label(text, start, rules)?;
    let end = read_separator(text, at, "the cross-reference identifier")?;
    let spacing = rules.delimiters.is_one_space() && !is_one_space(text, at, end);
    Ok((xref, Lenience::XREF.when(odd).or(Lenience::SPACING.when(spacing)), end))
}

/// ```text
/// XRefLabel ::= "@" XRefID "@"
/// ```
#[cold]
fn xref_label(text: &str, start: usize, rules: &LineRules) -> Result<(Span, bool, usize), Fault> {
    let open = start + 1;
    let rest = &text[open..];
    let Some(length) = memchr(b'@', rest.as_bytes()) else {
        let message = "expected an at sign at the end of the cross-reference identifier".to_owned();
        return Err(fault(codes::XREF_MALFORMED, start, text.len(), message));
    };
    let id = &rest[..length];
    if let Some(offset) = xref_fault(id, rules.xref) {
        return Err(make_fault("a cross-reference identifier", text, open + offset, codes::XREF_MALFORMED));
    }
    let conformant = rules.conformant_xref;
    let odd = conformant != rules.xref && xref_fault(id, conformant).is_some();
    Ok((span(open, open + length), odd, open + length + 1))
}

/// Returns the offset of the at sign that closes an identifier at `open`, and whether there are small letters
/// before it, if the identifier has only octets that tags have: nearly every identifier is of this form, and
/// every draft takes it.
#[inline]
fn plain_label(octets: &[u8], open: usize) -> Option<(usize, bool)> {
    let (at, classes) = tag_octets(octets, open);
    (at > open && octets.get(at) == Some(&b'@')).then_some((at, classes & SMALL != 0))
}

/// ```text
/// Tag ::= [0-9A-Za-z_]+
/// ```
///
/// Returns the offset of the end of the tag, and whether it is up to four capital letters, as most are.
#[inline]
fn tag(text: &str, start: usize) -> Result<(usize, bool), Fault> {
    let octets = text.as_bytes();
    let first = octets.get(start..).and_then(|rest| rest.first_chunk());
    let from = start + first.map_or(0, |four| leading_capitals(*four));
    let (at, _) = tag_octets(octets, from);
    match octets.get(at) {
        Some(b' ' | b'\t') | None if at > start => Ok((at, at == from)),
        _ => Err(no_tag(text, start, at)),
    }
}

/// Returns whether a tag is none of GEDCOM 7, which has capital letters, no digit first, and something after a
/// first underscore.
#[inline]
fn is_odd_tag(octets: &[u8], start: usize, end: usize) -> bool {
    let tag = &octets[start..end];
    tag.first().is_some_and(u8::is_ascii_digit) || tag.iter().any(u8::is_ascii_lowercase) || tag == b"_"
}

/// Returns whether a tag is written by its full name.
fn is_full_name(text: &str, start: usize, end: usize) -> bool {
    text.get(start..end).is_some_and(|tag| tag_of_full_name(tag).is_some())
}

#[cold]
fn no_tag(text: &str, start: usize, at: usize) -> Fault {
    let what = if at == start { "a tag" } else { "a letter, digit or underscore of the tag, or a space" };
    make_fault(what, text, at, codes::TAG_MALFORMED)
}

/// ```text
/// (PayloadSep Payload)?
/// PayloadSep ::= #x20 | #x9
/// Payload    ::= S? Pointer S? | PayloadString
/// ```
///
/// The declarative draft has both in its grammar and the space only in its prose; 2017 a run of blanks, and
/// drops those at the end as well. The payload, and whether it is a pointer that is to be reported.
#[inline(always)]
fn payload(text: &str, start: usize, rules: &LineRules) -> Result<(Span, Kind, bool), Fault> {
    let octets = text.as_bytes();
    if start >= octets.len() {
        return Ok((span(start, start), Kind::Absent, false));
    }
    let (from, to) = match rules.payload {
        PayloadWhitespace::Trim => {
            let Some((from, to)) = trimmed(octets, start) else {
                return Ok((span(text.len(), text.len()), Kind::Absent, false));
            };
            (from, to)
        }
        PayloadWhitespace::KeepAfterSpace | PayloadWhitespace::KeepAfterSpaceOrTab => (start + 1, text.len()),
    };
    let (kind, odd) = match octets.get(from) {
        Some(b'@') => match plain_label(octets, from + 1) {
            // `@VOID@` conforms, although it cannot be an identifier.
            Some((close, is_small)) if close + 1 == to => {
                (Kind::Pointer, is_small && rules.conformant_xref.are_capitals())
            }
            _ => uncommon_payload(text, from, to, rules),
        },
        Some(b' ' | b'\t') => uncommon_payload(text, from, to, rules),
        Some(_) => (Kind::Text, false),
        None => (Kind::Empty, false),
    };
    Ok((span(from, to), kind, odd))
}

/// Returns the start and end of a payload without the blanks around it; `None` where there is nothing else.
#[inline(never)]
fn trimmed(octets: &[u8], start: usize) -> Option<(usize, usize)> {
    let from = skip_blanks(octets, start);
    let length = trim_blanks(&octets[from..]).len();
    (length > 0).then_some((from, from + length))
}

/// A payload that starts like a pointer, and what of it is to be reported.
#[cold]
fn uncommon_payload(text: &str, from: usize, to: usize, rules: &LineRules) -> (Kind, bool) {
    let payload = &text[from..to];
    if !is_pointer(payload.as_bytes(), rules) {
        return (Kind::Text, false);
    }
    // A pointer may contain text that cannot be an identifier; it is then unresolved (D19 Payloads).
    let id = payload.trim_matches([' ', '\t']);
    let id = id.get(1..id.len().saturating_sub(1)).unwrap_or_default();
    let odd = rules.has_wide_pointers() && xref_fault(id, rules.conformant_xref).is_some();
    (Kind::Pointer, odd)
}

/// ```text
/// Pointer ::= "@" [^#@#xA#xD] [^@#xA#xD]* "@"
/// ```
///
/// December 2019 lets blanks stand around it. Before, a pointer is written like an identifier: `XrefID`
/// (declarative, January 2019), `XRef` (2017).
#[inline]
fn is_pointer(payload: &[u8], rules: &LineRules) -> bool {
    let payload = if rules.lets_blanks_surround_pointers() { trim_blanks(payload) } else { payload };
    let [b'@', id @ .., b'@'] = payload else { return false };
    let Some(&first) = id.first() else { return false };
    if memchr(b'@', id).is_some() {
        return false;
    }
    match rules.xref {
        XrefChars::IriSafe | XrefChars::Any => first != b'#',
        XrefChars::Capitals => id.iter().all(|&octet| is_capital_octet(octet)),
        XrefChars::AsciiId => starts_id(first) && id.iter().all(|octet| matches!(octet, b' '..=b'~')),
        XrefChars::Loose => starts_id(first),
    }
}

const fn starts_id(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || octet == b'_'
}

fn trim_blanks(mut octets: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = octets {
        octets = rest;
    }
    while let [rest @ .., b' ' | b'\t'] = octets {
        octets = rest;
    }
    octets
}

/// Counts the capital letters of ASCII before any other of four octets, testing all of them at once.
#[inline]
const fn leading_capitals(four: [u8; 4]) -> usize {
    const EACH: u32 = u32::from_le_bytes([1; 4]);
    const HIGH: u32 = EACH * 0x80;
    let octets = u32::from_le_bytes(four);
    // The high bit of each byte says whether it is at least `A` or after `Z`. Non-ASCII bytes are excluded.
    let from_a = octets.wrapping_add(EACH * (0x80 - b'A' as u32));
    let after_z = octets.wrapping_add(EACH * (0x7F - b'Z' as u32));
    ((!from_a | after_z | octets) & HIGH).trailing_zeros() as usize / 8
}

/// Returns the offset of the end of a run of octets that tags are made of, and their classes together.
#[inline]
fn tag_octets(octets: &[u8], mut at: usize) -> (usize, u8) {
    let mut classes = 0;
    while let Some(class) = octets.get(at).map(|&octet| tag_class(octet)).filter(|&class| class != 0) {
        classes |= class;
        at += 1;
    }
    (at, classes)
}

#[inline]
fn skip_blanks(octets: &[u8], mut at: usize) -> usize {
    while octets.get(at).is_some_and(|&octet| is_blank(octet)) {
        at += 1;
    }
    at
}

#[inline]
#[allow(clippy::cast_possible_truncation, reason = "a line string is at most 4 GiB long")]
fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

#[cold]
#[inline(never)]
fn fault(code: Code, start: usize, end: usize, message: String) -> Fault {
    Fault { code, span: span(start, end), message: message.into() }
}

#[cold]
#[inline(never)]
fn make_fault(what: &str, text: &str, at: usize, code: Code) -> Fault {
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        None => fault(code, at, at, format!("expected {what}, but the line ends")),
        Some(' ') => fault(code, at, at + 1, format!("expected {what}, but found a space")),
        Some('\t') => fault(code, at, at + 1, format!("expected {what}, but found a tab")),
        Some(found) if found.is_control() => {
            let message = format!("expected {what}, but found U+{:04X}", found as u32);
            fault(code, at, at + found.len_utf8(), message)
        }
        Some(found) => {
            fault(code, at, at + found.len_utf8(), format!("expected {what}, but found `{found}`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_letters_are_found_wherever_they_stand() {
        for length in 1..12 {
            for octet in (u8::MIN..=u8::MAX).filter(|octet| crate::chars::is_tag_octet(*octet)) {
                for place in 0..length {
                    let mut octets = vec![b'_'; length];
                    octets[place] = octet;
                    let is_small = octet.is_ascii_lowercase();
                    let is_odd = is_small || place == 0 && octet.is_ascii_digit() || octets == b"_";
                    assert_eq!(is_odd_tag(&octets, 0, length), is_odd, "{octets:?}");
                    octets.push(b'@');
                    assert_eq!(plain_label(&octets, 0), Some((length, is_small)), "{octets:?}");
                }
            }
        }
    }

    #[test]
    fn levels_have_two_digits_where_the_rules_say_so() {
        let found = |text: &str, rules: &elf_base::Rules| {
            let faults = parse(text, &rules.lines).expect("a line").passed();
            faults.into_iter().map(|fault| fault.code).collect::<Vec<_>>()
        };
        for rules in elf_base::Rules::PRESETS {
            let expected: &[Code] = if rules.name == "gedcom-5.5.1" { &[codes::LEVEL_HIGH] } else { &[] };
            assert_eq!(found("99 _A b", rules), [], "{}", rules.name);
            assert_eq!(found("100 _A b", rules), expected, "{}", rules.name);
        }
    }

    #[test]
    fn capitals_are_counted_up_to_the_first_octet_that_is_none() {
        for octet in u8::MIN..=u8::MAX {
            for place in 0..4 {
                let mut four = *b"AZMN";
                four[place] = octet;
                let count = if octet.is_ascii_uppercase() { 4 } else { place };
                assert_eq!(leading_capitals(four), count, "{four:?}");
            }
        }
        let none = [[0xFF; 4], [0xC1, b'A', b'B', b'C'], *b"1ABC", *b"aBCD"];
        assert_eq!(none.map(leading_capitals), [0; 4]);
        assert_eq!(leading_capitals(*b"A\xFFBC"), 1);
    }
}
