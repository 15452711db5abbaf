//! A structure of a dataset, as a small handle.

use crate::dataset::{Dataset, Target};
use crate::nodes::{Kind, NONE, NodeData};
use elf_tagged::Piece;
use std::fmt;
use std::iter::FusedIterator;

/// A structure of a [`Dataset`]: a handle, cheap to copy.
#[derive(Clone, Copy)]
pub struct Structure<'d> {
    pub(crate) dataset: &'d Dataset,
    pub(crate) id: u32,
}

/// The payload of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Payload<'d> {
    /// None.
    None,
    /// A string in a language, of a datatype.
    Literal(Literal<'d>),
    /// A pointer: the identifier it names, without at signs.
    Pointer(&'d str),
}

/// A string payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Literal<'d> {
    /// The string, unescaped but for escapes of other types than U; U+000A for each line break.
    pub text: &'d str,
    /// The language: of its own PLANG, else of the header's, else `und` (D19 *Header metadata*; the draft
    /// leaves the rule unwritten).
    pub language: &'d str,
    /// The payload of the literal's own DTYPE, if it has one (reserved by D19 *Tags*, and described nowhere).
    pub datatype: Option<&'d str>,
}

impl<'d> Structure<'d> {
    /// Returns the place of the structure in its dataset, from 0 and in document order: for columns of data
    /// beside it.
    pub const fn index(self) -> usize {
        self.id as usize
    }

    /// Returns the dataset that the structure belongs to.
    pub const fn dataset(self) -> &'d Dataset {
        self.dataset
    }

    /// The tag it was read with, or is to be written with.
    pub fn tag(self) -> &'d str {
        self.dataset.tags.get_index(self.data().tag as usize).map(|tag| &**tag).unwrap_or_default()
    }

    /// The IRI of its type; `None` only where no schema was at hand.
    pub fn structure_type(self) -> Option<&'d str> {
        self.dataset.types.iri(self.data().structure_type)
    }

    /// Returns the identifier of the structure, without at signs.
    pub fn xref(self) -> Option<&'d str> {
        let data = self.data();
        (data.start < data.payload).then(|| self.dataset.slice(data.start, data.payload))
    }

    /// Returns the payload of the structure.
    pub fn payload(self) -> Payload<'d> {
        match self.data().kind {
            Kind::None => Payload::None,
            Kind::Pointer => Payload::Pointer(self.raw()),
            Kind::Literal => Payload::Literal(Literal {
                text: self.raw(),
                language: self.language(),
                datatype: self.tagged("DTYPE"),
            }),
        }
    }

    /// The string of its payload; empty where it has none or points somewhere.
    pub fn text(self) -> &'d str {
        if self.data().kind == Kind::Literal { self.raw() } else { "" }
    }

    /// The identifier its payload names, if it is a pointer.
    pub fn pointer(self) -> Option<&'d str> {
        (self.data().kind == Kind::Pointer).then(|| self.raw())
    }

    /// The structure its payload points to, if it is a pointer that leads to exactly one.
    pub fn target(self) -> Option<Structure<'d>> {
        match self.dataset.resolve(self.pointer()?) {
            Target::One(target) => Some(target),
            _ => None,
        }
    }

    /// The language of its payload; see [`Literal::language`].
    pub fn language(self) -> &'d str {
        let header = self.dataset.header.language.as_deref();
        self.tagged("PLANG").or(header).filter(|language| !language.is_empty()).unwrap_or("und")
    }

    /// The pieces of a string payload: text, and the escapes in it.
    pub fn pieces(self) -> impl Iterator<Item = Piece<'d>> {
        let data = self.data();
        let end = if data.kind == Kind::Literal { data.end } else { data.payload };
        self.dataset.pieces_in(data.payload, end)
    }

    /// The escapes in its payload, as ranges of the text of the dataset.
    pub(crate) fn escapes(self) -> &'d [(u32, u32)] {
        let data = self.data();
        self.dataset.escapes_in(data.payload, data.end)
    }

    /// Returns the substructures, in order.
    pub fn substructures(self) -> Substructures<'d> {
        Substructures::new(self.dataset, self.id + 1, self.data().next)
    }

    /// Returns its substructures of the type `iri` or of an eventual subtype of it, in order (J19 §3.1.1), as
    /// [`Dataset::of_type`] does for a whole dataset. Each call works the subtypes out anew.
    pub fn of_type(self, iri: &str) -> impl Iterator<Item = Structure<'d>> {
        let wanted = self.dataset.types.subtypes(iri);
        self.substructures().filter(move |structure| structure.is_of(&wanted))
    }

    /// Tells whether its type is one of `wanted`, a column of types.
    pub(crate) fn is_of(self, wanted: &[bool]) -> bool {
        wanted.get(self.data().structure_type as usize).copied().unwrap_or_default()
    }

    /// Returns the structure and all beneath it, in document order.
    pub fn subtree(self) -> Structures<'d> {
        Structures::new(self.dataset, self.id, self.data().next)
    }

    /// Returns the superstructure; `None` for a record, and for what stands directly in the metadata.
    pub fn superstructure(self) -> Option<Structure<'d>> {
        let parent = self.data().parent;
        (parent != NONE).then_some(Structure { dataset: self.dataset, id: parent })
    }

    /// Returns the structure, its superstructure, and so on up to its record or to what stands in the
    /// metadata.
    pub fn ancestors(self) -> Ancestors<'d> {
        Ancestors { next: Some(self) }
    }

    /// Tells whether the structure stands in the metadata, at whatever depth.
    pub fn is_metadata(self) -> bool {
        self.id < self.dataset.metadata
    }

    #[inline]
    pub(crate) fn data(self) -> NodeData {
        const EMPTY: NodeData = NodeData {
            start: 0,
            payload: 0,
            end: 0,
            next: 0,
            parent: NONE,
            tag: NONE,
            structure_type: NONE,
            kind: Kind::None,
        };
        self.dataset.nodes.get(self.id).unwrap_or(EMPTY)
    }

    pub(crate) fn raw(self) -> &'d str {
        let data = self.data();
        self.dataset.slice(data.payload, data.end)
    }

    /// The text of its first substructure of that tag.
    fn tagged(self, tag: &str) -> Option<&'d str> {
        let tag = u32::try_from(self.dataset.tags.get_index_of(tag)?).ok()?;
        self.substructures().find(|structure| structure.data().tag == tag).map(Structure::text)
    }
}

