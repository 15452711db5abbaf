//! Identifiers as numbers, the same ones in all parts of a document.

use elf_base::PackedText;
use hashbrown::DefaultHashBuilder;
use std::hash::BuildHasher;

/// An identifier in eight octets: a [`PackedText`], or the keyed hash of one that is longer, of which 55 bits
/// tell it from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u64);

impl Key {
    /// The key of no identifier. Hashes are even.
    pub(super) const NONE: Key = Key(u64::MAX);

    /// The key of an identifier.
    #[inline]
    pub(super) fn of(identifier: &str, hasher: &DefaultHashBuilder) -> Key {
        match PackedText::of(identifier) {
            Some(packed) => Key(packed.number()),
            None => Key(hasher.hash_one(identifier) & !1 | PackedText::END),
        }
    }

    /// The identifier, where it is no hash.
    pub(super) fn text(self) -> Option<String> {
        PackedText::of_number(self.0).map(PackedText::text)
    }

    /// The number itself.
    #[inline]
    pub(super) const fn number(self) -> u64 {
        self.0
    }

    /// Tells whether the identifier cannot be told from it.
    pub(super) const fn is_hash(self) -> bool {
        self.0 >= PackedText::END
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_has_one_key_wherever_it_stands() {
        let hasher = DefaultHashBuilder::default();
        let all = ["", "I1", "I0000012", "a long identifier", "another long one"];
        let keys = all.map(|text| Key::of(text, &hasher));
        assert_eq!(keys, all.map(|text| Key::of(text, &hasher.clone())));
        assert!((1..keys.len()).all(|at| !keys[..at].contains(&keys[at]) && keys[at] != Key::NONE));
        assert_eq!(keys[1].text().as_deref(), Some("I1"));
        assert_eq!(keys[3].text(), None);
    }
}
