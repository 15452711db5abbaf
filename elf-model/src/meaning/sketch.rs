//! Sketches of documents: what a comparison has to know of each unit, found in one pass without a dataset.

use super::comparison::Terms;
use super::side::{UnitPlace, count};
use super::units::{Link, METADATA, Unit, Units};
use crate::nodes::NONE;
use elf_base::{CountedIndex, PackedText};
use elf_octets::nfc;
use elf_schema::term::undefined_tag;
use elf_schema::{TypeId, TypedDocument};
use elf_tagged::{Document, Header, Node, Payload, Piece};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;
use std::hash::{BuildHasher, Hash};

/// The records of a document, as far as a [`Comparison`](super::Comparison) has to know them: a hash of what
/// each says, and its pointers.
#[derive(Debug)]
pub(super) struct DocumentSketch<'t> {
    pub(super) units: Units<'t>,
    /// The tag of the record of each unit; empty for the metadata.
    pub(super) tags: Vec<&'t str>,
    bearers: Bearers<'t>,
    pub(super) places: Places,
}

/// The structures that bear identifiers.
#[derive(Debug)]
struct Bearers<'t> {
    /// The identifier of each, as a number, in the order of the units.
    all: Vec<(u64, UnitPlace)>,
    /// The numbers of long identifiers.
    long: HashMap<&'t str, u64>,
    /// The first bearer of each identifier, once all are known.
    first: CountedIndex<usize>,
    /// The first bearers of identifiers that several bear.
    repeated: HashSet<usize>,
    header: &'t Header,
}

/// The kinds of what stands above the structures of the metadata, and above records.
const ABOVE_METADATA: u64 = 1;
const ABOVE_RECORDS: u64 = 2;

/// The kinds of the structures of a document.
struct Kinds<'t> {
    document: &'t TypedDocument<'t>,
    terms: &'t Terms,
    /// By type, its kind: none where it was not asked for yet, or that of an undefined tag.
    of_types: Vec<Option<Option<u64>>>,
    /// Places in which a structure of a type was met, each at the index that its type and the kind above
    /// make: those need not be noted again.
    met: Vec<Option<(TypeId, u64, PackedText)>>,
    places: Places,
}

/// The number of places that are remembered, a power of two.
const MET: usize = 256;

/// Places, each of them a tag beneath structures of some kind.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Places in which a structure has a type.
    typed: HashSet<u64>,
    /// Places in which it has none: the kinds of such structures.
    undefined: HashSet<u64>,
}

impl Places {
    /// Tells whether a place is typed on one of these sides, and undefined on one.
    pub(super) fn are_mixed(sides: [&Places; 2]) -> bool {
        sides.iter().any(|one| {
            one.undefined.iter().any(|place| sides.iter().any(|other| other.typed.contains(place)))
        })
    }
}

impl<'t> Kinds<'t> {
    fn new(document: &'t TypedDocument<'t>, terms: &'t Terms) -> Kinds<'t> {
        Kinds { document, terms, of_types: Vec::new(), met: vec![None; MET], places: Places::default() }
    }

    /// The kind of a structure beneath one of that kind: that of its type or, where its tag has none, that of
    /// its place.
    fn of(&mut self, node: Node<'_>, above: u64, tag: Option<PackedText>) -> u64 {
        if let Some(of) = self.document.type_id(node)
            && let Some(kind) = self.of_type(of)
        {
            let [low, ..] = above.to_le_bytes();
            let at = (of.index() ^ usize::from(low)) % MET;
            let place = tag.map(|tag| (of, above, tag));
            let met = self.met.get_mut(at).and_then(|met| std::mem::replace(met, place));
            if met.is_none() || met != place {
                self.places.typed.insert(self.terms.place(above, node.tag()));
            }
            return kind;
        }
        let place = self.terms.place(above, node.tag());
        self.places.undefined.insert(place);
        place
    }

    fn of_type(&mut self, of: TypeId) -> Option<u64> {
        if self.of_types.len() <= of.index() {
            self.of_types.resize(of.index() + 1, None);
        }
        *self.of_types.get_mut(of.index())?.get_or_insert_with(|| {
            let iri = self.document.typing().iri(of).filter(|iri| undefined_tag(iri).is_none())?;
            Some(self.terms.names.hash_one(iri))
        })
    }
}

/// The kinds of the structures that are open, while a document is gone through.
struct OpenKinds {
    /// The nodes before which they end, and their kinds.
    open: Vec<(usize, u64)>,
    metadata_end: usize,
}

impl OpenKinds {
    fn of(document: &TypedDocument<'_>) -> OpenKinds {
        let metadata_end = document.document().head().map_or(0, |head| head.subtree_end().index());
        OpenKinds { open: Vec::new(), metadata_end }
    }

