//! Lists every note with the record it is in: `cargo run --example notes -- FILE`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_tagged::{Document, TooLarge};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("expected a file")?;
    notes(&std::fs::read(file)?)?.iter().for_each(|note| println!("{note}"));
    Ok(())
}

/// Returns a line for each NOTE and SNOTE: the identifier or tag of its record, and the text or pointer.
pub(crate) fn notes(octets: &[u8]) -> Result<Vec<String>, TooLarge> {
    let document = Document::parse(octets)?;
    let mut notes = Vec::new();
    for record in document.records() {
        for note in record.subtree_lines().filter(|node| matches!(node.tag(), "NOTE" | "SNOTE")) {
            let name = record.xref().unwrap_or(record.tag());
            notes.push(format!("{name}\t{}", note.payload().into_value()));
        }
    }
    Ok(notes)
}
