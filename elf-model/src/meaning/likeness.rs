//! Pairs units that have changed.
//!
//! When all units that look the same have been paired, few units are usually left. The remaining units are paired by
//! three kinds of evidence. The first kind is pointers to two units from the same places of units that are paired. The
//! second kind is the identifiers of two units, if most paired units have identifiers that are spelled alike in both
//! datasets. The third kind is features that two units share with each other and with few other units.

use super::matching::Matching;
use super::side::ComparedDataset;
use super::units::METADATA;
use super::walk::{AlignedPair, UnitWalk};
use crate::nodes::{Kind, NONE};
use crate::structure::Structure;
use hashbrown::{DefaultHashBuilder, HashMap};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;

/// A feature is evidence only if at most this number of units of a dataset have it.
const RARE: u32 = 16;

/// The score of two units that share all their rare features.
const WHOLE: u64 = 1000;

/// The minimum score at which two units are paired by their features alone.
const LEAST: u64 = 250;

/// A possible pair with its score. The greatest such value is the best pair.
type ScoredPair = (u64, Reverse<(u32, u32)>);

impl Matching<'_, '_> {
    pub(super) fn match_changed(&mut self, sides: &[ComparedDataset<'_>; 2]) {
        let free = [0, 1].map(|side| self.free_units(side));
        if free.iter().any(Vec::is_empty) {
            return;
        }
        let mut scores = self.score_by_features(sides, &free);
        for pair in std::mem::take(&mut self.guesses) {
            *scores.entry(pair).or_default() += WHOLE;
        }
        for pair in self.pairs_with_same_name(&free) {
            *scores.entry(pair).or_default() += 2 * WHOLE;
        }
        let mut best: BinaryHeap<ScoredPair> = scores
            .into_iter()
            .filter(|&(_, score)| score >= LEAST)
            .map(|(pair, score)| (score, Reverse(pair)))
            .collect();
        let changed: Vec<(u32, u32)> =
            self.pairs().filter(|&(one, two)| !self.same_shape(one, two)).collect();
        for (one, two) in changed {
            self.guess_targets(sides, [one, two], &mut best);
        }
        while let Some((_, Reverse((one, two)))) = best.pop() {
            if self.are_free(one, two) && self.same_kind(one, two) {
                self.add_pair(one, two);
                self.guess_targets(sides, [one, two], &mut best);
            }
        }
        self.match_last_of_their_kind(free);
    }

    /// Pairs two units if no other units of their kind are left.
    fn match_last_of_their_kind(&mut self, free: [Vec<u32>; 2]) {
        let mut left: HashMap<u32, [Vec<u32>; 2]> = HashMap::new();
        for (side, free) in free.into_iter().enumerate() {
            for unit in free {
                if self.partner_of(side, unit).is_none() {
                    left.entry(self.sides[side].kind_of(unit)).or_default()[side].push(unit);
                }
            }
        }
        for units in left.into_values() {
            if let ([one], [two]) = (&*units[0], &*units[1]) {
                self.add_pair(*one, *two);
            }
        }
    }

    fn same_kind(&self, one: u32, two: u32) -> bool {
        self.sides[0].kind_of(one) == self.sides[1].kind_of(two)
    }

    fn same_shape(&self, one: u32, two: u32) -> bool {
        self.sides[0].shape_of(one) == self.sides[1].shape_of(two)
    }

    /// Adds the pairs of units to which pointers at the same places of `one` and `two` point.
    fn guess_targets(
        &self,
        sides: &[ComparedDataset<'_>; 2],
        units: [u32; 2],
        best: &mut BinaryHeap<ScoredPair>,
    ) {
        let hashes = [&*sides[0].shapes, &*sides[1].shapes];
        UnitWalk { sides, hashes, visits_equal: true }.visit_pairs(units, &mut |pair| {
            if let AlignedPair::Both(one, two) = pair
                && let (Some(one), Some(two)) = (sides[0].target_place(one), sides[1].target_place(two))
                && self.are_free(one.unit, two.unit)
            {
                best.push((WHOLE, Reverse((one.unit, two.unit))));
            }
        });
    }

    /// Returns the pairs of units with the same identifier. Returns none unless most paired units have the same
    /// identifier.
    fn pairs_with_same_name(&self, free: &[Vec<u32>; 2]) -> Vec<(u32, u32)> {
        let name = |side: usize, unit: u32| self.sides[side].name(unit);
        let (mut alike, mut other) = (0_u64, 0_u64);
        for (one, two) in self.pairs() {
            if let (Some(one), Some(two)) = (name(0, one), name(1, two)) {
                *(if one == two { &mut alike } else { &mut other }) += 1;
            }
        }
        if alike < other {
            return Vec::new();
        }
        let of_two: HashMap<&str, u32> =
            free[1].iter().filter_map(|&unit| Some((name(1, unit)?, unit))).collect();
        free[0].iter().filter_map(|&unit| Some((unit, *of_two.get(name(0, unit)?)?))).collect()
    }

    /// Computes the scores of pairs. The score is twice the share of rare features that the two units have in common.
    fn score_by_features(
        &self,
        sides: &[ComparedDataset<'_>; 2],
        free: &[Vec<u32>; 2],
    ) -> HashMap<(u32, u32), u64> {
        let hasher = DefaultHashBuilder::default();
        let mut features = [0, 1].map(|side| {
            let of = |&unit: &u32| (unit, self.collect_features(side, &sides[side], unit, &hasher));
            free[side].iter().map(of).collect::<Vec<(u32, Vec<u64>)>>()
        });
        keep_rare(&mut features);
        let [of_one, of_two] = features;
        let mut holders: HashMap<u64, Vec<u32>> = HashMap::new();
        let mut sizes: HashMap<u32, u64> = HashMap::new();
        for (two, features) in &of_two {
            sizes.insert(*two, features.len() as u64);
            for feature in features {
                holders.entry(*feature).or_default().push(*two);
            }
        }
        let mut scores = HashMap::new();
        let mut common: HashMap<u32, u64> = HashMap::new();
        for (one, features) in &of_one {
            for two in features.iter().filter_map(|feature| holders.get(feature)).flatten() {
                *common.entry(*two).or_default() += 1;
            }
            for (two, common) in common.drain() {
                if self.same_kind(*one, two) {
                    let sizes_of_both = features.len() as u64 + sizes[&two];
                    scores.insert((*one, two), 2 * WHOLE * common / sizes_of_both);
                }
            }
        }
        scores
    }

    /// Returns the features of a unit. A feature is the hash of a payload, with the kinds of its structure and
    /// superstructure.
    fn collect_features(
        &self,
        side: usize,
        here: &ComparedDataset<'_>,
        unit: u32,
        hasher: &DefaultHashBuilder,
    ) -> Vec<u64> {
        let structures = here.record_of(unit).into_iter().flat_map(Structure::subtree);
        let mut features: Vec<u64> = structures
            .filter_map(|structure| {
                let kinds =
                    (here.kind_of(structure), structure.superstructure().map(|above| here.kind_of(above)));
                Some(match (structure.node().kind, here.target_place(structure)) {
                    (Kind::None, _) => return None,
                    (_, Some(target)) => {
                        let unit = target.unit;
                        let partner = self.partner_of(side, unit).filter(|_| unit != METADATA)?;
                        hasher.hash_one((kinds, NONE, if side == 0 { unit } else { partner }))
                    }
                    _ => hasher.hash_one((kinds, structure.raw_payload())),
                })
            })
            .collect();
        features.sort();
        features.dedup();
        features
    }
}

/// Removes the features that many units of a dataset have.
fn keep_rare(features: &mut [Vec<(u32, Vec<u64>)>; 2]) {
    let mut counts: HashMap<u64, [u32; 2]> = HashMap::new();
    for (side, of_side) in features.iter().enumerate() {
        for &feature in of_side.iter().flat_map(|(_, features)| features) {
            counts.entry(feature).or_default()[side] += 1;
        }
    }
    for (_, features) in features.iter_mut().flatten() {
        features.retain(|feature| counts[feature].iter().all(|&count| count <= RARE));
    }
}
