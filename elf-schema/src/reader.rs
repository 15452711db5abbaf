//! Reads a typed document in runs of whole records, so that memory does not grow with the file.

use crate::document::{TypedDocument, new_resolver};
use crate::ids::TypeId;
use crate::read_options::ReadOptions;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::tally::{UndefinedTag, UndefinedTally};
use crate::typing::{Typing, find_types};
use crate::undefined::{self, UndefinedTags};
use elf_base::{Rules, Sink};
use elf_tagged::{Document, RunOutcome, RunStart, UnreadRun};
use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

/// Reads a typed document in runs, like [`elf_tagged::Reader`] for tagged structures.
///
/// Tags without a type are reported after the last run.
///
/// ```
/// use elf_schema::{ReadOptions, Reader, Rules};
///
/// let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n";
/// let mut reader = Reader::new(file, &Rules::WILD, ReadOptions::default());
/// let mut names = 0;
/// while let Some(run) = reader.next_run(&mut ())? {
///     names += run.of_type("https://terms.fhiso.org/elf/INDIVIDUAL_RECORD").count();
/// }
/// assert!(names <= 1 && reader.tagged().is_complete());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Reader<'e, R> {
    reader: elf_tagged::Reader<R>,
    typer: RunTyper<'e>,
    tally: UndefinedTally<TypeId>,
    /// The run that the last returned document borrows from.
    current: Option<UnreadRun>,
    is_reported: bool,
}

/// Finds the types of the structures in runs. It learns the schema from the first run, which has the header; after
/// that, [copies](RunTyper::for_thread) can read further runs on other threads.
#[derive(Clone)]
pub struct RunTyper<'e> {
    options: ReadOptions<'e>,
    started: Option<StartedTyper>,
    has_reported: bool,
}

/// What is known after the header.
#[derive(Clone)]
struct StartedTyper {
    /// Shared with the last run.
    resolver: Arc<Resolver>,
    finder: UndefinedTags,
}

/// The unknown tags of one run. Pass them to [`RunTyper::report_undefined`].
pub type UndefinedInRun = Vec<UndefinedTag<TypeId>>;

impl<'e> RunTyper<'e> {
    /// Creates a typer that has not read a run.
    pub const fn new(options: ReadOptions<'e>) -> RunTyper<'e> {
        RunTyper { options, started: None, has_reported: false }
    }

    /// Returns a typer for another thread. `None` until the schema is known, and if the schema is so large that its
    /// types may depend on the order of the structures.
    pub fn for_thread(&self) -> Option<RunTyper<'e>> {
        let started = self.started.as_ref().filter(|started| started.resolver.never_gives_up())?;
        let finder = started.finder.new_empty();
        let started = StartedTyper { resolver: Arc::clone(&started.resolver), finder };
        Some(RunTyper { options: self.options.clone(), started: Some(started), has_reported: false })
    }

    /// Returns the resolver of types; `None` before the first run.
    pub fn resolver(&self) -> Option<&Resolver> {
        self.started.as_ref().map(|started| &*started.resolver)
    }

