//! A structure of a dataset, represented by a small handle.

use crate::dataset::Dataset;
use crate::nodes::{Kind, NONE, NodeData};
use elf_tagged::Piece;
use std::fmt;
use std::iter::FusedIterator;

/// A structure of a [`Dataset`]. The structure is a handle that is cheap to copy.
#[derive(Clone, Copy)]
pub struct Structure<'d> {
    pub(crate) dataset: &'d Dataset,
    pub(crate) id: u32,
}

/// The payload of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Payload<'d> {
    /// The structure has no payload.
    None,
    /// The payload is a string, which has a language and a datatype.
    Literal(Literal<'d>),
    /// The payload is a pointer. The payload contains the identifier, without at signs.
    Pointer(&'d str),
}

/// A string payload, with its language and its datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Literal<'d> {
    /// The string, with U+000A for each line break. The string is unescaped, except for escapes of types other than U.
    pub text: &'d str,
    /// The language of the string. This is the language in the string's own PLANG, or else that of the header, or else
    /// `und` (D19 *Header metadata*; the draft does not state this order).
    pub language: &'d str,
    /// The payload of the string's own DTYPE, if it has one (D19 *Tags* reserves DTYPE without a description).
    pub datatype: Option<&'d str>,
}

/// The result of searching for the structures that have an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'d> {
    /// No structure has the identifier.
    None,
    /// One structure has the identifier.
    One(Structure<'d>),
    /// Several structures have the identifier. A pointer to it is unresolved.
    Several,
}

impl<'d> Structure<'d> {
    /// Returns the index of the structure in its dataset, from 0 and in document order. Use the index if you store your
    /// own data about structures in a list beside the dataset.
    pub const fn index(self) -> usize {
        self.id as usize
    }

