//! Merges two files: equal records become one, all others are kept, and what needs a decision is printed.
//!
//! `cargo run -p elf-model --example merge -- ONE.ged TWO.ged > BOTH.ged`

#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "an example is a program")]

use elf_model::{Diagnostic, Differing, Merged, ReadOptions, Rules, Schema, SchemaForm, WriteOptions};
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
    let read = |octets: &[u8]| elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ());
    let (one, two) = (read(one)?, read(two)?);
    let Merged { dataset, notes, .. } = one.merge(&two, Differing::KeepBoth)?;
    let mut notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    // Types keep their meaning, and tags too where they can: what changes is reported.
    let rules = one.rules_from(&Rules::WILD);
    let schema = one.schema().unwrap_or_else(|| Schema::completed());
    let mut findings: Vec<Diagnostic> = Vec::new();
    let dataset = dataset.tagged_by(schema, &rules, SchemaForm::Reference, &mut findings);
    let mut both = Vec::new();
    elf_model::write(&dataset, &mut both, &rules, &WriteOptions::new(), &mut findings)?;
    notes.extend(findings.iter().map(ToString::to_string));
    Ok((both, notes))
}
