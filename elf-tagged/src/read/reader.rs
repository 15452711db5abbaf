//! A document in parts, in memory that does not grow with it.

mod divided;
mod own_findings;
mod xref_reader;

pub use divided::Divided;
pub use xref_reader::XrefReader;

use crate::Document;
use crate::read::escape::EscapeSource;
use crate::read::header::Header;
use crate::read::parts::{PartError, PartId, ReadingId};
use crate::read::report::Reporter;
use crate::read::source::{
    BufferedSink, Octets, is_lines, no_document, replace_escapes, reports_octets_later,
};
use crate::read::tree::build::{Builder, Part};
use crate::read::xref::{Keys, PartReport, PartReports, Resolution, XrefLists, XrefPass, Xrefs};
use elf_base::{Rules, Sink};
use elf_octets::{Block, Decision, Fingerprint, LongRecords, Options, Records, TextReader};
use own_findings::OwnFindings;
use std::io::{self, Read};
use std::sync::Arc;

/// Reads a document part by part: each part is a [`Document`] of some whole records, and together they are
/// the records that [`read`](crate::read()) gives.
///
/// Memory is bounded by the longest record (a part is about a mebibyte, or one record where that is longer),
/// by what stands before the first line that starts a record, which is in one part with it, as it may be
/// damaged lines before the header, and by its identifiers: about nine octets for each of them and for each
/// pointer. Offsets are those of a part; places in diagnostics are those of the file. Pointers that lead
/// nowhere and identifiers borne twice are reported after the last part; within a part [`Document::resolve`]
/// finds nothing.
///
/// By some rules, what a record is depends on others that stand anywhere: January 2019 inserts records for
/// pointers that lead nowhere, and the declarative draft takes repeated identifiers away or rejects what
/// bears them. By such rules ([`Xrefs::are_needed`]) a reader is to be made [with the irregular
/// identifiers](Reader::with_xrefs) of the document, which another reading of the same input finds out.
/// Without them one part has the whole document, and memory grows with that.
///
/// ```
/// use elf_tagged::{Options, Reader, Rules};
///
/// let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 @I2@ INDI\n1 NAME Max\n0 TRLR\n";
/// let mut reader = Reader::new(file, &Rules::WILD, &Options::default());
/// let mut people = 0;
/// while let Some(part) = reader.next_part(&mut ())? {
///     people += part.records().filter(|record| record.tag() == "INDI").count();
/// }
/// assert!(people == 2 && reader.is_complete());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    id: ReadingId,
    blocks: Records<R>,
    rules: Rules,
    pass: XrefPass,
    /// The number of parts so far, read or not.
    parts: u64,
    gathered: Gathered,
    /// True if a part was handed out to be read on its own, and never taken.
    is_broken_off: bool,
    /// The part that the document handed out last borrows from.
    current: Option<UnreadPart>,
}

/// The results of the parts so far that matter to later ones.
#[derive(Debug)]
struct Gathered {
    header: Arc<Header>,
    keys: Keys,
    reports: PartReports,
    headless: bool,
    done: bool,
    complete: bool,
    /// True if all of the file was looked at: known when the last part is done.
    to_end: bool,
    /// True if records are to be inserted behind the last part.
    inserts: bool,
    /// The number of parts so far.
    parts: u64,
    /// The fingerprint of their text, in each of two readings.
    fingerprint: Fingerprint,
    /// True if the input turned out to be another one than that of the first reading.
    is_other: bool,
    /// True if pointers are [looked up elsewhere](Reader::with_late_lookup).
    is_late: bool,
}

/// Some whole records of a document, not read yet: [`Divided::next_unread`].
///
/// Reading it is most of the work, and can be done on any thread while other parts are read.
#[derive(Debug)]
pub struct UnreadPart {
    block: Block,
    rules: Rules,
    header: Arc<Header>,
    keys: Keys,
    pass: XrefPass,
    reading: ReadingId,
    number: u64,
    headless: bool,
}

/// The results of a part that matter to other parts: for [`Divided::take`].
#[derive(Debug)]
pub struct PartOutcome {
    reading: ReadingId,
    /// The number of the part.
    number: u64,
    fingerprint: Fingerprint,
    /// The header, if the part was read for it.
    header: Option<Header>,
    headless: bool,
    report: PartReport,
    /// True if the rules let the reading go on.
    goes_on: bool,
    complete: bool,
    to_end: bool,
    last: bool,
}

