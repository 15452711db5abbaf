//! Reads ZIP archives: their lists of entries, and the data of an entry (PKWARE APPNOTE 6.3).
//!
//! Entries are found only through the list at the end of an archive. The offsets and sizes in the list must lie within
//! the archive. The unpacked size of an entry is counted while the entry is unpacked.

use crate::header::Header;
use crate::unpack::{LimitedReader, PackedCount};
use flate2::read::DeflateDecoder;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Take};

/// The maximum number of entries that are read.
const MAX_ENTRIES: usize = 250_000;

/// The maximum number of bytes that follow the list of entries. These bytes are the end record and its comment.
const MAX_END_BYTES: u64 = 22 + 0xFFFF;

/// The reason why an entry cannot be read if some of its bytes are not in the archive.
const BEYOND_ARCHIVE: &str = "it extends beyond the end of the archive, which is cut off or damaged";

/// An entry of a ZIP archive.
#[derive(Clone, Debug)]
pub struct ArchiveEntry {
    /// The name of the entry, with `/` between its parts.
    name: String,
    /// The bytes of the name if they are not UTF-8.
    undecoded_name: Option<Box<[u8]>>,
    flags: u16,
    method: u16,
    /// The time and date of the last change, in MS-DOS format.
    modified: [u16; 2],
    crc: u32,
    packed_size: u64,
    /// The size of the unpacked entry, as the archive states it.
    size: u64,
    /// The offset of the entry in the archive.
    header_start: u64,
    /// Whether the entry ends within the archive.
    is_within: bool,
}

/// Lists the entries of an archive in order.
///
/// # Errors
///
/// Returns an error if the archive is cut off or damaged, if it has too many entries, or if its entries overlap.
pub fn entries(mut archive: impl Read + Seek) -> io::Result<Vec<ArchiveEntry>> {
    let size = archive.seek(SeekFrom::End(0))?;
    let list = find_list(&mut archive, size)?;
    archive.seek(SeekFrom::Start(list.start))?;
    let mut input = BufReader::new(archive.take(list.octets));
    let mut entries: Vec<ArchiveEntry> = Vec::new();
    // Count the entries in the list: the number that the archive states may be too small, because it is at most 65,535.
    while !input.fill_buf()?.is_empty() {
        if entries.len() == MAX_ENTRIES {
            return Err(damaged_error(&format!("it has more than {MAX_ENTRIES} entries")));
        }
        // A digital signature may follow the list (4.3.13).
        if input.fill_buf()?.starts_with(b"PK\x05\x05") {
            break;
        }
        let mut entry = read_entry(&mut input)?;
        entry.is_within = entry.header_start.saturating_add(entry.packed_size) <= size;
        entries.push(entry);
    }
    let count = entries.len() as u64;
    if count != list.entries && (list.is_long || count % (1 << 16) != list.entries) {
        return Err(damaged_error("the list of entries is damaged: their number is wrong"));
    }
    let possible = entries.iter().filter(|entry| entry.packed_size <= size);
    let total = possible.fold(0_u64, |sum, entry| sum.saturating_add(entry.packed_size));
    if total > size {
        return Err(damaged_error("its entries overlap"));
    }
    Ok(entries)
}

/// The place of the list of entries.
struct EntryList {
    /// The number of entries. In an archive without ZIP64, only the last 16 bits of the number are known.
    entries: u64,
    is_long: bool,
    start: u64,
    octets: u64,
}

/// Finds the list of entries, whose place is in the record at the end of the archive.
fn find_list(file: &mut (impl Read + Seek), size: u64) -> io::Result<EntryList> {
    let from = size.saturating_sub(MAX_END_BYTES);
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    file.by_ref().take(MAX_END_BYTES).read_to_end(&mut tail)?;
    let is_end = |at: &usize| tail.get(*at..).is_some_and(|rest| rest.starts_with(b"PK\x05\x06"));
    let cut_off = || damaged_error("the archive is cut off: the list of entries is missing");
    let at = (0..tail.len().saturating_sub(21)).rev().find(is_end).ok_or_else(cut_off)?;
    let end = &tail[at..];
    let mut list = EntryList {
        entries: u64::from(read_u16(end, 10)),
        is_long: false,
        octets: u64::from(read_u32(end, 12)),
        start: u64::from(read_u32(end, 16)),
    };
    // If a ZIP64 locator precedes the end record, use the ZIP64 record (4.3.14).
    let locator = at.checked_sub(20).and_then(|at| tail.get(at..)).unwrap_or_default();
    if locator.starts_with(b"PK\x06\x07") {
        let mut record = [0; 56];
        let start = read_u64(locator, 8);
        if start > size {
            return Err(cut_off());
        }
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut record)
            .map_err(|error| truncation_error(error, "the list of entries is damaged"))?;
        if !record.starts_with(b"PK\x06\x06") {
            return Err(cut_off());
        }
        list = EntryList {
            entries: read_u64(&record, 32),
            is_long: true,
            octets: read_u64(&record, 40),
            start: read_u64(&record, 48),
        };
    }
    if list.start.checked_add(list.octets).is_none_or(|end| end > size) {
        return Err(cut_off());
    }
    Ok(list)
}

