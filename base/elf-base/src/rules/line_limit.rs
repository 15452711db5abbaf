//! The recommended maximum length of a line, and the unit in which it is counted.

/// The maximum length of a line that is written, counted in the unit of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineLimit {
    /// The limit counts characters. The drafts of 2017 set it to 255.
    Characters(u32),
    /// The limit counts characters, including the line break. GEDCOM 5.5.1 sets it to 255.
    CharactersWithBreak(u32),
    /// The limit counts bytes of UTF-8, even if the file is in another encoding. The declarative draft sets it to 255.
    Utf8(u32),
    /// The limit counts bytes of the file's encoding, without the line break. The draft of January 2019 sets it to 255.
    Encoded(u32),
    /// The limit counts bytes of the file's encoding, including the line break, and is doubled in UTF-16. The draft of
    /// December 2019 sets it to 255.
    EncodedWithBreak(u32),
    /// Lines can have any length.
    None,
}

/// The unit in which the length of a line is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LengthUnit {
    /// Characters. In ANSEL, a combining mark and its letter are two characters.
    Characters,
    /// Bytes of UTF-8, even if the file is in another encoding.
    Utf8,
    /// Bytes of the file's encoding.
    Encoded,
}

impl LineLimit {
    /// Returns the maximum length, counted in the unit of the limit. Returns `None` if there is no limit.
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

    /// Returns the limit with another maximum. If there is no limit, the result is a limit as in December 2019.
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

    /// Returns the unit in which the limit counts.
    pub const fn unit(self) -> LengthUnit {
        match self {
            LineLimit::Characters(_) | LineLimit::CharactersWithBreak(_) => LengthUnit::Characters,
            LineLimit::Utf8(_) | LineLimit::None => LengthUnit::Utf8,
            LineLimit::Encoded(_) | LineLimit::EncodedWithBreak(_) => LengthUnit::Encoded,
        }
    }

    /// Returns whether the limit counts the line break too.
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
