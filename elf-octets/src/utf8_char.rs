//! Characters of at most three bytes of UTF-8, for the tables of encodings.

/// A character in UTF-8. The character has up to three bytes, and the last byte of the array is their number. The
/// number is 0 if there is no regular character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf8([u8; 4]);

impl Utf8 {
    pub(crate) const NONE: Utf8 = Utf8([0; 4]);

    /// Encodes a character of at most three bytes. Returns [`NONE`](Utf8::NONE) for a longer one.
    pub(crate) const fn encode(character: char) -> Utf8 {
        let mut octets = [0; 4];
        match character.encode_utf8(&mut octets).len() {
            1 => octets[3] = 1,
            2 => octets[3] = 2,
            3 => octets[3] = 3,
            _ => octets = [0; 4],
        }
        Utf8(octets)
    }

    pub(crate) const fn len(self) -> usize {
        self.0[3] as usize
    }

    /// Returns the bytes of the character as a number, in little-endian order.
    pub(crate) const fn bits(self) -> u64 {
        (u32::from_le_bytes(self.0) & 0xFF_FFFF) as u64
    }
}
