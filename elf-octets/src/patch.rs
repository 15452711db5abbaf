//! Replaces some lines of a file and keeps all other bytes.

use crate::{Irregular, Irregularity, LineBreak, Source, Unencodable};
use std::fmt;
use std::ops::Range;

/// A replacement of some lines of a file by new text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Patch {
    /// The lines to replace, counted as in a [`Place`](elf_base::Place): from 1, including blank lines. If the range is
    /// empty, the new lines are inserted before its line.
    pub lines: Range<u64>,
    /// The new line strings, each ended by LF. The new line strings are written with the line break of the lines around
    /// them, unless `line_break` is set.
    pub with: String,
    /// The line break of the new lines. `None` for the line break of the lines around them.
    pub line_break: Option<LineBreak>,
}

/// The reason why a file cannot be patched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatchError {
    /// A patch starts before the previous one ends.
    Overlapping {
        /// The index of the patch, from 0.
        patch: usize,
    },
    /// A patch extends past the last line, or names line 0.
    OutOfRange {
        /// The index of the patch, from 0.
        patch: usize,
    },
    /// The encoding of the file does not have a character of the new text.
    Unencodable {
        /// The index of the patch, from 0.
        patch: usize,
        /// The character that cannot be encoded, and its offset in the text of the patch.
        error: Unencodable,
    },
}

/// One half of a character that CONC splits. The other half is replaced by a patch.
struct HalfCharacter {
    octets: Range<usize>,
    with: Vec<u8>,
}

/// Bytes that replace some bytes of a file.
struct Replacement {
    /// The range of bytes to replace, counted from 0 at the start of the file. If the range is empty, the new bytes are
    /// inserted.
    octets: Range<u64>,
    /// The new bytes.
    with: Vec<u8>,
}

impl Patch {
    /// Creates a patch that replaces `lines` by `with`.
    pub fn new(lines: Range<u64>, with: impl Into<String>) -> Patch {
        Patch { lines, with: with.into(), line_break: None }
    }
}

