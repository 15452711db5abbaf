//! An index of identifiers, fast for identifiers that are counted up through a file.

use crate::PackedText;
use std::collections::HashMap;

/// Finds the bearer of an identifier, which is given as a number: the number of a [`PackedText`], or another number
/// from [`PackedText::END`] on.
///
/// Nearly all identifiers of a file are a letter and a number that is counted up. They are kept in an array, by their
/// numbers: most pointers lead to a record nearby, which is also nearby in the array, and so in the cache. Others are
/// found by their hashes. The index stores no identifiers: the caller passes a function that finds the identifier of a
/// bearer.
///
/// ```
/// use elf_base::{CountedIndex, PackedText};
///
/// let identifiers = ["I1", "I2", "I02", "NAME", "I2"];
/// let numbers: Vec<u64> = identifiers.iter().filter_map(|of| Some(PackedText::of(of)?.number())).collect();
/// let number_of = |bearer: usize| numbers.get(bearer).copied();
/// let mut index = CountedIndex::with_room(usize::MAX, numbers.iter().copied());
/// let first: Vec<Option<usize>> =
///     numbers.iter().enumerate().map(|(at, number)| index.add(*number, at, number_of)).collect();
/// assert_eq!(first, [None, None, None, None, Some(1)]);
/// assert_eq!(index.get(numbers[2], number_of), Some(2));
/// ```
#[derive(Clone, Debug)]
pub struct CountedIndex<B> {
    /// The value that is no bearer.
    none: B,
    /// By the first octet of the identifier.
    counted: Vec<Numbers<B>>,
    others: HashMap<u64, B>,
}

/// The bearers of identifiers that start with one octet, by their numbers from the first one on.
#[derive(Clone, Debug)]
struct Numbers<B> {
    first: u64,
    bearers: Vec<B>,
    /// True while none has a zero before its number: then the number tells which it is.
    are_plain: bool,
}

/// The least and the greatest number of the identifiers that start with one octet, and how many they are.
#[derive(Clone, Copy, Debug)]
struct Extent {
    least: u64,
    greatest: u64,
    count: u64,
}

impl Extent {
    /// The most places of the array for each identifier.
    const MOST: u64 = 4;

    fn add(&mut self, number: u64) {
        self.least = self.least.min(number);
        self.greatest = self.greatest.max(number);
        self.count += 1;
    }

    /// The number of places from the least number to the greatest; 0 where most of them would be empty.
    fn places(self) -> usize {
        let places = self.greatest.saturating_sub(self.least).saturating_add(1);
        let is_dense = places <= self.count.saturating_mul(Extent::MOST);
        usize::try_from(places).ok().filter(|_| is_dense).unwrap_or_default()
    }
}

impl<B: Copy + PartialEq> CountedIndex<B> {
    /// An empty index with room for those identifiers; `none` is no bearer.
    pub fn with_room(none: B, identifiers: impl Iterator<Item = u64>) -> CountedIndex<B> {
        let (mut index, others) = CountedIndex::of_extents(none, identifiers);
        // A table that grows is in memory twice while it grows.
        index.others.reserve(usize::try_from(others).unwrap_or_default());
        index
    }

    /// An empty index with room for those of the identifiers that
    /// [have a place in an array](CountedIndex::has_place), for a caller that keeps the others; `none` is no bearer.
    pub fn of_counted(none: B, identifiers: impl Iterator<Item = u64>) -> CountedIndex<B> {
        CountedIndex::of_extents(none, identifiers).0
    }

    /// Makes an empty index. Returns also the number of identifiers without a place in an array.
    fn of_extents(none: B, identifiers: impl Iterator<Item = u64>) -> (CountedIndex<B>, u64) {
        let mut extents = [Extent { least: u64::MAX, greatest: 0, count: 0 }; 256];
        let mut others = 0_u64;
        for identifier in identifiers {
            match PackedText::of_number(identifier).and_then(PackedText::counted) {
                Some((first, number)) => {
                    extents[usize::from(first)].add(number);
                }
                None => others += 1,
            }
        }
        others +=
            extents.iter().filter(|extent| extent.places() == 0).map(|extent| extent.count).sum::<u64>();
        let numbers = |extent: Extent| Numbers {
            first: extent.least,
            bearers: vec![none; extent.places()],
            are_plain: true,
        };
        let counted = extents.into_iter().map(numbers).collect();
        (CountedIndex { none, counted, others: HashMap::new() }, others)
    }

    /// Returns whether an identifier has a place in an array, even if another identifier, with more or fewer leading
    /// zeros, has the same place.
    #[inline]
    pub fn has_place(&self, identifier: u64) -> bool {
        self.place(identifier).is_some()
    }

