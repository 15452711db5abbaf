//! What is compared of a person.

use super::MatchSide;
use super::dates::{MatchDate, is_unbounded};
use super::nicknames::root_of_name;
use crate::facts::PersonFacts;
use crate::fold::folded;
use crate::graph::{Person, PersonId};
use crate::names::NameKind;
use crate::run::{PartnerRole, Sex};
use crate::sounds::SoundCodes;
use crate::view::LineageView;
use elf_schema::Role;

/// The most names, partners and children of a person that are compared.
const MOST: usize = 12;

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
    /// Surnames without those by marriage.
    pub(super) surnames: Vec<String>,
    /// Surnames by marriage: those stated, and those of the partners.
    pub(super) married: Vec<String>,
    /// How all the surnames sound.
    pub(super) sounds: Vec<String>,
    pub(super) born: Option<MatchDate>,
    pub(super) died: Option<MatchDate>,
    pub(super) birth_place: Vec<String>,
    pub(super) death_place: Vec<String>,
    pub(super) fathers: Vec<Relative>,
    pub(super) mothers: Vec<Relative>,
    pub(super) partners: Vec<Relative>,
    pub(super) children: Vec<Relative>,
    pub(super) unique_ids: Vec<String>,
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
    /// Reads all persons of a file.
    pub(super) fn all_of(side: MatchSide, file: usize, view: &LineageView<'_, '_>) -> Vec<MatchPerson> {
        let lineage = view.lineage();
        let persons = lineage.persons().filter_map(|person| MatchPerson::of(side, file, view, person.id()));
        let mut persons: Vec<MatchPerson> = persons.collect();
        let relatives: Vec<Relative> = persons.iter().map(MatchPerson::as_relative).collect();
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
            given: given_of(&facts),
            surnames,
            married,
            sounds: Vec::new(),
            born: facts.born.and_then(|days| MatchDate::of(days, is_approximate(person, Role::Birth))),
            died: facts.died.and_then(|days| MatchDate::of(days, is_approximate(person, Role::Death))),
            birth_place: words_of_place(&facts.birth.place),
            death_place: words_of_place(&facts.death.place),
            fathers: Vec::new(),
            mothers: Vec::new(),
            partners: Vec::new(),
            children: Vec::new(),
            unique_ids: unique_ids_of(&facts),
        })
    }

    fn as_relative(&self) -> Relative {
        let given = self.given.first().cloned().unwrap_or_default();
        Relative { id: self.id, given, surname: self.surnames.first().cloned().unwrap_or_default() }
    }

    fn add_relatives(&mut self, person: Person<'_>, all: &[Relative]) {
        let relative = |of: Person<'_>| all.get(of.id().index()).cloned();
        let parents = |role: PartnerRole| {
            let parents = person.parents().filter(|parent| parent.role == role && parent.is_by_birth);
            parents.filter_map(|parent| relative(parent.person)).take(MOST).collect()
        };
        (self.fathers, self.mothers) = (parents(PartnerRole::Husband), parents(PartnerRole::Wife));
        self.partners = partners_of(person).take(MOST).filter_map(relative).collect();
        self.children = person.children().take(MOST).filter_map(relative).collect();
        let of_partners =
            self.partners.iter().map(|partner| &partner.surname).filter(|name| !name.is_empty());
        self.married.extend(of_partners.cloned().collect::<Vec<String>>());
        self.married.sort();
        self.married.dedup();
    }

    fn add_sounds(&mut self, codes: &mut SoundCodes) {
        for surname in self.surnames.iter().chain(&self.married) {
            self.sounds.extend(codes.of(surname).iter().cloned());
        }
        self.sounds.sort();
        self.sounds.dedup();
    }

    /// The first form of the first given name; empty if there is none.
    pub(super) fn given_root(&self) -> &str {
        self.given.first().map_or("", |given| &given.root)
    }

    /// Returns whether the two are parent and child, or partners, in one file.
    pub(super) fn is_close_relative(&self, other: &MatchPerson) -> bool {
        let lists = [&self.fathers, &self.mothers, &self.partners, &self.children];
        self.file == other.file
            && self.side == other.side
            && lists.into_iter().flatten().any(|one| one.id == other.id)
    }
}

impl GivenName {
    fn of(text: &str) -> Option<GivenName> {
        let text = folded(text);
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
        let words: Vec<String> = words.take(MOST).map(str::to_owned).collect();
        let root = root_of_name(words.first()?).to_owned();
        Some(GivenName { words, root })
    }
}

fn partners_of(person: Person<'_>) -> impl Iterator<Item = Person<'_>> {
    let families = person.families_as_partner().take(MOST);
    let partners = families.flat_map(|family| family.partners().take(MOST).map(|(partner, _)| partner));
    partners.filter(move |partner| partner.id() != person.id())
}

fn given_of(facts: &PersonFacts<'_, '_>) -> Vec<GivenName> {
    let mut all: Vec<GivenName> = Vec::new();
    for name in facts.names.iter().filter(|name| name.kind != NameKind::Married).take(MOST) {
        let found = [&name.given, &name.nickname].into_iter().filter_map(|text| GivenName::of(text));
        for given in found {
            if !all.contains(&given) {
                all.push(given);
            }
        }
    }
    all
}

/// The surnames by birth, and those by marriage.
fn surnames_of(facts: &PersonFacts<'_, '_>) -> (Vec<String>, Vec<String>) {
    let (mut own, mut married) = (Vec::new(), Vec::new());
    for name in facts.names.iter().take(MOST) {
        let surname = surname_of(&name.surname);
        let list = if name.kind == NameKind::Married { &mut married } else { &mut own };
        if !surname.is_empty() && !list.contains(&surname) {
            list.push(surname);
        }
    }
    (own, married)
}

/// A surname without case and accents, and without words that are left out as often as not.
fn surname_of(text: &str) -> String {
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

/// The parts of a place, the smallest first.
fn words_of_place(place: &str) -> Vec<String> {
    let parts = place.split(',').map(folded).map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).take(MOST).collect()
}

fn is_approximate(person: Person<'_>, role: Role) -> bool {
    person.event(role).is_none_or(|event| event.is_approximate() || is_unbounded(event.days()))
}

/// The identifiers that are the same wherever a record goes: `UID` of GEDCOM 7.0, and `_UID` of programs, which often
/// has a checksum after it.
fn unique_ids_of(facts: &PersonFacts<'_, '_>) -> Vec<String> {
    let structures =
        facts.record.substructures().filter(|node| ["UID", "_UID"].contains(&node.tag())).take(MOST);
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
