//! Matching of units of two datasets that stand for the same, whatever their identifiers.
//!
//! Units that alone look as they do are put side by side at once. The others get colours in rounds. In the
//! first, a colour is what a unit looks like; in each further one also the colours of the units that its
//! pointers lead to and that point to it, be these side by side already. Units that stand alone in their
//! colour on both sides are put side by side, and so is what follows from that along pointers, in either
//! direction, however far. It begins with the finest colours: far from a change they are the same on both
//! sides, and near it coarser ones are. Colours are hashes: should two meet by chance, a pairing may be worse
//! than it could be, and no more. They are other ones in each run, so nothing is done in their order.

use super::units::{Link, METADATA, Units};
use crate::nodes::NONE;
use hashbrown::{DefaultHashBuilder, HashMap};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::BuildHasher;

/// The number of rounds in which colours are refined. Units that further rounds would tell apart follow along
/// pointers.
const ROUNDS: usize = 8;

/// The most times that all units are looked at to break symmetries with care.
const PATIENCE: u64 = 8;

/// The work that is not too much for the smallest datasets, in looks at a unit: some hundredths of a second.
const FREE_WORK: u64 = 1 << 20;

/// The most units that are tried for a place that several would fit.
const TRIED: usize = 16;

/// Units side by side.
pub(super) struct Matching<'s, 'd> {
    pub(super) sides: [&'s Units<'d>; 2],
    /// The unit that each unit of either side stands beside.
    partners: [Vec<u32>; 2],
    hasher: DefaultHashBuilder,
    /// Pairs whose pointers were not followed yet.
    queue: Vec<(u32, u32)>,
    /// Units of the first side whose pointers were followed.
    followed: Vec<bool>,
    /// Units that pointers in the same places lead to, though they do not look the same.
    pub(super) guesses: Vec<(u32, u32)>,
    /// Groups of units, each of which may stand beside any other, small ones first.
    groups: Groups,
}

/// A colour for each unit of both sides.
type Colours = [Vec<u64>; 2];

/// Groups, by their sizes and in the order in which they came.
#[derive(Default)]
struct Groups {
    sizes: BinaryHeap<Reverse<(usize, usize)>>,
    groups: Vec<Option<Group>>,
}

/// Units of one colour.
struct Group {
    units: [Vec<u32>; 2],
    at: [usize; 2],
    /// The pairs of units that bear the same identifier on both sides, last ones first.
    named: Option<Vec<(u32, u32)>>,
}

impl<'s, 'd> Matching<'s, 'd> {
    /// Puts side by side all units that look the same, as well as can be told.
    pub(super) fn new(sides: [&'s Units<'d>; 2]) -> Matching<'s, 'd> {
        let mut matching = Matching {
            sides,
            partners: [0, 1].map(|side| vec![NONE; sides[side].len() as usize]),
            hasher: DefaultHashBuilder::default(),
            queue: Vec::new(),
            followed: vec![false; sides[0].len() as usize],
            guesses: Vec::new(),
            groups: Groups::default(),
        };
        matching.pair(METADATA, METADATA);
        matching.match_singular();
        let free = [0, 1].map(|side| matching.free(side));
        let mut rounds = vec![matching.first_colours()];
        let mut seen = 0;
        for _ in 0..ROUNDS {
            let Some(last) = rounds.last() else { break };
            let different = distinct(last, &free);
            if different == seen {
                break;
            }
            seen = different;
            let mut next = last.clone();
            matching.refine(&mut next, &free);
            rounds.push(next);
        }
        if let Some(last) = rounds.last() {
            let finest = matching.with_neighbourhoods(last, &free);
            matching.match_lone(&finest);
            matching.break_symmetries(finest);
        }
        for (round, colours) in rounds.iter().enumerate().rev() {
            matching.match_by(colours, round > 0);
        }
        matching
    }

    /// The unit beside `unit` of that side.
    pub(super) fn partner(&self, side: usize, unit: u32) -> Option<u32> {
        self.partners.get(side)?.get(unit as usize).copied().filter(|&partner| partner != NONE)
    }

