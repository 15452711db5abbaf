//! Creates the table of places. Each spelling of a place has one row, at its first occurrence.

use crate::events::coordinates;
use crate::reader::TableReader;
use crate::rows::Rows;
use elf_schema::{Node, Role, TypedDocument};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

#[derive(Clone, Debug, Default)]
pub(crate) struct RunPlaces(HashMap<Box<str>, PlaceUse>);

/// The places of a document, by spelling.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Places(HashMap<Box<str>, PlaceUse>);

/// The use of a place.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
struct PlaceUse {
    /// The number of events at the place.
    events: u64,
    #[cfg_attr(not(feature = "parts"), expect(dead_code, reason = "only parts of a document need this"))]
    first_run: usize,
    first_line: u64,
    latitude: Box<str>,
    longitude: Box<str>,
}

impl RunPlaces {
    pub(crate) fn of(reader: &TableReader, typed: &TypedDocument<'_>) -> RunPlaces {
        let mut places = Places::default();
        let mut locator = typed.document().locator();
        for_each_place(reader, typed, |place| {
            let [latitude, longitude] = coordinates(place).map(Into::into);
            let first_line = locator.line_number(place.line_span());
            let first_run = typed.document().run_number();
            let place_use = PlaceUse { events: 1, first_run, first_line, latitude, longitude };
            places.add_use(place.text().into(), place_use);
        });
        RunPlaces(places.0)
    }
}

impl Places {
    /// Adds the places of the next run.
    pub(crate) fn add_run(&mut self, run: RunPlaces) {
        run.0.into_iter().for_each(|(place, further)| self.add_use(place, further));
    }

    /// Returns the places whose rows belong to these runs.
    #[cfg(feature = "parts")]
    pub(crate) fn of_runs(&self, runs: std::ops::Range<usize>) -> Places {
        let places = self.0.iter().filter(|(_, place)| runs.contains(&place.first_run));
        Places(places.map(|(name, place)| (name.clone(), place.clone())).collect())
    }

    /// Adds a later use of a place. The first coordinates are kept.
    fn add_use(&mut self, place: Box<str>, further: PlaceUse) {
        match self.0.entry(place) {
            Entry::Vacant(vacant) => _ = vacant.insert(further),
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                known.events += further.events;
                if known.latitude.is_empty() && known.longitude.is_empty() {
                    (known.latitude, known.longitude) = (further.latitude, further.longitude);
                }
            }
        }
    }
}

/// Calls `visit` for each place of an event of a person or a family, in file order.
fn for_each_place(reader: &TableReader, typed: &TypedDocument<'_>, mut visit: impl FnMut(Node<'_>)) {
    for record in reader.records(typed) {
        let is_event: fn(Role) -> bool = match record.role() {
            Some(Role::Person) => Role::is_event_of_person,
            Some(Role::Family) => Role::is_event_of_family,
            _ => continue,
        };
        let events = reader.substructures(typed, record);
        for event in events.filter(|event| event.role().is_some_and(is_event)) {
            let places = reader.substructures(typed, event).filter(|part| part.role() == Some(Role::Place));
            let named = places.map(|place| place.node).filter(|node| !node.text().trim().is_empty());
            named.for_each(&mut visit);
        }
    }
}

/// Adds a row for each spelling of a place, at its first line.
pub(crate) fn add_place_rows(
    reader: &TableReader,
    typed: &TypedDocument<'_>,
    places: &Places,
    file: &str,
    rows: &mut Rows,
) {
    let mut locator = typed.document().locator();
    for_each_place(reader, typed, |node| {
        let place = node.text();
        let line = locator.line_number(node.line_span());
        let Some(known) = places.0.get(&*place).filter(|known| known.first_line == line) else { return };
        let levels: Vec<&str> = place.split(',').map(str::trim).filter(|level| !level.is_empty()).collect();
        rows.text(file).text(&place).list(&levels).text(&known.latitude).text(&known.longitude);
        rows.integer(known.events).integer(known.first_line);
    });
}
