//! The program and the submitter of a header, which GEDCOM 5.5.1 requires and GEDCOM 7.0 does not. If a file does
//! not name them, they are made up with a special name, which is recognized on the way back.

use crate::identifiers::INLINE;
use elf_tagged::Node;
use elf_tagged::elf_lines::VOID;

/// The name of a program or a submitter that is made up.
pub(crate) const NAME: &str = "UNSTATED";

/// The letter in the identifier of a submitter that is made up.
const SUBMITTER: &str = "U";

/// Returns an identifier for a submitter that is not used in the file.
pub(crate) fn submitter(is_used: impl Fn(&str) -> bool) -> String {
    let identifier = |number: u64| format!("{INLINE}{SUBMITTER}{number}");
    let mut number = 1;
    while is_used(&identifier(number)) {
        number += 1;
    }
    identifier(number)
}

/// Returns whether a record is a submitter who was made up.
pub(crate) fn is_submitter(node: Node<'_>) -> bool {
    let is_named = || {
        let mut below = node.substructures();
        let name = below.next().filter(|name| name.tag() == "NAME" && name.text() == NAME);
        name.is_some_and(|name| name.substructures().next().is_none()) && below.next().is_none()
    };
    let starts = |xref: &str| xref.strip_prefix(INLINE).is_some_and(|rest| rest.starts_with(SUBMITTER));
    node.tag() == "SUBM" && node.xref().is_some_and(starts) && is_named()
}

/// Returns whether a header names a program.
pub(crate) fn has_program(head: Node<'_>) -> bool {
    head.substructures_tagged("SOUR").any(|program| match program.pointer() {
        // The text before it became a pointer to nothing is in an extension.
        Some(VOID) => program.substructure("_SUBM").is_some(),
        _ => true,
    })
}

/// Returns whether a header points to a submitter.
pub(crate) fn has_submitter(head: Node<'_>) -> bool {
    head.substructures_tagged("SUBM").any(|submitter| match submitter.pointer() {
        Some(VOID) => submitter.substructure("_SUBM").is_some(),
        pointer => pointer.is_some(),
    })
}
