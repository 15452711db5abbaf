//! The journal of the changes of a file, beside their backups. It is what makes a change undoable after a restart.

use crate::changed_lines::{ChangeDescriber, LineChange};
use crate::disk::Disk;
use crate::error::ToolError;
use crate::proposals::ChangeKind;
use crate::snapshot::Snapshot;
use elf_tagged::elf_octets::Patch;
use elf_values::iso_day;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The largest journal that is read and written, in bytes.
const LARGEST: u64 = 16 << 20;

/// The journal of one file.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
}

/// A change that was applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JournalEntry {
    /// The number of the change, which no other one in the journal has.
    pub(crate) number: u64,
    /// What the change does.
    pub(crate) summary: String,
    /// True if people who may be living were shown when the change was made, so that the summary may name them.
    pub(crate) living_shown: bool,
    /// The hash of the file before the change.
    pub(crate) before: String,
    /// The hash of the file after it.
    pub(crate) after: String,
    /// The name of the backup in the folder.
    pub(crate) backup: String,
    /// When the change was applied: seconds since 1970.
    pub(crate) applied_at: u64,
    /// True if the change was taken back.
    pub(crate) undone: bool,
    /// What the change does. Journals of older versions have neither this nor the lines.
    #[serde(default)]
    pub(crate) kind: ChangeKind,
    /// The first lines that were changed, as far as there is room for them.
    #[serde(default)]
    pub(crate) lines: Vec<LineChange>,
    /// The number of places that were changed.
    #[serde(default)]
    pub(crate) total_changes: usize,
}

/// The most bytes of the lines of one entry, as JSON.
const MOST_LINES: usize = 4_000;

/// Returns the first changes of a patched file, for the journal.
pub(crate) fn lines_for_journal(snapshot: &Snapshot, patches: &[Patch]) -> Vec<LineChange> {
    let describer = ChangeDescriber::new(snapshot);
    let size = |change: &LineChange| serde_json::to_vec(change).map_or(usize::MAX, |json| json.len());
    let (mut kept, mut room): (Vec<LineChange>, usize) = (Vec::new(), MOST_LINES);
    for part in patches.iter().flat_map(|patch| describer.parts(patch)) {
        let mut change = describer.describe(part);
        // At least the first lines of the first place are kept.
        while kept.is_empty() && size(&change) > room && change.drop_last_line() {}
        let Some(rest) = room.checked_sub(size(&change)) else {
            if let Some(last) = kept.last_mut() {
                last.cut = true;
            }
            break;
        };
        room = rest;
        kept.push(change);
    }
    kept
}

/// The Julian day number of 1 January 1970.
const DAY_OF_1970: i64 = 2_440_588;

impl JournalEntry {
    /// When the change was applied, as in RFC 3339; `None` if no calendar has the day.
    pub(crate) fn time(&self) -> Option<String> {
        let day = iso_day(i64::try_from(self.applied_at / 86_400).ok()?.checked_add(DAY_OF_1970)?)?;
        let (hours, minutes, seconds) =
            (self.applied_at / 3_600 % 24, self.applied_at / 60 % 60, self.applied_at % 60);
        Some(format!("{day}T{hours:02}:{minutes:02}:{seconds:02}Z"))
    }
}

/// What a journal contains.
#[derive(Debug, Default)]
struct JournalContent {
    entries: Vec<JournalEntry>,
    /// The number of the last line, if it is not complete: the computer may have stopped while the line was written.
    torn_line: Option<usize>,
    bytes: Vec<u8>,
}

impl Journal {
    /// The journal of a file: in a folder beside it, or in `folder`.
    pub(crate) fn new(file: &Path, folder: Option<&Path>) -> Journal {
        let mut name = file.file_name().map_or_else(|| OsString::from("file"), OsString::from);
        name.push(".undo");
        Journal { folder: folder.map_or_else(|| file.with_file_name(&name), |folder| folder.join(&name)) }
    }

    /// Locks the journal until the value is dropped. Hold the lock while the file, its backups and its journal change,
    /// and read the journal only then: another server may have written it just before.
    pub(crate) fn lock(&self, disk: &dyn Disk) -> Result<Box<dyn Any>, ToolError> {
        let wrong = |error: std::io::Error| {
            ToolError::new(format!("the journal cannot be locked, so nothing was changed: {error}"))
        };
        disk.create_folder(&self.folder).map_err(wrong)?;
        disk.lock(&self.folder.join("lock")).map_err(wrong)
    }

    /// Reads the entries, in their order. There are none if there is no journal.
    pub(crate) fn entries(&self, disk: &dyn Disk) -> Result<Vec<JournalEntry>, ToolError> {
        Ok(self.read(disk)?.entries)
    }

    /// Returns a warning if the last line of the journal is not complete.
    pub(crate) fn warning(&self, disk: &dyn Disk) -> Result<Option<String>, ToolError> {
        let torn = self.read(disk)?.torn_line;
        Ok(torn.map(|line| {
            format!(
                "line {line} of the journal `{}` is not complete, so the last change may be missing from this list, and `undo` \
                 does not know it. Its backup is in the folder of the journal",
                self.path().display()
            )
        }))
    }

