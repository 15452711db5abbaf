//! Reads a stream and the schemas that its header refers to: `cat FILE | cargo run --example stream -- SCHEMA…`.
//!
//! Only the start is held in memory. `get` may use the network, as `elf_schema::source::http` does.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_schema::source::{StreamStart, SuppliedSchemas};
use elf_schema::{Options, ReadOptions, Reader, Rules, vocabulary::elf};
use std::io::{self, Read};

fn main() -> io::Result<()> {
    let mut schemas = std::env::args().skip(1);
    // The schemas from the command line, in the order in which the header refers to them.
    let mut get = |_: &str| std::fs::read(schemas.next()?).ok();
    println!("{} events", count_events(io::stdin().lock(), &mut get)?);
    Ok(())
}

/// Counts all events. `get` returns the schema at an address that the header refers to.
pub(crate) fn count_events(
    input: impl Read,
    get: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> io::Result<usize> {
    let start = StreamStart::read(input, &Rules::WILD, &Options::default())?;
    let mut supplied = SuppliedSchemas::new();
    for iri in start.wanted() {
        if let Some(octets) = get(iri) {
            supplied.add(iri, octets, None);
        }
    }
    let options = ReadOptions::default().with_external(&supplied);
    let mut reader = Reader::new(start.into_input(), &Rules::WILD, options);
    let mut events = 0;
    while let Some(part) = reader.next_run(&mut ())? {
        events += part.of_type(elf::EVENT).count();
    }
    Ok(events)
}