/// Reads the next entry of the list.
fn read_entry(input: &mut impl Read) -> io::Result<ArchiveEntry> {
    const DAMAGED: &str = "the list of entries is damaged";
    let mut fixed = [0; 46];
    input.read_exact(&mut fixed).map_err(|error| truncation_error(error, DAMAGED))?;
    if !fixed.starts_with(b"PK\x01\x02") {
        return Err(damaged_error(DAMAGED));
    }
    let mut take = |length: u16| {
        let mut octets = vec![0; usize::from(length)];
        input.read_exact(&mut octets).map(|()| octets).map_err(|error| truncation_error(error, DAMAGED))
    };
    let name = take(read_u16(&fixed, 28))?;
    let extra = take(read_u16(&fixed, 30))?;
    take(read_u16(&fixed, 32))?;
    let mut entry = ArchiveEntry {
        name: decode_name(&name),
        undecoded_name: std::str::from_utf8(&name).is_err().then(|| name.clone().into()),
        flags: read_u16(&fixed, 8),
        method: read_u16(&fixed, 10),
        modified: [read_u16(&fixed, 12), read_u16(&fixed, 14)],
        crc: read_u32(&fixed, 16),
        packed_size: u64::from(read_u32(&fixed, 20)),
        size: u64::from(read_u32(&fixed, 24)),
        header_start: u64::from(read_u32(&fixed, 42)),
        is_within: true,
    };
    entry.read_zip64_sizes(&extra);
    Ok(entry)
}

/// Returns the reason why a name is refused, if it contains `..` as a part.
fn path_refusal(name: &str) -> Option<&'static str> {
    let (mut depth, mut is_plain) = (0_usize, true);
    for step in name.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                is_plain = false;
                depth = match depth.checked_sub(1) {
                    Some(depth) => depth,
                    None => return Some("its name leads out of the archive"),
                };
            }
            _ => depth += 1,
        }
    }
    (!is_plain).then_some("its name contains `..`")
}

impl ArchiveEntry {
    /// Reads the sizes that do not fit into the entry itself (4.5.3).
    fn read_zip64_sizes(&mut self, extra: &[u8]) {
        let mut rest = extra;
        while rest.len() >= 4 {
            let (id, length) = (read_u16(rest, 0), usize::from(read_u16(rest, 2)));
            let field = &rest[4..];
            if id == 1 {
                let field = field.get(..length).unwrap_or(field);
                let mut numbers = field.chunks_exact(8).map(|octets| read_u64(octets, 0));
                for number in [&mut self.size, &mut self.packed_size, &mut self.header_start] {
                    if *number == u64::from(u32::MAX) {
                        *number = numbers.next().unwrap_or(*number);
                    }
                }
            }
            rest = field.get(length..).unwrap_or_default();
        }
    }

