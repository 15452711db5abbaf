//! A cursor over a payload, and the productions that all grammars share.

use elf_base::Span;
use std::borrow::Cow;

/// A place in a payload that moves from left to right. Offsets are octets of the payload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// A cursor at the start of `text`.
    pub(crate) const fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, at: 0 }
    }

    /// The offset, in octets.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// The text not read yet.
    pub(crate) fn rest(&self) -> &'t str {
        debug_assert!(self.text.is_char_boundary(self.at), "a cursor stands between characters");
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next octet, if there is one.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Tells if everything is read.
    pub(crate) const fn is_done(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Reads the characters that fit, perhaps none.
    pub(crate) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let taken = rest.len() - rest.trim_start_matches(fits).len();
        self.at += taken;
        rest.get(..taken).unwrap_or_default()
    }

    /// Reads the octets that fit, perhaps none. Of a character beyond ASCII all octets fit, or none.
    fn take_octets(&mut self, fits: impl Fn(u8) -> bool) -> &'t str {
        let (octets, start) = (self.text.as_bytes(), self.at);
        while octets.get(self.at).is_some_and(|octet| fits(*octet)) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Reads `literal`, if it comes next.
    pub(crate) fn literal(&mut self, literal: &str) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let comes = rest.starts_with(literal.as_bytes());
        if comes {
            self.at += literal.len();
        }
        comes
    }

    /// Reads one or more decimal digits.
    pub(crate) fn digits(&mut self) -> Option<&'t str> {
        Some(self.take_octets(|octet| octet.is_ascii_digit())).filter(|digits| !digits.is_empty())
    }

    /// Reads one or more characters of whitespace, the production `S` of Basic Concepts §2; tells if any
    /// came.
    pub(crate) fn space(&mut self) -> bool {
        !self.take_octets(|octet| is_space(char::from(octet))).is_empty()
    }

    /// Reads up to the next whitespace or the end.
    pub(crate) fn word(&mut self) -> &'t str {
        self.take_octets(|octet| !is_space(char::from(octet)))
    }

    /// The word that comes next, which stays unread.
    pub(crate) fn next_word(&self) -> &'t str {
        let mut ahead = *self;
        ahead.word()
    }

    /// The span from `start` to here.
    pub(crate) fn since(&self, start: usize) -> Span {
        span(start, self.at)
    }
}

/// Tells if a character is whitespace (Basic Concepts §2): space, tab, carriage return or line feed.
pub(crate) const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// A span of these octets; payloads are shorter than 4 GiB.
pub(crate) fn span(start: usize, end: usize) -> Span {
    let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(start), offset(end))
}

/// The text, owned.
pub(crate) fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

/// A text without whitespace at its ends, in which each run of whitespace is one blank (Basic Concepts §2).
pub(crate) fn normalised(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim_matches(is_space);
    let mut before = 0;
    let is_normal = trimmed.bytes().all(|octet| {
        let is_double = octet == b' ' && before == b' ';
        before = octet;
        !is_double && !matches!(octet, b'\t' | b'\r' | b'\n')
    });
    if is_normal {
        return trimmed.into();
    }
    trimmed.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").into()
}
