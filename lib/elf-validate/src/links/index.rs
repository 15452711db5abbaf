//! The bearers of identifiers, as pointers find them.

use super::run_links::{Bearer, RunLinks, to_u32};
use elf_base::{CountedIndex, PartNumbers};

/// The number of a run, and the index of a bearer in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BearerId {
    run: u32,
    at: u32,
}

/// The bearers of all identifiers.
#[derive(Debug)]
pub(super) struct BearerIndex {
    /// By the numbers that they have in the document.
    index: CountedIndex<u32>,
    numbers: PartNumbers,
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

impl BearerIndex {
    /// Indexes the bearers of all runs, and marks those that share an identifier.
    pub(super) fn of(runs: &mut [RunLinks]) -> BearerIndex {
        let keys = runs.iter().flat_map(|run| (0..run.bearers.len()).filter_map(|at| run.key(at)));
        let mut index = CountedIndex::with_room(PartNumbers::NONE, keys);
        let numbers = PartNumbers::of(runs.iter().map(|run| run.bearers.len()));
        let id_of = |number: u32| numbers.place(number).map(|(run, at)| BearerId { run, at });
        let mut next = 0..PartNumbers::NONE;
        for number in 0..runs.len() {
            let count = runs[number].bearers.len();
            for this in next.by_ref().take(count) {
                let key_of = |number: u32| id_of(number)?.key(runs);
                let Some(first) = key_of(this).and_then(|key| index.add(key, this, key_of)) else { continue };
                for id in [first, this].into_iter().filter_map(id_of) {
                    // The numbers were given to the bearers of these runs.
                    runs[id.run as usize].bearers[id.at as usize].is_repeated = true;
                }
            }
        }
        BearerIndex { index, numbers }
    }

    /// The first bearer of an identifier.
    #[inline]
    pub(super) fn bearer<'l>(&self, key: u64, runs: &'l [RunLinks]) -> Option<(BearerId, &'l Bearer)> {
        let id = |number| self.numbers.place(number).map(|(run, at)| BearerId { run, at });
        let id = id(self.index.get(key, |number| id(number)?.key(runs))?)?;
        Some((id, id.of(runs)?))
    }
}
