//! Iterators over the records and structures of a document.

use super::Document;
use crate::read::tree::{Node, NodeId, Substructures, flag};
use std::fmt;
use std::iter::FusedIterator;
use std::ops::Range;

/// An iterator over the records of a document.
#[derive(Clone, Copy)]
pub struct Records<'d> {
    all: Substructures<'d>,
    head: Option<NodeId>,
}

impl<'d> Records<'d> {
    pub(super) fn of(document: &'d Document<'_>) -> Records<'d> {
        let all = Substructures::new(document, document.view().roots());
        Records { all, head: document.head().map(Node::id) }
    }
}

impl<'d> Iterator for Records<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        self.all.find(|node| Some(node.id()) != self.head)
    }
}

impl DoubleEndedIterator for Records<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.all.rfind(|node| Some(node.id()) != self.head)
    }
}

impl FusedIterator for Records<'_> {}

impl fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

/// An iterator over structures at any depth, in document order. The structures are those of a document, or those under
/// one structure.
#[derive(Clone, Copy)]
pub struct Structures<'d> {
    document: &'d Document<'d>,
    at: u32,
    end: u32,
    head: Option<NodeId>,
}

impl<'d> Structures<'d> {
    pub(super) fn of(document: &'d Document<'_>) -> Structures<'d> {
        Structures::within(document, 0..u32::MAX)
    }

    /// Iterates over the structures in a range of nodes. The range may reach past the last node.
    pub(super) fn within(document: &'d Document<'_>, run: Range<u32>) -> Structures<'d> {
        Structures { document, at: run.start, end: run.end, head: document.head().map(Node::id) }
    }

    pub(crate) fn under(node: Node<'d>) -> Structures<'d> {
        Structures {
            document: node.document(),
            at: node.id().get() + 1,
            end: node.subtree_end().get(),
            head: None,
        }
    }
}

impl<'d> Iterator for Structures<'d> {
    type Item = Node<'d>;

    #[inline]
    fn next(&mut self) -> Option<Node<'d>> {
        while self.at < self.end {
            let id = self.at;
            let node = self.document.nodes.get(id as usize)?;
            if node.flags & (flag::HIDDEN | flag::CONTINUATION) != 0 {
                self.at = self.document.nodes.end(id)?;
                continue;
            }
            self.at += 1;
            if Some(NodeId::new(id)) != self.head {
                return Some(Node { document: self.document, id });
            }
        }
        None
    }
}

impl FusedIterator for Structures<'_> {}

impl fmt::Debug for Structures<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}
