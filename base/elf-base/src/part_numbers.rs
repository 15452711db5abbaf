//! Numbers through a whole document for what each of its parts numbers from 0.

/// Numbers the items of all parts of a document through, in their order: in half of the octets that
/// the number of a part and an index in it take.
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
    /// The parts that have items: the number of the first item, and that of the part.
    starts: Vec<(u32, u32)>,
    /// For each stretch of numbers, the index in `starts` of the part that its first number is in.
    stretches: Vec<u32>,
    /// The number of all items.
    end: u32,
}

/// The length of a stretch: so many parts are looked at for one number at most.
const STRETCH: u32 = 1 << 8;

impl PartNumbers {
    /// The number of no item.
    pub const NONE: u32 = u32::MAX;

    /// Numbers the items of parts that have so many. Items from 2^32 - 1 on have no number.
    pub fn of(counts: impl IntoIterator<Item = usize>) -> PartNumbers {
        let mut numbers = PartNumbers::default();
        for (part, count) in (0..).zip(counts) {
            let index = u32::try_from(numbers.starts.len()).unwrap_or(u32::MAX);
            let end = u32::try_from(count).unwrap_or(u32::MAX).saturating_add(numbers.end);
            if end == numbers.end {
                continue;
            }
            numbers.starts.push((numbers.end, part));
            // Each stretch whose first number is in this part.
            let stretches = end.div_ceil(STRETCH) as usize;
            numbers.stretches.resize(stretches, index);
            numbers.end = end;
        }
        numbers
    }

    /// The part of the item of that number, and the index of the item in it.
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
