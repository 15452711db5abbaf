//! `kinship`: how two people are related.

use super::{AssistantTool, Effect};
use crate::answer::PersonBrief;
use crate::error::ToolError;
use crate::session::Session;
use crate::text::bare;
use elf_lineage::PersonId;
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
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct KinshipAnswer {
    a: PersonBrief,
    b: PersonBrief,
    related: bool,
    /// The coefficient of relationship by blood: 0.5 for a parent and a child.
    coefficient: f64,
    /// What A is to B, the nearest relationship first.
    relationships: Vec<RelationshipOf>,
    /// True if the answer is not complete: more distant relationships are left out.
    #[serde(skip_serializing_if = "crate::answer::is_false")]
    left_out: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RelationshipOf {
    /// What A is to B, such as `second cousin once removed`.
    a_is: String,
    /// `blood`, `uncertain`, `adoptive`, `foster`, `marriage` or `step`.
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
}

/// The most relationships of one answer.
const MOST: usize = 10;

/// The most common ancestors of a relationship: a couple, and half of another.
const MOST_ANCESTORS: usize = 3;

impl AssistantTool for Kinship {
    const NAME: &'static str = "kinship";
    const TITLE: &'static str = "How two people are related";
    const ABOUT: &'static str = "Says how A is related to B: by blood, marriage, adoption or as a step relative, with the \
        nearest common ancestors.";
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
        let relationships = kinship.relationships().iter().take(MOST).map(|one| {
            let generations = one.generations();
            let ancestors = one.common_ancestors.iter().take(MOST_ANCESTORS);
            let ancestors = ancestors.filter_map(|id: &PersonId| snapshot.lineage.person(*id));
            RelationshipOf {
                a_is: one.name(a.sex()),
                kind: one.kind.name(),
                up: generations.map(|generations| generations.up),
                down: generations.map(|generations| generations.down),
                common_ancestors: ancestors.map(brief).collect(),
            }
        });
        Ok(KinshipAnswer {
            relationships: relationships.collect(),
            a: brief(a),
            b: brief(b),
            related: kinship.is_related(),
            coefficient: kinship.coefficient(),
            left_out: !kinship.is_complete() || kinship.relationships().len() > MOST,
        })
    }
}
