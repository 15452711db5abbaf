//! Text to octets.

use crate::pages::Page;
use crate::{Encoding, Unencodable, ansel};

impl Encoding {
    /// Whether `character` can be written in this encoding: standing alone, or, if it is a combining mark, on a letter.
    ///
    /// ```
    /// use elf_octets::Encoding;
    /// assert!(Encoding::Ansel.can_encode('ḿ'));
    /// assert!(Encoding::Ansel.can_encode('\u{301}'));
    /// assert!(!Encoding::Ansel.can_encode('Ж'));
    /// ```
    pub fn can_encode(self, character: char) -> bool {
        match self {
            Encoding::Ascii => character.is_ascii(),
            Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be => true,
            Encoding::Ansel => ansel::can_encode(character),
            _ => Page::of(self, false).octet(character).is_some(),
        }
    }

    /// Appends `text` in this encoding to `octets`.
    ///
    /// Text that this encodes is decoded to the same characters; in ANSEL, which has no composed letters, to canonically
    /// equivalent ones (see [`nfc`]). ANSEL has marks before their letter, so a mark at the start of `text` cannot
    /// be written, even if the letter has been written already.
    ///
    /// # Errors
    ///
    /// The first character that the encoding has no octets for. What stands before it has been appended.
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
        match self {
            Encoding::Utf8 => octets.extend_from_slice(text.as_bytes()),
            Encoding::Utf16Le => octets.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            Encoding::Utf16Be => octets.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
            _ if text.is_ascii() => octets.extend_from_slice(text.as_bytes()),
            Encoding::Ansel => ansel::encode(text, octets)?,
            _ => {
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

    /// How many octets `text` takes in this encoding, where it can be written.
    pub fn encoded_len(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16Le | Encoding::Utf16Be => 2 * text.encode_utf16().count(),
            Encoding::Ansel if !text.is_ascii() => text.chars().map(ansel::encoded_len).sum(),
            _ => text.chars().count(),
        }
    }
}
