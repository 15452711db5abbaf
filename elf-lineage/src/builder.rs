//! From the parts of a document to the graph: pointers are followed when the last part has been taken.

use crate::ages::{AgeOf, StatedAge};
use crate::event_names::{EventName, EventNames};
use crate::graph::{Lineage, ParentFamily, Partner};
use crate::identifiers::{Key, LongIdentifiers, translated};
use crate::lists::Lists;
use crate::packed::EventList;
use crate::part::{EventData, FamilyData, Link, LinkRole, PartLineage, PartnerRole, PersonData, Ties};
use elf_base::CountedIndex;
use std::collections::HashSet;

/// Takes the parts of a document in the order of the file, and makes the [`Lineage`] of them.
///
/// A whole document is one part; what is built does not depend on how it was divided.
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
    long: LongIdentifiers,
}

/// The record that an identifier leads to.
enum Bearer {
    Person(u32),
    Family(u32),
}

/// A [`Bearer`] in four octets: there is one for each identifier while all links are in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PackedBearer(u32);

impl PackedBearer {
    const NONE: PackedBearer = PackedBearer(u32::MAX);

    /// The bit that numbers of families have.
    const FAMILY: u32 = 1 << 31;

    const fn of_person(number: u32) -> PackedBearer {
        PackedBearer(number)
    }

    const fn of_family(number: u32) -> PackedBearer {
        PackedBearer(number | Self::FAMILY)
    }

    fn bearer(self) -> Option<Bearer> {
        match self.0 & !Self::FAMILY {
            _ if self == Self::NONE => None,
            number if self.0 == number => Some(Bearer::Person(number)),
            number => Some(Bearer::Family(number)),
        }
    }
}

/// A child and a family, as one of their records links them.
#[derive(Clone, Copy, Debug)]
struct Tied {
    child: u32,
    family: u32,
    /// The numbers of the first links in the record of the child and in that of the family, by which they are
    /// in order; those of the other record come last.
    by_child: u32,
    by_family: u32,
    ties: Ties,
}

/// Adds the length of what came before to a number within a part.
fn behind(number: u32, before: usize) -> u32 {
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(number)
}

/// An event of a part with the number that its name has in the whole document.
fn renamed(event: EventData, names: &[EventName]) -> EventData {
    event.with_name(event.name.translated(names))
}

impl LineageBuilder {
    /// Takes the next part.
    pub fn take(&mut self, part: PartLineage) {
        let PartLineage { persons, families, events, family_events, ages, names, event_names, links, long } =
            part;
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
            StatedAge { record: behind(age.record, before), event: renamed(age.event, &event_names), ..age }
        }));
        self.events.take(&events, &event_names);
        self.family_events.take(&family_events, &event_names);
        self.names.push_str(&names);
    }

    /// Follows all pointers, and makes the graph.
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
            long,
        } = self;
        let (mut events, mut links) = (events, links);
        let count = events.len();
        let ends = persons.iter().skip(1).map(|person| person.first_event as usize).chain([count]);
        for (person, end) in persons.iter().zip(ends) {
            events.rank_all(person.first_event as usize..end);
        }
        // Each list is made and dropped before the next, so that little of it is in memory at a time.
        let lost_links = follow(&mut links, &Bearers::of(&persons, &families));
        let (partners, as_spouse) = partners(&mut links, persons.len(), families.len());
        let adopted = adopted(&links);
        let mut tied = tied(links);
        merge(&mut tied);
        tied.sort_unstable_by_key(|one| (one.family, one.by_family, one.by_child));
        let children = Lists::of_sorted(families.len(), tied.iter().map(|one| (one.family, one.child)));
        tied.sort_unstable_by_key(|one| (one.child, one.by_child, one.by_family));
        let parent_families = tied.iter().map(|one| (one.child, ParentFamily::new(one.family, one.ties)));
        let as_child = Lists::of_sorted(persons.len(), parent_families);
        drop(tied);
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
        };
        lineage.settle_births(&adopted);
        lineage.shrink();
        lineage
    }
}

/// The records that bear identifiers.
struct Bearers<'b> {
    persons: &'b [PersonData],
    families: &'b [FamilyData],
    index: CountedIndex<PackedBearer>,
    /// The identifiers that several records bear.
    repeated: HashSet<Key>,
}

impl Bearers<'_> {
    fn of<'b>(persons: &'b [PersonData], families: &'b [FamilyData]) -> Bearers<'b> {
        let of_persons =
            (0..).zip(persons).map(|(number, person)| (person.key, PackedBearer::of_person(number)));
        let of_families =
            (0..).zip(families).map(|(number, family)| (family.key, PackedBearer::of_family(number)));
        let all = of_persons.chain(of_families).filter(|(key, _)| *key != Key::NONE);
        let index = CountedIndex::with_room(PackedBearer::NONE, all.clone().map(|(key, _)| key.number()));
        let mut bearers = Bearers { persons, families, index, repeated: HashSet::new() };
        for (key, bearer) in all {
            let key_of = |bearer| key_of(bearer, persons, families);
            if bearers.index.add(key.number(), bearer, key_of).is_some() {
                bearers.repeated.insert(key);
            }
        }
        bearers
    }

    /// The only record that bears an identifier.
    fn get(&self, key: Key) -> Option<Bearer> {
        let found = self.index.get(key.number(), |bearer| key_of(bearer, self.persons, self.families))?;
        found.bearer().filter(|_| self.repeated.is_empty() || !self.repeated.contains(&key))
    }
}

