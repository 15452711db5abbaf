//! The law of the second reader.

use crate::Input;
use elf_base::{Diagnostic, codes};
use elf_tests::departures::unexpected_differences;
use elf_tests::reference::Draft;

/// Two readers that share no line read a file of December or January 2019 alike, but for the readings that
/// are written down.
///
/// # Panics
///
/// If the law does not hold.
pub fn second_reader(input: &Input<'_>) {
    let draft = match input.rules.name {
        "2019-01" | "declarative" | "2017-10" | "2017-07" => Draft::January2019,
        _ => Draft::December2019,
    };
    // What is no text, the product does not read.
    let is_text = |found: &Diagnostic| ![codes::NOT_ELF, codes::NO_LINES].contains(&found.code);
    let judged = unexpected_differences(input.octets, draft);
    if !judged.found.iter().all(is_text) {
        return;
    }
    let messages: Vec<String> = judged.differences.into_iter().map(|one| one.message).collect();
    assert!(messages.is_empty(), "{draft:?}: {}\n{:?}", messages.join("\n"), judged.found);
}
