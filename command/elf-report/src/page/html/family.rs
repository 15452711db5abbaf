//! The section about people: a chart, a list, a section for each person, places and sources.

use super::sections::{Level, describe_families, describe_people, render_alert};
use super::table::{Column, number_column, render_cell, render_wide_table, word_column};
use crate::page::family::{
    BookChart, BookFact, BookFamily, BookPerson, BookSource, Citation, DateAndPlace, FamilyBook,
};
use crate::page::text::{Text, join_lines};
use crate::pictures::{ChartLinks, SvgOptions};
use crate::{counted, grouped};
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeMap;

/// The maximum number of people whose sections are open at first.
const UNFOLDED: usize = 12;

/// The maximum number of people of a place that are visible at first.
const OF_PLACE: usize = 8;

/// The columns of the list of people.
const COLUMNS: [Column; 5] = [
    word_column("Name"),
    word_column("Born"),
    word_column("Place of birth"),
    word_column("Died"),
    word_column("Place of death"),
];

/// Renders the people of a file. Empty if they were not requested.
pub(super) fn render_section(
    level: Level,
    number: usize,
    family: Option<&Result<FamilyBook, String>>,
) -> Markup {
    match family {
        None => Markup::default(),
        Some(Ok(book)) if book.persons.is_empty() => Markup::default(),
        Some(Ok(book)) => BookSection { book, level, number }.render(),
        Some(Err(reason)) => html! {
            (level.render_heading("People"))
            (render_alert(&format!(
                "The people are left out, and so are the words of findings, since living people cannot be hidden: \
                 {reason}. A report with --no-people has the words of findings."
            )))
        },
    }
}

/// The people of one file of a page.
struct BookSection<'b> {
    book: &'b FamilyBook,
    level: Level,
    /// The number of the file, from 1.
    number: usize,
}

