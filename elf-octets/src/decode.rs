//! Octets to text: one door for every encoding, and the side table of what would not decode.

use crate::encoding::Scheme;
use crate::pages::Page;
use crate::{Encoding, ansel, utf8, utf16};
use elf_base::Span;
use elf_base::rules::OctetRules;
use std::borrow::Cow;
use std::ops::Range;

/// Text decoded from octets, with what is irregular about it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Decoded<'o> {
    /// The text: borrowed where the octets are valid UTF-8, read as such.
    pub text: Cow<'o, str>,
    /// Octets that do not correspond to text in the regular way of the encoding, in the order of the text.
    pub irregular: Vec<Irregular>,
    /// True if all octets were decoded. If not, the last entry of `irregular` is the one that ended the
    /// decoding.
    pub complete: bool,
}

/// Octets that do not correspond to text in the regular way of their encoding.
///
/// This is the side table that keeps what could not be decoded: the text may say U+FFFD, but where it stands
/// and which octets it stands for remain known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Irregular {
    /// The text that stands for them; empty where they only contribute to other text, or ended the decoding.
    pub text: Span,
    /// The octets, from 0 at the start of the file.
    pub octets: Range<u64>,
    /// The way in which the octets are irregular.
    pub kind: Irregularity,
}

/// The way in which octets are irregular.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Irregularity {
    /// Octets that stand for nothing in the encoding. The text is U+FFFD or, where faults of one likely cause
    /// are repaired, the windows-1252 character of a single octet in UTF-8.
    Undecodable,
    /// Two surrogates in UTF-8, as CESU-8 has them. The text is the character they make.
    Surrogates,
    /// A C1 control. The text is the character that Windows has there.
    Control,
    /// The first octets of a character that CONC cuts in two, or marks of ANSEL that it cuts from their
    /// letter. The text is the whole character, with its marks.
    CutHead,
    /// The last octets of a character that CONC cuts in two. No text stands for them.
    CutTail,
    /// Marks of ANSEL without a character to stand on. The text is the marks.
    Dangling,
}

/// Decodes octets that start a file behind its byte-order mark.
///
/// This is the bare door: it neither decides nor reports, nor does it look for controls to repair in valid
/// text. [`Source::read`](crate::Source::read) does all of these.
///
/// ```
/// use elf_octets::{Encoding, decode};
/// use elf_base::Rules;
///
/// // ANSEL writes marks before their letter.
/// let decoded = decode(b"Jo\xE4ao", Encoding::Ansel, &Rules::WILD.octets);
/// assert_eq!(decoded.text, "Joa\u{303}o");
/// ```
pub fn decode<'o>(octets: &'o [u8], encoding: Encoding, rules: &OctetRules) -> Decoded<'o> {
    piece(Piece::whole(octets, 0), encoding, DecodeOptions::of(rules))
}

/// Octets to decode: whole lines, wherever they stand in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'o> {
    /// The octets.
    pub(crate) octets: &'o [u8],
    /// The octets after them, as many as are at hand: a character cut by CONC may end there.
    pub(crate) ahead: &'o [u8],
    /// The offset of `octets` in the file.
    pub(crate) base: u64,
    /// The octets (from 0 at the start of the file) of a cut character that the piece before has taken.
    pub(crate) taken: (u64, u64),
}

impl<'o> Piece<'o> {
    /// All there is, from octet `base` of the file on.
    pub(crate) const fn whole(octets: &'o [u8], base: u64) -> Piece<'o> {
        Piece { octets, ahead: &[], base, taken: (0, 0) }
    }
}

/// The distance past a line break within which the rest of a character cut by CONC is looked for, in octets.
pub(crate) const CONC_REACH: usize = 256;

/// The payload of a CONC line, as much of it as is within reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Continuation {
    around: [u8; CONC_REACH],
    from: usize,
    to: usize,
    /// The offset at which the payload starts, counted from the octets of the piece.
    pub(crate) begins: usize,
}

impl Continuation {
    pub(crate) fn payload(&self) -> &[u8] {
        self.around.get(self.from..self.to).unwrap_or_default()
    }
}

