//! `places`: the places of events, by their spelling.

use super::{AssistantTool, Effect};
use crate::error::ToolError;
use crate::page::{PageArgs, Pager};
use crate::session::Session;
use crate::snapshot::Snapshot;
use crate::text::field;
use elf_lineage::folded;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

pub(crate) struct Places;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct PlacesArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// Only places that contain this text. Case and accents do not matter.
    #[serde(default)]
    contains: Option<String>,
    #[serde(flatten)]
    page: PageArgs,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PlacesAnswer {
    /// The number of spellings on all pages.
    total: usize,
    /// The places, those with the most events first.
    places: Vec<PlaceAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PlaceAnswer {
    /// The place as it is written.
    place: String,
    /// The number of events there.
    events: u64,
    /// The first line with this spelling.
    cite: String,
}

/// A spelling of a place, and how often it is used.
#[derive(Clone, Debug)]
pub(crate) struct PlaceUse {
    pub(crate) spelling: String,
    pub(crate) events: u64,
    /// The first line in the document.
    line: u64,
}

impl AssistantTool for Places {
    const NAME: &'static str = "places";
    const TITLE: &'static str = "Places";
    const ABOUT: &'static str = "Lists the spellings of places with the number of events, to find misspelled or inconsistent \
        places. `find_people` with `place` finds the people; `propose_replacement` corrects a spelling everywhere.";
    const EFFECT: Effect = Effect::Reads;
    type Args = PlacesArgs;
    type Answer = PlacesAnswer;

    fn run(session: &mut Session, args: PlacesArgs) -> Result<PlacesAnswer, ToolError> {
        let snapshot = session.snapshot(args.file.as_deref())?;
        let pager = Pager::new(&args.page, &snapshot.version)?;
        let part = args.contains.as_deref().map(folded);
        let all = snapshot.caches.places.get_or_init(|| places_of(&snapshot));
        let is_wanted =
            |place: &&PlaceUse| part.as_ref().is_none_or(|part| folded(&place.spelling).contains(part));
        let wanted: Vec<&PlaceUse> = all.iter().filter(is_wanted).collect();
        let total = wanted.len();
        let page = pager.page(wanted, |place| PlaceAnswer {
            place: field(&place.spelling),
            events: place.events,
            cite: snapshot.cite_line(place.line),
        });
        Ok(PlacesAnswer { total, places: page.items, next_cursor: page.next_cursor })
    }
}

pub(crate) fn places_of(snapshot: &Snapshot) -> Vec<PlaceUse> {
    let (view, mut citer) = (snapshot.view(), snapshot.citer());
    let mut by_spelling: HashMap<String, PlaceUse> = HashMap::new();
    for record in snapshot.typed.records() {
        for place in view.events_of_record(record).into_iter().filter_map(|event| event.place) {
            let spelling = place.text().trim().to_owned();
            if spelling.is_empty() {
                continue;
            }
            let known = by_spelling.entry(spelling.clone());
            known.or_insert_with(|| PlaceUse { spelling, events: 0, line: citer.line(place) }).events += 1;
        }
    }
    let mut places: Vec<PlaceUse> = by_spelling.into_values().collect();
    places.sort_by(|one, other| other.events.cmp(&one.events).then(one.line.cmp(&other.line)));
    places
}
