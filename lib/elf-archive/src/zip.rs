//! ZIP archives: their lists of entries, and the octets of one (PKWARE APPNOTE 6.3).
//!
//! The list at the end of an archive is the only one that counts. Its numbers are believed only as far as
//! the archive reaches; what an entry unpacks to is counted while it is unpacked.

use crate::header::Header;
use crate::unpack::{PackedCount, Unpacking};
use flate2::read::DeflateDecoder;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Take};

/// The most entries of an archive that are looked at.
const MOST_ENTRIES: usize = 250_000;

/// The most octets after the list of entries: the record that ends an archive, and its comment.
const END: u64 = 22 + 0xFFFF;

/// The reason why an entry is not read of which the archive lacks octets.
const BEYOND: &str = "it extends beyond the end of the archive, which is cut off or damaged";

/// An entry of a ZIP archive.
#[derive(Clone, Debug)]
pub struct ArchiveEntry {
    /// The name, parted by `/`.
    name: String,
    /// The octets of the name where they are no UTF-8.
    old_name: Option<Box<[u8]>>,
    flags: u16,
    method: u16,
    /// The time and the date of the last change, as MS-DOS has them.
    changed: [u16; 2],
    crc: u32,
    /// The number of octets that it takes in the archive.
    packed: u64,
    /// The number of octets that it is said to unpack to.
    size: u64,
    /// The octet of the archive where it starts.
    header: u64,
    /// True if it ends within the archive.
    is_within: bool,
}

/// Lists the entries of an archive in order.
///
/// # Errors
///
/// An error if the archive is cut off or damaged, if it has too many entries, or if they overlap.
pub fn entries(mut archive: impl Read + Seek) -> io::Result<Vec<ArchiveEntry>> {
    let size = archive.seek(SeekFrom::End(0))?;
    let list = find_list(&mut archive, size)?;
    archive.seek(SeekFrom::Start(list.start))?;
    let mut input = BufReader::new(archive.take(list.octets));
    let mut entries: Vec<ArchiveEntry> = Vec::new();
    // Count the list itself, because its record only counts to 65,535.
    while !input.fill_buf()?.is_empty() {
        if entries.len() == MOST_ENTRIES {
            return Err(damaged_error(&format!("it has more than {MOST_ENTRIES} entries")));
        }
        // A signature may follow (4.3.13).
        if input.fill_buf()?.starts_with(b"PK\x05\x05") {
            break;
        }
        let mut entry = entry(&mut input)?;
        entry.is_within = entry.header.saturating_add(entry.packed) <= size;
        entries.push(entry);
    }
    let count = entries.len() as u64;
    if count != list.entries && (list.is_long || count % (1 << 16) != list.entries) {
        return Err(damaged_error("the list of entries is damaged: their number is wrong"));
    }
    let possible = entries.iter().filter(|entry| entry.packed <= size);
    let total = possible.fold(0_u64, |sum, entry| sum.saturating_add(entry.packed));
    if total > size {
        return Err(damaged_error("its entries overlap"));
    }
    Ok(entries)
}

/// The place of the list of entries.
struct List {
    /// The number of entries, where it is not long the last 16 bits of it.
    entries: u64,
    is_long: bool,
    start: u64,
    octets: u64,
}

