//! The years of a life, as they stand beneath a name: `1815–1852`, `* abt 1815`, `† bef 1852`.

use crate::pictures::text::clean;
use elf_lineage::elf_schema::Role;
use elf_lineage::elf_schema::elf_values::{Calendar, Days};
use elf_lineage::{Event, Family, Person};

/// The years of a person's birth and death, or of the baptism or the burial where nothing else is known;
/// empty where nothing is.
pub(crate) fn life(person: Person<'_>) -> String {
    let birth = first(person, &[("", Role::Birth), ("bap ", Role::Baptism), ("bap ", Role::Christening)]);
    let death = first(person, &[("", Role::Death), ("bur ", Role::Burial), ("bur ", Role::Cremation)]);
    let ends = [Role::Death, Role::Burial, Role::Cremation];
    let is_dead = ends.into_iter().any(|role| person.event(role).is_some_and(Event::is_stated));
    match (birth, death) {
        (Some(birth), Some(death)) if birth.contains(' ') || death.contains(' ') => {
            format!("{birth} – {death}")
        }
        (Some(birth), Some(death)) => format!("{birth}–{death}"),
        (Some(birth), None) if is_dead => format!("* {birth} †"),
        (Some(birth), None) => format!("* {birth}"),
        (None, Some(death)) => format!("† {death}"),
        (None, None) if is_dead => "†".to_owned(),
        (None, None) => String::new(),
    }
}

/// The year of the marriage behind its sign; the sign alone where it has none.
pub(crate) fn marriage(family: Family<'_>) -> String {
    match family.event(Role::Marriage).and_then(year) {
        Some(year) => format!("⚭ {year}"),
        None => "⚭".to_owned(),
    }
}

/// An event that has a name of its own, with its years.
#[derive(Clone, Debug)]
pub(crate) struct NamedEvent {
    pub(crate) name: String,
    /// The years; empty if they are not known.
    pub(crate) years: String,
}

/// The events that the file or a vendor tag names, in order: what a user or a program has added to the standard.
pub(crate) fn named_events<'l>(events: impl Iterator<Item = Event<'l>>) -> Vec<NamedEvent> {
    let named = events.filter_map(|event| {
        Some(NamedEvent { name: clean(event.own_name()?), years: year(event).unwrap_or_default() })
    });
    named.collect()
}

/// The year of the first of some events that has one, behind its word.
fn first(person: Person<'_>, events: &[(&str, Role)]) -> Option<String> {
    events.iter().find_map(|(word, role)| Some(format!("{word}{}", year(person.event(*role)?)?)))
}

/// The year, or the years, that an event may have been in.
fn year(event: Event<'_>) -> Option<String> {
    let Days { earliest, latest } = event.days();
    // Julian years are told as they are written, those of other calendars as most readers count.
    let calendar = match event.calendar() {
        Calendar::Julian => Calendar::Julian,
        Calendar::Gregorian | Calendar::FrenchRepublican | Calendar::Hebrew => Calendar::Gregorian,
    };
    let of = |day: i64| calendar.day(day).map(|day| day.year);
    match (earliest.day().and_then(of), latest.day().and_then(of)) {
        (Some(first), Some(last)) if first == last => {
            Some(if event.is_approximate() { format!("abt {}", named(first)) } else { named(first) })
        }
        (Some(first), Some(last)) => Some(format!("{}/{}", named(first), named(last))),
        (Some(first), None) => Some(format!("aft {}", named(first))),
        (None, Some(last)) => Some(format!("bef {}", named(last))),
        (None, None) => None,
    }
}

/// A year, counted through, as people name it.
fn named(year: i64) -> String {
    if year > 0 { year.to_string() } else { format!("{} BC", 1 - year) }
}
