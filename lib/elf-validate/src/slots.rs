//! The places that substructures have in their superstructures, worked out once for each kind of these.

use crate::table::{Naming, Slot, Table};
use elf_base::PackedText;
use std::sync::OnceLock;

/// The number of no kind.
pub(crate) const NO_KIND: u16 = u16::MAX;

/// The most places of one superstructure that one substructure is counted in.
const MOST: usize = 4;

/// The place of a substructure by its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seat {
    /// The number of its kind; [`NO_KIND`] where it has none.
    pub(crate) kind: u16,
    /// The places that it is counted in.
    pub(crate) counted: Counted,
}

/// The indices of the places that a substructure is counted in, as many as are not [`NOT_COUNTED`]. Where any
/// number may stand, nothing is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted([u8; MOST]);

/// The index of no place.
const NOT_COUNTED: u8 = u8::MAX;

impl Counted {
    pub(crate) const NOWHERE: Counted = Counted([NOT_COUNTED; MOST]);

    /// The indices of the places that it is counted in.
    #[inline]
    pub(crate) fn places(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().take_while(|&at| at != NOT_COUNTED)
    }

    /// The index of the first of them, and whether there are others.
    #[inline]
    pub(crate) const fn first(self) -> Option<(u8, bool)> {
        let [first, second, ..] = self.0;
        if first == NOT_COUNTED { None } else { Some((first, second != NOT_COUNTED)) }
    }

    /// Counts it in those of some places that have its tag.
    fn by_tag(tag: &str, slots: &[Slot]) -> Counted {
        let mut all = Counted::NOWHERE;
        let at = (0..NOT_COUNTED).zip(slots).filter(|(_, slot)| is_counted(slot) && slot.name == tag);
        for (counted, (at, _)) in all.0.iter_mut().zip(at) {
            *counted = at;
        }
        all
    }
}

/// Returns whether the number of what is there matters.
const fn is_counted(slot: &Slot) -> bool {
    slot.min > 0 || slot.max.is_some()
}

/// The places in structures of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Row {
    /// The places of each kind, by its number; of none, where nothing is counted.
    ByType(&'static [Counted]),
    /// The places of tags.
    ByTag(&'static TagRow),
}

/// The places of tags in structures of one kind: a table with room enough that a tag is found at once.
#[derive(Debug)]
pub(crate) struct TagRow {
    slots: &'static [Slot],
    /// The number of bits by which the hash of a tag is shifted.
    shift: u32,
    /// By the hash of the tag, or after it where others are there.
    entries: Box<[(PackedText, Seat)]>,
    /// The places that substructures of each kind are counted in, by its number, as far as there are any.
    counted: Box<[Counted]>,
}

impl TagRow {
    fn of(slots: &'static [Slot]) -> TagRow {
        let bits = (slots.len() * 3).next_power_of_two().ilog2().max(1);
        let entries = vec![(PackedText::default(), Seat::NONE); 1 << bits];
        let kinds = slots.iter().map(|slot| usize::from(slot.kind) + 1).max().unwrap_or_default();
        let counted = vec![Counted::NOWHERE; kinds].into();
        let mut row = TagRow { slots, shift: u64::BITS - bits, entries: entries.into(), counted };
        for slot in slots {
            let Some(tag) = PackedText::of(slot.name) else { continue };
            let at = row.at(tag);
            let seat = Seat::by_tag(slot.name, slots);
            // `at` is an index of `entries`, and `counted` is long enough for the kind of each place.
            row.entries[at] = (tag, seat);
            row.counted[usize::from(seat.kind)] = seat.counted;
        }
        row
    }

    /// The index of a tag, or the one where it would stand.
    #[inline]
    fn at(&self, tag: PackedText) -> usize {
        let hash = tag.number().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        let mut at = usize::try_from(hash).unwrap_or_default();
        // Two thirds of the entries are unused and have an empty text.
        while let Some((of, _)) = self.entries.get(at)
            && *of != tag
            && *of != PackedText::default()
        {
            at = (at + 1) & (self.entries.len() - 1);
        }
        at
    }

    /// The places that a structure of a kind which has one here is counted in.
    #[inline]
    pub(crate) fn counted(&self, kind: u16) -> Counted {
        self.counted.get(usize::from(kind)).copied().unwrap_or(Counted::NOWHERE)
    }

    /// The place of a structure by its tag: in one number, or where it is too long for that as text.
    #[inline]
    pub(crate) fn get<'t>(&self, packed: Option<PackedText>, tag: impl FnOnce() -> &'t str) -> Seat {
        match packed {
            Some(tag) => self.entries.get(self.at(tag)).map_or(Seat::NONE, |(_, seat)| *seat),
            None => Seat::by_tag(tag(), self.slots),
        }
    }
}

impl Seat {
    pub(crate) const NONE: Seat = Seat { kind: NO_KIND, counted: Counted::NOWHERE };

    /// The place of a tag among some places.
    fn by_tag(tag: &str, slots: &[Slot]) -> Seat {
        let at = slots.binary_search_by_key(&tag, |slot| slot.name).ok();
        let found = at.and_then(|at| slots.get(at));
        found.map_or(Seat::NONE, |found| Seat { kind: found.kind, counted: Counted::by_tag(tag, slots) })
    }
}

