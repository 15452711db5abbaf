//! Places in the file, kept in little room.

use elf_base::Place;

/// The place of a record's first line. There is one for each person, so it is as small as it can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordSpot {
    /// The octet, in 48 bits: the lower ones, and those above.
    octet: u32,
    octet_above: u16,
    pub(crate) line: u32,
    pub(crate) column: u8,
    /// The number of characters of the line.
    pub(crate) width: u8,
}

/// The place of a line under a record, counted from there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) octet: u32,
    pub(crate) line: u32,
    pub(crate) column: u8,
    pub(crate) width: u8,
}

/// The last octet that has a place of its own: no file is larger.
const MOST_OCTETS: u64 = (1 << 48) - 1;

/// A number as one of fewer bits, or the greatest of those.
fn small<T: TryFrom<u64>>(number: u64, most: T) -> T {
    T::try_from(number).unwrap_or(most)
}

impl RecordSpot {
    pub(crate) fn of(place: Place) -> RecordSpot {
        let [a, b, c, d, e, f, ..] = place.octet.min(MOST_OCTETS).to_le_bytes();
        RecordSpot {
            octet: u32::from_le_bytes([a, b, c, d]),
            octet_above: u16::from_le_bytes([e, f]),
            line: small(place.line, u32::MAX),
            column: small(place.column, u8::MAX),
            width: small(place.end_column.saturating_sub(place.column), u8::MAX),
        }
    }

    pub(crate) fn place(self) -> Place {
        let (column, width) = (u64::from(self.column), u64::from(self.width));
        Place::new(self.octet(), self.line.into(), column, column + width)
    }

    /// The octet, from 0.
    fn octet(self) -> u64 {
        u64::from(self.octet_above) << u32::BITS | u64::from(self.octet)
    }
}

impl Spot {
    pub(crate) fn of(place: Place, record: RecordSpot) -> Spot {
        let RecordSpot { column, width, .. } = RecordSpot::of(place);
        Spot {
            octet: small(place.octet.saturating_sub(record.octet()), u32::MAX),
            line: small(place.line.saturating_sub(record.line.into()), u32::MAX),
            column,
            width,
        }
    }

    pub(crate) fn place(self, record: RecordSpot) -> Place {
        let (column, width) = (u64::from(self.column), u64::from(self.width));
        let line = u64::from(record.line) + u64::from(self.line);
        Place::new(record.octet() + u64::from(self.octet), line, column, column + width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back() {
        let record = Place::new(5_000_000_000, 70, 1, 13);
        let kept = RecordSpot::of(record);
        assert_eq!(kept.place(), record);
        let line = Place::new(5_000_000_100, 75, 3, 20);
        assert_eq!(Spot::of(line, kept).place(kept), line);
    }
}
