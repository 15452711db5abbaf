//! Resolves pointers. Finds irregular identifiers, and determines what the rules do because of them.
//!
//! [`Index::of`] indexes the identifiers of a whole document and finds the irregular ones. If the rules change
//! structures because of identifiers, a [`StatusFinder`] determines the [`Status`] of each irregular identifier, and
//! [`apply`](apply::apply) changes the structures.

pub(super) mod apply;
mod duplicates;
mod index;
mod status;
mod status_finder;
pub(super) mod undefined;

pub(super) use index::{Index, Irregularity, has_identifier};
pub(super) use status::{Status, Statuses};
pub(super) use status_finder::StatusFinder;

use elf_base::{Code, codes};

/// The reason why a pointer does not refer to exactly one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointerFault {
    /// No structure has the identifier.
    Dangling,
    /// No structure has the identifier, but it looks like a pointer to another file or to a part of a record (D19
    /// *Payloads*).
    External,
    /// Several structures have the identifier.
    Ambiguous,
    /// The structure that has the identifier is not a record.
    Substructure,
}

impl PointerFault {
    /// Returns the fault of a pointer to `xref`, if no structure has this identifier.
    fn dangling(xref: &str) -> PointerFault {
        if super::is_external_pointer(xref) { PointerFault::External } else { PointerFault::Dangling }
    }

    pub(super) const fn code(self) -> Code {
        match self {
            PointerFault::Dangling => codes::POINTER_DANGLING,
            PointerFault::External => codes::POINTER_EXTERNAL,
            PointerFault::Ambiguous => codes::POINTER_AMBIGUOUS,
            PointerFault::Substructure => codes::POINTER_TO_SUBSTRUCTURE,
        }
    }
}
