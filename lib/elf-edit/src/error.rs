//! Reasons why an edit cannot be made.

use elf_octets::{Encoding, PatchError, Unencodable};
use elf_tagged::TooLarge;
use elf_tagged::path::FindError;

/// The reason why an edit cannot be made. Nothing is changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// No structure stands at the path, or several where one is meant.
    #[error(transparent)]
    Path(#[from] FindError),
    /// The structure is not, or no longer, part of the file.
    #[error("the structure is not part of the file")]
    Removed,
    /// The structure belongs to another document, or to another editor.
    #[error("the structure is part of another document")]
    Foreign,
    /// The path of a structure to be made ends in an identifier alone, or in a type without a tag there.
    #[error("expected a tag at the end of the path, but found `{found}`")]
    TagNeeded {
        /// The end of the path.
        found: String,
    },
    /// A tag is none (D19 *Tags*).
    #[error("expected a tag of letters, digits and underscores, but found `{tag}`")]
    Tag {
        /// The text that was given as a tag.
        tag: String,
    },
    /// A tag means something else (D19 *Tags*).
    #[error("the tag `{tag}` is reserved")]
    TagReserved {
        /// The tag.
        tag: String,
    },
    /// There are too few structures of the tag.
    #[error("expected a number up to {}: there are {count} structures with the tag `{tag}`", count + 1)]
    Number {
        /// The tag.
        tag: String,
        /// The number of structures of the tag.
        count: u32,
    },
    /// An identifier is none by the rules of the file (D19 *Cross-reference identifiers*).
    #[error("invalid cross-reference identifier `{xref}`")]
    Xref {
        /// The text that was given as an identifier.
        xref: String,
    },
    /// No structure bears the identifier.
    #[error("no record has the identifier `@{xref}@`")]
    XrefUnknown {
        /// The identifier.
        xref: String,
    },
    /// Several structures bear the identifier.
    #[error("several records have the identifier `@{xref}@`")]
    XrefAmbiguous {
        /// The identifier.
        xref: String,
    },
    /// The identifier is borne already.
    #[error("a record already has the identifier `@{xref}@`")]
    XrefTaken {
        /// The identifier.
        xref: String,
    },
    /// HEAD.CHAR was to be changed: every line would have to be encoded anew, which is a writer's work.
    #[error("CHAR names the encoding of the file and cannot be edited alone")]
    CharacterEncoding,
    /// With the edits the file would be decoded otherwise than before.
    #[error("after this edit, the file would be read as {after} instead of {before}")]
    EncodingChanged {
        /// The encoding of the file.
        before: Encoding,
        /// The one it would be read in.
        after: Encoding,
    },
    /// With the edits a line that none of them names would be read as something else, such as text of the
    /// payload before it.
    #[error(
        "line {line} or a line next to it would not be read as intended, because its meaning depends on the lines before it"
    )]
    ReadOtherwise {
        /// The number of the line in the file that was opened.
        line: u64,
    },
    /// A text holds a code point that is no character (Basic Concepts, `Char`).
    #[error("the code point U+{code:04X} is not a character")]
    NoCharacter {
        /// The code point.
        code: u32,
    },
    /// The encoding lacks a character, where no Unicode escape can stand or none was asked for.
    #[error(transparent)]
    Unencodable(#[from] Unencodable),
    /// Serialisation metadata cannot be continued (D19 *Header metadata*).
    #[error("expected one line: serialisation metadata cannot have continuation lines")]
    MetadataLines,
    /// A structure was to stand beneath itself.
    #[error("a structure cannot be moved into itself")]
    WithinItself,
    /// The line is none, and has no parts that could be changed.
    #[error("the structure is an invalid line; it can only be moved or removed")]
    NoLine,
    /// A line would have to be written again that holds octets which stand for no text.
    #[error("line {line} contains bytes that cannot be decoded, and an edit would lose them")]
    Undecodable {
        /// The number of the line.
        line: u64,
    },
    /// A Unicode escape in the line stands for a line break, so several structures share it (O17 §7.2).
    #[error("line {line} contains several structures, because an escape in it is read as a line ending")]
    SharedLine {
        /// The number of the line.
        line: u64,
    },
    /// The reading did not reach the end.
    #[error("reading stopped early, so the file cannot be edited under these rules; the rules `wild` continue")]
    Incomplete,
    /// The text is, or would be, longer than 4 GiB.
    #[error("the text is longer than 4 GiB")]
    TooLarge,
    /// The lines could not be put together.
    #[error(transparent)]
    Patch(PatchError),
}

impl From<TooLarge> for EditError {
    fn from(_: TooLarge) -> EditError {
        EditError::TooLarge
    }
}

impl From<PatchError> for EditError {
    fn from(error: PatchError) -> EditError {
        match error {
            PatchError::Unencodable { error, .. } => EditError::Unencodable(error),
            other => EditError::Patch(other),
        }
    }
}
