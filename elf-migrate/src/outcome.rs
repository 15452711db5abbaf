//! The outcome of a migration: where what was written stood, and how much it is.

use elf_base::{Diagnostic, Place};

/// The places of records in the file that was read, by the lines where they are written.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// The number of the first line of each record, and its place, in the order of both.
    records: Vec<(u64, Place)>,
}

impl Origins {
    /// Takes note of a record, by the number of the line where it is written.
    pub(crate) fn meet(&mut self, line: u64, place: Place) {
        self.records.push((line, place));
    }

    /// Puts a finding about what was written where the record stood that it is in.
    pub fn put(&self, mut finding: Diagnostic) -> Diagnostic {
        finding.place = finding.place.and_then(|place| self.place(place.line));
        finding.excerpt = None;
        finding.related.clear();
        finding
    }

    /// Returns the place of the record that a line of what was written is in, from 1.
    pub fn place(&self, line: u64) -> Option<Place> {
        let behind = self.records.partition_point(|(first, _)| *first <= line);
        let (_, place) = self.records.get(behind.checked_sub(1)?)?;
        Some(*place)
    }
}

/// The numbers of what was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Lines, header and trailer included.
    pub lines: u64,
    /// Records, without header and trailer.
    pub records: u64,
    /// Losses: structures and payloads that could not be carried over.
    pub losses: u64,
}