impl BookSection<'_> {
    fn render(&self) -> Markup {
        let order = self.sort_people();
        html! {
            (self.level.render_heading("People"))
            (self.render_summary())
            @if let Some(chart) = &self.book.chart { (self.render_chart(chart)) }
            @if !order.is_empty() { (self.render_list(&order)) (self.render_persons(&order)) }
            (self.render_places())
            (self.render_sources())
        }
    }

    /// Returns the indices of the people who are not hidden, sorted by surname and given name. People without a name
    /// come last.
    fn sort_people(&self) -> Vec<usize> {
        let persons = &self.book.persons;
        let mut order: Vec<usize> = (0..persons.len()).filter(|at| !persons[*at].is_hidden).collect();
        let key = |at: &usize| {
            let person = &persons[*at];
            let [surname, given] = [&person.surname, &person.given].map(|name| elf_lineage::folded(name));
            (person.name.is_empty(), surname.is_empty(), surname, given, *at)
        };
        order.sort_by_cached_key(key);
        order
    }

    fn render_summary(&self) -> Markup {
        let book = self.book;
        html! {
            p.note {
                (describe_people(book.persons.len() as u64)) " and " (describe_families(book.families.len() as u64)) "."
                @if book.hidden > 0 {
                    " " (describe_people(book.hidden)) " who may be living "
                    (if book.hidden == 1 { "is" } else { "are" }) " hidden, as " code { "elf redact" } " hides them."
                }
            }
        }
    }

    fn person_id(&self, person: usize) -> String {
        format!("f{}-p{}", self.number, person + 1)
    }

    fn source_id(&self, source: usize) -> String {
        format!("f{}-s{}", self.number, source + 1)
    }

    /// Renders a link to the section of a person, or just the name of a hidden person.
    fn render_link(&self, person: usize) -> Markup {
        let Some(one) = self.book.persons.get(person) else { return Markup::default() };
        let name = name_of(one);
        html! {
            @if one.is_hidden { bdi { (Text(name)) } }
            @else { a href={ "#" (self.person_id(person)) } { bdi { (Text(name)) } } }
        }
    }

    fn render_links(&self, persons: &[usize]) -> Markup {
        html! {
            @for (at, person) in persons.iter().enumerate() {
                @if at > 0 { ", " }
                (self.render_link(*person))
            }
        }
    }

    fn render_chart(&self, chart: &BookChart) -> Markup {
        let persons = self.book.persons.iter().enumerate();
        let links = ChartLinks {
            prefix: format!("f{}-p", self.number),
            unlinked: persons.filter(|(_, person)| person.is_hidden).map(|(at, _)| at).collect(),
        };
        let options = SvgOptions::default().within_page(&format!("f{}-tree", self.number), links);
        html! {
            div.scroll tabindex="0" role="group" aria-label="Family tree" {
                (PreEscaped(chart.tree.to_svg(&options)))
            }
            "\n"
        }
    }

    /// Renders the list of people with links to their sections.
    fn render_list(&self, order: &[usize]) -> Markup {
        let rows = html! {
            @for at in order {
                @let person = &self.book.persons[*at];
                tr {
                    th.wrap scope="row" { a href={ "#" (self.person_id(*at)) } { bdi { (Text(sorted_name(person))) } } }
                    @for text in [date_to_show(&person.birth.date), &person.birth.place, date_to_show(&person.death.date), &person.death.place] {
                        (render_cell(text))
                    }
                }
                "\n"
            }
        };
        html! {
            details open[order.len() <= 100] {
                summary { "List of " (describe_people(order.len() as u64)) }
                (render_wide_table("of-people", "People by surname", &COLUMNS, &rows))
            }
            "\n"
        }
    }

    /// Renders a section for each person.
    fn render_persons(&self, order: &[usize]) -> Markup {
        let is_open = order.len() <= UNFOLDED;
        html! {
            (self.level.render_subheading("Each person"))
            div.people {
                @for at in order {
                    @let person = &self.book.persons[*at];
                    details id=(self.person_id(*at)) open[is_open] {
                        summary {
                            b { bdi { (Text(name_of(person))) } }
                            @if !person.years.is_empty() { " " span.note { (Text(&person.years)) } }
                        }
                        (self.render_person(*at, person))
                    }
                    "\n"
                }
            }
        }
    }

    fn render_person(&self, at: usize, person: &BookPerson) -> Markup {
        html! {
            dl {
                @if !person.other_names.is_empty() {
                    dt { "Also called" } dd { bdi { (Text(person.other_names.join(", "))) } }
                }
                @for fact in &person.facts { (self.render_fact(fact)) }
                @if !person.parents.is_empty() {
                    dt { "Parents" }
                    dd {
                        @for (at, parent) in person.parents.iter().enumerate() {
                            @if at > 0 { ", " }
                            (self.render_link(parent.person))
                            @if let Some(tie) = parent.tie { " (" (tie) ")" }
                        }
                    }
                }
                @for family in person.families.iter().filter_map(|at| self.book.families.get(*at)) {
                    (self.render_family(at, family))
                }
                (self.render_notes(&person.notes))
                @if !person.citations.is_empty() { dt { "Sources" } dd { (self.render_citations(&person.citations)) } }
            }
        }
    }

    /// Renders a family in the section of one of the partners.
    fn render_family(&self, of: usize, family: &BookFamily) -> Markup {
        let partners: Vec<usize> = family.partners.iter().copied().filter(|one| *one != of).collect();
        html! {
            dt { "Family" }
            dd {
                @if partners.is_empty() { "Partner not known" } @else { "With " (self.render_links(&partners)) }
                @if !family.facts.is_empty() || !family.notes.is_empty() || !family.citations.is_empty() {
                    dl {
                        @for fact in &family.facts { (self.render_fact(fact)) }
                        (self.render_notes(&family.notes))
                        @if !family.citations.is_empty() { dt { "Sources" } dd { (self.render_citations(&family.citations)) } }
                    }
                }
                @if !family.children.is_empty() { p { "Children: " (self.render_links(&family.children)) } }
            }
        }
    }

    fn render_fact(&self, fact: &BookFact) -> Markup {
        let DateAndPlace { date, place } = &fact.when;
        let parts = [&fact.value, date, place].into_iter().chain(&fact.details);
        let parts: Vec<&str> = parts.map(String::as_str).filter(|part| !part.is_empty()).collect();
        html! {
            dt { bdi { (Text(capitalise(&fact.noun))) } }
            dd {
                @if parts.is_empty() { "yes" }
                @for (at, part) in parts.iter().enumerate() {
                    @if at > 0 { ", " }
                    (render_lines(part))
                }
                @if !fact.citations.is_empty() { " " span.note { "(" (self.render_citations(&fact.citations)) ")" } }
            }
            "\n"
        }
    }

    fn render_notes(&self, notes: &[String]) -> Markup {
        html! {
            @for text in notes {
                dt { "Note" }
                dd { @for line in text.lines() { p dir="auto" { (Text(line)) } } }
            }
        }
    }

    fn render_citations(&self, citations: &[Citation]) -> Markup {
        html! {
            @for (at, citation) in citations.iter().enumerate() {
                @if at > 0 { "; " }
                @if let Some(source) = citation.source {
                    a href={ "#" (self.source_id(source)) } { bdi { (Text(join_lines(title_of(&self.book.sources[source])))) } }
                    @if !citation.text.is_empty() { ", " }
                }
                bdi { (Text(join_lines(&citation.text))) }
            }
        }
    }

    /// Renders the places of all events, each with the people of these events.
    fn render_places(&self) -> Markup {
        let places = self.people_by_place();
        if places.is_empty() {
            return Markup::default();
        }
        let columns = [word_column("Place"), number_column("Events"), word_column("People")];
        let rows = html! {
            @for (place, of_place) in &places {
                tr {
                    th.wrap scope="row" { bdi { (Text(place)) } }
                    td.n { (grouped(of_place.events)) }
                    td.wrap {
                        @if of_place.persons.len() <= OF_PLACE { (self.render_links(&of_place.persons)) }
                        @else {
                            details {
                                summary { (describe_people(of_place.persons.len() as u64)) }
                                (self.render_links(&of_place.persons))
                            }
                        }
                    }
                }
                "\n"
            }
        };
        html! {
            (self.level.render_heading("Places"))
            details open[places.len() <= 100] {
                summary { "List of " (counted(places.len() as u64, "place")) }
                (render_wide_table("of-places", "Places of events", &columns, &rows))
            }
            "\n"
        }
    }

    fn people_by_place(&self) -> BTreeMap<&str, OfPlace> {
        let mut places: BTreeMap<&str, OfPlace> = BTreeMap::new();
        for (at, person) in self.book.persons.iter().enumerate() {
            for fact in &person.facts {
                add_place(&mut places, fact, &[at]);
            }
        }
        for family in &self.book.families {
            for fact in &family.facts {
                add_place(&mut places, fact, &family.partners);
            }
        }
        for of_place in places.values_mut() {
            of_place.persons.sort_unstable();
            of_place.persons.dedup();
        }
        places
    }

    fn render_sources(&self) -> Markup {
        if self.book.sources.is_empty() {
            return Markup::default();
        }
        html! {
            (self.level.render_heading("Sources"))
            ol.sources {
                @for (at, source) in self.book.sources.iter().enumerate() {
                    li id=(self.source_id(at)) {
                        b { bdi { (Text(join_lines(title_of(source)))) } }
                        @for text in [&source.author, &source.publication, &source.repositories.join(", ")] {
                            @if !text.is_empty() { br; (render_lines(text)) }
                        }
                    }
                    "\n"
                }
            }
        }
    }
}

