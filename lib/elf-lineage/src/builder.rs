//! Builds the graph from the runs of a document. Pointers are resolved after the last run.

use crate::ages::{AgeOwner, StatedAge};
use crate::event_data::EventData;
use crate::event_names::{EventName, EventNames};
use crate::graph::{Lineage, ParentFamily, Partner};
use crate::identifiers::{LongIdentifiers, XrefKey, renumbered};
use crate::lists::{Lists, to_u32};
use crate::packed::EventList;
use crate::run::{FamilyData, Link, LinkRole, PartnerRole, PersonData, RepeatedMember, RunLineage, Ties};
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::collections::HashSet;
use std::hash::BuildHasher;
use std::sync::OnceLock;

/// Builds a [`Lineage`] from the runs of a document, in file order.
///
/// A whole document is one run. The result does not depend on how the document was divided.
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
    repeated: Vec<RepeatedMember<XrefKey>>,
    long: LongIdentifiers,
}

/// A record that an identifier belongs to.
enum RecordWithXref {
    Person(u32),
    Family(u32),
}

/// A [`RecordWithXref`] in four bytes. It is small because one for each record is in memory
/// together with all links.
#[derive(Clone, Copy, Debug)]
struct PackedRecord(u32);

impl PackedRecord {
    /// The bit that marks the number of a family.
    const FAMILY: u32 = 1 << 31;

    const fn of_person(number: u32) -> PackedRecord {
        PackedRecord(number)
    }

    const fn of_family(number: u32) -> PackedRecord {
        PackedRecord(number | Self::FAMILY)
    }

    const fn unpack(self) -> RecordWithXref {
        match self.0 & !Self::FAMILY {
            number if self.0 == number => RecordWithXref::Person(number),
            number => RecordWithXref::Family(number),
        }
    }
}

/// Converts a number within a run to a number within the document.
fn offset_number(number: u32, before: usize) -> u32 {
    to_u32(before).saturating_add(number)
}

/// Replaces the name of an event, numbered within its run, by its number within the document.
fn rename_event(event: EventData, names: &[EventName]) -> EventData {
    event.with_name(event.name.renumbered(names))
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
        let keys = self.long.add_identifiers_of(&long);
        let key = |of: XrefKey| renumbered(of, &keys);
        let (before, families_before) = (self.persons.len(), self.families.len());
        self.links.extend(links.into_iter().map(|link| {
            let before = match link.kind {
                LinkRole::AsChild(_) | LinkRole::AsSpouse | LinkRole::AdoptedSomewhere => before,
                LinkRole::Partner(_) | LinkRole::Child(_) => families_before,
            };
            Link { from: offset_number(link.from, before), to: key(link.to), ..link }
        }));
        self.repeated.extend(repeated.into_iter().map(|one| RepeatedMember {
            family: offset_number(one.family, families_before),
            person: key(one.person),
            ..one
        }));
        let (events_before, names_before) = (self.events.len(), self.names.len());
        self.persons.extend(persons.into_iter().map(|person| PersonData {
            key: key(person.key),
            name_end: offset_number(person.name_end, names_before),
            first_event: offset_number(person.first_event, events_before),
            ..person
        }));
        let events_before = self.family_events.len();
        self.families.extend(families.into_iter().map(|family| FamilyData {
            key: key(family.key),
            first_event: offset_number(family.first_event, events_before),
            ..family
        }));
        let event_names = self.event_names.add_names_of(&event_names);
        self.ages.extend(ages.into_iter().map(|age| {
            let before = match age.of {
                AgeOwner::Person => before,
                AgeOwner::Husband | AgeOwner::Wife => families_before,
            };
            StatedAge {
                record: offset_number(age.record, before),
                event: rename_event(age.event, &event_names),
                ..age
            }
        }));
        self.events.append_renamed(&events, &event_names);
        self.family_events.append_renamed(&family_events, &event_names);
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
        let bearers = RecordsByXref::of(&persons, &families);
        let lost_links = resolve_links(&mut links, &bearers);
        let repeated = repeated.into_iter().filter_map(|one| resolve_member(one, &bearers)).collect();
        drop(bearers);
        let partners = list_partners(&links, families.len());
        // To save memory, build the lists one after the other, each from the previous one.
        links.retain(|link| !matches!(link.kind, LinkRole::Partner(_) | LinkRole::AsSpouse));
        links.shrink_to_fit();
        // Families are visited in order, so each person gets them in order.
        let as_spouse = || partners.all().map(|(family, partner)| (partner.person, family));
        let as_spouse = Lists::group_by_owner(persons.len(), as_spouse);
        let children = list_children(&links, families.len());
        let as_child = list_parent_families(&links, persons.len());
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
        lineage.decide_ties_by_birth(&adopted);
        lineage.shrink();
        lineage
    }
}

