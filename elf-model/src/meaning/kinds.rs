//! Kinds of structures of two datasets: of one type or, where a tag has no type in one of them,
//! of one tag.

use crate::compare::Classes;
use crate::dataset::Dataset;
use crate::nodes::NONE;
use crate::structure::Structure;
use elf_schema::term::undefined_tag;
use hashbrown::{HashMap, HashSet};

/// A kind, by the kind of the superstructure.
type Place<'d> = (u32, &'d str);

impl<'d> Classes<'d> {
    /// Numbers the kinds of all structures of two datasets: a number for each structure, the same for a kind
    /// in both.
    ///
    /// A tag without a type beneath structures of some kind, in one dataset, makes all structures of that tag
    /// there of one kind, in both: one of them may be typed by a definition that the other lacks.
    pub(crate) fn common_kinds(&mut self, datasets: [&'d Dataset; 2]) -> [Vec<u32>; 2] {
        if datasets.iter().all(|dataset| dataset.structures().all(|each| !is_undefined(each))) {
            return datasets.map(|dataset| self.kinds(dataset));
        }
        let mut kinds = datasets.map(|dataset| vec![NONE; dataset.len()]);
        let by_depth = datasets.map(by_depth);
        let mut typed: HashMap<&'d str, u32> = HashMap::new();
        let mut tagged: HashMap<Place<'d>, u32> = HashMap::new();
        let mut next = 0;
        let deepest = by_depth.iter().map(Vec::len).max().unwrap_or(0);
        for depth in 0..deepest {
            let at = |side: usize| by_depth[side].get(depth).map(Vec::as_slice).unwrap_or_default();
            let above = |kinds: &[Vec<u32>; 2], side: usize, structure: Structure<'_>| {
                let data = structure.data();
                match kinds[side].get(data.parent as usize) {
                    Some(&kind) => kind,
                    // Metadata and records.
                    None => NONE - u32::from(structure.is_metadata()),
                }
            };
            let mut open: HashSet<Place<'d>> = HashSet::new();
            for side in [0, 1] {
                for structure in at(side).iter().filter_map(|&id| datasets[side].structure(id as usize)) {
                    if is_undefined(structure) {
                        open.insert((above(&kinds, side, structure), structure.tag()));
                    }
                }
            }
            for side in [0, 1] {
                for structure in at(side).iter().filter_map(|&id| datasets[side].structure(id as usize)) {
                    let place = (above(&kinds, side, structure), structure.tag());
                    let mut number = || {
                        next += 1;
                        next - 1
                    };
                    let kind = match structure.structure_type() {
                        Some(of) if !open.contains(&place) => *typed.entry(of).or_insert_with(&mut number),
                        _ => *tagged.entry(place).or_insert_with(&mut number),
                    };
                    if let Some(entry) = kinds[side].get_mut(structure.index()) {
                        *entry = kind;
                    }
                }
            }
        }
        kinds
    }
}

fn is_undefined(structure: Structure<'_>) -> bool {
    structure.structure_type().is_none_or(|of| undefined_tag(of).is_some())
}

/// The structures of a dataset by how deep they stand.
fn by_depth(dataset: &Dataset) -> Vec<Vec<u32>> {
    let mut by_depth: Vec<Vec<u32>> = Vec::new();
    let mut depths: Vec<u32> = Vec::with_capacity(dataset.len());
    for structure in dataset.structures() {
        let above = depths.get(structure.data().parent as usize);
        let depth = above.map_or(0, |depth| depth + 1);
        depths.push(depth);
        if by_depth.len() <= depth as usize {
            by_depth.resize_with(depth as usize + 1, Vec::new);
        }
        if let Some(all) = by_depth.get_mut(depth as usize) {
            all.push(structure.id);
        }
    }
    by_depth
}
