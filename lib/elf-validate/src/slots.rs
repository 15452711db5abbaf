//! Finds the slots in which a substructure is counted. The lookup tables are built once for each kind of
//! superstructure.

use crate::table::{Naming, Slot, Table};
use elf_base::PackedText;
use std::sync::OnceLock;

/// The number that stands for no kind.
pub(crate) const NO_KIND: u16 = u16::MAX;

/// The maximum number of slots that one substructure is counted in.
const MOST: usize = 4;

/// What a tag means under some kind of structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seat {
    /// The kind number; [`NO_KIND`] if the tag has none.
    pub(crate) kind: u16,
    /// The slots that the substructure is counted in.
    pub(crate) counted: Counted,
}

/// The slots that a substructure is counted in; unused entries are [`NOT_COUNTED`]. A slot without limits is not
/// counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted([u8; MOST]);

/// The index that stands for no slot.
const NOT_COUNTED: u8 = u8::MAX;

impl Counted {
    pub(crate) const NOWHERE: Counted = Counted([NOT_COUNTED; MOST]);

    /// Returns the indices of the slots.
    #[inline]
    pub(crate) fn places(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().take_while(|&at| at != NOT_COUNTED)
    }

    /// Returns the first slot, and whether there are others.
    #[inline]
    pub(crate) const fn first(self) -> Option<(u8, bool)> {
        let [first, second, ..] = self.0;
        if first == NOT_COUNTED { None } else { Some((first, second != NOT_COUNTED)) }
    }

    /// Returns the counted slots that have this tag.
    fn by_tag(tag: &str, slots: &[Slot]) -> Counted {
        let mut all = Counted::NOWHERE;
        let at = (0..NOT_COUNTED).zip(slots).filter(|(_, slot)| is_counted(slot) && slot.name == tag);
        for (counted, (at, _)) in all.0.iter_mut().zip(at) {
            *counted = at;
        }
        all
    }
}

/// Returns whether a slot has limits.
const fn is_counted(slot: &Slot) -> bool {
    slot.min > 0 || slot.max.is_some()
}

/// The slots of one kind of superstructure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Row {
    /// The counted slots by the kind number of the substructure; empty if nothing is counted.
    ByType(&'static [Counted]),
    /// The slots by tag.
    ByTag(&'static TagRow),
}

/// A hash table of the tags under one kind of structure. It is large enough that lookups rarely collide.
#[derive(Debug)]
pub(crate) struct TagRow {
    slots: &'static [Slot],
    /// How far the hash of a tag is shifted right.
    shift: u32,
    /// Open addressing: a tag is at its hash, or after it if that entry is taken.
    entries: Box<[(PackedText, Seat)]>,
    /// The counted slots by kind number.
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
            // `at` is an index of `entries`, and `counted` is long enough for the kind of each slot.
            row.entries[at] = (tag, seat);
            row.counted[usize::from(seat.kind)] = seat.counted;
        }
        row
    }

    /// Returns the index of a tag, or the free index where it belongs.
    #[inline]
    fn at(&self, tag: PackedText) -> usize {
        let hash = tag.number().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        let mut at = usize::try_from(hash).unwrap_or_default();
        // Two thirds of the entries are unused, with an empty text, so the loop ends.
        while let Some((of, _)) = self.entries.get(at)
            && *of != tag
            && *of != PackedText::default()
        {
            at = (at + 1) & (self.entries.len() - 1);
        }
        at
    }

    /// Returns the slots in which structures of a kind are counted.
    #[inline]
    pub(crate) fn counted(&self, kind: u16) -> Counted {
        self.counted.get(usize::from(kind)).copied().unwrap_or(Counted::NOWHERE)
    }

    /// Returns what a tag means here. `tag` is called only if the tag is too long to be packed.
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

    /// Looks up a tag in a list of slots.
    fn by_tag(tag: &str, slots: &[Slot]) -> Seat {
        let at = slots.binary_search_by_key(&tag, |slot| slot.name).ok();
        let found = at.and_then(|at| slots.get(at));
        found.map_or(Seat::NONE, |found| Seat { kind: found.kind, counted: Counted::by_tag(tag, slots) })
    }
}

/// The slots of a standard. Those of a kind are prepared on first use, for all documents and threads.
#[derive(Debug)]
pub(crate) struct Rows {
    table: &'static Table,
    by_tag: Box<[OnceLock<TagRow>]>,
    by_type: Box<[OnceLock<Box<[Counted]>>]>,
}

impl Rows {
    pub(crate) fn of(table: &'static Table) -> Rows {
        let (tags, types) = match table.naming {
            Naming::Tag => (table.kinds.len(), 0),
            Naming::Type => (0, table.kinds.len()),
        };
        let by_tag = (0..tags).map(|_| OnceLock::new()).collect();
        Rows { table, by_tag, by_type: (0..types).map(|_| OnceLock::new()).collect() }
    }

    /// Returns the slots of a kind; [`Row::NONE`] if `kind` is none.
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

    /// Returns the slots in which structures of each kind are counted: the slot of the kind itself and of each
    /// supertype.
    #[cold]
    fn type_row(&self, kind: u16) -> Box<[Counted]> {
        let slots = self.table.kind(kind).map_or(&[][..], |kind| kind.slots);
        let mut place_of = vec![NOT_COUNTED; self.table.kinds.len()];
        for (at, slot) in (0..NOT_COUNTED).zip(slots).filter(|(_, slot)| is_counted(slot)) {
            // The kind of each slot is a kind of the table.
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
            // [`NOT_COUNTED`] comes last.
            counted.0.sort_unstable();
            counted
        });
        row.collect()
    }
}

impl Row {
    /// The row of structures whose substructures are not counted.
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
            // Rows live as long as the program.
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
