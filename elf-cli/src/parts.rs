//! Reading the parts of a large file on several threads: the only file that starts any for work.
//!
//! The thread that calls reads the file, divides it, and takes the results in the order of the file; the
//! others read the parts. So what comes out does not depend on how many there are. At most a few parts are on
//! the way at any time, which bounds the memory.

use crate::io::Large;
use elf_base::{Rules, Sink};
use elf_schema::{Part, PartReader, ReadOptions, Reader};
use elf_tagged::escape::EscapeSource;
use elf_tagged::write::{EncodedPart, PartEncoder, WriteError};
use elf_tagged::{Document, Options, PartError, UnreadPart, XrefReader, Xrefs};
use std::io::{self, Read, Seek};
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The size of a part, in octets: large enough that handing it over does not count, small enough that its
/// text and its nodes stay in the cache of a core.
pub(crate) const PART: usize = 1 << 18;

/// The number of parts on the way for each thread: one that it reads, and one that waits for it.
const EACH: usize = 2;

/// Returns the number of threads to use: `asked`, or as many as the machine has cores.
pub(crate) fn threads(asked: Option<NonZero<usize>>) -> usize {
    asked.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get)
}

/// The input, to be read from its start; and what only the whole of it shows of its identifiers, where
/// reading it in parts takes that: it is read once for that alone.
pub(crate) fn with_xrefs(
    input: Large,
    rules: &Rules,
    options: &Options,
    threads: usize,
) -> io::Result<(Box<dyn Read>, Option<Xrefs>)> {
    if !Xrefs::are_needed(rules) {
        return Ok((input.into_read(), None));
    }
    let mut file = input.into_file()?;
    let xrefs = xrefs(|| Ok(&mut file), rules, options, threads)?;
    file.rewind()?;
    Ok((Box::new(file), xrefs))
}

/// Returns a reader of `input`, with its irregular identifiers where it has been read for them.
pub(crate) fn reader<'o, R: Read>(
    input: R,
    rules: &Rules,
    options: ReadOptions<'o>,
    xrefs: Option<impl Into<Arc<Xrefs>>>,
) -> Reader<'o, R> {
    let reader = match xrefs {
        Some(xrefs) => Reader::with_xrefs(input, options, xrefs),
        None => Reader::new(input, rules, options),
    };
    reader.with_part_size(PART)
}

/// Reads an input for what only the whole of it shows of its identifiers, where reading it in parts by these
/// rules takes that.
pub(crate) fn xrefs<R: Read>(
    input: impl FnOnce() -> io::Result<R>,
    rules: &Rules,
    options: &Options,
    threads: usize,
) -> io::Result<Option<Xrefs>> {
    let are_needed = Xrefs::are_needed(rules).then_some(());
    let read = |()| read_xrefs(XrefReader::new(input()?, rules, options).with_part_size(PART), threads);
    are_needed.map(read).transpose()
}

/// Reads all parts for the irregular identifiers of the document alone.
fn read_xrefs<R: Read>(mut reader: XrefReader<R>, threads: usize) -> io::Result<Xrefs> {
    survey(&mut reader, threads, |_| (), |()| ())?;
    reader.into_xrefs()
}

