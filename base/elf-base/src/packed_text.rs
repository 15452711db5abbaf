//! Short texts packed into a number.

/// A short text that is packed into a number. The short text has up to seven bytes, or it is an ASCII character with up
/// to fourteen digits. Nearly all identifiers are that short.
///
/// ```
/// use elf_base::PackedText;
///
/// let texts = ["", "I1", "ABCDEFG", "I99999999999999"];
/// let packed: Vec<Option<String>> = texts.iter().map(|text| Some(PackedText::of(text)?.text())).collect();
/// assert_eq!(packed, texts.map(|text| Some(text.to_owned())));
/// assert_eq!(PackedText::of("ABCDEFGH"), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedText(u64);

// The highest byte is 8 plus the number of digits. For a text of up to seven bytes that is not such a number, it is the
// length.
const NUMBERED: u64 = 8;
/// The greatest number of digits that can follow a character.
const DIGITS: usize = 14;

impl PackedText {
    /// The empty text.
    pub const EMPTY: PackedText = PackedText(0);
    /// An upper limit: the number of every packed text is less than this.
    pub const END: u64 = 0xFF << 56;

    /// Packs a text. Returns `None` if it is too long.
    #[inline]
    pub fn of(text: &str) -> Option<PackedText> {
        let octets = text.as_bytes();
        // Two overlapping reads are faster than a loop, because the processor cannot predict the length of the loop.
        let packed = match (octets, octets.first_chunk::<4>(), octets.last_chunk::<4>()) {
            ([_, _, _, _, _, _, _, _, ..], ..) => return PackedText::pack_long(octets),
            (_, Some(first), Some(last)) => {
                let [first, last] = [*first, *last].map(|four| u64::from(u32::from_le_bytes(four)));
                first | last << (8 * (octets.len() - 4))
            }
            _ => octets.iter().rev().fold(0, |packed, &octet| packed << 8 | u64::from(octet)),
        };
        Some(PackedText::pack_short(packed, octets.len() as u64))
    }

    /// Packs the first `length` bytes, which must be UTF-8. Returns `None` if there are more than seven.
    #[inline]
    pub const fn of_first(octets: [u8; 8], length: u32) -> Option<PackedText> {
        if length > 7 {
            return None;
        }
        let packed = u64::from_le_bytes(octets) & ((1 << (8 * length)) - 1);
        Some(PackedText::pack_short(packed, length as u64))
    }

    /// Packs at most seven bytes. The first byte is the lowest of `packed`.
    #[inline]
    const fn pack_short(packed: u64, length: u64) -> PackedText {
        match PackedText::number_after_first(packed, length) {
            Some(number) => PackedText::pack_numbered(length - 1, packed & 0xFF, number),
            None => PackedText(packed | length << (8 * length)),
        }
    }

    /// Returns the number that follows the first byte, if only digits follow that byte.
    #[inline]
    const fn number_after_first(packed: u64, length: u64) -> Option<u64> {
        // This test excludes nearly all tags.
        if (packed >> 8 & 0xFF).wrapping_sub(0x30) > 9 {
            return None;
        }
        // The digits are in the highest bytes, the last digit highest, with zeros before them.
        let shift = 8 * (9 - length);
        let digits = (packed >> 8 << shift).wrapping_sub(0x3030_3030_3030_3030 << shift);
        let is_beyond_nine = digits | digits.wrapping_add(0x7676_7676_7676_7676);
        if is_beyond_nine & 0x8080_8080_8080_8080 != 0 {
            return None;
        }
        // Combine digits to pairs, then pairs to groups of four, then both halves.
        let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00FF_00FF_00FF_00FF;
        let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
        Some(fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF)
    }

    const fn pack_numbered(digits: u64, first: u64, number: u64) -> PackedText {
        PackedText((NUMBERED + digits) << 56 | first << 48 | number)
    }

