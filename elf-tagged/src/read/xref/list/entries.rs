//! A list of identifiers with their places.

use super::ordered_places::OrderedPlaces;
use super::packed_identifiers::PackedIdentifiers;
use elf_base::Place;
use std::ops::Range;

/// A compact list of identifiers with their places, in the order of the file. An entry takes about nine bytes.
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
    /// Creates an empty list with room for `count` entries. The first place should be near `start`.
    pub fn new(start: Place, count: usize) -> XrefEntries {
        XrefEntries {
            keys: PackedIdentifiers::with_room(count),
            places: OrderedPlaces::new(start).with_room(count),
        }
    }

    /// Adds an identifier and its place. The identifier is given in the form that [`key`](XrefEntries::key) returns.
    #[inline]
    pub fn push(&mut self, key: u64, place: Place) {
        self.keys.push(key);
        self.places.push(place);
    }

    /// Frees unused memory.
    pub fn shrink(&mut self) {
        self.keys.shrink();
        self.places.shrink();
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns whether the list has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the identifier at an index as a number that is the same in all runs of a document. The number is that of
    /// a [`PackedText`](elf_base::PackedText). A number from [`PackedText::END`](elf_base::PackedText::END) on contains
    /// 56 bits of a keyed hash.
    #[inline]
    pub fn key(&self, at: usize) -> Option<u64> {
        self.keys.get(at)
    }

    /// Returns the identifiers as numbers, in the order of the list.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).filter_map(|at| self.keys.get(at))
    }

    /// Returns the indices in a range at which this identifier occurs. The identifier is given in the form that
    /// [`key`](XrefEntries::key) returns.
    pub fn positions(&self, within: Range<usize>, key: u64) -> impl Iterator<Item = usize> {
        self.keys.positions(within, key)
    }

    /// Returns the place at an index.
    pub fn place(&self, at: usize) -> Option<Place> {
        self.places.get(at)
    }
}
