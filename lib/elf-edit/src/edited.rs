//! The result of edits.

use elf_octets::Patch;
use std::borrow::Cow;

/// An edited file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edited<'d> {
    /// The bytes of the file. Borrowed if no line has changed.
    pub octets: Cow<'d, [u8]>,
    /// The changed lines in order, with their line numbers in the document that was read.
    pub patches: Vec<Patch>,
    /// The number of faults among the findings that the edits introduce. Malformed and
    /// non-conformant content and unresolved and ambiguous pointers are faults.
    pub faults: u64,
    /// True if the edited file was read to its end.
    pub complete: bool,
}
