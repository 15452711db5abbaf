//! Vectors that write.

use elf_base::Rules;

/// An `E:` vector.
pub(super) fn payload(_: &str, _: &str, _: Option<&str>, _: &str, _: &Rules) -> Result<(), String> {
    Err("there is nothing yet that writes".to_owned())
}
