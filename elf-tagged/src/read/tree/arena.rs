//! Stores the nodes of a document in twelve bytes each.
//!
//! Most of the time for building a large tree is spent on new memory, so a node is small. The payload is stored as two
//! distances beside the flags. The superstructure and the end of the subtree are stored as distances from the node. The
//! distances of nearly every node fit; those that are too large are stored in separate tables.

use super::flags::flag;
use elf_base::Span;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// The index that means that there is no node.
pub(crate) const NONE: u32 = u32::MAX;

/// One line, or one structure that the rules insert. To find the spans of the tag and the identifier, the line is
/// parsed again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeData {
    /// The offset of the line string in the text.
    pub(crate) start: u32,
    /// The flags in the low bits, and the position of the payload in the high bits.
    pub(crate) flags: u32,
    /// The distance to the superstructure (0 for records) is in the low bits. The number of nodes under this node is in
    /// the high bits.
    relations: u32,
}

/// A node that will be added. No nodes are under it yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewNode {
    /// The offset of the line string in the text.
    pub(crate) start: u32,
    /// The superstructure. The superstructure is [`NONE`] for records.
    pub(crate) parent: u32,
    pub(crate) flags: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    nodes: Vec<NodeData>,
    /// The payloads of the nodes flagged [`flag::ASIDE`].
    aside: BTreeMap<u32, Span>,
    /// The superstructures of nodes whose distance is [`FAR`].
    far_parents: BTreeMap<u32, u32>,
    /// The ends of subtrees whose distance is [`FAR`].
    far_ends: BTreeMap<u32, u32>,
}

/// The number of bits for the distance from the start of a line to its payload.
const HEAD: u32 = 6;
/// The number of bits for the length of a payload.
const LENGTH: u32 = u32::BITS - flag::BITS - HEAD;
/// The number of bits for the distance to the superstructure. The number of nodes under a node has the same number of
/// bits.
const DISTANCE: u32 = 16;
/// The distance that means that the real one is stored in a table.
const FAR: u32 = (1 << DISTANCE) - 1;

impl Arena {
    pub(crate) fn with_capacity(nodes: usize) -> Arena {
        Arena { nodes: Vec::with_capacity(nodes), ..Arena::default() }
    }

    /// Returns the index of the next node. The index fits into 32 bits, because the text is at most 4 GiB long and a
    /// line has at least three bytes.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "fewer lines than octets, fewer octets than 2^32")]
    pub(crate) fn next_index(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Adds a node whose payload is after the start of its line.
    // Assemble the node in this function, so that its parts stay in registers.
    #[inline(always)]
    pub(crate) fn push(&mut self, node: NewNode, payload: Span) {
        let NewNode { start, parent, flags } = node;
        let (head, length) = (payload.start - start, payload.end - payload.start);
        let back = if parent == NONE { 0 } else { self.next_index() - parent };
        if head >> HEAD != 0 || length >> LENGTH != 0 || back >= FAR {
            return self.push_aside(NewNode { start, parent, flags }, payload);
        }
        let flags = flags | head << flag::BITS | length << (flag::BITS + HEAD);
        self.nodes.push(NodeData { start, flags, relations: back });
    }

    /// Adds a node whose payload is far from the start of its line, or is not in the text.
    #[cold]
    pub(crate) fn push_aside(&mut self, node: NewNode, payload: Span) {
        let id = self.next_index();
        let NewNode { start, parent, flags } = node;
        self.nodes.push(NodeData { start, flags, relations: 0 });
        self.set_parent(id, parent);
        self.set_payload(id, payload);
    }

    pub(crate) fn set_payload(&mut self, id: u32, payload: Span) {
        if let Some(node) = self.nodes.get_mut(id as usize) {
            node.flags |= flag::ASIDE;
            self.aside.insert(id, payload);
        }
    }

    /// Changes the superstructure of a node to an earlier node, or to [`NONE`] for a record.
    pub(crate) fn set_parent(&mut self, id: u32, parent: u32) {
        let back = if parent == NONE { 0 } else { id.saturating_sub(parent).min(FAR) };
        if let Some(node) = self.nodes.get_mut(id as usize) {
            node.relations = node.relations & !FAR | back;
            if back == FAR {
                self.far_parents.insert(id, parent);
            }
        }
    }

    /// Sets the end of a subtree: the index after the last node under `id`.
    #[inline]
    pub(crate) fn set_end(&mut self, id: u32, end: u32) {
        let beneath = end.saturating_sub(id + 1);
        if let Some(node) = self.nodes.get_mut(id as usize) {
            node.relations = node.relations & FAR | beneath.min(FAR) << DISTANCE;
            if beneath >= FAR {
                self.far_ends.insert(id, end);
            }
        }
    }

    /// Returns the superstructure of a node. Returns [`NONE`] for records, and for a node that does not exist.
    #[inline]
    pub(crate) fn parent(&self, id: u32) -> u32 {
        match self.nodes.get(id as usize).map_or(0, |node| node.relations & FAR) {
            0 => NONE,
            FAR => self.far_parents.get(&id).copied().unwrap_or(NONE),
            back => id.wrapping_sub(back),
        }
    }

    /// Returns the index after the last node under a node. Returns `None` if the node does not exist.
    #[inline]
    pub(crate) fn end(&self, id: u32) -> Option<u32> {
        match self.nodes.get(id as usize)?.relations >> DISTANCE {
            FAR => self.far_ends.get(&id).copied(),
            beneath => Some(id + 1 + beneath),
        }
    }

    /// Returns the span of the payload. Usually it is a span of the file's text. For a node with [`flag::MADE`] or
    /// [`flag::UNDEF`], it is a span of the generated text.
    #[inline]
    pub(crate) fn payload(&self, id: u32, node: &NodeData) -> Span {
        if node.flags & flag::ASIDE != 0 {
            return self.aside.get(&id).copied().unwrap_or_default();
        }
        Arena::payload_beside(node)
    }

    /// Returns the span of the payload of a node without [`flag::ASIDE`].
    #[inline]
    pub(crate) const fn payload_beside(node: &NodeData) -> Span {
        let places = node.flags >> flag::BITS;
        let start = node.start + (places & ((1 << HEAD) - 1));
        Span::new(start, start + (places >> HEAD))
    }
}

impl Deref for Arena {
    type Target = [NodeData];

