//! Merges two files: equal records become one, all others are kept, and what needs a decision is printed.
//!
//! `cargo run -p elf-model --example merge -- ONE.ged TWO.ged > BOTH.ged`

#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "an example is a program")]

use elf_model::{Differing, ReadOptions, Rules, Schema, SchemaForm, WriteOptions};
use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = std::env::args_os().skip(1).map(std::fs::read);
    let (Some(one), Some(two)) = (files.next(), files.next()) else { return Err("give two files".into()) };
    let (both, notes) = merge(&one?, &two?)?;
    for note in notes {
        eprintln!("{note}");
    }
    Ok(std::io::stdout().write_all(&both)?)
}

/// Merges two files and reports what changed on the way.
pub(crate) fn merge(one: &[u8], two: &[u8]) -> Result<(Vec<u8>, Vec<String>), Box<dyn Error>> {
    let rules = &Rules::WILD;
    let one = elf_model::read(one, rules, &ReadOptions::default(), &mut ())?;
    let two = elf_model::read(two, rules, &ReadOptions::default(), &mut ())?;
    let merged = one.merge(&two, Differing::KeepBoth)?;
    // Types keep their meaning: the writer chooses tags and adds a schema if one is needed.
    let dataset = merged.dataset.tagged_by(Schema::completed(), rules, SchemaForm::Reference, &mut ());
    let mut both = Vec::new();
    elf_model::write(&dataset, &mut both, rules, &WriteOptions::new(), &mut ())?;
    Ok((both, merged.notes.iter().map(ToString::to_string).collect()))
}