/// Reads all parts to find out the irregular identifiers of the document, and what is asked of them besides:
/// `see` makes it of each, `fold` gets it in the order of the file. Nothing is reported.
pub(crate) fn survey<R: Read, T: Send>(
    reader: &mut XrefReader<R>,
    threads: usize,
    see: impl Fn(&Document<'_>) -> T + Sync,
    mut fold: impl FnMut(T),
) -> io::Result<()> {
    let mut undivided = threads > 1;
    loop {
        if undivided && let Some(divided) = reader.divide() {
            undivided = false;
            let see = &see;
            let read =
                |part: &UnreadPart| part.read(&mut ()).map(|(document, outcome)| (see(&document), outcome));
            divide(divided, vec![read; threads], &mut fold, &mut ())?;
        }
        match reader.next_part()? {
            Some(part) => fold(see(&part)),
            None => return Ok(()),
        }
    }
}

/// Reads all parts for their structures alone: `see` makes of each what is asked, `fold` gets it in the order
/// of the file. Nothing is reported.
pub(crate) fn look<R: Read, T: Send>(
    reader: &mut elf_tagged::Reader<R>,
    escapes: &(dyn EscapeSource + Sync),
    threads: usize,
    see: impl Fn(&Document<'_>) -> T + Sync,
    mut fold: impl FnMut(T),
) -> io::Result<()> {
    loop {
        if let Some(divided) = reader.divide() {
            let see = &see;
            let read = |part: &UnreadPart| {
                part.read_with(escapes, &mut ()).map(|(document, outcome)| (see(&document), outcome))
            };
            divide(divided, vec![read; threads.max(1)], &mut fold, &mut ())?;
        }
        match reader.next_part_with(escapes, &mut ())? {
            Some(part) => fold(see(&part)),
            None => return Ok(()),
        }
    }
}

/// Reads all parts that can be read apart, and encodes each on a thread of its own encoder; `put` gets it in
/// the order of the file, with its findings. What only the whole file shows goes to `sink`.
pub(crate) fn encode<R: Read, S: Sink + Default + Send, E: From<io::Error> + From<WriteError>>(
    reader: &mut elf_tagged::Reader<R>,
    encoders: Vec<PartEncoder>,
    mut put: impl FnMut(EncodedPart, S) -> Result<(), E>,
    sink: &mut dyn Sink,
) -> Result<(), E> {
    let Some(divided) = reader.divide() else { return Ok(()) };
    let has_failed = AtomicBool::new(false);
    let read = |mut encoder: PartEncoder| {
        let has_failed = &has_failed;
        move |part: &UnreadPart| {
            // Nothing is written behind what could not be.
            if has_failed.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let mut findings = S::default();
            let (document, outcome) = part.read(&mut findings)?;
            Ok(((encoder.encode(&document), findings), outcome))
        }
    };
    let mut written = Ok(());
    let mut fold = |(part, findings): (Result<EncodedPart, WriteError>, S)| {
        if written.is_ok() {
            written = part.map_err(E::from).and_then(|part| put(part, findings));
            has_failed.store(written.is_err(), Ordering::Relaxed);
        }
    };
    let read = divide(divided, encoders.into_iter().map(read).collect(), &mut fold, sink);
    written.and_then(|()| read.map_err(E::from))
}

/// Reads all parts. The findings of each go to a sink that `start` makes, on the thread that reads it; `see`
/// makes of a part and its sink what is asked, and of a sink alone behind the last part; `fold` gets that in
/// the order of the file. What only the whole file shows goes to `sink`, or into the sink behind the last
/// part.
///
/// Some parts only show that something is wrong in a part before.
pub(crate) fn read<R: Read, S: Sink, T: Send>(
    reader: &mut Reader<'_, R>,
    threads: usize,
    (start, see): (impl Fn() -> S + Sync, impl Fn(Option<&Part<'_>>, S) -> T + Sync),
    mut fold: impl FnMut(T),
    sink: &mut dyn Sink,
) -> io::Result<()> {
    loop {
        // The first part holds the header, as a rule.
        if let Some(divided) = reader.divide() {
            let (start, see) = (&start, &see);
            let read = |mut one: PartReader| {
                move |part: &UnreadPart| {
                    let mut findings = start();
                    let (typed, outcome) = one.read(part, &mut findings)?;
                    Ok((see(Some(&typed), findings), outcome))
                }
            };
            let readers = vec![divided.part_reader(); threads.max(1)];
            divide(divided, readers.into_iter().map(read).collect(), &mut fold, sink)?;
        }
        let mut findings = start();
        let part = reader.next_part(&mut findings)?;
        let is_last = part.is_none();
        fold(see(part.as_ref(), findings));
        if is_last {
            return Ok(());
        }
    }
}

/// A document whose parts can be read on any thread, to make a `T` of each.
trait PartSource<T> {
    /// The part of a result that concerns the whole file, not only the part.
    type PartOutcome: Send;

    fn next_unread(&mut self) -> io::Result<Option<UnreadPart>>;
    fn take(
        &mut self,
        outcome: Self::PartOutcome,
        value: T,
        sink: &mut dyn Sink,
        fold: impl FnMut(T, &mut dyn Sink),
    ) -> Result<(), PartError>;
    fn recycle(&mut self, part: UnreadPart);
    fn pending(&self) -> u64;
    fn is_done(&self) -> bool;
}

macro_rules! part_sources {
    ($($layer:ident),*) => { $(
        impl<R: Read, T> PartSource<T> for $layer::Divided<'_, R, T> {
            type PartOutcome = $layer::PartOutcome;

            fn next_unread(&mut self) -> io::Result<Option<UnreadPart>> {
                self.next_unread()
            }

            fn take(
                &mut self,
                outcome: Self::PartOutcome,
                value: T,
                sink: &mut dyn Sink,
                fold: impl FnMut(T, &mut dyn Sink),
            ) -> Result<(), PartError> {
                self.take(outcome, value, sink, fold)
            }

            fn recycle(&mut self, part: UnreadPart) {
                self.recycle(part);
            }

            fn pending(&self) -> u64 {
                self.pending()
            }

            fn is_done(&self) -> bool {
                self.is_done()
            }
        }
    )* };
}

part_sources!(elf_tagged, elf_schema);

/// The result of reading a part: the value made of it, and the outcome for the whole file.
type PartResult<T, M> = (UnreadPart, io::Result<(T, M)>);

/// Reads all parts that are left, each thread by one of `readers`; with one alone, whoever calls does.
fn divide<T: Send, D: PartSource<T>>(
    mut divided: D,
    mut readers: Vec<impl FnMut(&UnreadPart) -> io::Result<(T, D::PartOutcome)> + Send>,
    fold: &mut impl FnMut(T),
    sink: &mut dyn Sink,
) -> io::Result<()> {
    if readers.len() == 1
        && let Some(mut read) = readers.pop()
    {
        while !divided.is_done()
            && let Some(part) = divided.next_unread()?
        {
            let (seen, outcome) = read(&part)?;
            divided.take(outcome, seen, sink, |seen, _| fold(seen)).map_err(io::Error::other)?;
            divided.recycle(part);
        }
        return Ok(());
    }
    let most = readers.len() * EACH;
    let (jobs, waiting) = mpsc::channel::<UnreadPart>();
    let waiting = Mutex::new(waiting);
    let (done, results) = mpsc::channel();
    thread::scope(|scope| {
        // Dropped when this ends, be it early: then the threads end too.
        let jobs = jobs;
        let start = |read| {
            let (waiting, done) = (&waiting, done.clone());
            let work = move || work(read, waiting, &done);
            thread::Builder::new().spawn_scoped(scope, work).is_ok()
        };
        // With as many as there are to be had; without any, whoever called reads on alone.
        let started = readers.into_iter().map_while(|reader| start(reader).then_some(())).count();
        let most = if started == 0 { 0 } else { most };
        drop(done);
        let (mut more, mut reading, mut failure) = (most > 0, 0_u64, None);
        loop {
            while more && divided.pending() < most as u64 {
                more = divided.next_unread()?.is_some_and(|part| jobs.send(part).is_ok());
                reading += u64::from(more);
            }
            if reading == 0 || divided.is_done() {
                return Ok(());
            }
            let Ok((part, result)) = results.recv() else { return Ok(()) };
            reading -= 1;
            divided.recycle(part);
            match result {
                Ok((seen, outcome)) => {
                    divided.take(outcome, seen, sink, |seen, _| fold(seen)).map_err(io::Error::other)?;
                }
                // Parts before it may have to be taken yet.
                Err(error) => (more, failure) = (false, failure.or(Some(error))),
            }
            if reading == 0
                && !divided.is_done()
                && let Some(error) = failure.take()
            {
                return Err(error);
            }
        }
    })
}

/// A thread takes longer to start than a few parts to be looked through.
pub(crate) const FEW: usize = 8;

/// Makes something of each of so many numbers from 0, on so many threads at most; returns it in their order.
/// Each thread takes the next number as it is done with one, so that one which takes long keeps no other
/// waiting.
pub(crate) fn each<T: Send>(count: usize, threads: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = threads.min(count / FEW).max(1);
    let next = AtomicUsize::new(0);
    let (make, next) = (&make, &next);
    let work = move || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        numbers.take_while(|number| *number < count).map(|number| (number, make(number))).collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        // As many as there are to be had.
        let others: Vec<_> =
            (1..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let mut all: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
        let own = work();
        let made = others.into_iter().filter_map(|other| other.join().ok()).flatten();
        for (number, made) in own.into_iter().chain(made) {
            if let Some(entry) = all.get_mut(number) {
                *entry = Some(made);
            }
        }
        // What a thread that ended early took is made here.
        (0..).zip(all).map(|(number, made)| made.unwrap_or_else(|| make(number))).collect()
    })
}

/// Makes two things, at the same time if there are several threads and another one is to be had; `None` for
/// the second one where that thread ended early.
pub(crate) fn beside<A, B: Send>(
    threads: usize,
    one: impl FnOnce() -> A,
    other: impl FnOnce() -> B + Send,
) -> (A, Option<B>) {
    let waiting = Mutex::new(Some(other));
    let make_other = || {
        let make = waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        make.map(|make| make())
    };
    thread::scope(|scope| {
        let start = || thread::Builder::new().spawn_scoped(scope, make_other).ok();
        let thread = if threads > 1 { start() } else { None };
        let one = one();
        let other = thread.and_then(|thread| thread.join().ok()).flatten();
        (one, other.or_else(make_other))
    })
}

/// Reads parts as they come, until there are no more or nobody wants them.
fn work<T, M>(
    mut read: impl FnMut(&UnreadPart) -> io::Result<(T, M)>,
    waiting: &Mutex<Receiver<UnreadPart>>,
    done: &Sender<PartResult<T, M>>,
) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(part) = next else { return };
        // Whoever waits for the part must hear of it, whatever becomes of the thread.
        let result = panic::catch_unwind(AssertUnwindSafe(|| read(&part)));
        let result =
            result.unwrap_or_else(|_| Err(io::Error::other("a thread that read a part of it ended")));
        if done.send((part, result)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
#[path = "../tests/unit/parts.rs"]
mod tests;
