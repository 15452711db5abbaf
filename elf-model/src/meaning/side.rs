//! One of two datasets that are compared: its units, and the pointers between them.
//!
//! A *unit* is a record with all beneath it, or the whole metadata. Where a unit is looked at in *canonical
//! order*, substructures of different types come in the order of these types' numbers, and those of one type
//! as they stand.

use crate::compare::{ClassKey, Classes, PayloadKey};
use crate::dataset::{Dataset, Kind, NONE};
use crate::structure::Structure;
use hashbrown::{DefaultHashBuilder, HashMap};
use std::cmp::Reverse;
use std::hash::BuildHasher;
use std::ops::Range;

/// A dataset under comparison.
pub(super) struct ComparedDataset<'d> {
    pub(super) dataset: &'d Dataset,
    /// The number of the type of each structure, the same for a type in both datasets.
    pub(super) kinds: Vec<u32>,
    /// The class of each structure in which a pointer is just a pointer, the same in both.
    pub(super) shapes: Vec<u32>,
    /// The first structures of the units; the metadata come first, as [`METADATA`], and have none.
    pub(super) roots: Vec<u32>,
    /// The unit that each structure stands in.
    pub(super) unit_of: Vec<u32>,
    /// The place of each structure in its unit, in canonical order.
    pub(super) places: Vec<u32>,
    /// The target of the pointer of each structure, if it leads to one.
    pub(super) targets: Vec<u32>,
    /// The pointers of all units, in canonical order within each.
    links: Vec<Link>,
    link_starts: Vec<u32>,
    /// The pointers to all units, in the order of these.
    referrers: Vec<Link>,
    referrer_starts: Vec<u32>,
    /// The shape of the metadata when pointers are just pointers.
    metadata_shape: u64,
}

/// The unit of the metadata.
pub(super) const METADATA: u32 = 0;

/// A pointer from one unit to another, or to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Link {
    /// The unit at the other end.
    pub(super) unit: u32,
    /// The number of the pointer in its unit, in canonical order.
    pub(super) number: u32,
    /// The place of its target in that one's unit.
    pub(super) place: u32,
}

/// The classes of both datasets, pointers being just pointers; `targets` says of each structure where its
/// pointer leads.
pub(super) fn sides<'d>([one, two]: [&'d Dataset; 2], targets: [Vec<u32>; 2]) -> [ComparedDataset<'d>; 2] {
    let mut classes = Classes::default();
    let hasher = DefaultHashBuilder::default();
    let kinds = classes.common_kinds([one, two]);
    let ([ones, twos], [to_ones, to_twos]) = (kinds, targets);
    [(one, ones, to_ones), (two, twos, to_twos)].map(|(dataset, kinds, targets)| {
        ComparedDataset::new((dataset, kinds, targets), &mut classes, &hasher)
    })
}

impl<'d> ComparedDataset<'d> {
    fn new(
        (dataset, kinds, targets): (&'d Dataset, Vec<u32>, Vec<u32>),
        classes: &mut Classes<'d>,
        hasher: &DefaultHashBuilder,
    ) -> ComparedDataset<'d> {
        let shapes = classes.classify(dataset, &kinds, |structure| ClassKey {
            xref: None,
            payload: match structure.data().kind {
                Kind::None => PayloadKey::None,
                Kind::Literal => PayloadKey::Literal(structure.raw()),
                Kind::Pointer if targets.get(structure.index()).is_some_and(|&to| to != NONE) => {
                    PayloadKey::Target(NONE)
                }
                Kind::Pointer => PayloadKey::Named(structure.raw()),
            },
        });
        let roots: Vec<u32> = [NONE].into_iter().chain(dataset.records().map(|record| record.id)).collect();
        let mut side = ComparedDataset {
            dataset,
            kinds,
            shapes,
            roots,
            unit_of: vec![METADATA; dataset.len()],
            places: vec![0; dataset.len()],
            targets,
            links: Vec::new(),
            link_starts: Vec::new(),
            referrers: Vec::new(),
            referrer_starts: Vec::new(),
            metadata_shape: 0,
        };
        let metadata: Vec<u32> = side.tops(METADATA).into_iter().map(|top| side.shape(top)).collect();
        side.metadata_shape = hasher.hash_one(metadata);
        side.find_links();
        side
    }

    /// Returns the number of units.
    pub(super) fn len(&self) -> u32 {
        count(self.roots.len())
    }

