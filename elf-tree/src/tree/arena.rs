//! The nodes of a document: sixteen octets a line.
//!
//! Most of the time of a large tree goes into memory that was not there before, so a node is as small as it
//! can be while its relations are still one look away. Where its payload stands is kept as two distances
//! beside the flags. They do for nearly every line; the few for which they do not have their payloads in a
//! table beside the nodes.

use super::flag;
use elf_base::Span;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// One line, or one structure that the rules insert. The places of the tag and the identifier are read off
/// the line again when they are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeData {
    /// The offset of the line string in the text.
    pub(crate) start: u32,
    /// The superstructure; [`NONE`](super::NONE) for records.
    pub(crate) parent: u32,
    /// The node after the last one of the subtree.
    pub(crate) next: u32,
    /// The flags, and above them what says where the payload stands.
    pub(crate) flags: u32,
}

/// All nodes, in document order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    nodes: Vec<NodeData>,
    /// The payloads of the nodes flagged [`flag::ASIDE`].
    aside: BTreeMap<u32, Span>,
}

/// Bits of the distance from the start of a line to its payload.
const HEAD: u32 = 6;
/// Bits of the length of a payload.
const LENGTH: u32 = u32::BITS - flag::BITS - HEAD;

impl Arena {
    pub(crate) fn with_capacity(nodes: usize) -> Arena {
        Arena { nodes: Vec::with_capacity(nodes), aside: BTreeMap::new() }
    }

    /// Adds a node whose payload stands there in the text, after the start of its line.
    // The node is put together where it is pushed, so that its parts need not meet in memory before.
    #[inline(always)]
    pub(crate) fn push(&mut self, node: NodeData, payload: Span) {
        let NodeData { start, parent, next, flags } = node;
        let (head, length) = (payload.start - start, payload.end - payload.start);
        if head >> HEAD != 0 || length >> LENGTH != 0 {
            return self.push_aside(NodeData { start, parent, next, flags }, payload);
        }
        let flags = flags | head << flag::BITS | length << (flag::BITS + HEAD);
        self.nodes.push(NodeData { start, parent, next, flags });
    }

    /// Adds a node whose payload stands somewhere else: far from the start of its line, or not in the text.
    #[cold]
    pub(crate) fn push_aside(&mut self, node: NodeData, payload: Span) {
        let id = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(node);
        self.set_payload(id, payload);
    }

    /// Gives a node another payload.
    pub(crate) fn set_payload(&mut self, id: u32, payload: Span) {
        if let Some(node) = self.nodes.get_mut(id as usize) {
            node.flags |= flag::ASIDE;
            self.aside.insert(id, payload);
        }
    }

    /// Returns the span of the payload of `node`, which is the node of index `id`: in the text or, if the
    /// node is [`flag::MADE`] or [`flag::UNDEF`], in the text that was made.
    #[inline]
    pub(crate) fn payload(&self, id: u32, node: &NodeData) -> Span {
        if node.flags & flag::ASIDE != 0 {
            return self.aside.get(&id).copied().unwrap_or_default();
        }
        Arena::payload_beside(node)
    }

    /// Returns the span of the payload of a node that is not [`flag::ASIDE`].
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
#[path = "../../tests/unit/arena.rs"]
mod tests;