impl Piece<'_> {
    /// The payload of the CONC line behind the line that ends at `end`. Programs that split long payloads by
    /// octets cut characters there.
    pub(crate) fn continuation(self, end: usize) -> Option<Continuation> {
        let next = self.octets.get(end).or_else(|| self.ahead.first());
        next.filter(|octet| matches!(octet, b'\n' | b'\r'))?;
        // The line break and the start of the next line, in this piece or ahead of it.
        let mut around = [0; CONC_REACH];
        let here = self.octets.get(end..)?.iter();
        let mut to = 0;
        for (slot, octet) in around.iter_mut().zip(here.chain(self.ahead)) {
            *slot = *octet;
            to += 1;
        }
        let reach = around.get(..to)?;
        let line = reach
            .strip_prefix(b"\r\n")
            .or_else(|| reach.strip_prefix(b"\n"))
            .or_else(|| reach.strip_prefix(b"\r"))?;
        let line = skip(line, is_blank);
        let level = skip(line, |octet| octet.is_ascii_digit());
        let tag = skip(level, is_blank);
        if level.len() == line.len() || tag.len() == level.len() {
            return None;
        }
        let from = to - tag.strip_prefix(b"CONC ")?.len();
        Some(Continuation { around, from, to, begins: end + from })
    }

    /// The end of a cut character that the piece before has taken, counted from the octets of this one; empty
    /// where there is none.
    pub(crate) fn taken_tail(self) -> Range<usize> {
        let local = |offset: u64| usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        local(self.taken.0)..local(self.taken.1)
    }
}

fn skip(octets: &[u8], which: impl Fn(u8) -> bool) -> &[u8] {
    let count = octets.iter().take_while(|octet| which(**octet)).count();
    octets.get(count..).unwrap_or_default()
}

fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

/// The octets of a cut character that decoding a piece has taken from those ahead of it.
pub(crate) fn taken_ahead(decoded: &Decoded<'_>, piece: Piece<'_>, encoding: Encoding) -> (u64, u64) {
    // The head stands at the end of the last line, and its tail is not noted in this piece.
    let end = piece.base + piece.octets.len() as u64;
    let head = decoded.irregular.iter().rfind(|irregular| irregular.kind == Irregularity::CutHead);
    let tail = head.and_then(|head| {
        let start = usize::try_from(head.octets.start - piece.base).ok()?;
        let stop = usize::try_from(head.octets.end - piece.base).ok()?;
        if encoding == Encoding::Ansel {
            ansel::cut_tail(piece, &(start..stop))
        } else {
            utf8::cut(piece, &(start..stop)).map(|(_, tail)| tail)
        }
    });
    match tail {
        Some(tail) if piece.base + tail.start as u64 >= end => {
            (piece.base + tail.start as u64, piece.base + tail.end as u64)
        }
        _ => (0, 0),
    }
}

/// The treatment of octets that a decoder cannot decode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecodeOptions {
    /// The first such octets end the decoding (December 2019; AMB-24).
    pub(crate) stop: bool,
    /// Faults of one likely cause are repaired.
    pub(crate) repair: bool,
    /// C1 controls are looked for in valid UTF-8 and repaired.
    pub(crate) controls: bool,
}

impl DecodeOptions {
    pub(crate) fn of(rules: &OctetRules) -> DecodeOptions {
        DecodeOptions { stop: rules.ends_at_faults(), repair: rules.content, controls: false }
    }
}

/// Decodes a piece of a file.
pub(crate) fn piece<'o>(piece: Piece<'o>, encoding: Encoding, options: DecodeOptions) -> Decoded<'o> {
    match encoding.scheme() {
        Scheme::Utf8 => utf8::decode(piece, options),
        Scheme::Utf16Le | Scheme::Utf16Be => utf16::decode(piece.octets, piece.base, encoding, options),
        Scheme::Ansel => ansel::decode(piece, options),
        Scheme::Ascii | Scheme::Page => {
            page(piece.octets, piece.base, Page::of(encoding, options.repair), options)
        }
    }
}

/// Decodes an encoding of one octet a character.
fn page<'o>(octets: &[u8], base: u64, page: &Page, options: DecodeOptions) -> Decoded<'o> {
    let mut out = DecodeBuffer::new(octets.len() + octets.len() / 16, base, options);
    let mut stretch = OctetBuffer::default();
    let mut at = 0;
    while at < octets.len() {
        let rest = octets.get(at..).unwrap_or_default();
        at += stretch.take(rest, |rest| {
            let first =
                rest.first().map(|octet| page.utf8(*octet)).filter(|character| character.len() > 0)?;
            Some(CommonStart { first, second: Utf8::NONE, octets: 1 })
        });
        if out.push(&mut stretch) {
            continue;
        }
        // An octet that is not regular, or the end.
        let Some(octet) = octets.get(at) else { break };
        match page.character(*octet) {
            Some(character) => out.irregular(character, at..at + 1, Irregularity::Control),
            None => {
                if out.undecodable(at..at + 1, None) {
                    break;
                }
            }
        }
        at += 1;
    }
    out.done()
}

/// A character in UTF-8: up to three octets and, last, how many there are; none for what has no regular
/// character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf8([u8; 4]);

impl Utf8 {
    pub(crate) const NONE: Utf8 = Utf8([0; 4]);

