//! A dataset: one list of small nodes, one string, tables of tags and types.

use crate::json::schema_lines;
use crate::nodes::{NONE, Nodes};
use crate::structure::{Structure, Structures, Substructures};
use crate::types::{TypedBy, Types};
use elf_schema::Schema;
use elf_tagged::elf_lines::VOID;
use elf_tagged::{Piece, Version};
use hashbrown::DefaultHashBuilder;
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Metadata and records, owned.
///
/// It is made by [`read`](crate::read()) or by a [`DatasetBuilder`](crate::DatasetBuilder). `==` compares it
/// as the drafts do but for the spelling of identifiers; [`means_the_same`](Dataset::means_the_same) looks
/// past that too.
#[derive(Clone, Default)]
pub struct Dataset {
    /// The metadata, then the records, in document order.
    pub(crate) nodes: Nodes,
    /// The number of nodes that are metadata.
    pub(crate) metadata: u32,
    /// Identifiers and payloads.
    pub(crate) text: String,
    pub(crate) tags: Names,
    pub(crate) types: Types,
    /// The ranges of `text` that are escapes, in order.
    pub(crate) escapes: Vec<(u32, u32)>,
    pub(crate) header: Header,
    /// True if PLANG is a tag like any other, as in the drafts before December 2019. Where nothing is known,
    /// PLANG names a language.
    pub(crate) plain_plang: bool,
    /// The schema or dictionary that typed it; none where that is not known, as after a dataset was kept as
    /// JSON.
    pub(crate) typed_by: Option<TypedBy>,
    /// The structures that bear identifiers, by these; made when first asked for.
    pub(crate) bearers: OnceLock<Vec<u32>>,
}

/// Strings with a number each.
pub(crate) type Names = IndexSet<Box<str>, DefaultHashBuilder>;

/// The metadata of the serialisation, from the header. They are no data, and are not compared; but a language
/// is a property of all literals that name no other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Header {
    /// The legacy GEDCOM version, as written (D19 *Legacy GEDCOM version*).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gedcom_version: Option<Box<str>>,
    /// The language of payloads that name no other, as written (D19 *Header metadata*).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Box<str>>,
    /// SCHMA, or PRFX and DEFN in 2017, with all beneath them, in order.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "schema_lines")]
    pub schema: Option<Vec<SchemaLine>>,
}

/// A structure of the header's schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SchemaLine {
    /// The level of the structure, from 1.
    pub level: u32,
    /// The tag of the structure.
    pub tag: Box<str>,
    /// The payload of the structure; empty where it has none.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub payload: Box<str>,
}

/// The structures that an identifier stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'d> {
    /// No structure bears it.
    None,
    /// One structure bears it.
    One(Structure<'d>),
    /// Several structures bear it; a pointer to it leads nowhere.
    Several,
}

impl Dataset {
    /// A dataset of nothing.
    pub fn new() -> Dataset {
        Dataset::default()
    }

