//! Lists of what belongs to each of many owners, one behind the other.

/// For each owner, by its number, a list; all lists stand in one array.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// The start of the list of each owner, and the end of the last.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    /// Makes the lists of so many owners of items that are sorted by their owners.
    pub(crate) fn of_sorted(owners: usize, items: impl ExactSizeIterator<Item = (u32, T)>) -> Lists<T> {
        let mut lists =
            Lists { starts: Vec::with_capacity(owners + 1), items: Vec::with_capacity(items.len()) };
        for (owner, item) in items {
            while lists.starts.len() <= owner as usize && lists.starts.len() <= owners {
                lists.starts.push(lists.end());
            }
            lists.items.push(item);
        }
        while lists.starts.len() <= owners {
            lists.starts.push(lists.end());
        }
        lists
    }

    fn end(&self) -> u32 {
        u32::try_from(self.items.len()).unwrap_or(u32::MAX)
    }

    /// The list of an owner.
    pub(crate) fn of(&self, owner: u32) -> &[T] {
        let owner = owner as usize;
        let start = self.starts.get(owner).copied().unwrap_or(0) as usize;
        let end = self.starts.get(owner + 1).copied().unwrap_or(0) as usize;
        self.items.get(start..end).unwrap_or_default()
    }

    /// The list of an owner, to be changed.
    pub(crate) fn of_mut(&mut self, owner: u32) -> &mut [T] {
        let owner = owner as usize;
        let start = self.starts.get(owner).copied().unwrap_or(0) as usize;
        let end = self.starts.get(owner + 1).copied().unwrap_or(0) as usize;
        self.items.get_mut(start..end).unwrap_or_default()
    }

    /// Counts the octets that it takes.
    pub(crate) fn octets(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.items.capacity() * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_owner_has_its_list() {
        let lists = Lists::of_sorted(4, vec![(1, 'a'), (1, 'b'), (3, 'c')].into_iter());
        let all: Vec<&[char]> = (0..5).map(|owner| lists.of(owner)).collect();
        assert_eq!(all, [&[][..], &['a', 'b'], &[], &['c'], &[]]);
    }
}