    /// Returns the octets of a character of at most three.
    pub(crate) const fn of(character: char) -> Utf8 {
        let mut octets = [0; 4];
        match character.encode_utf8(&mut octets).len() {
            1 => octets[3] = 1,
            2 => octets[3] = 2,
            3 => octets[3] = 3,
            _ => octets = [0; 4],
        }
        Utf8(octets)
    }

    pub(crate) const fn len(self) -> usize {
        self.0[3] as usize
    }

    /// The octets as a number, the first one lowest.
    const fn bits(self) -> u64 {
        (u32::from_le_bytes(self.0) & 0xFF_FFFF) as u64
    }
}

/// Text that is put together octet by octet, and then checked and appended as a whole.
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
    /// The length from which on the stretch is full, in octets.
    const FULL: usize = 1 << 12;
    /// More is written at once than counts in the end.
    const ROOM: usize = OctetBuffer::FULL + 32;

    /// Takes octets from the start of `octets` on, as long as they are ASCII or `common` decodes their start,
    /// until the stretch is full. Returns the number of octets taken.
    #[inline(always)]
    pub(crate) fn take(&mut self, octets: &[u8], common: impl Fn(&[u8]) -> Option<CommonStart>) -> usize {
        // More octets are always written than count, so that how many do is no matter of branches.
        const HIGH: u128 = u128::from_le_bytes([0x80; 16]);
        let (mut at, mut length) = (0, self.length);
        while length < OctetBuffer::FULL {
            let mut rest = octets.get(at..).unwrap_or_default();
            let slot = self.text.get_mut(length..).and_then(|rest| rest.first_chunk_mut());
            if let (Some(next), Some(slot)) = (rest.first_chunk::<16>(), slot) {
                *slot = *next;
                let ascii = (u128::from_le_bytes(*next) & HIGH).trailing_zeros() as usize / 8;
                at += ascii;
                length += ascii;
                if ascii == 16 {
                    continue;
                }
                rest = rest.get(ascii..).unwrap_or_default();
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

/// The common start of some octets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommonStart {
    pub(crate) first: Utf8,
    /// None where it is one character.
    pub(crate) second: Utf8,
    /// The number of octets decoded.
    pub(crate) octets: usize,
}

/// Text that grows, with what is irregular about it.
#[derive(Debug)]
pub(crate) struct DecodeBuffer {
    pub(crate) text: String,
    irregular: Vec<Irregular>,
    base: u64,
    options: DecodeOptions,
    ended: bool,
}

impl DecodeBuffer {
    /// No text yet, but room for that many octets; the first octet to be decoded stands at `base` in the
    /// file.
    pub(crate) fn new(room: usize, base: u64, options: DecodeOptions) -> DecodeBuffer {
        DecodeBuffer { text: String::with_capacity(room), irregular: Vec::new(), base, options, ended: false }
    }

    /// Appends a stretch of text and empties it; whether it was full.
    pub(crate) fn push(&mut self, stretch: &mut OctetBuffer) -> bool {
        let length = std::mem::take(&mut stretch.length);
        let text = stretch.text.get(..length).unwrap_or_default();
        // The library validates what is not ASCII several times as fast as the standard one.
        let text = encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(text);
        self.text.push_str(&text.unwrap_or_default());
        length >= OctetBuffer::FULL
    }

    /// Returns the length of the text. A text over 4 GiB is refused before an offset in it is used.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    /// Appends a character that stands for `octets` (counted from those decoded) irregularly.
    pub(crate) fn irregular(&mut self, character: char, octets: Range<usize>, kind: Irregularity) {
        let start = self.len();
        self.text.push(character);
        self.note(start, octets, kind);
    }

    /// Notes that the text from `start` on stands for `octets` irregularly.
    pub(crate) fn note(&mut self, start: u32, octets: Range<usize>, kind: Irregularity) {
        let text = Span::new(start, self.len());
        let octets = self.base + octets.start as u64..self.base + octets.end as u64;
        self.irregular.push(Irregular { text, octets, kind });
    }

    /// Notes octets that stand for nothing, or for a `guess`. Tells whether they end the decoding.
    pub(crate) fn undecodable(&mut self, octets: Range<usize>, guess: Option<char>) -> bool {
        if self.options.stop {
            self.note(self.len(), octets, Irregularity::Undecodable);
            self.ended = true;
        } else {
            self.irregular(guess.unwrap_or(char::REPLACEMENT_CHARACTER), octets, Irregularity::Undecodable);
        }
        self.ended
    }

    pub(crate) fn done<'o>(self) -> Decoded<'o> {
        Decoded { text: Cow::Owned(self.text), irregular: self.irregular, complete: !self.ended }
    }
}
