//! Octets to text.

use crate::Encoding;
use crate::pages::Page;
use elf_base::Span;
use elf_base::rules::{OctetRules, Prescan};
use std::borrow::Cow;
use std::ops::Range;

/// Octets and text that do not correspond in the regular way of the encoding: the side table that keeps what
/// could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Irregular {
    /// The text that stands for them; empty where they contribute to other text.
    pub text: Span,
    /// The octets, from 0 at the start of the file.
    pub octets: Range<u64>,
    /// What is wrong with them.
    pub kind: Irregularity,
}

/// What is wrong with octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Irregularity {
    /// They stand for nothing in the encoding; the text is U+FFFD, or a guess where the rules allow one.
    Undecodable,
    /// Two surrogates in UTF-8 (CESU-8); the text is the character they make.
    Surrogates,
    /// A C1 control; the text is the windows-1252 character of that octet.
    Control,
    /// The first octets of a character that CONC cuts in two; the text is the character.
    CutHead,
    /// The last octets of a character that CONC cuts in two; no text stands for them here.
    CutTail,
}

/// What decoding gives.
#[derive(Debug)]
pub(crate) struct Decoded<'o> {
    pub(crate) text: Cow<'o, str>,
    pub(crate) irregular: Vec<Irregular>,
    /// Whether an undecodable octet ended the decoding.
    pub(crate) ended: bool,
}

/// How a decoder treats what it cannot decode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// It ends the decoding (December 2019; AMB-24).
    pub(crate) stop: bool,
    /// What has one likely cause is repaired.
    pub(crate) repair: bool,
}

impl Manner {
    pub(crate) fn of(rules: &OctetRules) -> Manner {
        Manner { stop: rules.prescan == Prescan::December && !rules.content, repair: rules.content }
    }
}

/// Decodes `octets`, the first of which stands at `base` in the file.
pub(crate) fn decode(octets: &[u8], base: u64, encoding: Encoding, manner: Manner) -> Decoded<'_> {
    match encoding {
        Encoding::Utf8 => utf8(octets, base, manner),
        Encoding::Utf16Le => utf16(octets, base, u16::from_le_bytes, manner),
        Encoding::Utf16Be => utf16(octets, base, u16::from_be_bytes, manner),
        Encoding::Ansel => ansel(octets, base, manner),
        other => page(octets, base, &Page::of(other), manner),
    }
}

fn utf8(octets: &[u8], base: u64, manner: Manner) -> Decoded<'_> {
    if let Some(text) = encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(octets) {
        return Decoded { text, irregular: Vec::new(), ended: false };
    }
    let mut out = Out::new(octets.len(), base, manner);
    let mut at = 0;
    while let Some(chunk) = octets.get(at..).and_then(|rest| rest.utf8_chunks().next()) {
        out.text.push_str(chunk.valid());
        at += chunk.valid().len();
        let bad = chunk.invalid().len();
        if bad == 0 {
            break;
        }
        if let Some(character) = octets.get(at..at + 6).and_then(surrogates) {
            out.push_irregular(character, at..at + 6, Irregularity::Surrogates);
            at += 6;
        } else {
            if out.undecodable(at..at + bad) {
                break;
            }
            at += bad;
        }
    }
    out.done()
}

/// The character of two surrogates, each in three octets as if it were a character of UTF-8.
fn surrogates(octets: &[u8]) -> Option<char> {
    let &[0xED, a @ 0xA0..=0xAF, b @ 0x80..=0xBF, 0xED, c @ 0xB0..=0xBF, d @ 0x80..=0xBF] = octets else {
        return None;
    };
    let high = u32::from(a & 0x0F) << 6 | u32::from(b & 0x3F);
    let low = u32::from(c & 0x0F) << 6 | u32::from(d & 0x3F);
    char::from_u32(0x1_0000 + (high << 10 | low))
}

fn utf16(octets: &[u8], base: u64, unit: fn([u8; 2]) -> u16, manner: Manner) -> Decoded<'_> {
    let mut out = Out::new(octets.len(), base, manner);
    let units = octets.chunks_exact(2).map(|pair| match pair {
        [a, b] => unit([*a, *b]),
        _ => 0xFFFD,
    });
    let mut at = 0;
    for decoded in char::decode_utf16(units) {
        match decoded {
            Ok(c) => {
                out.text.push(c);
                at += c.len_utf16() * 2;
            }
            Err(_) => {
                if out.undecodable(at..at + 2) {
                    return out.done();
                }
                at += 2;
            }
        }
    }
    if at < octets.len() {
        out.undecodable(at..octets.len());
    }
    out.done()
}

fn page<'o>(octets: &[u8], base: u64, page: &Page, manner: Manner) -> Decoded<'o> {
    let mut out = Out::new(octets.len(), base, manner);
    for (at, octet) in octets.iter().enumerate() {
        match page.character(*octet) {
            Some(c) => out.text.push(c),
            None => {
                if out.undecodable(at..at + 1) {
                    break;
                }
            }
        }
    }
    out.done()
}

fn ansel<'o>(octets: &[u8], base: u64, manner: Manner) -> Decoded<'o> {
    let mut out = Out::new(octets.len(), base, manner);
    let mut at = 0;
    while at < octets.len() {
        let cluster = crate::ansel::Cluster::at(octets, at);
        cluster.push(octets, &mut out.text);
        at = cluster.end;
        if cluster.undecodable {
            if out.undecodable(at..at + 1) {
                break;
            }
            at += 1;
        }
    }
    out.done()
}

/// Text that grows, with what is irregular about it.
pub(crate) struct Out {
    pub(crate) text: String,
    irregular: Vec<Irregular>,
    base: u64,
    manner: Manner,
    ended: bool,
}

impl Out {
    fn new(octets: usize, base: u64, manner: Manner) -> Out {
        Out {
            text: String::with_capacity(octets + octets / 8),
            irregular: Vec::new(),
            base,
            manner,
            ended: false,
        }
    }

    fn offset(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    fn push_irregular(&mut self, character: char, octets: Range<usize>, kind: Irregularity) {
        let start = self.offset();
        self.text.push(character);
        let text = Span::new(start, self.offset());
        self.note(text, octets, kind);
    }

    fn note(&mut self, text: Span, octets: Range<usize>, kind: Irregularity) {
        let octets = self.base + octets.start as u64..self.base + octets.end as u64;
        self.irregular.push(Irregular { text, octets, kind });
    }

    /// Notes octets that stand for nothing. Whether that ends the decoding.
    fn undecodable(&mut self, octets: Range<usize>) -> bool {
        if self.manner.stop {
            let here = self.offset();
            self.note(Span::new(here, here), octets, Irregularity::Undecodable);
            self.ended = true;
        } else {
            self.push_irregular(char::REPLACEMENT_CHARACTER, octets, Irregularity::Undecodable);
        }
        self.ended
    }

    fn done<'o>(self) -> Decoded<'o> {
        Decoded { text: Cow::Owned(self.text), irregular: self.irregular, ended: self.ended }
    }
}
