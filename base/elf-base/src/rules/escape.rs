//! The grammars of escapes, and what they mean for the readers of lines, trees and payloads, and for writers.

/// The grammar of escapes, which also determines when they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Escape {
    /// An escape is written `@#…@`. Unicode escapes are replaced before the text is split into lines, and other escapes
    /// are kept (2017).
    Untyped,
    /// An escape is written `@#X…@␠`, with a space at the end. Escapes are read after continuation lines are merged. An
    /// escape is kept only if the tag preserves escapes of its type (declarative and January 2019).
    TypedSpace {
        /// True if an escape without its final space is read as if it had one (declarative).
        recover: bool,
    },
    /// An escape is written `@#X…@`. Escapes are read in the payload of each line, before continuation lines are
    /// merged. Types other than U and D are reported (E0323) and kept (December 2019).
    Typed,
    /// An escape is written `@#…@` and is always kept. There are no Unicode escapes (GEDCOM 5.5.1, `escape`).
    Kept,
    /// There are no escapes. Two at signs at the start of a payload line mean one, and all other at signs mean
    /// themselves (GEDCOM 7.0 *Lines*, `lineStr`).
    Leading,
}

/// The escapes that are preserved if no schema mentions escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapesWithoutSchema {
    /// Escapes of the type D are preserved under any tag (D19 *Permitted escapes*).
    Dates,
    /// Escapes of the type D are preserved under DATE, as in the default schema: `ESC DATE D` (J19 §9).
    DatesUnderDate,
    /// Escapes of all types are preserved.
    All,
}

impl EscapesWithoutSchema {
    /// Returns whether these escapes are also preserved if there is a schema that does not mention escapes.
    pub const fn apply_with_silent_schema(self) -> bool {
        match self {
            EscapesWithoutSchema::Dates => true,
            EscapesWithoutSchema::DatesUnderDate | EscapesWithoutSchema::All => false,
        }
    }
}

/// How text that only looks like an escape is written. This applies if the writer knows which parts of a text are real
/// escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapeLookalikes {
    /// The text is written as ordinary text: each at sign is doubled.
    AreText,
    /// The text is written like the escapes that the tag preserves, because readers cannot distinguish it from them
    /// (docs/readings.md, G11).
    AreKeptByTag,
    /// The text is written like an escape, because any text can contain escapes.
    AreKept,
}

impl Escape {
    /// Returns whether payloads are merged with their continuation lines before their at signs, escapes and pointers
    /// are read (J19 §5, §6; RDX *Extended Line*).
    pub const fn reads_merged(self) -> bool {
        match self {
            Escape::TypedSpace { .. } => true,
            Escape::Untyped | Escape::Typed | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether the tag decides which escapes are kept: escape types that it does not preserve are dropped (J19
    /// §5.2).
    pub const fn is_by_tag(self) -> bool {
        match self {
            Escape::TypedSpace { .. } => true,
            Escape::Untyped | Escape::Typed | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether a space after the last at sign is part of an escape (J19 §5.2 `Escape`).
    pub const fn ends_in_space(self) -> bool {
        match self {
            Escape::TypedSpace { .. } => true,
            Escape::Untyped | Escape::Typed | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether an invalid escape is dropped (RDX *Payload conversion*). Under the other grammars, it is kept as
    /// text.
    pub const fn drops_unknown(self) -> bool {
        match self {
            Escape::TypedSpace { recover } => recover,
            Escape::Untyped | Escape::Typed | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether escapes have no types. In a grammar without types, Unicode escapes are replaced before the text
    /// is split into lines (O17 §7.2), and all other escapes are kept. Two at signs then have priority over the end of
    /// an escape (O17 §5.4).
    pub const fn is_untyped(self) -> bool {
        match self {
            Escape::Untyped => true,
            Escape::TypedSpace { .. } | Escape::Typed | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether a Unicode escape can encode several characters and has no space after it (D19 *Unicode
    /// escapes*).
    pub const fn groups_characters(self) -> bool {
        match self {
            Escape::Typed => true,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether an escape type that is not allowed for the tag is reported and kept (D19 *Permitted escapes*).
    pub const fn reports_unpermitted(self) -> bool {
        match self {
            Escape::Typed => true,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether the grammar has no escapes, and at signs are doubled only at the start of a payload line.
    pub const fn is_leading(self) -> bool {
        match self {
            Escape::Leading => true,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Typed | Escape::Kept => false,
        }
    }

    /// Returns whether a character that the encoding of the file lacks can be written as an escape.
    pub const fn has_characters(self) -> bool {
        match self {
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Typed => true,
            Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns the number of bytes that an escape has after its second at sign. Returns `None` if the text is not an
    /// escape in this grammar. `is_typed` is true if the text starts with a capital letter, and `has_space` if a space
    /// follows it.
    ///
    /// ```
    /// use elf_base::rules::Escape;
    ///
    /// assert_eq!(Escape::Typed.octets_behind(true, true), Some(0));
    /// assert_eq!(Escape::TypedSpace { recover: false }.octets_behind(true, true), Some(1));
    /// assert_eq!(Escape::Leading.octets_behind(true, true), None);
    /// ```
    pub const fn octets_behind(self, is_typed: bool, has_space: bool) -> Option<usize> {
        match self {
            Escape::Untyped | Escape::Kept => Some(0),
            Escape::Typed if is_typed => Some(0),
            Escape::TypedSpace { .. } if is_typed && has_space => Some(1),
            Escape::TypedSpace { recover: true } if is_typed => Some(0),
            Escape::Typed | Escape::TypedSpace { .. } | Escape::Leading => None,
        }
    }

    /// Returns the escapes that are preserved if no schema mentions escapes.
    pub const fn without_schema(self) -> EscapesWithoutSchema {
        match self {
            Escape::Typed => EscapesWithoutSchema::Dates,
            Escape::TypedSpace { .. } => EscapesWithoutSchema::DatesUnderDate,
            Escape::Untyped | Escape::Kept | Escape::Leading => EscapesWithoutSchema::All,
        }
    }

    /// Returns whether a schema can define which escapes are preserved (J19 §4.2.4; D19 *Permitted escapes*).
    pub const fn is_set_by_schema(self) -> bool {
        match self {
            Escape::Typed | Escape::TypedSpace { .. } => true,
            Escape::Untyped | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether code points that are not characters are removed before at signs are doubled. When such a code
    /// point is removed, the text on both sides could form an escape. December 2019 doubles each at sign separately, so
    /// the order does not matter there.
    pub const fn removes_forbidden_first(self) -> bool {
        match self {
            Escape::Typed => false,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Kept | Escape::Leading => true,
        }
    }

    /// Returns the grammar without recovery. This grammar is used for escapes that are written unchanged: an escape
    /// that was read without its final space must be written without that space.
    pub const fn without_recovery(self) -> Escape {
        match self {
            Escape::TypedSpace { .. } => Escape::TypedSpace { recover: false },
            Escape::Untyped | Escape::Typed | Escape::Kept | Escape::Leading => self,
        }
    }

    /// Returns how text that only looks like an escape is written.
    pub const fn lookalikes(self) -> EscapeLookalikes {
        match self {
            Escape::TypedSpace { .. } => EscapeLookalikes::AreKeptByTag,
            Escape::Untyped => EscapeLookalikes::AreKept,
            Escape::Typed | Escape::Kept | Escape::Leading => EscapeLookalikes::AreText,
        }
    }

    /// Returns whether the type of an escape does not matter, because escapes of all types are kept.
    pub const fn keeps_without_type(self) -> bool {
        match self {
            Escape::Kept => true,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Typed | Escape::Leading => false,
        }
    }
}
