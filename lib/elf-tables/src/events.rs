//! The table of events, and the events of people and families that count where there are several.

use crate::dates::DatedText;
use crate::reader::TableReader;
use crate::rows::Rows;
use elf_schema::{Counterpart, Node, Role, TypedDocument};
use std::borrow::Cow;

/// Adds a row for each event and attribute of the persons and families.
pub(crate) fn rows(reader: &TableReader, typed: &TypedDocument<'_>, file: &str, rows: &mut Rows) {
    let mut locator = typed.document().locator();
    for (record, found) in reader.records(typed) {
        let is_event: fn(Role) -> bool = match found.role() {
            Some(Role::Person) => Role::is_event_of_person,
            Some(Role::Family) => Role::is_event_of_family,
            _ => continue,
        };
        for (node, found) in reader.beneath(typed, (record, found)) {
            if !found.role().is_some_and(is_event) {
                continue;
            }
            let event = EventText::of(reader, typed, (node, found));
            rows.text(file).text_of(record.xref()).text_of(typed.type_of(node)).text(node.tag());
            rows.text(&event.date.text).date_of(event.date.from).date_of(event.date.to);
            rows.text(&event.place).text(&event.age).integer(locator.line_number(node.line_span()));
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
        for (node, found) in reader.beneath(typed, event) {
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

/// The event that counts among those of one role: the first that has a date, a place or a `Y`, or the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountedEvent<'d>(Option<EventText<'d>>);

impl<'d> CountedEvent<'d> {
    /// Looks at the next event of the role. One without a date has its `Y` for one.
    pub(crate) fn see(
        &mut self,
        reader: &TableReader,
        typed: &'d TypedDocument<'d>,
        event: (Node<'d>, Counterpart),
    ) {
        if self.0.as_ref().is_some_and(EventText::says_something) {
            return;
        }
        let mut text = EventText::of(reader, typed, event);
        if text.date.text.is_empty() && event.0.text().trim().eq_ignore_ascii_case("Y") {
            text.date.text = "Y".into();
        }
        if self.0.is_none() || text.says_something() {
            self.0 = Some(text);
        }
    }

    /// The texts of the event; none at all where there is none.
    pub(crate) fn text(self) -> EventText<'d> {
        self.0.unwrap_or_default()
    }
}

/// Adds date, days and place of an event.
pub(crate) fn push(event: &EventText<'_>, rows: &mut Rows) {
    rows.text(&event.date.text).date_of(event.date.from).date_of(event.date.to).text(&event.place);
}
