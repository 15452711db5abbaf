//! Sections that a file and all files together have: findings are elsewhere.

use super::chart;
use super::table::{self, number, words};
use crate::page::bounded;
use crate::page::decades::{Decades, EventGroup};
use crate::page::kinds::{DateKinds, UndefinedKinds};
use crate::page::markup::Markup;
use crate::page::people::{Completeness, FamilyAspect, PersonAspect};
use crate::{counted, grouped};
use std::io;

/// The most kinds of tags without a type that are listed.
const KINDS: usize = 100;

/// The level of the headings of sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// Beneath the title.
    Two,
    /// Beneath the name of a file.
    Three,
}

impl Level {
    pub(super) const fn element(self) -> &'static str {
        match self {
            Level::Two => "h2",
            Level::Three => "h3",
        }
    }
}

/// Writes a note.
pub(super) fn note(markup: &mut Markup<'_>, text: &str) -> io::Result<()> {
    markup.element("p", &[("class", "note")], text)
}

/// Says what the prefixes of types stand for.
pub(super) fn prefixes<'p>(
    markup: &mut Markup<'_>,
    prefixes: impl Iterator<Item = (&'p str, &'p str)>,
) -> io::Result<()> {
    let all: Vec<String> = prefixes.map(|(prefix, iri)| format!("{prefix}: stands for {iri}")).collect();
    match bounded::list(all.iter().map(String::as_str), ", ") {
        shown if shown.is_empty() => Ok(()),
        shown => note(markup, &format!("Of the types, {shown}.")),
    }
}

/// Writes the tags without a type.
pub(super) fn undefined(markup: &mut Markup<'_>, level: Level, kinds: &UndefinedKinds) -> io::Result<()> {
    let all = kinds.commonest();
    if all.is_empty() {
        return Ok(());
    }
    markup.element(level.element(), &[], "Tags without a meaning in the schema")?;
    let columns = [words("Tag"), words("Stands in"), number("Structures")];
    table::open(markup, "Tags that the schema does not define where they stand", &columns)?;
    for &(above, tag, count) in all.iter().take(KINDS) {
        let shown = bounded::text(above);
        markup.open("tr", &[])?;
        table::head_cell(markup, &bounded::text(tag))?;
        table::cell(markup, if above.is_empty() { "a record of its own" } else { &shown })?;
        table::count(markup, count)?;
        markup.close_line()?;
    }
    table::close(markup)?;
    prefixes(markup, kinds.prefixes())?;
    note(markup, "What stands beneath these is not counted: what it means depends on them.")?;
    let unlisted = all.iter().skip(KINDS).map(|(.., count)| count).sum::<u64>() + kinds.further();
    match unlisted {
        0 => Ok(()),
        _ => note(markup, &format!("Not listed: {} of rarer kinds.", counted(unlisted, "structure"))),
    }
}

/// Writes who is in the files, and what is known of them.
pub(super) fn people(markup: &mut Markup<'_>, level: Level, people: &Completeness) -> io::Result<()> {
    if people.persons + people.families == 0 {
        return Ok(());
    }
    markup.element(level.element(), &[], "What is known of people")?;
    let of_persons = PersonAspect::ALL.map(|aspect| (aspect.name(), people.persons_with(aspect)));
    shares(markup, &counted(people.persons, "person"), people.persons, &of_persons)?;
    let of_families = FamilyAspect::ALL.map(|aspect| (aspect.name(), people.families_with(aspect)));
    let families = match people.families {
        1 => "1 family".to_owned(),
        families => format!("{} families", grouped(families)),
    };
    shares(markup, &families, people.families, &of_families)
}

