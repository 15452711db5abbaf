//! The outcome of a migration: where what was written stood, and how much it is.

use elf_base::{Diagnostic, Excerpt, Place};

/// The most texts whose places are kept: more findings than that are not looked at one by one.
const MOST_TEXTS: usize = 1 << 14;

/// The places of records in the file that was read, by the lines where they are written.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// The number of the first line of each record, and its place, in the order of both.
    records: Vec<(u64, Place)>,
    /// The first lines of texts beyond ASCII, where those are wanted, in the order of the lines.
    texts: Vec<TextOrigin>,
}

/// The origin of a text.
#[derive(Clone, Debug)]
struct TextOrigin {
    /// The number of the line where it is written.
    line: u64,
    place: Place,
    excerpt: Option<Excerpt>,
}

impl Origins {
    /// Takes note of a record, by the number of the line where it is written.
    pub(crate) fn meet(&mut self, line: u64, place: Place) {
        self.records.push((line, place));
    }

    /// Tells whether places of more texts are kept.
    pub(crate) const fn has_room(&self) -> bool {
        self.texts.len() < MOST_TEXTS
    }

    /// Takes note of a text, by the number of the line where it is written.
    pub(crate) fn meet_text(&mut self, line: u64, place: Place, excerpt: Option<Excerpt>) {
        self.texts.push(TextOrigin { line, place, excerpt });
    }

    /// Puts a finding about what was written where the text stood that it is about, if that is known, or else
    /// the record that it is in.
    pub fn put(&self, mut finding: Diagnostic) -> Diagnostic {
        let line = finding.place.map(|place| place.line);
        let text = line.and_then(|line| self.texts.binary_search_by_key(&line, |text| text.line).ok());
        let text = text.and_then(|at| self.texts.get(at));
        finding.place = text.map(|text| text.place).or_else(|| self.place(line?));
        finding.excerpt = text.and_then(|text| text.excerpt.clone());
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
