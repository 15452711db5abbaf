//! Counts the events of each type in a file of any size: `cargo run --release --example counts -- FILE`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_schema::{ReadOptions, Reader, Rules, vocabulary::elf};
use std::collections::BTreeMap;
use std::io::{self, Read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("expected a file")?;
    for (of, count) in counts(std::fs::File::open(file)?)? {
        println!("{count}\t{of}");
    }
    Ok(())
}

/// Counts events, attributes among them, by the IRI of their type. Only one part of the file is in memory.
pub(crate) fn counts(input: impl Read) -> io::Result<BTreeMap<String, u64>> {
    let mut counts = BTreeMap::new();
    let mut reader = Reader::new(input, &Rules::WILD, ReadOptions::default());
    while let Some(part) = reader.next_run(&mut ())? {
        for event in part.of_type(elf::EVENT) {
            let of = part.type_of(event).unwrap_or_default();
            match counts.get_mut(of) {
                Some(count) => *count += 1,
                None => drop(counts.insert(of.to_owned(), 1)),
            }
        }
    }
    Ok(counts)
}