    fn is_metadata(&self, node: Node<'_>) -> bool {
        node.id().index() < self.metadata_end
    }

    /// Closes what ends before a node; returns how deep that stands and the kind of what it stands beneath.
    fn close_before(&mut self, node: Node<'_>) -> (usize, u64) {
        let at = node.id().index();
        while self.open.last().is_some_and(|&(end, _)| end <= at) {
            self.open.pop();
        }
        let outermost = if self.is_metadata(node) { ABOVE_METADATA } else { ABOVE_RECORDS };
        (self.open.len(), self.open.last().map_or(outermost, |&(_, kind)| kind))
    }

    fn open(&mut self, node: Node<'_>, kind: u64) {
        self.open.push((node.subtree_end().index(), kind));
    }
}

/// The unit at hand, and what is known of those before it.
struct Sketcher<'t> {
    terms: &'t Terms,
    sketch: DocumentSketch<'t>,
    units: Vec<Unit<'t>>,
    /// The pointers of all units, in canonical order within each, and where those of each unit start.
    pointers: Vec<&'t str>,
    starts: Vec<u32>,
    /// The structures of the unit, in document order.
    nodes: Vec<SketchedNode<'t>>,
    /// The octets of what they say, one after the other, and the same in canonical order.
    said: Vec<u8>,
    canonical: Vec<u8>,
    /// The kind of the structure met last at each depth, beneath what is open.
    lasts: Vec<u64>,
    /// True if the unit stands in canonical order.
    in_order: bool,
    waiting: Vec<u32>,
    nexts: Vec<u32>,
}

/// A structure of the unit at hand.
#[derive(Clone, Copy)]
struct SketchedNode<'t> {
    kind: u64,
    depth: u32,
    /// The end of what it says.
    end: usize,
    xref: Option<&'t str>,
    pointer: Option<&'t str>,
}

/// The kinds of payloads, as they are hashed.
const ABSENT: u8 = 0;
const LITERAL: u8 = 1;
const POINTER: u8 = 2;

