//! The lines at which a file may be divided into blocks of whole records.

use crate::decode;
use crate::decode_buffer::DecodeOptions;
use crate::detection::Detection;
use crate::input_chunk::InputChunk;
use elf_base::Rules;

/// The longest line, in octets without its break, that may start a [`Block`](crate::Block). Longer lines are not
/// examined.
pub const LONGEST_START: usize = 1 << 20;

/// Returns whether a line certainly starts a record: `starts` accepts it, and it decodes to the same text at any
/// place in the file. `whole` tells whether the end of the line is at hand.
pub(crate) fn is_start(
    line: &[u8],
    whole: bool,
    detection: &Detection,
    rules: &Rules,
    starts: fn(&str, &Rules) -> bool,
) -> bool {
    if !whole || line.len() > LONGEST_START || detection.open.is_some() && !line.is_ascii() {
        return false;
    }
    let decoded = decode::decode_chunk(
        InputChunk::whole(line, 0),
        detection.decision.used,
        DecodeOptions::of(&rules.octets),
    );
    decoded.complete && decoded.irregular.is_empty() && starts(&decoded.text, rules)
}
