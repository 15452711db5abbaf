//! Reads a file in blocks of whole records, which can be decoded on several threads.

use crate::buffer::Buffer;
use crate::decoded::DecodedText;
use crate::detection::Detection;
use crate::file_counts::FileCounts;
use crate::input_chunk::{CutTail, InputChunk};
use crate::source::Position;
use crate::units::Units;
use crate::{Decision, LineBreaks, Source, TextReader, TooLarge};
use elf_base::{Diagnostic, Rules, Sink};
use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::Arc;

/// Reads a file in blocks of whole records. [`TextReader::by_records`] creates it.
///
/// A [`Block`] contains everything that is needed to decode it: its place, the encoding, and facts about the file
/// before it. So blocks can be decoded in any order and on any thread, with the same result as decoding the whole file.
/// Memory is limited by the longest record, and by the limits of [`TextReader`].
///
/// ```
/// use elf_base::Rules;
/// use elf_octets::{Options, TextReader};
///
/// let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n0 @I2@ INDI\n1 NAME Ada\n0 TRLR\n";
/// let starts = |line: &str, _: &Rules| line.starts_with("0 ");
/// let mut records = TextReader::new(file, &Rules::WILD, &Options::default()).with_block_size(1).by_records(starts);
/// let mut lines = Vec::new();
/// while let Some(block) = records.next_block()? {
///     lines.push(block.source(&mut ())?.line_count());
/// }
/// assert_eq!(lines, [2, 1, 2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Records<R> {
    pub(crate) reader: TextReader<R>,
    pub(crate) starts: fn(&str, &Rules) -> bool,
    /// The findings about the encoding that have not yet been returned with a block.
    pub(crate) findings: Vec<Diagnostic>,
    pub(crate) spare: Vec<Buffer>,
}

/// The undecoded bytes of some whole records.
#[derive(Debug)]
pub struct Block {
    /// The bytes of the block, and some of the bytes that follow it.
    pub(crate) octets: Buffer,
    pub(crate) end: usize,
    pub(crate) detection: Arc<Detection>,
    pub(crate) position: Position,
    /// Facts about the part of the file before this block.
    pub(crate) history: FileCounts,
    pub(crate) breaks: LineBreaks,
    pub(crate) rules: Rules,
    pub(crate) last: bool,
    pub(crate) findings: Vec<Diagnostic>,
}

impl<R: Read> TextReader<R> {
    /// Changes the reader to read blocks of whole records. `starts` returns whether a line starts a record.
    ///
    /// The function `starts` receives a line without its line break. This function must return true only if, under the
    /// given rules, neither the line nor the following lines depend on earlier lines. Lines before the first record are
    /// in the same block as that record.
    #[must_use]
    pub fn by_records(mut self, starts: fn(&str, &Rules) -> bool) -> Records<R> {
        // Do not read ahead, because the additional bytes would have to be moved into the next block.
        self.least = 0;
        Records::new(self, starts)
    }
}

impl<R: Read> Records<R> {
    fn new(reader: TextReader<R>, starts: fn(&str, &Rules) -> bool) -> Records<R> {
        Records { reader, starts, findings: Vec::new(), spare: Vec::new() }
    }

    /// Sets the approximate size of a block in bytes. A longer record makes a longer block.
    #[must_use]
    pub fn with_block_size(self, octets: usize) -> Records<R> {
        let Records { reader, starts, findings, spare } = self;
        Records { findings, spare, ..reader.with_block_size(octets).by_records(starts) }
    }

    /// Returns the encoding and the evidence for it, as [`TextReader::decision`] does.
    pub fn decision(&self) -> Option<&Decision> {
        self.reader.decision()
    }

    /// Returns the rules for the input. The first block may replace the rules of the caller by
    /// [others](Decision::rules).
    pub const fn rules(&self) -> &Rules {
        self.reader.rules()
    }

    /// Returns the number of line breaks of each form in the blocks that have been read.
    pub fn line_breaks(&self) -> LineBreaks {
        self.reader.line_breaks()
    }

    /// Returns the number of bytes in the blocks that have been read.
    pub const fn octets(&self) -> u64 {
        self.reader.octet
    }

