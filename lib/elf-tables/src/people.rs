//! The table of people.

use crate::couples::Couple;
use crate::events::{self, CountedEvent};
use crate::reader::TableReader;
use crate::rows::Rows;
use crate::survey::Relatives;
use elf_lineage::{Family, ParentLink, PartnerRole, Person, PersonId};
use elf_schema::vocabulary::elf;
use elf_schema::{Counterpart, Node, Role, TypedDocument};
use elf_values::PersonalName;
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
        rows.text(&name.name).text(&name.given).text(&name.surname).text(&text.sex);
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
    names: Vec<NameText>,
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
        for (node, found) in reader.beneath(typed, record) {
            match found.role() {
                Some(Role::Name) => {
                    person.names.push(NameText::of(reader, typed, (node, found)));
                    person.further_names.extend(node.substructures().filter_map(further_name));
                }
                Some(Role::Sex) if !has_sex => {
                    has_sex = true;
                    person.sex = trimmed(node.text());
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

/// The tags of names other than NAME.
const FURTHER_NAMES: [&str; 8] =
    ["_AKA", "_AKAN", "_MARNM", "_MARRNM", "_MARNAME", "_FORMERNAME", "_BIRTHNAME", "_OTHN"];

/// The name of a structure that has a further name.
fn further_name(node: Node<'_>) -> Option<String> {
    let is_name = FURTHER_NAMES.contains(&node.tag());
    is_name.then(|| spoken(&node.text())).filter(|name| !name.is_empty())
}

/// The names of a person other than the first, each once.
fn other_names(person: &PersonText<'_>) -> Vec<String> {
    let mut met: HashSet<&str> = person.names.first().map(|name| &*name.name).into_iter().collect();
    let others = person.names.iter().skip(1).map(|name| &name.name).chain(&person.further_names);
    others.filter(|name| !name.is_empty() && met.insert(name)).cloned().collect()
}

/// The words of the given names and nicknames of all names, each once.
fn given_names(names: &[NameText]) -> Vec<&str> {
    let mut met = HashSet::new();
    let words =
        names.iter().flat_map(|name| name.given.split_whitespace().chain(name.nickname.split_whitespace()));
    let words =
        words.map(|word| word.trim_matches(|c: char| matches!(c, '"' | ',' | '“' | '”' | '„' | '(' | ')')));
    words.filter(|word| !word.is_empty() && met.insert(*word)).collect()
}

/// A name: as it is spoken, and its pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct NameText {
    name: String,
    given: String,
    surname: String,
    prefix: String,
    suffix: String,
    nickname: String,
}

/// The pieces that stand beneath a name.
#[derive(Clone, Debug, Default)]
struct NamePieces {
    prefix: String,
    given: String,
    nickname: String,
    surname_prefix: String,
    surname: String,
    suffix: String,
}

/// The words after a surname that are no given names.
const SUFFIXES: [&str; 16] = [
    "jr", "sr", "jun", "sen", "junior", "senior", "i", "ii", "iii", "iv", "v", "vi", "esq", "md", "phd",
    "dds",
];

impl NameText {
    fn of(reader: &TableReader, typed: &TypedDocument<'_>, name: (Node<'_>, Counterpart)) -> NameText {
        let mut pieces = NamePieces::default();
        for (node, found) in reader.beneath(typed, name) {
            let piece = match found.iri() {
                Some(elf::NAME_PIECE_PREFIX) => &mut pieces.prefix,
                Some(elf::NAME_PIECE_GIVEN) => &mut pieces.given,
                Some(elf::NAME_PIECE_NICKNAME) => &mut pieces.nickname,
                Some(elf::NAME_PIECE_SURNAME_PREFIX) => &mut pieces.surname_prefix,
                Some(elf::NAME_PIECE_SURNAME) => &mut pieces.surname,
                Some(elf::NAME_PIECE_SUFFIX) => &mut pieces.suffix,
                _ => continue,
            };
            if piece.is_empty() {
                node.text().trim().clone_into(piece);
            }
        }
        NameText::new(&name.0.text(), pieces)
    }

    /// A name of its payload, and of the pieces that stand beneath it.
    fn new(payload: &str, pieces: NamePieces) -> NameText {
        // A surname of which the end is not marked.
        let closed = (payload.matches('/').count() == 1).then(|| format!("{payload}/"));
        let Ok(name) = PersonalName::parse(closed.as_deref().unwrap_or(payload)) else {
            // Solidi that mark no surname: the words are all that is sure.
            return NameText { name: spoken(payload), ..NameText::of_pieces(pieces) };
        };
        if name.to_string().is_empty() {
            return NameText::of_pieces(pieces);
        }
        let NamePieces { prefix, given, nickname, surname_prefix, surname, suffix } = pieces;
        let is_suffix = |text: &str| {
            let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words().next().is_some() && words().all(|word| SUFFIXES.contains(&&*word.to_lowercase()))
        };
        let is_given_behind = name.before().is_empty() && !is_suffix(name.after()) && name.after() != suffix;
        let (own_given, own_suffix) = match is_given_behind {
            true => (name.after(), ""),
            false => (name.before(), name.after()),
        };
        let or_else = |own: &str, other: String| if own.is_empty() { other } else { own.to_owned() };
        NameText {
            name: name.to_string(),
            given: if given.is_empty() { without_prefix(own_given, &prefix).to_owned() } else { given },
            surname: or_else(name.surname().unwrap_or_default(), joined(&[&surname_prefix, &surname])),
            suffix: if suffix.is_empty() { own_suffix.to_owned() } else { suffix },
            nickname: or_else(&nickname, quoted(own_given)),
            prefix,
        }
    }

    /// A name of which there are pieces only.
    fn of_pieces(pieces: NamePieces) -> NameText {
        let NamePieces { prefix, given, nickname, surname_prefix, surname, suffix } = pieces;
        let surname = joined(&[&surname_prefix, &surname]);
        let name = joined(&[&prefix, &given, &surname, &suffix]);
        NameText { name, given, surname, prefix, suffix, nickname }
    }
}

/// Given names without the prefix before them.
fn without_prefix<'t>(given: &'t str, prefix: &str) -> &'t str {
    match given.strip_prefix(prefix) {
        Some(rest) if rest.starts_with(char::is_whitespace) => rest.trim_start(),
        _ => given,
    }
}

