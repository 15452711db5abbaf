//! A schema: types, their supertypes, the tags they have in which superstructures (J19 §3, §4.2).

use crate::builtin_tables::BuiltInTable;
use crate::definitions::{Definitions, TagDefinition};
use crate::extensions::Extensions;
use crate::prefix::Prefixes;
use crate::rows::TagRows;
use crate::suggest::TagIndex;
use crate::undefined::UndefinedScope;
use crate::values;
use elf_base::{Place, without_credentials};
use elf_tagged::escape::EscapeTypes;
use elf_values::{Datatype, Gedcom7};
use petgraph::graph::NodeIndex;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The number of a structure type within a schema, and within what was typed by it.
///
/// Types that a schema names come first, in the order in which it names them; undefined tag identifiers met
/// in a document follow them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub(crate) u32);

impl TypeId {
    /// `elf:Document`: the superstructure of records.
    pub const DOCUMENT: TypeId = TypeId(0);
    /// `elf:Metadata`: the superstructure of what stands in the header.
    pub const METADATA: TypeId = TypeId(1);
    /// `elf:Undefined`: structures tagged UNDEF that nothing defines.
    pub const UNDEFINED: TypeId = TypeId(2);
    /// No type.
    pub(crate) const NONE: TypeId = TypeId(u32::MAX);

    /// The number, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The type of that number. There are fewer types than octets of the texts they stand in.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a schema is read from texts of less than 2^32 octets"
    )]
    pub(crate) const fn of(index: usize) -> TypeId {
        TypeId(index as u32)
    }

    pub(crate) fn node(self) -> NodeIndex<u32> {
        NodeIndex::new(self.index())
    }
}

/// The provenance of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Provenance {
    /// The schema it stands in.
    pub origin: Origin,
    /// The place there: in the file read, the built-in file, or the external one.
    pub place: Option<Place>,
}

/// A schema that definitions come from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// The built-in schema that the January 2019 draft publishes.
    Published,
    /// The built-in schema with its gaps filled.
    Completed,
    /// The built-in schema of GEDCOM 7.
    Gedcom7,
    /// The header of the file itself.
    File,
    /// The external schema of that IRI.
    External(Arc<str>),
    /// Made to write a type that had no tag.
    Made,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Published => f.write_str("the built-in schema `published`"),
            Origin::Completed => f.write_str("the built-in schema `completed`"),
            Origin::Gedcom7 => f.write_str("the built-in schema `gedcom-7`"),
            Origin::File => f.write_str("the header"),
            Origin::External(iri) => write!(f, "the external schema `{}`", without_credentials(iri)),
            Origin::Made => f.write_str("made for writing"),
        }
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.origin.fmt(f)?;
        match self.place {
            Some(place) => write!(f, ", line {}", place.line),
            None => Ok(()),
        }
    }
}

/// An ELF schema: what maps tags to structure types.
///
/// Definitions are kept as they were made, conflicting ones too; what applies to a structure is worked out by
/// [`Resolver`](crate::Resolver), and by the queries here.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The table of a schema that is built in, and has not been changed.
    table: Option<&'static BuiltInTable>,
    /// The definitions, unless it is built in.
    said: Definitions,
    /// The extension tags of a GEDCOM 7 file, which have their types wherever they stand.
    pub(crate) extensions: Extensions,
    /// The datatypes of all types, worked out when the first is asked for.
    datatypes: OnceLock<Box<[Datatype]>>,
    /// The kinds of dates, times and ages that are datatypes of types.
    dates: OnceLock<Box<[Option<Gedcom7>]>>,
    /// The definitions by what they name, put in order when the first is asked for.
    tag_index: OnceLock<TagIndex>,
    /// The tags beneath each type, which all resolvers share.
    rows: OnceLock<TagRows>,
    /// The way in which tags without a type are reported.
    undefined_scope: OnceLock<UndefinedScope>,
}

/// A tag and the types of escapes that its payloads preserve (J19 §4.2.4).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EscapeDefinition {
    /// The tag.
    pub tag: Box<str>,
    /// The types of escapes.
    pub types: EscapeTypes,
    /// The provenance of its definition.
    pub provenance: Provenance,
}

/// An external schema that a schema refers to (J19 §4.2.1).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reference {
    /// The IRI of the schema that is referred to.
    pub iri: Arc<str>,
    /// The provenance of the reference.
    pub provenance: Provenance,
    /// True if its definitions are part of this schema: built in, or supplied by the caller.
    pub at_hand: bool,
}

/// A tag definition of a schema (J19 §3.1.2): a structure of that tag in that superstructure, or in an
/// eventual subtype of it, has that type.
#[derive(Clone, Copy)]
pub struct Definition<'s> {
    schema: &'s Schema,
    definition: &'s TagDefinition,
}

