//! Visits the structures of two units side by side.

use super::align::{Alignment, align_lists};
use super::side::ComparedDataset;
use crate::structure::Structure;
use std::cmp::Ordering;

/// Two structures that correspond to each other, or one structure without a counterpart.
#[derive(Clone, Copy, Debug)]
pub(super) enum AlignedPair<'d> {
    /// Two structures of one type.
    Both(Structure<'d>, Structure<'d>),
    /// Two structures that agree, but whose order among the structures of their kind is different.
    Moved(Structure<'d>, Structure<'d>),
    /// A structure of the first dataset without a counterpart.
    One(Structure<'d>),
    /// A structure of the second dataset without a counterpart. The number is the end, in the first dataset, of the
    /// counterpart of its superstructure.
    Two(Structure<'d>, u32),
}

#[derive(Clone, Copy)]
pub(super) struct UnitWalk<'w, 'd> {
    pub(super) sides: &'w [ComparedDataset<'d>; 2],
    /// The hash of each structure. Structures with the same hash are equal, and so are all their substructures.
    pub(super) hashes: [&'w [u64]; 2],
    /// Whether equal pairs and their substructures are visited too.
    pub(super) visits_equal: bool,
}

/// The substructures of two structures that correspond to each other.
struct Siblings<'d> {
    ones: Vec<Structure<'d>>,
    twos: Vec<Structure<'d>>,
    /// The end of the first of the two structures, as an index in the first dataset.
    end: u32,
}

impl<'d> UnitWalk<'_, 'd> {
    /// Visits the structures of two units. Each structure is visited before its substructures.
    pub(super) fn visit_pairs(&self, units: [u32; 2], visit: &mut dyn FnMut(AlignedPair<'d>)) {
        let [one, two] = self.sides;
        let end = match one.record_of(units[0]) {
            Some(record) => record.node().next,
            // Metadata that only the second dataset has is listed after the first structure.
            None => u32::from(!one.dataset.is_empty()),
        };
        let mut waiting =
            vec![Siblings { ones: one.top_structures(units[0]), twos: two.top_structures(units[1]), end }];
        while let Some(Siblings { ones, twos, end }) = waiting.pop() {
            for (ones, twos) in pair_by_kind(self.sides, &ones, &twos) {
                for pair in self.align_kind(ones, twos, end) {
                    match pair {
                        AlignedPair::Both(first, second)
                            if self.visits_equal || !self.are_equal(first, second) =>
                        {
                            waiting.push(self.group_siblings(first, second));
                        }
                        AlignedPair::Both(..) => continue,
                        AlignedPair::Moved(first, second) if self.visits_equal => {
                            waiting.push(self.group_siblings(first, second));
                        }
                        AlignedPair::Moved(..) | AlignedPair::One(_) | AlignedPair::Two(..) => {}
                    }
                    visit(pair);
                }
            }
        }
    }

    fn group_siblings(&self, one: Structure<'d>, two: Structure<'d>) -> Siblings<'d> {
        let [ones, twos] = [self.sides[0].sorted_substructures(one), self.sides[1].sorted_substructures(two)];
        Siblings { ones, twos, end: one.node().next }
    }

    fn hash_of(&self, side: usize, structure: Structure<'_>) -> u64 {
        self.hashes[side][structure.index()]
    }

    fn are_equal(&self, one: Structure<'_>, two: Structure<'_>) -> bool {
        self.hash_of(0, one) == self.hash_of(1, two)
    }

    /// Aligns the substructures of one kind. `end` is the end of the superstructure of `ones`.
    fn align_kind(&self, ones: &[Structure<'d>], twos: &[Structure<'d>], end: u32) -> Vec<AlignedPair<'d>> {
        let likeness = |one: usize, two: usize| self.score_likeness(ones[one], twos[two]);
        let [hashes_of_one, hashes_of_two] = [(0, ones), (1, twos)]
            .map(|(side, of)| of.iter().map(|&each| self.hash_of(side, each)).collect::<Vec<u64>>());
        let steps = align_lists(&hashes_of_one, &hashes_of_two, &likeness).into_iter();
        let pair = |step| match step {
            Alignment::Both(one, two) => AlignedPair::Both(ones[one], twos[two]),
            Alignment::Moved(one, two) => AlignedPair::Moved(ones[one], twos[two]),
            Alignment::One(one) => AlignedPair::One(ones[one]),
            Alignment::Two(two) => AlignedPair::Two(twos[two], end),
        };
        steps.map(pair).collect()
    }

    /// Returns a score for the likeness of two structures. The score depends on their payloads and the number of equal
    /// substructures.
    fn score_likeness(&self, one: Structure<'d>, two: Structure<'d>) -> u32 {
        const SAME_PAYLOAD: u32 = 4;
        const SAME_SUBSTRUCTURE: u32 = 2;
        let same = one.node().kind == two.node().kind
            && one.raw_payload() == two.raw_payload()
            && !one.raw_payload().is_empty();
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

    /// Returns the kinds and hashes of the first substructures, in sorted order.
    fn sorted_hashes(&self, side: usize, structure: Structure<'d>) -> Vec<(u32, u64)> {
        /// The maximum number of substructures that are compared.
        const MOST: usize = 64;
        let each = |each: Structure<'d>| (self.sides[side].kind_of(each), self.hash_of(side, each));
        let mut hashes: Vec<(u32, u64)> = structure.substructures().take(MOST).map(each).collect();
        hashes.sort_unstable();
        hashes
    }
}

/// Pairs the structures of both lists by kind. Both lists must be sorted by kind.
fn pair_by_kind<'a, 'd>(
    sides: &[ComparedDataset<'d>; 2],
    ones: &'a [Structure<'d>],
    twos: &'a [Structure<'d>],
) -> Vec<(&'a [Structure<'d>], &'a [Structure<'d>])> {
    let mut groups = Vec::new();
    let [mut left, mut right] = [(0, ones), (1, twos)].map(|(side, of)| {
        let side = &sides[side];
        of.chunk_by(move |one, other| side.kind_of(*one) == side.kind_of(*other)).peekable()
    });
    loop {
        let kind = |side: usize, group: Option<&&[Structure<'d>]>| group.map(|of| sides[side].kind_of(of[0]));
        let (take_left, take_right) = match (kind(0, left.peek()), kind(1, right.peek())) {
            (None, None) => return groups,
            (Some(one), Some(two)) => (one <= two, two <= one),
            (one, two) => (one.is_some(), two.is_some()),
        };
        let ones = if take_left { left.next() } else { None };
        let twos = if take_right { right.next() } else { None };
        // On one side, a kind may have no structures.
        groups.push((ones.unwrap_or_default(), twos.unwrap_or_default()));
    }
}
