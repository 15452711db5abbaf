//! Two units side by side, structure by structure.

use super::align::{Alignment, align};
use super::side::ComparedDataset;
use crate::structure::Structure;
use std::cmp::Ordering;

/// Two structures that correspond to each other, or one without a counterpart.
#[derive(Clone, Copy, Debug)]
pub(super) enum AlignedPair<'d> {
    /// Two structures of one type.
    Both(Structure<'d>, Structure<'d>),
    /// Two structures that agree, but are in another order among others of their type.
    Moved(Structure<'d>, Structure<'d>),
    /// A structure of the first dataset without a counterpart.
    One(Structure<'d>),
    /// A structure of the second dataset without a counterpart. The structure around it ends, in the first
    /// dataset, before the node with this index.
    Two(Structure<'d>, u32),
}

/// The way in which two units are walked.
#[derive(Clone, Copy)]
pub(super) struct UnitWalk<'w, 'd> {
    pub(super) sides: &'w [ComparedDataset<'d>; 2],
    /// The hash of each structure. Structures with the same hash agree, with all their substructures.
    pub(super) hashes: [&'w [u64]; 2],
    /// False if pairs that agree are not visited, nor their substructures.
    pub(super) visits_equal: bool,
}

/// Substructures of two structures that correspond to each other.
struct Siblings<'d> {
    ones: Vec<Structure<'d>>,
    twos: Vec<Structure<'d>>,
    /// The end of the first of these structures.
    end: u32,
}

impl<'d> UnitWalk<'_, 'd> {
    /// Visits the structures of two units, superstructures first.
    pub(super) fn visit(&self, units: [u32; 2], visit: &mut dyn FnMut(AlignedPair<'d>)) {
        let [one, two] = self.sides;
        let end = match one.root(units[0]) {
            Some(record) => record.data().next,
            // What only the second header has comes after the first structure of all.
            None => u32::from(!one.dataset.is_empty()),
        };
        let mut waiting = vec![Siblings { ones: one.tops(units[0]), twos: two.tops(units[1]), end }];
        while let Some(Siblings { ones, twos, end }) = waiting.pop() {
            for (ones, twos) in by_kind(self.sides, &ones, &twos) {
                for pair in self.align(ones, twos, end) {
                    match pair {
                        AlignedPair::Both(first, second)
                            if self.visits_equal || !self.agree(first, second) =>
                        {
                            waiting.push(self.siblings(first, second));
                        }
                        AlignedPair::Both(..) => continue,
                        AlignedPair::Moved(first, second) if self.visits_equal => {
                            waiting.push(self.siblings(first, second));
                        }
                        AlignedPair::Moved(..) | AlignedPair::One(_) | AlignedPair::Two(..) => {}
                    }
                    visit(pair);
                }
            }
        }
    }

    fn siblings(&self, one: Structure<'d>, two: Structure<'d>) -> Siblings<'d> {
        let [ones, twos] = [self.sides[0].beneath(one), self.sides[1].beneath(two)];
        Siblings { ones, twos, end: one.data().next }
    }

    fn hash(&self, side: usize, structure: Structure<'_>) -> u64 {
        self.hashes[side][structure.index()]
    }

    fn agree(&self, one: Structure<'_>, two: Structure<'_>) -> bool {
        self.hash(0, one) == self.hash(1, two)
    }

    /// Aligns substructures of one type; `end` is the end of the structure around the first ones.
    fn align(&self, ones: &[Structure<'d>], twos: &[Structure<'d>], end: u32) -> Vec<AlignedPair<'d>> {
        let likeness = |one: usize, two: usize| self.likeness(ones[one], twos[two]);
        let [hashes_of_one, hashes_of_two] = [(0, ones), (1, twos)]
            .map(|(side, of)| of.iter().map(|&each| self.hash(side, each)).collect::<Vec<u64>>());
        let steps = align(&hashes_of_one, &hashes_of_two, &likeness).into_iter();
        let pair = |step| match step {
            Alignment::Both(one, two) => AlignedPair::Both(ones[one], twos[two]),
            Alignment::Moved(one, two) => AlignedPair::Moved(ones[one], twos[two]),
            Alignment::One(one) => AlignedPair::One(ones[one]),
            Alignment::Two(two) => AlignedPair::Two(twos[two], end),
        };
        steps.map(pair).collect()
    }

    /// Scores the likeness of two structures of one type: by their payloads, and by the substructures that
    /// agree.
    fn likeness(&self, one: Structure<'d>, two: Structure<'d>) -> u32 {
        const SAME_PAYLOAD: u32 = 4;
        const SAME_SUBSTRUCTURE: u32 = 2;
        let same = one.data().kind == two.data().kind && one.raw() == two.raw() && !one.raw().is_empty();
        let mut likeness = if same { SAME_PAYLOAD } else { 0 };
        let [ones, twos] = [self.sorted_hashes(0, one), self.sorted_hashes(1, two)];
        let (mut left, mut right) = (ones.iter().peekable(), twos.iter().peekable());
        while let (Some(one), Some(two)) = (left.peek(), right.peek()) {
            match one.cmp(two) {
                Ordering::Less => drop(left.next()),
                Ordering::Greater => drop(right.next()),
                Ordering::Equal => {
                    likeness += SAME_SUBSTRUCTURE;
                    left.next();
                    right.next();
                }
            }
        }
        likeness
    }

    /// Returns the kinds and hashes of the first substructures, sorted.
    fn sorted_hashes(&self, side: usize, structure: Structure<'d>) -> Vec<(u32, u64)> {
        /// The most substructures that are looked at.
        const MOST: usize = 64;
        let each = |each: Structure<'d>| (self.sides[side].kind(each), self.hash(side, each));
        let mut hashes: Vec<(u32, u64)> = structure.substructures().take(MOST).map(each).collect();
        hashes.sort_unstable();
        hashes
    }
}

/// Pairs the structures of both sides by their types, in the order of these. Both lists are sorted by type.
fn by_kind<'a, 'd>(
    sides: &[ComparedDataset<'d>; 2],
    ones: &'a [Structure<'d>],
    twos: &'a [Structure<'d>],
) -> Vec<(&'a [Structure<'d>], &'a [Structure<'d>])> {
    let mut groups = Vec::new();
    let [mut left, mut right] = [(0, ones), (1, twos)].map(|(side, of)| {
        let side = &sides[side];
        of.chunk_by(move |one, other| side.kind(*one) == side.kind(*other)).peekable()
    });
    loop {
        let kind = |side: usize, group: Option<&&[Structure<'d>]>| group.map(|of| sides[side].kind(of[0]));
        let (take_left, take_right) = match (kind(0, left.peek()), kind(1, right.peek())) {
            (None, None) => return groups,
            (Some(one), Some(two)) => (one <= two, two <= one),
            (one, two) => (one.is_some(), two.is_some()),
        };
        let ones = if take_left { left.next() } else { None };
        let twos = if take_right { right.next() } else { None };
        // A type that one side lacks has no structures there.
        groups.push((ones.unwrap_or_default(), twos.unwrap_or_default()));
    }
}
