//! The result of the edits of a file.

use elf_octets::Patch;
use std::borrow::Cow;

/// An edited file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edited<'d> {
    /// The bytes of the edited file. The bytes are borrowed if no line has changed.
    pub octets: Cow<'d, [u8]>,
    /// The changed lines in order, as patches. The line numbers of the patches are those of the document that was read.
    pub patches: Vec<Patch>,
    /// The number of faults among the findings that the edits introduce. Malformed and non-conformant content,
    /// unresolved pointers and ambiguous pointers are faults.
    pub faults: u64,
    /// Whether the edited file was read to its end.
    pub complete: bool,
}
