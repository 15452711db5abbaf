//! `propose_edits`, `propose_merge` and `propose_replacement`: changes that are shown before anything is changed.
//! `propose_fact` makes its proposals with the same functions.

use super::{AssistantTool, Effect};
use crate::changed_lines::{ChangeDescriber, LineChange};
use crate::error::ToolError;
use crate::lines::LineMap;
use crate::page::{PageArgs, Pager};
use crate::proposals::{ChangeKind, Proposal};
use crate::session::Session;
use crate::snapshot::Snapshot;
use crate::text::{NOTE, at_signs, bare, clean, field};
use crate::twin::{TOUCHES_HIDDEN, TwinEdit, TwinEditor};
use elf_base::Diagnostic;
use elf_edit::{ReplaceOptions, Replacement, Value};
use elf_lineage::{Family, FamilyId, Person, TiesFollowed};
use elf_merge::RecordKind;
use elf_schema::Node;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;

pub(crate) struct ProposeEdits;
pub(crate) struct ProposeMerge;
pub(crate) struct ProposeReplacement;

/// The most edits of one proposal.
const MOST_EDITS: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct EditsArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// Why the change is made, with the evidence. It is kept in the journal.
    reason: String,
    /// The edits, in their order. Either all are made or none.
    edits: Vec<EditArg>,
}

/// One edit.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum EditArg {
    /// Replaces the payload of the structure at a path.
    Set {
        /// The path, such as `@I1@/BIRT/DATE` or `@I1@/NOTE[2]`.
        path: String,
        /// The new payload. `@ID@` is a pointer to a record; anything else is text.
        value: String,
    },
    /// Removes the structure at a path, and everything under it.
    Remove {
        /// The path.
        path: String,
    },
    /// Adds a structure at the end of another one, or a record.
    Insert {
        /// The path of the structure that the new one is under, such as `@I1@/BIRT`. Leave it out to add a record.
        #[serde(default)]
        under: Option<String>,
        /// The tag of the new structure, such as `DATE`.
        tag: String,
        /// The payload.
        #[serde(default)]
        value: Option<String>,
        /// The identifier of a new record, such as `@I99@`. It must be new.
        #[serde(default)]
        id: Option<String>,
    },
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MergeArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// Why the two are the same, with the evidence. It is kept in the journal.
    reason: String,
    /// The identifier of the person or the family that stays, such as `@I1@`.
    keep: String,
    /// The identifier of the record that becomes part of it, such as `@I2@`.
    remove: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ReplacementArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// Why the text is replaced. It is kept in the journal.
    reason: String,
    /// The tags whose payloads are changed, such as `PLAC`.
    tags: Vec<String>,
    /// The text to replace. Case matters.
    from: String,
    /// The new text.
    to: String,
    /// True to replace only payloads that equal `from` as a whole.
    #[serde(default)]
    whole: bool,
}

/// The most tags of a replacement.
const MOST_TAGS: usize = 50;

/// A proposal, as the assistant gets it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ProposalAnswer {
    /// The number, for `apply_proposal`.
    number: u64,
    file: String,
    summary: String,
    /// The number of places that change, on all pages.
    total_changes: usize,
    /// The lines that change. Nothing has been changed yet.
    changes: Vec<LineChange>,
    /// True if findings about hidden lines are left out of `causes` and `removes`, and are not counted.
    hidden_findings_are_left_out: bool,
    /// The number of findings that the change would cause.
    total_findings: usize,
    /// The first findings that the change would cause: questions about facts that cannot be true together (class `question`),
    /// violations of the format, and advice. Look at them before you apply it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    causes: Vec<CausedFinding>,
    /// The number of findings that the change would remove.
    total_removed: usize,
    /// False if the server could not ask questions about the facts after the change. Then `causes` has no questions,
    /// although facts may not be true together.
    questions_were_asked: bool,
    /// The first findings that the change would remove.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    removes: Vec<RemovedFinding>,
    /// Of a merge: in what the two records differ. The tag of a fact that a person has only once, such as `BIRT`, or
    /// `NAME` with the two names: both are kept. `HUSB became WIFE`: the role in the first record is kept. `CHAN was left
    /// out`: so is its change date.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conflicts: Vec<String>,
    /// Reasons why the change may be a mistake, such as a merge of two siblings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    /// True if a replacement leaves hidden records and texts alone, because people who may be living are hidden. It does
    /// not say whether one of them contains the text.
    #[serde(skip_serializing_if = "crate::answer::is_false")]
    hidden_records_are_left_alone: bool,
    /// For the next page of changes: pass it to `changes` with the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A finding that a change would cause.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CausedFinding {
    code: &'static str,
    class: &'static str,
    message: String,
    /// The number of the line after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_after: Option<u64>,
}

