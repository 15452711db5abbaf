//! Looking up the pointers of listed runs, by rules that change nothing for the sake of identifiers.

use super::super::key::{Key, Keys};
use super::super::known::{Irregular, KnownXrefs};
use super::super::report;
use super::super::resolve::PointerFault;
use super::{RunXrefs, XrefList};
use crate::offset::to_u32;
use crate::read::header::Header;
use elf_base::{CountedIndex, PartNumbers, Place, Rules, Sink};
use elf_lines::VOID;
use std::collections::HashSet;

/// The lists of the identifiers and pointers of all runs of a document, in which nothing is looked up yet:
/// [`Reader::take_xrefs`](crate::Reader::take_xrefs) gives them.
#[derive(Debug)]
pub struct XrefLists {
    pub(in crate::read::xref) runs: Vec<RunXrefs>,
    pub(in crate::read::xref) rules: Rules,
    /// True if pointers are looked up.
    pub(in crate::read::xref) has_all: bool,
    /// The identifier that leads nowhere on purpose.
    pub(in crate::read::xref) void: Option<Key>,
}

/// The identifiers of a document in runs, among which the pointers of each run are looked up, on any
/// threads: [`XrefLists::index`] makes it.
#[derive(Debug)]
pub struct PointerLookup {
    lists: XrefLists,
    /// The number of each bearer in the document, by its identifier. What most of them lead to stands in an
    /// array by their numbers, so that the time of a pointer hardly grows with the document.
    bearers: CountedIndex<u32>,
    numbers: PartNumbers,
    /// The first bearers of the identifiers that others bear too.
    repeated: HashSet<u32>,
    has_nested: bool,
}

/// The pointers of a run that are at fault, by their indices: [`PointerLookup::faults`] finds them.
#[derive(Debug)]
pub struct PointerFaults {
    run: usize,
    faults: Vec<(u32, PointerFault)>,
}

impl XrefLists {
    /// The lists of all runs of a document. `has_all` says that the document was read to its end: otherwise the
    /// rest may have what is missing.
    pub(crate) fn new(lists: Vec<RunXrefs>, rules: &Rules, has_all: bool, header: &Header) -> XrefLists {
        let void = header.has_void.then(|| Keys::default().key(VOID));
        XrefLists { runs: lists, rules: *rules, has_all, void }
    }

    /// Finds the repeated and unresolved identifiers. Where the rules ended the reading, what they left out
    /// counts for nothing.
    pub(crate) fn into_known(mut self, keys: &Keys) -> KnownXrefs {
        self.has_all = true;
        let lookup = self.index(&mut ());
        let mut known = KnownXrefs::none(keys);
        for &first in &lookup.repeated {
            if let Some(key) = lookup.numbers.place(first).and_then(|at| lookup.lists.key(at)) {
                let irregular = Irregular::Repeated { first_is_record: !lookup.is_nested(first) };
                known.add(Key::of_number(key), irregular);
            }
        }
        for run in 0..lookup.run_count() {
            for (at, fault) in lookup.faults(run).faults {
                let irregular = match fault {
                    PointerFault::Dangling | PointerFault::External => Irregular::Unresolved,
                    PointerFault::Substructure => Irregular::Substructure,
                    PointerFault::Ambiguous => continue,
                };
                if let Some(key) = lookup.lists.runs.get(run).and_then(|run| run.pointers.key(at as usize)) {
                    known.add(Key::of_number(key), irregular);
                }
            }
        }
        known
    }

