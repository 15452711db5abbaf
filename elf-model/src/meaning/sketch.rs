//! Sketches of documents: what a comparison has to know of each unit, found in one pass without a dataset.

use super::comparison::Terms;
use super::side::{UnitPlace, count};
use super::units::{Link, METADATA, Unit, Units};
use crate::dataset::NONE;
use elf_octets::nfc;
use elf_schema::term::undefined_tag;
use elf_schema::{TypeId, TypedDocument};
use elf_tagged::{Node, Payload, Piece};
use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use std::hash::BuildHasher;

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
#[derive(Debug, Default)]
struct Bearers<'t> {
    /// By identifier; none where several bear it.
    places: HashMap<&'t str, Option<UnitPlace>>,
    /// All of them, in the order of the units.
    all: Vec<(&'t str, UnitPlace)>,
}

/// The kinds of what stands above the structures of the metadata, and above records.
const ABOVE_METADATA: u64 = 1;
const ABOVE_RECORDS: u64 = 2;

/// The kinds of the structures of a document.
struct Kinds<'t> {
    document: &'t TypedDocument<'t>,
    terms: &'t Terms,
    of_types: Vec<TypeKind<'t>>,
    places: Places,
}

/// The kind of a type, and the place where a structure of the type was met last.
#[derive(Clone, Copy)]
struct TypeKind<'t> {
    /// None where it was not asked for yet, or it is that of an undefined tag.
    kind: Option<Option<u64>>,
    above: u64,
    tag: &'t str,
}

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
        Kinds { document, terms, of_types: Vec::new(), places: Places::default() }
    }

    /// The kind of a structure beneath one of that kind: that of its type or, where its tag has none, that of
    /// its place.
    fn of(&mut self, node: Node<'_>, above: u64, tag: &'t str) -> u64 {
        if let Some(of) = self.document.type_id(node)
            && let Some(kind) = self.of_type(of, above, tag)
        {
            return kind;
        }
        let place = self.terms.place(above, tag);
        self.places.undefined.insert(place);
        place
    }

    fn of_type(&mut self, of: TypeId, above: u64, tag: &'t str) -> Option<u64> {
        if self.of_types.len() <= of.index() {
            self.of_types.resize(of.index() + 1, TypeKind { kind: None, above: 0, tag: "" });
        }
        let entry = self.of_types.get_mut(of.index())?;
        let kind = (*entry.kind.get_or_insert_with(|| {
            let iri = self.document.typing().iri(of).filter(|iri| undefined_tag(iri).is_none())?;
            Some(self.terms.names.hash_one(iri))
        }))?;
        if entry.above != above || entry.tag != tag {
            (entry.above, entry.tag) = (above, tag);
            self.places.typed.insert(self.terms.place(above, tag));
        }
        Some(kind)
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
            bearers: Bearers::default(),
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
        };
        let mut kinds = Kinds::new(document, terms);
        let mut open = OpenKinds::of(document);
        let mut gone_to = 0;
        for node in document.document().structures() {
            if node.id().index() < gone_to {
                continue;
            }
            let (depth, above) = open.close_before(node);
            let (xref, tag) = node.xref_and_tag();
            if depth == 0 {
                if open.is_metadata(node) {
                    if terms.common.is_serialisation(tag) {
                        gone_to = node.subtree_end().index();
                        continue;
                    }
                } else {
                    sketcher.finish_unit();
                    sketcher.sketch.tags.push(tag);
                }
            }
            let kind = kinds.of(node, above, tag);
            open.open(node, kind);
            sketcher.push(node, (depth, kind), (xref, tag));
        }
        sketcher.sketch.places = kinds.places;
        sketcher.finish()
    }

    /// Returns where a pointer to that identifier leads.
    pub(super) fn target(&self, xref: &str) -> Option<UnitPlace> {
        *self.bearers.places.get(xref)?
    }

    /// For each record, how many come before it, and how many there are, of its identifier or, where it has
    /// none, of its tag.
    pub(super) fn numbers(&self) -> Vec<(u32, u32)> {
        let mut numbers = numbered(self.tags.iter().map(|tag| Some(*tag)));
        let repeated = self.bearers.places.values().any(Option::is_none);
        let mut bearers = Vec::new();
        if repeated {
            bearers = numbered(self.bearers.all.iter().map(|&(xref, _)| Some(xref)));
        }
        for (at, (_, place)) in self.bearers.all.iter().enumerate() {
            if let Some(entry) = numbers.get_mut(place.unit as usize).filter(|_| !place.is_nested()) {
                *entry = bearers.get(at).copied().unwrap_or((0, 1));
            }
        }
        numbers
    }
}

/// For each name, how often it stands before, and how often in all.
fn numbered<'n>(names: impl Iterator<Item = Option<&'n str>> + Clone) -> Vec<(u32, u32)> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    let mut numbers: Vec<(u32, u32)> = names
        .clone()
        .map(|name| {
            let Some(name) = name else { return (0, 0) };
            let count = counts.entry(name).or_default();
            *count += 1;
            (*count - 1, 0)
        })
        .collect();
    for (entry, name) in numbers.iter_mut().zip(names) {
        entry.1 = name.and_then(|name| counts.get(name).copied()).unwrap_or_default();
    }
    numbers
}

impl<'t> Sketcher<'t> {
    fn push(&mut self, node: Node<'t>, (depth, kind): (usize, u64), (xref, tag): (Option<&'t str>, &str)) {
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
            Payload::Text(text) if tag == "PLANG" && self.terms.languages => {
                let text = said(node, &text).to_ascii_lowercase();
                self.said.extend_from_slice(text.as_bytes());
                LITERAL
            }
            Payload::Text(text) if is_plain(text.as_bytes()) => {
                self.said.extend_from_slice(text.as_bytes());
                LITERAL
            }
            Payload::Text(text) => {
                self.said.extend_from_slice(nfc(&said(node, &text)).as_bytes());
                LITERAL
            }
        };
        let length = count(self.said.len() - at - 5).to_le_bytes();
        if let Some([kind, entry @ ..]) = self.said.get_mut(at..at + 5) {
            *kind = payload;
            entry.copy_from_slice(&length);
        }
        self.nodes.push(SketchedNode { kind, depth, end: self.said.len(), xref, pointer });
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
        let mut nexts = vec![count(nodes.len()); nodes.len()];
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
    }

    /// Follows the pointers of all units.
    fn finish(mut self) -> DocumentSketch<'t> {
        self.finish_unit();
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
    fn note(&mut self, xref: Option<&'t str>, place: UnitPlace) {
        let Some(xref) = xref else { return };
        self.all.push((xref, place));
        match self.places.entry(xref) {
            Entry::Occupied(mut entry) => drop(entry.insert(None)),
            Entry::Vacant(entry) => drop(entry.insert(Some(place))),
        }
    }
}

/// Tells whether a payload is what it says: it has no other line breaks than U+000A, is in normal form C, and
/// has no escapes.
fn is_plain(text: &[u8]) -> bool {
    !text.iter().fold(false, |found, &octet| found | (octet >= 0x80) | (octet == b'\r') | (octet == b'@'))
}

/// The string of a payload as a dataset has it: escapes as they are kept, line breaks as U+000A.
fn said(node: Node<'_>, text: &str) -> String {
    if !text.contains("@#") {
        return text.replace("\r\n", "\n").replace('\r', "\n");
    }
    let mut said = String::with_capacity(text.len());
    node.pieces(|piece| match piece {
        Piece::Escape(raw) => said.push_str(raw),
        Piece::Text(text) => said.push_str(&text.replace("\r\n", "\n").replace('\r', "\n")),
    });
    said
}
