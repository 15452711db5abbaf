//! A schema: types, their supertypes, and the tags that they have in each superstructure (J19 §3, §4.2).

use crate::definitions::{Definitions, EscapeDefinition, Reference, TagDefinition};
use crate::extensions::Extensions;
use crate::ids::TypeId;
use crate::prefix::Prefixes;
use crate::provenance::Provenance;
use crate::tag_index::TagIndex;
use crate::type_datatypes;
use crate::undefined_scope::UndefinedScope;
use elf_values::{Datatype, Gedcom70};
use std::fmt;
use std::sync::OnceLock;

/// An ELF schema, which maps tags to structure types.
///
/// All definitions are kept, including conflicting ones; [`Resolver`](crate::Resolver) and the methods here find those
/// that apply to a structure.
#[derive(Clone, Debug)]
pub struct Schema {
    content: Definitions,
    /// The extension tags of a GEDCOM 7 file, which have the same type everywhere.
    pub(crate) extensions: Extensions,
    derived: OnceLock<Box<Derived>>,
}

/// Tables derived from the definitions, each created on first use.
#[derive(Clone, Debug, Default)]
struct Derived {
    datatypes: OnceLock<Box<[Datatype]>>,
    dates: OnceLock<Box<[Option<Gedcom70>]>>,
    tag_index: OnceLock<TagIndex>,
    walk_starts: OnceLock<Box<[TypeId]>>,
    undefined_scope: OnceLock<UndefinedScope>,
}

/// A tag definition (J19 §3.1.2): structures with this tag in this superstructure, or in one of its subtypes, have
/// this type.
#[derive(Clone, Copy)]
pub struct Definition<'s> {
    schema: &'s Schema,
    definition: &'s TagDefinition,
}

