//! Two floors: the least work that any reader of these files has to do, done as fast as plain safe Rust does
//! it.
//!
//! They were written once and are left alone, so that a ratio measured this year can be compared with one
//! measured next year. They validate nothing of the grammar, report nothing, and would misread half of all
//! real files.

use memchr::{memchr, memchr_iter};

/// A line taken apart, as offsets into the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The level.
    pub level: u32,
    /// The offset of the cross-reference identifier, or of the tag where there is none.
    pub xref: u32,
    /// The offset of the tag.
    pub tag: u32,
    /// The offset of the end of the tag.
    pub tag_end: u32,
    /// The offset of the payload.
    pub payload: u32,
    /// The offset of the end of the line, without its break.
    pub end: u32,
}

/// Splits every line of `buffer` and stores nothing; returns a sum that depends on every part of every line.
pub fn floor_split(buffer: &[u8]) -> u64 {
    let mut sum = 0;
    lines(buffer, |node| {
        let parts = node.level ^ node.xref ^ node.tag ^ node.tag_end ^ node.payload ^ node.end;
        sum = u64::rotate_left(sum, 1) ^ u64::from(parts);
    });
    sum
}

/// Validates the whole buffer as UTF-8, splits every line, and stores one node for each.
///
/// Returns no node where the buffer is not UTF-8.
pub fn floor_nodes(buffer: &[u8]) -> Vec<Node> {
    let Some(text) = encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(buffer) else {
        return Vec::new();
    };
    let mut nodes = Vec::with_capacity(text.len() / 20);
    lines(text.as_bytes(), |node| nodes.push(node));
    nodes
}

/// Calls `take` with each line of `buffer`.
#[inline(always)]
fn lines(buffer: &[u8], mut take: impl FnMut(Node)) {
    let mut start = 0;
    for end in memchr_iter(b'\n', buffer) {
        take(split(&buffer[start..end], start as u32));
        start = end + 1;
    }
    if start < buffer.len() {
        take(split(&buffer[start..], start as u32));
    }
}

/// Splits a line that is at `start` of the buffer.
#[inline(always)]
fn split(line: &[u8], start: u32) -> Node {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut at = 0;
    let mut level = 0_u32;
    while let Some(&octet) = line.get(at) {
        at += 1;
        if octet == b' ' {
            break;
        }
        level = level.wrapping_mul(10).wrapping_add(u32::from(octet.wrapping_sub(b'0')));
    }
    let xref = at;
    if line.get(at) == Some(&b'@') {
        let rest = &line[at + 1..];
        at = memchr(b'@', rest).map_or(line.len(), |length| (at + length + 3).min(line.len()));
    }
    let tag = at;
    while let Some(&octet) = line.get(at) {
        if octet == b' ' {
            break;
        }
        at += 1;
    }
    let tag_end = at;
    let payload = (at + 1).min(line.len());
    Node {
        level,
        xref: start + xref as u32,
        tag: start + tag as u32,
        tag_end: start + tag_end as u32,
        payload: start + payload as u32,
        end: start + line.len() as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(line: &str) -> (u32, &str, &str, &str) {
        let node = floor_nodes(line.as_bytes())[0];
        let of = |from: u32, to: u32| line.get(from as usize..to as usize).unwrap();
        (node.level, of(node.xref, node.tag), of(node.tag, node.tag_end), of(node.payload, node.end))
    }

    #[test]
    fn a_node_has_24_octets() {
        assert_eq!(size_of::<Node>(), 24);
    }

    #[test]
    fn lines_are_split_as_the_grammar_splits_them() {
        assert_eq!(parts("0 HEAD\n"), (0, "", "HEAD", ""));
        assert_eq!(parts("0 @I1@ INDI"), (0, "@I1@ ", "INDI", ""));
        assert_eq!(parts("12 NOTE a  b \r\n"), (12, "", "NOTE", "a  b "));
        assert_eq!(parts("1 FAMC @F1@\n"), (1, "", "FAMC", "@F1@"));
    }

    #[test]
    fn no_line_is_lost_and_none_panics() {
        assert_eq!(floor_nodes(b"0 HEAD\n1 CHAR UTF-8\n0 TRLR").len(), 3);
        assert_eq!(floor_nodes(b"").len(), 0);
        for torn in ["\n", "0", "0 ", "0 @", "0 @I1", "0 @I1@", "@", "0 @I1@\n", "x y z"] {
            assert_eq!(floor_nodes(torn.as_bytes()).len(), 1, "{torn:?}");
        }
        assert_ne!(floor_split(b"0 HEAD\n"), floor_split(b"1 HEAD\n"));
    }
}
