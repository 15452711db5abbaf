//! `statistics`: counts about the people of a file.

use super::places::places_of;
use super::{AssistantTool, Effect};
use crate::answer::kind_of_fact;
use crate::error::ToolError;
use crate::session::Session;
use crate::snapshot::Snapshot;
use crate::text::field;
use elf_lineage::{Role, SexCode};
use elf_values::{Bound, Calendar};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

pub(crate) struct Statistics;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct StatisticsArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
}

/// The counts.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Counts {
    people: u64,
    /// People who may be living and are hidden. They are not counted below.
    hidden_people: u64,
    families: u64,
    /// By `M`, `F`, `X` and `U`.
    by_sex: BTreeMap<&'static str, u64>,
    with_birth_date: u64,
    with_birth_place: u64,
    with_death_date: u64,
    with_death_place: u64,
    /// People with a source anywhere in the record.
    with_sources: u64,
    with_parents: u64,
    /// People who are in no family.
    unconnected: u64,
    /// Births by the first year of the century, such as `1800`.
    births_by_century: BTreeMap<i64, u64>,
    /// The most frequent surnames.
    surnames: Vec<NameCount>,
    /// The places with the most events. The tool `places` lists all.
    places: Vec<NameCount>,
    /// The earliest and the latest year of birth.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_birth: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_birth: Option<i64>,
    /// The most frequent kinds of events and attributes of people and families. What did not happen (`MARR N`) is not
    /// counted.
    events: Vec<EventCount>,
}

/// The number of facts of one kind.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct EventCount {
    /// The tag, such as `BIRT`.
    tag: String,
    /// What it is, such as `birth`: as in the answers of `person`.
    kind: String,
    count: u64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct NameCount {
    name: String,
    count: u64,
}

/// The most names of each list.
const MOST: usize = 15;

impl AssistantTool for Statistics {
    const NAME: &'static str = "statistics";
    const TITLE: &'static str = "Statistics";
    const ABOUT: &'static str = "Counts people, sexes, births by century, frequent surnames and places, and how many people \
        have dates, places, sources and parents. Hidden people are not counted.";
    const EFFECT: Effect = Effect::Reads;
    type Args = StatisticsArgs;
    type Answer = Counts;

    fn run(session: &mut Session, args: StatisticsArgs) -> Result<Counts, ToolError> {
        let snapshot = session.snapshot(args.file.as_deref())?;
        Ok(snapshot.caches.statistics.get_or_init(|| count(&snapshot)).clone())
    }
}

fn count(snapshot: &Snapshot) -> Counts {
    let view = snapshot.view();
    let mut counts = Counts {
        people: snapshot.lineage.person_count() as u64,
        hidden_people: snapshot.hidden_count() as u64,
        families: snapshot.lineage.family_count() as u64,
        ..Counts::default()
    };
    let mut surnames: HashMap<String, u64> = HashMap::new();
    for person in snapshot.lineage.persons().filter(|person| !snapshot.is_hidden(person.id())) {
        let Some(facts) = view.facts(person.id()) else { continue };
        let add = |counter: &mut u64, counts: bool| *counter += u64::from(counts);
        let sex = SexCode::ALL.into_iter().find(|sex| sex.name().eq_ignore_ascii_case(&facts.sex));
        *counts.by_sex.entry(sex.unwrap_or(SexCode::Unknown).name()).or_default() += 1;
        add(&mut counts.with_birth_date, !facts.birth.date.trim().is_empty());
        add(&mut counts.with_birth_place, !facts.birth.place.trim().is_empty());
        add(&mut counts.with_death_date, !facts.death.date.trim().is_empty());
        add(&mut counts.with_death_place, !facts.death.place.trim().is_empty());
        add(&mut counts.with_sources, facts.record.descendants().any(|node| node.tag() == "SOUR"));
        let (has_parents, has_families) =
            (person.families_as_child().next().is_some(), person.families_as_partner().next().is_some());
        add(&mut counts.with_parents, has_parents);
        add(&mut counts.unconnected, !has_parents && !has_families);
        if let Some(surname) =
            facts.names.first().map(|name| name.surname.trim()).filter(|name| !name.is_empty())
        {
            *surnames.entry(surname.to_owned()).or_default() += 1;
        }
        if let Some(year) = person.event(Role::Birth).and_then(|birth| year_of(birth.days().latest)) {
            *counts.births_by_century.entry(year.div_euclid(100) * 100).or_default() += 1;
            counts.first_birth = Some(counts.first_birth.map_or(year, |first| first.min(year)));
            counts.last_birth = Some(counts.last_birth.map_or(year, |last| last.max(year)));
        }
    }
    let surnames = most_frequent(surnames).into_iter();
    counts.surnames = surnames.map(|(name, count)| NameCount { name: field(&name), count }).collect();
    let places = snapshot.caches.places.get_or_init(|| places_of(snapshot)).iter().take(MOST);
    counts.places =
        places.map(|place| NameCount { name: field(&place.spelling), count: place.events }).collect();
    // An event of a couple is in one record, and counts once.
    let mut events: HashMap<(String, String), u64> = HashMap::new();
    for record in snapshot.typed.records() {
        for event in view.events_of_record(record).iter().filter(|event| !event.did_not_happen()) {
            let kind = (field(event.event.tag()), kind_of_fact(snapshot, event));
            *events.entry(kind).or_default() += 1;
        }
    }
    let events = most_frequent(events).into_iter();
    counts.events = events.map(|((tag, kind), count)| EventCount { tag, kind, count }).collect();
    counts
}

fn year_of(day: Bound) -> Option<i64> {
    match day {
        Bound::Day(number) => Calendar::Gregorian.day(number).map(|day| day.year),
        Bound::Open | Bound::Unknown => None,
    }
}

fn most_frequent<N: Ord>(names: HashMap<N, u64>) -> Vec<(N, u64)> {
    let mut names: Vec<(N, u64)> = names.into_iter().collect();
    names.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    names.truncate(MOST);
    names
}