    fn is_free(&self, side: usize, unit: u32) -> bool {
        self.partner(side, unit).is_none()
    }

    pub(super) fn are_free(&self, one: u32, two: u32) -> bool {
        self.is_free(0, one) && self.is_free(1, two)
    }

    /// The units of a side that stand beside none.
    pub(super) fn free(&self, side: usize) -> Vec<u32> {
        (0..self.sides[side].len()).filter(|&unit| self.is_free(side, unit)).collect()
    }

    /// The pairs, in the order of the first dataset.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.sides[0].len()).filter_map(|one| Some((one, self.partner(0, one)?)))
    }

    /// Puts two units side by side.
    pub(super) fn pair(&mut self, one: u32, two: u32) {
        for (side, unit, partner) in [(0, one, two), (1, two, one)] {
            if let Some(entry) = self.partners[side].get_mut(unit as usize) {
                *entry = partner;
            }
        }
        self.queue.push((one, two));
    }

    fn look_alike(&self, one: u32, two: u32) -> bool {
        one != METADATA && two != METADATA && self.sides[0].shape(one) == self.sides[1].shape(two)
    }

    fn first_colours(&self) -> Colours {
        let colour = |side: &Units<'_>, unit| match unit {
            METADATA => 0,
            _ => self.hasher.hash_one(side.shape(unit)),
        };
        [0, 1].map(|side| {
            let side = self.sides[side];
            (0..side.len()).map(|unit| colour(side, unit)).collect()
        })
    }

    /// Puts side by side the units that alone have their shape on both sides: whatever is around them, none
    /// can stand beside another.
    fn match_singular(&mut self) {
        let [ones, twos] = self.sides;
        for_merged(ones.by_shape(), twos.by_shape(), |ones, twos| {
            if let ([(_, one)], [(_, two)]) = (ones, twos) {
                self.pair(*one, *two);
            }
        });
        self.queue.sort_unstable();
    }

    /// Colours in one round the units that stand beside none; those that do have a colour of their own.
    fn refine(&self, colours: &mut Colours, free: &[Vec<u32>; 2]) {
        let new = [0, 1].map(|side| -> Vec<u64> {
            free[side].iter().map(|&unit| self.colour(colours, side, unit)).collect()
        });
        for (side, new) in new.into_iter().enumerate() {
            for (&unit, new) in free[side].iter().zip(new) {
                if let Some(entry) = colours[side].get_mut(unit as usize) {
                    *entry = new;
                }
            }
        }
    }

    /// The next colour of a unit.
    fn colour(&self, last: &Colours, side: usize, unit: u32) -> u64 {
        let old = |unit: u32| match self.partner(side, unit) {
            Some(partner) => self.hasher.hash_one((NONE, if side == 0 { unit } else { partner })),
            None => last[side].get(unit as usize).copied().unwrap_or_default(),
        };
        let here = self.sides[side];
        let to = here
            .links(unit)
            .iter()
            .fold(old(unit), |known, link| self.hasher.hash_one((known, old(link.unit), link.place)));
        let from = here.referrers(unit).iter().fold(0_u64, |sum, link| {
            sum.wrapping_add(self.hasher.hash_one((old(link.unit), link.number, link.place)))
        });
        self.hasher.hash_one((to, from))
    }

    /// Colours of the units that stand beside none that also tell what all such units have that pointers lead
    /// to, in either direction and through others.
    fn with_neighbourhoods(&self, colours: &Colours, free: &[Vec<u32>; 2]) -> Colours {
        [0, 1].map(|side| {
            let here = self.sides[side];
            let mut above: Vec<u32> = (0..here.len()).collect();
            for &unit in &free[side] {
                for link in here.links(unit).iter().filter(|link| self.is_free(side, link.unit)) {
                    let [one, two] = [unit, link.unit].map(|of| find(&mut above, of));
                    if let Some(entry) = above.get_mut(one.max(two) as usize) {
                        *entry = one.min(two);
                    }
                }
            }
            let mut colours = colours[side].clone();
            let mut sums = vec![0_u64; above.len()];
            for &unit in &free[side] {
                let colour = colours.get(unit as usize).copied().unwrap_or_default();
                let top = find(&mut above, unit);
                if let Some(sum) = sums.get_mut(top as usize) {
                    *sum = sum.wrapping_add(self.hasher.hash_one(colour));
                }
            }
            for &unit in &free[side] {
                let sum = sums.get(find(&mut above, unit) as usize).copied().unwrap_or_default();
                if let Some(colour) = colours.get_mut(unit as usize) {
                    *colour = self.hasher.hash_one((*colour, sum));
                }
            }
            colours
        })
    }

    /// Puts side by side units that nothing points to and that point to nothing: any of one colour will do.
    fn match_lone(&mut self, colours: &Colours) {
        let lone = [0, 1].map(|side| {
            let here = self.sides[side];
            let mut lone = self.free(side);
            lone.retain(|&unit| here.links(unit).is_empty() && here.referrers(unit).is_empty());
            lone
        });
        for (ones, twos) in grouped(lone, colours) {
            if ones.len() == twos.len() {
                for (one, two) in self.by_name(&ones, &twos) {
                    self.pair(one, two);
                }
                let mut left = twos.into_iter();
                for one in ones {
                    if self.is_free(0, one)
                        && let Some(two) = left.by_ref().find(|&two| self.is_free(1, two))
                    {
                        self.pair(one, two);
                    }
                }
            }
        }
    }

    /// Puts side by side what stands alone in its colour. Where that is nothing, it picks two of a colour,
    /// and refines the colours of what is left: as long as that is not too much work.
    fn break_symmetries(&mut self, mut colours: Colours) {
        let all: u64 = self.sides.iter().map(|side| u64::from(side.len()) + side.link_count()).sum();
        let mut budget = all * PATIENCE + FREE_WORK;
        let mut free = [0, 1].map(|side| self.free(side));
        loop {
            let before = free[0].len();
            self.match_unique(&colours, &free);
            self.follow(&colours);
            self.groups = Groups::default();
            for (side, free) in free.iter_mut().enumerate() {
                free.retain(|&unit| self.is_free(side, unit));
            }
            let cost: u64 = free.iter().zip(self.sides).map(|(free, side)| side.work(free)).sum();
            match budget.checked_sub(cost * 4) {
                Some(left) if free.iter().all(|free| !free.is_empty()) => budget = left,
                _ => return,
            }
            for _ in 0..2 {
                self.refine(&mut colours, &free);
            }
            if free[0].len() < before {
                continue;
            }
            let groups = grouped(free.clone(), &colours);
            if groups.iter().any(|(ones, twos)| ones.len() == 1 && twos.len() == 1) {
                continue;
            }
            let balanced = groups.into_iter().filter(|(ones, twos)| ones.len() == twos.len());
            let Some((ones, twos)) = balanced.min_by_key(|(ones, _)| ones.len()) else { return };
            if !self.pick(&mut Group::new(ones, twos)) {
                return;
            }
        }
    }

    /// Puts side by side what is left, by its colour. `exactly`: only where there are as many on both sides.
    fn match_by(&mut self, colours: &Colours, exactly: bool) {
        let free = [0, 1].map(|side| self.free(side));
        if free.iter().any(Vec::is_empty) {
            return;
        }
        // What has a partner already and is pointed to by what has none may tell more now.
        let mut near: Vec<u32> = free[0]
            .iter()
            .flat_map(|&unit| self.sides[0].links(unit))
            .map(|link| link.unit)
            .filter(|&unit| !self.is_free(0, unit))
            .collect();
        near.sort();
        near.dedup();
        for one in near {
            if let Some(two) = self.partner(0, one) {
                self.queue.push((one, two));
            }
        }
        self.match_unique(colours, &free);
        self.follow(colours);
        for (ones, twos) in grouped(free, colours) {
            if ones.len() == twos.len() || !exactly {
                self.groups.add(Group::new(ones, twos));
            }
        }
        while let Some((number, mut group)) = self.groups.smallest() {
            if self.pick(&mut group) {
                self.follow(colours);
                self.groups.put_back(number, group);
            }
        }
    }

    fn match_unique(&mut self, colours: &Colours, free: &[Vec<u32>; 2]) {
        for (ones, twos) in grouped(free.clone(), colours) {
            if let ([one], [two]) = (&*ones, &*twos)
                && self.are_free(*one, *two)
            {
                self.pair(*one, *two);
            }
        }
    }

    /// Follows the pointers of all pairs that are new.
    fn follow(&mut self, colours: &Colours) {
        let sides = self.sides;
        let mut beyond: Vec<(u32, u32, bool)> = Vec::new();
        while let Some((one, two)) = self.queue.pop() {
            let links = [sides[0].links(one), sides[1].links(two)];
            // What a pointer tells counts once, however often the pair comes.
            let followed = self.followed.get_mut(one as usize);
            let is_new = followed.is_some_and(|followed| !std::mem::replace(followed, true));
            if is_new && sides[0].shape(one) == sides[1].shape(two) {
                // Places are hashes, too, and links may stand in their order.
                let links = links[0].iter().zip(links[1]);
                beyond.extend(links.map(|(from, to)| (from.unit, to.unit, from.place == to.place)));
                beyond.sort_by_key(|&(.., is_same_place)| is_same_place);
                beyond.sort_by_key(|&(from, to, _)| (from, to));
                for (from, to, is_same_place) in beyond.drain(..) {
                    if !self.are_free(from, to) {
                        continue;
                    }
                    if is_same_place && self.look_alike(from, to) {
                        self.pair(from, to);
                    } else {
                        self.guesses.push((from, to));
                    }
                }
            }
            self.follow_back(one, two, colours);
        }
    }

    /// Puts side by side what points to a pair from the same place.
    fn follow_back(&mut self, one: u32, two: u32, colours: &Colours) {
        let has_free = |(side, unit): (usize, u32)| {
            let referrers = self.sides[side].referrers(unit);
            referrers.iter().any(|link| self.is_free(side, link.unit))
        };
        if ![(0, one), (1, two)].into_iter().all(has_free) {
            return;
        }
        let [ones, twos] = [(0, one), (1, two)].map(|(side, unit)| {
            let key = |link: &Link| {
                let colour = colours[side].get(link.unit as usize).copied().unwrap_or_default();
                ((colour, link.number, link.place), link.unit)
            };
            let free = |link: &&Link| self.is_free(side, link.unit);
            let mut keyed: Vec<_> = self.sides[side].referrers(unit).iter().filter(free).map(key).collect();
            keyed.sort_unstable();
            keyed
        });
        for (ones, twos) in merged(&ones, &twos) {
            if let ([one], [two]) = (&*ones, &*twos) {
                if self.are_free(*one, *two) && self.look_alike(*one, *two) {
                    self.pair(*one, *two);
                }
            } else if ones.len() == twos.len() {
                self.groups.add(Group::new(ones, twos));
            }
        }
    }

    /// Puts two units of a group side by side; whether there were two.
    fn pick(&mut self, group: &mut Group) -> bool {
        let [ones, twos] = &group.units;
        let mut named = match group.named.take() {
            Some(named) => named,
            None => self.by_name(ones, twos),
        };
        let mut found = None;
        while let Some((one, two)) = named.pop() {
            if self.are_free(one, two) && self.agree(one, two) {
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
            let rest = group.units[1].get(group.at[1]..).unwrap_or_default();
            let mut free = rest.iter().copied().filter(|&two| self.is_free(1, two)).take(TRIED);
            let first = free.clone().next();
            found = one.and_then(|one| Some((one, free.find(|&two| self.agree(one, two)).or(first)?)));
        }
        if let Some((one, two)) = found {
            self.pair(one, two);
        }
        found.is_some()
    }

    /// Tells whether the pointers of both units lead to units that may stand side by side.
    fn agree(&self, one: u32, two: u32) -> bool {
        let [ones, twos] = [self.sides[0].links(one), self.sides[1].links(two)];
        ones.len() == twos.len()
            && ones.iter().zip(twos).all(|(from, to)| match self.partner(0, from.unit) {
                Some(partner) => partner == to.unit,
                None => self.is_free(1, to.unit),
            })
    }

    /// Units that bear the same identifier on both sides; where several bear it, those of one number among
    /// them. Last ones come first, and no unit comes twice.
    fn by_name(&self, ones: &[u32], twos: &[u32]) -> Vec<(u32, u32)> {
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
        self.units.iter().map(Vec::len).max().unwrap_or_default()
    }
}

