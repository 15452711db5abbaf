//! The recommended maximum length of a line, and its unit.

/// The maximum length of a line that is written, in the unit of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineLimit {
    /// In characters (2017: 255).
    Characters(u32),
    /// In characters, including the line break (GEDCOM 5.5.1: 255).
    CharactersWithBreak(u32),
    /// In bytes of UTF-8, whatever the encoding (declarative: 255).
    Utf8(u32),
    /// In bytes of the encoding, without the line break (January 2019: 255).
    Encoded(u32),
    /// In bytes of the encoding, including the line break; twice as many in UTF-16 (December 2019: 255).
    EncodedWithBreak(u32),
    /// No limit.
    None,
}

/// The unit of line lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LengthUnit {
    /// Characters. In ANSEL, a combining mark and its letter are two characters.
    Characters,
    /// Bytes of UTF-8, whatever the encoding.
    Utf8,
    /// Bytes of the encoding.
    Encoded,
}

impl LineLimit {
    /// Returns the maximum in the unit of the limit; `None` if there is no limit.
    pub const fn most(self) -> Option<u32> {
        match self {
            LineLimit::Characters(most)
            | LineLimit::CharactersWithBreak(most)
            | LineLimit::Utf8(most)
            | LineLimit::Encoded(most)
            | LineLimit::EncodedWithBreak(most) => Some(most),
            LineLimit::None => None,
        }
    }

    /// Returns the limit with another maximum. If there is no limit, uses that of December 2019.
    ///
    /// ```
    /// use elf_base::rules::LineLimit;
    ///
    /// assert_eq!(LineLimit::Characters(255).with_most(80), LineLimit::Characters(80));
    /// assert_eq!(LineLimit::None.with_most(80), LineLimit::EncodedWithBreak(80));
    /// ```
    #[must_use]
    pub const fn with_most(self, most: u32) -> LineLimit {
        match self {
            LineLimit::Characters(_) => LineLimit::Characters(most),
            LineLimit::CharactersWithBreak(_) => LineLimit::CharactersWithBreak(most),
            LineLimit::Utf8(_) => LineLimit::Utf8(most),
            LineLimit::Encoded(_) => LineLimit::Encoded(most),
            LineLimit::EncodedWithBreak(_) | LineLimit::None => LineLimit::EncodedWithBreak(most),
        }
    }

    /// Returns the unit of the limit.
    pub const fn unit(self) -> LengthUnit {
        match self {
            LineLimit::Characters(_) | LineLimit::CharactersWithBreak(_) => LengthUnit::Characters,
            LineLimit::Utf8(_) | LineLimit::None => LengthUnit::Utf8,
            LineLimit::Encoded(_) | LineLimit::EncodedWithBreak(_) => LengthUnit::Encoded,
        }
    }

    /// Returns whether the line break counts.
    pub const fn counts_break(self) -> bool {
        match self {
            LineLimit::CharactersWithBreak(_) | LineLimit::EncodedWithBreak(_) => true,
            LineLimit::Characters(_) | LineLimit::Utf8(_) | LineLimit::Encoded(_) | LineLimit::None => false,
        }
    }

    /// Returns whether lines in UTF-16 can be twice as long (D19 *Line strings*).
    pub const fn doubles_in_utf_16(self) -> bool {
        match self {
            LineLimit::EncodedWithBreak(_) => true,
            LineLimit::Characters(_)
            | LineLimit::CharactersWithBreak(_)
            | LineLimit::Utf8(_)
            | LineLimit::Encoded(_)
            | LineLimit::None => false,
        }
    }
}
