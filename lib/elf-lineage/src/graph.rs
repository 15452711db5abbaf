//! The graph of people and families, with their links and events, stored as arrays of numbers.

use crate::ages::StatedAge;
use crate::days::{DateRange, DayRange};
use crate::event_data::EventData;
use crate::event_names::EventNames;
use crate::identifiers::LongIdentifiers;
use crate::lists::{Lists, to_u32};
use crate::packed::EventList;
use crate::run::{FamilyData, Member, PartnerRole, PersonData, RepeatedMember, Sex, Sourcing, Tie, Ties};
use crate::spot::RecordPosition;
use elf_base::Place;
use elf_schema::Role;
use elf_values::{Calendar, Days};
use std::ops::Range;
use std::sync::OnceLock;

/// A graph of the people, families and events of a document.
///
/// The graph does not borrow from the document. Of the payloads, it copies only the beginnings of
/// names, which the messages of findings contain.
#[derive(Clone, Debug)]
pub struct Lineage {
    pub(crate) persons: Vec<PersonData>,
    pub(crate) families: Vec<FamilyData>,
    pub(crate) events: EventList,
    pub(crate) family_events: EventList,
    pub(crate) ages: Vec<StatedAge>,
    pub(crate) names: String,
    pub(crate) event_names: EventNames,
    pub(crate) long: LongIdentifiers,
    pub(crate) partners: Lists<Partner>,
    pub(crate) children: Lists<u32>,
    pub(crate) as_child: Lists<ParentFamily>,
    pub(crate) as_spouse: Lists<u32>,
    pub(crate) lost_links: u64,
    /// The lines of families that name a person for the second time or later, in the order of the
    /// families.
    pub(crate) repeated: Vec<RepeatedMember<u32>>,
    /// For each person, the latest day of birth that the births of descendants allow. The list is
    /// computed when it is first needed.
    pub(crate) births_of_descendants: OnceLock<Vec<i32>>,
}

/// The number of a person in a [`Lineage`], from 0, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonId(pub(crate) u32);

/// The number of a family in a [`Lineage`], from 0, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FamilyId(pub(crate) u32);

/// A partner of a family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partner {
    pub(crate) person: u32,
    pub(crate) role: PartnerRole,
}

/// A family that a person is a child of, with the ties to its partners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParentFamily {
    pub(crate) family: u32,
    pub(crate) ties: Ties,
    /// For the husband and for the wife, whether the tie counts as a tie by birth.
    pub(crate) by_birth: [bool; 2],
}

/// The maximum number of partners of one family that [`Person::parents`] and questions examine for
/// each of its children.
pub(crate) const MAX_PARTNERS: usize = 8;

/// The maximum number of families of a child whose partners [`Person::parents`] examines.
const MAX_PARENT_FAMILIES: usize = 8;

impl PersonId {
    /// Returns the person at an index, in the order of the file; `None` if the index is too large.
    pub fn of_index(index: usize) -> Option<PersonId> {
        u32::try_from(index).ok().map(PersonId)
    }

    /// Returns the index, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl FamilyId {
    /// Returns the family at an index, in the order of the file; `None` if the index is too large.
    pub fn of_index(index: usize) -> Option<FamilyId> {
        u32::try_from(index).ok().map(FamilyId)
    }

    /// Returns the index, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl ParentFamily {
    pub(crate) const fn new(family: u32, ties: Ties) -> ParentFamily {
        ParentFamily { family, ties, by_birth: [false; 2] }
    }

    /// Returns the tie to a partner with this role.
    pub(crate) fn tie(self, role: PartnerRole) -> Tie {
        match role {
            PartnerRole::Husband => self.ties.to_husband(),
            PartnerRole::Wife => self.ties.to_wife(),
            PartnerRole::Partner => self.ties.to_husband().max(self.ties.to_wife()),
        }
    }

    /// Returns whether the tie to a partner with this role counts as a tie by birth.
    pub(crate) const fn is_by_birth(self, role: PartnerRole) -> bool {
        let [husband, wife] = self.by_birth;
        match role {
            PartnerRole::Husband => husband,
            PartnerRole::Wife => wife,
            PartnerRole::Partner => husband && wife,
        }
    }
}

/// A person of a [`Lineage`].
#[derive(Clone, Copy, Debug)]
pub struct Person<'l> {
    pub(crate) lineage: &'l Lineage,
    pub(crate) id: PersonId,
    pub(crate) data: &'l PersonData,
}

/// A family of a [`Lineage`].
#[derive(Clone, Copy, Debug)]
pub struct Family<'l> {
    pub(crate) lineage: &'l Lineage,
    pub(crate) id: FamilyId,
    pub(crate) data: &'l FamilyData,
}

