//! Finds the slots in which a substructure is counted. The lookup tables are built once for each kind of
//! superstructure.

use crate::table::{Naming, Slot, Table};
use elf_base::PackedText;
use std::sync::OnceLock;

pub(crate) const NO_KIND: u16 = u16::MAX;

/// The maximum number of slots that one substructure is counted in.
const MAX_SLOTS: usize = 4;

/// What a tag means under some kind of structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TagEntry {
    /// The kind number; [`NO_KIND`] if the tag has none.
    pub(crate) kind: u16,
    /// The slots that the substructure is counted in.
    pub(crate) counted: SlotIndices,
}

/// The slots that a substructure is counted in. Unused entries are [`NOT_COUNTED`]. A substructure
/// is not counted in a slot without limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotIndices([u8; MAX_SLOTS]);

/// The index that stands for no slot.
const NOT_COUNTED: u8 = u8::MAX;

impl SlotIndices {
    pub(crate) const NOWHERE: SlotIndices = SlotIndices([NOT_COUNTED; MAX_SLOTS]);

    /// Returns the indices of the slots.
    #[inline]
    pub(crate) fn indices(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().take_while(|&at| at != NOT_COUNTED)
    }

    /// Returns the first slot, and whether there are others.
    #[inline]
    pub(crate) const fn first_and_more(self) -> Option<(u8, bool)> {
        let [first, second, ..] = self.0;
        if first == NOT_COUNTED { None } else { Some((first, second != NOT_COUNTED)) }
    }

    /// Returns the counted slots that have this tag.
    fn with_tag(tag: &str, slots: &[Slot]) -> SlotIndices {
        let mut all = SlotIndices::NOWHERE;
        let at = (0..NOT_COUNTED).zip(slots).filter(|(_, slot)| has_limits(slot) && slot.name == tag);
        for (counted, (at, _)) in all.0.iter_mut().zip(at) {
            *counted = at;
        }
        all
    }
}

const fn has_limits(slot: &Slot) -> bool {
    slot.min > 0 || slot.max.is_some()
}

