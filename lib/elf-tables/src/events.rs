//! The table of events, and the events of people and families that count where there are several.

use crate::dates::DatedText;
use crate::reader::TableReader;
use crate::rows::Rows;
use elf_schema::{Counterpart, Node, Role, TypedDocument, vendors};
use std::borrow::Cow;
use std::collections::HashSet;

/// Adds a row for each event and attribute of the persons and families.
pub(crate) fn rows(reader: &TableReader, typed: &TypedDocument<'_>, file: &str, rows: &mut Rows) {
    let mut locator = typed.document().locator();
    for (record, found) in reader.records(typed) {
        let is_event: fn(Role) -> bool = match found.role() {
            Some(Role::Person) => Role::is_event_of_person,
            Some(Role::Family) => Role::is_event_of_family,
            _ => continue,
        };
        for (node, found) in reader.substructures(typed, (record, found)) {
            if !found.role().is_some_and(is_event) {
                continue;
            }
            let event = EventText::of(reader, typed, (node, found));
            rows.text(file).text_of(record.xref()).text_of(typed.type_of(node)).text(node.tag());
            rows.text(&event.date.text).date_of(event.date.from).date_of(event.date.to);
            rows.text(&event.place).text(&event.age).integer(locator.line_number(node.line_span()));
            let details = EventDetails::of(reader, typed, (node, found));
            rows.text(&node.text()).text(&details.kind).text(&details.address).text(&details.cause);
            rows.text(&details.latitude).text(&details.longitude).list(&sources_within(node));
        }
    }
}

/// The texts of an event: of several dates, places or ages the first counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventText<'d> {
    pub(crate) date: DatedText<'d>,
    pub(crate) place: Cow<'d, str>,
    pub(crate) age: Cow<'d, str>,
}

impl<'d> EventText<'d> {
    fn says_something(&self) -> bool {
        !self.date.text.trim().is_empty() || !self.place.trim().is_empty()
    }

    fn of(
        reader: &TableReader,
        typed: &'d TypedDocument<'d>,
        event: (Node<'d>, Counterpart),
    ) -> EventText<'d> {
        let mut text = EventText::default();
        let (mut has_date, mut has_place, mut has_age) = (false, false, false);
        for (node, found) in reader.substructures(typed, event) {
            match found.role() {
                Some(Role::Date) if !has_date => {
                    has_date = true;
                    text.date = DatedText::of_event(node);
                }
                Some(Role::Place) if !has_place => {
                    has_place = true;
                    text.place = node.text();
                }
                Some(Role::Age) if !has_age => {
                    has_age = true;
                    text.age = node.text();
                }
                _ => {}
            }
        }
        text
    }
}

/// The places of an event.
pub(crate) fn places<'d>(
    reader: &TableReader,
    typed: &'d TypedDocument<'d>,
    event: (Node<'d>, Counterpart),
) -> impl Iterator<Item = Cow<'d, str>> {
    let beneath = reader.substructures(typed, event);
    beneath.filter(|(_, found)| found.role() == Some(Role::Place)).map(|(node, _)| node.text())
}

/// The texts of an event that only its own row has: of several of a kind the first counts.
#[derive(Clone, Debug, Default)]
struct EventDetails<'d> {
    kind: Cow<'d, str>,
    address: Cow<'d, str>,
    cause: Cow<'d, str>,
    latitude: Cow<'d, str>,
    longitude: Cow<'d, str>,
}

impl<'d> EventDetails<'d> {
    fn of(
        reader: &TableReader,
        typed: &'d TypedDocument<'d>,
        event: (Node<'d>, Counterpart),
    ) -> EventDetails<'d> {
        let mut details = EventDetails::default();
        for (node, found) in reader.substructures(typed, event) {
            match (found.role(), node.tag()) {
                (Some(Role::Type), _) => set(&mut details.kind, node.text()),
                (Some(Role::Place), _) => {
                    let [latitude, longitude] = coordinates(node);
                    set(&mut details.latitude, latitude);
                    set(&mut details.longitude, longitude);
                }
                (_, "ADDR") => set(&mut details.address, address(node)),
                (_, "CAUS") => set(&mut details.cause, node.text()),
                _ => {}
            }
        }
        if details.kind.is_empty() {
            details.kind = typed.type_of(event.0).and_then(vendors::label_of_type).unwrap_or_default();
        }
        details
    }
}

