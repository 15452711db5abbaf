//! An index of the identifiers of listed runs, by rules that do not change structures because of identifiers.

use super::super::key::{Key, Keys};
use super::super::known::{Irregular, KnownXrefs};
use super::super::report;
use super::super::resolve::PointerFault;
use super::run_numbers::{EntryId, RunNumbers};
use super::{RunXrefs, XrefList};
use crate::offset::to_u32;
use crate::read::header::Header;
use elf_base::{Place, Rules, Sink};
use elf_lines::VOID;
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::Arc;

/// The identifiers and pointers of the runs of a document that were read so far.
#[derive(Debug, Default)]
pub(crate) struct ListIndex {
    runs: Vec<RunXrefs>,
    /// The number in the document of the first bearer of each identifier. It stores no identifiers, to save memory:
    /// the runs have them.
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    numbers: RunNumbers,
    /// The structures whose identifier another one before them has too, in the order of the file.
    repetitions: Vec<Repetition>,
    /// The number of structures with each repeated identifier, by the first of them.
    repeated: HashMap<u32, u64>,
    has_nested: bool,
}

/// A structure whose identifier another one before it has too.
#[derive(Clone, Copy, Debug)]
struct Repetition {
    number: u32,
    first: u32,
    key: Key,
}

/// A pointer that does not lead to one record.
struct FaultyPointer {
    id: EntryId,
    key: Key,
    fault: PointerFault,
}

impl ListIndex {
    /// Adds the next run.
    pub(crate) fn add_run(&mut self, run: &RunXrefs) {
        self.has_nested |= !run.nested.is_empty();
        self.numbers.add_run(run.bearers.len());
        let at = self.runs.len();
        self.runs.push(Arc::clone(run));
        for (key, number) in run.bearers.keys().zip(self.numbers.of_run(at)) {
            if let Some(first) = self.add(key, number) {
                self.repetitions.push(Repetition { number, first, key: Key::of_number(key) });
                *self.repeated.entry(first).or_insert(1) += 1;
            }
        }
    }

    /// Returns the number of structures in the runs so far that have an identifier.
    pub(crate) fn bearer_count(&self, key: Key) -> u64 {
        let count_of = |first| self.repeated.get(&first).copied().unwrap_or(1);
        self.bearer(key.number()).map_or(0, count_of)
    }

    /// Reports the repeated identifiers, in the order of the file.
    pub(crate) fn report_repeated(&self, rules: &Rules, sink: &mut dyn Sink) {
        for &Repetition { number, first, key } in &self.repetitions {
            if let (Some(here), Some(first)) = (self.place(number), self.place(first)) {
                sink.report(report::repeated((here, None), (first, None), key, rules));
            }
        }
    }

    /// Adds the bearer with this number. If another one has the identifier `key` already, returns that one instead.
    fn add(&mut self, key: u64, number: u32) -> Option<u32> {
        let ListIndex { runs, table, hasher, numbers, .. } = self;
        let key_of = |number: &u32| key_of(runs, numbers.id(*number));
        let is_same = |other: &u32| key_of(other) == Some(key);
        match table.entry(hasher.hash_one(Some(key)), is_same, |other| hasher.hash_one(key_of(other))) {
            Entry::Occupied(first) => Some(*first.get()),
            Entry::Vacant(vacant) => {
                vacant.insert(number);
                None
            }
        }
    }

    /// Returns the first bearer of the identifier `key`.
    fn bearer(&self, key: u64) -> Option<u32> {
        let is_named = |number: &u32| key_of(&self.runs, self.numbers.id(*number)) == Some(key);
        self.table.find(self.hasher.hash_one(Some(key)), is_named).copied()
    }

    /// Reports the pointers that do not lead to one record, in the order of the file.
    pub(crate) fn report_pointers(&self, header: &Header, rules: &Rules, sink: &mut dyn Sink) {
        for FaultyPointer { id, key, fault } in self.faulty_pointers(header) {
            if let Some(place) = self.runs[id.run].pointers.place(id.at) {
                report::report_pointer((place, None), (fault, key), rules, sink);
            }
        }
    }

    /// Returns the repeated and unresolved identifiers, as keys that `keys` made.
    pub(crate) fn known_xrefs(&self, header: &Header, keys: &Keys) -> KnownXrefs {
        let mut known = KnownXrefs::none(keys);
        for &first in self.repeated.keys() {
            if let Some(key) = key_of(&self.runs, self.numbers.id(first)) {
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

    /// Looks up all pointers in the order of the file.
    fn faulty_pointers(&self, header: &Header) -> impl Iterator<Item = FaultyPointer> {
        let void = header.has_void.then(|| Keys::default().key(VOID));
        self.runs.iter().enumerate().flat_map(move |(run, list)| {
            list.pointers.keys().enumerate().filter_map(move |(at, number)| {
                let key = Key::of_number(number);
                if void == Some(key) {
                    return None;
                }
                let fault = match self.bearer(number) {
                    Some(bearer) if self.repeated.contains_key(&bearer) => PointerFault::Ambiguous,
                    Some(bearer) if self.is_nested(bearer) => PointerFault::Substructure,
                    Some(_) => return None,
                    None if list.is_external(at) => PointerFault::External,
                    None => PointerFault::Dangling,
                };
                Some(FaultyPointer { id: EntryId { run, at }, key, fault })
            })
        })
    }

    fn place(&self, bearer: u32) -> Option<Place> {
        let EntryId { run, at } = self.numbers.id(bearer);
        self.runs[run].bearers.place(at)
    }

    /// Returns whether a bearer is no record.
    fn is_nested(&self, bearer: u32) -> bool {
        let EntryId { run, at } = self.numbers.id(bearer);
        self.has_nested && contains(&self.runs[run].nested, at)
    }
}

/// Returns the identifier of a bearer.
fn key_of(runs: &[RunXrefs], id: EntryId) -> Option<u64> {
    runs[id.run].bearers.key(id.at)
}

impl XrefList {
    fn is_external(&self, pointer: usize) -> bool {
        contains(&self.external, pointer)
    }
}

/// Returns whether sorted indices, of which there are hardly any, contain `index`.
fn contains(indices: &[u32], index: usize) -> bool {
    !indices.is_empty() && indices.binary_search(&to_u32(index)).is_ok()
}
