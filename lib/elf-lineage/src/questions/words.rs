//! Persons and events in words.

use crate::Role;
use crate::graph::{Event, Family, Person};

/// A person by name and identifier: `Jane Doe (@I1@)`.
pub(super) fn person(person: Person<'_>) -> String {
    match (person.name(), person.identifier()) {
        ("", None) => "a person without a name or identifier".to_owned(),
        ("", Some(identifier)) => format!("@{identifier}@"),
        (name, None) => name.to_owned(),
        (name, Some(identifier)) => format!("{name} (@{identifier}@)"),
    }
}

/// The partners of a family: `Jane Doe (@I1@) and John Doe (@I2@)`.
pub(super) fn couple(family: Family<'_>) -> String {
    let partners: Vec<String> = family.partners().take(2).map(|(one, _)| person(one)).collect();
    match (partners.is_empty(), family.identifier()) {
        (false, _) => partners.join(" and "),
        (true, Some(identifier)) => format!("the family @{identifier}@"),
        (true, None) => "a family without partners".to_owned(),
    }
}

/// An event as a noun without an article, by its tag or its own words: `residence`, ``event `Militia` ``.
pub(super) fn noun_of(event: Event<'_>) -> String {
    let (role, name) = (event.role(), event.data.name);
    match (name.noun(), event.names.words(name)) {
        (Some(noun), _) => noun.to_owned(),
        (None, Some(words)) => format!("{} `{words}`", noun(role)),
        (None, None) => noun(role).to_owned(),
    }
}

/// A role as a noun without an article.
pub(crate) const fn noun(role: Role) -> &'static str {
    match role {
        Role::Birth => "birth",
        Role::Baptism => "baptism",
        Role::Christening | Role::AdultChristening => "christening",
        Role::Death => "death",
        Role::Burial => "burial",
        Role::Cremation => "cremation",
        Role::Adoption => "adoption",
        Role::Will => "will",
        Role::Probate => "probate",
        Role::Graduation => "graduation",
        Role::Census => "census",
        Role::Property => "property",
        Role::Title => "title",
        Role::Ordinance | Role::FamilyOrdinance => "ordinance",
        Role::Marriage => "marriage",
        Role::Divorce => "divorce",
        Role::Annulment => "annulment",
        Role::DivorceFiled => "filing of a divorce",
        Role::Engagement => "engagement",
        Role::GenericAttribute | Role::OtherAttribute => "attribute",
        _ => "event",
    }
}

/// The participle of an event that has one: `born`, `buried`.
pub(super) const fn done(role: Role) -> &'static str {
    match role {
        Role::Burial => "was buried",
        Role::Cremation => "was cremated",
        Role::Christening | Role::AdultChristening => "was christened",
        Role::Will => "made a will",
        _ => "was baptised",
    }
}
