//! `find_people`: people by name, dates, places, relatives, and what their records have or lack.

use super::{AssistantTool, Effect};
use crate::answer::{PersonBrief, kind_of_fact};
use crate::error::ToolError;
use crate::page::{PageArgs, Pager};
use crate::session::Session;
use crate::snapshot::Snapshot;
use crate::text::{bare, field};
use elf_lineage::{EventStructure, PersonId, PersonQuery, SexCode, YearRange, folded};
use elf_schema::near::Near;
use elf_tagged::path::Path;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub(crate) struct FindPeople;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FindArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// Each word occurs in a name or a title of the person, in any order: `queen elizabeth`. Names by marriage and aliases
    /// count, too. Case and accents do not matter.
    #[serde(default)]
    name: Option<String>,
    /// Each word occurs in a surname.
    #[serde(default)]
    surname: Option<String>,
    /// Each word occurs in the given names.
    #[serde(default)]
    given: Option<String>,
    /// A surname sounds like this.
    #[serde(default)]
    sounds_like: Option<String>,
    /// May have been born in these years: `1850`, `1850..1860`, `..1850` or `1850..`. Open dates count, too: `AFT 1836` may
    /// be in `1880..1890`, and `BEF 1461` in `1100..1199`. Without a date of birth, the baptism counts.
    #[serde(default)]
    born: Option<String>,
    /// May have died in these years. Without a date of death, the burial counts.
    #[serde(default)]
    died: Option<String>,
    /// The place of an event contains this text. Events of the families in which the person is a partner count, too.
    /// `matched` says which events fit.
    #[serde(default)]
    place: Option<String>,
    /// Only the places of these events count: a kind of fact such as `birth`, or a tag such as `BIRT`. Needs `place`.
    #[serde(default)]
    event: Option<String>,
    /// `M`, `F`, `X` or `U` (unknown).
    #[serde(default)]
    sex: Option<String>,
    /// The record has a structure at each of these paths, such as `BIRT/DATE` or `OCCU`. `SOUR` means: a source anywhere.
    #[serde(default)]
    has: Vec<String>,
    /// The record has no structure at any of these paths, such as `SOUR`.
    #[serde(default)]
    lacks: Vec<String>,
    /// True to find people who are not in any family.
    #[serde(default)]
    unconnected: bool,
    /// An ancestor, by birth, of the person with this identifier.
    #[serde(default)]
    ancestor_of: Option<String>,
    /// A descendant, by birth, of the person with this identifier.
    #[serde(default)]
    descendant_of: Option<String>,
    #[serde(flatten)]
    page: PageArgs,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FindAnswer {
    /// The number of people who were found, on all pages. People who may be living are not found.
    total: usize,
    people: Vec<FoundPerson>,
    /// The number of people who are hidden, and so are not searched. Only if nobody was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden_people: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FoundPerson {
    #[serde(flatten)]
    person: PersonBrief,
    /// The events at the place that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    matched: Vec<MatchedEvent>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MatchedEvent {
    /// What it is, such as `birth`.
    kind: String,
    place: String,
    /// The file and the line of the place.
    cite: String,
}

/// The most events of a person that are listed.
const MOST_MATCHED: usize = 4;

impl AssistantTool for FindPeople {
    const NAME: &'static str = "find_people";
    const TITLE: &'static str = "Find people";
    const ABOUT: &'static str = "Finds the people who meet all conditions, in the order of the file, with dates, places, the \
        identifier and the line of the record. Without conditions it lists everybody.";
    const EFFECT: Effect = Effect::Reads;
    type Args = FindArgs;
    type Answer = FindAnswer;

