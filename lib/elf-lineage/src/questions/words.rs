//! Describes people and events in words.

use crate::Role;
use crate::graph::{Event, Family, Person};

/// Names a person with the identifier: `Jane Doe (@I1@)`.
pub(super) fn name_person(person: Person<'_>) -> String {
    match (person.name(), person.identifier()) {
        ("", None) => "a person without a name or identifier".to_owned(),
        ("", Some(identifier)) => format!("@{identifier}@"),
        (name, None) => name.to_owned(),
        (name, Some(identifier)) => format!("{name} (@{identifier}@)"),
    }
}

/// Names the partners of a family: `Jane Doe (@I1@) and John Doe (@I2@)`.
pub(super) fn name_couple(family: Family<'_>) -> String {
    let partners: Vec<String> = family.partners().take(2).map(|(one, _)| name_person(one)).collect();
    match (partners.is_empty(), family.identifier()) {
        (false, _) => partners.join(" and "),
        (true, Some(identifier)) => format!("the family @{identifier}@"),
        (true, None) => "a family without partners".to_owned(),
    }
}

/// Returns a noun without an article for an event. The noun comes from the tag of the event or from
/// its own words: `residence`, ``event `Militia` ``.
pub(super) fn noun_of_event(event: Event<'_>) -> String {
    let (role, name) = (event.role(), event.data.name);
    match (name.noun(), event.names.words(name)) {
        (Some(noun), _) => noun.to_owned(),
        (None, Some(words)) => format!("{} `{words}`", noun_of_role(role)),
        (None, None) => noun_of_role(role).to_owned(),
    }
}

/// Returns a noun for a role without an article.
pub(crate) const fn noun_of_role(role: Role) -> &'static str {
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

/// Returns the participle of an event that has one: `born`, `buried`.
pub(super) const fn participle_of(role: Role) -> &'static str {
    match role {
        Role::Burial => "was buried",
        Role::Cremation => "was cremated",
        Role::Christening | Role::AdultChristening => "was christened",
        Role::Will => "made a will",
        _ => "was baptised",
    }
}
