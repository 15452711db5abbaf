//! Accesses the nodes of a document by number. A structure of the file has the same number in an
//! [`Editor`](crate::Editor).

use elf_base::Span;
use elf_tagged::{Document, Flags, Node, NodeId};

/// The number that means that there is no node. For example, it is the parent of a record.
pub(crate) const NONE: u32 = u32::MAX;

/// Converts a number of nodes, or an offset in the text of a document, to 32 bits. Both fit, because a document has at
/// most 4 GiB.
#[allow(clippy::cast_possible_truncation, reason = "a text has at most 4 GiB")]
pub(crate) const fn to_u32(size: usize) -> u32 {
    size as u32
}

/// The nodes of a document. If a number belongs to another structure, such as one that an edit added, it has no flags,
/// no tag and no position.
#[derive(Clone, Copy)]
pub(crate) struct Nodes<'d> {
    document: &'d Document<'d>,
}

impl<'d> Nodes<'d> {
    pub(crate) const fn of(document: &'d Document<'d>) -> Nodes<'d> {
        Nodes { document }
    }

    pub(crate) fn get(self, id: u32) -> Option<Node<'d>> {
        self.document.node(NodeId::new(id))
    }

    pub(crate) fn count(self) -> u32 {
        to_u32(self.document.len())
    }

    /// Returns the number of nodes that are in the file. Nodes that the rules insert come after the nodes of the file.
    pub(crate) fn count_in_file(self) -> u32 {
        self.document.node_at(u32::MAX).map_or(0, |last| last.id().get() + 1)
    }

    pub(crate) fn flags(self, id: u32) -> Flags {
        self.get(id).map(Node::flags).unwrap_or_default()
    }

    pub(crate) fn line_start(self, id: u32) -> u32 {
        self.get(id).map_or(0, |node| node.span().start)
    }

    /// Returns an empty span at the line of a node. The empty span is used with a locator.
    pub(crate) fn line_start_span(self, id: u32) -> Span {
        let start = self.line_start(id);
        Span::new(start, start)
    }

    /// Returns the line of a node, without its continuation lines and its line ending.
    pub(crate) fn line(self, id: u32) -> &'d str {
        self.get(id).map(|node| node.span().of(self.document.text())).unwrap_or_default()
    }

    /// Returns the number after that of the last node under a node.
    pub(crate) fn subtree_end(self, id: u32) -> u32 {
        self.get(id).map_or(id, |node| node.subtree_end().get())
    }

    /// Returns the superstructure of a node. Returns [`NONE`] for records.
    pub(crate) fn parent(self, id: u32) -> u32 {
        self.get(id).and_then(Node::superstructure).map_or(NONE, |above| above.id().get())
    }

    pub(crate) fn tag(self, id: u32) -> &'d str {
        self.get(id).map(Node::tag).unwrap_or_default()
    }

    pub(crate) fn xref(self, id: u32) -> Option<&'d str> {
        self.get(id)?.xref()
    }

    /// Returns the identifier on the line of a node, even if the rules removed it.
    pub(crate) fn written_xref(self, id: u32) -> &'d str {
        self.get(id).map(|node| node.xref_span().of(self.document.text())).unwrap_or_default()
    }

    pub(crate) fn pointer(self, id: u32) -> Option<&'d str> {
        self.get(id)?.pointer()
    }

    /// Returns the payload on the line of a node as written. The result is empty if there is no payload.
    pub(crate) fn line_payload(self, id: u32) -> &'d str {
        self.get(id).and_then(Node::line_payload).unwrap_or_default()
    }

    /// Returns the nodes directly under a node, or the records if the node is [`NONE`]. Continuation lines and
    /// serialisation metadata are included.
    pub(crate) fn children(self, id: u32) -> impl Iterator<Item = u32> + use<'d> {
        let records = (id == NONE).then(|| self.document.lines()).into_iter().flatten();
        let below = self.get(id).map(Node::lines).into_iter().flatten();
        records.chain(below).map(|node| node.id().get())
    }
}
