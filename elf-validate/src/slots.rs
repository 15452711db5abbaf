//! The places that substructures have in their superstructures, remembered from one to the next.

use crate::table::{Naming, Slot, Table};
use elf_base::PackedText;
use std::sync::{Arc, Mutex, PoisonError};

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
    counted: Counted,
}

/// The index of no place.
const NOT_COUNTED: u8 = u8::MAX;

/// The places of what was not looked for yet, which no substructure has.
const UNKNOWN: Counted = [NOT_COUNTED, 0, 0, 0];

/// Finds places, and remembers them by the kind of the superstructure and by tag or kind, as the table has
/// it.
#[derive(Debug)]
pub(crate) struct SlotFinder {
    table: &'static Table,
    /// For each kind of superstructures that was met, the places of the tags that it has.
    by_tag: Box<[Option<TagRow>]>,
    /// For each kind of superstructures that was met, the places that each kind is counted in.
    by_type: Box<[Option<Box<[Counted]>>]>,
}

/// The places of tags in structures of one kind: a table with room enough that a tag is found at once.
#[derive(Clone, Debug)]
struct TagRow {
    /// The number of bits by which the hash of a tag is shifted.
    shift: u32,
    /// By the hash of the tag, or behind it where others stand there.
    entries: Box<[(PackedText, Seat)]>,
}

impl TagRow {
    fn of(slots: &'static [Slot]) -> TagRow {
        let bits = (slots.len() * 3).next_power_of_two().ilog2().max(1);
        let entries = vec![(PackedText::default(), Seat::NONE); 1 << bits];
        let mut row = TagRow { shift: u64::BITS - bits, entries: entries.into() };
        for slot in slots {
            let Some(tag) = PackedText::of(slot.name) else { continue };
            let at = row.at(tag);
            if let Some(entry) = row.entries.get_mut(at) {
                *entry = (tag, Seat::by_tag(slot.name, slots));
            }
        }
        row
    }

    /// The index of a tag, or the one where it would stand.
    #[inline]
    fn at(&self, tag: PackedText) -> usize {
        let hash = tag.number().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        let mut at = usize::try_from(hash).unwrap_or_default();
        // Two thirds of the entries are those of no tag, whose text is empty.
        while let Some((of, _)) = self.entries.get(at)
            && *of != tag
            && *of != PackedText::default()
        {
            at = (at + 1) & (self.entries.len() - 1);
        }
        at
    }

    #[inline]
    fn get(&self, tag: PackedText) -> Seat {
        self.entries.get(self.at(tag)).map_or(Seat::NONE, |(_, seat)| *seat)
    }
}

/// The indices of the places that a substructure is counted in, as many as are not [`NOT_COUNTED`].
type Counted = [u8; MOST];

/// The finders that wait for the next part, on any thread: what one remembers is not found again for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct SlotFinders(Arc<Mutex<Vec<SlotFinder>>>);

impl SlotFinders {
    /// A finder, of which nobody else has the use.
    pub(crate) fn take(&self, table: &'static Table) -> SlotFinder {
        let waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        waiting.unwrap_or_else(|| SlotFinder::new(table))
    }

    /// Keeps a finder for the next part.
    pub(crate) fn put(&self, finder: SlotFinder) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(finder);
    }
}

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

    /// The place of a tag among some places.
    fn by_tag(tag: &str, slots: &[Slot]) -> Seat {
        let at = slots.binary_search_by_key(&tag, |slot| slot.name).ok();
        let found = at.and_then(|at| slots.get(at));
        found.map_or(Seat::NONE, |found| Seat::of(found.kind, slots, |slot| slot.name == tag))
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
            Naming::Tag => (table.kinds.len(), 0),
            Naming::Type => (0, table.kinds.len()),
        };
        SlotFinder { table, by_tag: vec![None; tags].into(), by_type: vec![None; types].into() }
    }

    /// The place of a structure in one of a kind, by its tag: in one number, or where it is too long for that
    /// as text.
    #[inline]
    pub(crate) fn by_tag<'t>(
        &mut self,
        above: u16,
        packed: Option<PackedText>,
        tag: impl FnOnce() -> &'t str,
    ) -> Seat {
        match (packed, self.by_tag.get(usize::from(above))) {
            (Some(packed), Some(Some(row))) => row.get(packed),
            _ => self.find_by_tag(above, packed, tag()),
        }
    }

    #[inline(never)]
    fn find_by_tag(&mut self, above: u16, packed: Option<PackedText>, tag: &str) -> Seat {
        let Some(superstructure) = self.table.kind(above) else { return Seat::NONE };
        let row = self.by_tag.get_mut(usize::from(above));
        let row = row.map(|row| row.get_or_insert_with(|| TagRow::of(superstructure.slots)));
        match (packed, row) {
            (Some(packed), Some(row)) => row.get(packed),
            _ => Seat::by_tag(tag, superstructure.slots),
        }
    }

    /// The place of a structure of a kind in one of another kind: as what it is, and as each supertype of it.
    #[inline]
    pub(crate) fn by_type(&mut self, above: u16, of: u16) -> Seat {
        let row = self.by_type.get(usize::from(above)).and_then(Option::as_deref);
        match row.and_then(|row| row.get(usize::from(of))) {
            Some(&counted) if counted != UNKNOWN => Seat { kind: of, counted },
            _ => self.find_by_type(above, of),
        }
    }

    #[inline(never)]
    fn find_by_type(&mut self, above: u16, of: u16) -> Seat {
        let table = self.table;
        let (Some(kind), Some(superstructure)) = (table.kind(of), table.kind(above)) else {
            return Seat { kind: of, ..Seat::NONE };
        };
        let seat = Seat::of(of, superstructure.slots, |slot| {
            slot.kind == of || kind.supertypes.contains(&slot.kind)
        });
        if let Some(row) = self.by_type.get_mut(usize::from(above)) {
            let row = row.get_or_insert_with(|| vec![UNKNOWN; table.kinds.len()].into());
            row.get_mut(usize::from(of)).into_iter().for_each(|entry| *entry = seat.counted);
        }
        seat
    }
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
            for _ in 0..2 {
                for (above, kind) in (0..).zip(table.kinds) {
                    for slot in kind.slots {
                        let anew = || SlotFinder::new(table);
                        let packed = PackedText::of(slot.name);
                        let by_tag = finder.by_tag(above, packed, || slot.name);
                        assert_eq!(by_tag, anew().by_tag(above, packed, || slot.name));
                        assert_eq!(by_tag, Seat::by_tag(slot.name, kind.slots));
                        assert_eq!(finder.by_type(above, slot.kind), anew().by_type(above, slot.kind));
                    }
                    for none in ["_NONE", "_NONE_AT_ALL", "", "B"] {
                        let found = finder.by_tag(above, PackedText::of(none), || none);
                        assert_eq!(found, Seat::NONE, "{none}");
                    }
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