/// The places of a standard: those in structures of a kind are worked out when the first is met, for all
/// documents and threads.
#[derive(Debug)]
pub(crate) struct Rows {
    table: &'static Table,
    by_tag: Box<[OnceLock<TagRow>]>,
    by_type: Box<[OnceLock<Box<[Counted]>>]>,
}

impl Rows {
    /// The places of a standard by its table.
    pub(crate) fn of(table: &'static Table) -> Rows {
        let (tags, types) = match table.naming {
            Naming::Tag => (table.kinds.len(), 0),
            Naming::Type => (0, table.kinds.len()),
        };
        let by_tag = (0..tags).map(|_| OnceLock::new()).collect();
        Rows { table, by_tag, by_type: (0..types).map(|_| OnceLock::new()).collect() }
    }

    /// The places in structures of a kind, or in those of none.
    #[inline]
    pub(crate) fn get(&'static self, kind: u16) -> Row {
        let at = usize::from(kind);
        if let Some(row) = self.by_tag.get(at) {
            Row::ByTag(row.get_or_init(|| self.tag_row(kind)))
        } else if let Some(row) = self.by_type.get(at) {
            Row::ByType(row.get_or_init(|| self.type_row(kind)))
        } else {
            Row::NONE
        }
    }

    #[cold]
    fn tag_row(&self, kind: u16) -> TagRow {
        TagRow::of(self.table.kind(kind).map_or(&[], |kind| kind.slots))
    }

    /// Lists the places of structures of each kind: as what it is, and as each supertype of it.
    #[cold]
    fn type_row(&self, kind: u16) -> Box<[Counted]> {
        let slots = self.table.kind(kind).map_or(&[][..], |kind| kind.slots);
        let mut place_of = vec![NOT_COUNTED; self.table.kinds.len()];
        for (at, slot) in (0..NOT_COUNTED).zip(slots).filter(|(_, slot)| is_counted(slot)) {
            // The kind of each place is a kind of the table.
            place_of[usize::from(slot.kind)] = at;
        }
        let kinds = (0..).zip(self.table.kinds);
        let row = kinds.map(|(of, kind): (u16, _)| {
            let all = std::iter::once(&of).chain(kind.supertypes);
            let places = all.filter_map(|of| place_of.get(usize::from(*of)).copied());
            let mut counted = Counted::NOWHERE;
            for (place, at) in counted.0.iter_mut().zip(places.filter(|at| *at != NOT_COUNTED)) {
                *place = at;
            }
            // Kinds without a place come last.
            counted.0.sort_unstable();
            counted
        });
        row.collect()
    }
}

impl Row {
    /// The row of structures in which nothing is counted.
    pub(crate) const NONE: Row = Row::ByType(&[]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::Standard;

    #[test]
    fn what_is_looked_up_is_what_the_table_has() {
        for standard in Standard::ALL {
            let table = Table::of(standard);
            // They are kept as long as the program runs.
            let rows: &'static Rows = Box::leak(Box::new(Rows::of(table)));
            for (above, kind) in (0..).zip(table.kinds) {
                match rows.get(above) {
                    Row::ByTag(row) => {
                        for slot in kind.slots {
                            let seat = row.get(PackedText::of(slot.name), || slot.name);
                            assert_eq!(seat, Seat::by_tag(slot.name, kind.slots));
                            assert_eq!(seat, row.get(None, || slot.name));
                            assert_eq!(seat.counted, row.counted(seat.kind));
                        }
                        for none in ["_NONE", "_NONE_AT_ALL", "", "B"] {
                            let found = row.get(PackedText::of(none), || none);
                            assert_eq!(found, Seat::NONE, "{none}");
                        }
                    }
                    Row::ByType(row) => {
                        assert_eq!(row.len(), table.kinds.len());
                        for (at, slot) in kind.slots.iter().enumerate() {
                            for (of, below) in (0..).zip(table.kinds) {
                                let is = slot.kind == of || below.supertypes.contains(&slot.kind);
                                let mut places = row[usize::from(of)].places();
                                let is_there = places.any(|place| usize::from(place) == at);
                                assert_eq!(is_there, is && is_counted(slot), "{} {}", kind.name, below.name);
                            }
                        }
                    }
                }
            }
            assert!(matches!(rows.get(NO_KIND), Row::ByType([])));
        }
    }

    #[test]
    fn all_places_of_the_standards_can_be_counted() {
        for standard in Standard::ALL {
            let table = Table::of(standard);
            for kind in table.kinds {
                assert!(kind.slots.len() < usize::from(NOT_COUNTED), "{}", kind.name);
                for (of, below) in (0..).zip(table.kinds) {
                    let is = |slot: &&Slot| slot.kind == of || below.supertypes.contains(&slot.kind);
                    assert!(kind.slots.iter().filter(is).filter(|slot| is_counted(slot)).count() <= MOST);
                }
            }
        }
    }
}
