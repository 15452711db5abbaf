//! Compares datasets for equality. Structures are put into classes, from the innermost structures outwards.
//!
//! The class of a structure depends on its type, identifier and payload, and on the classes of its substructures. The
//! order of substructures matters within a type, but not between types (D19 glossary; J19 §2.4). The subtree of a
//! structure directly follows the structure, so all classes are found in one pass from the last node to the first,
//! without recursion. Classes are distinguished by their content, not by hashes alone.

use crate::dataset::Dataset;
use crate::nodes::{Kind, NONE, to_u32};
use crate::structure::Structure;
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use std::hash::BuildHasher;

/// Compares datasets for equality as the drafts define it. Identifiers must be spelled alike. Records may be in any
/// order, and so may substructures of different types, but not substructures of one type. Structures are compared by
/// type, or by tag if they have no type. Of the header's serialisation metadata, only the payload language is compared.
///
/// To compare datasets whose identifiers may be spelled differently, use [`means_the_same`](Dataset::means_the_same).
impl PartialEq for Dataset {
    fn eq(&self, other: &Dataset) -> bool {
        if self.len() != other.len()
            || self.metadata != other.metadata
            || self.header.language != other.header.language
        {
            return false;
        }
        let kinds = number_kinds([self, other]);
        let [of_one, of_two] =
            Classes::new([self, other], [&kinds[0], &kinds[1]]).classify(|structure| ClassKey {
                xref: structure.xref(),
                payload: match structure.node().kind {
                    Kind::None => PayloadKey::None,
                    Kind::Literal => PayloadKey::Literal(structure.raw_payload()),
                    Kind::Pointer => PayloadKey::Named(structure.raw_payload()),
                },
            });
        TopClasses::of(self, &kinds[0], &of_one) == TopClasses::of(other, &kinds[1], &of_two)
    }
}

impl Eq for Dataset {}

/// The classes of the records and of the top structures of the metadata. Two datasets are equal if these are equal.
#[derive(PartialEq, Eq)]
struct TopClasses {
    /// The classes of the metadata, sorted by kind. Classes of the same kind are in document order.
    metadata: Vec<u32>,
    /// The classes of the records, sorted.
    records: Vec<u32>,
}

impl TopClasses {
    fn of(dataset: &Dataset, kinds: &[u32], classes: &[u32]) -> TopClasses {
        let class = |structure: Structure<'_>| classes[structure.index()];
        let mut metadata: Vec<Structure<'_>> = dataset.metadata().collect();
        metadata.sort_by_key(|structure| kinds[structure.index()]);
        let mut records: Vec<u32> = dataset.records().map(class).collect();
        records.sort();
        TopClasses { metadata: metadata.into_iter().map(class).collect(), records }
    }
}

/// Returns a number for each structure of two datasets, which is the kind of the structure. In both datasets,
/// structures with the same type have the same kind. Without types, structures with the same tag have the same kind.
pub(crate) fn number_kinds(datasets: [&Dataset; 2]) -> [Vec<u32>; 2] {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    datasets.map(|dataset| {
        // The kinds that have been found, by the number of the type and by the number of the tag.
        let mut of_types = vec![NONE; dataset.types.len()];
        let mut of_tags = vec![NONE; dataset.tags.len()];
        let kind = |structure: Structure<'_>| {
            let data = structure.node();
            let known = match data.structure_type {
                NONE => &mut of_tags[data.tag as usize],
                of => &mut of_types[of as usize],
            };
            if *known == NONE {
                let next = to_u32(numbers.len());
                let name = dataset.types.iri(data.structure_type).unwrap_or(&dataset.tags[data.tag]);
                *known = *numbers.entry(name).or_insert(next);
            }
            *known
        };
        dataset.structures().map(kind).collect()
    })
}

/// The data that determines the class of a structure, in addition to its kind and its substructures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ClassKey<'d> {
    xref: Option<&'d str>,
    payload: PayloadKey<'d>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PayloadKey<'d> {
    None,
    Literal(&'d str),
    /// The payload is a pointer, which is compared by its identifier.
    Named(&'d str),
    /// The payload is a pointer, which is compared by the number of its target.
    Target(u32),
}

/// Assigns classes to the structures of two datasets. Classes are numbered from 0.
struct Classes<'c, 'd> {
    datasets: [&'d Dataset; 2],
    kinds: [&'c [u32]; 2],
    hasher: DefaultHashBuilder,
    /// The numbers of all classes, found by the hashes of the classes.
    table: HashTable<u32>,
    classes: Vec<Class>,
    /// The classes of the substructures of each class, in one list for all classes.
    lists: Vec<u32>,
}

/// A class, represented by its first structure.
struct Class {
    hash: u64,
    side: u32,
    id: u32,
    /// The start of the substructures of this class in `lists`. The substructures end where those of the next class
    /// start.
    list: u32,
}

impl<'c, 'd> Classes<'c, 'd> {
    fn new(datasets: [&'d Dataset; 2], kinds: [&'c [u32]; 2]) -> Classes<'c, 'd> {
        Classes {
            datasets,
            kinds,
            hasher: DefaultHashBuilder::default(),
            table: HashTable::new(),
            classes: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// Returns the class of each structure. `key` returns the data that determines the class.
    fn classify(mut self, key: impl Fn(Structure<'d>) -> ClassKey<'d>) -> [Vec<u32>; 2] {
        let mut classes = self.datasets.map(|dataset| vec![NONE; dataset.len()]);
        let mut list: Vec<u32> = Vec::new();
        for (side, dataset) in self.datasets.into_iter().enumerate() {
            let (kinds, of) = (self.kinds[side], &mut classes[side]);
            for id in (0..dataset.node_count()).rev() {
                let structure = Structure { dataset, id };
                list.clear();
                list.extend(structure.substructures().map(|below| below.id));
                list.sort_by_key(|&below| kinds[below as usize]);
                list.iter_mut().for_each(|below| *below = of[*below as usize]);
                of[id as usize] = self.class_of(side, structure, &key, &list);
            }
        }
        classes
    }

    /// Returns the class of a structure. The classes of its substructures must be known.
    fn class_of(
        &mut self,
        side: usize,
        structure: Structure<'d>,
        key: &impl Fn(Structure<'d>) -> ClassKey<'d>,
        list: &[u32],
    ) -> u32 {
        let kind = self.kinds[side][structure.index()];
        let own_key = key(structure);
        let hash = self.hasher.hash_one((kind, own_key, list));
        let (classes, lists) = (&self.classes, &self.lists);
        let is_same = |&other: &u32| {
            let class = &classes[other as usize];
            let end = classes.get(other as usize + 1).map_or(lists.len(), |next| next.list as usize);
            let side = class.side as usize;
            let first = Structure { dataset: self.datasets[side], id: class.id };
            class.hash == hash
                && self.kinds[side][first.index()] == kind
                && lists[class.list as usize..end] == *list
                && key(first) == own_key
        };
        let rehash = |&other: &u32| classes[other as usize].hash;
        match self.table.entry(hash, is_same, rehash) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let number = to_u32(self.classes.len());
                entry.insert(number);
                // A structure is in at most one list, so `lists` has at most as many entries as there are structures.
                let class =
                    Class { hash, side: to_u32(side), id: structure.id, list: to_u32(self.lists.len()) };
                self.classes.push(class);
                self.lists.extend(list);
                number
            }
        }
    }
}