    /// Returns the reason why the entry cannot be read, if there is one.
    pub fn refusal(&self) -> Option<&'static str> {
        let name = &*self.name;
        let drive = matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        if let Some(reason) = path_refusal(name) {
            return Some(reason);
        }
        if name.starts_with('/') || drive {
            return Some("its name refers to a place outside the archive");
        }
        if name.contains(char::is_control) {
            return Some("its name contains control characters");
        }
        if !self.is_within {
            return Some(BEYOND_ARCHIVE);
        }
        if self.flags & 0x2041 != 0 {
            return Some("it is encrypted: unpack it with its password");
        }
        if !matches!(self.method, 0 | 8) {
            return Some("its compression method is not supported: unpack it with another program");
        }
        None
    }

    /// Returns the name of the entry, with `/` between its parts.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Removes the name of a folder from the name of the entry. Returns `None` if the entry is not in this folder.
    /// `folder` must end with `/`.
    #[must_use]
    pub fn strip_folder(mut self, folder: &str) -> Option<ArchiveEntry> {
        let name = self.name.strip_prefix(folder).filter(|name| !name.is_empty())?.to_owned();
        if let Some(octets) = &self.undecoded_name {
            // If the name of the folder is encoded differently in the archive, it has another length there.
            let is_as_long = folder.is_ascii() && !folder.contains('%');
            self.undecoded_name = Some(octets.get(folder.len()..).filter(|_| is_as_long)?.into());
        }
        self.name = name;
        Some(self)
    }

    /// Returns the compressed size in bytes.
    pub const fn packed_size(&self) -> u64 {
        self.packed_size
    }

    /// Returns the offset of the entry in the archive, which is unique.
    pub const fn start(&self) -> u64 {
        self.header_start
    }

    /// Returns a reader that unpacks the entry from its archive.
    ///
    /// # Errors
    ///
    /// Returns an error if the archive cannot be read at this place, or if it ends before the entry does. The returned
    /// reader fails at its end if the data does not match the checksum and the size in the list.
    pub fn open<'a, R: Read + Seek + 'a>(&self, archive: R) -> io::Result<Box<dyn Read + 'a>> {
        let count = PackedCount::default();
        let packed = count.of(self.open_packed(archive)?);
        let unpacked: Box<dyn Read + 'a> = match self.method {
            0 => Box::new(packed),
            _ => Box::new(DeflateDecoder::new(packed)),
        };
        Ok(Box::new(LimitedReader::new(unpacked, count).with_check(self.crc, self.size)))
    }

    /// Returns a reader for the packed bytes of the entry.
    pub(crate) fn open_packed<R: Read + Seek>(&self, mut archive: R) -> io::Result<Take<R>> {
        if !self.is_within {
            return Err(damaged_error(BEYOND_ARCHIVE));
        }
        archive.seek(SeekFrom::Start(self.header_start))?;
        let mut fixed = [0; 30];
        const DAMAGED: &str = "the start of the archive is damaged";
        archive.read_exact(&mut fixed).map_err(|error| truncation_error(error, DAMAGED))?;
        if !fixed.starts_with(b"PK\x03\x04") {
            return Err(damaged_error(DAMAGED));
        }
        let names = i64::from(read_u16(&fixed, 26)) + i64::from(read_u16(&fixed, 28));
        archive.seek(SeekFrom::Current(names))?;
        Ok(archive.take(self.packed_size))
    }

    /// Returns a header for a copy of the entry in another archive.
    pub(crate) fn header_for_copy(&self) -> Header<'_> {
        // A name is decoded only if it is UTF-8, because the code page of other names is not known.
        let (name, flags) = match &self.undecoded_name {
            Some(octets) => (&**octets, 0),
            None => (self.name.as_bytes(), Header::UTF_8),
        };
        let ArchiveEntry { method, modified: changed, crc, packed_size: packed, size, .. } = *self;
        Header { name, flags, method, modified: changed, crc, packed_size: packed, size }
    }
}

/// Decodes the name of an entry. If the name is not UTF-8, its code page is not known. In such a name, each non-ASCII
/// byte becomes `%` and two digits, so that different names stay different.
fn decode_name(octets: &[u8]) -> String {
    let name = String::from_utf8(octets.to_vec()).unwrap_or_else(|_| {
        let spelled = |octet: &u8| match octet {
            0..=0x7F => char::from(*octet).to_string(),
            _ => format!("%{octet:02X}"),
        };
        octets.iter().map(spelled).collect()
    });
    // Old Windows programs write backslashes in names.
    name.replace('\\', "/")
}

fn read_u16(octets: &[u8], at: usize) -> u16 {
    read_bytes(octets, at).map_or(0, u16::from_le_bytes)
}

fn read_u32(octets: &[u8], at: usize) -> u32 {
    read_bytes(octets, at).map_or(0, u32::from_le_bytes)
}

fn read_u64(octets: &[u8], at: usize) -> u64 {
    read_bytes(octets, at).map_or(0, u64::from_le_bytes)
}

fn read_bytes<const N: usize>(octets: &[u8], at: usize) -> Option<[u8; N]> {
    octets.get(at..)?.first_chunk().copied()
}

/// Replaces the error for an unexpected end of the input by an error with this reason.
fn truncation_error(error: io::Error, reason: &str) -> io::Error {
    if error.kind() == ErrorKind::UnexpectedEof { damaged_error(reason) } else { error }
}

fn damaged_error(reason: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, reason.to_owned())
}
