//! GEDZIP archives, written: ZIP archives with the file `gedcom.ged` at the root (GEDCOM 7.0 *The GEDZIP
//! file format*; PKWARE APPNOTE 6.3).
//!
//! Nothing is known of the size of the file before it is written, so its numbers stand behind it.

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::{self, ErrorKind, Write};

/// The name of the file of structures in an archive.
const NAME: &[u8; 10] = b"gedcom.ged";

/// The version of the format that it takes to unpack what is deflated.
const VERSION: u16 = 20;

/// The flags: sizes stand behind the data, and names are in UTF-8.
const FLAGS: u16 = 0x0808;

/// The method: deflated.
const DEFLATED: u16 = 8;

/// The first of January 1980: no clock is asked.
const DATE: u16 = 0x0021;

/// Packs what is written to it as the file `gedcom.ged` of an archive. No other file is put into it.
///
/// ```
/// use std::io::{Cursor, Read, Write};
///
/// let mut packed = elf_archive::GedzipWriter::new(Vec::new())?;
/// packed.write_all(b"0 HEAD\n0 TRLR\n")?;
/// let archive = Cursor::new(packed.finish()?);
/// let entries = elf_archive::entries(archive.clone())?;
/// assert_eq!(entries[0].name(), "gedcom.ged");
/// assert_eq!(std::io::read_to_string(entries[0].open(archive)?)?, "0 HEAD\n0 TRLR\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct GedzipWriter<W: Write> {
    encoder: DeflateEncoder<W>,
    crc: Crc,
    size: u64,
}

impl<W: Write> GedzipWriter<W> {
    /// An archive that is written to `out`.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn new(mut out: W) -> io::Result<GedzipWriter<W>> {
        out.write_all(b"PK\x03\x04")?;
        out.write_all(&common())?;
        out.write_all(&[0; 12])?;
        out.write_all(&lengths())?;
        out.write_all(NAME)?;
        Ok(GedzipWriter {
            encoder: DeflateEncoder::new(out, Compression::default()),
            crc: Crc::new(),
            size: 0,
        })
    }

    /// Ends the file and the archive; returns what they were written to.
    ///
    /// # Errors
    ///
    /// Those of the output, and [`ErrorKind::FileTooLarge`] where the file has 4 GiB or more.
    pub fn finish(mut self) -> io::Result<W> {
        self.encoder.try_finish()?;
        let too_large = |_| io::Error::from(ErrorKind::FileTooLarge);
        let packed = u32::try_from(self.encoder.total_out()).map_err(too_large)?;
        let size = u32::try_from(self.size).map_err(too_large)?;
        let mut out = self.encoder.finish()?;
        let numbers = [self.crc.sum(), packed, size].map(u32::to_le_bytes).concat();
        out.write_all(b"PK\x07\x08")?;
        out.write_all(&numbers)?;

        let mut list = b"PK\x01\x02".to_vec();
        list.extend(VERSION.to_le_bytes());
        list.extend(common());
        list.extend(numbers);
        list.extend(lengths());
        // No comment, the first disk, and no attributes; it starts with the archive.
        list.extend([0; 14]);
        list.extend(NAME);
        let header = 30 + NAME.len() as u64;
        let start = header + u64::from(packed) + 16;
        let start = u32::try_from(start).map_err(too_large)?;
        let length = u32::try_from(list.len()).map_err(too_large)?;
        list.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
        list.extend(length.to_le_bytes());
        list.extend(start.to_le_bytes());
        list.extend([0; 2]);
        out.write_all(&list)?;
        out.flush()?;
        Ok(out)
    }
}

impl<W: Write> Write for GedzipWriter<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.encoder.write(octets)?;
        self.crc.update(octets.get(..written).unwrap_or_default());
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }
}

/// A file that is written as it is, or as a GEDZIP archive.
#[derive(Debug)]
pub enum PlainOrPacked<W: Write> {
    /// The file as it is.
    Plain(W),
    /// The file in an archive.
    Packed(Box<GedzipWriter<W>>),
}

impl<W: Write> PlainOrPacked<W> {
    /// A file called so, which is written to `out`.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn new(out: W, name: &str) -> io::Result<PlainOrPacked<W>> {
        if is_gedzip(name) {
            Ok(PlainOrPacked::Packed(Box::new(GedzipWriter::new(out)?)))
        } else {
            Ok(PlainOrPacked::Plain(out))
        }
    }

    /// Ends the file; returns what it was written to.
    ///
    /// # Errors
    ///
    /// Those of [`GedzipWriter::finish`].
    pub fn finish(self) -> io::Result<W> {
        match self {
            PlainOrPacked::Plain(out) => Ok(out),
            PlainOrPacked::Packed(out) => out.finish(),
        }
    }
}

impl<W: Write> Write for PlainOrPacked<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        match self {
            PlainOrPacked::Plain(out) => out.write(octets),
            PlainOrPacked::Packed(out) => out.write(octets),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            PlainOrPacked::Plain(out) => out.flush(),
            PlainOrPacked::Packed(out) => out.flush(),
        }
    }
}

/// Tells whether a file called so is a GEDZIP archive.
///
/// ```
/// assert!(elf_archive::is_gedzip("trees/Family.GDZ") && !elf_archive::is_gedzip("family.zip"));
/// ```
pub fn is_gedzip(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("gdz"))
}

/// The part that the header of the file and the list have in common: version, flags, method, time and date.
fn common() -> Vec<u8> {
    [VERSION, FLAGS, DEFLATED, 0, DATE].map(u16::to_le_bytes).concat()
}

/// The lengths of the name and of what else is said of the file.
fn lengths() -> [u8; 4] {
    [10, 0, 0, 0]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

    use super::*;
    use std::io::Cursor;

    #[test]
    fn what_is_packed_is_unpacked_again() {
        for text in [String::new(), "0 HEAD\n".repeat(100_000)] {
            let mut packed = GedzipWriter::new(Vec::new()).expect("memory");
            packed.write_all(text.as_bytes()).expect("memory");
            let archive = Cursor::new(packed.finish().expect("memory"));
            let entries = crate::entries(archive.clone()).expect("a list");
            assert_eq!(entries.len(), 1);
            assert_eq!(entries[0].refusal(), None);
            let unpacked = io::read_to_string(entries[0].open(archive).expect("an entry"));
            assert_eq!(unpacked.expect("a text"), text);
        }
    }
}
