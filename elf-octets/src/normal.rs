//! Unicode normal form C.

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Converts `text` to Unicode normal form C. A letter and its marks become one character, if Unicode has such a
/// character.
///
/// ANSEL is decoded to letters followed by marks. The standard allows a program to compose them (D19 *Conventions
/// used*), but a reader that preserves data must do so only if its caller asks for it.
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
