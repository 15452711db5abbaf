//! Counts the losses of a payload, and writes the messages about them.

use super::reports::shorten;
use elf_base::{Code, codes};
use elf_octets::Encoding;

/// The counts of what could not be written in a payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PayloadLosses {
    /// The number of code points that are not characters (Basic Concepts, `Char`).
    pub(super) forbidden: u64,
    /// The number of characters that became question marks, because the encoding does not have them and the grammar has
    /// no escapes.
    pub(super) missing: u64,
    /// The number of marks that were omitted from their letters, because the encoding does not have them.
    pub(super) marks: u64,
    /// The number of marks over two letters that were written as halves.
    pub(super) halved: u64,
    /// The number of escapes that became text.
    pub(super) escapes: u64,
    /// Whether whitespace at the end of a line was lost.
    pub(super) whitespace: bool,
}

/// A loss with its message.
pub(super) struct DescribedLoss {
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) help: Option<&'static str>,
}

/// The help for a character that the encoding does not have. Only the rules of ELF have escapes for characters.
const KEEP_AS_ESCAPE: &str = "`--to-rules 2019-12` keeps such characters as Unicode escapes";

impl PayloadLosses {
    /// Describes the losses in a payload of a structure with this tag.
    pub(super) fn describe(self, encoding: Encoding, tag: &str) -> Vec<DescribedLoss> {
        let mut losses = Vec::new();
        if self == PayloadLosses::default() {
            return losses;
        }
        let of = shorten(tag);
        let mut add = |code, message, help| losses.push(DescribedLoss { code, message, help });
        let character = codes::CHARACTER_CANNOT_BE_WRITTEN;
        match self.forbidden {
            0 => {}
            1 => add(character, format!("left out of `{of}`: a code point that is not a character"), None),
            count => {
                add(
                    character,
                    format!("left out of `{of}`: {count} code points that are not characters"),
                    None,
                );
            }
        }
        if let Some(message) = self.describe_missing(encoding, &of) {
            add(character, message, (self.missing > 0).then_some(KEEP_AS_ESCAPE));
        }
        let escape = codes::ESCAPE_CANNOT_BE_KEPT;
        match self.escapes {
            0 => {}
            1 => add(escape, format!("escape not allowed in `{of}`: written as literal text"), None),
            count => {
                add(
                    escape,
                    format!("escapes not allowed in `{of}`: {count} of them written as literal text"),
                    None,
                );
            }
        }
        if self.whitespace {
            let message = format!("readers will trim the whitespace at the start or end of a line of `{of}`");
            add(codes::WHITESPACE_CANNOT_BE_KEPT, message, None);
        }
        losses
    }

    /// Describes, in one message, the characters and marks that the encoding does not have.
    fn describe_missing(self, encoding: Encoding, of: &str) -> Option<String> {
        let missing = match self.missing {
            0 => None,
            1 => Some(format!("{encoding} does not have a character of `{of}`: replaced by a question mark")),
            count => Some(format!(
                "{encoding} does not have {count} characters of `{of}`: replaced by question marks"
            )),
        };
        let marks = match self.marks {
            0 => None,
            1 => Some(format!(
                "{encoding} does not have a mark on a letter of `{of}`: the letter is written without it"
            )),
            count => Some(format!(
                "{encoding} does not have {count} marks on letters of `{of}`: the letters are written without them"
            )),
        };
        let halved = match self.halved {
            0 => None,
            1 => Some(format!(
                "{encoding} does not have a mark over two letters of `{of}`: half of it is written on each letter"
            )),
            count => Some(format!(
                "{encoding} does not have {count} marks over two letters of `{of}`: half of each is written on each letter"
            )),
        };
        let parts: Vec<String> = [missing, marks, halved].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
