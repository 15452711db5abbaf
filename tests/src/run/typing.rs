//! Vectors about structure types.

use crate::notation::typed::Pattern;
use crate::vectors::Expect;
use elf_base::Rules;

/// A `P:` vector.
pub(super) fn typed(_: &str, _: &Pattern, _: &Rules, _: &Expect) -> Result<(), String> {
    Err("there is nothing yet that types structures".to_owned())
}
