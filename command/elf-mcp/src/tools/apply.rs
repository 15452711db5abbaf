//! `changes`, `apply_proposal` and `undo`: what is proposed, what was applied, and the way back.

use super::propose::ProposalAnswer;
use super::{AssistantTool, Effect};
use crate::error::ToolError;
use crate::journal::JournalEntry;
use crate::page::{PageArgs, Pager};
use crate::proposals::Proposal;
use crate::session::{Session, unreadable};
use crate::snapshot::{Snapshot, hash_of, version_of};
use crate::twin::TOUCHES_HIDDEN;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) struct Changes;
pub(crate) struct Apply;
pub(crate) struct Undo;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ChangesArgs {
    /// The number of a proposal, to show the lines that it changes. Leave it out to list all proposals and changes.
    #[serde(default)]
    number: Option<u64>,
    #[serde(flatten)]
    page: PageArgs,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct ChangesAnswer {
    /// The proposal that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<ProposalAnswer>,
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
    /// `proposed`, `applied` or `undone`.
    state: &'static str,
    summary: String,
    /// When it was applied: seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    applied_at: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct NumberArgs {
    /// The number of the proposal.
    number: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AppliedAnswer {
    number: u64,
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
        server was started. With `number` it shows the lines that a proposal changes.";
    const EFFECT: Effect = Effect::Reads;
    type Args = ChangesArgs;
    type Answer = ChangesAnswer;

    fn run(session: &mut Session, args: ChangesArgs) -> Result<ChangesAnswer, ToolError> {
        if let Some(number) = args.number {
            let proposal = session.proposal(number)?.clone();
            let snapshot = current(session, &proposal)?;
            let proposal =
                ProposalAnswer::of(&snapshot, &proposal, session.options.shows_living, &args.page)?;
            return Ok(ChangesAnswer { proposal: Some(proposal), ..ChangesAnswer::default() });
        }
        // Reasons may name people who are hidden.
        session.read_changed_files();
        let entries = list(session)?;
        let warnings = session.files.iter().map(|file| file.journal.warning(&*session.disk));
        let warnings: Vec<String> = warnings.filter_map(Result::transpose).collect::<Result<_, _>>()?;
        let page = Pager::new(&args.page, "changes")?.with_room_for(&warnings).page(entries, |entry| entry);
        Ok(ChangesAnswer { proposal: None, changes: page.items, warnings, next_cursor: page.next_cursor })
    }
}

/// All proposals and changes, the newest first.
fn list(session: &Session) -> Result<Vec<ChangeEntry>, ToolError> {
    let mut entries = Vec::new();
    for file in &session.files {
        for entry in file.journal.entries(&*session.disk)? {
            entries.push(ChangeEntry {
                number: entry.number,
                file: file.name.clone(),
                state: if entry.undone { "undone" } else { "applied" },
                summary: summary_of(session, &entry),
                applied_at: Some(entry.applied_at),
            });
        }
    }
    for proposal in session.waiting_proposals() {
        entries.push(ChangeEntry {
            number: proposal.number,
            file: session.files.get(proposal.file).map(|file| file.name.clone()).unwrap_or_default(),
            state: "proposed",
            summary: proposal.summary.clone(),
            applied_at: None,
        });
    }
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.number));
    Ok(entries)
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
    type Args = NumberArgs;
    type Answer = AppliedAnswer;

    fn run(session: &mut Session, args: NumberArgs) -> Result<AppliedAnswer, ToolError> {
        let proposal = session.proposal(args.number)?.clone();
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
        let disk = &*session.disk;
        let mut entries = journal.entries(disk)?;
        let entry = JournalEntry {
            number: proposal.number,
            summary: proposal.summary.clone(),
            living_shown: session.options.shows_living,
            before: before.hash.clone(),
            after: hash.clone(),
            backup: journal.back_up(disk, proposal.number, &path, &bytes)?,
            applied_at: seconds_now(),
            undone: false,
        };
        entries.push(entry.clone());
        journal.write(disk, &entries)?;
        if let Err(error) = disk.write(&path, &new) {
            journal.take_back(disk, &entry)?;
            return Err(ToolError::new(format!("{name}: nothing was changed: {error}")));
        }
        let answer = AppliedAnswer {
            number: proposal.number,
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
    type Args = NumberArgs;
    type Answer = AppliedAnswer;

    fn run(session: &mut Session, args: NumberArgs) -> Result<AppliedAnswer, ToolError> {
        let at = find_file(session, args.number)?;
        let file = session.files.get(at).ok_or_else(|| ToolError::new("no such file"))?;
        let (disk, name) = (&*session.disk, file.name.clone());
        let lock = file.journal.lock(disk)?;
        let mut entries = file.journal.entries(disk)?;
        let position = find_entry(&entries, args.number, &name)?;
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
            file: name,
            state: "undone",
            summary: summary_of(session, &entry),
            version: version_of(&entry.before),
            backup: None,
        })
    }
}

/// Finds the file whose journal has a change.
fn find_file(session: &Session, number: u64) -> Result<usize, ToolError> {
    for (at, file) in session.files.iter().enumerate() {
        if file.journal.entries(&*session.disk)?.iter().any(|entry| entry.number == number) {
            return Ok(at);
        }
    }
    Err(unknown(number))
}

/// Finds a change that can be undone in the journal of the file `name`.
fn find_entry(entries: &[JournalEntry], number: u64, name: &str) -> Result<usize, ToolError> {
    // A server that proposed its change before another one applied and undid a change may use the same number.
    let position = entries.iter().rposition(|entry| entry.number == number).ok_or_else(|| unknown(number))?;
    let in_force: Vec<u64> = entries.iter().filter(|entry| !entry.undone).map(|entry| entry.number).collect();
    match in_force.last() {
        Some(last) if *last == number => Ok(position),
        Some(last) if in_force.contains(&number) => {
            Err(ToolError::new(format!("{name}: undo change {last} first: it was applied later")))
        }
        _ => Err(ToolError::new(format!("change {number} has been undone already"))),
    }
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
