//! The grammars of escapes, and what they ask of each layer: the readers of lines, trees and payloads, and
//! the writer.

/// The grammar of escapes, and the stage at which they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Escape {
    /// `@#…@`: Unicode escapes are replaced in the character stream, others kept (2017).
    Untyped,
    /// `@#X…@␠`, read after continuations are merged; kept only where the tag preserves the type (declarative
    /// and January 2019).
    TypedSpace {
        /// True if an escape without its final space is read as if it had one (declarative).
        recover: bool,
    },
    /// `@#X…@`, read in each line's payload before continuations are merged; types other than U and D are
    /// E0323 and kept (December 2019).
    Typed,
    /// `@#…@`, kept whatever it is; none stands for a character (GEDCOM 5.5.1, `escape`).
    Kept,
    /// There are no escapes: two at signs at the start of a line's payload are one, and all others stand for
    /// themselves (GEDCOM 7.0 *Lines*, `lineStr`).
    Leading,
}

/// The types of escapes that structures keep where no schema speaks of escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapesWithoutSchema {
    /// Type D, under any tag (D19 *Permitted escapes*).
    Dates,
    /// Type D under DATE, as the default schema says: `ESC DATE D` (J19 §9).
    DatesUnderDate,
    /// All.
    All,
}

impl EscapesWithoutSchema {
    /// Returns whether they are kept where a schema is in force that does not speak of escapes, too.
    pub const fn outlasts_silence(self) -> bool {
        match self {
            EscapesWithoutSchema::Dates => true,
            EscapesWithoutSchema::DatesUnderDate | EscapesWithoutSchema::All => false,
        }
    }
}

/// The spelling of what looks like an escape, within a text whose escapes are known by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapeLookalikes {
    /// Text: each at sign is doubled.
    AreText,
    /// Like the escapes that the tag keeps, which it cannot be told from (docs/readings.md, G11).
    AreKeptByTag,
    /// Like an escape, where any text may hold them.
    AreKept,
}

impl Escape {
    /// Returns whether payloads are merged with their continuations first, and at signs, escapes and pointers
    /// read then (J19 §5, §6; RDX *Extended Line*).
    pub const fn reads_merged(self) -> bool {
        match self {
            Escape::TypedSpace { .. } => true,
            Escape::Untyped | Escape::Typed | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether only escapes of the types that the tag preserves are kept, and all others dropped (J19
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

    /// Returns whether an escape that stands for nothing is dropped rather than kept as text (RDX *Payload
    /// conversion*).
    pub const fn drops_unknown(self) -> bool {
        match self {
            Escape::TypedSpace { recover } => recover,
            Escape::Untyped | Escape::Typed | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether escapes have no types: Unicode escapes are replaced in the character stream, before
    /// there are lines (O17 §7.2), all others are kept, and a pair of at signs goes before the end of one
    /// (O17 §5.4).
    pub const fn is_untyped(self) -> bool {
        match self {
            Escape::Untyped => true,
            Escape::TypedSpace { .. } | Escape::Typed | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether a Unicode escape may stand for several characters, and has no space after it (D19
    /// *Unicode escapes*).
    pub const fn groups_characters(self) -> bool {
        match self {
            Escape::Typed => true,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether an escape of a type that the tag does not permit is reported and kept (D19 *Permitted
    /// escapes*).
    pub const fn reports_unpermitted(self) -> bool {
        match self {
            Escape::Typed => true,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether there are no escapes, and at signs are doubled at the start of a line's payload only.
    pub const fn is_leading(self) -> bool {
        match self {
            Escape::Leading => true,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Typed | Escape::Kept => false,
        }
    }

    /// Returns whether a character that an encoding lacks can be written as an escape.
    pub const fn has_characters(self) -> bool {
        match self {
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Typed => true,
            Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns how many octets an escape has after its second at sign: `None` if it is none in this grammar.
    /// `is_typed`: it starts with a capital letter; `has_space`: a space follows it.
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

    /// Returns the types of escapes that are kept where no schema speaks of escapes.
    pub const fn without_schema(self) -> EscapesWithoutSchema {
        match self {
            Escape::Typed => EscapesWithoutSchema::Dates,
            Escape::TypedSpace { .. } => EscapesWithoutSchema::DatesUnderDate,
            Escape::Untyped | Escape::Kept | Escape::Leading => EscapesWithoutSchema::All,
        }
    }

    /// Returns whether a schema says which escapes are kept (J19 §4.2.4; D19 *Permitted escapes*).
    pub const fn heeds_schema(self) -> bool {
        match self {
            Escape::Typed | Escape::TypedSpace { .. } => true,
            Escape::Untyped | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether a code point that is no character is left out of a text before its at signs are looked
    /// at, because what it parts could come together as an escape; December 2019 doubles each at sign by
    /// itself.
    pub const fn removes_forbidden_first(self) -> bool {
        match self {
            Escape::Typed => false,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Kept | Escape::Leading => true,
        }
    }

    /// Returns the grammar of the escapes that are written as they stand: an escape that is read without its
    /// final space would be given one.
    pub const fn without_recovery(self) -> Escape {
        match self {
            Escape::TypedSpace { .. } => Escape::TypedSpace { recover: false },
            Escape::Untyped | Escape::Typed | Escape::Kept | Escape::Leading => self,
        }
    }

    /// Returns what text that looks like an escape is written as, where it is known which escapes are none.
    pub const fn lookalikes(self) -> EscapeLookalikes {
        match self {
            Escape::TypedSpace { .. } => EscapeLookalikes::AreKeptByTag,
            Escape::Untyped => EscapeLookalikes::AreKept,
            Escape::Typed | Escape::Kept | Escape::Leading => EscapeLookalikes::AreText,
        }
    }

    /// Returns whether escapes have types, of which all are kept: an escape stays as it is, though nothing
    /// permits it.
    pub const fn keeps_without_type(self) -> bool {
        match self {
            Escape::Kept => true,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Typed | Escape::Leading => false,
        }
    }
}
