//! Seven common tasks, written with ELF for Rust and with ged_io: `cargo run` says how many lines each takes,
//! and what comes of it for the files in `examples`.
//!
//! gedcom-core takes part in nothing but reading: its records show no field of theirs, and the text of a
//! payload can be had by serde alone. gedcomkit has a program of its own, since nothing else may link it:
//! `tools/bench/gedcomkit`.

use std::error::Error;
use std::fs;
use std::path::Path;

mod with_elf;
mod with_ged_io;

type Failure = Box<dyn Error>;

/// Each task, and the functions that its solutions consist of.
const TASKS: [(&str, &[&str]); 7] = [
    ("faults", &["faults"]),
    ("name", &["name"]),
    ("husband", &["husband"]),
    ("birth_changed", &["birth_changed"]),
    ("events", &["events"]),
    ("kinship", &["kinship", "ancestors"]),
    ("merged", &["merged", "combine", "likeness"]),
];

fn main() -> Result<(), Failure> {
    let sources = [include_str!("with_elf.rs"), include_str!("with_ged_io.rs")];
    println!("{:<14}{:>5}{:>8}", "lines", "ELF", "ged_io");
    for (task, functions) in TASKS {
        let count = |source| functions.iter().map(|function| lines_of(source, function)).sum();
        let [elf, ged_io]: [usize; 2] = sources.map(count);
        println!("{task:<14}{elf:>5}{ged_io:>8}");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    for (file, person, family) in
        [("haugen.ged", "I1", "F1"), ("bell-ringers.ged", "I1", "F1"), ("damaged.ged", "I1", "F1")]
    {
        let octets = fs::read(folder.join(file))?;
        println!("\n{file}");
        let lines = octets.split(|octet| *octet == b'\n').count();
        row(
            "faults found",
            with_elf::faults(&octets).map(|all| all.len()),
            with_ged_io::faults(&octets).map(|all| all.len()),
        );
        row("name", with_elf::name(&octets, person), with_ged_io::name(&octets, person));
        row("husband", with_elf::husband(&octets, family), with_ged_io::husband(&octets, family));
        let other = |changed: Vec<u8>| {
            let mut before: Vec<&[u8]> = octets.split(|octet| *octet == b'\n').collect();
            before.sort_unstable();
            let kept =
                changed.split(|octet| *octet == b'\n').filter(|line| before.binary_search(line).is_ok());
            format!("{} of {lines} lines", kept.count())
        };
        row(
            "kept",
            with_elf::birth_changed(&octets, person, "1900").map(other),
            with_ged_io::birth_changed(&octets, person, "1900").map(other),
        );
        row(
            "dated events",
            with_elf::events(&octets).map(|all| all.len()),
            with_ged_io::events(&octets).map(|all| all.len()),
        );
    }
    let haugen = fs::read(folder.join("haugen.ged"))?;
    let cousin = fs::read(folder.join("cousin.ged"))?;
    println!("\nhaugen.ged: common ancestors of I13 and I9; merged with cousin.ged");
    row("ancestors", with_elf::kinship(&haugen, "I13", "I9"), with_ged_io::kinship(&haugen, "I13", "I9"));
    let people = |octets: Vec<u8>| String::from_utf8_lossy(&octets).matches(" INDI").count();
    row(
        "people",
        with_elf::merged(&haugen, &cousin).map(people),
        with_ged_io::merged(&haugen, &cousin).map(people),
    );
    Ok(())
}

fn row<T: std::fmt::Debug>(what: &str, elf: Result<T, Failure>, ged_io: Result<T, Failure>) {
    let show = |result: Result<T, Failure>| match result {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("failed: {error}"),
    };
    println!("  {what:<14}{:<40}{}", show(elf), show(ged_io));
}

/// Counts the lines between the braces of a function. A function that a source does not have counts 0.
fn lines_of(source: &str, function: &str) -> usize {
    let head = format!("fn {function}(");
    let starts = |line: &str| line.strip_prefix("pub ").unwrap_or(line).starts_with(&head);
    let body = source.lines().skip_while(|line| !starts(line)).skip(1);
    body.take_while(|line| *line != "}").count()
}
