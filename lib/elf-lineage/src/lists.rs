//! Lists of what belongs to each of many owners, one after the other.

use std::collections::HashMap;
use std::ops::Range;

/// For each owner, by its number, a list; all lists are in one array.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// The start of the list of each owner, and the end of the last.
    starts: Vec<u32>,
    items: Vec<T>,
}

/// The most items of one owner among which alike ones are looked for one by one.
const FEW: usize = 16;

impl<T: Copy> Lists<T> {
    /// Makes the lists of so many owners of items in any order: those of one owner stay in theirs. The items
    /// are gone through twice, so that nothing need be sorted: they are counted, and then put in place.
    pub(crate) fn gathered<I: Iterator<Item = (u32, T)>>(owners: usize, items: impl Fn() -> I) -> Lists<T> {
        // First the number of items of each owner, stored at the index after the owner; then the position of the next
        // item. At the end, this is the start of the next owner.
        let mut starts = vec![0_u32; owners + 2];
        let mut filler = None;
        for (owner, item) in items() {
            if let Some(count) = starts.get_mut(owner as usize + 2) {
                *count += 1;
                filler = Some(item);
            }
        }
        let mut end = 0_u32;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut all = filler.map_or_else(Vec::new, |filler| vec![filler; end as usize]);
        for (owner, item) in items() {
            if let Some(next) = starts.get_mut(owner as usize + 1)
                && let Some(entry) = all.get_mut(*next as usize)
            {
                *entry = item;
                *next += 1;
            }
        }
        starts.truncate(owners + 1);
        Lists { starts, items: all }
    }

    /// Makes one of the items of an owner that are alike, which are those of one key: the first one takes the
    /// others.
    pub(crate) fn merged(mut self, key: impl Fn(&T) -> u32, take: impl Fn(&mut T, T)) -> Lists<T> {
        let (mut from, mut kept) = (0, 0);
        // The positions of kept items, for owners with many items.
        let mut known: HashMap<u32, usize> = HashMap::new();
        let Lists { starts, items } = &mut self;
        for start in starts.iter_mut().skip(1) {
            let (to, first) = (*start as usize, kept);
            let are_many = to - from > FEW;
            for item in from..to {
                let item = items[item];
                let same = if are_many {
                    known.get(&key(&item)).copied()
                } else {
                    let own = &items[first..kept];
                    own.iter().position(|one| key(one) == key(&item)).map(|at| first + at)
                };
                if let Some(one) = same.and_then(|at| items.get_mut(at)) {
                    take(one, item);
                    continue;
                }
                if are_many {
                    known.insert(key(&item), kept);
                }
                // No more items are kept than were looked at.
                items[kept] = item;
                kept += 1;
            }
            known.clear();
            from = to;
            *start = index(kept);
        }
        items.truncate(kept);
        items.shrink_to_fit();
        self
    }
}

impl<T> Lists<T> {
    /// Makes the lists of so many owners, each of what is asked of its number.
    pub(crate) fn of_each<I: Iterator<Item = T>>(owners: usize, of: impl Fn(u32) -> I) -> Lists<T> {
        let mut lists = Lists { starts: Vec::with_capacity(owners + 1), items: Vec::new() };
        for owner in 0..index(owners) {
            lists.starts.push(index(lists.items.len()));
            lists.items.extend(of(owner));
        }
        lists.starts.push(index(lists.items.len()));
        lists
    }

    /// All items, each with its owner, by the numbers of the owners.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, &T)> {
        let owners = 0..index(self.starts.len().saturating_sub(1));
        owners.flat_map(|owner| self.of(owner).iter().map(move |item| (owner, item)))
    }

    /// The list of an owner; empty for a number of none, such as one of another document.
    pub(crate) fn of(&self, owner: u32) -> &[T] {
        &self.items[self.range(owner)]
    }

    /// The list of an owner, to be changed.
    pub(crate) fn of_mut(&mut self, owner: u32) -> &mut [T] {
        let range = self.range(owner);
        &mut self.items[range]
    }

    fn range(&self, owner: u32) -> Range<usize> {
        match self.starts.get(owner as usize..) {
            Some(&[start, end, ..]) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// Counts the octets that it takes.
    pub(crate) fn octets(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.items.capacity() * size_of::<T>()
    }
}

/// Narrows a number of items, which are fewer than the lines of a file.
pub(crate) fn index(of: usize) -> u32 {
    debug_assert!(u32::try_from(of).is_ok(), "there are fewer items than 2^32");
    u32::try_from(of).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn each_owner_has_its_list() {
        let lists = Lists::gathered(4, || [(3, 'c'), (1, 'a'), (1, 'b'), (4, 'd')].into_iter());
        let all: Vec<&[char]> = (0..5).map(|owner| lists.of(owner)).collect();
        assert_eq!(all, [&[][..], &['a', 'b'], &[], &['c'], &[]]);
        assert!(lists.all().eq([(1, &'a'), (1, &'b'), (3, &'c')]));
        let numbers = |owner: u32| 0..owner;
        let lists = Lists::of_each(3, numbers);
        assert!((0..3).all(|owner| lists.of(owner).iter().copied().eq(numbers(owner))));
        assert!(Lists::<char>::gathered(0, std::iter::empty).all().next().is_none());
    }

    proptest! {
        #[test]
        fn the_first_of_those_alike_takes_the_others(
            // Some owners have few items, some many.
            items in vec((0..3_u32, 0..40_u32, 1..1000_u32), 0..150)
        ) {
            let lists = Lists::gathered(3, || items.iter().map(|&(owner, key, sum)| (owner, (key, sum))));
            let lists = lists.merged(|one| one.0, |one, other| one.1 += other.1);
            for owner in 0..3 {
                let mut expected: Vec<(u32, u32)> = Vec::new();
                for &(_, key, sum) in items.iter().filter(|(of, ..)| *of == owner) {
                    match expected.iter_mut().find(|one| one.0 == key) {
                        Some(one) => one.1 += sum,
                        None => expected.push((key, sum)),
                    }
                }
                prop_assert_eq!(lists.of(owner), expected);
            }
        }
    }
}
