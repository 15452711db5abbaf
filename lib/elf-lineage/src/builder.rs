//! From the runs of a document to the graph: pointers are followed when the last run has been taken.

use crate::ages::{AgeOf, StatedAge};
use crate::event_data::EventData;
use crate::event_names::{EventName, EventNames};
use crate::graph::{Lineage, ParentFamily, Partner};
use crate::identifiers::{Key, LongIdentifiers, translated};
use crate::lists::{Lists, index};
use crate::packed::EventList;
use crate::run::{FamilyData, Link, LinkRole, PartnerRole, PersonData, RepeatedMember, RunLineage, Ties};
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::collections::HashSet;
use std::hash::BuildHasher;
use std::sync::OnceLock;

/// Builds a [`Lineage`] from the runs of a document, in the order of the file.
///
/// A whole document is one run; what is built does not depend on how it was divided.
#[derive(Clone, Debug, Default)]
pub struct LineageBuilder {
    persons: Vec<PersonData>,
    families: Vec<FamilyData>,
    events: EventList,
    family_events: EventList,
    ages: Vec<StatedAge>,
    names: String,
    event_names: EventNames,
    links: Vec<Link>,
    repeated: Vec<RepeatedMember<Key>>,
    long: LongIdentifiers,
}

/// The record that an identifier leads to.
enum Bearer {
    Person(u32),
    Family(u32),
}

/// A [`Bearer`] in four bytes: there is one for each identifier while all links are in memory.
#[derive(Clone, Copy, Debug)]
struct PackedBearer(u32);

impl PackedBearer {
    /// The bit that numbers of families have.
    const FAMILY: u32 = 1 << 31;

    const fn of_person(number: u32) -> PackedBearer {
        PackedBearer(number)
    }

    const fn of_family(number: u32) -> PackedBearer {
        PackedBearer(number | Self::FAMILY)
    }

    const fn unpack(self) -> Bearer {
        match self.0 & !Self::FAMILY {
            number if self.0 == number => Bearer::Person(number),
            number => Bearer::Family(number),
        }
    }
}

/// Adds the length of what came before to a number within a run.
fn behind(number: u32, before: usize) -> u32 {
    index(before).saturating_add(number)
}

/// An event of a run with the number that its name has in the whole document.
fn rename_event(event: EventData, names: &[EventName]) -> EventData {
    event.with_name(event.name.translated(names))
}

impl LineageBuilder {
    /// Adds the next run.
    pub fn take(&mut self, run: RunLineage) {
        let RunLineage {
            persons,
            families,
            events,
            family_events,
            ages,
            names,
            event_names,
            links,
            repeated,
            long,
        } = run;
        let keys = self.long.take(&long);
        let key = |of: Key| translated(of, &keys);
        let (before, families_before) = (self.persons.len(), self.families.len());
        self.links.extend(links.into_iter().map(|link| {
            let before = match link.kind {
                LinkRole::AsChild(_) | LinkRole::AsSpouse | LinkRole::AdoptedSomewhere => before,
                LinkRole::Partner(_) | LinkRole::Child(_) => families_before,
            };
            Link { from: behind(link.from, before), to: key(link.to), ..link }
        }));
        self.repeated.extend(repeated.into_iter().map(|one| RepeatedMember {
            family: behind(one.family, families_before),
            person: key(one.person),
            ..one
        }));
        let (events_before, names_before) = (self.events.len(), self.names.len());
        self.persons.extend(persons.into_iter().map(|person| PersonData {
            key: key(person.key),
            name_end: behind(person.name_end, names_before),
            first_event: behind(person.first_event, events_before),
            ..person
        }));
        let events_before = self.family_events.len();
        self.families.extend(families.into_iter().map(|family| FamilyData {
            key: key(family.key),
            first_event: behind(family.first_event, events_before),
            ..family
        }));
        let event_names = self.event_names.take(&event_names);
        self.ages.extend(ages.into_iter().map(|age| {
            let before = match age.of {
                AgeOf::Person => before,
                AgeOf::Husband | AgeOf::Wife => families_before,
            };
            StatedAge {
                record: behind(age.record, before),
                event: rename_event(age.event, &event_names),
                ..age
            }
        }));
        self.events.take(&events, &event_names);
        self.family_events.take(&family_events, &event_names);
        self.names.push_str(&names);
    }

