//! Text to octets.

use crate::pages::Page;
use crate::{Encoding, Unencodable};

impl Encoding {
    /// Whether `character`, standing alone, can be written in this encoding.
    pub fn can_encode(self, character: char) -> bool {
        match self {
            Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be => true,
            _ => self.encode_into(character.encode_utf8(&mut [0; 4]), &mut Vec::new()).is_ok(),
        }
    }

    /// Appends `text` in this encoding to `octets`.
    ///
    /// # Errors
    ///
    /// The first character that the encoding has no octets for. What stands before it has been appended.
    pub fn encode_into(self, text: &str, octets: &mut Vec<u8>) -> Result<(), Unencodable> {
        match self {
            Encoding::Utf8 => octets.extend_from_slice(text.as_bytes()),
            Encoding::Utf16Le => octets.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            Encoding::Utf16Be => octets.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
            Encoding::Ansel => {
                for (offset, character) in text.char_indices() {
                    let octet =
                        (0..=0xCF_u8).find(|octet| crate::ansel::character(*octet) == Some(character));
                    octets.push(octet.ok_or(Unencodable { character, offset, encoding: self })?);
                }
            }
            _ => {
                let page = Page::of(self);
                for (offset, character) in text.char_indices() {
                    let octet = page.octet(character);
                    octets.push(octet.ok_or(Unencodable { character, offset, encoding: self })?);
                }
            }
        }
        Ok(())
    }
}