impl<R: Read> Reader<R> {
    /// Reads `input` by `rules`.
    pub fn new(input: R, rules: &Rules, options: &Options) -> Reader<R> {
        let pass = if Xrefs::are_needed(rules) { XrefPass::Whole } else { XrefPass::Only };
        Reader::in_pass(input, rules, options, (pass, Keys::default()))
    }

    /// Reads `input` in parts, whatever the rules are, given the irregular identifiers of the document that a
    /// [`XrefReader`] found out of the same input: by the rules and the options of that reading.
    ///
    /// The records that January 2019 inserts make a last part, after those of the file. Of another input,
    /// such as a file that was changed since, they are of no use: in place of the last part,
    /// [`next_part`](Reader::next_part) fails with [`PartError::InputChanged`].
    ///
    /// ```
    /// use elf_tagged::{XrefReader, Options, Reader, Rules};
    ///
    /// // The declarative draft leaves a repeated identifier to the one record that bears it.
    /// let file: &[u8] = b"0 HEAD\n0 @A@ INDI\n1 @B@ NOTE x\n0 @B@ INDI\n1 ALIA @B@\n0 TRLR\n";
    /// let (rules, options) = (Rules::DECLARATIVE, Options::default());
    /// let xrefs = XrefReader::new(file, &rules, &options).with_part_size(1).into_xrefs()?;
    /// let mut reader = Reader::with_xrefs(file, xrefs).with_part_size(1);
    /// let mut identifiers = Vec::new();
    /// while let Some(part) = reader.next_part(&mut ())? {
    ///     identifiers.extend(part.structures().filter_map(|node| Some(format!("{} {}", node.tag(), node.xref()?))));
    /// }
    /// assert_eq!(identifiers, ["INDI A", "INDI B"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_xrefs(input: R, xrefs: impl Into<Arc<Xrefs>>) -> Reader<R> {
        let xrefs = xrefs.into();
        let (keys, rules, options) = (xrefs.keys().clone(), *xrefs.rules(), *xrefs.options());
        Reader::in_pass(input, &rules, &options, (XrefPass::Second(xrefs), keys))
    }

    fn in_pass(input: R, rules: &Rules, options: &Options, (pass, keys): (XrefPass, Keys)) -> Reader<R> {
        let blocks = TextReader::new(input, rules, options).by_records(elf_lines::starts_record);
        Reader {
            id: ReadingId::default(),
            blocks: match pass {
                // More than there can be, and less than would overflow with what is read ahead.
                XrefPass::Whole => blocks.with_block_size(usize::MAX / 4),
                XrefPass::Only | XrefPass::Passing | XrefPass::First | XrefPass::Second(_) => blocks,
            },
            rules: *rules,
            parts: 0,
            is_broken_off: false,
            gathered: Gathered {
                header: Arc::new(Header::new(rules)),
                reports: pass.reports(&keys),
                keys,
                headless: true,
                done: false,
                complete: false,
                to_end: true,
                inserts: false,
                parts: 0,
                fingerprint: Fingerprint::default(),
                is_other: false,
                is_late: false,
            },
            pass,
            current: None,
        }
    }

    /// Sets the size of the parts to come to about `octets`. The size does not matter where the whole
    /// document is one part.
    #[must_use]
    pub fn with_part_size(self, octets: usize) -> Reader<R> {
        match self.pass {
            XrefPass::Whole => self,
            XrefPass::Only | XrefPass::Passing | XrefPass::First | XrefPass::Second(_) => {
                Reader { blocks: self.blocks.with_block_size(octets), ..self }
            }
        }
    }

    /// Cuts long records, where the rules change nothing for the sake of identifiers. The first lines make
    /// the record, which is reported; what is left comes behind it in [parts of its own](PartId::is_of_rest).
    #[must_use]
    pub fn with_long_records(self, long: LongRecords) -> Reader<R> {
        match self.pass {
            XrefPass::Only | XrefPass::Passing => {
                Reader { blocks: self.blocks.with_long_records(long), ..self }
            }
            XrefPass::Whole | XrefPass::First | XrefPass::Second(_) => self,
        }
    }

    /// Looks no identifiers and no pointers up, for who has questions of their own about them, or none:
    /// nothing is found about them, and no list of them is kept, which takes about nine octets for each.
    /// Where the rules change anything for their sake, they are looked up as ever.
    ///
    /// ```
    /// use elf_tagged::{Diagnostic, Options, Reader, Rules};
    ///
    /// let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n1 FAMS @F1@\n0 TRLR\n";
    /// let reader = Reader::new(file, &Rules::WILD, &Options::default());
    /// let mut findings: Vec<Diagnostic> = Vec::new();
    /// reader.without_lookup().next_part(&mut findings)?;
    /// assert!(findings.iter().all(|finding| finding.code.name() != "pointer-dangling"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn without_lookup(self) -> Reader<R> {
        match self.pass {
            XrefPass::Only | XrefPass::Passing => Reader { pass: XrefPass::Passing, ..self },
            XrefPass::Whole | XrefPass::First | XrefPass::Second(_) => self,
        }
    }

    /// Leaves it to the caller to look identifiers and pointers up after the last part, and to report what is
    /// wrong with them, of which nothing is said else: [`take_xrefs`](Reader::take_xrefs) gives what that
    /// takes. It can be done on several threads then, or at the same time as something else.
    #[must_use]
    pub fn with_late_lookup(mut self) -> Reader<R> {
        self.gathered.is_late = match self.pass {
            XrefPass::Only | XrefPass::Passing => true,
            XrefPass::Whole | XrefPass::First | XrefPass::Second(_) => false,
        };
        self
    }

    /// The identifiers and pointers of all parts, which are [not looked up yet](Reader::with_late_lookup):
    /// once, after the last part. `None` where the rules change anything for their sake, by which they are
    /// looked up as ever.
    pub fn take_xrefs(&mut self) -> Option<XrefLists> {
        let Gathered { is_late, done, reports, to_end, header, .. } = &mut self.gathered;
        let is_due = *done && std::mem::take(is_late);
        is_due.then(|| reports.lists(*to_end, header, &self.rules))?
    }

    /// The identity of this reading.
    pub const fn id(&self) -> &ReadingId {
        &self.id
    }

    /// Returns the encoding that is used, and the reason for it: known from the first part on.
    pub fn decision(&self) -> Option<&Decision> {
        self.blocks.decision()
    }

    /// Returns what the header says about the serialisation: known from the first part on.
    pub fn header(&self) -> &Header {
        &self.gathered.header
    }

    /// Returns the number of line breaks of each form in the parts so far.
    pub fn line_breaks(&self) -> elf_octets::LineBreaks {
        self.blocks.line_breaks()
    }

    /// Returns the number of octets in the parts so far.
    pub const fn octets(&self) -> u64 {
        self.blocks.octets()
    }

    /// Tells whether the document was read to its end: known after the last part.
    pub const fn is_complete(&self) -> bool {
        self.gathered.complete
    }

    /// Tells whether there are no further parts.
    pub const fn is_done(&self) -> bool {
        self.gathered.done && !self.gathered.inserts && !self.gathered.is_other
    }

    /// The next part; `None` after the last. There is at least one, be it empty. `None` too, with nothing
    /// further read, where `sink` [has enough](Sink::has_enough); then the reading is not complete.
    ///
    /// # Errors
    ///
    /// What reading the input returns; [`TooLarge`](elf_octets::TooLarge), wrapped, where a record is over 4
    /// GiB; [`PartError::InputChanged`], wrapped, at the end where the identifiers are of another input.
    pub fn next_part(&mut self, sink: &mut dyn Sink) -> io::Result<Option<Document<'_>>> {
        self.next_part_with(&(), sink)
    }

    /// Returns the next part, as [`next_part`](Reader::next_part) does; `escapes` says which ones the tags of
    /// the document keep, and is asked when the header is known: by then it has to be the same in each call.
    ///
    /// # Errors
    ///
    /// Those of [`next_part`](Reader::next_part).
    pub fn next_part_with(
        &mut self,
        escapes: &dyn EscapeSource,
        sink: &mut dyn Sink,
    ) -> io::Result<Option<Document<'_>>> {
        if let Some(part) = self.current.take() {
            self.recycle(part);
        }
        if sink.has_enough() {
            return Ok(None);
        }
        let Some(unread) = self.next_unread()? else {
            self.gathered.check_input()?;
            return self.inserted();
        };
        let unread = self.current.insert(unread);
        let (document, outcome) = unread.read_with(escapes, sink)?;
        self.gathered.take(outcome, &self.pass, &self.rules, sink);
        self.gathered.check_input()?;
        Ok(Some(document))
    }

    /// The records that the rules insert, behind all others.
    fn inserted(&mut self) -> io::Result<Option<Document<'_>>> {
        let Gathered { done, complete, inserts, reports, header, keys, parts, .. } = &mut self.gathered;
        let XrefPass::Second(xrefs) = &self.pass else { return Ok(None) };
        if !*done || !std::mem::take(inserts) {
            return Ok(None);
        }
        let Some(block) = self.blocks.end() else { return Ok(None) };
        let (nodes, made) = reports.inserted(xrefs);
        let unread = self.current.insert(UnreadPart {
            block,
            rules: self.rules,
            header: Arc::clone(header),
            keys: keys.clone(),
            pass: self.pass.clone(),
            reading: self.id.clone(),
            number: *parts,
            headless: false,
        });
        let mut header = Header::clone(header);
        header.leave_first_part();
        Ok(Some(Document {
            rules: self.rules,
            nodes,
            made,
            header,
            part: unread.id(true),
            xrefs: Resolution::Part(Arc::clone(xrefs)),
            complete: *complete,
            end: None,
            left_out: Default::default(),
            headless: false,
            // Whatever can be said of octets was said of the last ones.
            source: unread.block.source(&mut ()).map_err(io::Error::other)?,
        }))
    }

    /// Divides the rest into parts that are read apart; `None` before the header is known, which as a rule is
    /// in the first part, and where nothing is left.
    ///
    /// What only the whole document shows is reported when the last part is taken. Records that the rules
    /// insert come from [`next_part`](Reader::next_part) after that.
    pub fn divide<T>(&mut self) -> Option<Divided<'_, R, T>> {
        let ready = !self.gathered.headless && !self.gathered.done;
        ready.then(|| Divided::new(self))
    }

    fn next_unread(&mut self) -> io::Result<Option<UnreadPart>> {
        if self.gathered.done {
            return Ok(None);
        }
        let Some(block) = self.blocks.next_block()? else { return Ok(None) };
        if self.rules != *block.rules() {
            self.rules = *block.rules();
            self.gathered.header = Arc::new(Header::new(&self.rules));
        }
        let number = self.parts;
        self.parts += 1;
        Ok(Some(UnreadPart {
            block,
            rules: self.rules,
            header: Arc::clone(&self.gathered.header),
            keys: self.gathered.keys.clone(),
            pass: self.pass.clone(),
            reading: self.id.clone(),
            number,
            headless: self.gathered.headless,
        }))
    }

    fn take(&mut self, outcome: PartOutcome, sink: &mut dyn Sink) {
        self.gathered.take(outcome, &self.pass, &self.rules, sink);
    }

    fn recycle(&mut self, part: UnreadPart) {
        self.blocks.recycle(part.block);
    }
}

