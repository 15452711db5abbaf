//! Identifiers and tags, each kept once.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// The number of no text.
pub(crate) const NONE: u32 = u32::MAX;

/// Texts, each kept once and called by a number from 0, in the order in which they were met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    hasher: DefaultHashBuilder,
    /// The numbers of the texts that are short, as nearly all are: those that are looked up stand beside
    /// them, so that no other memory is touched.
    short: HashTable<(Short, u32)>,
    long: HashTable<u32>,
    text: String,
    /// The offsets where the texts end.
    ends: Vec<usize>,
}

/// A text of up to eleven octets, and how many it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Short([u32; 3]);

impl Short {
    const MOST: usize = 11;

    #[inline]
    fn of(text: &str) -> Option<Short> {
        let octets = text.as_bytes();
        if octets.len() > Short::MOST {
            return None;
        }
        let at = |at: usize| u32::from(octets.get(at).copied().unwrap_or_default());
        let word = |from: usize| at(from) | at(from + 1) << 8 | at(from + 2) << 16 | at(from + 3) << 24;
        let length = u32::try_from(octets.len()).unwrap_or_default();
        let first = match octets.first_chunk() {
            Some(first) => u32::from_le_bytes(*first),
            None => word(0),
        };
        Some(Short([first, word(4), at(8) | at(9) << 8 | at(10) << 16 | length << 24]))
    }

    fn hash(&self, hasher: &DefaultHashBuilder) -> u64 {
        let Short([first, second, third]) = *self;
        hasher.hash_one((u64::from(first) << 32 | u64::from(second), third))
    }
}

impl Texts {
    /// No texts yet, with room for some that are short.
    pub(crate) fn new(hasher: DefaultHashBuilder, room: usize) -> Texts {
        Texts { hasher, short: HashTable::with_capacity(room), ..Texts::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text of that number; empty where there is none.
    pub(crate) fn get(&self, number: u32) -> &str {
        text_of(&self.text, &self.ends, number)
    }

    /// The texts in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let text = self.text.get(start..end).unwrap_or_default();
            start = end;
            text
        })
    }

    /// The number of a text, if it is kept.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        match Short::of(text) {
            Some(short) => {
                let found = self.short.find(short.hash(&self.hasher), |(of, _)| *of == short);
                found.map(|&(_, number)| number)
            }
            None => {
                let is_it = |&number: &u32| self.get(number) == text;
                self.long.find(self.hasher.hash_one(text), is_it).copied()
            }
        }
    }

    /// The number of a text, which is kept if it is new; [`NONE`] where there are as many as numbers.
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        let Some(short) = Short::of(text) else { return self.number_of_long(text) };
        let Texts { hasher, short: numbers, .. } = self;
        let hash = short.hash(hasher);
        if let Some(&(_, number)) = numbers.find(hash, |(of, _)| *of == short) {
            return number;
        }
        let number = self.keep(text);
        let Texts { hasher, short: numbers, .. } = self;
        if number != NONE {
            numbers.insert_unique(hash, (short, number), |(of, _)| of.hash(hasher));
        }
        number
    }

    #[inline(never)]
    fn number_of_long(&mut self, text: &str) -> u32 {
        let hash = self.hasher.hash_one(text);
        let Texts { long, text: all, ends, .. } = self;
        if let Some(&number) = long.find(hash, |&number| text_of(all, ends, number) == text) {
            return number;
        }
        let number = self.keep(text);
        let Texts { hasher, long, text: all, ends, .. } = self;
        if number != NONE {
            long.insert_unique(hash, number, |&number| hasher.hash_one(text_of(all, ends, number)));
        }
        number
    }

    /// Keeps a new text.
    fn keep(&mut self, text: &str) -> u32 {
        let number = u32::try_from(self.ends.len()).unwrap_or(NONE);
        if number != NONE {
            self.text.push_str(text);
            self.ends.push(self.text.len());
        }
        number
    }
}

fn text_of<'t>(all: &'t str, ends: &[usize], number: u32) -> &'t str {
    let at = number as usize;
    let start = at.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    ends.get(at).and_then(|&end| all.get(start..end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_kept_once() {
        let mut texts = Texts::default();
        let numbers: Vec<u32> =
            ["I1", "", "FAM", "I1", ""].into_iter().map(|text| texts.number(text)).collect();
        assert_eq!(numbers, [0, 1, 2, 0, 1]);
        for more in 0..1000 {
            assert_eq!(texts.number(&format!("X{more}")), 3 + more);
        }
        assert_eq!(
            [0, 1, 2, 3, 1002, 1003, NONE].map(|at| texts.get(at)),
            ["I1", "", "FAM", "X0", "X999", "", ""]
        );
        assert_eq!(texts.len(), 1003);
        // Of every length, with and without what else is as if nothing were there.
        let edges: Vec<String> =
            (0..40).flat_map(|length| ["a", "\0", "é"].map(|of| of.repeat(length))).collect();
        let numbers: Vec<u32> = edges.iter().map(|text| texts.number(text)).collect();
        for (text, &of) in edges.iter().zip(&numbers) {
            assert_eq!((texts.number(text), texts.find(text), texts.get(of)), (of, Some(of), text.as_str()));
        }
        // The empty one was known.
        assert_eq!(texts.len(), 1003 + 39 * 3);
    }
}
