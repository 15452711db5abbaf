//! Reads the start of a stream to find the external schemas that it needs.

use crate::read::wanted;
use elf_tagged::{Options, Reader, Rules};
use std::io::{self, Chain, Cursor, Read};

/// The start of a stream, up to the references to external schemas in its header.
///
/// Types need the external schemas that the header names. So the start of a stream is read twice: here without types,
/// and by the [`Reader`](crate::Reader) once the schemas are fetched. Only the start is kept in memory. Then
/// [`into_input`](StreamStart::into_input) is read, with the schemas, as `examples/stream.rs` of this crate does.
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
    /// Reads the start of `input` with the rules and options that the whole stream will be read with. Findings are
    /// not reported; the reader of the stream reports them.
    ///
    /// # Errors
    ///
    /// The same as [`elf_tagged::Reader::next_run`].
    pub fn read(mut input: R, rules: &Rules, options: &Options) -> io::Result<StreamStart<R>> {
        let mut start = Vec::new();
        let recorder = Recorder { input: &mut input, start: &mut start };
        let mut reader = Reader::new(recorder, rules, options);
        let wanted = reader.next_run(&mut ())?.map(|part| wanted(&part)).unwrap_or_default();
        drop(reader);
        Ok(StreamStart { wanted, start, input })
    }

    /// Returns the IRIs of the external schemas, except built-in ones, in order and without duplicates.
    pub fn wanted(&self) -> &[String] {
        &self.wanted
    }

    /// Returns the whole stream, from its first byte.
    pub fn into_input(self) -> Chain<Cursor<Vec<u8>>, R> {
        Cursor::new(self.start).chain(self.input)
    }
}

/// Keeps a copy of all input that was read.
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
