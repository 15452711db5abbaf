//! Stores identifiers of records as numbers that can be converted back.

use crate::lists::to_u32;
use elf_base::PackedText;
use std::collections::HashMap;

/// The identifier of a record. A short identifier is packed into the number itself
/// ([`PackedText`]); longer ones are numbered as they are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct XrefKey(u64);

/// The identifiers that are too long to be packed into a number.
#[derive(Clone, Debug, Default)]
pub(crate) struct LongIdentifiers {
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
}

const LONG: u64 = PackedText::END;

impl XrefKey {
    /// The key of a record without an identifier. No pointer has this key.
    pub(crate) const NONE: XrefKey = XrefKey(0);

    /// Stores the number of a record instead of the resolved identifier.
    pub(crate) const fn of_record_number(number: u32) -> XrefKey {
        XrefKey(number as u64)
    }

    /// Returns the number that [`XrefKey::of_record_number`] stored.
    pub(crate) fn record_number(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }

    fn pack(text: &str) -> Option<XrefKey> {
        PackedText::of(text).map(|packed| XrefKey(packed.number()))
    }
}

impl LongIdentifiers {
    /// Returns the key of an identifier, adding it if it is new.
    pub(crate) fn key(&mut self, text: &str) -> XrefKey {
        XrefKey::pack(text).unwrap_or_else(|| self.number_long(text))
    }

    #[cold]
    fn number_long(&mut self, text: &str) -> XrefKey {
        let number = match self.numbers.get(text) {
            Some(&number) => number,
            None => {
                let number = to_u32(self.texts.len());
                self.texts.push(text.into());
                self.numbers.insert(text.into(), number);
                number
            }
        };
        XrefKey(LONG | u64::from(number))
    }

    /// Returns the key of an identifier. `None` if a long identifier is unknown.
    pub(crate) fn find(&self, text: &str) -> Option<XrefKey> {
        XrefKey::pack(text)
            .or_else(|| self.numbers.get(text).map(|&number| XrefKey(LONG | u64::from(number))))
    }

    /// Returns the identifier of a key. `None` for a record without an identifier.
    pub(crate) fn text(&self, key: XrefKey) -> Option<String> {
        if key == XrefKey::NONE {
            return None;
        }
        PackedText::of_number(key.0).map(PackedText::text).or_else(|| {
            let number = usize::try_from(key.0 & u64::from(u32::MAX)).ok()?;
            self.texts.get(number).map(|text| text.to_string())
        })
    }

    /// Adds the identifiers of another list. Returns the new key of each identifier, by its old
    /// number.
    pub(crate) fn add_identifiers_of(&mut self, other: &LongIdentifiers) -> Vec<XrefKey> {
        other.texts.iter().map(|text| self.number_long(text)).collect()
    }
}

/// Converts a key of another list to a key of this one.
pub(crate) fn renumbered(key: XrefKey, keys: &[XrefKey]) -> XrefKey {
    if key.0 & LONG != LONG {
        return key;
    }
    let number = usize::try_from(key.0 & u64::from(u32::MAX)).unwrap_or(usize::MAX);
    keys.get(number).copied().unwrap_or(XrefKey::NONE)
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
        let keys: Vec<XrefKey> = all.iter().map(|text| list.key(text)).collect();
        for (text, key) in all.iter().zip(&keys) {
            assert_eq!(list.text(*key).as_deref(), Some(*text));
            assert_eq!(list.find(text), Some(*key));
        }
        assert!((1..keys.len()).all(|at| !keys[..at].contains(&keys[at])));
        let mut other = LongIdentifiers::default();
        other.key("another one");
        let map = other.add_identifiers_of(&list);
        for (text, key) in all.iter().zip(keys) {
            assert_eq!(other.text(renumbered(key, &map)).as_deref(), Some(*text));
        }
        assert_eq!(list.text(XrefKey::NONE), None);
        assert_eq!(list.find("never met at all"), None);
    }
}
