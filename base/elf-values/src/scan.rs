//! A cursor over a payload, and the productions that all grammars share.

use elf_base::Span;
use std::borrow::Cow;

/// A position in a payload, in octets, that moves from left to right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: u32,
}

impl<'t> Cursor<'t> {
    pub(crate) const fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, at: 0 }
    }

    pub(crate) const fn position(&self) -> u32 {
        self.at
    }

    /// Returns the octets of the payload. A span holds 32 bits, so text after the first 4 GiB is not read.
    fn octets(&self) -> &'t [u8] {
        const LONGEST: usize = u32::MAX as usize;
        let octets = self.text.as_bytes();
        octets.get(..LONGEST).unwrap_or(octets)
    }

    pub(crate) fn rest(&self) -> &'t str {
        let at = self.at as usize;
        debug_assert!(self.text.is_char_boundary(at), "a cursor stands between characters");
        &self.text[at..]
    }

    pub(crate) const fn text(&self) -> &'t str {
        self.text
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.octets().get(self.at as usize).copied()
    }

    pub(crate) const fn is_done(&self) -> bool {
        self.at as usize >= self.text.len()
    }

    pub(crate) fn read_while(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let taken = rest.len() - rest.trim_start_matches(fits).len();
        self.at += offset(taken);
        &rest[..taken]
    }

    /// Skips octets. `fits` must give the same answer for all octets of a character outside ASCII.
    fn skip_octets(&mut self, fits: impl Fn(u8) -> bool) -> Span {
        let start = self.at;
        while self.peek().is_some_and(&fits) {
            self.at += 1;
        }
        self.span_from(start)
    }

    pub(crate) fn read_number(&mut self) -> Number {
        /// Every number with this many digits fits into 32 bits.
        const SHORT: u32 = 9;
        let (start, mut value) = (self.at, 0_u32);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        let place = self.span_from(start);
        Number { place, value: if place.len() <= SHORT { value } else { Number::LONG } }
    }

    pub(crate) fn read_capitals_and_digits(&mut self) -> Span {
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

    pub(crate) fn skip_octet(&mut self, octet: u8) -> bool {
        let comes = self.peek() == Some(octet);
        self.at += u32::from(comes);
        comes
    }

    pub(crate) fn skip_literal(&mut self, literal: &'static str) -> bool {
        let rest = &self.octets()[self.at as usize..];
        let comes = rest.starts_with(literal.as_bytes());
        if comes {
            self.at += offset(literal.len());
        }
        comes
    }

    pub(crate) fn read_digits(&mut self) -> Option<&'t str> {
        let place = self.read_number().place;
        (!place.is_empty()).then(|| place.of(self.text))
    }

    /// Skips whitespace, which is the production `S` of Basic Concepts §2. Returns whether there was whitespace.
    pub(crate) fn skip_space(&mut self) -> bool {
        !self.skip_octets(|octet| is_space(char::from(octet))).is_empty()
    }

    pub(crate) fn read_word_span(&mut self) -> Span {
        self.skip_octets(|octet| !is_space(char::from(octet)))
    }

    pub(crate) fn read_word(&mut self) -> &'t str {
        self.read_word_span().of(self.text)
    }

    pub(crate) fn read_word_octets(&mut self) -> &'t [u8] {
        let place = self.read_word_span();
        self.octets_at(place)
    }

    pub(crate) fn peek_word(&self) -> &'t str {
        let mut ahead = *self;
        ahead.read_word()
    }

    pub(crate) fn octets_at(&self, place: Span) -> &'t [u8] {
        &self.text.as_bytes()[place.range()]
    }

    pub(crate) const fn span_from(&self, start: u32) -> Span {
        Span::new(start, self.at)
    }
}

/// The decimal digits of a number in a payload.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Number {
    pub(crate) place: Span,
    value: u32,
}

impl Number {
    /// The `value` of a number that does not fit into 32 bits.
    const LONG: u32 = u32::MAX;

    pub(crate) const fn value(self) -> Option<u32> {
        if self.value == Number::LONG { None } else { Some(self.value) }
    }

    pub(crate) const fn long(place: Span) -> Number {
        Number { place, value: Number::LONG }
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.place.is_empty()
    }
}

/// Returns whether a character is whitespace of Basic Concepts §2: space, tab, carriage return or line feed.
pub(crate) const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Converts a position in a payload to 32 bits. Payloads are shorter than 4 GiB.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

pub(crate) fn span(start: usize, end: usize) -> Span {
    Span::new(offset(start), offset(end))
}

pub(crate) fn into_owned_text(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

/// Trims a text and replaces each run of whitespace by one blank (Basic Concepts §2).
pub(crate) fn normalise_whitespace(text: &str) -> Cow<'_, str> {
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
