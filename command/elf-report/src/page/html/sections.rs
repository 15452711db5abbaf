//! Sections that are used both for a single file and for the totals, except findings.

use super::chart::{self, Figure};
use super::table::{number_column, render_cell, render_count, render_head_cell, render_table, word_column};
use crate::page::bounded;
use crate::page::decades::{Decades, EventGroup, decade_name};
use crate::page::kinds::{DateKinds, UndefinedKinds};
use crate::page::people::{Completeness, FamilyAspect, PersonAspect};
use crate::page::text::Text;
use crate::{counted, grouped};
use maud::{Markup, html};

/// The maximum number of kinds of tags without a type that are listed.
const KINDS: usize = 100;

/// The level of the headings of sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// For sections directly under the title of the page.
    Two,
    /// For sections of one of several files.
    Three,
}

impl Level {
    /// Renders a heading of the next level.
    pub(super) fn render_subheading(self, title: &str) -> Markup {
        html! {
            @match self {
                Level::Two => h3 { (title) },
                Level::Three => h4 { (title) },
            }
        }
    }

    /// Renders a heading of this level.
    pub(super) fn render_heading(self, title: &str) -> Markup {
        html! {
            @match self {
                Level::Two => h2 { (title) },
                Level::Three => h3 { (title) },
            }
        }
    }
}

pub(super) fn render_note(text: &str) -> Markup {
    html! { p.note { (Text(text)) } }
}

/// Renders a prominent warning.
pub(super) fn render_alert(text: &str) -> Markup {
    html! { p.alert role="note" { (Text(text)) } }
}

/// Renders a row of a list of facts. The text may come from a file.
pub(super) fn render_fact(name: &str, text: &str) -> Markup {
    html! { dt { (name) } dd { bdi { (Text(text)) } } "\n" }
}

/// Renders a note about the IRIs that prefixes stand for. Empty without prefixes.
pub(super) fn render_prefixes<'p>(prefixes: impl Iterator<Item = (&'p str, &'p str)>) -> Markup {
    let all: Vec<String> = prefixes.map(|(prefix, iri)| format!("{prefix}: stands for {iri}")).collect();
    let shown = bounded::shorten_list(all.iter().map(String::as_str), ", ");
    html! {
        @if !shown.is_empty() { (render_note(&format!("Of the types, {shown}."))) }
    }
}

/// Renders the tags without a type.
pub(super) fn render_undefined(level: Level, kinds: &UndefinedKinds) -> Markup {
    let all = kinds.most_frequent();
    if all.is_empty() {
        return Markup::default();
    }
    let columns = [word_column("Tag"), word_column("Stands in"), number_column("Structures")];
    let rows = html! {
        @for &(above, tag, structures) in all.iter().take(KINDS) {
            tr {
                (render_head_cell(&bounded::shorten_text(tag)))
                (render_cell(if above.is_empty() { "a record of its own".into() } else { bounded::shorten_text(above) }.as_ref()))
                (render_count(structures))
            }
            "\n"
        }
    };
    let unlisted = all.iter().skip(KINDS).map(|(.., count)| count).sum::<u64>() + kinds.uncounted();
    html! {
        (level.render_heading("Tags without a meaning in the schema"))
        (render_table("Tags that the schema does not define where they stand", &columns, &rows))
        (render_prefixes(kinds.prefixes()))
        (render_note("What stands beneath these is not counted: what it means depends on them."))
        @if unlisted > 0 {
            (render_note(&format!("Not listed: {} of rarer kinds.", counted(unlisted, "structure"))))
        }
    }
}

/// Renders the completeness of the data about people and families.
pub(super) fn render_completeness(level: Level, complete: &Completeness) -> Markup {
    if complete.persons + complete.families == 0 {
        return Markup::default();
    }
    let of_persons = PersonAspect::ALL.map(|aspect| (aspect.name(), complete.persons_with(aspect)));
    let of_families = FamilyAspect::ALL.map(|aspect| (aspect.name(), complete.families_with(aspect)));
    html! {
        (level.render_heading("What is known of people"))
        (render_shares(&describe_people(complete.persons), complete.persons, &of_persons))
        (render_shares(&describe_families(complete.families), complete.families, &of_families))
    }
}

/// Describes a number of people: `1 person`, `2 people`.
pub(super) fn describe_people(count: u64) -> String {
    if count == 1 { "1 person".to_owned() } else { format!("{} people", grouped(count)) }
}

/// Describes a number of families.
pub(super) fn describe_families(count: u64) -> String {
    if count == 1 { "1 family".to_owned() } else { format!("{} families", grouped(count)) }
}

fn render_shares(of: &str, all: u64, counts: &[(&str, u64)]) -> Markup {
    if all == 0 {
        return Markup::default();
    }
    let columns = [word_column("With"), number_column("Number"), number_column("Share"), word_column("")];
    let rows = html! {
        @for &(aspect, having) in counts {
            @let share = percent_of(having, all);
            tr {
                (render_head_cell(aspect))
                (render_count(having))
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
    render_table(&format!("How complete are the data about {of}?"), &columns, &rows)
}

/// Returns the share in percent. It is 0 only for none and 100 only for all.
fn percent_of(count: u64, all: u64) -> u64 {
    match count {
        0 => 0,
        count if count >= all => 100,
        count => (count.saturating_mul(100) / all.max(1)).clamp(1, 99),
    }
}

/// Renders the events by decade as a picture and as a table, and the calendars of their dates. The identifiers in the
/// picture start with `id`.
pub(super) fn render_events(level: Level, id: &str, decades: &Decades, dates: &DateKinds) -> Markup {
    let figure = Figure::of(decades);
    let rest = [
        (decades.spanning_decades(), "with a date that covers several decades or has an open end"),
        (decades.out_of_range(), "before 5000 B.C. or after 2199"),
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
        (level.render_heading("Events by decade"))
        @if let Some(figure) = figure {
            (chart::draw_chart(&figure, id))
            details {
                summary { "The numbers of the picture" }
                (render_decades(decades))
            }
            "\n"
        }
        @if !rest.is_empty() {
            (render_note(&format!("Events that are not shown above: {}.", rest.join("; "))))
        }
        (render_date_kinds(dates))
    }
}

fn render_decades(decades: &Decades) -> Markup {
    let columns = [
        word_column("Decade"),
        number_column("Births"),
        number_column("Marriages"),
        number_column("Deaths"),
        number_column("Others"),
    ];
    let rows = html! {
        @for (decade, counts) in decades.counts() {
            tr {
                (render_head_cell(&decade_name(decade)))
                @for group in EventGroup::ALL { (render_count(counts[group.index()])) }
            }
            "\n"
        }
    };
    render_table("Events by decade", &columns, &rows)
}

fn render_date_kinds(dates: &DateKinds) -> Markup {
    if dates.counts().next().is_none() {
        return Markup::default();
    }
    let rows = html! {
        @for (kind, dates) in dates.counts() {
            tr { (render_head_cell(kind.name())) (render_count(dates)) }
            "\n"
        }
    };
    render_table("Dates of events by calendar", &[word_column("Calendar"), number_column("Dates")], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_say_all_and_none_only_of_all_and_none() {
        let shares = [(0, 7), (1, 1000), (500, 1000), (999, 1000), (1000, 1000), (0, 0)];
        assert_eq!(shares.map(|(count, all)| percent_of(count, all)), [0, 1, 50, 99, 100, 0]);
    }
}
