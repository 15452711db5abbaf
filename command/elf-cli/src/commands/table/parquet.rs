//! Parquet output of several files. The rows of each run arrive packed, in the order of the files.

use crate::commands::each::Outlet;
use crate::io::Output;
use elf_tables::parquet::{Encoder, ParquetFailure};
use elf_tables::{Rows, Table};
use std::io::{self, Write};

/// A writer that accepts packed rows and writes Parquet.
pub(super) struct ParquetOutlet<'o> {
    out: &'o mut Output,
    encoder: Encoder,
    width: usize,
    /// Packed rows that have not arrived completely.
    waiting: Vec<u8>,
    is_begun: bool,
}

/// The size in bytes of the length before packed rows.
const LENGTH: usize = size_of::<u64>();

/// Packs rows for [`ParquetOutlet`]: their length in bytes, then the bytes.
pub(super) fn write_packed(rows: &Rows, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&(rows.octets().len() as u64).to_le_bytes())?;
    out.write_all(rows.octets())
}

impl<'o> ParquetOutlet<'o> {
    pub(super) fn new(table: Table, out: &'o mut Output) -> io::Result<ParquetOutlet<'o>> {
        let encoder = Encoder::new(table).map_err(as_io_error)?;
        Ok(ParquetOutlet { out, encoder, width: table.columns().len(), waiting: Vec::new(), is_begun: false })
    }

    /// Returns whether any rows have arrived.
    pub(super) const fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Writes the remaining rows and the index of the file.
    pub(super) fn finish(self) -> io::Result<()> {
        let octets = self.encoder.finish().map_err(as_io_error)?;
        self.out.write_all(&octets)
    }

    /// The length of the waiting rows, if it has arrived.
    fn length(&self) -> Option<usize> {
        let length = self.waiting.first_chunk::<LENGTH>()?;
        usize::try_from(u64::from_le_bytes(*length)).ok()
    }
}

fn as_io_error(failure: ParquetFailure) -> io::Error {
    io::Error::other(failure)
}

impl Write for ParquetOutlet<'_> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let missing = match self.length() {
            Some(length) => LENGTH.saturating_add(length),
            None => LENGTH,
        };
        let missing = missing.saturating_sub(self.waiting.len());
        let (taken, _) = octets.split_at_checked(missing).unwrap_or((octets, &[]));
        self.waiting.extend(taken);
        if self.length().is_some_and(|length| self.waiting.len() - LENGTH == length) {
            let rows = Rows::of_octets(self.width, self.waiting.split_off(LENGTH));
            self.waiting.clear();
            self.is_begun = true;
            self.encoder.rows(&rows).map_err(as_io_error)?;
            self.out.write_all(&self.encoder.take())?;
        }
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Outlet for ParquetOutlet<'_> {
    fn is_terminal(&self) -> bool {
        self.out.is_terminal()
    }
}
