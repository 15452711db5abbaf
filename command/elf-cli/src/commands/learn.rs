//! Reading a file part by part to learn what it is, on several threads.

use crate::parts::{self, AnyRead};
use elf_base::{Diagnostic, Rules, Sink};
use elf_schema::{Part, ReadOptions, Reader};
use elf_tagged::Xrefs;
use std::cell::{Cell, RefCell};
use std::io::{self, Read};

/// The way in which a file is read.
#[derive(Clone, Copy)]
pub(super) struct Learning<'l> {
    pub(super) rules: &'l Rules,
    pub(super) options: &'l ReadOptions<'l>,
    pub(super) threads: usize,
}

/// A reader behind the last part.
pub(super) type DoneReader<'r, 'i> = Reader<'r, AnyRead<'i>>;

/// An input of which it is known how much was read.
struct Counted<'i> {
    input: &'i mut dyn Read,
    octets: &'i Cell<u64>,
}

impl Learning<'_> {
    /// Reads an input for what only the whole of it shows of its identifiers, where that is needed.
    pub(super) fn xrefs(self, input: impl Read) -> io::Result<Option<Xrefs>> {
        parts::xrefs(|| Ok(input), self.rules, &self.options.octets, self.threads)
    }

    /// Reads all parts of an input, whose irregular identifiers these are. `see` makes of each what is asked,
    /// on any thread; `take` gets that in the order of the file, and `finish` the reader at last. Findings go
    /// to `sink`. Returns what `finish` makes, and the size of the input in octets.
    pub(super) fn read<T: Send, R>(
        self,
        (input, xrefs): (&mut dyn Read, Option<Xrefs>),
        see: impl Fn(&Part<'_>) -> T + Sync,
        mut take: impl FnMut(T),
        finish: impl FnOnce(&DoneReader<'_, '_>) -> Option<R>,
        sink: &mut dyn Sink,
    ) -> io::Result<(R, u64)> {
        let octets = Cell::new(0);
        let counted = Counted { input: &mut *input, octets: &octets };
        let mut reader = parts::reader(counted, self.rules, self.options.clone(), xrefs);
        let see = |part: Option<&Part<'_>>, findings: Vec<Diagnostic>| (part.map(&see), findings);
        let sink = RefCell::new(sink);
        let add = |(seen, findings): (Option<T>, Vec<Diagnostic>)| {
            seen.into_iter().for_each(&mut take);
            findings.into_iter().for_each(|finding| sink.borrow_mut().report(finding));
        };
        let mut late = |finding| sink.borrow_mut().report(finding);
        parts::read(&mut reader, self.threads, (Vec::new, see), add, &mut late)?;
        let finished = finish(&reader).ok_or_else(|| io::Error::other("no part of it was read"))?;
        drop(reader);
        // Where the rules end the reading early, the rest counts all the same.
        Ok((finished, octets.get() + io::copy(input, &mut io::sink())?))
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.octets.set(self.octets.get() + read as u64);
        Ok(read)
    }
}