    /// Returns the next block. Even an empty input has one block. If the source of a block is not
    /// [complete](Source::is_complete), ignore the blocks that follow it.
    ///
    /// # Errors
    ///
    /// Returns the errors of the input.
    pub fn next_block(&mut self) -> io::Result<Option<Block>> {
        if self.reader.done {
            return Ok(None);
        }
        let (mark, end) = self.reader.cut_block(Some(self.starts), &mut self.findings)?;
        let reader = &mut self.reader;
        let mut ahead = self.spare.pop().unwrap_or_default();
        ahead.clear();
        ahead.extend_from_slice(&reader.buffer[end..]);
        let last = reader.at_end && ahead.is_empty();
        let octets = std::mem::replace(&mut reader.buffer, ahead);
        let Some(detection) = reader.detection.clone() else { return Ok(None) };
        let position = Position { start: mark, octet: reader.octet, line: reader.line };
        let history = reader.history;
        let body = &octets[mark..end];
        let breaks = LineBreaks::of_octets(body, Units::of(Some(detection.decision.used)));
        reader.history.breaks.add(breaks);
        reader.history.non_ascii |= !body.is_ascii();
        let rules = *reader.rules();
        reader.line += breaks.total();
        reader.octet += end as u64;
        reader.done = last;
        let findings = std::mem::take(&mut self.findings);
        Ok(Some(Block { octets, end, detection, position, history, breaks, rules, last, findings }))
    }

    /// Returns an empty block that follows the last one, for text that is added at the end. Returns `None` before the
    /// first block has been read.
    pub fn end(&self) -> Option<Block> {
        let reader = &self.reader;
        Some(Block {
            octets: Buffer::default(),
            end: 0,
            detection: reader.detection.clone()?,
            position: Position { start: 0, octet: reader.octet, line: reader.line },
            history: reader.history,
            breaks: LineBreaks::default(),
            rules: *reader.rules(),
            last: true,
            findings: Vec::new(),
        })
    }

    /// Skips to another block of the same file. `input` must have the bytes of the file from the offset `octet` on,
    /// where the line with the number `line` starts. Call this function after the first block.
    ///
    /// The encoding stays the same. If the encoding still depends on the first non-ASCII bytes, read the block with
    /// these bytes before you skip over it.
    pub fn skip_to(&mut self, input: R, octet: u64, line: u64) {
        self.reader.skip_to(input, octet, line);
    }

    /// Reuses the memory of a block that is no longer needed.
    pub fn recycle(&mut self, block: Block) {
        // One buffer for each thread is enough.
        if self.spare.len() < 8 {
            self.spare.push(block.octets);
        }
    }
}

impl Block {
    /// Returns the rules that apply to the block.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns whether the block is the last of the input.
    pub const fn is_last(&self) -> bool {
        self.last
    }

    /// Returns the bytes of the block, including the byte-order mark.
    pub fn octets(&self) -> &[u8] {
        &self.octets[..self.end]
    }

    /// Returns the number of line breaks of each form in the block.
    pub const fn line_breaks(&self) -> LineBreaks {
        self.breaks
    }

    /// Decodes the block, and reports problems of its bytes.
    ///
    /// # Errors
    ///
    /// Returns [`TooLarge`] if the text would be longer than 4 GiB.
    pub fn source(&self, sink: &mut dyn Sink) -> Result<Source<'_>, TooLarge> {
        let source = self.decode(sink)?;
        source.report(None, &self.rules, sink);
        Ok(source)
    }

    /// Decodes the block without reporting problems of bytes. Call [`report`](Source::report) when you know how far the
    /// block is read.
    ///
    /// # Errors
    ///
    /// Returns [`TooLarge`] if the text would be longer than 4 GiB.
    pub fn decode(&self, sink: &mut dyn Sink) -> Result<Source<'_>, TooLarge> {
        self.findings.iter().for_each(|finding| sink.report(finding.clone()));
        // A block starts with the byte-order mark, if there is one.
        let octets = self.octets();
        let start = self.position.start;
        let chunk = InputChunk {
            octets: &octets[start..],
            ahead: &self.octets[self.end..],
            base: self.position.octet + start as u64,
            // A character is never split at the start of a record, so no bytes are decoded already.
            cut_tail: CutTail::default(),
        };
        let decoded = self.detection.decode(chunk, &self.rules)?;
        let DecodedText { decoded: text, .. } = &decoded;
        let complete = text.complete;
        let decision = Cow::Borrowed(&self.detection.decision);
        let mut source = Source::assemble(octets, decoded, decision, self.position, &self.rules);
        if complete {
            source = source.with_breaks(self.breaks);
        }
        Ok(source.with_last(self.last || !complete).with_history(self.history))
    }
}
