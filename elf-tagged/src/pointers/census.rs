//! The identifiers of a document that is read in parts.

use super::index::{Key, Keys};
use super::places::{Finder, Packed, Places};
use super::{retain_visible, shares};
use crate::tree::View;
use crate::tree::build::{Built, Name, Names};
use elf_base::rules::Metadata;
use elf_base::{Code, Diagnostic, Place, Related, Rules, Sink, codes};
use elf_octets::Source;
use hashbrown::hash_table::{Entry, HashTable};
use std::borrow::Cow;

/// Which identifiers were met, and which pointers: sixteen octets each. An identifier that is not its own key (see
/// [`Key`]) is known by a keyed hash of 56 bits only.
///
/// Nothing is looked up before the end. Then it is done by shares of the identifiers, small enough that the index of one
/// stays in the cache: the time of a pointer does not grow with the document.
#[derive(Debug, Default)]
pub(crate) struct Census {
    parts: Vec<Lists>,
}

/// The names of one part.
#[derive(Debug, Default)]
pub(crate) struct Named(Option<Lists>);

#[derive(Debug)]
struct Lists {
    places: Places,
    /// The structures that bear an identifier. Marked: that are no records.
    bearers: Shared,
    /// The pointers. Marked: with the shape of GEDCOM's for other files and for parts of records.
    pointers: Shared,
}

#[derive(Clone, Copy, Debug)]
struct Entered {
    key: Key,
    place: Packed,
}

/// Entries in the order of their shares, those of a share in the order of the file.
#[derive(Debug)]
struct Shared {
    entries: Box<[Entered]>,
    /// Where each share ends; nothing where there are fewer entries than shares.
    ends: Box<[u32]>,
}

/// How many shares there are.
const SHARES: u8 = shares::MOST;

impl Named {
    /// Takes the names out of what was built of a part.
    pub(crate) fn of(built: &mut Built, source: &Source<'_>, rules: &Rules) -> Named {
        let Names { mut bearers, mut pointers, keys } = std::mem::take(&mut built.names);
        let header_end =
            built.header.head.and_then(|head| built.nodes.get(head as usize)).map_or(0, |head| head.next);
        let within = if rules.tagged.metadata == Metadata::PseudoStructures { u32::MAX } else { header_end };
        retain_visible(&mut bearers, &built.nodes, within);
        retain_visible(&mut pointers, &built.nodes, within);
        if bearers.is_empty() && pointers.is_empty() {
            return Named(None);
        }
        let view = View { text: source.text(), made: &built.made, nodes: &built.nodes };
        let mut places = Places::new(source.start());
        let mut finder = Finder::new(source, &built.nodes);
        let bearers = Shared::of(&bearers, &keys, |bearer| {
            let place = finder.place(view, bearer.node, view.xref_span(bearer.node));
            Some(places.keep(place).marked(bearer.nested))
        });
        let pointers = Shared::of(&pointers, &keys, |pointer| {
            // A continuation may have made a string of it since.
            let xref = view.line_pointer(pointer.node)?;
            let place = finder.place(view, pointer.node, view.payload_span(pointer.node));
            Some(places.keep(place).marked(super::is_external(xref)))
        });
        Named(Some(Lists { places, bearers, pointers }))
    }
}

fn share_of(key: Key, keys: &Keys) -> u8 {
    shares::share_of(keys.hash(key), SHARES)
}

impl Shared {
    fn of(names: &[Name], keys: &Keys, mut place: impl FnMut(&Name) -> Option<Packed>) -> Shared {
        let mut entries: Vec<Entered> = Vec::with_capacity(names.len());
        for name in names {
            entries.extend(place(name).map(|place| Entered { key: name.key, place }));
        }
        let (sorted, ends) = shares::sort(&entries, SHARES, |entry| share_of(entry.key, keys));
        let ends = if sorted.len() < ends.len() { Box::default() } else { ends };
        Shared { entries: sorted, ends }
    }

    /// The entries of a share, together with the number of their part.
    fn gather(&self, part: u32, share: u8, keys: &Keys, into: &mut Vec<(Entered, u32)>) {
        let end = |share: usize| self.ends.get(share).map(|&end| end as usize);
        let share_end = end(usize::from(share));
        let start = usize::from(share).checked_sub(1).and_then(end).unwrap_or(0);
        let entries = self.entries.get(start..share_end.unwrap_or(self.entries.len())).unwrap_or_default();
        match share_end {
            Some(_) => into.extend(entries.iter().map(|&entry| (entry, part))),
            None => {
                let of_share = entries.iter().filter(|entry| share_of(entry.key, keys) == share);
                into.extend(of_share.map(|&entry| (entry, part)));
            }
        }
    }
}

/// A place in the document: the number of a part, and where in it.
#[derive(Clone, Copy, Debug)]
struct At {
    part: u32,
    place: Packed,
}

