//! The table of people.

use crate::couples::Couple;
use crate::events::{self, CountedEvent};
use crate::reader::TableReader;
use crate::rows::Rows;
use crate::survey::Relatives;
use elf_lineage::{Family, ParentLink, Person, PersonId, PersonName, is_extension_name};
use elf_schema::{Counterpart, Node, Role, TypedDocument};
use std::borrow::Cow;
use std::collections::HashSet;

/// Adds a row for each person.
pub(crate) fn rows(
    reader: &TableReader,
    typed: &TypedDocument<'_>,
    relatives: &Relatives,
    file: &str,
    rows: &mut Rows,
) {
    let first = relatives.before(typed.document().run_number()).persons;
    for (number, record, found) in reader.records_of(typed, Role::Person, first) {
        let text = PersonText::of(reader, typed, (record, found));
        let name = text.names.first().cloned().unwrap_or_default();
        let (others, given, parts) = (other_names(&text), given_names(&text.names), &text.place_parts);
        rows.text(file).text_of(record.xref());
        rows.text(&name.text).text(&name.given).text(&name.surname).text(&text.sex);
        events::push(&text.birth.text(), rows);
        events::push(&text.death.text(), rows);
        let person = PersonId::of_index(number).and_then(|id| relatives.lineage.person(id));
        let of_relatives = person.map(RelativesOfPerson::of).unwrap_or_default();
        of_relatives.push_identifiers(rows);
        rows.text(&name.prefix).text(&name.suffix).text(&name.nickname).list(&others);
        let living = person.zip(reader.living).map(|(person, rule)| person.may_be_living(&rule));
        rows.boolean_of(living).list(&events::sources_within(record));
        of_relatives.push_names(rows);
        rows.list(&given).list(parts);
    }
}

/// The texts of a person's record.
#[derive(Debug, Default)]
struct PersonText<'d> {
    names: Vec<PersonName>,
    /// The names that other tags have, such as a name by marriage.
    further_names: Vec<String>,
    sex: Cow<'d, str>,
    birth: CountedEvent<'d>,
    death: CountedEvent<'d>,
    /// The parts of the places of all events, each once.
    place_parts: Vec<String>,
}

impl<'d> PersonText<'d> {
    fn of(
        reader: &TableReader,
        typed: &'d TypedDocument<'d>,
        record: (Node<'d>, Counterpart),
    ) -> PersonText<'d> {
        let mut person = PersonText::default();
        let mut has_sex = false;
        let mut met_parts: HashSet<String> = HashSet::new();
        for (node, found) in reader.substructures(typed, record) {
            match found.role() {
                Some(Role::Name) => {
                    person.names.push(PersonName::of(node, reader.substructures(typed, (node, found))));
                    person.further_names.extend(node.substructures().filter_map(further_name));
                }
                Some(Role::Sex) if !has_sex => {
                    has_sex = true;
                    person.sex = trim_text(node.text());
                }
                Some(Role::Birth) => person.birth.see(reader, typed, (node, found)),
                Some(Role::Death) => person.death.see(reader, typed, (node, found)),
                _ => person.further_names.extend(further_name(node)),
            }
            if found.role().is_some_and(Role::is_event_of_person) {
                for place in events::places(reader, typed, (node, found)) {
                    let parts = place.split(',').map(str::trim).filter(|part| !part.is_empty());
                    let new = parts.filter(|part| met_parts.insert((*part).to_owned()));
                    person.place_parts.extend(new.map(str::to_owned));
                }
            }
        }
        person
    }
}

/// The name of a structure that has a further name.
fn further_name(node: Node<'_>) -> Option<String> {
    is_extension_name(node.tag()).then(|| remove_slashes(&node.text())).filter(|name| !name.is_empty())
}

/// The names of a person other than the first, each once.
fn other_names(person: &PersonText<'_>) -> Vec<String> {
    let mut met: HashSet<&str> = person.names.first().map(|name| &*name.text).into_iter().collect();
    let others = person.names.iter().skip(1).map(|name| &name.text).chain(&person.further_names);
    others.filter(|name| !name.is_empty() && met.insert(name)).cloned().collect()
}

