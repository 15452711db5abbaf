//! Reads a file block by block, in bounded memory.

use crate::buffer::Buffer;
use crate::decide::{BREAKS_LIMIT, EVIDENCE_LIMIT};
use crate::decode;
use crate::decoded::DecodedText;
use crate::detection::Detection;
use crate::file_counts::FileCounts;
use crate::file_kind::FileKind;
use crate::findings::{PendingFinding, Region};
use crate::input_chunk::{CONC_REACH, CutTail, InputChunk};
use crate::prescan::HEADER_LIMIT;
use crate::record_start;
use crate::report;
use crate::source::Position;
use crate::units::{LineInOctets, Units};
use crate::{Decision, LineBreaks, Options, Source};
use elf_base::{Rules, Sink};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

/// Reads a file in blocks of whole lines. Each block is a [`Source`]. Text, places and findings are the same as if
/// [`Source::read`] had read the whole file.
///
/// Memory is limited by the longest line and by the header, which is searched for CHAR before decoding (at most 16
/// MiB). If the bytes decide the encoding, it is also limited by [`EVIDENCE_LIMIT`]. Spans refer to one block. Places
/// refer to the file and have 64 bits.
///
/// For blocks of whole records, which can be decoded on several threads, see [`Records`](crate::Records).
///
/// Diagnostics are reported in the order of the blocks. Diagnostics about the encoding are reported when it is decided.
/// If the bytes decide, that is before the first block with non-ASCII bytes. This order is the only difference from
/// reading the whole file.
///
/// ```
/// use elf_base::Rules;
/// use elf_octets::{Options, TextReader};
///
/// let file: &[u8] = b"0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME Jo\xE4ao\n0 TRLR\n";
/// let mut reader = TextReader::new(file, &Rules::WILD, &Options::default()).with_block_size(16);
/// let mut lines = Vec::new();
/// while let Some(block) = reader.next_block(&mut ())? {
///     lines.extend(block.line_strings().map(|span| span.of(block.text()).to_owned()));
/// }
/// assert_eq!(lines[3], "1 NAME Joa\u{303}o");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TextReader<R> {
    input: R,
    rules: Rules,
    options: Options,
    pub(crate) block: usize,
    /// The smallest number of bytes to read at once. Reading more than one block needs saves calls.
    pub(crate) least: usize,
    /// The bytes of the last block that was returned, and bytes that were read after it.
    pub(crate) buffer: Buffer,
    handed_out: usize,
    /// Whether the end of the input has been reached.
    pub(crate) at_end: bool,
    pub(crate) detection: Option<Arc<Detection>>,
    /// The offset in the file of the first byte that has not been returned.
    pub(crate) octet: u64,
    pub(crate) line: u64,
    /// The bytes after the last block that belong to a character split at the end of that block.
    cut_tail: CutTail,
    pub(crate) history: FileCounts,
    /// Whether there is no further block.
    pub(crate) done: bool,
}

impl<R: Read> TextReader<R> {
    /// The default size of a block in bytes.
    pub const BLOCK_SIZE: usize = 1 << 20;

    /// Creates a reader of `input` under `rules`.
    pub fn new(input: R, rules: &Rules, options: &Options) -> TextReader<R> {
        TextReader {
            input,
            rules: *rules,
            options: *options,
            block: TextReader::<R>::BLOCK_SIZE,
            least: TextReader::<R>::BLOCK_SIZE,
            buffer: Buffer::default(),
            handed_out: 0,
            at_end: false,
            detection: None,
            octet: 0,
            line: 1,
            cut_tail: CutTail::default(),
            history: FileCounts::default(),
            done: false,
        }
    }

    /// Sets the approximate size of a block in bytes. A longer line makes a longer block.
    #[must_use]
    pub fn with_block_size(mut self, octets: usize) -> TextReader<R> {
        self.block = octets.max(1);
        self.least = self.block.min(TextReader::<R>::BLOCK_SIZE);
        self
    }

