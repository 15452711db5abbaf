//! The identifier of the header: whether it is written, and whether it counts.

use crate::Document;
use elf_base::Rules;

/// Returns whether the header has an identifier of its own by `rules`: where it is a structure like any other
/// (O17 §3.1).
pub(super) fn names_header(rules: &Rules) -> bool {
    rules.tagged.metadata.leaves_header() && !rules.octets.prescan.wants_bare_header()
}

/// Returns whether the identifier of the header counts by the rules that a document was read by: where it is no
/// structure of the dataset no pointer leads to it (J19 §4; RDX *Header*).
pub(super) const fn counts_header(document: &Document<'_>) -> bool {
    !document.rules().tagged.metadata.takes_header()
}
