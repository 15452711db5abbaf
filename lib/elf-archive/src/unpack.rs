//! Unpacks files within limits. The bytes of the output are counted, and compared with the expected checksum and size.

use flate2::Crc;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The maximum number of unpacked bytes for each packed byte. For genealogical texts, the ratio is at most 20.
const MAX_RATIO: u64 = 200;

/// The number of bytes that may always be unpacked, even if the ratio is exceeded.
const ALWAYS_ALLOWED: u64 = 16 << 20;

/// A reader that unpacks its input. The reader fails as soon as the output is too large for the number of packed bytes
/// that have been read.
#[derive(Debug)]
pub(crate) struct LimitedReader<R> {
    input: R,
    packed: PackedCount,
    unpacked: u64,
    check: Option<Checksum>,
}

/// The expected checksum and size of unpacked bytes.
#[derive(Debug)]
struct Checksum {
    crc: Crc,
    expected: u32,
    size: u64,
}

/// The number of packed bytes that have been read. The number is shared with the reader that counts them.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedCount(Arc<AtomicU64>);

/// A reader that counts the bytes it reads.
#[derive(Debug)]
pub(crate) struct CountedInput<R> {
    input: R,
    count: PackedCount,
}

impl PackedCount {
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

impl<R: Read> LimitedReader<R> {
    /// Creates a reader whose output is limited by the number of packed bytes that `input` has read.
    pub(crate) fn new(input: R, packed: PackedCount) -> LimitedReader<R> {
        LimitedReader { input, packed, unpacked: 0, check: None }
    }

    /// Makes the reader compare its output with a checksum and a size when the output ends.
    pub(crate) fn with_check(self, crc: u32, size: u64) -> LimitedReader<R> {
        LimitedReader { check: Some(Checksum { crc: Crc::new(), expected: crc, size }), ..self }
    }

    /// Returns an error message if too many bytes were unpacked.
    fn limit_error(&self) -> Option<String> {
        let packed = self.packed.get();
        (self.unpacked > packed.saturating_mul(MAX_RATIO).saturating_add(ALWAYS_ALLOWED)).then(|| {
            format!(
                "it unpacks to more than {MAX_RATIO} times its size: its first {packed} bytes to {}; if you trust it, \
                 unpack it with another program",
                self.unpacked
            )
        })
    }
}

impl Checksum {
    /// Adds the next bytes of the output. An empty `bytes` means that the output has ended. At the end, the function
    /// returns whether the checksum or the size is wrong.
    fn fails_after(&mut self, bytes: &[u8]) -> bool {
        self.crc.update(bytes);
        // The checksum type counts bytes modulo 2^32.
        let is_whole = self.crc.sum() == self.expected
            && u64::from(self.crc.amount()) == self.size & u64::from(u32::MAX);
        bytes.is_empty() && !is_whole
    }
}

impl<R: Read> Read for LimitedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let read = self.input.read(buffer).map_err(describe_error)?;
        self.unpacked += read as u64;
        let invalid = |reason: String| Err(io::Error::new(ErrorKind::InvalidData, reason));
        if let Some(reason) = self.limit_error() {
            return invalid(reason);
        }
        if self.check.as_mut().is_some_and(|check| check.fails_after(&buffer[..read])) {
            return invalid("checksum mismatch: the archive is damaged".to_owned());
        }
        Ok(read)
    }
}

/// Returns a reader that unpacks a gzip file.
pub fn unpack_gzip<R: Read>(input: R) -> impl Read {
    let packed = PackedCount::default();
    LimitedReader::new(GzipMembers::Within(GzDecoder::new(BufReader::new(packed.of(input)))), packed)
}

/// Reads the members of a gzip file, one after the other (RFC 1952 §2.2).
#[derive(Debug)]
enum GzipMembers<R> {
    Within(GzDecoder<R>),
    /// The reader is between two members of the file.
    Between(R),
    Ended,
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let GzipMembers::Within(member) = self {
                let octets = member.read(buffer)?;
                if octets > 0 || buffer.is_empty() {
                    return Ok(octets);
                }
            }
            *self = match std::mem::replace(self, GzipMembers::Ended) {
                GzipMembers::Within(member) => GzipMembers::Between(member.into_inner()),
                other => other,
            };
            let GzipMembers::Between(rest) = self else { return Ok(0) };
            // Files that come from tapes and cards have zeros at their end.
            while let [0, ..] = rest.fill_buf()? {
                rest.consume(1);
            }
            match rest.fill_buf()? {
                [] => *self = GzipMembers::Ended,
                [0x1F, ..] => {
                    *self = match std::mem::replace(self, GzipMembers::Ended) {
                        GzipMembers::Between(rest) => GzipMembers::Within(GzDecoder::new(rest)),
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

/// Replaces an error of the decompressor by an error that describes the file.
fn describe_error(error: io::Error) -> io::Error {
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

    /// Unpacks until the end or until an error occurs. Returns the number of unpacked bytes.
    fn unpack(packed: &[u8]) -> (usize, Option<String>) {
        let (mut input, mut buffer, mut count) = (unpack_gzip(packed), vec![0; 1 << 16], 0);
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
