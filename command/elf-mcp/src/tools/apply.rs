//! `changes`, `apply_proposal` and `undo`: what is proposed, what was applied, and the way back.

use super::propose::ProposalAnswer;
use super::{AssistantTool, Effect};
use crate::changed_lines::LineChange;
use crate::error::ToolError;
use crate::journal::{JournalEntry, lines_for_journal};
use crate::page::{PageArgs, Pager};
use crate::proposals::{ChangeKind, Proposal};
use crate::session::{Session, unreadable};
use crate::snapshot::{Snapshot, hash_of, version_of};
use crate::text::field;
use crate::twin::TOUCHES_HIDDEN;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) struct Changes;
pub(crate) struct Apply;
pub(crate) struct Undo;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ChangesArgs {
    /// The number of a proposal or a change, to show its lines. Leave it out to list all proposals and changes.
    #[serde(default)]
    number: Option<u64>,
    /// The name of the file. Without it, those of all files are listed. With `number`, it is needed only if several files
    /// have a change with this number.
    #[serde(default)]
    file: Option<String>,
    #[serde(flatten)]
    page: PageArgs,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct ChangesAnswer {
    /// The proposal that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<ProposalAnswer>,
    /// The applied or undone change that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<ChangeAnswer>,
    /// The proposals and changes, the newest first.
    changes: Vec<ChangeEntry>,
    /// Journals of which the last line is not complete.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ChangeEntry {
    number: u64,
    file: String,
    /// `proposed`, `outdated`, `applied` or `undone`. An outdated proposal cannot be applied, because the file has changed
    /// since: propose the change again.
    state: &'static str,
    summary: String,
    /// When it was applied, such as `2026-11-29T18:35:31Z`.
    #[serde(skip_serializing_if = "Option::is_none")]
    applied_at: Option<String>,
}

/// A change that was applied, as far as the journal keeps it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ChangeAnswer {
    number: u64,
    file: String,
    /// What the change does. Left out, as the number of places is, if the change was made with `--living` and people are
    /// hidden now.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<ChangeKind>,
    /// `applied` or `undone`.
    state: &'static str,
    /// The reason that was given.
    summary: String,
    /// When it was applied, such as `2026-11-29T18:35:31Z`.
    #[serde(skip_serializing_if = "Option::is_none")]
    applied_at: Option<String>,
    /// The name of the backup with the file as it was before the change, in the folder for backups.
    backup: String,
    /// The number of places that were changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_changes: Option<usize>,
    /// The lines that were changed, by the lines before the change. The journal keeps the first ones of a large change.
    changes: Vec<LineChange>,
    /// True if lines are not shown because people who may be living are hidden. They may or may not be about such people.
    #[serde(skip_serializing_if = "crate::answer::is_false")]
    lines_are_hidden: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ApplyArgs {
    /// The number of the proposal.
    number: u64,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct UndoArgs {
    /// The number of the change.
    number: u64,
    /// The name of the file; needed only if several files have a change with this number.
    #[serde(default)]
    file: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AppliedAnswer {
    /// The number of the change, for `undo`.
    number: u64,
    /// The number that the proposal had, if the change has another one. This happens if another server has applied a
    /// change with the number of the proposal.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<u64>,
    file: String,
    /// `applied` or `undone`.
    state: &'static str,
    summary: String,
    /// The version of the file now.
    version: String,
    /// The name of the backup with the file as it was before the change, in the folder for backups.
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<String>,
}

/// What is said of a change that was made while living people were shown, or whose reason names one.
const NOT_SHOWN: &str = "(the reason is hidden, because it may name people who may be living)";

impl AssistantTool for Changes {
    const NAME: &'static str = "changes";
    const TITLE: &'static str = "Proposals and changes";
    const ABOUT: &'static str = "Lists the proposals that wait, and the changes that were applied or undone, also before the \
        server was started. With `number` it shows the lines of one of them.";
    const EFFECT: Effect = Effect::Reads;
    type Args = ChangesArgs;
    type Answer = ChangesAnswer;

    fn run(session: &mut Session, args: ChangesArgs) -> Result<ChangesAnswer, ToolError> {
        let only = args.file.as_deref().map(|name| session.file_number(Some(name))).transpose()?;
        // Reasons may name people who are hidden.
        session.read_changed_files();
        if let Some(number) = args.number {
            return show(session, number, only, &args.page);
        }
        let entries = list(session, only)?;
        let warnings = session.files.iter().map(|file| file.journal.warning(&*session.disk));
        let warnings: Vec<String> = warnings.filter_map(Result::transpose).collect::<Result<_, _>>()?;
        let page = Pager::new(&args.page, "changes")?.with_room_for(&warnings).page(entries, |entry| entry);
        Ok(ChangesAnswer {
            changes: page.items,
            warnings,
            next_cursor: page.next_cursor,
            ..ChangesAnswer::default()
        })
    }
}

/// Shows a proposal, or a change that was applied, or both if another server has used the number of the proposal.
fn show(
    session: &mut Session,
    number: u64,
    file: Option<usize>,
    page: &PageArgs,
) -> Result<ChangesAnswer, ToolError> {
    let change = match find_change(session, number, file)? {
        Some((at, entry)) => Some(ChangeAnswer::of(session, at, &entry)?),
        None => None,
    };
    let proposal =
        session.proposal(number).filter(|proposal| file.is_none_or(|at| at == proposal.file)).cloned();
    let proposal = proposal.map(|proposal| {
        let snapshot = current(session, &proposal)?;
        ProposalAnswer::of(&snapshot, &proposal, session.options.shows_living, page)
    });
    let proposal = match (proposal, &change) {
        (None, None) => return Err(unknown_proposal(number)),
        (Some(Err(error)), None) => return Err(error),
        (Some(Ok(proposal)), _) => Some(proposal),
        // The proposal is outdated.
        (Some(Err(_)) | None, Some(_)) => None,
    };
    Ok(ChangesAnswer { proposal, change, ..ChangesAnswer::default() })
}

impl ChangeAnswer {
    fn of(session: &mut Session, at: usize, entry: &JournalEntry) -> Result<ChangeAnswer, ToolError> {
        let shows_living = session.options.shows_living;
        let shows_lines = shows_living || shows_lines_of(session, at, entry)?;
        let is_open = shows_living || !entry.living_shown;
        Ok(ChangeAnswer {
            number: entry.number,
            file: session.files.get(at).map(|file| file.name.clone()).unwrap_or_default(),
            kind: is_open.then_some(entry.kind),
            state: state_of(entry),
            summary: summary_of(session, entry),
            applied_at: entry.time(),
            backup: field(&entry.backup),
            total_changes: is_open.then_some(entry.total_changes),
            changes: match shows_lines {
                true => entry.lines.iter().map(LineChange::cleaned).collect(),
                false => Vec::new(),
            },
            lines_are_hidden: !shows_lines,
        })
    }
}

/// Returns whether the lines of a change may be shown while people who may be living are hidden. The lines are those of
/// another version of the file, so they are shown only if nothing of their records is hidden now. If something else has
/// changed the file since, an identifier may be that of somebody else, so no line is shown.
fn shows_lines_of(session: &mut Session, at: usize, entry: &JournalEntry) -> Result<bool, ToolError> {
    let lines: Vec<String> = entry.lines.iter().map(LineChange::payloads).collect();
    if entry.living_shown || lines.iter().any(|text| session.names_hidden(text)) {
        return Ok(false);
    }
    let Some(file) = session.files.get(at) else { return Ok(false) };
    let entries = file.journal.entries(&*session.disk)?;
    // A later change that was made with `--living` may have merged a record of the lines into a hidden one.
    if entries.iter().any(|other| other.living_shown && !other.undone && other.number > entry.number) {
        return Ok(false);
    }
    let snapshot = session.snapshot_at(at)?;
    // The versions that this server has made from the one of the change, or the other way round.
    let mut versions: HashSet<&str> = HashSet::from([&*entry.before, &*entry.after]);
    for other in entries.iter().chain(entries.iter().rev()) {
        let pair = [&*other.before, &*other.after];
        if pair.iter().any(|version| versions.contains(version)) {
            versions.extend(pair);
        }
    }
    let mut records = entry.lines.iter().flat_map(|change| &change.records);
    Ok(versions.contains(&*snapshot.hash)
        && entry.lines.iter().all(|change| !change.records.is_empty())
        && records.all(|record| snapshot.shows_whole_record(record)))
}

/// All proposals and changes, the newest first; those of one file if it is given.
fn list(session: &mut Session, only: Option<usize>) -> Result<Vec<ChangeEntry>, ToolError> {
    let hashes: Vec<Option<String>> = (0..session.files.len())
        .map(|at| session.snapshot_at(at).ok().map(|snapshot| snapshot.hash.clone()))
        .collect();
    let mut entries = Vec::new();
    for (at, file) in session.files.iter().enumerate().filter(|(at, _)| only.is_none_or(|only| only == *at)) {
        for entry in file.journal.entries(&*session.disk)? {
            entries.push(ChangeEntry {
                number: entry.number,
                file: file.name.clone(),
                state: state_of(&entry),
                summary: summary_of(session, &entry),
                applied_at: entry.time(),
            });
        }
        let hash = hashes.get(at).and_then(Option::as_ref);
        for proposal in session.waiting_proposals().filter(|proposal| proposal.file == at) {
            entries.push(ChangeEntry {
                number: proposal.number,
                file: file.name.clone(),
                state: match hash {
                    Some(hash) if *hash != proposal.hash => "outdated",
                    _ => "proposed",
                },
                summary: proposal.summary.clone(),
                applied_at: None,
            });
        }
    }
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.number));
    Ok(entries)
}

const fn state_of(entry: &JournalEntry) -> &'static str {
    if entry.undone { "undone" } else { "applied" }
}

