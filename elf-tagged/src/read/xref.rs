//! Cross-reference identifiers and the pointers to them (D19 *Pointer conversion*; J19 §5.1; RDX; O17 §3.1).
//!
//! Its modules follow what happens: [`key`] compares identifiers; [`collect`] keeps which structures bear
//! them and which point to them, and [`list`] hands that on; [`resolve`] finds what each pointer leads to,
//! and what the rules make of what is irregular; [`report`] says what is wrong. A whole document is one part;
//! [`pass`] runs these steps for it, and for a document in parts. [`answer`] is what remains: what a document
//! says when it is asked about an identifier.

mod answer;
mod collect;
mod key;
mod list;
mod pass;
mod report;
mod resolve;

pub use answer::Bearer;
pub(crate) use answer::{Bearers, Resolution};
pub(crate) use collect::{Occurrence, Occurrences, PlaceFinder};
pub(crate) use key::{Key, Keys};
pub use list::{PointerFaults, PointerLookup, XrefList, XrefLists, XrefNodes};
pub(crate) use pass::{PartReport, PartReports, XrefPass};
pub(crate) use resolve::FirstReading;
pub use resolve::Xrefs;

/// Returns whether a pointer, given without at signs, is of GEDCOM's syntax for other files and for parts of
/// records: then nothing in the file need bear what it names.
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
