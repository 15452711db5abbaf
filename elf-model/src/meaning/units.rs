//! Units of one of two datasets that are compared, and the pointers between them.
//!
//! A *unit* is a record with all its substructures, or the whole metadata. In *canonical order*, substructures
//! are sorted by type, in the same order of types for both datasets; those of one type keep their order.

use crate::nodes::to_u32;
use std::ops::Range;

/// The unit of the metadata.
pub(super) const METADATA: u32 = 0;

/// The units of a side, without their structures.
#[derive(Debug)]
pub(super) struct Units<'d> {
    units: Vec<Unit<'d>>,
    /// The shapes of all records with their units, sorted.
    by_shape: Vec<(u64, u32)>,
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
    pub(super) kind: u32,
    /// A number of its content if resolved pointers are taken for equal, the same on both sides.
    pub(super) shape: u64,
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
    /// Returns whether the other end is a record.
    pub(super) const fn leads_to_record(self) -> bool {
        self.unit != METADATA && self.place == 0
    }
}

impl<'d> Units<'d> {
    /// Takes the units, the metadata first, and their pointers; those of a unit start at its entry in
    /// `link_starts`.
    pub(super) fn new(units: Vec<Unit<'d>>, links: Vec<Link>, mut link_starts: Vec<u32>) -> Units<'d> {
        link_starts.push(to_u32(links.len()));
        // The number of referrers of each unit, then the start of their range.
        let mut starts = vec![0_u32; units.len() + 1];
        for link in &links {
            starts[link.unit as usize] += 1;
        }
        let mut start = 0;
        for count in &mut starts {
            start += std::mem::replace(count, start);
        }
        let referrer_starts = starts.clone();
        let mut referrers = vec![Link { unit: 0, number: 0, place: 0 }; links.len()];
        for unit in 0..to_u32(units.len()) {
            for link in &links[range(&link_starts, unit)] {
                let next = &mut starts[link.unit as usize];
                referrers[*next as usize] = Link { unit, ..*link };
                *next += 1;
            }
        }
        let shapes = (METADATA + 1..).zip(units.iter().skip(1));
        let mut by_shape: Vec<(u64, u32)> = shapes.map(|(number, unit)| (unit.shape, number)).collect();
        by_shape.sort_unstable();
        Units { units, by_shape, links, link_starts, referrers, referrer_starts }
    }

    /// Returns the number of units.
    pub(super) fn len(&self) -> u32 {
        to_u32(self.units.len())
    }

    /// Returns the identifier of the record of a unit.
    pub(super) fn name(&self, unit: u32) -> Option<&'d str> {
        self.units[unit as usize].name
    }

    /// Returns the kind of the record of a unit.
    pub(super) fn kind(&self, unit: u32) -> u32 {
        self.units[unit as usize].kind
    }

    /// Returns the shape of a unit.
    pub(super) fn shape(&self, unit: u32) -> u64 {
        self.units[unit as usize].shape
    }

    /// Returns the shapes of all records, in order, with their units.
    pub(super) fn by_shape(&self) -> &[(u64, u32)] {
        &self.by_shape
    }

    /// Returns the number of resolved pointers.
    pub(super) fn link_count(&self) -> u64 {
        self.links.len() as u64
    }

    /// Returns the work that a round over these units takes: the number of units and of their pointers.
    pub(super) fn work(&self, units: &[u32]) -> u64 {
        let of = |&unit: &u32| 1 + self.links(unit).len() + self.referrers(unit).len();
        units.iter().map(|unit| of(unit) as u64).sum()
    }

    /// Returns the pointers of a unit, with their targets.
    pub(super) fn links(&self, unit: u32) -> &[Link] {
        &self.links[range(&self.link_starts, unit)]
    }

    /// Returns the pointers to a unit, with their places.
    pub(super) fn referrers(&self, unit: u32) -> &[Link] {
        &self.referrers[range(&self.referrer_starts, unit)]
    }
}

fn range(starts: &[u32], unit: u32) -> Range<usize> {
    starts[unit as usize] as usize..starts[unit as usize + 1] as usize
}
