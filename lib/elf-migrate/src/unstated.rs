//! The program and the submitter of a header, which GEDCOM 5.5.1 requires and GEDCOM 7.0 does not. If a file does not
//! name them, placeholders with a special name are written, which are recognized when the file is converted back.

use crate::identifiers::INLINE;
use elf_tagged::Node;
use elf_tagged::elf_lines::VOID;

/// The name of a placeholder program or submitter.
pub(crate) const NAME: &str = "UNSTATED";

/// The letter in the identifier of a placeholder submitter.
const SUBMITTER: &str = "U";

/// Returns an unused identifier for a placeholder submitter.
pub(crate) fn unused_submitter_xref(is_used: impl Fn(&str) -> bool) -> String {
    let identifier = |number: u64| format!("{INLINE}{SUBMITTER}{number}");
    let mut number = 1;
    while is_used(&identifier(number)) {
        number += 1;
    }
    identifier(number)
}

pub(crate) fn is_submitter(node: Node<'_>) -> bool {
    let is_named = || {
        let mut below = node.substructures();
        let name = below.next().filter(|name| name.tag() == "NAME" && name.text() == NAME);
        name.is_some_and(|name| name.substructures().next().is_none()) && below.next().is_none()
    };
    let starts = |xref: &str| xref.strip_prefix(INLINE).is_some_and(|rest| rest.starts_with(SUBMITTER));
    node.tag() == "SUBM" && node.xref().is_some_and(starts) && is_named()
}

pub(crate) fn has_program(head: Node<'_>) -> bool {
    head.substructures_tagged("SOUR").any(|program| match program.pointer() {
        // The original text is in an extension.
        Some(VOID) => program.substructure("_SUBM").is_some(),
        _ => true,
    })
}

pub(crate) fn has_submitter(head: Node<'_>) -> bool {
    head.substructures_tagged("SUBM").any(|submitter| match submitter.pointer() {
        Some(VOID) => submitter.substructure("_SUBM").is_some(),
        pointer => pointer.is_some(),
    })
}
