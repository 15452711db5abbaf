//! Stores positions in the file in little memory.

use elf_base::Place;

/// The position of a record's first line. It is as small as possible, because each person has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordPosition {
    /// The lower part of the 48-bit offset; the upper part follows.
    octet: u32,
    octet_above: u16,
    pub(crate) line: u32,
    pub(crate) column: u8,
    /// The number of characters of the line.
    pub(crate) width: u8,
}

/// The position of a line in a record, relative to the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinePosition {
    pub(crate) octet: u32,
    pub(crate) line: u32,
    pub(crate) column: u8,
    pub(crate) width: u8,
}

/// The highest offset that can be stored. No file is larger.
const MAX_OFFSET: u64 = (1 << 48) - 1;

/// Converts a number to a smaller type. A number that does not fit becomes the maximum.
fn saturate<T: TryFrom<u64>>(number: u64, most: T) -> T {
    T::try_from(number).unwrap_or(most)
}

impl RecordPosition {
    pub(crate) fn of(place: Place) -> RecordPosition {
        let [a, b, c, d, e, f, ..] = place.octet.min(MAX_OFFSET).to_le_bytes();
        RecordPosition {
            octet: u32::from_le_bytes([a, b, c, d]),
            octet_above: u16::from_le_bytes([e, f]),
            line: saturate(place.line, u32::MAX),
            column: saturate(place.column, u8::MAX),
            width: saturate(place.end_column.saturating_sub(place.column), u8::MAX),
        }
    }

    pub(crate) fn to_place(self) -> Place {
        let (column, width) = (u64::from(self.column), u64::from(self.width));
        Place::new(self.offset(), self.line.into(), column, column + width)
    }

    /// Returns the offset in bytes, from 0.
    fn offset(self) -> u64 {
        u64::from(self.octet_above) << u32::BITS | u64::from(self.octet)
    }
}

impl LinePosition {
    pub(crate) fn of(place: Place, record: RecordPosition) -> LinePosition {
        let RecordPosition { column, width, .. } = RecordPosition::of(place);
        LinePosition {
            octet: saturate(place.octet.saturating_sub(record.offset()), u32::MAX),
            line: saturate(place.line.saturating_sub(record.line.into()), u32::MAX),
            column,
            width,
        }
    }

    pub(crate) fn to_place(self, record: RecordPosition) -> Place {
        let (column, width) = (u64::from(self.column), u64::from(self.width));
        let line = u64::from(record.line) + u64::from(self.line);
        Place::new(record.offset() + u64::from(self.octet), line, column, column + width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back() {
        let record = Place::new(5_000_000_000, 70, 1, 13);
        let kept = RecordPosition::of(record);
        assert_eq!(kept.to_place(), record);
        let line = Place::new(5_000_000_100, 75, 3, 20);
        assert_eq!(LinePosition::of(line, kept).to_place(kept), line);
    }
}