/// The first structure that bears an identifier, in as few octets as can be.
#[derive(Clone, Copy, Debug)]
struct Bearer {
    key: Key,
    place: Packed,
    part: u32,
    repeated: bool,
}

/// What may be wrong with a pointer.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Nothing bears the identifier.
    Lost,
    /// Nothing does, and it has the shape of GEDCOM's for other files and for parts of records.
    External,
    /// Several structures bear it.
    Ambiguous,
    /// What bears it is no record.
    Substructure,
}

/// What is wrong with the names of a document.
#[derive(Debug, Default)]
struct Found {
    /// Where an identifier is borne again, and where it was first.
    repeated: Vec<(At, At)>,
    pointers: Vec<(At, Fault)>,
}

impl Census {
    /// Takes note of the names of the next part.
    pub(crate) fn take(&mut self, named: Named) {
        self.parts.extend(named.0);
    }

    /// Says, in the order of the file, what is wrong with the names of the whole document: of identifiers first, then of
    /// pointers. What is not met may stand in the rest, where the reading did not get `to_end`.
    pub(crate) fn report(&mut self, to_end: bool, keys: &Keys, rules: &Rules, sink: &mut dyn Sink) {
        let parts = std::mem::take(&mut self.parts);
        let mut found = Found::default();
        let mut bearers: HashTable<Bearer> = HashTable::new();
        let mut entries = Vec::new();
        for share in 0..SHARES {
            // What stands apart is brought together first, so that the processor can fetch it ahead.
            entries.clear();
            for (number, part) in (0..).zip(&parts) {
                part.bearers.gather(number, share, keys, &mut entries);
            }
            bearers.clear();
            found.index(&entries, keys, &mut bearers);
            if !to_end {
                continue;
            }
            entries.clear();
            for (number, part) in (0..).zip(&parts) {
                part.pointers.gather(number, share, keys, &mut entries);
            }
            found.look_up(&entries, keys, &bearers);
        }
        let place = |at: At| {
            let part = parts.get(at.part as usize);
            part.map_or(Place::new(0, 1, 1, 1), |part| part.places.place(at.place))
        };
        found.repeated.sort_unstable_by_key(|&(at, _)| place(at).octet);
        for (at, first) in found.repeated {
            let message = "the cross-reference identifier is borne by another structure too";
            let related = Related::new("first borne here", place(first), None);
            sink.report(
                Diagnostic::new(codes::XREF_REPEATED, rules, message).at(place(at), None).related(related),
            );
        }
        found.pointers.sort_unstable_by_key(|&(at, _)| place(at).octet);
        for (at, fault) in found.pointers {
            let (code, message) = fault.meaning();
            let mut diagnostic = Diagnostic::new(code, rules, message).at(place(at), None);
            if !matches!(fault, Fault::Substructure) {
                diagnostic.help = Some(Cow::Borrowed("the pointer is kept as it is written"));
            }
            sink.report(diagnostic);
        }
    }
}

impl Found {
    /// Indexes the identifiers of a share.
    fn index(&mut self, borne: &[(Entered, u32)], keys: &Keys, bearers: &mut HashTable<Bearer>) {
        for &(Entered { key, place }, part) in borne {
            match bearers.entry(keys.hash(key), |one| one.key == key, |one| keys.hash(one.key)) {
                Entry::Occupied(mut first) => {
                    let first = first.get_mut();
                    first.repeated = true;
                    self.repeated.push((At { part, place }, At { part: first.part, place: first.place }));
                }
                Entry::Vacant(vacant) => {
                    vacant.insert(Bearer { key, place, part, repeated: false });
                }
            }
        }
    }

    /// Looks up what the pointers of a share lead to.
    fn look_up(&mut self, named: &[(Entered, u32)], keys: &Keys, bearers: &HashTable<Bearer>) {
        for &(Entered { key, place }, part) in named {
            let fault = match bearers.find(keys.hash(key), |one| one.key == key) {
                Some(Bearer { repeated: true, .. }) => Fault::Ambiguous,
                Some(bearer) if bearer.place.is_marked() => Fault::Substructure,
                Some(_) => continue,
                None if place.is_marked() => Fault::External,
                None => Fault::Lost,
            };
            self.pointers.push((At { part, place }, fault));
        }
    }
}

impl Fault {
    fn meaning(self) -> (Code, &'static str) {
        match self {
            Fault::Lost | Fault::External => {
                let ((), code, message) = super::lost((), matches!(self, Fault::External));
                (code, message)
            }
            Fault::Ambiguous => (
                codes::POINTER_AMBIGUOUS,
                "expected one structure of this cross-reference identifier, but several bear it",
            ),
            Fault::Substructure => {
                (codes::POINTER_TO_SUBSTRUCTURE, "the pointer leads to a structure that is no record")
            }
        }
    }
}
