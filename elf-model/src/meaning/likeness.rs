//! Units that have changed: which of one dataset is which of the other.
//!
//! What is left when all that looks the same has been put side by side is usually little. It is told by three
//! things: pointers of units that stand side by side and lead there from one place; identifiers, if most
//! others are spelled alike in both datasets; and what the units have in common that few others have.

use super::matching::Matching;
use super::side::ComparedDataset;
use super::units::METADATA;
use super::walk::{AlignedPair, walk};
use crate::nodes::{Kind, NONE};
use crate::structure::Structure;
use hashbrown::{DefaultHashBuilder, HashMap};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;

/// The most units with a feature that is evidence: a more frequent one is ignored.
const RARE: u32 = 16;

/// The likeness of units that have everything in common that tells something.
const WHOLE: u64 = 1000;

/// The least likeness of units that nothing else joins.
const LEAST: u64 = 250;

impl Matching<'_, '_> {
    /// Puts side by side units that have changed.
    pub(super) fn match_changed(&mut self, datasets: &[ComparedDataset<'_>; 2]) {
        let free = [0, 1].map(|side| self.free(side));
        if free.iter().any(Vec::is_empty) {
            return;
        }
        let mut scores: HashMap<(u32, u32), u64> = self.alike(datasets, &free);
        for pair in std::mem::take(&mut self.guesses) {
            *scores.entry(pair).or_default() += WHOLE;
        }
        for pair in self.named_alike(&free) {
            *scores.entry(pair).or_default() += 2 * WHOLE;
        }
        let mut best: BinaryHeap<(u64, Reverse<(u32, u32)>)> = scores
            .into_iter()
            .filter(|&(_, score)| score >= LEAST)
            .map(|(pair, score)| (score, Reverse(pair)))
            .collect();
        let changed: Vec<(u32, u32)> =
            self.pairs().filter(|&(one, two)| !self.same_shape(one, two)).collect();
        for pair in changed {
            self.guess_beyond(datasets, pair, &mut best);
        }
        while let Some((_, Reverse((one, two)))) = best.pop() {
            if self.are_free(one, two) && self.same_kind(one, two) {
                self.pair(one, two);
                self.guess_beyond(datasets, (one, two), &mut best);
            }
        }
        // The only ones of their type that are left.
        let mut left: HashMap<u64, [Vec<u32>; 2]> = HashMap::new();
        for (side, free) in free.into_iter().enumerate() {
            for unit in free {
                if self.partner(side, unit).is_none() {
                    left.entry(self.sides[side].kind(unit)).or_default()[side].push(unit);
                }
            }
        }
        for units in left.into_values() {
            if let ([one], [two]) = (&*units[0], &*units[1]) {
                self.pair(*one, *two);
            }
        }
    }

    fn same_kind(&self, one: u32, two: u32) -> bool {
        self.sides[0].kind(one) == self.sides[1].kind(two)
    }

    fn same_shape(&self, one: u32, two: u32) -> bool {
        self.sides[0].shape(one) == self.sides[1].shape(two)
    }

    /// Notes what pointers in the same places of two units lead to.
    fn guess_beyond(
        &self,
        sides: &[ComparedDataset<'_>; 2],
        (one, two): (u32, u32),
        best: &mut BinaryHeap<(u64, Reverse<(u32, u32)>)>,
    ) {
        let shapes = [&*sides[0].shapes, &*sides[1].shapes];
        walk(sides, shapes, [one, two], true, &mut |beside| {
            if let AlignedPair::Both(one, two) = beside
                && let (Some(one), Some(two)) = (sides[0].target(one), sides[1].target(two))
            {
                let pair = (one.unit, two.unit);
                if self.are_free(pair.0, pair.1) {
                    best.push((WHOLE, Reverse(pair)));
                }
            }
        });
    }

    /// Units with one identifier, if identifiers are the same in both datasets as a rule.
    fn named_alike(&self, free: &[Vec<u32>; 2]) -> Vec<(u32, u32)> {
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

    /// Units that have something in common that few others have, with how alike they are.
    fn alike(&self, datasets: &[ComparedDataset<'_>; 2], free: &[Vec<u32>; 2]) -> HashMap<(u32, u32), u64> {
        let hasher = DefaultHashBuilder::default();
        let features = [0, 1].map(|side| {
            let of = |&unit: &u32| (unit, self.features(side, &datasets[side], (unit, &hasher)));
            free[side].iter().map(of).collect::<Vec<(u32, Vec<u64>)>>()
        });
        let mut counts: HashMap<u64, [u32; 2]> = HashMap::new();
        for (side, features) in features.iter().enumerate() {
            for &feature in features.iter().flat_map(|(_, features)| features) {
                counts.entry(feature).or_default()[side] += 1;
            }
        }
        let tells = |feature: &u64| counts.get(feature).is_some_and(|of| of.iter().all(|&of| of <= RARE));
        let telling = |features: &[u64]| features.iter().filter(|feature| tells(feature)).count() as u64;
        let mut holders: HashMap<u64, Vec<u32>> = HashMap::new();
        let mut sizes: HashMap<u32, u64> = HashMap::new();
        for (two, features) in &features[1] {
            sizes.insert(*two, telling(features));
            for feature in features.iter().filter(|feature| tells(feature)) {
                holders.entry(*feature).or_default().push(*two);
            }
        }
        let mut scores = HashMap::new();
        let mut common: HashMap<u32, u64> = HashMap::new();
        for (one, features) in &features[0] {
            common.clear();
            for two in features.iter().filter_map(|feature| holders.get(feature)).flatten() {
                *common.entry(*two).or_default() += 1;
            }
            let size = telling(features);
            for (two, common) in common.drain() {
                let sizes = size + sizes.get(&two).copied().unwrap_or_default();
                if sizes > 0 && self.same_kind(*one, two) {
                    scores.insert((*one, two), 2 * WHOLE * common / sizes);
                }
            }
        }
        scores
    }

    /// Returns the features of a unit that others may not have: payloads with the types of their structures
    /// and superstructures.
    fn features(
        &self,
        side: usize,
        here: &ComparedDataset<'_>,
        (unit, hasher): (u32, &DefaultHashBuilder),
    ) -> Vec<u64> {
        let structures = here.root(unit).into_iter().flat_map(Structure::subtree);
        let mut features: Vec<u64> = structures
            .filter_map(|structure| {
                let kinds = (here.kind(structure), structure.superstructure().map(|above| here.kind(above)));
                Some(match (structure.data().kind, here.target(structure)) {
                    (Kind::None, _) => return None,
                    (_, Some(target)) => {
                        let unit = target.unit;
                        let partner = self.partner(side, unit).filter(|_| unit != METADATA)?;
                        hasher.hash_one((kinds, NONE, if side == 0 { unit } else { partner }))
                    }
                    _ => hasher.hash_one((kinds, structure.raw())),
                })
            })
            .collect();
        features.sort();
        features.dedup();
        features
    }
}
