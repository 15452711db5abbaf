//! The table of people.

use crate::couples::Couple;
use crate::events::{self, CountedEvent};
use crate::reader::TableReader;
use crate::rows::Rows;
use crate::survey::Relatives;
use elf_lineage::{Person, PersonId};
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
        let person = PersonText::of(reader, typed, (record, found));
        rows.text(file).text_of(record.xref());
        rows.text(&person.name.name).text(&person.name.given).text(&person.name.surname).text(&person.sex);
        events::push(&person.birth.text(), rows);
        events::push(&person.death.text(), rows);
        match PersonId::of_index(number).and_then(|id| relatives.lineage.person(id)) {
            Some(person) => push_relatives(person, rows),
            None => (0..4).for_each(|_| {
                rows.empty();
            }),
        }
    }
}

/// The texts of a person's record.
#[derive(Debug, Default)]
struct PersonText<'d> {
    name: NameText<'d>,
    sex: Cow<'d, str>,
    birth: CountedEvent<'d>,
    death: CountedEvent<'d>,
}

impl<'d> PersonText<'d> {
    fn of(
        reader: &TableReader,
        typed: &'d TypedDocument<'d>,
        record: (Node<'d>, Counterpart),
    ) -> PersonText<'d> {
        let mut person = PersonText::default();
        let (mut has_name, mut has_sex) = (false, false);
        for (node, found) in reader.beneath(typed, record) {
            match found.role() {
                Some(Role::Name) if !has_name => {
                    has_name = true;
                    person.name = NameText::of(reader, typed, (node, found));
                }
                Some(Role::Sex) if !has_sex => {
                    has_sex = true;
                    person.sex = trimmed(node.text());
                }
                Some(Role::Birth) => person.birth.see(reader, typed, (node, found)),
                Some(Role::Death) => person.death.see(reader, typed, (node, found)),
                _ => {}
            }
        }
        person
    }
}

/// A name: as it is spoken, and its two pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct NameText<'d> {
    name: Cow<'d, str>,
    given: Cow<'d, str>,
    surname: Cow<'d, str>,
}

impl<'d> NameText<'d> {
    fn of(reader: &TableReader, typed: &'d TypedDocument<'d>, name: (Node<'d>, Counterpart)) -> NameText<'d> {
        let (mut given, mut surname): (Cow<'d, str>, Cow<'d, str>) = Default::default();
        for (node, found) in reader.beneath(typed, name) {
            match found.iri() {
                Some(elf::NAME_PIECE_GIVEN) if given.is_empty() => given = trimmed(node.text()),
                Some(elf::NAME_PIECE_SURNAME) if surname.is_empty() => surname = trimmed(node.text()),
                _ => {}
            }
        }
        NameText::new(&name.0.text(), given, surname)
    }

    /// A name of its payload, and of the pieces that stand beneath it.
    fn new(payload: &str, given: Cow<'d, str>, surname: Cow<'d, str>) -> NameText<'d> {
        let or_else =
            |own: &str, piece: Cow<'d, str>| if own.is_empty() { piece } else { own.to_owned().into() };
        let Ok(name) = PersonalName::parse(payload) else {
            // Solidi that mark no surname: the words are all that is sure.
            let words: Vec<&str> = payload
                .split(|c: char| c == '/' || c.is_whitespace())
                .filter(|word| !word.is_empty())
                .collect();
            return NameText { name: words.join(" ").into(), given, surname };
        };
        let spoken = name.to_string();
        let spoken =
            if spoken.is_empty() { [&*given, &*surname].join(" ").trim().to_owned() } else { spoken };
        match name.surname() {
            Some(own) => NameText {
                name: spoken.into(),
                given: or_else(name.before(), given),
                surname: or_else(own, surname),
            },
            // Without solidi nothing says which words are the given names, unless a piece does.
            None => NameText {
                name: spoken.into(),
                given: if given.is_empty() { name.before().to_owned().into() } else { given },
                surname,
            },
        }
    }
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => text.trim().into(),
        Cow::Owned(text) => text.trim().to_owned().into(),
    }
}

/// Adds fathers, mothers, spouses and children.
fn push_relatives(person: Person<'_>, rows: &mut Rows) {
    let by_birth: HashSet<PersonId> =
        person.parents().filter(|parent| parent.is_by_birth).map(|parent| parent.person.id()).collect();
    let (mut fathers, mut mothers) = (Vec::new(), Vec::new());
    for family in person.families_as_child() {
        let couple = Couple::of(family);
        fathers.extend(couple.husbands.into_iter().take(Couple::MOST));
        mothers.extend(couple.wives.into_iter().take(Couple::MOST));
    }
    for mut parents in [fathers, mothers] {
        parents.sort_by_key(|parent| !by_birth.contains(parent));
        push_people(parents.into_iter().filter_map(|id| person.lineage().person(id)), rows);
    }
    let (mut spouses, mut children) = (Vec::new(), Vec::new());
    for family in person.families_as_partner() {
        let partners = || family.partners().take(Couple::MOST).map(|(partner, _)| partner);
        if partners().any(|partner| partner.id() == person.id()) {
            spouses.extend(partners().filter(|partner| partner.id() != person.id()));
            children.extend(family.children());
        }
    }
    push_people(spouses.into_iter(), rows);
    push_people(children.into_iter(), rows);
    let families = person.families_as_child().chain(person.families_as_partner());
    if families.into_iter().any(Couple::is_crowded) {
        rows.leave_out();
    }
}

/// Adds the identifiers of people, each once.
fn push_people<'l>(people: impl Iterator<Item = Person<'l>>, rows: &mut Rows) {
    let mut met = HashSet::new();
    let identifiers = people.filter_map(Person::identifier);
    let identifiers: Vec<String> = identifiers.filter(|identifier| met.insert(identifier.clone())).collect();
    rows.list(&identifiers);
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("Ada /Byron", "", "", ["Ada Byron", "", ""]),
            ("a/b/c/d", "Ada", "", ["a b c d", "Ada", ""]),
        ] {
            let name = NameText::new(payload, given.into(), surname.into());
            assert_eq!([&*name.name, &*name.given, &*name.surname], expected, "{payload}");
        }
    }
}
