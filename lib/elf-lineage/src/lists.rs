//! Stores one list for each of many owners in a single array.

use std::collections::HashMap;
use std::ops::Range;

/// One list for each owner, by the owner's number. All lists are in one array.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// The start of each owner's list, and the end of the last list.
    starts: Vec<u32>,
    items: Vec<T>,
}

/// The maximum number of an owner's items that are searched linearly for equal ones.
const MAX_LINEAR_SEARCH: usize = 16;

impl<T: Copy> Lists<T> {
    /// Groups items by their owners. The items of one owner stay in order. `items` is called twice,
    /// to count the items and to place them, so that nothing needs to be sorted.
    pub(crate) fn group_by_owner<I: Iterator<Item = (u32, T)>>(
        owners: usize,
        items: impl Fn() -> I,
    ) -> Lists<T> {
        // The first loop counts the items of each owner; each count is stored at the index after
        // the owner. The counts become the positions where the next item of each owner goes. At the
        // end, each position is the start of the next owner's list.
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

    /// Merges the items of an owner that have the same key. `take` adds a later item to the first
    /// one.
    pub(crate) fn merge_alike(mut self, key: impl Fn(&T) -> u32, take: impl Fn(&mut T, T)) -> Lists<T> {
        let (mut from, mut kept) = (0, 0);
        // The positions of kept items, for owners with many items.
        let mut known: HashMap<u32, usize> = HashMap::new();
        let Lists { starts, items } = &mut self;
        for start in starts.iter_mut().skip(1) {
            let (to, first) = (*start as usize, kept);
            let are_many = to - from > MAX_LINEAR_SEARCH;
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
                // Never more items are kept than were examined.
                items[kept] = item;
                kept += 1;
            }
            known.clear();
            from = to;
            *start = to_u32(kept);
        }
        items.truncate(kept);
        items.shrink_to_fit();
        self
    }
}

impl<T> Lists<T> {
    /// Creates the list of each owner from the items that `of` returns for the owner's number.
    pub(crate) fn of_each<I: Iterator<Item = T>>(owners: usize, of: impl Fn(u32) -> I) -> Lists<T> {
        let mut lists = Lists { starts: Vec::with_capacity(owners + 1), items: Vec::new() };
        for owner in 0..to_u32(owners) {
            lists.starts.push(to_u32(lists.items.len()));
            lists.items.extend(of(owner));
        }
        lists.starts.push(to_u32(lists.items.len()));
        lists
    }

    /// Returns all items, each with the number of its owner, in the order of the owners.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, &T)> {
        let owners = 0..to_u32(self.starts.len().saturating_sub(1));
        owners.flat_map(|owner| self.of(owner).iter().map(move |item| (owner, item)))
    }

    /// Returns the list of an owner. The list is empty for an unknown number, such as one of another
    /// document.
    pub(crate) fn of(&self, owner: u32) -> &[T] {
        &self.items[self.range(owner)]
    }

    /// Returns the list of an owner for changes.
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

    /// Returns the memory use in bytes.
    pub(crate) fn octets(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.items.capacity() * size_of::<T>()
    }
}

/// Converts a number of items. It fits, because there are fewer items than lines in a file.
pub(crate) fn to_u32(of: usize) -> u32 {
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
        let lists = Lists::group_by_owner(4, || [(3, 'c'), (1, 'a'), (1, 'b'), (4, 'd')].into_iter());
        let all: Vec<&[char]> = (0..5).map(|owner| lists.of(owner)).collect();
        assert_eq!(all, [&[][..], &['a', 'b'], &[], &['c'], &[]]);
        assert!(lists.all().eq([(1, &'a'), (1, &'b'), (3, &'c')]));
        let numbers = |owner: u32| 0..owner;
        let lists = Lists::of_each(3, numbers);
        assert!((0..3).all(|owner| lists.of(owner).iter().copied().eq(numbers(owner))));
        assert!(Lists::<char>::group_by_owner(0, std::iter::empty).all().next().is_none());
    }

    proptest! {
        #[test]
        fn the_first_of_those_alike_takes_the_others(
            // Some owners have few items, some have many.
            items in vec((0..3_u32, 0..40_u32, 1..1000_u32), 0..150)
        ) {
            let lists = Lists::group_by_owner(3, || items.iter().map(|&(owner, key, sum)| (owner, (key, sum))));
            let lists = lists.merge_alike(|one| one.0, |one, other| one.1 += other.1);
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
