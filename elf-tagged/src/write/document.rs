//! Writes a document, as a whole or run by run.

use super::dangling::restricts_targets;
use super::header_identity::{allows_header_xref, resolves_header};
use super::identifiers::{Identifiers, Use};
use super::inserted::FirstPointers;
use super::reports::Reports;
use super::transcriber::{RunTranscriber, TargetFacts};
use super::{
    LineBreak, OptionError, SchemaOverride, Summary, Versions, WriteError, WriteOptions, Writer, is_ordinary,
};
use crate::offset::to_u32;
use crate::{Document, KnownXrefs, Node};
use elf_base::{Code, Excerpt, Place, Rules, Sink, Span};
use std::io;
use std::sync::Arc;

/// Writes a document as a file under `rules`. These rules may differ from the rules by which the document was read.
/// Order, identifiers, escapes and the schema are kept.
///
/// Schema definitions that contradict each other only through supertypes are written unchanged, because this crate does
/// not know types. `elf_model::write` and the command `elf convert` omit and report them.
///
/// Losses are reported at their places in the input. Identifiers that cannot be kept are [renamed](Identifiers),
/// together with the pointers to them. Unresolved pointers are written in such a way that the file is valid under
/// `rules`: see [`Content::Dangling`](super::Content::Dangling).
///
/// # Errors
///
/// Returns the errors of the output. Returns [`WriteError::Options`] if the options are impossible, and
/// [`WriteError::Empty`] if the document has no structure. Returns [`WriteError::Incomplete`] if the document was not
/// read to its end, unless the options [allow it](WriteOptions::partial).
///
/// ```
/// use elf_tagged::write::{WriteOptions, write_document};
/// use elf_tagged::{Options, Rules, read};
///
/// let octets = b"0 HEAD\n1 SOUR X\n0 @I1@ INDI\n1 EMAIL ada@example.com\n0 TRLR\n";
/// let document = read(octets, &Rules::WILD, &Options::default(), &mut ())?;
/// let mut written = Vec::new();
/// write_document(&document, &mut written, &Rules::DECEMBER_2019, &WriteOptions::new(), &mut ())?;
/// assert_eq!(
///     String::from_utf8_lossy(&written),
///     "0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 SOUR X\n\
///      0 @I1@ INDI\n1 EMAIL ada@@example.com\n0 TRLR\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_document(
    document: &Document<'_>,
    out: impl io::Write,
    rules: &Rules,
    options: &WriteOptions,
    sink: &mut dyn Sink,
) -> Result<Summary, WriteError> {
    let mut rehearsal = Survey::of(document, rules, options)?;
    rehearsal.examine(document, None)?;
    let mut writer = RunWriter::new(out, rehearsal, sink)?;
    writer.run(document, None)?;
    writer.finish()
}

/// Facts about the whole document that are needed before its first record is written. Add all runs, in any order.
/// Together with the [identifiers](crate::KnownXrefs) of the document, the survey becomes a [`Rehearsal`].
#[derive(Clone, Debug)]
pub struct Survey {
    rules: Rules,
    options: WriteOptions,
    needs_elf: bool,
    doubtful: bool,
    target_facts: TargetFacts,
    identifiers: Identifiers,
    /// Whether a survey for other rules or options has been joined.
    is_mixed: bool,
}

/// The completed [`Survey`] of a document, which a [`RunWriter`] needs.
///
/// If the rehearsal [is needed](Rehearsal::is_needed), which is rare, the document must be read once more before it is
/// written. The reason is that structures may be left out, so that pointers to them become unresolved, or that
/// identifiers may change.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    survey: Survey,
    /// Whether any run has been examined.
    is_seen: bool,
}

impl Survey {
    /// Starts the survey of a document that will be written as a file under `rules`.
    ///
    /// # Errors
    ///
    /// Returns [`OptionError`] if the options are impossible.
    pub fn new(rules: &Rules, options: &WriteOptions) -> Result<Survey, OptionError> {
        options.check(rules)?;
        let target_facts = TargetFacts { heeds: restricts_targets(rules), ..TargetFacts::default() };
        let identifiers = Identifiers::new(rules, options);
        let (rules, options) = (*rules, *options);
        Ok(Survey {
            rules,
            options,
            needs_elf: false,
            doubtful: false,
            target_facts,
            identifiers,
            is_mixed: false,
        })
    }

    /// Sets the line break. Use this function if you copy the line break from the input.
    #[must_use]
    pub const fn with_line_break(mut self, line_break: LineBreak) -> Survey {
        self.options.line_break = line_break;
        self
    }

