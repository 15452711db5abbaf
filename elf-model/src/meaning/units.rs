//! The units of a dataset in a comparison, and the pointers between these units.
//!
//! A *unit* is a record with all its substructures, or the whole metadata. In *canonical order*, substructures are
//! sorted by kind. Kinds are numbered in the same way in both datasets, and substructures of one kind keep their order.

use crate::nodes::to_u32;
use std::ops::Range;

pub(super) const METADATA: u32 = 0;

/// The units of a dataset, without their structures.
#[derive(Debug)]
pub(super) struct Units<'d> {
    units: Vec<Unit<'d>>,
    /// The shape and the unit of each record, sorted by shape.
    by_shape: Vec<(u64, u32)>,
    /// The pointers from each unit, in the canonical order of the unit.
    links: Vec<Link>,
    link_starts: Vec<u32>,
    /// The pointers to each unit.
    referrers: Vec<Link>,
    referrer_starts: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Unit<'d> {
    /// The identifier of the unit's record.
    pub(super) name: Option<&'d str>,
    /// The kind of the unit's record. The kind is the same number in both datasets.
    pub(super) kind: u32,
    /// The hash of the unit's content, in which all resolved pointers are treated as equal. The hash is the same in
    /// both datasets.
    pub(super) shape: u64,
}

/// A pointer from one unit to another, or to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Link {
    /// The unit at the other end of the pointer.
    pub(super) unit: u32,
    /// The number of the pointer in the canonical order of its own unit.
    pub(super) number: u32,
    /// The number of the target in the canonical order of the target's unit.
    pub(super) place: u32,
}

impl Link {
    pub(super) const fn leads_to_record(self) -> bool {
        self.unit != METADATA && self.place == 0
    }
}

impl<'d> Units<'d> {
    /// Creates the table of the units, with the metadata first. The pointers of a unit start at its entry in
    /// `link_starts`.
    pub(super) fn new(units: Vec<Unit<'d>>, links: Vec<Link>, mut link_starts: Vec<u32>) -> Units<'d> {
        link_starts.push(to_u32(links.len()));
        // This is first the number of referrers of each unit, and then the start of their range.
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
            for link in &links[link_range(&link_starts, unit)] {
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

    pub(super) fn len(&self) -> u32 {
        to_u32(self.units.len())
    }

    pub(super) fn name(&self, unit: u32) -> Option<&'d str> {
        self.units[unit as usize].name
    }

    pub(super) fn kind_of(&self, unit: u32) -> u32 {
        self.units[unit as usize].kind
    }

    pub(super) fn shape_of(&self, unit: u32) -> u64 {
        self.units[unit as usize].shape
    }

    /// Returns the shape and the unit of each record, sorted by shape.
    pub(super) fn by_shape(&self) -> &[(u64, u32)] {
        &self.by_shape
    }

    pub(super) fn link_count(&self) -> u64 {
        self.links.len() as u64
    }

    /// Estimates the work of a round over these units. The estimate is the number of the units, plus the number of
    /// their pointers.
    pub(super) fn estimate_work(&self, units: &[u32]) -> u64 {
        let of = |&unit: &u32| 1 + self.links_from(unit).len() + self.links_to(unit).len();
        units.iter().map(|unit| of(unit) as u64).sum()
    }

    pub(super) fn links_from(&self, unit: u32) -> &[Link] {
        &self.links[link_range(&self.link_starts, unit)]
    }

    pub(super) fn links_to(&self, unit: u32) -> &[Link] {
        &self.referrers[link_range(&self.referrer_starts, unit)]
    }
}

fn link_range(starts: &[u32], unit: u32) -> Range<usize> {
    starts[unit as usize] as usize..starts[unit as usize + 1] as usize
}
