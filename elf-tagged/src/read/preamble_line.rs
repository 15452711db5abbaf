//! The structures of the serialisation metadata in a header.

use crate::offset::to_u32;
use crate::read::escape::unescape;
use crate::read::tree::{View, flag};
use crate::{Document, NodeId};
use elf_base::rules::Escape;
use std::borrow::Cow;

/// A structure of the serialisation metadata in a header.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PreambleLine<'p> {
    /// The level of the line. The level is at least 1.
    pub level: u32,
    /// The tag of the line.
    pub tag: Cow<'p, str>,
    /// The unescaped payload. The unescaped payload is empty if the structure has none.
    pub payload: Cow<'p, str>,
    /// The node from which the structure was read. Losses are reported at this node.
    origin: Option<NodeId>,
}

impl PartialEq for PreambleLine<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.level == other.level && self.tag == other.tag && self.payload == other.payload
    }
}

impl Eq for PreambleLine<'_> {}

impl<'p> PreambleLine<'p> {
    /// Creates a structure. The level is at least 1.
    pub fn new(
        level: u32,
        tag: impl Into<Cow<'p, str>>,
        payload: impl Into<Cow<'p, str>>,
    ) -> PreambleLine<'p> {
        PreambleLine { level, tag: tag.into(), payload: payload.into(), origin: None }
    }

    /// Sets the node from which the structure was read. Losses are reported at this node.
    #[must_use]
    pub fn with_origin(mut self, node: NodeId) -> PreambleLine<'p> {
        self.origin = Some(node);
        self
    }

    /// Removes the link to the node from which the structure was read.
    #[must_use]
    pub fn without_origin(mut self) -> PreambleLine<'p> {
        self.origin = None;
        self
    }

    /// Returns the node from which the structure was read, if it was read from one.
    pub const fn origin(&self) -> Option<NodeId> {
        self.origin
    }

    /// Returns the structures that define the schema of a document (SCHMA, or PRFX and DEFN), including substructures.
    pub fn of_document(document: &'p Document<'_>) -> Vec<PreambleLine<'p>> {
        let rules = document.rules();
        let mut lines = Vec::new();
        for node in document.serialisation_metadata() {
            if matches!(node.tag(), "SCHMA" | "PRFX" | "DEFN") {
                let (raw, grammar) = (rules.tagged.metadata.is_raw(), rules.tagged.escape);
                PreambleLine::collect(document.view(), node.id().0, raw, grammar, &mut lines);
            }
        }
        lines
    }

    /// Copies the texts, so that the result borrows nothing.
    pub fn into_owned(self) -> PreambleLine<'static> {
        let PreambleLine { level, tag, payload, origin } = self;
        PreambleLine { origin, ..PreambleLine::new(level, tag.into_owned(), payload.into_owned()) }
    }

    /// Appends the header structure `top` and its substructures to `lines`.
    ///
    /// If `raw` is true, payloads are not unescaped (D19 *Parsing serialisation metadata*): a continuation line becomes
    /// a structure, and text without CONT is dropped. If `raw` is false, payloads are unescaped by `grammar`, and
    /// structures that are not data are skipped.
    pub(crate) fn collect(
        view: View<'p>,
        top: u32,
        raw: bool,
        grammar: Escape,
        lines: &mut Vec<PreambleLine<'p>>,
    ) {
        let end = view.nodes.end(top).unwrap_or(top);
        let mut ends: Vec<u32> = Vec::new();
        let passed_over = if raw { flag::RAW } else { flag::CONTINUATION };
        let mut behind = top;
        for id in top..end {
            let (Some(data), Some(end)) = (view.get(id), view.nodes.end(id)) else { return };
            if id > top && data.flags & flag::HIDDEN != 0 {
                behind = behind.max(end);
            }
            if id < behind || data.flags & passed_over != 0 {
                continue;
            }
            while ends.pop_if(|end| *end <= id).is_some() {}
            ends.push(end);
            let level = to_u32(ends.len());
            let payload = view.metadata_payload(id, raw, grammar);
            let origin = Some(NodeId(id));
            lines.push(PreambleLine { origin, ..PreambleLine::new(level, view.tag(id), payload) });
        }
    }
}

impl<'p> View<'p> {
    /// Returns the payload of a structure of serialisation metadata. If `raw` is true, this is the payload of its line
    /// as written. If `raw` is false, the payload is merged and unescaped by `grammar`.
    pub(crate) fn metadata_payload(self, id: u32, raw: bool, grammar: Escape) -> Cow<'p, str> {
        if raw || self.flags(id) & (flag::AT | flag::CONTINUED) == 0 {
            return Cow::Borrowed(self.line_payload(id));
        }
        Cow::Owned(unescape(&self.merged_payload(id), grammar, Default::default()).into_owned())
    }
}
