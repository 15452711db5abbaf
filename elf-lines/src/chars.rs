//! Classes of characters that the grammar of lines uses.

use elf_base::rules::XrefChars;

/// Returns whether this byte is a space or a tab. No other whitespace can occur in a line string (D19 *Conventions
/// used*, `S`; J19 §2.4 *Delim*).
pub const fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

/// The text of the pointer that deliberately refers to no record, without at signs (GEDCOM 7.0 *Lines*). Only some
/// rules have [such a pointer](elf_base::rules::TaggedRules::void_pointer); under them, `VOID` cannot be an identifier.
pub const VOID: &str = "VOID";

/// Returns whether a byte can be in a tag or an identifier of GEDCOM 7 (GEDCOM 7.0 *Lines*, `tagchar`).
pub(crate) const fn is_capital_octet(octet: u8) -> bool {
    matches!(octet, b'A'..=b'Z' | b'0'..=b'9' | b'_')
}

/// Returns whether `text` is a tag of GEDCOM 7: capital letters, digits and underscores, not starting with a digit
/// (GEDCOM 7.0 *Lines*, `Tag`).
///
/// ```
/// assert!(elf_lines::is_capital_tag("_UID") && !elf_lines::is_capital_tag("_Uid"));
/// ```
pub fn is_capital_tag(text: &str) -> bool {
    text.bytes().all(is_capital_octet)
        && text != "_"
        && text.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

/// Returns whether this byte can be in a tag (D19 *Tags*).
pub const fn is_tag_octet(octet: u8) -> bool {
    TAG[octet as usize] != 0
}

/// Returns the class of a byte in tags. The class is 0 if the byte cannot be in a tag, and has the bit [`SMALL`] for a
/// lower-case letter.
#[inline]
pub(crate) const fn tag_class(octet: u8) -> u8 {
    TAG[octet as usize]
}

/// The bit in the class of a byte which marks a lower-case letter.
pub(crate) const SMALL: u8 = 2;

const TAG: [u8; 256] = {
    let mut table = [0; 256];
    let mut octet = 0;
    while octet < 256 {
        #[allow(clippy::cast_possible_truncation, reason = "octet stays below 256")]
        let byte = octet as u8;
        table[octet] = if byte.is_ascii_lowercase() {
            SMALL | 1
        } else {
            (byte.is_ascii_alphanumeric() || byte == b'_') as u8
        };
        octet += 1;
    }
    table
};

/// Returns whether `text` is a tag: one or more ASCII letters, digits and underscores (D19 *Tags*).
///
/// ```
/// assert!(elf_lines::is_tag("_UID") && !elf_lines::is_tag("NO-TE") && !elf_lines::is_tag(""));
/// ```
pub fn is_tag(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_tag_octet)
}

/// Returns whether `c` can be in a cross-reference identifier of December 2019 (D19 *Cross-reference identifiers*,
/// `IDChar`).
pub const fn is_id_char(c: char) -> bool {
    matches!(c,
        'A'..='Z' | 'a'..='z' | '0'..='9'
        | '?' | '$' | '&' | '\'' | '*' | '+' | ',' | ';' | '=' | '.' | '_' | '~' | '-'
        | '\u{A0}'..='\u{D7FF}' | '\u{F900}'..='\u{FFEF}' | '\u{10000}'..='\u{EFFFF}')
}

/// Returns whether `text` is a cross-reference identifier. The text is given without the at signs.
///
/// ```
/// use elf_base::rules::XrefChars;
/// assert!(elf_lines::is_xref("I1", XrefChars::IriSafe) && !elf_lines::is_xref("I 1", XrefChars::IriSafe));
/// assert!(elf_lines::is_xref("I 1", XrefChars::AsciiId) && !elf_lines::is_xref("-1", XrefChars::AsciiId));
/// ```
pub fn is_xref(text: &str, chars: XrefChars) -> bool {
    xref_fault(text, chars).is_none()
}

/// Returns the offset of the first character that an identifier cannot contain. For an empty text, returns 0.
pub(crate) fn xref_fault(text: &str, chars: XrefChars) -> Option<usize> {
    let Some(first) = text.bytes().next() else { return Some(0) };
    let starts_alphanumeric = first.is_ascii_alphanumeric() || first == b'_';
    match chars {
        XrefChars::IriSafe => {
            // Nearly every identifier consists of ASCII letters and digits.
            if text.bytes().all(|b| b.is_ascii_alphanumeric()) {
                return None;
            }
            text.char_indices().find(|&(_, c)| !is_id_char(c)).map(|(offset, _)| offset)
        }
        XrefChars::AsciiId if starts_alphanumeric => {
            text.bytes().position(|b| !matches!(b, b' '..=b'~') || b == b'@')
        }
        XrefChars::Loose if starts_alphanumeric => {
            text.bytes().position(|b| matches!(b, b'@' | b'\r' | b'\n'))
        }
        XrefChars::AsciiId | XrefChars::Loose => Some(0),
        XrefChars::Capitals if text == VOID => Some(0),
        XrefChars::Capitals => text.bytes().position(|b| !is_capital_octet(b)),
        XrefChars::Any if first == b'#' => Some(0),
        XrefChars::Any => text.bytes().position(|b| matches!(b, b'@' | b'\r' | b'\n')),
    }
}

/// Returns the offset of the first code point of `text` that is not a character: U+0000, U+FFFE or U+FFFF (Basic
/// Concepts, `Char`).
///
/// ```
/// assert_eq!(elf_lines::first_forbidden("a\u{FFFE}"), Some(1));
/// assert_eq!(elf_lines::first_forbidden("a\u{7F}\u{85}"), None);
/// ```
pub fn first_forbidden(text: &str) -> Option<usize> {
    let octets = text.as_bytes();
    let nul = memchr::memchr(0, octets);
    let non_character = memchr::memchr_iter(0xEF, octets)
        .find(|&at| matches!(octets.get(at + 1..at + 3), Some([0xBF, 0xBE | 0xBF])));
    match (nul, non_character) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_chars_are_those_of_the_production() {
        for c in "?$&'*+,;=._~-azAZ09\u{A0}\u{D7FF}\u{F900}\u{FFEF}\u{10000}\u{EFFFF}".chars() {
            assert!(is_id_char(c), "{c:?}");
        }
        for c in " @#%!:()/<>[]{}|\\^`\"\u{7F}\u{9F}\u{E000}\u{F8FF}\u{FFF0}\u{F0000}".chars() {
            assert!(!is_id_char(c), "{c:?}");
        }
    }

    #[test]
    fn the_first_of_several_forbidden_characters_is_found() {
        assert_eq!(first_forbidden("é\u{FFFF}\0"), Some(2));
        assert_eq!(first_forbidden("\u{FFFD}\u{FEFF}"), None);
    }
}
