//! Rules about the identifier of the header.

use crate::Document;
use elf_base::Rules;

/// Returns whether the header may have an identifier under `rules`. A header that is a structure like others may have
/// one (O17 §3.1).
pub(super) fn allows_header_xref(rules: &Rules) -> bool {
    rules.tagged.metadata.keeps_header_as_data() && !rules.octets.prescan.wants_bare_header()
}

/// Returns whether pointers to the header are resolved under the rules of the document. The pointers are not resolved
/// if the header is not a structure of the dataset (J19 §4; RDX *Header*).
pub(super) const fn resolves_header(document: &Document<'_>) -> bool {
    !document.rules().tagged.metadata.includes_header()
}