    /// Resolves all pointers and builds the graph.
    pub fn build(self) -> Lineage {
        let LineageBuilder {
            persons,
            families,
            events,
            family_events,
            ages,
            names,
            event_names,
            links,
            repeated,
            long,
        } = self;
        let mut links = links;
        let bearers = Bearers::of(&persons, &families);
        let lost_links = resolve_links(&mut links, &bearers);
        let repeated = repeated.into_iter().filter_map(|one| known_member(one, &bearers)).collect();
        drop(bearers);
        let partners = partners(&links, families.len());
        // Build the lists one after the other, each from the previous one, to save memory.
        links.retain(|link| !matches!(link.kind, LinkRole::Partner(_) | LinkRole::AsSpouse));
        links.shrink_to_fit();
        // Families are visited in order, so each person gets them in order.
        let as_spouse = || partners.all().map(|(family, partner)| (partner.person, family));
        let as_spouse = Lists::gathered(persons.len(), as_spouse);
        let children = children(&links, families.len());
        let as_child = parent_families(&links, persons.len());
        let adopted = find_adopted(&links);
        drop(links);
        let mut lineage = Lineage {
            persons,
            families,
            events,
            family_events,
            ages,
            names,
            event_names,
            long,
            partners,
            children,
            as_child,
            as_spouse,
            lost_links,
            repeated,
            births_of_descendants: OnceLock::new(),
        };
        lineage.settle_births(&adopted);
        lineage.shrink();
        lineage
    }
}

/// The records that have identifiers, each found by its identifier.
struct Bearers<'b> {
    persons: &'b [PersonData],
    families: &'b [FamilyData],
    /// The first record with each identifier. It stores no identifiers, to save memory: the records have them.
    table: HashTable<PackedBearer>,
    hasher: DefaultHashBuilder,
    /// The identifiers that several records have.
    repeated: HashSet<Key>,
}

impl Bearers<'_> {
    fn of<'b>(persons: &'b [PersonData], families: &'b [FamilyData]) -> Bearers<'b> {
        // Records that are numbered from 2^31 on are not found: their numbers do not fit.
        let numbers = 0..PackedBearer::FAMILY;
        let of_persons = numbers
            .clone()
            .zip(persons)
            .map(|(number, person)| (person.key, PackedBearer::of_person(number)));
        let of_families =
            numbers.zip(families).map(|(number, family)| (family.key, PackedBearer::of_family(number)));
        let all = of_persons.chain(of_families).filter(|(key, _)| *key != Key::NONE);
        let hasher = DefaultHashBuilder::default();
        let key_of = |bearer: &PackedBearer| key_of(*bearer, persons, families);
        // While a table grows, it is in memory twice.
        let mut table = HashTable::with_capacity(all.clone().count());
        let mut repeated = HashSet::new();
        for (key, bearer) in all {
            let is_same = |other: &PackedBearer| key_of(other) == key;
            match table.entry(hasher.hash_one(key), is_same, |other| hasher.hash_one(key_of(other))) {
                Entry::Occupied(_) => {
                    repeated.insert(key);
                }
                Entry::Vacant(vacant) => {
                    vacant.insert(bearer);
                }
            }
        }
        Bearers { persons, families, table, hasher, repeated }
    }

    /// Returns the only record with the identifier `key`.
    fn get(&self, key: Key) -> Option<Bearer> {
        let is_named = |bearer: &PackedBearer| key_of(*bearer, self.persons, self.families) == key;
        let found = self.table.find(self.hasher.hash_one(key), is_named)?;
        if self.repeated.contains(&key) { None } else { Some(found.unpack()) }
    }
}

/// Returns the identifier of a record of these lists.
fn key_of(bearer: PackedBearer, persons: &[PersonData], families: &[FamilyData]) -> Key {
    match bearer.unpack() {
        Bearer::Person(number) => persons[number as usize].key,
        Bearer::Family(number) => families[number as usize].key,
    }
}

