//! Numbers for the entries of all runs of a document.

use crate::offset::to_u32;
use std::ops::Range;

/// Numbers the entries of all runs consecutively. Such a number takes half the memory of an [`EntryId`].
#[derive(Debug, Default)]
pub(super) struct RunNumbers {
    /// The number of the first entry of each run.
    firsts: Vec<u32>,
    /// The number of the first entry of the next run.
    next: u32,
}

/// The index of a run, and the index of an entry in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntryId {
    pub(super) run: usize,
    pub(super) at: usize,
}

impl RunNumbers {
    /// Numbers the entries of the next run, which has this many.
    pub(super) fn add_run(&mut self, count: usize) {
        self.firsts.push(self.next);
        self.next = self.next.saturating_add(to_u32(count));
    }

    /// Returns the numbers of the entries of a run, in their order. Entries from 2^32 - 1 on get none.
    pub(super) fn of_run(&self, run: usize) -> Range<u32> {
        self.firsts[run]..u32::MAX
    }

    /// Returns the entry with this number, which one of the runs has.
    #[inline]
    pub(super) fn id(&self, number: u32) -> EntryId {
        // The first run starts at 0, so at least one run starts at or before each number.
        let run = self.firsts.partition_point(|&first| first <= number) - 1;
        EntryId { run, at: (number - self.firsts[run]) as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_that_of_one_entry() {
        let counts = [0, 2, 0, 3, 1, 0];
        let mut numbers = RunNumbers::default();
        counts.into_iter().for_each(|count| numbers.add_run(count));
        let mut next = 0;
        for (run, count) in counts.into_iter().enumerate() {
            for (at, number) in (0..count).zip(numbers.of_run(run)) {
                assert_eq!((number, numbers.id(number)), (next, EntryId { run, at }));
                next += 1;
            }
        }
    }
}
