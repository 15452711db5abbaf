//! Octets to text: one door for every encoding, and the side table of what would not decode.

use crate::pages::Page;
use crate::{Encoding, ansel, utf8, utf16};
use elf_base::Span;
use elf_base::rules::{OctetRules, Prescan};
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
    /// Whether all octets were decoded. If not, the last entry of `irregular` is what ended it.
    pub complete: bool,
}

/// Octets that do not correspond to text in the regular way of their encoding.
///
/// This is the side table that keeps what could not be decoded: the text may say U+FFFD, but where it stands and
/// which octets it stands for remain known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Irregular {
    /// The text that stands for them; empty where they only contribute to other text, or ended the decoding.
    pub text: Span,
    /// The octets, from 0 at the start of the file.
    pub octets: Range<u64>,
    /// What is irregular about them.
    pub kind: Irregularity,
}

/// What is irregular about octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Irregularity {
    /// They stand for nothing in the encoding. The text is U+FFFD or, where faults of one likely cause are
    /// repaired, the windows-1252 character of a single octet in UTF-8.
    Undecodable,
    /// Two surrogates in UTF-8, as CESU-8 has them. The text is the character they make.
    Surrogates,
    /// A C1 control. The text is the character that Windows has there.
    Control,
    /// The first octets of a character that CONC cuts in two. The text is the whole character.
    CutHead,
    /// The last octets of a character that CONC cuts in two. No text stands for them.
    CutTail,
    /// Marks of ANSEL without a character to stand on. The text is the marks.
    Dangling,
}

/// Decodes octets that start a file behind its byte-order mark.
///
/// This is the bare door: it neither decides nor reports, nor does it look for controls to repair in valid text.
/// [`Source::read`](crate::Source::read) does all of these.
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
    piece(Piece::whole(octets, 0), encoding, Manner::of(rules))
}

/// Octets to decode: whole lines, wherever they stand in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'o> {
    /// The octets.
    pub(crate) octets: &'o [u8],
    /// The octets after them, as many as are at hand: a character cut by CONC may end there.
    pub(crate) ahead: &'o [u8],
    /// Where they stand in the file.
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

/// How a decoder treats what it cannot decode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// It ends the decoding (December 2019; AMB-24).
    pub(crate) stop: bool,
    /// What has one likely cause is repaired.
    pub(crate) repair: bool,
    /// C1 controls are looked for in valid UTF-8 and repaired.
    pub(crate) controls: bool,
}

impl Manner {
    pub(crate) fn of(rules: &OctetRules) -> Manner {
        Manner {
            stop: rules.prescan == Prescan::December && !rules.content,
            repair: rules.content,
            controls: false,
        }
    }
}

/// Decodes a piece of a file.
pub(crate) fn piece<'o>(piece: Piece<'o>, encoding: Encoding, manner: Manner) -> Decoded<'o> {
    match encoding {
        Encoding::Utf8 => utf8::decode(piece, manner),
        Encoding::Utf16Le | Encoding::Utf16Be => utf16::decode(piece.octets, piece.base, encoding, manner),
        Encoding::Ansel => ansel::decode(piece.octets, piece.base, manner),
        _ => page(piece.octets, piece.base, Page::of(encoding, manner.repair), manner),
    }
}

/// Decodes an encoding of one octet a character.
fn page<'o>(octets: &[u8], base: u64, page: &Page, manner: Manner) -> Decoded<'o> {
    let mut out = Out::new(octets.len() + octets.len() / 16, base, manner);
    let mut at = 0;
    while let Some(rest) = octets.get(at..).filter(|rest| !rest.is_empty()) {
        let ascii = encoding_rs::Encoding::ascii_valid_up_to(rest);
        out.push_ascii(rest.get(..ascii).unwrap_or_default());
        at += ascii;
        // Where one is not ASCII, others follow soon: some octets at a time, whatever they are.
        let mut few = Few::default();
        let rest = rest.get(ascii..).unwrap_or_default();
        while few.count < Few::OCTETS {
            few.push_ascii(rest);
            let Some(octet) = rest.get(few.count) else { break };
            if !few.push(page.utf8(*octet)) {
                break;
            }
        }
        out.text.push_str(&few.text());
        at += few.count;
        if few.count >= Few::OCTETS {
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

/// A character in UTF-8: its octets and how many there are; none for what has no regular character.
pub(crate) type Utf8 = ([u8; 3], u8);

/// A few octets' worth of text, put together without asking for room each time.
#[derive(Debug)]
pub(crate) struct Few {
    text: [u8; Few::ROOM],
    length: usize,
    /// How many characters there are.
    pub(crate) count: usize,
}

impl Default for Few {
    fn default() -> Few {
        Few { text: [0; Few::ROOM], length: 0, count: 0 }
    }
}

impl Few {
    /// When that many characters are there, it is full: room for a few more is kept.
    pub(crate) const OCTETS: usize = 128;
    const ROOM: usize = 3 * Few::OCTETS + 32;

    /// Appends the octets of ASCII that come next of those that the characters so far were made of: up to eight.
    #[inline]
    pub(crate) fn push_ascii(&mut self, octets: &[u8]) {
        const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
        let next = octets.get(self.count..).and_then(|rest| rest.first_chunk::<8>());
        let slot = self.text.get_mut(self.length..).and_then(|rest| rest.first_chunk_mut::<8>());
        if let (Some(next), Some(slot)) = (next, slot) {
            // Eight are always written, and as many count as are ASCII.
            *slot = *next;
            let ascii = ((u64::from_le_bytes(*next) & HIGH).trailing_zeros() / 8) as usize;
            self.length += ascii;
            self.count += ascii;
        }
    }

    /// Appends a character; `false` where there is none or no room.
    #[inline]
    pub(crate) fn push(&mut self, (octets, length): Utf8) -> bool {
        // Three octets are always written, and as many count as there are.
        match self.text.get_mut(self.length..self.length + 3) {
            Some(slot) if length > 0 => {
                slot.copy_from_slice(&octets);
                self.length += usize::from(length);
                self.count += 1;
                true
            }
            _ => false,
        }
    }

    /// The text so far.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        // The library validates what is not ASCII several times as fast as the standard one.
        let text = self.text.get(..self.length).unwrap_or_default();
        encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(text).unwrap_or_default()
    }
}

/// Text that grows, with what is irregular about it.
#[derive(Debug)]
pub(crate) struct Out {
    pub(crate) text: String,
    irregular: Vec<Irregular>,
    base: u64,
    manner: Manner,
    ended: bool,
}

impl Out {
    /// No text yet, but room for that many octets; the first octet to be decoded stands at `base` in the file.
    pub(crate) fn new(room: usize, base: u64, manner: Manner) -> Out {
        Out { text: String::with_capacity(room), irregular: Vec::new(), base, manner, ended: false }
    }

    /// Appends octets of ASCII.
    pub(crate) fn push_ascii(&mut self, ascii: &[u8]) {
        self.text.push_str(std::str::from_utf8(ascii).unwrap_or_default());
    }

    /// How long the text is. A text over 4 GiB is refused before an offset in it is used.
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

    /// Notes octets that stand for nothing, or for a `guess`. Whether that ends the decoding.
    pub(crate) fn undecodable(&mut self, octets: Range<usize>, guess: Option<char>) -> bool {
        if self.manner.stop {
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
