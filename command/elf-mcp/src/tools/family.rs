//! `family`: the partners, children and events of a family.

use super::{AssistantTool, Effect};
use crate::answer::{Describer, Fact, NoteText, PersonBrief, SourceUse, tie_name};
use crate::error::ToolError;
use crate::page::{PageArgs, Pager};
use crate::session::Session;
use crate::text::at_signs;
use elf_lineage::PartnerRole;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct ShowFamily;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FamilyArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// The identifier, such as `@F1@`.
    id: String,
    #[serde(flatten)]
    page: PageArgs,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FamilyAnswer {
    id: String,
    cite: String,
    partners: Vec<PartnerOf>,
    /// The events of the couple. On the first page only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facts: Vec<Fact>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<NoteText>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<SourceUse>,
    /// The number of children on all pages.
    total_children: usize,
    children: Vec<ChildOf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PartnerOf {
    #[serde(flatten)]
    person: PersonBrief,
    /// `husband`, `wife` or `partner`.
    role: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ChildOf {
    #[serde(flatten)]
    person: PersonBrief,
    /// How the child is tied to the first and to the second partner, unless by birth.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ties: Vec<&'static str>,
}

/// The most partners, events, notes and sources that are listed: `lines` shows the others.
const MOST: usize = 8;

impl AssistantTool for ShowFamily {
    const NAME: &'static str = "family";
    const TITLE: &'static str = "Show a family";
    const ABOUT: &'static str = "Shows a family: partners, marriage and other events with their sources, and children. Each part cites its line.";
    const EFFECT: Effect = Effect::Reads;
    type Args = FamilyArgs;
    type Answer = FamilyAnswer;

    fn run(session: &mut Session, args: FamilyArgs) -> Result<FamilyAnswer, ToolError> {
        let snapshot = session.snapshot(args.file.as_deref())?;
        let pager = Pager::new(&args.page, &snapshot.version)?;
        let id = snapshot.family(&args.id)?;
        let (view, mut describer) = (snapshot.view(), Describer::new(&snapshot));
        let gone = || ToolError::new("the family cannot be read");
        let family = snapshot.lineage.family(id).ok_or_else(gone)?;
        let record = view
            .family(id)
            .and_then(|record| snapshot.typed.document().node(record.id()))
            .ok_or_else(gone)?;
        let brief = |person| PersonBrief::of(&snapshot, &view, person);
        let mut answer = FamilyAnswer {
            id: family.identifier().map(|identifier| at_signs(&identifier)).unwrap_or_default(),
            cite: snapshot.cite_line(family.position().line),
            partners: Vec::new(),
            facts: Vec::new(),
            notes: Vec::new(),
            sources: Vec::new(),
            total_children: family.children().count(),
            children: Vec::new(),
            next_cursor: None,
        };
        for (person, role) in family.partners().take(MOST) {
            answer.partners.push(PartnerOf { person: brief(person), role: role_name(role) });
        }
        if args.page.cursor.as_deref().is_none_or(str::is_empty) {
            let facts = describer.statements(record);
            answer.facts = facts.iter().take(MOST).map(|fact| describer.statement(fact, None)).collect();
            answer.notes = describer.notes(record).into_iter().take(MOST).collect();
            answer.sources = describer.sources(record).into_iter().take(MOST).collect();
        }
        let page = pager.with_room_for(&answer).page(family.children(), |child| {
            let link = child.parent_links().find(|link| link.family() == id);
            let ties = link.into_iter().flat_map(|link| {
                let ties = [PartnerRole::Husband, PartnerRole::Wife].map(|role| tie_name(link.tie(role)));
                ties.into_iter().flatten()
            });
            ChildOf { ties: ties.collect(), person: brief(child) }
        });
        answer.children = page.items;
        answer.next_cursor = page.next_cursor;
        Ok(answer)
    }
}

const fn role_name(role: PartnerRole) -> &'static str {
    match role {
        PartnerRole::Husband => "husband",
        PartnerRole::Wife => "wife",
        PartnerRole::Partner => "partner",
    }
}
