//! Completeness: how many people and families have a name, dates, places, sources and so on.

use crate::page::kinds::DateKinds;
use elf_lineage::Lineage;
use elf_schema::vocabulary::elf;
use elf_schema::{Counterpart, Counterparts, Node, Role, TypedDocument};

/// The type of a source citation.
const CITATION: &str = "https://terms.fhiso.org/elf/SOURCE_CITATION";

/// A part of the data about a person that may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonAspect {
    /// A name, or a name piece, with more text than slashes.
    Name,
    /// A SEX with a payload.
    Sex,
    /// A birth.
    Birth,
    /// A date of a birth.
    BirthDate,
    /// A place of a birth.
    BirthPlace,
    /// A death.
    Death,
    /// A date of a death.
    DeathDate,
    /// A place of a death.
    DeathPlace,
    /// A parent in the file.
    Parent,
    /// A family in the file in which the person is a partner.
    OwnFamily,
    /// A source citation in the record, for example under a name or an event.
    Source,
}

/// A part of the data about a family that may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyAspect {
    /// A marriage.
    Marriage,
    /// A date of a marriage.
    MarriageDate,
    /// A place of a marriage.
    MarriagePlace,
    /// A child in the file.
    Child,
    /// A source citation of the family or of an event.
    Source,
}

impl PersonAspect {
    /// All aspects.
    pub const ALL: [PersonAspect; 11] = [
        PersonAspect::Name,
        PersonAspect::Sex,
        PersonAspect::Birth,
        PersonAspect::BirthDate,
        PersonAspect::BirthPlace,
        PersonAspect::Death,
        PersonAspect::DeathDate,
        PersonAspect::DeathPlace,
        PersonAspect::Parent,
        PersonAspect::OwnFamily,
        PersonAspect::Source,
    ];

    /// Returns the name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            PersonAspect::Name => "name",
            PersonAspect::Sex => "sex",
            PersonAspect::Birth => "birth",
            PersonAspect::BirthDate => "date of birth",
            PersonAspect::BirthPlace => "place of birth",
            PersonAspect::Death => "death",
            PersonAspect::DeathDate => "date of death",
            PersonAspect::DeathPlace => "place of death",
            PersonAspect::Parent => "a parent",
            PersonAspect::OwnFamily => "a family of their own",
            PersonAspect::Source => "a source",
        }
    }
}

impl FamilyAspect {
    /// All aspects.
    pub const ALL: [FamilyAspect; 5] = [
        FamilyAspect::Marriage,
        FamilyAspect::MarriageDate,
        FamilyAspect::MarriagePlace,
        FamilyAspect::Child,
        FamilyAspect::Source,
    ];

    /// Returns the name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            FamilyAspect::Marriage => "marriage",
            FamilyAspect::MarriageDate => "date of marriage",
            FamilyAspect::MarriagePlace => "place of marriage",
            FamilyAspect::Child => "a child",
            FamilyAspect::Source => "a source",
        }
    }
}

/// The numbers of people and families, in total and with each aspect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completeness {
    /// The number of persons.
    pub persons: u64,
    /// The number of families.
    pub families: u64,
    /// The number of events and attributes of all people and families.
    pub events: u64,
    of_persons: [u64; PersonAspect::ALL.len()],
    of_families: [u64; FamilyAspect::ALL.len()],
}

impl Completeness {
    /// Returns the number of people with an aspect.
    pub fn persons_with(&self, aspect: PersonAspect) -> u64 {
        self.of_persons[aspect as usize]
    }

    /// Returns the number of families with an aspect.
    pub fn families_with(&self, aspect: FamilyAspect) -> u64 {
        self.of_families[aspect as usize]
    }

    /// Adds the counts of another run or file.
    pub fn join(&mut self, more: &Completeness) {
        self.persons += more.persons;
        self.families += more.families;
        self.events += more.events;
        self.of_persons.iter_mut().zip(more.of_persons).for_each(|(count, more)| *count += more);
        self.of_families.iter_mut().zip(more.of_families).for_each(|(count, more)| *count += more);
    }

    /// Counts parents, partners and children, for which the lineage of the whole document is needed.
    pub(crate) fn add_links(&mut self, lineage: &Lineage) {
        self.persons = lineage.person_count() as u64;
        self.families = lineage.family_count() as u64;
        self.events = lineage.event_count() as u64;
        for person in lineage.persons() {
            self.add_person_aspect(PersonAspect::Parent, person.parents().next().is_some());
            self.add_person_aspect(PersonAspect::OwnFamily, person.families_as_partner().next().is_some());
        }
        for family in lineage.families() {
            self.add_family_aspect(FamilyAspect::Child, family.children().next().is_some());
        }
    }

    fn add_person_aspect(&mut self, aspect: PersonAspect, has: bool) {
        self.of_persons[aspect as usize] += u64::from(has);
    }

