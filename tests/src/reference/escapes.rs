//! Escaped at signs, escape sequences and Unicode escapes of December 2019 (D19 *Escaping*).

use super::characters::{is_character, is_whitespace};

/// One piece of a string payload (D19 *Identifying escapes*).
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A character that stands for itself, such as a lone at sign.
    Character(char),
    /// `EscapedAt ::= "@@"`.
    EscapedAt,
    /// `EscapeSeq`, with its type and value.
    EscapeSequence {
        /// `EscapeType ::= [A-Z]`.
        kind: char,
        /// `EscapeValue ::= [^#x40#xA#xD]*`.
        value: &'a str,
    },
    /// The start `@#` of an invalid escape sequence, which makes the structure non-conformant.
    NoEscapeSequence,
}

/// Identifies all escapes of a payload, from beginning to end.
pub(super) fn identify_escapes(payload: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = payload;
    while let Some(character) = rest.chars().next() {
        let (piece, length) = if rest.starts_with("@@") {
            (Piece::EscapedAt, 2)
        } else if let Some((kind, value)) = escape_sequence(rest) {
            (Piece::EscapeSequence { kind, value }, "@#".len() + 1 + value.len() + "@".len())
        } else if rest.starts_with("@#") {
            (Piece::NoEscapeSequence, 2)
        } else {
            (Piece::Character(character), character.len_utf8())
        };
        pieces.push(piece);
        rest = rest.get(length..).unwrap_or_default();
    }
    pieces
}

/// `EscapeSeq ::= "@#" EscapeType EscapeValue "@"`.
fn escape_sequence(text: &str) -> Option<(char, &str)> {
    let (inner, _) = text.strip_prefix("@#")?.split_once('@')?;
    let kind = inner.chars().next().filter(char::is_ascii_uppercase)?;
    let value = inner.get(1..)?;
    (!value.contains(['\r', '\n'])).then_some((kind, value))
}

/// Returns the characters of a Unicode escape (D19 *Unicode escapes*): `UnicodeEsc ::= S? ( HexNumber (S HexNumber)* S?
/// )?`.
pub(super) fn unicode_escape(value: &str) -> Option<String> {
    value.split(is_whitespace).filter(|number| !number.is_empty()).map(hex_number).collect()
}

/// `HexNumber ::= [0-9A-F]+`, the code point of a character.
fn hex_number(digits: &str) -> Option<char> {
    if !digits.chars().all(|digit| matches!(digit, '0'..='9' | 'A'..='F')) {
        return None;
    }
    let significant = digits.trim_start_matches('0');
    char::from_u32(u32::from_str_radix(significant, 16).ok()?).filter(|character| is_character(*character))
}

/// A payload without its escapes.
pub(super) struct Unescaped {
    /// The string.
    pub(super) text: String,
    /// The fault that makes the structure non-conformant, if there is one.
    pub(super) fault: Option<&'static str>,
}

/// Unescapes a string payload (D19 *Unescaping string payloads*). `permitted` decides about escape types other than U.
pub(super) fn unescape(payload: &str, permitted: impl Fn(char) -> bool) -> Unescaped {
    let mut unescaped = Unescaped { text: String::new(), fault: None };
    for piece in identify_escapes(payload) {
        match piece {
            Piece::Character(character) => unescaped.text.push(character),
            Piece::EscapedAt => unescaped.text.push('@'),
            Piece::NoEscapeSequence => {
                unescaped.text.push_str("@#");
                unescaped.fault = Some("Identifying escapes: @# without an escape sequence");
            }
            Piece::EscapeSequence { kind: 'U', value } => match unicode_escape(value) {
                Some(characters) => unescaped.text.push_str(&characters),
                None => {
                    unescaped.text.push_str(&format!("@#U{value}@"));
                    unescaped.fault = Some("Unicode escapes: a value that does not match UnicodeEsc");
                }
            },
            // "Escape sequences other than Unicode escapes are left unaltered."
            Piece::EscapeSequence { kind, value } => {
                unescaped.text.push_str(&format!("@#{kind}{value}@"));
                if !permitted(kind) {
                    unescaped.fault = Some("Permitted escapes: an escape type that is not permitted here");
                }
            }
        }
    }
    unescaped
}
