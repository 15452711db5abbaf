//! Headers of entries, written: that before the octets of an entry and that in the list at the end of an
//! archive (PKWARE APPNOTE 6.3, 4.3.7 and 4.3.12).

/// The version of the format that it takes to unpack what is deflated.
const VERSION: u16 = 20;

/// The version of the format that has numbers of 64 bits.
const LONG_VERSION: u16 = 45;

/// The description of an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header<'h> {
    pub(crate) name: &'h [u8],
    pub(crate) flags: u16,
    pub(crate) method: u16,
    /// The time and the date of the last change, as MS-DOS has them.
    pub(crate) changed: [u16; 2],
    pub(crate) crc: u32,
    /// The number of octets that it takes in the archive.
    pub(crate) packed: u64,
    /// The number of octets that it unpacks to.
    pub(crate) size: u64,
}

impl Header<'_> {
    /// The flag of names in UTF-8.
    pub(crate) const UTF_8: u16 = 0x0800;

    /// The flag of entries whose numbers stand after their octets.
    pub(crate) const NUMBERS_BEHIND: u16 = 0x0008;

    /// The header that is before the octets of the entry.
    pub(crate) fn before(&self) -> Vec<u8> {
        let is_long = self.size.max(self.packed) >= u64::from(u32::MAX);
        let numbers = if is_long { vec![self.size, self.packed] } else { Vec::new() };
        let mut octets = b"PK\x03\x04".to_vec();
        octets.extend(self.common(is_long, !numbers.is_empty()));
        octets.extend(extra_length(&numbers).to_le_bytes());
        octets.extend(self.name);
        octets.extend(zip64_field(&numbers));
        octets
    }

    /// The line of the list for the entry, which starts at `start` in the archive.
    pub(crate) fn listed(&self, start: u64) -> Vec<u8> {
        let is_long = self.size.max(self.packed) >= u64::from(u32::MAX);
        let is_far = start >= u64::from(u32::MAX);
        let mut numbers = if is_long { vec![self.size, self.packed] } else { Vec::new() };
        numbers.extend(is_far.then_some(start));
        let mut octets = b"PK\x01\x02".to_vec();
        octets.extend(VERSION.to_le_bytes());
        octets.extend(self.common(is_long, !numbers.is_empty()));
        octets.extend(extra_length(&numbers).to_le_bytes());
        // No comment, the first disk, and no attributes.
        octets.extend([0; 10]);
        octets.extend(cap_to_u32(start).to_le_bytes());
        octets.extend(self.name);
        octets.extend(zip64_field(&numbers));
        octets
    }

    /// The part that both headers have, up to the length of the name.
    fn common(&self, is_long: bool, has_numbers: bool) -> Vec<u8> {
        let version = if has_numbers { LONG_VERSION } else { VERSION };
        let [time, date] = self.changed;
        let mut octets = [version, self.flags, self.method, time, date].map(u16::to_le_bytes).concat();
        let [packed, size] =
            if is_long { [u32::MAX; 2] } else { [cap_to_u32(self.packed), cap_to_u32(self.size)] };
        octets.extend([self.crc, packed, size].map(u32::to_le_bytes).concat());
        // A name was read from a field of 16 bits, or is our own.
        octets.extend(u16::try_from(self.name.len()).unwrap_or(u16::MAX).to_le_bytes());
        octets
    }
}

/// The number, or what stands for one that has its place elsewhere (4.4.1.4).
fn cap_to_u32(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The field of numbers that have no place in the header itself (4.5.3).
fn zip64_field(numbers: &[u64]) -> Vec<u8> {
    if numbers.is_empty() {
        return Vec::new();
    }
    let mut octets = [1, extra_length(numbers) - 4].map(u16::to_le_bytes).concat();
    octets.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    octets
}

/// The octets of that field, with its own header.
fn extra_length(numbers: &[u64]) -> u16 {
    match numbers.len() {
        0 => 0,
        count => 4 + 8 * u16::try_from(count).unwrap_or_default(),
    }
}

/// The records that end an archive: of `count` entries, whose list has so many octets and starts at `start`
/// (4.3.14 to 4.3.16).
pub(crate) fn ending(count: u64, octets: u64, start: u64) -> Vec<u8> {
    let mut records = Vec::new();
    let few = u16::try_from(count).unwrap_or(u16::MAX);
    if few == u16::MAX || start.max(octets) >= u64::from(u32::MAX) {
        records.extend(b"PK\x06\x06");
        records.extend(44_u64.to_le_bytes());
        records.extend([LONG_VERSION, LONG_VERSION, 0, 0, 0, 0].map(u16::to_le_bytes).concat());
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
