//! Writes the headers of archive entries. Every entry has two headers: one before its data, and one in the list at the
//! end of the archive (PKWARE APPNOTE 6.3, 4.3.7 and 4.3.12).

/// The format version that supports `deflate`.
const VERSION: u16 = 20;

/// The format version that supports 64-bit sizes (ZIP64).
const ZIP64_VERSION: u16 = 45;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Header<'h> {
    pub(crate) name: &'h [u8],
    pub(crate) flags: u16,
    pub(crate) method: u16,
    /// The time and date of the last change, in MS-DOS format.
    pub(crate) modified: [u16; 2],
    pub(crate) crc: u32,
    pub(crate) packed_size: u64,
    /// The size of the entry in bytes, after unpacking.
    pub(crate) size: u64,
}

impl Header<'_> {
    /// The flag for names in UTF-8.
    pub(crate) const UTF_8: u16 = 0x0800;

    /// The flag for entries whose sizes are stored after their data.
    pub(crate) const SIZES_AFTER_DATA: u16 = 0x0008;

    /// Returns the header that precedes the data of the entry.
    pub(crate) fn local_header(&self) -> Vec<u8> {
        let is_long = self.size.max(self.packed_size) >= u64::from(u32::MAX);
        let numbers = if is_long { vec![self.size, self.packed_size] } else { Vec::new() };
        let mut octets = b"PK\x03\x04".to_vec();
        octets.extend(self.common_fields(is_long, !numbers.is_empty()));
        octets.extend(zip64_field_length(&numbers).to_le_bytes());
        octets.extend(self.name);
        octets.extend(zip64_field(&numbers));
        octets
    }

    /// Returns the header for the list at the end of the archive. `start` is the offset of the
    /// entry in the archive.
    pub(crate) fn central_header(&self, start: u64) -> Vec<u8> {
        let is_long = self.size.max(self.packed_size) >= u64::from(u32::MAX);
        let is_far = start >= u64::from(u32::MAX);
        let mut numbers = if is_long { vec![self.size, self.packed_size] } else { Vec::new() };
        numbers.extend(is_far.then_some(start));
        let mut octets = b"PK\x01\x02".to_vec();
        octets.extend(VERSION.to_le_bytes());
        octets.extend(self.common_fields(is_long, !numbers.is_empty()));
        octets.extend(zip64_field_length(&numbers).to_le_bytes());
        // There is no comment, the entry is on the first disk, and it has no attributes.
        octets.extend([0; 10]);
        octets.extend(cap_to_u32(start).to_le_bytes());
        octets.extend(self.name);
        octets.extend(zip64_field(&numbers));
        octets
    }

    /// Returns the fields that both headers have in common, up to the length of the name.
    fn common_fields(&self, is_long: bool, has_numbers: bool) -> Vec<u8> {
        let version = if has_numbers { ZIP64_VERSION } else { VERSION };
        let [time, date] = self.modified;
        let mut octets = [version, self.flags, self.method, time, date].map(u16::to_le_bytes).concat();
        let [packed, size] =
            if is_long { [u32::MAX; 2] } else { [cap_to_u32(self.packed_size), cap_to_u32(self.size)] };
        octets.extend([self.crc, packed, size].map(u32::to_le_bytes).concat());
        // The length fits. The name was either read from an entry with a 16-bit length, or chosen by this crate.
        octets.extend(u16::try_from(self.name.len()).unwrap_or(u16::MAX).to_le_bytes());
        octets
    }
}

/// Returns the number if it fits into 32 bits. For a larger number, returns the value that means that the number is in
/// the ZIP64 field (4.4.1.4).
fn cap_to_u32(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Returns the ZIP64 field, which contains the numbers that do not fit into the header (4.5.3).
fn zip64_field(numbers: &[u64]) -> Vec<u8> {
    if numbers.is_empty() {
        return Vec::new();
    }
    let mut octets = [1, zip64_field_length(numbers) - 4].map(u16::to_le_bytes).concat();
    octets.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    octets
}

/// Returns the length of the ZIP64 field, including its own header.
fn zip64_field_length(numbers: &[u64]) -> u16 {
    match numbers.len() {
        0 => 0,
        count => 4 + 8 * u16::try_from(count).unwrap_or_default(),
    }
}

/// Returns the records that end an archive with `count` entries. The list of entries has `octets` bytes and starts at
/// `start` (4.3.14 to 4.3.16).
pub(crate) fn end_records(count: u64, octets: u64, start: u64) -> Vec<u8> {
    let mut records = Vec::new();
    let few = u16::try_from(count).unwrap_or(u16::MAX);
    if few == u16::MAX || start.max(octets) >= u64::from(u32::MAX) {
        records.extend(b"PK\x06\x06");
        records.extend(44_u64.to_le_bytes());
        records.extend([ZIP64_VERSION, ZIP64_VERSION, 0, 0, 0, 0].map(u16::to_le_bytes).concat());
        records.extend([count, count, octets, start].map(u64::to_le_bytes).concat());
        records.extend(b"PK\x06\x07\0\0\0\0");
        records.extend(start.saturating_add(octets).to_le_bytes());
        records.extend(1_u32.to_le_bytes());
    }
    records.extend(b"PK\x05\x06\0\0\0\0");
    records.extend([few, few].map(u16::to_le_bytes).concat());
    records.extend([cap_to_u32(octets), cap_to_u32(start)].map(u32::to_le_bytes).concat());
    records.extend([0; 2]);
    records
}
