//! The start of a stream: what must be read of it to know which external schemas it wants.

use crate::read::wanted;
use elf_tagged::{Options, Reader, Rules};
use std::io::{self, Chain, Cursor, Read};

/// A stream that was read as far as it says which external schemas it refers to.
///
/// The header says what is wanted, and types need it: so the start of a stream is read here without types,
/// and once more by the [`Reader`](crate::Reader) with what was got in between. Only that start is held.
/// Then [`into_input`](StreamStart::into_input) is read, with the schemas, as `examples/stream.rs` of this
/// crate does.
///
/// In an asynchronous service a thread of its own reads (`spawn_blocking`), and waits for the schemas
/// (`Handle::block_on`).
#[derive(Debug)]
pub struct StreamStart<R> {
    wanted: Vec<String>,
    start: Vec<u8>,
    input: R,
}

impl<R: Read> StreamStart<R> {
    /// Reads the start of `input`, by the rules and options that it is to be read by. What is wrong with it
    /// is not reported: that is for the reader.
    ///
    /// # Errors
    ///
    /// Those of [`elf_tagged::Reader::next_run`].
    pub fn read(mut input: R, rules: &Rules, options: &Options) -> io::Result<StreamStart<R>> {
        let mut start = Vec::new();
        let recorder = Recorder { input: &mut input, start: &mut start };
        let mut reader = Reader::new(recorder, rules, options);
        let wanted = reader.next_run(&mut ())?.map(|part| wanted(&part)).unwrap_or_default();
        drop(reader);
        Ok(StreamStart { wanted, start, input })
    }

    /// Returns the IRIs of the external schemas that are not built in, in order, each once.
    pub fn wanted(&self) -> &[String] {
        &self.wanted
    }

    /// Returns the whole stream again, from its first octet.
    pub fn into_input(self) -> Chain<Cursor<Vec<u8>>, R> {
        Cursor::new(self.start).chain(self.input)
    }
}

/// An input that is remembered as far as it was read.
struct Recorder<'r, R> {
    input: &'r mut R,
    start: &'r mut Vec<u8>,
}

impl<R: Read> Read for Recorder<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.start.extend_from_slice(&buffer[..count]);
        Ok(count)
    }
}