    /// Adds a run of the document.
    pub fn add_run(&mut self, run: &Document<'_>) {
        if self.needs_elf_version(run) {
            // A structure that may be rejected later must be checked again.
            let may_reject = run.rules().tagged.xref_errors.rejects();
            self.doubtful |= may_reject;
            self.needs_elf |= !may_reject;
        }
        // A record that was inserted at the end has no content.
        let inserts_empty =
            run.rules().tagged.xref_errors.inserts_records() && !self.rules.tagged.empty_structures;
        self.doubtful |= inserts_empty || is_doubtful(run, &self.rules);
        let head = run.head().filter(|_| resolves_header(run) && !allows_header_xref(&self.rules));
        self.target_facts.absent.extend(head.and_then(Node::xref).map(Box::from));
        self.identifiers.read_by(run.rules());
        // In a run, it is not yet known for which pointers records will be inserted (J19 §5.1).
        let inserts = run.rules().tagged.xref_errors.inserts_records();
        each_identifier(run, &self.rules, |id, of| {
            self.identifiers.examine(id, if inserts && of == Use::Pointer { Use::Bearer } else { of });
        });
    }

    /// Completes the survey after all runs have been added. `known` contains the repeated and unresolved identifiers of
    /// the document.
    ///
    /// # Errors
    ///
    /// Returns [`WriteError::MixedSurveys`] if a survey for other rules has been [joined](Survey::join).
    pub fn finish(mut self, known: &KnownXrefs) -> Result<Rehearsal, WriteError> {
        if self.is_mixed {
            return Err(WriteError::MixedSurveys);
        }
        if known.any_repeated() {
            self.identifiers.has_repeated();
        }
        Ok(Rehearsal { survey: self, is_seen: false })
    }

    /// Creates the survey of a whole document.
    ///
    /// # Errors
    ///
    /// Returns [`OptionError`] if the options are impossible.
    pub fn of(
        document: &Document<'_>,
        rules: &Rules,
        options: &WriteOptions,
    ) -> Result<Rehearsal, WriteError> {
        let mut survey = Survey::new(rules, options)?;
        survey.add_run(document);
        Ok(Rehearsal { survey, is_seen: false })
    }

    /// Returns whether a run has structures that need the ELF version in the header (D19 *ELF serialisation version*).
    /// Returns false if the version is always written or never written.
    fn needs_elf_version(&self, run: &Document<'_>) -> bool {
        self.options.versions == Versions::ElfIfNeeded
            && run.structures().any(|node| matches!(node.tag(), "PLANG" | "DTYPE"))
    }

    /// Adds the survey of other runs of the same document.
    pub fn join(&mut self, other: Survey) {
        let options = other.options.with_line_break(self.options.line_break);
        self.is_mixed |= other.is_mixed || self.rules != other.rules || self.options != options;
        self.needs_elf |= other.needs_elf;
        self.doubtful |= other.doubtful;
        self.target_facts.absent.extend(other.target_facts.absent);
        self.identifiers.join(other.identifiers);
    }
}

impl Rehearsal {
    /// Returns whether all runs must be passed to [`examine`](Rehearsal::examine) before the first one is written.
    pub fn is_needed(&self) -> bool {
        self.survey.doubtful || self.survey.identifiers.are_unusual()
    }

    /// Returns the rules of the output.
    pub const fn rules(&self) -> &Rules {
        &self.survey.rules
    }

    /// Examines a run to find out what will be left out and which identifiers will change. If the rehearsal is
    /// [needed](Rehearsal::is_needed), call this for all runs in document order. The runs must be read [with the known
    /// identifiers](crate::Reader::with_known_xrefs). Only the tags of `schema_override` are used.
    ///
    /// # Errors
    ///
    /// Returns [`WriteError::Options`] if the options are impossible.
    pub fn examine(
        &mut self,
        run: &Document<'_>,
        schema_override: Option<&SchemaOverride<'_>>,
    ) -> Result<(), WriteError> {
        self.is_seen = true;
        if !self.is_needed() {
            return Ok(());
        }
        let survey = &mut self.survey;
        survey.needs_elf |= survey.needs_elf_version(run);
        // If a structure is left out, another structure may have the same identifier.
        if survey.identifiers.are_unusual() || survey.doubtful {
            each_identifier(run, &survey.rules, |id, of| survey.identifiers.collect(id, of));
        }
        if is_doubtful(run, &survey.rules) {
            let mut writer = Writer::rehearsal(&survey.rules, &survey.options)?;
            RunTranscriber::new(run, schema_override, &survey.target_facts, &mut writer, &mut ())
                .write_structures()?;
            survey.target_facts.absent.extend(writer.into_absent_identifiers());
        }
        Ok(())
    }

    /// Returns whether the document can be written. A document can be written if a run was
    /// [examined](Rehearsal::examine), or if no run needs to be examined.
    pub fn is_ready(&self) -> bool {
        self.is_seen || !self.is_needed()
    }
}

