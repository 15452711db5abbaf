//! Identifiers of records as numbers, from which they can be told again.

use crate::lists::index;
use elf_base::PackedText;
use std::collections::HashMap;

/// The identifier of a record: a [`PackedText`] is the number itself, others are numbered as they are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key(u64);

/// The identifiers that do not fit their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct LongIdentifiers {
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
}

const LONG: u64 = PackedText::END;

impl Key {
    /// The key of a record without an identifier, which no pointer has.
    pub(crate) const NONE: Key = Key(0);

    /// The number of a record in place of the identifier that led there.
    pub(crate) const fn of_record(number: u32) -> Key {
        Key(number as u64)
    }

    /// The number that [`Key::of_record`] put there.
    pub(crate) fn record(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }

    fn short(text: &str) -> Option<Key> {
        PackedText::of(text).map(|packed| Key(packed.number()))
    }
}

impl LongIdentifiers {
    /// The key of an identifier.
    pub(crate) fn key(&mut self, text: &str) -> Key {
        Key::short(text).unwrap_or_else(|| self.long(text))
    }

    #[cold]
    fn long(&mut self, text: &str) -> Key {
        let number = match self.numbers.get(text) {
            Some(&number) => number,
            None => {
                let number = index(self.texts.len());
                self.texts.push(text.into());
                self.numbers.insert(text.into(), number);
                number
            }
        };
        Key(LONG | u64::from(number))
    }

    /// The key of an identifier, if it is short or was met.
    pub(crate) fn find(&self, text: &str) -> Option<Key> {
        Key::short(text).or_else(|| self.numbers.get(text).map(|&number| Key(LONG | u64::from(number))))
    }

    /// The identifier of a key; `None` of a record without one.
    pub(crate) fn text(&self, key: Key) -> Option<String> {
        if key == Key::NONE {
            return None;
        }
        PackedText::of_number(key.0).map(PackedText::text).or_else(|| {
            let number = usize::try_from(key.0 & u64::from(u32::MAX)).ok()?;
            self.texts.get(number).map(|text| text.to_string())
        })
    }

    /// The keys that the keys of another list become here, by their numbers.
    pub(crate) fn take(&mut self, other: &LongIdentifiers) -> Vec<Key> {
        other.texts.iter().map(|text| self.long(text)).collect()
    }
}

/// The key that a key of another list becomes.
pub(crate) fn translated(key: Key, keys: &[Key]) -> Key {
    if key.0 & LONG != LONG {
        return key;
    }
    let number = usize::try_from(key.0 & u64::from(u32::MAX)).unwrap_or(usize::MAX);
    keys.get(number).copied().unwrap_or(Key::NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_come_back() {
        let mut list = LongIdentifiers::default();
        let all = [
            "I",
            "I1",
            "I0000012",
            "ABCDEFG",
            "é漢",
            "I99999999999999",
            "I999999999999999",
            "a long one",
            "éI000001",
        ];
        let keys: Vec<Key> = all.iter().map(|text| list.key(text)).collect();
        for (text, key) in all.iter().zip(&keys) {
            assert_eq!(list.text(*key).as_deref(), Some(*text));
            assert_eq!(list.find(text), Some(*key));
        }
        assert!((1..keys.len()).all(|at| !keys[..at].contains(&keys[at])));
        let mut other = LongIdentifiers::default();
        other.key("another one");
        let map = other.take(&list);
        for (text, key) in all.iter().zip(keys) {
            assert_eq!(other.text(translated(key, &map)).as_deref(), Some(*text));
        }
        assert_eq!(list.text(Key::NONE), None);
        assert_eq!(list.find("never met at all"), None);
    }
}