    /// Indexes the identifiers, and reports those that are borne again in the order of the file.
    pub fn index(self, sink: &mut dyn Sink) -> PointerLookup {
        let numbers = PartNumbers::of(self.runs.iter().map(|run| run.bearers.len()));
        let of = |bearer: u32| self.key(numbers.place(bearer)?);
        let place = |bearer: u32| self.place(numbers.place(bearer)?);
        let keys = self.runs.iter().flat_map(|run| run.bearers.keys());
        let mut bearers = CountedIndex::with_room(PartNumbers::NONE, keys);
        let mut repeated = HashSet::new();
        let mut next = 0..PartNumbers::NONE;
        for run in &self.runs {
            for (key, number) in run.bearers.keys().zip(next.by_ref()) {
                let Some(first) = bearers.add(key, number, of) else { continue };
                repeated.insert(first);
                if let Some((here, first)) = place(number).zip(place(first)) {
                    let key = Key::of_number(key);
                    sink.report(report::repeated((here, None), (first, None), key, &self.rules));
                }
            }
        }
        let has_nested = self.runs.iter().any(|run| !run.nested.is_empty());
        PointerLookup { lists: self, bearers, numbers, repeated, has_nested }
    }

    fn place(&self, (run, at): (u32, u32)) -> Option<Place> {
        self.runs.get(run as usize)?.bearers.place(at as usize)
    }

    fn key(&self, (run, at): (u32, u32)) -> Option<u64> {
        self.runs.get(run as usize)?.bearers.key(at as usize)
    }
}

impl PointerLookup {
    /// The number of runs.
    pub fn run_count(&self) -> usize {
        self.lists.runs.len()
    }

    /// Finds the pointers of a run that are at fault; runs are numbered from 0.
    pub fn faults(&self, run: usize) -> PointerFaults {
        let of = |bearer: u32| self.lists.key(self.numbers.place(bearer)?);
        let XrefLists { runs, has_all, void, .. } = &self.lists;
        let mut faults = Vec::new();
        if let Some(list) = runs.get(run).filter(|_| *has_all) {
            for (at, key) in list.pointers.keys().enumerate() {
                let fault = match self.bearers.get(key, of) {
                    _ if *void == Some(Key::of_number(key)) => None,
                    Some(bearer) => self.fault_of(bearer),
                    None if list.is_external(at) => Some(PointerFault::External),
                    None => Some(PointerFault::Dangling),
                };
                faults.extend(fault.map(|fault| (to_u32(at), fault)));
            }
        }
        PointerFaults { run, faults }
    }

    /// Reports the faults of some pointers, as they are given.
    pub fn report(&self, faults: impl IntoIterator<Item = PointerFaults>, sink: &mut dyn Sink) {
        for PointerFaults { run, faults } in faults {
            let pointers = self.lists.runs.get(run).map(|run| &run.pointers);
            for (at, fault) in faults {
                let at = at as usize;
                if let Some((place, key)) = pointers.and_then(|of| of.place(at).zip(of.key(at))) {
                    let of = (fault, Key::of_number(key));
                    report::report_pointer((place, None), of, &self.lists.rules, sink);
                }
            }
        }
    }

    /// Reports the faults of all pointers, looking them up run by run.
    pub fn report_all(&self, sink: &mut dyn Sink) {
        self.report((0..self.run_count()).map(|run| self.faults(run)), sink);
    }

    /// The fault of a pointer to a bearer.
    fn fault_of(&self, bearer: u32) -> Option<PointerFault> {
        if self.repeated.contains(&bearer) {
            return Some(PointerFault::Ambiguous);
        }
        self.is_nested(bearer).then_some(PointerFault::Substructure)
    }

    /// Tells whether a bearer is no record.
    fn is_nested(&self, bearer: u32) -> bool {
        let is_nested =
            |(run, at): (u32, u32)| self.lists.runs.get(run as usize).is_some_and(|run| has(&run.nested, at));
        self.has_nested && self.numbers.place(bearer).is_some_and(is_nested)
    }
}

impl XrefList {
    fn is_external(&self, pointer: usize) -> bool {
        has(&self.external, to_u32(pointer))
    }
}

/// Tells whether an index is among some, of which there are hardly any.
fn has(some: &[u32], index: u32) -> bool {
    !some.is_empty() && some.binary_search(&index).is_ok()
}
