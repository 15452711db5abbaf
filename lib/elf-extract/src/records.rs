//! Records, and what is to become of each.

use elf_schema::{Counterpart, Document, Node, Role};

/// The records of a part of a document as they are counted here: the header among them, the trailer and those
/// that the rules insert not.
pub(crate) fn records<'d>(document: &'d Document<'_>) -> impl Iterator<Item = Node<'d>> {
    let records = document.records().filter(|record| !record.is_inserted());
    document.head().into_iter().chain(records)
}

/// The kind of a record, as far as it decides what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordKind {
    /// The header, which is the first record alone.
    Header,
    /// The record of a person.
    Person,
    /// The record of a family.
    Family,
    /// A submitter or a submission, which are about the file.
    Submitter,
    /// A source, a note, a multimedia object, a repository, or a record of any other kind.
    Other,
}

impl RecordKind {
    /// The kind of a record, given whether it is the header: what another HEAD begins stands in the middle of
    /// something, and is anybody's.
    pub(crate) fn of(record: Node<'_>, counterpart: Counterpart, is_header: bool) -> RecordKind {
        match (counterpart.role(), record.tag()) {
            _ if is_header => RecordKind::Header,
            (Some(Role::Person), _) => RecordKind::Person,
            (Some(Role::Family), _) => RecordKind::Family,
            (_, "SUBM" | "SUBN") => RecordKind::Submitter,
            _ => RecordKind::Other,
        }
    }
}

/// The reason why a record or a structure is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RemovalReason {
    /// The person is not of the branch.
    Outside,
    /// The person may be living, or the structure is about such a person.
    Living,
    /// The record or structure bears a notice that it is private or confidential.
    Private,
    /// Of the persons of the family too few are left.
    LoneFamily,
    /// Only what was removed referred to the record.
    Unreferenced,
    /// The structure pointed to what was removed.
    PointerToRemoved,
    /// Everything beneath the structure was removed, and it had no payload.
    Emptied,
    /// The record is made of lines that fit nowhere, and nobody knows whom it is about; or the structure is
    /// that of a person where none can stand.
    Stray,
    /// The structure names the file, and the name may be that of a person.
    FileName,
}

impl RemovalReason {
    /// A word for it in data.
    pub const fn name(self) -> &'static str {
        match self {
            RemovalReason::Outside => "outside",
            RemovalReason::Living => "living",
            RemovalReason::Private => "private",
            RemovalReason::LoneFamily => "lone-family",
            RemovalReason::Unreferenced => "unreferenced",
            RemovalReason::PointerToRemoved => "pointer-to-removed",
            RemovalReason::Emptied => "emptied",
            RemovalReason::Stray => "stray",
            RemovalReason::FileName => "file-name",
        }
    }
}

/// The decision about a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordAction {
    /// The record stays, but for pointers to what is removed.
    Keep,
    /// The record stays as a place in the tree: links alone, and of a person what the replacement says.
    Hide,
    Remove(RemovalReason),
}
