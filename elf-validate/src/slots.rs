//! The places that substructures have in their superstructures, remembered from one to the next.

use crate::table::{Kind, Naming, Slot, Table};

/// The number of no kind.
pub(crate) const NO_KIND: u16 = u16::MAX;

/// The most places of one superstructure that one substructure is counted in.
pub(crate) const MOST: usize = 4;

/// The place of a substructure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seat {
    /// The number of its kind; [`NO_KIND`] where it has none.
    pub(crate) kind: u16,
    /// The indices of the places that it is counted in, as many as are not [`NOT_COUNTED`]. Where any number
    /// may stand, nothing is counted.
    counted: [u8; MOST],
}

/// The index of no place.
const NOT_COUNTED: u8 = u8::MAX;

/// Finds places, and remembers them by the kind of the superstructure and by tag or kind, as the table has
/// it.
#[derive(Debug)]
pub(crate) struct SlotFinder {
    table: &'static Table,
    by_tag: Box<[(u16, u64, Seat)]>,
    /// By kind: both kinds in one number.
    by_type: Box<[(u32, Seat)]>,
}

/// The number of places that are remembered: a power of two.
const REMEMBERED: usize = 512;

impl Seat {
    const NONE: Seat = Seat { kind: NO_KIND, counted: [NOT_COUNTED; MOST] };

    /// Tells whether it is counted anywhere.
    pub(crate) const fn is_counted(&self) -> bool {
        self.counted[0] != NOT_COUNTED
    }

    /// The indices of the places that it is counted in.
    pub(crate) fn counted(&self) -> impl Iterator<Item = usize> {
        self.counted.iter().take_while(|&&at| at != NOT_COUNTED).map(|&at| usize::from(at))
    }

    /// Counts it in these of some places.
    fn of(kind: u16, slots: &[Slot], holds: impl Fn(&Slot) -> bool) -> Seat {
        let mut seat = Seat { kind, ..Seat::NONE };
        let is_counted = |slot: &Slot| slot.min > 0 || slot.max.is_some();
        let at = (0..NOT_COUNTED).zip(slots).filter(|(_, slot)| is_counted(slot) && holds(slot));
        for (counted, (at, _)) in seat.counted.iter_mut().zip(at) {
            *counted = at;
        }
        seat
    }
}

impl SlotFinder {
    pub(crate) fn new(table: &'static Table) -> SlotFinder {
        let (tags, types) = match table.naming {
            Naming::Tag => (REMEMBERED, 0),
            Naming::Type => (0, REMEMBERED),
        };
        SlotFinder {
            table,
            by_tag: vec![(0, 0, Seat::NONE); tags].into(),
            by_type: vec![(u32::MAX, Seat::NONE); types].into(),
        }
    }

    /// The place of a structure of a tag in one of a kind.
    pub(crate) fn by_tag(&mut self, above: u16, tag: &str) -> Seat {
        if above == NO_KIND {
            return Seat::NONE;
        }
        let table = self.table;
        let find = || {
            let slots = table.kind(above).map_or(&[][..], |kind| kind.slots);
            let at = slots.binary_search_by_key(&tag, |slot| slot.name).ok();
            let found = at.and_then(|at| slots.get(at));
            found.map_or(Seat::NONE, |found| Seat::of(found.kind, slots, |slot| slot.name == tag))
        };
        match packed(tag) {
            Some(key) => self.remember(above, key, find),
            None => find(),
        }
    }

    /// The place of a structure of a kind in one of another kind: as what it is, and as each supertype of it.
    #[inline]
    pub(crate) fn by_type(&mut self, above: u16, of: u16) -> Seat {
        if above == NO_KIND || of == NO_KIND {
            return Seat { kind: of, ..Seat::NONE };
        }
        let key = u32::from(above) << 16 | u32::from(of);
        let at = (key.wrapping_mul(0x9E37_79B1) >> (u32::BITS - REMEMBERED.ilog2())) as usize;
        match self.by_type.get(at) {
            Some((known, seat)) if *known == key => *seat,
            _ => self.find_by_type(above, of, at),
        }
    }

    #[inline(never)]
    fn find_by_type(&mut self, above: u16, of: u16, at: usize) -> Seat {
        let slots = self.table.kind(above).map_or(&[][..], |kind| kind.slots);
        let supertypes = self.table.kind(of).map_or(&[][..], |kind: &Kind| kind.supertypes);
        let seat = Seat::of(of, slots, |slot| slot.kind == of || supertypes.contains(&slot.kind));
        if let Some(entry) = self.by_type.get_mut(at) {
            *entry = (u32::from(above) << 16 | u32::from(of), seat);
        }
        seat
    }

    #[inline(always)]
    fn remember(&mut self, above: u16, key: u64, find: impl Fn() -> Seat) -> Seat {
        let mixed = (key ^ u64::from(above) << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let at = usize::from(mixed.to_be_bytes()[0]) << 1 | usize::from(mixed.to_be_bytes()[1] & 1);
        match self.by_tag.get_mut(at) {
            Some((of, known, seat)) if (*of, *known) == (above, key) => *seat,
            Some(entry) => {
                *entry = (above, key, find());
                entry.2
            }
            None => find(),
        }
    }
}

/// A tag of up to seven octets in one number with its length, which is never 0.
#[inline]
fn packed(tag: &str) -> Option<u64> {
    let octets = tag.as_bytes();
    let length = octets.len() as u64;
    (1..8)
        .contains(&length)
        .then(|| octets.iter().fold(length, |packed, &octet| packed << 8 | u64::from(octet)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::Standard;

    #[test]
    fn what_is_remembered_is_what_was_found() {
        for standard in Standard::ALL {
            let table = Table::of(standard);
            let mut finder = SlotFinder::new(table);
            // More than can be remembered, twice over.
            for _ in 0..2 {
                for (above, kind) in (0..).zip(table.kinds) {
                    for slot in kind.slots {
                        let anew = || SlotFinder::new(table);
                        let by_tag = finder.by_tag(above, slot.name);
                        assert_eq!(by_tag, anew().by_tag(above, slot.name));
                        assert_eq!(by_tag.kind, slot.kind);
                        assert_eq!(finder.by_type(above, slot.kind), anew().by_type(above, slot.kind));
                    }
                    assert_eq!(finder.by_tag(above, "_NONE"), Seat::NONE);
                }
            }
        }
    }

    #[test]
    fn all_places_of_the_standards_can_be_counted() {
        for standard in Standard::ALL {
            let table = Table::of(standard);
            for kind in table.kinds {
                assert!(kind.slots.len() < usize::from(NOT_COUNTED), "{}", kind.name);
                for (of, below) in (0..).zip(table.kinds) {
                    let is_counted = |slot: &&Slot| slot.min > 0 || slot.max.is_some();
                    let is = |slot: &&Slot| slot.kind == of || below.supertypes.contains(&slot.kind);
                    assert!(kind.slots.iter().filter(is).filter(is_counted).count() <= MOST);
                }
            }
        }
    }
}
