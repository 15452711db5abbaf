//! Looking up the bearer of each identifier.

use super::super::collect::{Occurrence, Occurrences, Side, WholeDocument, shares};
use super::super::key::{Key, Keys};
use super::PointerFault;
use crate::read::tree::View;
use elf_base::CountedIndex;
use hashbrown::HashTable;
use hashbrown::hash_table;
use std::collections::HashSet;

/// An identifier that several structures bear, or a pointer that does not lead to one record.
#[derive(Clone, Copy)]
pub(in crate::read::xref) enum Irregularity {
    /// The identifier of `entry` is borne before by `first`.
    Repeated { entry: Occurrence, first: Occurrence },
    /// The pointer does not lead to one record.
    Pointer { entry: Occurrence, fault: PointerFault },
}

/// Indexes the bearers of a share; `see` is shown those whose identifier is borne before, with the first.
fn index_bearers(
    collection: &WholeDocument<'_>,
    bearers: &[Occurrence],
    table: &mut HashTable<Occurrence>,
    mut see: impl FnMut(Occurrence, &mut Occurrence),
) {
    let keys = collection.keys();
    table.reserve(bearers.len(), |bearer| keys.hash(bearer.key()));
    for &entry in bearers {
        let is_same = |bearer: &Occurrence| collection.is_borne_by(Side::Bearer, &entry, bearer);
        match table.entry(keys.hash(entry.key()), is_same, |bearer| keys.hash(bearer.key())) {
            hash_table::Entry::Occupied(mut first) => see(entry, first.get_mut()),
            hash_table::Entry::Vacant(vacant) => {
                vacant.insert(entry);
            }
        }
    }
}

/// Looks up what the pointers of a share lead to; `is_repeated` says of the first bearer of an identifier
/// whether there are others.
fn find_targets(
    collection: &WholeDocument<'_>,
    pointers: &[Occurrence],
    table: &HashTable<Occurrence>,
    is_repeated: impl Fn(&Occurrence) -> bool,
    see: &mut impl FnMut(Irregularity),
) {
    let keys = collection.keys();
    for &entry in pointers {
        let is_named = |bearer: &Occurrence| collection.is_borne_by(Side::Pointer, &entry, bearer);
        let bearer = table.find(keys.hash(entry.key()), is_named);
        see_pointer(collection, entry, bearer, &is_repeated, see);
    }
}

/// Shows a pointer if it does not lead to one record.
#[inline]
fn see_pointer(
    collection: &WholeDocument<'_>,
    entry: Occurrence,
    bearer: Option<&Occurrence>,
    is_repeated: impl Fn(&Occurrence) -> bool,
    see: &mut impl FnMut(Irregularity),
) {
    let fault = match bearer {
        Some(bearer) if is_repeated(bearer) => PointerFault::Ambiguous,
        Some(bearer) if collection.is_nested(bearer) => PointerFault::Substructure,
        Some(_) => return,
        None if collection.is_external(&entry) => PointerFault::External,
        None => PointerFault::Dangling,
    };
    if collection.is_pointer(&entry) {
        see(Irregularity::Pointer { entry, fault });
    }
}

/// The identifiers of a whole document, with the structure that bears each first.
///
/// Nearly all identifiers are a letter and a number, counted up through the file, and stand in an array by
/// their numbers: pointers mostly lead to what stands near in the file, and so near in the array. The others
/// stand in tables, each of a share of the identifiers, since a look-up in a table that is larger than the
/// caches waits for memory.
#[derive(Debug)]
pub(in crate::read::xref) struct Index {
    keys: Keys,
    /// The nodes that bear what is counted.
    counted: CountedIndex<u32>,
    /// A table for each share of the others.
    tables: Vec<HashTable<Occurrence>>,
    /// The nodes that bear an identifier first which others bear too.
    repeated: HashSet<u32>,
}

/// A node that there is not.
const NO_NODE: u32 = u32::MAX;

