//! A dataset, which consists of one list of small nodes, one string, and tables of tags and types.

use crate::header::Header;
use crate::names::Names;
use crate::nodes::{Nodes, to_u32};
use crate::structure::{Structure, Structures, Substructures, Target};
use crate::types::{TypedBy, Types};
use elf_schema::{Rules, Schema};
use elf_tagged::elf_lines::VOID;
use elf_tagged::{Piece, Version};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The metadata and the records of a file. A dataset is owned and independent of the file's bytes.
///
/// A dataset is created by [`read`](crate::read()) or by a [`DatasetBuilder`](crate::DatasetBuilder). `==` compares
/// datasets as the drafts define equality, except that identifiers must be spelled alike.
/// [`means_the_same`](Dataset::means_the_same) ignores the spelling of identifiers.
#[derive(Clone, Default)]
pub struct Dataset {
    /// The nodes of the metadata, then the nodes of the records, in document order.
    pub(crate) nodes: Nodes,
    /// The number of nodes that are metadata.
    pub(crate) metadata: u32,
    /// The text of all identifiers and payloads.
    pub(crate) text: String,
    pub(crate) tags: Names,
    pub(crate) types: Types,
    /// The ranges of `text` that are escapes, in ascending order.
    pub(crate) escapes: Vec<(u32, u32)>,
    pub(crate) header: Header,
    /// Whether PLANG is an ordinary tag, as in the drafts before December 2019. In other drafts, and if the draft is
    /// unknown, PLANG names a language.
    pub(crate) plain_plang: bool,
    /// The schema or dictionary that determined the types of the structures. `None` if it is not known, for example
    /// after the dataset was read from JSON.
    pub(crate) typed_by: Option<TypedBy>,
    /// The structures with identifiers, sorted by identifier. The list is made when it is first needed.
    pub(crate) bearers: OnceLock<Vec<u32>>,
}

impl Dataset {
    /// Creates an empty dataset.
    pub fn new() -> Dataset {
        Dataset::default()
    }