impl Gathered {
    fn check_input(&self) -> io::Result<()> {
        let error = || io::Error::new(io::ErrorKind::InvalidData, PartError::InputChanged);
        if self.is_other { Err(error()) } else { Ok(()) }
    }

    fn take(&mut self, outcome: PartOutcome, pass: &XrefPass, rules: &Rules, sink: &mut dyn Sink) {
        if self.done {
            return;
        }
        let PartOutcome { fingerprint, header, headless, report, goes_on, complete, to_end, last, .. } =
            outcome;
        self.parts += 1;
        self.fingerprint.join(fingerprint);
        self.header = header.map_or_else(|| Arc::clone(&self.header), Arc::new);
        self.headless = headless;
        self.reports.add(report);
        self.to_end &= to_end;
        self.done = last || !goes_on;
        if self.done {
            if let XrefPass::Second(xrefs) = pass
                && xrefs.first.fingerprint != self.fingerprint
            {
                self.is_other = true;
                return;
            }
            self.complete = complete;
            self.inserts = pass.inserts();
            if !self.is_late {
                self.reports.report(self.to_end, &self.header, rules, sink);
            }
        }
    }
}

impl UnreadPart {
    /// The number of the part in the document, from 0.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The reading that handed the part out.
    pub const fn reading(&self) -> &ReadingId {
        &self.reading
    }

