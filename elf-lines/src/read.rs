//! The grammar: one function a production, the production above it.
//!
//! Productions are those of December 2019; what the other drafts change stands in the function that it changes.

use crate::chars::{first_forbidden, is_blank, is_tag_octet, xref_fault};
use crate::line::{Fault, Kind, Lenience, Line};
use elf_base::rules::{LevelZeros, LineRules, PayloadWhitespace, XrefChars};
use elf_base::{Code, Span, codes};
use memchr::memchr;

/// Reads a line string as a line.
///
/// `text` holds no line break and is at most 4 GiB long.
///
/// # Errors
///
/// The fault that keeps it from being a line: E0201 to E0206, the first that is met from left to right, but E0206
/// before any other.
pub fn parse<'t>(text: &'t str, rules: &LineRules) -> Result<Line<'t>, Fault> {
    if let Some(at) = first_forbidden(text) {
        let found = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
        let message = format!("expected a character, but found the code point U+{:04X}", found as u32);
        return Err(fault(codes::CHARACTER_FORBIDDEN, at, at + found.len_utf8(), message));
    }
    parse_characters_checked(text, rules)
}

/// The same, where the caller knows already that `text` holds no U+0000, U+FFFE or U+FFFF, or lets them pass.
///
/// # Errors
///
/// As [`parse`], but never E0206.
#[inline]
pub fn parse_characters_checked<'t>(text: &'t str, rules: &LineRules) -> Result<Line<'t>, Fault> {
    line(text, rules)
}

/// ```text
/// Line ::= Number S (XRefLabel S)? Tag (PayloadSep Payload)?
/// ```
#[inline]
fn line<'t>(text: &'t str, rules: &LineRules) -> Result<Line<'t>, Fault> {
    let octets = text.as_bytes();
    let mut lenience = Lenience::default();
    let (level, at) = match octets {
        // Nearly every line: one digit, one space.
        [digit @ b'0'..=b'9', b' ', next, ..] if *next > b' ' => (u32::from(digit - b'0'), 2),
        _ => {
            let start = if rules.leading_whitespace { skip_blanks(octets, 0) } else { 0 };
            let (level, at) = number(text, start, rules, &mut lenience)?;
            (level, separator(text, at, "the level")?)
        }
    };
    let (xref, at) = if octets.get(at) == Some(&b'@') {
        let (xref, at) = xref_label(text, at, rules, &mut lenience)?;
        (xref, separator(text, at, "the cross-reference identifier")?)
    } else {
        (Span::default(), at)
    };
    let end = tag(text, at)?;
    let tag = span(at, end);
    let (payload, kind) = payload(text, end, rules, &mut lenience)?;
    Ok(Line { text, level, xref, tag, payload, kind, lenience })
}

/// ```text
/// Number ::= "0" | [1-9] [0-9]*
/// ```
///
/// January 2019 reads `[0-9]+`.
fn number(
    text: &str,
    start: usize,
    rules: &LineRules,
    lenience: &mut Lenience,
) -> Result<(u32, usize), Fault> {
    let octets = text.as_bytes();
    let mut at = start;
    let mut level: u32 = 0;
    while let Some(digit) = octets.get(at).map(|octet| octet.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        level = level.saturating_mul(10).saturating_add(u32::from(digit));
        at += 1;
    }
    if at == start {
        return Err(expected("a level", text, start, codes::LINE_MALFORMED));
    }
    if at > start + 1 && octets.get(start) == Some(&b'0') {
        match rules.level_zeros {
            LevelZeros::Ignore => {}
            LevelZeros::Report => lenience.level_zeros = true,
            _ => {
                let message = "expected a level without leading zeros".to_owned();
                return Err(fault(codes::LEVEL_ZEROS, start, at, message));
            }
        }
    }
    Ok((level, at))
}

/// ```text
/// S ::= (#x20 | #x9)+
/// ```
fn separator(text: &str, start: usize, after: &str) -> Result<usize, Fault> {
    let end = skip_blanks(text.as_bytes(), start);
    if end == start {
        return Err(expected(&format!("a space after {after}"), text, start, codes::LINE_MALFORMED));
    }
    Ok(end)
}

