//! The results of a migration: the origins of the written lines, and counts.

use elf_base::{Diagnostic, Excerpt, Place};

/// The maximum number of texts whose places are kept. Nobody looks at more findings one by one.
const MOST_TEXTS: usize = 1 << 14;

/// Maps lines of the migrated file to records of the original file.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    records: Vec<RecordOrigin>,
    /// The origins of non-ASCII texts, if they are wanted.
    texts: Vec<TextOrigin>,
}

#[derive(Clone, Copy, Debug)]
struct RecordOrigin {
    /// The number of its first line in the migrated file.
    line: u64,
    place: Place,
}

#[derive(Clone, Debug)]
struct TextOrigin {
    /// The number of its line in the migrated file.
    line: u64,
    place: Place,
    excerpt: Option<Excerpt>,
}

impl Origins {
    /// Adds a record. Records come in the order of their lines.
    pub(crate) fn add_record(&mut self, line: u64, place: Place) {
        self.records.push(RecordOrigin { line, place });
    }

    /// Returns whether places of more texts can be kept.
    pub(crate) const fn has_room_for_texts(&self) -> bool {
        self.texts.len() < MOST_TEXTS
    }

    /// Adds a text. Texts come in the order of their lines.
    pub(crate) fn add_text(&mut self, line: u64, place: Place, excerpt: Option<Excerpt>) {
        self.texts.push(TextOrigin { line, place, excerpt });
    }

    /// Moves a finding about the migrated file to the place of the text, or of the record, in the original file.
    pub fn move_to_origin(&self, mut finding: Diagnostic) -> Diagnostic {
        let line = finding.place.map(|place| place.line);
        let text = line.and_then(|line| self.texts.binary_search_by_key(&line, |text| text.line).ok());
        let text = text.and_then(|at| self.texts.get(at));
        finding.place = text.map(|text| text.place).or_else(|| self.place(line?));
        finding.excerpt = text.and_then(|text| text.excerpt.clone());
        finding.related.clear();
        finding
    }

    /// Returns the original place of the record that contains a line of the migrated file, counted from 1.
    pub fn place(&self, line: u64) -> Option<Place> {
        let after = self.records.partition_point(|record| record.line <= line);
        Some(self.records[after.checked_sub(1)?].place)
    }
}

/// Counts of the migrated file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Lines, including header and trailer.
    pub lines: u64,
    /// Records, without header and trailer.
    pub records: u64,
    /// Losses: structures and payloads that could not be converted.
    pub losses: u64,
}
