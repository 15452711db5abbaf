//! Links between records, as far as one part of a document shows them.

use super::key::Key;
use crate::table::Table;
use crate::undefined::TagCollector;
use elf_base::{PackedPlace, PackedPlaces, Place, Span};
use elf_schema::elf_tagged::LinePlaces;
use elf_schema::tally::UndefinedTag;
use elf_schema::{Document, Node, NodeId};
use hashbrown::DefaultHashBuilder;
use std::ops::Range;

/// The records and the pointers of a part of a document, for what only the whole of it shows:
/// [`Validator::part`](crate::Validator::part) returns them. They borrow nothing.
///
/// It takes about twenty octets for each record and for each pointer, and the text of identifiers that are
/// long once for each record that bears one.
#[derive(Clone, Debug)]
pub struct PartLinks {
    places: PackedPlaces,
    pub(super) bearers: Box<[Bearer]>,
    pub(super) pointers: KeptPointers,
    texts: BearerTexts,
    /// The structures that stand in no other and may not stand as often as they like: the place of the table
    /// for each, and its line.
    roots: Vec<(u16, PackedPlace)>,
    /// The tags that the standard does not have where they stand.
    pub(super) undefined: Vec<UndefinedTag<u16>>,
}

/// The pointers of a part of which no more are to come.
type KeptPointers = Pointers<Box<[Key]>, Box<[PackedPlace]>, Box<[u16]>>;

/// A record; or another structure that bears an identifier, which no pointer stands in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bearer {
    /// Its identifier; [`Key::NONE`] where it has none.
    pub(super) key: Key,
    /// The number of the pointers up to its end.
    end: u32,
    /// The number of its kind; [`NO_KIND`](crate::slots::NO_KIND) where it has none.
    pub(super) kind: u16,
    /// Tells whether it is no record.
    pub(super) is_nested: bool,
    /// Tells whether another one bears the identifier too, which is known in the end.
    pub(super) is_repeated: bool,
}

/// The structures whose pointers are looked at, in the order of the file: the identifiers that they name;
/// their payloads, marked where they stand directly beneath their record; and their kinds.
#[derive(Clone, Debug, Default)]
pub(super) struct Pointers<K, P, N> {
    pub(super) keys: K,
    places: P,
    kinds: N,
}

/// A structure whose pointer is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    pub(super) key: Key,
    pub(super) place: PackedPlace,
    pub(super) kind: u16,
}

/// The texts of bearers that cannot be told from their keys and kinds: identifiers that are long, and tags
/// that are not those of their kinds.
#[derive(Clone, Debug, Default)]
struct BearerTexts {
    text: String,
    /// The index of the bearer, and where its identifier and its tag end.
    ends: Vec<(u32, u32, u32)>,
}

impl BearerTexts {
    fn add(&mut self, bearer: usize, identifier: &str, tag: &str) {
        self.text.push_str(identifier);
        let end = number(self.text.len());
        self.text.push_str(tag);
        self.ends.push((number(bearer), end, number(self.text.len())));
    }

    /// The identifier and the tag of a bearer; empty where they can be told.
    fn of(&self, bearer: usize) -> (&str, &str) {
        let Ok(at) = self.ends.binary_search_by_key(&number(bearer), |&(of, ..)| of) else { return ("", "") };
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&(.., end)| end);
        let Some(&(_, between, end)) = self.ends.get(at) else { return ("", "") };
        let text = |from: u32, to: u32| Span::new(from, to).of(&self.text);
        (text(start, between), text(between, end))
    }

    fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

fn number(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}

/// Takes note of the structures of a part in their order.
pub(crate) struct PartCollector<'d> {
    table: &'static Table,
    hasher: DefaultHashBuilder,
    places: PackedPlaces,
    bearers: Vec<Bearer>,
    pointers: Pointers<Vec<Key>, Vec<PackedPlace>, Vec<u16>>,
    texts: BearerTexts,
    roots: Vec<(u16, PackedPlace)>,
    lines: LinePlaces<'d>,
    /// The index of the record that is gone through, behind which those in it stand that bear an identifier.
    open: usize,
    /// The end of the serialisation metadata that was met last, in which nothing is a link.
    hidden_end: NodeId,
}

