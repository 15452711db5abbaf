//! The characters that stand in the file as they are; all others are written as Unicode escapes (D19 *Unicode
//! escapes*).

use elf_base::Rules;
use elf_octets::Encoding;

/// The characters that stand in a file as they are, because its encoding has them and readers by its rules
/// take them for what they are.
#[derive(Debug)]
pub(super) struct Repertoire {
    encoding: Encoding,
    /// True if the encoding has every character.
    unicode: bool,
    /// True if readers take the controls from U+0080 to U+009F for characters of Windows.
    mistakes_controls: bool,
    /// A text tried in the encoding.
    octets: Vec<u8>,
}

impl Repertoire {
    pub(super) const fn new(encoding: Encoding, rules: &Rules) -> Repertoire {
        let unicode = matches!(encoding, Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be);
        // What a reader repairs by content (E0112) must not come from a writer that means it.
        let mistakes_controls = rules.octets.content && matches!(encoding, Encoding::Utf8);
        Repertoire { encoding, unicode, mistakes_controls, octets: Vec::new() }
    }

    /// The encoding of the file.
    #[cfg(test)]
    pub(super) const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns whether a character can stand as it is: alone or, if it is a combining mark, on a letter.
    pub(super) fn has(&self, character: char) -> bool {
        self.encoding.can_encode(character) && !(self.mistakes_controls && is_mistaken(character))
    }

    /// Returns how many octets `text` takes at most, in UTF-8 and in the encoding, if all of it can stand as
    /// it is.
    pub(super) fn length(&mut self, text: &str) -> Option<usize> {
        self.octets.clear();
        let has_all = match self.unicode {
            true => !self.mistakes_controls || first_mistaken(text).is_none(),
            false => text.is_ascii() || self.encoding.encode_into(text, &mut self.octets).is_ok(),
        };
        has_all.then(|| text.len().max(self.octets.len()))
    }

    /// Returns where the first character of `text` stands that cannot stand as it is.
    pub(super) fn first_missing(&mut self, text: &str) -> Option<usize> {
        if self.unicode {
            return first_mistaken(text).filter(|_| self.mistakes_controls);
        }
        // What stands before it may lack a mark it needs, or be a letter whose marks were looked at first.
        let mut end = text.len();
        while let Some(before) = text.get(..end) {
            self.octets.clear();
            match self.encoding.encode_into(before, &mut self.octets) {
                Ok(()) => break,
                Err(error) => end = error.offset,
            }
        }
        (end < text.len()).then_some(end)
    }
}

/// Returns where the first control stands that readers may take for a character of Windows.
fn first_mistaken(text: &str) -> Option<usize> {
    // All of them start with C2, and little else does.
    memchr::memchr(0xC2, text.as_bytes()).and_then(|_| text.find(is_mistaken))
}

/// Tells whether a character is a control that readers may take for the character Windows has at its number.
/// U+0085 is an ordinary one (D19 *Conventions used*).
fn is_mistaken(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9F}') && character != '\u{85}'
}
