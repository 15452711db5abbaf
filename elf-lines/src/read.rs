//! Parses lines. Each function parses the production that its comment shows.
//!
//! The productions are those of December 2019. The comment of a function explains how other drafts differ.

use crate::chars::{SMALL, VOID, first_forbidden, is_blank, is_capital_octet, tag_class, xref_fault};
use crate::line::{Fault, Kind, Lenience, Line};
use crate::tags::tag_of_full_name;
use elf_base::rules::{LevelZeros, LineRules, PayloadWhitespace, XrefChars};
use elf_base::{Code, Span, codes};
use memchr::memchr;

/// Parses a line string.
///
/// The line string `text` must not contain a line break or be longer than 4 GiB.
///
/// # Errors
///
/// Returns the [`Fault`] of an invalid line. If E0206 applies, it is returned; otherwise the first of E0201 to E0205
/// from left to right.
pub fn parse<'t>(text: &'t str, rules: &LineRules) -> Result<Line<'t>, Fault> {
    if let Some(at) = first_forbidden(text) {
        let found = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
        let message = format!(
            "expected a character, but found the code point U+{:04X}, which is not a character",
            found as u32
        );
        return Err(fault_at(codes::CHARACTER_FORBIDDEN, at, at + found.len_utf8(), message));
    }
    parse_characters_checked(text, rules)
}

/// Parses a line string like [`parse`], but does not check for U+0000, U+FFFE and U+FFFF. Use this function if the
/// caller has checked for these code points or accepts them.
///
/// # Errors
///
/// Returns the errors of [`parse`], except E0206.
#[inline]
pub fn parse_characters_checked<'t>(text: &'t str, rules: &LineRules) -> Result<Line<'t>, Fault> {
    parse_line(text, rules)
}

/// ```text
/// Line ::= Number S (XRefLabel S)? Tag (PayloadSep Payload)?
/// ```
// Always inline this, so that the parts of a line are returned in registers. Rare cases are in separate functions.
#[inline(always)]
fn parse_line<'t>(text: &'t str, rules: &LineRules) -> Result<Line<'t>, Fault> {
    let octets = text.as_bytes();
    let (level, of_level, at) = match octets {
        // This is the fast path: nearly every line starts with one digit and one space.
        [digit @ b'0'..=b'9', b' ', next, ..] if *next > b' ' => {
            (u32::from(digit - b'0'), Lenience::default(), 2)
        }
        _ => parse_level_and_separator(text, rules)?,
    };
    let (xref, of_label, at) = match octets.get(at) {
        Some(b'@') => parse_xref_and_separator(text, at, rules)?,
        _ => (Span::default(), Lenience::default(), at),
    };
    let (end, is_plain) = parse_tag(text, at)?;
    let tag = span(at, end);
    let odd_tag = !is_plain && rules.tags.are_capitals() && violates_gedcom_7(octets, at, end);
    let (payload, kind, odd_pointer) = parse_payload(text, end, rules)?;
    let full_tag = !is_plain && rules.tag_names.may_be_full() && is_full_tag_name(text, at, end);
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
/// This function parses the level and skips the blanks after it.
#[cold]
fn parse_level_and_separator(text: &str, rules: &LineRules) -> Result<(u32, Lenience, usize), Fault> {
    let start = if rules.leading_whitespace { skip_blanks(text.as_bytes(), 0) } else { 0 };
    let (level, level_zeros, at) = parse_level(text, start, rules)?;
    let end = read_separator(text, at, "the level")?;
    let spacing = rules.delimiters.is_one_space() && (start > 0 || !is_one_space(text, at, end));
    let odd = level_zeros | (level > rules.highest_level);
    Ok((level, Lenience::LEVEL.when(odd).or(Lenience::SPACING.when(spacing)), end))
}

fn is_one_space(text: &str, start: usize, end: usize) -> bool {
    text.as_bytes().get(start..end) == Some(b" ")
}

/// ```text
/// Number ::= "0" | [1-9] [0-9]*
/// ```
///
/// The draft of January 2019 reads `[0-9]+` instead, so it allows leading zeros.
fn parse_level(text: &str, start: usize, rules: &LineRules) -> Result<(u32, bool, usize), Fault> {
    let octets = text.as_bytes();
    let mut at = start;
    let mut level: u32 = 0;
    while let Some(digit) = octets.get(at).map(|octet| octet.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        level = level.saturating_mul(10).saturating_add(u32::from(digit));
        at += 1;
    }
    if at == start {
        return Err(fault_of_word("a level", text, start, codes::LINE_MALFORMED));
    }
    if at == start + 1 || octets.get(start) != Some(&b'0') {
        return Ok((level, false, at));
    }
    match rules.level_zeros {
        LevelZeros::Ignore => Ok((level, false, at)),
        LevelZeros::Report => Ok((level, true, at)),
        LevelZeros::Malformed => {
            let message = "expected a level without leading zeros".to_owned();
            Err(fault_at(codes::LEVEL_ZEROS, start, at, message))
        }
    }
}

