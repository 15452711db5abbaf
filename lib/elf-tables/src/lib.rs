//! Tables of genealogical files, for a spreadsheet or a database: people, families, events, sources,
//! structures.
//!
//! Columns are data ([`Table::columns`]); rows are made of typed structures by the roles that their types
//! play, so that a birth is one in GEDCOM 5.5.1, GEDCOM 7 and ELF, and a file's own subtype of a birth is one
//! too.
//!
//! ```text
//! runs ─── TableReader::survey ─► RunSurvey ─ Survey ─► Surveyed ─┐
//! runs, again ───────────────────────────────── TableReader::rows ◄┘ ─► Rows ─► TableWriter ─► text
//! ```
//!
//! A document is read twice, since the row of a person names relatives that stand anywhere in it. What is
//! kept of the first reading is a graph of numbers, so that the file may be larger than memory; rows are made
//! run by run, on any thread. A small document is read once and looked at twice:
//!
//! ```
//! use elf_schema::{ReadOptions, Rules};
//! use elf_tables::{Rows, Survey, Table, TableReader, TableWriter, TextFormat};
//!
//! let file = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada /King/\n1 BIRT\n2 DATE 10 DEC 1815\n1 FAMC @F1@\n\
//!     0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n0 @I2@ INDI\n1 NAME George /Byron/\n0 TRLR\n";
//! let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
//! let reader = TableReader::new(Table::People, typed.schema());
//! let mut survey = Survey::of(Table::People);
//! survey.take(reader.survey(&typed));
//! let surveyed = survey.finish();
//! let mut rows = Rows::of(Table::People.columns().len());
//! reader.rows(&typed, &surveyed, "byron.ged", &mut rows);
//! let mut out = Vec::new();
//! TableWriter::new(Table::People, TextFormat::Csv).rows(&rows, &mut out)?;
//! let expected = "byron.ged,I1,Ada King,Ada,King,,10 DEC 1815,1815-12-10,1815-12-10,,,,,,I2,,,,,,,,,,\
//!     George Byron,,,Ada,\r\nbyron.ged,I2,George Byron,George,Byron,,,,,,,,,,,,,I1,,,,,,,,,,George,\r\n";
//! assert_eq!(String::from_utf8(out)?, expected);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Of several births, deaths, marriages or divorces, the first counts that has a date, a place or a `Y`, or
//! else the first. Nothing here recurses, and no list of relatives grows with the square of what a file says.
//!
//! # Which crate next
//!
//! * [`elf-lineage`](https://docs.rs/elf-lineage): persons, families, events and days as a graph

#![forbid(unsafe_code)]

#[cfg(feature = "arrow")]
pub mod arrow;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod columnar;
mod couples;
mod dates;
mod events;
mod families;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(feature = "parts")]
pub mod parts;
mod people;
mod places;
mod read_table;
mod reader;
mod record_numbers;
mod rows;
mod sources;
mod structures;
mod survey;
mod table;
mod write;

#[cfg(any(feature = "arrow", feature = "parquet"))]
pub use columnar::RowTooLong;
pub use elf_lineage;
pub use elf_schema;
pub use reader::TableReader;
pub use rows::{Cell, RowReader, Rows};
pub use survey::{RunSurvey, Survey, Surveyed};
pub use table::{Column, ColumnKind, Table};
pub use write::{TableWriter, TextFormat};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
