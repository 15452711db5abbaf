//! A compact list of places.

use elf_base::Place;

/// A list of places that takes about four bytes for each place, if each place is near the one before it.
///
/// Places can be in any order, but a place that is far from the one before it takes ten times as much memory.
#[derive(Clone, Debug)]
pub(super) struct OrderedPlaces {
    start: Place,
    /// The place that was added last.
    last: Place,
    /// A number for each place. The number contains the distance in octets and lines from the place before, the column,
    /// and the width. If the highest bit is set, the other bits are an index in `aside`.
    steps: Vec<u32>,
    /// Every [`OrderedPlaces::EACH`]th place, stored completely.
    some: Vec<Place>,
    aside: Vec<Place>,
}

const ASIDE: u32 = 1 << 31;
const OCTET_BITS: u32 = 12;
const LINE_BITS: u32 = 7;
const COLUMN_BITS: u32 = 6;
const WIDTH_BITS: u32 = 6;

impl OrderedPlaces {
    /// The number of steps between two places that are stored completely. A place is found with at most this number of
    /// steps.
    const EACH: usize = 64;

    /// Creates an empty list. The first place should be near `start`.
    pub(super) const fn new(start: Place) -> OrderedPlaces {
        OrderedPlaces { start, last: start, steps: Vec::new(), some: Vec::new(), aside: Vec::new() }
    }

    #[must_use]
    pub(super) fn with_room(mut self, count: usize) -> OrderedPlaces {
        self.steps.reserve_exact(count);
        self
    }

    #[inline]
    pub(super) fn push(&mut self, place: Place) {
        let last = std::mem::replace(&mut self.last, place);
        // For a place before the last one, the distance wraps around to a large number, so the place is stored
        // separately.
        let octets = place.octet.wrapping_sub(last.octet);
        let lines = place.line.wrapping_sub(last.line);
        let column = place.column.wrapping_sub(1);
        let width = place.end_column.wrapping_sub(place.column);
        let beyond = octets >> OCTET_BITS | lines >> LINE_BITS | column >> COLUMN_BITS | width >> WIDTH_BITS;
        let packed = ((octets << LINE_BITS | lines) << COLUMN_BITS | column) << WIDTH_BITS | width;
        let step = u32::try_from(packed).ok().filter(|_| beyond == 0);
        let step = step.unwrap_or_else(|| self.keep_aside(place));
        self.steps.push(step);
        if self.steps.len().is_multiple_of(OrderedPlaces::EACH) {
            self.some.push(place);
        }
    }

    #[cold]
    fn keep_aside(&mut self, place: Place) -> u32 {
        self.aside.push(place);
        ASIDE | u32::try_from(self.aside.len() - 1).unwrap_or(!ASIDE)
    }

    pub(super) fn get(&self, index: usize) -> Option<Place> {
        let near = index / OrderedPlaces::EACH;
        let before = near.checked_sub(1).and_then(|near| self.some.get(near)).copied().unwrap_or(self.start);
        let steps = self.steps.get(near * OrderedPlaces::EACH..=index)?;
        Some(steps.iter().fold(before, |before, &step| self.after(before, step)))
    }

    /// Returns the place that is one step after `before`.
    fn after(&self, before: Place, step: u32) -> Place {
        if step & ASIDE != 0 {
            return self.aside.get((step & !ASIDE) as usize).copied().unwrap_or(before);
        }
        let mut rest = u64::from(step);
        let mut take = |bits: u32| {
            let field = rest & ((1 << bits) - 1);
            rest >>= bits;
            field
        };
        let (width, column) = (take(WIDTH_BITS), take(COLUMN_BITS) + 1);
        let line = before.line + take(LINE_BITS);
        Place::new(before.octet + take(OCTET_BITS), line, column, column + width)
    }

    pub(super) fn shrink(&mut self) {
        self.steps.shrink_to_fit();
        self.some.shrink_to_fit();
        self.aside.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back_in_any_order() {
        for start in [Place::new(0, 1, 1, 1), Place::new((1 << 40) - 1, 60, 1, 1)] {
            let near =
                (0..300_u64).map(|at| Place::new(start.octet + at * 13, start.line + at, 8, 12 + at % 5));
            let far = [
                Place::new(start.octet, start.line, 4, 6),
                Place::new(start.octet + 4095, start.line + 127, 64, 127),
                Place::new(start.octet + 8191, start.line + 128, 1, 1),
                Place::new(start.octet + 8200, start.line + 129, 65, 66),
                Place::new(start.octet + 8201, start.line + 130, 1, 65),
                Place::new(start.octet + 8201, start.line + 258, 1, 2),
                Place::new(3, 1, 300, 301),
            ];
            let all: Vec<Place> = far.into_iter().chain(near).chain(far).collect();
            let mut places = OrderedPlaces::new(start).with_room(3);
            all.iter().for_each(|place| places.push(*place));
            places.shrink();
            let kept: Vec<Option<Place>> = (0..=all.len()).map(|at| places.get(at)).collect();
            assert_eq!(kept, all.iter().copied().map(Some).chain([None]).collect::<Vec<_>>());
            assert!(places.aside.len() < 16, "{}", places.aside.len());
        }
    }
}