    /// The place in the array of an identifier that has one.
    #[inline]
    fn place(&self, identifier: u64) -> Option<(usize, usize)> {
        let (first, number) = PackedText::of_number(identifier)?.counted()?;
        let numbers = &self.counted[usize::from(first)];
        let at = usize::try_from(number.wrapping_sub(numbers.first)).ok()?;
        (at < numbers.bearers.len()).then_some((usize::from(first), at))
    }

    /// Adds the bearer of an identifier, unless there is one already, which is returned then.
    pub fn add(&mut self, identifier: u64, bearer: B, of: impl Fn(B) -> Option<u64>) -> Option<B> {
        let none = self.none;
        if let Some(entry) = self.array_entry(identifier, of) {
            let known = Some(*entry).filter(|entry| *entry != none);
            if known.is_none() {
                *entry = bearer;
            }
            return known;
        }
        let known = self.others.get(&identifier).copied();
        if known.is_none() {
            self.others.insert(identifier, bearer);
        }
        known
    }

    /// Makes a bearer the first one of its identifier, whatever was before.
    pub fn set(&mut self, identifier: u64, bearer: B, of: impl Fn(B) -> Option<u64>) {
        match self.array_entry(identifier, of) {
            Some(entry) => *entry = bearer,
            None => {
                self.others.insert(identifier, bearer);
            }
        }
    }

    /// The entry of an identifier in its array, if that is its own or is free, to be filled.
    #[inline]
    fn array_entry(&mut self, identifier: u64, of: impl Fn(B) -> Option<u64>) -> Option<&mut B> {
        let (first, at) = self.place(identifier)?;
        let numbers = &mut self.counted[first];
        let entry = &mut numbers.bearers[at];
        let is_plain = is_plain(identifier);
        if *entry == self.none {
            numbers.are_plain &= is_plain;
            return Some(entry);
        }
        // Another one may have as many zeros more or less.
        (numbers.are_plain && is_plain || of(*entry) == Some(identifier)).then_some(entry)
    }

    /// The first bearer of an identifier.
    #[inline]
    pub fn get(&self, identifier: u64, of: impl Fn(B) -> Option<u64>) -> Option<B> {
        if let Some((first, at)) = self.place(identifier) {
            let numbers = &self.counted[first];
            let bearer = numbers.bearers[at];
            // Looking at the bearer would fetch it into the cache.
            let is_certain = numbers.are_plain && is_plain(identifier);
            if bearer != self.none && (is_certain || of(bearer) == Some(identifier)) {
                return Some(bearer);
            }
        }
        self.other(identifier)
    }

    #[inline(never)]
    fn other(&self, identifier: u64) -> Option<B> {
        if self.others.is_empty() { None } else { self.others.get(&identifier).copied() }
    }
}

/// Returns whether an identifier has no zero before its number.
#[inline]
fn is_plain(identifier: u64) -> bool {
    PackedText::of_number(identifier).is_some_and(|text| !text.has_leading_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bearer_of_each_identifier_is_found() {
        let mut texts: Vec<String> = (0..50).flat_map(|at| [format!("I{at}"), format!("I{at:03}")]).collect();
        texts.extend(["", "A", "F1", "F99999999999999", "X5", "X5", "F7", "I7", "SUBM"].map(str::to_owned));
        let mut numbers: Vec<u64> =
            texts.iter().filter_map(|text| Some(PackedText::of(text)?.number())).collect();
        numbers.extend([PackedText::END, PackedText::END + 8, PackedText::END]);
        let of = |at: usize| numbers.get(at).copied();
        let mut index = CountedIndex::with_room(usize::MAX, numbers.iter().copied());
        let counted = ["I0", "I007", "X5"].map(|text| PackedText::of(text).map(PackedText::number));
        assert!(counted.iter().flatten().all(|&number| index.has_place(number)));
        assert!(numbers.iter().filter(|&&number| index.has_place(number)).count() > 100);
        assert!(!index.has_place(PackedText::END) && !index.has_place(0));
        for (at, number) in numbers.iter().enumerate() {
            let first = numbers.iter().position(|other| other == number).filter(|&first| first != at);
            assert_eq!(index.add(*number, at, of), first);
        }
        for number in &numbers {
            assert_eq!(index.get(*number, of), numbers.iter().position(|other| other == number));
        }
        // The last one of each in its place, then none of others.
        for (at, number) in numbers.iter().enumerate() {
            index.set(*number, at, of);
        }
        for number in &numbers {
            assert_eq!(index.get(*number, of), numbers.iter().rposition(|other| other == number));
        }
        let none =
            ["I51", "I0050", "F007", "B1", "II"].map(|text| PackedText::of(text).map(PackedText::number));
        assert!(none.iter().flatten().all(|&number| index.get(number, of).is_none()));
    }
}
