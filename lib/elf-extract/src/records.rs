//! Records, their kinds, and what happens to each.

use elf_schema::{Counterpart, Document, Node, Role};

/// Returns the header and the records of a document, without the trailer and without records that
/// the rules insert.
pub(crate) fn header_and_records<'d>(document: &'d Document<'_>) -> impl Iterator<Item = Node<'d>> {
    let records = document.records().filter(|record| !record.is_inserted());
    document.head().into_iter().chain(records)
}

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordKind {
    /// The header: the first record of the file.
    Header,
    /// The record of a person.
    Person,
    /// The record of a family.
    Family,
    /// A submitter or a submission: records about the file.
    Submitter,
    /// A source, a note, a multimedia object, a repository, or any other record.
    Other,
}

impl RecordKind {
    /// Returns the kind of a record. A HEAD that is not the header may be about anybody.
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
    /// The person is not in the branch.
    Outside,
    /// The person may be living, or the structure is about a person who may be living.
    Living,
    /// The record or structure says that it is private or confidential.
    Private,
    /// The family is left with too few people.
    LoneFamily,
    /// Only removed structures referred to the record.
    Unreferenced,
    /// The structure pointed to something that was removed.
    PointerToRemoved,
    /// All substructures were removed, and the structure had no payload.
    Emptied,
    /// The record or structure is in the wrong place, and nobody knows whom it is about.
    Stray,
    /// The structure contains a file name, which may be the name of a person.
    FileName,
}

impl RemovalReason {
    /// Returns the name in JSON.
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

/// What happens to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordAction {
    /// The record is kept, except for pointers to removed structures.
    Keep,
    /// Only the links to families are kept and, for a person, the parts that the replacement has.
    Hide,
    Remove(RemovalReason),
}
