//! The questions that several layers ask of one rule. None of them is which draft it is.

use super::{BadLine, EmptyPayload, Escape, Mechanism, Metadata, Prescan, Rules, XrefChars};
use crate::{Class, Code, Draft};

impl Rules {
    /// Tells whether a finding of that code ends the reading: under [`BadLine::Terminate`], which is
    /// December's, what December 2019 calls malformed (D19 *Errors in structures*).
    pub const fn end_at(&self, code: Code) -> bool {
        self.terminates() && matches!(code.class(Draft::December2019), Class::Malformed)
    }

    /// Tells whether a malformed line is kept where it most likely belongs ([`BadLine::Recover`]).
    pub const fn recovers(&self) -> bool {
        match self.tagged.bad_line {
            BadLine::Recover => true,
            BadLine::Terminate | BadLine::ErrorLine | BadLine::Reject => false,
        }
    }

    /// Tells whether a malformed line ends the reading ([`BadLine::Terminate`]).
    pub const fn terminates(&self) -> bool {
        match self.tagged.bad_line {
            BadLine::Terminate => true,
            BadLine::Recover | BadLine::ErrorLine | BadLine::Reject => false,
        }
    }
}

impl Prescan {
    /// Tells whether the scan for CHAR reads small letters as capital ones, so that `0 Head` begins a header.
    pub const fn folds_case(self) -> bool {
        match self {
            Prescan::December => true,
            Prescan::Early => false,
        }
    }

    /// Tells whether the first line string is `0 HEAD` and no more, so that a header has neither identifier
    /// nor payload.
    pub const fn wants_bare_header(self) -> bool {
        match self {
            Prescan::December => true,
            Prescan::Early => false,
        }
    }
}

impl Metadata {
    /// Tells whether a structure of that tag is serialisation metadata: in the header if `in_head`, elsewhere
    /// if not.
    ///
    /// The trailer and continuations are no question of the tag alone, and not meant.
    ///
    /// ```
    /// use elf_base::rules::Metadata;
    /// assert!(Metadata::Versions.takes("GEDC", true) && !Metadata::Versions.takes("GEDC", false));
    /// assert!(Metadata::PseudoStructures.takes("DEFN", false) && !Metadata::Schema.takes("ELF", true));
    /// ```
    pub fn takes(self, tag: &str, in_head: bool) -> bool {
        match self {
            Metadata::PseudoStructures => matches!(tag, "CHAR" | "DEFN" | "PRFX"),
            Metadata::Schema => in_head && matches!(tag, "CHAR" | "SCHMA"),
            Metadata::Versions => in_head && matches!(tag, "CHAR" | "ELF" | "GEDC" | "PLANG" | "SCHMA"),
        }
    }

    /// Tells whether the metadata is read as it stands, before continuations are merged and escapes are read
    /// (D19 *Header metadata*).
    pub const fn is_raw(self) -> bool {
        match self {
            Metadata::Versions => true,
            Metadata::PseudoStructures | Metadata::Schema => false,
        }
    }

    /// Tells whether the metadata are pseudo-structures, which are no data wherever they stand, nor is what
    /// stands beneath them (O17 §3.2, §4.2).
    pub const fn is_pseudo(self) -> bool {
        match self {
            Metadata::PseudoStructures => true,
            Metadata::Schema | Metadata::Versions => false,
        }
    }

    /// Tells whether the versions in ELF and GEDC are metadata, written anew by each writer, rather than data
    /// (D19 *Version numbers*).
    pub const fn has_versions(self) -> bool {
        match self {
            Metadata::Versions => true,
            Metadata::PseudoStructures | Metadata::Schema => false,
        }
    }

    /// Tells whether HEAD is a structure of the dataset like any other, which may bear an identifier and a
    /// payload (O17 §3.1).
    pub const fn leaves_header(self) -> bool {
        match self {
            Metadata::PseudoStructures => true,
            Metadata::Schema | Metadata::Versions => false,
        }
    }

