//! The data of a person that is compared.

use super::MatchSide;
use super::dates::{MatchDate, is_unbounded};
use super::nicknames::base_form_of;
use crate::facts::PersonFacts;
use crate::fold::folded;
use crate::graph::{Person, PersonId};
use crate::names::{NAME_PLACEHOLDERS, NameKind};
use crate::run::{PartnerRole, Sex};
use crate::sounds::SoundCodes;
use crate::view::LineageView;
use elf_schema::Role;

/// The maximum number of names, partners and children of a person that are compared.
const MAX_RELATIVES: usize = 12;

/// A person to be matched with others.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MatchPerson {
    /// The number that the caller gave the file.
    pub file: usize,
    /// The number of the person in the graph of the file.
    pub id: PersonId,
    /// The identifier without at signs.
    pub identifier: Option<String>,
    /// The name.
    pub name: String,
    /// The date of the birth, as written.
    pub birth: String,
    /// The date of the death, as written.
    pub death: String,
    pub(super) side: MatchSide,
    pub(super) sex: Sex,
    pub(super) given: Vec<GivenName>,
    /// Surnames without married names.
    pub(super) surnames: Vec<String>,
    /// Married names: those in the record, and the surnames of partners.
    pub(super) married_surnames: Vec<String>,
    /// The sounds of all surnames.
    pub(super) surname_sounds: Vec<String>,
    pub(super) born: Option<MatchDate>,
    pub(super) died: Option<MatchDate>,
    pub(super) birth_place: Vec<String>,
    pub(super) death_place: Vec<String>,
    pub(super) fathers: Vec<Relative>,
    pub(super) mothers: Vec<Relative>,
    pub(super) partners: Vec<Relative>,
    pub(super) children: Vec<Relative>,
    pub(super) unique_ids: Vec<String>,
    /// Parents, partners, children and parents-in-law in the same file.
    near_relatives: Vec<PersonId>,
}

/// Given names: words without case and accents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GivenName {
    pub(super) words: Vec<String>,
    /// The name that the first word is a short or foreign form of.
    pub(super) root: String,
}

/// A relative, by name only.
#[derive(Clone, Debug)]
pub(super) struct Relative {
    pub(super) id: PersonId,
    pub(super) given: GivenName,
    pub(super) surname: String,
}

impl MatchPerson {
    /// Reads all people of a file.
    pub(super) fn all_of(side: MatchSide, file: usize, view: &LineageView<'_, '_>) -> Vec<MatchPerson> {
        let lineage = view.lineage();
        let persons = lineage.persons().filter_map(|person| MatchPerson::of(side, file, view, person.id()));
        let mut persons: Vec<MatchPerson> = persons.collect();
        let relatives: Vec<Relative> = persons.iter().map(MatchPerson::to_relative).collect();
        let mut codes = SoundCodes::default();
        for person in &mut persons {
            let Some(of) = lineage.person(person.id) else { continue };
            person.add_relatives(of, &relatives);
            person.add_sounds(&mut codes);
        }
        persons
    }

    fn of(side: MatchSide, file: usize, view: &LineageView<'_, '_>, id: PersonId) -> Option<MatchPerson> {
        let facts = view.facts(id)?;
        let person = facts.person;
        let (surnames, married) = surnames_of(&facts);
        Some(MatchPerson {
            file,
            id,
            identifier: facts.record.xref().map(str::to_owned),
            name: facts.name().to_owned(),
            birth: facts.birth.date.to_string(),
            death: facts.death.date.to_string(),
            side,
            sex: person.sex(),
            given: given_names_of(&facts),
            surnames,
            married_surnames: married,
            surname_sounds: Vec::new(),
            born: facts.born.and_then(|days| MatchDate::of(days, has_approximate_date(person, Role::Birth))),
            died: facts.died.and_then(|days| MatchDate::of(days, has_approximate_date(person, Role::Death))),
            birth_place: split_place(&facts.birth.place),
            death_place: split_place(&facts.death.place),
            fathers: Vec::new(),
            mothers: Vec::new(),
            partners: Vec::new(),
            children: Vec::new(),
            unique_ids: unique_ids_of(&facts),
            near_relatives: Vec::new(),
        })
    }

