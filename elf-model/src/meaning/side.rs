//! The data about one of the two datasets of a comparison.

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

/// A dataset in a comparison. The lists have an entry for each structure, unless their comment says otherwise.
pub(super) struct ComparedDataset<'d> {
    pub(super) dataset: &'d Dataset,
    /// The kind of each structure. A kind is a number that means the same in both datasets.
    pub(super) kinds: Vec<u32>,
    /// The hash of each structure, in which all resolved pointers are treated as equal. The hash is the same in both
    /// datasets.
    pub(super) shapes: Vec<u64>,
    /// The record of each unit. The entry of the metadata is [`NONE`].
    roots: Vec<u32>,
    /// The unit that contains each structure, and the number of the structure in the canonical order of the unit.
    places: Vec<UnitPlace>,
    /// The index of the target of each pointer. [`NONE`] if there is no target.
    targets: Vec<u32>,
}

/// The unit that contains a structure, and the number of the structure in the canonical order of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct UnitPlace {
    pub(super) unit: u32,
    pub(super) place: u32,
}

impl UnitPlace {
    pub(super) const fn is_nested(self) -> bool {
        self.unit == METADATA || self.place != 0
    }
}

/// Prepares two datasets for comparison. `targets` contains the target of each pointer.
pub(super) fn prepare_datasets<'d>(
    datasets: [&'d Dataset; 2],
    targets: [Vec<u32>; 2],
) -> [ComparedDataset<'d>; 2] {
    let kinds = common_kinds(datasets);
    let hasher = StructureHasher::new();
    let shapes = [0, 1].map(|side| {
        let dataset = datasets[side];
        hasher.hash_subtrees(dataset, &kinds[side], std::iter::once(0..dataset.node_count()), |structure| {
            match structure.node().kind {
                Kind::None => PayloadKey::None,
                Kind::Literal => PayloadKey::Literal(structure.raw_payload()),
                Kind::Pointer if targets[side][structure.index()] != NONE => PayloadKey::Target(NONE),
                Kind::Pointer => PayloadKey::Named(structure.raw_payload()),
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

    /// Returns the top structures of a unit. The top structures are its record, or the top structures of the metadata
    /// in canonical order.
    pub(super) fn top_structures(&self, unit: u32) -> Vec<Structure<'d>> {
        match self.record_of(unit) {
            Some(record) => vec![record],
            None => self.sort_structures(self.dataset.metadata().collect()),
        }
    }

    /// Returns the record of a unit. Returns `None` for the metadata.
    pub(super) fn record_of(&self, unit: u32) -> Option<Structure<'d>> {
        (unit != METADATA).then(|| Structure { dataset: self.dataset, id: self.roots[unit as usize] })
    }

    pub(super) fn unit_of(&self, record: u32) -> Option<u32> {
        let found = self.roots[1..].binary_search(&record).ok()?;
        Some(to_u32(found) + 1)
    }

    pub(super) fn structure_range(&self, unit: u32) -> Range<u32> {
        match self.record_of(unit) {
            Some(record) => record.id..record.node().next,
            None => 0..self.dataset.metadata,
        }
    }

    pub(super) fn sorted_substructures(&self, structure: Structure<'d>) -> Vec<Structure<'d>> {
        self.sort_structures(structure.substructures().collect())
    }

    fn sort_structures(&self, mut structures: Vec<Structure<'d>>) -> Vec<Structure<'d>> {
        structures.sort_by_key(|structure| self.kind_of(*structure));
        structures
    }

    pub(super) fn kind_of(&self, structure: Structure<'_>) -> u32 {
        self.kinds[structure.index()]
    }

    pub(super) fn place_of(&self, structure: Structure<'_>) -> UnitPlace {
        self.places[structure.index()]
    }

    pub(super) fn target_place(&self, structure: Structure<'_>) -> Option<UnitPlace> {
        let target = self.targets[structure.index()];
        (target != NONE).then(|| self.places[target as usize])
    }

    pub(super) fn build_units(&self, hasher: &DefaultHashBuilder) -> Units<'d> {
        let (mut units, mut links, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut waiting = Vec::new();
        for unit in 0..to_u32(self.roots.len()) {
            let tops = self.top_structures(unit);
            units.push(match self.record_of(unit) {
                Some(record) => Unit {
                    name: record.xref(),
                    kind: self.kind_of(record),
                    shape: self.shapes[record.index()],
                },
                None => {
                    let shapes: Vec<u64> = tops.iter().map(|top| self.shapes[top.index()]).collect();
                    Unit { name: None, kind: NONE, shape: hasher.hash_one(shapes) }
                }
            });
            starts.push(to_u32(links.len()));
            let mut number = 0;
            self.visit_in_order(tops, &mut waiting, |structure| {
                if let Some(UnitPlace { unit, place }) = self.target_place(structure) {
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
            self.visit_in_order(self.top_structures(unit), &mut waiting, |structure| {
                places[structure.index()] = UnitPlace { unit, place };
                place += 1;
            });
        }
        places
    }

    /// Visits `tops` and all their substructures in canonical order. `waiting` is an empty list whose memory is reused.
    fn visit_in_order(
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
            added.sort_by_key(|structure| std::cmp::Reverse(self.kind_of(*structure)));
        }
    }
}
