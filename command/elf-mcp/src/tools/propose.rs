//! `propose_edits`, `propose_fact`, `propose_merge` and `propose_replacement`: changes that are shown before anything is changed.

use super::{AssistantTool, Effect};
use crate::error::ToolError;
use crate::lines::LineMap;
use crate::page::{PageArgs, Pager};
use crate::proposals::Proposal;
use crate::session::Session;
use crate::snapshot::Snapshot;
use crate::text::{NOTE, at_signs, bare, clean, field};
use crate::twin::{TOUCHES_HIDDEN, TwinEdit, TwinEditor, check_text};
use elf_base::Diagnostic;
use elf_edit::{ReplaceOptions, Replacement, Value};
use elf_lineage::{Person, TiesFollowed};
use elf_merge::RecordKind;
use elf_schema::Definition;
use elf_tagged::Target;
use elf_values::DateValue;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(crate) struct ProposeEdits;
pub(crate) struct ProposeFact;
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
pub(crate) struct FactArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// Why the fact is added, with the evidence. It is kept in the journal.
    reason: String,
    /// The identifier of the person or the family, such as `@I1@`.
    record: String,
    /// The kind: a word such as `birth`, `baptism`, `death`, `burial`, `marriage`, `occupation`, `residence`, or a tag such as
    /// `CENS`.
    kind: String,
    /// The date as GEDCOM writes it, such as `3 MAR 1850`, `ABT 1850` or `BET 1850 AND 1855`.
    #[serde(default)]
    date: Option<String>,
    #[serde(default)]
    place: Option<String>,
    /// The payload of an attribute, such as the occupation.
    #[serde(default)]
    value: Option<String>,
    #[serde(default)]
    note: Option<String>,
    /// The identifier of a source record, such as `@S1@`.
    #[serde(default)]
    source: Option<String>,
    /// Where in the source, such as `folio 12`.
    #[serde(default)]
    page: Option<String>,
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
    /// Of a merge: in what the two records differ. The tag of a fact that a person has only once, such as `BIRT`: both
    /// facts are kept. `HUSB became WIFE`: the role in the first record is kept. `CHAN was left out`: so is its change
    /// date.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conflicts: Vec<String>,
    /// For the next page of changes: pass it to `changes` with the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// Lines that are replaced.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LineChange {
    /// The line of the file before which or from which on lines change.
    cite: String,
    /// The lines that go.
    removed: Vec<String>,
    /// The lines that come.
    added: Vec<String>,
    /// True if more lines of this place change than are shown.
    #[serde(skip_serializing_if = "crate::answer::is_false")]
    cut: bool,
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
        proposal.";
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
        propose(session, args.file.as_deref(), &args.reason, |snapshot| {
            let mut editor = TwinEditor::new(snapshot);
            for (at, edit) in args.edits.iter().enumerate() {
                let applied = edit.apply(&mut editor);
                applied.map_err(|error| ToolError::new(format!("edit {}: {error}", at + 1)))?;
            }
            editor.finish()
        })
    }
}

impl AssistantTool for ProposeFact {
    const NAME: &'static str = "propose_fact";
    const TITLE: &'static str = "Propose a new fact";
    const ABOUT: &'static str = "Proposes to add an event or an attribute to a person or a family, with date, place, note and \
        source. Returns the new lines and the findings that they would cause, and changes nothing.";
    const EFFECT: Effect = Effect::Proposes;
    type Args = FactArgs;
    type Answer = ProposalAnswer;

