//! Parts on their way to several threads and back, whatever is made of them: each thread leaves its result in
//! a slot, and only the number of that is handed on, so that all this is compiled once.

use elf_tagged::UnreadPart;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

/// The parts of a document, to be read on any thread.
pub(super) trait UnreadParts {
    fn next_unread(&mut self) -> io::Result<Option<UnreadPart>>;

    /// Takes the result that stands in a slot.
    fn take(&mut self, slot: usize) -> io::Result<()>;

    /// Takes back the room of a part that is no longer needed.
    fn recycle(&mut self, part: UnreadPart);

    /// The number of parts that were handed out and whose turn has not come.
    fn pending(&self) -> u64;

    fn is_done(&self) -> bool;
}

/// Reads a part and leaves the result in the slot of that number.
pub(super) type ReadToSlot<'r> = Box<dyn FnMut(&UnreadPart, usize) -> io::Result<()> + Send + 'r>;

/// A part that was read, the slot of its result, and whether it is there.
type ReadPart = (UnreadPart, usize, io::Result<()>);

/// Starts a thread of a scope, if there is one to be had.
pub(crate) fn start<'s>(
    scope: &'s Scope<'s, '_>,
    work: Box<dyn FnOnce() + Send + 's>,
) -> Option<ScopedJoinHandle<'s, ()>> {
    thread::Builder::new().spawn_scoped(scope, work).ok()
}

/// Reads all parts that are left, each thread by one of `readers`, with so many slots.
pub(super) fn read(
    parts: &mut dyn UnreadParts,
    readers: Vec<ReadToSlot<'_>>,
    slots: usize,
) -> io::Result<()> {
    let (jobs, waiting) = mpsc::channel::<(UnreadPart, usize)>();
    let waiting = Mutex::new(waiting);
    let (done, results) = mpsc::channel::<ReadPart>();
    thread::scope(|scope| {
        // Dropped when this ends, be it early: then the threads end too.
        let jobs = jobs;
        // With as many as there are to be had; without any, whoever called reads on alone.
        let mut more = false;
        for read in readers {
            let (waiting, done) = (&waiting, done.clone());
            if start(scope, Box::new(move || work(read, waiting, &done))).is_none() {
                break;
            }
            more = true;
        }
        drop(done);
        let mut free: Vec<usize> = (0..slots).collect();
        let (mut reading, mut failure) = (0_usize, None);
        loop {
            while more
                && parts.pending() < slots as u64
                && let Some(slot) = free.pop()
            {
                more = parts.next_unread()?.is_some_and(|part| jobs.send((part, slot)).is_ok());
                reading += usize::from(more);
            }
            if reading == 0 || parts.is_done() {
                return Ok(());
            }
            let Ok((part, slot, result)) = results.recv() else { return Ok(()) };
            reading -= 1;
            parts.recycle(part);
            match result {
                Ok(()) => parts.take(slot)?,
                // Parts before it may have to be taken yet.
                Err(error) => (more, failure) = (false, failure.or(Some(error))),
            }
            free.push(slot);
            if reading == 0
                && !parts.is_done()
                && let Some(error) = failure.take()
            {
                return Err(error);
            }
        }
    })
}

/// Reads parts as they come, until there are no more or nobody wants them.
fn work(mut read: ReadToSlot<'_>, waiting: &Mutex<Receiver<(UnreadPart, usize)>>, done: &Sender<ReadPart>) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((part, slot)) = next else { return };
        // Whoever waits for the part must hear of it, whatever becomes of the thread.
        let result = panic::catch_unwind(AssertUnwindSafe(|| read(&part, slot)));
        let result =
            result.unwrap_or_else(|_| Err(io::Error::other("a thread that read a part of it ended")));
        if done.send((part, slot, result)).is_err() {
            return;
        }
    }
}