impl Index {
    /// Indexes a whole document, and shows all that is irregular: of those that are counted and of each share
    /// of the others, what bears an identifier before what points to it. `with_pointers`: those too.
    pub(in crate::read::xref) fn of(
        document: &WholeDocument<'_>,
        with_pointers: bool,
        mut see: impl FnMut(Irregularity),
    ) -> Index {
        let (view, Occurrences { keys, bearers, pointers, .. }) = document.parts();
        let numbers = bearers.in_order().iter().map(|bearer| bearer.key().number());
        let mut counted = CountedIndex::of_counted(NO_NODE, numbers);
        let mut repeated = HashSet::new();
        let number = |node: u32| Some(keys.key(view.xref_span(node).of(view.text)).number());
        let mut others = Vec::new();
        for &entry in bearers.in_order() {
            if !counted.has_place(entry.key().number()) {
                others.push(entry);
            } else if let Some(first) = counted.add(entry.key().number(), entry.node, number) {
                repeated.insert(first);
                see(Irregularity::Repeated { entry, first: Occurrence::new(entry.key(), first) });
            }
        }
        let shares = shares::count_for(others.len());
        let others = ByShare::of(others, shares, keys);
        let mut other_pointers = Vec::new();
        if with_pointers {
            let is_repeated = |bearer: &Occurrence| repeated.contains(&bearer.node);
            for &entry in pointers.in_order() {
                if !counted.has_place(entry.key().number()) {
                    other_pointers.push(entry);
                    continue;
                }
                let bearer = counted.get(entry.key().number(), number);
                let bearer = bearer.map(|node| Occurrence::new(entry.key(), node));
                see_pointer(document, entry, bearer.as_ref(), is_repeated, &mut see);
            }
        }
        let other_pointers = ByShare::of(other_pointers, shares, keys);
        let mut tables = Vec::new();
        for share in 0..shares {
            let mut table = HashTable::new();
            index_bearers(document, others.share(share), &mut table, |entry, first| {
                repeated.insert(first.node);
                see(Irregularity::Repeated { entry, first: *first });
            });
            let is_repeated = |bearer: &Occurrence| repeated.contains(&bearer.node);
            find_targets(document, other_pointers.share(share), &table, is_repeated, &mut see);
            tables.push(table);
        }
        Index { keys: keys.clone(), counted, tables, repeated }
    }

    pub(in crate::read::xref) const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Returns whether several structures bear any one identifier.
    pub(in crate::read::xref) fn any_repeated(&self) -> bool {
        !self.repeated.is_empty()
    }

    /// Returns whether other structures bear the identifier that `node` bears first.
    pub(in crate::read::xref) fn is_repeated(&self, node: u32) -> bool {
        self.repeated.contains(&node)
    }

    /// Finds the first structure that bears `xref`.
    pub(in crate::read::xref) fn find(&self, view: View<'_>, xref: &str) -> Option<u32> {
        let key = self.keys.key(xref);
        let number = key.number();
        if self.counted.has_place(number) {
            return self.counted.get(number, |node| bears(view, node, xref).then_some(number));
        }
        let (share, hash) = self.keys.share_and_hash(key, self.shares());
        let table = self.tables.get(usize::from(share))?;
        table.find(hash, |bearer| is_bearer(view, bearer, key, xref)).map(|bearer| bearer.node)
    }

    /// Notes that the record `node` is the one to be found of all that bear its identifier.
    pub(in crate::read::xref) fn set(&mut self, view: View<'_>, node: u32) {
        let xref = view.xref(node).unwrap_or_default();
        let key = self.keys.key(xref);
        let number = key.number();
        if self.counted.has_place(number) {
            self.counted.set(number, node, |node| bears(view, node, xref).then_some(number));
            return;
        }
        let bearer = Occurrence::new(key, node);
        let (share, hash) = self.keys.share_and_hash(key, self.shares());
        let Some(table) = self.tables.get_mut(usize::from(share)) else { return };
        let is_same = |other: &Occurrence| is_bearer(view, other, key, xref);
        match table.entry(hash, is_same, |other| self.keys.hash(other.key())) {
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

/// Occurrences by the shares of their identifiers, those of a share in document order.
struct ByShare {
    all: Box<[Occurrence]>,
    /// The index where each share ends.
    ends: Box<[u32]>,
}

impl ByShare {
    fn of(all: Vec<Occurrence>, shares: u8, keys: &Keys) -> ByShare {
        if shares == 1 {
            let end = u32::try_from(all.len()).unwrap_or(u32::MAX);
            return ByShare { all: all.into(), ends: [end].into() };
        }
        let (all, ends) = shares::sort(&all, shares, |one| keys.share_and_hash(one.key(), shares).0);
        ByShare { all, ends }
    }

    fn share(&self, share: u8) -> &[Occurrence] {
        let share = usize::from(share);
        let start =
            share.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| end as usize);
        let end = self.ends.get(share).map_or(0, |&end| end as usize);
        self.all.get(start..end).unwrap_or_default()
    }
}

/// Returns whether the structure bears the identifier `xref`, be it taken away since.
pub(in crate::read::xref) fn bears(view: View<'_>, node: u32, xref: &str) -> bool {
    view.xref_span(node).of(view.text) == xref || view.xref(node) == Some(xref)
}

/// Returns whether `bearer` bears the identifier `xref`, which has that key.
fn is_bearer(view: View<'_>, bearer: &Occurrence, key: Key, xref: &str) -> bool {
    bearer.key() == key && (!key.is_hashed() || bears(view, bearer.node, xref))
}
