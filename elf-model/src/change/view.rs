//! Reads the structures of a dataset that is being changed.

use super::links::{self, ROOTS};
use super::{Content, DatasetMut, Node, Position, StructureId};
use crate::nodes::NONE;
use elf_tagged::Piece;
use std::fmt;

/// A structure of a [`DatasetMut`] in its current state. The structure is a handle that is cheap to copy.
#[derive(Clone, Copy)]
pub struct StructureView<'m> {
    of: &'m DatasetMut,
    number: u32,
    node: &'m Node,
}

impl DatasetMut {
    /// Returns a structure. Returns `None` if it was removed or belongs to another dataset.
    ///
    /// ```
    /// use elf_model::{Dataset, Position};
    ///
    /// let mut dataset = Dataset::new().into_mut();
    /// let note = dataset.add(Position::LastRecord, "NOTE")?;
    /// dataset.set_text(note, "a")?;
    /// assert_eq!(dataset.get(note).map(|note| note.text().to_owned()), Some("a".to_owned()));
    /// dataset.remove(note)?;
    /// assert!(dataset.get(note).is_none());
    /// # Ok::<(), elf_model::ChangeError>(())
    /// ```
    pub fn get(&self, id: StructureId) -> Option<StructureView<'_>> {
        Some(self.view(self.number_of(id).ok()?))
    }

    /// Returns the records, in order.
    pub fn records(&self) -> impl Iterator<Item = StructureView<'_>> {
        self.views_under(links::DOCUMENT)
    }

    /// Returns the structures directly in the metadata, in order.
    pub fn metadata(&self) -> impl Iterator<Item = StructureView<'_>> {
        self.views_under(links::METADATA)
    }

    fn views_under(&self, above: u32) -> impl Iterator<Item = StructureView<'_>> {
        self.links.substructures(above).map(|number| self.view(number))
    }

    fn view(&self, number: u32) -> StructureView<'_> {
        StructureView { of: self, number, node: self.node(number) }
    }
}

impl<'m> StructureView<'m> {
    /// Returns the id of the structure.
    pub const fn id(self) -> StructureId {
        self.of.id_of(self.number)
    }

    /// Returns the tag of the structure.
    pub fn tag(self) -> &'m str {
        &self.of.base.tags[self.node.tag]
    }

    /// Returns the IRI of the structure's type. Returns `None` if there was no schema.
    pub fn structure_type(self) -> Option<&'m str> {
        self.of.base.types.iri(self.node.structure_type)
    }

    /// Returns the identifier of the structure, without at signs.
    pub fn xref(self) -> Option<&'m str> {
        self.of.xrefs.get(self.node.xref)
    }

    /// Returns the string payload of the structure. Returns an empty string if it has no payload or its payload is a
    /// pointer.
    pub fn text(self) -> &'m str {
        match self.node.content {
            Content::Literal(from, to) => self.of.base.text_slice(from, to),
            Content::None | Content::Pointer(_) => "",
        }
    }

    /// Returns the pieces of a string payload, which are text and escapes.
    pub fn pieces(self) -> impl Iterator<Item = Piece<'m>> {
        let (from, to) = match self.node.content {
            Content::Literal(from, to) => (from, to),
            Content::None | Content::Pointer(_) => (0, 0),
        };
        self.of.base.pieces_in(from, to)
    }

    /// Returns the identifier in the payload, if the payload is a pointer.
    pub fn pointer(self) -> Option<&'m str> {
        match self.node.content {
            Content::Pointer(to) => Some(&self.of.xrefs[to]),
            Content::None | Content::Literal(..) => None,
        }
    }

    /// Returns the structure to which the payload points, if the payload is a pointer to exactly one structure.
    pub fn target(self) -> Option<StructureView<'m>> {
        self.of.get(self.of.resolve(self.pointer()?)?)
    }

    /// Returns the substructures of the structure, in order.
    pub fn substructures(self) -> impl Iterator<Item = StructureView<'m>> {
        self.of.views_under(self.number)
    }

    /// Returns the structure and all its substructures, in document order.
    pub fn subtree(self) -> impl Iterator<Item = StructureView<'m>> {
        self.of.links.subtree(self.number).map(|(number, _)| self.of.view(number))
    }

    /// Returns the superstructure. Returns `None` for a record and for a structure directly in the metadata.
    pub fn superstructure(self) -> Option<StructureView<'m>> {
        let above = self.of.links.superstructure(self.number);
        (above >= ROOTS).then(|| self.of.view(above))
    }

    /// Returns the position of the structure. If the structure is removed, another structure that is put at this
    /// position takes its place.
    pub fn position(self) -> Position {
        let above = self.of.links.superstructure(self.number);
        match (self.of.links.next_sibling(self.number), above) {
            (NONE, links::METADATA) => Position::LastMetadata,
            (NONE, links::DOCUMENT) => Position::LastRecord,
            (NONE, above) => Position::LastIn(self.of.id_of(above)),
            (after, _) => Position::Before(self.of.id_of(after)),
        }
    }
}

impl fmt::Debug for StructureView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StructureView")
            .field("id", &self.id())
            .field("xref", &self.xref())
            .field("tag", &self.tag())
            .field("structure_type", &self.structure_type())
            .field("text", &self.text())
            .field("pointer", &self.pointer())
            .finish_non_exhaustive()
    }
}