/// The words between quotation marks; empty if there are none.
fn quoted(text: &str) -> String {
    let is_mark = |c: char| matches!(c, '"' | '“' | '”' | '„');
    let mut parts = text.split(is_mark);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(_), Some(inner), Some(_)) => inner.trim().to_owned(),
        _ => String::new(),
    }
}

/// The words of a name without solidi.
fn spoken(name: &str) -> String {
    let words = name.split(|c: char| c == '/' || c.is_whitespace()).filter(|word| !word.is_empty());
    words.collect::<Vec<&str>>().join(" ")
}

/// The parts that are not empty, with spaces between them.
fn joined(parts: &[&str]) -> String {
    let parts = parts.iter().copied().filter(|part| !part.is_empty());
    parts.collect::<Vec<&str>>().join(" ")
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
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

/// The family whose partners are listed as parents: of several the first by birth, so that a father and a mother are
/// those of one family.
fn family_of_parents(person: Person<'_>) -> Option<Family<'_>> {
    let is_by_birth =
        |link: &ParentLink<'_>| link.is_by_birth(PartnerRole::Husband) || link.is_by_birth(PartnerRole::Wife);
    let by_birth = person.parent_links().find(is_by_birth);
    let link = by_birth.or_else(|| person.parent_links().next())?;
    person.lineage().family(link.family())
}

/// Adds texts, each once.
fn push_each_once(texts: impl Iterator<Item = String>, rows: &mut Rows) {
    let mut met = HashSet::new();
    let texts: Vec<String> = texts.filter(|text| met.insert(text.clone())).collect();
    rows.list(&texts);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(payload: &str, pieces: [&str; 6]) -> NameText {
        let [prefix, given, nickname, surname_prefix, surname, suffix] = pieces.map(str::to_owned);
        NameText::new(payload, NamePieces { prefix, given, nickname, surname_prefix, surname, suffix })
    }

    #[test]
    fn names_have_their_pieces() {
        for (payload, given, surname, expected) in [
            ("Ada /Byron/", "", "", ["Ada Byron", "Ada", "Byron"]),
            ("Johan  /van der Berg/ Jr.", "", "", ["Johan van der Berg Jr.", "Johan", "van der Berg"]),
            ("Madonna", "", "", ["Madonna", "Madonna", ""]),
            ("Ada Byron", "Ada", "Byron", ["Ada Byron", "Ada", "Byron"]),
            ("/Byron/", "Ada", "Lovelace", ["Byron", "Ada", "Byron"]),
            ("Ada //", "", "Byron", ["Ada", "Ada", "Byron"]),
            ("", "Ada", "Byron", ["Ada Byron", "Ada", "Byron"]),
            ("Ada /Byron", "", "", ["Ada Byron", "Ada", "Byron"]),
            ("/Szabó/ János", "", "", ["Szabó János", "János", "Szabó"]),
            ("/Smith/ Jr.", "", "", ["Smith Jr.", "", "Smith"]),
            ("a/b/c/d", "Ada", "", ["a b c d", "Ada", ""]),
        ] {
            let name = named(payload, ["", given, "", "", surname, ""]);
            assert_eq!([&*name.name, &*name.given, &*name.surname], expected, "{payload}");
        }
    }

    #[test]
    fn pieces_of_names_are_put_together() {
        for (payload, pieces, expected) in [
            (
                "Dr. John /Smith/",
                ["Dr.", "John", "", "", "", ""],
                ["Dr. John Smith", "John", "Smith", "Dr.", "", ""],
            ),
            (
                "Dr. John /Smith/",
                ["Dr.", "", "", "", "", ""],
                ["Dr. John Smith", "John", "Smith", "Dr.", "", ""],
            ),
            ("", ["Baron", "Carl", "", "", "", ""], ["Baron Carl", "Carl", "", "Baron", "", ""]),
            ("", ["", "Ann", "", "von", "Bee", ""], ["Ann von Bee", "Ann", "von Bee", "", "", ""]),
            (
                "John /Smith/ III",
                ["", "", "", "", "", ""],
                ["John Smith III", "John", "Smith", "", "III", ""],
            ),
            (
                "John /Smith/",
                ["", "", "Jack", "", "", "Sr."],
                ["John Smith", "John", "Smith", "", "Sr.", "Jack"],
            ),
            (
                "Ann \"Nan\" /Lee/",
                ["", "", "", "", "", ""],
                ["Ann \"Nan\" Lee", "Ann \"Nan\"", "Lee", "", "", "Nan"],
            ),
        ] {
            let name = named(payload, pieces);
            let found =
                [&*name.name, &*name.given, &*name.surname, &*name.prefix, &*name.suffix, &*name.nickname];
            assert_eq!(found, expected, "{payload} {pieces:?}");
        }
    }
}