    fn to_relative(&self) -> Relative {
        // A placeholder says nothing about a relative.
        let given = self.given.first().filter(|_| !self.has_placeholder_name());
        let given = given.cloned().unwrap_or_default();
        Relative { id: self.id, given, surname: self.surnames.first().cloned().unwrap_or_default() }
    }

    fn add_relatives(&mut self, person: Person<'_>, all: &[Relative]) {
        let relative = |of: Person<'_>| all.get(of.id().index()).cloned();
        let parents = |role: PartnerRole| {
            let parents = person.parents().filter(|parent| parent.role == role && parent.is_by_birth);
            parents.filter_map(|parent| relative(parent.person)).take(MAX_RELATIVES).collect()
        };
        (self.fathers, self.mothers) = (parents(PartnerRole::Husband), parents(PartnerRole::Wife));
        self.partners = partners_of(person).take(MAX_RELATIVES).filter_map(relative).collect();
        self.children = person.children().take(MAX_RELATIVES).filter_map(relative).collect();
        let partners = || partners_of(person).take(MAX_RELATIVES);
        let parents =
            |of: Person<'_>| of.parents().take(MAX_RELATIVES).map(|parent| parent.person.id()).collect();
        let parents_in_law = partners().flat_map(|partner| -> Vec<PersonId> { parents(partner) });
        self.near_relatives = parents(person);
        self.near_relatives.extend(partners().map(Person::id).chain(parents_in_law));
        self.near_relatives.extend(person.children().map(Person::id));
        self.near_relatives.sort_unstable();
        let of_partners =
            self.partners.iter().map(|partner| &partner.surname).filter(|name| !name.is_empty());
        self.married_surnames.extend(of_partners.cloned().collect::<Vec<String>>());
        self.married_surnames.sort();
        self.married_surnames.dedup();
    }

    fn add_sounds(&mut self, codes: &mut SoundCodes) {
        for surname in self.surnames.iter().chain(&self.married_surnames) {
            self.surname_sounds.extend(codes.of(surname).iter().cloned());
        }
        self.surname_sounds.sort();
        self.surname_sounds.dedup();
    }

    /// Returns the base form of the first given name; empty if there is none.
    pub(super) fn first_given_root(&self) -> &str {
        self.given.first().map_or("", |given| &given.root)
    }

    /// Returns whether both people are in the same file.
    fn is_in_file_of(&self, other: &MatchPerson) -> bool {
        self.file == other.file && self.side == other.side
    }

    /// Returns whether the two people are partners, parent and child, or parent-in-law and
    /// child-in-law, in one file.
    pub(super) fn is_close_relative(&self, other: &MatchPerson) -> bool {
        let is_near =
            |one: &MatchPerson, other: &MatchPerson| one.near_relatives.binary_search(&other.id).is_ok();
        self.is_in_file_of(other) && (is_near(self, other) || is_near(other, self))
    }

    /// Returns whether the two people have a parent in common, in one file.
    pub(super) fn is_sibling(&self, other: &MatchPerson) -> bool {
        let share_one =
            |one: &[Relative], other: &[Relative]| one.iter().any(|a| other.iter().any(|b| a.id == b.id));
        self.is_in_file_of(other)
            && (share_one(&self.fathers, &other.fathers) || share_one(&self.mothers, &other.mothers))
    }

    /// Returns whether words such as `Living` or `N.N.` stand in place of all names.
    pub(super) fn has_placeholder_name(&self) -> bool {
        let has_surname = !self.surnames.is_empty();
        let is_placeholder = |name: &GivenName| name.is_placeholder(has_surname);
        !self.given.is_empty() && self.given.iter().all(is_placeholder)
    }
}