impl<'s> Definition<'s> {
    /// Returns the tag.
    pub fn tag(self) -> &'s str {
        self.schema.tag(self.definition.tag)
    }

    /// Returns the IRI of the superstructure type.
    pub fn superstructure(self) -> &'s str {
        self.schema.known_iri(self.definition.superstructure)
    }

    /// Returns the IRI of the structure type.
    pub fn structure_type(self) -> &'s str {
        self.schema.known_iri(self.definition.structure_type)
    }

    /// Returns where the definition comes from.
    pub const fn provenance(self) -> &'s Provenance {
        &self.definition.provenance
    }

    pub(crate) const fn tag_definition(self) -> &'s TagDefinition {
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
    /// Creates a schema without definitions.
    pub fn empty() -> Schema {
        Schema::of(Definitions::empty())
    }

    pub(crate) fn of(content: Definitions) -> Schema {
        Schema { content, extensions: Extensions::default(), derived: OnceLock::new() }
    }

    pub(crate) const fn content(&self) -> &Definitions {
        &self.content
    }

    /// Returns the definitions for changing. Drops the derived tables.
    pub(crate) fn definitions_mut(&mut self) -> &mut Definitions {
        self.derived = OnceLock::new();
        &mut self.content
    }

    fn derived(&self) -> &Derived {
        self.derived.get_or_init(Box::default)
    }

    /// Returns the prefixes of the schema.
    pub fn prefixes(&self) -> &Prefixes {
        &self.content.prefixes
    }

    /// Returns the tags whose payloads preserve escapes, in order (J19 §4.2.4).
    pub fn escapes(&self) -> &[EscapeDefinition] {
        &self.content.escapes
    }

    /// Returns the external schemas that it refers to, in order (J19 §4.2.1).
    pub fn references(&self) -> &[Reference] {
        &self.content.references
    }

    /// Returns all types in the schema, in order, including `elf:Document`, `elf:Metadata` and `elf:Undefined`.
    pub fn types(&self) -> impl Iterator<Item = (TypeId, &str)> {
        self.content.type_ids().zip(self.content.types.keys().map(|iri| &**iri))
    }

    /// Returns the number of types.
    pub fn len(&self) -> usize {
        self.content.types.len()
    }

    /// Returns whether the schema defines nothing.
    pub fn is_empty(&self) -> bool {
        self.content.definitions.is_empty()
    }

    /// Returns the number of a type, given by its full IRI.
    pub fn type_of(&self, iri: &str) -> Option<TypeId> {
        self.content.types.get_index_of(iri).map(TypeId::of)
    }

    /// Returns the IRI of a type.
    pub fn iri(&self, of: TypeId) -> Option<&str> {
        self.content.iri(of)
    }

    /// Returns the IRI of a type that is in this schema.
    #[allow(clippy::expect_used, reason = "an index into the types of this schema")]
    pub(crate) fn known_iri(&self, of: TypeId) -> &str {
        self.iri(of).expect("a type of this schema")
    }

    /// Returns where a type is first defined as an IRI (J19 §4.2.3); `None` if it is only mentioned.
    pub fn declared(&self, of: TypeId) -> Option<&Provenance> {
        self.content.types.get_index(of.index()).and_then(|(_, declared)| declared.as_ref())
    }

    /// Returns the datatype of the payloads of a type: its own, or that of its nearest supertype that has one.
    /// Returns text if there is none, or if equally near supertypes differ.
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

    pub(crate) fn datatypes(&self) -> &[Datatype] {
        self.derived().datatypes.get_or_init(|| type_datatypes::of_types(&self.content))
    }

    /// Returns the kinds of dates, times and ages of all types, by number.
    pub(crate) fn date_kinds(&self) -> &[Option<Gedcom70>] {
        self.derived().dates.get_or_init(|| self.datatypes().iter().map(|of| of.of_gedcom_7()).collect())
    }

    pub(crate) fn tag_index(&self) -> &TagIndex {
        self.derived().tag_index.get_or_init(|| TagIndex::of(&self.content))
    }

    /// Returns the tag in all definitions of a type; `None` if there are none or several.
    pub(crate) fn only_tag(&self, of: TypeId) -> Option<u32> {
        let mut tags = self.tag_index().of_type(of).map(|number| self.content.definition(number).tag);
        tags.next().filter(|first| tags.all(|other| other == *first))
    }

    /// Returns for each type where a walk up its supertypes can start.
    pub(crate) fn walk_starts(&self) -> &[TypeId] {
        let defines = |of| !self.content.definitions_in(of).is_empty();
        self.derived().walk_starts.get_or_init(|| self.content.walk_starts(defines))
    }

    pub(crate) fn undefined_scope(&self) -> UndefinedScope {
        *self.derived().undefined_scope.get_or_init(|| UndefinedScope::of(&self.content))
    }

    /// Returns all tag definitions, in order.
    pub fn definitions(&self) -> impl Iterator<Item = Definition<'_>> {
        self.content.definitions.iter().map(|definition| self.definition_handle(definition))
    }

    /// Returns the tag definitions whose superstructure is exactly this type, in order.
    pub fn definitions_in(&self, superstructure: TypeId) -> impl Iterator<Item = Definition<'_>> {
        let numbers = self.content.definitions_in(superstructure).iter();
        numbers.map(|&number| self.definition_handle(self.content.definition(number)))
    }

    /// Returns the direct supertypes of a type with the places of their definitions, in order (J19 §3.1.1).
    pub fn supertypes(&self, of: TypeId) -> impl Iterator<Item = (TypeId, &Provenance)> {
        let mut edges: Vec<u32> = Vec::new();
        if of.index() < self.len() {
            edges.extend(self.content.graph.edges(of.node()).map(|edge| *edge.weight()));
        }
        edges.sort_unstable();
        edges.into_iter().map(|number| {
            let definition = &self.content.supertypes[number as usize];
            (definition.supertype, &definition.provenance)
        })
    }

    /// Returns a type and all its supertypes, nearest first. Takes time proportional to the definitions visited.
    ///
    /// ```
    /// let schema = elf_schema::Schema::published();
    /// let of = |name: &str| schema.type_of(&schema.prefixes().expand(name)).expect("a type");
    /// let names: Vec<_> = schema.eventual_supertypes(of("elf:MARRIAGE")).collect();
    /// assert_eq!(names, [of("elf:MARRIAGE"), of("elf:FamilyEvent"), of("elf:Event")]);
    /// ```
    pub fn eventual_supertypes(&self, of: TypeId) -> impl Iterator<Item = TypeId> {
        self.content.eventual_supertypes(of)
    }

    /// Returns a type and all its subtypes.
    pub fn eventual_subtypes(&self, of: TypeId) -> impl Iterator<Item = TypeId> {
        self.content.eventual_subtypes(of)
    }

    /// Returns a value for each type: the one that `known` returns for its IRI, or that of its nearest supertype.
    /// `None` if there is no such value, or if equally near supertypes differ.
    ///
    /// The time is proportional to the definitions, even if there are circles.
    pub fn by_nearest_supertype<T: Copy + PartialEq>(
        &self,
        known: impl Fn(&str) -> Option<T>,
    ) -> Vec<Option<T>> {
        self.content.spread_to_subtypes(self.content.types.keys().map(|iri| known(iri)).collect())
    }

    /// Returns the circles of supertypes: groups of types that are supertypes of each other, and types that are their
    /// own supertype.
    pub fn circles(&self) -> Vec<Vec<TypeId>> {
        self.content.find_circles()
    }

    /// Returns the number of supertype definitions.
    pub fn supertype_count(&self) -> usize {
        self.content.supertypes.len()
    }

    pub(crate) fn definition_handle<'s>(&'s self, definition: &'s TagDefinition) -> Definition<'s> {
        Definition { schema: self, definition }
    }

    pub(crate) fn tag(&self, tag: u32) -> &str {
        &self.content.tags[tag as usize]
    }

    pub(crate) fn tag_count(&self) -> usize {
        self.content.tags.len()
    }

    pub(crate) fn tag_number(&self, tag: &str) -> Option<u32> {
        self.content.tags.get_index_of(tag).map(|number| TypeId::of(number).0)
    }

    pub(crate) fn intern(&mut self, iri: &str) -> TypeId {
        match self.type_of(iri) {
            Some(known) => known,
            None => self.definitions_mut().intern(iri),
        }
    }

    /// Records where a type is declared. Only the first declaration is kept.
    pub(crate) fn declare(&mut self, of: TypeId, provenance: Provenance) {
        self.definitions_mut().declare(of, provenance);
    }

    pub(crate) fn add_supertype(&mut self, subtype: TypeId, supertype: TypeId, provenance: Provenance) {
        self.definitions_mut().add_supertype(subtype, supertype, provenance);
    }

    pub(crate) fn add_definition(
        &mut self,
        tag: &str,
        superstructure: TypeId,
        structure_type: TypeId,
        provenance: Provenance,
    ) {
        let tag = self.intern_tag(tag);
        self.add_numbered_definition(tag, superstructure, structure_type, provenance);
    }

    pub(crate) fn intern_tag(&mut self, tag: &str) -> u32 {
        self.definitions_mut().intern_tag(tag)
    }

    /// Adds a definition. The tag is given by number.
    pub(crate) fn add_numbered_definition(
        &mut self,
        tag: u32,
        superstructure: TypeId,
        structure_type: TypeId,
        provenance: Provenance,
    ) {
        self.definitions_mut().add_definition(tag, superstructure, structure_type, provenance);
    }
}