/// A finding that a change would remove.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RemovedFinding {
    code: &'static str,
    class: &'static str,
    message: String,
    /// The file and the line before the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    cite: Option<String>,
}

impl AssistantTool for ProposeEdits {
    const NAME: &'static str = "propose_edits";
    const TITLE: &'static str = "Propose edits";
    const ABOUT: &'static str = "Proposes edits of structures by path: set, remove or insert. Returns the lines that would \
        change and the findings that this would cause, and changes nothing. Show the lines to the user before you apply the \
        proposal. Once a proposal is applied, the others on its file are outdated. So put several edits into one proposal, \
        or apply one before you propose the next. Later edits can use what earlier ones make. For example, a new source that \
        a birth cites: [{\"op\":\"insert\",\"id\":\"@S9@\",\"tag\":\"SOUR\"}, \
        {\"op\":\"insert\",\"under\":\"@S9@\",\"tag\":\"TITL\",\"value\":\"Census of 1900\"}, \
        {\"op\":\"insert\",\"under\":\"@I1@/BIRT\",\"tag\":\"SOUR\",\"value\":\"@S9@\"}].";
    const EFFECT: Effect = Effect::Proposes;
    type Args = EditsArgs;
    type Answer = ProposalAnswer;

    fn run(session: &mut Session, args: EditsArgs) -> Result<ProposalAnswer, ToolError> {
        if args.edits.is_empty() || args.edits.len() > MOST_EDITS {
            return Err(ToolError::new(format!(
                "expected 1 to {MOST_EDITS} edits, but found {}",
                args.edits.len()
            )));
        }
        propose(session, args.file.as_deref(), ChangeKind::Edits, &args.reason, |snapshot| {
            let mut editor = TwinEditor::new(snapshot);
            for (at, edit) in args.edits.iter().enumerate() {
                let applied = edit.apply(&mut editor);
                applied.map_err(|error| ToolError::new(format!("edit {}: {error}", at + 1)))?;
            }
            editor.finish()
        })
    }
}

impl AssistantTool for ProposeMerge {
    const NAME: &'static str = "propose_merge";
    const TITLE: &'static str = "Propose to merge two records";
    const ABOUT: &'static str = "Proposes to merge two records of the same person, or of the same family: the facts, notes and \
        sources that the first lacks are added to it, all links lead to it, and the second is removed. Returns the lines that \
        would change, and changes nothing. `duplicates` finds candidates. The families of a merged person are not merged: \
        apply the merge, and propose that next. Once a proposal is applied, the others on its file are outdated.";
    const EFFECT: Effect = Effect::Proposes;
    type Args = MergeArgs;
    type Answer = ProposalAnswer;

    fn run(session: &mut Session, args: MergeArgs) -> Result<ProposalAnswer, ToolError> {
        let snapshot = session.snapshot(args.file.as_deref())?;
        let kind = args.kind(&snapshot)?;
        let (keep, remove) = (bare(&args.keep), bare(&args.remove));
        propose(session, args.file.as_deref(), ChangeKind::Merge, &args.reason, |snapshot| {
            let mut edit = TwinEdit::of_merge(snapshot, keep, remove, kind)?;
            if kind == RecordKind::Person {
                let (keep, remove) = (snapshot.person(keep)?, snapshot.person(remove)?);
                edit.conflicts.extend(conflict_of_names(snapshot, keep, remove));
                edit.warnings.extend(relationships(keep, remove));
            }
            Ok(edit)
        })
    }
}

impl AssistantTool for ProposeReplacement {
    const NAME: &'static str = "propose_replacement";
    const TITLE: &'static str = "Propose to replace text";
    const ABOUT: &'static str = "Proposes to replace text in all payloads of some tags, such as a misspelled place in `PLAC`. \
        Returns the lines that would change, and changes nothing. Hidden records and texts are left alone. Once a proposal is \
        applied, the others on its file are outdated: apply one before you propose the next.";
    const EFFECT: Effect = Effect::Proposes;
    type Args = ReplacementArgs;
    type Answer = ProposalAnswer;