    /// The position of the part in its document.
    fn id(&self, is_last: bool) -> PartId {
        let reading = self.reading.clone();
        let document = match &self.pass {
            XrefPass::Second(xrefs) => xrefs.reading().clone(),
            XrefPass::Whole | XrefPass::Only | XrefPass::Passing | XrefPass::First => reading.clone(),
        };
        PartId { document, reading, number: self.number, is_last, own_line: self.block.own_line() }
    }

    /// Returns the octets of the part, byte-order mark included.
    pub fn octets(&self) -> &[u8] {
        self.block.octets()
    }

    /// The fingerprint of its text up to where the rules ended the reading, if another reading is to be held
    /// against this one.
    fn fingerprint(&self, text: &str, end: Option<u32>) -> Fingerprint {
        if !self.pass.is_of_two() {
            return Fingerprint::default();
        }
        Fingerprint::of(end.and_then(|end| text.get(..end as usize)).unwrap_or(text), self.keys.hasher())
    }

    /// Reads the part. Faults of its records go to `sink`.
    ///
    /// # Errors
    ///
    /// [`TooLarge`](elf_octets::TooLarge), wrapped, where its text is over 4 GiB.
    pub fn read(&self, sink: &mut dyn Sink) -> io::Result<(Document<'_>, PartOutcome)> {
        self.read_with(&(), sink)
    }

