//! The `Parseable` production of January 2019 and its error lines (J19 §6.1).

use super::characters::{is_character, split_some, split_while};
use super::model::{LineString, ParsedLine, PayloadValue};

/// The parts of a line that matches `Parseable`.
pub(super) struct Parts {
    /// The level.
    pub(super) level: u64,
    /// The level as a decimal integer with no leading zero (J19 §7.1).
    pub(super) serialised_level: String,
    /// The cross-reference identifier, without its at signs.
    pub(super) xref: Option<String>,
    /// The tag.
    pub(super) tag: String,
    /// The payload; an omitted one is empty.
    pub(super) payload: String,
    /// False if there is no payload.
    pub(super) has_payload: bool,
}

/// `Parseable ::= Delim? [0-9]+ (Delim XrefID)? Delim Tag (Delim [^#A#D]*)?`.
pub(super) fn parseable(text: &str) -> Option<Parts> {
    let (_, rest) = split_while(text, is_delimiter);
    let (digits, rest) = split_some(rest, |character| character.is_ascii_digit())?;
    let (_, rest) = split_some(rest, is_delimiter)?;
    let (xref, rest) = match xref_id(rest) {
        Some((xref, rest)) => (Some(xref.to_owned()), split_some(rest, is_delimiter)?.1),
        None => (None, rest),
    };
    let (tag, rest) = split_some(rest, |character| character.is_ascii_alphanumeric() || character == '_')?;
    let has_payload = !rest.is_empty();
    // J19 §7.1 step 1 f: exactly one space precedes a payload, which "allows leading spaces in payloads".
    let payload = rest.strip_prefix(is_delimiter).or(rest.is_empty().then_some(""))?.to_owned();
    // XML §6: `[^…]` matches any `Char` but those.
    if !payload.chars().all(is_character) {
        return None;
    }
    let significant = digits.trim_start_matches('0');
    let serialised_level = if significant.is_empty() { "0" } else { significant }.to_owned();
    Some(Parts {
        level: serialised_level.parse().unwrap_or(u64::MAX),
        serialised_level,
        xref,
        tag: tag.to_owned(),
        payload,
        has_payload,
    })
}

/// `Delim ::= [#20#9]+`, one character of it (J19 §2.4).
fn is_delimiter(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// `XrefID ::= "@" ID "@"` and `ID ::= [0-9A-Z_a-z] [#x20-#x3F#x41-#x7E]*` (J19 §5.1).
fn xref_id(text: &str) -> Option<(&str, &str)> {
    let (identifier, rest) =
        split_some(text.strip_prefix('@')?, |character| matches!(character, ' '..='?' | 'A'..='~'))?;
    let is_id = identifier.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_');
    is_id.then_some((identifier, rest.strip_prefix('@')?))
}

/// Returns the identifier if the whole payload matches `XrefID`.
pub(super) fn whole_xref(payload: &str) -> Option<&str> {
    xref_id(payload).filter(|(_, rest)| rest.is_empty()).map(|(identifier, _)| identifier)
}

/// Parses line strings. Those that are unparseable or too deep become error lines.
pub(super) fn parse_lines(strings: &[LineString]) -> (Vec<ParsedLine>, Vec<usize>) {
    let mut lines = Vec::new();
    let mut errors = Vec::new();
    let mut previous: Option<u64> = None;
    for string in strings {
        let deepest = previous.map_or(0, |level| level + 1);
        let parts = parseable(&string.text);
        if let Some(parts) = parts.as_ref().filter(|parts| parts.level <= deepest) {
            // "not an error line and has a tag that is neither CONT nor CONC nor ERROR"
            if !matches!(parts.tag.as_str(), "CONT" | "CONC" | "ERROR") {
                previous = Some(parts.level);
            }
            lines.push(ParsedLine {
                number: string.number,
                level: parts.level,
                xref: parts.xref.clone(),
                tag: parts.tag.clone(),
                payload: PayloadValue::Text(parts.payload.clone()),
            });
            continue;
        }
        errors.push(string.number);
        let (xref, payload) = match parts {
            Some(too_deep) => (too_deep.xref.clone(), serialise_parts(&too_deep)),
            None => (None, string.text.clone()),
        };
        lines.push(ParsedLine {
            number: string.number,
            level: deepest,
            xref,
            tag: "ERROR".to_owned(),
            payload: PayloadValue::Text(payload),
        });
    }
    (lines, errors)
}

/// Spells "the serialised level, tag, and payload of the too deep line".
fn serialise_parts(parts: &Parts) -> String {
    let start = format!("{} {}", parts.serialised_level, parts.tag);
    if parts.has_payload { format!("{start} {}", parts.payload) } else { start }
}
