//! One of two datasets that are compared, structure by structure.

use super::units::{Link, METADATA, Unit, Units};
use crate::compare::{ClassKey, Classes, PayloadKey};
use crate::dataset::Dataset;
use crate::nodes::{Kind, NONE};
use crate::structure::Structure;
use hashbrown::{DefaultHashBuilder, HashMap};
use std::hash::BuildHasher;

/// A dataset under comparison: all its units, or those whose structures have to be looked at.
pub(super) struct ComparedDataset<'d> {
    pub(super) dataset: &'d Dataset,
    /// The number of the type of each structure, the same for a type in both datasets.
    pub(super) kinds: Vec<u32>,
    /// The class of each structure in which a pointer is just a pointer, the same in both.
    pub(super) shapes: Vec<u32>,
    /// The first structures of the units; the metadata, and records that are not at hand, have none.
    roots: Vec<u32>,
    /// The place of each structure, in canonical order.
    places: Vec<UnitPlace>,
    /// The target of the pointer of each structure, if it leads to one.
    targets: Vec<Option<UnitPlace>>,
}

/// A structure within a unit, by its number in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct UnitPlace {
    pub(super) unit: u32,
    pub(super) place: u32,
}

impl UnitPlace {
    /// Tells whether it is something else than a record.
    pub(super) const fn is_nested(self) -> bool {
        self.unit == METADATA || self.place != 0
    }
}

/// Two datasets under comparison, with all their units. `targets` says of each structure where its pointer
/// leads.
pub(super) fn whole_sides<'d>(
    datasets: [&'d Dataset; 2],
    targets: &[Vec<u32>; 2],
) -> [ComparedDataset<'d>; 2] {
    let roots = datasets.map(|dataset| [NONE].into_iter().chain(dataset.records().map(|record| record.id)));
    sides(datasets, roots.map(Iterator::collect), |side, places, structure| {
        let target = targets[side].get(structure.index())?;
        places.get(*target as usize).copied()
    })
}

/// Two datasets under comparison. `roots` has the record of each unit, as far as it is at hand; `target` says
/// of a pointer where it leads, given the places of all structures that are at hand.
pub(super) fn sides<'d>(
    datasets: [&'d Dataset; 2],
    roots: [Vec<u32>; 2],
    target: impl Fn(usize, &[UnitPlace], Structure<'d>) -> Option<UnitPlace>,
) -> [ComparedDataset<'d>; 2] {
    let mut classes = Classes::default();
    let [ones, twos] = classes.common_kinds(datasets);
    let [one, two] = datasets;
    let [roots_of_one, roots_of_two] = roots;
    [(0, one, ones, roots_of_one), (1, two, twos, roots_of_two)].map(|(number, dataset, kinds, roots)| {
        let places = vec![UnitPlace { unit: METADATA, place: 0 }; dataset.len()];
        let mut side =
            ComparedDataset { dataset, kinds, shapes: Vec::new(), roots, places, targets: Vec::new() };
        side.find_places();
        let places = &side.places;
        side.targets = dataset.structures().map(|structure| target(number, places, structure)).collect();
        side.shapes = classes.classify(dataset, &side.kinds, |structure| ClassKey {
            xref: None,
            payload: match structure.data().kind {
                Kind::None => PayloadKey::None,
                Kind::Literal => PayloadKey::Literal(structure.raw()),
                Kind::Pointer if side.target(structure).is_some() => PayloadKey::Target(NONE),
                Kind::Pointer => PayloadKey::Named(structure.raw()),
            },
        });
        side
    })
}

impl<'d> ComparedDataset<'d> {
    /// The structures a unit starts with: its record, or the metadata in canonical order.
    pub(super) fn tops(&self, unit: u32) -> Vec<Structure<'d>> {
        match unit {
            METADATA => self.sorted(self.dataset.metadata().collect()),
            _ => self.root(unit).into_iter().collect(),
        }
    }

    /// The record of a unit, if it is at hand.
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

    fn shape(&self, structure: Structure<'_>) -> u32 {
        self.shapes.get(structure.index()).copied().unwrap_or(NONE)
    }

    /// Returns where the structure stands.
    pub(super) fn place(&self, structure: Structure<'_>) -> UnitPlace {
        self.places.get(structure.index()).copied().unwrap_or(UnitPlace { unit: METADATA, place: 0 })
    }

    /// Returns where its pointer leads.
    pub(super) fn target(&self, structure: Structure<'_>) -> Option<UnitPlace> {
        self.targets.get(structure.index()).copied().flatten()
    }

    /// The units of the dataset, without their structures.
    pub(super) fn units(&self, hasher: &DefaultHashBuilder) -> Units<'d> {
        let (mut units, mut links, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut waiting = Vec::new();
        for unit in 0..count(self.roots.len()) {
            let tops = self.tops(unit);
            let shape = match (unit, &*tops) {
                (METADATA, tops) => {
                    let shapes: Vec<u32> = tops.iter().map(|&top| self.shape(top)).collect();
                    u128::from(hasher.hash_one(shapes))
                }
                (_, [record]) => u128::from(self.shape(*record)) + 1,
                _ => 0,
            };
            let record = self.root(unit);
            units.push(Unit {
                name: record.and_then(Structure::xref),
                kind: u64::from(record.map_or(NONE, |record| self.kind(record))),
                shape,
            });
            starts.push(count(links.len()));
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

    fn find_places(&mut self) {
        let mut places = std::mem::take(&mut self.places);
        let mut waiting = Vec::new();
        for unit in 0..count(self.roots.len()) {
            let mut place = 0;
            self.walk(self.tops(unit), &mut waiting, |structure| {
                if let Some(entry) = places.get_mut(structure.index()) {
                    *entry = UnitPlace { unit, place };
                }
                place += 1;
            });
        }
        self.places = places;
    }

    /// Visits these and all beneath them in canonical order.
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
            if let Some(added) = waiting.get_mut(from..) {
                added.reverse();
                added.sort_by_key(|structure| std::cmp::Reverse(self.kind(*structure)));
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

/// A number of structures, which a dataset keeps below 2^32.
pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(NONE)
}
