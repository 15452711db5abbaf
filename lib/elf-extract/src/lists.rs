//! Lists of numbers, grouped by another number.

use std::ops::Range;

/// Sets a mark. Returns false if it was already set.
pub(crate) fn set_mark(marks: &mut [bool], number: u32) -> bool {
    !std::mem::replace(&mut marks[number as usize], true)
}

/// For each number, the range of its elements in a sorted list.
pub(crate) struct RangesByNumber(Vec<usize>);

impl RangesByNumber {
    /// `sorted` yields for each element the number that it belongs to. All numbers are below
    /// `count`.
    pub(crate) fn of(sorted: impl Iterator<Item = u32>, count: usize) -> RangesByNumber {
        let mut ends = vec![0; count + 1];
        for (index, number) in sorted.enumerate() {
            ends[number as usize + 1] = index + 1;
        }
        let mut last = 0;
        for end in &mut ends {
            last = last.max(*end);
            *end = last;
        }
        RangesByNumber(ends)
    }

    pub(crate) fn of_number(&self, number: u32) -> Range<usize> {
        self.0[number as usize]..self.0[number as usize + 1]
    }
}

/// For each number, a list of other numbers.
pub(crate) struct ListsByNumber {
    ranges: RangesByNumber,
    values: Vec<u32>,
}

impl ListsByNumber {
    /// Groups pairs by their first number. All first numbers are below `count`.
    pub(crate) fn of(mut pairs: Vec<(u32, u32)>, count: usize) -> ListsByNumber {
        pairs.sort();
        ListsByNumber {
            ranges: RangesByNumber::of(pairs.iter().map(|(number, _)| *number), count),
            values: pairs.into_iter().map(|(_, value)| value).collect(),
        }
    }

    pub(crate) fn of_number(&self, number: u32) -> &[u32] {
        &self.values[self.ranges.of_number(number)]
    }
}
