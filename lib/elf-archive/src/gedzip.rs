//! Writes GEDZIP archives. A GEDZIP archive is a ZIP archive with the file `gedcom.ged` at the root, and the files to
//! which this file links (GEDCOM 7.0 *The GEDZIP file format*; PKWARE APPNOTE 6.3).
//!
//! The size of `gedcom.ged` is not known before it is written, so its sizes are stored after its data. Entries of other
//! archives are copied in compressed form.

use crate::header::{self, Header};
use crate::links::LinkTracker;
use crate::zip::ArchiveEntry;
use crate::{is_genealogical, is_packed};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::collections::HashSet;
use std::io::{self, ErrorKind, Read, Seek, Write};

/// The name of the GEDCOM file in an archive.
pub const GEDCOM: &str = "gedcom.ged";

/// The compression method `deflate`.
const DEFLATED: u16 = 8;

/// The date of all entries: January 1980, midnight. Because the date is fixed, archives are reproducible.
const DATE: [u16; 2] = [0, 0x0021];

/// Writes the file `gedcom.ged` of a GEDZIP archive.
///
/// ```
/// use std::io::{Cursor, Read, Write};
///
/// let mut packed = elf_archive::GedzipWriter::new(Vec::new())?;
/// packed.write_all(b"0 HEAD\n0 TRLR\n")?;
/// let archive = Cursor::new(packed.into_media()?.finish()?);
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
    links: LinkTracker,
}

impl<W: Write> GedzipWriter<W> {
    /// Creates an archive that is written to `out`.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn new(mut out: W) -> io::Result<GedzipWriter<W>> {
        out.write_all(&gedcom_header().local_header())?;
        Ok(GedzipWriter {
            encoder: DeflateEncoder::new(out, Compression::default()),
            crc: Crc::new(),
            size: 0,
            links: LinkTracker::default(),
        })
    }

    /// Sets the names of the files that will be in the archive, so that [`MediaWriter::missing`] does not count links
    /// to them.
    #[must_use]
    pub fn with_files(self, names: impl IntoIterator<Item = String>) -> GedzipWriter<W> {
        GedzipWriter { links: LinkTracker::new(names), ..self }
    }

    /// Finishes the file `gedcom.ged`, so that other files can be added.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to the output fails. Returns [`ErrorKind::FileTooLarge`] if the file has 4 GiB or
    /// more.
    pub fn into_media(mut self) -> io::Result<MediaWriter<W>> {
        self.encoder.try_finish()?;
        let too_large = |_| io::Error::from(ErrorKind::FileTooLarge);
        let (packed, crc) = (self.encoder.total_out(), self.crc.sum());
        let mut out = self.encoder.finish()?;
        out.write_all(b"PK\x07\x08")?;
        let numbers =
            [u32::try_from(packed).map_err(too_large)?, u32::try_from(self.size).map_err(too_large)?];
        out.write_all(&[crc, numbers[0], numbers[1]].map(u32::to_le_bytes).concat())?;
        let header = Header { crc, packed_size: packed, size: self.size, ..gedcom_header() };
        self.links.end_line();
        Ok(MediaWriter {
            out,
            names: HashSet::from([GEDCOM.to_owned()]),
            list: header.central_header(0),
            count: 1,
            end: header.local_header().len() as u64 + packed + 16,
            links: self.links,
        })
    }
}

impl<W: Write> Write for GedzipWriter<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.encoder.write(octets)?;
        let octets = &octets[..written];
        self.crc.update(octets);
        self.links.scan(octets);
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }
}

/// A GEDZIP archive that contains `gedcom.ged`, and to which other files can be added.
#[derive(Debug)]
pub struct MediaWriter<W: Write> {
    out: W,
    names: HashSet<String>,
    /// The list of entries that will end the archive.
    list: Vec<u8>,
    count: u64,
    /// The number of bytes that have been written.
    end: u64,
    links: LinkTracker,
}