    fn deref(&self) -> &[NodeData] {
        &self.nodes
    }
}

impl DerefMut for Arena {
    fn deref_mut(&mut self) -> &mut [NodeData] {
        &mut self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::tree::NONE;

    #[test]
    fn a_node_has_12_octets() {
        assert_eq!(size_of::<NodeData>(), 12);
    }

    #[test]
    fn a_payload_stands_where_it_was_put_however_far_and_long() {
        let edges = |bits: u32| [0, 1, (1 << bits) - 1, 1 << bits, 1 << 20, 1 << 31];
        for start in [0, 7, 1 << 30] {
            for head in edges(HEAD) {
                for length in edges(LENGTH) {
                    let Some(end) = u32::checked_add(start + head, length) else { continue };
                    let payload = Span::new(start + head, end);
                    let mut arena = Arena::default();
                    let flags = flag::PAYLOAD | flag::UNNAMED;
                    arena.push(NewNode { start, parent: NONE, flags }, payload);
                    arena.push(NewNode { start, parent: NONE, flags: 0 }, Span::new(start, start));
                    let node = arena[0];
                    assert_eq!(arena.payload(0, &node), payload);
                    assert_eq!(node.flags & flag::ALL & !flag::ASIDE, flags);
                    arena.set_payload(0, Span::new(3, 5));
                    assert_eq!(arena.payload(0, &arena[0]), Span::new(3, 5));
                    assert_eq!(arena.payload(1, &arena[1]), Span::new(start, start));
                }
            }
        }
    }

    #[test]
    fn relations_are_what_they_were_made_however_far() {
        let mut arena = Arena::default();
        let last = FAR + 2;
        for id in 0..=last {
            let parent = if id == 0 { NONE } else { 0 };
            arena.push(NewNode { start: id, parent, flags: 0 }, Span::new(id, id));
            assert_eq!((arena.parent(id), arena.end(id)), (parent, Some(id + 1)), "{id}");
        }
        assert_eq!((arena.parent(last + 1), arena.end(last + 1)), (NONE, None));
        for end in [FAR - 1, FAR, FAR + 1, FAR + 2, 3] {
            arena.set_end(0, end);
            assert_eq!((arena.parent(0), arena.end(0)), (NONE, Some(end)));
        }
        for parent in [0, 1, 2, 3, last - 1, NONE] {
            arena.set_parent(last, parent);
            assert_eq!((arena.parent(last), arena.end(last)), (parent, Some(last + 1)));
        }
    }
}
