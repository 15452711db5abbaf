//! Converts tables of genealogical files to Apache Parquet, for databases that read columns.
//!
//! It is a crate of its own, since what it is made of is large and has a new major every few months. No file
//! is opened here: an [`Encoder`] is given rows and gives octets.
//!
//! ```
//! use elf_tables::parquet::Encoder;
//! use elf_tables::{Rows, Table};
//!
//! let mut rows = Rows::of(Table::Sources.columns().len());
//! rows.text("family.ged").text("S1").text("Letters").empty().empty().empty().integer(2);
//! let mut encoder = Encoder::new(Table::Sources)?;
//! encoder.rows(&rows)?;
//! let mut octets = encoder.take();
//! octets.extend(encoder.finish()?);
//! assert!(octets.starts_with(b"PAR1") && octets.ends_with(b"PAR1"));
//! # Ok::<(), elf_tables::parquet::ParquetFailure>(())
//! ```
//!
//! | column | in Parquet |
//! | --- | --- |
//! | text | `STRING`; null if the text is empty |
//! | identifiers | `LIST` of `STRING`; empty if there are none |
//! | counts and lines | `INT64`; null if there is no number |
//! | days | `DATE`; null if there is no day, or if the day is too far away for 32 bits |
//!
//! A row group ends when its rows take a certain amount of memory. So neither a writer nor a reader
//! needs more memory for a larger table.

mod columns;
mod encoder;

pub use encoder::{Encoder, ParquetFailure};