/// An event or attribute of a person or a family.
#[derive(Clone, Copy, Debug)]
pub struct Event<'l> {
    pub(crate) data: EventData,
    pub(crate) names: &'l EventNames,
    record: RecordPosition,
}

/// A link from a person to a family as a child.
#[derive(Clone, Copy, Debug)]
pub struct ParentLink<'l> {
    lineage: &'l Lineage,
    data: ParentFamily,
}

/// A line of a family that names a person whom an earlier line already names in the same role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepeatedMention<'l> {
    pub(crate) person: Person<'l>,
    pub(crate) member: Member,
    pub(crate) place: Place,
}

/// A parent of a person.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Parent<'l> {
    /// The parent.
    pub person: Person<'l>,
    /// The family that connects child and parent.
    pub family: FamilyId,
    /// The role of the parent in that family.
    pub role: PartnerRole,
    /// How the child is tied to this parent, according to the file.
    pub tie: Tie,
    /// True if the tie counts as a tie by birth: the file says so, or it states no tie and there is
    /// no earlier family.
    pub is_by_birth: bool,
}

impl Lineage {
    /// Returns the number of people.
    pub fn person_count(&self) -> usize {
        self.persons.len()
    }

    /// Returns the number of families.
    pub fn family_count(&self) -> usize {
        self.families.len()
    }

    /// Returns the number of events and attributes of all people and families.
    pub fn event_count(&self) -> usize {
        self.events.len() + self.family_events.len()
    }

    /// Returns the number of pointers between people and families that are unresolved, ambiguous or of the wrong
    /// type. Void pointers of GEDCOM 7 are not counted.
    pub const fn lost_links(&self) -> u64 {
        self.lost_links
    }

    /// Returns all people, in the order of the file.
    pub fn persons(&self) -> impl Iterator<Item = Person<'_>> {
        let persons = (0..).map(PersonId).zip(&self.persons);
        persons.map(|(id, data)| Person { lineage: self, id, data })
    }

    /// Returns all families, in the order of the file.
    pub fn families(&self) -> impl Iterator<Item = Family<'_>> {
        let families = (0..).map(FamilyId).zip(&self.families);
        families.map(|(id, data)| Family { lineage: self, id, data })
    }

    /// Returns the person with this number.
    pub fn person(&self, id: PersonId) -> Option<Person<'_>> {
        let data = self.persons.get(id.index())?;
        Some(Person { lineage: self, id, data })
    }

    /// Returns the family with this number.
    pub fn family(&self, id: FamilyId) -> Option<Family<'_>> {
        let data = self.families.get(id.index())?;
        Some(Family { lineage: self, id, data })
    }

    /// Returns the person with an identifier, given without at signs; the first one if there are several. Searches
    /// all people.
    pub fn find_person(&self, identifier: &str) -> Option<Person<'_>> {
        let key = self.long.find(identifier)?;
        self.persons().find(|person| person.data.key == key)
    }

    /// Returns the approximate memory use in bytes.
    pub fn octets(&self) -> usize {
        self.persons.capacity() * size_of::<PersonData>()
            + self.families.capacity() * size_of::<FamilyData>()
            + self.events.octets()
            + self.family_events.octets()
            + self.ages.capacity() * size_of::<StatedAge>()
            + self.names.capacity()
            + self.partners.octets()
            + self.children.octets()
            + self.as_child.octets()
            + self.as_spouse.octets()
            + self.repeated.capacity() * size_of::<RepeatedMember<u32>>()
    }

    /// Returns an event that belongs to the record at this position.
    pub(crate) fn event_of(&self, data: EventData, record: RecordPosition) -> Event<'_> {
        Event { data, names: &self.event_names, record }
    }

    pub(crate) fn shrink(&mut self) {
        self.persons.shrink_to_fit();
        self.families.shrink_to_fit();
        self.events.shrink_to_fit();
        self.family_events.shrink_to_fit();
        self.ages.shrink_to_fit();
        self.names.shrink_to_fit();
    }

    /// Decides which ties count as ties by birth. `adopted` lists the people who were adopted by an
    /// unknown family, in order.
    ///
    /// A tie that is stated to be by birth counts. If no tie is stated to be by birth, the first
    /// family without a stated tie counts too, unless the person was adopted by an unknown family,
    /// or the couple has the same sex.
    pub(crate) fn decide_ties_by_birth(&mut self, adopted: &[u32]) {
        let of_one_sex: Vec<[bool; 2]> = self.families().map(Family::sides_without_birth_tie).collect();
        let mut adopted = adopted.iter().copied().peekable();
        for person in 0..to_u32(self.persons.len()) {
            let mut is_adopted = false;
            while adopted.next_if(|&one| one <= person).is_some_and(|one| one == person) {
                is_adopted = true;
            }
            let families = self.as_child.of_mut(person);
            for (at, tie_of) in [Ties::to_husband, Ties::to_wife].into_iter().enumerate() {
                let is_said = families.iter().any(|one| tie_of(one.ties) == Tie::Birth);
                let mut is_first = !is_said && !is_adopted;
                for one in families.iter_mut() {
                    let counts = match tie_of(one.ties) {
                        Tie::Birth => true,
                        Tie::Unknown => {
                            let sides = of_one_sex.get(one.family as usize);
                            let is_doubtful = sides.and_then(|sides| sides.get(at)).copied();
                            std::mem::take(&mut is_first) && !is_doubtful.unwrap_or_default()
                        }
                        Tie::Uncertain | Tie::Adopted | Tie::Foster | Tie::Other | Tie::Disproven => false,
                    };
                    if let Some(entry) = one.by_birth.get_mut(at) {
                        *entry = counts;
                    }
                }
            }
        }
    }
}

