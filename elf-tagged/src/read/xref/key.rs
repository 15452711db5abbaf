//! Keys of eight bytes, by which identifiers are compared.

use elf_base::{PackedText, Span};
use hashbrown::DefaultHashBuilder;
use std::hash::BuildHasher;

/// Makes keys of identifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    hasher: DefaultHashBuilder,
    /// A second hash function, for a [`Label`].
    checker: DefaultHashBuilder,
}

/// The key of an identifier.
///
/// An identifier of up to seven bytes is its own key, together with its length. An identifier of one character and up
/// to fourteen digits is its own key too. For other identifiers, the key is a hash of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Key(u64);

/// A key and, if the key is a hash, a second hash. A label identifies an identifier without its text: with 88 bits, two
/// identifiers of a file are never confused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Label {
    pub(super) key: Key,
    pub(super) check: u32,
}

impl Key {
    const HASHED: u64 = PackedText::END;

    /// Returns whether the key is a hash. Two identifiers may have the same hash.
    pub(super) const fn is_hashed(self) -> bool {
        self.0 & Key::HASHED == Key::HASHED
    }

    pub(super) const fn number(self) -> u64 {
        self.0
    }

    pub(super) const fn of_number(number: u64) -> Key {
        Key(number)
    }

    /// Returns the identifier. Returns `None` if the key is a hash.
    pub(super) fn text(self) -> Option<String> {
        PackedText::of_number(self.0).map(PackedText::text)
    }
}

impl Keys {
    pub(crate) fn key(&self, xref: &str) -> Key {
        let packed = PackedText::of(xref).map(|packed| Key(packed.number()));
        packed.unwrap_or_else(|| Key(self.hasher.hash_one(xref) | Key::HASHED))
    }

    /// Returns the key of the identifier at a range of `text`. Examines eight bytes at once, if the text has as many.
    #[inline]
    pub(crate) fn key_at(&self, text: &str, start: u32, end: u32) -> Key {
        let length = end.saturating_sub(start);
        let eight = text.as_bytes().get(start as usize..).and_then(|rest| rest.first_chunk());
        match eight.and_then(|eight| PackedText::of_first(*eight, length)) {
            Some(packed) => Key(packed.number()),
            None => self.key(Span::new(start, end).of(text)),
        }
    }

    pub(super) fn hash(&self, key: Key) -> u64 {
        self.hasher.hash_one(key.0)
    }

    #[allow(clippy::cast_possible_truncation, reason = "half of a hash is one too")]
    pub(super) fn label(&self, key: Key, xref: &str) -> Label {
        Label { key, check: if key.is_hashed() { self.checker.hash_one(xref) as u32 } else { 0 } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_an_identifier_is_the_same_wherever_it_stands() {
        let keys = Keys::default();
        for length in 0..12 {
            let xref: String = ('A'..='Z').take(length).collect();
            let end = u32::try_from(length).unwrap_or_default();
            for behind in ["", "@", "@ and eight octets more"] {
                assert_eq!(keys.key_at(&format!("{xref}{behind}"), 0, end), keys.key(&xref));
            }
        }
        assert_ne!(keys.key("A"), keys.key("A\0"));
        for xref in ["", "I", "I1", "ABCDEFG", "é漢", "A\0", "I0000012", "I99999999999999"] {
            assert_eq!(keys.key(xref).text().as_deref(), Some(xref));
        }
        assert_eq!(keys.key("ABCDEFGH").text(), None);
    }

    #[test]
    fn an_identifier_that_ends_in_digits_is_its_own_key_up_to_fourteen_of_them() {
        let keys = Keys::default();
        let own = ["I1000000", "I01000000", "F1000000", "I99999999999999", "I00000000000000", "10000000"];
        let hashed = ["I999999999999999", "II1000000", "é1000000", "I100000A", "IIIIIIII"];
        let all: Vec<Key> = own.iter().chain(&hashed).map(|xref| keys.key(xref)).collect();
        assert!(all.iter().enumerate().all(|(at, key)| key.is_hashed() == (at >= own.len())));
        assert!((1..all.len()).all(|at| !all[..at].contains(&all[at])));
        assert_eq!(keys.key_at("@I1000000@", 1, 9), all[0]);
    }
}
