//! Reads a document in runs of whole records, in bounded memory.

use crate::Document;
use crate::read::escape::EscapeSource;
use crate::read::header::Header;
use crate::read::source::{BufferedSink, Passage, ReadPassage, read_passage};
use crate::read::xref::{Keys, KnownXrefs, ListIndex, Lookup, RunXrefs, depend_on_whole};
use elf_base::{Rules, Sink};
use elf_octets::{Block, Decision, Options, Records, TextReader};
use std::io::{self, Read};
use std::sync::Arc;

/// Reads a document in runs. Each run is a [`Document`] of some whole records; together they have the same records as
/// [`read`](crate::read()) returns.
///
/// A run is about a mebibyte long, or one record if the record is longer. Lines before the first record belong to the
/// first run. Memory is limited by the longest run. For each identifier and pointer, about nine bytes are added, unless
/// the reader is [`without_lookup`](Reader::without_lookup).
///
/// Places in findings refer to the file. Unresolved pointers and repeated identifiers are reported after the last run,
/// so [`Document::resolve`] finds nothing in a run.
///
/// In two drafts, structures depend on identifiers anywhere in the file: January 2019 inserts records for unresolved
/// pointers, and the declarative draft removes repeated identifiers or rejects their structures. Under such rules
/// ([`depend_on_whole`]), a single run contains the whole document.
///
/// ```
/// use elf_tagged::{Options, Reader, Rules};
///
/// let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 @I2@ INDI\n1 NAME Max\n0 TRLR\n";
/// let mut reader = Reader::new(file, &Rules::WILD, &Options::default());
/// let mut people = 0;
/// while let Some(run) = reader.next_run(&mut ())? {
///     people += run.records().filter(|record| record.tag() == "INDI").count();
/// }
/// assert!(people == 2 && reader.is_complete());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    blocks: Records<R>,
    rules: Rules,
    lookup: Lookup,
    keys: Keys,
    progress: Progress,
    /// The number of runs that have been returned.
    runs: usize,
    /// The run from which the last returned document borrows.
    current: Option<UnreadRun>,
}

/// The state of the document after the runs whose outcome was taken.
#[derive(Debug)]
struct Progress {
    header: Arc<Header>,
    /// Whether no record has been read yet, so that the header may still follow.
    headless: bool,
    index: ListIndex,
    /// Whether all text of the runs has been read.
    to_end: bool,
    done: bool,
    complete: bool,
}

/// A run that has not been read yet. [`Reader::next_unread`] returns it, and any thread can read it.
///
/// Most of the work is reading runs, and several threads can share it.
#[derive(Debug)]
pub struct UnreadRun {
    block: Block,
    rules: Rules,
    lookup: Lookup,
    keys: Keys,
    header: Arc<Header>,
    number: usize,
    headless: bool,
}

/// The position in the file at which a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunStart {
    /// The number of the run, from 0.
    pub number: usize,
    /// The offset of the first byte of the run.
    pub octet: u64,
    /// The number of the first line of the run, from 1.
    pub line: u64,
}

/// The part of the result of reading a run that the reader needs. Pass the outcome to [`Reader::take`].
#[derive(Debug)]
pub struct RunOutcome {
    /// The header, if the run was read before the header was known.
    header: Option<Header>,
    headless: bool,
    xrefs: Option<RunXrefs>,
    complete: bool,
    to_end: bool,
    /// Whether the document ends with this run.
    ends: bool,
}

/// A block size for reading the whole document at once. The block size is larger than any input, and so small that
/// additions to it do not overflow.
const WHOLE: usize = usize::MAX / 4;

impl<R: Read> Reader<R> {
    /// The default size of a run in bytes.
    pub const RUN_SIZE: usize = 1 << 20;

    /// Creates a reader of `input` under `rules`.
    pub fn new(input: R, rules: &Rules, options: &Options) -> Reader<R> {
        let blocks = TextReader::new(input, rules, options).by_records(elf_lines::starts_record);
        let (blocks, lookup) = if depend_on_whole(rules) {
            (blocks.with_block_size(WHOLE), Lookup::Whole)
        } else {
            (blocks.with_block_size(Reader::<R>::RUN_SIZE), Lookup::AtEnd)
        };
        Reader {
            blocks,
            rules: *rules,
            lookup,
            keys: Keys::default(),
            progress: Progress {
                header: Arc::new(Header::new(rules)),
                headless: true,
                index: ListIndex::default(),
                to_end: true,
                done: false,
                complete: false,
            },
            runs: 0,
            current: None,
        }
    }