    fn read(&self, disk: &dyn Disk) -> Result<JournalContent, ToolError> {
        let bytes = match disk.read(&self.path(), LARGEST) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(JournalContent::default()),
            Err(error) => return Err(self.wrong(&error.to_string())),
            Ok(None) => return Err(self.full()),
            Ok(Some(bytes)) => bytes,
        };
        let lines = bytes.split(|byte| *byte == b'\n').zip(1_usize..);
        let last = lines.clone().count();
        let mut content = JournalContent::default();
        for (line, number) in lines.filter(|(line, _)| !line.trim_ascii().is_empty()) {
            match serde_json::from_slice(line) {
                Ok(entry) => content.entries.push(entry),
                // Only the last line can be torn, and then it has no end.
                Err(_) if number == last && !bytes.ends_with(b"\n") => content.torn_line = Some(number),
                Err(_) => return Err(self.damaged(number)),
            }
        }
        content.bytes = bytes;
        Ok(content)
    }

    /// Writes all entries. A journal whose last line is not complete is kept under another name. Fails if the journal would
    /// be too large to be read again.
    pub(crate) fn write(&self, disk: &dyn Disk, entries: &[JournalEntry]) -> Result<(), ToolError> {
        let mut text = String::new();
        for entry in entries {
            text += &serde_json::to_string(entry).map_err(|error| self.wrong(&error.to_string()))?;
            text.push('\n');
        }
        if text.len() as u64 > LARGEST {
            return Err(self.full());
        }
        let before = self.read(disk)?;
        if before.torn_line.is_some() {
            let name = |number: u64| format!("journal-{number}-not-complete.jsonl");
            self.write_new(disk, name, 1, &before.bytes).map_err(|reason| self.wrong(&reason))?;
        }
        disk.write(&self.path(), text.as_bytes()).map_err(|error| self.wrong(&error.to_string()))
    }

    /// Removes the entry of a change that could not be made. Other entries stay, also those that another server has added
    /// where files cannot be locked.
    pub(crate) fn take_back(&self, disk: &dyn Disk, entry: &JournalEntry) -> Result<(), ToolError> {
        let mut entries = self.entries(disk)?;
        if let Some(at) = entries.iter().rposition(|other| other == entry) {
            entries.remove(at);
        }
        self.write(disk, &entries)
    }

    /// Keeps the bytes of a file before a change. Returns the name of the backup, which starts with the number of the change
    /// or, if that is taken, with the next free one. It may be taken if the journal was moved away.
    pub(crate) fn back_up(
        &self,
        disk: &dyn Disk,
        number: u64,
        file: &Path,
        bytes: &[u8],
    ) -> Result<String, ToolError> {
        let file = file.file_name().map_or_else(|| "file".into(), |name| name.to_string_lossy());
        let wrong = |reason: &str| {
            ToolError::new(format!("no backup can be written, so nothing was changed: {reason}"))
        };
        let name = |number: u64| format!("{number:04}-before-{file}");
        self.write_new(disk, name, number, bytes).map_err(|reason| wrong(&reason))
    }

    /// Writes a new file into the folder, with the first number from `first` on whose name is free. Returns the name, or
    /// the reason why no file can be written.
    fn write_new(
        &self,
        disk: &dyn Disk,
        name: impl Fn(u64) -> String,
        first: u64,
        bytes: &[u8],
    ) -> Result<String, String> {
        for number in first..=u64::MAX {
            let name = name(number);
            match disk.write_new(&self.folder.join(&name), bytes) {
                Ok(()) => return Ok(name),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        Err("all its numbers are taken".to_owned())
    }

    /// The path of a backup. A name with folders is not one that this server has made.
    pub(crate) fn backup(&self, name: &str) -> Option<PathBuf> {
        (!name.contains(['/', '\\']) && name != "..").then(|| self.folder.join(name))
    }

    fn path(&self) -> PathBuf {
        self.folder.join("journal.jsonl")
    }

    fn damaged(&self, line: usize) -> ToolError {
        ToolError::new(format!(
            "line {line} of the journal `{}` is damaged, so no change can be listed, proposed, applied or undone. The user can \
             correct the line, or move the journal to another folder. After that, `undo` does not know the earlier changes, \
             but their backups are still in the folder of the journal",
            self.path().display()
        ))
    }

    fn full(&self) -> ToolError {
        ToolError::new(format!(
            "the journal `{}` is full: it can have {} MiB. The user can move its folder to another place. A new journal is then \
             started, and the server can no longer undo the changes in the old one",
            self.path().display(),
            LARGEST >> 20
        ))
    }

    fn wrong(&self, reason: &str) -> ToolError {
        ToolError::new(format!("the journal `{}` cannot be used: {reason}", self.path().display()))
    }
}