fn shares(markup: &mut Markup<'_>, of: &str, all: u64, counts: &[(&str, u64)]) -> io::Result<()> {
    if all == 0 {
        return Ok(());
    }
    let columns = [words("With"), number("Number"), number("Share"), words("")];
    table::open(markup, &format!("Of {of}, so many have"), &columns)?;
    for (what, count) in counts {
        let share = percent(*count, all);
        markup.open("tr", &[])?;
        table::head_cell(markup, what)?;
        table::count(markup, *count)?;
        markup.element("td", &[("class", "n")], &format!("{share} %"))?;
        markup.open("td", &[])?;
        let bar = [
            ("class", "share"),
            ("viewBox", "0 0 100 1"),
            ("preserveAspectRatio", "none"),
            ("aria-hidden", "true"),
        ];
        markup.open("svg", &bar)?;
        markup.element("rect", &[("width", &share.to_string()), ("height", "1")], "")?;
        markup.close()?;
        markup.close()?;
        markup.close_line()?;
    }
    table::close(markup)
}

/// The share in whole percent: 0 and 100 only where none or all have it.
fn percent(count: u64, all: u64) -> u64 {
    match count {
        0 => 0,
        count if count >= all => 100,
        count => (count.saturating_mul(100) / all.max(1)).clamp(1, 99),
    }
}

/// Writes when the events were, and what their dates are written in.
pub(super) fn events(
    markup: &mut Markup<'_>,
    (level, id): (Level, &str),
    decades: &Decades,
    dates: &DateKinds,
) -> io::Result<()> {
    let (mut drawn, mut all) = (0, 0);
    for (_, counts) in decades.counts() {
        drawn += 1;
        all += counts.iter().sum::<u64>();
    }
    let rest = [
        (decades.wider(), "of a date that reaches over several decades, or is open on a side"),
        (decades.outside(), "before 5000 B.C. or after 2199"),
        (decades.undated(), "without a date, or with one that cannot be read"),
    ];
    if drawn == 0 && rest.iter().all(|(count, _)| *count == 0) {
        return Ok(());
    }
    markup.element(level.element(), &[], "Events by decade")?;
    if drawn > 0 {
        chart::figure(markup, id, decades, all)?;
        markup.open("details", &[])?;
        markup.element("summary", &[], "The numbers of the picture")?;
        let columns =
            [words("Decade"), number("Births"), number("Marriages"), number("Deaths"), number("Others")];
        table::open(markup, "Events by decade", &columns)?;
        for (decade, counts) in decades.counts() {
            markup.open("tr", &[])?;
            table::head_cell(markup, &decade_name(decade))?;
            for group in EventGroup::ALL {
                table::count(markup, counts.get(group.index()).copied().unwrap_or_default())?;
            }
            markup.close_line()?;
        }
        table::close(markup)?;
        markup.close_line()?;
    }
    let rest: Vec<String> = rest
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(count)))
        .collect();
    if !rest.is_empty() {
        note(markup, &format!("Not in a decade: events {}.", rest.join("; ")))?;
    }
    date_kinds(markup, dates)
}

fn date_kinds(markup: &mut Markup<'_>, dates: &DateKinds) -> io::Result<()> {
    if dates.counts().next().is_none() {
        return Ok(());
    }
    table::open(markup, "Dates of events by calendar", &[words("Calendar"), number("Dates")])?;
    for (kind, count) in dates.counts() {
        markup.open("tr", &[])?;
        table::head_cell(markup, kind.name())?;
        table::count(markup, count)?;
        markup.close_line()?;
    }
    table::close(markup)
}

/// Names a decade by its first year: `1850s`, or before our era by its years: `51–42 B.C.`
pub(super) fn decade_name(decade: i64) -> String {
    match decade {
        0.. => format!("{decade}s"),
        _ => format!("{}–{} B.C.", 1 - decade, -8 - decade),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_are_named_by_their_years() {
        let names = [1850, 0, -10, -50].map(decade_name);
        assert_eq!(names, ["1850s", "0s", "11–2 B.C.", "51–42 B.C."]);
    }

    #[test]
    fn shares_say_all_and_none_only_of_all_and_none() {
        let shares = [(0, 7), (1, 1000), (500, 1000), (999, 1000), (1000, 1000), (0, 0)];
        assert_eq!(shares.map(|(count, all)| percent(count, all)), [0, 1, 50, 99, 100, 0]);
    }
}
