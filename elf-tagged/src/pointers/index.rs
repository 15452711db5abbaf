//! The index of the identifiers of a document: sixteen octets and a little for each.
//!
//! A look-up in a table that is larger than the caches waits for memory. The index of a large document is therefore
//! several tables, each of a share of the identifiers, so that those who look up many names can do so share by share.

use super::names::Label;
use super::shares::{self, ByShares};
use crate::tree::View;
use crate::tree::build::Name;
use elf_base::Span;
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// The identifiers of a document, and the records inserted for those that nothing bears.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pointers {
    keys: Keys,
    /// A table for each share; none where nothing was indexed.
    bearers: Vec<HashTable<Slot>>,
    /// Whether any identifier was met again.
    any_repeated: bool,
    /// A pointer that names what nothing bears, and the record inserted for it.
    undefined: HashTable<(u32, u32)>,
}

/// Makes keys of identifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    hasher: DefaultHashBuilder,
    /// Another one, for what is beside the key in a [`Label`].
    checker: DefaultHashBuilder,
}

/// An identifier of up to seven octets is its own key, with its length, and so is one of a character and up to fourteen
/// digits, so that its text is not looked at again; others have the hash of their text for key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(u64);

impl Key {
    const HASHED: u64 = 0xFF << 56;

    const fn is_hashed(self) -> bool {
        self.0 & Key::HASHED == Key::HASHED
    }

    /// The key of a longer identifier of one octet and digits: how many digits there are, the octet, the number.
    fn numbered(octets: &[u8]) -> Option<Key> {
        let (&first, digits) = octets.split_first().filter(|(_, digits)| digits.len() <= 14)?;
        let number = digits.iter().try_fold(0_u64, |number, digit| {
            digit.is_ascii_digit().then(|| number * 10 + u64::from(digit - b'0'))
        })?;
        Some(Key((8 + digits.len() as u64) << 56 | u64::from(first) << 48 | number))
    }
}

/// What bears an identifier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The first structure that bears it.
    pub(crate) node: u32,
    /// Whether another one does.
    pub(crate) repeated: bool,
    /// Whether it is no record.
    pub(crate) nested: bool,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    key: Key,
    found: Found,
}

impl Keys {
    pub(crate) fn key(&self, xref: &str) -> Key {
        let octets = xref.as_bytes();
        if octets.len() > 7 {
            return Key::numbered(octets).unwrap_or_else(|| Key(self.hasher.hash_one(xref) | Key::HASHED));
        }
        Key(octets.iter().rev().fold(octets.len() as u64, |packed, &octet| packed << 8 | u64::from(octet)))
    }

    /// The key of the identifier that stands there in `text`, for which eight octets are looked at together where the
    /// text has as many.
    #[inline]
    pub(crate) fn key_at(&self, text: &str, start: u32, end: u32) -> Key {
        let length = end.saturating_sub(start);
        let eight = text.as_bytes().get(start as usize..).and_then(|rest| rest.first_chunk());
        match eight {
            Some(eight) if length <= 7 => {
                let high = u64::from(length) << (length * 8);
                Key(u64::from_le_bytes(*eight) & ((1 << (length * 8)) - 1) | high)
            }
            _ => self.key(Span::new(start, end).of(text)),
        }
    }

    pub(super) fn hash(&self, key: Key) -> u64 {
        self.hasher.hash_one(key.0)
    }

    /// What tells the identifier `xref`, which has that key, apart from all others.
    #[allow(clippy::cast_possible_truncation, reason = "half of a hash is one too")]
    pub(super) fn label(&self, key: Key, xref: &str) -> Label {
        Label { key, check: if key.is_hashed() { self.checker.hash_one(xref) as u32 } else { 0 } }
    }

    /// The share that a key belongs to, of so many, and its hash.
    ///
    /// Where the text of identifiers is looked at, all are of one share: the text is best gone through in its order.
    #[inline]
    pub(super) fn share_and_hash(&self, key: Key, shares: u8) -> (u8, u64) {
        let hash = self.hash(key);
        (if key.is_hashed() { 0 } else { shares::share_of(hash, shares) }, hash)
    }
}

impl Pointers {
    /// The index of what bears an identifier; and who bears one that another structure bears too, with the first that
    /// does, in document order.
    pub(super) fn of(bearers: &ByShares, keys: Keys, view: View<'_>) -> (Pointers, Vec<(u32, u32)>) {
        let tables = bearers.shares().iter().map(|share| HashTable::with_capacity(share.len())).collect();
        let mut pointers = Pointers { keys, bearers: tables, ..Pointers::default() };
        let mut repeated = Vec::new();
        for &Name { key, node, nested } in bearers.shares().iter().flatten() {
            let xref = || view.xref(node).unwrap_or_default();
            if let Some(first) = pointers.insert(view, key, xref, node, nested) {
                repeated.push((node, first));
            }
        }
        repeated.sort_unstable();
        (pointers, repeated)
    }