    /// Tells whether HEAD is serialisation metadata itself, so that no pointer leads to it (J19 §4; RDX
    /// *Header*).
    pub const fn takes_header(self) -> bool {
        match self {
            Metadata::Schema => true,
            Metadata::PseudoStructures | Metadata::Versions => false,
        }
    }

    /// Tells whether no structure within a record may be tagged `tag`, which is HEAD or TRLR: December 2019
    /// reserves both in all contexts (D19 *Tags*), January 2019 and the declarative draft for records alone
    /// (J19 §3.2), and 2017 makes TRLR a pseudo-structure wherever it stands (O17 §3.2).
    pub fn reserves_within_records(self, tag: &str) -> bool {
        match self {
            Metadata::Versions => matches!(tag, "HEAD" | "TRLR"),
            Metadata::Schema => false,
            Metadata::PseudoStructures => tag == "TRLR",
        }
    }

    /// Tells whether a trailer is no data even if it holds something; if not, only a bare one is taken out.
    pub const fn takes_any_trailer(self) -> bool {
        match self {
            Metadata::PseudoStructures | Metadata::Schema => true,
            Metadata::Versions => false,
        }
    }
}

impl XrefChars {
    /// Returns the characters of identifiers that conform: some rules read more than they let one be (O17
    /// *Identifiers*, `ID`), and report it.
    #[must_use]
    pub const fn conformant(self) -> XrefChars {
        match self {
            XrefChars::Loose | XrefChars::AsciiId => XrefChars::AsciiId,
            XrefChars::IriSafe | XrefChars::Any => XrefChars::IriSafe,
        }
    }
}

impl EmptyPayload {
    /// Tells whether an empty payload is none: read, shown and compared as none. In 2017 only the type of the
    /// structure says which of the two it is (O17 §5.2), and no layer but that of types tells them apart.
    pub const fn is_absent(self) -> bool {
        !self.is_written()
    }

    /// Tells whether an empty payload is written in another way than none: by a space behind the tag.
    pub const fn is_written(self) -> bool {
        match self {
            EmptyPayload::Present => true,
            EmptyPayload::Absent | EmptyPayload::Trimmed => false,
        }
    }
}

impl Escape {
    /// Tells whether payloads are merged with their continuations first, and at signs, escapes and pointers
    /// read then (J19 §5, §6; RDX *Extended Line*).
    pub const fn reads_merged(self) -> bool {
        match self {
            Escape::TypedSpace { .. } => true,
            Escape::Untyped | Escape::Typed | Escape::Leading => false,
        }
    }

    /// Tells whether only escapes of the types that the tag preserves are kept, and all others dropped (J19
    /// §5.2).
    pub const fn is_by_tag(self) -> bool {
        match self {
            Escape::TypedSpace { .. } => true,
            Escape::Untyped | Escape::Typed | Escape::Leading => false,
        }
    }

    /// Tells whether a space behind the last at sign is part of an escape (J19 §5.2 `Escape`).
    pub const fn ends_in_space(self) -> bool {
        match self {
            Escape::TypedSpace { .. } => true,
            Escape::Untyped | Escape::Typed | Escape::Leading => false,
        }
    }

    /// Tells whether an escape that stands for nothing is dropped rather than kept as text (RDX *Payload
    /// conversion*).
    pub const fn drops_unknown(self) -> bool {
        match self {
            Escape::TypedSpace { recover } => recover,
            Escape::Untyped | Escape::Typed | Escape::Leading => false,
        }
    }
}

impl Mechanism {
    /// Tells whether types are defined in HEAD.SCHMA and nowhere else, in the form that the draft describes.
    pub const fn is_inline(self) -> bool {
        match self {
            Mechanism::Inline { .. } => true,
            Mechanism::IriDictionary | Mechanism::Reference => false,
        }
    }
}
