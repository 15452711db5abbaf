//! A typed document in runs of whole records, in memory that does not grow with it.

use crate::column::TypeColumn;
use crate::document::resolver;
use crate::ids::TypeId;
use crate::read_options::ReadOptions;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::tally::{UndefinedTag, UndefinedTally};
use crate::typing::{column, counts, is_of, with_subtypes};
use crate::undefined::{self, UndefinedTags};
use crate::values;
use elf_base::{Rules, Sink};
use elf_tagged::{Document, Node, RunOutcome, UnreadRun};
use elf_values::{Datatype, Value};
use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

/// Reads a typed document run by run, as [`elf_tagged::Reader`] reads one of tagged structures.
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
    /// The run that the last one handed out borrows from.
    current: Option<UnreadRun>,
    is_reported: bool,
}

/// Gives the structures of runs their types. The first run that it reads has the header, from which it learns
/// the schema in force; after that, [clones](RunTyper::for_thread) can read further runs on other threads.
#[derive(Clone)]
pub struct RunTyper<'e> {
    options: ReadOptions<'e>,
    started: Option<StartedTyper>,
    /// True if the tags without a type were reported.
    has_reported: bool,
}

/// What the header told.
#[derive(Clone)]
struct StartedTyper {
    resolver: Resolver,
    finder: UndefinedTags,
}

/// Tags without a type that were found in one run: for [`RunTyper::report_undefined`].
pub type UndefinedInRun = Vec<UndefinedTag<TypeId>>;

impl<'e> RunTyper<'e> {
    /// Makes a typer that has read nothing yet.
    pub const fn new(options: ReadOptions<'e>) -> RunTyper<'e> {
        RunTyper { options, started: None, has_reported: false }
    }

    /// Returns a typer for runs that are read on another thread. `None` until the schema is known, and where
    /// types depend on the order in which structures are met: where the schema is so large that a limit on the
    /// work of following supertypes may be reached.
    pub fn for_thread(&self) -> Option<RunTyper<'e>> {
        let started = self.started.as_ref().filter(|started| started.resolver.never_gives_up())?;
        let finder = started.finder.anew();
        let started = StartedTyper { resolver: started.resolver.clone(), finder };
        Some(RunTyper { options: self.options.clone(), started: Some(started), has_reported: false })
    }

    /// Returns the resolver of types, once a run was read.
    pub fn resolver(&self) -> Option<&Resolver> {
        self.started.as_ref().map(|started| &started.resolver)
    }

    /// Reads a run and types its structures. Findings about it go to `sink`.
    ///
    /// # Errors
    ///
    /// Those of [`UnreadRun::read`].
    pub fn read<'p>(
        &'p mut self,
        run: &'p UnreadRun,
        sink: &mut dyn Sink,
    ) -> io::Result<(Run<'p>, UndefinedInRun, RunOutcome)> {
        let (document, outcome) = run.read_with(&self.options, sink)?;
        let options = &self.options;
        let StartedTyper { resolver, finder } = self.started.get_or_insert_with(|| {
            let resolver = resolver(&document, options, sink);
            let finder = UndefinedTags::by_options(&resolver, options);
            StartedTyper { resolver, finder }
        });
        let column = column(&document, resolver, Some((&mut *finder, &mut *sink)));
        let mut undefined = finder.of_run(resolver);
        if run.is_whole() {
            let mut tally = UndefinedTally::default();
            tally.take(std::mem::take(&mut undefined));
            undefined::report(tally, resolver, document.rules(), sink);
            self.has_reported = true;
        }
        if options.check_values {
            values::report(&document, &column, resolver.schema(), sink);
        }
        let (number, is_whole) = (run.number(), run.is_whole());
        Ok((Run { document, resolver, column, number, is_whole }, undefined, outcome))
    }

    /// Reports the tags without a type of all runs, after the last run. One run that is the whole document has
    /// reported its own.
    pub fn report_undefined(&mut self, tally: UndefinedTally<TypeId>, rules: &Rules, sink: &mut dyn Sink) {
        if let Some(started) = &mut self.started
            && !self.has_reported
        {
            undefined::report(tally, &mut started.resolver, rules, sink);
        }
    }
}

