//! A file with some of its octets replaced, read from where it is: it is never held whole.

use crate::Replacement;
use std::io::{self, ErrorKind, Read};

/// A reader of a file as [replacements](Replacement) make it.
///
/// ```
/// use elf_octets::{ReplacedReader, Replacement};
/// use std::io::Read;
///
/// let changes = [Replacement::new(0..1, b"one".to_vec()), Replacement::new(3..3, b" and more".to_vec())];
/// let mut text = String::new();
/// ReplacedReader::new(&b"1 2"[..], &changes).read_to_string(&mut text)?;
/// assert_eq!(text, "one 2 and more");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ReplacedReader<'r, R> {
    file: R,
    /// The number of octets of the file that were read.
    at: u64,
    replacements: &'r [Replacement],
    /// The number of octets of the first replacement that were handed on.
    told: usize,
}

impl<'r, R: Read> ReplacedReader<'r, R> {
    /// Reads `file` from its start; replacements are in the order of the file, and do not overlap.
    pub const fn new(file: R, replacements: &'r [Replacement]) -> ReplacedReader<'r, R> {
        ReplacedReader { file, at: 0, replacements, told: 0 }
    }

    /// Returns the number of octets of the file that were read so far: at the end, its length.
    pub const fn octets_read(&self) -> u64 {
        self.at
    }

    /// Passes over the octets up to an offset.
    fn skip(&mut self, to: u64) -> io::Result<()> {
        let gone = to.saturating_sub(self.at);
        let skipped = io::copy(&mut self.file.by_ref().take(gone), &mut io::sink())?;
        self.at += skipped;
        if skipped < gone { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

impl<R: Read> Read for ReplacedReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let Some((next, rest)) = self.replacements.split_first() else {
                let read = self.file.read(buffer)?;
                self.at += read as u64;
                return Ok(read);
            };
            if self.at < next.octets.start {
                let most = usize::try_from(next.octets.start - self.at).unwrap_or(usize::MAX);
                let length = buffer.len().min(most);
                let read = self.file.read(buffer.get_mut(..length).unwrap_or_default())?;
                self.at += read as u64;
                // A file that ends before what is replaced is not the one that was looked at.
                return if read == 0 { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(read) };
            }
            let mut left = next.with.get(self.told..).unwrap_or_default();
            if !left.is_empty() {
                let read = left.read(buffer)?;
                self.told += read;
                return Ok(read);
            }
            let end = next.octets.end;
            self.skip(end)?;
            (self.replacements, self.told) = (rest, 0);
        }
    }
}
