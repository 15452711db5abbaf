//! A cursor over a payload, and the productions that all grammars share.

use elf_base::Span;
use std::borrow::Cow;

/// A place in a payload that moves from left to right. Offsets are octets of the payload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: u32,
}

impl<'t> Cursor<'t> {
    /// A cursor at the start of `text`.
    pub(crate) const fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, at: 0 }
    }

    /// The offset, in octets.
    pub(crate) const fn at(&self) -> u32 {
        self.at
    }

    /// The octets that can be read. Payloads are shorter than 4 GiB; of a longer text nothing after is read.
    fn octets(&self) -> &'t [u8] {
        const LONGEST: usize = u32::MAX as usize;
        let octets = self.text.as_bytes();
        octets.get(..LONGEST).unwrap_or(octets)
    }

    /// The text not read yet.
    pub(crate) fn rest(&self) -> &'t str {
        let at = self.at as usize;
        debug_assert!(self.text.is_char_boundary(at), "a cursor stands between characters");
        &self.text[at..]
    }

    /// The whole payload.
    pub(crate) const fn text(&self) -> &'t str {
        self.text
    }

    /// The next octet, if there is one.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.octets().get(self.at as usize).copied()
    }

    /// Returns whether everything is read.
    pub(crate) const fn is_done(&self) -> bool {
        self.at as usize >= self.text.len()
    }

    /// Reads the characters that fit, perhaps none.
    pub(crate) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let taken = rest.len() - rest.trim_start_matches(fits).len();
        self.at += offset(taken);
        &rest[..taken]
    }

    /// Passes the octets that fit, perhaps none. Of a character beyond ASCII all octets fit, or none.
    fn skip_octets(&mut self, fits: impl Fn(u8) -> bool) -> Span {
        let start = self.at;
        while self.peek().is_some_and(&fits) {
            self.at += 1;
        }
        self.since(start)
    }

    /// Passes decimal digits, perhaps none.
    pub(crate) fn number(&mut self) -> Number {
        /// The longest numbers that 32 bits hold whatever their digits.
        const SHORT: u32 = 9;
        let (start, mut value) = (self.at, 0_u32);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        let place = self.since(start);
        Number { place, value: if place.len() <= SHORT { value } else { Number::LONG } }
    }

    /// Passes capital letters and digits, perhaps none.
    pub(crate) fn capitals_and_digits(&mut self) -> Span {
        const FITS: [bool; 256] = {
            let mut fits = [false; 256];
            let mut octet = 0;
            while octet < fits.len() {
                let is_digit = octet >= b'0' as usize && octet <= b'9' as usize;
                fits[octet] = is_digit || octet >= b'A' as usize && octet <= b'Z' as usize;
                octet += 1;
            }
            fits
        };
        self.skip_octets(|octet| FITS[usize::from(octet)])
    }

    /// Reads this octet of ASCII, if it comes next.
    pub(crate) fn octet(&mut self, octet: u8) -> bool {
        let comes = self.peek() == Some(octet);
        self.at += u32::from(comes);
        comes
    }

    /// Reads `literal`, if it comes next.
    pub(crate) fn literal(&mut self, literal: &'static str) -> bool {
        let rest = &self.octets()[self.at as usize..];
        let comes = rest.starts_with(literal.as_bytes());
        if comes {
            self.at += offset(literal.len());
        }
        comes
    }

    /// Reads one or more decimal digits.
    pub(crate) fn digits(&mut self) -> Option<&'t str> {
        let place = self.number().place;
        (!place.is_empty()).then(|| place.of(self.text))
    }

    /// Reads one or more characters of whitespace, the production `S` of Basic Concepts §2; tells if any
    /// came.
    pub(crate) fn space(&mut self) -> bool {
        !self.skip_octets(|octet| is_space(char::from(octet))).is_empty()
    }

    /// Passes what stands up to the next whitespace or the end.
    pub(crate) fn word_place(&mut self) -> Span {
        self.skip_octets(|octet| !is_space(char::from(octet)))
    }

    /// Reads up to the next whitespace or the end.
    pub(crate) fn word(&mut self) -> &'t str {
        self.word_place().of(self.text)
    }

    /// The octets up to the next whitespace or the end.
    pub(crate) fn word_octets(&mut self) -> &'t [u8] {
        let place = self.word_place();
        self.octets_at(place)
    }

    /// The word that comes next, which stays unread.
    pub(crate) fn next_word(&self) -> &'t str {
        let mut ahead = *self;
        ahead.word()
    }

    /// The octets at a place that was passed.
    pub(crate) fn octets_at(&self, place: Span) -> &'t [u8] {
        &self.text.as_bytes()[place.range()]
    }

    /// The span from `start` to here.
    pub(crate) const fn since(&self, start: u32) -> Span {
        Span::new(start, self.at)
    }
}

/// Decimal digits in a payload.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Number {
    pub(crate) place: Span,
    value: u32,
}

impl Number {
    /// The value of numbers that are too long to have their own here.
    const LONG: u32 = u32::MAX;

    /// The value, unless it is too long.
    pub(crate) const fn value(self) -> Option<u32> {
        if self.value == Number::LONG { None } else { Some(self.value) }
    }

    /// Makes the number one that is known by its digits only, at this place.
    pub(crate) const fn long(place: Span) -> Number {
        Number { place, value: Number::LONG }
    }

    /// Returns whether there are no digits.
    pub(crate) const fn is_empty(self) -> bool {
        self.place.is_empty()
    }
}

/// Returns whether a character is whitespace (Basic Concepts §2): space, tab, carriage return or line feed.
pub(crate) const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Converts an index in a payload to an offset. Payloads are shorter than 4 GiB, as the texts are that they are in.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Makes a span of a payload from two indices.
pub(crate) fn span(start: usize, end: usize) -> Span {
    Span::new(offset(start), offset(end))
}

/// Makes a text owned.
pub(crate) fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

/// A text without whitespace at its ends, in which each run of whitespace is one blank (Basic Concepts §2).
pub(crate) fn normalised(text: &str) -> Cow<'_, str> {
    let is_normal = |text: &str| {
        let mut before = b' ';
        let fits = text.bytes().all(|octet| {
            let fits = octet > b' ' || octet == b' ' && before != b' ' || !is_space(char::from(octet));
            before = octet;
            fits
        });
        fits && (before != b' ' || text.is_empty())
    };
    if is_normal(text) {
        return text.into();
    }
    let trimmed = text.trim_matches(is_space);
    if is_normal(trimmed) {
        return trimmed.into();
    }
    trimmed.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").into()
}