/// Follows the pointers of all links to the numbers of records; one that leads to none of its kind, or to
/// several, goes. Returns how many went.
fn resolve_links(links: &mut Vec<Link>, bearers: &Bearers<'_>) -> u64 {
    let before = links.len();
    links.retain_mut(|link| {
        let number = match (link.kind, bearers.get(link.to)) {
            (LinkRole::AdoptedSomewhere, _) => 0,
            (LinkRole::AsChild(_) | LinkRole::AsSpouse, Some(Bearer::Family(number))) => number,
            (LinkRole::Child(_) | LinkRole::Partner(_), Some(Bearer::Person(number))) => number,
            _ => return false,
        };
        link.to = Key::of_record(number);
        true
    });
    (before - links.len()) as u64
}

/// Returns a repeated member by the number of the person. `None` if the identifier leads to no person.
fn known_member(one: RepeatedMember<Key>, bearers: &Bearers<'_>) -> Option<RepeatedMember<u32>> {
    let RepeatedMember { family, person, member, spot } = one;
    match bearers.get(person)? {
        Bearer::Person(person) => Some(RepeatedMember { family, person, member, spot }),
        Bearer::Family(_) => None,
    }
}

/// The partners of each family: those that its own record names come first. The first link between two
/// records stands for the others.
fn partners(links: &[Link], families: usize) -> Lists<Partner> {
    let items = || {
        let named = links.iter().filter_map(|link| match link.kind {
            LinkRole::Partner(role) => Some((link.from, Partner { person: link.to.record(), role })),
            LinkRole::AsChild(_) | LinkRole::AsSpouse | LinkRole::AdoptedSomewhere | LinkRole::Child(_) => {
                None
            }
        });
        let naming = links
            .iter()
            .filter(|link| link.kind == LinkRole::AsSpouse)
            .map(|link| (link.to.record(), Partner { person: link.from, role: PartnerRole::Partner }));
        named.chain(naming)
    };
    Lists::gathered(families, items).merged(|one| one.person, |_, _| ())
}

/// The persons of whom it is said that they were adopted, not by whom; in order, perhaps repeated.
fn find_adopted(links: &[Link]) -> Vec<u32> {
    let adopted = links.iter().filter(|link| link.kind == LinkRole::AdoptedSomewhere);
    adopted.map(|link| link.from).collect()
}

/// The links of families to children: the numbers of the family and of the child, and their ties.
fn to_children(links: &[Link]) -> impl Iterator<Item = (u32, u32, Ties)> {
    links.iter().filter_map(|link| match link.kind {
        LinkRole::Child(ties) => Some((link.from, link.to.record(), ties)),
        LinkRole::AsChild(_) | LinkRole::AsSpouse | LinkRole::AdoptedSomewhere | LinkRole::Partner(_) => None,
    })
}

/// The links of children to families: the numbers of the child and of the family, and the ties.
fn to_parents(links: &[Link]) -> impl Iterator<Item = (u32, u32, Ties)> {
    links.iter().filter_map(|link| match link.kind {
        LinkRole::AsChild(ties) => Some((link.from, link.to.record(), ties)),
        LinkRole::AsSpouse | LinkRole::AdoptedSomewhere | LinkRole::Partner(_) | LinkRole::Child(_) => None,
    })
}

/// The children of each family: those that its own record names come first.
fn children(links: &[Link], families: usize) -> Lists<u32> {
    let items = || {
        let named = to_children(links).map(|(family, child, _)| (family, child));
        named.chain(to_parents(links).map(|(child, family, _)| (family, child)))
    };
    Lists::gathered(families, items).merged(|child| *child, |_, _| ())
}

/// The families that each person is a child of: those that the person's own record names come first.
fn parent_families(links: &[Link], persons: usize) -> Lists<ParentFamily> {
    let items = || {
        let named = to_parents(links).map(|(child, family, ties)| (child, ParentFamily::new(family, ties)));
        named.chain(to_children(links).map(|(family, child, ties)| (child, ParentFamily::new(family, ties))))
    };
    Lists::gathered(persons, items).merged(|one| one.family, |one, other| one.ties = one.ties.and(other.ties))
}
