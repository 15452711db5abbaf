//! Decides at which lines a file may be divided into blocks of whole records.

use crate::decode;
use crate::decode_buffer::DecodeOptions;
use crate::detection::Detection;
use crate::input_chunk::InputChunk;
use crate::units::{LineInOctets, Units};
use elf_base::Rules;

/// The longest line, in bytes without its line break, that may start a [`Block`](crate::Block). Longer lines are not
/// examined.
pub const LONGEST_START: usize = 1 << 20;

/// Returns whether a line certainly starts a record. Such a line must decode to the same text at any place in the file,
/// and `starts` must accept it.
pub(crate) fn certainly_starts_record(
    line: LineInOctets<'_>,
    detection: &Detection,
    rules: &Rules,
    starts: fn(&str, &Rules) -> bool,
) -> bool {
    let LineInOctets { before, text: line, is_whole } = line;
    if !is_whole || line.len() > LONGEST_START || detection.open.is_some() && !line.is_ascii() {
        return false;
    }
    // If a line feed can be part of a payload, the line that follows it can be part of that payload too.
    let units = Units::of(Some(detection.decision.used));
    if detection.decision.feeds_break_payloads && units.ends_with_lone_feed(before) {
        return false;
    }
    let decoded = decode::decode_chunk(
        InputChunk::whole(line, 0),
        detection.decision.used,
        DecodeOptions::from_rules(&rules.octets),
    );
    decoded.complete && decoded.irregular.is_empty() && starts(&decoded.text, rules)
}
