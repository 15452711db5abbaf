//! The four ways in which the declarative draft allows a reader to treat a repeated identifier.

use elf_base::rules::Duplicates;

/// What happens to a repeated identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DuplicateOutcome {
    /// Every structure keeps the identifier.
    Stands,
    /// The record whose identifier is at `offset` keeps the identifier, and the other structures lose it. The record
    /// may itself be `rejected` because of another identifier.
    KeptByRecord { offset: u64, rejected: bool },
    /// Every structure loses the identifier.
    Dropped,
    /// The structures that have the identifier and those that point to it are rejected.
    Rejected,
}

/// Returns what `option` does to a repeated identifier (RDX *`xref_id`: Deserialisation error recovery*).
///
/// `option` must not be [`RejectAll`](Duplicates::RejectAll). `record` is the offset of the identifier in the only
/// record that has it, if there is exactly one. `pointed` tells whether there are pointers to it.
pub(super) const fn outcome_of(option: Duplicates, record: Option<u64>, pointed: bool) -> DuplicateOutcome {
    match (option, record) {
        (Duplicates::KeepRecord, Some(offset)) => DuplicateOutcome::KeptByRecord { offset, rejected: false },
        (Duplicates::KeepRecord | Duplicates::DropUnused, _) if !pointed => DuplicateOutcome::Dropped,
        (
            Duplicates::RejectAll
            | Duplicates::RejectBearers
            | Duplicates::DropUnused
            | Duplicates::KeepRecord,
            _,
        ) => DuplicateOutcome::Rejected,
    }
}
