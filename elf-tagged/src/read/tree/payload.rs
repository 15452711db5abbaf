//! The lines of a payload, which are the line of its structure and the lines that continue it.
//!
//! All code that merges continuations (D19 *Merging continuation lines*; J19 §6; RDX *Extended Line*; O17 §5.4) uses
//! [`View::payload_lines`]. So text, pieces, pointers, checks and the editor have the same line breaks.

use super::{Children, Flags, NodeId, View, flag};

/// One line of a payload. [`Node::payload_lines`](crate::Node::payload_lines) returns them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PayloadLine<'d> {
    /// The node of the line. The node is the structure itself or one of its continuation lines.
    pub node: NodeId,
    /// The number of line breaks in the payload before this line.
    pub breaks: usize,
    /// The payload of the line as written, with its escapes.
    pub text: &'d str,
}

/// A line without an identifier, continuation lines or escapes. [`Node::plain_line`](crate::Node::plain_line) returns
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainLine<'d> {
    text: &'d str,
    /// The offset of the payload.
    head: usize,
    flags: Flags,
}

impl<'d> PlainLine<'d> {
    #[inline]
    pub(super) const fn new(text: &'d str, head: usize, flags: Flags) -> PlainLine<'d> {
        PlainLine { text, head, flags }
    }

    /// Returns the line string up to the end of its payload.
    #[inline]
    pub const fn text(self) -> &'d str {
        self.text
    }

    /// Splits the line into two parts. The first has the level, the tag and the spaces; the second is the payload,
    /// including the at signs of a pointer. Returns `None` if there is no payload.
    #[inline]
    pub fn split_at_payload(self) -> Option<(&'d str, &'d str)> {
        if !self.flags.has_payload() {
            return None;
        }
        self.text.split_at_checked(self.head)
    }

    /// Returns whether the payload is a pointer.
    #[inline]
    pub const fn is_pointer(self) -> bool {
        self.flags.is_pointer()
    }
}

/// Iterates over the lines of a payload; see [`View::payload_lines`].
#[derive(Clone, Copy)]
pub(crate) struct PayloadLines<'d> {
    view: View<'d>,
    own: Option<u32>,
    continuations: Option<Children<'d>>,
}

impl<'d> View<'d> {
    /// Returns the lines of the payload of `id`: its own line, even if its payload is empty, and the lines that
    /// continue it.
    pub(crate) fn payload_lines(self, id: u32) -> PayloadLines<'d> {
        let continued = self.flags(id) & flag::CONTINUED != 0;
        PayloadLines { view: self, own: Some(id), continuations: continued.then(|| self.children(id)) }
    }

    /// Merges the lines of the payload of `id`. The lines are as written, with U+000A for each line break (AMB-48).
    pub(crate) fn merged_payload(self, id: u32) -> String {
        let mut merged = String::new();
        for line in self.payload_lines(id) {
            merged.extend(std::iter::repeat_n('\n', line.breaks));
            merged.push_str(line.text);
        }
        merged
    }

    /// Counts the line breaks in the text that precede the raw continuation line `id`.
    pub(crate) fn raw_breaks(self, id: u32) -> usize {
        let Some(node) = self.get(id) else { return 0 };
        let before =
            self.text.get(..self.nodes.payload(id, node).start as usize).unwrap_or_default().as_bytes();
        let mut breaks = 0;
        let mut at = before.len();
        // Blank lines are part of the text.
        while let Some(octet) = at.checked_sub(1).and_then(|last| before.get(last)) {
            match octet {
                b'\n' => {
                    breaks += 1;
                    at -= 1;
                    if at.checked_sub(1).and_then(|last| before.get(last)) == Some(&b'\r') {
                        at -= 1;
                    }
                }
                b'\r' => {
                    breaks += 1;
                    at -= 1;
                }
                b' ' | b'\t' if breaks > 0 => {
                    // Whitespace is a blank line only if a line break comes before it.
                    let run = &before[..at];
                    let blank = run.len() - trim_blanks_at_end(run).len();
                    match run.get(run.len() - blank - 1) {
                        Some(b'\n' | b'\r') => at -= blank,
                        _ => break,
                    }
                }
                _ => break,
            }
        }
        breaks.max(1)
    }
}

impl<'d> Iterator for PayloadLines<'d> {
    type Item = PayloadLine<'d>;

    fn next(&mut self) -> Option<PayloadLine<'d>> {
        let view = self.view;
        if let Some(node) = self.own.take() {
            return Some(PayloadLine { node: NodeId(node), breaks: 0, text: view.line_payload(node) });
        }
        let node = self.continuations.as_mut()?.find(|&id| view.flags(id) & flag::CONTINUATION != 0)?;
        let breaks = match view.flags(node) {
            flags if flags & flag::RAW != 0 => view.raw_breaks(node),
            flags if flags & flag::CONT != 0 => 1,
            _ => 0,
        };
        Some(PayloadLine { node: NodeId(node), breaks, text: view.line_payload(node) })
    }
}

fn trim_blanks_at_end(octets: &[u8]) -> &[u8] {
    let end = octets.iter().rposition(|octet| !matches!(octet, b' ' | b'\t')).map_or(0, |last| last + 1);
    &octets[..end]
}
