//! An index of the identifiers of several runs. The index is for rules that do not change structures because of
//! identifiers.

use super::super::key::{Key, Keys};
use super::super::known::{Irregular, KnownXrefs};
use super::super::report::{self, PlaceWithLine};
use super::super::resolve::PointerFault;
use super::{RunXrefs, XrefList};
use crate::offset::to_u32;
use crate::read::header::Header;
use elf_base::{Place, Rules, Sink};
use elf_lines::VOID;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use std::sync::Arc;

/// The identifiers and pointers of the runs that have been read.
#[derive(Debug, Default)]
pub(crate) struct ListIndex {
    runs: Vec<RunXrefs>,
    /// The first structure that has each identifier, by the key of the identifier.
    firsts: HashMap<u64, EntryId>,
    /// The structures whose identifier also belongs to an earlier structure, in the order of the file.
    repetitions: Vec<Repetition>,
    /// The number of structures that have each repeated identifier, by the key of the identifier.
    repeated: HashMap<u64, u64>,
    has_nested: bool,
}

/// An entry in the list of a run. The entry has the index of the run, and the index of the entry in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EntryId {
    run: u32,
    at: u32,
}

impl EntryId {
    fn new(run: usize, at: usize) -> EntryId {
        EntryId { run: to_u32(run), at: to_u32(at) }
    }
}

/// A structure whose identifier also belongs to an earlier structure.
#[derive(Clone, Copy, Debug)]
struct Repetition {
    id: EntryId,
    first: EntryId,
    key: Key,
}

/// A pointer that does not refer to exactly one record.
struct FaultyPointer {
    id: EntryId,
    key: Key,
    fault: PointerFault,
}

impl ListIndex {
    pub(crate) fn add_run(&mut self, run: &RunXrefs) {
        self.has_nested |= !run.nested.is_empty();
        for (at, key) in run.bearers.keys().enumerate() {
            let id = EntryId::new(self.runs.len(), at);
            match self.firsts.entry(key) {
                Entry::Vacant(vacant) => _ = vacant.insert(id),
                Entry::Occupied(first) => {
                    let repetition = Repetition { id, first: *first.get(), key: Key::of_number(key) };
                    self.repetitions.push(repetition);
                    *self.repeated.entry(key).or_insert(1) += 1;
                }
            }
        }
        self.runs.push(Arc::clone(run));
    }

    pub(crate) fn bearer_count(&self, key: Key) -> u64 {
        match self.repeated.get(&key.number()) {
            Some(count) => *count,
            None => u64::from(self.firsts.contains_key(&key.number())),
        }
    }

    pub(crate) fn report_repeated(&self, rules: &Rules, sink: &mut dyn Sink) {
        for &Repetition { id, first, key } in &self.repetitions {
            if let (Some(here), Some(first)) = (self.place(id), self.place(first)) {
                sink.report(report::repeated_finding(
                    PlaceWithLine::without_line(here),
                    PlaceWithLine::without_line(first),
                    key,
                    rules,
                ));
            }
        }
    }

    /// Reports the pointers that do not refer to exactly one record, in the order of the file.
    pub(crate) fn report_pointers(&self, header: &Header, rules: &Rules, sink: &mut dyn Sink) {
        for FaultyPointer { id, key, fault } in self.faulty_pointers(header) {
            if let Some(place) = self.runs[id.run as usize].pointers.place(id.at as usize) {
                report::report_pointer(PlaceWithLine::without_line(place), fault, key, rules, sink);
            }
        }
    }

    /// Returns the repeated and unresolved identifiers. The keys in the result are made by `keys`.
    pub(crate) fn known_xrefs(&self, header: &Header, keys: &Keys) -> KnownXrefs {
        let mut known = KnownXrefs::none(keys);
        for &key in self.repeated.keys() {
            if let Some(&first) = self.firsts.get(&key) {
                let irregular = Irregular::Repeated { first_is_record: !self.is_nested(first) };
                known.add(Key::of_number(key), irregular);
            }
        }
        for FaultyPointer { key, fault, .. } in self.faulty_pointers(header) {
            match fault {
                PointerFault::Dangling | PointerFault::External => known.add(key, Irregular::Unresolved),
                PointerFault::Substructure => known.add(key, Irregular::Substructure),
                PointerFault::Ambiguous => {}
            }
        }
        known
    }

    /// Finds the pointers that do not refer to exactly one record, in the order of the file.
    fn faulty_pointers(&self, header: &Header) -> impl Iterator<Item = FaultyPointer> {
        let void = header.has_void.then(|| Keys::default().key(VOID));
        self.runs.iter().enumerate().flat_map(move |(run, list)| {
            list.pointers.keys().enumerate().filter_map(move |(at, number)| {
                let key = Key::of_number(number);
                if void == Some(key) {
                    return None;
                }
                let fault = match self.firsts.get(&number) {
                    Some(_) if self.is_repeated(number) => PointerFault::Ambiguous,
                    Some(&bearer) if self.is_nested(bearer) => PointerFault::Substructure,
                    Some(_) => return None,
                    None if list.is_external(at) => PointerFault::External,
                    None => PointerFault::Dangling,
                };
                Some(FaultyPointer { id: EntryId::new(run, at), key, fault })
            })
        })
    }

    fn place(&self, bearer: EntryId) -> Option<Place> {
        self.runs[bearer.run as usize].bearers.place(bearer.at as usize)
    }

    fn is_repeated(&self, key: u64) -> bool {
        !self.repeated.is_empty() && self.repeated.contains_key(&key)
    }

    fn is_nested(&self, bearer: EntryId) -> bool {
        self.has_nested && contains(&self.runs[bearer.run as usize].nested, bearer.at as usize)
    }
}

impl XrefList {
    fn is_external(&self, pointer: usize) -> bool {
        contains(&self.external, pointer)
    }
}

fn contains(indices: &[u32], index: usize) -> bool {
    !indices.is_empty() && indices.binary_search(&to_u32(index)).is_ok()
}