impl GivenName {
    fn of(text: &str) -> Option<GivenName> {
        let text = folded(text);
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
        let words: Vec<String> = words.take(MAX_RELATIVES).map(str::to_owned).collect();
        let root = base_form_of(words.first()?).to_owned();
        Some(GivenName { words, root })
    }

    /// Returns whether the words stand in place of a name. Without a surname, only the first word has to, as in a NAME
    /// `Living Barnett` without slashes.
    fn is_placeholder(&self, has_surname: bool) -> bool {
        let is_placeholder = |word: &str| NAME_PLACEHOLDERS.contains(&word);
        let mut words = self.words.iter().map(String::as_str);
        let is_first = words.next().is_some_and(is_placeholder);
        is_first && (!has_surname || words.all(is_placeholder)) || is_placeholder(&self.words.concat())
    }
}

fn partners_of(person: Person<'_>) -> impl Iterator<Item = Person<'_>> {
    let families = person.families_as_partner().take(MAX_RELATIVES);
    let partners =
        families.flat_map(|family| family.partners().take(MAX_RELATIVES).map(|(partner, _)| partner));
    partners.filter(move |partner| partner.id() != person.id())
}

fn given_names_of(facts: &PersonFacts<'_, '_>) -> Vec<GivenName> {
    let mut all: Vec<GivenName> = Vec::new();
    for name in facts.names.iter().filter(|name| name.kind != NameKind::Married).take(MAX_RELATIVES) {
        let found = [&name.given, &name.nickname].into_iter().filter_map(|text| GivenName::of(text));
        for given in found {
            if !all.contains(&given) {
                all.push(given);
            }
        }
    }
    all
}

/// Returns the surnames by birth, and the married names.
fn surnames_of(facts: &PersonFacts<'_, '_>) -> (Vec<String>, Vec<String>) {
    let (mut own, mut married) = (Vec::new(), Vec::new());
    for name in facts.names.iter().take(MAX_RELATIVES) {
        let surname = normalise_surname(&name.surname);
        let list = if name.kind == NameKind::Married { &mut married } else { &mut own };
        if !surname.is_empty() && !list.contains(&surname) {
            list.push(surname);
        }
    }
    (own, married)
}

/// Returns a surname without case and accents, and without words that are often left out.
fn normalise_surname(text: &str) -> String {
    let text = folded(text);
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == '-').filter(|word| !word.is_empty()).collect();
    let is_particle = |word: &str| {
        [
            "von", "van", "de", "der", "den", "zu", "zur", "la", "le", "du", "di", "da", "af", "av", "ten",
            "ter",
        ]
        .contains(&word)
    };
    let kept: Vec<&str> = words.iter().copied().filter(|word| !is_particle(word)).collect();
    match kept.is_empty() {
        true => words.join(" "),
        false => kept.join(" "),
    }
}

/// Returns the parts of a place, the smallest first.
fn split_place(place: &str) -> Vec<String> {
    let parts = place.split(',').map(folded).map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).take(MAX_RELATIVES).collect()
}

fn has_approximate_date(person: Person<'_>, role: Role) -> bool {
    person.event(role).is_none_or(|event| event.is_approximate() || is_unbounded(event.days()))
}

/// Returns the identifiers that a record keeps in every file. These are `UID` of GEDCOM 7.0, and
/// the `_UID` of programs, which often ends in a checksum.
fn unique_ids_of(facts: &PersonFacts<'_, '_>) -> Vec<String> {
    let structures =
        facts.record.substructures().filter(|node| ["UID", "_UID"].contains(&node.tag())).take(MAX_RELATIVES);
    let ids = structures.map(|node| {
        let text = node.text();
        let letters: String =
            text.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_uppercase()).collect();
        let is_number = letters.bytes().all(|digit| digit.is_ascii_hexdigit());
        // Two bytes of checksum follow the 16 bytes of a number.
        if is_number && letters.len() == 36 { letters[..32].to_owned() } else { letters }
    });
    ids.filter(|id| id.len() >= 8).collect()
}