impl Source<'_> {
    /// Returns the bytes of the file with some lines replaced. All other bytes stay the same, even bytes that could not
    /// be decoded. There is one exception: if CONC splits a character and a patch replaces one half, the other half is
    /// completed. The patches must be in the order of their lines.
    ///
    /// # Errors
    ///
    /// Returns a [`PatchError`] if patches overlap or reach past the end, or if the encoding does not have one of their
    /// characters.
    ///
    /// ```
    /// use elf_base::Rules;
    /// use elf_octets::{Options, Patch, Source};
    ///
    /// let file = b"0 HEAD\r\n1 CHAR ANSEL\r\n0 NOTE a\xFF\r\n0 TRLR";
    /// let source = Source::read(file, &Rules::WILD, &Options::default(), &mut ())?;
    /// let patched = source.splice(&[Patch::new(4..4, "0 NOTE é\n")])?;
    /// assert_eq!(patched, b"0 HEAD\r\n1 CHAR ANSEL\r\n0 NOTE a\xFF\r\n0 NOTE \xE2e\r\n0 TRLR");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn splice(&self, patches: &[Patch]) -> Result<Vec<u8>, PatchError> {
        let replacements = self.replacements(patches)?;
        let mut octets = Vec::with_capacity(self.octets().len());
        let mut kept = self.first_octet();
        for Replacement { octets: Range { start, end }, with } in replacements {
            octets.extend_from_slice(self.octets_from(kept, start - kept));
            octets.extend_from_slice(&with);
            kept = end;
        }
        octets.extend_from_slice(&self.octets()[self.local_offset(kept)..]);
        Ok(octets)
    }

    /// Returns the byte ranges that the patches change, in the order of the file.
    fn replacements(&self, patches: &[Patch]) -> Result<Vec<Replacement>, PatchError> {
        let first = self.first_line();
        let last = first + self.line_count();
        let mut before = first;
        for (patch, Patch { lines, .. }) in patches.iter().enumerate() {
            if lines.start < first || lines.end > last || lines.end < lines.start {
                return Err(PatchError::OutOfRange { patch });
            }
            if lines.start < before {
                return Err(PatchError::Overlapping { patch });
            }
            before = lines.end;
        }
        let range =
            |lines: &Range<u64>| -> Range<usize> { self.line_start(lines.start)..self.line_start(lines.end) };
        let halves = if self.irregular().iter().any(|one| one.kind == Irregularity::CutHead) {
            self.find_orphaned_halves(&patches.iter().map(|patch| range(&patch.lines)).collect::<Vec<_>>())
        } else {
            Vec::new()
        };
        let mut replacements = Vec::new();
        let mut kept = 0;
        // If the last line has no line break and is removed, the line before it loses its line break.
        let open = last > first && self.line(last - 1).is_some_and(|line| line.ending.is_none());
        let mut meets = open;
        for (index, patch) in patches.iter().enumerate() {
            let range = range(&patch.lines);
            self.complete_halves(kept..range.start, &halves, &mut replacements);
            kept = range.end;
            let at_end = open && patch.lines.end == last;
            let behind = at_end && meets && patch.lines.is_empty();
            let mut with = Vec::new();
            self.write_lines(patch, behind, at_end, &mut with)
                .map_err(|error| PatchError::Unencodable { patch: index, error })?;
            if at_end && (!patch.lines.is_empty() || !patch.with.is_empty()) {
                meets = !patch.with.is_empty();
            }
            replacements.push(self.replace_range(range, with));
        }
        self.complete_halves(kept..self.octets().len(), &halves, &mut replacements);
        Ok(replacements)
    }

    /// Returns the line break of the new lines. This is the line break that the patch sets. If the patch sets none, it
    /// is the line break of the first replaced line, of the line before, of the line after, or the most frequent one of
    /// the file.
    pub fn line_break_of(&self, patch: &Patch) -> LineBreak {
        let ending = |number: u64| LineBreak::ending(self.line_with_break(number)?.of(self.full_text()));
        let Patch { lines, line_break, .. } = patch;
        let before = lines.start.saturating_sub(1);
        let (first, second) = if lines.is_empty() { (before, lines.start) } else { (lines.start, before) };
        let around = || ending(first).or_else(|| ending(second));
        line_break.or_else(around).unwrap_or_else(|| self.line_breaks().commonest())
    }

    /// Finds split characters of which a patch replaces one half. Returns what to write for the other half: the whole
    /// character in place of its first half, and nothing in place of its second half.
    fn find_orphaned_halves(&self, gone: &[Range<usize>]) -> Vec<HalfCharacter> {
        let range =
            |half: &Irregular| self.local_offset(half.octets.start)..self.local_offset(half.octets.end);
        let goes = |at: usize| {
            let index = gone.partition_point(|range| range.end <= at);
            gone.get(index).is_some_and(|range| range.start <= at)
        };
        let mut halves = Vec::new();
        let mut head: Option<&Irregular> = None;
        for half in self.irregular() {
            match half.kind {
                Irregularity::CutHead => head = Some(half),
                Irregularity::CutTail => {
                    let Some(head) = head.take() else { continue };
                    match (goes(range(head).start), goes(range(half).start)) {
                        (true, false) => halves.push(HalfCharacter { octets: range(half), with: Vec::new() }),
                        (false, true) => {
                            let whole = [self.octets_of(head), self.octets_of(half)].concat();
                            halves.push(HalfCharacter { octets: range(head), with: whole });
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        halves
    }

    /// Appends the replacements that complete half characters within `kept`.
    fn complete_halves(
        &self,
        kept: Range<usize>,
        halves: &[HalfCharacter],
        replacements: &mut Vec<Replacement>,
    ) {
        let from = halves.partition_point(|half| half.octets.start < kept.start);
        let within = halves.iter().skip(from).take_while(|half| half.octets.end <= kept.end);
        replacements.extend(within.map(|half| self.replace_range(half.octets.clone(), half.with.clone())));
    }

    fn replace_range(&self, octets: Range<usize>, with: Vec<u8>) -> Replacement {
        let first = self.first_octet();
        Replacement { octets: first + octets.start as u64..first + octets.end as u64, with }
    }

    /// Returns the offset of line `number`, counted from the first available byte. For a line after the last one,
    /// returns the end of the bytes.
    pub(crate) fn line_start(&self, number: u64) -> usize {
        let offset = self.line(number).map(|line| line.octets.start - self.first_octet());
        offset.and_then(|offset| usize::try_from(offset).ok()).unwrap_or(self.octets().len())
    }

    /// Appends the new lines of a patch. `behind` is true if the line before has no line break. If `open` is true, the
    /// last line gets no line break.
    fn write_lines(
        &self,
        patch: &Patch,
        behind: bool,
        open: bool,
        octets: &mut Vec<u8>,
    ) -> Result<(), Unencodable> {
        if patch.with.is_empty() {
            return Ok(());
        }
        let encoding = self.decision().used;
        let line_break = self.line_break_of(patch);
        if let Some(offset) = memchr::memchr(b'\r', patch.with.as_bytes()) {
            // A line break within a line cannot be written.
            return Err(Unencodable { character: '\r', offset, encoding });
        }
        if behind {
            encoding.encode_into(line_break.text(), octets)?;
        }
        let mut offset = 0;
        let mut lines = patch.with.split_terminator('\n').peekable();
        while let Some(line) = lines.next() {
            let shifted = |error: Unencodable| Unencodable { offset: error.offset + offset, ..error };
            encoding.encode_into(line, octets).map_err(shifted)?;
            if !(open && lines.peek().is_none()) {
                encoding.encode_into(line_break.text(), octets)?;
            }
            offset += line.len() + LineBreak::Lf.text().len();
        }
        Ok(())
    }
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatchError::Overlapping { patch } => {
                write!(f, "patch {patch} starts before the one before it ends")
            }
            PatchError::OutOfRange { patch } => write!(f, "patch {patch} reaches past the lines of the file"),
            PatchError::Unencodable { patch, error } => write!(f, "patch {patch} cannot be written: {error}"),
        }
    }
}

impl std::error::Error for PatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PatchError::Unencodable { error, .. } => Some(error),
            _ => None,
        }
    }
}
