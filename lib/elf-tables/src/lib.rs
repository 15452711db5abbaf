#![doc = include_str!("../README.md")]
//!
//! # Overview
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
//! run by run, on any thread. A small document is read once and looked at twice, as above.
//!
//! Of several births, deaths, marriages or divorces, the first counts that has a date, a place or a `Y`, or
//! else the first. Nothing here recurses, and no list of relatives grows with the square of what a file says.

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
