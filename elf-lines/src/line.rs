//! A parsed line, and the error for an invalid line.

use crate::tags::tag_of_full_name;
use elf_base::{Code, Span};
use std::borrow::Cow;

/// A parsed line with its level, identifier, tag and payload.
///
/// The line borrows the line string and stores byte offsets into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'t> {
    pub(crate) text: &'t str,
    pub(crate) level: u32,
    pub(crate) xref: Span,
    pub(crate) tag: Span,
    pub(crate) payload: Span,
    pub(crate) kind: Kind,
    pub(crate) lenience: Lenience,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Absent,
    /// The payload is an empty text.
    Empty,
    Text,
    /// The payload is a pointer. The span of the payload includes the whitespace around the pointer.
    Pointer,
}

/// The payload of a line as written, with escapes that are not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Payload<'t> {
    /// A string payload, possibly empty.
    Text(&'t str),
    /// The text between the at signs of a pointer.
    Pointer(&'t str),
}

/// The set of the faults in a line that lenient rules accept. The caller reports these faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lenience(u8);

impl Lenience {
    pub(crate) const LEVEL: Lenience = Lenience(1);
    pub(crate) const XREF: Lenience = Lenience(1 << 1);
    pub(crate) const POINTER: Lenience = Lenience(1 << 2);
    pub(crate) const TAB: Lenience = Lenience(1 << 3);
    pub(crate) const SPACING: Lenience = Lenience(1 << 4);
    pub(crate) const TAG: Lenience = Lenience(1 << 5);
    pub(crate) const FULL_TAG: Lenience = Lenience(1 << 6);
    pub(crate) const DAMAGED: Lenience = Lenience(1 << 7);
    const NONE: Lenience = Lenience(0);

    /// Returns these faults if `is_there`. If `is_there` is false, returns no faults.
    #[inline(always)]
    pub(crate) const fn when(self, is_there: bool) -> Lenience {
        if is_there { self } else { Lenience::NONE }
    }

    #[inline(always)]
    pub(crate) const fn or(self, others: Lenience) -> Lenience {
        Lenience(self.0 | others.0)
    }

    #[inline]
    const fn has(self, fault: Lenience) -> bool {
        self.0 & fault.0 != 0
    }

    /// Returns whether the set contains any faults.
    #[inline]
    pub const fn is_any(self) -> bool {
        self.0 != 0
    }

    /// Returns whether the level has leading zeros (E0202), or is higher than the rules allow (E0212).
    #[inline]
    pub const fn of_level(self) -> bool {
        self.has(Lenience::LEVEL)
    }

    /// Returns whether the cross-reference identifier contains characters that the standard does not allow (E0204).
    #[inline]
    pub const fn of_xref(self) -> bool {
        self.has(Lenience::XREF)
    }

    /// Returns whether the pointer contains text that is not a cross-reference identifier (E0210).
    #[inline]
    pub const fn of_pointer(self) -> bool {
        self.has(Lenience::POINTER)
    }

    /// Returns whether a tab separates tag and payload (E0201).
    #[inline]
    pub const fn of_tab(self) -> bool {
        self.has(Lenience::TAB)
    }

    /// Returns whether anything other than one space separates the parts before the payload, or whitespace precedes the
    /// level (E0211).
    #[inline]
    pub const fn of_spacing(self) -> bool {
        self.has(Lenience::SPACING)
    }

    /// Returns whether the tag is written as its full name (E0215).
    #[inline]
    pub const fn of_full_tag(self) -> bool {
        self.has(Lenience::FULL_TAG)
    }

    /// Returns whether the line string is damaged and was read as a [`MeantLine`](crate::MeantLine) (E0213).
    #[inline]
    pub const fn of_damage(self) -> bool {
        self.has(Lenience::DAMAGED)
    }

    /// Returns whether the identifier and the tag are not at their usual offsets. Use a
    /// [`ScannedHead`](crate::ScannedHead) to find them.
    #[inline]
    pub const fn of_head(self) -> bool {
        self.has(Lenience(Lenience::FULL_TAG.0 | Lenience::DAMAGED.0))
    }

    /// Returns whether the tag has lower-case letters or starts with a digit (E0205).
    #[inline]
    pub const fn of_tag(self) -> bool {
        self.has(Lenience::TAG)
    }
}

/// The reason why a line string is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The code of the finding, one of E02.
    pub code: Code,
    /// The part of the line string that is invalid, in bytes.
    pub span: Span,
    /// The message, which contains what was expected and what was found.
    pub message: Cow<'static, str>,
}

