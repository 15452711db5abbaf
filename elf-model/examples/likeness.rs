//! Merges two files of one family: people are the same if they have the same name and year of birth, whatever their
//! identifiers. `cargo run -p elf-model --example likeness -- ONE.ged TWO.ged > BOTH.ged`

#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "an example is a program")]

use elf_model::{Differing, Merged, ReadOptions, Rules, Structure, WriteOptions};
use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = std::env::args_os().skip(1).map(std::fs::read);
    let (Some(one), Some(two)) = (files.next(), files.next()) else { return Err("give two files".into()) };
    let (both, joined) = merge(&one?, &two?)?;
    eprintln!("{joined} records are in both files");
    Ok(std::io::stdout().write_all(&both)?)
}

/// Merges two files. Returns the file and the number of records that are in both.
pub(crate) fn merge(one: &[u8], two: &[u8]) -> Result<(Vec<u8>, usize), Box<dyn Error>> {
    let read = |octets: &[u8]| elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ());
    let (one, two) = (read(one)?, read(two)?);
    let Merged { dataset, joined, .. } = one.merge_by(&two, Differing::Combine, likeness)?;
    let mut both = Vec::new();
    elf_model::write(&dataset, &mut both, &one.rules_from(&Rules::WILD), &WriteOptions::new(), &mut ())?;
    Ok((both, joined))
}

/// A name without case and spaces, and the year of birth. Other records are compared by their content.
fn likeness(record: Structure<'_>) -> Option<(String, String)> {
    let name = record.substructure("NAME")?.text().to_lowercase();
    let birth = record.substructure("BIRT")?.substructure("DATE")?.text();
    let year = birth.split(' ').next_back()?;
    Some((name.split_whitespace().collect(), year.to_owned()))
}
