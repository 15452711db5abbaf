//! The types of a dataset, and their supertypes.

use crate::names::Names;
use elf_schema::{Dictionary, Resolver, Schema, TypeId};
use hashbrown::HashMap;
use std::sync::Arc;

/// The types of a schema that are in use, each with its number in the dataset.
pub(crate) type TypesInUse = HashMap<TypeId, u32>;

#[derive(Clone, Debug)]
pub(crate) struct TypedBy {
    pub(crate) schema: Arc<Schema>,
    pub(crate) dictionary: Option<Arc<Dictionary>>,
}

impl TypedBy {
    pub(crate) const fn of_schema(schema: Arc<Schema>) -> TypedBy {
        TypedBy { schema, dictionary: None }
    }

    /// Returns a resolver that finds types in the same way in which the types of this dataset were found.
    pub(crate) fn new_resolver(&self) -> Resolver {
        match &self.dictionary {
            Some(dictionary) => Resolver::of_dictionary(Arc::clone(dictionary)),
            None => Resolver::new(Arc::clone(&self.schema)),
        }
    }
}

/// The types in use, with their direct and indirect supertypes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Types {
    iris: Names,
    /// Pairs of a type and a direct supertype. [`sort_supertypes`](Types::sort_supertypes) sorts them by supertype.
    edges: Vec<(u32, u32)>,
}

/// Finds the IRI of a type by its number. The number must not be [`NONE`](crate::nodes::NONE).
impl std::ops::Index<u32> for Types {
    type Output = str;

    fn index(&self, number: u32) -> &str {
        &self.iris[number]
    }
}

impl Types {
    /// Returns the number of a type. Adds the type if it is new.
    pub(crate) fn intern(&mut self, iri: &str) -> u32 {
        self.iris.intern(iri)
    }

    pub(crate) fn find(&self, iri: &str) -> Option<u32> {
        self.iris.find(iri)
    }

    /// Returns the IRI of a type. Returns `None` for [`NONE`](crate::nodes::NONE).
    pub(crate) fn iri(&self, of: u32) -> Option<&str> {
        self.iris.get(of)
    }

    pub(crate) fn len(&self) -> usize {
        self.iris.len()
    }

    /// Removes the types with the numbers from `len` on. The types must not have supertypes or subtypes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.iris.truncate(len);
    }

    pub(crate) fn add_supertype(&mut self, of: u32, supertype: u32) {
        self.edges.push((of, supertype));
    }

    /// Adds all supertypes of the types in use, as the schema defines them.
    pub(crate) fn add_supertypes(&mut self, in_use: TypesInUse, schema: &Schema) {
        let mut known = in_use;
        // The types are sorted, so that they get the same numbers if a file is read again.
        let mut waiting: Vec<TypeId> = known.keys().copied().collect();
        waiting.sort_by_key(|of| of.index());
        while let Some(of) = waiting.pop() {
            let number = known[&of];
            for (supertype, _) in schema.supertypes(of) {
                let Some(iri) = schema.iri(supertype) else { continue };
                let above = *known.entry(supertype).or_insert_with(|| {
                    waiting.push(supertype);
                    self.intern(iri)
                });
                self.add_supertype(number, above);
            }
        }
    }

    /// Sorts the supertypes. Call this after the last one was added.
    pub(crate) fn sort_supertypes(&mut self) {
        self.edges.sort_by_key(|&(of, supertype)| (supertype, of));
        self.edges.dedup();
    }

    /// Returns pairs of a type and a direct supertype, as IRIs.
    pub(crate) fn supertype_iris(&self) -> impl Iterator<Item = (&str, &str)> {
        self.edges.iter().map(|&(of, supertype)| (&self.iris[of], &self.iris[supertype]))
    }

    /// Returns pairs of a type and a direct supertype, as numbers.
    pub(crate) fn supertype_numbers(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// Returns for each type whether it is `iri` or one of its direct or indirect subtypes (J19 §3.1.1).
    pub(crate) fn find_subtypes(&self, iri: &str) -> Vec<bool> {
        let mut found = vec![false; self.iris.len()];
        let mut waiting: Vec<u32> = self.iris.find(iri).into_iter().collect();
        while let Some(of) = waiting.pop() {
            // The supertypes may contain a cycle, so each type is visited once.
            if std::mem::replace(&mut found[of as usize], true) {
                continue;
            }
            let from = self.edges.partition_point(|edge| edge.1 < of);
            let subtypes = self.edges[from..].iter().take_while(|edge| edge.1 == of);
            waiting.extend(subtypes.map(|edge| edge.0));
        }
        found
    }
}
