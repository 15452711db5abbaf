//! A stream, and the schemas that its header refers to: `cat FILE | cargo run --example stream -- SCHEMA…`.
//!
//! The header says what is wanted, and types need it; so the start is read once without types, and again with
//! what was got. Nothing else is held, and `get` may ask the network, as `elf_schema::source::http` does.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_schema::source::Supplied;
use elf_schema::{Options, ReadOptions, Reader, Rules, vocabulary::elf, wanted};
use std::io::{self, Read};

fn main() -> io::Result<()> {
    let mut schemas = std::env::args().skip(1);
    // The schemas of the command line, in the order in which the header asks for them.
    let mut get = |_: &str| std::fs::read(schemas.next()?).ok();
    println!("{} events", count_events(io::stdin().lock(), &mut get)?);
    Ok(())
}

/// Counts the events of any kind; `get` is given the address of each schema that the header refers to.
pub(crate) fn count_events(
    mut input: impl Read,
    get: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> io::Result<usize> {
    let mut start = Vec::new();
    let recorder = Recorder { input: &mut input, start: &mut start };
    let mut reader = elf_tagged::Reader::new(recorder, &Rules::WILD, &Options::default());
    let wanted = reader.next_part(&mut ())?.map(|part| wanted(&part)).unwrap_or_default();
    drop(reader);

    let mut supplied = Supplied::new();
    for iri in wanted {
        if let Some(octets) = get(&iri) {
            supplied.add(&iri, octets, None);
        }
    }
    let options = ReadOptions::default().with_external(&supplied);
    let mut reader = Reader::new(start.as_slice().chain(input), &Rules::WILD, options);
    let mut events = 0;
    while let Some(part) = reader.next_part(&mut ())? {
        events += part.of_type(elf::EVENT).count();
    }
    Ok(events)
}

/// An input that is remembered as far as it was read.
struct Recorder<'r, R> {
    input: &'r mut R,
    start: &'r mut Vec<u8>,
}

impl<R: Read> Read for Recorder<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.start.extend_from_slice(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}
