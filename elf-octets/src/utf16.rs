//! Decodes UTF-16 in either byte order.

use crate::Encoding;
use crate::decode_buffer::{DecodeBuffer, DecodeOptions};
use crate::decoded::Decoded;
use encoding_rs::DecoderResult;

/// Decodes UTF-16. A lone surrogate and a single byte at the end are undecodable.
pub(crate) fn decode<'o>(
    octets: &[u8],
    base: u64,
    encoding: Encoding,
    options: DecodeOptions,
) -> Decoded<'o> {
    let library = if encoding == Encoding::Utf16Be { encoding_rs::UTF_16BE } else { encoding_rs::UTF_16LE };
    let mut decoder = library.new_decoder_without_bom_handling();
    let mut out = DecodeBuffer::new(octets.len() / 2 + octets.len() / 16 + 16, base, options);
    let mut at = 0;
    loop {
        let rest = &octets[at..];
        let (result, read) = decoder.decode_to_string_without_replacement(rest, &mut out.text, true);
        at += read;
        match result {
            DecoderResult::InputEmpty => break,
            DecoderResult::OutputFull => out.text.reserve(rest.len().saturating_sub(read) / 2 + 1024),
            DecoderResult::Malformed(length, beyond) => {
                let end = at.saturating_sub(usize::from(beyond));
                let start = end.saturating_sub(usize::from(length));
                // A surrogate that is followed by a single byte has two errors.
                let unit = end.min(start + 2);
                if out.push_undecodable(start..unit, None)
                    || (unit < end && out.push_undecodable(unit..end, None))
                {
                    break;
                }
            }
        }
    }
    out.into_decoded()
}