/// The words of the given names and nicknames of all names, each once.
fn given_names(names: &[PersonName]) -> Vec<&str> {
    let mut met = HashSet::new();
    let words =
        names.iter().flat_map(|name| name.given.split_whitespace().chain(name.nickname.split_whitespace()));
    let words =
        words.map(|word| word.trim_matches(|c: char| matches!(c, '"' | ',' | '“' | '”' | '„' | '(' | ')')));
    words.filter(|word| !word.is_empty() && met.insert(*word)).collect()
}

/// The words of a name without slashes.
fn remove_slashes(name: &str) -> String {
    let words = name.split(|c: char| c == '/' || c.is_whitespace()).filter(|word| !word.is_empty());
    words.collect::<Vec<&str>>().join(" ")
}

fn trim_text(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => text.trim().into(),
        Cow::Owned(text) => text.trim().to_owned().into(),
    }
}

/// The relatives of a person.
#[derive(Default)]
struct RelativesOfPerson<'l> {
    fathers: Vec<Person<'l>>,
    mothers: Vec<Person<'l>>,
    spouses: Vec<Person<'l>>,
    children: Vec<Person<'l>>,
    /// True if a family has more partners than are listed.
    is_crowded: bool,
}

impl<'l> RelativesOfPerson<'l> {
    fn of(person: Person<'l>) -> RelativesOfPerson<'l> {
        let mut relatives = RelativesOfPerson::default();
        if let Some(family) = family_of_parents(person) {
            let couple = Couple::of(family);
            let people = |ids: Vec<PersonId>| {
                let ids = ids.into_iter().take(Couple::MOST);
                ids.filter_map(|id| person.lineage().person(id)).collect()
            };
            (relatives.fathers, relatives.mothers) = (people(couple.husbands), people(couple.wives));
        }
        for family in person.families_as_partner() {
            let partners = || family.partners().take(Couple::MOST).map(|(partner, _)| partner);
            if partners().any(|partner| partner.id() == person.id()) {
                relatives.spouses.extend(partners().filter(|partner| partner.id() != person.id()));
                relatives.children.extend(family.children());
            }
        }
        let mut families = person.families_as_child().chain(person.families_as_partner());
        relatives.is_crowded = families.any(Couple::is_crowded);
        relatives
    }

    fn push_identifiers(&self, rows: &mut Rows) {
        for people in [&self.fathers, &self.mothers, &self.spouses, &self.children] {
            push_each_once(people.iter().filter_map(|person| person.identifier()), rows);
        }
        if self.is_crowded {
            rows.leave_out();
        }
    }

    fn push_names(&self, rows: &mut Rows) {
        for people in [&self.fathers, &self.mothers, &self.spouses] {
            let names = people.iter().map(|person| person.name().to_owned());
            push_each_once(names.filter(|name| !name.is_empty()), rows);
        }
    }
}

/// The family whose partners are listed as parents: of several the first of whose partners all are parents by birth,
/// then the first of whom one is. So a father and a mother are those of one family.
fn family_of_parents(person: Person<'_>) -> Option<Family<'_>> {
    let rank = |link: &ParentLink<'_>| {
        let (mut any, mut all) = (false, true);
        for parent in link.parents() {
            any |= parent.is_by_birth;
            all &= parent.is_by_birth;
        }
        // The first of the lowest rank counts.
        match (any, all) {
            (true, true) => 0,
            (true, false) => 1,
            (false, _) => 2,
        }
    };
    let link = person.parent_links().min_by_key(rank)?;
    person.lineage().family(link.family())
}

/// Adds texts, each once.
fn push_each_once(texts: impl Iterator<Item = String>, rows: &mut Rows) {
    let mut met = HashSet::new();
    let texts: Vec<String> = texts.filter(|text| met.insert(text.clone())).collect();
    rows.list(&texts);
}
