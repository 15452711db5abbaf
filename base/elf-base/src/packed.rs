//! Many places in few octets.

use crate::Place;

/// A place in eight octets, and one bit more: it is found again by the [`PackedPlaces`] that it was kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedPlace(u64);

// From the highest bit: one for what is kept aside, one that is free to use, octet, line, column, width.
const ASIDE: u64 = 1 << 63;
const MARK: u64 = 1 << 62;
const LINE_BITS: u32 = 20;
const COLUMN_BITS: u32 = 8;
const WIDTH_BITS: u32 = 7;
const OCTET_BITS: u32 = 62 - LINE_BITS - COLUMN_BITS - WIDTH_BITS;

/// Places of one part of a file, eight octets for each, counted from the start of the part.
///
/// ```
/// use elf_base::{PackedPlaces, Place};
///
/// let mut places = PackedPlaces::new(Place::new(1000, 40, 1, 1));
/// let place = Place::new(1016, 42, 4, 6);
/// let kept = places.keep(place);
/// assert_eq!((places.place(kept), size_of_val(&kept)), (place, 8));
/// ```
#[derive(Clone, Debug)]
pub struct PackedPlaces {
    octet: u64,
    line: u64,
    /// The places that eight octets do not hold: far from the start of the part, or far along a line.
    aside: Vec<Place>,
}

impl PackedPlace {
    /// Sets the mark of the place, or clears it.
    #[must_use]
    pub const fn marked(self, mark: bool) -> PackedPlace {
        PackedPlace(self.0 & !MARK | if mark { MARK } else { 0 })
    }

    /// Tells whether its mark is set.
    pub const fn is_marked(self) -> bool {
        self.0 & MARK != 0
    }
}

impl PackedPlaces {
    /// No places yet, in a part that starts there.
    pub const fn new(start: Place) -> PackedPlaces {
        PackedPlaces { octet: start.octet, line: start.line, aside: Vec::new() }
    }

    /// Keeps a place.
    #[inline]
    pub fn keep(&mut self, place: Place) -> PackedPlace {
        let fields = [
            (place.octet.checked_sub(self.octet), OCTET_BITS),
            (place.line.checked_sub(self.line), LINE_BITS),
            (place.column.checked_sub(1), COLUMN_BITS),
            (place.end_column.checked_sub(place.column), WIDTH_BITS),
        ];
        let packed = fields.into_iter().try_fold(0_u64, |packed, (field, bits)| {
            let field = field.filter(|field| field >> bits == 0)?;
            Some(packed << bits | field)
        });
        PackedPlace(packed.unwrap_or_else(|| {
            self.aside.push(place);
            ASIDE | (self.aside.len() as u64 - 1)
        }))
    }

    /// The place that was kept.
    pub fn place(&self, packed: PackedPlace) -> Place {
        let packed = packed.0 & !MARK;
        if packed & ASIDE != 0 {
            let aside = usize::try_from(packed & !ASIDE).ok().and_then(|number| self.aside.get(number));
            return aside.copied().unwrap_or(Place::new(self.octet, self.line, 1, 1));
        }
        let mut rest = packed;
        let mut take = |bits: u32| {
            let field = rest & ((1 << bits) - 1);
            rest >>= bits;
            field
        };
        let width = take(WIDTH_BITS);
        let column = take(COLUMN_BITS) + 1;
        let line = self.line + take(LINE_BITS);
        Place::new(self.octet + rest, line, column, column + width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back() {
        for start in [Place::new(0, 1, 1, 1), Place::new((1 << 40) - 1, 60, 1, 1)] {
            let kept = [
                Place::new(start.octet, start.line, 4, 6),
                Place::new(start.octet + 40, start.line + 3, 8, 12),
                Place::new(start.octet + 49, start.line + 4, 1, 900),
                Place::new(start.octet + (1 << 26), start.line + 70_000, 200, 201),
                Place::new(start.octet + (1 << 40), start.line + 71, 300, 301),
            ];
            let mut places = PackedPlaces::new(start);
            let packed = kept.map(|place| places.keep(place));
            assert_eq!(packed.map(|packed| places.place(packed)), kept);
            for mark in [true, false] {
                assert_eq!(packed.map(|packed| places.place(packed.marked(mark))), kept);
                assert!(packed.iter().all(|packed| packed.marked(mark).is_marked() == mark));
            }
            assert_eq!(places.aside.len(), 2);
        }
    }
}
