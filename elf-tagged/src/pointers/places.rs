//! Many places in few octets: eight for each, counted from the start of the part it stands in.

use elf_base::Place;

/// Places of names, part by part.
#[derive(Debug, Default)]
pub(crate) struct Places {
    parts: Vec<Part>,
    /// What eight octets do not hold: names far down a long record, or far along a line.
    large: Vec<Place>,
}

/// Where the first place kept in a part stands, and how many pointers stand before the part.
#[derive(Clone, Copy, Debug)]
struct Part {
    octet: u64,
    line: u64,
    pointers: usize,
}

/// A place that is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    /// Octet, line, column and width from the start of the part, or the number of a large place.
    pub(crate) packed: u64,
    part: u32,
}

// From the highest bit: one for large places, octet, line, column, width.
const LARGE: u64 = 1 << 63;
const LINE_BITS: u32 = 20;
const COLUMN_BITS: u32 = 8;
const WIDTH_BITS: u32 = 7;
const OCTET_BITS: u32 = 63 - LINE_BITS - COLUMN_BITS - WIDTH_BITS;

impl Places {
    /// The places kept from now on stand in a further part; so many pointers stand before it.
    pub(crate) fn start_part(&mut self, pointers: usize) {
        self.parts.push(Part { octet: u64::MAX, line: 0, pointers });
    }

    /// Keeps a place of the part started last.
    pub(crate) fn keep(&mut self, place: Place) -> At {
        let part = u32::try_from(self.parts.len()).unwrap_or(u32::MAX).saturating_sub(1);
        let Some(start) = self.parts.last_mut() else { return At { packed: 0, part } };
        if start.octet == u64::MAX {
            (start.octet, start.line) = (place.octet, place.line);
        }
        let fields = [
            (place.octet.checked_sub(start.octet), OCTET_BITS),
            (place.line.checked_sub(start.line), LINE_BITS),
            (place.column.checked_sub(1), COLUMN_BITS),
            (place.end_column.checked_sub(place.column), WIDTH_BITS),
        ];
        let packed = fields.into_iter().try_fold(0_u64, |packed, (field, bits)| {
            let field = field.filter(|field| field >> bits == 0)?;
            Some(packed << bits | field)
        });
        let packed = packed.unwrap_or_else(|| {
            self.large.push(place);
            LARGE | (self.large.len() as u64 - 1)
        });
        At { packed, part }
    }

    /// The place that was kept.
    pub(crate) fn place(&self, at: At) -> Place {
        self.unpack(at.packed, at.part as usize)
    }

    /// The place that was kept for the pointer of that number.
    pub(crate) fn place_of_pointer(&self, number: usize, packed: u64) -> Place {
        self.unpack(packed, self.parts.partition_point(|part| part.pointers <= number).saturating_sub(1))
    }

    fn unpack(&self, packed: u64, part: usize) -> Place {
        if packed & LARGE != 0 {
            let large = usize::try_from(packed & !LARGE).ok().and_then(|number| self.large.get(number));
            return large.copied().unwrap_or(Place::new(0, 1, 1, 1));
        }
        let (octet, line) = self.parts.get(part).map_or((0, 1), |part| (part.octet, part.line));
        let mut rest = packed;
        let mut take = |bits: u32| {
            let field = rest & ((1 << bits) - 1);
            rest >>= bits;
            field
        };
        let width = take(WIDTH_BITS);
        let column = take(COLUMN_BITS) + 1;
        let line = line + take(LINE_BITS);
        Place::new(octet + rest, line, column, column + width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back_from_their_parts() {
        let mut places = Places::default();
        let kept = [
            [Place::new(5, 1, 4, 6), Place::new(40, 3, 8, 12), Place::new(u64::MAX - 9, 9, 1, 1)],
            [
                Place::new(1 << 40, 70, 300, 301),
                Place::new((1 << 40) + 9, 71, 1, 900),
                Place::new(1 << 41, 72, 8, 9),
            ],
        ];
        let mut back = Vec::new();
        for (number, part) in kept.iter().enumerate() {
            places.start_part(number * part.len());
            back.extend(part.iter().map(|&place| places.keep(place)));
        }
        for (number, (at, expected)) in back.into_iter().zip(kept.concat()).enumerate() {
            assert_eq!(places.place(at), expected);
            assert_eq!(places.place_of_pointer(number, at.packed), expected);
        }
    }
}