/// ```text
/// XRefLabel ::= "@" XRefID "@"
/// ```
#[inline]
fn xref_label(
    text: &str,
    start: usize,
    rules: &LineRules,
    lenience: &mut Lenience,
) -> Result<(Span, usize), Fault> {
    let open = start + 1;
    if let Some(close) = plain_label(text.as_bytes(), open) {
        return Ok((span(open, close), close + 1));
    }
    let rest = text.get(open..).unwrap_or_default();
    let Some(length) = memchr(b'@', rest.as_bytes()) else {
        let message = "expected an at sign that closes the cross-reference identifier".to_owned();
        return Err(fault(codes::XREF_MALFORMED, start, text.len(), message));
    };
    let id = rest.get(..length).unwrap_or_default();
    if let Some(offset) = xref_fault(id, rules.xref) {
        return Err(expected("a cross-reference identifier", text, open + offset, codes::XREF_MALFORMED));
    }
    lenience.xref = match rules.xref {
        XrefChars::Any => xref_fault(id, XrefChars::IriSafe).is_some(),
        // 2017 reads more than it lets an identifier be (O17 Identifiers, `ID`).
        XrefChars::Loose => xref_fault(id, XrefChars::AsciiId).is_some(),
        _ => false,
    };
    Ok((span(open, open + length), open + length + 1))
}

/// Where the at sign stands that closes an identifier of ASCII letters and digits at `open`: what nearly every
/// identifier is, and what every draft takes for one.
#[inline]
fn plain_label(octets: &[u8], open: usize) -> Option<usize> {
    let mut at = open;
    while octets.get(at).is_some_and(u8::is_ascii_alphanumeric) {
        at += 1;
    }
    (at > open && octets.get(at) == Some(&b'@')).then_some(at)
}

/// ```text
/// Tag ::= [0-9A-Za-z_]+
/// ```
#[inline]
fn tag(text: &str, start: usize) -> Result<usize, Fault> {
    let octets = text.as_bytes();
    let mut at = start;
    while octets.get(at).is_some_and(|&octet| is_tag_octet(octet)) {
        at += 1;
    }
    match octets.get(at) {
        _ if at == start => Err(expected("a tag", text, start, codes::TAG_MALFORMED)),
        Some(b' ' | b'\t') | None => Ok(at),
        Some(_) => Err(expected(
            "a letter, digit or underscore of the tag, or a space",
            text,
            at,
            codes::TAG_MALFORMED,
        )),
    }
}

/// ```text
/// (PayloadSep Payload)?
/// PayloadSep ::= #x20 | #x9
/// Payload    ::= S? Pointer S? | PayloadString
/// ```
///
/// The declarative draft has the space only; 2017 a run of blanks, and drops those at the end as well.
#[inline]
fn payload(
    text: &str,
    start: usize,
    rules: &LineRules,
    lenience: &mut Lenience,
) -> Result<(Span, Kind), Fault> {
    let octets = text.as_bytes();
    let Some(&separator) = octets.get(start) else { return Ok((span(start, start), Kind::Absent)) };
    let (from, to) = match rules.payload {
        PayloadWhitespace::Trim => {
            let from = skip_blanks(octets, start);
            let to = text.trim_end_matches([' ', '\t']).len();
            if from >= to {
                return Ok((span(text.len(), text.len()), Kind::Absent));
            }
            (from, to)
        }
        PayloadWhitespace::KeepAfterSpace if separator != b' ' => {
            return Err(expected("a space before the payload", text, start, codes::LINE_MALFORMED));
        }
        _ => (start + 1, text.len()),
    };
    let kind = match octets.get(from) {
        Some(b'@') if plain_label(octets, from + 1).is_some_and(|close| close + 1 == to) => Kind::Pointer,
        Some(b'@' | b' ' | b'\t') if is_pointer(octets.get(from..to).unwrap_or_default(), rules.xref) => {
            // What may be a pointer may still be no identifier, and then leads nowhere (D19 Payloads).
            let id = text.get(from..to).unwrap_or_default().trim_matches([' ', '\t']);
            let id = id.get(1..id.len().saturating_sub(1)).unwrap_or_default();
            lenience.pointer = matches!(rules.xref, XrefChars::IriSafe | XrefChars::Any)
                && xref_fault(id, XrefChars::IriSafe).is_some();
            Kind::Pointer
        }
        _ => Kind::Text,
    };
    Ok((span(from, to), kind))
}

/// ```text
/// Pointer ::= "@" [^#@#xA#xD] [^@#xA#xD]* "@"
/// ```
///
/// December 2019 lets blanks stand around it. Before, a pointer is written like an identifier: `XrefID` (declarative,
/// January 2019), `XRef` (2017).
#[inline]
fn is_pointer(payload: &[u8], xref: XrefChars) -> bool {
    let wide = matches!(xref, XrefChars::IriSafe | XrefChars::Any);
    let payload = if wide { trim_blanks(payload) } else { payload };
    let [b'@', id @ .., b'@'] = payload else { return false };
    let Some(&first) = id.first() else { return false };
    if memchr(b'@', id).is_some() {
        return false;
    }
    match xref {
        XrefChars::IriSafe | XrefChars::Any => first != b'#',
        XrefChars::AsciiId => starts_id(first) && id.iter().all(|octet| matches!(octet, b' '..=b'~')),
        _ => starts_id(first),
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
fn expected(what: &str, text: &str, at: usize, code: Code) -> Fault {
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