    fn run(session: &mut Session, args: ReplacementArgs) -> Result<ProposalAnswer, ToolError> {
        let mut options = ReplaceOptions::default();
        options.whole = args.whole;
        let replacement = Replacement::new(&args.from, &args.to, options);
        let replacement = replacement.map_err(|error| ToolError::new(format!("`from`: {error}")))?;
        if args.tags.is_empty() {
            return Err(ToolError::new("`tags` is empty: expected tags such as `PLAC`"));
        }
        if args.tags.len() > MOST_TAGS {
            return Err(ToolError::new(format!(
                "expected at most {MOST_TAGS} tags, but found {}",
                args.tags.len()
            )));
        }
        if args.tags.iter().any(|tag| tag == "CHAR") {
            return Err(ToolError::new(
                "`CHAR` names the encoding of the file, so it is not replaced: `elf convert` changes the encoding",
            ));
        }
        propose(session, args.file.as_deref(), ChangeKind::Replacement, &args.reason, |snapshot| {
            let mut editor = TwinEditor::new(snapshot);
            editor.check_text(&args.to)?;
            let growth = 1 + args.to.len() / args.from.len().max(1);
            match editor.replace(&args.tags, &replacement, growth)? {
                0 => Err(args.explain_no_match(snapshot)),
                _ => editor.finish(),
            }
        })
    }
}

impl ReplacementArgs {
    /// Says why no text is replaced. Only what is shown counts, so the answer is the same whatever is hidden.
    fn explain_no_match(&self, snapshot: &Snapshot) -> ToolError {
        let mut citer = snapshot.citer();
        let mut reasons: Vec<String> = Vec::new();
        let document = snapshot.typed.document();
        let known: HashSet<&str> = document.structures().map(Node::tag).collect();
        for tag in self.tags.iter().filter(|tag| !known.contains(tag.as_str())) {
            let capitals = tag.to_ascii_uppercase();
            let help = match known.contains(capitals.as_str()) {
                true => format!("; did you mean `{capitals}`?"),
                false => String::new(),
            };
            reasons.push(format!("no line that is shown has the tag `{tag}`{help}"));
        }
        let mut cite_first = |whole: bool, ignore_case: bool| {
            let mut options = ReplaceOptions::default();
            (options.whole, options.ignore_case) = (whole, ignore_case);
            // Any other text will do: it is not written.
            let other = Replacement::new(&self.from, "\u{fffd}", options).ok()?;
            let is_wanted =
                |node: &Node<'_>| node.pointer().is_none() && self.tags.iter().any(|tag| tag == node.tag());
            let mut found = document
                .structures()
                .filter(is_wanted)
                .filter(|node| other.applied_to(&node.text()).is_some());
            found.find_map(|node| {
                let line = citer.line(node);
                snapshot.lines.find_origin(line).is_same.then(|| snapshot.cite_line(line))
            })
        };
        if self.whole
            && let Some(cite) = cite_first(false, false)
        {
            reasons.push(format!("{cite} contains the text, but more than it: set `whole` to false"));
        } else if let Some(cite) = cite_first(self.whole, true) {
            reasons.push(format!("{cite} has the text in another case, and case matters in `from`"));
        }
        let hidden = match snapshot.hides_the_living() {
            true => ". Hidden records and texts are not searched",
            false => "",
        };
        let reasons = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
        ToolError::new(format!("no payload of these tags contains the text{reasons}{hidden}"))
    }
}

/// The conflict between the main names of two people who are merged: both names are kept.
fn conflict_of_names(snapshot: &Snapshot, keep: Person<'_>, remove: Person<'_>) -> Option<String> {
    let view = snapshot.view();
    let names_of = |person: Person<'_>| {
        let names = view.person(person.id()).into_iter().flat_map(Node::substructures);
        let names = names.filter(|node| node.tag() == "NAME").map(|node| field(&node.text()));
        names.filter(|name| !name.is_empty()).collect::<Vec<String>>()
    };
    let known = names_of(keep);
    let (kept, added) = (known.first()?, names_of(remove).into_iter().next()?);
    (!known.contains(&added)).then(|| format!("NAME: `{kept}` and `{added}`"))
}