    /// Sets the approximate size of a run in bytes.
    #[must_use]
    pub fn with_run_size(self, octets: usize) -> Reader<R> {
        match self.lookup {
            Lookup::Whole => self,
            Lookup::AtEnd | Lookup::Nothing | Lookup::Known(_) => {
                Reader { blocks: self.blocks.with_block_size(octets), ..self }
            }
        }
    }

    /// Reads the whole document as one run.
    #[must_use]
    pub fn in_one_run(self) -> Reader<R> {
        self.with_run_size(WHOLE)
    }

    /// Skips the resolution of pointers and the list of identifiers. If a document fits into one run, its pointers are
    /// resolved anyway.
    ///
    /// ```
    /// use elf_tagged::{Diagnostic, Options, Reader, Rules};
    ///
    /// let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n1 FAMS @F1@\n0 TRLR\n";
    /// let mut reader = Reader::new(file, &Rules::WILD, &Options::default()).without_lookup();
    /// let mut findings: Vec<Diagnostic> = Vec::new();
    /// while reader.next_run(&mut findings)?.is_some() {}
    /// assert!(findings.iter().all(|finding| finding.code.name() != "pointer-dangling"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn without_lookup(self) -> Reader<R> {
        self.with_lookup(Lookup::Nothing)
    }

    /// Sets the repeated and unresolved identifiers of the document, which another reader of the same input
    /// [found](Reader::into_known_xrefs). This reader does not report them again, unless the document is a single run.
    #[must_use]
    pub fn with_known_xrefs(self, known: Arc<KnownXrefs>) -> Reader<R> {
        let keys = known.keys().clone();
        Reader { keys, ..self }.with_lookup(Lookup::Known(known))
    }

    fn with_lookup(self, lookup: Lookup) -> Reader<R> {
        match self.lookup {
            Lookup::Whole => self,
            Lookup::AtEnd | Lookup::Nothing | Lookup::Known(_) => Reader { lookup, ..self },
        }
    }

    /// Returns the repeated and unresolved identifiers after the last run, for a second reader of the same input with
    /// the same run size.
    pub fn into_known_xrefs(self) -> KnownXrefs {
        match self.lookup {
            Lookup::AtEnd => {
                let Progress { index, header, .. } = &self.progress;
                index.known_xrefs(header, &self.keys)
            }
            Lookup::Whole | Lookup::Nothing | Lookup::Known(_) => KnownXrefs::none(&self.keys),
        }
    }

    /// Returns how many structures have an identifier, in the runs whose outcomes were taken. The identifier is given
    /// without at signs. Returns 0 if the reader was created [without lookup](Reader::without_lookup).
    pub fn bearer_count(&self, xref: &str) -> u64 {
        self.progress.index.bearer_count(self.keys.key(xref))
    }

    /// Returns the rules for the input. The first run may replace the rules of the caller by [others](Decision::rules).
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the encoding and the evidence for it. Returns `None` before the first run.
    pub fn decision(&self) -> Option<&Decision> {
        self.blocks.decision()
    }

    /// Returns the serialisation metadata. The serialisation metadata is available when
    /// [`knows_header`](Reader::knows_header) returns true.
    pub fn header(&self) -> &Header {
        &self.progress.header
    }

    /// Returns whether the header has been read, so that runs can be read on any thread.
    pub const fn knows_header(&self) -> bool {
        !self.progress.headless
    }

    /// Returns the number of line breaks of each form in the runs that have been read.
    pub fn line_breaks(&self) -> elf_octets::LineBreaks {
        self.blocks.line_breaks()
    }

    /// Returns the number of bytes in the runs that have been read.
    pub const fn octets(&self) -> u64 {
        self.blocks.octets()
    }

    /// Returns whether the whole document was read. This is known after the last run.
    pub const fn is_complete(&self) -> bool {
        self.progress.complete
    }

    /// Returns whether there are no further runs.
    pub const fn is_done(&self) -> bool {
        self.progress.done
    }

    /// Reads the next run. Returns `None` after the last run. Even an empty input has one run. If `sink` [has
    /// enough](Sink::has_enough), reading stops: this function returns `None`, and the document is incomplete.
    ///
    /// # Errors
    ///
    /// Returns the errors of the input. Returns [`TooLarge`](elf_octets::TooLarge) if a run is longer than 4 GiB, and
    /// [`RecordTooLong`](elf_octets::RecordTooLong) if a record is longer than 1 GiB; both are wrapped in an I/O error.
    pub fn next_run(&mut self, sink: &mut dyn Sink) -> io::Result<Option<Document<'_>>> {
        self.next_run_with(&(), sink)
    }

    /// Reads the next run, as [`next_run`](Reader::next_run) does. When the header is known, `escapes` determines which
    /// escapes the tags preserve.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`next_run`](Reader::next_run).
    pub fn next_run_with(
        &mut self,
        escapes: &dyn EscapeSource,
        sink: &mut dyn Sink,
    ) -> io::Result<Option<Document<'_>>> {
        if let Some(run) = self.current.take() {
            self.recycle(run);
        }
        if sink.has_enough() {
            return Ok(None);
        }
        let Some(unread) = self.next_unread()? else { return Ok(None) };
        let (document, outcome) = self.current.insert(unread).read_with(escapes, sink)?;
        self.progress.take(outcome, &self.lookup, &self.rules, sink);
        Ok(Some(document))
    }

    /// Returns the next run without reading it. Returns `None` after the last run. Pass the outcomes of the runs to
    /// [`take`](Reader::take) in the same order. Until the reader [knows the header](Reader::knows_header), take each
    /// run before you request the next one.
    ///
    /// ```
    /// use elf_tagged::{Options, Reader, Rules};
    ///
    /// let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n1 ALIA @I2@\n0 @I2@ INDI\n0 TRLR\n";
    /// let mut reader = Reader::new(file, &Rules::WILD, &Options::default()).with_run_size(1);
    /// while !reader.knows_header() && reader.next_run(&mut ())?.is_some() {}
    /// let mut runs = Vec::new();
    /// while let Some(run) = reader.next_unread()? {
    ///     runs.push(run);
    /// }
    /// // Each could be read on a thread of its own.
    /// let read = runs.iter().map(|run| run.read(&mut ()).map(|(document, outcome)| (document.line_count(), outcome)));
    /// let read = read.collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(read.iter().map(|(lines, _)| lines).sum::<u64>(), 4);
    /// read.into_iter().for_each(|(_, outcome)| reader.take(outcome, &mut ()));
    /// assert!(reader.is_complete());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`next_run`](Reader::next_run).
    pub fn next_unread(&mut self) -> io::Result<Option<UnreadRun>> {
        if self.progress.done {
            return Ok(None);
        }
        let Some(block) = self.blocks.next_block()? else { return Ok(None) };
        if self.rules != *block.rules() {
            self.rules = *block.rules();
            self.progress.header = Arc::new(Header::new(&self.rules));
        }
        let number = self.runs;
        self.runs += 1;
        Ok(Some(UnreadRun {
            block,
            rules: self.rules,
            lookup: self.lookup.clone(),
            keys: self.keys.clone(),
            header: Arc::clone(&self.progress.header),
            number,
            headless: self.progress.headless,
        }))
    }

    /// Skips to a run that starts at `start`. Another reader of the same file with the same run size
    /// [found](Document::run_start) this position. `input` must have the bytes from there on.
    ///
    /// Call this when the reader [knows the header](Reader::knows_header). If non-ASCII bytes decide the encoding, the
    /// first run with such bytes must have been read too. The identifiers of skipped runs are not known, so create the
    /// reader [without lookup](Reader::without_lookup).
    ///
    /// ```
    /// use elf_tagged::{Options, Reader, Rules};
    ///
    /// let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n0 @I2@ INDI\n0 @I3@ INDI\n0 TRLR\n";
    /// let options = Options::default();
    /// let mut reader = Reader::new(file, &Rules::WILD, &options).with_run_size(1);
    /// let mut starts = Vec::new();
    /// while let Some(run) = reader.next_run(&mut ())? {
    ///     starts.push(run.run_start());
    /// }
    /// let mut reader = Reader::new(file, &Rules::WILD, &options).with_run_size(1).without_lookup();
    /// while !reader.knows_header() && reader.next_run(&mut ())?.is_some() {}
    /// reader.skip_to(&file[starts[3].octet as usize..], starts[3]);
    /// let run = reader.next_run(&mut ())?.expect("a run");
    /// assert_eq!(run.records().next().and_then(|record| record.xref()), Some("I3"));
    /// assert_eq!(run.run_start(), starts[3]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn skip_to(&mut self, input: R, start: RunStart) {
        self.blocks.skip_to(input, start.octet, start.line);
        self.runs = start.number;
    }

    /// Takes the outcome of the next run. After the last run, reports findings about the whole document to `sink`.
    /// Outcomes after the end of the document are ignored.
    pub fn take(&mut self, outcome: RunOutcome, sink: &mut dyn Sink) {
        self.progress.take(outcome, &self.lookup, &self.rules, sink);
    }

    /// Reuses the memory of a run that is no longer needed.
    pub fn recycle(&mut self, run: UnreadRun) {
        self.blocks.recycle(run.block);
    }
}

