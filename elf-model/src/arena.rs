//! A dataset under construction.

use crate::dataset::Dataset;
use crate::header::Header;
use crate::names::Names;
use crate::nodes::{Kind, NONE, NodeData, Nodes, to_u32};
use crate::types::{TypedBy, Types, TypesInUse};
use elf_schema::Schema;
use elf_tagged::Piece;
use std::sync::OnceLock;

/// The error for a dataset whose identifiers and payloads are longer than 4 GiB in total, or that has too many
/// structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected identifiers and payloads of 4 GiB at most")]
pub struct DatasetTooLarge;

/// The structures of a dataset that is being built, and their text, tags and types.
///
/// Structures are added in document order. Setters change the structure that was added last, as long as it is
/// open.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    /// The metadata added before the first record, then all records.
    nodes: Nodes,
    /// The number of nodes in `nodes` that are metadata.
    metadata: usize,
    /// The metadata added after the first record.
    late_metadata: Nodes,
    /// The open structures by depth, as indices into the list of the last structure.
    open: Vec<u32>,
    section: Section,
    text: String,
    tags: Names,
    types: Types,
    escapes: Vec<(u32, u32)>,
    pub(crate) header: Header,
    pub(crate) plain_plang: bool,
    pub(crate) typed_by: Option<TypedBy>,
    /// True if something did not fit. Nothing is added any more then, and `finish` fails.
    too_large: bool,
}

/// The two parts of a dataset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Section {
    #[default]
    Metadata,
    Records,
}

/// A structure to be added to an [`Arena`], without its payload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewStructure {
    pub(crate) section: Section,
    /// The depth in its section, from 0. A larger one than possible is the largest possible.
    pub(crate) depth: usize,
    pub(crate) tag: u32,
    /// The number of its type; [`NONE`] if it has none.
    pub(crate) structure_type: u32,
}

/// The most octets of text, and the most nodes: numbers below [`NONE`].
const MOST: usize = NONE as usize - 1;

impl Arena {
    /// An arena with room for that many structures, and octets of identifiers and payloads.
    pub(crate) fn with_room(structures: usize, octets: usize) -> Arena {
        let nodes = Nodes::with_room(structures.min(MOST));
        Arena { nodes, text: String::with_capacity(octets.min(MOST)), ..Arena::default() }
    }

    /// Adds a structure without a payload, and closes the structures that it is not a substructure of.
    pub(crate) fn push(&mut self, new: NewStructure) {
        self.push_line(new, Kind::None, "");
    }

    /// Adds a structure with a payload that contains no CR and no escape.
    #[inline]
    pub(crate) fn push_line(&mut self, new: NewStructure, kind: Kind, payload: &str) {
        let NewStructure { section, depth, tag, structure_type } = new;
        if section != self.section {
            self.close_to(0);
            self.section = section;
        }
        self.close_to(depth);
        if !self.has_room(payload) || self.list().len() >= MOST {
            self.too_large = true;
            return;
        }
        let start = self.length();
        self.text.push_str(payload);
        let end = self.length();
        let parent = self.open.last().copied().unwrap_or(NONE);
        if section == Section::Metadata && !self.is_late() {
            self.metadata += 1;
        }
        let nodes = self.list_mut();
        let id = to_u32(nodes.len());
        nodes.push(NodeData { start, payload: start, end, next: id + 1, parent, tag, structure_type, kind });
        self.open.push(id);
    }

    /// Returns whether the last structure is metadata that was added after the first record.
    #[inline]
    fn is_late(&self) -> bool {
        self.section == Section::Metadata && self.nodes.len() > self.metadata
    }

    /// Returns the list of the last structure.
    #[inline]
    fn list(&self) -> &Nodes {
        if self.is_late() { &self.late_metadata } else { &self.nodes }
    }

    #[inline]
    fn list_mut(&mut self) -> &mut Nodes {
        if self.is_late() { &mut self.late_metadata } else { &mut self.nodes }
    }

    /// Closes structures until no more than that many are open.
    #[inline]
    pub(crate) fn close_to(&mut self, depth: usize) {
        if self.open.len() <= depth {
            return;
        }
        let end = to_u32(self.list().len());
        while self.open.len() > depth
            && let Some(id) = self.open.pop()
        {
            // A node is added with the end of a leaf.
            if end != id + 1 {
                self.list_mut().set_next(id, end);
            }
        }
    }

    /// Returns the number of open structures.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the section of the structure that was added last.
    pub(crate) const fn section(&self) -> Section {
        self.section
    }

    /// Returns the number of a tag.
    pub(crate) fn tag(&mut self, tag: &str) -> u32 {
        self.tags.intern(tag)
    }

    /// Returns whether `number` is that of `tag`.
    pub(crate) fn is_tag(&self, number: u32, tag: &str) -> bool {
        self.tags[number] == *tag
    }

    /// Returns the number of a type.
    pub(crate) fn structure_type(&mut self, iri: &str) -> u32 {
        self.types.intern(iri)
    }

    /// Adds the eventual supertypes of the types in use.
    pub(crate) fn add_supertypes(&mut self, in_use: TypesInUse, schema: &Schema) {
        self.types.add_supertypes(in_use, schema);
    }

