//! Tables of genealogical files as Apache Parquet, for databases that read columns.
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
//! | text | `STRING`, null where it is empty |
//! | identifiers | `LIST` of `STRING`, empty where there are none |
//! | counts and lines | `INT64`, null where there is none |
//! | days | `DATE`, null where there is none, or where it is too far away for 32 bits |
//!
//! Row groups are closed by what they take in memory, so that neither a writer nor a reader needs more for a
//! larger table.

mod columns;
mod encoder;

pub use encoder::{Encoder, ParquetFailure};