fn summary_of(session: &Session, entry: &JournalEntry) -> String {
    let is_hidden =
        !session.options.shows_living && entry.living_shown || session.names_hidden(&entry.summary);
    match is_hidden {
        true => NOT_SHOWN.to_owned(),
        false => crate::text::clean(&entry.summary, crate::text::NOTE).text,
    }
}

impl AssistantTool for Apply {
    const NAME: &'static str = "apply_proposal";
    const TITLE: &'static str = "Apply a proposal";
    const ABOUT: &'static str = "Applies a proposal: only its lines change, and the file as it was is kept as a backup. Ask the \
        user first. A file that has changed since the proposal was made is not touched. `undo` takes the change back.";
    const EFFECT: Effect = Effect::Changes;
    type Args = ApplyArgs;
    type Answer = AppliedAnswer;

    fn run(session: &mut Session, args: ApplyArgs) -> Result<AppliedAnswer, ToolError> {
        let proposal = session.proposal(args.number).cloned().ok_or_else(|| unknown_proposal(args.number))?;
        let before = current(session, &proposal)?;
        let source = before.file().document().source();
        let new = source.splice(&proposal.edit.patches);
        let new = new.map_err(|error| ToolError::new(format!("the change cannot be written: {error}")))?;
        let hash = hash_of(&new);
        let file = session.files.get(proposal.file).ok_or_else(|| ToolError::new("no such file"))?;
        let (journal, path, name) = (file.journal.clone(), file.path.clone(), file.name.clone());
        // Another server may change the file and its journal, but not while this one has the lock.
        let lock = journal.lock(&*session.disk)?;
        let bytes = session.bytes_of(proposal.file, &before)?;
        let bytes = bytes.ok_or_else(|| outdated(&proposal, &name))?;
        let mut entries = journal.entries(&*session.disk)?;
        // Another server may have given the number too, and `undo` must know which change is meant.
        let number = match entries.iter().any(|entry| entry.number == proposal.number) {
            true => session.new_number()?,
            false => proposal.number,
        };
        let disk = &*session.disk;
        let entry = JournalEntry {
            number,
            summary: proposal.summary.clone(),
            living_shown: session.options.shows_living,
            before: before.hash.clone(),
            after: hash.clone(),
            backup: journal.back_up(disk, number, &path, &bytes)?,
            applied_at: seconds_now(),
            undone: false,
            kind: proposal.kind,
            lines: lines_for_journal(&before, &proposal.edit.patches),
            total_changes: proposal.edit.patches.len(),
        };
        entries.push(entry.clone());
        journal.write(disk, &entries)?;
        if let Err(error) = disk.write(&path, &new) {
            journal.take_back(disk, &entry)?;
            return Err(ToolError::new(format!("{name}: nothing was changed: {error}")));
        }
        let answer = AppliedAnswer {
            number,
            proposal: (number != proposal.number).then_some(proposal.number),
            file: name,
            state: "applied",
            summary: proposal.summary.clone(),
            version: version_of(&hash),
            backup: Some(entry.backup),
        };
        // The server reads the new file once it has sent this answer.
        session.forget_snapshot(proposal.file);
        drop(lock);
        session.drop_proposal(proposal.number);
        Ok(answer)
    }
}

