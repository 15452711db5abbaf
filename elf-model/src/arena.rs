//! A dataset under construction.

use crate::dataset::{Dataset, Header, Kind, NONE, Names, NodeData};
use crate::types::{TypedBy, Types, TypesInUse};
use elf_schema::{Schema, TypeId, Typing};
use elf_tagged::Piece;
use std::sync::OnceLock;

/// Identifiers and payloads together are longer than 4 GiB, or there are as many structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected identifiers and payloads of 4 GiB at most")]
pub struct DatasetTooLarge;

/// The nodes of metadata and records apart, and what they share. Structures are pushed in document order;
/// what is said of a structure may come late.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    parts: [Vec<NodeData>; 2],
    /// The structures that are open, by depth: nodes of the part at hand.
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

impl Arena {
    /// Adds a structure at that depth, from 0, or at the greatest there is; closes what it does not fall
    /// under.
    pub(crate) fn push(&mut self, part: usize, depth: usize, tag: u32, structure_type: u32) {
        if part != self.part {
            self.close_to(0);
            self.part = part;
        }
        self.close_to(depth);
        let at = offset(self.text.len(), &mut self.too_large);
        let node = NodeData {
            start: at,
            payload: at,
            end: at,
            next: 0,
            parent: self.open.last().copied().unwrap_or(NONE),
            tag,
            structure_type,
            kind: Kind::None,
        };
        if let Some(nodes) = self.parts.get_mut(part) {
            self.open.push(offset(nodes.len(), &mut self.too_large));
            nodes.push(node);
        }
    }

    /// Closes structures until no more than that many are open.
    pub(crate) fn close_to(&mut self, depth: usize) {
        let Some(nodes) = self.parts.get_mut(self.part) else { return };
        let end = offset(nodes.len(), &mut self.too_large);
        for id in self.open.drain(depth.min(self.open.len())..) {
            if let Some(node) = nodes.get_mut(id as usize) {
                node.next = end;
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

    /// The number of a type of a document.
    pub(crate) fn type_in_use(&mut self, of: TypeId, in_use: &mut TypesInUse, typing: &Typing) -> u32 {
        *in_use.entry(of).or_insert_with(|| match typing.iri(of) {
            Some(iri) => self.types.intern(iri),
            None => NONE,
        })
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
        if let Some(node) = self.node() {
            node.structure_type = structure_type;
        }
    }

    /// Sets the identifier of the structure opened last. An empty one is none.
    pub(crate) fn set_xref(&mut self, xref: Option<&str>) {
        let Some(&mut NodeData { start, payload, end, .. }) = self.node() else { return };
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
        if let Some(node) = self.node() {
            (node.start, node.payload, node.end) = (start, moved, end);
        }
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
            Piece::Text(text) if text.contains('\r') => {
                self.text.push_str(&text.replace("\r\n", "\n").replace('\r', "\n"));
            }
            Piece::Text(text) => self.text.push_str(text),
        }
        self.end();
    }

    /// The dataset.
    pub(crate) fn finish(mut self) -> Result<Dataset, DatasetTooLarge> {
        self.close_to(0);
        let [of_metadata, mut nodes] = self.parts;
        let metadata = offset(of_metadata.len(), &mut self.too_large);
        for node in &mut nodes {
            node.next = node.next.saturating_add(metadata);
            if node.parent != NONE {
                node.parent = node.parent.saturating_add(metadata);
            }
        }
        // The records stay where they are but for a few places: there is no second copy of them.
        nodes.splice(0..0, of_metadata);
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
        let Some(&mut NodeData { start, payload, end, .. }) = self.node() else { return };
        if end as usize == self.text.len() {
            self.forget(payload, payload);
            if let Some(node) = self.node() {
                (node.end, node.kind) = (payload, kind);
            }
            return;
        }
        let xref = self.text.get(start as usize..payload as usize).unwrap_or_default().to_owned();
        let start = self.length();
        self.text.push_str(&xref);
        let payload = self.length();
        if let Some(node) = self.node() {
            (node.start, node.payload, node.end, node.kind) = (start, payload, payload, kind);
        }
    }

    /// Cuts the text off at `start`, and with it the escapes from `payload` on.
    fn forget(&mut self, start: u32, payload: u32) {
        let kept = self.escapes.partition_point(|escape| escape.0 < payload);
        self.escapes.truncate(kept);
        self.text.truncate(start as usize);
    }

    fn end(&mut self) {
        let end = self.length();
        if let Some(node) = self.node() {
            node.end = end;
        }
    }

    fn escapes_in(&self, from: u32, to: u32) -> Vec<(u32, u32)> {
        let first = self.escapes.partition_point(|escape| escape.0 < from);
        let rest = self.escapes.get(first..).unwrap_or_default();
        rest.iter().copied().take_while(|escape| escape.1 <= to).collect()
    }

    fn length(&mut self) -> u32 {
        offset(self.text.len(), &mut self.too_large)
    }

    /// The structure opened last.
    fn node(&mut self) -> Option<&mut NodeData> {
        let id = *self.open.last()?;
        self.parts.get_mut(self.part)?.get_mut(id as usize)
    }
}

/// An index or offset of 32 bits; where it does not fit, that is noted.
fn offset(at: usize, too_large: &mut bool) -> u32 {
    match u32::try_from(at) {
        Ok(at) if at != NONE => at,
        _ => {
            *too_large = true;
            NONE
        }
    }
}