impl Progress {
    fn take(&mut self, outcome: RunOutcome, lookup: &Lookup, rules: &Rules, sink: &mut dyn Sink) {
        if self.done {
            return;
        }
        let RunOutcome { header, headless, xrefs, complete, to_end, ends } = outcome;
        if let Some(header) = header {
            self.header = Arc::new(header);
        }
        self.headless = headless;
        xrefs.iter().for_each(|run| self.index.add_run(run));
        self.to_end &= to_end;
        self.done = ends;
        if ends {
            self.complete = complete;
            if matches!(lookup, Lookup::AtEnd) {
                self.index.report_repeated(rules, sink);
                // If the text was not read to its end, the rest of the file may have the missing identifiers.
                if self.to_end {
                    self.index.report_pointers(&self.header, rules, sink);
                }
            }
        }
    }
}

impl UnreadRun {
    /// Returns the number of the run in the document, from 0.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Returns whether the run is the whole document, so that reading it resolves its pointers.
    pub const fn is_whole(&self) -> bool {
        self.number == 0 && self.block.is_last()
    }

    /// Returns the bytes of the run, including the byte-order mark.
    pub fn octets(&self) -> &[u8] {
        self.block.octets()
    }

    /// Reads the run. Findings about its records go to `sink`.
    ///
    /// # Errors
    ///
    /// Returns [`TooLarge`](elf_octets::TooLarge) wrapped in an I/O error if the text is longer than 4 GiB.
    pub fn read(&self, sink: &mut dyn Sink) -> io::Result<(Document<'_>, RunOutcome)> {
        self.read_with(&(), sink)
    }