impl<'e, R: Read> Reader<'e, R> {
    /// Reads `input` by `rules`.
    pub fn new(input: R, rules: &Rules, options: ReadOptions<'e>) -> Reader<'e, R> {
        Reader::of(elf_tagged::Reader::new(input, rules, &options.octets), options)
    }

    /// Types what `reader` reads.
    pub fn of(reader: elf_tagged::Reader<R>, options: ReadOptions<'e>) -> Reader<'e, R> {
        Reader {
            reader,
            typer: RunTyper::new(options),
            tally: UndefinedTally::default(),
            current: None,
            is_reported: false,
        }
    }

    /// Sets the length of the runs to about `octets`.
    #[must_use]
    pub fn with_run_size(self, octets: usize) -> Reader<'e, R> {
        Reader { reader: self.reader.with_run_size(octets), ..self }
    }

    /// Returns the reader of tagged structures below.
    pub const fn tagged(&self) -> &elf_tagged::Reader<R> {
        &self.reader
    }

    /// Returns the schema in force, once a run was read.
    pub fn schema(&self) -> Option<&Arc<Schema>> {
        self.resolver().map(Resolver::schema)
    }

    /// Returns the resolver of types, once a run was read.
    pub fn resolver(&self) -> Option<&Resolver> {
        self.typer.resolver()
    }

    /// Reads the next run; `None` after the last, and where `sink` [has enough](Sink::has_enough).
    ///
    /// # Errors
    ///
    /// Those of [`elf_tagged::Reader::next_run`].
    pub fn next_run(&mut self, sink: &mut dyn Sink) -> io::Result<Option<Run<'_>>> {
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
        self.tally.take(undefined);
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

/// Some whole records of a document, with the types of their structures. The first run has the metadata too.
#[derive(Debug)]
pub struct Run<'r> {
    document: Document<'r>,
    resolver: &'r Resolver,
    column: TypeColumn,
    number: usize,
    is_whole: bool,
}

impl Run<'_> {
    /// Returns the number of the run in the document, from 0.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Tells whether the run is the whole document, so that its pointers are resolved.
    pub const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The records as a document of tagged structures.
    pub const fn document(&self) -> &Document<'_> {
        &self.document
    }

    /// The schema in force.
    pub fn schema(&self) -> &Arc<Schema> {
        self.resolver.schema()
    }

    /// The number of the type of a structure of this run; numbers mean the same in all runs that one reader
    /// reads. `None` for a structure of another run.
    pub fn type_id(&self, node: Node<'_>) -> Option<TypeId> {
        let of = self.column.get(node.id().index());
        of.filter(|_| std::ptr::eq(node.document(), self.document()))
    }

    /// The IRI of the type of a structure of this run.
    pub fn type_of(&self, node: Node<'_>) -> Option<&str> {
        self.resolver.iri(self.type_id(node)?)
    }

    /// The datatype of the payload of a structure of this run; see
    /// [`TypedDocument::datatype`](crate::TypedDocument::datatype).
    pub fn datatype(&self, node: Node<'_>) -> Datatype {
        values::datatype(node, self.resolver.schema(), self.type_id(node))
    }

    /// The value of the payload of a structure of this run; see
    /// [`TypedDocument::value`](crate::TypedDocument::value).
    pub fn value<'d>(&self, node: Node<'d>) -> Option<Value<'d>> {
        std::ptr::eq(node.document(), self.document()).then(|| values::value(node, self.datatype(node)))?
    }

    /// Returns the resolver that gives types their numbers.
    pub const fn resolver(&self) -> &Resolver {
        self.resolver
    }

    /// Counts the structures of each type, in the order in which the types are met.
    pub fn counts(&self) -> impl Iterator<Item = (TypeId, u64)> {
        counts(&self.column)
    }

    /// All structures of this run of that type or an eventual subtype of it, in document order.
    pub fn of_type(&self, iri: &str) -> impl Iterator<Item = Node<'_>> {
        let resolver = &self.resolver;
        let wanted = with_subtypes(resolver.schema(), resolver.type_of(iri), resolver.type_count());
        self.document.structures().filter(move |node| is_of(*node, &self.column, &wanted))
    }
}
