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
//! | extensions | `extensions` |
//! | the header | `header`, `unstated` |
//! | a record to GEDCOM 7.0, and from it | `to_7`, `from_7` |
//!
//! [`migrated`] makes octets of a whole file; [`Study`], [`Migration`] and [`Writer`] do so part by
//! part, in memory that grows with the identifiers of the file, and with the records that stood
//! within others.
//!
//! ```
//! use elf_migrate::{Target, migrated};
//! use elf_schema::{ReadOptions, Rules};
//!
//! let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE @N1@\n0 @N1@ NOTE born at sea\n0 TRLR\n";
//! let (options, to) = (ReadOptions::default(), Target::Gedcom7);
//! let written = migrated(file, &Rules::WILD, &options, to, &mut ())?;
//! assert_eq!(
//!     String::from_utf8_lossy(&written),
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
mod unstated;
mod values;

pub use elf_schema;
pub use migration::{Migration, Study, Target, Writer};
pub use outcome::{Origins, Summary};
pub use reader::MigratedReader;

use elf_base::{Rules, Sink};
use elf_schema::{ReadOptions, Reader};
use std::io;

/// Migrates a file that is held whole. What is wrong with it is not said; what could not be carried
/// over goes to `sink`.
///
/// Where `rules` [end the reading](Rules::terminates), what was read until then is migrated and gets a
/// trailer, and nothing here tells. Callers with such rules read with a [`Study`] and a [`Writer`], and ask
/// the document of each part [whether it is complete](elf_schema::elf_tagged::Document::is_complete).
///
/// # Errors
///
/// Those of reading, where the file is over 4 GiB.
pub fn migrated(
    octets: &[u8],
    rules: &Rules,
    options: &ReadOptions<'_>,
    target: Target,
    sink: &mut dyn Sink,
) -> io::Result<Vec<u8>> {
    let mut study = Study::new(target);
    let mut reader = Reader::new(octets, rules, options.clone());
    while let Some(part) = reader.next_part(&mut ())? {
        study.see(&part);
    }
    let migration = study.finish();
    let mut writer = migration.writer(rules);
    let mut written = Vec::new();
    let mut reader = Reader::new(octets, rules, options.clone());
    while let Some(part) = reader.next_part(&mut ())? {
        writer.part(&part, &mut written, sink);
    }
    writer.finish(&mut written);
    Ok(written)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