    /// Reads the run, as [`read`](UnreadRun::read) does. `escapes` is called if the run contains the header.
    ///
    /// # Errors
    ///
    /// Returns [`TooLarge`](elf_octets::TooLarge) wrapped in an I/O error if the text is longer than 4 GiB.
    pub fn read_with(
        &self,
        escapes: &dyn EscapeSource,
        sink: &mut dyn Sink,
    ) -> io::Result<(Document<'_>, RunOutcome)> {
        // Only the first run can show that the file has no lines. If the rules can stop reading, findings about bytes
        // must wait until it is known how far the text is read.
        let mut held = if self.number == 0 || self.rules.terminates() {
            BufferedSink::new(sink)
        } else {
            BufferedSink::unbuffered(sink)
        };
        let source = self.block.decode(&mut held).map_err(io::Error::other)?;
        let last = source.is_last();
        let passage = Passage {
            rules: &self.rules,
            header: Header::clone(&self.header),
            headless: self.headless,
            keys: self.keys.clone(),
            lookup: match &self.lookup {
                Lookup::AtEnd | Lookup::Known(_) if self.is_whole() => &Lookup::Whole,
                lookup => lookup,
            },
            number: self.number,
            is_whole: self.is_whole(),
            may_have_no_lines: self.number == 0,
        };
        let ReadPassage { document, headless, xrefs, to_end } = read_passage(source, passage, escapes, held);
        let outcome = RunOutcome {
            header: self.headless.then(|| document.header.clone()),
            headless,
            xrefs,
            complete: document.is_complete(),
            to_end,
            ends: last || !document.is_complete(),
        };
        Ok((document, outcome))
    }
}
