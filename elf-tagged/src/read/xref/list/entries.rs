//! Identifiers with their places.

use super::ordered_places::OrderedPlaces;
use super::packed_identifiers::PackedIdentifiers;
use elf_base::Place;
use std::ops::Range;

/// An identifier and a place for each of some structures of a document or of a run of one, in the order of
/// the file: some nine octets for each.
///
/// ```
/// use elf_base::{PackedText, Place};
/// use elf_tagged::XrefEntries;
///
/// let number = PackedText::of("I1").map_or(0, PackedText::number);
/// let mut entries = XrefEntries::new(Place::new(0, 1, 1, 1), 1);
/// entries.push(number, Place::new(12, 2, 4, 6));
/// entries.shrink();
/// assert_eq!((entries.len(), entries.key(0)), (1, Some(number)));
/// assert_eq!(entries.positions(0..1, number).collect::<Vec<_>>(), [0]);
/// assert_eq!(entries.place(0).map(|place| place.line), Some(2));
/// ```
#[derive(Debug)]
pub struct XrefEntries {
    keys: PackedIdentifiers,
    places: OrderedPlaces,
}

impl XrefEntries {
    /// Makes an empty list with room for `count` entries. The first place is expected near `start`.
    pub fn new(start: Place, count: usize) -> XrefEntries {
        XrefEntries {
            keys: PackedIdentifiers::with_room(count),
            places: OrderedPlaces::new(start).with_room(count),
        }
    }

    /// Adds an identifier, as [`key`](XrefEntries::key) gives it.
    #[inline]
    pub fn push(&mut self, key: u64, place: Place) {
        self.keys.push(key);
        self.places.push(place);
    }

    /// Gives room back that is not needed.
    pub fn shrink(&mut self) {
        self.keys.shrink();
        self.places.shrink();
    }

    /// The number of structures.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The identifier at an index, as a number, which is the same one in all runs of a document: that of a
    /// [`PackedText`](elf_base::PackedText), or from [`PackedText::END`](elf_base::PackedText::END) on a keyed
    /// hash, of which 56 bits tell it from others.
    #[inline]
    pub fn key(&self, at: usize) -> Option<u64> {
        self.keys.get(at)
    }

    /// The identifiers, in their order.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).filter_map(|at| self.keys.get(at))
    }

    /// The indices within a range of the entries of an identifier, which is given as [`key`](XrefEntries::key) returns
    /// it.
    pub fn positions(&self, within: Range<usize>, key: u64) -> impl Iterator<Item = usize> {
        self.keys.positions(within, key)
    }

    /// The place at an index.
    pub fn place(&self, at: usize) -> Option<Place> {
        self.places.get(at)
    }
}