    fn run(session: &mut Session, args: FindArgs) -> Result<FindAnswer, ToolError> {
        let snapshot = session.snapshot(args.file.as_deref())?;
        let pager = Pager::new(&args.page, &snapshot.version)?;
        let query = args.query()?;
        if args.event.is_some() && args.place.is_none() {
            return Err(ToolError::new(
                "`event` needs `place`: use `has` to find people with an event, such as `[\"BIRT\"]`",
            ));
        }
        for identifier in [&args.ancestor_of, &args.descendant_of].into_iter().flatten() {
            snapshot.person(identifier)?;
        }
        let view = snapshot.view();
        let found = query.find(&view).map_err(|error| ToolError::new(error.to_string()))?;
        let event = args.event.as_deref().map(|event| EventFilter::new(&snapshot, event)).transpose()?;
        let matched_events = |person: PersonId| -> Vec<EventStructure<'_>> {
            let events = query.events_at_places(&view, person).into_iter();
            events.filter(|one| event.as_ref().is_none_or(|event| event.fits(&snapshot, one))).collect()
        };
        let is_found =
            |id: &PersonId| !snapshot.is_hidden(*id) && (event.is_none() || !matched_events(*id).is_empty());
        let found: Vec<PersonId> = found.into_iter().filter(is_found).collect();
        let total = found.len();
        let people = found.into_iter().filter_map(|id| snapshot.lineage.person(id));
        let mut citer = snapshot.citer();
        let page = pager.page(people, |person| {
            let matched = matched_events(person.id()).into_iter().take(MOST_MATCHED);
            let matched = matched.filter_map(|event| {
                let place = event.place?;
                Some(MatchedEvent {
                    kind: kind_of_fact(&snapshot, &event),
                    place: field(&place.text()),
                    cite: citer.cite(place),
                })
            });
            FoundPerson { matched: matched.collect(), person: PersonBrief::of(&snapshot, &view, person) }
        });
        let hidden = snapshot.hidden_count();
        Ok(FindAnswer {
            total,
            people: page.items,
            hidden_people: (total == 0 && hidden > 0).then_some(hidden),
            next_cursor: page.next_cursor,
        })
    }
}

/// The kind of the events whose places count.
struct EventFilter {
    /// The kind or the tag, folded.
    wanted: String,
}

impl EventFilter {
    /// Reads the argument. Fails if no event in the file is of this kind, because the kind may be misspelled.
    fn new(snapshot: &Snapshot, text: &str) -> Result<EventFilter, ToolError> {
        let filter = EventFilter { wanted: folded(text.trim()) };
        let view = snapshot.view();
        let mut kinds: BTreeSet<String> = BTreeSet::new();
        for record in snapshot.typed.records() {
            for event in view.events_of_record(record) {
                if filter.fits(snapshot, &event) {
                    return Ok(filter);
                }
                kinds.insert(kind_of_fact(snapshot, &event));
            }
        }
        let near = Near::of(&filter.wanted, kinds.iter().map(String::as_str));
        let help = near.help(|| None).unwrap_or_else(|| "`statistics` lists the kinds of events".to_owned());
        Err(ToolError::new(format!("`event` is `{text}`, but the file has no such event; {help}")))
    }

    fn fits(&self, snapshot: &Snapshot, event: &EventStructure<'_>) -> bool {
        event.event.tag().eq_ignore_ascii_case(&self.wanted)
            || folded(&kind_of_fact(snapshot, event)) == self.wanted
    }
}

impl FindArgs {
    fn query(&self) -> Result<PersonQuery, ToolError> {
        let mut query = PersonQuery::new();
        for (name, text, with) in [
            ("name", &self.name, PersonQuery::with_name as fn(PersonQuery, &str) -> PersonQuery),
            ("surname", &self.surname, PersonQuery::with_surname),
            ("given", &self.given, PersonQuery::with_given),
            ("sounds_like", &self.sounds_like, PersonQuery::with_sound),
            ("place", &self.place, PersonQuery::with_place),
        ] {
            let Some(text) = text else { continue };
            if !text.chars().any(char::is_alphanumeric) {
                return Err(ToolError::new(format!("`{name}` needs a letter or a digit")));
            }
            query = with(query, text);
        }
        if let Some(years) = &self.born {
            query = query.with_birth(years_of("born", years)?);
        }
        if let Some(years) = &self.died {
            query = query.with_death(years_of("died", years)?);
        }
        if let Some(sex) = &self.sex {
            query = query.with_sex(sex_of(sex)?);
        }
        for path in &self.has {
            query = query.with_structure(path_of("has", path)?);
        }
        for path in &self.lacks {
            query = query.without_structure(path_of("lacks", path)?);
        }
        if let Some(identifier) = &self.ancestor_of {
            query = query.with_descendant(bare(identifier));
        }
        if let Some(identifier) = &self.descendant_of {
            query = query.with_ancestor(bare(identifier));
        }
        Ok(if self.unconnected { query.without_families() } else { query })
    }
}

fn years_of(name: &str, text: &str) -> Result<YearRange, ToolError> {
    text.parse().map_err(|error| ToolError::new(format!("`{name}` is `{text}`: {error}")))
}

fn sex_of(text: &str) -> Result<SexCode, ToolError> {
    let known = SexCode::ALL.into_iter().find(|sex| sex.name().eq_ignore_ascii_case(text.trim()));
    known.ok_or_else(|| ToolError::new(format!("`sex` is `{text}`: expected `M`, `F`, `X` or `U`")))
}

fn path_of(name: &str, text: &str) -> Result<Path, ToolError> {
    text.parse().map_err(|error| ToolError::new(format!("`{name}` has `{text}`: {error}")))
}