impl<W: Write> MediaWriter<W> {
    /// Copies an entry of another archive without compressing it again. To check its limits and checksum, the entry is
    /// unpacked once, as [`ArchiveEntry::open`] does. Memory use is constant.
    ///
    /// If the entry is not copied, returns the reason.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to the output fails.
    pub fn copy_entry(
        &mut self,
        entry: &ArchiveEntry,
        mut archive: impl Read + Seek,
    ) -> io::Result<Result<(), String>> {
        if let Some(reason) = entry.refusal() {
            return Ok(Err(reason.to_owned()));
        }
        if !self.names.insert(entry.name().to_owned()) {
            return Ok(Err("an entry before it has the same name".to_owned()));
        }
        let unpacked = entry.open(&mut archive).and_then(|mut from| io::copy(&mut from, &mut io::sink()));
        let mut packed = match unpacked.and_then(|_| entry.open_packed(archive)) {
            Ok(packed) => packed,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let header = entry.header_for_copy();
        let before = header.local_header();
        self.out.write_all(&before)?;
        if io::copy(&mut packed, &mut self.out)? != header.packed_size {
            return Err(io::Error::new(ErrorKind::UnexpectedEof, "the archive changed while it was read"));
        }
        self.list.extend(header.central_header(self.end));
        self.count += 1;
        self.end += before.len() as u64 + header.packed_size;
        Ok(Ok(()))
    }

    /// Adds a file under a name. Memory use is constant.
    ///
    /// If the file is not packed, returns the reason: its name is taken, or cannot be the name of an entry.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to the output or reading `file` fails.
    pub fn pack(&mut self, name: &str, mut file: impl Read) -> io::Result<Result<(), String>> {
        if u16::try_from(name.len()).is_err() {
            return Ok(Err("its name is too long".to_owned()));
        }
        if !self.names.insert(name.to_owned()) {
            return Ok(Err("an entry before it has the same name".to_owned()));
        }
        let header = Header { name: name.as_bytes(), ..gedcom_header() };
        let before = header.local_header();
        self.out.write_all(&before)?;
        let mut encoder = DeflateEncoder::new(&mut self.out, Compression::default());
        let (mut crc, mut size, mut buffer) = (Crc::new(), 0_u64, vec![0; 1 << 16]);
        loop {
            let read = match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let octets = &buffer[..read];
            crc.update(octets);
            size += read as u64;
            encoder.write_all(octets)?;
        }
        encoder.try_finish()?;
        let (packed, crc) = (encoder.total_out(), crc.sum());
        drop(encoder);
        let too_large = |_| io::Error::from(ErrorKind::FileTooLarge);
        let numbers = [u32::try_from(packed).map_err(too_large)?, u32::try_from(size).map_err(too_large)?];
        self.out.write_all(b"PK\x07\x08")?;
        self.out.write_all(&[crc, numbers[0], numbers[1]].map(u32::to_le_bytes).concat())?;
        let header = Header { crc, packed_size: packed, size, ..header };
        self.list.extend(header.central_header(self.end));
        self.count += 1;
        self.end += before.len() as u64 + packed + 16;
        Ok(Ok(()))
    }

    /// Returns the names of all linked files except those passed to [`GedzipWriter::with_files`], without duplicates,
    /// in the order of the links.
    pub fn linked(&self) -> &[String] {
        self.links.linked()
    }

    /// Marks a file as present, so that links to it are not [missing](MediaWriter::missing).
    pub fn set_present(&mut self, name: &str) {
        self.links.set_present(name);
    }

    /// Returns the names of up to a thousand linked files that are not in the archive, in the order of the links. Also
    /// returns the number of all links to missing files.
    pub fn missing(&self) -> (&[String], u64) {
        self.links.missing()
    }

    /// Ends the archive and returns the output.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(&self.list)?;
        self.out.write_all(&header::end_records(self.count, self.list.len() as u64, self.end))?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Returns the header of `gedcom.ged`, whose sizes are not known yet.
fn gedcom_header() -> Header<'static> {
    let flags = Header::UTF_8 | Header::SIZES_AFTER_DATA;
    let name = GEDCOM.as_bytes();
    Header { name, flags, method: DEFLATED, modified: DATE, crc: 0, packed_size: 0, size: 0 }
}

/// An output that is written either as a plain file or as a GEDZIP archive. The name of the file decides which.
#[derive(Debug)]
pub enum PlainOrPacked<W: Write> {
    /// The output is a plain file.
    Plain(W),
    /// The output is the file `gedcom.ged` in a GEDZIP archive.
    Packed(Box<GedzipWriter<W>>),
}

impl<W: Write> PlainOrPacked<W> {
    /// Creates the output for a file with this name. `beside` contains the names of other files that will be in an
    /// archive.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn new(out: W, name: &str, beside: impl IntoIterator<Item = String>) -> io::Result<PlainOrPacked<W>> {
        if is_gedzip(name) {
            Ok(PlainOrPacked::Packed(Box::new(GedzipWriter::new(out)?.with_files(beside))))
        } else {
            Ok(PlainOrPacked::Plain(out))
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

/// Returns whether a file with this name is a GEDZIP archive.
///
/// ```
/// assert!(elf_archive::is_gedzip("trees/Family.GDZ") && !elf_archive::is_gedzip("family.zip"));
/// ```
pub fn is_gedzip(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("gdz"))
}

/// Returns the index of the GEDCOM file of an archive. This is the file [`GEDCOM`] or, if there is no such file, the
/// only genealogical file.
///
/// ```
/// use elf_archive::find_gedcom;
///
/// assert_eq!(find_gedcom(["other.ged", "gedcom.ged", "a.jpg"]), Some(1));
/// assert_eq!(find_gedcom(["a.jpg", "tree/GEDCOM.GED"]), Some(1));
/// assert_eq!(find_gedcom(["one.ged", "two.ged"]), None);
/// ```
pub fn find_gedcom<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<usize> {
    let (mut first, mut count) = (None, 0_usize);
    for (at, name) in names.into_iter().enumerate() {
        if name == GEDCOM {
            return Some(at);
        }
        // macOS adds a second entry with a similar name for each file.
        if is_genealogical(name) && !is_packed(name) && !name.starts_with("__MACOSX/") {
            first = first.or(Some(at));
            count += 1;
        }
    }
    first.filter(|_| count == 1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

    use super::*;
    use std::io::Cursor;

    fn packed(text: &[u8]) -> MediaWriter<Vec<u8>> {
        let mut packed = GedzipWriter::new(Vec::new()).expect("memory");
        packed.write_all(text).expect("memory");
        packed.into_media().expect("memory")
    }

    fn unpacked(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
        let archive = Cursor::new(archive);
        let unpack = |entry: ArchiveEntry| {
            assert_eq!(entry.refusal(), None);
            let mut octets = Vec::new();
            entry.open(archive.clone()).expect("an entry").read_to_end(&mut octets).expect("octets");
            (entry.name().to_owned(), octets)
        };
        crate::entries(archive.clone()).expect("a list").into_iter().map(unpack).collect()
    }

    #[test]
    fn what_is_packed_is_unpacked_again() {
        for text in [String::new(), "0 HEAD\n".repeat(100_000)] {
            let archive = packed(text.as_bytes()).finish().expect("memory");
            assert_eq!(unpacked(&archive), [(GEDCOM.to_owned(), text.into_bytes())]);
        }
    }

    /// Creates an archive that contains a picture, as another program would write it: the picture is stored without
    /// compression and has its own date.
    fn with_picture(name: &[u8], octets: &[u8], crc: u32) -> Vec<u8> {
        let size = octets.len() as u64;
        let changed = [1, 2];
        let header = Header { name, flags: 0, method: 0, modified: changed, crc, packed_size: size, size };
        let mut archive = header.local_header();
        archive.extend(octets);
        let (start, list) = (archive.len() as u64, header.central_header(0));
        archive.extend(&list);
        archive.extend(header::end_records(1, list.len() as u64, start));
        archive
    }

    #[test]
    fn files_are_carried_over_octet_for_octet() {
        let picture = [7, 0, 255, 13, 10];
        let mut crc = Crc::new();
        crc.update(&picture);
        // The second name is in an old code page, not in UTF-8.
        for name in ["media/é.jpg".as_bytes(), b"media/\xE9.jpg"] {
            let from = with_picture(name, &picture, crc.sum());
            let entries = crate::entries(Cursor::new(&from)).expect("a list");
            let mut archive = packed(b"0 HEAD\n");
            assert_eq!(archive.copy_entry(&entries[0], Cursor::new(&from)).expect("memory"), Ok(()));
            let again = archive.copy_entry(&entries[0], Cursor::new(&from)).expect("memory");
            assert_eq!(again, Err("an entry before it has the same name".to_owned()));
            let archive = archive.finish().expect("memory");
            assert!(archive.windows(name.len()).filter(|octets| octets == &name).count() == 2);
            let [_, (carried, octets)] = &unpacked(&archive)[..] else { panic!("two entries") };
            assert_eq!((&**carried, &octets[..]), (entries[0].name(), &picture[..]));
        }
    }

    #[test]
    fn a_file_that_cannot_be_carried_leaves_the_archive_whole() {
        for (name, crc) in [("a.jpg", 9), ("../a.jpg", 0), ("/a.jpg", 0), (GEDCOM, 0)] {
            let from = with_picture(name.as_bytes(), b"", crc);
            let entries = crate::entries(Cursor::new(&from)).expect("a list");
            let mut archive = packed(b"0 HEAD\n");
            assert!(archive.copy_entry(&entries[0], Cursor::new(&from)).expect("memory").is_err(), "{name}");
            assert_eq!(unpacked(&archive.finish().expect("memory")).len(), 1, "{name}");
        }
    }

    #[test]
    fn numbers_beyond_32_bits_have_places() {
        let header = Header { size: 1 << 33, packed_size: 1 << 32, ..gedcom_header() };
        let (start, list) = (1_u64 << 34, header.central_header(1 << 34));
        assert_eq!(header.local_header().get(26..32), Some(&[10, 0, 20, 0, b'g', b'e'][..]));
        assert_eq!(list.get(30..32), Some(&[28, 0][..]));
        let ending = header::end_records(1, list.len() as u64, start);
        assert_eq!(ending.len(), 56 + 20 + 22);
        assert_eq!(header::end_records(70_000, 1, 1).len(), ending.len());
        assert_eq!(header::end_records(1, 1, 1).len(), 22);
    }
}
