//! `kinship`: how two people are related.

use super::{AssistantTool, Effect};
use crate::answer::PersonBrief;
use crate::error::ToolError;
use crate::session::Session;
use crate::snapshot::{Citer, Snapshot};
use crate::text::bare;
use elf_lineage::{
    FamilyId, LineageView, Person, PersonId, RelationStep, RelationshipKind, StepLink, TiesFollowed,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Kinship;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct KinshipArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// The identifier of the first person.
    a: String,
    /// The identifier of the second person.
    b: String,
    /// The most relationships to list. Default: 3.
    #[serde(default)]
    #[schemars(range(min = 1, max = 10))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct KinshipAnswer {
    a: PersonBrief,
    b: PersonBrief,
    related: bool,
    /// The coefficient of relationship by blood: 0.5 for a parent and a child. Left out if one of the two or of their
    /// ancestors is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    coefficient: Option<f64>,
    /// What A is to B, the nearest relationship first.
    relationships: Vec<RelationshipOf>,
    /// True if the answer is not complete: more distant relationships are left out. `limit` asks for more.
    #[serde(skip_serializing_if = "crate::answer::is_false")]
    left_out: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RelationshipOf {
    /// What A is to B, such as `second cousin once removed`.
    a_is: String,
    /// `blood`, `uncertain`, `adoptive`, `foster`, `marriage` or `step`. It is `uncertain` if someone on the way is hidden,
    /// because an adoption is hidden too.
    kind: &'static str,
    /// Generations from A up to the common ancestors.
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<u32>,
    /// Generations from the common ancestors down to B.
    #[serde(skip_serializing_if = "Option::is_none")]
    down: Option<u32>,
    /// The nearest common ancestors of this line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    common_ancestors: Vec<PersonBrief>,
    /// The way from A to B, one relative after the other; the last one is B. If several ways are equally long, one of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<PathPerson>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PathPerson {
    /// What this person is to the one before: `parent`, `child` or `partner`.
    is: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    name: String,
    /// The line that links the two, in the record of the family.
    cite: String,
}

/// The most relationships of one answer, and those that are listed by default.
const MOST: usize = 10;
const USUAL: usize = 3;

/// The most bytes of the relationships, as JSON.
const MOST_BYTES: usize = 5_000;

/// The most steps of a path.
const MOST_STEPS: usize = 40;

/// The most common ancestors of a relationship: a couple, and half of another.
const MOST_ANCESTORS: usize = 3;

impl AssistantTool for Kinship {
    const NAME: &'static str = "kinship";
    const TITLE: &'static str = "How two people are related";
    const ABOUT: &'static str = "Says how A is related to B: by blood, marriage, adoption or as a step relative, with the \
        nearest common ancestors and the people between them.";
    const EFFECT: Effect = Effect::Reads;
    type Args = KinshipArgs;
    type Answer = KinshipAnswer;

    fn run(session: &mut Session, args: KinshipArgs) -> Result<KinshipAnswer, ToolError> {
        if bare(&args.a) == bare(&args.b) {
            return Err(ToolError::new("`a` and `b` are the same person: name two people"));
        }
        let snapshot = session.snapshot(args.file.as_deref())?;
        let (a, b) = (snapshot.person(&args.a)?, snapshot.person(&args.b)?);
        let view = snapshot.view();
        let brief = |person| PersonBrief::of(&snapshot, &view, person);
        let kinship = a.kinship(b);
        let limit = match args.limit {
            Some(0) => return Err(ToolError::new("`limit` must be at least 1")),
            limit => limit.unwrap_or(USUAL).min(MOST),
        };
        let mut path = PathWriter { snapshot: &snapshot, view: &view, citer: snapshot.citer() };
        let (mut relationships, mut bytes) = (Vec::new(), 0);
        let is_hidden = |person| snapshot.is_hidden(person);
        // The coefficient counts all ways to common ancestors.
        let ancestors = [a, b].into_iter().flat_map(|person| person.ancestors(TiesFollowed::All));
        let is_certain = ![a, b]
            .into_iter()
            .chain(ancestors.map(|(person, _)| person))
            .any(|person| is_hidden(person.id()));
        for one in kinship.relationships().iter().take(limit) {
            let generations = one.generations();
            let ancestors = one.common_ancestors.iter().take(MOST_ANCESTORS);
            let ancestors = ancestors.filter_map(|id: &PersonId| snapshot.lineage.person(*id));
            let steps = one.steps(a, b);
            let has_hidden =
                is_hidden(a.id()) || is_hidden(b.id()) || steps.iter().any(|step| is_hidden(step.person));
            let kind = match one.kind {
                RelationshipKind::Blood if has_hidden => RelationshipKind::Uncertain,
                kind => kind,
            };
            let relationship = RelationshipOf {
                a_is: one.name(a.sex()),
                kind: kind.name(),
                up: generations.map(|generations| generations.up),
                down: generations.map(|generations| generations.down),
                common_ancestors: ancestors.map(brief).collect(),
                path: path.of(a, &steps),
            };
            bytes += serde_json::to_vec(&relationship).map_or(MOST_BYTES, |json| json.len());
            if bytes > MOST_BYTES && !relationships.is_empty() {
                break;
            }
            relationships.push(relationship);
        }
        Ok(KinshipAnswer {
            left_out: !kinship.is_complete() || kinship.relationships().len() > relationships.len(),
            relationships,
            a: brief(a),
            b: brief(b),
            related: kinship.is_related(),
            coefficient: is_certain.then_some(kinship.coefficient()),
        })
    }
}

/// Describes the people between two relatives.
struct PathWriter<'s> {
    snapshot: &'s Snapshot,
    view: &'s LineageView<'s, 's>,
    citer: Citer<'s>,
}

impl<'s> PathWriter<'s> {
    fn of(&mut self, first: Person<'_>, steps: &[RelationStep]) -> Vec<PathPerson> {
        let mut path = Vec::new();
        let mut before = first.id();
        for step in steps.iter().take(MOST_STEPS) {
            let Some(person) = self.snapshot.lineage.person(step.person) else { break };
            let PersonBrief { id, name, .. } = PersonBrief::of(self.snapshot, self.view, person);
            // The line of the child links both; between partners, that of the next one.
            let linked = if step.link == StepLink::Parent { before } else { step.person };
            path.push(PathPerson {
                is: step.link.name(),
                id,
                name,
                cite: self.cite_link(step.family, linked),
            });
            before = step.person;
        }
        path
    }

    /// Cites the line of a family that names a person. If the family does not name the person, cites the family.
    fn cite_link(&mut self, family: FamilyId, person: PersonId) -> String {
        let identifier = self.snapshot.lineage.person(person).and_then(Person::identifier);
        let record = self.view.family(family);
        let link = record.zip(identifier).and_then(|(record, identifier)| {
            record.substructures().find(|node| node.pointer() == Some(identifier.as_str()))
        });
        match (link, self.snapshot.lineage.family(family)) {
            (Some(node), _) => self.citer.cite(node),
            (None, Some(family)) => self.snapshot.cite_line(family.position().line),
            (None, None) => String::new(),
        }
    }
}
