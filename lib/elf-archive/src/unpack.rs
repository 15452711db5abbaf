//! Unpacking within limits: what comes out of an archive is counted, and compared with what it should be.

use flate2::Crc;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// The most octets that may come of one packed octet: texts of genealogy come to 20 at most.
const RATIO: u64 = 200;

/// The number of octets that anything may unpack to.
const FLOOR: u64 = 1 << 20;

/// A reader that unpacks its input within limits.
#[derive(Debug)]
pub struct Unpacking<R> {
    input: R,
    /// The number of octets that may still come.
    left: u64,
    check: Option<(Crc, u32, u64)>,
}

impl<R: Read> Unpacking<R> {
    /// Creates a reader of `packed` bytes that may unpack to as much as text usually does.
    pub fn new(input: R, packed: u64) -> Unpacking<R> {
        Unpacking { input, left: packed.saturating_mul(RATIO).max(FLOOR), check: None }
    }

    /// Sets the checksum and the size that are checked at the end.
    pub fn with_check(self, crc: u32, size: u64) -> Unpacking<R> {
        Unpacking { check: Some((Crc::new(), crc, size)), ..self }
    }
}

impl<R: Read> Read for Unpacking<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let octets = self.input.read(buffer).map_err(in_words)?;
        let invalid = |reason: String| Err(io::Error::new(ErrorKind::InvalidData, reason));
        let Some(left) = self.left.checked_sub(octets as u64) else {
            return invalid(format!(
                "it unpacks to more than {RATIO} times its size; if you trust it, unpack it with another program"
            ));
        };
        self.left = left;
        if let Some((crc, expected, size)) = &mut self.check {
            crc.update(&buffer[..octets]);
            // gzip stores the size modulo 2^32.
            let is_whole = crc.sum() == *expected && u64::from(crc.amount()) == *size & u64::from(u32::MAX);
            if octets == 0 && !buffer.is_empty() && !is_whole {
                return invalid("checksum mismatch: the archive is damaged".to_owned());
            }
        }
        Ok(octets)
    }
}

/// Unpacks a gzip file of `packed` bytes.
pub fn gzip<R: Read>(input: R, packed: u64) -> impl Read {
    Unpacking::new(Members::Within(GzDecoder::new(BufReader::new(input))), packed)
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