    fn run(session: &mut Session, args: FactArgs) -> Result<ProposalAnswer, ToolError> {
        propose(session, args.file.as_deref(), &args.reason, |snapshot| {
            let mut editor = TwinEditor::new(snapshot);
            args.apply(snapshot, &mut editor)?;
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
        propose that next.";
    const EFFECT: Effect = Effect::Proposes;
    type Args = MergeArgs;
    type Answer = ProposalAnswer;

    fn run(session: &mut Session, args: MergeArgs) -> Result<ProposalAnswer, ToolError> {
        let snapshot = session.snapshot(args.file.as_deref())?;
        let kind = args.kind(&snapshot)?;
        let (keep, remove) = (bare(&args.keep), bare(&args.remove));
        propose(session, args.file.as_deref(), &args.reason, |snapshot| {
            TwinEdit::of_merge(snapshot, keep, remove, kind)
        })
    }
}

impl AssistantTool for ProposeReplacement {
    const NAME: &'static str = "propose_replacement";
    const TITLE: &'static str = "Propose to replace text";
    const ABOUT: &'static str = "Proposes to replace text in all payloads of some tags, such as a misspelled place in `PLAC`. \
        Returns the lines that would change, and changes nothing. Hidden records are left alone.";
    const EFFECT: Effect = Effect::Proposes;
    type Args = ReplacementArgs;
    type Answer = ProposalAnswer;

    fn run(session: &mut Session, args: ReplacementArgs) -> Result<ProposalAnswer, ToolError> {
        let mut options = ReplaceOptions::default();
        options.whole = args.whole;
        check_text(&args.to)?;
        let replacement = Replacement::new(&args.from, &args.to, options);
        let replacement = replacement.map_err(|error| ToolError::new(format!("`from`: {error}")))?;
        if args.tags.is_empty() {
            return Err(ToolError::new("`tags` is empty: expected tags such as `PLAC`"));
        }
        if args.tags.iter().any(|tag| tag == "CHAR") {
            return Err(ToolError::new(
                "`CHAR` names the encoding of the file, so it is not replaced: `elf convert` changes the encoding",
            ));
        }
        propose(session, args.file.as_deref(), &args.reason, |snapshot| {
            let mut editor = TwinEditor::new(snapshot);
            match editor.replace(&args.tags, &replacement)? {
                0 => Err(ToolError::new("no payload of these tags contains the text")),
                _ => editor.finish(),
            }
        })
    }
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
fn propose(
    session: &mut Session,
    file: Option<&str>,
    reason: &str,
    make: impl FnOnce(&Snapshot) -> Result<TwinEdit, ToolError>,
) -> Result<ProposalAnswer, ToolError> {
    if reason.trim().is_empty() {
        return Err(ToolError::new("`reason` is empty: say why, and name the evidence"));
    }
    let at = session.file_number(file)?;
    let snapshot: Arc<Snapshot> = session.snapshot_at(at)?;
    let edit = make(&snapshot)?;
    let proposal = session.propose(at, &snapshot, clean(reason.trim(), NOTE).text, edit)?;
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
                let value = value.as_deref().map_or(Value::None, Value::of);
                let id = id.as_deref().map(bare);
                editor.insert(under.as_deref(), id, tag, &value).map(|_| ())
            }
        }
    }
}

/// The words for the kinds of facts, and their tags.
const KINDS: [(&str, &str); 26] = [
    ("adoption", "ADOP"),
    ("baptism", "BAPM"),
    ("birth", "BIRT"),
    ("burial", "BURI"),
    ("census", "CENS"),
    ("christening", "CHR"),
    ("confirmation", "CONF"),
    ("cremation", "CREM"),
    ("death", "DEAT"),
    ("divorce", "DIV"),
    ("education", "EDUC"),
    ("emigration", "EMIG"),
    ("engagement", "ENGA"),
    ("event", "EVEN"),
    ("graduation", "GRAD"),
    ("immigration", "IMMI"),
    ("marriage", "MARR"),
    ("marriage banns", "MARB"),
    ("nationality", "NATI"),
    ("naturalization", "NATU"),
    ("occupation", "OCCU"),
    ("probate", "PROB"),
    ("religion", "RELI"),
    ("residence", "RESI"),
    ("retirement", "RETI"),
    ("will", "WILL"),
];

/// The tags of attributes, which say nothing without a payload.
const ATTRIBUTES: [&str; 12] =
    ["CAST", "DSCR", "EDUC", "FACT", "IDNO", "NATI", "NCHI", "NMR", "OCCU", "PROP", "RELI", "TITL"];

/// What a standard says about a fact in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FactRule {
    /// An event, of which `Y` says that it happened.
    Event,
    /// Another fact, or one that no standard has.
    Other,
}

/// Finds out what a standard says about a tag in the record with an identifier. Fails if the tag is only allowed in other
/// records.
fn rule_of_fact(snapshot: &Snapshot, record: &str, tag: &str) -> Result<FactRule, ToolError> {
    let schema = snapshot.typed.schema();
    let Target::One(record) = snapshot.typed.document().resolve(record) else {
        return Err(ToolError::new(format!(
            "{}: no record has the identifier {}",
            snapshot.name,
            at_signs(record)
        )));
    };
    let of_record = snapshot.typed.type_id(record).into_iter().flat_map(|of| schema.definitions_in(of));
    let found: Vec<Definition<'_>> = of_record.filter(|definition| definition.tag() == tag).collect();
    let is_known = || schema.definitions().any(|definition| definition.tag() == tag);
    if found.is_empty() && !tag.starts_with('_') && is_known() {
        return Err(ToolError::new(format!(
            "`{tag}` does not belong in a {} record; `explain` with `tag` says where it does",
            field(record.tag())
        )));
    }
    let is_event = |iri: &str| {
        let supertypes = schema.type_of(iri).into_iter().flat_map(|of| schema.eventual_supertypes(of));
        supertypes.filter_map(|of| schema.iri(of)).any(|iri| EVENT_TYPES.contains(&iri))
    };
    let says_happened = !tag.starts_with('_')
        && tag != "EVEN"
        && found.iter().any(|definition| is_event(definition.structure_type()));
    Ok(if says_happened { FactRule::Event } else { FactRule::Other })
}