    fn add_family_aspect(&mut self, aspect: FamilyAspect, has: bool) {
        self.of_families[aspect as usize] += u64::from(has);
    }
}

/// Counts the aspects in the records of a run.
pub(crate) struct PeopleCounter<'c> {
    pub(crate) counterparts: &'c Counterparts,
    pub(crate) part: &'c TypedDocument<'c>,
    pub(crate) people: Completeness,
    pub(crate) dates: DateKinds,
}

/// The aspects of a record.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    name: bool,
    sex: bool,
    source: bool,
    birth: FoundEvent,
    death: FoundEvent,
    marriage: FoundEvent,
}

/// The aspects of all events of one kind in a record.
#[derive(Clone, Copy, Debug, Default)]
struct FoundEvent {
    any: bool,
    date: bool,
    place: bool,
}

impl PeopleCounter<'_> {
    pub(crate) fn count_records(&mut self) {
        let part = self.part;
        for record in part.document().records().filter(|record| !record.is_inserted()) {
            let of = self.counterpart(Counterpart::DOCUMENT, record);
            match of.role() {
                Some(Role::Person) => {
                    let found = self.count_record(record, of);
                    self.count_person(found);
                }
                Some(Role::Family) => {
                    let found = self.count_record(record, of);
                    self.count_family(found);
                }
                _ => {}
            }
        }
    }

    fn counterpart(&self, above: Counterpart, node: Node<'_>) -> Counterpart {
        let part = self.part;
        self.counterparts.find(above, node.tag(), part.type_id(node), || part.type_of(node))
    }

    fn count_record(&mut self, record: Node<'_>, of: Counterpart) -> Found {
        let mut found = Found::default();
        for node in record.substructures() {
            let of = self.counterpart(of, node);
            found.source |= of.iri() == Some(CITATION);
            match of.role() {
                Some(Role::Name) => {
                    found.name |= self.has_name(node, of);
                    found.source |= self.has_citation(node, of);
                }
                Some(Role::Sex) => found.sex |= has_text(node),
                Some(role) if role.is_event() => {
                    let event = self.count_event(node, of, &mut found.source);
                    match role {
                        Role::Birth => found.birth.join(event),
                        Role::Death => found.death.join(event),
                        Role::Marriage => found.marriage.join(event),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Returns whether a NAME contains a name: in its payload (slashes do not count) or in a name piece.
    fn has_name(&self, name: Node<'_>, of: Counterpart) -> bool {
        let has_words = |node: Node<'_>| node.text().contains(|c: char| c != '/' && !c.is_whitespace());
        let is_piece = |node: &Node<'_>| {
            let iri = self.counterpart(of, *node).iri();
            iri == Some(elf::NAME_PIECE_GIVEN) || iri == Some(elf::NAME_PIECE_SURNAME)
        };
        has_words(name) || name.substructures().filter(is_piece).any(has_words)
    }

    fn has_citation(&self, above: Node<'_>, of: Counterpart) -> bool {
        above.substructures().any(|node| self.counterpart(of, node).iri() == Some(CITATION))
    }

    fn count_event(&mut self, event: Node<'_>, of: Counterpart, source: &mut bool) -> FoundEvent {
        let mut found = FoundEvent { any: true, ..FoundEvent::default() };
        for node in event.substructures() {
            let of = self.counterpart(of, node);
            *source |= of.iri() == Some(CITATION);
            match of.role() {
                Some(Role::Date) => {
                    self.dates.count(node);
                    found.date |= has_text(node);
                }
                Some(Role::Place) => found.place |= has_text(node),
                _ => {}
            }
        }
        found
    }

    fn count_person(&mut self, found: Found) {
        for (aspect, has) in [
            (PersonAspect::Name, found.name),
            (PersonAspect::Sex, found.sex),
            (PersonAspect::Birth, found.birth.any),
            (PersonAspect::BirthDate, found.birth.date),
            (PersonAspect::BirthPlace, found.birth.place),
            (PersonAspect::Death, found.death.any),
            (PersonAspect::DeathDate, found.death.date),
            (PersonAspect::DeathPlace, found.death.place),
            (PersonAspect::Source, found.source),
        ] {
            self.people.add_person_aspect(aspect, has);
        }
    }

    fn count_family(&mut self, found: Found) {
        for (aspect, has) in [
            (FamilyAspect::Marriage, found.marriage.any),
            (FamilyAspect::MarriageDate, found.marriage.date),
            (FamilyAspect::MarriagePlace, found.marriage.place),
            (FamilyAspect::Source, found.source),
        ] {
            self.people.add_family_aspect(aspect, has);
        }
    }
}

impl FoundEvent {
    fn join(&mut self, more: FoundEvent) {
        self.any |= more.any;
        self.date |= more.date;
        self.place |= more.place;
    }
}

fn has_text(node: Node<'_>) -> bool {
    !node.text().trim().is_empty()
}