impl<'s> Definition<'s> {
    /// The tag.
    pub fn tag(self) -> &'s str {
        self.schema.tag(self.definition.tag)
    }

    /// The IRI of the superstructure type.
    pub fn superstructure(self) -> &'s str {
        self.schema.iri(self.definition.superstructure).unwrap_or_default()
    }

    /// The IRI of the structure type.
    pub fn structure_type(self) -> &'s str {
        self.schema.iri(self.definition.structure_type).unwrap_or_default()
    }

    /// Returns the provenance of the definition.
    pub const fn provenance(self) -> &'s Provenance {
        &self.definition.provenance
    }

    pub(crate) const fn data(self) -> &'s TagDefinition {
        self.definition
    }
}

impl fmt::Debug for Definition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}) = {}", self.tag(), self.superstructure(), self.structure_type())
    }
}

impl PartialEq for Definition<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.definition, other.definition)
    }
}

impl Eq for Definition<'_> {}

impl Schema {
    /// A schema that defines nothing: every tag is undefined.
    pub fn empty() -> Schema {
        Schema::of(None, Definitions::empty())
    }

    /// A schema that is built in.
    pub(crate) fn built_in_as(origin: &Origin) -> Schema {
        Schema::of(BuiltInTable::of(origin), Definitions::default())
    }

    fn of(table: Option<&'static BuiltInTable>, said: Definitions) -> Schema {
        Schema {
            table,
            said,
            extensions: Extensions::default(),
            datatypes: OnceLock::new(),
            dates: OnceLock::new(),
            tag_index: OnceLock::new(),
            rows: OnceLock::new(),
            undefined_scope: OnceLock::new(),
        }
    }

