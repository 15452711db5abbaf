//! Events of any kind, with their days: `cargo run --example events -- FILE`.
//!
//! A birth is an event, and so is a first peal, if the schema of the file says so: types have supertypes.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_schema::{ReadOptions, Rules, TooLarge, Value, read, vocabulary::elf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("expected a file")?;
    for (tag, days) in events(&std::fs::read(file)?)? {
        println!("{tag}\t{days}");
    }
    Ok(())
}

/// Returns the tag of each event that has a date, and the date in EDTF.
pub(crate) fn events(octets: &[u8]) -> Result<Vec<(String, String)>, TooLarge> {
    let typed = read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    let mut events = Vec::new();
    for event in typed.of_type(elf::EVENT) {
        let date = event.substructure("DATE").and_then(|date| typed.value(date));
        if let Some(Value::Date(date)) = date {
            events.push((event.tag().to_owned(), date.edtf().unwrap_or_default()));
        }
    }
    Ok(events)
}
