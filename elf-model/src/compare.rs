//! Equality of two datasets: structures in classes, from the innermost outwards.
//!
//! A structure's class is made of its type, identifier, payload and the classes of its substructures, these
//! in order within each type and with the types in any order (D19 glossary; J19 §2.4). Substructures stand
//! behind their superstructure, so one pass from the last node to the first finds the classes of all, without
//! recursion; classes are told apart by what they are made of, not by hashes alone.

use crate::dataset::Dataset;
use crate::nodes::{Kind, NONE};
use crate::structure::{Structure, Substructures};
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::collections::HashMap;
use std::hash::BuildHasher;

/// Equality as the drafts define it, identifiers compared as they are spelled: the records may stand in any
/// order, and so may substructures of different types, but not substructures of one type. Types count, not
/// tags, except where there is no type. The metadata of the serialisation in the header do not count, but for
/// the payload language.
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
        let [one, two] = [self, other].map(|dataset| {
            let kinds = classes.kinds(dataset);
            let of = classes.classify(dataset, &kinds, |structure| ClassKey {
                xref: structure.xref(),
                payload: match structure.data().kind {
                    Kind::None => PayloadKey::None,
                    Kind::Literal => PayloadKey::Literal(structure.raw()),
                    Kind::Pointer => PayloadKey::Named(structure.raw()),
                },
            });
            outline(dataset, &kinds, &of)
        });
        one == two
    }
}

impl Eq for Dataset {}

/// The classes of the metadata, in order within each type, and of the records, in no order.
pub(crate) fn outline(dataset: &Dataset, kinds: &[u32], of: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let class = |structure: Structure<'_>| of.get(structure.index()).copied().unwrap_or(NONE);
    let metadata = ordered(dataset.metadata(), kinds).into_iter().map(class).collect();
    let mut records: Vec<u32> = dataset.records().map(class).collect();
    records.sort();
    (metadata, records)
}

/// Structures side by side by their kinds, and in order within each.
pub(crate) fn ordered<'d>(structures: Substructures<'d>, kinds: &[u32]) -> Vec<Structure<'d>> {
    let mut ordered: Vec<Structure<'d>> = structures.collect();
    ordered.sort_by_key(|structure| kinds.get(structure.index()).copied());
    ordered
}

/// The parts of a structure that make its class, besides its kind and its substructures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClassKey<'d> {
    pub(crate) xref: Option<&'d str>,
    pub(crate) payload: PayloadKey<'d>,
}

/// The payload as far as it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PayloadKey<'d> {
    None,
    Literal(&'d str),
    /// A pointer, by the identifier it names.
    Named(&'d str),
    /// A pointer, by the class of its target.
    Target(u32),
}

/// The classes of structures of several datasets, numbered from 0 as they are met.
#[derive(Default)]
pub(crate) struct Classes<'d> {
    kinds: HashMap<&'d str, u32>,
    hasher: DefaultHashBuilder,
    table: HashTable<u32>,
    classes: Vec<Class<'d>>,
    /// The classes of substructures, class by class.
    lists: Vec<u32>,
}

struct Class<'d> {
    hash: u64,
    kind: u32,
    made: ClassKey<'d>,
    /// The index of the start of the class's list of substructures; the list ends where that of the next
    /// class starts.
    list: usize,
}

impl<'d> Classes<'d> {
    /// Numbers the types of all structures of a dataset: a number for each structure, the same for a type in
    /// all datasets.
    pub(crate) fn kinds(&mut self, dataset: &'d Dataset) -> Vec<u32> {
        let mut by_type = vec![NONE; dataset.types.len()];
        let mut by_tag = vec![NONE; dataset.tags.len()];
        let number_of = |kinds: &mut HashMap<&'d str, u32>, name: &'d str| {
            let next = u32::try_from(kinds.len()).unwrap_or(NONE);
            *kinds.entry(name).or_insert(next)
        };
        dataset
            .structures()
            .map(|structure| {
                let data = structure.data();
                let cached = match by_type.get_mut(data.structure_type as usize) {
                    Some(cached) => Some(cached),
                    None => by_tag.get_mut(data.tag as usize),
                };
                let name = structure.structure_type().unwrap_or(structure.tag());
                match cached {
                    Some(cached) if *cached != NONE => *cached,
                    Some(cached) => {
                        *cached = number_of(&mut self.kinds, name);
                        *cached
                    }
                    None => number_of(&mut self.kinds, name),
                }
            })
            .collect()
    }

    /// The classes of the structures of a dataset.
    pub(crate) fn classify(
        &mut self,
        dataset: &'d Dataset,
        kinds: &[u32],
        mut made: impl FnMut(Structure<'d>) -> ClassKey<'d>,
    ) -> Vec<u32> {
        let mut of = vec![NONE; dataset.len()];
        let mut list: Vec<(u32, u32)> = Vec::new();
        for id in (0..dataset.count()).rev() {
            let structure = Structure { dataset, id };
            list.clear();
            list.extend(structure.substructures().filter_map(|substructure| {
                let index = substructure.index();
                Some((*kinds.get(index)?, *of.get(index)?))
            }));
            list.sort_by_key(|&(kind, _)| kind);
            let kind = kinds.get(structure.index()).copied().unwrap_or(NONE);
            let class = self.class(kind, made(structure), &list);
            if let Some(entry) = of.get_mut(structure.index()) {
                *entry = class;
            }
        }
        of
    }

    /// The class of what is made of all this.
    fn class(&mut self, kind: u32, made: ClassKey<'d>, list: &[(u32, u32)]) -> u32 {
        let hash = self.hasher.hash_one((kind, made, list));
        let (classes, lists) = (&self.classes, &self.lists);
        let same = |&other: &u32| {
            let Some(class) = classes.get(other as usize) else { return false };
            let end = classes.get(other as usize + 1).map_or(lists.len(), |next| next.list);
            let of = lists.get(class.list..end).unwrap_or_default();
            class.hash == hash
                && class.kind == kind
                && class.made == made
                && of.len() == list.len()
                && of.iter().zip(list).all(|(one, (_, two))| one == two)
        };
        let rehash = |&other: &u32| classes.get(other as usize).map_or(0, |class| class.hash);
        match self.table.entry(hash, same, rehash) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let number = u32::try_from(self.classes.len()).unwrap_or(NONE);
                entry.insert(number);
                self.classes.push(Class { hash, kind, made, list: self.lists.len() });
                self.lists.extend(list.iter().map(|&(_, class)| class));
                number
            }
        }
    }
}
