//! `find_people`: people by name, dates, places, relatives, and what their records have or lack.

use super::{AssistantTool, Effect};
use crate::answer::PersonBrief;
use crate::error::ToolError;
use crate::page::{PageArgs, Pager};
use crate::session::Session;
use crate::text::bare;
use elf_lineage::{PersonId, PersonQuery, SexCode, YearRange};
use elf_tagged::path::Path;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct FindPeople;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FindArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// Each word occurs in a name of the person, including names by marriage. Case and accents do not matter.
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
    /// Born in these years: `1850`, `1850..1860`, `..1850` or `1850..`. Without a date of birth, the baptism counts.
    #[serde(default)]
    born: Option<String>,
    /// Died in these years. Without a date of death, the burial counts.
    #[serde(default)]
    died: Option<String>,
    /// The place of an event contains this text.
    #[serde(default)]
    place: Option<String>,
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
    people: Vec<PersonBrief>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

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
        for identifier in [&args.ancestor_of, &args.descendant_of].into_iter().flatten() {
            snapshot.person(identifier)?;
        }
        let view = snapshot.view();
        let found = query.find(&view).map_err(|error| ToolError::new(error.to_string()))?;
        let found: Vec<PersonId> = found.into_iter().filter(|id| !snapshot.is_hidden(*id)).collect();
        let total = found.len();
        let people = found.into_iter().filter_map(|id| snapshot.lineage.person(id));
        let page = pager.page(people, |person| PersonBrief::of(&snapshot, &view, person));
        Ok(FindAnswer { total, people: page.items, next_cursor: page.next_cursor })
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