    #[inline(never)]
    fn pack_long(octets: &[u8]) -> Option<PackedText> {
        let (&first, digits) = octets.split_first().filter(|(_, digits)| digits.len() <= DIGITS)?;
        let number = digits.iter().try_fold(0_u64, |number, digit| {
            digit.is_ascii_digit().then(|| number * 10 + u64::from(digit - b'0'))
        })?;
        first.is_ascii().then(|| PackedText::pack_numbered(digits.len() as u64, first.into(), number))
    }

    /// Returns the text that was packed.
    pub fn text(self) -> String {
        let [length, first, ..] = self.0.to_be_bytes();
        if u64::from(length) < NUMBERED {
            let count = (8 - self.0.leading_zeros() / 8).saturating_sub(1) as usize;
            let octets = self.0.to_le_bytes();
            return String::from_utf8_lossy(&octets[..count]).into_owned();
        }
        let (digits, width) = (self.0 & ((1 << 48) - 1), usize::from(length).saturating_sub(8));
        format!("{}{digits:0width$}", char::from(first))
    }

    /// Returns the first byte of a text and the number that follows it, if only digits follow that byte. `I1` and `I01`
    /// have the same number.
    ///
    /// ```
    /// use elf_base::PackedText;
    ///
    /// let counted = ["I1", "F0042", "I123456789", "7", "I", "X1Y", ""].map(|text| PackedText::of(text)?.counted());
    /// let expected = [Some((b'I', 1)), Some((b'F', 42)), Some((b'I', 123_456_789))];
    /// assert_eq!(counted[..3], expected);
    /// assert_eq!(counted[3..], [None; 4]);
    /// ```
    #[inline]
    pub const fn counted(self) -> Option<(u8, u64)> {
        let [length, first, ..] = self.0.to_be_bytes();
        if length as u64 > NUMBERED { Some((first, self.0 & ((1 << 48) - 1))) } else { None }
    }

    /// Returns the packed number, which is below [`END`](PackedText::END).
    #[inline]
    pub const fn number(self) -> u64 {
        self.0
    }

    /// Returns the text with this packed number.
    #[inline]
    pub const fn of_number(number: u64) -> Option<PackedText> {
        if number < PackedText::END { Some(PackedText(number)) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        let texts =
            ["", "I", "I1", "ABCDEFG", "é漢", "A\0", "I0000012", "I99999999999999", "I00000000000000"];
        let packed = texts.map(|text| PackedText::of(text).expect("a short text"));
        assert_eq!(packed.map(PackedText::text), texts.map(str::to_owned));
        assert!(
            packed
                .iter()
                .all(|one| one.number() > 0 && one.number() < PackedText::END || one.text().is_empty())
        );
        assert!(packed.iter().all(|one| PackedText::of_number(one.number()) == Some(*one)));
        assert!((1..packed.len()).all(|at| !packed[..at].contains(&packed[at])));
        for length in 0..9 {
            let first = PackedText::of_first(*b"ABCDEFGH", length);
            assert_eq!(first, "ABCDEFGH".get(..length as usize).and_then(PackedText::of));
        }
    }

    #[test]
    fn digits_are_counted_as_they_are_read() {
        for text in [
            "I0", "I9", "I10", "I99", "I907", "I1234", "F00000", "I98765", "F123456", "F1234567", "é1", "A:1",
        ]
        .into_iter()
        .chain(["I/1", "I1a", "I1:", "I12 4", "1", "12", "A", "", "II1", "I\u{0}1", "I1\u{0}", "\u{0}1"])
        {
            let (first, digits) = text.as_bytes().split_first().unwrap_or((&0, &[]));
            let is_counted = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
            let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
            let expected = number.filter(|_| is_counted).map(|number: u64| (*first, number));
            assert_eq!(PackedText::of(text).and_then(PackedText::counted), expected, "{text:?}");
        }
    }

    #[test]
    fn longer_texts_are_not_packed() {
        for text in ["I999999999999999", "II1000000", "é1000000", "I100000A", "IIIIIIII"] {
            assert_eq!(PackedText::of(text), None, "{text}");
        }
    }
}
