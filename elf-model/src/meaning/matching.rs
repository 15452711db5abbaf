//! Finds the units of two datasets that correspond to each other, whatever their identifiers are.
//!
//! Units with a shape that no other unit has are paired at once. The others get colours in rounds, as in tests for
//! graph isomorphism. In the first round, the colour of a unit is its shape. In each further round, the colour of a
//! unit also depends on the colours of the units to which the unit points, and of those that point to the unit. Units
//! whose colour is unique on both sides are paired. After the units with a unique colour, more units are paired by
//! following pointers in both directions.
//!
//! The colours of the last round are used first. Far from a change, they are the same on both sides. Near a change,
//! only colours of earlier rounds are the same.
//!
//! Colours are hashes. If two colours are equal by chance, the pairs may be worse than possible, but no difference is
//! lost. Hashes are different in each run, so nothing may depend on their order.

use super::units::{Link, METADATA, Units};
use crate::nodes::NONE;
use hashbrown::{DefaultHashBuilder, HashMap};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::BuildHasher;

/// The number of rounds in which colours are refined. Units that only further rounds would distinguish are paired by
/// following pointers.
const ROUNDS: usize = 8;

/// The work for breaking symmetries that is allowed for each unit.
const PATIENCE: u64 = 8;

/// The work for breaking symmetries that is always allowed, as a number of visited units. This work takes some
/// hundredths of a second.
const FREE_WORK: u64 = 1 << 20;

/// The maximum number of units in a group that are tried as the partner of a unit.
const TRIED: usize = 16;

/// Pairs of units that correspond to each other.
pub(super) struct Matching<'s, 'd> {
    pub(super) sides: [&'s Units<'d>; 2],
    /// The partner of each unit of either side. [`NONE`] if a unit has no partner yet.
    partners: [Vec<u32>; 2],
    hasher: DefaultHashBuilder,
    /// The pairs whose pointers have not been followed yet.
    queue: Vec<(u32, u32)>,
    /// Whether the pointers of each unit of the first side have been followed.
    followed: Vec<bool>,
    /// Possible pairs. Pointers at the same places point to these two units, but the units do not look the same.
    pub(super) guesses: Vec<(u32, u32)>,
    /// Groups of units with the same colour, for which no partner is certain.
    groups: Groups,
}

/// A colour for each unit of both sides.
type Colours = [Vec<u64>; 2];

/// The groups, ordered by size and then by number.
#[derive(Default)]
struct Groups {
    sizes: BinaryHeap<Reverse<(usize, usize)>>,
    groups: Vec<Option<Group>>,
}

/// Units of one colour.
struct Group {
    units: [Vec<u32>; 2],
    at: [usize; 2],
    /// The pairs of units that have the same identifier on both sides, in reverse order.
    named: Option<Vec<(u32, u32)>>,
}

impl<'s, 'd> Matching<'s, 'd> {
    /// Pairs the units in `given`, and then all units that look the same.
    pub(super) fn new(sides: [&'s Units<'d>; 2], given: impl Iterator<Item = [u32; 2]>) -> Matching<'s, 'd> {
        let mut matching = Matching {
            sides,
            partners: [0, 1].map(|side| vec![NONE; sides[side].len() as usize]),
            hasher: DefaultHashBuilder::default(),
            queue: Vec::new(),
            followed: vec![false; sides[0].len() as usize],
            guesses: Vec::new(),
            groups: Groups::default(),
        };
        matching.add_pair(METADATA, METADATA);
        for [one, two] in given {
            if matching.are_free(one, two) && sides[0].kind_of(one) == sides[1].kind_of(two) {
                matching.add_pair(one, two);
            }
        }
        matching.match_singular();
        let free = [0, 1].map(|side| matching.free_units(side));
        let mut rounds = vec![matching.first_colours()];
        let mut seen = 0;
        for _ in 0..ROUNDS {
            let Some(last) = rounds.last() else { break };
            let different = count_distinct(last, &free);
            if different == seen {
                break;
            }
            seen = different;
            let mut next = last.clone();
            matching.refine_colours(&mut next, &free);
            rounds.push(next);
        }
        if let Some(last) = rounds.last() {
            let finest = matching.mix_in_neighbourhoods(last, &free);
            matching.match_unlinked(&finest);
            matching.break_symmetries(finest);
        }
        for (round, colours) in rounds.iter().enumerate().rev() {
            matching.match_by_colour(colours, round > 0);
        }
        matching
    }