/// ```text
/// S ::= (#x20 | #x9)+
/// ```
fn read_separator(text: &str, start: usize, after: &str) -> Result<usize, Fault> {
    let end = skip_blanks(text.as_bytes(), start);
    if end == start {
        return Err(fault_of_word(&format!("a space after {after}"), text, start, codes::LINE_MALFORMED));
    }
    Ok(end)
}

/// ```text
/// XRefLabel S
/// ```
///
/// This function parses the identifier and skips the blanks after it.
#[inline]
fn parse_xref_and_separator(
    text: &str,
    start: usize,
    rules: &LineRules,
) -> Result<(Span, Lenience, usize), Fault> {
    let octets = text.as_bytes();
    if let Some((close, is_small)) = parse_plain_xref(octets, start + 1)
        && let Some([b' ', next]) = octets.get(close + 1..close + 3)
        && *next > b' '
    {
        // GEDCOM 7 also requires capital letters.
        let odd = rules.conformant_xref.are_capitals()
            && (is_small || octets.get(start + 1..close) == Some(VOID.as_bytes()));
        return Ok((span(start + 1, close), Lenience::XREF.when(odd), close + 2));
    }
    let (xref, odd, at) = parse_xref(text, start, rules)?;
    let end = read_separator(text, at, "the cross-reference identifier")?;
    let spacing = rules.delimiters.is_one_space() && !is_one_space(text, at, end);
    Ok((xref, Lenience::XREF.when(odd).or(Lenience::SPACING.when(spacing)), end))
}

/// ```text
/// XRefLabel ::= "@" XRefID "@"
/// ```
#[cold]
fn parse_xref(text: &str, start: usize, rules: &LineRules) -> Result<(Span, bool, usize), Fault> {
    let open = start + 1;
    let rest = &text[open..];
    let Some(length) = memchr(b'@', rest.as_bytes()) else {
        let message = "expected an at sign at the end of the cross-reference identifier".to_owned();
        return Err(fault_at(codes::XREF_MALFORMED, start, text.len(), message));
    };
    let id = &rest[..length];
    if let Some(offset) = xref_fault(id, rules.xref) {
        return Err(fault_of_word(
            "a cross-reference identifier",
            text,
            open + offset,
            codes::XREF_MALFORMED,
        ));
    }
    let conformant = rules.conformant_xref;
    let odd = conformant != rules.xref && xref_fault(id, conformant).is_some();
    Ok((span(open, open + length), odd, open + length + 1))
}

/// Parses an identifier at `open` that consists of letters, digits and underscores, which every draft accepts. This is
/// the fast path.
///
/// Returns the offset of the identifier's second at sign, and whether the identifier has lower-case letters.
#[inline]
fn parse_plain_xref(octets: &[u8], open: usize) -> Option<(usize, bool)> {
    let (at, classes) = skip_tag_octets(octets, open);
    (at > open && octets.get(at) == Some(&b'@')).then_some((at, classes & SMALL != 0))
}

/// ```text
/// Tag ::= [0-9A-Za-z_]+
/// ```
///
/// Returns the offset of the end of the tag, and whether the tag is common. A common tag has at most four capital
/// letters.
#[inline]
fn parse_tag(text: &str, start: usize) -> Result<(usize, bool), Fault> {
    let octets = text.as_bytes();
    let first = octets.get(start..).and_then(|rest| rest.first_chunk());
    let from = start + first.map_or(0, |four| count_leading_capitals(*four));
    let (at, _) = skip_tag_octets(octets, from);
    match octets.get(at) {
        Some(b' ' | b'\t') | None if at > start => Ok((at, at == from)),
        _ => Err(missing_tag(text, start, at)),
    }
}

/// Returns whether a tag violates GEDCOM 7: it has lower-case letters, starts with a digit, or is a single underscore.
#[inline]
fn violates_gedcom_7(octets: &[u8], start: usize, end: usize) -> bool {
    let tag = &octets[start..end];
    tag.first().is_some_and(u8::is_ascii_digit) || tag.iter().any(u8::is_ascii_lowercase) || tag == b"_"
}

fn is_full_tag_name(text: &str, start: usize, end: usize) -> bool {
    text.get(start..end).is_some_and(|tag| tag_of_full_name(tag).is_some())
}

#[cold]
fn missing_tag(text: &str, start: usize, at: usize) -> Fault {
    let what = if at == start { "a tag" } else { "a letter, digit or underscore of the tag, or a space" };
    fault_of_word(what, text, at, codes::TAG_MALFORMED)
}