/// The number of events at a place, and the people of these events.
#[derive(Default)]
struct OfPlace {
    events: u64,
    persons: Vec<usize>,
}

fn add_place<'b>(places: &mut BTreeMap<&'b str, OfPlace>, fact: &'b BookFact, persons: &[usize]) {
    if !fact.when.place.is_empty() {
        let of_place = places.entry(&fact.when.place).or_default();
        of_place.events += 1;
        of_place.persons.extend(persons);
    }
}

/// Returns the date of an event. Empty for `Y`, which only says that the event happened.
fn date_to_show(date: &str) -> &str {
    if date == "Y" { "yes" } else { date }
}

/// Renders a text with its line breaks.
fn render_lines(text: &str) -> Markup {
    html! {
        bdi { @for (at, line) in text.lines().enumerate() { @if at > 0 { br; } (Text(line)) } }
    }
}

fn name_of(person: &BookPerson) -> &str {
    if person.name.is_empty() { "(no name)" } else { &person.name }
}

/// Returns the name with the surname first.
fn sorted_name(person: &BookPerson) -> String {
    match (person.surname.trim(), person.given.trim()) {
        ("", _) | (_, "") => name_of(person).to_owned(),
        (surname, given) => format!("{surname}, {given}"),
    }
}

fn title_of(source: &BookSource) -> &str {
    [&source.title, &source.author]
        .into_iter()
        .find(|text| !text.is_empty())
        .map_or("(no title)", String::as_str)
}

fn capitalise(noun: &str) -> String {
    let mut letters = noun.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