    pub(super) fn partner_of(&self, side: usize, unit: u32) -> Option<u32> {
        let partner = self.partners[side][unit as usize];
        (partner != NONE).then_some(partner)
    }

    fn is_free(&self, side: usize, unit: u32) -> bool {
        self.partner_of(side, unit).is_none()
    }

    pub(super) fn are_free(&self, one: u32, two: u32) -> bool {
        self.is_free(0, one) && self.is_free(1, two)
    }

    pub(super) fn free_units(&self, side: usize) -> Vec<u32> {
        (0..self.sides[side].len()).filter(|&unit| self.is_free(side, unit)).collect()
    }

    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.sides[0].len()).filter_map(|one| Some((one, self.partner_of(0, one)?)))
    }

    pub(super) fn add_pair(&mut self, one: u32, two: u32) {
        self.partners[0][one as usize] = two;
        self.partners[1][two as usize] = one;
        self.queue.push((one, two));
    }

    /// Returns whether two partners have the same content and their pointers point to partners. If a pointer points
    /// into a record or to metadata, this function does not know whether the targets correspond, and returns false.
    pub(super) fn agree_in_full(&self, one: u32, two: u32) -> bool {
        let [ones, twos] = [self.sides[0].links_from(one), self.sides[1].links_from(two)];
        self.sides[0].shape_of(one) == self.sides[1].shape_of(two)
            && ones.len() == twos.len()
            && ones.iter().zip(twos).all(|(from, to)| {
                from.leads_to_record()
                    && to.leads_to_record()
                    && self.partner_of(0, from.unit) == Some(to.unit)
            })
    }

    fn look_alike(&self, one: u32, two: u32) -> bool {
        one != METADATA && two != METADATA && self.sides[0].shape_of(one) == self.sides[1].shape_of(two)
    }

    fn first_colours(&self) -> Colours {
        let colour = |side: &Units<'_>, unit| match unit {
            METADATA => 0,
            _ => self.hasher.hash_one(side.shape_of(unit)),
        };
        [0, 1].map(|side| {
            let side = self.sides[side];
            (0..side.len()).map(|unit| colour(side, unit)).collect()
        })
    }

    fn match_singular(&mut self) {
        let [ones, twos] = self.sides;
        for_each_common_key(ones.by_shape(), twos.by_shape(), |ones, twos| {
            if let ([(_, one)], [(_, two)]) = (ones, twos)
                && self.are_free(*one, *two)
            {
                self.add_pair(*one, *two);
            }
        });
        self.queue.sort_unstable();
    }

    fn refine_colours(&self, colours: &mut Colours, free: &[Vec<u32>; 2]) {
        let new = [0, 1].map(|side| -> Vec<u64> {
            free[side].iter().map(|&unit| self.next_colour(colours, side, unit)).collect()
        });
        for (side, new) in new.into_iter().enumerate() {
            for (&unit, new) in free[side].iter().zip(new) {
                colours[side][unit as usize] = new;
            }
        }
    }

    /// Returns the colour of a unit in the next round. Partners have a colour in common that no other unit has.
    fn next_colour(&self, last: &Colours, side: usize, unit: u32) -> u64 {
        let old = |unit: u32| match self.partner_of(side, unit) {
            Some(partner) => self.hasher.hash_one((NONE, if side == 0 { unit } else { partner })),
            None => last[side][unit as usize],
        };
        let here = self.sides[side];
        let to = here
            .links_from(unit)
            .iter()
            .fold(old(unit), |known, link| self.hasher.hash_one((known, old(link.unit), link.place)));
        let from = here.links_to(unit).iter().fold(0_u64, |sum, link| {
            sum.wrapping_add(self.hasher.hash_one((old(link.unit), link.number, link.place)))
        });
        self.hasher.hash_one((to, from))
    }

    /// Returns colours that depend on all free units to which a unit is connected. Connected units are reached by
    /// pointers in either direction, also through other free units.
    fn mix_in_neighbourhoods(&self, colours: &Colours, free: &[Vec<u32>; 2]) -> Colours {
        [0, 1].map(|side| {
            let here = self.sides[side];
            let mut above: Vec<u32> = (0..here.len()).collect();
            for &unit in &free[side] {
                for link in here.links_from(unit).iter().filter(|link| self.is_free(side, link.unit)) {
                    let [one, two] = [unit, link.unit].map(|of| find_root(&mut above, of));
                    above[one.max(two) as usize] = one.min(two);
                }
            }
            let mut colours = colours[side].clone();
            let mut sums = vec![0_u64; above.len()];
            for &unit in &free[side] {
                let sum = &mut sums[find_root(&mut above, unit) as usize];
                *sum = sum.wrapping_add(self.hasher.hash_one(colours[unit as usize]));
            }
            for &unit in &free[side] {
                let sum = sums[find_root(&mut above, unit) as usize];
                let colour = &mut colours[unit as usize];
                *colour = self.hasher.hash_one((*colour, sum));
            }
            colours
        })
    }

    /// Pairs units that have no pointers and to which no pointers point, for each colour that occurs equally often on
    /// both sides. For such units, any pair is as good as another.
    fn match_unlinked(&mut self, colours: &Colours) {
        let lone = [0, 1].map(|side| {
            let here = self.sides[side];
            let mut lone = self.free_units(side);
            lone.retain(|&unit| here.links_from(unit).is_empty() && here.links_to(unit).is_empty());
            lone
        });
        for (ones, twos) in group_by_colour(&lone, colours) {
            if ones.len() == twos.len() {
                for (one, two) in self.pairs_by_name(&ones, &twos) {
                    self.add_pair(one, two);
                }
                let mut left = twos.into_iter();
                for one in ones {
                    if self.is_free(0, one)
                        && let Some(two) = left.by_ref().find(|&two| self.is_free(1, two))
                    {
                        self.add_pair(one, two);
                    }
                }
            }
        }
    }

    /// Pairs units whose colour is unique. If there are none, pairs any two units of one colour, and then refines the
    /// colours of the other units. Stops when the allowed work has been done.
    fn break_symmetries(&mut self, mut colours: Colours) {
        let all: u64 = self.sides.iter().map(|side| u64::from(side.len()) + side.link_count()).sum();
        let mut budget = all * PATIENCE + FREE_WORK;
        let mut free = [0, 1].map(|side| self.free_units(side));
        loop {
            let before = free[0].len();
            self.match_unique(&colours, &free);
            self.follow_pointers(&colours);
            self.groups = Groups::default();
            for (side, free) in free.iter_mut().enumerate() {
                free.retain(|&unit| self.is_free(side, unit));
            }
            let cost: u64 = free.iter().zip(self.sides).map(|(free, side)| side.estimate_work(free)).sum();
            match budget.checked_sub(cost * 4) {
                Some(left) if free.iter().all(|free| !free.is_empty()) => budget = left,
                _ => return,
            }
            for _ in 0..2 {
                self.refine_colours(&mut colours, &free);
            }
            if free[0].len() < before {
                continue;
            }
            let groups = group_by_colour(&free, &colours);
            if groups.iter().any(|(ones, twos)| ones.len() == 1 && twos.len() == 1) {
                continue;
            }
            let balanced = groups.into_iter().filter(|(ones, twos)| ones.len() == twos.len());
            let Some((ones, twos)) = balanced.min_by_key(|(ones, _)| ones.len()) else { return };
            if !self.pair_from_group(&mut Group::new(ones, twos)) {
                return;
            }
        }
    }

    /// Pairs the remaining units of the same colour. If `exactly` is true, uses only colours that occur equally often
    /// on both sides.
    fn match_by_colour(&mut self, colours: &Colours, exactly: bool) {
        let free = [0, 1].map(|side| self.free_units(side));
        if free.iter().any(Vec::is_empty) {
            return;
        }
        // With these colours, the pairs to which free units point may lead to further pairs.
        let mut near: Vec<u32> = free[0]
            .iter()
            .flat_map(|&unit| self.sides[0].links_from(unit))
            .map(|link| link.unit)
            .filter(|&unit| !self.is_free(0, unit))
            .collect();
        near.sort();
        near.dedup();
        for one in near {
            if let Some(two) = self.partner_of(0, one) {
                self.queue.push((one, two));
            }
        }
        self.match_unique(colours, &free);
        self.follow_pointers(colours);
        for (ones, twos) in group_by_colour(&free, colours) {
            if ones.len() == twos.len() || !exactly {
                self.groups.add(Group::new(ones, twos));
            }
        }
        while let Some((number, mut group)) = self.groups.pop_smallest() {
            if self.pair_from_group(&mut group) {
                self.follow_pointers(colours);
                self.groups.put_back(number, group);
            }
        }
    }

    fn match_unique(&mut self, colours: &Colours, free: &[Vec<u32>; 2]) {
        for (ones, twos) in group_by_colour(free, colours) {
            if let ([one], [two]) = (&*ones, &*twos)
                && self.are_free(*one, *two)
            {
                self.add_pair(*one, *two);
            }
        }
    }

    fn follow_pointers(&mut self, colours: &Colours) {
        let sides = self.sides;
        let mut beyond: Vec<(u32, u32, bool)> = Vec::new();
        while let Some((one, two)) = self.queue.pop() {
            let links = [sides[0].links_from(one), sides[1].links_from(two)];
            // A pair may be in the queue several times, but its pointers are followed once.
            let is_new = !std::mem::replace(&mut self.followed[one as usize], true);
            if is_new && sides[0].shape_of(one) == sides[1].shape_of(two) {
                // Sort the links, so that the result does not depend on the canonical order.
                let links = links[0].iter().zip(links[1]);
                beyond.extend(links.map(|(from, to)| (from.unit, to.unit, from.place == to.place)));
                beyond.sort_by_key(|&(.., is_same_place)| is_same_place);
                beyond.sort_by_key(|&(from, to, _)| (from, to));
                for (from, to, is_same_place) in beyond.drain(..) {
                    if !self.are_free(from, to) {
                        continue;
                    }
                    if is_same_place && self.look_alike(from, to) {
                        self.add_pair(from, to);
                    } else {
                        self.guesses.push((from, to));
                    }
                }
            }
            self.follow_referrers(one, two, colours);
        }
    }

    /// Pairs the units that point to the two units of a pair from the same place.
    fn follow_referrers(&mut self, one: u32, two: u32, colours: &Colours) {
        let has_free = |(side, unit): (usize, u32)| {
            let referrers = self.sides[side].links_to(unit);
            referrers.iter().any(|link| self.is_free(side, link.unit))
        };
        if ![(0, one), (1, two)].into_iter().all(has_free) {
            return;
        }
        let [ones, twos] = [(0, one), (1, two)].map(|(side, unit)| {
            let key = |link: &Link| {
                let colour = colours[side][link.unit as usize];
                ((colour, link.number, link.place), link.unit)
            };
            let free = |link: &&Link| self.is_free(side, link.unit);
            let mut keyed: Vec<_> = self.sides[side].links_to(unit).iter().filter(free).map(key).collect();
            keyed.sort_unstable();
            keyed
        });
        for (ones, twos) in merge_groups(&ones, &twos) {
            if let ([one], [two]) = (&*ones, &*twos) {
                if self.are_free(*one, *two) && self.look_alike(*one, *two) {
                    self.add_pair(*one, *two);
                }
            } else if ones.len() == twos.len() {
                self.groups.add(Group::new(ones, twos));
            }
        }
    }

    /// Pairs two units of a group. Returns whether there were two units that could be paired.
    fn pair_from_group(&mut self, group: &mut Group) -> bool {
        let [ones, twos] = &group.units;
        let mut named = match group.named.take() {
            Some(named) => named,
            None => self.pairs_by_name(ones, twos),
        };
        let mut found = None;
        while let Some((one, two)) = named.pop() {
            if self.are_free(one, two) && self.may_correspond(one, two) {
                found = Some((one, two));
                break;
            }
        }
        group.named = Some(named);
        if found.is_none() {
            for side in 0..2 {
                while let Some(&unit) = group.units[side].get(group.at[side])
                    && !self.is_free(side, unit)
                {
                    group.at[side] += 1;
                }
            }
            let one = group.units[0].get(group.at[0]).copied();
            let rest = &group.units[1][group.at[1]..];
            let mut free = rest.iter().copied().filter(|&two| self.is_free(1, two)).take(TRIED);
            let first = free.clone().next();
            found =
                one.and_then(|one| Some((one, free.find(|&two| self.may_correspond(one, two)).or(first)?)));
        }
        if let Some((one, two)) = found {
            self.add_pair(one, two);
        }
        found.is_some()
    }

    /// Returns whether the pointers of both units point to partners, or to units that may become partners.
    fn may_correspond(&self, one: u32, two: u32) -> bool {
        let [ones, twos] = [self.sides[0].links_from(one), self.sides[1].links_from(two)];
        ones.len() == twos.len()
            && ones.iter().zip(twos).all(|(from, to)| match self.partner_of(0, from.unit) {
                Some(partner) => partner == to.unit,
                None => self.is_free(1, to.unit),
            })
    }

    /// Returns pairs of units with the same identifier on both sides, with the last pair first. If several units have
    /// an identifier, they are paired in their order.
    fn pairs_by_name(&self, ones: &[u32], twos: &[u32]) -> Vec<(u32, u32)> {
        let mut named: HashMap<&str, VecDeque<u32>> = HashMap::new();
        for &two in twos {
            if let Some(name) = self.sides[1].name(two) {
                named.entry(name).or_default().push_back(two);
            }
        }
        let two = |&one: &u32| Some((one, named.get_mut(self.sides[0].name(one)?)?.pop_front()?));
        let mut pairs: Vec<(u32, u32)> = ones.iter().filter_map(two).collect();
        pairs.reverse();
        pairs
    }
}

