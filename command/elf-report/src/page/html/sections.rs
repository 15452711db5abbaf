//! The sections that a file and all files together have, except findings.

use super::chart::{self, Figure};
use super::table::{cell, count, head_cell, number, table, words};
use crate::page::bounded;
use crate::page::decades::{Decades, EventGroup, decade_name};
use crate::page::kinds::{DateKinds, UndefinedKinds};
use crate::page::people::{Completeness, FamilyAspect, PersonAspect};
use crate::page::text::Text;
use crate::{counted, grouped};
use maud::{Markup, html};

/// The most kinds of tags without a type that are listed.
const KINDS: usize = 100;

/// The level of the headings of sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// Under the title of the page.
    Two,
    /// Under the name of a file.
    Three,
}

impl Level {
    /// A heading of the next level.
    pub(super) fn below(self, title: &str) -> Markup {
        html! {
            @match self {
                Level::Two => h3 { (title) },
                Level::Three => h4 { (title) },
            }
        }
    }

    /// A heading of this level.
    pub(super) fn heading(self, title: &str) -> Markup {
        html! {
            @match self {
                Level::Two => h2 { (title) },
                Level::Three => h3 { (title) },
            }
        }
    }
}

/// A note.
pub(super) fn note(text: &str) -> Markup {
    html! { p.note { (Text(text)) } }
}

/// A warning that the reader must not miss.
pub(super) fn alert(text: &str) -> Markup {
    html! { p.alert role="note" { (Text(text)) } }
}

/// A row of a list of facts, whose text may come from a file.
pub(super) fn fact(name: &str, text: &str) -> Markup {
    html! { dt { (name) } dd { bdi { (Text(text)) } } "\n" }
}

/// A note on the IRIs for which the prefixes of types stand; nothing without prefixes.
pub(super) fn prefixes<'p>(prefixes: impl Iterator<Item = (&'p str, &'p str)>) -> Markup {
    let all: Vec<String> = prefixes.map(|(prefix, iri)| format!("{prefix}: stands for {iri}")).collect();
    let shown = bounded::list(all.iter().map(String::as_str), ", ");
    html! {
        @if !shown.is_empty() { (note(&format!("Of the types, {shown}."))) }
    }
}

/// The tags without a type.
pub(super) fn undefined(level: Level, kinds: &UndefinedKinds) -> Markup {
    let all = kinds.commonest();
    if all.is_empty() {
        return Markup::default();
    }
    let columns = [words("Tag"), words("Stands in"), number("Structures")];
    let rows = html! {
        @for &(above, tag, structures) in all.iter().take(KINDS) {
            tr {
                (head_cell(&bounded::text(tag)))
                (cell(if above.is_empty() { "a record of its own".into() } else { bounded::text(above) }.as_ref()))
                (count(structures))
            }
            "\n"
        }
    };
    let unlisted = all.iter().skip(KINDS).map(|(.., count)| count).sum::<u64>() + kinds.further();
    html! {
        (level.heading("Tags without a meaning in the schema"))
        (table("Tags that the schema does not define where they stand", &columns, &rows))
        (prefixes(kinds.prefixes()))
        (note("What stands beneath these is not counted: what it means depends on them."))
        @if unlisted > 0 {
            (note(&format!("Not listed: {} of rarer kinds.", counted(unlisted, "structure"))))
        }
    }
}

/// The persons and families, and how many have what is usually wanted of them.
pub(super) fn completeness(level: Level, complete: &Completeness) -> Markup {
    if complete.persons + complete.families == 0 {
        return Markup::default();
    }
    let of_persons = PersonAspect::ALL.map(|aspect| (aspect.name(), complete.persons_with(aspect)));
    let of_families = FamilyAspect::ALL.map(|aspect| (aspect.name(), complete.families_with(aspect)));
    html! {
        (level.heading("What is known of people"))
        (shares(&people(complete.persons), complete.persons, &of_persons))
        (shares(&families(complete.families), complete.families, &of_families))
    }
}

/// A number of people in words.
pub(super) fn people(count: u64) -> String {
    if count == 1 { "1 person".to_owned() } else { format!("{} people", grouped(count)) }
}

/// A number of families in words.
pub(super) fn families(count: u64) -> String {
    if count == 1 { "1 family".to_owned() } else { format!("{} families", grouped(count)) }
}

fn shares(of: &str, all: u64, counts: &[(&str, u64)]) -> Markup {
    if all == 0 {
        return Markup::default();
    }
    let columns = [words("With"), number("Number"), number("Share"), words("")];
    let rows = html! {
        @for &(aspect, having) in counts {
            @let share = percent(having, all);
            tr {
                (head_cell(aspect))
                (count(having))
                td.n { (share) " %" }
                td {
                    svg.share viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" {
                        rect width=(share) height="1" {}
                    }
                }
            }
            "\n"
        }
    };
    table(&format!("How complete are the data about {of}?"), &columns, &rows)
}

/// The share in whole percent: 0 and 100 only where none or all have it.
fn percent(count: u64, all: u64) -> u64 {
    match count {
        0 => 0,
        count if count >= all => 100,
        count => (count.saturating_mul(100) / all.max(1)).clamp(1, 99),
    }
}

/// The events by decade, as a picture whose identifiers begin with `id` and as numbers, and the calendars of
/// their dates.
pub(super) fn events(level: Level, id: &str, decades: &Decades, dates: &DateKinds) -> Markup {
    let figure = Figure::of(decades);
    let rest = [
        (decades.wider(), "with a date that covers several decades or has an open end"),
        (decades.outside(), "before 5000 B.C. or after 2199"),
        (decades.undated(), "without a date or with one that cannot be read"),
    ];
    let rest: Vec<String> = rest
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, reason)| format!("{} {reason}", grouped(count)))
        .collect();
    if figure.is_none() && rest.is_empty() {
        return Markup::default();
    }
    html! {
        (level.heading("Events by decade"))
        @if let Some(figure) = figure {
            (chart::draw(&figure, id))
            details {
                summary { "The numbers of the picture" }
                (numbers(decades))
            }
            "\n"
        }
        @if !rest.is_empty() {
            (note(&format!("Events that are not shown above: {}.", rest.join("; "))))
        }
        (date_kinds(dates))
    }
}

fn numbers(decades: &Decades) -> Markup {
    let columns =
        [words("Decade"), number("Births"), number("Marriages"), number("Deaths"), number("Others")];
    let rows = html! {
        @for (decade, counts) in decades.counts() {
            tr {
                (head_cell(&decade_name(decade)))
                @for group in EventGroup::ALL { (count(counts[group.index()])) }
            }
            "\n"
        }
    };
    table("Events by decade", &columns, &rows)
}

fn date_kinds(dates: &DateKinds) -> Markup {
    if dates.counts().next().is_none() {
        return Markup::default();
    }
    let rows = html! {
        @for (kind, dates) in dates.counts() {
            tr { (head_cell(kind.name())) (count(dates)) }
            "\n"
        }
    };
    table("Dates of events by calendar", &[words("Calendar"), number("Dates")], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_say_all_and_none_only_of_all_and_none() {
        let shares = [(0, 7), (1, 1000), (500, 1000), (999, 1000), (1000, 1000), (0, 0)];
        assert_eq!(shares.map(|(count, all)| percent(count, all)), [0, 1, 50, 99, 100, 0]);
    }
}
