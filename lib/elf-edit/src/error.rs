//! Reasons why an edit cannot be made.

use elf_octets::{Encoding, PatchError, Unencodable};
use elf_tagged::TooLarge;
use elf_tagged::path::FindError;

/// The reason why an edit is not possible. An edit that fails changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// No structure matches the path, or several structures match although only one is allowed.
    #[error(transparent)]
    Path(#[from] FindError),
    /// The structure has been removed.
    #[error("the structure is not part of the file")]
    Removed,
    /// The structure belongs to another document, or to another editor.
    #[error("the structure is part of another document")]
    Foreign,
    /// The path of a new structure ends in an identifier, or in a type that has no tag at this place.
    #[error("expected a tag at the end of the path, but found `{found}`")]
    TagNeeded {
        /// The last step of the path.
        found: String,
    },
    /// A tag is invalid (D19 *Tags*).
    #[error("expected a tag of letters, digits and underscores, but found `{tag}`")]
    Tag {
        /// The text that was given as a tag.
        tag: String,
    },
    /// A tag is reserved (D19 *Tags*).
    #[error("the tag `{tag}` is reserved")]
    TagReserved {
        /// The tag that is reserved.
        tag: String,
    },
    /// The requested number is too high, because there are too few structures with the tag.
    #[error("expected a number up to {}: there are {count} structures with the tag `{tag}`", count + 1)]
    Number {
        /// The tag of the new structure.
        tag: String,
        /// The number of structures that already have the tag.
        count: u32,
    },
    /// An identifier is invalid under the rules of the file (D19 *Cross-reference identifiers*).
    #[error("invalid cross-reference identifier `{xref}`")]
    Xref {
        /// The text that was given as an identifier.
        xref: String,
    },
    /// The identifier is `VOID`. Under all rules, a structure cannot get it.
    #[error("`VOID` cannot be an identifier: GEDCOM 7 programs read `@VOID@` as a pointer to nothing")]
    XrefVoid,
    /// No structure has the identifier.
    #[error("no record has the identifier `@{xref}@`")]
    XrefUnknown {
        /// The identifier that was searched.
        xref: String,
    },
    /// Several structures have the identifier.
    #[error("several records have the identifier `@{xref}@`")]
    XrefAmbiguous {
        /// The identifier that several structures have.
        xref: String,
    },
    /// Another structure already has the identifier.
    #[error("a record already has the identifier `@{xref}@`")]
    XrefTaken {
        /// The identifier that is already used.
        xref: String,
    },
    /// The edit would change HEAD.CHAR. With another CHAR, every line would have to be encoded again, which only a
    /// writer does.
    #[error("CHAR cannot be edited alone, because it names the encoding of the whole file")]
    CharacterEncoding,
    /// The edited file would be decoded in another encoding than the original file.
    #[error("after this edit, the file would be read as {after} instead of {before}")]
    EncodingChanged {
        /// The encoding in which the original file was decoded.
        before: Encoding,
        /// The encoding in which the edited file would be decoded.
        after: Encoding,
    },
    /// An unchanged line would be read differently in the edited file, for example as text of the payload before it.
    #[error("after this edit, line {line} or a line next to it would be read differently")]
    ReadOtherwise {
        /// The number of the line in the file that was read.
        line: u64,
    },
    /// A text contains a code point that is not a valid character (Basic Concepts, `Char`).
    #[error("the code point U+{code:04X} is not a character")]
    NoCharacter {
        /// The code point that is not a character.
        code: u32,
    },
    /// The encoding of the file does not have a character. A Unicode escape is not possible for it or not allowed.
    #[error(transparent)]
    Unencodable(#[from] Unencodable),
    /// The payload has several lines, but it belongs to serialisation metadata, which cannot have continuation lines
    /// (D19 *Header metadata*).
    #[error("expected a text of one line: this structure of the header cannot have continuation lines")]
    MetadataLines,
    /// The structure would be moved into itself.
    #[error("a structure cannot be moved into itself")]
    WithinItself,
    /// The structure was read from an invalid line, so it has no parts that can be changed.
    #[error("the structure is an invalid line; it can only be moved or removed")]
    NoLine,
    /// The edit would write a line again that contains bytes which cannot be decoded.
    #[error("line {line} contains bytes that cannot be decoded, and an edit would lose them")]
    Undecodable {
        /// The number of the line in the file that was read.
        line: u64,
    },
    /// The line contains several structures, because a Unicode escape in it is read as a line break (O17 §7.2).
    #[error("line {line} contains several structures, because an escape in it is read as a line ending")]
    SharedLine {
        /// The number of the line in the file that was read.
        line: u64,
    },
    /// The document was not read to its end.
    #[error(
        "reading stopped early, so the file cannot be edited under these rules; the rules `wild` continue"
    )]
    Incomplete,
    /// The text is, or would become, longer than 4 GiB.
    #[error("the text is longer than 4 GiB")]
    TooLarge,
    /// The changed lines could not be written into the file.
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
