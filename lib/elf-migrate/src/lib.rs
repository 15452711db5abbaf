//! GEDCOM 5.5.1 and ELF to GEDCOM 7.0 and back, structure by structure.
//!
//! GEDCOM 7.0 says much of what GEDCOM 5.5.1 says in another way: notes that are shared, files and
//! sources that are records, dates without escapes, enumerations in capitals with a PHRASE for what
//! is none of them. What it has no place for becomes an extension whose IRI, in `HEAD.SCHMA.TAG`, is
//! the one that ELF or GEDCOM 5.5.1 has for it. So it comes back as what it was.
//!
//! | subject | here |
//! | --- | --- |
//! | payloads both ways | `values`, `dates`, `ages`, `enumerations`, `languages`, `files` |
//! | what GEDCOM 5.5.1 can say of a payload | `fitted` |
//! | identifiers | `identifiers` |
//! | names in other scripts | `names` |
//! | extensions | `extensions`, `underscored` |
//! | the header | `header`, `unstated` |
//! | a record to GEDCOM 7.0, and from it | `to_7`, `from_7` |
//!
//! [`migrated`] makes octets of a whole file; [`Study`], [`Migration`] and [`Writer`] do so part by
//! part, in memory that grows with the identifiers of the file, and with the records that stood
//! within others.
//!
//! ```
//! use elf_migrate::{Target, migrated};
//! use elf_schema::{ReadOptions, Reader, Rules};
//!
//! let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE @N1@\n0 @N1@ NOTE born at sea\n0 TRLR\n";
//! let reader = || Reader::new(&file[..], &Rules::WILD, ReadOptions::default());
//! let written = migrated(reader, Target::Gedcom7, &mut ())?;
//! assert_eq!(
//!     String::from_utf8_lossy(&written.octets),
//!     "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 SNOTE @N1@\n0 @N1@ SNOTE born at sea\n0 TRLR\n"
//! );
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Which crate next
//!
//! * [`elf-schema`](https://docs.rs/elf-schema): types of structures, schemas in files, values by type
//! * [`elf-validate`](https://docs.rs/elf-validate): what should stand where, by GEDCOM 5.5, 5.5.1, 7.0
//!   and the ELF data model
//! * [`elf-model`](https://docs.rs/elf-model): a dataset that an application owns: to build, compare,
//!   keep as JSON

mod ages;
mod dates;
mod enumerations;
mod extensions;
mod files;
mod fitted;
mod from_7;
mod grammar;
mod header;
mod identifiers;
mod languages;
mod lines;
mod migration;
mod names;
mod outcome;
mod reader;
mod record;
mod remarks;
mod to_7;
mod underscored;
mod unstated;
mod values;

pub use elf_schema;
pub use migration::{Migration, Study, Target, Writer};
pub use outcome::{Origins, Summary};
pub use reader::MigratedReader;

use elf_base::{Rules, Sink};
use elf_schema::Reader;
use std::io::{self, Read};

/// A file that was migrated whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Migrated {
    /// The octets of the file of the other standard.
    pub octets: Vec<u8>,
    /// The numbers of what was written.
    pub summary: Summary,
    /// False if the rules [ended the reading](elf_schema::Rules::terminates): what was read until then is
    /// migrated, and gets a trailer.
    pub is_complete: bool,
}

/// Migrates a file that can be read twice: `reader` gives a reader of it from its start. What is wrong with
/// it is not said; what could not be carried over goes to `sink`, by the rules of the
/// [target](Target::rules). The rules of the reader are best those that [`reading_rules`] makes of them.
///
/// # Errors
///
/// Those of reading.
pub fn migrated<'e, R: Read>(
    mut reader: impl FnMut() -> Reader<'e, R>,
    target: Target,
    sink: &mut dyn Sink,
) -> io::Result<Migrated> {
    let mut study = Study::new(target);
    let mut first = reader();
    while let Some(part) = first.next_run(&mut ())? {
        study.see(&part);
    }
    let migration = study.finish();
    let mut writer = migration.writer(target.rules());
    let mut octets = Vec::new();
    let mut second = reader();
    while let Some(part) = second.next_run(&mut ())? {
        writer.part(&part, &mut octets, sink);
    }
    let summary = writer.finish(&mut octets);
    Ok(Migrated { octets, summary, is_complete: second.tagged().is_complete() })
}

/// Returns the rules to read a file by that is to be migrated: where a draft has the schema `published`, the
/// schema `completed`. Of what the former has no types for, such as `BURI`, the place in the other standard
/// would not be known.
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

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
