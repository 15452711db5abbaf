//! Looking up the bearer of each identifier, share by share.
//!
//! A look-up in a table that is larger than the caches waits for memory. The index of a large document is
//! therefore several tables, each of a share of the identifiers.

use super::super::collect::{Collection, Entry, Occurrence, Side};
use super::super::key::{Key, Keys};
use super::PointerFault;
use crate::tree::View;
use hashbrown::HashTable;
use hashbrown::hash_table;

/// An identifier that several structures bear, or a pointer that does not lead to one record.
#[derive(Clone, Copy)]
pub(in crate::xref) enum Irregularity<E> {
    /// The identifier of `entry` is borne before by `first`.
    Repeated { entry: E, first: E },
    /// The pointer does not lead to one record.
    Pointer { entry: E, fault: PointerFault },
}

/// Shows all irregularities of a collection, share by share, in a share the identifiers first; `pointers`:
/// those too. `done` is given the index of each share, to keep it or to clear it.
pub(in crate::xref) fn look_up<C: Collection>(
    collection: &C,
    pointers: bool,
    mut done: impl FnMut(&mut HashTable<C::Entry>),
    mut see: impl FnMut(Irregularity<C::Entry>),
) {
    let mut table = HashTable::new();
    let mut room = Vec::new();
    for share in 0..collection.shares() {
        let bearers = collection.entries(Side::Bearer, share, &mut room);
        index(collection, bearers, &mut table, &mut see);
        if pointers {
            let pointers = collection.entries(Side::Pointer, share, &mut room);
            find_targets(collection, pointers, &table, &mut see);
        }
        done(&mut table);
    }
}

/// Indexes the bearers of a share.
fn index<C: Collection>(
    collection: &C,
    bearers: &[C::Entry],
    table: &mut HashTable<C::Entry>,
    see: &mut impl FnMut(Irregularity<C::Entry>),
) {
    let keys = collection.keys();
    table.reserve(bearers.len(), |bearer| keys.hash(bearer.key()));
    for &entry in bearers {
        let is_same = |bearer: &C::Entry| collection.is_borne_by(Side::Bearer, &entry, bearer);
        match table.entry(keys.hash(entry.key()), is_same, |bearer| keys.hash(bearer.key())) {
            hash_table::Entry::Occupied(mut first) => {
                first.get_mut().note_repeated();
                see(Irregularity::Repeated { entry, first: *first.get() });
            }
            hash_table::Entry::Vacant(vacant) => {
                vacant.insert(entry);
            }
        }
    }
}

/// Looks up what the pointers of a share lead to.
fn find_targets<C: Collection>(
    collection: &C,
    pointers: &[C::Entry],
    table: &HashTable<C::Entry>,
    see: &mut impl FnMut(Irregularity<C::Entry>),
) {
    let keys = collection.keys();
    for &entry in pointers {
        let is_named = |bearer: &C::Entry| collection.is_borne_by(Side::Pointer, &entry, bearer);
        let fault = match table.find(keys.hash(entry.key()), is_named) {
            Some(bearer) if bearer.is_repeated() => PointerFault::Ambiguous,
            Some(bearer) if bearer.is_nested() => PointerFault::Substructure,
            Some(_) => continue,
            None if collection.is_external(&entry) => PointerFault::External,
            None => PointerFault::Dangling,
        };
        if collection.is_pointer(&entry) {
            see(Irregularity::Pointer { entry, fault });
        }
    }
}

/// The identifiers of a whole document, with the structure that bears each first: sixteen octets and a little
/// for each.
#[derive(Debug)]
pub(in crate::xref) struct Index {
    keys: Keys,
    /// A table for each share; none where nothing was indexed.
    tables: Vec<HashTable<Occurrence>>,
}

impl Index {
    /// Makes an empty index.
    pub(in crate::xref) const fn new(keys: Keys) -> Index {
        Index { keys, tables: Vec::new() }
    }

    pub(in crate::xref) const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Adds the table of the next share.
    pub(in crate::xref) fn add(&mut self, table: HashTable<Occurrence>) {
        self.tables.push(table);
    }

    /// Finds the first structure that bears `xref`.
    pub(in crate::xref) fn find(&self, view: View<'_>, xref: &str) -> Option<&Occurrence> {
        let key = self.keys.key(xref);
        let (share, hash) = self.keys.share_and_hash(key, self.shares());
        self.tables.get(usize::from(share))?.find(hash, |bearer| is_bearer(view, bearer, key, xref))
    }

    /// Notes that the record `node` is the one to be found of all that bear its identifier.
    pub(in crate::xref) fn set(&mut self, view: View<'_>, node: u32) {
        let xref = view.xref(node).unwrap_or_default();
        let bearer = Occurrence::new(self.keys.key(xref), node, false);
        let (share, hash) = self.keys.share_and_hash(bearer.key, self.shares());
        let Some(table) = self.tables.get_mut(usize::from(share)) else { return };
        let is_same = |other: &Occurrence| is_bearer(view, other, bearer.key, xref);
        match table.entry(hash, is_same, |other| self.keys.hash(other.key)) {
            hash_table::Entry::Occupied(mut first) => *first.get_mut() = bearer,
            hash_table::Entry::Vacant(vacant) => {
                vacant.insert(bearer);
            }
        }
    }

    fn shares(&self) -> u8 {
        u8::try_from(self.tables.len()).unwrap_or(u8::MAX)
    }
}

/// Returns whether `bearer` bears the identifier `xref`, which has that key.
fn is_bearer(view: View<'_>, bearer: &Occurrence, key: Key, xref: &str) -> bool {
    bearer.key == key && (!key.is_hashed() || bearer.bears(view, xref))
}