/// Warns if two people who are merged are siblings, partners, or parent and child. Families are shown of everybody.
fn relationships(one: Person<'_>, other: Person<'_>) -> Vec<String> {
    /// The most warnings: people with more families in common are a mistake of the file.
    const MOST: usize = 5;
    let ids = |families: Vec<Family<'_>>| families.into_iter().map(Family::id).collect::<HashSet<FamilyId>>();
    let of_one = [one.families_as_child().collect::<Vec<_>>(), one.families_as_partner().collect()];
    let of_other = [other.families_as_child().collect(), other.families_as_partner().collect()].map(ids);
    let ([child, partner], [other_child, other_partner]) = (&of_one, &of_other);
    let pairs = [
        (child, other_child, "children (siblings)"),
        (child, other_partner, "child and parent"),
        (partner, other_partner, "partners"),
        (partner, other_child, "parent and child"),
    ];
    let warnings = pairs.into_iter().flat_map(|(families, known, are)| {
        let common = families.iter().filter(|family| known.contains(&family.id()));
        common.map(move |family| {
            let label = family.identifier().map_or_else(|| "a family".to_owned(), |id| at_signs(&id));
            format!("the two are {are} in {label}: are they really one person?")
        })
    });
    warnings.take(MOST).collect()
}

impl MergeArgs {
    /// Returns the kind of the two records. Fails if one person is an ancestor of the other, because then they cannot be the
    /// same person.
    fn kind(&self, snapshot: &Snapshot) -> Result<RecordKind, ToolError> {
        if bare(&self.keep) == bare(&self.remove) {
            return Err(ToolError::new("`keep` and `remove` are the same record: name two"));
        }
        let can_be_merged =
            |identifier: &str| snapshot.family(identifier).is_ok() || snapshot.person(identifier).is_ok();
        for identifier in [&self.keep, &self.remove] {
            if let Some(tag) = snapshot.tag_of_record(identifier).filter(|_| !can_be_merged(identifier)) {
                return Err(ToolError::new(format!(
                    "only people and families can be merged, and {} is a record with the tag {}. `propose_edits` can change the pointers to \
                     it and remove it",
                    at_signs(bare(identifier)),
                    field(tag)
                )));
            }
        }
        if snapshot.family(&self.keep).is_ok() {
            snapshot.family(&self.remove)?;
            return Ok(RecordKind::Family);
        }
        let (keep, remove) = (snapshot.person(&self.keep)?, snapshot.person(&self.remove)?);
        if snapshot.is_hidden(keep.id()) || snapshot.is_hidden(remove.id()) {
            return Err(ToolError::new(TOUCHES_HIDDEN));
        }
        let descends_from = |person: Person<'_>, other: Person<'_>| {
            person.ancestors(TiesFollowed::ByBirth).any(|(ancestor, _)| ancestor.id() == other.id())
        };
        match descends_from(keep, remove) || descends_from(remove, keep) {
            true => Err(ToolError::new(
                "one of the two is an ancestor of the other one, so they are not the same person",
            )),
            false => Ok(RecordKind::Person),
        }
    }
}

/// Makes edits on the current version of a file, and keeps them as a proposal.
pub(super) fn propose(
    session: &mut Session,
    file: Option<&str>,
    kind: ChangeKind,
    reason: &str,
    make: impl FnOnce(&Snapshot) -> Result<TwinEdit, ToolError>,
) -> Result<ProposalAnswer, ToolError> {
    if reason.trim().is_empty() {
        return Err(ToolError::new("`reason` is empty: say why, and name the evidence"));
    }
    let at = session.file_number(file)?;
    let snapshot: Arc<Snapshot> = session.snapshot_at(at)?;
    let edit = make(&snapshot)?;
    let proposal = session.propose(at, &snapshot, kind, clean(reason.trim(), NOTE).text, edit)?;
    ProposalAnswer::of(&snapshot, &proposal, session.options.shows_living, &PageArgs::default())
}

impl EditArg {
    fn apply(&self, editor: &mut TwinEditor<'_>) -> Result<(), ToolError> {
        match self {
            EditArg::Set { path, value } => editor.set(path, &Value::of(value)),
            EditArg::Remove { path } => editor.remove(path),
            EditArg::Insert { under, tag, value, id } => {
                if under.is_some() && id.is_some() {
                    return Err(ToolError::new("only a record has an `id`: leave out `under` or `id`"));
                }
                if !tag.starts_with('_') && tag.chars().any(|letter| letter.is_ascii_lowercase()) {
                    return Err(ToolError::new(format!(
                        "`{tag}` is in small letters, and tags are in capitals: did you mean `{}`?",
                        tag.to_ascii_uppercase()
                    )));
                }
                let value = value.as_deref().map_or(Value::None, Value::of);
                let id = id.as_deref().map(bare);
                editor.insert(under.as_deref(), id, tag, &value).map(|_| ())
            }
        }
    }
}

