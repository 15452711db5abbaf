//! The index of the identifiers of a document: sixteen octets and a little for each.

use crate::tree::View;
use elf_base::Span;
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// The identifiers of a document, and the records inserted for those that nothing bears.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pointers {
    keys: Keys,
    bearers: HashTable<Slot>,
    /// A pointer that names what nothing bears, and the record inserted for it.
    undefined: HashTable<(u32, u32)>,
}

/// Makes keys of identifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    hasher: DefaultHashBuilder,
}

/// An identifier of up to seven octets is its own key, with its length, so that its text is not looked at again; a
/// longer one has the hash of its text for key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(u64);

impl Key {
    const LONG: u64 = 0xFF << 56;

    const fn is_long(self) -> bool {
        self.0 & Key::LONG == Key::LONG
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
            return Key(self.hasher.hash_one(xref) | Key::LONG);
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
}

impl Pointers {
    pub(crate) fn with_capacity(keys: Keys, identifiers: usize) -> Pointers {
        Pointers { keys, bearers: HashTable::with_capacity(identifiers), ..Pointers::default() }
    }

    /// What bears `xref`.
    pub(crate) fn find(&self, view: View<'_>, xref: &str) -> Option<Found> {
        self.find_key(view, self.keys.key(xref), || xref)
    }

    /// What bears the identifier of that key; `xref` is asked only where the key does not tell.
    #[inline]
    pub(crate) fn find_key<'x>(&self, view: View<'_>, key: Key, xref: impl Fn() -> &'x str) -> Option<Found> {
        self.bearers.find(self.keys.hash(key), |slot| slot.answers(view, key, &xref)).map(|slot| slot.found)
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
        let keys = &self.keys;
        match self.bearers.entry(
            keys.hash(key),
            |slot| slot.answers(view, key, &xref),
            |slot| keys.hash(slot.key),
        ) {
            Entry::Occupied(mut slot) => {
                slot.get_mut().found.repeated = true;
                Some(slot.get().found.node)
            }
            Entry::Vacant(vacant) => {
                vacant.insert(Slot { key, found: Found { node, repeated: false, nested } });
                None
            }
        }
    }

    /// Whether any identifier is borne by several structures.
    pub(crate) fn any_repeated(&self) -> bool {
        self.bearers.iter().any(|slot| slot.found.repeated)
    }

    /// Forgets that several structures bear `xref`: `keeper` alone does, or none.
    pub(crate) fn settle(&mut self, view: View<'_>, xref: &str, keeper: Option<u32>) {
        let key = self.keys.key(xref);
        let Ok(mut slot) =
            self.bearers.find_entry(self.keys.hash(key), |slot| slot.answers(view, key, &|| xref))
        else {
            return;
        };
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

    pub(crate) fn undefined_count(&self) -> usize {
        self.undefined.len()
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
        self.key == key && (!key.is_long() || self.bears(view, xref()))
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
}
