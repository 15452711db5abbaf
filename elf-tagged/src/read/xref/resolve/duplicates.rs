//! The four options of the declarative draft for a reader that finds a repeated identifier.

use elf_base::rules::Duplicates;

/// The result of an option for a repeated identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DuplicateOutcome {
    /// Every structure keeps the identifier.
    Stands,
    /// The record whose identifier is at `offset` keeps the identifier, and the other structures lose it. That record
    /// may be `rejected` itself because of another identifier.
    KeptByRecord { offset: u64, rejected: bool },
    /// Every structure loses the identifier.
    Dropped,
    /// The structures that have the identifier are rejected, and so are the structures that point to it.
    Rejected,
}

/// Returns the result of `option` for a repeated identifier (RDX *`xref_id`: Deserialisation error recovery*).
///
/// The option must not be [`RejectAll`](Duplicates::RejectAll). If exactly one record has the identifier, `record` is
/// the offset of the identifier in it. `pointed` is true if there are pointers to the identifier.
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
