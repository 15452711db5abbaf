//! Many places in few octets: eight for each, counted from the start of the part it stands in.

use crate::tree::{NodeData, View};
use elf_base::{Place, Span};
use elf_octets::{Locator, Source};

/// A place of a name in a part, and one bit more.
///
/// In order of size they are in order of the file, but for those that are kept aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedPlace(u64);

// From the highest bit: one for what is kept aside, one that is free to use, octet, line, column, width.
const ASIDE: u64 = 1 << 63;
const MARK: u64 = 1 << 62;
const LINE_BITS: u32 = 20;
const COLUMN_BITS: u32 = 8;
const WIDTH_BITS: u32 = 7;
const OCTET_BITS: u32 = 62 - LINE_BITS - COLUMN_BITS - WIDTH_BITS;

/// The places of one part.
#[derive(Debug)]
pub(super) struct PackedPlaces {
    octet: u64,
    line: u64,
    /// The places that eight octets do not hold: of names far down a long record, or far along a line.
    aside: Vec<Place>,
}

impl PackedPlace {
    /// Sets the mark of the place, or clears it.
    pub(super) const fn marked(self, mark: bool) -> PackedPlace {
        PackedPlace(self.0 & !MARK | if mark { MARK } else { 0 })
    }

    pub(super) const fn is_marked(self) -> bool {
        self.0 & MARK != 0
    }
}

impl PackedPlaces {
    /// No places yet, in a part that starts there.
    pub(super) const fn new(start: Place) -> PackedPlaces {
        PackedPlaces { octet: start.octet, line: start.line, aside: Vec::new() }
    }

    pub(super) fn keep(&mut self, place: Place) -> PackedPlace {
        let fields = [
            (place.octet.checked_sub(self.octet), OCTET_BITS),
            (place.line.checked_sub(self.line), LINE_BITS),
            (place.column.checked_sub(1), COLUMN_BITS),
            (place.end_column.checked_sub(place.column), WIDTH_BITS),
        ];
        let packed = fields.into_iter().try_fold(0_u64, |packed, (field, bits)| {
            let field = field.filter(|field| field >> bits == 0)?;
            Some(packed << bits | field)
        });
        PackedPlace(packed.unwrap_or_else(|| {
            self.aside.push(place);
            ASIDE | (self.aside.len() as u64 - 1)
        }))
    }

    /// The place that was kept.
    pub(super) fn place(&self, packed: PackedPlace) -> Place {
        let packed = packed.0 & !MARK;
        if packed & ASIDE != 0 {
            let aside = usize::try_from(packed & !ASIDE).ok().and_then(|number| self.aside.get(number));
            return aside.copied().unwrap_or(Place::new(self.octet, self.line, 1, 1));
        }
        let mut rest = packed;
        let mut take = |bits: u32| {
            let field = rest & ((1 << bits) - 1);
            rest >>= bits;
            field
        };
        let width = take(WIDTH_BITS);
        let column = take(COLUMN_BITS) + 1;
        let line = self.line + take(LINE_BITS);
        Place::new(self.octet + rest, line, column, column + width)
    }
}

/// Finds the places of names: without a table of all lines where each line of the part is a node.
pub(in crate::xref) struct PlaceFinder<'s> {
    start: Place,
    source: &'s Source<'s>,
    plain: bool,
    locator: Option<Locator<'s>>,
}

impl<'s> PlaceFinder<'s> {
    pub(in crate::xref) fn new(source: &'s Source<'s>, nodes: &[NodeData]) -> PlaceFinder<'s> {
        let plain = source.is_verbatim() && nodes.len() as u64 == source.line_count();
        PlaceFinder { start: source.start(), source, plain, locator: None }
    }

    /// The place of `span`, which stands on the line of `node`.
    #[inline]
    pub(in crate::xref) fn place(&mut self, view: View<'_>, node: u32, span: Span) -> Place {
        if self.plain
            && let Some(place) = self.plain_place(view, node, span)
        {
            return place;
        }
        self.locator.get_or_insert_with(|| self.source.locator()).place(span)
    }

    fn plain_place(&self, view: View<'_>, node: u32, span: Span) -> Option<Place> {
        let line = view.get(node)?.start;
        let octets = view.text.as_bytes();
        let starts_line = line
            .checked_sub(1)
            .is_none_or(|before| matches!(octets.get(before as usize), Some(b'\n' | b'\r')));
        if !starts_line || span.start < line {
            return None;
        }
        let column = 1 + characters(octets.get(line as usize..span.start as usize)?);
        let end = column + characters(octets.get(span.range())?);
        let octet = self.start.octet + u64::from(span.start);
        Some(Place::new(octet, self.start.line + u64::from(node), column, end))
    }
}

/// Counts the characters that start in these octets of UTF-8.
fn characters(octets: &[u8]) -> u64 {
    octets.iter().filter(|octet| **octet & 0xC0 != 0x80).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back() {
        for start in [Place::new(0, 1, 1, 1), Place::new((1 << 40) - 1, 60, 1, 1)] {
            let kept = [
                Place::new(start.octet, start.line, 4, 6),
                Place::new(start.octet + 40, start.line + 3, 8, 12),
                Place::new(start.octet + 49, start.line + 4, 1, 900),
                Place::new(start.octet + (1 << 26), start.line + 70_000, 200, 201),
                Place::new(start.octet + (1 << 40), start.line + 71, 300, 301),
            ];
            let mut places = PackedPlaces::new(start);
            let packed = kept.map(|place| places.keep(place));
            assert_eq!(packed.map(|packed| places.place(packed)), kept);
            for mark in [true, false] {
                assert_eq!(packed.map(|packed| places.place(packed.marked(mark))), kept);
                assert!(packed.iter().all(|packed| packed.marked(mark).is_marked() == mark));
            }
            assert_eq!(places.aside.len(), 2);
        }
    }
}