impl<'l> Person<'l> {
    /// Returns the number of the person.
    pub const fn id(self) -> PersonId {
        self.id
    }

    /// Returns the graph of the person.
    pub const fn lineage(self) -> &'l Lineage {
        self.lineage
    }

    /// Returns the identifier of the record, without at signs.
    pub fn identifier(self) -> Option<String> {
        self.lineage.long.text(self.data.key)
    }

    /// Returns the first name that is not empty, without the slashes around the surname. The name is cut after 40
    /// characters, unless the reader [keeps whole names](crate::LineageReader::with_whole_names).
    pub fn name(self) -> &'l str {
        let before = self.id.index().checked_sub(1).and_then(|before| self.lineage.persons.get(before));
        let start = before.map_or(0, |before| before.name_end) as usize;
        self.lineage.names.get(start..self.data.name_end as usize).unwrap_or_default()
    }

    /// Returns the sex.
    pub const fn sex(self) -> Sex {
        self.data.sex
    }

    /// Returns whether the record is marked as private or confidential.
    pub const fn is_private(self) -> bool {
        self.data.is_private
    }

    /// Returns whether the record may contain lines of another record. The answer is always false
    /// unless the reader [looks for such lines](crate::LineageReader::with_unclear_records).
    pub const fn is_unclear(self) -> bool {
        self.data.is_unclear
    }

    /// Returns whether the first name has more than a surname.
    pub(crate) const fn has_given_name(self) -> bool {
        self.data.has_given_name
    }

    /// Returns whether the record has no source at any level. The answer is always false unless the
    /// reader [looks for sources](crate::OptionalQuestions::no_source).
    pub(crate) fn is_unsourced(self) -> bool {
        self.data.sourcing == Sourcing::Unsourced
    }

    /// Returns the position of the first line of the record.
    pub fn position(self) -> Place {
        self.data.spot.to_place()
    }

    /// Returns the events and attributes: births, deaths, then others. Births and deaths with a usable date come
    /// first; otherwise in the order of the file.
    pub fn events(self) -> impl Iterator<Item = Event<'l>> {
        self.lineage.events.events_in(self.event_numbers()).map(move |data| self.event_of(data))
    }

    /// Returns the main event with this role: the first with a usable date, or the first.
    pub fn event(self, role: Role) -> Option<Event<'l>> {
        match role {
            Role::Birth | Role::Death => {
                self.lineage.events.main_event(self.event_numbers(), role).map(|data| self.event_of(data))
            }
            _ => main_event(self.events(), role),
        }
    }

    /// Returns the births or the deaths, except the main one.
    pub(crate) fn alternative_events(self, role: Role) -> impl Iterator<Item = Event<'l>> {
        let ranked = self.lineage.events.numbers_with_role(self.event_numbers(), role);
        self.lineage.events.events_in(ranked).skip(1).map(move |data| self.event_of(data))
    }

    fn event_numbers(self) -> Range<usize> {
        let next = self.lineage.persons.get(self.id.index() + 1);
        let end = next.map_or(self.lineage.events.len(), |next| next.first_event as usize);
        self.data.first_event as usize..end
    }

    fn event_of(self, data: EventData) -> Event<'l> {
        self.lineage.event_of(data, self.data.spot)
    }

    /// Returns the families in which the person is a child. Families that the person's own record
    /// names come first.
    pub fn families_as_child(self) -> impl Iterator<Item = Family<'l>> {
        let families = self.lineage.as_child.of(self.id.0);
        families.iter().filter_map(move |one| self.lineage.family(FamilyId(one.family)))
    }

    /// Returns the families in which the person is a partner, in the order of the file.
    pub fn families_as_partner(self) -> impl Iterator<Item = Family<'l>> {
        let families = self.lineage.as_spouse.of(self.id.0);
        families.iter().filter_map(move |&family| self.lineage.family(FamilyId(family)))
    }

    /// Returns the parents. To limit the time, only the first eight families and the first eight
    /// partners of each family are included. [`parent_links`](Person::parent_links) returns all.
    pub fn parents(self) -> impl Iterator<Item = Parent<'l>> {
        self.parent_links().take(MAX_PARENT_FAMILIES).flat_map(|link| link.parents().take(MAX_PARTNERS))
    }

    /// Returns the families in which the person is a child, with the ties to their partners.
    /// Families that the person's own record names come first.
    pub fn parent_links(self) -> impl Iterator<Item = ParentLink<'l>> {
        let lineage = self.lineage;
        lineage.as_child.of(self.id.0).iter().map(move |&data| ParentLink { lineage, data })
    }

    /// Returns the children in all families in which the person is a partner.
    pub fn children(self) -> impl Iterator<Item = Person<'l>> {
        self.families_as_partner().flat_map(Family::children)
    }

    /// Returns whether the tie to a parent in a family counts as a tie by birth.
    pub(crate) fn is_born_to(self, family: FamilyId, role: PartnerRole) -> bool {
        let families = self.lineage.as_child.of(self.id.0).iter();
        families.take(MAX_PARENT_FAMILIES).any(|one| one.family == family.0 && one.is_by_birth(role))
    }
}

