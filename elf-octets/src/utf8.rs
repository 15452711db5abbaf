//! Decodes UTF-8, and the nearly valid UTF-8 that some programs write.

use crate::Encoding;
use crate::decode_buffer::{DecodeBuffer, DecodeOptions};
use crate::decoded::{Decoded, Irregularity};
use crate::input_chunk::InputChunk;
use crate::pages::Page;
use crate::survey::find_c1_controls;
use std::ops::Range;

pub(crate) fn decode<'o>(chunk: InputChunk<'o>, options: DecodeOptions) -> Decoded<'o> {
    // The second half of a split character belongs to the chunk before, and is invalid in this chunk.
    if !options.controls
        && let Some(text) =
            encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(chunk.octets)
    {
        return Decoded { text, irregular: Vec::new(), complete: true };
    }
    let octets = chunk.octets;
    let mut out = DecodeBuffer::new(octets.len() + octets.len() / 16, chunk.base, options);
    let mut tail = chunk.already_decoded();
    let mut at = 0;
    while let Some(run) = octets.get(at..).and_then(|rest| rest.utf8_chunks().next()) {
        push_valid(run.valid(), at, &mut out, options);
        at += run.valid().len();
        let bad = at..at + run.invalid().len();
        if bad.is_empty() {
            break;
        }
        if tail.start == at && !tail.is_empty() {
            out.record_irregular(out.len(), tail.clone(), Irregularity::CutTail);
            at = tail.end;
        } else if let Some(character) = octets.get(at..at + 6).and_then(decode_surrogates) {
            out.push_irregular(character, at..at + 6, Irregularity::Surrogates);
            at += 6;
        } else if let Some((character, rest)) = decode_cut_character(chunk, &bad).filter(|_| options.repair) {
            out.push_irregular(character, bad.clone(), Irregularity::CutHead);
            tail = rest;
            at = bad.end;
        } else {
            let guess = if options.repair { guess_windows_character(&octets[bad.clone()]) } else { None };
            if out.push_undecodable(bad.clone(), guess) {
                break;
            }
            at = bad.end;
        }
    }
    out.into_decoded()
}

/// Appends valid text. Fixes C1 controls in it if `options` require that.
fn push_valid(valid: &str, at: usize, out: &mut DecodeBuffer, options: DecodeOptions) {
    let mut rest = 0;
    if options.controls {
        for (offset, octet) in find_c1_controls(valid) {
            if let Some(character) = read_as_windows(octet) {
                out.text.push_str(&valid[rest..offset]);
                out.push_irregular(character, at + offset..at + offset + 2, Irregularity::Control);
                rest = offset + 2;
            }
        }
    }
    out.text.push_str(&valid[rest..]);
}

/// Returns the Windows character that replaces a C1 control (E0112). U+0085 is not replaced, because it is an ordinary
/// character (D19 *Conventions used*).
pub(crate) fn read_as_windows(control: u8) -> Option<char> {
    Page::of(Encoding::Windows1252, false).character(control).filter(|_| control != 0x85)
}

/// Decodes two surrogates. Each of them is encoded like a character of UTF-8.
fn decode_surrogates(octets: &[u8]) -> Option<char> {
    let &[0xED, a @ 0xA0..=0xAF, b @ 0x80..=0xBF, 0xED, c @ 0xB0..=0xBF, d @ 0x80..=0xBF] = octets else {
        return None;
    };
    let high = u32::from(a & 0x0F) << 6 | u32::from(b & 0x3F);
    let low = u32::from(c & 0x0F) << 6 | u32::from(d & 0x3F);
    char::from_u32(0x1_0000 + (high << 10 | low))
}

/// Returns the windows-1252 character of a single byte, which may come from text that was pasted in Windows. Returns
/// `None` for several bytes, because they are the start of an incomplete character.
fn guess_windows_character(octets: &[u8]) -> Option<char> {
    match octets {
        [octet] => Page::of(Encoding::Windows1252, false).character(*octet),
        _ => None,
    }
}

/// Decodes a character that CONC splits. The character starts with `head` at the end of a line and continues in the
/// CONC payload on the next line. Also returns the range of its second half.
pub(crate) fn decode_cut_character(
    chunk: InputChunk<'_>,
    head: &Range<usize>,
) -> Option<(char, Range<usize>)> {
    let start = chunk.octets.get(head.clone())?;
    let length = match start.first()? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let missing = length - start.len().min(length);
    let continuation = chunk.conc_continuation(head.end).filter(|_| missing > 0)?;
    let rest = continuation.payload().get(..missing)?;
    let mut whole = [0; 4];
    for (slot, octet) in whole.iter_mut().zip(start.iter().chain(rest)) {
        *slot = *octet;
    }
    let character = std::str::from_utf8(whole.get(..length)?).ok()?.chars().next()?;
    Some((character, continuation.begins..continuation.begins + missing))
}
