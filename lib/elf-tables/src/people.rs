//! Creates the table of people.

use crate::couples::Couple;
use crate::events::{self, MainEvent};
use crate::reader::TableReader;
use crate::rows::Rows;
use crate::survey::Relatives;
use elf_lineage::{Family, LivingRule, ParentLink, Person, PersonId, PersonName, RoleNode};
use elf_schema::{Role, TypedDocument};
use std::borrow::Cow;
use std::collections::HashSet;

pub(crate) fn add_person_rows(
    reader: &TableReader,
    typed: &TypedDocument<'_>,
    relatives: &Relatives,
    file: &str,
    rows: &mut Rows,
) {
    let run = typed.document().run_number();
    for (number, record) in reader.records_of(typed, Role::Person) {
        let text = PersonText::of(reader, typed, record);
        let name = text.names.first().cloned().unwrap_or_default();
        let (others, given, parts) = (other_names(&text.names), given_names(&text.names), &text.place_parts);
        rows.text(file).text_of(record.node.xref());
        rows.text(&name.text).text(&name.given).text(&name.surname).text(&text.sex);
        events::push_event(&text.birth.text(), rows);
        events::push_event(&text.death.text(), rows);
        let relatives = relatives.of_person(run, number, reader.living);
        rows.list(&relatives.fathers).list(&relatives.mothers);
        rows.list(&relatives.spouses).list(&relatives.children);
        if relatives.has_too_many_partners {
            rows.count_left_out();
        }
        rows.text(&name.prefix).text(&name.suffix).text(&name.nickname).list(&others);
        rows.boolean_of(relatives.is_living).list(&events::cited_sources(record.node));
        rows.list(&relatives.names_of_fathers).list(&relatives.names_of_mothers);
        rows.list(&relatives.names_of_spouses).list(&given).list(parts);
    }
}

#[derive(Debug, Default)]
struct PersonText<'d> {
    names: Vec<PersonName>,
    sex: Cow<'d, str>,
    birth: MainEvent<'d>,
    death: MainEvent<'d>,
    /// The parts of the places of all events, without duplicates.
    place_parts: Vec<String>,
}

impl<'d> PersonText<'d> {
    fn of(reader: &TableReader, typed: &'d TypedDocument<'d>, record: RoleNode<'d>) -> PersonText<'d> {
        let names = PersonName::all_of(record, |above| reader.substructures(typed, above));
        let mut person = PersonText { names, ..PersonText::default() };
        let mut has_sex = false;
        let mut met_parts: HashSet<String> = HashSet::new();
        for part in reader.substructures(typed, record) {
            match part.role() {
                Some(Role::Sex) if !has_sex => {
                    has_sex = true;
                    person.sex = trim_text(part.node.text());
                }
                Some(Role::Birth) => person.birth.consider(reader, typed, part),
                Some(Role::Death) => person.death.consider(reader, typed, part),
                _ => {}
            }
            if part.role().is_some_and(Role::is_event_of_person) {
                for place in events::places_of_event(reader, typed, part) {
                    let parts = place.split(',').map(str::trim).filter(|part| !part.is_empty());
                    let new = parts.filter(|part| met_parts.insert((*part).to_owned()));
                    person.place_parts.extend(new.map(str::to_owned));
                }
            }
        }
        person
    }
}

/// Returns the names of a person except the first, without duplicates.
fn other_names(names: &[PersonName]) -> Vec<&str> {
    let mut met = HashSet::new();
    names.iter().map(|name| &*name.text).filter(|name| met.insert(*name)).skip(1).collect()
}

/// Returns the words of the given names and nicknames in all names, without duplicates.
fn given_names(names: &[PersonName]) -> Vec<&str> {
    let mut met = HashSet::new();
    let words =
        names.iter().flat_map(|name| name.given.split_whitespace().chain(name.nickname.split_whitespace()));
    let words =
        words.map(|word| word.trim_matches(|c: char| matches!(c, '"' | ',' | '“' | '”' | '„' | '(' | ')')));
    words.filter(|word| !word.is_empty() && met.insert(*word)).collect()
}

fn trim_text(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => text.trim().into(),
        Cow::Owned(text) => text.trim().to_owned().into(),
    }
}

/// The fields of a person's row that come from other records.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct RelativesOfPerson {
    fathers: Vec<String>,
    mothers: Vec<String>,
    spouses: Vec<String>,
    children: Vec<String>,
    names_of_fathers: Vec<String>,
    names_of_mothers: Vec<String>,
    names_of_spouses: Vec<String>,
    is_living: Option<bool>,
    /// True if a family has too many partners to list all of them.
    has_too_many_partners: bool,
}

impl RelativesOfPerson {
    pub(crate) fn of(person: Person<'_>, living: Option<LivingRule>) -> RelativesOfPerson {
        let (mut fathers, mut mothers, mut spouses, mut children) = (vec![], vec![], vec![], vec![]);
        if let Some(family) = choose_parent_family(person) {
            let couple = Couple::of(family);
            let people = |ids: Vec<PersonId>| {
                let ids = ids.into_iter().take(Couple::MAX_PARTNERS);
                ids.filter_map(|id| person.lineage().person(id)).collect()
            };
            (fathers, mothers) = (people(couple.husbands), people(couple.wives));
        }
        for family in person.families_as_partner() {
            let partners = || family.partners().take(Couple::MAX_PARTNERS).map(|(partner, _)| partner);
            if partners().any(|partner| partner.id() == person.id()) {
                spouses.extend(partners().filter(|partner| partner.id() != person.id()));
                children.extend(family.children());
            }
        }
        let mut families = person.families_as_child().chain(person.families_as_partner());
        RelativesOfPerson {
            fathers: identifiers_of(&fathers),
            mothers: identifiers_of(&mothers),
            spouses: identifiers_of(&spouses),
            children: identifiers_of(&children),
            names_of_fathers: names_of(&fathers),
            names_of_mothers: names_of(&mothers),
            names_of_spouses: names_of(&spouses),
            is_living: living.map(|rule| person.may_be_living(&rule)),
            has_too_many_partners: families.any(Couple::has_too_many_partners),
        }
    }
}

fn identifiers_of(people: &[Person<'_>]) -> Vec<String> {
    without_duplicates(people.iter().filter_map(|person| person.identifier()))
}

fn names_of(people: &[Person<'_>]) -> Vec<String> {
    let names = people.iter().map(|person| person.name().to_owned());
    without_duplicates(names.filter(|name| !name.is_empty()))
}

fn without_duplicates(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut met = HashSet::new();
    texts.filter(|text| met.insert(text.clone())).collect()
}

/// Returns the family whose partners are listed as father and mother. Both come from one family.
/// The first family is chosen in which all partners are parents by birth; if there is none, the
/// first family with one parent by birth.
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