/// ```text
/// (PayloadSep Payload)?
/// PayloadSep ::= #x20 | #x9
/// Payload    ::= S? Pointer S? | PayloadString
/// ```
///
/// The grammar of the declarative draft allows a space or a tab before the payload, but its prose allows only a space.
/// The drafts of 2017 allow any number of blanks, and remove blanks at the end too. The function returns the payload,
/// and whether the payload is an invalid pointer.
#[inline(always)]
fn parse_payload(text: &str, start: usize, rules: &LineRules) -> Result<(Span, Kind, bool), Fault> {
    let octets = text.as_bytes();
    if start >= octets.len() {
        return Ok((span(start, start), Kind::Absent, false));
    }
    let (from, to) = match rules.payload {
        PayloadWhitespace::Trim => {
            let Some((from, to)) = find_trimmed(octets, start) else {
                return Ok((span(text.len(), text.len()), Kind::Absent, false));
            };
            (from, to)
        }
        PayloadWhitespace::KeepAfterSpace | PayloadWhitespace::KeepAfterSpaceOrTab => (start + 1, text.len()),
    };
    let (kind, odd) = match octets.get(from) {
        Some(b'@') => match parse_plain_xref(octets, from + 1) {
            // The pointer `@VOID@` is valid, although `VOID` cannot be an identifier.
            Some((close, is_small)) if close + 1 == to => {
                (Kind::Pointer, is_small && rules.conformant_xref.are_capitals())
            }
            _ => parse_uncommon_payload(text, from, to, rules),
        },
        Some(b' ' | b'\t') => parse_uncommon_payload(text, from, to, rules),
        Some(_) => (Kind::Text, false),
        None => (Kind::Empty, false),
    };
    Ok((span(from, to), kind, odd))
}

/// Returns the start and end of a payload without the blanks around it. Returns `None` if the payload consists of
/// blanks.
#[inline(never)]
fn find_trimmed(octets: &[u8], start: usize) -> Option<(usize, usize)> {
    let from = skip_blanks(octets, start);
    let length = trim_blanks(&octets[from..]).len();
    (length > 0).then_some((from, from + length))
}

/// Parses a payload that starts like a pointer. Returns its kind, and whether it is an invalid pointer.
#[cold]
fn parse_uncommon_payload(text: &str, from: usize, to: usize, rules: &LineRules) -> (Kind, bool) {
    let payload = &text[from..to];
    if !is_pointer(payload.as_bytes(), rules) {
        return (Kind::Text, false);
    }
    // A pointer may contain text that is not a valid identifier. Such a pointer is unresolved (D19 Payloads).
    let id = payload.trim_matches([' ', '\t']);
    let id = id.get(1..id.len().saturating_sub(1)).unwrap_or_default();
    let odd = rules.has_wide_pointers() && xref_fault(id, rules.conformant_xref).is_some();
    (Kind::Pointer, odd)
}

/// ```text
/// Pointer ::= "@" [^#@#xA#xD] [^@#xA#xD]* "@"
/// ```
///
/// December 2019 allows blanks around a pointer. The earlier drafts do not: see `XrefID` in the declarative draft and
/// January 2019, and `XRef` in 2017.
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

/// Counts the capital letters at the start of four bytes. All four bytes are tested at once.
#[inline]
const fn count_leading_capitals(four: [u8; 4]) -> usize {
    const EACH: u32 = u32::from_le_bytes([1; 4]);
    const HIGH: u32 = EACH * 0x80;
    let octets = u32::from_le_bytes(four);
    // The high bit of each byte shows whether the byte is at least `A`, or after `Z`. Non-ASCII bytes are excluded.
    let from_a = octets.wrapping_add(EACH * (0x80 - b'A' as u32));
    let after_z = octets.wrapping_add(EACH * (0x7F - b'Z' as u32));
    ((!from_a | after_z | octets) & HIGH).trailing_zeros() as usize / 8
}

/// Returns the end of a run of bytes that can be in a tag, and the combined classes of these bytes.
#[inline]
fn skip_tag_octets(octets: &[u8], mut at: usize) -> (usize, u8) {
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
fn fault_at(code: Code, start: usize, end: usize, message: String) -> Fault {
    Fault { code, span: span(start, end), message: message.into() }
}

#[cold]
#[inline(never)]
fn fault_of_word(what: &str, text: &str, at: usize, code: Code) -> Fault {
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        None => fault_at(code, at, at, format!("expected {what}, but the line ends")),
        Some(' ') => fault_at(code, at, at + 1, format!("expected {what}, but found a space")),
        Some('\t') => fault_at(code, at, at + 1, format!("expected {what}, but found a tab")),
        Some(found) if found.is_control() => {
            let message = format!("expected {what}, but found U+{:04X}", found as u32);
            fault_at(code, at, at + found.len_utf8(), message)
        }
        Some(found) => {
            fault_at(code, at, at + found.len_utf8(), format!("expected {what}, but found `{found}`"))
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
                    assert_eq!(violates_gedcom_7(&octets, 0, length), is_odd, "{octets:?}");
                    octets.push(b'@');
                    assert_eq!(parse_plain_xref(&octets, 0), Some((length, is_small)), "{octets:?}");
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
                assert_eq!(count_leading_capitals(four), count, "{four:?}");
            }
        }
        let none = [[0xFF; 4], [0xC1, b'A', b'B', b'C'], *b"1ABC", *b"aBCD"];
        assert_eq!(none.map(count_leading_capitals), [0; 4]);
        assert_eq!(count_leading_capitals(*b"A\xFFBC"), 1);
    }
}
