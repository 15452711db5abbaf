//! Reading one input several times over, and noticing where it was not the same.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

/// The number of octets that are held against each other at once.
const BLOCK: usize = 1 << 16;

/// The reason why a reading fails.
const CHANGED: &str = "the input changed while it was read";

/// An input, each reading of which is held against those before: reading fails with
/// [`io::ErrorKind::InvalidData`] where it has changed since, before any octet of the block is handed out.
///
/// ```
/// use elf_octets::Rereading;
/// use std::io::{Cursor, Read};
///
/// let mut input = Rereading::of(Cursor::new(b"0 HEAD\n0 TRLR\n"));
/// for _ in 0..2 {
///     let mut text = String::new();
///     input.restart()?.read_to_string(&mut text)?;
///     assert_eq!(text, "0 HEAD\n0 TRLR\n");
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Rereading<R> {
    input: R,
    /// The hashes of the blocks that were read so far.
    known: Vec<u64>,
    /// The number of blocks that this reading has had.
    met: usize,
    block: Vec<u8>,
    /// The number of octets of the block that were handed out.
    taken: usize,
    /// True if the reading ended with an error.
    has_failed: bool,
}

fn changed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, CHANGED)
}

impl<R: Read + Seek> Rereading<R> {
    /// Makes a reader of an input of which nothing was read.
    pub const fn of(input: R) -> Rereading<R> {
        Rereading { input, known: Vec::new(), met: 0, block: Vec::new(), taken: 0, has_failed: false }
    }

    /// Goes back to the start, to read all of it once more.
    ///
    /// # Errors
    ///
    /// Whatever keeps the input from being read from its start.
    pub fn restart(&mut self) -> io::Result<&mut Rereading<R>> {
        self.input.rewind()?;
        self.block.clear();
        (self.met, self.taken, self.has_failed) = (0, 0, false);
        Ok(self)
    }

    /// Reads some octets of an input that was read to its end before; what comes next is another
    /// [start](Rereading::restart).
    ///
    /// # Errors
    ///
    /// Whatever keeps them from being read; [`io::ErrorKind::InvalidData`] where the input has changed.
    ///
    /// ```
    /// use elf_octets::Rereading;
    /// use std::io::{Cursor, Read, copy, sink};
    ///
    /// let mut input = Rereading::of(Cursor::new(b"0 HEAD\n0 TRLR\n"));
    /// copy(&mut input, &mut sink())?;
    /// let mut octets = Vec::new();
    /// input.read_range(9..13, &mut octets)?;
    /// assert_eq!(octets, b"TRLR");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn read_range(&mut self, range: Range<u64>, octets: &mut Vec<u8>) -> io::Result<()> {
        let first = range.start / BLOCK as u64;
        self.input.seek(SeekFrom::Start(first * BLOCK as u64))?;
        self.block.clear();
        (self.taken, self.has_failed) = (0, false);
        self.met = usize::try_from(first).map_err(|_| changed())?;
        let mut start = first * BLOCK as u64;
        while start < range.end {
            self.next_block()?;
            let local = |at: u64| usize::try_from(at.saturating_sub(start)).unwrap_or(BLOCK).min(BLOCK);
            let found = self.block.get(local(range.start)..local(range.end)).ok_or_else(changed)?;
            octets.extend_from_slice(found);
            start += BLOCK as u64;
        }
        Ok(())
    }

    /// Reads the next block. Of one that cannot be read to its end, or that is another one than before,
    /// nothing is handed out, and nothing behind it.
    fn next_block(&mut self) -> io::Result<()> {
        if self.has_failed {
            return Err(io::Error::other("the reading has failed before"));
        }
        self.taken = 0;
        self.block.clear();
        let read = self.input.by_ref().take(BLOCK as u64).read_to_end(&mut self.block);
        let read = read.and_then(|_| {
            let hash = hash(&self.block);
            match self.known.get(self.met) {
                Some(known) if *known != hash => return Err(changed()),
                Some(_) => {}
                None => self.known.push(hash),
            }
            self.met += 1;
            Ok(())
        });
        if read.is_err() {
            self.block.clear();
            self.has_failed = true;
        }
        read
    }
}

