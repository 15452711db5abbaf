//! The definitions of a schema.

use crate::prefix::Prefixes;
use crate::schema::{EscapeDefinition, Provenance, Reference, TypeId};
use crate::term;
use hashbrown::DefaultHashBuilder;
use indexmap::{IndexMap, IndexSet};
use petgraph::graph::DiGraph;

/// All that a schema says, conflicts included, in order.
///
/// Its tables are seeded by addresses: who knows those of a process could make a schema whose names are slow
/// to find.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    pub(crate) prefixes: Prefixes,
    pub(crate) types: IndexMap<Box<str>, Option<Provenance>, DefaultHashBuilder>,
    /// The types that are declared, in the order in which they are.
    pub(crate) declared: Vec<TypeId>,
    pub(crate) tags: IndexSet<Box<str>, DefaultHashBuilder>,
    pub(crate) definitions: Vec<TagDefinition>,
    /// For each type, its definitions as a superstructure.
    pub(crate) by_superstructure: Vec<Vec<u32>>,
    pub(crate) supertypes: Vec<SupertypeDefinition>,
    /// From subtype to supertype; an edge bears the number of its definition.
    pub(crate) graph: DiGraph<(), u32>,
    pub(crate) escapes: Vec<EscapeDefinition>,
    pub(crate) references: Vec<Reference>,
    /// The number of definitions, the first ones, that leave none of the others a say where one of them
    /// applies.
    pub(crate) first_layer: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct TagDefinition {
    pub(crate) tag: u32,
    pub(crate) superstructure: TypeId,
    pub(crate) structure_type: TypeId,
    pub(crate) provenance: Provenance,
}

#[derive(Clone, Debug)]
pub(crate) struct SupertypeDefinition {
    pub(crate) subtype: TypeId,
    pub(crate) supertype: TypeId,
    pub(crate) provenance: Provenance,
}

impl Definitions {
    /// No definitions, and the types that every schema names.
    pub(crate) fn empty() -> Definitions {
        let mut said = Definitions::default();
        for name in ["Document", "Metadata", "Undefined"] {
            said.intern(&[term::NAMESPACE, name].concat());
        }
        said
    }

    /// The number of a type, which is new if nothing named it yet.
    pub(crate) fn intern(&mut self, iri: &str) -> TypeId {
        if let Some(index) = self.types.get_index_of(iri) {
            return TypeId::of(index);
        }
        let (index, _) = self.types.insert_full(iri.into(), None);
        self.by_superstructure.push(Vec::new());
        self.graph.add_node(());
        TypeId::of(index)
    }

    /// Notes where a type is declared; the first place stands.
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

    /// The number of a tag, which it gets if it has none.
    pub(crate) fn intern_tag(&mut self, tag: &str) -> u32 {
        let index = match self.tags.get_index_of(tag) {
            Some(index) => index,
            None => self.tags.insert_full(tag.into()).0,
        };
        TypeId::of(index).0
    }

    /// Adds the definition of a tag.
    pub(crate) fn define(&mut self, definition: TagDefinition) {
        let number = TypeId::of(self.definitions.len()).0;
        if let Some(numbers) = self.by_superstructure.get_mut(definition.superstructure.index()) {
            numbers.push(number);
        }
        self.definitions.push(definition);
    }
}
