//! The parts of a payload that are not written as they are, and how that is said.

use super::reports::short;
use elf_base::{Code, codes};
use elf_octets::Encoding;

/// The parts of a payload that could not be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PayloadLosses {
    /// Code points that are no characters (Basic Concepts, `Char`).
    pub(super) forbidden: u64,
    /// Characters that the encoding lacks and the grammar has no escapes for, written as question marks.
    pub(super) missing: u64,
    /// Marks that the encoding lacks, on letters that are written without them.
    pub(super) marks: u64,
    /// Marks over two letters that are written as halves.
    pub(super) halved: u64,
    /// Escapes that became text.
    pub(super) escapes: u64,
    /// True if whitespace at the end of a line was lost.
    pub(super) whitespace: bool,
}

impl PayloadLosses {
    /// Returns a code and a message for each kind of loss in the payload of a structure with that tag.
    pub(super) fn messages(self, encoding: Encoding, tag: &str) -> Vec<(Code, String)> {
        let mut messages = Vec::new();
        if self == PayloadLosses::default() {
            return messages;
        }
        let of = short(tag);
        let character = codes::CHARACTER_CANNOT_BE_WRITTEN;
        match self.forbidden {
            0 => {}
            1 => {
                messages.push((character, format!("a code point that is no character is left out of `{of}`")))
            }
            count => messages.push((
                character,
                format!("{count} code points that are no characters are left out of `{of}`"),
            )),
        }
        if let Some(message) = self.lacking(encoding, &of) {
            messages.push((character, message));
        }
        match self.escapes {
            0 => {}
            1 => messages.push((
                codes::ESCAPE_CANNOT_BE_KEPT,
                format!("readers keep no such escape in `{of}`, so it becomes text"),
            )),
            count => messages.push((
                codes::ESCAPE_CANNOT_BE_KEPT,
                format!("readers keep no such escapes in `{of}`, so {count} of them become text"),
            )),
        }
        if self.whitespace {
            let message =
                format!("whitespace at the start or end of a line of `{of}` will be trimmed by readers");
            messages.push((codes::WHITESPACE_CANNOT_BE_KEPT, message));
        }
        messages
    }

    /// Returns what the encoding lacks and what is written for it, in one message for a payload.
    fn lacking(self, encoding: Encoding, of: &str) -> Option<String> {
        let missing = match self.missing {
            0 => None,
            1 => Some(format!("{encoding} lacks a character of `{of}`; a question mark is written for it")),
            count => Some(format!(
                "{encoding} lacks {count} characters of `{of}`; question marks are written for them"
            )),
        };
        let marks = match self.marks {
            0 => None,
            1 => Some(format!(
                "{encoding} lacks a mark on a letter of `{of}`; the letter is written without it"
            )),
            count => Some(format!(
                "{encoding} lacks {count} marks on letters of `{of}`; the letters are written without them"
            )),
        };
        let halved = match self.halved {
            0 => None,
            1 => Some(format!(
                "{encoding} lacks a mark over two letters of `{of}`; half of it is written on each"
            )),
            count => Some(format!(
                "{encoding} lacks {count} marks over two letters of `{of}`; half of each is written on each letter"
            )),
        };
        let parts: Vec<String> = [missing, marks, halved].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
