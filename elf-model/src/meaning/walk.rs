//! Two units side by side, structure by structure.

use super::align::{Alignment, align};
use super::side::ComparedDataset;
use super::units::METADATA;
use crate::nodes::NONE;
use crate::structure::Structure;

/// A pair of structures that stand side by side, or one that has no partner.
#[derive(Clone, Copy, Debug)]
pub(super) enum AlignedPair<'d> {
    /// Two structures of one type.
    Both(Structure<'d>, Structure<'d>),
    /// Two structures that agree, but not in their order among others.
    Moved(Structure<'d>, Structure<'d>),
    /// A structure of the first dataset that has nothing beside it.
    One(Structure<'d>),
    /// A structure of the second dataset that has nothing beside it; the first one ends before this node.
    Two(Structure<'d>, u32),
}

/// Walks two units, not beneath structures that agree by `classes` unless `everywhere`.
pub(super) fn walk<'d>(
    sides: &[ComparedDataset<'d>; 2],
    classes: [&[u32]; 2],
    units: [u32; 2],
    everywhere: bool,
    visit: &mut dyn FnMut(AlignedPair<'d>),
) {
    let class = |side: usize, structure: Structure<'_>| {
        classes.get(side).and_then(|of| of.get(structure.index())).copied().unwrap_or(NONE)
    };
    let end = |unit: u32| match sides[0].root(unit) {
        Some(record) => record.data().next,
        // Behind the first structure of all; before all that are at hand if that is not.
        None => u32::from(sides[0].dataset.metadata > 0 || sides[0].root(METADATA + 1).is_some()),
    };
    let mut waiting = vec![(sides[0].tops(units[0]), sides[1].tops(units[1]), end(units[0]))];
    while let Some((ones, twos, end)) = waiting.pop() {
        for (ones, twos) in by_kind(sides, &ones, &twos) {
            let likeness = |one: usize, two: usize| match (ones.get(one), twos.get(two)) {
                (Some(&one), Some(&two)) => likeness(sides, &class, one, two),
                _ => 0,
            };
            let lists = [(0, ones), (1, twos)]
                .map(|(side, of)| of.iter().map(|&each| class(side, each)).collect::<Vec<u32>>());
            for step in align(&lists[0], &lists[1], &likeness) {
                let (one, two) = match step {
                    Alignment::Both(one, two) | Alignment::Moved(one, two) => (ones.get(one), twos.get(two)),
                    Alignment::One(one) => (ones.get(one), None),
                    Alignment::Two(two) => (None, twos.get(two)),
                };
                match (one, two) {
                    (Some(&one), Some(&two)) => {
                        let agree = class(0, one) == class(1, two);
                        if matches!(step, Alignment::Moved(..)) {
                            visit(AlignedPair::Moved(one, two));
                        } else if !agree || everywhere {
                            visit(AlignedPair::Both(one, two));
                        }
                        if !agree || everywhere {
                            waiting.push((sides[0].beneath(one), sides[1].beneath(two), one.data().next));
                        }
                    }
                    (Some(&one), None) => visit(AlignedPair::One(one)),
                    (None, Some(&two)) => visit(AlignedPair::Two(two, end)),
                    (None, None) => {}
                }
            }
        }
    }
}

/// Structures of both sides by their types, in the order of these.
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
        let [one, two] = [(0, left.peek()), (1, right.peek())]
            .map(|(side, group)| group.and_then(|group| group.first()).map(|first| sides[side].kind(*first)));
        let (take_left, take_right) = match (one, two) {
            (None, None) => return groups,
            (Some(one), Some(two)) => (one <= two, two <= one),
            (one, two) => (one.is_some(), two.is_some()),
        };
        let ones = if take_left { left.next() } else { None };
        let twos = if take_right { right.next() } else { None };
        groups.push((ones.unwrap_or_default(), twos.unwrap_or_default()));
    }
}

/// Scores the likeness of two structures of one type: by their payloads, and the substructures that agree
/// beneath them.
fn likeness<'d>(
    sides: &[ComparedDataset<'d>; 2],
    class: &dyn Fn(usize, Structure<'d>) -> u32,
    one: Structure<'d>,
    two: Structure<'d>,
) -> u32 {
    /// The most substructures that are looked at.
    const MOST: usize = 64;
    let same = one.data().kind == two.data().kind && one.raw() == two.raw() && !one.raw().is_empty();
    let [mut ones, mut twos] = [(0, one), (1, two)].map(|(side, of)| -> Vec<(u32, u32)> {
        let each = |each: Structure<'d>| (sides[side].kind(each), class(side, each));
        of.substructures().take(MOST).map(each).collect()
    });
    for of in [&mut ones, &mut twos] {
        of.sort();
    }
    let (mut left, mut right) = (ones.iter().peekable(), twos.iter().peekable());
    let mut alike = if same { 4 } else { 0 };
    while let (Some(one), Some(two)) = (left.peek(), right.peek()) {
        match one.cmp(two) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                alike += 2;
                left.next();
                right.next();
            }
        }
    }
    alike
}
