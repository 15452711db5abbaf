//! Encodes rows as a Parquet file.

use crate::columnar::{ColumnBuffers, RowTooLong};
use crate::parquet::columns::{self, schema};
use crate::{Rows, Table};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use std::fmt;
use std::sync::Arc;

/// Encodes rows as a Parquet file, in constant memory.
pub struct Encoder {
    table: Table,
    writer: SerializedFileWriter<Vec<u8>>,
    buffers: ColumnBuffers,
}

/// The reason why rows cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParquetFailure {
    /// A row takes more than 1 GiB.
    #[error(transparent)]
    TooLong(#[from] RowTooLong),
    /// The rows cannot be encoded.
    #[error("rows cannot be written as Parquet: {0}")]
    Encoding(#[from] ParquetError),
}

impl Encoder {
    /// Creates an encoder for the rows of a table.
    ///
    /// # Errors
    ///
    /// Returns [`ParquetFailure::Encoding`] if the columns cannot be written. This happens for none
    /// of the tables.
    pub fn new(table: Table) -> Result<Encoder, ParquetFailure> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = SerializedFileWriter::new(Vec::new(), schema(table)?, Arc::new(properties))?;
        let columns = table.columns().iter().copied().enumerate();
        Ok(Encoder { table, writer, buffers: ColumnBuffers::of(columns) })
    }

    /// Adds rows.
    ///
    /// # Errors
    ///
    /// Returns a [`ParquetFailure`] if the rows cannot be written.
    pub fn rows(&mut self, rows: &Rows) -> Result<(), ParquetFailure> {
        let mut reader = rows.read();
        while let Some(row) = reader.next_row() {
            self.buffers.push(row)?;
            if self.buffers.is_full() {
                self.write_row_group()?;
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
    /// Returns a [`ParquetFailure`] if the last rows cannot be written.
    pub fn finish(mut self) -> Result<Vec<u8>, ParquetFailure> {
        self.write_row_group()?;
        Ok(self.writer.into_inner()?)
    }

    /// Writes the waiting rows as a row group, if there are any.
    fn write_row_group(&mut self) -> Result<(), ParquetFailure> {
        if self.buffers.rows() == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for values in self.buffers.take_columns() {
            if let Some(mut writer) = group.next_column()? {
                columns::write_column(values, &mut writer)?;
                writer.close()?;
            }
        }
        group.close()?;
        Ok(())
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("table", &self.table).finish_non_exhaustive()
    }
}
