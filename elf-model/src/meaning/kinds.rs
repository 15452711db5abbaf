//! Assigns kinds to the structures of two datasets. The kind depends on the type or, if a tag has no type in one of
//! them, on the tag.

use crate::compare::number_kinds;
use crate::dataset::Dataset;
use crate::nodes::{NONE, to_u32};
use crate::structure::Structure;
use elf_schema::term::undefined_tag;
use hashbrown::{HashMap, HashSet};

/// The kind of a superstructure, and a tag that occurs under it.
type TagPlace<'d> = (u32, &'d str);

/// Returns the kind of each structure of two datasets. Kinds are numbered in the same way in both datasets.
///
/// If a tag has no type in one dataset, it has one kind in both datasets under the same kind of superstructure, because
/// the other dataset may define a type for it.
pub(super) fn common_kinds(datasets: [&Dataset; 2]) -> [Vec<u32>; 2] {
    let untyped = datasets.map(UntypedTags::of);
    let has_untyped = |side: usize| datasets[side].structures().any(|each| untyped[side].is_untyped(each));
    if has_untyped(0) || has_untyped(1) {
        CommonKinds::find(datasets, untyped)
    } else {
        number_kinds(datasets)
    }
}

/// Whether each type of a dataset only represents a tag that has no type.
struct UntypedTags(Vec<bool>);

impl UntypedTags {
    fn of(dataset: &Dataset) -> UntypedTags {
        let types = 0..to_u32(dataset.types.len());
        UntypedTags(types.map(|of| undefined_tag(&dataset.types[of]).is_some()).collect())
    }

    fn is_untyped(&self, structure: Structure<'_>) -> bool {
        let structure_type = structure.node().structure_type;
        structure_type == NONE || self.0[structure_type as usize]
    }
}

/// Finds the kinds of the structures of two datasets in which some tags have no type.
struct CommonKinds<'d> {
    datasets: [&'d Dataset; 2],
    untyped: [UntypedTags; 2],
    of_types: HashMap<&'d str, u32>,
    of_places: HashMap<TagPlace<'d>, u32>,
    /// The kinds of the structures, as far as they have been found.
    kinds: [Vec<u32>; 2],
}

impl<'d> CommonKinds<'d> {
    fn find(datasets: [&'d Dataset; 2], untyped: [UntypedTags; 2]) -> [Vec<u32>; 2] {
        let kinds = datasets.map(|dataset| vec![NONE; dataset.len()]);
        let mut common =
            CommonKinds { datasets, untyped, of_types: HashMap::new(), of_places: HashMap::new(), kinds };
        let [mut one, mut two] = datasets.map(|dataset| group_by_depth(dataset).into_iter());
        loop {
            match (one.next(), two.next()) {
                (None, None) => return common.kinds,
                (Some(one), Some(two)) => common.find_level([one, two]),
                (Some(one), None) => common.find_level([one, Vec::new()]),
                (None, Some(two)) => common.find_level([Vec::new(), two]),
            }
        }
    }

    /// Finds the kinds of the structures at one depth. The kinds at smaller depths must be known.
    fn find_level(&mut self, level: [Vec<u32>; 2]) {
        let mut places: HashSet<TagPlace<'d>> = HashSet::new();
        for (side, structures) in level.iter().enumerate() {
            let structures = structures.iter().map(|&id| self.structure(side, id));
            let untyped = structures.filter(|structure| self.untyped[side].is_untyped(*structure));
            places.extend(untyped.map(|structure| self.tag_place(side, structure)));
        }
        for (side, structures) in level.into_iter().enumerate() {
            for id in structures {
                let structure = self.structure(side, id);
                let place = self.tag_place(side, structure);
                let next = to_u32(self.of_types.len() + self.of_places.len());
                self.kinds[side][structure.index()] = match structure.structure_type() {
                    Some(of) if !places.contains(&place) => *self.of_types.entry(of).or_insert(next),
                    _ => *self.of_places.entry(place).or_insert(next),
                };
            }
        }
    }

    fn structure(&self, side: usize, id: u32) -> Structure<'d> {
        Structure { dataset: self.datasets[side], id }
    }

    fn tag_place(&self, side: usize, structure: Structure<'d>) -> TagPlace<'d> {
        let above = match structure.superstructure() {
            Some(above) => self.kinds[side][above.index()],
            None => NONE - u32::from(structure.is_metadata()),
        };
        (above, structure.tag())
    }
}

fn group_by_depth(dataset: &Dataset) -> Vec<Vec<u32>> {
    let mut by_depth: Vec<Vec<u32>> = Vec::new();
    let mut depths: Vec<u32> = Vec::with_capacity(dataset.len());
    for structure in dataset.structures() {
        let depth = structure.superstructure().map_or(0, |above| depths[above.index()] + 1);
        depths.push(depth);
        let depth = depth as usize;
        if by_depth.len() == depth {
            by_depth.push(Vec::new());
        }
        by_depth[depth].push(structure.id);
    }
    by_depth
}
