//! Decodes bytes of any encoding to text.

use crate::decode_buffer::{CommonStart, DecodeBuffer, DecodeOptions, OctetBuffer};
use crate::decoded::{Decoded, Irregularity};
use crate::encoding::Scheme;
use crate::input_chunk::{CutTail, InputChunk};
use crate::pages::Page;
use crate::utf8_char::Utf8;
use crate::{Encoding, ansel, utf8, utf16};
use elf_base::rules::OctetRules;

/// Decodes the bytes after the byte-order mark of a file.
///
/// This function does not decide the encoding, does not report findings, and does not fix controls in valid text.
/// [`Source::read`](crate::Source::read) does all of that.
///
/// ```
/// use elf_octets::{Encoding, decode};
/// use elf_base::Rules;
///
/// // In ANSEL, a mark comes before its letter.
/// let decoded = decode(b"Jo\xE4ao", Encoding::Ansel, &Rules::WILD.octets);
/// assert_eq!(decoded.text, "Joa\u{303}o");
/// ```
pub fn decode<'o>(octets: &'o [u8], encoding: Encoding, rules: &OctetRules) -> Decoded<'o> {
    decode_chunk(InputChunk::whole(octets, 0), encoding, DecodeOptions::from_rules(rules))
}

/// Finds a character that CONC splits at the end of this chunk. Returns the range of its second half in the next chunk.
pub(crate) fn find_cut_tail(decoded: &Decoded<'_>, chunk: InputChunk<'_>, encoding: Encoding) -> CutTail {
    // The first half of the character is at the end of the last line, and the second half is in the next chunk.
    let end = chunk.base + chunk.octets.len() as u64;
    let head = decoded.irregular.iter().rfind(|irregular| irregular.kind == Irregularity::CutHead);
    let tail = head.and_then(|head| {
        let start = usize::try_from(head.octets.start - chunk.base).ok()?;
        let stop = usize::try_from(head.octets.end - chunk.base).ok()?;
        if encoding == Encoding::Ansel {
            ansel::find_cut_letter(chunk, &(start..stop))
        } else {
            utf8::decode_cut_character(chunk, &(start..stop)).map(|(_, tail)| tail)
        }
    });
    match tail {
        Some(tail) if chunk.base + tail.start as u64 >= end => {
            CutTail { start: chunk.base + tail.start as u64, end: chunk.base + tail.end as u64 }
        }
        _ => CutTail::default(),
    }
}

pub(crate) fn decode_chunk<'o>(
    chunk: InputChunk<'o>,
    encoding: Encoding,
    options: DecodeOptions,
) -> Decoded<'o> {
    match encoding.scheme() {
        Scheme::Utf8 => utf8::decode(chunk, options),
        Scheme::Utf16Le | Scheme::Utf16Be => utf16::decode(chunk.octets, chunk.base, encoding, options),
        Scheme::Ansel => ansel::decode(chunk, options),
        Scheme::Ascii | Scheme::Page => {
            decode_page(chunk.octets, chunk.base, Page::of(encoding, options.repair), options)
        }
    }
}

/// Decodes bytes of a single-byte encoding.
fn decode_page<'o>(octets: &[u8], base: u64, page: &Page, options: DecodeOptions) -> Decoded<'o> {
    let mut out = DecodeBuffer::new(octets.len() + octets.len() / 16, base, options);
    let mut stretch = OctetBuffer::default();
    let mut at = 0;
    while at < octets.len() {
        let rest = &octets[at..];
        at += stretch.decode_from(rest, |rest| {
            let first =
                rest.first().map(|octet| page.utf8(*octet)).filter(|character| character.len() > 0)?;
            Some(CommonStart { first, second: Utf8::NONE, octets: 1 })
        });
        if out.push_buffer(&mut stretch) {
            continue;
        }
        // The next byte is irregular, or there are no more bytes.
        let Some(octet) = octets.get(at) else { break };
        match page.character(*octet) {
            Some(character) => out.push_irregular(character, at..at + 1, Irregularity::Control),
            None => {
                if out.push_undecodable(at..at + 1, None) {
                    break;
                }
            }
        }
        at += 1;
    }
    out.into_decoded()
}
