//! The occurrences of a document that is read in parts for the first of two times: twenty octets for each,
//! whatever the length of the identifier.

use super::super::is_external_pointer;
use super::super::key::{Key, Keys, Label};
use super::super::resolve::{Irregularity, find_targets, index_bearers};
use super::places::PlaceFinder;
use super::{Collection, Enclosed, Entry, Occurrence, Occurrences, Side, shares, visible_pointer};
use crate::read::tree::View;
use crate::read::tree::build::Built;
use elf_base::{PackedPlace, PackedPlaces, Place, Rules};
use elf_octets::Source;
use hashbrown::HashTable;

/// The occurrences of all parts of a document.
///
/// Nothing is looked up before the end. Then it is done by shares of the identifiers, small enough that the
/// index of one stays in the cache: the time of a pointer does not grow with the document.
#[derive(Debug, Default)]
pub(crate) struct PartLists {
    parts: Vec<Lists>,
    keys: Keys,
}

/// The occurrences of one part.
#[derive(Debug)]
pub(crate) struct PartList(Option<Lists>);

#[derive(Debug)]
struct Lists {
    places: PackedPlaces,
    /// The structures that bear an identifier. Marked: that are no records.
    bearers: SortedList,
    /// The pointers. Marked: with the shape of GEDCOM's for other files and for parts of records.
    pointers: SortedList,
    enclosed: Box<[Enclosed]>,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    key: Key,
    place: PackedPlace,
}

/// Occurrences in the order of their shares, those of a share in the order of the file.
#[derive(Debug)]
struct SortedList {
    entries: Box<[Placed]>,
    /// The checks of their [`Label`]s.
    checks: Box<[u32]>,
    /// The index where each share ends; empty where there are fewer entries than shares.
    ends: Box<[u32]>,
}

/// An occurrence in a part: in as few octets as can be.
#[derive(Clone, Copy, Debug)]
pub(in crate::read::xref) struct PartEntry {
    key: Key,
    at: PartIndex,
    check: u32,
}

/// The index of an occurrence: the number of its part, and its number among those of its side there.
#[derive(Clone, Copy, Debug)]
struct PartIndex {
    /// The two highest bits are [`MARKED`](PartIndex::MARKED) and [`REPEATED`](PartIndex::REPEATED).
    part: u32,
    entry: u32,
}

/// The number of shares.
const SHARES: u8 = shares::MOST;

impl PartList {
    /// Takes the occurrences out of what was built of a part, with what tells any two identifiers apart, to
    /// find out what is irregular about each.
    pub(in crate::read::xref) fn of(built: &mut Built, source: &Source<'_>, rules: &Rules) -> PartList {
        let occurrences = Occurrences::take_from(built, rules);
        if occurrences.is_empty() {
            return PartList(None);
        }
        let view = View { text: source.text(), made: &built.made, nodes: &built.nodes };
        let keys = &occurrences.keys;
        let mut places = PackedPlaces::new(source.start());
        let mut finder = PlaceFinder::new(source, &built.nodes);
        let bearer_text = |bearer: &Occurrence| view.xref(bearer.node).unwrap_or_default();
        let bearers = occurrences.bearers.in_order();
        let bearers = SortedList::of(bearers, keys, bearer_text, |bearer| {
            let place = finder.place(view, bearer.node, view.xref_span(bearer.node));
            Some(places.keep(place).marked(!view.is_record(bearer.node)))
        });
        let pointer_text = |pointer: &Occurrence| view.line_pointer(pointer.node).unwrap_or_default();
        let pointers = occurrences.pointers.in_order();
        let pointers = SortedList::of(pointers, keys, pointer_text, |pointer| {
            let xref = visible_pointer(view, pointer.node)?;
            let place = finder.place(view, pointer.node, view.payload_span(pointer.node));
            Some(places.keep(place).marked(is_external_pointer(xref)))
        });
        let may_reject = rules.tagged.xref_errors.rejects();
        let enclosed = if may_reject { Enclosed::all(view, &occurrences) } else { Vec::new() };
        PartList(Some(Lists { places, bearers, pointers, enclosed: enclosed.into() }))
    }
}

fn share_of(key: Key, keys: &Keys) -> u8 {
    shares::share_of(keys.hash(key), SHARES)
}

impl SortedList {
    /// The entries of those of `occurrences` that have a place, with checks of their texts.
    fn of<'x>(
        occurrences: &[Occurrence],
        keys: &Keys,
        text: impl Fn(&Occurrence) -> &'x str,
        mut place: impl FnMut(&Occurrence) -> Option<PackedPlace>,
    ) -> SortedList {
        let mut entries: Vec<Placed> = Vec::with_capacity(occurrences.len());
        let mut labels: Vec<Label> = Vec::new();
        for occurrence in occurrences {
            let Some(place) = place(occurrence) else { continue };
            entries.push(Placed { key: occurrence.key(), place });
            labels.push(keys.label(occurrence.key(), text(occurrence)));
        }
        let (sorted, ends) = shares::sort(&entries, SHARES, |entry| share_of(entry.key, keys));
        let ends = if sorted.len() < ends.len() { Box::default() } else { ends };
        let (labels, _) = shares::sort(&labels, SHARES, |label| share_of(label.key, keys));
        SortedList { entries: sorted, checks: labels.iter().map(|label| label.check).collect(), ends }
    }

    /// Adds the entries of a share, which are those of the part of that number.
    fn gather(&self, part: u32, share: u8, keys: &Keys, into: &mut Vec<PartEntry>) {
        let end = |share: usize| self.ends.get(share).map(|&end| end as usize);
        let share_end = end(usize::from(share));
        let start = usize::from(share).checked_sub(1).and_then(end).unwrap_or(0);
        let range = start..share_end.unwrap_or(self.entries.len());
        let checks = self.checks.get(range.clone()).unwrap_or_default();
        let entries = self.entries.get(range).unwrap_or_default();
        let numbers = (u32::try_from(start).unwrap_or(u32::MAX)..).zip(entries);
        let entries = numbers.zip(checks).map(|((number, entry), &check)| entry.in_part(part, number, check));
        match share_end {
            Some(_) => into.extend(entries),
            None => into.extend(entries.filter(|entry| share_of(entry.key, keys) == share)),
        }
    }
}