impl<'l> ParentLink<'l> {
    /// Returns the number of the family.
    pub const fn family(self) -> FamilyId {
        FamilyId(self.data.family)
    }

    /// Returns the tie to the partners with this role, according to the file.
    pub fn tie(self, role: PartnerRole) -> Tie {
        self.data.tie(role)
    }

    /// Returns whether the tie to the partners with this role counts as a tie by birth.
    pub const fn is_by_birth(self, role: PartnerRole) -> bool {
        self.data.is_by_birth(role)
    }

    /// Returns all partners of the family as parents.
    pub fn parents(self) -> impl Iterator<Item = Parent<'l>> {
        let ParentLink { lineage, data } = self;
        lineage.partners.of(data.family).iter().filter_map(move |partner| {
            Some(Parent {
                person: lineage.person(PersonId(partner.person))?,
                family: FamilyId(data.family),
                role: partner.role,
                tie: data.tie(partner.role),
                is_by_birth: data.is_by_birth(partner.role),
            })
        })
    }
}

impl<'l> Family<'l> {
    /// Returns the number of the family.
    pub const fn id(self) -> FamilyId {
        self.id
    }

    /// Returns the identifier of the record, without at signs.
    pub fn identifier(self) -> Option<String> {
        self.lineage.long.text(self.data.key)
    }

    /// Returns the position of the first line of the record.
    pub fn position(self) -> Place {
        self.data.spot.to_place()
    }