impl Group {
    fn new(ones: Vec<u32>, twos: Vec<u32>) -> Group {
        Group { units: [ones, twos], at: [0, 0], named: None }
    }

    fn size(&self) -> usize {
        let [ones, twos] = &self.units;
        ones.len().max(twos.len())
    }
}

impl Groups {
    fn add(&mut self, group: Group) {
        self.sizes.push(Reverse((group.size(), self.groups.len())));
        self.groups.push(Some(group));
    }

    fn pop_smallest(&mut self) -> Option<(usize, Group)> {
        let Reverse((_, number)) = self.sizes.pop()?;
        Some((number, self.groups[number].take()?))
    }

    fn put_back(&mut self, number: usize, group: Group) {
        self.sizes.push(Reverse((group.size(), number)));
        self.groups[number] = Some(group);
    }
}

/// Groups units by the colours that occur on both sides, in the order of the first side.
fn group_by_colour(units: &[Vec<u32>; 2], colours: &Colours) -> Vec<(Vec<u32>, Vec<u32>)> {
    let [ones, twos] = [0, 1].map(|side| {
        let keyed = units[side].iter().map(|&unit| (colours[side][unit as usize], unit));
        let mut keyed: Vec<(u64, u32)> = keyed.collect();
        keyed.sort_unstable();
        keyed
    });
    merge_groups(&ones, &twos)
}