    /// Returns the structures directly in the metadata, in order.
    pub fn metadata(&self) -> Substructures<'_> {
        Substructures::new(self, 0, self.metadata)
    }

    /// Returns the records, in order.
    pub fn records(&self) -> Substructures<'_> {
        Substructures::new(self, self.metadata, self.node_count())
    }

    /// Returns all structures, at any depth, in document order: first the metadata, then the records.
    pub fn structures(&self) -> Structures<'_> {
        Structures::new(self, 0, self.node_count())
    }

    /// Returns the structures that have a type or one of its direct or indirect subtypes, in document order (J19
    /// §3.1.1). The type is given by its IRI.
    ///
    /// ```
    /// use elf_model::{ReadOptions, Rules, vocabulary::elf};
    /// let octets = b"0 HEAD\n0 INDI\n1 BIRT\n1 DEAT\n0 TRLR\n";
    /// let dataset = elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// assert_eq!(dataset.of_type(elf::EVENT).count(), 2);
    /// # Ok::<(), elf_model::ReadError>(())
    /// ```
    pub fn of_type(&self, iri: &str) -> impl Iterator<Item = Structure<'_>> {
        let wanted = self.types.find_subtypes(iri);
        self.structures().filter(move |structure| structure.has_type_in(&wanted))
    }

    /// Returns the number of structures.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the dataset has no structures.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the structure with an [`index`](Structure::index).
    pub fn structure(&self, index: usize) -> Option<Structure<'_>> {
        let id = u32::try_from(index).ok().filter(|_| index < self.nodes.len())?;
        Some(Structure { dataset: self, id })
    }

    /// Finds the structure with an identifier, which is given without at signs. In a file of GEDCOM 7, no structure is
    /// found for `VOID`. The first call sorts all identifiers.
    pub fn resolve(&self, xref: &str) -> Target<'_> {
        let mut bearers = self.structures_with_xref(xref);
        match (bearers.next(), bearers.next()) {
            (None, _) => Target::None,
            (Some(one), None) => Target::One(one),
            (Some(_), Some(_)) => Target::Several,
        }
    }

    pub(crate) fn structures_with_xref<'d>(&'d self, xref: &str) -> impl Iterator<Item = Structure<'d>> {
        let bearers = self.structures_by_xref();
        let bearer = |id: u32| Structure { dataset: self, id };
        let first = bearers.partition_point(|&id| bearer(id).xref() < Some(xref));
        let rest = bearers[first..].iter();
        rest.map(move |&id| bearer(id)).take_while(move |bearer| bearer.xref() == Some(xref))
    }

    /// Returns the serialisation metadata of the header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Sets the header.
    #[must_use]
    pub fn with_header(mut self, header: Header) -> Dataset {
        self.header = header;
        self
    }

    /// Returns the schema that determined the types of the structures: that of the file or of the builder. The schema
    /// is empty if the types come from a dictionary of 2017. Returns `None` if the dataset was read with serde, which
    /// keeps the types but not the schema.
    ///
    /// The schema is not part of the data, so it is not compared.
    ///
    /// ```
    /// use elf_model::{ReadOptions, Rules, vocabulary::elf};
    ///
    /// let octets = b"0 HEAD\n0 INDI\n1 BIRT\n0 TRLR\n";
    /// let dataset = elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let schema = dataset.schema().expect("it was just read");
    /// assert_eq!(schema.tags_of(elf::DEATH, elf::INDIVIDUAL_RECORD), ["DEAT"]);
    /// # Ok::<(), elf_model::ReadError>(())
    /// ```
    pub fn schema(&self) -> Option<&Arc<Schema>> {
        self.typed_by.as_ref().map(|typed_by| &typed_by.schema)
    }

    /// Sets the schema that determines the types of structures which are added later. Existing structures keep their
    /// types.
    #[must_use]
    pub fn with_schema(mut self, schema: Arc<Schema>) -> Dataset {
        self.typed_by = Some(TypedBy::of_schema(schema));
        self
    }

    /// Returns the rules by which you should write the dataset if it was read by `rules`. The rules differ from `rules`
    /// for [`Rules::WILD`], which reads GEDCOM 7 files by [`Rules::GEDCOM_7`].
    ///
    /// ```
    /// use elf_model::{ReadOptions, Rules};
    ///
    /// let octets = b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 FAMC @VOID@\n0 TRLR\n";
    /// let dataset = elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// assert_eq!(dataset.rules_from(&Rules::WILD), Rules::GEDCOM_7);
    /// # Ok::<(), elf_model::ReadError>(())
    /// ```
    pub fn rules_from(&self, rules: &Rules) -> Rules {
        if self.is_gedcom_7() { rules.of_gedcom_7() } else { *rules }
    }

    /// Returns the text and the escapes in a range of the text.
    pub(crate) fn pieces_in(&self, from: u32, to: u32) -> impl Iterator<Item = Piece<'_>> {
        let mut at = from;
        let mut escapes = self.escapes_in(from, to).iter();
        let mut next = escapes.next();
        std::iter::from_fn(move || {
            if at >= to {
                return None;
            }
            match next {
                Some(&(start, end)) if start == at => {
                    at = end;
                    next = escapes.next();
                    Some(Piece::Escape(self.text_slice(start, end)))
                }
                other => {
                    let start = std::mem::replace(&mut at, other.map_or(to, |&(start, _)| start));
                    Some(Piece::Text(self.text_slice(start, at)))
                }
            }
        })
    }

    pub(crate) fn escapes_in(&self, from: u32, to: u32) -> &[(u32, u32)] {
        let first = self.escapes.partition_point(|escape| escape.0 < from);
        let rest = &self.escapes[first..];
        &rest[..rest.partition_point(|escape| escape.1 <= to)]
    }

    /// Returns whether `xref` is the identifier in `@VOID@`, which refers to no record (GEDCOM 7.0 *Lines*). The
    /// version in the header decides this, because a dataset that was built has no rules.
    pub(crate) fn is_void(&self, xref: &str) -> bool {
        xref == VOID && self.is_gedcom_7()
    }

    pub(crate) fn is_gedcom_7(&self) -> bool {
        self.header.gedcom_version.as_deref().is_some_and(Version::says_gedcom_7)
    }

    /// Returns the structures with identifiers, sorted by identifier, then in document order.
    pub(crate) fn structures_by_xref(&self) -> &[u32] {
        self.bearers.get_or_init(|| {
            let bears = |structure: &Structure<'_>| structure.xref().is_some_and(|xref| !self.is_void(xref));
            let mut bearers: Vec<u32> = self.structures().filter(bears).map(|bearer| bearer.id).collect();
            bearers.sort_by_key(|&id| (Structure { dataset: self, id }.xref(), id));
            bearers
        })
    }

    /// Returns a range of the text. The offsets must be those of a node, a payload or an escape.
    pub(crate) fn text_slice(&self, start: u32, end: u32) -> &str {
        &self.text[start as usize..end as usize]
    }

    pub(crate) fn node_count(&self) -> u32 {
        to_u32(self.nodes.len())
    }
}

impl fmt::Debug for Dataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dataset")
            .field("header", &self.header)
            .field("structures", &self.structures().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