impl<'t> DocumentSketch<'t> {
    /// Sketches a document by the terms of the comparison.
    pub(super) fn of(document: &'t TypedDocument<'t>, terms: &'t Terms) -> DocumentSketch<'t> {
        let sketch = DocumentSketch {
            units: Units::default(),
            tags: vec![""],
            bearers: Bearers::of(document.document()),
            places: Places::default(),
        };
        let mut sketcher = Sketcher {
            terms,
            sketch,
            units: Vec::new(),
            pointers: Vec::new(),
            starts: Vec::new(),
            nodes: Vec::new(),
            said: Vec::new(),
            canonical: Vec::new(),
            lasts: Vec::new(),
            in_order: true,
            waiting: Vec::new(),
            nexts: Vec::new(),
        };
        let mut kinds = Kinds::new(document, terms);
        let mut open = OpenKinds::of(document);
        let language = PackedText::of("PLANG").filter(|_| terms.languages);
        let mut gone_to = 0;
        for node in document.document().structures() {
            if node.id().index() < gone_to {
                continue;
            }
            let (depth, above) = open.close_before(node);
            if depth == 0 {
                if open.is_metadata(node) {
                    if terms.common.is_serialisation(node.tag()) {
                        gone_to = node.subtree_end().index();
                        continue;
                    }
                } else {
                    sketcher.finish_unit();
                    sketcher.sketch.tags.push(node.tag());
                }
            }
            let tag = node.packed_tag();
            let kind = kinds.of(node, above, tag);
            open.open(node, kind);
            sketcher.push(node, (depth, kind), tag.is_some() && tag == language);
        }
        sketcher.sketch.places = kinds.places;
        sketcher.finish()
    }

    /// Returns where a pointer to that identifier leads.
    pub(super) fn target(&self, xref: &str) -> Option<UnitPlace> {
        self.bearers.get(xref)
    }

    /// For each record, how many come before it, and how many there are, of its identifier or, where it has
    /// none, of its tag.
    pub(super) fn numbers(&self) -> Vec<(u32, u32)> {
        let is_named = |unit: usize| self.units.name(count(unit)).is_some();
        let mut numbers = match (1..self.tags.len()).all(is_named) {
            true => Vec::new(),
            false => numbered(self.tags.iter().copied()),
        };
        numbers.resize(self.tags.len(), (0, 1));
        for (_, entry) in numbers.iter_mut().enumerate().filter(|(unit, _)| is_named(*unit)) {
            *entry = (0, 1);
        }
        if !self.bearers.repeated.is_empty() {
            let bearers = numbered(self.bearers.all.iter().map(|(number, _)| *number));
            for (&(_, place), number) in
                self.bearers.all.iter().zip(bearers).filter(|((_, place), _)| !place.is_nested())
            {
                if let Some(entry) = numbers.get_mut(place.unit as usize) {
                    *entry = number;
                }
            }
        }
        numbers
    }
}

/// For each name, how often it stands before, and how often in all.
fn numbered<N: Copy + Eq + Hash>(names: impl Iterator<Item = N>) -> Vec<(u32, u32)> {
    let mut met: HashMap<N, u32> = HashMap::new();
    // By the number of each name.
    let mut counts: Vec<u32> = Vec::new();
    let mut last = None;
    let mut numbers: Vec<(u32, u32)> = names
        .map(|name| {
            let of = match last {
                Some((same, of)) if same == name => of,
                _ => *met.entry(name).or_insert(count(counts.len())),
            };
            last = Some((name, of));
            counts.resize(met.len(), 0);
            let before = counts.get_mut(of as usize).map(|count| std::mem::replace(count, *count + 1));
            (before.unwrap_or_default(), of)
        })
        .collect();
    for (_, of) in &mut numbers {
        *of = counts.get(*of as usize).copied().unwrap_or_default();
    }
    numbers
}

impl<'t> Sketcher<'t> {
    /// Adds a structure to the unit at hand; `is_language` tells that its payload is a language tag.
    fn push(&mut self, node: Node<'t>, (depth, kind): (usize, u64), is_language: bool) {
        self.lasts.truncate(depth + 1);
        match self.lasts.get_mut(depth) {
            Some(last) => {
                self.in_order &= *last <= kind;
                *last = kind;
            }
            None => self.lasts.push(kind),
        }
        let depth = count(depth);
        self.said.extend_from_slice(&kind.to_le_bytes());
        self.said.extend_from_slice(&depth.to_le_bytes());
        let at = self.said.len();
        // The kind of the payload, and its length once that is known.
        self.said.extend_from_slice(&[ABSENT, 0, 0, 0, 0]);
        let mut pointer = None;
        let payload = match node.payload() {
            Payload::None => ABSENT,
            Payload::Pointer(name) => {
                pointer = Some(name);
                POINTER
            }
            Payload::Text(text) if text.is_empty() && self.terms.common.empty_is_absent() => ABSENT,
            Payload::Text(text) if is_language => {
                let text = said(node, text).to_ascii_lowercase();
                self.said.extend_from_slice(text.as_bytes());
                LITERAL
            }
            Payload::Text(text) if is_plain(text.as_bytes()) => {
                self.said.extend_from_slice(text.as_bytes());
                LITERAL
            }
            Payload::Text(text) => {
                self.said.extend_from_slice(nfc(&said(node, text)).as_bytes());
                LITERAL
            }
        };
        let length = count(self.said.len() - at - 5).to_le_bytes();
        if let Some([kind, entry @ ..]) = self.said.get_mut(at..at + 5) {
            *kind = payload;
            entry.copy_from_slice(&length);
        }
        self.nodes.push(SketchedNode { kind, depth, end: self.said.len(), xref: node.xref(), pointer });
    }

