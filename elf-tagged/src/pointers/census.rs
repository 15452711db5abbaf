//! The identifiers of a document that is read in parts.

use super::findings::{Fault, Findings};
use super::index::{Key, Keys};
use super::names::Label;
use super::places::{Finder, Packed, Places};
use super::{is_void, shares, take_names, visible_pointer};
use crate::tree::View;
use crate::tree::build::{Built, Met, Name};
use elf_base::{Place, Rules, Sink};
use elf_octets::Source;
use hashbrown::hash_table::{self, HashTable};

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
    /// The checks of their [`Label`]s, where they are asked for.
    checks: Box<[u32]>,
    /// Where each share ends; nothing where there are fewer entries than shares.
    ends: Box<[u32]>,
}

/// How many shares there are.
const SHARES: u8 = shares::MOST;

impl Named {
    /// Takes the names out of what was built of a part. `checked`: with what tells any two identifiers apart.
    pub(crate) fn of(built: &mut Built, source: &Source<'_>, rules: &Rules, checked: bool) -> Named {
        let Met { bearers, pointers, keys } = take_names(built, rules);
        if bearers.is_empty() && pointers.is_empty() {
            return Named(None);
        }
        let view = View { text: source.text(), made: &built.made, nodes: &built.nodes };
        let mut places = Places::new(source.start());
        let mut finder = Finder::new(source, &built.nodes);
        let bearer_text = |bearer: &Name| view.xref(bearer.node).unwrap_or_default();
        let bearers = Shared::of(&bearers.in_order(), &keys, checked.then_some(&bearer_text), |bearer| {
            let place = finder.place(view, bearer.node, view.xref_span(bearer.node));
            Some(places.keep(place).marked(bearer.nested))
        });
        let pointer_text = |pointer: &Name| view.line_pointer(pointer.node).unwrap_or_default();
        let pointers = Shared::of(&pointers.in_order(), &keys, checked.then_some(&pointer_text), |pointer| {
            // Those who ask for names ask where every pointer leads.
            let xref = visible_pointer(view, pointer.node)
                .filter(|xref| checked || !is_void(&built.header, xref))?;
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
    /// The entries of those of `names` that have a place; with checks of their texts, if these are given.
    fn of<'x>(
        names: &[Name],
        keys: &Keys,
        text: Option<&dyn Fn(&Name) -> &'x str>,
        mut place: impl FnMut(&Name) -> Option<Packed>,
    ) -> Shared {
        let mut entries: Vec<Entered> = Vec::with_capacity(names.len());
        let mut labels: Vec<Label> = Vec::new();
        for name in names {
            let Some(place) = place(name) else { continue };
            entries.push(Entered { key: name.key, place });
            labels.extend(text.map(|text| keys.label(name.key, text(name))));
        }
        let (sorted, ends) = shares::sort(&entries, SHARES, |entry| share_of(entry.key, keys));
        let ends = if sorted.len() < ends.len() { Box::default() } else { ends };
        let (labels, _) = shares::sort(&labels, SHARES, |label| share_of(label.key, keys));
        Shared { entries: sorted, checks: labels.iter().map(|label| label.check).collect(), ends }
    }

    /// The entries of a share of the part of that number.
    fn gather(&self, part: u32, share: u8, keys: &Keys, into: &mut Vec<Entry>) {
        let end = |share: usize| self.ends.get(share).map(|&end| end as usize);
        let share_end = end(usize::from(share));
        let start = usize::from(share).checked_sub(1).and_then(end).unwrap_or(0);
        let range = start..share_end.unwrap_or(self.entries.len());
        let checks = self.checks.get(range.clone()).unwrap_or_default();
        let entries = self.entries.get(range).unwrap_or_default();
        // What is not checked has a check of nothing.
        let checks = checks.iter().copied().chain(std::iter::repeat(0));
        let entries = entries.iter().zip(checks).map(|(entry, check)| entry.in_part(part, check));
        match share_end {
            Some(_) => into.extend(entries),
            None => into.extend(entries.filter(|entry| share_of(entry.key, keys) == share)),
        }
    }
}

impl Entered {
    const fn in_part(self, part: u32, check: u32) -> Entry {
        Entry { key: self.key, place: self.place, part, check }
    }
}

/// A place in the document: the number of a part, and where in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    part: u32,
    place: Packed,
}

impl At {
    /// Whether the name that stands there is marked: of a structure that is no record.
    pub(super) const fn is_marked(self) -> bool {
        self.place.is_marked()
    }
}

/// An identifier that is borne somewhere, or pointed to: in as few octets as can be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: Key,
    place: Packed,
    part: u32,
    check: u32,
}

