//! The repeated and unresolved identifiers of a document, for reading it a second time.

use super::Bearer;
use super::key::{Key, Keys};
use hashbrown::HashMap;

/// The repeated and unresolved identifiers of a document.
/// [`Reader::into_known_xrefs`](crate::Reader::into_known_xrefs) returns them, for a second reader of the same input.
#[derive(Debug)]
pub struct KnownXrefs {
    keys: Keys,
    irregular: HashMap<Key, Irregular>,
    any_repeated: bool,
}

/// The way in which an identifier is irregular.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Irregular {
    /// There are pointers to the identifier, but no structure has it.
    Unresolved,
    /// There are pointers to the identifier, but the structure that has it is not a record.
    Substructure,
    /// Several structures have the identifier.
    Repeated { first_is_record: bool },
}

impl KnownXrefs {
    pub(crate) fn none(keys: &Keys) -> KnownXrefs {
        KnownXrefs { keys: keys.clone(), irregular: HashMap::new(), any_repeated: false }
    }

    pub(super) fn add(&mut self, key: Key, irregular: Irregular) {
        self.any_repeated |= matches!(irregular, Irregular::Repeated { .. });
        // A repeated identifier is added before the pointers to it, so an entry that exists is kept.
        self.irregular.entry(key).or_insert(irregular);
    }

    pub(crate) const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Returns whether any identifier is repeated.
    pub const fn any_repeated(&self) -> bool {
        self.any_repeated
    }

    pub(super) fn is_repeated(&self, xref: &str) -> bool {
        matches!(self.find_irregularity(xref), Some(Irregular::Repeated { .. }))
    }

    /// Returns the kind of the first structure that has `xref`. The structure is a record, unless the identifier is
    /// irregular.
    pub(super) fn bearer(&self, xref: &str) -> Bearer {
        match self.find_irregularity(xref) {
            Some(Irregular::Unresolved) => Bearer::None,
            Some(Irregular::Substructure | Irregular::Repeated { first_is_record: false }) => {
                Bearer::Substructure
            }
            None | Some(Irregular::Repeated { first_is_record: true }) => Bearer::Record,
        }
    }

    fn find_irregularity(&self, xref: &str) -> Option<Irregular> {
        if self.irregular.is_empty() { None } else { self.irregular.get(&self.keys.key(xref)).copied() }
    }
}