/// Returns whether identifiers of a run may be lost in a file under `rules`.
///
/// Identifiers can be lost in the header, at a level that the rules do not have, and within a structure that some
/// drafts do not allow.
fn is_doubtful(run: &Document<'_>, rules: &Rules) -> bool {
    // A structure is omitted if everything under it is omitted.
    let is_empty = |node: Node<'_>| {
        node.subtree_lines().len() == 1
            && node.line_payload().unwrap_or_default().is_empty()
            && !(node.superstructure().is_none() && node.flags().has_xref())
    };
    if !rules.tagged.empty_structures && run.structures().any(is_empty) {
        return true;
    }
    let is_inner = |node: Node<'_>| node.superstructure().is_some();
    if !rules.tagged.inner_xrefs && run.nodes_with_xref().any(is_inner) {
        return true;
    }
    let head = run.head().map(Node::id);
    let mut bearers = run.nodes_with_xref();
    // This is the fast path: nearly all records have common tags.
    let odd = |node: Node<'_>| {
        node.superstructure().is_some() || Some(node.id()) == head || !is_ordinary(node.tag())
    };
    bearers.any(odd) && has_doubtful_xref(run, rules)
}

#[cold]
fn has_doubtful_xref(run: &Document<'_>, rules: &Rules) -> bool {
    if has_xref_too_deep(run, rules.lines.highest_level) {
        return true;
    }
    let bears = |node: Node<'_>| node.subtree_lines().any(|node| node.flags().has_xref());
    run.head().is_some_and(bears) || run.structures().any(|node| !is_ordinary(node.tag()) && bears(node))
}

/// Returns whether a node at the level `highest` or deeper has an identifier. Each node is visited once.
fn has_xref_too_deep(run: &Document<'_>, highest: u32) -> bool {
    let mut ends: Vec<u32> = Vec::new();
    run.nodes().any(|node| {
        while ends.last().is_some_and(|&end| end <= node.id().get()) {
            ends.pop();
        }
        let is_too_deep = to_u32(ends.len()) >= highest;
        ends.push(node.subtree_end().get());
        is_too_deep && node.flags().has_xref()
    })
}

/// Calls `take` with the identifiers of structures and of pointers that matter in a file under `rules`, in document
/// order.
fn each_identifier(run: &Document<'_>, rules: &Rules, mut take: impl FnMut(&str, Use)) {
    let bearer = |xref: &str| match (run.header().is_void(xref), run.is_repeated(xref)) {
        (true, _) => Use::Void,
        (false, true) => Use::OneOfSeveral,
        (false, false) => Use::Bearer,
    };
    let named_header = run.head().filter(|_| allows_header_xref(rules));
    let uncounted = named_header.filter(|_| !resolves_header(run)).map(Node::id);
    for node in named_header.into_iter().chain(run.structures()) {
        let flags = node.flags();
        if flags.has_xref()
            && Some(node.id()) != uncounted
            && let Some(xref) = node.xref()
        {
            take(xref, bearer(xref));
        }
        if flags.is_pointer()
            && let Some(id) = node.pointer()
        {
            take(run.inserted_for(id).unwrap_or(id), Use::Pointer);
        }
    }
}

/// Writes a document run by run, in constant memory. The output is the same as that of [`write_document`].
///
/// The input must be read twice. The first reading finds the repeated and unresolved identifiers and makes a
/// [`Survey`], and the second reading writes the document.
///
/// ```
/// use elf_tagged::write::{RunWriter, Survey, WriteOptions};
/// use elf_tagged::{Options, Reader, Rules};
/// use std::sync::Arc;
///
/// let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMC @F1@\n0 @I2@ INDI\n0 TRLR\n";
/// let reader = || Reader::new(file, &Rules::WILD, &Options::default()).with_run_size(1);
///
/// let mut survey = Survey::new(&Rules::JANUARY_2019, &WriteOptions::new())?;
/// let mut first = reader();
/// while let Some(run) = first.next_run(&mut ())? {
///     survey.add_run(&run);
/// }
/// let known = Arc::new(first.into_known_xrefs());
/// let mut rehearsal = survey.finish(&known)?;
/// if rehearsal.is_needed() {
///     let mut again = reader().with_known_xrefs(known.clone());
///     while let Some(run) = again.next_run(&mut ())? {
///         rehearsal.examine(&run, None)?;
///     }
/// }
///
/// let (mut octets, mut losses) = (Vec::new(), ());
/// let mut writer = RunWriter::new(&mut octets, rehearsal, &mut losses)?;
/// let mut second = reader().with_known_xrefs(known);
/// while let Some(run) = second.next_run(&mut ())? {
///     writer.run(&run, None)?;
/// }
/// assert_eq!(writer.finish()?.records, 3);
/// assert!(octets.ends_with(b"\n0 @I1@ INDI\n1 FAMC @F1@\n0 @I2@ INDI\n0 @F1@ UNDEF\n0 TRLR\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "the trailer is written by `finish`"]
pub struct RunWriter<'w, W: io::Write> {
    pub(super) writer: Writer<'static, W>,
    pub(super) target_facts: Arc<TargetFacts>,
    pub(super) sink: &'w mut dyn Sink,
    pub(super) first_pointers: FirstPointers,
    /// The place in the input at which the document starts. The place is known after the first run.
    pub(super) start: Option<(Place, Option<Excerpt>)>,
    partial: bool,
    /// Whether a run was not written because the rules stopped its reading.
    ended: bool,
}

