#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! GEDCOM 7.0 expresses much of GEDCOM 5.5.1 differently: shared notes have their own tag, files and sources are
//! records, dates have no escapes, and enumerations are in upper case, with a PHRASE for any other word. Structures
//! that it does not allow become extensions. Their IRI in `HEAD.SCHMA.TAG` is the one that ELF or GEDCOM 5.5.1 has for
//! them, so they can be restored unchanged.
//!
//! `facts/migration.tsv` lists the constructs that differ, with an identifier such as `MG17`, and the functions
//! that convert them. Comments here cite these identifiers.
//!
//! | subject | modules |
//! | --- | --- |
//! | payloads in both directions | `values`, `dates`, `ages`, `enumerations`, `languages`, `files` |
//! | what GEDCOM 5.5.1 can express, and what GEDCOM 7.0 requires | `fitted`, `validity` |
//! | identifiers, and record numbers | `identifiers`, `numbers` |
//! | names in other scripts | `names` |
//! | extensions | `extensions`, `underscored`, `vendor_tags`, `equivalents` |
//! | one record in either direction | `to_7`, `from_7` |
//! | the whole file | `study`, `decisions`, `writer`, `header_losses` |
//!
//! [`migrated`] migrates a whole file in memory, and [`migrate`] a dataset of `elf-model`. [`Study`], [`Migration`] and
//! [`Writer`] do it run by run, in memory that grows with the identifiers of the file, and with the records that were
//! part of others.

#![forbid(unsafe_code)]

mod ages;
mod converted;
mod dataset;
mod dates;
mod decisions;
mod enumerations;
mod equivalents;
mod extensions;
mod files;
mod fitted;
mod from_7;
mod grammar;
mod header_losses;
mod identifiers;
mod languages;
mod lines;
mod lost;
mod media_types;
mod migration;
mod names;
mod numbers;
mod outcome;
mod reader;
mod record;
mod remarks;
mod siblings;
mod study;
mod target;
mod to_7;
mod underscored;
mod unstated;
mod validity;
mod values;
mod vendor_tags;
mod writer;

pub use dataset::{MigrateError, MigratedDataset, migrate};
pub use elf_model;
pub use elf_schema;
pub use migration::Migration;
pub use outcome::{Origins, Summary};
pub use reader::MigratedReader;
pub use study::Study;
pub use target::Target;
pub use writer::Writer;

use elf_base::{Rules, Sink};
use elf_schema::Reader;
use std::io::{self, Read};

/// A migrated file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Migrated {
    /// The bytes of the file.
    pub octets: Vec<u8>,
    /// The counts of lines, records and losses.
    pub summary: Summary,
    /// False if the rules [stopped reading early](elf_schema::Rules::terminates). The part before is migrated, and
    /// gets a trailer.
    pub is_complete: bool,
}

/// Migrates a file that can be read twice. `reader` returns a new reader of the file, with the rules of
/// [`reading_rules`]. Losses are reported to `sink` under the rules of the [target](Target::rules); problems of the
/// file itself are not reported.
///
/// # Errors
///
/// Fails if reading fails.
pub fn migrated<'e, R: Read>(
    mut reader: impl FnMut() -> Reader<'e, R>,
    target: Target,
    sink: &mut dyn Sink,
) -> io::Result<Migrated> {
    let mut study = Study::new(target);
    let mut first = reader();
    while let Some(run) = first.next_run(&mut ())? {
        study.study_run(&run);
    }
    let migration = study.finish();
    let mut writer = migration.writer(target.rules());
    let mut octets = Vec::new();
    let mut second = reader();
    while let Some(run) = second.next_run(&mut ())? {
        writer.write_run(&run, &mut octets, sink);
    }
    let summary = writer.finish(&mut octets);
    Ok(Migrated { octets, summary, is_complete: second.tagged().is_complete() })
}

/// Returns the rules for reading a file that will be migrated: with the schema `completed` instead of `published`,
/// which lacks types such as `BURI`.
///
/// ```
/// use elf_migrate::reading_rules;
/// use elf_schema::Rules;
///
/// let mut completed = Rules::DECEMBER_2019;
/// completed.schema.default = completed.schema.default.completed();
/// assert_eq!(reading_rules(&Rules::DECEMBER_2019), completed);
/// assert_eq!(reading_rules(&Rules::WILD), Rules::WILD);
/// ```
pub const fn reading_rules(rules: &Rules) -> Rules {
    let mut rules = *rules;
    rules.schema.default = rules.schema.default.completed();
    rules
}