/// The file of a proposal, if it is still as it was when the proposal was made.
fn current(session: &mut Session, proposal: &Proposal) -> Result<Arc<Snapshot>, ToolError> {
    let snapshot = session.snapshot_at(proposal.file)?;
    if snapshot.hash != proposal.hash {
        return Err(outdated(proposal, &snapshot.name));
    }
    // Meanwhile another file may name someone who is hidden there.
    match proposal.edit.patches.iter().any(|patch| snapshot.hides_lines_of(patch)) {
        true => Err(ToolError::new(TOUCHES_HIDDEN)),
        false => Ok(snapshot),
    }
}

fn outdated(proposal: &Proposal, name: &str) -> ToolError {
    ToolError::new(format!(
        "{name}: the file has changed since proposal {} was made, so the proposal no longer fits. Look at the file as it is \
         now, and propose the change again",
        proposal.number
    ))
}

impl AssistantTool for Undo {
    const NAME: &'static str = "undo";
    const TITLE: &'static str = "Undo a change";
    const ABOUT: &'static str = "Takes the last applied change of a file back, also after a restart: the file gets the bytes that \
        it had before. To undo an older change, undo the later ones first. A file that something else has changed since is \
        not touched.";
    const EFFECT: Effect = Effect::Changes;
    type Args = UndoArgs;
    type Answer = AppliedAnswer;

