//! The years under a name: `1815–1852`, `* abt 1815`, `† bef 1852`.

use crate::pictures::text::clean_text;
use elf_lineage::elf_schema::Role;
use elf_lineage::elf_schema::elf_values::{Calendar, Days};
use elf_lineage::{Event, Family, Person};

/// Returns the years of birth and death. If the birth or death is unknown, the year of the baptism or burial. Empty if
/// no year is known.
pub(crate) fn life(person: Person<'_>) -> String {
    let birth =
        first_year(person, &[("", Role::Birth), ("bap ", Role::Baptism), ("bap ", Role::Christening)]);
    let death = first_year(person, &[("", Role::Death), ("bur ", Role::Burial), ("bur ", Role::Cremation)]);
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

/// Returns the sign of a marriage and its year, if it is known.
pub(crate) fn marriage(family: Family<'_>) -> String {
    match family.event(Role::Marriage).and_then(years_of) {
        Some(year) => format!("⚭ {year}"),
        None => "⚭".to_owned(),
    }
}

/// An event with a custom name, and its years.
#[derive(Clone, Debug)]
pub(crate) struct NamedEvent {
    pub(crate) name: String,
    /// The years. Empty if they are unknown.
    pub(crate) years: String,
}

/// Returns the events with custom names, which come from the file or from vendor tags.
pub(crate) fn named_events<'l>(events: impl Iterator<Item = Event<'l>>) -> Vec<NamedEvent> {
    let named = events.filter_map(|event| {
        Some(NamedEvent { name: clean_text(event.own_name()?), years: years_of(event).unwrap_or_default() })
    });
    named.collect()
}

/// Returns the word and the year of the first event that has a year.
fn first_year(person: Person<'_>, events: &[(&str, Role)]) -> Option<String> {
    events.iter().find_map(|(word, role)| Some(format!("{word}{}", years_of(person.event(*role)?)?)))
}

/// Returns the possible years of an event.
fn years_of(event: Event<'_>) -> Option<String> {
    let Days { earliest, latest } = event.days();
    // Julian years are shown as written. Years of other calendars are shown as Gregorian years.
    let calendar = match event.calendar() {
        Calendar::Julian => Calendar::Julian,
        Calendar::Gregorian | Calendar::FrenchRepublican | Calendar::Hebrew => Calendar::Gregorian,
    };
    let of = |day: i64| calendar.day(day).map(|day| day.year);
    match (earliest.day().and_then(of), latest.day().and_then(of)) {
        (Some(first), Some(last)) if first == last => {
            Some(if event.is_approximate() { format!("abt {}", name_year(first)) } else { name_year(first) })
        }
        (Some(first), Some(last)) => Some(format!("{}/{}", name_year(first), name_year(last))),
        (Some(first), None) => Some(format!("aft {}", name_year(first))),
        (None, Some(last)) => Some(format!("bef {}", name_year(last))),
        (None, None) => None,
    }
}

/// Names a year that is given as an astronomical year number, where 0 is 1 BC.
fn name_year(year: i64) -> String {
    if year > 0 { year.to_string() } else { format!("{} BC", 1 - year) }
}
