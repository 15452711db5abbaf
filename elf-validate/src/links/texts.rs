//! Identifiers and tags, each kept once.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// The number of no text.
pub(crate) const NONE: u32 = u32::MAX;

/// Texts, each kept once and called by a number from 0, in the order in which they were met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    hasher: DefaultHashBuilder,
    numbers: HashTable<u32>,
    text: String,
    /// The offsets where the texts end.
    ends: Vec<usize>,
}

impl Texts {
    /// No texts yet, with room for some. Those that share a hasher have the same hashes.
    pub(crate) fn new(hasher: DefaultHashBuilder, room: usize) -> Texts {
        Texts { hasher, numbers: HashTable::with_capacity(room), ..Texts::default() }
    }

    pub(crate) fn hash(&self, text: &str) -> u64 {
        self.hasher.hash_one(text)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text of that number; empty where there is none.
    pub(crate) fn get(&self, number: u32) -> &str {
        text_of(&self.text, &self.ends, number)
    }

    /// The number of a text, if it is kept.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        let is_it = |&number: &u32| self.get(number) == text;
        self.numbers.find(self.hash(text), is_it).copied()
    }

    /// The number of a text with its hash, which is kept if it is new; [`NONE`] where there are as many as
    /// numbers.
    pub(crate) fn number(&mut self, text: &str, hash: u64) -> u32 {
        let Texts { hasher, numbers, text: all, ends } = self;
        if let Some(&number) = numbers.find(hash, |&number| text_of(all, ends, number) == text) {
            return number;
        }
        let number = u32::try_from(ends.len()).unwrap_or(NONE);
        if number != NONE {
            all.push_str(text);
            ends.push(all.len());
            numbers.insert_unique(hash, number, |&number| hasher.hash_one(text_of(all, ends, number)));
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
        let mut number = |text: &str| {
            let hash = texts.hash(text);
            texts.number(text, hash)
        };
        let numbers: Vec<u32> = ["I1", "", "FAM", "I1", ""].into_iter().map(&mut number).collect();
        assert_eq!(numbers, [0, 1, 2, 0, 1]);
        for more in 0..1000 {
            assert_eq!(number(&format!("X{more}")), 3 + more);
        }
        assert_eq!(
            [0, 1, 2, 3, 1002, 1003, NONE].map(|at| texts.get(at)),
            ["I1", "", "FAM", "X0", "X999", "", ""]
        );
        assert_eq!(texts.len(), 1003);
    }
}