    fn run(session: &mut Session, args: UndoArgs) -> Result<AppliedAnswer, ToolError> {
        let only = args.file.as_deref().map(|name| session.file_number(Some(name))).transpose()?;
        let (at, _) = find_change(session, args.number, only)?.ok_or_else(|| unknown(args.number))?;
        let file = session.files.get(at).ok_or_else(|| ToolError::new("no such file"))?;
        let (disk, name) = (&*session.disk, file.name.clone());
        let lock = file.journal.lock(disk)?;
        let mut entries = file.journal.entries(disk)?;
        let position = find_undoable(&entries, args.number, &name)?;
        let entry = entries.get_mut(position).ok_or_else(|| ToolError::new("no such change"))?;
        if entry.living_shown && !session.options.shows_living {
            return Err(ToolError::new(format!(
                "change {} was made while people who may be living were shown, and without it something that is hidden might be \
                 shown. The user can start the server with `--living` to undo it",
                entry.number
            )));
        }
        let now =
            disk.read(&file.path, crate::session::LARGEST).map_err(|error| unreadable(&name, &error))?;
        let now = now.map(|bytes| hash_of(&bytes)).unwrap_or_default();
        // The server may have been stopped before it wrote the file, or the journal.
        if now != entry.before {
            if now != entry.after {
                return Err(ToolError::new(format!(
                    "{name}: the file has changed since change {} was applied, so it is not touched. The file as it was before \
                     is the backup `{}`",
                    entry.number, entry.backup
                )));
            }
            let old = backup_of(disk, file, entry)?;
            disk.write(&file.path, &old)
                .map_err(|error| ToolError::new(format!("{name}: nothing was changed: {error}")))?;
        }
        entry.undone = true;
        let entry = entry.clone();
        file.journal.write(disk, &entries)?;
        drop(lock);
        session.forget_snapshot(at);
        Ok(AppliedAnswer {
            number: entry.number,
            proposal: None,
            file: name,
            state: "undone",
            summary: summary_of(session, &entry),
            version: version_of(&entry.before),
            backup: None,
        })
    }
}

