//! Lists of numbers for each of many numbers.

use std::ops::Range;

/// Sets a mark. Returns whether it was not set before.
pub(crate) fn mark(marks: &mut [bool], number: u32) -> bool {
    !std::mem::replace(&mut marks[number as usize], true)
}

/// For each number, the range of the elements of a sorted list that belong to it.
pub(crate) struct Ranges(Vec<usize>);

impl Ranges {
    /// `sorted` has for each element the number that it belongs to, below `count`.
    pub(crate) fn of(sorted: impl Iterator<Item = u32>, count: usize) -> Ranges {
        let mut ends = vec![0; count + 1];
        for (index, number) in sorted.enumerate() {
            ends[number as usize + 1] = index + 1;
        }
        let mut last = 0;
        for end in &mut ends {
            last = last.max(*end);
            *end = last;
        }
        Ranges(ends)
    }

    pub(crate) fn of_number(&self, number: u32) -> Range<usize> {
        self.0[number as usize]..self.0[number as usize + 1]
    }
}

/// For each number, a list of others.
pub(crate) struct Lists {
    ranges: Ranges,
    values: Vec<u32>,
}

impl Lists {
    /// Makes lists of the second numbers of pairs for their first numbers, which are below `count`.
    pub(crate) fn of(mut pairs: Vec<(u32, u32)>, count: usize) -> Lists {
        pairs.sort();
        Lists {
            ranges: Ranges::of(pairs.iter().map(|(number, _)| *number), count),
            values: pairs.into_iter().map(|(_, value)| value).collect(),
        }
    }

    pub(crate) fn of_number(&self, number: u32) -> &[u32] {
        &self.values[self.ranges.of_number(number)]
    }
}
