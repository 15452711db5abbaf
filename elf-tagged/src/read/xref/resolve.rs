//! Resolving: which structure each pointer leads to, what is irregular about identifiers, and what the rules
//! make of it.
//!
//! [`Index::of`] looks up the identifiers of a whole document and shows what is irregular. By rules that
//! change structures for the sake of identifiers, a [`StatusFinder`] works out the [`Status`] of each irregular
//! identifier, and [`apply`](apply::apply) does to the structures what the statuses say.

pub(super) mod apply;
mod duplicates;
mod index;
mod status;
mod status_finder;
pub(super) mod undefined;

pub(super) use index::{Index, Irregularity, bears};
pub(super) use status::{Status, Statuses};
pub(super) use status_finder::StatusFinder;

use elf_base::{Code, codes};

/// The reason why a pointer does not lead to one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointerFault {
    /// No structure has the identifier.
    Dangling,
    /// No structure has the identifier, which has the shape of GEDCOM's for other files and for parts of
    /// records (D19 *Payloads*).
    External,
    /// Several structures have the identifier.
    Ambiguous,
    /// The structure that has the identifier is no record.
    Substructure,
}

impl PointerFault {
    /// The fault of a pointer to `xref`, which nothing has.
    fn dangling(xref: &str) -> PointerFault {
        if super::is_external_pointer(xref) { PointerFault::External } else { PointerFault::Dangling }
    }

    /// The code by which the fault is reported.
    pub(super) const fn code(self) -> Code {
        match self {
            PointerFault::Dangling => codes::POINTER_DANGLING,
            PointerFault::External => codes::POINTER_EXTERNAL,
            PointerFault::Ambiguous => codes::POINTER_AMBIGUOUS,
            PointerFault::Substructure => codes::POINTER_TO_SUBSTRUCTURE,
        }
    }
}