    /// Returns the encoding and the evidence for it. Returns `None` before the first block. If the encoding is detected
    /// from the content ([`EncodingReason::Content`](crate::EncodingReason)), later blocks may change the decision.
    pub fn decision(&self) -> Option<&Decision> {
        self.detection.as_ref().map(|detection| &detection.decision)
    }

    /// Returns the rules for the input. Scanning the header may replace the rules of the caller.
    pub(crate) const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the number of line breaks of each form in the blocks that have been read.
    pub fn line_breaks(&self) -> LineBreaks {
        self.history.breaks
    }

    /// Returns the next block. Even an empty input has one block.
    ///
    /// # Errors
    ///
    /// Returns the errors of the input, and [`TooLarge`](crate::TooLarge) wrapped in an I/O error if the text of a
    /// block would be longer than 4 GiB.
    pub fn next_block(&mut self, sink: &mut dyn Sink) -> io::Result<Option<Source<'_>>> {
        if self.done {
            return Ok(None);
        }
        self.buffer.drop_front(std::mem::take(&mut self.handed_out));
        let (mark, end) = self.cut_block(None, sink)?;
        // The call of `cut` has read at least to `end`, which is after the byte-order mark.
        let have = &*self.buffer;
        let octets = &have[..end];
        let ahead = &have[end..];
        let position = Position { start: mark, octet: self.octet, line: self.line };
        let chunk = InputChunk {
            octets: &octets[mark..],
            ahead: ahead.get(..CONC_REACH).unwrap_or(ahead),
            base: self.octet + mark as u64,
            cut_tail: self.cut_tail,
        };
        let last = self.at_end && ahead.is_empty();
        let Some(detection) = &self.detection else { return Ok(None) };
        let decoded = detection.decode(chunk, &self.rules).map_err(io::Error::other)?;
        self.cut_tail = decode::find_cut_tail(&decoded.decoded, chunk, detection.decision.used);
        let DecodedText { survey, .. } = decoded;
        let source =
            Source::assemble(octets, decoded, Cow::Borrowed(&detection.decision), position, &self.rules);
        report::report(&source, self.history, None, &self.rules, sink);
        self.history.non_ascii |= survey.non_ascii;
        self.history.breaks.add(source.line_breaks());
        self.line += source.line_breaks().total();
        self.octet += end as u64;
        self.handed_out = end;
        self.done = last || !source.is_complete();
        if self.done {
            report::report_breaks(self.history.breaks, &self.rules, sink);
        }
        Ok(Some(source.with_last(self.done)))
    }

    /// Continues with `input`, which must have the bytes of the file from the offset `octet` on.
    pub(crate) fn skip_to(&mut self, input: R, octet: u64, line: u64) {
        self.input = input;
        self.buffer.clear();
        self.at_end = false;
        self.octet = octet;
        self.line = line;
    }

    /// Reads a block, and decides the encoding when that is possible. Returns the start and the end of the text of the
    /// block, and whether the block ends before a record.
    pub(crate) fn cut_block(
        &mut self,
        starts: Option<fn(&str, &Rules) -> bool>,
        sink: &mut dyn Sink,
    ) -> io::Result<(usize, usize)> {
        let detection = match &self.detection {
            Some(detection) => Arc::clone(detection),
            None => {
                let detection = Arc::new(self.decide_start(sink)?);
                self.detection.insert(Arc::clone(&detection)).clone()
            }
        };
        let mark = if self.octet == 0 { detection.mark } else { 0 };
        let end = if detection.ended {
            self.unreturned_bytes().len()
        } else {
            mark + self.block_end(mark, &detection, starts)?
        };
        drop(detection);
        self.fill(end + CONC_REACH)?;
        if let Some(detection) = self.detection.clone().filter(|detection| detection.open.is_some()) {
            self.complete_decision(&detection, mark, end, sink)?;
        }
        Ok((mark, end))
    }

    /// Reads the header, and decides the encoding as far as the header allows.
    fn decide_start(&mut self, sink: &mut dyn Sink) -> io::Result<Detection> {
        let length = self.read_header()?;
        self.fill(FileKind::WINDOW.max(BREAKS_LIMIT))?;
        let header = &self.unreturned_bytes()[..length];
        let mut detection =
            Detection::from_start(header, self.unreturned_bytes(), &self.rules, &self.options);
        detection.count_breaks(self.unreturned_bytes());
        let must_wait = detection.must_wait(Region::start_of_file(header, detection.mark));
        self.rules = detection.decision.rules;
        let mut answered = Vec::new();
        if must_wait {
            answered = self.decide_open_case(&mut detection, length)?;
        }
        let mark = detection.mark;
        let header = Region::start_of_file(&self.unreturned_bytes()[..length], mark);
        let mut said = std::mem::take(&mut detection.waiting);
        said.append(&mut answered);
        header.report(said, detection.decision.used, &self.rules.octets, sink);
        Ok(detection)
    }

    /// Reads until the header is complete. Returns the number of bytes that were read.
    fn read_header(&mut self) -> io::Result<usize> {
        // Leave room for one or two byte-order marks, which have at most six bytes.
        let most = HEADER_LIMIT + 6;
        let mut want = self.block.clamp(64, most);
        loop {
            self.fill(want)?;
            let have = self.unreturned_bytes();
            if self.at_end || have.len() >= most {
                return Ok(have.len());
            }
            // An incomplete line at the end could be misread, so leave it out.
            let units = Detection::provisional_units(have, &self.rules, &self.options);
            let lines = units.last_break(have, have.len()).unwrap_or(0);
            let header = &have[..lines];
            if lines > 0 && !Detection::needs_more(header, &self.rules, &self.options) {
                return Ok(lines);
            }
            want = (have.len() * 2).clamp(want, most);
        }
    }

    /// Completes the decision on the encoding, if the next `end` bytes allow it.
    #[cold]
    pub(crate) fn complete_decision(
        &mut self,
        detection: &Arc<Detection>,
        mark: usize,
        end: usize,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        let next = &self.unreturned_bytes()[..end];
        if detection.first_evidence(next, mark).is_some() {
            let mut detection = Detection::clone(detection);
            let answered = self.decide_open_case(&mut detection, end)?;
            let octets = self.unreturned_bytes().get(..end + CONC_REACH).unwrap_or(self.unreturned_bytes());
            let block = Region { octets, mark, octet: self.octet, line: self.line };
            block.report(answered, detection.decision.used, &self.rules.octets, sink);
            self.detection = Some(Arc::new(detection));
        }
        Ok(())
    }

    /// Answers the open question about the encoding, if the next `end` bytes allow it. Returns the findings about the
    /// answer.
    fn decide_open_case(&mut self, detection: &mut Detection, end: usize) -> io::Result<Vec<PendingFinding>> {
        let mark = if self.octet == 0 { detection.mark } else { 0 };
        let next = &self.unreturned_bytes()[..end];
        let Some(start) = detection.open.and_then(|_| detection.first_evidence(next, mark)) else {
            return Ok(Vec::new());
        };
        // Read one more byte, because it shows whether the file ends with the evidence.
        self.fill(start + EVIDENCE_LIMIT + 1)?;
        let have = self.unreturned_bytes();
        let most = have.len().min(start + EVIDENCE_LIMIT);
        let to_end = self.at_end && most == have.len();
        Ok(detection.decide_open_case(&have[..most], start, mark, to_end, &self.rules))
    }

    /// Returns the length of the next block, counted after the byte-order mark.
    fn block_end(
        &mut self,
        mark: usize,
        detection: &Detection,
        starts: Option<fn(&str, &Rules) -> bool>,
    ) -> io::Result<usize> {
        let units = Units::of(Some(detection.decision.used));
        let mut want = self.block;
        let mut searched = 0;
        // Lines before the first record belong to the block of that record.
        let mut first_record = if self.octet == 0 { Err(0) } else { Ok(0) };
        loop {
            // Read enough bytes to see the LF after a CR, or the next level.
            self.fill(mark + want + CONC_REACH)?;
            let body = &self.unreturned_bytes()[mark..];
            let all = self.at_end && body.len() <= want;
            if all && searched == 0 {
                return Ok(body.len());
            }
            let found = match starts {
                None => units.line_end(body, searched, want),
                Some(starts) => {
                    let is_start = |line: LineInOctets<'_>| {
                        let line = LineInOctets { is_whole: line.is_whole || self.at_end, ..line };
                        record_start::certainly_starts_record(line, detection, &self.rules, starts)
                    };
                    first_record = first_record.or_else(|from| units.first_record(body, from, is_start));
                    first_record
                        .ok()
                        .and_then(|first| units.record_end(body, searched.max(first), want, is_start))
                }
            };
            if let Some(end) = found.filter(|end| *end > 0) {
                return Ok(end);
            }
            if all {
                return Ok(body.len());
            }
            if starts.is_some() {
                let breaks_before = |first: usize| LineBreaks::of_octets(&body[..first], units).total();
                let record_line = first_record.ok().map(|first| self.line + breaks_before(first));
                check_record_length(record_line, body.len()).map_err(io::Error::other)?;
            }
            searched = want;
            want = want.saturating_mul(2);
        }
    }

    fn unreturned_bytes(&self) -> &[u8] {
        &self.buffer
    }

    /// Reads until `want` bytes are available, or the input ends.
    pub(crate) fn fill(&mut self, want: usize) -> io::Result<()> {
        let have = self.unreturned_bytes().len();
        if self.at_end || have >= want {
            return Ok(());
        }
        let missing = (want - have).max(self.least);
        let read = self.buffer.read(&mut self.input, missing)?;
        self.at_end = read < missing;
        Ok(())
    }
}