    /// Hashes the unit at hand, and notes its pointers.
    fn finish_unit(&mut self) {
        let unit = count(self.units.len());
        self.starts.push(count(self.pointers.len()));
        if self.in_order {
            for (place, node) in (0..).zip(&self.nodes) {
                self.sketch.bearers.note(node.xref, UnitPlace { unit, place });
                self.pointers.extend(node.pointer);
            }
            std::mem::swap(&mut self.said, &mut self.canonical);
        } else {
            self.canonicalise(unit);
        }
        let record = self.nodes.first().filter(|_| unit != METADATA);
        self.units.push(Unit {
            name: record.and_then(|record| record.xref),
            kind: record.map_or(u64::from(NONE), |record| record.kind),
            shape: self.terms.shape(&self.canonical),
        });
        self.nodes.clear();
        self.said.clear();
        self.canonical.clear();
        self.lasts.clear();
        self.in_order = true;
    }

    /// Writes what the unit says in canonical order.
    fn canonicalise(&mut self, unit: u32) {
        let nodes = &self.nodes;
        // The node behind each subtree.
        let mut nexts = std::mem::take(&mut self.nexts);
        nexts.clear();
        nexts.resize(nodes.len(), count(nodes.len()));
        for (at, node) in nodes.iter().enumerate().rev() {
            let mut next = at + 1;
            while let Some(later) = nodes.get(next).filter(|later| later.depth > node.depth) {
                debug_assert!(later.depth > 0);
                next = nexts.get(next).map_or(nodes.len(), |&next| next as usize);
            }
            if let Some(entry) = nexts.get_mut(at) {
                *entry = count(next);
            }
        }
        let kind = |at: u32| nodes.get(at as usize).map_or(0, |node| node.kind);
        let mut place = 0;
        let list = |from: u32, to: u32, waiting: &mut Vec<u32>| {
            let start = waiting.len();
            let mut at = from;
            while at < to {
                waiting.push(at);
                at = nexts.get(at as usize).copied().unwrap_or(to);
            }
            if let Some(added) = waiting.get_mut(start..) {
                added.reverse();
                added.sort_by_key(|&at| std::cmp::Reverse(kind(at)));
            }
        };
        self.waiting.clear();
        list(0, count(nodes.len()), &mut self.waiting);
        while let Some(at) = self.waiting.pop() {
            let Some(node) = nodes.get(at as usize) else { break };
            let start = match at.checked_sub(1) {
                Some(before) => nodes.get(before as usize).map_or(0, |node| node.end),
                None => 0,
            };
            self.canonical.extend_from_slice(self.said.get(start..node.end).unwrap_or_default());
            self.sketch.bearers.note(node.xref, UnitPlace { unit, place });
            self.pointers.extend(node.pointer);
            place += 1;
            list(at + 1, nexts.get(at as usize).copied().unwrap_or_default(), &mut self.waiting);
        }
        self.nexts = nexts;
    }

    /// Follows the pointers of all units.
    fn finish(mut self) -> DocumentSketch<'t> {
        self.finish_unit();
        self.sketch.bearers.index();
        let mut links: Vec<Link> = Vec::with_capacity(self.pointers.len());
        let mut link_starts: Vec<u32> = Vec::with_capacity(self.starts.len());
        let mut ends = self.starts.iter().skip(1).copied().chain([count(self.pointers.len())]);
        for (unit, &start) in self.units.iter_mut().zip(&self.starts) {
            let end = ends.next().unwrap_or(start);
            link_starts.push(count(links.len()));
            let mut resolved = 0;
            let names = self.pointers.get(start as usize..end as usize).unwrap_or_default();
            for (number, &name) in (0_u32..).zip(names) {
                match self.sketch.target(name) {
                    Some(UnitPlace { unit, place }) => {
                        links.push(Link { unit, number: resolved, place });
                        resolved += 1;
                    }
                    // What leads nowhere is what it is called.
                    None => unit.shape = self.terms.unlike(unit.shape, number, &nfc(name)),
                }
            }
        }
        self.sketch.units = Units::new(self.units, links, link_starts);
        self.sketch
    }
}