impl Groups {
    fn add(&mut self, group: Group) {
        self.sizes.push(Reverse((group.size(), self.groups.len())));
        self.groups.push(Some(group));
    }

    /// Takes the smallest one out, with its number.
    fn smallest(&mut self) -> Option<(usize, Group)> {
        let Reverse((_, number)) = self.sizes.pop()?;
        Some((number, self.groups.get_mut(number)?.take()?))
    }

    fn put_back(&mut self, number: usize, group: Group) {
        self.sizes.push(Reverse((group.size(), number)));
        if let Some(entry) = self.groups.get_mut(number) {
            *entry = Some(group);
        }
    }
}

/// Units by their colours, those of both sides that have the same, in the order of the first side.
fn grouped(units: [Vec<u32>; 2], colours: &Colours) -> Vec<(Vec<u32>, Vec<u32>)> {
    let mut side = 0;
    let [ones, twos] = units.map(|units| {
        let colour = |unit: u32| colours[side].get(unit as usize).copied().unwrap_or_default();
        let mut keyed: Vec<(u64, u32)> = units.into_iter().map(|unit| (colour(unit), unit)).collect();
        keyed.sort_unstable();
        side += 1;
        keyed
    });
    merged(&ones, &twos)
}

/// Groups the units of both sides by the keys that both have, in the order of the first side; each list is
/// sorted by its keys.
fn merged<K: Ord>(ones: &[(K, u32)], twos: &[(K, u32)]) -> Vec<(Vec<u32>, Vec<u32>)> {
    let mut groups = Vec::new();
    for_merged(ones, twos, |ones, twos| {
        let [ones, twos] = [ones, twos].map(|of| of.iter().map(|&(_, unit)| unit).collect());
        groups.push((ones, twos));
    });
    groups
        .sort_by_key(|(ones, _): &(Vec<u32>, Vec<u32>)| ones.first().map_or(0, |&unit| u64::from(unit) + 1));
    groups
}

