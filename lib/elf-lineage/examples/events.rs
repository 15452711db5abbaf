//! Lists all events with a date, and the ancestors of a person: `cargo run --example events -- FILE [IDENTIFIER]`.
//!
//! A birth is an event, and so is a first peal if the schema of the file says so, because types have supertypes.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_lineage::elf_schema::{TypedDocument, vocabulary::elf};
use elf_lineage::{Lineage, TiesFollowed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let octets = std::fs::read(arguments.next().ok_or("expected a file")?)?;
    let typed = TypedDocument::parse(&octets)?;
    let ancestors = arguments.next().map(|person| pedigree(&typed, &person)).unwrap_or_default();
    for line in events(&typed).into_iter().chain(ancestors) {
        println!("{line}");
    }
    Ok(())
}

/// Returns the tag of each event that has a date, and the date in EDTF.
pub(crate) fn events(typed: &TypedDocument<'_>) -> Vec<String> {
    let events = typed.of_type(elf::EVENT).filter_map(|event| {
        let date = typed.date(event.substructure("DATE")?)?;
        Some(format!("{}\t{}", event.tag(), date.edtf()?))
    });
    events.collect()
}

/// Returns a line for each ancestor, starting with the generation; none if no person has the identifier.
pub(crate) fn pedigree(typed: &TypedDocument<'_>, person: &str) -> Vec<String> {
    let lineage = Lineage::of(typed);
    let Some(person) = lineage.find_person(person) else { return Vec::new() };
    let ancestors = person.ancestors(TiesFollowed::ByBirth);
    ancestors.map(|(person, generation)| format!("{generation} {}", person.name())).collect()
}