impl<'t> Bearers<'t> {
    fn of(document: &'t Document<'t>) -> Bearers<'t> {
        let first = CountedIndex::with_room(usize::MAX, std::iter::empty());
        let header = document.header();
        Bearers { all: Vec::new(), long: HashMap::new(), first, repeated: HashSet::new(), header }
    }

    fn note(&mut self, xref: Option<&'t str>, place: UnitPlace) {
        // No pointer leads to what is called as a pointer to nothing is.
        let Some(xref) = xref.filter(|xref| !self.header.is_void(xref)) else { return };
        let number = match PackedText::of(xref) {
            Some(packed) => packed.number(),
            None => {
                let next = PackedText::END + self.long.len() as u64;
                *self.long.entry(xref).or_insert(next)
            }
        };
        self.all.push((number, place));
    }

    /// Finds the first bearer of each identifier.
    fn index(&mut self) {
        self.first = CountedIndex::with_room(usize::MAX, self.all.iter().map(|(number, _)| *number));
        let number_of = |bearer: usize| Some(self.all.get(bearer)?.0);
        let numbers = self.all.iter().enumerate();
        let again = numbers.filter_map(|(at, (number, _))| self.first.add(*number, at, number_of));
        self.repeated = again.collect();
    }

    /// Returns the only bearer of an identifier.
    fn get(&self, xref: &str) -> Option<UnitPlace> {
        let number = match PackedText::of(xref) {
            Some(packed) => packed.number(),
            None => *self.long.get(xref)?,
        };
        let bearer = self.first.get(number, |bearer| Some(self.all.get(bearer)?.0))?;
        let is_only = self.repeated.is_empty() || !self.repeated.contains(&bearer);
        self.all.get(bearer).filter(|_| is_only).map(|(_, place)| *place)
    }
}

/// Tells whether a payload is what it says: it has no other line breaks than U+000A, is in normal form C, and
/// has no escapes.
fn is_plain(text: &[u8]) -> bool {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    // The highest bit of an octet that is not ASCII, of one that is U+000D or U+0040, or of one behind such.
    let odd = |eight: [u8; 8]| {
        let eight = u64::from_le_bytes(eight);
        let is_zero = |octets: u64| octets.wrapping_sub(ONES) & !octets;
        (eight | is_zero(eight ^ (ONES * 0x0D)) | is_zero(eight ^ (ONES * 0x40))) & HIGH
    };
    match text.last_chunk() {
        // Reads that overlap, instead of octets one by one.
        Some(&last) => text.as_chunks().0.iter().fold(odd(last), |found, &eight| found | odd(eight)) == 0,
        None => text.iter().all(|&octet| octet < 0x80 && octet != b'\r' && octet != b'@'),
    }
}

/// The string of a payload as a dataset has it: escapes as they are kept, line breaks as U+000A.
fn said<'t>(node: Node<'_>, text: Cow<'t, str>) -> Cow<'t, str> {
    let with_line_feeds = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    if !text.contains("@#") {
        return if text.contains('\r') { with_line_feeds(&text).into() } else { text };
    }
    let mut said = String::with_capacity(text.len());
    node.pieces(|piece| match piece {
        Piece::Escape(raw) => said.push_str(raw),
        Piece::Text(text) => said.push_str(&with_line_feeds(text)),
    });
    said.into()
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn what_is_plain_is_told_at_each_place_of_any_length() {
        let odd = [0x0C, 0x0D, 0x0E, 0x3F, 0x40, 0x41, 0x7F, 0x80, 0xFF];
        for length in 0..36 {
            for at in 0..length {
                for octet in odd {
                    let mut text = vec![b'a'; length];
                    text[at] = octet;
                    let simply = text.iter().all(|&octet| octet < 0x80 && octet != b'\r' && octet != b'@');
                    assert_eq!(is_plain(&text), simply, "{text:?}");
                }
            }
        }
        assert!(is_plain(b""));
    }
}