/// Finds the list of entries by the record at the end of the archive.
fn find_list(file: &mut (impl Read + Seek), size: u64) -> io::Result<List> {
    let from = size.saturating_sub(END);
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    file.by_ref().take(END).read_to_end(&mut tail)?;
    let is_end = |at: &usize| tail.get(*at..).is_some_and(|rest| rest.starts_with(b"PK\x05\x06"));
    let cut_off = || damaged_error("the archive is cut off: the list of entries is missing");
    let at = (0..tail.len().saturating_sub(21)).rev().find(is_end).ok_or_else(cut_off)?;
    let end = &tail[at..];
    let mut list = List {
        entries: u64::from(read_u16(end, 10)),
        is_long: false,
        octets: u64::from(read_u32(end, 12)),
        start: u64::from(read_u32(end, 16)),
    };
    // If a ZIP64 locator precedes it, use the ZIP64 record (4.3.14).
    let locator = at.checked_sub(20).and_then(|at| tail.get(at..)).unwrap_or_default();
    if locator.starts_with(b"PK\x06\x07") {
        let mut record = [0; 56];
        let start = read_u64(locator, 8);
        if start > size {
            return Err(cut_off());
        }
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut record).map_err(|error| in_words(error, "the list of entries is damaged"))?;
        if !record.starts_with(b"PK\x06\x06") {
            return Err(cut_off());
        }
        list = List {
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
fn entry(input: &mut impl Read) -> io::Result<ArchiveEntry> {
    const DAMAGED: &str = "the list of entries is damaged";
    let mut fixed = [0; 46];
    input.read_exact(&mut fixed).map_err(|error| in_words(error, DAMAGED))?;
    if !fixed.starts_with(b"PK\x01\x02") {
        return Err(damaged_error(DAMAGED));
    }
    let mut take = |length: u16| {
        let mut octets = vec![0; usize::from(length)];
        input.read_exact(&mut octets).map(|()| octets).map_err(|error| in_words(error, DAMAGED))
    };
    let name = take(read_u16(&fixed, 28))?;
    let extra = take(read_u16(&fixed, 30))?;
    take(read_u16(&fixed, 32))?;
    let mut entry = ArchiveEntry {
        name: entry_name(&name),
        old_name: std::str::from_utf8(&name).is_err().then(|| name.clone().into()),
        flags: read_u16(&fixed, 8),
        method: read_u16(&fixed, 10),
        changed: [read_u16(&fixed, 12), read_u16(&fixed, 14)],
        crc: read_u32(&fixed, 16),
        packed: u64::from(read_u32(&fixed, 20)),
        size: u64::from(read_u32(&fixed, 24)),
        header: u64::from(read_u32(&fixed, 42)),
        is_within: true,
    };
    entry.enlarge(&extra);
    Ok(entry)
}

/// The reason why a name with steps back is none, if it has any.
fn steps_back(name: &str) -> Option<&'static str> {
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
    /// Takes the numbers that have no place in the list itself (4.5.3).
    fn enlarge(&mut self, extra: &[u8]) {
        let mut rest = extra;
        while rest.len() >= 4 {
            let (id, length) = (read_u16(rest, 0), usize::from(read_u16(rest, 2)));
            let field = &rest[4..];
            if id == 1 {
                let field = field.get(..length).unwrap_or(field);
                let mut numbers = field.chunks_exact(8).map(|octets| read_u64(octets, 0));
                for number in [&mut self.size, &mut self.packed, &mut self.header] {
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
        if let Some(reason) = steps_back(name) {
            return Some(reason);
        }
        if name.starts_with('/') || drive {
            return Some("its name refers to a place outside the archive");
        }
        if name.contains(char::is_control) {
            return Some("its name contains control characters");
        }
        if !self.is_within {
            return Some(BEYOND);
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

    /// Removes the folder from the name of the entry. `None` if the entry is not in this folder, whose name ends with
    /// `/`.
    #[must_use]
    pub fn within(mut self, folder: &str) -> Option<ArchiveEntry> {
        let name = self.name.strip_prefix(folder).filter(|name| !name.is_empty())?.to_owned();
        if let Some(octets) = &self.old_name {
            // A folder name with other letters or with escapes has another length there.
            let is_as_long = folder.is_ascii() && !folder.contains('%');
            self.old_name = Some(octets.get(folder.len()..).filter(|_| is_as_long)?.into());
        }
        self.name = name;
        Some(self)
    }

    /// Returns the compressed size in bytes.
    pub const fn packed(&self) -> u64 {
        self.packed
    }

    /// Returns the offset of the entry in the archive, which is unique.
    pub const fn start(&self) -> u64 {
        self.header
    }

    /// Unpacks the entry from its archive.
    ///
    /// # Errors
    ///
    /// An error if the archive cannot be read there, or ends before the entry does; what is read ends with
    /// one if it is not what the list says.
    pub fn open<'a, R: Read + Seek + 'a>(&self, archive: R) -> io::Result<Box<dyn Read + 'a>> {
        let count = PackedCount::default();
        let packed = count.of(self.open_packed(archive)?);
        let unpacked: Box<dyn Read + 'a> = match self.method {
            0 => Box::new(packed),
            _ => Box::new(DeflateDecoder::new(packed)),
        };
        Ok(Box::new(Unpacking::new(unpacked, count).with_check(self.crc, self.size)))
    }

    /// Reads the octets of the entry as they are packed.
    pub(crate) fn open_packed<R: Read + Seek>(&self, mut archive: R) -> io::Result<Take<R>> {
        if !self.is_within {
            return Err(damaged_error(BEYOND));
        }
        archive.seek(SeekFrom::Start(self.header))?;
        let mut fixed = [0; 30];
        const DAMAGED: &str = "the start of the archive is damaged";
        archive.read_exact(&mut fixed).map_err(|error| in_words(error, DAMAGED))?;
        if !fixed.starts_with(b"PK\x03\x04") {
            return Err(damaged_error(DAMAGED));
        }
        let names = i64::from(read_u16(&fixed, 26)) + i64::from(read_u16(&fixed, 28));
        archive.seek(SeekFrom::Current(names))?;
        Ok(archive.take(self.packed))
    }

    /// Returns what the headers of the entry say of it in another archive.
    pub(crate) fn header(&self) -> Header<'_> {
        // Names are only decoded if they are UTF-8; the code page of others is not known.
        let (name, flags) = match &self.old_name {
            Some(octets) => (&**octets, 0),
            None => (self.name.as_bytes(), Header::UTF_8),
        };
        let ArchiveEntry { method, changed, crc, packed, size, .. } = *self;
        Header { name, flags, method, changed, crc, packed, size }
    }
}

/// The name of an entry. Octets that are no UTF-8 are of an old code page that nobody names: those beyond
/// ASCII are written as `%` and two digits, so that names that differ stay different.
fn entry_name(octets: &[u8]) -> String {
    let name = String::from_utf8(octets.to_vec()).unwrap_or_else(|_| {
        let spelled = |octet: &u8| match octet {
            0..=0x7F => char::from(*octet).to_string(),
            _ => format!("%{octet:02X}"),
        };
        octets.iter().map(spelled).collect()
    });
    // Old Windows programs use backslashes in names.
    name.replace('\\', "/")
}

fn read_u16(octets: &[u8], at: usize) -> u16 {
    number(octets, at).map_or(0, u16::from_le_bytes)
}

fn read_u32(octets: &[u8], at: usize) -> u32 {
    number(octets, at).map_or(0, u32::from_le_bytes)
}

fn read_u64(octets: &[u8], at: usize) -> u64 {
    number(octets, at).map_or(0, u64::from_le_bytes)
}

fn number<const N: usize>(octets: &[u8], at: usize) -> Option<[u8; N]> {
    octets.get(at..)?.first_chunk().copied()
}

/// An error that means that the archive ends too early, as what it says of the archive.
fn in_words(error: io::Error, reason: &str) -> io::Error {
    if error.kind() == ErrorKind::UnexpectedEof { damaged_error(reason) } else { error }
}

fn damaged_error(reason: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, reason.to_owned())
}
