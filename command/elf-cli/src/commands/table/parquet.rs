//! Parquet as an output of several files: their rows come packed, in their order.

use crate::commands::each::Outlet;
use crate::io::Output;
use elf_tables::parquet::{Encoder, ParquetFailure};
use elf_tables::{Rows, Table};
use std::io::{self, Write};

/// An outlet that makes Parquet of packed rows.
pub(super) struct ParquetOutlet<'o> {
    out: &'o mut Output,
    encoder: Encoder,
    width: usize,
    /// The octets of packed rows that are not all there yet.
    waiting: Vec<u8>,
    is_begun: bool,
}

/// The number of octets that tell how long packed rows are.
const LENGTH: usize = size_of::<u64>();

/// Writes rows as [`ParquetOutlet`] takes them: after their length.
pub(super) fn pack(rows: &Rows, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&(rows.octets().len() as u64).to_le_bytes())?;
    out.write_all(rows.octets())
}

impl<'o> ParquetOutlet<'o> {
    pub(super) fn new(table: Table, out: &'o mut Output) -> io::Result<ParquetOutlet<'o>> {
        let encoder = Encoder::new(table).map_err(failure)?;
        Ok(ParquetOutlet { out, encoder, width: table.columns().len(), waiting: Vec::new(), is_begun: false })
    }

    /// Returns whether any rows came.
    pub(super) const fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Writes what is left, and how to find all of it.
    pub(super) fn finish(self) -> io::Result<()> {
        let octets = self.encoder.finish().map_err(failure)?;
        self.out.write_all(&octets)
    }

    /// The length of the rows that wait, once it is known.
    fn length(&self) -> Option<usize> {
        let length = self.waiting.first_chunk::<LENGTH>()?;
        usize::try_from(u64::from_le_bytes(*length)).ok()
    }
}

fn failure(failure: ParquetFailure) -> io::Error {
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
            self.encoder.rows(&rows).map_err(failure)?;
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