    /// Reads it, as [`read`](UnreadPart::read) does; `escapes` is asked if the header stands in this part.
    ///
    /// # Errors
    ///
    /// [`TooLarge`](elf_octets::TooLarge), wrapped, where its text is over 4 GiB.
    pub fn read_with(
        &self,
        escapes: &dyn EscapeSource,
        sink: &mut dyn Sink,
    ) -> io::Result<(Document<'_>, PartOutcome)> {
        let (own_line, is_of_rest) = (self.block.own_line(), self.block.own_line().is_some());
        let mut own = OwnFindings { sink, own_line };
        let mut held = BufferedSink::new(&mut own);
        let later = reports_octets_later(&self.rules);
        if self.number > 0 && !later {
            held.let_go();
        }
        let source = self.block.decode(&mut held).map_err(io::Error::other)?;
        if !later {
            source.report(None, &self.rules, &mut held);
        }
        let source = replace_escapes(source, &self.rules);
        if self.number == 0 && !is_lines(&source, &self.rules) {
            held.forget();
            let outcome = PartOutcome {
                reading: self.reading.clone(),
                number: self.number,
                fingerprint: Fingerprint::default(),
                header: None,
                headless: true,
                report: PartReport::Nothing,
                goes_on: false,
                complete: false,
                to_end: false,
                last: true,
            };
            let document = no_document(source, &self.rules, held.sink);
            return Ok((Document { part: self.id(true), ..document }, outcome));
        }
        let behind = held.let_go_but_placed(later && self.rules.octets.content);
        let octets = if later { Octets::Later(behind) } else { Octets::Reported };
        let sink = held.sink;

        let last = source.is_last();
        let headless = self.headless && !is_of_rest;
        let part = Part {
            complete: source.is_complete(),
            check_characters: source.has_forbidden(),
            first: headless,
            last,
            lists_pointers: self.pass.lists_pointers(),
        };
        let reporter = Reporter::new(&self.rules, source.locator(), sink);
        let header = Header::clone(&self.header);
        let builder =
            Builder::new(source.text(), &self.rules, reporter, (header, escapes), self.keys.clone(), part);
        let mut built = builder.run(source.line_strings());
        source.report_cut(&self.rules, sink);
        octets.report(&source, built.end, &self.rules, sink);
        let header = headless.then(|| built.header.clone());
        if !headless {
            // What the header holds are structures of the first part.
            built.header.leave_first_part();
        }
        let goes_on = built.complete;
        let pass = if is_of_rest { &XrefPass::Passing } else { &self.pass };
        let (xrefs, report) = pass.resolve(&mut built, &source, &self.rules, sink);
        let outcome = PartOutcome {
            reading: self.reading.clone(),
            number: self.number,
            fingerprint: self.fingerprint(source.text(), built.end),
            header,
            headless: built.headless || self.headless && is_of_rest,
            report,
            goes_on,
            complete: built.complete,
            // Identifiers may stand in what the record lacks.
            to_end: built.to_end && !source.is_cut(),
            last,
        };
        let document = Document {
            rules: self.rules,
            nodes: built.nodes,
            made: built.made,
            header: built.header,
            part: self.id((last || !goes_on) && !self.pass.inserts()),
            xrefs,
            complete: built.complete,
            end: built.end,
            left_out: built.left_out,
            headless,
            source,
        };
        Ok((document, outcome))
    }
}
