//! Finds out which characters a file can contain without an escape.

use crate::survey::find_c1_controls;
use crate::utf8::read_as_windows;
use crate::{Encoding, Unencodable};
use elf_base::rules::OctetRules;

/// The characters that a file can contain unescaped. The encoding of the file has these characters, and readers read
/// them back unchanged.
///
/// Under rules with [content](OctetRules::content), readers replace control characters from U+0080 to U+009F in UTF-8
/// by characters of Windows (E0112), so these characters must be escaped.
///
/// ```
/// use elf_base::Rules;
/// use elf_octets::{Encoding, Repertoire};
///
/// let mut ansel = Repertoire::new(Encoding::Ansel, &Rules::WILD.octets);
/// assert_eq!(ansel.first_missing("João"), None);
/// assert_eq!(ansel.first_missing("Joao, Лев"), Some(6));
/// let mut utf_8 = Repertoire::new(Encoding::Utf8, &Rules::WILD.octets);
/// assert!(!utf_8.has('\u{92}') && utf_8.has('Л'));
/// assert_eq!(utf_8.check("O\u{92}Neill").unwrap_err().offset, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Repertoire {
    encoding: Encoding,
    unicode: bool,
    /// Whether readers replace control characters by characters of Windows.
    mistakes_controls: bool,
    /// Whether the rules forbid control characters in text.
    bans_controls: bool,
    /// A buffer in which texts are encoded to find out whether it is possible.
    octets: Vec<u8>,
}

impl Repertoire {
    /// Creates the repertoire of a file in `encoding` that is read under `rules`.
    pub const fn new(encoding: Encoding, rules: &OctetRules) -> Repertoire {
        let unicode = matches!(encoding, Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be);
        let mistakes_controls = rules.content && matches!(encoding, Encoding::Utf8);
        let bans_controls = rules.controls.are_banned();
        Repertoire { encoding, unicode, mistakes_controls, bans_controls, octets: Vec::new() }
    }

    /// Returns the encoding of the file.
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns whether a character can be written unescaped. A combining mark may need a letter before it.
    pub fn has(&self, character: char) -> bool {
        self.encoding.can_encode(character)
            && !(self.mistakes_controls
                && find_mistaken_control(character.encode_utf8(&mut [0; 4])).is_some())
            && !(self.bans_controls && is_banned(character))
    }

    /// Returns an upper limit for the number of bytes that `text` has in UTF-8 and in the encoding. Returns `None` if
    /// `text` contains a character that must be escaped.
    pub fn length(&mut self, text: &str) -> Option<usize> {
        self.octets.clear();
        let has_all = match self.unicode {
            true => self.find_mistaken(text).is_none(),
            false => text.is_ascii() || self.encodes_beyond_ascii(text),
        };
        has_all.then(|| text.len().max(self.octets.len()))
    }

    /// Returns the offset of the first character that readers would replace, or that the rules forbid.
    fn find_mistaken(&self, text: &str) -> Option<usize> {
        if self.bans_controls {
            return text.char_indices().find(|&(_, c)| is_banned(c)).map(|(at, _)| at);
        }
        find_mistaken_control(text).filter(|_| self.mistakes_controls)
    }

    fn encodes_beyond_ascii(&mut self, text: &str) -> bool {
        self.encoding != Encoding::Ascii && self.encoding.encode_into(text, &mut self.octets).is_ok()
    }

    /// Returns the offset, in bytes of UTF-8, of the first character of `text` that must be escaped.
    pub fn first_missing(&mut self, text: &str) -> Option<usize> {
        if self.unicode {
            return self.find_mistaken(text);
        }
        if self.encoding == Encoding::Ascii {
            return text.bytes().position(|octet| !octet.is_ascii());
        }
        // Try the character before it: it may have lost its mark, or it may be a letter whose marks were checked first.
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

    /// Checks that all of `text` can be written unescaped.
    ///
    /// # Errors
    ///
    /// Returns [`Unencodable`] with the first character that cannot be written unescaped.
    pub fn check(&mut self, text: &str) -> Result<(), Unencodable> {
        let Some(offset) = self.first_missing(text) else { return Ok(()) };
        let character = text.get(offset..).and_then(|rest| rest.chars().next()).unwrap_or_default();
        Err(Unencodable { character, offset, encoding: self.encoding })
    }
}

/// Returns whether a character is a control that GEDCOM 7 forbids (GEDCOM 7.0 *Characters*).
const fn is_banned(character: char) -> bool {
    character.is_ascii_control() && !matches!(character, '\t' | '\n' | '\r')
        || matches!(character, '\u{80}'..='\u{9F}')
}

/// Returns the offset of the first control that readers replace by a character of Windows.
fn find_mistaken_control(text: &str) -> Option<usize> {
    find_c1_controls(text).find(|(_, octet)| read_as_windows(*octet).is_some()).map(|(at, _)| at)
}