impl ProposalAnswer {
    /// Describes a proposal, or a page of its changes.
    pub(crate) fn of(
        snapshot: &Snapshot,
        proposal: &Proposal,
        shows_living: bool,
        page: &PageArgs,
    ) -> Result<ProposalAnswer, ToolError> {
        /// The most findings that are shown.
        const MOST_FINDINGS: usize = 10;
        let edit = &proposal.edit;
        let map = LineMap::of(&edit.patches);
        // Questions are about what is shown.
        let (mut causes, mut removes) = (Vec::new(), Vec::new());
        if let Some(questions) = &edit.questions {
            causes.extend(questions.caused.iter().map(CausedFinding::question));
            removes.extend(
                questions.removed.iter().map(|question| RemovedFinding::of(snapshot, question, true)),
            );
        }
        causes.extend(
            edit.findings
                .iter()
                .filter_map(|finding| CausedFinding::of(snapshot, &map, finding, shows_living)),
        );
        let is_shown =
            |finding: &&Diagnostic| finding.place.is_none_or(|place| snapshot.shows_line(place.line));
        removes.extend(edit.removed.iter().filter(is_shown).map(|finding| {
            let is_patched = finding.place.is_some_and(|place| map.shown(place.line).is_none());
            RemovedFinding::of(snapshot, finding, is_patched || shows_living)
        }));
        let mut answer = ProposalAnswer {
            number: proposal.number,
            file: snapshot.name.clone(),
            summary: proposal.summary.clone(),
            total_changes: proposal.edit.patches.len(),
            changes: Vec::new(),
            hidden_findings_are_left_out: !shows_living,
            total_findings: causes.len(),
            causes: causes.into_iter().take(MOST_FINDINGS).collect(),
            total_removed: removes.len(),
            removes: removes.into_iter().take(MOST_FINDINGS).collect(),
            questions_were_asked: edit.questions.is_some(),
            conflicts: proposal.edit.conflicts.iter().map(|conflict| field(conflict)).collect(),
            warnings: edit.warnings.clone(),
            hidden_records_are_left_alone: proposal.kind == ChangeKind::Replacement && !shows_living,
            next_cursor: None,
        };
        let pager = Pager::new(page, &snapshot.version)?.with_room_for(&answer);
        let describer = ChangeDescriber::new(snapshot);
        let parts = proposal.edit.patches.iter().flat_map(|patch| describer.parts(patch));
        let page = pager.page(parts, |part| describer.describe(part));
        answer.changes = page.items;
        answer.next_cursor = page.next_cursor;
        Ok(answer)
    }
}

impl RemovedFinding {
    /// Describes a finding by a line of the file. Its message may quote hidden lines, unless `shows_message` is true.
    fn of(snapshot: &Snapshot, finding: &Diagnostic, shows_message: bool) -> RemovedFinding {
        RemovedFinding {
            code: finding.code.id(),
            class: finding.class.name(),
            message: field(if shows_message { &finding.message } else { finding.code.title() }),
            cite: finding.place.map(|place| format!("{}:{}", snapshot.name, place.line)),
        }
    }
}

impl CausedFinding {
    /// Describes a question about facts that are shown.
    fn question(question: &Diagnostic) -> CausedFinding {
        CausedFinding {
            code: question.code.id(),
            class: question.class.name(),
            message: field(&question.message),
            line_after: question.place.map(|place| place.line),
        }
    }

    /// Describes a finding. One about hidden lines is left out; the message of one about other lines than the new ones may
    /// quote hidden ones, so it is replaced by what its code means.
    fn of(
        snapshot: &Snapshot,
        map: &LineMap,
        finding: &Diagnostic,
        shows_living: bool,
    ) -> Option<CausedFinding> {
        let origin = finding.place.map(|place| map.find_origin(place.line));
        let is_new = origin.is_some_and(|origin| !origin.is_same);
        if origin.is_some_and(|origin| origin.is_same && !snapshot.shows_line(origin.line)) {
            return None;
        }
        let message = if is_new || shows_living { &*finding.message } else { finding.code.title() };
        Some(CausedFinding {
            code: finding.code.id(),
            class: finding.class.name(),
            message: field(message),
            line_after: finding.place.map(|place| place.line),
        })
    }
}
