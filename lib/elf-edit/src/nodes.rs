//! The nodes of a document by their numbers, which are those of its structures in an [`Editor`](crate::Editor).

use elf_base::Span;
use elf_tagged::{Document, Flags, Node, NodeId};

/// The number for no node, for example above the records.
pub(crate) const NONE: u32 = u32::MAX;

/// A number of nodes, or an offset in the text of a document, which has at most 4 GiB.
#[allow(clippy::cast_possible_truncation, reason = "a text has at most 4 GiB")]
pub(crate) const fn to_u32(size: usize) -> u32 {
    size as u32
}

/// The nodes of a document. Other numbers, such as those of structures that edits add, have no flags, no tag
/// and no place.
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

    /// The number of nodes that are in the file. The nodes that the rules insert come last.
    pub(crate) fn count_in_file(self) -> u32 {
        self.document.node_at(u32::MAX).map_or(0, |last| last.id().get() + 1)
    }

    pub(crate) fn flags(self, id: u32) -> Flags {
        self.get(id).map(Node::flags).unwrap_or_default()
    }

    /// The offset where the line of a node starts.
    pub(crate) fn start(self, id: u32) -> u32 {
        self.get(id).map_or(0, |node| node.span().start)
    }

    /// The line of a node, as far as a locator needs it.
    pub(crate) fn start_span(self, id: u32) -> Span {
        let start = self.start(id);
        Span::new(start, start)
    }

    /// The line of a node, without continuation lines and without its line break.
    pub(crate) fn line(self, id: u32) -> &'d str {
        self.get(id).map(|node| node.span().of(self.document.text())).unwrap_or_default()
    }

    /// The node after the last one under it.
    pub(crate) fn end(self, id: u32) -> u32 {
        self.get(id).map_or(id, |node| node.subtree_end().get())
    }

    /// The node that it is under; [`NONE`] for records.
    pub(crate) fn parent(self, id: u32) -> u32 {
        self.get(id).and_then(Node::superstructure).map_or(NONE, |above| above.id().get())
    }

    pub(crate) fn tag(self, id: u32) -> &'d str {
        self.get(id).map(Node::tag).unwrap_or_default()
    }

    pub(crate) fn xref(self, id: u32) -> Option<&'d str> {
        self.get(id)?.xref()
    }

    /// The identifier on the line of a node, even if the rules took it away.
    pub(crate) fn written_xref(self, id: u32) -> &'d str {
        self.get(id).map(|node| node.xref_span().of(self.document.text())).unwrap_or_default()
    }

    pub(crate) fn pointer(self, id: u32) -> Option<&'d str> {
        self.get(id)?.pointer()
    }

    /// The payload of the line of a node as written; empty where absent.
    pub(crate) fn line_payload(self, id: u32) -> &'d str {
        self.get(id).and_then(Node::line_payload).unwrap_or_default()
    }

    /// All under a node, or the records under [`NONE`]: continuation lines and serialisation metadata
    /// included.
    pub(crate) fn children(self, id: u32) -> impl Iterator<Item = u32> + use<'d> {
        let records = (id == NONE).then(|| self.document.lines()).into_iter().flatten();
        let below = self.get(id).map(Node::lines).into_iter().flatten();
        records.chain(below).map(|node| node.id().get())
    }
}