/// Returns the latitude and the longitude of a place as they are written; empty if it has none.
pub(crate) fn coordinates(place: Node<'_>) -> [Cow<'_, str>; 2] {
    let map = place.substructure("MAP");
    ["LATI", "LONG"]
        .map(|tag| map.and_then(|map| map.substructure(tag)).map_or(Cow::Borrowed(""), Node::text))
}

/// Sets a text that is not set yet.
fn set<'d>(text: &mut Cow<'d, str>, to: Cow<'d, str>) {
    if text.is_empty() {
        *text = to;
    }
}

/// The pointer of GEDCOM 7 that leads nowhere on purpose.
const VOID: &str = "VOID";

/// The parts of an address, in the order in which they are written on an envelope.
const ADDRESS_PARTS: [&str; 7] = ["ADR1", "ADR2", "ADR3", "CITY", "STAE", "POST", "CTRY"];

/// The text of an address, and its parts that the text does not have.
fn address(node: Node<'_>) -> Cow<'_, str> {
    let text = node.text();
    let parts = ADDRESS_PARTS.iter().filter_map(|tag| node.substructure(tag)).map(Node::text);
    let others: Vec<Cow<'_, str>> =
        parts.filter(|part| !part.trim().is_empty() && !text.contains(part.trim())).collect();
    match others.is_empty() {
        true => text,
        false if text.trim().is_empty() => others.join(", ").into(),
        false => format!("{text}, {}", others.join(", ")).into(),
    }
}

/// The sources that a structure cites, anywhere under it: identifiers, or the words of a citation without one;
/// each once.
pub(crate) fn sources_within(node: Node<'_>) -> Vec<Cow<'_, str>> {
    let mut met = HashSet::new();
    let citations = node.descendants().filter(|below| below.tag() == "SOUR");
    let sources =
        citations.filter(|citation| citation.pointer() != Some(VOID)).map(|citation| {
            match citation.pointer() {
                Some(identifier) => Cow::Borrowed(identifier),
                None => citation.text(),
            }
        });
    sources.filter(|source| !source.trim().is_empty() && met.insert(source.clone())).collect()
}

/// The event that counts among those of one role: the first that has a date, a place or a `Y`, or the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountedEvent<'d> {
    text: Option<EventText<'d>>,
    /// True if the event that counts has a `Y`.
    is_told: bool,
}

impl<'d> CountedEvent<'d> {
    /// Looks at the next event of the role.
    pub(crate) fn see(
        &mut self,
        reader: &TableReader,
        typed: &'d TypedDocument<'d>,
        event: (Node<'d>, Counterpart),
    ) {
        if self.is_told || self.text.as_ref().is_some_and(EventText::says_something) {
            return;
        }
        let text = EventText::of(reader, typed, event);
        let is_told = event.0.text().trim().eq_ignore_ascii_case("Y");
        if self.text.is_none() || is_told || text.says_something() {
            (self.text, self.is_told) = (Some(text), is_told);
        }
    }

    /// The texts of the event; none at all where there is none.
    pub(crate) fn text(self) -> EventText<'d> {
        self.text.unwrap_or_default()
    }

    /// Returns the date as it is written; `Y` for an event without one of which a `Y` or a place says that it was.
    pub(crate) fn date_or_yes(self) -> Cow<'d, str> {
        let is_told = self.is_told;
        let EventText { date, place, .. } = self.text();
        match date.text.is_empty() && (is_told || !place.trim().is_empty()) {
            true => Cow::Borrowed("Y"),
            false => date.text,
        }
    }
}

/// Adds date, days and place of an event.
pub(crate) fn push(event: &EventText<'_>, rows: &mut Rows) {
    rows.text(&event.date.text).date_of(event.date.from).date_of(event.date.to).text(&event.place);
}
