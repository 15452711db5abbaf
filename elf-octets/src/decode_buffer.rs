//! The text that a decoder builds, with a list of the bytes that it could not decode.

use crate::decoded::{Decoded, Irregular, Irregularity};
use crate::line_table::text_offset;
use crate::utf8_char::Utf8;
use elf_base::Span;
use elf_base::rules::OctetRules;
use std::borrow::Cow;
use std::ops::Range;

/// How a decoder treats bytes that it cannot decode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecodeOptions {
    /// Whether decoding ends at the first bytes that cannot be decoded (December 2019; AMB-24).
    pub(crate) stop: bool,
    /// Whether faults that have one likely cause are fixed.
    pub(crate) repair: bool,
    /// Whether C1 controls in valid UTF-8 are replaced by characters of Windows.
    pub(crate) controls: bool,
}

impl DecodeOptions {
    pub(crate) fn from_rules(rules: &OctetRules) -> DecodeOptions {
        DecodeOptions { stop: rules.ends_at_faults(), repair: rules.content, controls: false }
    }
}

/// A small buffer for decoded bytes. The bytes are checked and appended to the text together.
#[derive(Debug)]
pub(crate) struct OctetBuffer {
    text: [u8; OctetBuffer::ROOM],
    length: usize,
}

impl Default for OctetBuffer {
    fn default() -> OctetBuffer {
        OctetBuffer { text: [0; OctetBuffer::ROOM], length: 0 }
    }
}

impl OctetBuffer {
    /// The length at which the buffer is full, in bytes.
    const FULL: usize = 1 << 12;
    /// The size of the buffer, with room for the last write, which may pass the end.
    const ROOM: usize = OctetBuffer::FULL + 32;

    /// Decodes `octets` as long as they are ASCII or `common` can decode them, until the buffer is full. Returns the
    /// number of bytes that were decoded.
    #[inline(always)]
    pub(crate) fn decode_from(
        &mut self,
        octets: &[u8],
        common: impl Fn(&[u8]) -> Option<CommonStart>,
    ) -> usize {
        // Each step writes more bytes than it counts. This avoids a branch on the number of bytes.
        const HIGH: u128 = u128::from_le_bytes([0x80; 16]);
        let (mut at, mut length) = (0, self.length);
        // The function `common` never decodes more octets than it receives, so `at` stays within `octets`.
        while length < OctetBuffer::FULL {
            let mut rest = &octets[at..];
            let slot = self.text.get_mut(length..).and_then(|rest| rest.first_chunk_mut());
            if let (Some(next), Some(slot)) = (rest.first_chunk::<16>(), slot) {
                *slot = *next;
                let ascii = (u128::from_le_bytes(*next) & HIGH).trailing_zeros() as usize / 8;
                at += ascii;
                length += ascii;
                if ascii == 16 {
                    continue;
                }
                rest = &rest[ascii..];
            }
            let Some(CommonStart { first, second, octets }) = common(rest) else { break };
            let slot = self.text.get_mut(length..).and_then(|rest| rest.first_chunk_mut());
            if let Some(slot) = slot {
                *slot = (first.bits() | second.bits() << (8 * first.len())).to_le_bytes();
            }
            at += octets;
            length += first.len() + second.len();
        }
        self.length = length;
        at
    }
}

/// One or two characters that a decoder decoded in its fast path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommonStart {
    pub(crate) first: Utf8,
    /// The second character. Empty if only one character was decoded.
    pub(crate) second: Utf8,
    /// The number of bytes that were decoded.
    pub(crate) octets: usize,
}

/// The text decoded so far, with the list of irregular bytes.
#[derive(Debug)]
pub(crate) struct DecodeBuffer {
    pub(crate) text: String,
    irregular: Vec<Irregular>,
    base: u64,
    options: DecodeOptions,
    ended: bool,
}

impl DecodeBuffer {
    /// Creates an empty buffer with a capacity of `room` bytes. `base` is the offset in the file of the first byte to
    /// decode.
    pub(crate) fn new(room: usize, base: u64, options: DecodeOptions) -> DecodeBuffer {
        DecodeBuffer { text: String::with_capacity(room), irregular: Vec::new(), base, options, ended: false }
    }

    /// Moves the text of `stretch` to the end of this buffer. Returns whether `stretch` was full before.
    pub(crate) fn push_buffer(&mut self, stretch: &mut OctetBuffer) -> bool {
        let length = std::mem::take(&mut stretch.length);
        let text = &stretch.text[..length];
        // `encoding_rs` validates text that is not ASCII several times as fast as the standard library.
        match encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(text) {
            Some(text) => self.text.push_str(&text),
            None => unreachable!("a stretch holds ASCII and characters of the tables, which are UTF-8"),
        }
        length >= OctetBuffer::FULL
    }

    pub(crate) fn len(&self) -> u32 {
        text_offset(self.text.len())
    }

    pub(crate) fn push_irregular(&mut self, character: char, octets: Range<usize>, kind: Irregularity) {
        let start = self.len();
        self.text.push(character);
        self.record_irregular(start, octets, kind);
    }

    /// Records that the text from `start` on was decoded from irregular bytes.
    pub(crate) fn record_irregular(&mut self, start: u32, octets: Range<usize>, kind: Irregularity) {
        let text = Span::new(start, self.len());
        let octets = self.base + octets.start as u64..self.base + octets.end as u64;
        self.irregular.push(Irregular { text, octets, kind });
    }

    /// Records bytes that have no meaning in the encoding, with a guess of the character that was meant. Returns
    /// whether these bytes end the decoding.
    pub(crate) fn push_undecodable(&mut self, octets: Range<usize>, guess: Option<char>) -> bool {
        if self.options.stop {
            self.record_irregular(self.len(), octets, Irregularity::Undecodable);
            self.ended = true;
        } else {
            self.push_irregular(
                guess.unwrap_or(char::REPLACEMENT_CHARACTER),
                octets,
                Irregularity::Undecodable,
            );
        }
        self.ended
    }

    pub(crate) fn into_decoded<'o>(self) -> Decoded<'o> {
        Decoded { text: Cow::Owned(self.text), irregular: self.irregular, complete: !self.ended }
    }
}
