//! Finds the structures to which identifiers belong.

use super::super::collect::{Occurrence, Occurrences, Side, WholeDocument};
use super::super::key::{Key, Keys};
use super::PointerFault;
use crate::read::tree::View;
use hashbrown::HashTable;
use hashbrown::hash_table;
use std::collections::HashSet;

/// A repeated identifier, or a pointer that does not refer to exactly one record.
#[derive(Clone, Copy)]
pub(in crate::read::xref) enum Irregularity {
    /// The identifier of `entry` also belongs to the earlier structure `first`.
    Repeated { entry: Occurrence, first: Occurrence },
    /// The pointer does not refer to exactly one record.
    Pointer { entry: Occurrence, fault: PointerFault },
}

/// The identifiers of a whole document, each with the first structure that has it.
#[derive(Debug)]
pub(in crate::read::xref) struct Index {
    keys: Keys,
    bearers: HashTable<Occurrence>,
    /// The first node of each repeated identifier.
    repeated: HashSet<u32>,
}

impl Index {
    /// Indexes a whole document. Calls `see` with all irregular occurrences: first identifiers, then, if
    /// `with_pointers` is true, pointers.
    pub(in crate::read::xref) fn of(
        document: &WholeDocument<'_>,
        with_pointers: bool,
        mut see: impl FnMut(Irregularity),
    ) -> Index {
        let Occurrences { keys, bearers, pointers, .. } = document.occurrences();
        let mut index = Index { keys: keys.clone(), bearers: HashTable::new(), repeated: HashSet::new() };
        index.add_bearers(document, bearers.in_order(), &mut see);
        if with_pointers {
            index.find_targets(document, pointers.in_order(), &mut see);
        }
        index
    }

    fn add_bearers(
        &mut self,
        document: &WholeDocument<'_>,
        bearers: &[Occurrence],
        see: &mut impl FnMut(Irregularity),
    ) {
        let Index { keys, bearers: table, repeated } = self;
        let hash = |bearer: &Occurrence| keys.hash(bearer.key());
        table.reserve(bearers.len(), hash);
        for &entry in bearers {
            let is_same = |bearer: &Occurrence| document.has_same_xref(Side::Bearer, &entry, bearer);
            match table.entry(hash(&entry), is_same, hash) {
                hash_table::Entry::Occupied(first) => {
                    let first = *first.get();
                    repeated.insert(first.node);
                    see(Irregularity::Repeated { entry, first });
                }
                hash_table::Entry::Vacant(vacant) => {
                    vacant.insert(entry);
                }
            }
        }
    }

    fn find_targets(
        &self,
        document: &WholeDocument<'_>,
        pointers: &[Occurrence],
        see: &mut impl FnMut(Irregularity),
    ) {
        for &entry in pointers {
            let is_named = |bearer: &Occurrence| document.has_same_xref(Side::Pointer, &entry, bearer);
            let fault = match self.bearers.find(self.keys.hash(entry.key()), is_named) {
                Some(bearer) if self.is_repeated(bearer.node) => PointerFault::Ambiguous,
                Some(bearer) if document.is_nested(bearer) => PointerFault::Substructure,
                Some(_) => continue,
                None if document.is_external(&entry) => PointerFault::External,
                None => PointerFault::Dangling,
            };
            if document.is_pointer(&entry) {
                see(Irregularity::Pointer { entry, fault });
            }
        }
    }

    pub(in crate::read::xref) const fn keys(&self) -> &Keys {
        &self.keys
    }

    pub(in crate::read::xref) fn any_repeated(&self) -> bool {
        !self.repeated.is_empty()
    }

    /// Returns whether later structures also have the identifier of `node`, which is the first structure that has it.
    pub(in crate::read::xref) fn is_repeated(&self, node: u32) -> bool {
        !self.repeated.is_empty() && self.repeated.contains(&node)
    }

    pub(in crate::read::xref) fn find(&self, view: View<'_>, xref: &str) -> Option<u32> {
        let key = self.keys.key(xref);
        let is_same = |bearer: &Occurrence| is_bearer(view, bearer, key, xref);
        self.bearers.find(self.keys.hash(key), is_same).map(|bearer| bearer.node)
    }

    /// Makes `node` the record that is found by its identifier.
    pub(in crate::read::xref) fn set(&mut self, view: View<'_>, node: u32) {
        // Every inserted record has an identifier, because it is made for the pointers to that identifier.
        let Some(xref) = view.xref(node) else { return };
        let key = self.keys.key(xref);
        let bearer = Occurrence::new(key, node);
        let is_same = |other: &Occurrence| is_bearer(view, other, key, xref);
        match self.bearers.entry(self.keys.hash(key), is_same, |other| self.keys.hash(other.key())) {
            hash_table::Entry::Occupied(mut first) => *first.get_mut() = bearer,
            hash_table::Entry::Vacant(vacant) => {
                vacant.insert(bearer);
            }
        }
    }
}

/// Returns whether the structure has the identifier `xref`, even if the rules removed it.
pub(in crate::read::xref) fn has_identifier(view: View<'_>, node: u32, xref: &str) -> bool {
    view.xref_span(node).of(view.text) == xref || view.xref(node) == Some(xref)
}

/// Returns whether `bearer` has the identifier `xref`, whose key is `key`.
fn is_bearer(view: View<'_>, bearer: &Occurrence, key: Key, xref: &str) -> bool {
    bearer.key() == key && (!key.is_hashed() || has_identifier(view, bearer.node, xref))
}
