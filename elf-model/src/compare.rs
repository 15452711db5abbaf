//! Equality of datasets: structures are put into classes, from the innermost outwards.
//!
//! The class of a structure is made of its type, identifier, payload and the classes of its substructures: in
//! order within each type, with the types in any order (D19 glossary; J19 §2.4). A subtree follows its
//! structure, so one pass from the last node to the first finds all classes without recursion. Classes are
//! distinguished by their content, not by hashes alone.

use crate::dataset::Dataset;
use crate::nodes::{Kind, NONE, to_u32};
use crate::structure::Structure;
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::collections::HashMap;
use std::hash::BuildHasher;

/// Equality as the drafts define it, with identifiers compared as they are spelled: records may be in any
/// order, and so may substructures of different types, but not substructures of one type. Structures are
/// compared by type, or by tag if they have no type. The serialisation metadata of the header is not compared,
/// except the payload language.
///
/// See [`means_the_same`](Dataset::means_the_same) for datasets whose identifiers may be spelled differently.
impl PartialEq for Dataset {
    fn eq(&self, other: &Dataset) -> bool {
        if self.len() != other.len()
            || self.metadata != other.metadata
            || self.header.language != other.header.language
        {
            return false;
        }
        let mut classes = Classes::default();
        let [one, two] = [self, other].map(|dataset| TopClasses::of(dataset, &mut classes));
        one == two
    }
}

impl Eq for Dataset {}

/// The classes of the structures that are substructures of no other. Two datasets are equal if these are.
#[derive(PartialEq, Eq)]
struct TopClasses {
    /// Sorted by kind; those of one kind in document order.
    metadata: Vec<u32>,
    /// Sorted by class.
    records: Vec<u32>,
}

impl TopClasses {
    fn of<'d>(dataset: &'d Dataset, classes: &mut Classes<'d>) -> TopClasses {
        let kinds = classes.kinds(dataset);
        let of = classes.classify(dataset, &kinds, |structure| ClassKey {
            xref: structure.xref(),
            payload: match structure.data().kind {
                Kind::None => PayloadKey::None,
                Kind::Literal => PayloadKey::Literal(structure.raw()),
                Kind::Pointer => PayloadKey::Named(structure.raw()),
            },
        });
        let mut metadata: Vec<Structure<'_>> = dataset.metadata().collect();
        metadata.sort_by_key(|structure| kinds[structure.index()]);
        let class = |structure: Structure<'_>| of[structure.index()];
        let mut records: Vec<u32> = dataset.records().map(class).collect();
        records.sort();
        TopClasses { metadata: metadata.into_iter().map(class).collect(), records }
    }
}

/// What makes the class of a structure, besides its kind and its substructures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClassKey<'d> {
    pub(crate) xref: Option<&'d str>,
    pub(crate) payload: PayloadKey<'d>,
}

/// The part of a payload that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PayloadKey<'d> {
    None,
    Literal(&'d str),
    /// A pointer, compared by the identifier that it names.
    Named(&'d str),
    /// A pointer, compared by a number of its target.
    Target(u32),
}

/// The classes of structures of several datasets, numbered from 0.
#[derive(Default)]
pub(crate) struct Classes<'d> {
    kinds: HashMap<&'d str, u32>,
    hasher: DefaultHashBuilder,
    /// The numbers of all classes, by their hashes.
    table: HashTable<u32>,
    classes: Vec<Class<'d>>,
    /// The classes of substructures, class by class.
    lists: Vec<u32>,
}

struct Class<'d> {
    hash: u64,
    kind: u32,
    key: ClassKey<'d>,
    /// The index of the start of the class's list of substructures; the list ends where that of the next
    /// class starts.
    list: usize,
}

impl<'d> Classes<'d> {
    /// Returns the kind of each structure of a dataset: a number of its type, or of its tag if it has no type,
    /// the same in all datasets.
    pub(crate) fn kinds(&mut self, dataset: &'d Dataset) -> Vec<u32> {
        // The kinds that are known, by type and by tag.
        let mut of_types = vec![NONE; dataset.types.len()];
        let mut of_tags = vec![NONE; dataset.tags.len()];
        let kind = |structure: Structure<'d>| {
            let data = structure.data();
            let known = match data.structure_type {
                NONE => &mut of_tags[data.tag as usize],
                of => &mut of_types[of as usize],
            };
            if *known == NONE {
                let next = to_u32(self.kinds.len());
                let name = structure.structure_type().unwrap_or(structure.tag());
                *known = *self.kinds.entry(name).or_insert(next);
            }
            *known
        };
        dataset.structures().map(kind).collect()
    }

    /// Returns the class of each structure of a dataset, given their kinds and a function that makes the rest
    /// of their keys.
    pub(crate) fn classify(
        &mut self,
        dataset: &'d Dataset,
        kinds: &[u32],
        key: impl Fn(Structure<'d>) -> ClassKey<'d>,
    ) -> Vec<u32> {
        let mut of = vec![NONE; dataset.len()];
        let mut list: Vec<(u32, u32)> = Vec::new();
        for id in (0..dataset.count()).rev() {
            let structure = Structure { dataset, id };
            list.clear();
            list.extend(structure.substructures().map(|below| (kinds[below.index()], of[below.index()])));
            list.sort_by_key(|&(kind, _)| kind);
            let index = structure.index();
            of[index] = self.class(kinds[index], key(structure), &list);
        }
        of
    }

    /// Returns the class with this kind and key and this list of substructures, by kind and class.
    fn class(&mut self, kind: u32, key: ClassKey<'d>, list: &[(u32, u32)]) -> u32 {
        let hash = self.hasher.hash_one((kind, key, list));
        let (classes, lists) = (&self.classes, &self.lists);
        let same = |&other: &u32| {
            let class = &classes[other as usize];
            let end = classes.get(other as usize + 1).map_or(lists.len(), |next| next.list);
            let of = &lists[class.list..end];
            class.hash == hash
                && class.kind == kind
                && class.key == key
                && of.len() == list.len()
                && of.iter().zip(list).all(|(one, (_, two))| one == two)
        };
        let rehash = |&other: &u32| classes[other as usize].hash;
        match self.table.entry(hash, same, rehash) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let number = to_u32(self.classes.len());
                entry.insert(number);
                self.classes.push(Class { hash, kind, key, list: self.lists.len() });
                self.lists.extend(list.iter().map(|&(_, class)| class));
                number
            }
        }
    }
}