    pub(crate) fn add_supertype(&mut self, of: &str, supertype: &str) {
        let [of, supertype] = [of, supertype].map(|iri| self.types.intern(iri));
        self.types.add_supertype(of, supertype);
    }

    /// Sets the type of the last structure.
    pub(crate) fn set_type(&mut self, structure_type: u32) {
        self.update(|node| node.structure_type = structure_type);
    }

    /// Sets the identifier of the last structure, or removes it. An empty one is none.
    pub(crate) fn set_xref(&mut self, xref: Option<&str>) {
        let Some(NodeData { start, payload, end, .. }) = self.last() else { return };
        let xref = xref.unwrap_or_default();
        if start == payload && xref.is_empty() {
            return;
        }
        let escapes = self.escapes_in(payload, end);
        let text = self.text[payload as usize..end as usize].to_owned();
        if end as usize == self.text.len() {
            self.truncate_text(start, payload);
        }
        let start = self.length();
        self.add_text(xref);
        let moved = self.length();
        self.add_text(&text);
        if self.too_large {
            return;
        }
        self.escapes
            .extend(escapes.into_iter().map(|(from, to)| (from - payload + moved, to - payload + moved)));
        let end = self.length();
        self.update(|node| (node.start, node.payload, node.end) = (start, moved, end));
    }

    /// Makes the payload of the last structure a string, empty until pieces are added.
    pub(crate) fn begin_literal(&mut self) {
        self.begin(Kind::Literal);
    }

    /// Makes the payload of the last structure a pointer.
    pub(crate) fn set_pointer(&mut self, xref: &str) {
        self.begin(Kind::Pointer);
        self.add_text(xref);
        self.end_payload();
    }

    /// Gives the last structure, which has no payload yet, a pointer or a string without escapes.
    #[inline]
    pub(crate) fn set_payload(&mut self, kind: Kind, payload: &str) {
        self.update(|node| node.kind = kind);
        self.add_piece(Piece::Text(payload));
    }

    /// Appends to the string that was begun. Each CR and each CR LF becomes LF, because the form of a line
    /// break is not data (D19 *Line continuation*).
    pub(crate) fn add_piece(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Escape(raw) => {
                let from = self.length();
                self.add_text(raw);
                let to = self.length();
                self.escapes.push((from, to));
            }
            Piece::Text(text) if memchr::memchr(b'\r', text.as_bytes()).is_some() => {
                self.add_text(&text.replace("\r\n", "\n").replace('\r', "\n"));
            }
            Piece::Text(text) => self.add_text(text),
        }
        self.end_payload();
    }

    /// Makes the dataset.
    ///
    /// # Errors
    ///
    /// [`DatasetTooLarge`] if not all of it fit.
    pub(crate) fn finish(mut self) -> Result<Dataset, DatasetTooLarge> {
        self.close_to(0);
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

    /// Puts the metadata that was added late before the records.
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

    /// Replaces the payload of the last structure by an empty one at the end of the text, after its
    /// identifier.
    fn begin(&mut self, kind: Kind) {
        let Some(NodeData { start, payload, end, .. }) = self.last() else { return };
        if end as usize == self.text.len() {
            self.truncate_text(payload, payload);
            return self.update(|node| (node.end, node.kind) = (payload, kind));
        }
        let xref = self.text[start as usize..payload as usize].to_owned();
        let start = self.length();
        self.add_text(&xref);
        let payload = self.length();
        self.update(|node| {
            (node.start, node.payload, node.end, node.kind) = (start, payload, payload, kind);
        });
    }

    /// Removes the text from `start` on, with the escapes from `payload` on.
    fn truncate_text(&mut self, start: u32, payload: u32) {
        let kept = self.escapes.partition_point(|escape| escape.0 < payload);
        self.escapes.truncate(kept);
        self.text.truncate(start as usize);
    }

    /// Makes the payload of the last structure reach to the end of the text.
    #[inline]
    fn end_payload(&mut self) {
        let end = self.length();
        self.update(|node| node.end = end);
    }

    /// Returns the escapes in a range of the text.
    fn escapes_in(&self, from: u32, to: u32) -> Vec<(u32, u32)> {
        let first = self.escapes.partition_point(|escape| escape.0 < from);
        self.escapes[first..].iter().copied().take_while(|escape| escape.1 <= to).collect()
    }

    /// Returns whether the text can be added.
    #[inline]
    fn has_room(&self, text: &str) -> bool {
        !self.too_large && text.len() <= MOST - self.text.len()
    }

    /// Appends to the text if there is room.
    #[inline]
    fn add_text(&mut self, text: &str) {
        if self.has_room(text) {
            self.text.push_str(text);
        } else {
            self.too_large = true;
        }
    }

    #[inline]
    fn length(&self) -> u32 {
        to_u32(self.text.len())
    }

    /// Returns the last structure; `None` if it was closed.
    fn last(&self) -> Option<NodeData> {
        Some(self.list().get(*self.open.last()?))
    }

    /// Changes the last structure, unless it was closed.
    #[inline]
    fn update(&mut self, change: impl FnOnce(&mut NodeData)) {
        if let Some(&id) = self.open.last() {
            self.list_mut().update(id, change);
        }
    }
}