    /// How many shares there are: at most [`shares::MOST`].
    fn shares(&self) -> u8 {
        u8::try_from(self.bearers.len()).unwrap_or(shares::MOST)
    }

    /// What bears `xref`.
    pub(crate) fn find(&self, view: View<'_>, xref: &str) -> Option<Found> {
        self.find_key(view, self.keys.key(xref), || xref)
    }

    /// What bears the identifier of that key; `xref` is asked only where the key does not tell.
    #[inline]
    pub(crate) fn find_key<'x>(&self, view: View<'_>, key: Key, xref: impl Fn() -> &'x str) -> Option<Found> {
        let (share, hash) = self.keys.share_and_hash(key, self.shares());
        let table = self.bearers.get(usize::from(share))?;
        table.find(hash, |slot| slot.answers(view, key, &xref)).map(|slot| slot.found)
    }

    /// Adds a bearer of the identifier of that key; the first one, if there is one already.
    #[inline]
    pub(crate) fn insert<'x>(
        &mut self,
        view: View<'_>,
        key: Key,
        xref: impl Fn() -> &'x str,
        node: u32,
        nested: bool,
    ) -> Option<u32> {
        let (share, hash) = self.keys.share_and_hash(key, self.shares());
        let keys = &self.keys;
        let table = self.bearers.get_mut(usize::from(share))?;
        match table.entry(hash, |slot| slot.answers(view, key, &xref), |slot| keys.hash(slot.key)) {
            Entry::Occupied(mut slot) => {
                self.any_repeated = true;
                slot.get_mut().found.repeated = true;
                Some(slot.get().found.node)
            }
            Entry::Vacant(vacant) => {
                vacant.insert(Slot { key, found: Found { node, repeated: false, nested } });
                None
            }
        }
    }

    /// Whether any identifier was met again.
    pub(super) const fn any_repeated(&self) -> bool {
        self.any_repeated
    }

    /// Forgets that several structures bear `xref`: `keeper` alone does, or none.
    pub(crate) fn settle(&mut self, view: View<'_>, xref: &str, keeper: Option<u32>) {
        let key = self.keys.key(xref);
        let (share, hash) = self.keys.share_and_hash(key, self.shares());
        let Some(table) = self.bearers.get_mut(usize::from(share)) else { return };
        let Ok(mut slot) = table.find_entry(hash, |slot| slot.answers(view, key, &|| xref)) else { return };
        match keeper {
            Some(node) => slot.get_mut().found = Found { node, repeated: false, nested: false },
            None => {
                slot.remove();
            }
        }
    }

    /// The record inserted for a pointer to `xref`.
    pub(crate) fn undefined(&self, view: View<'_>, xref: &str) -> Option<u32> {
        let hash = self.keys.hasher.hash_one(xref);
        self.undefined
            .find(hash, |&(pointer, _)| view.line_pointer(pointer) == Some(xref))
            .map(|found| found.1)
    }

    /// Remembers that `record`, which bears `name`, was inserted for what the pointer `id` names.
    pub(crate) fn insert_undefined(&mut self, view: View<'_>, id: u32, record: u32, name: &str) {
        let hasher = &self.keys.hasher;
        let hash_of = |pointer: u32| hasher.hash_one(view.line_pointer(pointer).unwrap_or_default());
        self.undefined.insert_unique(hash_of(id), (id, record), |&(pointer, _)| hash_of(pointer));
        self.insert(view, self.keys.key(name), || name, record, false);
    }

    /// The identifier of the inserted record that a pointer to `xref` leads to; `xref` itself where there is none.
    pub(crate) fn redirected<'d>(&self, view: View<'d>, xref: &'d str) -> &'d str {
        if self.undefined.is_empty() {
            return xref;
        }
        self.undefined(view, xref).and_then(|record| view.xref(record)).unwrap_or(xref)
    }
}

impl Slot {
    #[inline]
    fn answers<'x>(&self, view: View<'_>, key: Key, xref: &impl Fn() -> &'x str) -> bool {
        self.key == key && (!key.is_hashed() || self.bears(view, xref()))
    }

    /// Whether the identifier is the same text.
    #[cold]
    fn bears(&self, view: View<'_>, xref: &str) -> bool {
        view.xref_span(self.found.node).of(view.text) == xref || view.xref(self.found.node) == Some(xref)
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
