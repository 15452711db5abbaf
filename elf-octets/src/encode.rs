//! Encodes text as bytes.

use crate::encoding::Scheme;
use crate::pages::Page;
use crate::{Encoding, Unencodable, ansel};

impl Encoding {
    /// Returns whether this encoding has `character`. A combining mark may need a letter before it.
    ///
    /// ```
    /// use elf_octets::Encoding;
    /// assert!(Encoding::Ansel.can_encode('ḿ'));
    /// assert!(Encoding::Ansel.can_encode('\u{301}'));
    /// assert!(!Encoding::Ansel.can_encode('Ж'));
    /// ```
    pub fn can_encode(self, character: char) -> bool {
        match self.scheme() {
            Scheme::Ascii => character.is_ascii(),
            Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be => true,
            Scheme::Ansel => ansel::can_encode(character),
            Scheme::Page => Page::of(self, false).octet(character).is_some(),
        }
    }

    /// Appends `text` in this encoding to `octets`.
    ///
    /// Decoding the bytes returns the same characters, except that ANSEL returns letters with marks in decomposed form
    /// (see [`nfc`]). ANSEL has marks before their letter. So a mark at the start of `text` cannot be written, even if
    /// its letter has been written already.
    ///
    /// # Errors
    ///
    /// Returns [`Unencodable`] with the first character that the encoding does not have. The text before this character
    /// has been appended.
    ///
    /// ```
    /// use elf_octets::Encoding;
    ///
    /// let mut octets = Vec::new();
    /// Encoding::Ansel.encode_into("João", &mut octets)?;
    /// assert_eq!(octets, b"Jo\xE4ao");
    /// let missing = Encoding::Ansel.encode_into("Лев", &mut octets).unwrap_err();
    /// assert_eq!((missing.character, missing.offset), ('Л', 0));
    /// # Ok::<(), elf_octets::Unencodable>(())
    /// ```
    ///
    /// [`nfc`]: crate::nfc
    pub fn encode_into(self, text: &str, octets: &mut Vec<u8>) -> Result<(), Unencodable> {
        match self.scheme() {
            Scheme::Utf8 => octets.extend_from_slice(text.as_bytes()),
            Scheme::Utf16Le => encode_utf16(text, octets, u16::to_le_bytes),
            Scheme::Utf16Be => encode_utf16(text, octets, u16::to_be_bytes),
            Scheme::Ascii | Scheme::Ansel | Scheme::Page if text.is_ascii() => {
                octets.extend_from_slice(text.as_bytes());
            }
            Scheme::Ansel => ansel::encode(text, octets)?,
            Scheme::Ascii | Scheme::Page => {
                let page = Page::of(self, false);
                octets.reserve(text.len());
                for (offset, character) in text.char_indices() {
                    match page.octet(character) {
                        Some(octet) => octets.push(octet),
                        None => return Err(Unencodable { character, offset, encoding: self }),
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the number of bytes that `text` has in this encoding. The encoding must have all characters of `text`.
    pub fn encoded_len(self, text: &str) -> usize {
        match self.scheme() {
            Scheme::Utf8 => text.len(),
            Scheme::Utf16Le | Scheme::Utf16Be => 2 * text.encode_utf16().count(),
            Scheme::Ansel if !text.is_ascii() => text.chars().map(ansel::encoded_len).sum(),
            Scheme::Ascii | Scheme::Ansel | Scheme::Page => text.chars().count(),
        }
    }
}

/// Appends `text` in UTF-16, in parts that the compiler can vectorise.
fn encode_utf16(text: &str, octets: &mut Vec<u8>, bytes: impl Fn(u16) -> [u8; 2]) {
    const UNITS: usize = 1024;
    let mut units = [0_u16; UNITS];
    let mut pairs = [[0_u8; 2]; UNITS];
    octets.reserve(2 * text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let mut end = rest.len().min(UNITS);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (part, behind) = rest.split_at(end);
        // No character has more UTF-16 units than bytes in UTF-8.
        let written = encoding_rs::mem::convert_str_to_utf16(part, &mut units);
        for (pair, unit) in pairs.iter_mut().zip(&units).take(written) {
            *pair = bytes(*unit);
        }
        octets.extend_from_slice(pairs[..written].as_flattened());
        rest = behind;
    }
}