impl<'w, W: io::Write> RunWriter<'w, W> {
    /// Creates a writer that uses the rules and options of `rehearsal`.
    ///
    /// # Errors
    ///
    /// Returns [`WriteError::Options`] if the options are impossible. Returns [`WriteError::Unrehearsed`] if a
    /// rehearsal is needed, but no run was examined.
    pub fn new(out: W, rehearsal: Rehearsal, sink: &'w mut dyn Sink) -> Result<RunWriter<'w, W>, WriteError> {
        if !rehearsal.is_ready() {
            return Err(WriteError::Unrehearsed);
        }
        let Rehearsal { survey, .. } = rehearsal;
        let Survey { rules, mut options, needs_elf, target_facts, identifiers, .. } = survey;
        if options.versions == Versions::ElfIfNeeded && needs_elf {
            options.versions = Versions::Both;
        }
        let mut writer = Writer::with_reports(out, &rules, &options, Reports::Held(Vec::new()))?;
        writer.rename(identifiers.into_renaming(&target_facts.absent));
        let (partial, first_pointers) = (options.partial, FirstPointers::default());
        Ok(RunWriter {
            writer,
            target_facts: Arc::new(target_facts),
            sink,
            first_pointers,
            start: None,
            partial,
            ended: false,
        })
    }

    /// Writes the next run of the document. If `schema_override` is set, its schema is written instead of the
    /// document's own. Losses are reported at their places in the input.
    ///
    /// # Errors
    ///
    /// Returns the errors of the output, and [`WriteError::Incomplete`] if the rules stopped the reading in this run.
    pub fn run(
        &mut self,
        run: &Document<'_>,
        schema_override: Option<&SchemaOverride<'_>>,
    ) -> Result<(), WriteError> {
        self.start_run(run.is_complete())?;
        let RunWriter { writer, target_facts, sink, first_pointers, start, .. } = self;
        first_pointers.add_run(run, writer);
        let mut transcriber = RunTranscriber::new(run, schema_override, target_facts, writer, &mut **sink)
            .with_first_pointers(first_pointers);
        // Invalid lines may come before the header, so the header may be in a later run.
        if start.is_none() && !run.is_empty() {
            let span = run.head().map_or_else(Span::default, Node::span);
            let mut locator = run.locator();
            *start = Some((locator.place(span), locator.excerpt(span)));
            let preamble = transcriber.convert_preamble();
            transcriber.write_header(&preamble)?;
        }
        transcriber.write_structures()
    }

    /// Starts the next run. Fails if its reading was stopped and the options do not allow a partial document.
    pub(super) fn start_run(&mut self, is_complete: bool) -> Result<(), WriteError> {
        self.ended |= !is_complete && !self.partial;
        if self.ended { Err(WriteError::Incomplete) } else { Ok(()) }
    }

    /// Reports and counts something in the input that cannot be written. `excerpt` is its line.
    pub fn lose(&mut self, code: Code, message: String, place: Place, excerpt: Option<&Excerpt>) {
        self.writer.lose(code, message);
        for (finding, _) in self.writer.reports.take() {
            self.sink.report(finding.at(place, excerpt.cloned()));
        }
    }

    /// Writes the trailer and returns the summary, which counts the losses of all runs.
    ///
    /// # Errors
    ///
    /// Returns the errors of the output. Returns [`WriteError::Incomplete`] if a run was not written, so that the
    /// trailer is missing. Returns [`WriteError::Empty`] if no run had a line.
    pub fn finish(mut self) -> Result<Summary, WriteError> {
        if self.ended {
            return Err(WriteError::Incomplete);
        }
        let Some((place, excerpt)) = self.start else { return Err(WriteError::Empty) };
        let summary = self.writer.write_end()?;
        // The remaining findings are about the whole file.
        for (finding, _) in self.writer.reports.take() {
            self.sink.report(finding.at(place, excerpt.clone()));
        }
        Ok(summary)
    }
}
