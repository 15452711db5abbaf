//! From rows to the octets of a Parquet file.

use crate::parquet::columns::{Columns, schema};
use crate::{Cell, Rows, Table};
use parquet::basic::Compression;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use std::fmt;
use std::sync::Arc;

/// The number of octets that the rows of a row group take before they are encoded.
const GROUP_OCTETS: usize = 32 << 20;

/// The most octets that a row takes, with a pointer to each identifier, while it is written: well below the
/// 31 bits of Parquet, and other rows wait with it.
const LONGEST: usize = 1 << 30;

/// Encodes rows as a Parquet file, in constant memory.
pub struct Encoder {
    table: Table,
    writer: SerializedFileWriter<Vec<u8>>,
    columns: Columns,
}

/// The reason why rows cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParquetFailure {
    /// A row is longer than 2^30 bytes.
    #[error("a row is longer than 1 GiB, the limit of Parquet")]
    TooLong,
    /// The rows cannot be encoded.
    #[error("rows cannot be written as Parquet: {0}")]
    Encoding(#[from] ParquetError),
}

impl Encoder {
    /// Creates an encoder for the rows of a table.
    ///
    /// # Errors
    ///
    /// [`ParquetFailure::Encoding`] if the columns cannot be written, as those of no table do.
    pub fn new(table: Table) -> Result<Encoder, ParquetFailure> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = SerializedFileWriter::new(Vec::new(), schema(table)?, Arc::new(properties))?;
        Ok(Encoder { table, writer, columns: Columns::of(table) })
    }

    /// Adds rows.
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
            if self.columns.octets >= GROUP_OCTETS {
                self.write()?;
            }
        }
        Ok(())
    }

    /// Returns the bytes that were produced since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(self.writer.inner_mut())
    }

    /// Ends the file and returns the remaining bytes.
    ///
    /// # Errors
    ///
    /// [`ParquetFailure`] if the last rows cannot be written.
    pub fn finish(mut self) -> Result<Vec<u8>, ParquetFailure> {
        self.write()?;
        Ok(self.writer.into_inner()?)
    }

    /// Writes a row group of the rows that wait, if there are any.
    fn write(&mut self) -> Result<(), ParquetFailure> {
        if self.columns.octets > 0 {
            let mut group = self.writer.next_row_group()?;
            self.columns.write(&mut group)?;
            group.close()?;
        }
        Ok(())
    }
}

/// The number of octets that a field's texts take while they are written.
fn length(cell: &Cell<'_>) -> usize {
    match cell {
        Cell::Text(text) => text.len(),
        Cell::List(items) => items.iter().map(|item| item.len() + size_of::<ByteArray>()).sum(),
        Cell::Empty | Cell::Integer(_) | Cell::Date(_) | Cell::Boolean(_) => 0,
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("table", &self.table).finish_non_exhaustive()
    }
}