impl Placed {
    const fn in_part(self, part: u32, entry: u32, check: u32) -> PartEntry {
        let mark = if self.place.is_marked() { PartIndex::MARKED } else { 0 };
        PartEntry { key: self.key, at: PartIndex { part: part | mark, entry }, check }
    }
}

impl PartIndex {
    /// The place of the occurrence is marked.
    const MARKED: u32 = 1 << 30;
    /// Another structure bears the identifier too.
    const REPEATED: u32 = 1 << 31;

    const fn part(self) -> usize {
        (self.part & !(PartIndex::MARKED | PartIndex::REPEATED)) as usize
    }
}

impl Entry for PartEntry {
    #[inline]
    fn key(&self) -> Key {
        self.key
    }
}

impl PartEntry {
    /// Returns whether it was [noted](PartEntry::note_repeated) that another structure bears the identifier
    /// too.
    #[inline]
    const fn is_repeated(&self) -> bool {
        self.at.part & PartIndex::REPEATED != 0
    }

    const fn note_repeated(&mut self) {
        self.at.part |= PartIndex::REPEATED;
    }
}

impl PartLists {
    /// No parts yet, of a document whose identifiers have their keys from `keys`.
    pub(in crate::read::xref) const fn new(keys: Keys) -> PartLists {
        PartLists { parts: Vec::new(), keys }
    }

    /// The place in the file, and the key.
    fn placed(&self, side: Side, at: PartIndex) -> (Place, Key) {
        let placed = self.parts.get(at.part()).and_then(|part| {
            let list = if side == Side::Bearer { &part.bearers } else { &part.pointers };
            let placed = list.entries.get(at.entry as usize)?;
            Some((part.places.place(placed.place), placed.key))
        });
        debug_assert!(placed.is_some(), "an index is that of an occurrence");
        placed.unwrap_or((Place::new(0, 1, 1, 1), Key::default()))
    }

    /// Shows all irregularities, share by share, in a share the identifiers first.
    pub(in crate::read::xref) fn look_up(&self, mut see: impl FnMut(Irregularity<PartEntry>)) {
        let (mut table, mut room) = (HashTable::new(), Vec::new());
        for share in 0..SHARES {
            table.clear();
            self.gather(Side::Bearer, share, &mut room);
            index_bearers(self, &room, &mut table, |entry, first: &mut PartEntry| {
                first.note_repeated();
                see(Irregularity::Repeated { entry, first: *first });
            });
            self.gather(Side::Pointer, share, &mut room);
            find_targets(self, &room, &table, PartEntry::is_repeated, &mut see);
        }
    }

    /// Brings together the entries of a side and a share, those of one identifier in document order, so that
    /// the processor can fetch them ahead.
    fn gather(&self, side: Side, share: u8, room: &mut Vec<PartEntry>) {
        room.clear();
        for (number, part) in (0..).zip(&self.parts) {
            let list = match side {
                Side::Bearer => &part.bearers,
                Side::Pointer => &part.pointers,
            };
            list.gather(number, share, &self.keys, room);
        }
    }

    /// Adds the occurrences of the next part.
    pub(in crate::read::xref) fn add(&mut self, list: PartList) {
        self.parts.extend(list.0);
    }
}

impl Collection for PartLists {
    type Entry = PartEntry;
    type Position = Place;

    fn keys(&self) -> &Keys {
        &self.keys
    }

    #[inline]
    fn is_nested(&self, bearer: &PartEntry) -> bool {
        bearer.at.part & PartIndex::MARKED != 0
    }

    #[inline]
    fn is_borne_by(&self, _: Side, entry: &PartEntry, bearer: &PartEntry) -> bool {
        entry.key == bearer.key && entry.check == bearer.check
    }

    fn is_pointer(&self, _: &PartEntry) -> bool {
        // Others are not kept.
        true
    }

    fn is_external(&self, pointer: &PartEntry) -> bool {
        pointer.at.part & PartIndex::MARKED != 0
    }

    fn label(&self, _: Side, entry: &PartEntry) -> Label {
        Label { key: entry.key, check: entry.check }
    }

    fn position(&self, side: Side, entry: &PartEntry) -> Place {
        self.placed(side, entry.at).0
    }

    fn bearer_labels(&self) -> impl Iterator<Item = Label> {
        let lists = self.parts.iter().map(|part| &part.bearers);
        lists.flat_map(|list| {
            list.entries.iter().zip(&list.checks).map(|(entry, &check)| Label { key: entry.key, check })
        })
    }

    fn each_enclosed(&self, see: &mut dyn FnMut(&[Enclosed])) {
        self.parts.iter().for_each(|part| see(&part.enclosed));
    }
}
