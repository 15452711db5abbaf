//! Finding the character encoding (D19 *Detecting a character encoding*, *Specified character encodings*; J19
//! §7.2).

use super::characters::normalise_whitespace;
use super::decode::{decode, decode_latin_1};
use super::line_strings;
use super::model::{CharacterEncoding, Draft};
use super::parseable;

/// The encoding that the first octets show, and how many of them are a byte-order mark.
pub(super) fn detect_encoding(octets: &[u8], draft: Draft) -> (Option<CharacterEncoding>, usize) {
    use CharacterEncoding::{Utf8, Utf16Be, Utf16Le};
    let is_first = |octet: u8| match draft {
        // "any ASCII character (U+0001 to U+007F) encoded in UTF-16"
        Draft::December2019 => matches!(octet, 1..=0x7F),
        // J19 §7.2.1: "the digit 0 (U+0030) encoded in UTF-16"
        Draft::January2019 => octet == b'0',
    };
    match octets {
        [0xEF, 0xBB, 0xBF, ..] => (Some(Utf8), 3),
        [0xFF, 0xFE, ..] => (Some(Utf16Le), 2),
        [0xFE, 0xFF, ..] => (Some(Utf16Be), 2),
        [first, 0, ..] if is_first(*first) => (Some(Utf16Le), 0),
        [0, first, ..] if is_first(*first) => (Some(Utf16Be), 0),
        _ => (None, 0),
    }
}

/// The outcome of the scan for CHAR in the first portion of a file of December 2019.
pub(super) enum Scan {
    /// An encoding is specified, or none is.
    Specified(Option<CharacterEncoding>),
    /// "the application must issue an error and cease parse the octet stream as ELF", at this line.
    Ceased(usize, &'static str),
}

/// Scans for the specified character encoding (D19 *Specified character encodings*).
pub(super) fn specified_in_december(octets: &[u8], detected: Option<CharacterEncoding>) -> Scan {
    let text = match detected {
        Some(encoding) => decode(octets, encoding).text,
        None => decode_latin_1(octets),
    };
    let mut strings = line_strings::split_december(&text).into_iter();
    let normalised = |text: &str| normalise_whitespace(text).to_ascii_uppercase();
    let has_null = |text: &str| detected.is_none() && text.contains('\0');
    match strings.next() {
        Some(first) if has_null(&first.text) => {
            return Scan::Ceased(first.number, "Specified character encodings: a null octet");
        }
        Some(first) if normalised(&first.text) == "0 HEAD" => {}
        first => {
            return Scan::Ceased(
                first.map_or(1, |first| first.number),
                "Specified character encodings: the first line string must be exactly 0 HEAD",
            );
        }
    }
    for string in strings {
        if has_null(&string.text) {
            return Scan::Ceased(string.number, "Specified character encodings: a null octet");
        }
        let normalised = normalised(&string.text);
        if normalised.starts_with("0 ") {
            break;
        }
        if let Some(name) = normalised.strip_prefix("1 CHAR ") {
            return Scan::Specified(encoding_named(name, detected));
        }
    }
    Scan::Specified(None)
}

/// Returns the encoding of a name in CHAR; UNICODE is the detected UTF-16.
fn encoding_named(name: &str, detected: Option<CharacterEncoding>) -> Option<CharacterEncoding> {
    let is_utf16 = |encoding: &CharacterEncoding| {
        matches!(encoding, CharacterEncoding::Utf16Le | CharacterEncoding::Utf16Be)
    };
    match name {
        "ASCII" => Some(CharacterEncoding::Ascii),
        "ANSEL" => Some(CharacterEncoding::Ansel),
        "UTF-8" => Some(CharacterEncoding::Utf8),
        "UNICODE" => detected.filter(is_utf16),
        _ => None,
    }
}

/// The outcome of the search for CHAR in January 2019.
pub(super) enum Found {
    /// No line with level 1 and tag CHAR precedes the second line with level 0.
    Nothing,
    /// A name of the table in J19 §4.1.
    Known(CharacterEncoding),
    /// Another name, on this line. The draft leaves its treatment to the application.
    Unknown(usize),
}

/// Searches for the specified character encoding (J19 §7.2.2). Also returns whether the search skipped a malformed line
/// string that starts like a line of level 0 or 1.
pub(super) fn specified_in_january(octets: &[u8], detected: Option<CharacterEncoding>) -> (Found, bool) {
    let text = match detected {
        Some(encoding) => decode(octets, encoding).text,
        None => decode_latin_1(octets),
    };
    let (mut at_level_0, mut is_in_doubt) = (0, false);
    for string in line_strings::split_january(&text) {
        let Some(line) = parseable::parseable(&string.text) else {
            is_in_doubt |= starts_like_a_line(&string.text);
            continue;
        };
        if line.level == 0 {
            at_level_0 += 1;
        }
        if at_level_0 == 2 {
            break;
        }
        if line.level == 1 && line.tag == "CHAR" {
            let found =
                encoding_named(&line.payload, detected).map_or(Found::Unknown(string.number), Found::Known);
            return (found, is_in_doubt);
        }
    }
    (Found::Nothing, is_in_doubt)
}

/// Returns whether a line string starts with a level of 0 or 1 and a delimiter.
fn starts_like_a_line(text: &str) -> bool {
    let text = text.trim_start_matches([' ', '\t']);
    let behind = text.trim_start_matches(|character: char| character.is_ascii_digit());
    let level = text.strip_suffix(behind).unwrap_or_default();
    behind.starts_with([' ', '\t']) && !level.is_empty() && matches!(level.trim_start_matches('0'), "" | "1")
}