/// Finds records by their identifiers.
struct RecordsByXref<'b> {
    persons: &'b [PersonData],
    families: &'b [FamilyData],
    /// The first record with each identifier. To save memory, the table does not store the
    /// identifiers; they are looked up in the records.
    table: HashTable<PackedRecord>,
    hasher: DefaultHashBuilder,
    /// The identifiers that several records have.
    repeated: HashSet<XrefKey>,
}

impl RecordsByXref<'_> {
    fn of<'b>(persons: &'b [PersonData], families: &'b [FamilyData]) -> RecordsByXref<'b> {
        // Records with numbers from 2^31 on are not found, because their numbers do not fit.
        let numbers = 0..PackedRecord::FAMILY;
        let of_persons = numbers
            .clone()
            .zip(persons)
            .map(|(number, person)| (person.key, PackedRecord::of_person(number)));
        let of_families =
            numbers.zip(families).map(|(number, family)| (family.key, PackedRecord::of_family(number)));
        let all = of_persons.chain(of_families).filter(|(key, _)| *key != XrefKey::NONE);
        let hasher = DefaultHashBuilder::default();
        let key_of = |bearer: &PackedRecord| key_of(*bearer, persons, families);
        // A growing table is in memory twice, so allocate its final size.
        let mut table = HashTable::with_capacity(all.clone().count());
        let mut repeated = HashSet::new();
        for (key, bearer) in all {
            let is_same = |other: &PackedRecord| key_of(other) == key;
            match table.entry(hasher.hash_one(key), is_same, |other| hasher.hash_one(key_of(other))) {
                Entry::Occupied(_) => {
                    repeated.insert(key);
                }
                Entry::Vacant(vacant) => {
                    vacant.insert(bearer);
                }
            }
        }
        RecordsByXref { persons, families, table, hasher, repeated }
    }

    /// Returns the only record with the identifier `key`.
    fn get(&self, key: XrefKey) -> Option<RecordWithXref> {
        let is_named = |bearer: &PackedRecord| key_of(*bearer, self.persons, self.families) == key;
        let found = self.table.find(self.hasher.hash_one(key), is_named)?;
        if self.repeated.contains(&key) { None } else { Some(found.unpack()) }
    }
}

/// Returns the identifier of a record of these lists.
fn key_of(bearer: PackedRecord, persons: &[PersonData], families: &[FamilyData]) -> XrefKey {
    match bearer.unpack() {
        RecordWithXref::Person(number) => persons[number as usize].key,
        RecordWithXref::Family(number) => families[number as usize].key,
    }
}

/// Replaces the targets of all links by the numbers of records. Removes links whose target is
/// unresolved, ambiguous or of the wrong kind, and returns their number.
fn resolve_links(links: &mut Vec<Link>, bearers: &RecordsByXref<'_>) -> u64 {
    let before = links.len();
    links.retain_mut(|link| {
        let number = match (link.kind, bearers.get(link.to)) {
            (LinkRole::AdoptedSomewhere, _) => 0,
            (LinkRole::AsChild(_) | LinkRole::AsSpouse, Some(RecordWithXref::Family(number))) => number,
            (LinkRole::Child(_) | LinkRole::Partner(_), Some(RecordWithXref::Person(number))) => number,
            _ => return false,
        };
        link.to = XrefKey::of_record_number(number);
        true
    });
    (before - links.len()) as u64
}

