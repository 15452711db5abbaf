//! The types of a dataset, and what is above them.

use crate::dataset::Names;
use elf_schema::{Dictionary, Resolver, Schema, TypeId};
use hashbrown::HashMap;
use std::sync::Arc;

/// The types of a schema that are in use, by their numbers in the dataset.
pub(crate) type TypesInUse = HashMap<TypeId, u32>;

/// The schema or dictionary that gave the structures of a dataset their types.
#[derive(Clone, Debug)]
pub(crate) struct TypedBy {
    pub(crate) schema: Arc<Schema>,
    pub(crate) dictionary: Option<Arc<Dictionary>>,
}

impl TypedBy {
    pub(crate) const fn schema(schema: Arc<Schema>) -> TypedBy {
        TypedBy { schema, dictionary: None }
    }

    /// The schema or dictionary that a resolver goes by.
    pub(crate) fn of_resolver(resolver: &Resolver) -> TypedBy {
        TypedBy { schema: Arc::clone(resolver.schema()), dictionary: resolver.dictionary().cloned() }
    }

    /// Makes a resolver that types further structures in the same way.
    pub(crate) fn resolver(&self) -> Resolver {
        match &self.dictionary {
            Some(dictionary) => Resolver::of_dictionary(Arc::clone(dictionary)),
            None => Resolver::new(Arc::clone(&self.schema)),
        }
    }
}

/// Types by their IRIs, with their supertypes: those in use, and all that are their eventual supertypes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Types {
    iris: Names,
    /// Types and their direct supertypes; sorted by the latter when the dataset is done.
    edges: Vec<(u32, u32)>,
}

impl Types {
    pub(crate) fn intern(&mut self, iri: &str) -> u32 {
        let index = match self.iris.get_index_of(iri) {
            Some(index) => index,
            None => self.iris.insert_full(iri.into()).0,
        };
        // There are fewer types than octets in 4 GiB of text.
        u32::try_from(index).unwrap_or(u32::MAX)
    }

    pub(crate) fn find(&self, iri: &str) -> Option<u32> {
        self.iris.get_index_of(iri).and_then(|index| u32::try_from(index).ok())
    }

    pub(crate) fn iri(&self, of: u32) -> Option<&str> {
        self.iris.get_index(of as usize).map(|iri| &**iri)
    }

    pub(crate) fn len(&self) -> usize {
        self.iris.len()
    }

    /// Gives up the types from `len` on, which are above and beneath no others.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.iris.truncate(len);
    }

    pub(crate) fn add_supertype(&mut self, of: u32, supertype: u32) {
        self.edges.push((of, supertype));
    }

    /// Adds all that the schema has above the types in use.
    pub(crate) fn add_supertypes(&mut self, in_use: TypesInUse, schema: &Schema) {
        let mut known = in_use;
        // In their order, so that two readings of a file give types the same numbers.
        let mut waiting: Vec<TypeId> = known.keys().copied().collect();
        waiting.sort_by_key(|of| of.index());
        while let Some(of) = waiting.pop() {
            let Some(&number) = known.get(&of) else { continue };
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

    /// To be called when all supertypes are added.
    pub(crate) fn settle(&mut self) {
        self.edges.sort_by_key(|&(of, supertype)| (supertype, of));
        self.edges.dedup();
    }

    /// Types and their direct supertypes.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (&str, &str)> {
        self.edges.iter().filter_map(|&(of, supertype)| Some((self.iri(of)?, self.iri(supertype)?)))
    }

    /// The numbers of types and of their direct supertypes.
    pub(crate) fn pairs(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// Tells of each type whether it is an eventual subtype of the type `iri`, itself included (J19 §3.1.1).
    /// The walk visits each type once: supertypes may go in circles.
    pub(crate) fn subtypes(&self, iri: &str) -> Vec<bool> {
        let mut found = vec![false; self.iris.len()];
        let mut waiting: Vec<u32> = self.find(iri).into_iter().collect();
        while let Some(of) = waiting.pop() {
            match found.get_mut(of as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let from = self.edges.partition_point(|edge| edge.1 < of);
            let beneath = self.edges.get(from..).unwrap_or_default().iter().take_while(|edge| edge.1 == of);
            waiting.extend(beneath.map(|edge| edge.0));
        }
        found
    }
}
