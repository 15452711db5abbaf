//! Finds the places of identifiers in the file.

use crate::read::tree::{NodeData, View};
use elf_base::{Place, Span};
use elf_octets::{Locator, Source};

/// Finds the places of spans. If each line of the run is a node, this needs no table of lines.
#[derive(Debug)]
pub(crate) struct PlaceFinder<'s> {
    start: Place,
    source: &'s Source<'s>,
    plain: bool,
    locator: Option<Locator<'s>>,
}

impl<'s> PlaceFinder<'s> {
    pub(crate) fn new(source: &'s Source<'s>, nodes: &[NodeData]) -> PlaceFinder<'s> {
        let plain = source.is_verbatim() && nodes.len() as u64 == source.line_count();
        PlaceFinder { start: source.start(), source, plain, locator: None }
    }

    #[inline]
    pub(crate) fn place(&mut self, view: View<'_>, node: u32, span: Span) -> Place {
        self.place_without_table(view, node, span).unwrap_or_else(|| self.locator().place(span))
    }

    #[inline]
    pub(crate) fn place_without_table(&self, view: View<'_>, node: u32, span: Span) -> Option<Place> {
        if self.plain { self.plain_place(view, node, span) } else { None }
    }

    /// Returns the locator, which contains a table of all lines.
    pub(crate) fn locator(&mut self) -> &mut Locator<'s> {
        self.locator.get_or_insert_with(|| self.source.locator())
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
        let (before, within) = (octets.get(line as usize..span.start as usize)?, octets.get(span.range())?);
        let is_ascii = octets.get(line as usize..span.end as usize)?.is_ascii();
        let count = |octets: &[u8]| if is_ascii { octets.len() as u64 } else { count_characters(octets) };
        let column = 1 + count(before);
        let end = column + count(within);
        let octet = self.start.octet + u64::from(span.start);
        Some(Place::new(octet, self.start.line + u64::from(node), column, end))
    }
}

fn count_characters(octets: &[u8]) -> u64 {
    octets.iter().filter(|octet| **octet & 0xC0 != 0x80).count() as u64
}
