#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! Columns are data ([`Table::columns`]). A row is made from typed structures, and the type of a structure
//! decides its role. So a birth is recognised in GEDCOM 5.5.1, GEDCOM 7 and ELF, and a subtype of birth that a
//! file defines is recognised too.
//!
//! ```text
//! runs ─── TableReader::survey ─► RunSurvey ─ Survey ─► Surveyed ─┐
//! runs, again ───────────────────────────────── TableReader::rows ◄┘ ─► Rows ─► TableWriter ─► text
//! ```
//!
//! A document is read twice, because the row of a person names relatives whose records can be anywhere in the
//! file. The first pass stores only the links between records, as numbers, so a file can be larger than memory.
//! The second pass makes the rows. It handles one run of records at a time, and runs can be handled on any
//! thread. A document that is already in memory is not parsed again: both passes use it, as the example above
//! shows.
//!
//! If a person has several births or deaths, or a family several marriages or divorces, the row shows the first
//! one that has a date, a place or a `Y`. If there is no such event, it shows the first one. Nothing here
//! recurses, and the lists of relatives never grow with the square of the size of the file.

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