    /// Reads a run and finds the types of its structures. Findings go to `sink`.
    ///
    /// # Errors
    ///
    /// The same as [`UnreadRun::read`].
    pub fn read<'p>(
        &mut self,
        run: &'p UnreadRun,
        sink: &mut dyn Sink,
    ) -> io::Result<(TypedDocument<'p>, UndefinedInRun, RunOutcome)> {
        let (document, outcome) = run.read_with(&self.options, sink)?;
        let (typed, undefined) = self.type_document(document, sink);
        Ok((typed, undefined, outcome))
    }

    /// Types the structures of a document or run. Findings go to `sink`.
    pub(crate) fn type_document<'d>(
        &mut self,
        document: Document<'d>,
        sink: &mut dyn Sink,
    ) -> (TypedDocument<'d>, UndefinedInRun) {
        let options = &self.options;
        let StartedTyper { resolver: shared, finder } = self.started.get_or_insert_with(|| {
            let resolver = new_resolver(&document, options, sink);
            let finder = UndefinedTags::by_options(&resolver, options);
            StartedTyper { resolver: Arc::new(resolver), finder }
        });
        // Copied only if an earlier run is still in use.
        let resolver = Arc::make_mut(shared);
        let column = find_types(&document, resolver, Some((&mut *finder, &mut *sink)));
        let mut undefined = finder.take_run(resolver);
        if document.is_whole() {
            let mut tally = UndefinedTally::default();
            tally.add_run(std::mem::take(&mut undefined));
            undefined::report_undefined_tags(tally, resolver, document.rules(), sink);
            self.has_reported = true;
        }
        let typing = Typing::of(&document, Arc::clone(shared), column);
        if options.check_values {
            typing.report_values(&document, sink);
        }
        (TypedDocument::of(document, typing), undefined)
    }

    /// Reports the unknown tags of all runs, after the last run. A run that is the whole document reports its own.
    pub fn report_undefined(&mut self, tally: UndefinedTally<TypeId>, rules: &Rules, sink: &mut dyn Sink) {
        if let Some(started) = &mut self.started
            && !self.has_reported
        {
            undefined::report_undefined_tags(tally, Arc::make_mut(&mut started.resolver), rules, sink);
        }
    }
}

impl<'e, R: Read> Reader<'e, R> {
    /// Creates a reader of `input` under `rules`.
    pub fn new(input: R, rules: &Rules, options: ReadOptions<'e>) -> Reader<'e, R> {
        Reader::of(elf_tagged::Reader::new(input, rules, &options.octets), options)
    }

    /// Creates a reader that finds the types of the structures that `reader` returns.
    pub fn of(reader: elf_tagged::Reader<R>, options: ReadOptions<'e>) -> Reader<'e, R> {
        Reader {
            reader,
            typer: RunTyper::new(options),
            tally: UndefinedTally::default(),
            current: None,
            is_reported: false,
        }
    }

    /// Sets the approximate size of a run in bytes.
    #[must_use]
    pub fn with_run_size(self, octets: usize) -> Reader<'e, R> {
        Reader { reader: self.reader.with_run_size(octets), ..self }
    }

    /// Skips to a run, like [`elf_tagged::Reader::skip_to`].
    pub fn skip_to(&mut self, input: R, start: RunStart) {
        self.reader.skip_to(input, start);
    }

    /// Returns the underlying reader of tagged structures.
    pub const fn tagged(&self) -> &elf_tagged::Reader<R> {
        &self.reader
    }

    /// Returns the schema; `None` before the first run.
    pub fn schema(&self) -> Option<&Arc<Schema>> {
        self.resolver().map(Resolver::schema)
    }

    /// Returns the resolver of types; `None` before the first run.
    pub fn resolver(&self) -> Option<&Resolver> {
        self.typer.resolver()
    }

    /// Reads the next run; `None` after the last one, and if `sink` [has enough](Sink::has_enough).
    ///
    /// # Errors
    ///
    /// The same as [`elf_tagged::Reader::next_run`].
    pub fn next_run(&mut self, sink: &mut dyn Sink) -> io::Result<Option<TypedDocument<'_>>> {
        if let Some(run) = self.current.take() {
            self.reader.recycle(run);
        }
        if sink.has_enough() {
            return Ok(None);
        }
        let Some(unread) = self.reader.next_unread()? else {
            if !std::mem::replace(&mut self.is_reported, true) {
                let rules = *self.reader.rules();
                self.typer.report_undefined(std::mem::take(&mut self.tally), &rules, sink);
            }
            return Ok(None);
        };
        let (run, undefined, outcome) = self.typer.read(self.current.insert(unread), sink)?;
        self.tally.add_run(undefined);
        self.reader.take(outcome, sink);
        Ok(Some(run))
    }
}

impl<R: fmt::Debug> fmt::Debug for Reader<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("reader", &self.reader).finish_non_exhaustive()
    }
}

impl fmt::Debug for RunTyper<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunTyper").finish_non_exhaustive()
    }
}
