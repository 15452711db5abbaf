//! Cross-reference identifiers and the pointers to them (D19 *Pointer conversion*; J19 §5.1; RDX; O17 §3.1).
//!
//! Each module has one task. [`key`] compares identifiers. [`collect`] lists identifiers and pointers. [`lookup`]
//! decides when pointers are resolved: at once in a whole document ([`resolve`]), or after the last run ([`list`]).
//! [`report`] reports findings. [`answer`] has the functions of a document that look up identifiers.

mod answer;
mod collect;
mod key;
mod known;
mod list;
mod lookup;
mod report;
mod resolve;

pub use answer::Bearer;
pub(crate) use answer::{Bearers, Resolution};
pub(crate) use collect::{Occurrence, Occurrences, PlaceFinder};
pub(crate) use key::{Key, Keys};
pub use known::KnownXrefs;
pub(crate) use list::{ListIndex, RunXrefs};
pub use list::{XrefEntries, XrefList, XrefNodes};
pub(crate) use lookup::Lookup;
pub use lookup::depend_on_whole;

/// Returns whether a pointer uses the syntax of GEDCOM for other files or for parts of records. Such a pointer need not
/// be resolved in the file. The pointer is given without at signs.
///
/// ```
/// use elf_tagged::is_external_pointer;
///
/// assert!(is_external_pointer("REGISTRY:I1") && is_external_pointer("I1!NAME"));
/// assert!(!is_external_pointer("I1"));
/// ```
pub fn is_external_pointer(xref: &str) -> bool {
    memchr::memchr2(b':', b'!', xref.as_bytes()).is_some()
}