impl Entry {
    pub(super) const fn label(&self) -> Label {
        Label { key: self.key, check: self.check }
    }

    pub(super) const fn at(&self) -> At {
        At { part: self.part, place: self.place }
    }
}

/// The first structure that bears an identifier. The highest bit of the number of its part: whether another one does.
#[derive(Clone, Copy, Debug)]
struct Bearer(Entry);

impl Bearer {
    const REPEATED: u32 = 1 << 31;

    /// Notes that there is another one; where the first is.
    const fn repeat(&mut self) -> At {
        let at = At { part: self.0.part & !Bearer::REPEATED, place: self.0.place };
        self.0.part |= Bearer::REPEATED;
        at
    }

    const fn is_repeated(&self) -> bool {
        self.0.part & Bearer::REPEATED != 0
    }
}

/// What is unusual about a name.
pub(super) enum Unusual {
    /// The identifier is borne by another structure before.
    Again { entry: Entry, first: At },
    /// The pointer does not lead to one record.
    Pointer { entry: Entry, fault: Fault },
}

impl Census {
    /// Takes note of the names of the next part.
    pub(crate) fn take(&mut self, named: Named) {
        self.parts.extend(named.0);
    }

    /// Says, in the order of the file, what is wrong with the names of the whole document: of identifiers first, then of
    /// pointers. What is not met may stand in the rest, where the reading did not get `to_end`.
    pub(crate) fn report(self, to_end: bool, keys: &Keys, rules: &Rules, sink: &mut dyn Sink) {
        let mut found = Findings::default();
        self.walk(to_end, keys, &mut |unusual| match unusual {
            Unusual::Again { entry, first } => found.repeated.push((entry.at(), first)),
            Unusual::Pointer { entry, fault } => found.pointers.push((entry.at(), fault)),
        });
        found.report(|at| self.place(at), rules, sink);
    }

    /// Shows all that is unusual, share by share, in a share the identifiers first, each in the order of the file;
    /// `pointers`: those too.
    pub(super) fn walk(&self, pointers: bool, keys: &Keys, see: &mut impl FnMut(Unusual)) {
        let mut bearers: HashTable<Bearer> = HashTable::new();
        let mut entries = Vec::new();
        for share in 0..SHARES {
            // What stands apart is brought together first, so that the processor can fetch it ahead.
            entries.clear();
            for (number, part) in (0..).zip(&self.parts) {
                part.bearers.gather(number, share, keys, &mut entries);
            }
            bearers.clear();
            index(&entries, keys, &mut bearers, see);
            if !pointers {
                continue;
            }
            entries.clear();
            for (number, part) in (0..).zip(&self.parts) {
                part.pointers.gather(number, share, keys, &mut entries);
            }
            look_up(&entries, keys, &bearers, see);
        }
    }

    /// All identifiers that are borne, in no order.
    pub(super) fn bearers(&self) -> impl Iterator<Item = Label> {
        let lists = self.parts.iter().map(|part| &part.bearers);
        lists.flat_map(|list| {
            list.entries.iter().zip(&list.checks).map(|(entry, &check)| Label { key: entry.key, check })
        })
    }

    pub(super) fn place(&self, at: At) -> Place {
        let part = self.parts.get(at.part as usize);
        part.map_or(Place::new(0, 1, 1, 1), |part| part.places.place(at.place))
    }
}

/// Indexes the identifiers of a share.
fn index(borne: &[Entry], keys: &Keys, bearers: &mut HashTable<Bearer>, see: &mut impl FnMut(Unusual)) {
    for &entry in borne {
        let is_same = |one: &Bearer| one.0.key == entry.key && one.0.check == entry.check;
        match bearers.entry(keys.hash(entry.key), is_same, |one| keys.hash(one.0.key)) {
            hash_table::Entry::Occupied(mut first) => {
                see(Unusual::Again { entry, first: first.get_mut().repeat() });
            }
            hash_table::Entry::Vacant(vacant) => {
                vacant.insert(Bearer(entry));
            }
        }
    }
}

/// Looks up what the pointers of a share lead to.
fn look_up(named: &[Entry], keys: &Keys, bearers: &HashTable<Bearer>, see: &mut impl FnMut(Unusual)) {
    for &entry in named {
        let is_same = |one: &Bearer| one.0.key == entry.key && one.0.check == entry.check;
        let fault = match bearers.find(keys.hash(entry.key), is_same) {
            Some(bearer) if bearer.is_repeated() => Fault::Ambiguous,
            Some(bearer) if bearer.0.place.is_marked() => Fault::Substructure,
            Some(_) => continue,
            None if entry.place.is_marked() => Fault::External,
            None => Fault::Lost,
        };
        see(Unusual::Pointer { entry, fault });
    }
}