fn key_of(bearer: PackedBearer, persons: &[PersonData], families: &[FamilyData]) -> Option<u64> {
    let key = match bearer.bearer()? {
        Bearer::Person(number) => persons.get(number as usize)?.key,
        Bearer::Family(number) => families.get(number as usize)?.key,
    };
    Some(key.number())
}

/// Follows the pointers of all links to the numbers of records; one that leads to none of its kind, or to
/// several, goes. Returns how many went.
fn follow(links: &mut Vec<Link>, bearers: &Bearers<'_>) -> u64 {
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

/// A partner of a family. There is one for every second link, while all links are in memory.
#[derive(Clone, Copy, Debug)]
struct Numbered {
    family: u32,
    person: u32,
    /// The number of the link, and in its last two bits the role. What persons say of their partners comes
    /// behind what families say.
    order: u32,
}

impl Numbered {
    const LATE: u32 = 1 << 31;
    const ROLE_BITS: u32 = 2;

    fn of_family(number: u32, family: u32, person: u32, role: PartnerRole) -> Numbered {
        let role = match role {
            PartnerRole::Husband => 0,
            PartnerRole::Wife => 1,
            PartnerRole::Partner => 2,
        };
        let number = number.min((Self::LATE >> Self::ROLE_BITS) - 1);
        Numbered { family, person, order: number << Self::ROLE_BITS | role }
    }

    fn of_person(number: u32, family: u32, person: u32) -> Numbered {
        let Numbered { order, .. } = Numbered::of_family(number, family, person, PartnerRole::Partner);
        Numbered { family, person, order: Self::LATE | order }
    }

    fn partner(self) -> (u32, Partner) {
        let role = match self.order & ((1 << Self::ROLE_BITS) - 1) {
            0 => PartnerRole::Husband,
            1 => PartnerRole::Wife,
            _ => PartnerRole::Partner,
        };
        (self.family, Partner { person: self.person, role })
    }
}

/// The partners of each family, and the families of each partner. Their links are taken out of the list.
fn partners(links: &mut Vec<Link>, persons: usize, families: usize) -> (Lists<Partner>, Lists<u32>) {
    let of_partners =
        links.extract_if(.., |link| matches!(link.kind, LinkRole::Partner(_) | LinkRole::AsSpouse));
    let mut partners: Vec<Numbered> = (0_u32..)
        .zip(of_partners)
        .filter_map(|(number, link)| match link.kind {
            LinkRole::Partner(role) => Some(Numbered::of_family(number, link.from, link.to.record(), role)),
            LinkRole::AsSpouse => Some(Numbered::of_person(number, link.to.record(), link.from)),
            LinkRole::AsChild(_) | LinkRole::AdoptedSomewhere | LinkRole::Child(_) => None,
        })
        .collect();
    links.shrink_to_fit();
    // The first link between two records stands for the others.
    partners.sort_unstable_by_key(|one| (one.family, one.person, one.order));
    partners.dedup_by_key(|one| (one.family, one.person));
    partners.sort_unstable_by_key(|one| (one.family, one.order));
    let of_families = Lists::of_sorted(families, partners.iter().map(|one| one.partner()));
    partners.sort_unstable_by_key(|one| (one.person, one.family));
    (of_families, Lists::of_sorted(persons, partners.iter().map(|one| (one.person, one.family))))
}

/// The persons of whom it is said that they were adopted, not by whom; in order, perhaps repeated.
fn adopted(links: &[Link]) -> Vec<u32> {
    let adopted = links.iter().filter(|link| link.kind == LinkRole::AdoptedSomewhere);
    adopted.map(|link| link.from).collect()
}

/// The links between children and families. What they are made of is given back as they grow.
fn tied(mut links: Vec<Link>) -> Vec<Tied> {
    const AT_ONCE: usize = 1 << 16;
    let mut tied = Vec::with_capacity(links.len());
    while !links.is_empty() {
        let start = links.len().saturating_sub(AT_ONCE);
        let first = u32::try_from(start).unwrap_or(u32::MAX);
        tied.extend((first..).zip(links.drain(start..)).filter_map(|(number, link)| tied_by(number, link)));
        links.shrink_to_fit();
    }
    tied
}

/// The child and the family that a link is between.
fn tied_by(number: u32, link: Link) -> Option<Tied> {
    let (from, to) = (link.from, link.to.record());
    match link.kind {
        LinkRole::AsChild(ties) => {
            Some(Tied { child: from, family: to, by_child: number, by_family: u32::MAX, ties })
        }
        LinkRole::Child(ties) => {
            Some(Tied { child: to, family: from, by_child: u32::MAX, by_family: number, ties })
        }
        LinkRole::Partner(_) | LinkRole::AsSpouse | LinkRole::AdoptedSomewhere => None,
    }
}

/// Makes one of all links between one child and one family.
fn merge(tied: &mut Vec<Tied>) {
    tied.sort_unstable_by_key(|one| (one.child, one.family, one.by_child, one.by_family));
    tied.dedup_by(|other, first| {
        let is_same = (other.child, other.family) == (first.child, first.family);
        if is_same {
            first.by_child = first.by_child.min(other.by_child);
            first.by_family = first.by_family.min(other.by_family);
            first.ties = first.ties.and(other.ties);
        }
        is_same
    });
}
