//! Lists the names of all people in a file: `cargo run --example names -- FILE`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_tagged::{Document, TooLarge};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("expected a file")?;
    for name in names(&std::fs::read(file)?)? {
        println!("{name}");
    }
    Ok(())
}

/// Returns the first name of each person, without the slashes around the surname.
pub(crate) fn names(octets: &[u8]) -> Result<Vec<String>, TooLarge> {
    let document = Document::parse(octets)?;
    let people = document.records().filter(|record| record.tag() == "INDI");
    Ok(people
        .filter_map(|person| person.substructure("NAME"))
        .map(|name| name.text().replace('/', ""))
        .collect())
}
