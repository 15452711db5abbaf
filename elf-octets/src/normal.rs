//! Unicode's normal form C.

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// `text` in Unicode's normal form C: letters and their marks composed where Unicode has a character for
/// both.
///
/// ANSEL is decoded to letters followed by marks. The standard allows a program to compose them (D19
/// *Conventions used*); a reader that preserves data does not do so unasked.
///
/// ```
/// assert_eq!(elf_octets::nfc("Joa\u{303}o"), "João");
/// ```
pub fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfc().collect())
}