    /// The table of a schema that is built in. Whatever that can answer is asked of it, and the file is not
    /// read.
    #[inline]
    pub(crate) const fn table(&self) -> Option<&'static BuiltInTable> {
        self.table
    }

    /// All that it says. The file of a schema that is built in is read for it.
    pub(crate) fn said(&self) -> &Definitions {
        self.table.map_or(&self.said, BuiltInTable::definitions)
    }

    /// The definitions, to be changed.
    pub(crate) fn said_mut(&mut self) -> &mut Definitions {
        self.datatypes = OnceLock::new();
        self.dates = OnceLock::new();
        self.tag_index = OnceLock::new();
        self.rows = OnceLock::new();
        self.undefined_scope = OnceLock::new();
        if let Some(table) = self.table.take() {
            self.said.clone_from(table.definitions());
        }
        &mut self.said
    }

    /// Returns the prefixes of the schema.
    pub fn prefixes(&self) -> &Prefixes {
        &self.said().prefixes
    }

    /// The tags whose payloads preserve escapes, in order (J19 §4.2.4).
    pub fn escapes(&self) -> &[EscapeDefinition] {
        &self.said().escapes
    }

    /// The external schemas it refers to, in order (J19 §4.2.1).
    pub fn references(&self) -> &[Reference] {
        &self.said().references
    }

    /// All types it names, in order; `elf:Document`, `elf:Metadata` and `elf:Undefined` are always among
    /// them.
    pub fn types(&self) -> impl Iterator<Item = (TypeId, &str)> {
        (0..self.len()).map(TypeId::of).filter_map(|of| Some((of, self.iri(of)?)))
    }

    /// Returns the number of types it names.
    pub fn len(&self) -> usize {
        self.table.map_or_else(|| self.said.types.len(), BuiltInTable::len)
    }

    /// Returns whether the schema defines nothing.
    pub fn is_empty(&self) -> bool {
        self.said().definitions.is_empty()
    }

    /// The number of a type it names, given by its whole IRI.
    pub fn type_of(&self, iri: &str) -> Option<TypeId> {
        match self.table {
            Some(table) => table.type_of(iri),
            None => self.said.types.get_index_of(iri).map(TypeId::of),
        }
    }

    /// The IRI of a type.
    pub fn iri(&self, of: TypeId) -> Option<&str> {
        match self.table {
            Some(table) => table.iri(of),
            None => self.said.types.get_index(of.index()).map(|(iri, _)| &**iri),
        }
    }

    /// Returns the provenance of a type's first IRI definition structure (J19 §4.2.3); `None` where it is
    /// only spoken of.
    pub fn declared(&self, of: TypeId) -> Option<&Provenance> {
        self.said().types.get_index(of.index()).and_then(|(_, declared)| declared.as_ref())
    }

    /// The datatype of the payloads of structures of a type: that of the type, else that of its nearest
    /// supertype that has one; text, where there is none, or several that differ are equally near.
    ///
    /// ```
    /// use elf_schema::{Schema, vocabulary::elf};
    /// use elf_schema::elf_values::Datatype;
    ///
    /// let schema = Schema::completed();
    /// let of = |iri| schema.type_of(iri).map(|of| schema.datatype(of));
    /// assert_eq!(of(elf::DATE_VALUE), Some(Datatype::DateValue));
    /// assert_eq!(of(elf::BIRTH), Some(Datatype::Text));
    /// ```
    pub fn datatype(&self, of: TypeId) -> Datatype {
        self.datatypes().get(of.index()).copied().unwrap_or(Datatype::Text)
    }

    /// The datatypes of all types, by their numbers.
    pub(crate) fn datatypes(&self) -> &[Datatype] {
        self.datatypes.get_or_init(|| match self.table {
            Some(table) => table.datatypes(),
            None => values::datatypes(self),
        })
    }

    /// The kinds of dates, times and ages that payloads are, by the numbers of types.
    pub(crate) fn dates(&self) -> &[Option<Gedcom7>] {
        self.dates.get_or_init(|| self.datatypes().iter().map(|of| of.of_gedcom_7()).collect())
    }

    /// The definitions by the tags and the types that they name.
    pub(crate) fn tag_index(&self) -> &TagIndex {
        self.tag_index.get_or_init(|| TagIndex::of(self))
    }

    /// The tags that have a type beneath each type.
    #[inline]
    pub(crate) fn rows(&self) -> &TagRows {
        self.rows.get_or_init(|| TagRows::of(self))
    }

    /// The way in which tags without a type are reported of documents that go by this schema.
    pub(crate) fn undefined_scope(&self) -> UndefinedScope {
        *self.undefined_scope.get_or_init(|| UndefinedScope::of(self))
    }

    /// All tag definitions, in order.
    pub fn definitions(&self) -> impl Iterator<Item = Definition<'_>> {
        self.said().definitions.iter().map(|definition| self.handle(definition))
    }

    /// The tag definitions that name that type itself as the superstructure, in order.
    pub fn definitions_in(&self, superstructure: TypeId) -> impl Iterator<Item = Definition<'_>> {
        let said = self.said();
        let numbers = said.by_superstructure.get(superstructure.index());
        numbers
            .into_iter()
            .flatten()
            .filter_map(|&number| said.definitions.get(number as usize))
            .map(|definition| self.handle(definition))
    }

    /// The supertypes of a type, in the order of their definitions, each with where it is defined (J19
    /// §3.1.1).
    pub fn supertypes(&self, of: TypeId) -> impl Iterator<Item = (TypeId, &Provenance)> {
        let said = self.said();
        let mut edges: Vec<u32> = Vec::new();
        if of.index() < said.graph.node_count() {
            edges.extend(said.graph.edges(of.node()).map(|edge| *edge.weight()));
        }
        edges.sort();
        edges
            .into_iter()
            .filter_map(|number| said.supertypes.get(number as usize))
            .map(|definition| (definition.supertype, &definition.provenance))
    }

    /// Returns the number of supertype definitions.
    pub fn supertype_count(&self) -> usize {
        self.said().supertypes.len()
    }

    pub(crate) fn handle<'s>(&'s self, definition: &'s TagDefinition) -> Definition<'s> {
        Definition { schema: self, definition }
    }

    pub(crate) fn tag(&self, tag: u32) -> &str {
        self.said().tags.get_index(tag as usize).map(|tag| &**tag).unwrap_or_default()
    }

    /// Returns the number of tags that it defines.
    pub(crate) fn tag_count(&self) -> usize {
        self.table.map_or_else(|| self.said.tags.len(), BuiltInTable::tag_count)
    }

    /// The number of a tag that it defines.
    pub(crate) fn tag_number(&self, tag: &str) -> Option<u32> {
        match self.table {
            Some(table) => table.tag_number(tag),
            None => self.said.tags.get_index_of(tag).map(|number| TypeId::of(number).0),
        }
    }

    /// The number of a type, which is new if nothing named it yet.
    pub(crate) fn intern(&mut self, iri: &str) -> TypeId {
        match self.type_of(iri) {
            Some(known) => known,
            None => self.said_mut().intern(iri),
        }
    }

    /// Notes where a type is declared; the first place stands.
    pub(crate) fn declare(&mut self, of: TypeId, provenance: Provenance) {
        self.said_mut().declare(of, provenance);
    }

    pub(crate) fn add_supertype(&mut self, subtype: TypeId, supertype: TypeId, provenance: Provenance) {
        self.said_mut().add_supertype(subtype, supertype, provenance);
    }

    pub(crate) fn add_definition(
        &mut self,
        tag: &str,
        superstructure: TypeId,
        structure_type: TypeId,
        provenance: Provenance,
    ) {
        let tag = self.intern_tag(tag);
        self.define(tag, superstructure, structure_type, provenance);
    }

    /// The number of a tag, which it gets if it has none.
    pub(crate) fn intern_tag(&mut self, tag: &str) -> u32 {
        self.said_mut().intern_tag(tag)
    }

    /// Adds the definition of a tag that has a number.
    pub(crate) fn define(
        &mut self,
        tag: u32,
        superstructure: TypeId,
        structure_type: TypeId,
        provenance: Provenance,
    ) {
        self.said_mut().define(TagDefinition { tag, superstructure, structure_type, provenance });
    }
}