/// Structures side by side: of the metadata, the records, or beneath one structure.
#[derive(Clone, Copy)]
pub struct Substructures<'d> {
    dataset: &'d Dataset,
    at: u32,
    end: u32,
}

impl<'d> Substructures<'d> {
    pub(crate) const fn new(dataset: &'d Dataset, at: u32, end: u32) -> Substructures<'d> {
        Substructures { dataset, at, end }
    }
}

impl<'d> Iterator for Substructures<'d> {
    type Item = Structure<'d>;

    fn next(&mut self) -> Option<Structure<'d>> {
        if self.at >= self.end {
            return None;
        }
        let structure = Structure { dataset: self.dataset, id: self.at };
        self.at = structure.data().next.max(self.at + 1);
        Some(structure)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let most = self.end.saturating_sub(self.at) as usize;
        (most.min(1), Some(most))
    }
}

impl FusedIterator for Substructures<'_> {}

impl fmt::Debug for Substructures<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

/// Structures in document order, at any depth.
#[derive(Clone, Copy)]
pub struct Structures<'d> {
    dataset: &'d Dataset,
    at: u32,
    end: u32,
}

impl<'d> Structures<'d> {
    pub(crate) const fn new(dataset: &'d Dataset, at: u32, end: u32) -> Structures<'d> {
        Structures { dataset, at, end }
    }
}

impl<'d> Iterator for Structures<'d> {
    type Item = Structure<'d>;

    fn next(&mut self) -> Option<Structure<'d>> {
        let id = self.at;
        if id >= self.end {
            return None;
        }
        self.at += 1;
        Some(Structure { dataset: self.dataset, id })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end.saturating_sub(self.at) as usize;
        (left, Some(left))
    }
}

impl DoubleEndedIterator for Structures<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let id = self.end.checked_sub(1).filter(|&id| id >= self.at)?;
        self.end = id;
        Some(Structure { dataset: self.dataset, id })
    }
}

impl ExactSizeIterator for Structures<'_> {}

impl FusedIterator for Structures<'_> {}

impl fmt::Debug for Structures<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

/// A structure and all above it.
#[derive(Clone, Copy, Debug)]
pub struct Ancestors<'d> {
    next: Option<Structure<'d>>,
}

impl<'d> Iterator for Ancestors<'d> {
    type Item = Structure<'d>;

    fn next(&mut self) -> Option<Structure<'d>> {
        let structure = self.next?;
        self.next = structure.superstructure();
        Some(structure)
    }
}

impl FusedIterator for Ancestors<'_> {}

impl fmt::Debug for Structure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Structure")
            .field("index", &self.id)
            .field("xref", &self.xref())
            .field("tag", &self.tag())
            .field("structure_type", &self.structure_type())
            .field("payload", &self.payload())
            .finish_non_exhaustive()
    }
}

/// Iterates over the substructures of a structure.
impl<'d> IntoIterator for Structure<'d> {
    type Item = Structure<'d>;
    type IntoIter = Substructures<'d>;

    fn into_iter(self) -> Substructures<'d> {
        self.substructures()
    }
}

/// Two structures are equal if they are the same structure of the same dataset.
impl PartialEq for Structure<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.dataset, other.dataset)
    }
}

impl Eq for Structure<'_> {}