/// The slots of one kind of superstructure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SlotRow {
    /// The counted slots, by the kind number of the substructure. The list is empty if nothing is
    /// counted.
    ByType(&'static [SlotIndices]),
    /// The slots by tag.
    ByTag(&'static TagRow),
}

/// A hash table of the tags under one kind of structure. It is large enough that lookups rarely collide.
#[derive(Debug)]
pub(crate) struct TagRow {
    slots: &'static [Slot],
    /// How far the hash of a tag is shifted right.
    shift: u32,
    /// The entries, with open addressing: a tag is at its hash or, if that entry is taken, at a
    /// later one.
    entries: Box<[(PackedText, TagEntry)]>,
    /// The counted slots by kind number.
    counted: Box<[SlotIndices]>,
}

impl TagRow {
    fn of(slots: &'static [Slot]) -> TagRow {
        let bits = (slots.len() * 3).next_power_of_two().ilog2().max(1);
        let entries = vec![(PackedText::default(), TagEntry::NONE); 1 << bits];
        let kinds = slots.iter().map(|slot| usize::from(slot.kind) + 1).max().unwrap_or_default();
        let counted = vec![SlotIndices::NOWHERE; kinds].into();
        let mut row = TagRow { slots, shift: u64::BITS - bits, entries: entries.into(), counted };
        for slot in slots {
            let Some(tag) = PackedText::of(slot.name) else { continue };
            let at = row.find_entry(tag);
            let seat = TagEntry::find(slot.name, slots);
            // `at` is an index of `entries`, and `counted` is long enough for the kind of each slot.
            row.entries[at] = (tag, seat);
            row.counted[usize::from(seat.kind)] = seat.counted;
        }
        row
    }

    /// Returns the index of a tag, or the free index where it belongs.
    #[inline]
    fn find_entry(&self, tag: PackedText) -> usize {
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
    pub(crate) fn slots_of_kind(&self, kind: u16) -> SlotIndices {
        self.counted.get(usize::from(kind)).copied().unwrap_or(SlotIndices::NOWHERE)
    }

    /// Returns what a tag means here. `tag` is called only if the tag is too long to be packed.
    #[inline]
    pub(crate) fn slots_of_tag<'t>(
        &self,
        packed: Option<PackedText>,
        tag: impl FnOnce() -> &'t str,
    ) -> TagEntry {
        match packed {
            Some(tag) => self.entries.get(self.find_entry(tag)).map_or(TagEntry::NONE, |(_, seat)| *seat),
            None => TagEntry::find(tag(), self.slots),
        }
    }
}

impl TagEntry {
    pub(crate) const NONE: TagEntry = TagEntry { kind: NO_KIND, counted: SlotIndices::NOWHERE };

    fn find(tag: &str, slots: &[Slot]) -> TagEntry {
        let at = slots.binary_search_by_key(&tag, |slot| slot.name).ok();
        let found = at.and_then(|at| slots.get(at));
        found.map_or(TagEntry::NONE, |found| TagEntry {
            kind: found.kind,
            counted: SlotIndices::with_tag(tag, slots),
        })
    }
}

/// The slots of a standard. The slots of each kind are prepared when they are first needed, for all
/// documents and threads.
#[derive(Debug)]
pub(crate) struct SlotRows {
    table: &'static Table,
    by_tag: Box<[OnceLock<TagRow>]>,
    by_type: Box<[OnceLock<Box<[SlotIndices]>>]>,
}

impl SlotRows {
    pub(crate) fn of(table: &'static Table) -> SlotRows {
        let (tags, types) = match table.naming {
            Naming::Tag => (table.kinds.len(), 0),
            Naming::Type => (0, table.kinds.len()),
        };
        let by_tag = (0..tags).map(|_| OnceLock::new()).collect();
        SlotRows { table, by_tag, by_type: (0..types).map(|_| OnceLock::new()).collect() }
    }

    /// Returns the slots of a kind, or [`SlotRow::NONE`] if `kind` is [`NO_KIND`].
    #[inline]
    pub(crate) fn get(&'static self, kind: u16) -> SlotRow {
        let at = usize::from(kind);
        if let Some(row) = self.by_tag.get(at) {
            SlotRow::ByTag(row.get_or_init(|| self.new_tag_row(kind)))
        } else if let Some(row) = self.by_type.get(at) {
            SlotRow::ByType(row.get_or_init(|| self.new_type_row(kind)))
        } else {
            SlotRow::NONE
        }
    }

    #[cold]
    fn new_tag_row(&self, kind: u16) -> TagRow {
        TagRow::of(self.table.kind(kind).map_or(&[], |kind| kind.slots))
    }

    /// Returns, for each kind, the slots in which its structures are counted: the slot of the kind
    /// itself and the slots of its supertypes.
    #[cold]
    fn new_type_row(&self, kind: u16) -> Box<[SlotIndices]> {
        let slots = self.table.kind(kind).map_or(&[][..], |kind| kind.slots);
        let mut place_of = vec![NOT_COUNTED; self.table.kinds.len()];
        for (at, slot) in (0..NOT_COUNTED).zip(slots).filter(|(_, slot)| has_limits(slot)) {
            // The kind of each slot is a kind of the table.
            place_of[usize::from(slot.kind)] = at;
        }
        let kinds = (0..).zip(self.table.kinds);
        let row = kinds.map(|(of, kind): (u16, _)| {
            let all = std::iter::once(&of).chain(kind.supertypes);
            let places = all.filter_map(|of| place_of.get(usize::from(*of)).copied());
            let mut counted = SlotIndices::NOWHERE;
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

impl SlotRow {
    /// The row of structures whose substructures are not counted.
    pub(crate) const NONE: SlotRow = SlotRow::ByType(&[]);
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
            let rows: &'static SlotRows = Box::leak(Box::new(SlotRows::of(table)));
            for (above, kind) in (0..).zip(table.kinds) {
                match rows.get(above) {
                    SlotRow::ByTag(row) => {
                        for slot in kind.slots {
                            let seat = row.slots_of_tag(PackedText::of(slot.name), || slot.name);
                            assert_eq!(seat, TagEntry::find(slot.name, kind.slots));
                            assert_eq!(seat, row.slots_of_tag(None, || slot.name));
                            assert_eq!(seat.counted, row.slots_of_kind(seat.kind));
                        }
                        for none in ["_NONE", "_NONE_AT_ALL", "", "B"] {
                            let found = row.slots_of_tag(PackedText::of(none), || none);
                            assert_eq!(found, TagEntry::NONE, "{none}");
                        }
                    }
                    SlotRow::ByType(row) => {
                        assert_eq!(row.len(), table.kinds.len());
                        for (at, slot) in kind.slots.iter().enumerate() {
                            for (of, below) in (0..).zip(table.kinds) {
                                let is = slot.kind == of || below.supertypes.contains(&slot.kind);
                                let mut places = row[usize::from(of)].indices();
                                let is_there = places.any(|place| usize::from(place) == at);
                                assert_eq!(is_there, is && has_limits(slot), "{} {}", kind.name, below.name);
                            }
                        }
                    }
                }
            }
            assert!(matches!(rows.get(NO_KIND), SlotRow::ByType([])));
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
                    assert!(
                        kind.slots.iter().filter(is).filter(|slot| has_limits(slot)).count() <= MAX_SLOTS
                    );
                }
            }
        }
    }
}
