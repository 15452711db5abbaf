//! A dataset under construction.

use crate::dataset::{Dataset, Header, Names};
use crate::nodes::{Kind, NONE, NodeData, Nodes};
use crate::types::{TypedBy, Types, TypesInUse};
use elf_schema::Schema;
use elf_tagged::Piece;
use std::sync::OnceLock;

/// Identifiers and payloads together are longer than 4 GiB, or there are as many structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected identifiers and payloads of 4 GiB at most")]
pub struct DatasetTooLarge;

/// The nodes of metadata and records, and what they share. Structures are pushed in document order; what is
/// said of a structure may come late.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    /// The metadata that came before the first record, and all records; the metadata that came later.
    nodes: [Nodes; 2],
    /// The number of nodes of metadata before the first record.
    metadata: usize,
    /// The structures that are open, by depth: nodes of the list at hand.
    open: Vec<u32>,
    part: usize,
    text: String,
    tags: Names,
    types: Types,
    escapes: Vec<(u32, u32)>,
    pub(crate) header: Header,
    pub(crate) plain_plang: bool,
    pub(crate) typed_by: Option<TypedBy>,
    too_large: bool,
}

/// The parts of an arena.
pub(crate) const METADATA: usize = 0;
pub(crate) const RECORDS: usize = 1;

/// The lists of nodes.
const MAIN: usize = 0;
const LATE: usize = 1;

impl Arena {
    /// An arena with room for so many structures, and so many octets of identifiers and payloads, but for no
    /// more than there may be.
    pub(crate) fn with_room(structures: usize, octets: usize) -> Arena {
        let [structures, octets] = [structures, octets].map(|room| room.min(NONE as usize));
        let nodes = [Nodes::with_room(structures), Nodes::default()];
        Arena { nodes, text: String::with_capacity(octets), ..Arena::default() }
    }

    /// Adds a structure at that depth, from 0, or at the greatest there is; closes what it does not fall
    /// under.
    pub(crate) fn push(&mut self, part: usize, depth: usize, tag: u32, structure_type: u32) {
        self.push_line(part, depth, [tag, structure_type], (Kind::None, ""));
    }

    /// Adds a structure of a tag and a type as [`push`](Arena::push) does, with its payload, in which no CR
    /// stands.
    #[inline]
    pub(crate) fn push_line(
        &mut self,
        part: usize,
        depth: usize,
        [tag, structure_type]: [u32; 2],
        (kind, payload): (Kind, &str),
    ) {
        if part != self.part {
            self.close_to(0);
            self.part = part;
        }
        self.close_to(depth);
        let start = self.length();
        self.text.push_str(payload);
        let end = self.length();
        let parent = self.open.last().copied().unwrap_or(NONE);
        let list = self.list();
        self.metadata += usize::from(self.part == METADATA && list == MAIN);
        if let Some(nodes) = self.nodes.get_mut(list) {
            let id = offset(nodes.len(), &mut self.too_large);
            let next = id.saturating_add(1);
            self.open.push(id);
            nodes.push(NodeData { start, payload: start, end, next, parent, tag, structure_type, kind });
        }
    }

    /// The list that structures of the part at hand stand in.
    #[inline]
    fn list(&self) -> usize {
        let has_records = || self.nodes.first().is_some_and(|nodes| nodes.len() > self.metadata);
        if self.part == METADATA && has_records() { LATE } else { MAIN }
    }

    /// Closes structures until no more than that many are open.
    #[inline]
    pub(crate) fn close_to(&mut self, depth: usize) {
        if self.open.len() <= depth {
            return;
        }
        let list = self.list();
        let Some(nodes) = self.nodes.get_mut(list) else { return };
        let end = offset(nodes.len(), &mut self.too_large);
        while self.open.len() > depth
            && let Some(id) = self.open.pop()
        {
            // A node is made with the end of a leaf.
            if end != id.saturating_add(1) {
                nodes.set_next(id, end);
            }
        }
    }