impl<R: Read + Seek> Read for Rereading<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A block that is not full is the last one.
        if self.taken == self.block.len() && (self.met == 0 || self.has_failed || self.block.len() == BLOCK) {
            self.next_block()?;
        }
        let mut rest = self.block.get(self.taken..).unwrap_or_default();
        let octets = rest.read(buffer)?;
        self.taken += octets;
        Ok(octets)
    }
}

/// Hashes a block. Whoever writes to a file while it is read wants no collisions, so it need only be fast:
/// four words at once.
fn hash(block: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |lane: u64, word: u64| (lane.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let mut lanes = [1_u64, 2, 3, 4];
    let (pieces, rest) = block.as_chunks::<32>();
    for piece in pieces {
        let (words, _) = piece.as_chunks::<8>();
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = mix(*lane, u64::from_le_bytes(*word));
        }
    }
    let start = mix(5, block.len() as u64);
    let all = lanes.into_iter().chain(rest.iter().map(|octet| u64::from(*octet)));
    all.fold(start, mix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn all(input: &mut Rereading<Cursor<Vec<u8>>>) -> io::Result<Vec<u8>> {
        let mut octets = Vec::new();
        input.restart()?.read_to_end(&mut octets).map(|_| octets)
    }

    #[test]
    fn a_file_is_the_same_at_each_reading() {
        for length in [0, 1, 33, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let octets: Vec<u8> = (0..length).map(|at| at.to_le_bytes()[0]).collect();
            let mut input = Rereading::of(Cursor::new(octets.clone()));
            let mut few = [0; 10];
            let count = input.restart().and_then(|reader| reader.read(&mut few)).unwrap();
            assert_eq!(count, length.min(10));
            for _ in 0..3 {
                assert_eq!(all(&mut input).unwrap(), octets, "{length}");
            }
        }
    }

    #[test]
    fn a_range_is_what_stands_there_and_is_held_against_the_reading_before() {
        let octets: Vec<u8> = (0..2 * BLOCK + 50).map(|at| at.to_le_bytes()[0]).collect();
        let mut input = Rereading::of(Cursor::new(octets.clone()));
        assert_eq!(all(&mut input).unwrap(), octets);
        let end = octets.len();
        for (from, to) in [(0, 0), (0, 1), (BLOCK - 1, BLOCK + 1), (BLOCK, 2 * BLOCK), (7, end), (end, end)] {
            let mut found = Vec::new();
            input.read_range(from as u64..to as u64, &mut found).unwrap();
            assert_eq!(found, octets[from..to], "{from}..{to}");
        }
        assert_eq!(all(&mut input).unwrap(), octets);
        assert!(input.read_range(9..end as u64 + 1, &mut Vec::new()).is_err());
        input.input.get_mut()[BLOCK + 9] ^= 1;
        assert!(input.read_range(0..5, &mut Vec::new()).is_ok());
        let error = input.read_range(BLOCK as u64..BLOCK as u64 + 5, &mut Vec::new()).expect_err("changed");
        assert_eq!(error.to_string(), CHANGED);
    }

    #[test]
    fn a_file_that_changed_between_readings_is_an_error() {
        let octets: Vec<u8> = (0..2 * BLOCK + 50).map(|at| at.to_le_bytes()[0]).collect();
        let mut changes: Vec<Vec<u8>> = Vec::new();
        for at in [0, 31, BLOCK - 1, BLOCK, 2 * BLOCK + 49] {
            let mut changed = octets.clone();
            changed[at] ^= 1;
            changes.push(changed);
        }
        changes.push(octets[..octets.len() - 1].to_vec());
        changes.push(octets[..BLOCK].to_vec());
        changes.push([&*octets, b"x"].concat());
        changes.push([&octets[8..16], &octets[..8], &octets[16..]].concat());
        for changed in changes {
            let mut input = Rereading::of(Cursor::new(octets.clone()));
            assert_eq!(all(&mut input).unwrap(), octets);
            *input.input.get_mut() = changed;
            let error = all(&mut input).expect_err("another file");
            assert_eq!(error.to_string(), CHANGED);
            assert!(input.read(&mut [0; 9]).is_err(), "nothing is handed out behind it");
        }
    }
}
