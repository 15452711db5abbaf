//! Creates the table of events. Also chooses the main event of people and families that have
//! several.

use crate::dates::DatedText;
use crate::reader::TableReader;
use crate::rows::Rows;
use elf_lineage::RoleNode;
use elf_schema::{Node, Role, TypedDocument, vendors};
use std::borrow::Cow;
use std::collections::HashSet;

/// Adds a row for each event and attribute of people and families.
pub(crate) fn add_event_rows(reader: &TableReader, typed: &TypedDocument<'_>, file: &str, rows: &mut Rows) {
    let mut locator = typed.document().locator();
    for record in reader.records(typed) {
        let is_event: fn(Role) -> bool = match record.role() {
            Some(Role::Person) => Role::is_event_of_person,
            Some(Role::Family) => Role::is_event_of_family,
            _ => continue,
        };
        for part in reader.substructures(typed, record) {
            if !part.role().is_some_and(is_event) {
                continue;
            }
            let node = part.node;
            let event = EventText::of(reader, typed, part);
            rows.text(file).text_of(record.node.xref()).text_of(typed.type_of(node)).text(node.tag());
            rows.text(&event.date.text).date_of(event.date.from).date_of(event.date.to);
            rows.text(&event.place).text(&event.age).integer(locator.line_number(node.line_span()));
            let details = EventDetails::of(reader, typed, part);
            rows.text(&node.text()).text(&details.kind).text(&details.address).text(&details.cause);
            rows.text(&details.latitude).text(&details.longitude).list(&cited_sources(node));
        }
    }
}

/// The texts of an event. If there are several dates, places or ages, the first one is used.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventText<'d> {
    pub(crate) date: DatedText<'d>,
    pub(crate) place: Cow<'d, str>,
    pub(crate) age: Cow<'d, str>,
}

impl<'d> EventText<'d> {
    fn has_content(&self) -> bool {
        !self.date.text.trim().is_empty() || !self.place.trim().is_empty()
    }

    fn of(reader: &TableReader, typed: &'d TypedDocument<'d>, event: RoleNode<'d>) -> EventText<'d> {
        let mut text = EventText::default();
        let (mut has_date, mut has_place, mut has_age) = (false, false, false);
        for RoleNode { node, counterpart, .. } in reader.substructures(typed, event) {
            match counterpart.role() {
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

pub(crate) fn places_of_event<'d>(
    reader: &TableReader,
    typed: &'d TypedDocument<'d>,
    event: RoleNode<'d>,
) -> impl Iterator<Item = Cow<'d, str>> {
    let parts = reader.substructures(typed, event);
    parts.filter(|part| part.role() == Some(Role::Place)).map(|place| place.node.text())
}

/// The texts that no other table needs, only the row of the event. If there are several texts of a
/// kind, the first one is used.
#[derive(Clone, Debug, Default)]
struct EventDetails<'d> {
    kind: Cow<'d, str>,
    address: Cow<'d, str>,
    cause: Cow<'d, str>,
    latitude: Cow<'d, str>,
    longitude: Cow<'d, str>,
}

impl<'d> EventDetails<'d> {
    fn of(reader: &TableReader, typed: &'d TypedDocument<'d>, event: RoleNode<'d>) -> EventDetails<'d> {
        let mut details = EventDetails::default();
        for RoleNode { node, counterpart, .. } in reader.substructures(typed, event) {
            match (counterpart.role(), node.tag()) {
                (Some(Role::Type), _) => set_if_empty(&mut details.kind, node.text()),
                (Some(Role::Place), _) => {
                    let [latitude, longitude] = coordinates(node);
                    set_if_empty(&mut details.latitude, latitude);
                    set_if_empty(&mut details.longitude, longitude);
                }
                (_, "ADDR") => set_if_empty(&mut details.address, address_text(node)),
                (_, "CAUS") => set_if_empty(&mut details.cause, node.text()),
                _ => {}
            }
        }
        if details.kind.is_empty() {
            details.kind = typed.type_of(event.node).and_then(vendors::label_of_type).unwrap_or_default();
        }
        details
    }
}

/// Returns the latitude and the longitude of a place as written. Both are empty if the place has
/// none.
pub(crate) fn coordinates(place: Node<'_>) -> [Cow<'_, str>; 2] {
    let map = place.substructure("MAP");
    ["LATI", "LONG"]
        .map(|tag| map.and_then(|map| map.substructure(tag)).map_or(Cow::Borrowed(""), Node::text))
}

fn set_if_empty<'d>(text: &mut Cow<'d, str>, to: Cow<'d, str>) {
    if text.is_empty() {
        *text = to;
    }
}

/// The identifier `VOID`, which GEDCOM 7 uses for pointers that point to nothing on purpose.
const VOID: &str = "VOID";

/// The parts of an address, in the order of an envelope.
const ADDRESS_PARTS: [&str; 7] = ["ADR1", "ADR2", "ADR3", "CITY", "STAE", "POST", "CTRY"];

/// Returns the text of an address, followed by those parts that the text lacks.
fn address_text(node: Node<'_>) -> Cow<'_, str> {
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

/// Returns the sources that a structure or its descendants cite, without duplicates. A source is an
/// identifier or, if the citation has none, the text of the citation.
pub(crate) fn cited_sources(node: Node<'_>) -> Vec<Cow<'_, str>> {
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

/// Chooses the main event with a role. This is the first event with a date, a place or a `Y`; if
/// there is none, the first event.
#[derive(Clone, Debug, Default)]
pub(crate) struct MainEvent<'d> {
    text: Option<EventText<'d>>,
    /// True if the main event has a `Y`.
    is_stated: bool,
}

impl<'d> MainEvent<'d> {
    /// Replaces the main event by `event` if `event` is the better one.
    pub(crate) fn consider(
        &mut self,
        reader: &TableReader,
        typed: &'d TypedDocument<'d>,
        event: RoleNode<'d>,
    ) {
        if self.is_stated || self.text.as_ref().is_some_and(EventText::has_content) {
            return;
        }
        let text = EventText::of(reader, typed, event);
        let is_stated = event.node.text().trim().eq_ignore_ascii_case("Y");
        if self.text.is_none() || is_stated || text.has_content() {
            (self.text, self.is_stated) = (Some(text), is_stated);
        }
    }

    /// Returns the texts of the main event. All texts are empty if there is no event.
    pub(crate) fn text(self) -> EventText<'d> {
        self.text.unwrap_or_default()
    }

    /// Returns the date as written. If the event has no date but a `Y` or a place states it,
    /// returns `Y`.
    pub(crate) fn date_or_yes(self) -> Cow<'d, str> {
        let is_stated = self.is_stated;
        let EventText { date, place, .. } = self.text();
        match date.text.is_empty() && (is_stated || !place.trim().is_empty()) {
            true => Cow::Borrowed("Y"),
            false => date.text,
        }
    }
}

/// Adds date, days and place of an event.
pub(crate) fn push_event(event: &EventText<'_>, rows: &mut Rows) {
    rows.text(&event.date.text).date_of(event.date.from).date_of(event.date.to).text(&event.place);
}
