//! Events of any kind, with their days: `cargo run --example events -- FILE`.
//!
//! A birth is an event, and so is a first peal, if the schema of the file says so: types have supertypes.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_schema::{TooLarge, TypedDocument, vocabulary::elf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("expected a file")?;
    for (tag, days) in events(&std::fs::read(file)?)? {
        println!("{tag}\t{days}");
    }
    Ok(())
}

/// Returns the tag of each event that has a date, and the date in EDTF.
pub(crate) fn events(octets: &[u8]) -> Result<Vec<(String, String)>, TooLarge> {
    let typed = TypedDocument::parse(octets)?;
    let events = typed.of_type(elf::EVENT).filter_map(|event| {
        let date = typed.value(event.substructure("DATE")?)?;
        Some((event.tag().to_owned(), date.as_date()?.edtf()?))
    });
    Ok(events.collect())
}
