//! Unpacking within limits: what comes out of an archive is counted, and compared with what it should be.

use flate2::Crc;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most bytes that may come of one packed byte: texts of genealogy come to 20 at most.
const RATIO: u64 = 200;

/// The number of bytes that anything may unpack to, however few were read for them.
const FLOOR: u64 = 16 << 20;

/// A source that is being unpacked. It ends with an error as soon as too much has come of the packed bytes that were
/// read for it, so that little memory is filled with what is thrown away.
#[derive(Debug)]
pub(crate) struct Unpacking<R> {
    input: R,
    packed: PackedCount,
    unpacked: u64,
    check: Option<Checksum>,
}

/// The checksum and the size that unpacked bytes should have.
#[derive(Debug)]
struct Checksum {
    crc: Crc,
    expected: u32,
    size: u64,
}

/// The number of packed bytes that were read, counted where they are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedCount(Arc<AtomicU64>);

/// An input whose bytes are counted.
#[derive(Debug)]
pub(crate) struct CountedInput<R> {
    input: R,
    count: PackedCount,
}

impl PackedCount {
    /// Counts the bytes of an input.
    pub(crate) fn of<R: Read>(&self, input: R) -> CountedInput<R> {
        CountedInput { input, count: self.clone() }
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl<R: Read> Read for CountedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.count.0.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl<R: Read> Unpacking<R> {
    /// Makes a source that unpacks to as much as a text may, by the number of packed bytes that `input` has read.
    pub(crate) fn new(input: R, packed: PackedCount) -> Unpacking<R> {
        Unpacking { input, packed, unpacked: 0, check: None }
    }

    /// Compares what is read with a checksum and a size, once it has ended.
    pub(crate) fn with_check(self, crc: u32, size: u64) -> Unpacking<R> {
        Unpacking { check: Some(Checksum { crc: Crc::new(), expected: crc, size }), ..self }
    }

    /// Returns the reason why no more is unpacked, if too much has come.
    fn excess(&self) -> Option<String> {
        let packed = self.packed.get();
        (self.unpacked > packed.saturating_mul(RATIO).saturating_add(FLOOR)).then(|| {
            format!(
                "it unpacks to more than {RATIO} times its size: its first {packed} bytes to {}; if you trust it, \
                 unpack it with another program",
                self.unpacked
            )
        })
    }
}

impl Checksum {
    /// Adds the next bytes; none where they have ended. Returns whether they have ended and are others.
    fn is_other(&mut self, bytes: &[u8]) -> bool {
        self.crc.update(bytes);
        // The sum counts bytes by 32 bits.
        let is_whole = self.crc.sum() == self.expected
            && u64::from(self.crc.amount()) == self.size & u64::from(u32::MAX);
        bytes.is_empty() && !is_whole
    }
}

impl<R: Read> Read for Unpacking<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let read = self.input.read(buffer).map_err(in_words)?;
        self.unpacked += read as u64;
        let invalid = |reason: String| Err(io::Error::new(ErrorKind::InvalidData, reason));
        if let Some(reason) = self.excess() {
            return invalid(reason);
        }
        if self.check.as_mut().is_some_and(|check| check.is_other(&buffer[..read])) {
            return invalid("checksum mismatch: the archive is damaged".to_owned());
        }
        Ok(read)
    }
}

/// Reads what a file unpacks to that gzip has packed.
pub fn gzip<R: Read>(input: R) -> impl Read {
    let packed = PackedCount::default();
    Unpacking::new(Members::Within(GzDecoder::new(BufReader::new(packed.of(input)))), packed)
}

/// The members of a file that gzip has packed, one after the other (RFC 1952 §2.2).
#[derive(Debug)]
enum Members<R> {
    Within(GzDecoder<R>),
    /// After a member.
    Between(R),
    Ended,
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Members::Within(member) = self {
                let octets = member.read(buffer)?;
                if octets > 0 || buffer.is_empty() {
                    return Ok(octets);
                }
            }
            *self = match std::mem::replace(self, Members::Ended) {
                Members::Within(member) => Members::Between(member.into_inner()),
                other => other,
            };
            let Members::Between(rest) = self else { return Ok(0) };
            // Tapes and cards are padded with zeros.
            while let [0, ..] = rest.fill_buf()? {
                rest.consume(1);
            }
            match rest.fill_buf()? {
                [] => *self = Members::Ended,
                [0x1F, ..] => {
                    *self = match std::mem::replace(self, Members::Ended) {
                        Members::Between(rest) => Members::Within(GzDecoder::new(rest)),
                        other => other,
                    };
                }
                _ => {
                    let reason = "the data after the end of the archive is ignored";
                    return Err(io::Error::new(ErrorKind::InvalidData, reason));
                }
            }
        }
    }
}

/// An error of unpacking, as what it says of the file.
fn in_words(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::UnexpectedEof => io::Error::new(ErrorKind::InvalidData, "the archive is cut off"),
        ErrorKind::InvalidInput => {
            io::Error::new(ErrorKind::InvalidData, "the archive is damaged: its content cannot be unpacked")
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn packed(pieces: &[(&[u8], usize)]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        for (piece, count) in pieces {
            let bytes = piece.repeat(*count);
            encoder.write_all(&bytes).expect("memory");
        }
        encoder.finish().expect("memory")
    }

    /// Unpacks to the end, or to an error, and returns the number of bytes that came.
    fn unpack(packed: &[u8]) -> (usize, Option<String>) {
        let (mut input, mut buffer, mut count) = (gzip(packed), vec![0; 1 << 16], 0);
        loop {
            match input.read(&mut buffer) {
                Ok(0) => return (count, None),
                Ok(read) => count += read,
                Err(error) => return (count, Some(error.to_string())),
            }
        }
    }

    #[test]
    fn a_trap_is_given_up_early() {
        for line in [&b"\n"[..], b"\r\n", b"x", b"0 @I1@ INDI\n"] {
            let (count, error) = unpack(&packed(&[(line, (128 << 20) / line.len())]));
            let error = error.unwrap_or_default();
            assert!(error.contains("more than 200 times its size: its first "), "{line:?}: {error}");
            assert!(count < 40 << 20, "{line:?}: {count}");
        }
    }

    #[test]
    fn texts_with_many_blank_lines_are_no_trap() {
        let text: Vec<u8> = (0..200_000_u32)
            .flat_map(|n| format!("1 NOTE {}\n", n.wrapping_mul(2_654_435_761)).into_bytes())
            .collect();
        for pieces in [vec![(&b"\n"[..], 15 << 20)], vec![(&text[..], 1), (b"\n", 15 << 20), (&text, 1)]] {
            let size: usize = pieces.iter().map(|(piece, count)| piece.len() * count).sum();
            assert_eq!(unpack(&packed(&pieces)), (size, None));
        }
    }
}
