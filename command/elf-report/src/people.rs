//! Prints people and their relationships as text.

use crate::sanitise;
use elf_lineage::{Kinship, Person, PersonId, Relation, Relationship, RelationshipKind, Sex};
use std::fmt::Write;

/// A person in a list. Empty texts are left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct PersonLine<'p> {
    /// The identifier without at signs.
    pub id: &'p str,
    /// The name.
    pub name: &'p str,
    /// Date and place of the birth.
    pub birth: [&'p str; 2],
    /// Date and place of the death.
    pub death: [&'p str; 2],
}

/// Draws a list of people, one on each line, with a column of identifiers.
///
/// ```
/// use elf_report::people::{PersonLine, person_list};
///
/// let ada = PersonLine { id: "I1", name: "Ada King", birth: ["10 DEC 1815", "London"], ..PersonLine::default() };
/// let george = PersonLine { id: "I20", name: "", ..PersonLine::default() };
/// assert_eq!(person_list(&[ada, george]), "@I1@   Ada King, * 10 DEC 1815 London\n@I20@  (no name)\n");
/// ```
pub fn person_list(persons: &[PersonLine<'_>]) -> String {
    let width = persons.iter().map(|person| person.id.chars().count()).max().unwrap_or(0);
    let mut list = String::new();
    for person in persons {
        let id = if person.id.is_empty() { String::new() } else { format!("@{}@", sanitise(person.id)) };
        let name = if person.name.is_empty() { "(no name)".into() } else { sanitise(person.name) };
        let _ = write!(list, "{id:width$}  {name}", width = width + 2);
        for (mark, event) in [("*", person.birth), ("†", person.death)] {
            let words: Vec<&str> = event.into_iter().filter(|text| !text.trim().is_empty()).collect();
            if !words.is_empty() {
                let _ = write!(list, ", {mark} {}", sanitise(&words.join(" ")));
            }
        }
        list.push('\n');
    }
    list
}

/// Draws all relationships of a person to another, nearest first, with the common ancestors and the coefficient.
pub fn describe_kinship(one: Person<'_>, other: Person<'_>, kinship: &Kinship) -> String {
    let [name, other_name] = names_of_two(one, other);
    if !kinship.is_related() {
        return format!("{name} and {other_name} are not related\n");
    }
    let mut text = String::new();
    for relationship in kinship.relationships() {
        let what = with_article(relationship, one.sex());
        let _ = writeln!(text, "{name} is {what} of {other_name}");
        let is_between = relationship.generations().is_some_and(|of| of.up > 0 && of.down > 0);
        if let (true, [first, others @ ..]) = (is_between, &*relationship.common_ancestors) {
            let noun = if others.is_empty() { "ancestor" } else { "ancestors" };
            let mut list = name_with_identifier(one, *first);
            others
                .iter()
                .for_each(|ancestor| list += &format!(" and {}", name_with_identifier(one, *ancestor)));
            let _ = writeln!(text, "  common {noun}: {list}");
        }
    }
    if kinship.coefficient() > 0.0 {
        let _ = writeln!(text, "Coefficient of relationship by blood: {}", kinship.coefficient());
    }
    text
}

/// Returns the names of two people, with their identifiers if the names are equal.
fn names_of_two(one: Person<'_>, other: Person<'_>) -> [String; 2] {
    match one.name() == other.name() {
        true => [name_with_identifier(one, one.id()), name_with_identifier(other, other.id())],
        false => [one, other].map(name_or_identifier),
    }
}

fn name_or_identifier(person: Person<'_>) -> String {
    match person.name() {
        "" => person.identifier().map_or_else(|| "(no name)".to_owned(), |id| format!("@{}@", sanitise(&id))),
        name => sanitise(name).into_owned(),
    }
}

/// Returns the name and the identifier of a person in the same file.
fn name_with_identifier(of: Person<'_>, id: PersonId) -> String {
    let Some(person) = of.lineage().person(id) else { return String::new() };
    match (person.name(), person.identifier()) {
        ("", _) | (_, None) => name_or_identifier(person),
        (name, Some(id)) => format!("{} (@{}@)", sanitise(name), sanitise(&id)),
    }
}

/// Returns the name of a relationship. The article is `the` if there is usually one such person,
/// otherwise `a` or `an`.
fn with_article(relationship: &Relationship, sex: Sex) -> String {
    let name = relationship.name(sex);
    let is_only_one = match relationship.relation {
        Relation::Spouse | Relation::ParentInLaw => true,
        Relation::Kin(of) => (of.up, of.down) == (0, 1) && relationship.kind == RelationshipKind::Blood,
        Relation::ChildInLaw | Relation::SiblingInLaw | Relation::StepParent | Relation::StepChild => false,
    };
    // Of ordinals in digits, only 8th, 11th, 18th and those from 80th to 89th start with a vowel.
    let starts_with_vowel = |text: &str| {
        text.starts_with(['a', 'e', 'i', 'o', 'u'])
            || text.starts_with('8')
            || ["11", "18"].contains(&first_number(text))
    };
    match (is_only_one, starts_with_vowel(&name)) {
        (true, _) => format!("the {name}"),
        (false, true) => format!("an {name}"),
        (false, false) => format!("a {name}"),
    }
}

fn first_number(text: &str) -> &str {
    &text[..text.bytes().take_while(u8::is_ascii_digit).count()]
}