impl<'d> PartCollector<'d> {
    pub(crate) fn new(
        table: &'static Table,
        document: &'d Document<'_>,
        hasher: DefaultHashBuilder,
    ) -> PartCollector<'d> {
        // About what files have, which is no number in the file.
        let (records, pointers) = (document.len() / 12, document.len() / 6);
        PartCollector {
            table,
            hasher,
            places: PackedPlaces::new(document.source().start()),
            bearers: Vec::with_capacity(records),
            pointers: Pointers {
                keys: Vec::with_capacity(pointers),
                places: Vec::with_capacity(pointers),
                kinds: Vec::with_capacity(pointers),
            },
            texts: BearerTexts::default(),
            roots: Vec::new(),
            lines: document.line_places(),
            open: 0,
            hidden_end: NodeId::FIRST,
        }
    }

    /// Starts a record, or the header.
    pub(crate) fn record(&mut self, node: Node<'_>, kind: u16) {
        self.end_record();
        self.open = self.bearers.len();
        let document = node.document();
        let is_header = || document.rules().tagged.metadata.takes_header() && document.head() == Some(node);
        let (identifier, tag) = node.xref_and_tag();
        let identifier = identifier.filter(|_| !is_header());
        let is_own = self.table.kind(kind).is_some_and(|kind| kind.tag == Some(tag));
        self.bear(identifier, if is_own { "" } else { tag }, kind, false);
    }

    /// Takes note of a structure that is no record; nearly none bears an identifier.
    pub(crate) fn structure(&mut self, node: Node<'_>, kind: u16) {
        let flags = node.flags();
        if flags.is_hidden() {
            self.hidden_end = self.hidden_end.max(node.subtree_end());
        }
        if flags.has_xref()
            && !self.is_hidden(node)
            && let Some(identifier) = node.xref()
        {
            self.bear(Some(identifier), "", kind, true);
        }
    }

    /// Takes note of a pointer in the record that was started last, and tells whether it can lead anywhere:
    /// one in serialisation metadata cannot.
    #[inline]
    pub(crate) fn pointer(&mut self, node: Node<'_>, kind: u16, to: &str, is_beneath_record: bool) -> bool {
        if self.is_hidden(node) {
            return false;
        }
        let place = self.keep(node, node.payload_span()).marked(is_beneath_record);
        self.pointers.keys.push(Key::of(to, &self.hasher));
        self.pointers.places.push(place);
        self.pointers.kinds.push(kind);
        true
    }

    /// Takes note of a structure that stands in no other and may not stand as often as it likes.
    pub(crate) fn root(&mut self, node: Node<'_>, slot: usize) {
        let place = self.keep(node, node.line_span());
        self.roots.extend(u16::try_from(slot).ok().map(|slot| (slot, place)));
    }

    pub(crate) fn finish(mut self, tags: TagCollector) -> PartLinks {
        self.end_record();
        let PartCollector { places, bearers, pointers, mut texts, roots, .. } = self;
        let Pointers { keys, places: of_pointers, kinds } = pointers;
        texts.shrink();
        PartLinks {
            places,
            bearers: bearers.into(),
            pointers: Pointers { keys: keys.into(), places: of_pointers.into(), kinds: kinds.into() },
            texts,
            roots,
            undefined: tags.finish(),
        }
    }

    /// Tells whether a structure is serialisation metadata, or beneath it.
    fn is_hidden(&self, node: Node<'_>) -> bool {
        node.id() < self.hidden_end
    }

    fn end_record(&mut self) {
        let end = number(self.pointers.keys.len());
        self.bearers.iter_mut().skip(self.open).for_each(|bearer| bearer.end = end);
    }

    fn bear(&mut self, identifier: Option<&str>, tag: &str, kind: u16, is_nested: bool) {
        let key = identifier.map_or(Key::NONE, |identifier| Key::of(identifier, &self.hasher));
        let long = identifier.filter(|_| key.is_hash());
        if long.is_some() || !tag.is_empty() {
            self.texts.add(self.bearers.len(), long.unwrap_or_default(), tag);
        }
        self.bearers.push(Bearer { key, end: 0, kind, is_nested, is_repeated: false });
    }

    fn keep(&mut self, node: Node<'_>, span: Span) -> PackedPlace {
        let place = self.lines.place(node, span);
        self.places.keep(place)
    }
}

impl PartLinks {
    /// The place that was kept.
    pub(super) fn place(&self, place: PackedPlace) -> Place {
        self.places.place(place)
    }

    /// The structures that stand in no other and may not stand as often as they like: the place of the table
    /// for each, and its line.
    pub(super) fn roots(&self) -> impl Iterator<Item = (u16, Place)> {
        self.roots.iter().map(|&(slot, place)| (slot, self.place(place)))
    }

    /// The pointers that stand in a bearer, by their indices.
    pub(super) fn pointers_of(&self, bearer: usize) -> Range<usize> {
        let end = |at: usize| self.bearers.get(at).map_or(0, |bearer| bearer.end as usize);
        bearer.checked_sub(1).map_or(0, end)..end(bearer)
    }

    /// The pointer of that index.
    #[inline]
    pub(super) fn pointer(&self, at: usize) -> Option<Pointer> {
        let Pointers { keys, places, kinds } = &self.pointers;
        Some(Pointer { key: *keys.get(at)?, place: *places.get(at)?, kind: *kinds.get(at)? })
    }

    /// The identifier of a bearer; empty where it has none.
    pub(super) fn identifier(&self, bearer: usize) -> String {
        let key = self.bearers.get(bearer).map_or(Key::NONE, |bearer| bearer.key);
        key.text().unwrap_or_else(|| self.texts.of(bearer).0.to_owned())
    }

    /// The tag of a record.
    pub(super) fn tag<'t>(&'t self, bearer: usize, table: &Table) -> &'t str {
        let own = || table.kind(self.bearers.get(bearer)?.kind)?.tag;
        match self.texts.of(bearer).1 {
            "" => own().unwrap_or_default(),
            tag => tag,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_bearers_come_back() {
        let mut texts = BearerTexts::default();
        texts.add(2, "", "_LOC");
        texts.add(3, "AN_IDENTIFIER", "");
        texts.add(9, "ANOTHER_ONE", "INDI");
        texts.shrink();
        let all: Vec<(&str, &str)> = [0, 2, 3, 4, 9, 10].map(|bearer| texts.of(bearer)).into();
        let none = ("", "");
        assert_eq!(all, [none, ("", "_LOC"), ("AN_IDENTIFIER", ""), none, ("ANOTHER_ONE", "INDI"), none]);
    }
}
