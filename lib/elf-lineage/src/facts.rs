//! Collects the facts about a person for lists, searches and comparisons.

use crate::graph::{Person, PersonId};
use crate::names::PersonName;
use crate::view::{LineageView, RoleNode};
use elf_schema::{Node, Role};
use elf_values::{Bound, Days};
use std::borrow::Cow;

/// The facts about a person, as returned by [`LineageView::facts`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PersonFacts<'l, 'd> {
    /// The person in the graph.
    pub person: Person<'l>,
    /// The record.
    pub record: Node<'d>,
    /// All names: each NAME, its variants and the names with vendor tags under it, in the order of the record; then the
    /// other names with vendor tags.
    pub names: Vec<PersonName>,
    /// The sex as written; empty if there is none.
    pub sex: Cow<'d, str>,
    /// The birth.
    pub birth: VitalEvent<'d>,
    /// The death.
    pub death: VitalEvent<'d>,
    /// The days of the birth. Without a usable date of birth, the days of the baptism.
    pub born: Option<Days>,
    /// The days of the death. Without a usable date of death, the days of the burial or cremation.
    pub died: Option<Days>,
    /// The places of all events of the person, and of the families in which the person is a
    /// partner.
    pub places: Vec<Cow<'d, str>>,
    /// The line number of the record, from 1.
    pub line: u64,
}

/// A birth or a death as written. If a person has several, this is the first one with a date or a
/// place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct VitalEvent<'d> {
    /// The date, or `Y` if the event only says that it happened; empty if there is none.
    pub date: Cow<'d, str>,
    /// The place; empty if there is none.
    pub place: Cow<'d, str>,
}

/// The events that can stand for a birth, in order of priority.
const BIRTH_ROLES: [Role; 3] = [Role::Birth, Role::Baptism, Role::Christening];

/// The events that can stand for a death, in order of priority.
const DEATH_ROLES: [Role; 3] = [Role::Death, Role::Burial, Role::Cremation];

impl PersonFacts<'_, '_> {
    /// Returns the first name; empty if there is none.
    pub fn name(&self) -> &str {
        self.names.first().map_or("", |name| &name.text)
    }
}

impl<'l, 'd> LineageView<'l, 'd> {
    /// Collects the facts about a person; `None` if the number is invalid.
    ///
    /// ```
    /// use elf_lineage::{Lineage, LineageView};
    /// use elf_schema::{ReadOptions, Rules};
    ///
    /// let file = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada /Byron/\n2 _MARNM King\n1 CHR\n2 DATE 1815\n\
    ///     2 PLAC London\n0 TRLR\n";
    /// let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let lineage = Lineage::of(&typed);
    /// let view = LineageView::new(&lineage, &typed);
    /// let facts = view.facts(lineage.find_person("I1").expect("a person").id()).expect("facts");
    /// let surnames: Vec<&str> = facts.names.iter().map(|name| &*name.surname).collect();
    /// assert_eq!(surnames, ["Byron", "King"]);
    /// assert!(facts.birth.date.is_empty() && facts.born.is_some());
    /// assert_eq!(facts.places, ["London"]);
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn facts(&self, id: PersonId) -> Option<PersonFacts<'l, 'd>> {
        let (person, record) = (self.lineage().person(id)?, self.person(id)?);
        let with_role = self.role_of_record(record);
        let mut facts = PersonFacts {
            person,
            record,
            names: PersonName::all_of(with_role, |above| self.substructures(above)),
            sex: Cow::Borrowed(""),
            birth: VitalEvent::default(),
            death: VitalEvent::default(),
            born: first_usable_days(person, BIRTH_ROLES),
            died: first_usable_days(person, DEATH_ROLES),
            places: Vec::new(),
            line: person.position().line,
        };
        for part in self.substructures(with_role) {
            match part.role() {
                Some(Role::Sex) if facts.sex.is_empty() => facts.sex = trim_text(part.node.text()),
                Some(Role::Birth) => facts.birth.replace_if_empty(self.read_vital_event(part)),
                Some(Role::Death) => facts.death.replace_if_empty(self.read_vital_event(part)),
                _ => {}
            }
            if part.role().is_some_and(Role::is_event_of_person) {
                facts.places.extend(self.places_of_event(part));
            }
        }
        for family in person.families_as_partner() {
            let Some(record) = self.family(family.id()) else { continue };
            let events = self.substructures(self.role_of_record(record));
            let events = events.filter(|event| event.role().is_some_and(Role::is_event_of_family));
            facts.places.extend(events.flat_map(|event| self.places_of_event(event)));
        }
        Some(facts)
    }

    fn places_of_event(&self, event: RoleNode<'d>) -> impl Iterator<Item = Cow<'d, str>> {
        let places = self.substructures(event).filter(|part| part.role() == Some(Role::Place));
        places.map(|place| trim_text(place.node.text())).filter(|place| !place.is_empty())
    }

    fn read_vital_event(&self, event: RoleNode<'d>) -> VitalEvent<'d> {
        let first_text = |role: Role| {
            let part = self.substructures(event).find(|part| part.role() == Some(role));
            part.map_or(Cow::Borrowed(""), |part| part.node.text())
        };
        let mut read = VitalEvent { date: first_text(Role::Date), place: first_text(Role::Place) };
        if read.date.is_empty() && event.node.text().trim().eq_ignore_ascii_case("Y") {
            read.date = "Y".into();
        }
        read
    }
}

impl<'d> VitalEvent<'d> {
    /// Replaces this event by another one of the same kind if this one has neither date nor place.
    fn replace_if_empty(&mut self, next: VitalEvent<'d>) {
        if self.date.trim().is_empty() && self.place.trim().is_empty() {
            *self = next;
        }
    }
}

/// Returns the days of the first event with a usable date. `roles` are in order of priority.
fn first_usable_days(person: Person<'_>, roles: [Role; 3]) -> Option<Days> {
    let days = roles.into_iter().filter_map(|role| person.event(role)).map(crate::Event::days);
    let is_bounded =
        |days: &Days| [days.earliest, days.latest].iter().any(|end| matches!(end, Bound::Day(_)));
    days.into_iter().find(is_bounded)
}

fn trim_text(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => text.trim().into(),
        Cow::Owned(text) => text.trim().to_owned().into(),
    }
}
