//! Octets to characters, by the encodings that the drafts name (D19 *Character encodings*).

use super::ansel;
use super::model::CharacterEncoding;

/// The characters of a file, up to the first bytes that cannot be decoded.
pub(super) struct Decoded {
    /// The characters.
    pub(super) text: String,
    /// False if bytes that cannot be decoded ended the text.
    pub(super) is_whole: bool,
}

/// Decodes bytes without a byte-order mark, up to the first ones that cannot be decoded.
pub(super) fn decode(octets: &[u8], encoding: CharacterEncoding) -> Decoded {
    match encoding {
        CharacterEncoding::Ascii => decode_ascii(octets),
        CharacterEncoding::Ansel => ansel::decode(octets),
        CharacterEncoding::Utf8 => decode_utf8(octets),
        CharacterEncoding::Utf16Le => decode_utf16(octets, u16::from_le_bytes),
        CharacterEncoding::Utf16Be => decode_utf16(octets, u16::from_be_bytes),
    }
}

/// Decodes each octet as the code point of its value (D19 *Specified character encodings*).
pub(super) fn decode_latin_1(octets: &[u8]) -> String {
    octets.iter().copied().map(char::from).collect()
}

/// Decodes ASCII: "the subset of UTF-8 which uses only U+0001 to U+007F".
fn decode_ascii(octets: &[u8]) -> Decoded {
    let text: String =
        octets.iter().copied().take_while(|octet| matches!(octet, 1..=0x7F)).map(char::from).collect();
    Decoded { is_whole: text.len() == octets.len(), text }
}

/// Decodes UTF-8 (ISO 10646 §9.2): one to four octets, in the shortest form, no surrogates.
fn decode_utf8(mut octets: &[u8]) -> Decoded {
    let mut text = String::new();
    while let Some((character, rest)) = utf8_character(octets) {
        text.push(character);
        octets = rest;
    }
    Decoded { text, is_whole: octets.is_empty() }
}

/// Takes one character of UTF-8 from the front.
fn utf8_character(octets: &[u8]) -> Option<(char, &[u8])> {
    let (&first, rest) = octets.split_first()?;
    let (length, bits, least) = match first {
        0x00..=0x7F => (0, first, 0),
        0xC0..=0xDF => (1, first & 0x1F, 0x80),
        0xE0..=0xEF => (2, first & 0x0F, 0x800),
        0xF0..=0xF7 => (3, first & 0x07, 0x1_0000),
        _ => return None,
    };
    let (following, rest) = rest.split_at_checked(length)?;
    let mut code = u32::from(bits);
    for &octet in following {
        if octet & 0xC0 != 0x80 {
            return None;
        }
        code = code << 6 | u32::from(octet & 0x3F);
    }
    if code < least {
        return None;
    }
    Some((char::from_u32(code)?, rest))
}

/// Decodes UTF-16 (ISO 10646 §9.2, §9.3): units of two octets, surrogates in pairs.
fn decode_utf16(octets: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded {
    let units: Vec<u32> = octets
        .chunks_exact(2)
        .filter_map(|pair| Some(u32::from(unit([*pair.first()?, *pair.last()?]))))
        .collect();
    let mut text = String::new();
    let mut rest = units.as_slice();
    let mut is_whole = octets.len().is_multiple_of(2);
    while let Some((&first, behind)) = rest.split_first() {
        let (code, behind) = match (first, behind.split_first()) {
            (0xD800..=0xDBFF, Some((&second @ 0xDC00..=0xDFFF, behind))) => {
                (0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00), behind)
            }
            _ => (first, behind),
        };
        let Some(character) = char::from_u32(code) else {
            is_whole = false;
            break;
        };
        text.push(character);
        rest = behind;
    }
    Decoded { text, is_whole }
}
