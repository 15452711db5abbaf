//! From the parts of a document to the graph: pointers are followed when the last part has been taken.

use crate::graph::{Lineage, ParentFamily, Partner};
use crate::identifiers::{Key, LongIdentifiers, translated};
use crate::lists::Lists;
use crate::part::{EventData, FamilyData, Link, LinkRole, PartLineage, PersonData, Ties};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Takes the parts of a document in the order of the file, and makes the [`Lineage`] of them.
///
/// A whole document is one part; what is built does not depend on how it was divided.
#[derive(Clone, Debug, Default)]
pub struct LineageBuilder {
    persons: Vec<PersonData>,
    families: Vec<FamilyData>,
    events: Vec<EventData>,
    family_events: Vec<EventData>,
    names: String,
    links: Vec<Link>,
    long: LongIdentifiers,
}

/// The record that an identifier leads to.
#[derive(Clone, Copy, Debug)]
enum Bearer {
    Person(u32),
    Family(u32),
    /// Several records, so that a pointer leads to none.
    Several,
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

impl LineageBuilder {
    /// Takes the next part.
    pub fn take(&mut self, part: PartLineage) {
        let PartLineage { persons, families, events, family_events, names, links, long } = part;
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
        self.events.extend(events);
        self.family_events.extend(family_events);
        self.names.push_str(&names);
    }

    /// Follows all pointers, and makes the graph.
    pub fn build(self) -> Lineage {
        let LineageBuilder { persons, families, events, family_events, names, links, long } = self;
        let bearers = bearers(&persons, &families);
        let followed = Followed::of(&links, &bearers);
        drop((links, bearers));
        let Followed { mut partners, mut tied, adopted } = followed;
        partners.sort_by_key(|&(family, partner)| (family, partner.person));
        // The link of the family, which says more, is before that of the person.
        partners.dedup_by_key(|&mut (family, partner)| (family, partner.person));
        partners.sort_by_key(|&(family, partner)| (family, partner.number));
        let mut as_spouse: Vec<(u32, u32)> =
            partners.iter().map(|&(family, partner)| (partner.person, family)).collect();
        as_spouse.sort_unstable();
        let partners = Lists::of_sorted(
            families.len(),
            partners
                .into_iter()
                .map(|(family, Numbered { person, role, .. })| (family, Partner { person, role })),
        );
        merge(&mut tied);
        tied.sort_unstable_by_key(|one| (one.family, one.by_family, one.by_child));
        let children = Lists::of_sorted(families.len(), tied.iter().map(|one| (one.family, one.child)));
        tied.sort_unstable_by_key(|one| (one.child, one.by_child, one.by_family));
        let as_child = Lists::of_sorted(
            persons.len(),
            tied.iter().map(|one| (one.child, ParentFamily::new(one.family, one.ties))),
        );
        drop(tied);
        let mut lineage = Lineage {
            as_spouse: Lists::of_sorted(persons.len(), as_spouse.into_iter()),
            persons,
            families,
            events,
            family_events,
            names,
            long,
            partners,
            children,
            as_child,
        };
        lineage.settle_births(&adopted);
        lineage.shrink();
        lineage
    }
}

fn bearers(persons: &[PersonData], families: &[FamilyData]) -> HashMap<Key, Bearer> {
    let mut bearers = HashMap::with_capacity(persons.len() + families.len());
    let persons = (0..).zip(persons).map(|(number, person)| (person.key, Bearer::Person(number)));
    let families = (0..).zip(families).map(|(number, family)| (family.key, Bearer::Family(number)));
    for (key, bearer) in persons.chain(families).filter(|(key, _)| *key != Key::NONE) {
        match bearers.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(bearer);
            }
            Entry::Occupied(mut entry) => {
                entry.insert(Bearer::Several);
            }
        }
    }
    bearers
}

/// A partner of a family, with the number of the link.
#[derive(Clone, Copy, Debug)]
struct Numbered {
    person: u32,
    role: crate::PartnerRole,
    number: u32,
}

/// The links whose pointers lead to a record of the kind that is meant.
#[derive(Default)]
struct Followed {
    partners: Vec<(u32, Numbered)>,
    tied: Vec<Tied>,
    /// The persons of whom it is said that they were adopted, not by whom; in order, perhaps repeated.
    adopted: Vec<u32>,
}

impl Followed {
    fn of(links: &[Link], bearers: &HashMap<Key, Bearer>) -> Followed {
        let mut followed = Followed::default();
        // What persons say of their partners comes behind what families say.
        let mut said_by_persons = Vec::new();
        for (number, link) in (0_u32..).zip(links) {
            let from = link.from;
            let to = bearers.get(&link.to).copied().unwrap_or(Bearer::Several);
            let late = number.saturating_add(1 << 31);
            match (link.kind, to) {
                (LinkRole::AdoptedSomewhere, _) => followed.adopted.push(from),
                (LinkRole::AsChild(ties), Bearer::Family(family)) => followed.tied.push(Tied {
                    child: from,
                    family,
                    by_child: number,
                    by_family: u32::MAX,
                    ties,
                }),
                (LinkRole::Child(ties), Bearer::Person(child)) => followed.tied.push(Tied {
                    child,
                    family: from,
                    by_child: u32::MAX,
                    by_family: number,
                    ties,
                }),
                (LinkRole::Partner(role), Bearer::Person(person)) => {
                    followed.partners.push((from, Numbered { person, role, number }));
                }
                (LinkRole::AsSpouse, Bearer::Family(family)) => {
                    let role = crate::PartnerRole::Partner;
                    said_by_persons.push((family, Numbered { person: from, role, number: late }));
                }
                _ => {}
            }
        }
        followed.partners.append(&mut said_by_persons);
        followed
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