/// The error for a record that is too long, or for too much text before the first record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordTooLong {
    /// A record is longer than 1 GiB.
    Record {
        /// The number of the first line of the record, from 1.
        line: u64,
    },
    /// No record starts within the first 64 MiB.
    NoRecord,
}

impl RecordTooLong {
    const LONGEST_RECORD: usize = 1 << 30;
    const LONGEST_START: usize = 64 << 20;
}

impl fmt::Display for RecordTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordTooLong::Record { line } => {
                write!(
                    f,
                    "the record that starts at line {line} is longer than 1 GiB: is a line break missing?"
                )
            }
            RecordTooLong::NoRecord => f.write_str("no record starts in the first 64 MiB"),
        }
    }
}

impl std::error::Error for RecordTooLong {}

/// Checks the length of a record that starts at `line`, or of the text before the first record.
fn check_record_length(line: Option<u64>, length: usize) -> Result<(), RecordTooLong> {
    match line {
        Some(line) if length > RecordTooLong::LONGEST_RECORD => Err(RecordTooLong::Record { line }),
        None if length > RecordTooLong::LONGEST_START => Err(RecordTooLong::NoRecord),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_without_end_is_an_error_at_its_line() {
        let input = (&b"1 NOTE "[..]).chain(io::repeat(b'x').take(1 << 30));
        let starts = |line: &str, _: &Rules| line.starts_with("0 ");
        let mut records = TextReader::new(input, &Rules::WILD, &Options::default()).by_records(starts);
        let error = records.next_block().err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("no record starts in the first 64 MiB"));
        let length = RecordTooLong::LONGEST_RECORD;
        assert_eq!(check_record_length(Some(3), length), Ok(()));
        let error = check_record_length(Some(3), length + 1).err().map(|error| error.to_string());
        assert!(
            error.is_some_and(
                |error| error.starts_with("the record that starts at line 3 is longer than 1 GiB")
            )
        );
    }
}