/// Groups units by the keys that occur on both sides, in the order of the first side. Both lists must be sorted by key.
fn merge_groups<K: Ord>(ones: &[(K, u32)], twos: &[(K, u32)]) -> Vec<(Vec<u32>, Vec<u32>)> {
    let mut groups = Vec::new();
    for_each_common_key(ones, twos, |ones, twos| {
        let [ones, twos] = [ones, twos].map(|of| of.iter().map(|&(_, unit)| unit).collect());
        groups.push((ones, twos));
    });
    groups
        .sort_by_key(|(ones, _): &(Vec<u32>, Vec<u32>)| ones.first().map_or(0, |&unit| u64::from(unit) + 1));
    groups
}

/// Calls `visit` for each key that both lists have, with the units of both sides. Both lists must be sorted by key.
fn for_each_common_key<K: Ord>(
    ones: &[(K, u32)],
    twos: &[(K, u32)],
    mut visit: impl FnMut(&[(K, u32)], &[(K, u32)]),
) {
    let [mut left, mut right] = [ones, twos].map(|of| of.chunk_by(|one, other| one.0 == other.0).peekable());
    while let (Some(ones), Some(twos)) = (left.peek(), right.peek()) {
        match ones.first().map(|(key, _)| key).cmp(&twos.first().map(|(key, _)| key)) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                visit(ones, twos);
                left.next();
                right.next();
            }
        }
    }
}

fn count_distinct(colours: &Colours, units: &[Vec<u32>; 2]) -> usize {
    let of = |side: usize| units[side].iter().map(move |&unit| colours[side][unit as usize]);
    let mut all: Vec<u64> = of(0).chain(of(1)).collect();
    all.sort();
    all.dedup();
    all.len()
}

/// Returns the root of a unit in a union-find forest. Shortens the path to the root.
fn find_root(above: &mut [u32], mut of: u32) -> u32 {
    loop {
        let next = above[of as usize];
        if next == of {
            return of;
        }
        above[of as usize] = above[next as usize];
        of = next;
    }
}
