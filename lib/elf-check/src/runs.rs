//! Reads a file with types in runs of whole records, on all threads.

use crate::threads::share;
pub use crate::threads::thread_count;
use elf_base::Sink;
use elf_schema::tally::UndefinedTally;
use elf_schema::{ReadOptions, Resolver, RunTyper, TypeId, TypedDocument, UndefinedInRun};
use elf_tagged::{Document, RunOutcome, UnreadRun};
use std::io::{self, Read};

/// The size in bytes of the runs that checks and conversions read. The size is smaller than
/// [`Reader::RUN_SIZE`](elf_tagged::Reader::RUN_SIZE), so that the text and the tree of a run fit into the cache of a
/// core.
pub const CACHED_RUN_SIZE: usize = 1 << 18;

/// The number of runs that each thread reads before the results are handed out.
const RUNS_PER_WORKER: usize = 4;

/// An input that can be read again from its start.
pub trait Restart {
    /// Returns the input, from its start.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be opened or rewound.
    fn restart(&mut self) -> io::Result<Box<dyn Read + '_>>;
}

impl Restart for &[u8] {
    fn restart(&mut self) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(*self))
    }
}

/// The reason why reading failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The input could not be read.
    #[error("{0}")]
    Read(io::Error),
    /// The result of a run could not be written.
    #[error("{0}")]
    Write(io::Error),
}

impl From<io::Error> for RunError {
    fn from(error: io::Error) -> RunError {
        RunError::Read(error)
    }
}

impl From<RunError> for io::Error {
    fn from(error: RunError) -> io::Error {
        match error {
            RunError::Read(error) | RunError::Write(error) => error,
        }
    }
}

/// Reads a file with types run by run, on the threads of the current rayon pool. The results come in the order of the
/// file.
///
/// ```
/// use elf_check::runs::RunReader;
/// use elf_schema::ReadOptions;
/// use elf_tagged::{Options, Reader, Rules};
///
/// let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n0 @I2@ INDI\n0 @N1@ NOTE\n0 TRLR\n";
/// let reader = Reader::new(file, &Rules::WILD, &Options::default()).with_run_size(1);
/// let mut people = 0;
/// let count = |run: &elf_schema::TypedDocument<'_>, ()| run.document().records().filter(|one| one.tag() == "INDI").count();
/// let mut runs = RunReader::new(reader, ReadOptions::default());
/// runs.for_each(|| (), count, |some, _| Ok(people += some), &mut ())?;
/// assert!(people == 2 && runs.tagged().is_complete());
/// # Ok::<(), elf_check::runs::RunError>(())
/// ```
pub struct RunReader<'e, R> {
    reader: elf_tagged::Reader<R>,
    typer: RunTyper<'e>,
    tally: UndefinedTally<TypeId>,
}

/// The result of a run, and the facts about the run that the reader needs.
type ReadRun<T> = io::Result<(T, UndefinedInRun, RunOutcome)>;

