//! Links between records, as far as one part of a document shows them.

use super::texts::{NONE, Texts};
use crate::undefined::TagCollector;
use elf_base::{PackedPlace, PackedPlaces, Place, Span};
use elf_schema::elf_tagged::LinePlaces;
use elf_schema::tally::UndefinedTag;
use elf_schema::{Document, Node, NodeId};
use hashbrown::DefaultHashBuilder;

/// The records and the pointers of a part of a document, for what only the whole of it shows:
/// [`Validator::part`](crate::Validator::part) returns them. They borrow nothing.
///
/// It takes sixteen octets for each record and for each pointer, and the text of each identifier once.
#[derive(Clone, Debug)]
pub struct PartLinks {
    pub(super) texts: Texts,
    pub(super) places: PackedPlaces,
    pub(super) bearers: Vec<Bearer>,
    pub(super) pointers: Vec<Pointer>,
    /// The structures that stand in no other and may not stand as often as they like: the place of the table
    /// for each, and its line.
    pub(super) roots: Vec<(u16, PackedPlace)>,
    /// The tags that the standard does not have where they stand.
    pub(super) undefined: Vec<UndefinedTag<u16>>,
}

/// A record; or another structure that bears an identifier, which no pointer stands in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bearer {
    /// The number of its identifier; [`NONE`] where it has none.
    pub(super) identifier: u32,
    /// The number of its tag.
    pub(super) tag: u32,
    /// The number of the pointers up to its end.
    pub(super) end: u32,
    /// The number of its kind; [`NO_KIND`](crate::slots::NO_KIND) where it has none.
    pub(super) kind: u16,
    /// Tells whether it is no record.
    pub(super) is_nested: bool,
}

/// A structure whose pointer is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    /// Its payload. Marked: it stands directly beneath its record.
    pub(super) place: PackedPlace,
    /// The number of the identifier that it names.
    pub(super) identifier: u32,
    pub(super) kind: u16,
}

/// Takes note of the structures of a part in their order.
pub(crate) struct PartCollector<'d> {
    part: PartLinks,
    lines: LinePlaces<'d>,
    /// The record that is gone through: its identifier, its tag and its kind.
    open: Option<Bearer>,
    /// The structures in it that bear an identifier.
    nested: Vec<Bearer>,
    /// The end of the serialisation metadata that was met last, in which nothing is a link.
    hidden_end: NodeId,
}

impl<'d> PartCollector<'d> {
    pub(crate) fn new(document: &'d Document<'_>, hasher: DefaultHashBuilder) -> PartCollector<'d> {
        let part = PartLinks {
            // About what files have, which is no number in the file.
            texts: Texts::new(hasher, document.len() / 8),
            places: PackedPlaces::new(document.source().start()),
            bearers: Vec::new(),
            pointers: Vec::new(),
            roots: Vec::new(),
            undefined: Vec::new(),
        };
        let lines = document.line_places();
        PartCollector { part, lines, open: None, nested: Vec::new(), hidden_end: NodeId::FIRST }
    }

    /// Starts a record, or the header.
    pub(crate) fn record(&mut self, node: Node<'_>, kind: u16) {
        self.end_record();
        let mut bearer = self.bearer(node, kind, false);
        let document = node.document();
        if document.rules().tagged.metadata.takes_header() && document.head() == Some(node) {
            bearer.identifier = NONE;
        }
        self.open = Some(bearer);
    }

    /// Takes note of a structure that is no record; nearly none bears an identifier.
    pub(crate) fn structure(&mut self, node: Node<'_>, kind: u16) {
        let flags = node.flags();
        if flags.is_hidden() {
            self.hidden_end = self.hidden_end.max(node.subtree_end());
        }
        if flags.has_xref() && node.xref().is_some() && !self.is_hidden(node) {
            let bearer = self.bearer(node, kind, true);
            self.nested.push(bearer);
        }
    }

    /// Takes note of a pointer in the record that was started last, and tells whether it can lead anywhere:
    /// one in serialisation metadata cannot.
    pub(crate) fn pointer(&mut self, node: Node<'_>, kind: u16, to: &str, is_beneath_record: bool) -> bool {
        if self.is_hidden(node) {
            return false;
        }
        let place = self.keep(node, node.payload_span()).marked(is_beneath_record);
        let identifier = self.part.texts.number(to);
        self.part.pointers.push(Pointer { place, identifier, kind });
        true
    }

    /// Takes note of a structure that stands in no other and may not stand as often as it likes.
    pub(crate) fn root(&mut self, node: Node<'_>, slot: usize) {
        let place = self.keep(node, node.line_span());
        self.part.roots.extend(u16::try_from(slot).ok().map(|slot| (slot, place)));
    }

    pub(crate) fn finish(mut self, tags: TagCollector) -> PartLinks {
        self.end_record();
        self.part.undefined = tags.finish();
        self.part
    }

    /// Tells whether a structure is serialisation metadata, or beneath it.
    fn is_hidden(&self, node: Node<'_>) -> bool {
        node.id() < self.hidden_end
    }

    fn end_record(&mut self) {
        let end = u32::try_from(self.part.pointers.len()).unwrap_or(u32::MAX);
        let all = self.open.take().into_iter().chain(self.nested.drain(..));
        self.part.bearers.extend(all.map(|bearer| Bearer { end, ..bearer }));
    }

    fn bearer(&mut self, node: Node<'_>, kind: u16, is_nested: bool) -> Bearer {
        let identifier = node.xref().map_or(NONE, |xref| self.part.texts.number(xref));
        let tag = self.part.texts.number(node.tag());
        Bearer { identifier, tag, end: 0, kind, is_nested }
    }

    fn keep(&mut self, node: Node<'_>, span: Span) -> PackedPlace {
        let place = self.lines.place(node, span);
        self.part.places.keep(place)
    }
}

impl PartLinks {
    /// The place that was kept.
    pub(super) fn place(&self, place: PackedPlace) -> Place {
        self.places.place(place)
    }
}