/// Hands on the units of both sides for each key that both have; each list is sorted by its keys.
fn for_merged<K: Ord>(ones: &[(K, u32)], twos: &[(K, u32)], mut take: impl FnMut(&[(K, u32)], &[(K, u32)])) {
    let [mut left, mut right] = [ones, twos].map(|of| of.chunk_by(|one, other| one.0 == other.0).peekable());
    while let (Some(ones), Some(twos)) = (left.peek(), right.peek()) {
        match ones.first().map(|(key, _)| key).cmp(&twos.first().map(|(key, _)| key)) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                take(ones, twos);
                left.next();
                right.next();
            }
        }
    }
}

/// Counts the different colours of these units.
fn distinct(colours: &Colours, units: &[Vec<u32>; 2]) -> usize {
    let of = |(colours, units): (&Vec<u64>, &Vec<u32>)| -> Vec<u64> {
        units.iter().filter_map(|&unit| colours.get(unit as usize).copied()).collect()
    };
    let mut all: Vec<u64> = colours.iter().zip(units).flat_map(of).collect();
    all.sort();
    all.dedup();
    all.len()
}

/// The first unit of those that are joined with that one; shortens the way there.
fn find(above: &mut [u32], mut of: u32) -> u32 {
    loop {
        let Some(&next) = above.get(of as usize) else { return of };
        if next == of {
            return of;
        }
        let further = above.get(next as usize).copied().unwrap_or(next);
        if let Some(entry) = above.get_mut(of as usize) {
            *entry = further;
        }
        of = next;
    }
}