impl<'t> Line<'t> {
    /// Returns the level, at most 4,294,967,295. [`level_digits`](Line::level_digits) returns all digits.
    pub const fn level(&self) -> u32 {
        self.level
    }

    /// Returns all digits of the level without leading zeros (D19 *Levels*; J19 §2.4).
    ///
    /// ```
    /// use elf_base::Rules;
    /// let line = elf_lines::parse("0099999999999999999999 NOTE", &Rules::WILD.lines)?;
    /// assert_eq!((line.level(), line.level_digits()), (u32::MAX, "99999999999999999999"));
    /// # Ok::<(), elf_lines::Fault>(())
    /// ```
    pub fn level_digits(&self) -> &'t str {
        let text = self.text.trim_start_matches([' ', '\t']);
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        significant_digits(&text[..text.len() - rest.len()])
    }

    /// Returns the cross-reference identifier without its at signs.
    pub fn xref(&self) -> Option<&'t str> {
        (!self.xref.is_empty()).then(|| self.xref.of(self.text))
    }

    /// Returns the tag. If the line has the full name of a tag, returns the tag that belongs to this name.
    pub fn tag(&self) -> &'t str {
        let written = self.tag.of(self.text);
        if !self.lenience.of_full_tag() {
            return written;
        }
        tag_of_full_name(written).unwrap_or(written)
    }

    /// Returns the line with its tag as written. The tag may be written as its full name.
    #[must_use]
    pub const fn with_written_tag(mut self) -> Line<'t> {
        self.lenience = Lenience(self.lenience.0 & !Lenience::FULL_TAG.0);
        self
    }

    /// Returns the payload. Under the rules of December 2019, an empty payload is the same as a missing one and is
    /// returned as `None`. The earlier drafts distinguish an empty payload from a missing one.
    pub fn payload(&self) -> Option<Payload<'t>> {
        match self.kind {
            Kind::Absent => None,
            Kind::Empty | Kind::Text => Some(Payload::Text(self.payload.of(self.text))),
            Kind::Pointer => {
                let label = self.payload.of(self.text).trim_matches([' ', '\t']);
                Some(Payload::Pointer(
                    label.strip_prefix('@').and_then(|l| l.strip_suffix('@')).unwrap_or(label),
                ))
            }
        }
    }

    /// Returns the whole payload as written, including the at signs of a pointer and the whitespace around it. The
    /// result is empty if there is no payload.
    pub fn payload_text(&self) -> &'t str {
        self.payload.of(self.text)
    }

    /// Returns whether the payload is a pointer.
    pub const fn is_pointer(&self) -> bool {
        matches!(self.kind, Kind::Pointer)
    }

    /// Returns whether the line has a payload. The payload may be empty.
    pub const fn has_payload(&self) -> bool {
        !matches!(self.kind, Kind::Absent)
    }

    /// Returns whether the line has no payload or an empty one.
    ///
    /// ```
    /// use elf_base::Rules;
    ///
    /// let says_nothing = |text| elf_lines::parse(text, &Rules::GEDCOM_7.lines).is_ok_and(|line| line.says_nothing());
    /// assert_eq!(["1 BIRT", "1 BIRT ", "1 BIRT  ", "1 BIRT Y"].map(says_nothing), [true, true, false, false]);
    /// ```
    #[inline]
    pub const fn says_nothing(&self) -> bool {
        matches!(self.kind, Kind::Absent | Kind::Empty)
    }

    /// Returns the span of the cross-reference identifier in the line string, without its at signs. The span is empty
    /// if the line has no identifier.
    pub const fn xref_span(&self) -> Span {
        self.xref
    }

    /// Returns the span of the tag in the line string.
    pub const fn tag_span(&self) -> Span {
        self.tag
    }

    /// Returns the span of the payload in the line string. If there is no payload, the span is empty and at the end of
    /// the line.
    pub const fn payload_span(&self) -> Span {
        self.payload
    }

    /// Returns the faults of the line that lenient rules accept.
    pub const fn lenience(&self) -> Lenience {
        self.lenience
    }
}

pub(crate) fn significant_digits(digits: &str) -> &str {
    match digits.trim_start_matches('0') {
        "" => &digits[..digits.len().min(1)],
        significant => significant,
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Fault {}