/// Finds a change that was applied, and its file. Of several changes with the number in one journal, which earlier versions
/// could write, the last one that is in force counts. Fails if several files have such a change.
fn find_change(
    session: &Session,
    number: u64,
    only: Option<usize>,
) -> Result<Option<(usize, JournalEntry)>, ToolError> {
    let mut found: Vec<(usize, JournalEntry)> = Vec::new();
    for (at, file) in session.files.iter().enumerate().filter(|(at, _)| only.is_none_or(|only| only == *at)) {
        let entries = file.journal.entries(&*session.disk)?;
        if let Some(entry) = find_entry(&entries, number).and_then(|position| entries.get(position)) {
            found.push((at, entry.clone()));
        }
    }
    match found.len() {
        0 | 1 => Ok(found.pop()),
        _ => {
            let names = found.iter().filter_map(|(at, _)| session.files.get(*at));
            let names: Vec<String> = names.map(|file| format!("`{}`", file.name)).collect();
            Err(ToolError::new(format!(
                "several files have a change {number}: set `file` to one of {}",
                names.join(", ")
            )))
        }
    }
}

/// Finds a change by its number.
fn find_entry(entries: &[JournalEntry], number: u64) -> Option<usize> {
    let in_force = entries.iter().rposition(|entry| entry.number == number && !entry.undone);
    in_force.or_else(|| entries.iter().rposition(|entry| entry.number == number))
}

/// Finds a change that can be undone in the journal of the file `name`.
fn find_undoable(entries: &[JournalEntry], number: u64, name: &str) -> Result<usize, ToolError> {
    let position = find_entry(entries, number).ok_or_else(|| unknown(number))?;
    if entries.get(position).is_none_or(|entry| entry.undone) {
        return Err(ToolError::new(format!("change {number} has been undone already")));
    }
    match entries.iter().skip(position + 1).rfind(|entry| !entry.undone) {
        Some(later) => {
            Err(ToolError::new(format!("{name}: undo change {} first: it was applied later", later.number)))
        }
        None => Ok(position),
    }
}

fn unknown_proposal(number: u64) -> ToolError {
    ToolError::new(format!(
        "there is no proposal {number}: `changes` lists the proposals and what was applied. Proposals are lost when the server \
         restarts"
    ))
}

fn unknown(number: u64) -> ToolError {
    ToolError::new(format!("there is no applied change {number}: `changes` lists them"))
}

/// The file as it was before a change.
fn backup_of(
    disk: &dyn crate::disk::Disk,
    file: &crate::session::ServedFile,
    entry: &JournalEntry,
) -> Result<Vec<u8>, ToolError> {
    let lost =
        |reason: &str| ToolError::new(format!("the backup `{}` cannot be used: {reason}", entry.backup));
    let path =
        file.journal.backup(&entry.backup).ok_or_else(|| lost("its name is not one of this server"))?;
    let bytes = disk.read(&path, crate::session::LARGEST).map_err(|error| lost(&error.to_string()))?;
    let bytes = bytes.ok_or_else(|| lost("it is too large"))?;
    match hash_of(&bytes) == entry.before {
        true => Ok(bytes),
        false => Err(lost("it has been changed")),
    }
}

fn seconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
