//! `tree`: the ancestors and descendants of a person.

use super::{AssistantTool, Effect};
use crate::answer::PersonBrief;
use crate::error::ToolError;
use crate::page::{PageArgs, Pager};
use crate::session::Session;
use crate::text::at_signs;
use elf_lineage::{Person, TiesFollowed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Tree;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct TreeArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// The identifier of the person in the middle, such as `@I1@`.
    id: String,
    /// Generations of ancestors: 1 is the parents. Default: 2.
    #[serde(default)]
    up: Option<u32>,
    /// Generations of descendants: 1 is the children. Default: 2.
    #[serde(default)]
    down: Option<u32>,
    #[serde(flatten)]
    page: PageArgs,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TreeAnswer {
    /// The number of people in the tree, on all pages.
    total: usize,
    /// The person, the ancestors, then the descendants; the nearest generations first. Ties by birth only.
    people: Vec<TreePerson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TreePerson {
    /// 0 for the person asked about, 1 for children, -1 for parents, and so on.
    generation: i64,
    #[serde(flatten)]
    person: PersonBrief,
    /// The identifiers of the parents by birth.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parents: Vec<String>,
    /// The identifiers of the partners.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    partners: Vec<String>,
}

/// The most identifiers of parents or partners of a person.
const MOST_LINKS: usize = 6;

impl AssistantTool for Tree {
    const NAME: &'static str = "tree";
    const TITLE: &'static str = "Tree around a person";
    const ABOUT: &'static str = "Lists the ancestors and descendants of a person by generation, with the identifiers of their \
        parents and partners, so that you can draw the tree.";
    const EFFECT: Effect = Effect::Reads;
    type Args = TreeArgs;
    type Answer = TreeAnswer;

    fn run(session: &mut Session, args: TreeArgs) -> Result<TreeAnswer, ToolError> {
        let snapshot = session.snapshot(args.file.as_deref())?;
        let pager = Pager::new(&args.page, &snapshot.version)?;
        let person = snapshot.person(&args.id)?;
        let (up, down) = (args.up.unwrap_or(2), args.down.unwrap_or(2));
        let mut people: Vec<(i64, Person<'_>)> = vec![(0, person)];
        let ancestors =
            person.ancestors(TiesFollowed::ByBirth).take_while(|(_, generation)| *generation <= up);
        people.extend(
            ancestors.filter(|(_, generation)| *generation > 0).map(|(one, up)| (-i64::from(up), one)),
        );
        let descendants =
            person.descendants(TiesFollowed::ByBirth).take_while(|(_, generation)| *generation <= down);
        people.extend(
            descendants.filter(|(_, generation)| *generation > 0).map(|(one, down)| (i64::from(down), one)),
        );
        let total = people.len();
        let view = snapshot.view();
        let identifiers = |people: &mut dyn Iterator<Item = Person<'_>>| -> Vec<String> {
            let identifiers = people.filter_map(Person::identifier).take(MOST_LINKS);
            identifiers.map(|identifier| at_signs(&identifier)).collect()
        };
        let page = pager.page(people, |(generation, one)| {
            let partners =
                one.families_as_partner().flat_map(|family| family.partners()).map(|(partner, _)| partner);
            TreePerson {
                generation,
                person: PersonBrief::of(&snapshot, &view, one),
                parents: identifiers(
                    &mut one.parents().filter(|parent| parent.is_by_birth).map(|parent| parent.person),
                ),
                partners: identifiers(&mut partners.filter(|partner| partner.id() != one.id())),
            }
        });
        Ok(TreeAnswer { total, people: page.items, next_cursor: page.next_cursor })
    }
}
