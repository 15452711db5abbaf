//! The table of people.

use crate::couples::Couple;
use crate::events::{self, MainEvent};
use crate::reader::TableReader;
use crate::rows::Rows;
use crate::survey::Relatives;
use elf_lineage::{Family, ParentLink, Person, PersonId, PersonName, is_extension_name};
use elf_schema::{Counterpart, Node, Role, TypedDocument};
use std::borrow::Cow;
use std::collections::HashSet;

pub(crate) fn add_person_rows(
    reader: &TableReader,
    typed: &TypedDocument<'_>,
    relatives: &Relatives,
    file: &str,
    rows: &mut Rows,
) {
    let first = relatives.counts_before(typed.document().run_number()).persons;
    for (number, record, found) in reader.records_of(typed, Role::Person, first) {
        let text = PersonText::of(reader, typed, (record, found));
        let name = text.names.first().cloned().unwrap_or_default();
        let (others, given, parts) = (other_names(&text), given_names(&text.names), &text.place_parts);
        rows.text(file).text_of(record.xref());
        rows.text(&name.text).text(&name.given).text(&name.surname).text(&text.sex);
        events::push_event(&text.birth.text(), rows);
        events::push_event(&text.death.text(), rows);
        let person = PersonId::of_index(number).and_then(|id| relatives.lineage.person(id));
        let of_relatives = person.map(RelativesOfPerson::of).unwrap_or_default();
        of_relatives.push_identifiers(rows);
        rows.text(&name.prefix).text(&name.suffix).text(&name.nickname).list(&others);
        let living = person.zip(reader.living).map(|(person, rule)| person.may_be_living(&rule));
        rows.boolean_of(living).list(&events::cited_sources(record));
        of_relatives.push_names(rows);
        rows.list(&given).list(parts);
    }
}

#[derive(Debug, Default)]
struct PersonText<'d> {
    names: Vec<PersonName>,
    /// Names with other tags, such as a married name.
    further_names: Vec<String>,
    sex: Cow<'d, str>,
    birth: MainEvent<'d>,
    death: MainEvent<'d>,
    /// The parts of the places of all events, without duplicates.
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
                    person.further_names.extend(node.substructures().filter_map(read_further_name));
                }
                Some(Role::Sex) if !has_sex => {
                    has_sex = true;
                    person.sex = trim_text(node.text());
                }
                Some(Role::Birth) => person.birth.consider(reader, typed, (node, found)),
                Some(Role::Death) => person.death.consider(reader, typed, (node, found)),
                _ => person.further_names.extend(read_further_name(node)),
            }
            if found.role().is_some_and(Role::is_event_of_person) {
                for place in events::places_of_event(reader, typed, (node, found)) {
                    let parts = place.split(',').map(str::trim).filter(|part| !part.is_empty());
                    let new = parts.filter(|part| met_parts.insert((*part).to_owned()));
                    person.place_parts.extend(new.map(str::to_owned));
                }
            }
        }
        person
    }
}

/// Reads the name of a structure with an extension tag.
fn read_further_name(node: Node<'_>) -> Option<String> {
    is_extension_name(node.tag()).then(|| remove_slashes(&node.text())).filter(|name| !name.is_empty())
}

/// Returns the names of a person except the first, without duplicates.
fn other_names(person: &PersonText<'_>) -> Vec<String> {
    let mut met: HashSet<&str> = person.names.first().map(|name| &*name.text).into_iter().collect();
    let others = person.names.iter().skip(1).map(|name| &name.text).chain(&person.further_names);
    others.filter(|name| !name.is_empty() && met.insert(name)).cloned().collect()
}

/// Returns the words of the given names and nicknames of all names, without duplicates.
fn given_names(names: &[PersonName]) -> Vec<&str> {
    let mut met = HashSet::new();
    let words =
        names.iter().flat_map(|name| name.given.split_whitespace().chain(name.nickname.split_whitespace()));
    let words =
        words.map(|word| word.trim_matches(|c: char| matches!(c, '"' | ',' | '“' | '”' | '„' | '(' | ')')));
    words.filter(|word| !word.is_empty() && met.insert(*word)).collect()
}

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

#[derive(Default)]
struct RelativesOfPerson<'l> {
    fathers: Vec<Person<'l>>,
    mothers: Vec<Person<'l>>,
    spouses: Vec<Person<'l>>,
    children: Vec<Person<'l>>,
    /// True if a family has too many partners to list all of them.
    has_too_many_partners: bool,
}

impl<'l> RelativesOfPerson<'l> {
    fn of(person: Person<'l>) -> RelativesOfPerson<'l> {
        let mut relatives = RelativesOfPerson::default();
        if let Some(family) = choose_parent_family(person) {
            let couple = Couple::of(family);
            let people = |ids: Vec<PersonId>| {
                let ids = ids.into_iter().take(Couple::MAX_PARTNERS);
                ids.filter_map(|id| person.lineage().person(id)).collect()
            };
            (relatives.fathers, relatives.mothers) = (people(couple.husbands), people(couple.wives));
        }
        for family in person.families_as_partner() {
            let partners = || family.partners().take(Couple::MAX_PARTNERS).map(|(partner, _)| partner);
            if partners().any(|partner| partner.id() == person.id()) {
                relatives.spouses.extend(partners().filter(|partner| partner.id() != person.id()));
                relatives.children.extend(family.children());
            }
        }
        let mut families = person.families_as_child().chain(person.families_as_partner());
        relatives.has_too_many_partners = families.any(Couple::has_too_many_partners);
        relatives
    }

    fn push_identifiers(&self, rows: &mut Rows) {
        for people in [&self.fathers, &self.mothers, &self.spouses, &self.children] {
            push_without_duplicates(people.iter().filter_map(|person| person.identifier()), rows);
        }
        if self.has_too_many_partners {
            rows.count_left_out();
        }
    }

    fn push_names(&self, rows: &mut Rows) {
        for people in [&self.fathers, &self.mothers, &self.spouses] {
            let names = people.iter().map(|person| person.name().to_owned());
            push_without_duplicates(names.filter(|name| !name.is_empty()), rows);
        }
    }
}

/// Returns the family whose partners are listed as parents. Father and mother come from one family.
/// The first family whose partners are all parents by birth is preferred, then the first with one
/// parent by birth.
fn choose_parent_family(person: Person<'_>) -> Option<Family<'_>> {
    let rank = |link: &ParentLink<'_>| {
        let (mut any, mut all) = (false, true);
        for parent in link.parents() {
            any |= parent.is_by_birth;
            all &= parent.is_by_birth;
        }
        // The first family of the lowest rank is used.
        match (any, all) {
            (true, true) => 0,
            (true, false) => 1,
            (false, _) => 2,
        }
    };
    let link = person.parent_links().min_by_key(rank)?;
    person.lineage().family(link.family())
}

fn push_without_duplicates(texts: impl Iterator<Item = String>, rows: &mut Rows) {
    let mut met = HashSet::new();
    let texts: Vec<String> = texts.filter(|text| met.insert(text.clone())).collect();
    rows.list(&texts);
}
