//! The ancestors of a person, generation by generation: `cargo run --example pedigree -- FILE IDENTIFIER`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_lineage::elf_schema::{TooLarge, TypedDocument};
use elf_lineage::{Lineage, TiesFollowed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, identifier] = &*arguments else { return Err("expected a file and an identifier".into()) };
    for line in pedigree(&std::fs::read(file)?, identifier)? {
        println!("{line}");
    }
    Ok(())
}

/// Returns a line for each ancestor, its generation first; none where nobody bears the identifier.
pub(crate) fn pedigree(octets: &[u8], identifier: &str) -> Result<Vec<String>, TooLarge> {
    let lineage = Lineage::of(&TypedDocument::parse(octets)?);
    let Some(person) = lineage.find(identifier) else { return Ok(Vec::new()) };
    let ancestors = person.ancestors(TiesFollowed::ByBirth);
    Ok(ancestors.map(|(person, generation)| format!("{generation} {}", person.name())).collect())
}
