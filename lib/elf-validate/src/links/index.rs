//! The bearers of identifiers, as pointers find them.

use super::run_links::{Bearer, RunLinks, to_u32};
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;
use std::ops::Range;

/// The number of a run, and the index of a bearer in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BearerId {
    run: u32,
    at: u32,
}

/// The bearers of all identifiers, each found by its identifier.
#[derive(Debug)]
pub(super) struct BearerIndex {
    /// The number in the document of the first bearer of each identifier. It stores no identifiers, to save memory:
    /// the runs have them.
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    numbers: RunNumbers,
}

/// Numbers the bearers of all runs consecutively. Such a number takes half the memory of a [`BearerId`].
#[derive(Debug)]
struct RunNumbers {
    /// The number of the first bearer of each run.
    firsts: Vec<u32>,
}

impl BearerId {
    pub(super) fn new(run: u32, at: usize) -> BearerId {
        BearerId { run, at: to_u32(at) }
    }

    pub(super) const fn run(self) -> u32 {
        self.run
    }

    pub(super) const fn at(self) -> usize {
        self.at as usize
    }

    /// The identifier, where it has one.
    #[inline]
    pub(super) fn key(self, runs: &[RunLinks]) -> Option<u64> {
        runs.get(self.run as usize)?.key(self.at as usize)
    }

    #[inline]
    pub(super) fn of(self, runs: &[RunLinks]) -> Option<&Bearer> {
        runs.get(self.run as usize)?.bearers.get(self.at as usize)
    }
}

impl RunNumbers {
    fn of(runs: &[RunLinks]) -> RunNumbers {
        let mut next = 0_u32;
        let first_of = |run: &RunLinks| {
            let first = next;
            next = first.saturating_add(to_u32(run.bearers.len()));
            first
        };
        RunNumbers { firsts: runs.iter().map(first_of).collect() }
    }

    /// Returns the numbers of the bearers of a run, in their order. Those from 2^32 - 1 on get none.
    fn of_run(&self, run: usize) -> Range<u32> {
        self.firsts[run]..u32::MAX
    }

    /// Returns the bearer with this number, which one of the runs has.
    #[inline]
    fn id(&self, number: u32) -> BearerId {
        // The first run starts at 0, so at least one run starts at or before each number.
        let run = self.firsts.partition_point(|&first| first <= number) - 1;
        BearerId { run: to_u32(run), at: number - self.firsts[run] }
    }
}

impl BearerIndex {
    /// Indexes the bearers of all runs, and marks those that share an identifier.
    pub(super) fn of(runs: &mut [RunLinks]) -> BearerIndex {
        // While a table grows, it is in memory twice.
        let count = runs.iter().map(|run| run.bearers.len()).sum();
        let mut index = BearerIndex {
            table: HashTable::with_capacity(count),
            hasher: DefaultHashBuilder::default(),
            numbers: RunNumbers::of(runs),
        };
        for run in 0..runs.len() {
            for (at, number) in (0..runs[run].bearers.len()).zip(index.numbers.of_run(run)) {
                let Some(key) = runs[run].key(at) else { continue };
                let Some(first) = index.add(key, number, runs) else { continue };
                for id in [first, number].map(|number| index.numbers.id(number)) {
                    runs[id.run as usize].bearers[id.at as usize].is_repeated = true;
                }
            }
        }
        index
    }

    /// Adds the bearer with this number. If another one has the identifier `key` already, returns that one instead.
    fn add(&mut self, key: u64, number: u32, runs: &[RunLinks]) -> Option<u32> {
        let BearerIndex { table, hasher, numbers } = self;
        let key_of = |number: &u32| numbers.id(*number).key(runs);
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
    #[inline]
    pub(super) fn bearer<'l>(&self, key: u64, runs: &'l [RunLinks]) -> Option<(BearerId, &'l Bearer)> {
        let is_named = |number: &u32| self.numbers.id(*number).key(runs) == Some(key);
        let number = self.table.find(self.hasher.hash_one(Some(key)), is_named)?;
        let id = self.numbers.id(*number);
        Some((id, id.of(runs)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_that_of_one_bearer() {
        let numbers = RunNumbers { firsts: vec![0, 0, 2, 2, 5] };
        let ids: Vec<(u32, usize)> =
            (0..6).map(|number| numbers.id(number)).map(|id| (id.run(), id.at())).collect();
        assert_eq!(ids, [(1, 0), (1, 1), (3, 0), (3, 1), (3, 2), (4, 0)]);
    }
}
