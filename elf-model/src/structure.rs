//! A structure of a dataset, as a small handle.

use crate::dataset::Dataset;
use crate::nodes::{Kind, NONE, NodeData};
use elf_schema::vendors;
use elf_tagged::Piece;
use std::borrow::Cow;
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
    /// No payload.
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
    /// The string, unescaped except for escapes of other types than U; with U+000A for each line break.
    pub text: &'d str,
    /// The language: from its own PLANG, else from the header, else `und` (D19 *Header metadata*; the draft
    /// does not state this order).
    pub language: &'d str,
    /// The payload of the literal's own DTYPE, if it has one (reserved by D19 *Tags* without a description).
    pub datatype: Option<&'d str>,
}

/// The structures that have an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'d> {
    /// No structure has it.
    None,
    /// One structure has it.
    One(Structure<'d>),
    /// Several structures have it; a pointer to it is unresolved.
    Several,
}

impl<'d> Structure<'d> {
    /// Returns the index of the structure in its dataset, from 0 and in document order. Use it to keep a
    /// column of your own data beside the dataset.
    pub const fn index(self) -> usize {
        self.id as usize
    }

    /// Returns the dataset that the structure belongs to.
    pub const fn dataset(self) -> &'d Dataset {
        self.dataset
    }

    /// Returns the tag it was read with, or will be written with.
    pub fn tag(self) -> &'d str {
        &self.dataset.tags[self.node().tag]
    }

    /// Returns the IRI of its type; `None` if it has no type.
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

    /// Returns its string payload; empty if it has no payload or a pointer.
    pub fn text(self) -> &'d str {
        if self.node().kind == Kind::Literal { self.raw_payload() } else { "" }
    }

    /// Returns the identifier its payload names, if it is a pointer.
    pub fn pointer(self) -> Option<&'d str> {
        (self.node().kind == Kind::Pointer).then(|| self.raw_payload())
    }

    /// Returns the structure its payload points to, if it is a pointer to exactly one structure.
    pub fn target(self) -> Option<Structure<'d>> {
        match self.dataset.resolve(self.pointer()?) {
            Target::One(target) => Some(target),
            _ => None,
        }
    }

    /// Returns the language of its payload; see [`Literal::language`].
    pub fn language(self) -> &'d str {
        let header = self.dataset.header.language.as_deref();
        self.first_substructure_text("PLANG")
            .or(header)
            .filter(|language| !language.is_empty())
            .unwrap_or("und")
    }

    /// Returns the pieces of a string payload: text, and the escapes in it.
    pub fn pieces(self) -> impl Iterator<Item = Piece<'d>> {
        let data = self.node();
        let end = if data.kind == Kind::Literal { data.end } else { data.payload };
        self.dataset.pieces_in(data.payload, end)
    }

    /// Returns the ranges of the dataset's text that are escapes of its payload.
    pub(crate) fn escapes(self) -> &'d [(u32, u32)] {
        let data = self.node();
        self.dataset.escapes_in(data.payload, data.end)
    }

    /// Returns the substructures, in order.
    pub fn substructures(self) -> Substructures<'d> {
        Substructures::new(self.dataset, self.id + 1, self.node().next)
    }

    /// Returns its first substructure with a tag.
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

    /// Returns its substructures of the type `iri` and of its eventual subtypes, in order (J19 §3.1.1), as
    /// [`Dataset::of_type`] does for a whole dataset. Each call computes the subtypes again.
    pub fn of_type(self, iri: &str) -> impl Iterator<Item = Structure<'d>> {
        let wanted = self.dataset.types.find_subtypes(iri);
        self.substructures().filter(move |structure| structure.has_type_in(&wanted))
    }

    /// Returns whether `wanted` is true at the number of its type.
    pub(crate) fn has_type_in(self, wanted: &[bool]) -> bool {
        let structure_type = self.node().structure_type;
        structure_type != NONE && wanted[structure_type as usize]
    }

    /// Returns the structure and all its substructures at any depth, in document order.
    pub fn subtree(self) -> Structures<'d> {
        Structures::new(self.dataset, self.id, self.node().next)
    }

    /// Returns the superstructure; `None` for a record and for a structure directly in the metadata.
    pub fn superstructure(self) -> Option<Structure<'d>> {
        let parent = self.node().parent;
        (parent != NONE).then_some(Structure { dataset: self.dataset, id: parent })
    }

    /// Returns the structure, its superstructure, and so on up to its record or to the structure directly in
    /// the metadata.
    pub fn with_ancestors(self) -> impl Iterator<Item = Structure<'d>> {
        std::iter::successors(Some(self), |structure| structure.superstructure())
    }

    /// Returns the name of the fact that the structure is, or is in, if its tag or its type in the standard does not say
    /// it: the `TYPE` under `EVEN`, `FACT` or a vendor tag, the label that the file gives the fact, or what the vendor
    /// tag means. `None` if there is no such fact or no name.
    pub fn fact_kind(self) -> Option<Cow<'d, str>> {
        // EVEN under a citation says which event the citation is about.
        let is_of_record = |one: &Structure<'d>| one.superstructure().is_some_and(Structure::is_record);
        let fact = self.with_ancestors().find(is_of_record)?;
        let of = fact.structure_type().filter(|of| vendors::is_fact(of));
        let label = of.and_then(vendors::label_of_type);
        let is_fact = matches!(fact.tag(), "EVEN" | "FACT" | "_ATTR") || label.is_some();
        let name = fact.first_substructure_text("TYPE").map(str::trim).filter(|kind| !kind.is_empty());
        name.map(Cow::Borrowed).or(label).filter(|_| is_fact)
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

    /// Returns the undecoded payload: a string, or the identifier of a pointer.
    pub(crate) fn raw_payload(self) -> &'d str {
        let data = self.node();
        self.dataset.text_slice(data.payload, data.end)
    }

    fn first_substructure_text(self, tag: &str) -> Option<&'d str> {
        self.substructure(tag).map(Structure::text)
    }
}

/// Structures of one level: directly in the metadata, records, or substructures of one structure.
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
