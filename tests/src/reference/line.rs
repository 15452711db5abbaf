//! The `Line` production of December 2019 (D19 *Parsing lines*), with one function for each production. A function
//! parses its production at the start of a text and returns what it parsed and the rest.

use super::characters::{is_character, is_whitespace, split_some, split_while};
use super::model::{LineString, ParsedLine, PayloadValue};

/// `Line ::= Number S (XRefLabel S)? Tag (PayloadSep Payload)?`.
pub(super) fn parse_line(string: &LineString) -> Option<ParsedLine> {
    let (level, rest) = number(&string.text)?;
    let rest = separator(rest)?;
    let (xref, rest) = match xref_label(rest) {
        Some((xref, rest)) => (Some(xref.to_owned()), separator(rest)?),
        None => (None, rest),
    };
    let (tag, rest) = tag(rest)?;
    let payload = match rest.chars().next() {
        None => PayloadValue::Text(String::new()),
        Some(' ' | '\t') => payload(rest.get(1..)?)?,
        Some(_) => return None,
    };
    // A number with more digits than fit is a level too deep for any line.
    let level = level.parse().unwrap_or(u64::MAX);
    Some(ParsedLine { number: string.number, level, xref, tag: tag.to_owned(), payload })
}

/// `Number ::= "0" | [1-9] [0-9]*` (D19 *Levels*).
fn number(text: &str) -> Option<(&str, &str)> {
    let (digits, rest) = split_some(text, |character| character.is_ascii_digit())?;
    (digits == "0" || !digits.starts_with('0')).then_some((digits, rest))
}

/// `S`, one or more whitespace characters (Basic Concepts §2.1).
fn separator(text: &str) -> Option<&str> {
    split_some(text, is_whitespace).map(|(_, rest)| rest)
}

/// `XRefLabel ::= "@" XRefID "@"` (D19 *Cross-reference identifiers*).
fn xref_label(text: &str) -> Option<(&str, &str)> {
    let (identifier, rest) = xref_id(text.strip_prefix('@')?)?;
    Some((identifier, rest.strip_prefix('@')?))
}

/// `XRefID ::= IDChar+`.
fn xref_id(text: &str) -> Option<(&str, &str)> {
    split_some(text, is_id_char)
}

/// `IDChar ::= [A-Za-z0-9] | [?$&'*+,;=._~-] | [#xA0-#xD7FF] | [#xF900-#xFFEF] | [#x10000-#xEFFFF]`.
fn is_id_char(character: char) -> bool {
    matches!(character,
        'A'..='Z' | 'a'..='z' | '0'..='9'
        | '?' | '$' | '&' | '\'' | '*' | '+' | ',' | ';' | '=' | '.' | '_' | '~' | '-'
        | '\u{A0}'..='\u{D7FF}' | '\u{F900}'..='\u{FFEF}' | '\u{10000}'..='\u{EFFFF}')
}

/// `Tag ::= [0-9a-zA-Z_]+` (D19 *Tags*).
fn tag(text: &str) -> Option<(&str, &str)> {
    split_some(text, |character| character.is_ascii_alphanumeric() || character == '_')
}

/// `Payload ::= S? Pointer S? | PayloadString` (D19 *Payloads*); a string holds characters only.
fn payload(text: &str) -> Option<PayloadValue> {
    if let Some((identifier, rest)) = pointer(split_while(text, is_whitespace).1)
        && rest.chars().all(is_whitespace)
    {
        return Some(PayloadValue::Pointer(identifier.to_owned()));
    }
    text.chars().all(is_character).then(|| PayloadValue::Text(text.to_owned()))
}

/// `Pointer ::= "@" [^#x23#x40#xA#xD] [^#x40#xA#xD]* "@"`.
fn pointer(text: &str) -> Option<(&str, &str)> {
    let (identifier, rest) =
        split_some(text.strip_prefix('@')?, |character| !matches!(character, '@' | '\n' | '\r'))?;
    let is_pointer = !identifier.starts_with('#') && identifier.chars().all(is_character);
    is_pointer.then_some((identifier, rest.strip_prefix('@')?))
}

/// Returns whether a pointer matches `XRefLabel`: "any other pointers will be discarded as invalid".
pub(super) fn is_valid_pointer(identifier: &str) -> bool {
    !identifier.is_empty() && identifier.chars().all(is_id_char)
}