impl<'e, R: Read> RunReader<'e, R> {
    /// Creates a reader that finds the types of the structures which `reader` returns.
    pub fn new(reader: elf_tagged::Reader<R>, options: ReadOptions<'e>) -> RunReader<'e, R> {
        RunReader { reader, typer: RunTyper::new(options), tally: UndefinedTally::default() }
    }

    /// Returns the reader of tagged structures that this reader uses.
    pub const fn tagged(&self) -> &elf_tagged::Reader<R> {
        &self.reader
    }

    /// Returns the reader of tagged structures that this reader used. Call this after the last run.
    pub fn into_tagged(self) -> elf_tagged::Reader<R> {
        self.reader
    }

    /// Returns the resolver of types. Returns `None` before the first run.
    pub fn resolver(&self) -> Option<&Resolver> {
        self.typer.resolver()
    }

    /// Reads all runs. For each run, `new_sink` creates a sink for its findings, `make` computes a result on any
    /// thread, and `take` receives the results in the order of the file. Findings about the whole file go to `late`,
    /// after the last run.
    ///
    /// # Errors
    ///
    /// Returns [`RunError::Read`] if the input cannot be read, and [`RunError::Write`] if `take` fails.
    pub fn for_each<S: Sink, T: Send>(
        &mut self,
        new_sink: impl Fn() -> S + Sync,
        make: impl Fn(&TypedDocument<'_>, S) -> T + Sync,
        mut take: impl FnMut(T, &elf_tagged::Reader<R>) -> io::Result<()>,
        late: &mut dyn Sink,
    ) -> Result<(), RunError> {
        let read = |typer: &mut RunTyper<'e>, run: &UnreadRun| -> ReadRun<T> {
            let mut sink = new_sink();
            let (run, undefined, outcome) = typer.read(run, &mut sink)?;
            Ok((make(&run, sink), undefined, outcome))
        };
        // Read the first runs one by one, until the header and its schema are known.
        let mut typers = Vec::new();
        while typers.is_empty()
            && let Some(run) = self.reader.next_unread()?
        {
            let (made, undefined, outcome) = read(&mut self.typer, &run)?;
            self.tally.add_run(undefined);
            take(made, &self.reader).map_err(RunError::Write)?;
            self.reader.take(outcome, late);
            self.reader.recycle(run);
            if self.reader.knows_header() && !self.reader.is_done() {
                typers = self.new_typers();
            }
        }
        let tally = &mut self.tally;
        read_runs(
            &mut self.reader,
            &mut typers,
            |typer, run| read(typer, run).map(|(made, undefined, outcome)| ((made, undefined), outcome)),
            |(made, undefined), reader| {
                tally.add_run(undefined);
                take(made, reader).map_err(RunError::Write)
            },
            late,
        )?;
        let rules = *self.reader.rules();
        self.typer.report_undefined(std::mem::take(&mut self.tally), &rules, late);
        Ok(())
    }

    /// Returns a typer for each thread. Returns an empty list if there is only one thread, or if types depend on the
    /// order of structures.
    fn new_typers(&self) -> Vec<RunTyper<'e>> {
        let threads = thread_count();
        if threads < 2 { Vec::new() } else { (0..threads).map_while(|_| self.typer.for_thread()).collect() }
    }
}

/// Reads the rest of a document whose header is known. Each of `workers` processes a part of the runs on its own
/// thread. `take` receives the results in the order of the file. Findings about the whole document go to `late`.
///
/// # Errors
///
/// Returns an error if reading or `take` fails.
pub fn read_runs<R: Read, W: Send, T: Send, E: From<io::Error>>(
    reader: &mut elf_tagged::Reader<R>,
    workers: &mut [W],
    read: impl Fn(&mut W, &UnreadRun) -> io::Result<(T, RunOutcome)> + Sync,
    mut take: impl FnMut(T, &elf_tagged::Reader<R>) -> Result<(), E>,
    late: &mut dyn Sink,
) -> Result<(), E> {
    while !reader.is_done() && !workers.is_empty() {
        let mut runs = Vec::new();
        while runs.len() < RUNS_PER_WORKER * workers.len()
            && let Some(run) = reader.next_unread()?
        {
            runs.push(run);
        }
        if runs.is_empty() {
            break;
        }
        for made in share(&runs, workers, &read) {
            if reader.is_done() {
                break;
            }
            let (made, outcome) = made?;
            take(made, reader)?;
            reader.take(outcome, late);
        }
        runs.into_iter().for_each(|run| reader.recycle(run));
    }
    Ok(())
}

/// Reads all runs without types. For each run, `make` computes a result on any thread, and `take` receives the results
/// in the order of the file. Findings about single runs are dropped. Findings about the whole file go to `late`.
///
/// # Errors
///
/// Returns an error if reading fails.
pub fn survey_runs<R: Read, T: Send>(
    reader: &mut elf_tagged::Reader<R>,
    make: impl Fn(&Document<'_>) -> T + Sync,
    mut take: impl FnMut(T),
    late: &mut dyn Sink,
) -> io::Result<()> {
    while !reader.knows_header()
        && let Some(run) = reader.next_unread()?
    {
        let (document, outcome) = run.read(&mut ())?;
        take(make(&document));
        drop(document);
        reader.take(outcome, late);
        reader.recycle(run);
    }
    let read = |(): &mut (), run: &UnreadRun| {
        let (document, outcome) = run.read(&mut ())?;
        Ok((make(&document), outcome))
    };
    let mut workers = vec![(); thread_count()];
    let take = |made, _: &elf_tagged::Reader<R>| {
        take(made);
        Ok::<(), io::Error>(())
    };
    read_runs(reader, &mut workers, read, take, late)
}