    /// Returns the number of open structures.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(crate) const fn part(&self) -> usize {
        self.part
    }

    pub(crate) fn tag(&mut self, tag: &str) -> u32 {
        let index = match self.tags.get_index_of(tag) {
            Some(index) => index,
            None => self.tags.insert_full(tag.into()).0,
        };
        offset(index, &mut self.too_large)
    }

    /// Tells whether the tag with the number `number` is `tag`.
    pub(crate) fn is_tag(&self, number: u32, tag: &str) -> bool {
        self.tags.get_index(number as usize).is_some_and(|known| **known == *tag)
    }

    pub(crate) fn structure_type(&mut self, iri: &str) -> u32 {
        self.types.intern(iri)
    }

    /// Adds what is above the types in use.
    pub(crate) fn add_supertypes(&mut self, in_use: TypesInUse, schema: &Schema) {
        self.types.add_supertypes(in_use, schema);
    }

    pub(crate) fn add_supertype(&mut self, of: &str, supertype: &str) {
        let [of, supertype] = [of, supertype].map(|iri| self.types.intern(iri));
        self.types.add_supertype(of, supertype);
    }

    /// Sets the type of the structure opened last.
    pub(crate) fn set_type(&mut self, structure_type: u32) {
        self.update(|node| node.structure_type = structure_type);
    }

    /// Sets the identifier of the structure opened last. An empty one is none.
    pub(crate) fn set_xref(&mut self, xref: Option<&str>) {
        let Some(NodeData { start, payload, end, .. }) = self.node() else { return };
        let xref = xref.unwrap_or_default();
        if start == payload && xref.is_empty() {
            return;
        }
        let escapes = self.escapes_in(payload, end);
        let text = self.text.get(payload as usize..end as usize).unwrap_or_default().to_owned();
        if end as usize == self.text.len() {
            self.forget(start, payload);
        }
        let start = self.length();
        self.text.push_str(xref);
        let moved = self.length();
        self.text.push_str(&text);
        self.escapes
            .extend(escapes.into_iter().map(|(from, to)| (from - payload + moved, to - payload + moved)));
        let end = self.length();
        self.update(|node| (node.start, node.payload, node.end) = (start, moved, end));
    }

    /// Makes the payload of the structure opened last a string, empty until pieces are added.
    pub(crate) fn begin_literal(&mut self) {
        self.begin(Kind::Literal);
    }

    /// Makes the payload of the structure opened last a pointer.
    pub(crate) fn set_pointer(&mut self, xref: &str) {
        self.begin(Kind::Pointer);
        self.text.push_str(xref);
        self.end();
    }

    /// Gives the structure opened last, which has no payload yet, a pointer or a string without escapes.
    #[inline]
    pub(crate) fn set_payload(&mut self, kind: Kind, payload: &str) {
        if memchr::memchr(b'\r', payload.as_bytes()).is_some() {
            self.begin(kind);
            return self.add_piece(Piece::Text(payload));
        }
        self.text.push_str(payload);
        let end = self.length();
        self.update(|node| (node.end, node.kind) = (end, kind));
    }

    /// Adds to the string begun. Each CR and each CR LF becomes LF, for no data depends on the form of a line
    /// break (D19 *Line continuation*).
    pub(crate) fn add_piece(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Escape(raw) => {
                let from = self.length();
                self.text.push_str(raw);
                let to = self.length();
                self.escapes.push((from, to));
            }
            Piece::Text(text) if memchr::memchr(b'\r', text.as_bytes()).is_some() => {
                self.text.push_str(&text.replace("\r\n", "\n").replace('\r', "\n"));
            }
            Piece::Text(text) => self.text.push_str(text),
        }
        self.end();
    }

    /// Returns whether there is more in it than a dataset can have: then nothing needs to be added.
    pub(crate) const fn is_too_large(&self) -> bool {
        self.too_large
    }

    /// The dataset.
    pub(crate) fn finish(mut self) -> Result<Dataset, DatasetTooLarge> {
        self.close_to(0);
        let [mut nodes, late] = self.nodes;
        let before = self.metadata;
        let metadata = offset(before + late.len(), &mut self.too_large);
        if !late.is_empty() {
            // The metadata that came late moves in front of the records.
            let moved = |by: usize| {
                let by = u32::try_from(by).unwrap_or(NONE);
                let moved = move |of: u32| if of == NONE { NONE } else { of.saturating_add(by) };
                move |node: NodeData| NodeData { next: moved(node.next), parent: moved(node.parent), ..node }
            };
            let metadata = nodes.iter().take(before).chain(late.iter().map(moved(before)));
            let records = nodes.iter().skip(before).map(moved(late.len()));
            nodes = metadata.chain(records).collect();
        }
        nodes.shrink_to_fit();
        offset(nodes.len(), &mut self.too_large);
        offset(self.text.len(), &mut self.too_large);
        if self.too_large {
            return Err(DatasetTooLarge);
        }
        self.types.settle();
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

    /// Starts the payload of the structure opened last anew, behind its identifier and at the end of the
    /// text.
    fn begin(&mut self, kind: Kind) {
        let Some(NodeData { start, payload, end, .. }) = self.node() else { return };
        if end as usize == self.text.len() {
            self.forget(payload, payload);
            return self.update(|node| (node.end, node.kind) = (payload, kind));
        }
        let xref = self.text.get(start as usize..payload as usize).unwrap_or_default().to_owned();
        let start = self.length();
        self.text.push_str(&xref);
        let payload = self.length();
        self.update(|node| {
            (node.start, node.payload, node.end, node.kind) = (start, payload, payload, kind);
        });
    }

    /// Cuts the text off at `start`, and with it the escapes from `payload` on.
    fn forget(&mut self, start: u32, payload: u32) {
        let kept = self.escapes.partition_point(|escape| escape.0 < payload);
        self.escapes.truncate(kept);
        self.text.truncate(start as usize);
    }

    fn end(&mut self) {
        let end = self.length();
        self.update(|node| node.end = end);
    }

    fn escapes_in(&self, from: u32, to: u32) -> Vec<(u32, u32)> {
        let first = self.escapes.partition_point(|escape| escape.0 < from);
        let rest = self.escapes.get(first..).unwrap_or_default();
        rest.iter().copied().take_while(|escape| escape.1 <= to).collect()
    }

    #[inline]
    fn length(&mut self) -> u32 {
        offset(self.text.len(), &mut self.too_large)
    }

    /// The structure opened last.
    fn node(&self) -> Option<NodeData> {
        self.nodes.get(self.list())?.get(*self.open.last()?)
    }

    /// Changes the structure opened last.
    #[inline]
    fn update(&mut self, change: impl FnOnce(&mut NodeData)) {
        let list = self.list();
        if let (Some(nodes), Some(&id)) = (self.nodes.get_mut(list), self.open.last()) {
            nodes.update(id, change);
        }
    }
}

/// An index or offset of 32 bits; where it does not fit, that is noted.
#[inline]
fn offset(at: usize, too_large: &mut bool) -> u32 {
    match u32::try_from(at) {
        Ok(at) if at != NONE => at,
        _ => {
            *too_large = true;
            NONE
        }
    }
}
