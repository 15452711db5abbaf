//! From rows to the octets of a Parquet file.

use crate::columns::{Columns, schema};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use elf_tables::{Cell, Rows, Table};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::fmt;
use std::sync::Arc;

/// The most rows that wait to be written.
const BATCH: usize = 8192;

/// The most octets of texts that wait to be written, but for those of one row.
const BATCH_OCTETS: usize = 4 << 20;

/// The size of a row group in memory from which on it is closed.
const GROUP_OCTETS: usize = 32 << 20;

/// The longest text that a field can have: offsets of Arrow are of 31 bits, and other texts wait with it.
const LONGEST: usize = 1 << 30;

/// Makes a Parquet file of rows, in memory that does not grow with their number.
pub struct Encoder {
    table: Table,
    schema: SchemaRef,
    writer: ArrowWriter<Vec<u8>>,
    columns: Columns,
}

/// The reason why rows cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParquetFailure {
    /// A field of a row has more than 2^30 octets.
    #[error("a field of more than 1 GiB has no place in Parquet")]
    TooLong,
    /// The columns do not fit together.
    #[error("rows cannot be made columns: {0}")]
    Columns(#[from] ArrowError),
    /// The rows cannot be encoded.
    #[error("rows cannot be written as Parquet: {0}")]
    Encoding(#[from] ParquetError),
}

impl Encoder {
    /// Makes an encoder of rows of that table.
    ///
    /// # Errors
    ///
    /// [`ParquetFailure::Encoding`] if the columns cannot be written, as those of no table do.
    pub fn new(table: Table) -> Result<Encoder, ParquetFailure> {
        let schema = Arc::new(schema(table));
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = ArrowWriter::try_new(Vec::new(), Arc::clone(&schema), Some(properties))?;
        Ok(Encoder { table, schema, writer, columns: Columns::of(table) })
    }

    /// Takes rows.
    ///
    /// # Errors
    ///
    /// [`ParquetFailure`] if they cannot be written.
    pub fn rows(&mut self, rows: &Rows) -> Result<(), ParquetFailure> {
        let mut reader = rows.read();
        while let Some(row) = reader.next_row() {
            if row.iter().map(length).sum::<usize>() > LONGEST {
                return Err(ParquetFailure::TooLong);
            }
            self.columns.push(row);
            if self.columns.rows >= BATCH || self.columns.octets >= BATCH_OCTETS {
                self.write()?;
            }
        }
        Ok(())
    }

    /// The octets that have been made since they were taken last.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(self.writer.inner_mut())
    }

    /// Ends the file, and returns the octets that are left of it.
    ///
    /// # Errors
    ///
    /// [`ParquetFailure`] if the last rows cannot be written.
    pub fn finish(mut self) -> Result<Vec<u8>, ParquetFailure> {
        self.write()?;
        Ok(self.writer.into_inner()?)
    }

    fn write(&mut self) -> Result<(), ParquetFailure> {
        if self.columns.rows > 0 {
            let batch = RecordBatch::try_new(Arc::clone(&self.schema), self.columns.finish())?;
            self.writer.write(&batch)?;
        }
        if self.writer.memory_size() >= GROUP_OCTETS {
            self.writer.flush()?;
        }
        Ok(())
    }
}

/// The number of octets of a field's texts.
fn length(cell: &Cell<'_>) -> usize {
    match cell {
        Cell::Text(text) => text.len(),
        Cell::List(items) => items.iter().map(|item| item.len()).sum(),
        Cell::Empty | Cell::Integer(_) | Cell::Date(_) => 0,
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("table", &self.table).finish_non_exhaustive()
    }
}