/// Replaces the identifier of a repeated member by the number of the person. `None` if the
/// identifier does not belong to a person.
fn resolve_member(one: RepeatedMember<XrefKey>, bearers: &RecordsByXref<'_>) -> Option<RepeatedMember<u32>> {
    let RepeatedMember { family, person, member, spot } = one;
    match bearers.get(person)? {
        RecordWithXref::Person(person) => Some(RepeatedMember { family, person, member, spot }),
        RecordWithXref::Family(_) => None,
    }
}

/// Returns the partners of each family. Partners that the family's own record names come first. If
/// several links connect the same records, the first one is used.
fn list_partners(links: &[Link], families: usize) -> Lists<Partner> {
    let items = || {
        let named = links.iter().filter_map(|link| match link.kind {
            LinkRole::Partner(role) => Some((link.from, Partner { person: link.to.record_number(), role })),
            LinkRole::AsChild(_) | LinkRole::AsSpouse | LinkRole::AdoptedSomewhere | LinkRole::Child(_) => {
                None
            }
        });
        let naming = links
            .iter()
            .filter(|link| link.kind == LinkRole::AsSpouse)
            .map(|link| (link.to.record_number(), Partner { person: link.from, role: PartnerRole::Partner }));
        named.chain(naming)
    };
    Lists::group_by_owner(families, items).merge_alike(|one| one.person, |_, _| ())
}

/// Returns the people who were adopted by an unknown family, in order. A person may occur
/// repeatedly.
fn find_adopted(links: &[Link]) -> Vec<u32> {
    let adopted = links.iter().filter(|link| link.kind == LinkRole::AdoptedSomewhere);
    adopted.map(|link| link.from).collect()
}

/// Returns the links that families have to their children: the number of the family, the number of
/// the child, and their ties.
fn links_to_children(links: &[Link]) -> impl Iterator<Item = (u32, u32, Ties)> {
    links.iter().filter_map(|link| match link.kind {
        LinkRole::Child(ties) => Some((link.from, link.to.record_number(), ties)),
        LinkRole::AsChild(_) | LinkRole::AsSpouse | LinkRole::AdoptedSomewhere | LinkRole::Partner(_) => None,
    })
}

/// Returns the links that children have to their families: the number of the child, the number of
/// the family, and their ties.
fn links_to_parents(links: &[Link]) -> impl Iterator<Item = (u32, u32, Ties)> {
    links.iter().filter_map(|link| match link.kind {
        LinkRole::AsChild(ties) => Some((link.from, link.to.record_number(), ties)),
        LinkRole::AsSpouse | LinkRole::AdoptedSomewhere | LinkRole::Partner(_) | LinkRole::Child(_) => None,
    })
}

/// Returns the children of each family. Children that the family's own record names come first.
fn list_children(links: &[Link], families: usize) -> Lists<u32> {
    let items = || {
        let named = links_to_children(links).map(|(family, child, _)| (family, child));
        named.chain(links_to_parents(links).map(|(child, family, _)| (family, child)))
    };
    Lists::group_by_owner(families, items).merge_alike(|child| *child, |_, _| ())
}

/// Returns the families in which each person is a child. Families that the person's own record
/// names come first.
fn list_parent_families(links: &[Link], persons: usize) -> Lists<ParentFamily> {
    let items = || {
        let named =
            links_to_parents(links).map(|(child, family, ties)| (child, ParentFamily::new(family, ties)));
        named.chain(
            links_to_children(links).map(|(family, child, ties)| (child, ParentFamily::new(family, ties))),
        )
    };
    Lists::group_by_owner(persons, items)
        .merge_alike(|one| one.family, |one, other| one.ties = one.ties.merge_with(other.ties))
}