/// The types of events that may have the payload `Y`.
const EVENT_TYPES: [&str; 2] =
    ["https://terms.fhiso.org/elf/IndividualEvent", "https://terms.fhiso.org/elf/FamilyEvent"];

impl FactArgs {
    fn apply(&self, snapshot: &Snapshot, editor: &mut TwinEditor<'_>) -> Result<(), ToolError> {
        let tag = tag_of(&self.kind)?;
        let rule = rule_of_fact(snapshot, bare(&self.record), tag)?;
        let text = |value: &Option<String>| {
            value.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let [date, place, value, note, page] =
            [&self.date, &self.place, &self.value, &self.note, &self.page].map(text);
        if let Some(date) = date.as_deref().filter(|date| DateValue::parse(date).is_err()) {
            return Err(ToolError::new(format!(
                "`{date}` is not a date: expected one such as `3 MAR 1850`, `ABT 1850`, `BET 1850 AND 1855`, or words in \
                 parentheses; `explain` with `date` says what is wrong"
            )));
        }
        if ATTRIBUTES.contains(&tag) && value.is_none() {
            return Err(ToolError::new(format!("`{tag}` needs a `value`")));
        }
        if page.is_some() && self.source.is_none() {
            return Err(ToolError::new("`page` needs a `source`"));
        }
        let is_bare = date.is_none() && place.is_none() && note.is_none() && self.source.is_none();
        let payload = match (value, rule) {
            (Some(value), _) => Value::Text(value),
            (None, FactRule::Event) if is_bare => Value::Text("Y".to_owned()),
            (None, FactRule::Other) if is_bare => {
                return Err(ToolError::new(format!(
                    "`{tag}` needs a date, a place, a value, a note or a source"
                )));
            }
            (None, _) => Value::None,
        };
        let record = format!("@{}@", bare(&self.record));
        let fact = editor.insert(Some(&record), None, tag, &payload)?;
        for (tag, text) in [("DATE", date), ("PLAC", place), ("NOTE", note)] {
            if let Some(text) = text {
                editor.insert_under(Some(fact), None, tag, &Value::Text(text))?;
            }
        }
        if let Some(source) = &self.source {
            let pointer = Value::Pointer(bare(source).to_owned());
            editor.check_new_value(&pointer)?;
            let citation = editor.insert_under(Some(fact), None, "SOUR", &pointer)?;
            if let Some(page) = page {
                editor.insert_under(Some(citation), None, "PAGE", &Value::Text(page))?;
            }
        }
        Ok(())
    }
}

/// The tag of a kind of fact.
fn tag_of(kind: &str) -> Result<&str, ToolError> {
    let kind = kind.trim();
    let known = KINDS.into_iter().find(|(word, tag)| word.eq_ignore_ascii_case(kind) || *tag == kind);
    if let Some((_, tag)) = known {
        return Ok(tag);
    }
    let is_tag = kind.len() >= 3
        && kind.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_');
    match is_tag {
        true => Ok(kind),
        false => {
            let words: Vec<&str> = KINDS.into_iter().map(|(word, _)| word).collect();
            Err(ToolError::new(format!(
                "unknown kind `{kind}`: expected a tag or one of {}",
                words.join(", ")
            )))
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
            next_cursor: None,
        };
        let pager = Pager::new(page, &snapshot.version)?.with_room_for(&answer);
        let page = pager.page(&proposal.edit.patches, |patch| LineChange::of(snapshot, patch));
        answer.changes = page.items;
        answer.next_cursor = page.next_cursor;
        Ok(answer)
    }
}

impl LineChange {
    fn of(snapshot: &Snapshot, patch: &elf_tagged::elf_octets::Patch) -> LineChange {
        /// The most lines of one place that are shown.
        const MOST_LINES: usize = 20;
        let source = snapshot.file().document().source();
        let removed = patch.lines.clone().take(MOST_LINES);
        let removed = removed.map(|line| clean(source.line_text(line).unwrap_or_default(), NOTE).text);
        let added = patch.with.lines().take(MOST_LINES).map(|line| clean(line, NOTE).text);
        let gone = patch.lines.end.saturating_sub(patch.lines.start);
        LineChange {
            cite: format!("{}:{}", snapshot.name, patch.lines.start),
            removed: removed.collect(),
            added: added.collect(),
            cut: gone > MOST_LINES as u64 || patch.with.lines().nth(MOST_LINES).is_some(),
        }
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