    /// Returns the events, in the order of the file.
    pub fn events(self) -> impl Iterator<Item = Event<'l>> {
        let next = self.lineage.families.get(self.id.index() + 1);
        let end = next.map_or(self.lineage.family_events.len(), |next| next.first_event as usize);
        let events = self.lineage.family_events.events_in(self.data.first_event as usize..end);
        events.map(move |data| self.lineage.event_of(data, self.data.spot))
    }

    /// Returns the main event with this role: the first with a usable date, or the first.
    pub fn event(self, role: Role) -> Option<Event<'l>> {
        main_event(self.events(), role)
    }

    /// Returns the role of a person among the partners that count as parents.
    pub(crate) fn parental_role_of(self, person: PersonId) -> Option<PartnerRole> {
        let partners = self.lineage.partners.of(self.id.0).iter().take(MAX_PARTNERS);
        partners.filter(|one| one.person == person.0).map(|one| one.role).next()
    }

    /// Returns the partners with their roles. Partners that the family's own record names come
    /// first.
    pub fn partners(self) -> impl Iterator<Item = (Person<'l>, PartnerRole)> {
        let partners = self.lineage.partners.of(self.id.0).iter();
        partners.filter_map(move |one| Some((self.lineage.person(PersonId(one.person))?, one.role)))
    }

    /// Returns the children. Children that the family's own record names come first, in its order.
    pub fn children(self) -> impl Iterator<Item = Person<'l>> {
        let children = self.lineage.children.of(self.id.0).iter();
        children.filter_map(move |&child| self.lineage.person(PersonId(child)))
    }

    /// Returns the lines of the record that name a person whom an earlier line already names in the
    /// same role.
    pub(crate) fn repeated_members(self) -> impl Iterator<Item = RepeatedMention<'l>> {
        let all = &self.lineage.repeated;
        let start = all.partition_point(|one| one.family < self.id.0);
        let own = all.iter().skip(start).take_while(move |one| one.family == self.id.0);
        own.filter_map(move |one| {
            Some(RepeatedMention {
                person: self.lineage.person(PersonId(one.person))?,
                member: one.member,
                place: one.spot.to_place(self.data.spot),
            })
        })
    }

    /// Returns, for the husband and for the wife, whether a tie to them cannot be by birth because
    /// two partners have the same sex. Two partners have the same sex if the records of both say
    /// so, or if both have the same role and neither record says otherwise.
    fn sides_without_birth_tie(self) -> [bool; 2] {
        let mut sides = [false; 2];
        for sex in [Sex::Male, Sex::Female] {
            let of_sex = || {
                self.partners().take(MAX_PARTNERS).filter(move |(one, role)| one.sex_in_role(*role) == sex)
            };
            let are_stated = of_sex().filter(|(person, _)| person.sex() == sex).count() > 1;
            for (person, role) in of_sex() {
                let are_alike = of_sex().filter(|(_, other)| *other == role).count() > 1;
                if are_alike || are_stated && person.sex() == sex {
                    let [husband, wife] = &mut sides;
                    *husband |= role != PartnerRole::Wife;
                    *wife |= role != PartnerRole::Husband;
                }
            }
        }
        sides
    }
}

/// Returns the event that counts among several events with the same role.
fn main_event<'l>(events: impl Iterator<Item = Event<'l>>, role: Role) -> Option<Event<'l>> {
    let mut events = events.filter(|event| event.role() == role);
    let first = events.next()?;
    if !first.data.range.is_any() {
        return Some(first);
    }
    Some(events.find(|event| !event.data.range.is_any()).unwrap_or(first))
}

impl Person<'_> {
    /// Returns the sex. If it is not stated, returns the sex that the role in a family suggests.
    pub(crate) const fn sex_in_role(self, role: PartnerRole) -> Sex {
        match (self.data.sex, role) {
            (Sex::Unknown, PartnerRole::Husband) => Sex::Male,
            (Sex::Unknown, PartnerRole::Wife) => Sex::Female,
            (sex, _) => sex,
        }
    }
}

impl<'l> Event<'l> {
    /// Returns the name that the file gives to the event: its `TYPE`, the label of its fact, or the
    /// meaning of its vendor tag. Returns `None` for events that a standard names.
    pub fn own_name(self) -> Option<&'l str> {
        self.names.words(self.data.name)
    }
}

impl Event<'_> {
    /// Returns the role of the event.
    pub const fn role(self) -> Role {
        self.data.role
    }

    /// Returns the days on which the event may have happened, according to its first date. Every
    /// day is possible if there is no date, or if the date is invalid, impossible, reversed or a
    /// phrase.
    pub fn days(self) -> Days {
        match self.data.has_unreadable_date() {
            true => DayRange::ANY.days(),
            false => self.data.range.days(),
        }
    }

    /// Returns the days of the date. The days of an approximate date are extended by `years` on
    /// either side.
    pub(crate) fn range_with_tolerance(self, years: u32) -> DayRange {
        let dated = self.data.dated();
        match i32::try_from(years) {
            Ok(years) if dated.is_approximate => dated.range.widened(years),
            _ => dated.range,
        }
    }

    /// Returns the calendar of the date; Gregorian if the date has no calendar or several.
    pub fn calendar(self) -> Calendar {
        self.data.dated().calendar
    }

    /// Returns whether the date is approximate: ABT, CAL, EST.
    pub fn is_approximate(self) -> bool {
        self.data.dated().is_approximate
    }

    /// Returns whether the file states that the event happened, by `Y` or by a payload under the
    /// event. A death, burial or cremation is stated by `Y`, a date, a place or another
    /// substructure about it, unless the file denies it.
    pub const fn is_stated(self) -> bool {
        self.data.is_stated()
    }

    /// Returns the position of the date, or of the event if it has no date.
    pub fn position(self) -> Place {
        self.data.spot.to_place(self.record)
    }

    pub(crate) fn dated(self) -> DateRange {
        self.data.dated()
    }
}
