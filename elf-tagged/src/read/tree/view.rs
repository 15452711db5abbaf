//! Reads the tags, identifiers and payloads of nodes from the text.

use super::arena::{Arena, NONE, NodeData};
use super::flags::flag;
use crate::offset::to_u32;
use elf_base::{PackedText, Span};
use elf_lines::{ScannedHead, is_blank, is_tag_octet, tag_of_full_name};

/// The flags of nodes whose tag is not at its usual offset, or whose payload does not show where the tag ends.
const UNUSUAL_TAG: u32 = flag::XREF | flag::RAW | flag::ERROR | flag::UNDEF | flag::ASIDE | flag::SCANNED;

/// The nodes, and the texts to which their offsets refer.
#[derive(Clone, Copy)]
pub(crate) struct View<'d> {
    pub(crate) text: &'d str,
    pub(crate) made: &'d str,
    pub(crate) nodes: &'d Arena,
}

impl<'d> View<'d> {
    #[inline]
    pub(crate) fn get(self, id: u32) -> Option<&'d NodeData> {
        self.nodes.get(id as usize)
    }

    #[inline]
    pub(crate) fn flags(self, id: u32) -> u32 {
        self.get(id).map_or(0, |node| node.flags)
    }

    #[inline]
    pub(crate) fn tag(self, id: u32) -> &'d str {
        let Some(node) = self.get(id) else { return "" };
        match self.usual_tag(node) {
            Some(tag) => tag,
            None => self.unusual_tag(id, node),
        }
    }

    /// Returns the tag of a usual line, which has a digit, a space, the tag and, if there is a payload, one blank. The
    /// position of the payload shows where the tag ends.
    #[inline]
    fn usual_tag(self, node: &NodeData) -> Option<&'d str> {
        if node.flags & UNUSUAL_TAG != 0 {
            return None;
        }
        let start = node.start as usize;
        let end = Arena::payload_beside(node).start as usize;
        let end = match self.text.as_bytes().get(start..end)? {
            [b'0'..=b'9', b' ', first, .., last, b' ' | b'\t'] if *first > b' ' && *last > b' ' => end - 1,
            [b'0'..=b'9', b' ', first, .., last] if *first > b' ' && *last > b' ' => end,
            _ => return None,
        };
        self.text.get(start + 2..end)
    }

    #[inline]
    pub(crate) fn packed_tag(self, id: u32) -> Option<PackedText> {
        match self.get(id).and_then(|node| self.usual_packed_tag(node)) {
            Some(packed) => Some(packed),
            None => self.unusual_packed_tag(id),
        }
    }

    #[inline(never)]
    fn unusual_packed_tag(self, id: u32) -> Option<PackedText> {
        let behind_xref = self.get(id).and_then(|node| self.packed_tag_behind_xref(node));
        behind_xref.or_else(|| PackedText::of(self.tag(id)))
    }

    /// Reads the tag of a line with an identifier. The function reads backwards from the payload, whose position shows
    /// where the tag ends. An at sign and a space must precede the tag.
    #[inline]
    fn packed_tag_behind_xref(self, node: &NodeData) -> Option<PackedText> {
        const BLANKS: u64 = u64::from_le_bytes([b' '; 8]);
        if node.flags & UNUSUAL_TAG != flag::XREF {
            return None;
        }
        let end = Arena::payload_beside(node).start as usize;
        let before: &[u8; 8] = self.text.as_bytes().get(node.start as usize..end)?.last_chunk()?;
        // The last byte is the highest byte of the number. One space precedes a payload, or several if the rules skip
        // spaces.
        let last = u64::from_le_bytes(*before);
        let last = if last >> 56 <= u64::from(b' ') { last << 8 } else { last };
        let is_blank = (last ^ BLANKS).wrapping_sub(BLANKS >> 5) & !(last ^ BLANKS) & BLANKS << 2;
        let length = is_blank.leading_zeros() / 8;
        if last >> 56 <= u64::from(b' ') {
            return None;
        }
        if !(1..=6).contains(&length) || last >> (8 * (6 - length)) & 0xFF != u64::from(b'@') {
            return None;
        }
        let tag = (last >> (8 * (8 - length))).to_le_bytes();
        // A tab may follow the space.
        PackedText::of_first(tag, length).filter(|_| tag.first() > Some(&b' '))
    }

    /// Returns the tag of a usual line. Examines eight bytes at once, if the text has as many.
    #[inline(always)]
    fn usual_packed_tag(self, node: &NodeData) -> Option<PackedText> {
        const LEVEL_0: u16 = u16::from_le_bytes(*b"0 ");
        let octets: &[u8; 10] = self.text.as_bytes().get(node.start as usize..)?.first_chunk()?;
        let [digit, blank, eight @ ..] = octets;
        // Compare a digit and a space as one number.
        let is_level = u16::from_le_bytes([*digit, *blank]) ^ LEVEL_0 <= 9;
        let last = Arena::payload_beside(node).start.wrapping_sub(node.start).wrapping_sub(3);
        if node.flags & UNUSUAL_TAG != 0 || !is_level || last > 6 {
            return None;
        }
        let tag = u64::from_le_bytes(*eight);
        let is_text = |at: u32| tag >> (8 * at) & 0xFF > u64::from(b' ');
        // If there is a payload, a space precedes it.
        let length = last + u32::from(is_text(last));
        let has_ends = is_text(0) && is_text(length.wrapping_sub(1) & 7);
        if has_ends { PackedText::of_first(*eight, length) } else { None }
    }

    #[inline(never)]
    fn unusual_tag(self, id: u32, node: &NodeData) -> &'d str {
        match node.flags {
            f if f & flag::ERROR != 0 => "ERROR",
            f if f & flag::UNDEF != 0 => "UNDEF",
            f if f & flag::SCANNED != 0 => {
                let written = self.tag_span(id).of(self.text);
                tag_of_full_name(written).unwrap_or(written)
            }
            _ => self.tag_span(id).of(self.text),
        }
    }

    pub(crate) fn is_record(self, id: u32) -> bool {
        self.nodes.parent(id) == NONE
    }

    /// Returns the span of the tag in the text. If the tag is not in the text, the span is empty and at the start of
    /// the line.
    pub(crate) fn tag_span(self, id: u32) -> Span {
        let Some(node) = self.get(id) else { return Span::default() };
        if node.flags & (flag::ERROR | flag::UNDEF | flag::RAW) != 0 {
            return Span::new(node.start, node.start);
        }
        let (_, tag) = self.xref_and_tag_spans(node);
        tag
    }

    /// Returns the span of the payload of the node's own line. If the payload is not in the text, returns the span of
    /// the tag.
    pub(crate) fn payload_span(self, id: u32) -> Span {
        match self.get(id) {
            Some(node) if node.flags & (flag::MADE | flag::UNDEF) == 0 => self.nodes.payload(id, node),
            _ => self.tag_span(id),
        }
    }

    /// Returns the span of the cross-reference identifier in the text, without its at signs. The span is empty if there
    /// is no identifier.
    pub(crate) fn xref_span(self, id: u32) -> Span {
        match self.get(id) {
            Some(node) if node.flags & (flag::XREF | flag::UNDEF) == flag::XREF => {
                self.xref_and_tag_spans(node).0
            }
            _ => Span::default(),
        }
    }

    /// Parses the level, the identifier and the tag of a line that is known to be valid.
    fn xref_and_tag_spans(self, node: &NodeData) -> (Span, Span) {
        if let Some(usual) = self.usual_xref_and_tag_spans(node) {
            return usual;
        }
        if node.flags & flag::SCANNED != 0 {
            return self.scanned_xref_and_tag_spans(node);
        }
        let octets = self.text.as_bytes();
        let level = end_of_run(octets, node.start as usize, is_blank);
        let mut at = end_of_run(octets, end_of_run(octets, level, |octet| octet.is_ascii_digit()), is_blank);
        let mut label = at..at;
        if node.flags & flag::XREF != 0 {
            let close = end_of_run(octets, at + 1, |octet| octet != b'@');
            label = at + 1..close;
            at = end_of_run(octets, close + 1, is_blank);
        }
        let end = end_of_run(octets, at, is_tag_octet);
        (Span::new(to_u32(label.start), to_u32(label.end)), Span::new(to_u32(at), to_u32(end)))
    }

    /// Parses a line whose identifier and tag are not at their usual offsets.
    #[cold]
    fn scanned_xref_and_tag_spans(self, node: &NodeData) -> (Span, Span) {
        let rest = self.text.get(node.start as usize..).unwrap_or_default();
        let line = rest.split(['\n', '\r']).next().unwrap_or_default();
        let Some(head) = ScannedHead::of(line) else { return Default::default() };
        let moved = |span: Span| Span::new(node.start + span.start, node.start + span.end);
        (moved(head.xref), moved(head.tag))
    }

    /// Parses the identifier and the tag of a usual line, which has a digit, a space, the identifier, a space, the tag
    /// and, if there is a payload, one blank.
    #[inline]
    fn usual_xref_and_tag_spans(self, node: &NodeData) -> Option<(Span, Span)> {
        const BEFORE: u32 = 3;
        if node.flags & UNUSUAL_TAG != flag::XREF {
            return None;
        }
        let end = Arena::payload_beside(node).start;
        let head = self.text.as_bytes().get(node.start as usize..end as usize)?;
        let [b'0'..=b'9', b' ', b'@', rest @ ..] = head else { return None };
        let length = rest.iter().position(|octet| *octet == b'@')?;
        let end = match rest.get(length + 1..)? {
            [b' ', first, .., last, b' ' | b'\t'] if *first > b' ' && *last > b' ' => end - 1,
            [b' ', first, .., last] if *first > b' ' && *last > b' ' => end,
            _ => return None,
        };
        let label = node.start + BEFORE;
        let close = label + u32::try_from(length).ok()?;
        Some((Span::new(label, close), Span::new(close + 2, end)))
    }

    pub(crate) fn xref(self, id: u32) -> Option<&'d str> {
        let node = self.get(id)?;
        if node.flags & (flag::XREF | flag::UNNAMED) != flag::XREF {
            return None;
        }
        if node.flags & flag::UNDEF != 0 {
            return self.made.get(self.nodes.payload(id, node).range());
        }
        Some(self.xref_and_tag_spans(node).0.of(self.text))
    }

    pub(crate) fn xref_and_tag(self, id: u32) -> (Option<&'d str>, &'d str) {
        const OTHER: u32 = flag::UNNAMED | flag::UNDEF | flag::ERROR | flag::RAW | flag::SCANNED;
        match self.get(id) {
            Some(node) if node.flags & (flag::XREF | OTHER) == flag::XREF => {
                let (label, tag) = self.xref_and_tag_spans(node);
                (Some(label.of(self.text)), tag.of(self.text))
            }
            _ => (self.xref(id), self.tag(id)),
        }
    }

    /// Returns the payload of the node's own line as written. The result is empty if there is no payload.
    pub(crate) fn line_payload(self, id: u32) -> &'d str {
        let Some(node) = self.get(id) else { return "" };
        if node.flags & flag::PAYLOAD == 0 {
            return "";
        }
        let text = if node.flags & flag::MADE != 0 { self.made } else { self.text };
        text.get(self.nodes.payload(id, node).range()).unwrap_or_default()
    }

    pub(crate) fn line_payload_start(self, id: u32) -> u32 {
        self.get(id).map_or(0, |node| self.nodes.payload(id, node).start)
    }

    /// Returns the offset at which the node's own line ends. A payload that was made of a line that is too deep also
    /// ends there (J19 §6.1).
    pub(crate) fn line_end(self, id: u32) -> u32 {
        let Some(node) = self.get(id) else { return 0 };
        let rest = self.text.as_bytes().get(node.start as usize..).unwrap_or_default();
        let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        node.start.saturating_add(to_u32(length))
    }

    /// Returns the text between the at signs if the payload of the node's own line is a pointer.
    pub(crate) fn line_pointer(self, id: u32) -> Option<&'d str> {
        let node = self.get(id)?;
        if node.flags & flag::POINTER == 0 {
            return None;
        }
        let payload = self.line_payload(id);
        let named = |text: &'d str| text.strip_prefix('@')?.strip_suffix('@');
        named(payload).or_else(|| named(payload.trim_matches([' ', '\t'])))
    }

    /// Returns all nodes directly under a node, including continuations and serialisation metadata.
    pub(crate) fn children(self, id: u32) -> Children<'d> {
        let (at, end) = self.nodes.end(id).map_or((0, 0), |end| (id + 1, end));
        Children { view: self, above: id, at, end }
    }

    pub(crate) fn roots(self) -> Children<'d> {
        let end = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        Children { view: self, above: NONE, at: 0, end }
    }
}

/// Returns the offset of the first byte, from `from` on, for which `belongs` is false.
#[inline]
fn end_of_run(octets: &[u8], from: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let rest = octets.get(from..).unwrap_or_default();
    from + rest.iter().position(|octet| !belongs(*octet)).unwrap_or(rest.len())
}

/// Iterates over the nodes directly under a node.
#[derive(Clone, Copy)]
pub(crate) struct Children<'d> {
    view: View<'d>,
    above: u32,
    at: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.at >= self.end {
            return None;
        }
        let id = self.at;
        self.at = self.view.nodes.end(id)?;
        Some(id)
    }
}

impl DoubleEndedIterator for Children<'_> {
    /// Starts at the last node and climbs to its ancestor that is directly under the node. In the whole iteration, each
    /// node is visited once.
    fn next_back(&mut self) -> Option<u32> {
        let mut id = self.end.checked_sub(1).filter(|&last| last >= self.at)?;
        loop {
            let parent = self.view.nodes.parent(id);
            if parent == self.above || parent == NONE || parent < self.at {
                break;
            }
            id = parent;
        }
        self.end = id;
        Some(id)
    }
}

impl std::iter::FusedIterator for Children<'_> {}
