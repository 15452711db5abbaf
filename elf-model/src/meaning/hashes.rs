//! Computes hashes of structures with all their substructures.

use crate::compare::PayloadKey;
use crate::dataset::Dataset;
use crate::structure::Structure;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::ops::Range;

/// Computes hashes of structures with their substructures. Equal structures have equal hashes. Different structures
/// have the same hash by chance in one of 2^64 comparisons. The keys of the hashes are random, so nobody can create
/// such structures on purpose.
pub(super) struct StructureHasher(RandomState);

impl StructureHasher {
    pub(super) fn new() -> StructureHasher {
        StructureHasher(RandomState::new())
    }

    /// Returns the hash of each structure in `subtrees`, which are ranges of indices. The hash of all other structures
    /// is 0. `payload` returns the part of a payload that is compared. The order of substructures of different kinds
    /// does not matter.
    pub(super) fn hash_subtrees<'d>(
        &self,
        dataset: &'d Dataset,
        kinds: &[u32],
        subtrees: impl IntoIterator<Item = Range<u32>>,
        payload: impl Fn(Structure<'d>) -> PayloadKey<'d>,
    ) -> Vec<u64> {
        let mut hashes = vec![0; dataset.len()];
        let mut below: Vec<u32> = Vec::new();
        // The subtree of a structure follows the structure, so the last structure is hashed first.
        for id in subtrees.into_iter().flat_map(Iterator::rev) {
            let structure = Structure { dataset, id };
            below.clear();
            below.extend(structure.substructures().map(|structure| structure.id));
            below.sort_by_key(|&id| kinds[id as usize]);
            let mut hasher = self.0.build_hasher();
            kinds[id as usize].hash(&mut hasher);
            payload(structure).hash(&mut hasher);
            for &id in &below {
                hasher.write_u64(hashes[id as usize]);
            }
            hashes[id as usize] = hasher.finish();
        }
        hashes
    }
}