    /// The structures a unit starts with: its record, or the metadata in canonical order.
    pub(super) fn tops(&self, unit: u32) -> Vec<Structure<'d>> {
        match self.root(unit) {
            Some(record) => vec![record],
            None => self.sorted(self.dataset.metadata().collect()),
        }
    }

    /// The record of a unit.
    pub(super) fn root(&self, unit: u32) -> Option<Structure<'d>> {
        self.dataset.structure(*self.roots.get(unit as usize)? as usize)
    }

    /// The substructures in canonical order.
    pub(super) fn beneath(&self, structure: Structure<'d>) -> Vec<Structure<'d>> {
        self.sorted(structure.substructures().collect())
    }

    fn sorted(&self, mut structures: Vec<Structure<'d>>) -> Vec<Structure<'d>> {
        structures.sort_by_key(|structure| self.kind(*structure));
        structures
    }

    pub(super) fn kind(&self, structure: Structure<'_>) -> u32 {
        self.kinds.get(structure.index()).copied().unwrap_or(NONE)
    }

    pub(super) fn shape(&self, structure: Structure<'_>) -> u32 {
        self.shapes.get(structure.index()).copied().unwrap_or(NONE)
    }

    /// Returns the shape of a unit when pointers are just pointers.
    pub(super) fn unit_shape(&self, unit: u32) -> u64 {
        match self.root(unit) {
            Some(record) => u64::from(self.shape(record)),
            None => self.metadata_shape,
        }
    }

    /// The type of the record of a unit.
    pub(super) fn unit_kind(&self, unit: u32) -> u32 {
        self.root(unit).map_or(NONE, |record| self.kind(record))
    }

    pub(super) fn unit(&self, structure: Structure<'_>) -> u32 {
        self.unit_of.get(structure.index()).copied().unwrap_or(METADATA)
    }

    pub(super) fn target(&self, structure: Structure<'_>) -> Option<Structure<'d>> {
        self.dataset.structure(*self.targets.get(structure.index())? as usize)
    }

    pub(super) fn place(&self, structure: Structure<'_>) -> u32 {
        self.places.get(structure.index()).copied().unwrap_or_default()
    }

    /// Returns the number of pointers that lead somewhere.
    pub(super) fn link_count(&self) -> u64 {
        self.links.len() as u64
    }

    /// Returns the amount of work in a round of these units: units and pointers to look at.
    pub(super) fn work(&self, units: &[u32]) -> u64 {
        let of = |&unit: &u32| 1 + self.links(unit).len() + self.referrers(unit).len();
        units.iter().map(|unit| of(unit) as u64).sum()
    }

    /// Returns the pointers of a unit, with their targets.
    pub(super) fn links(&self, unit: u32) -> &[Link] {
        self.links.get(range(&self.link_starts, unit)).unwrap_or_default()
    }

    /// Returns the pointers to a unit, with their places.
    pub(super) fn referrers(&self, unit: u32) -> &[Link] {
        self.referrers.get(range(&self.referrer_starts, unit)).unwrap_or_default()
    }

    /// Walks all units once in canonical order.
    fn find_links(&mut self) {
        let mut waiting: Vec<Structure<'d>> = Vec::new();
        let mut pointers: Vec<u32> = Vec::new();
        for unit in 0..self.len() {
            self.link_starts.push(count(pointers.len()));
            let mut place = 0;
            waiting.extend(self.tops(unit).into_iter().rev());
            while let Some(structure) = waiting.pop() {
                if let (Some(of), Some(at)) =
                    (self.unit_of.get_mut(structure.index()), self.places.get_mut(structure.index()))
                {
                    (*of, *at) = (unit, place);
                }
                place += 1;
                if self.target(structure).is_some() {
                    pointers.push(structure.id);
                }
                let from = waiting.len();
                waiting.extend(structure.substructures());
                if let Some(added) = waiting.get_mut(from..) {
                    added.reverse();
                    added.sort_by_key(|structure| Reverse(self.kinds.get(structure.index()).copied()));
                }
            }
        }
        self.link_starts.push(count(pointers.len()));
        let mut counts = vec![0_u32; self.roots.len() + 1];
        for unit in 0..self.len() {
            for (number, &pointer) in
                (0..).zip(pointers.get(range(&self.link_starts, unit)).unwrap_or_default())
            {
                let Some(target) =
                    self.dataset.structure(pointer as usize).and_then(|pointer| self.target(pointer))
                else {
                    continue;
                };
                let link = Link { unit: self.unit(target), number, place: self.place(target) };
                if let Some(count) = counts.get_mut(link.unit as usize) {
                    *count += 1;
                }
                self.links.push(link);
            }
        }
        let mut start = 0;
        for count in &mut counts {
            start += std::mem::replace(count, start);
        }
        self.referrer_starts.clone_from(&counts);
        self.referrers = vec![Link { unit: 0, number: 0, place: 0 }; self.links.len()];
        for unit in 0..self.len() {
            for link in self.links.get(range(&self.link_starts, unit)).unwrap_or_default() {
                let Some(next) = counts.get_mut(link.unit as usize) else { continue };
                if let Some(slot) = self.referrers.get_mut(*next as usize) {
                    *slot = Link { unit, ..*link };
                }
                *next += 1;
            }
        }
    }
}

/// Finds the target of the pointer of each structure, as [`Structure::target`] has it, but all at once.
pub(super) fn targets(dataset: &Dataset) -> Vec<u32> {
    let mut bearers: HashMap<&str, u32> = HashMap::new();
    for bearer in dataset.structures() {
        if let Some(xref) = bearer.xref() {
            // A pointer to what several structures bear leads nowhere.
            bearers.entry(xref).and_modify(|of| *of = NONE).or_insert(bearer.id);
        }
    }
    let target = |structure: Structure<'_>| bearers.get(structure.pointer()?).copied();
    dataset.structures().map(|structure| target(structure).unwrap_or(NONE)).collect()
}

fn range(starts: &[u32], unit: u32) -> Range<usize> {
    let of = |index: usize| starts.get(index).map_or(0, |&start| start as usize);
    of(unit as usize)..of(unit as usize + 1)
}

/// A number of structures, which a dataset keeps below 2^32.
pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(NONE)
}
