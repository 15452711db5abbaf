//! The four ways in which the declarative draft lets a repeated identifier be treated.

use elf_base::rules::Duplicates;

/// The treatment of an identifier that several structures have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DuplicateOutcome {
    /// Every structure has it on.
    Stands,
    /// One structure keeps it, the record whose identifier is at that offset, and the other structures
    /// lose it. The record may itself be `rejected` for another identifier.
    KeptByRecord { offset: u64, rejected: bool },
    /// Every structure loses it.
    Dropped,
    /// The structures that have it are rejected, and those that point to it.
    Rejected,
}

/// The outcome of `option`, which is not [`RejectAll`](Duplicates::RejectAll), for a repeated identifier that
/// is `pointed` to or not; `record`: where the identifier of the one record that has it stands, if it is
/// one (RDX *`xref_id`: Deserialisation error recovery*).
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