    /// Returns the dataset that the structure belongs to.
    pub const fn dataset(self) -> &'d Dataset {
        self.dataset
    }

    /// Returns the tag with which the structure was read, or with which it will be written.
    pub fn tag(self) -> &'d str {
        &self.dataset.tags[self.node().tag]
    }

    /// Returns the IRI of the structure's type. Returns `None` if it has no type.
    pub fn structure_type(self) -> Option<&'d str> {
        self.dataset.types.iri(self.node().structure_type)
    }

    /// Returns the identifier of the structure, without at signs.
    pub fn xref(self) -> Option<&'d str> {
        let data = self.node();
        (data.start < data.payload).then(|| self.dataset.text_slice(data.start, data.payload))
    }

    /// Returns the payload of the structure.
    pub fn payload(self) -> Payload<'d> {
        match self.node().kind {
            Kind::None => Payload::None,
            Kind::Pointer => Payload::Pointer(self.raw_payload()),
            Kind::Literal => Payload::Literal(Literal {
                text: self.raw_payload(),
                language: self.language(),
                datatype: self.first_substructure_text("DTYPE"),
            }),
        }
    }

    /// Returns the string payload of the structure. Returns an empty string if it has no payload or its payload is a
    /// pointer.
    pub fn text(self) -> &'d str {
        if self.node().kind == Kind::Literal { self.raw_payload() } else { "" }
    }

    /// Returns the identifier in the payload, if the payload is a pointer.
    pub fn pointer(self) -> Option<&'d str> {
        (self.node().kind == Kind::Pointer).then(|| self.raw_payload())
    }

    /// Returns the structure to which the payload points, if the payload is a pointer to exactly one structure.
    pub fn target(self) -> Option<Structure<'d>> {
        match self.dataset.resolve(self.pointer()?) {
            Target::One(target) => Some(target),
            _ => None,
        }
    }

    /// Returns the language of the payload. See [`Literal::language`].
    pub fn language(self) -> &'d str {
        let header = self.dataset.header.language.as_deref();
        self.first_substructure_text("PLANG")
            .or(header)
            .filter(|language| !language.is_empty())
            .unwrap_or("und")
    }

    /// Returns the pieces of a string payload, which are text and escapes.
    pub fn pieces(self) -> impl Iterator<Item = Piece<'d>> {
        let data = self.node();
        let end = if data.kind == Kind::Literal { data.end } else { data.payload };
        self.dataset.pieces_in(data.payload, end)
    }

    /// Returns the escapes of the payload, as ranges of the dataset's text.
    pub(crate) fn escapes(self) -> &'d [(u32, u32)] {
        let data = self.node();
        self.dataset.escapes_in(data.payload, data.end)
    }

    /// Returns the substructures, in order.
    pub fn substructures(self) -> Substructures<'d> {
        Substructures::new(self.dataset, self.id + 1, self.node().next)
    }

    /// Returns the first substructure with this tag.
    ///
    /// ```
    /// use elf_model::{ReadOptions, Rules};
    ///
    /// let octets = b"0 HEAD\n0 @I1@ INDI\n1 BIRT\n2 DATE 10 DEC 1815\n0 TRLR\n";
    /// let dataset = elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let person = dataset.records().next().expect("a record");
    /// let date = person.substructure("BIRT").and_then(|birth| birth.substructure("DATE"));
    /// assert_eq!(date.map(|date| date.text()), Some("10 DEC 1815"));
    /// # Ok::<(), elf_model::ReadError>(())
    /// ```
    pub fn substructure(self, tag: &str) -> Option<Structure<'d>> {
        let tag = self.dataset.tags.find(tag)?;
        self.substructures().find(|structure| structure.node().tag == tag)
    }

    /// Returns the substructures that have the type `iri` or one of its direct or indirect subtypes, in order (J19
    /// §3.1.1). [`Dataset::of_type`] does the same for a whole dataset. Each call computes the subtypes again.
    pub fn of_type(self, iri: &str) -> impl Iterator<Item = Structure<'d>> {
        let wanted = self.dataset.types.find_subtypes(iri);
        self.substructures().filter(move |structure| structure.has_type_in(&wanted))
    }

    /// Returns whether the entry of `wanted` for the structure's type is true.
    pub(crate) fn has_type_in(self, wanted: &[bool]) -> bool {
        let structure_type = self.node().structure_type;
        structure_type != NONE && wanted[structure_type as usize]
    }

    /// Returns the structure and all its substructures at any depth, in document order.
    pub fn subtree(self) -> Structures<'d> {
        Structures::new(self.dataset, self.id, self.node().next)
    }

    /// Returns the superstructure. Returns `None` for a record and for a structure directly in the metadata.
    pub fn superstructure(self) -> Option<Structure<'d>> {
        let parent = self.node().parent;
        (parent != NONE).then_some(Structure { dataset: self.dataset, id: parent })
    }

    /// Returns the structure and all its superstructures, up to the record or to the structure directly in the
    /// metadata.
    pub fn with_ancestors(self) -> impl Iterator<Item = Structure<'d>> {
        std::iter::successors(Some(self), |structure| structure.superstructure())
    }

    /// Returns the name of the fact that the structure is, or that contains it. The name is the `TYPE` under `EVEN`,
    /// `FACT` or `_ATTR`, because these tags do not tell which fact is meant. Returns `None` if there is no such fact,
    /// or if it has no name.
    pub fn fact_kind(self) -> Option<&'d str> {
        let mut facts = self.with_ancestors().filter(|one| matches!(one.tag(), "EVEN" | "FACT" | "_ATTR"));
        // An EVEN under a citation is not a fact: it names the event that the citation is about.
        let fact = facts.find(|one| one.superstructure().is_some_and(Structure::is_record))?;
        fact.first_substructure_text("TYPE").map(str::trim).filter(|kind| !kind.is_empty())
    }

    pub(crate) fn is_record(self) -> bool {
        !self.is_metadata() && self.superstructure().is_none()
    }

    /// Returns whether the structure is in the metadata, at any depth.
    pub fn is_metadata(self) -> bool {
        self.id < self.dataset.metadata
    }

    #[inline]
    pub(crate) fn node(self) -> NodeData {
        self.dataset.nodes.get(self.id)
    }

    /// Returns the undecoded payload, which is a string or the identifier of a pointer.
    pub(crate) fn raw_payload(self) -> &'d str {
        let data = self.node();
        self.dataset.text_slice(data.payload, data.end)
    }

    fn first_substructure_text(self, tag: &str) -> Option<&'d str> {
        self.substructure(tag).map(Structure::text)
    }
}

/// An iterator over the structures of one level: those directly in the metadata, the records, or the substructures of
/// one structure.
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
        self.at = structure.node().next;
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

/// An iterator over structures at any depth, in document order.
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
