//! Whole lines of a file that can be decoded without the rest of the file.

use crate::detection::Detection;
use crate::evidence::HeaderHints;
use crate::file_counts::FileCounts;
use crate::input_chunk::InputChunk;
use crate::source::Position;
use crate::{Decision, Encoding, EncodingReason, Options, Source, TooLarge};
use elf_base::{Diagnostic, Rules};
use std::borrow::Cow;
use std::ops::Range;

/// Some whole lines of a file, with everything that is needed to decode them without the rest of the file. New bytes
/// that replace these lines can be decoded in the same way.
///
/// ```
/// use elf_base::Rules;
/// use elf_octets::{Options, Source};
///
/// let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n";
/// let source = Source::read(file, &Rules::WILD, &Options::default(), &mut ())?;
/// let passage = source.passage(3..5);
/// assert_eq!(passage.octets(), b"0 @I1@ INDI\n1 NAME Ada\n");
/// let other = passage.decode(b"0 @I1@ INDI\n", source.decision(), &Rules::WILD)?;
/// assert_eq!(other.line_text(3), Some("0 @I1@ INDI"));
/// # Ok::<(), elf_octets::TooLarge>(())
/// ```
#[derive(Clone, Debug)]
pub struct Passage {
    octets: Vec<u8>,
    position: Position,
    last: bool,
}

/// The decision on the encoding, as far as the header determines it. Only non-ASCII bytes can still change the
/// decision.
#[derive(Clone, Debug)]
pub struct HeaderDecision(Detection);

impl Source<'_> {
    /// Returns the passage of these lines. The passage includes the byte-order mark if the first line of the file is
    /// one of them.
    pub fn passage(&self, lines: Range<u64>) -> Passage {
        let first = lines.start <= self.first_line();
        let start = if first { 0 } else { self.line_start(lines.start) };
        let end = self.line_start(lines.end);
        Passage {
            octets: self.octets().get(start..end).unwrap_or_default().to_vec(),
            position: Position {
                start: if first { self.text_start() } else { 0 },
                octet: self.first_octet() + start as u64,
                line: lines.start,
            },
            last: self.is_last() && end == self.octets().len(),
        }
    }
}

impl Passage {
    /// Returns the bytes of the passage.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns whether the passage ends at the end of the file.
    pub const fn is_last(&self) -> bool {
        self.last
    }

    /// Appends the lines that follow this passage in the file.
    pub fn append(&mut self, other: &Passage) {
        self.octets.extend_from_slice(&other.octets);
        self.last = other.last;
    }

    /// Decodes the passage, or new bytes that will replace it.
    ///
    /// # Errors
    ///
    /// Returns [`TooLarge`] if the text would be longer than 4 GiB.
    pub fn decode<'p>(
        &self,
        octets: &'p [u8],
        decision: &'p Decision,
        rules: &Rules,
    ) -> Result<Source<'p>, TooLarge> {
        let detection = Detection {
            decision: decision.clone(),
            mark: self.position.start,
            ended: false,
            open: None,
            hints: HeaderHints::default(),
            waiting: Vec::new(),
        };
        let body = octets.get(self.position.start..).unwrap_or_default();
        let chunk = InputChunk::whole(body, self.position.octet + self.position.start as u64);
        let decoded = detection.decode(chunk, rules)?;
        let complete = decoded.decoded.complete;
        let source = Source::assemble(octets, decoded, Cow::Borrowed(decision), self.position, rules);
        // Contradictions with the header concern the whole file, not these lines, so they are not reported again.
        let history = FileCounts { non_ascii: true, ..FileCounts::default() };
        Ok(source.with_last(self.last || !complete).with_history(history))
    }
}

impl HeaderDecision {
    /// Decides the encoding by the start of a file, which must contain its header. `to_end` is true if these bytes are
    /// the whole file.
    pub fn of(
        octets: &[u8],
        to_end: bool,
        kind: Encoding,
        rules: &Rules,
        options: &Options,
    ) -> HeaderDecision {
        let mut octets = Cow::Borrowed(octets);
        if !to_end {
            // A header ends where the next record starts, so add one. Every encoding can write that line.
            let _ = kind.encode_into("0 TRLR\n", octets.to_mut());
        }
        HeaderDecision(Detection::from_start(&octets, &octets, rules, options))
    }

    /// Returns the findings about the encoding that the header names. The findings have no places.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.waiting.iter().map(|waiting| &waiting.finding)
    }

    /// Returns the encoding in which the file is read, unless non-ASCII bytes contradict it.
    pub const fn used(&self) -> Encoding {
        self.0.decision.used
    }

    /// Returns whether non-ASCII bytes can still change the decision.
    pub const fn is_open(&self) -> bool {
        self.0.open.is_some()
    }

    /// Returns whether CHAR is UTF-8 and nothing contradicts it.
    pub fn specifies_utf_8(&self) -> bool {
        self.used() == Encoding::Utf8 && self.0.decision.because == EncodingReason::Specified
    }

    /// Returns whether non-ASCII bytes change both decisions in the same way.
    pub fn has_same_open_question(&self, other: &HeaderDecision) -> bool {
        self.0.open == other.0.open
            && self.0.hints == other.0.hints
            && self.used() == other.used()
            && self.0.decision.rules == other.0.decision.rules
    }
}
