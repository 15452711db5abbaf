//! A dataset that is being built, to which structures are added in document order.

use crate::dataset::Dataset;
use crate::header::Header;
use crate::names::Names;
use crate::nodes::{Kind, NONE, NodeData, Nodes, to_u32};
use crate::types::{TypedBy, Types, TypesInUse};
use elf_schema::Schema;
use elf_tagged::Piece;
use std::sync::OnceLock;

/// The error for a dataset that is too large. Either the identifiers and payloads of the dataset are together longer
/// than 4 GiB, or the dataset has too many structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected identifiers and payloads of 4 GiB at most")]
pub struct DatasetTooLarge;

/// A dataset that is being built. Structures are added in document order. A setter changes the structure that was added
/// last, as long as that structure is open.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    /// The metadata that was added before the first record, followed by all records.
    nodes: Nodes,
    /// The number of nodes in `nodes` that are metadata.
    metadata: usize,
    /// The metadata that was added after the first record.
    late_metadata: Nodes,
    /// The open structures, by depth. The open structures are stored as indices into `nodes` or `late_metadata`.
    open: Vec<u32>,
    section: Section,
    text: String,
    tags: Names,
    types: Types,
    escapes: Vec<(u32, u32)>,
    pub(crate) header: Header,
    pub(crate) plain_plang: bool,
    pub(crate) typed_by: Option<TypedBy>,
    /// Whether the limits were exceeded. When the limits are exceeded, nothing more is added, and `finish` fails.
    too_large: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Section {
    #[default]
    Metadata,
    Records,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct NewStructure {
    pub(crate) section: Section,
    /// The depth of the structure in its section, from 0. A depth that is too large is reduced to the largest possible
    /// one.
    pub(crate) depth: usize,
    pub(crate) tag: u32,
    /// The number of the structure's type. [`NONE`] if it has no type.
    pub(crate) structure_type: u32,
}

/// The maximum number of nodes and of bytes of text. The maximum number is so small that every number is below
/// [`NONE`].
const MOST: usize = NONE as usize - 1;

impl Arena {
    pub(crate) fn with_capacity(structures: usize, octets: usize) -> Arena {
        let nodes = Nodes::with_capacity(structures.min(MOST));
        Arena { nodes, text: String::with_capacity(octets.min(MOST)), ..Arena::default() }
    }

    /// Adds a structure without a payload. Closes the structures that cannot contain it.
    pub(crate) fn push(&mut self, new: NewStructure) {
        self.push_line(new, Kind::None, "");
    }

    /// Adds a structure with a payload that contains no CR and no escape.
    #[inline]
    pub(crate) fn push_line(&mut self, new: NewStructure, kind: Kind, payload: &str) {
        let NewStructure { section, depth, tag, structure_type } = new;
        if section != self.section {
            self.close_to_depth(0);
            self.section = section;
        }
        self.close_to_depth(depth);
        if !self.has_room(payload) || self.last_list().len() >= MOST {
            self.too_large = true;
            return;
        }
        let start = self.text_length();
        self.text.push_str(payload);
        let end = self.text_length();
        let parent = self.open.last().copied().unwrap_or(NONE);
        if section == Section::Metadata && !self.is_in_late_metadata() {
            self.metadata += 1;
        }
        let nodes = self.last_list_mut();
        let id = to_u32(nodes.len());
        nodes.push(NodeData { start, payload: start, end, next: id + 1, parent, tag, structure_type, kind });
        self.open.push(id);
    }

    #[inline]
    fn is_in_late_metadata(&self) -> bool {
        self.section == Section::Metadata && self.nodes.len() > self.metadata
    }

    #[inline]
    fn last_list(&self) -> &Nodes {
        if self.is_in_late_metadata() { &self.late_metadata } else { &self.nodes }
    }

    #[inline]
    fn last_list_mut(&mut self) -> &mut Nodes {
        if self.is_in_late_metadata() { &mut self.late_metadata } else { &mut self.nodes }
    }

    #[inline]
    pub(crate) fn close_to_depth(&mut self, depth: usize) {
        if self.open.len() <= depth {
            return;
        }
        let end = to_u32(self.last_list().len());
        while self.open.len() > depth
            && let Some(id) = self.open.pop()
        {
            // A new node is a leaf and already has the right end, so leaves need no update.
            if end != id + 1 {
                self.last_list_mut().set_next(id, end);
            }
        }
    }

    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(crate) const fn section(&self) -> Section {
        self.section
    }

    pub(crate) fn intern_tag(&mut self, tag: &str) -> u32 {
        self.tags.intern(tag)
    }

    pub(crate) fn is_number_of_tag(&self, number: u32, tag: &str) -> bool {
        self.tags[number] == *tag
    }

    pub(crate) fn intern_type(&mut self, iri: &str) -> u32 {
        self.types.intern(iri)
    }

    /// Adds the direct and indirect supertypes of the types in use.
    pub(crate) fn add_supertypes(&mut self, in_use: TypesInUse, schema: &Schema) {
        self.types.add_supertypes(in_use, schema);
    }

    pub(crate) fn add_supertype(&mut self, of: &str, supertype: &str) {
        let [of, supertype] = [of, supertype].map(|iri| self.types.intern(iri));
        self.types.add_supertype(of, supertype);
    }

    pub(crate) fn set_type(&mut self, structure_type: u32) {
        self.update_last(|node| node.structure_type = structure_type);
    }

    /// Sets or removes the identifier of the last structure. An empty identifier is removed.
    pub(crate) fn set_xref(&mut self, xref: Option<&str>) {
        let Some(NodeData { start, payload, end, .. }) = self.last_node() else { return };
        let xref = xref.unwrap_or_default();
        if start == payload && xref.is_empty() {
            return;
        }
        let escapes = self.escapes_in(payload, end);
        let text = self.text[payload as usize..end as usize].to_owned();
        if end as usize == self.text.len() {
            self.truncate_text(start, payload);
        }
        let start = self.text_length();
        self.add_text(xref);
        let moved = self.text_length();
        self.add_text(&text);
        if self.too_large {
            return;
        }
        self.escapes
            .extend(escapes.into_iter().map(|(from, to)| (from - payload + moved, to - payload + moved)));
        let end = self.text_length();
        self.update_last(|node| (node.start, node.payload, node.end) = (start, moved, end));
    }

    /// Sets the payload of the last structure to an empty string.
    pub(crate) fn begin_literal(&mut self) {
        self.begin_payload(Kind::Literal);
    }

    pub(crate) fn set_pointer(&mut self, xref: &str) {
        self.begin_payload(Kind::Pointer);
        self.add_text(xref);
        self.end_payload();
    }

    /// Sets the payload of the last structure to a pointer, or to a string without escapes. The structure must not have
    /// a payload yet.
    #[inline]
    pub(crate) fn set_payload(&mut self, kind: Kind, payload: &str) {
        self.update_last(|node| node.kind = kind);
        self.add_piece(Piece::Text(payload));
    }

    /// Appends to the string payload of the last structure. Each CR and each CR LF becomes LF, because the form of a
    /// line break is not data (D19 *Line continuation*).
    pub(crate) fn add_piece(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Escape(raw) => {
                let from = self.text_length();
                self.add_text(raw);
                let to = self.text_length();
                self.escapes.push((from, to));
            }
            Piece::Text(text) if memchr::memchr(b'\r', text.as_bytes()).is_some() => {
                self.add_text(&text.replace("\r\n", "\n").replace('\r', "\n"));
            }
            Piece::Text(text) => self.add_text(text),
        }
        self.end_payload();
    }

    /// Returns the dataset.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetTooLarge`] if the limits were exceeded.
    pub(crate) fn finish(mut self) -> Result<Dataset, DatasetTooLarge> {
        self.close_to_depth(0);
        if self.too_large || self.nodes.len() + self.late_metadata.len() > MOST {
            return Err(DatasetTooLarge);
        }
        let metadata = to_u32(self.metadata + self.late_metadata.len());
        let mut nodes = if self.late_metadata.is_empty() { self.nodes } else { self.merge_late_metadata() };
        nodes.shrink_to_fit();
        self.types.sort_supertypes();
        self.text.shrink_to_fit();
        Ok(Dataset {
            nodes,
            metadata,
            text: self.text,
            tags: self.tags,
            types: self.types,
            escapes: self.escapes,
            header: self.header,
            plain_plang: self.plain_plang,
            typed_by: self.typed_by,
            bearers: OnceLock::new(),
        })
    }

    /// Returns all nodes. The late metadata comes before the records.
    fn merge_late_metadata(&self) -> Nodes {
        let moved = |by: usize| {
            let by = to_u32(by);
            let parent = move |of: u32| if of == NONE { NONE } else { of + by };
            move |node: NodeData| NodeData { next: node.next + by, parent: parent(node.parent), ..node }
        };
        let metadata = self.nodes.iter().take(self.metadata);
        let late = self.late_metadata.iter().map(moved(self.metadata));
        let records = self.nodes.iter().skip(self.metadata).map(moved(self.late_metadata.len()));
        metadata.chain(late).chain(records).collect()
    }

    /// Replaces the payload of the last structure by an empty payload, which is at the end of the text, after the
    /// identifier.
    fn begin_payload(&mut self, kind: Kind) {
        let Some(NodeData { start, payload, end, .. }) = self.last_node() else { return };
        if end as usize == self.text.len() {
            self.truncate_text(payload, payload);
            return self.update_last(|node| (node.end, node.kind) = (payload, kind));
        }
        let xref = self.text[start as usize..payload as usize].to_owned();
        let start = self.text_length();
        self.add_text(&xref);
        let payload = self.text_length();
        self.update_last(|node| {
            (node.start, node.payload, node.end, node.kind) = (start, payload, payload, kind);
        });
    }

    /// Removes the text from offset `start` on, and the escapes from offset `payload` on.
    fn truncate_text(&mut self, start: u32, payload: u32) {
        let kept = self.escapes.partition_point(|escape| escape.0 < payload);
        self.escapes.truncate(kept);
        self.text.truncate(start as usize);
    }

    /// Sets the end of the last structure's payload to the end of the text.
    #[inline]
    fn end_payload(&mut self) {
        let end = self.text_length();
        self.update_last(|node| node.end = end);
    }

    fn escapes_in(&self, from: u32, to: u32) -> Vec<(u32, u32)> {
        let first = self.escapes.partition_point(|escape| escape.0 < from);
        self.escapes[first..].iter().copied().take_while(|escape| escape.1 <= to).collect()
    }

    #[inline]
    fn has_room(&self, text: &str) -> bool {
        !self.too_large && text.len() <= MOST - self.text.len()
    }

    #[inline]
    fn add_text(&mut self, text: &str) {
        if self.has_room(text) {
            self.text.push_str(text);
        } else {
            self.too_large = true;
        }
    }

    #[inline]
    fn text_length(&self) -> u32 {
        to_u32(self.text.len())
    }

    /// Returns the last structure. Returns `None` if it was closed.
    fn last_node(&self) -> Option<NodeData> {
        Some(self.last_list().get(*self.open.last()?))
    }

    /// Changes the last structure, unless it was closed.
    #[inline]
    fn update_last(&mut self, change: impl FnOnce(&mut NodeData)) {
        if let Some(&id) = self.open.last() {
            self.last_list_mut().update(id, change);
        }
    }
}
