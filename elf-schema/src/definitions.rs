//! The definitions of a schema.

use crate::ids::TypeId;
use crate::prefix::Prefixes;
use crate::provenance::Provenance;
use crate::term;
use elf_tagged::escape::EscapeTypes;
use hashbrown::DefaultHashBuilder;
use indexmap::{IndexMap, IndexSet};
use petgraph::graph::DiGraph;
use std::ops::Range;
use std::sync::Arc;

/// All definitions of a schema in order, including conflicting ones. Types and tags are numbered in the order in which
/// they were interned; a definition is numbered by its index in `definitions`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    pub(crate) prefixes: Prefixes,
    pub(crate) types: IndexMap<Box<str>, Option<Provenance>, DefaultHashBuilder>,
    /// The declared types, in the order of declaration.
    pub(crate) declared: Vec<TypeId>,
    pub(crate) tags: IndexSet<Box<str>, DefaultHashBuilder>,
    pub(crate) definitions: Vec<TagDefinition>,
    /// For each type, the definitions that have it as the superstructure.
    pub(crate) by_superstructure: Vec<Vec<u32>>,
    pub(crate) supertypes: Vec<SupertypeDefinition>,
    /// Edges lead from subtype to supertype. The weight of an edge is the number of its definition.
    pub(crate) graph: DiGraph<(), u32>,
    pub(crate) escapes: Vec<EscapeDefinition>,
    pub(crate) references: Vec<Reference>,
    /// The layer of definitions that are added from now on.
    pub(crate) layer: u8,
    /// The types added by the dictionary of vendor tags.
    pub(crate) vendor_types: Range<usize>,
}

/// A tag and the types of escapes that its payloads preserve (J19 §4.2.4).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EscapeDefinition {
    /// The tag.
    pub tag: Box<str>,
    /// The types of escapes.
    pub types: EscapeTypes,
    /// Where it is defined.
    pub provenance: Provenance,
}

/// An external schema that a schema refers to (J19 §4.2.1).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reference {
    /// The IRI of the external schema.
    pub iri: Arc<str>,
    /// Where the reference is.
    pub provenance: Provenance,
    /// True if its definitions are part of this schema, because it is built in or supplied by the caller.
    pub at_hand: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct TagDefinition {
    pub(crate) tag: u32,
    pub(crate) superstructure: TypeId,
    pub(crate) structure_type: TypeId,
    /// If definitions of several layers apply to a tag, only those of the lowest layer are used.
    pub(crate) layer: u8,
    pub(crate) provenance: Provenance,
}

#[derive(Clone, Debug)]
pub(crate) struct SupertypeDefinition {
    pub(crate) subtype: TypeId,
    pub(crate) supertype: TypeId,
    pub(crate) provenance: Provenance,
}

impl Definitions {
    /// Creates definitions with only the three types that every schema has.
    pub(crate) fn empty() -> Definitions {
        let mut said = Definitions::default();
        for name in ["Document", "Metadata", "Undefined"] {
            said.intern(&[term::NAMESPACE, name].concat());
        }
        said
    }

    /// Reserves memory for more types and definitions.
    pub(crate) fn reserve(&mut self, types: usize, definitions: usize) {
        self.types.reserve(types);
        self.by_superstructure.reserve(types);
        self.graph.reserve_nodes(types);
        self.graph.reserve_edges(types);
        self.definitions.reserve(definitions);
    }

    pub(crate) fn definition(&self, number: u32) -> &TagDefinition {
        &self.definitions[number as usize]
    }

    /// Returns the numbers of definitions with this superstructure, in order.
    pub(crate) fn definitions_in(&self, superstructure: TypeId) -> &[u32] {
        self.by_superstructure.get(superstructure.index()).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn iri(&self, of: TypeId) -> Option<&str> {
        self.types.get_index(of.index()).map(|(iri, _)| &**iri)
    }

    pub(crate) fn type_ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len()).map(TypeId::of)
    }

    pub(crate) fn intern(&mut self, iri: &str) -> TypeId {
        if let Some(index) = self.types.get_index_of(iri) {
            return TypeId::of(index);
        }
        let (index, _) = self.types.insert_full(iri.into(), None);
        self.by_superstructure.push(Vec::new());
        self.graph.add_node(());
        TypeId::of(index)
    }

    /// Records where a type is declared. Only the first declaration is kept.
    pub(crate) fn declare(&mut self, of: TypeId, provenance: Provenance) {
        if let Some((_, declared @ None)) = self.types.get_index_mut(of.index()) {
            *declared = Some(provenance);
            self.declared.push(of);
        }
    }

    pub(crate) fn add_supertype(&mut self, subtype: TypeId, supertype: TypeId, provenance: Provenance) {
        let number = TypeId::of(self.supertypes.len()).0;
        self.supertypes.push(SupertypeDefinition { subtype, supertype, provenance });
        self.graph.add_edge(subtype.node(), supertype.node(), number);
    }

    pub(crate) fn intern_tag(&mut self, tag: &str) -> u32 {
        let index = match self.tags.get_index_of(tag) {
            Some(index) => index,
            None => self.tags.insert_full(tag.into()).0,
        };
        TypeId::of(index).0
    }

    /// Adds a definition in the current layer. The tag is given by number.
    pub(crate) fn add_definition(
        &mut self,
        tag: u32,
        superstructure: TypeId,
        structure_type: TypeId,
        provenance: Provenance,
    ) {
        let number = TypeId::of(self.definitions.len()).0;
        // `intern` adds an entry for each type.
        self.by_superstructure[superstructure.index()].push(number);
        let layer = self.layer;
        self.definitions.push(TagDefinition { tag, superstructure, structure_type, layer, provenance });
    }
}
