//! `duplicates`: records that are probably of the same person.

use super::{AssistantTool, Effect};
use crate::answer::PersonBrief;
use crate::error::ToolError;
use crate::page::{PageArgs, Pager};
use crate::session::Session;
use elf_lineage::{MatchField, PersonId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Duplicates;

/// The most people of a file in which everybody is compared with everybody.
const MOST_FOR_ALL: usize = 10_000;

/// The score from which two records are probably of the same person.
const PROBABLE: f64 = 0.8;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct DuplicatesArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// Only records that may be of the person with this identifier. Needed in files with more than 10,000 people.
    #[serde(default)]
    id: Option<String>,
    /// The least score, between 0 and 1. Default: 0.8.
    #[serde(default)]
    at_least: Option<f64>,
    #[serde(flatten)]
    page: PageArgs,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DuplicatesAnswer {
    total: usize,
    /// The pairs, those with the highest score first.
    pairs: Vec<PairEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PairEntry {
    /// How much supports that the two are the same person, from 0 to 1. It is for ordering, and is not a probability.
    score: f64,
    a: PersonBrief,
    b: PersonBrief,
    /// What is equal, apart from case and accents.
    agree: Vec<&'static str>,
    /// What is not equal but may mean the same, such as `ABT 1850` and `3 MAR 1850`, or a surname by marriage.
    similar: Vec<&'static str>,
    /// What differs.
    differ: Vec<&'static str>,
}

impl AssistantTool for Duplicates {
    const NAME: &'static str = "duplicates";
    const TITLE: &'static str = "People who may be in the file twice";
    const ABOUT: &'static str = "Finds records that are probably of the same person, with the fields that agree, are similar and differ. \
        Relatives who cannot be the same person are left out. It only suggests: compare the sources before you draw a conclusion. With `--allow-edits`, `propose_merge` merges \
        two of them.";
    const EFFECT: Effect = Effect::Reads;
    type Args = DuplicatesArgs;
    type Answer = DuplicatesAnswer;

    fn run(session: &mut Session, args: DuplicatesArgs) -> Result<DuplicatesAnswer, ToolError> {
        let snapshot = session.snapshot(args.file.as_deref())?;
        let pager = Pager::new(&args.page, &snapshot.version)?;
        let at_least = args.at_least.unwrap_or(PROBABLE);
        if !(0.0..=1.0).contains(&at_least) {
            return Err(ToolError::new("`at_least` must be between 0 and 1"));
        }
        let mut found = match &args.id {
            Some(id) => snapshot.matcher().matches_of(snapshot.person(id)?.id().index(), at_least),
            None if snapshot.lineage.person_count() > MOST_FOR_ALL => {
                return Err(ToolError::new(format!(
                    "{}: the file has more than {MOST_FOR_ALL} people: set `id` to compare one of them with the others",
                    snapshot.name
                )));
            }
            None => snapshot.matcher().matches(at_least),
        };
        let is_shown = |number: usize| PersonId::of_index(number).is_some_and(|id| !snapshot.is_hidden(id));
        found.retain(|pair| is_shown(pair.a) && is_shown(pair.b));
        let total = found.len();
        let view = snapshot.view();
        let brief = |number: usize| {
            let person = PersonId::of_index(number).and_then(|id| snapshot.lineage.person(id));
            person.map(|person| PersonBrief::of(&snapshot, &view, person))
        };
        let pairs = found.into_iter().filter_map(|pair| Some((brief(pair.a)?, brief(pair.b)?, pair)));
        let names = |fields: &[MatchField]| fields.iter().map(|field| field.name()).collect();
        let page = pager.page(pairs, |(a, b, pair)| PairEntry {
            score: pair.score,
            a,
            b,
            agree: names(&pair.agree),
            similar: names(&pair.similar),
            differ: names(&pair.differ),
        });
        Ok(DuplicatesAnswer { total, pairs: page.items, next_cursor: page.next_cursor })
    }
}
