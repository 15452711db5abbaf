//! The statuses of irregular identifiers, and what follows from them.

use super::super::Bearer;
use super::super::key::{Key, Keys, Label};
use super::PointerFault;
use super::duplicates::DuplicateOutcome;
use elf_base::Span;
use hashbrown::hash_table::{Entry, HashTable};

/// The statuses of the irregular identifiers of a document.
#[derive(Debug)]
pub(in crate::read::xref) struct Statuses {
    pub(in crate::read::xref) keys: Keys,
    table: HashTable<(Label, Status)>,
    /// The identifiers that several structures have.
    pub(super) repeated: Vec<Repeated>,
    /// The records that the rules insert, in order (J19 §5.1).
    pub(super) insertions: Vec<Insertion>,
    /// Whether the rules reject all records because of repeated identifiers (RDX).
    pub(super) rejects_all: bool,
    /// Whether the document was read to its end. Only then is an identifier that was not found certainly missing.
    pub(super) to_end: bool,
}

/// The way in which an identifier is irregular.
#[derive(Clone, Copy, Debug)]
pub(in crate::read::xref) enum Status {
    /// There are pointers to the identifier, but no structure has it. The number is that of the record which is
    /// inserted for it, or [`NOT_INSERTED`].
    Dangling(u32),
    /// There are pointers to the identifier, but the structure that has it is not a record.
    Substructure,
    /// The structure that has the identifier is within a structure that the rules reject. The structure is a record
    /// unless `nested` is true.
    Rejected { nested: bool },
    /// Several structures have the identifier. The number is its index in [`Statuses::repeated`].
    Repeated(u32),
}

/// The number that means that no record is inserted.
pub(super) const NOT_INSERTED: u32 = u32::MAX;

/// An identifier that several structures have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeated {
    /// The span of the first occurrence of the identifier.
    pub(super) first: Span,
    /// Whether the first structure that has the identifier is not a record.
    pub(super) nested: bool,
    pub(super) outcome: DuplicateOutcome,
    /// The number of the record that is inserted for pointers to the identifier.
    pub(super) insertion: u32,
}

/// A record that the rules insert for pointers to an identifier.
#[derive(Debug)]
pub(super) struct Insertion {
    /// The offset of the first pointer to the identifier.
    pub(super) offset: u64,
    /// The identifier of the record, if the record cannot have the identifier in the pointers.
    pub(super) invented: Option<Box<str>>,
}

impl Statuses {
    /// Creates an empty collection for a document. `to_end` is true if the document was read to its end.
    pub(super) fn new(keys: &Keys, to_end: bool) -> Statuses {
        Statuses {
            keys: keys.clone(),
            table: HashTable::new(),
            repeated: Vec::new(),
            insertions: Vec::new(),
            rejects_all: false,
            to_end,
        }
    }

    pub(in crate::read::xref) fn inserts(&self) -> bool {
        !self.insertions.is_empty()
    }

    pub(super) fn status_of_label(&self, label: Label) -> Option<Status> {
        self.table.find(self.keys.hash(label.key), |(of, _)| *of == label).map(|(_, status)| *status)
    }

    pub(super) fn set(&mut self, label: Label, status: Status) {
        let keys = &self.keys;
        match self.table.entry(keys.hash(label.key), |(of, _)| *of == label, |(of, _)| keys.hash(of.key)) {
            Entry::Occupied(mut slot) => slot.get_mut().1 = status,
            Entry::Vacant(slot) => {
                slot.insert((label, status));
            }
        }
    }

    #[inline]
    pub(super) fn status_of_key(&self, key: Key, xref: &str) -> Option<Status> {
        if self.table.is_empty() {
            return None;
        }
        let answers = |(of, _): &(Label, Status)| of.key == key && *of == self.keys.label(key, xref);
        self.table.find(self.keys.hash(key), answers).map(|(_, status)| *status)
    }

    /// Returns whether the rules reject the structure that has an identifier of this status because of another
    /// identifier.
    pub(super) fn is_rejected(&self, status: Status) -> bool {
        let kept =
            |one: &Repeated| matches!(one.outcome, DuplicateOutcome::KeptByRecord { rejected: true, .. });
        matches!(status, Status::Rejected { .. }) || self.repeated(status).is_some_and(kept)
    }

    /// Returns whether pointers may become unresolved because the rules reject structures.
    pub(in crate::read::xref) fn rejects_bearers(&self) -> bool {
        self.table.iter().any(|(_, status)| matches!(status, Status::Rejected { .. }))
    }

    fn of(&self, xref: &str) -> Option<Status> {
        if self.table.is_empty() { None } else { self.status_of_key(self.keys.key(xref), xref) }
    }