    /// The metadata: structures that stand directly in it, in order.
    pub fn metadata(&self) -> Substructures<'_> {
        Substructures::new(self, 0, self.metadata)
    }

    /// The records, in order.
    pub fn records(&self) -> Substructures<'_> {
        Substructures::new(self, self.metadata, self.count())
    }

    /// All structures, at any depth, in document order: the metadata, then the records.
    pub fn structures(&self) -> Structures<'_> {
        Structures::new(self, 0, self.count())
    }

    /// The structures of that type, given by its IRI, or of an eventual subtype of it, in document order
    /// (J19 §3.1.1).
    ///
    /// ```
    /// use elf_model::{ReadOptions, Rules, vocabulary::elf};
    /// let octets = b"0 HEAD\n0 INDI\n1 BIRT\n1 DEAT\n0 TRLR\n";
    /// let dataset = elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// assert_eq!(dataset.of_type(elf::EVENT).count(), 2);
    /// # Ok::<(), elf_model::ReadError>(())
    /// ```
    pub fn of_type(&self, iri: &str) -> impl Iterator<Item = Structure<'_>> {
        let wanted = self.types.subtypes(iri);
        self.structures().filter(move |structure| structure.is_of(&wanted))
    }

    /// Returns the number of structures.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Tells whether there are no structures.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The structure of that [`index`](Structure::index).
    pub fn structure(&self, index: usize) -> Option<Structure<'_>> {
        let id = u32::try_from(index).ok().filter(|_| index < self.nodes.len())?;
        Some(Structure { dataset: self, id })
    }

    /// Finds the structure with an identifier, given without at signs; never one with `VOID` where the header
    /// says GEDCOM 7. The first call sorts all identifiers.
    pub fn resolve(&self, xref: &str) -> Target<'_> {
        let mut bearers = self.bearers_of(xref);
        match (bearers.next(), bearers.next()) {
            (None, _) => Target::None,
            (Some(one), None) => Target::One(one),
            (Some(_), Some(_)) => Target::Several,
        }
    }

    /// The structures that bear an identifier, in document order.
    pub(crate) fn bearers_of<'d>(&'d self, xref: &str) -> impl Iterator<Item = Structure<'d>> {
        let bearers = self.bearers();
        let bearer = |id: u32| Structure { dataset: self, id };
        let first = bearers.partition_point(|&id| bearer(id).xref().unwrap_or_default() < xref);
        let rest = bearers.get(first..).unwrap_or_default().iter();
        rest.map(move |&id| bearer(id)).take_while(move |bearer| bearer.xref() == Some(xref))
    }

    /// Returns the metadata of the serialisation, from the header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Sets the header.
    #[must_use]
    pub fn with_header(mut self, header: Header) -> Dataset {
        self.header = header;
        self
    }

    /// Returns the schema by which its structures were typed: that of the file, or of the builder; an empty
    /// one where a dictionary of 2017 is in force. `None` where it is not at hand: a dataset that was kept by
    /// serde has the types, but no longer the schema.
    ///
    /// It is no data, and does not count where datasets are compared.
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

    /// Sets the schema by which structures that are added from now on are typed. Those that are there keep
    /// their types.
    #[must_use]
    pub fn with_schema(mut self, schema: Arc<Schema>) -> Dataset {
        self.typed_by = Some(TypedBy::schema(schema));
        self
    }

    /// The pieces of a string that stands in that range of the text.
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
                    Some(Piece::Escape(self.slice(start, end)))
                }
                other => {
                    let start = std::mem::replace(&mut at, other.map_or(to, |&(start, _)| start));
                    Some(Piece::Text(self.slice(start, at)))
                }
            }
        })
    }

    /// The escapes in that range of the text.
    pub(crate) fn escapes_in(&self, from: u32, to: u32) -> &[(u32, u32)] {
        let first = self.escapes.partition_point(|escape| escape.0 < from);
        let rest = self.escapes.get(first..).unwrap_or_default();
        let count = rest.partition_point(|escape| escape.1 <= to);
        rest.get(..count).unwrap_or_default()
    }

    /// Tells whether a pointer to that identifier leads to nothing on purpose, whatever is called so (GEDCOM
    /// 7.0 *Lines*). A dataset goes by the version in its header, since it may have been read by no rules.
    pub(crate) fn is_void(&self, xref: &str) -> bool {
        xref == VOID && self.header.gedcom_version.as_deref().is_some_and(Version::says_gedcom_7)
    }

    /// The structures that bear identifiers, by these, and in document order where they bear the same.
    pub(crate) fn bearers(&self) -> &[u32] {
        self.bearers.get_or_init(|| {
            let bears = |structure: &Structure<'_>| structure.xref().is_some_and(|xref| !self.is_void(xref));
            let mut bearers: Vec<u32> = self.structures().filter(bears).map(|bearer| bearer.id).collect();
            bearers.sort_by_key(|&id| (Structure { dataset: self, id }.xref(), id));
            bearers
        })
    }

    pub(crate) fn slice(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The number of nodes, which is kept below 2^32.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(NONE)
    }
}

impl Header {
    /// A header that says nothing.
    pub const fn new() -> Header {
        Header { gedcom_version: None, language: None, schema: None }
    }

    /// Sets the GEDCOM version.
    #[must_use]
    pub fn with_gedcom_version(mut self, version: Option<&str>) -> Header {
        self.gedcom_version = version.map(Box::from);
        self
    }

    /// Sets the language.
    #[must_use]
    pub fn with_language(mut self, language: Option<&str>) -> Header {
        self.language = language.map(Box::from);
        self
    }

    /// Sets the schema.
    #[must_use]
    pub fn with_schema(mut self, schema: Option<Vec<SchemaLine>>) -> Header {
        self.schema = schema;
        self
    }
}

impl SchemaLine {
    /// A structure of that level, from 1, tag and payload.
    pub fn new(level: u32, tag: impl Into<Box<str>>, payload: impl Into<Box<str>>) -> SchemaLine {
        SchemaLine { level, tag: tag.into(), payload: payload.into() }
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
