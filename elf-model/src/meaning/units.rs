//! Units of one of two sides that are compared, and the pointers between them.
//!
//! A *unit* is a record with all beneath it, or the whole metadata. Where a unit is looked at in *canonical
//! order*, substructures of different types come in one order of these types for both sides, and those of one
//! type as they stand.

use std::ops::Range;

/// The unit of the metadata.
pub(super) const METADATA: u32 = 0;

/// The units of a side, without their structures.
#[derive(Debug, Default)]
pub(super) struct Units<'d> {
    units: Vec<Unit<'d>>,
    /// The records by what they say.
    by_shape: Vec<(u128, u32)>,
    /// The pointers of all units, in canonical order within each.
    links: Vec<Link>,
    link_starts: Vec<u32>,
    /// The pointers to all units, in the order of these.
    referrers: Vec<Link>,
    referrer_starts: Vec<u32>,
}

/// A unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit<'d> {
    /// The identifier of its record.
    pub(super) name: Option<&'d str>,
    /// The kind of its record, the same for a kind on both sides.
    pub(super) kind: u64,
    /// The hash of what it says when pointers that lead somewhere are just pointers, the same on both sides.
    pub(super) shape: u128,
}

/// A pointer from one unit to another, or to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Link {
    /// The unit at the other end.
    pub(super) unit: u32,
    /// The number of the pointer in its unit, in canonical order.
    pub(super) number: u32,
    /// The place of its target in that one's unit.
    pub(super) place: u32,
}

impl Link {
    /// Tells whether it leads to something else than a record.
    pub(super) const fn is_nested(self) -> bool {
        self.unit == METADATA || self.place != 0
    }
}

impl<'d> Units<'d> {
    /// The units, the metadata first, with the pointers of each; those of a unit start at its `link_starts`.
    pub(super) fn new(units: Vec<Unit<'d>>, links: Vec<Link>, mut link_starts: Vec<u32>) -> Units<'d> {
        link_starts.push(super::side::count(links.len()));
        let mut starts = vec![0_u32; units.len() + 1];
        for link in &links {
            if let Some(count) = starts.get_mut(link.unit as usize) {
                *count += 1;
            }
        }
        let mut start = 0;
        for count in &mut starts {
            start += std::mem::replace(count, start);
        }
        let referrer_starts = starts.clone();
        let mut referrers = vec![Link { unit: 0, number: 0, place: 0 }; links.len()];
        for unit in 0..super::side::count(units.len()) {
            for link in links.get(range(&link_starts, unit)).unwrap_or_default() {
                let Some(next) = starts.get_mut(link.unit as usize) else { continue };
                if let Some(slot) = referrers.get_mut(*next as usize) {
                    *slot = Link { unit, ..*link };
                }
                *next += 1;
            }
        }
        let shapes = (METADATA + 1..).zip(units.iter().skip(1));
        let mut by_shape: Vec<(u128, u32)> = shapes.map(|(number, unit)| (unit.shape, number)).collect();
        by_shape.sort_unstable();
        Units { units, by_shape, links, link_starts, referrers, referrer_starts }
    }

    /// Returns the number of units.
    pub(super) fn len(&self) -> u32 {
        super::side::count(self.units.len())
    }

    /// Returns the identifier of the record of a unit.
    pub(super) fn name(&self, unit: u32) -> Option<&'d str> {
        self.units.get(unit as usize)?.name
    }

    /// Returns the kind of the record of a unit.
    pub(super) fn kind(&self, unit: u32) -> u64 {
        self.units.get(unit as usize).map_or(0, |unit| unit.kind)
    }

    /// Returns the shape of a unit.
    pub(super) fn shape(&self, unit: u32) -> u128 {
        self.units.get(unit as usize).map_or(0, |unit| unit.shape)
    }

    /// Returns the shapes of all records, in order, with their units.
    pub(super) fn by_shape(&self) -> &[(u128, u32)] {
        &self.by_shape
    }

    /// Returns the number of pointers that lead somewhere.
    pub(super) fn link_count(&self) -> u64 {
        self.links.len() as u64
    }

    /// Returns the amount of work in a round of these units: units and pointers to look at.
    pub(super) fn work(&self, units: &[u32]) -> u64 {
        let of = |&unit: &u32| 1 + self.links(unit).len() + self.referrers(unit).len();
        units.iter().map(|unit| of(unit) as u64).sum()
    }

    /// Returns the pointers of a unit, with their targets.
    pub(super) fn links(&self, unit: u32) -> &[Link] {
        self.links.get(range(&self.link_starts, unit)).unwrap_or_default()
    }

    /// Returns the pointers to a unit, with their places.
    pub(super) fn referrers(&self, unit: u32) -> &[Link] {
        self.referrers.get(range(&self.referrer_starts, unit)).unwrap_or_default()
    }
}

fn range(starts: &[u32], unit: u32) -> Range<usize> {
    let of = |index: usize| starts.get(index).map_or(0, |&start| start as usize);
    of(unit as usize)..of(unit as usize + 1)
}