    /// Returns the details of a repeated identifier.
    pub(super) fn repeated(&self, status: Status) -> Option<&Repeated> {
        match status {
            Status::Repeated(number) => self.repeated.get(number as usize),
            Status::Dangling(_) | Status::Substructure | Status::Rejected { .. } => None,
        }
    }

    pub(in crate::read::xref) fn any_repeated(&self) -> bool {
        !self.rejects_all && self.repeated.iter().any(|one| one.outcome == DuplicateOutcome::Stands)
    }

    pub(in crate::read::xref) fn is_repeated(&self, xref: &str) -> bool {
        let repeated = || self.repeated(self.of(xref)?);
        !self.rejects_all
            && !self.repeated.is_empty()
            && repeated().is_some_and(|one| one.outcome == DuplicateOutcome::Stands)
    }

    /// Returns the fault of a pointer to `xref`, which has this status. `rejected` is true if the pointer is in a
    /// rejected structure. Such a pointer is checked as if nothing were rejected.
    pub(super) fn pointer_fault(&self, status: Status, xref: &str, rejected: bool) -> Option<PointerFault> {
        match status {
            Status::Dangling(_) => Some(PointerFault::dangling(xref)),
            Status::Rejected { nested: false } if rejected => None,
            Status::Rejected { nested: true } if rejected => Some(PointerFault::Substructure),
            Status::Rejected { .. } => Some(PointerFault::dangling(xref)),
            Status::Substructure => Some(PointerFault::Substructure),
            Status::Repeated(_) => match self.repeated(status)?.outcome {
                DuplicateOutcome::Stands | DuplicateOutcome::Rejected => Some(PointerFault::Ambiguous),
                DuplicateOutcome::KeptByRecord { rejected: false, .. } => None,
                DuplicateOutcome::KeptByRecord { .. } if rejected => None,
                DuplicateOutcome::KeptByRecord { .. } | DuplicateOutcome::Dropped => {
                    Some(PointerFault::dangling(xref))
                }
            },
        }
    }

    /// Returns the kind of the first structure that has `xref`. Returns `None` if the identifier is regular.
    pub(in crate::read::xref) fn bearer(&self, xref: &str) -> Option<Bearer> {
        if self.rejects_all {
            return Some(Bearer::None);
        }
        let status = self.of(xref)?;
        Some(match status {
            Status::Dangling(_) if self.insertion_of(status).is_some() => Bearer::Record,
            Status::Dangling(_) | Status::Rejected { .. } => Bearer::None,
            Status::Substructure => Bearer::Substructure,
            Status::Repeated(_) => {
                let repeated = self.repeated(status)?;
                match repeated.outcome {
                    DuplicateOutcome::Stands if repeated.nested => Bearer::Substructure,
                    DuplicateOutcome::Stands | DuplicateOutcome::KeptByRecord { rejected: false, .. } => {
                        Bearer::Record
                    }
                    DuplicateOutcome::KeptByRecord { .. }
                    | DuplicateOutcome::Dropped
                    | DuplicateOutcome::Rejected => Bearer::None,
                }
            }
        })
    }

    /// Returns the identifier of the inserted record to which a pointer to `xref` refers. Returns `xref` if there is no
    /// such record.
    pub(in crate::read::xref) fn redirect<'n>(&'n self, xref: &'n str) -> &'n str {
        self.inserted_for(xref).unwrap_or(xref)
    }

    /// Returns the identifier of the record that is inserted for pointers to `xref`. Returns `None` if no record is
    /// inserted.
    pub(in crate::read::xref) fn inserted_for<'n>(&'n self, xref: &'n str) -> Option<&'n str> {
        if self.insertions.is_empty() {
            return None;
        }
        let (_, insertion) = self.of(xref).and_then(|status| self.insertion_of(status))?;
        Some(insertion.invented.as_deref().unwrap_or(xref))
    }

    /// Returns the record that is inserted for an identifier with this status, and its number.
    pub(super) fn insertion_of(&self, status: Status) -> Option<(u32, &Insertion)> {
        let number = match status {
            Status::Dangling(number) => number,
            Status::Substructure | Status::Rejected { .. } => return None,
            Status::Repeated(_) => self.repeated(status)?.insertion,
        };
        Some((number, self.insertions.get(number as usize)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_one_key_are_told_apart() {
        let keys = Keys::default();
        let [one, other] = ["LONGER_THAN_ANY", "NO_SHORTER_THAN_IT"];
        let key = keys.key(one);
        let mut statuses = Statuses::new(&keys, true);
        statuses.set(keys.label(key, one), Status::Substructure);
        assert!(statuses.status_of_key(key, one).is_some() && statuses.status_of_key(key, other).is_none());
        assert_eq!((statuses.bearer(one), statuses.bearer(other)), (Some(Bearer::Substructure), None));
    }
}
