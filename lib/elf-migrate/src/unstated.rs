//! Program and submitter of a header, which GEDCOM 5.5.1 wants and GEDCOM 7.0 need not have. Where a file
//! does not name them, both are written with a name that says so, by which they are known again.

use crate::identifiers::INLINE;
use elf_tagged::Node;
use elf_tagged::elf_lines::VOID;

/// The name of a program or a submitter that the file does not name.
pub(crate) const NAME: &str = "UNSTATED";

/// The start of the identifier of a submitter that the file does not name.
const SUBMITTER: &str = "U";

/// The first identifier of a submitter that nothing in the file is called.
pub(crate) fn submitter(is_met: impl Fn(&str) -> bool) -> String {
    let mut made = (1_u64..).map(|number| format!("{INLINE}{SUBMITTER}{number}"));
    made.find(|made| !is_met(made)).unwrap_or_default()
}

/// Tells whether a record is a submitter who was made up.
pub(crate) fn is_submitter(node: Node<'_>) -> bool {
    let is_named = || {
        let mut below = node.substructures();
        let name = below.next().filter(|name| name.tag() == "NAME" && name.text() == NAME);
        name.is_some_and(|name| name.substructures().next().is_none()) && below.next().is_none()
    };
    let starts = |xref: &str| xref.strip_prefix(INLINE).is_some_and(|rest| rest.starts_with(SUBMITTER));
    node.tag() == "SUBM" && node.xref().is_some_and(starts) && is_named()
}

/// Tells whether a header lacks a program, or a submitter.
pub(crate) fn lacks(head: Node<'_>) -> [bool; 2] {
    let has = |tag: &str| {
        let mut all = head.substructures_tagged(tag);
        all.any(|one| match one.pointer() {
            // What stood there, and was no pointer, stands beneath.
            Some(VOID) => one.substructure("_SUBM").is_some(),
            Some(_) => true,
            None => tag == "SOUR",
        })
    };
    ["SOUR", "SUBM"].map(|tag| !has(tag))
}
