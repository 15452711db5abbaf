//! Counts the records of a file of any size by tag: `cargo run --example stats < FILE`.
//!
//! The file is read in runs, so memory does not grow with it.

#![allow(clippy::print_stdout, reason = "an example prints")]

use elf_tagged::{Options, Reader, Rules};
use std::collections::BTreeMap;
use std::io::{self, Read};

fn main() -> io::Result<()> {
    for (tag, count) in stats(io::stdin().lock())? {
        println!("{tag} {count}");
    }
    Ok(())
}

/// Counts the records of each tag.
pub(crate) fn stats(input: impl Read) -> io::Result<BTreeMap<String, u64>> {
    let mut counts = BTreeMap::new();
    let mut reader = Reader::new(input, &Rules::WILD, &Options::default());
    while let Some(part) = reader.next_run(&mut ())? {
        for record in part.records() {
            *counts.entry(record.tag().to_owned()).or_default() += 1;
        }
    }
    Ok(counts)
}
