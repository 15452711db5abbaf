//! The grammars of escapes, with their consequences for the readers of lines, trees and payloads, and for writers.

/// The grammar of escapes, and when they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Escape {
    /// `@#…@`: Unicode escapes are replaced before the text is split into lines, others are kept (2017).
    Untyped,
    /// `@#X…@␠`, read after continuation lines are merged. Kept only if the tag preserves the type (declarative and
    /// January 2019).
    TypedSpace {
        /// True if an escape without its final space is read as if it had one (declarative).
        recover: bool,
    },
    /// `@#X…@`, read in the payload of each line before continuation lines are merged. Types other than U and D are
    /// reported (E0323) and kept (December 2019).
    Typed,
    /// `@#…@`, always kept. There are no Unicode escapes (GEDCOM 5.5.1, `escape`).
    Kept,
    /// No escapes. Two at signs at the start of a payload line mean one; other at signs mean themselves (GEDCOM 7.0
    /// *Lines*, `lineStr`).
    Leading,
}

/// The escapes that are preserved if no schema mentions escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapesWithoutSchema {
    /// Type D, under any tag (D19 *Permitted escapes*).
    Dates,
    /// Type D under DATE, as in the default schema: `ESC DATE D` (J19 §9).
    DatesUnderDate,
    /// All types.
    All,
}

impl EscapesWithoutSchema {
    /// Returns whether they are also preserved if there is a schema that does not mention escapes.
    pub const fn apply_with_silent_schema(self) -> bool {
        match self {
            EscapesWithoutSchema::Dates => true,
            EscapesWithoutSchema::DatesUnderDate | EscapesWithoutSchema::All => false,
        }
    }
}

/// How text that only looks like an escape is written, if it is known which parts of a text are escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapeLookalikes {
    /// As text: each at sign is doubled.
    AreText,
    /// Like the escapes that the tag preserves, because it cannot be distinguished from them (docs/readings.md, G11).
    AreKeptByTag,
    /// Like an escape, because any text can contain escapes.
    AreKept,
}

impl Escape {
    /// Returns whether payloads are merged with their continuation lines before at signs, escapes and pointers are
    /// read (J19 §5, §6; RDX *Extended Line*).
    pub const fn reads_merged(self) -> bool {
        match self {
            Escape::TypedSpace { .. } => true,
            Escape::Untyped | Escape::Typed | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether only the escape types that the tag preserves are kept and others are dropped (J19 §5.2).
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

    /// Returns whether an invalid escape is dropped instead of kept as text (RDX *Payload conversion*).
    pub const fn drops_unknown(self) -> bool {
        match self {
            Escape::TypedSpace { recover } => recover,
            Escape::Untyped | Escape::Typed | Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns whether escapes have no types. Unicode escapes are then replaced before the text is split into lines
    /// (O17 §7.2), all others are kept, and two at signs have priority over the end of an escape (O17 §5.4).
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

    /// Returns whether there are no escapes and at signs are only doubled at the start of a payload line.
    pub const fn is_leading(self) -> bool {
        match self {
            Escape::Leading => true,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Typed | Escape::Kept => false,
        }
    }

    /// Returns whether a character that an encoding does not have can be written as an escape.
    pub const fn has_characters(self) -> bool {
        match self {
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Typed => true,
            Escape::Kept | Escape::Leading => false,
        }
    }

    /// Returns the number of bytes of an escape after its second at sign; `None` if it is not an escape in this
    /// grammar. `is_typed`: it starts with a capital letter; `has_space`: a space follows it.
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

    /// Returns whether code points that are not characters are removed before at signs are doubled, because the text
    /// around them could form an escape. December 2019 doubles each at sign separately.
    pub const fn removes_forbidden_first(self) -> bool {
        match self {
            Escape::Typed => false,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Kept | Escape::Leading => true,
        }
    }

    /// Returns the grammar without recovery, for escapes that are written unchanged: an escape that is read without
    /// its final space must not get one.
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

    /// Returns whether escapes have types, but all types are kept.
    pub const fn keeps_without_type(self) -> bool {
        match self {
            Escape::Kept => true,
            Escape::Untyped | Escape::TypedSpace { .. } | Escape::Typed | Escape::Leading => false,
        }
    }
}
