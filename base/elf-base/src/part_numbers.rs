//! Numbers for the items of all runs of a document.

/// Numbers the items of all runs of a document consecutively. Such a number takes half the memory of the number of a
/// run and an index in it.
///
/// ```
/// use elf_base::PartNumbers;
///
/// let numbers = PartNumbers::of([2, 0, 3]);
/// let places: Vec<_> = (0..6).map(|number| numbers.place(number)).collect();
/// assert_eq!(places[1..4], [Some((0, 1)), Some((2, 0)), Some((2, 1))]);
/// assert_eq!(places[5], None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PartNumbers {
    /// The runs that have items: the number of the first item, and the number of the run.
    starts: Vec<(u32, u32)>,
    /// For each stretch of numbers, the index in `starts` of the run of its first number.
    stretches: Vec<u32>,
    /// The number of all items.
    end: u32,
}

/// The length of a stretch, and so the most runs that are searched for one number.
const STRETCH: u32 = 1 << 8;

impl PartNumbers {
    /// The number of no item.
    pub const NONE: u32 = u32::MAX;

    /// Numbers the items of runs with these counts. Items from 2^32 - 1 on get no number.
    pub fn of(counts: impl IntoIterator<Item = usize>) -> PartNumbers {
        let mut numbers = PartNumbers::default();
        for (part, count) in (0..).zip(counts) {
            let index = u32::try_from(numbers.starts.len()).unwrap_or(u32::MAX);
            let end = u32::try_from(count).unwrap_or(u32::MAX).saturating_add(numbers.end);
            if end == numbers.end {
                continue;
            }
            numbers.starts.push((numbers.end, part));
            // Each stretch whose first number is in this run.
            let stretches = end.div_ceil(STRETCH) as usize;
            numbers.stretches.resize(stretches, index);
            numbers.end = end;
        }
        numbers
    }

    /// The run of the item with this number, and the index of the item in the run.
    #[inline]
    pub fn place(&self, number: u32) -> Option<(u32, u32)> {
        if number >= self.end {
            return None;
        }
        // Each number below `end` is in a stretch, and each stretch starts in a part.
        let from = self.stretches[(number / STRETCH) as usize] as usize;
        let within = self.starts[from..].iter().take_while(|(first, _)| *first <= number);
        within.last().map(|&(first, part)| (part, number - first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_leads_back_to_its_item() {
        let few: Vec<usize> = (0..900).map(|part| part % 3).collect();
        for counts in [vec![], vec![0, 0], vec![700, 0, 1, 255, 256, 257, 0, 512, 3], vec![1; 600], few] {
            let numbers = PartNumbers::of(counts.iter().copied());
            let items = (0_u32..).zip(&counts);
            let items = items.flat_map(|(part, &count)| (0_u32..).take(count).map(move |at| (part, at)));
            let mut end = 0;
            for (number, item) in (0..).zip(items) {
                assert_eq!(numbers.place(number), Some(item), "{counts:?}");
                end = number + 1;
            }
            assert_eq!(numbers.place(end), None);
            assert_eq!(numbers.place(PartNumbers::NONE), None);
        }
    }
}
