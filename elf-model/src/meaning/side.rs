//! One of two datasets that are compared, structure by structure.

use super::hashes::StructureHasher;
use super::kinds::common_kinds;
use super::units::{Link, METADATA, Unit, Units};
use crate::compare::PayloadKey;
use crate::dataset::Dataset;
use crate::nodes::{Kind, NONE, to_u32};
use crate::structure::Structure;
use hashbrown::DefaultHashBuilder;
use std::hash::BuildHasher;
use std::ops::Range;

/// A dataset under comparison. Its columns have an entry for each structure.
pub(super) struct ComparedDataset<'d> {
    pub(super) dataset: &'d Dataset,
    /// The number of the type of each structure, the same for a type in both datasets.
    pub(super) kinds: Vec<u32>,
    /// The hash of each structure if resolved pointers are taken for equal; the same in both datasets.
    pub(super) shapes: Vec<u64>,
    /// The records, by unit; [`NONE`] for the metadata.
    roots: Vec<u32>,
    /// The place of each structure, in canonical order.
    places: Vec<UnitPlace>,
    /// The index of the target of each pointer; [`NONE`] if there is none.
    targets: Vec<u32>,
}

/// A structure within a unit, by its number in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct UnitPlace {
    pub(super) unit: u32,
    pub(super) place: u32,
}

impl UnitPlace {
    /// Returns whether the structure is not a record.
    pub(super) const fn is_nested(self) -> bool {
        self.unit == METADATA || self.place != 0
    }
}

/// Prepares two datasets for a comparison; `targets` has the target of each pointer.
pub(super) fn compared_datasets<'d>(
    datasets: [&'d Dataset; 2],
    targets: [Vec<u32>; 2],
) -> [ComparedDataset<'d>; 2] {
    let kinds = common_kinds(datasets);
    let hasher = StructureHasher::new();
    let shapes = [0, 1].map(|side| {
        let dataset = datasets[side];
        hasher.hash(dataset, &kinds[side], std::iter::once(0..dataset.count()), |structure| {
            match structure.data().kind {
                Kind::None => PayloadKey::None,
                Kind::Literal => PayloadKey::Literal(structure.raw()),
                Kind::Pointer if targets[side][structure.index()] != NONE => PayloadKey::Target(NONE),
                Kind::Pointer => PayloadKey::Named(structure.raw()),
            }
        })
    });
    let [one, two] = datasets;
    let ([kinds_of_one, kinds_of_two], [shapes_of_one, shapes_of_two]) = (kinds, shapes);
    let [targets_of_one, targets_of_two] = targets;
    [
        ComparedDataset::new(one, kinds_of_one, shapes_of_one, targets_of_one),
        ComparedDataset::new(two, kinds_of_two, shapes_of_two, targets_of_two),
    ]
}

impl<'d> ComparedDataset<'d> {
    fn new(
        dataset: &'d Dataset,
        kinds: Vec<u32>,
        shapes: Vec<u64>,
        targets: Vec<u32>,
    ) -> ComparedDataset<'d> {
        let roots = [NONE].into_iter().chain(dataset.records().map(|record| record.id)).collect();
        let mut side = ComparedDataset { dataset, kinds, shapes, roots, places: Vec::new(), targets };
        side.places = side.find_places();
        side
    }

    /// Returns the top structures of a unit: its record, or those of the metadata in canonical order.
    pub(super) fn tops(&self, unit: u32) -> Vec<Structure<'d>> {
        match self.root(unit) {
            Some(record) => vec![record],
            None => self.sort_structures(self.dataset.metadata().collect()),
        }
    }

    /// Returns the record of a unit; `None` for the metadata.
    pub(super) fn root(&self, unit: u32) -> Option<Structure<'d>> {
        (unit != METADATA).then(|| Structure { dataset: self.dataset, id: self.roots[unit as usize] })
    }

    /// Returns the unit of a record, given by its index.
    pub(super) fn unit(&self, record: u32) -> Option<u32> {
        let found = self.roots[1..].binary_search(&record).ok()?;
        Some(to_u32(found) + 1)
    }

    /// Returns the indices of the structures of a unit.
    pub(super) fn range(&self, unit: u32) -> Range<u32> {
        match self.root(unit) {
            Some(record) => record.id..record.data().next,
            None => 0..self.dataset.metadata,
        }
    }

    /// Returns the substructures in canonical order.
    pub(super) fn beneath(&self, structure: Structure<'d>) -> Vec<Structure<'d>> {
        self.sort_structures(structure.substructures().collect())
    }

    fn sort_structures(&self, mut structures: Vec<Structure<'d>>) -> Vec<Structure<'d>> {
        structures.sort_by_key(|structure| self.kind(*structure));
        structures
    }

    pub(super) fn kind(&self, structure: Structure<'_>) -> u32 {
        self.kinds[structure.index()]
    }

    /// Returns the place of a structure.
    pub(super) fn place(&self, structure: Structure<'_>) -> UnitPlace {
        self.places[structure.index()]
    }

    /// Returns the place of the target of a structure's pointer.
    pub(super) fn target(&self, structure: Structure<'_>) -> Option<UnitPlace> {
        let target = self.targets[structure.index()];
        (target != NONE).then(|| self.places[target as usize])
    }

    /// Returns the units of the dataset, without their structures.
    pub(super) fn units(&self, hasher: &DefaultHashBuilder) -> Units<'d> {
        let (mut units, mut links, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut waiting = Vec::new();
        for unit in 0..to_u32(self.roots.len()) {
            let tops = self.tops(unit);
            units.push(match self.root(unit) {
                Some(record) => {
                    Unit { name: record.xref(), kind: self.kind(record), shape: self.shapes[record.index()] }
                }
                None => {
                    let shapes: Vec<u64> = tops.iter().map(|top| self.shapes[top.index()]).collect();
                    Unit { name: None, kind: NONE, shape: hasher.hash_one(shapes) }
                }
            });
            starts.push(to_u32(links.len()));
            let mut number = 0;
            self.walk(tops, &mut waiting, |structure| {
                if let Some(UnitPlace { unit, place }) = self.target(structure) {
                    links.push(Link { unit, number, place });
                    number += 1;
                }
            });
        }
        Units::new(units, links, starts)
    }

    fn find_places(&self) -> Vec<UnitPlace> {
        let mut places = vec![UnitPlace { unit: METADATA, place: 0 }; self.dataset.len()];
        let mut waiting = Vec::new();
        for unit in 0..to_u32(self.roots.len()) {
            let mut place = 0;
            self.walk(self.tops(unit), &mut waiting, |structure| {
                places[structure.index()] = UnitPlace { unit, place };
                place += 1;
            });
        }
        places
    }

    /// Visits these structures and all their substructures in canonical order. `waiting` is an empty list
    /// whose memory is used again.
    fn walk(
        &self,
        tops: Vec<Structure<'d>>,
        waiting: &mut Vec<Structure<'d>>,
        mut visit: impl FnMut(Structure<'d>),
    ) {
        waiting.extend(tops.into_iter().rev());
        while let Some(structure) = waiting.pop() {
            visit(structure);
            let from = waiting.len();
            waiting.extend(structure.substructures());
            let added = &mut waiting[from..];
            added.reverse();
            added.sort_by_key(|structure| std::cmp::Reverse(self.kind(*structure)));
        }
    }
}
