//! Finds the structures that have an identifier. They are called *bearers* here.

use super::run_links::{Bearer, RunLinks, to_u32};
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// The number of a run, and the index of a bearer in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BearerId {
    run: u32,
    at: u32,
}

/// Maps each identifier to its first bearer.
#[derive(Debug)]
pub(super) struct BearerIndex(HashMap<u64, BearerId>);

impl BearerId {
    pub(super) fn new(run: u32, at: usize) -> BearerId {
        BearerId { run, at: to_u32(at) }
    }

    pub(super) const fn run_number(self) -> u32 {
        self.run
    }

    pub(super) const fn index(self) -> usize {
        self.at as usize
    }

    /// Returns the identifier of the bearer as a number, if it has one.
    #[inline]
    pub(super) fn xref_key(self, runs: &[RunLinks]) -> Option<u64> {
        runs.get(self.run as usize)?.xref_key(self.at as usize)
    }

    #[inline]
    pub(super) fn get_bearer(self, runs: &[RunLinks]) -> Option<&Bearer> {
        runs.get(self.run as usize)?.bearers.get(self.at as usize)
    }
}

impl BearerIndex {
    /// Indexes the bearers of all runs, and marks bearers that share an identifier as repeated.
    pub(super) fn of(runs: &mut [RunLinks]) -> BearerIndex {
        // Reserve all memory at once: while a map grows, it is in memory twice.
        let mut firsts = HashMap::with_capacity(runs.iter().map(|run| run.bearers.len()).sum());
        for run in 0..runs.len() {
            for at in 0..runs[run].bearers.len() {
                let Some(key) = runs[run].xref_key(at) else { continue };
                let id = BearerId::new(to_u32(run), at);
                match firsts.entry(key) {
                    Entry::Vacant(vacant) => _ = vacant.insert(id),
                    Entry::Occupied(first) => {
                        let first: BearerId = *first.get();
                        for id in [first, id] {
                            runs[id.run as usize].bearers[id.index()].is_repeated = true;
                        }
                    }
                }
            }
        }
        BearerIndex(firsts)
    }

    #[inline]
    pub(super) fn find_bearer<'l>(&self, key: u64, runs: &'l [RunLinks]) -> Option<(BearerId, &'l Bearer)> {
        let id = *self.0.get(&key)?;
        Some((id, id.get_bearer(runs)?))
    }
}
