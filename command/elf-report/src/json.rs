//! JSON Lines, in the shapes that `docs/json.md` describes: one object a line.

use crate::{counted, grouped};
use elf_base::{Diagnostic, FlatFinding};
use elf_tagged::write::Summary;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};

/// What `elf edit`, `elf extract` and `elf redact` did or found at one place of a file.
///
/// Each is an object with one member, which has the name of the event.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Event<'a> {
    /// An edit removed a structure because it pointed to a removed one.
    Cascaded {
        /// The path of the structure.
        path: &'a str,
        /// The name of the file.
        file: &'a str,
        /// The line of the structure, if it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u64>,
        /// The number of structures removed, including those under it.
        structures: u64,
    },
    /// An extract left out a structure.
    Removed {
        /// The path of the structure, if it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'a str>,
        /// The name of the file.
        file: &'a str,
        /// The line of the structure.
        line: u64,
        /// The tag of the structure.
        tag: &'a str,
        /// The number of structures removed, including those under it.
        structures: u64,
        /// The reason.
        reason: &'a str,
    },
    /// A text that was kept contains the name of a hidden person.
    Mention {
        /// The path of the structure, if it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'a str>,
        /// The name of the file.
        file: &'a str,
        /// The line of the structure.
        line: u64,
    },
    /// A record was hidden because this line of it may belong to another person's record.
    Unclear {
        /// The name of the file.
        file: &'a str,
        /// The line.
        line: u64,
    },
    /// Something may be left of hidden people in a record.
    Doubt {
        /// The name of the file.
        file: &'a str,
        /// The line of the record.
        line: u64,
        /// The reason.
        reason: &'a str,
    },
}

/// A person whom `elf redact` hides.
#[derive(Serialize)]
pub struct HiddenPerson<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The identifier of the record, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The name, if there is one.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub name: &'a str,
    /// The date of birth, as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub birth: Option<&'a str>,
    /// The reason, in words.
    pub reason: &'a str,
    /// The line of the record.
    pub line: u64,
}

/// The payload of a line or a structure.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum PayloadMember<'a> {
    Text(&'a str),
    Pointer {
        pointer: &'a str,
        /// False if it is known that the pointer does not lead to exactly one structure.
        #[serde(skip_serializing_if = "Option::is_none")]
        resolved: Option<bool>,
    },
}

/// The last line of `elf edit`.
#[derive(Serialize, Default)]
pub struct EditSummary<'a> {
    /// The path as it was given.
    pub file: &'a str,
    /// The number of edits that were made.
    pub edits: usize,
    /// The number of diagnostics of this class that the edits brought.
    pub malformed: u64,
    /// The number of diagnostics of this class that the edits brought.
    pub non_conformant: u64,
    /// The number of diagnostics of this class that the edits brought.
    pub deprecated: u64,
    /// The number of diagnostics of this class that the edits brought.
    pub advice: u64,
    /// The number of pointers that went because the structures they pointed to did.
    pub cascaded: u64,
}

/// The last line of `elf convert`.
#[derive(Serialize)]
pub struct ConvertSummary<'a> {
    /// The path as it was given.
    pub file: &'a str,
    /// The number of lines that were written.
    pub lines: u64,
    /// The number of records that were written, without header and trailer.
    pub records: u64,
    /// The number of things that could not be carried over: the diagnostics before this line.
    pub losses: u64,
    /// The number of diagnostics that make the input malformed or non-conformant.
    pub problems: u64,
    /// True if the rules let the reading reach the end.
    pub complete: bool,
    /// The place at which the rules ended the reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
}

/// The last line of `elf convert` for several files.
#[derive(Serialize)]
pub struct ConvertTotal {
    /// The number of files, those that were not converted included.
    pub files: u64,
    /// The number of files that were written.
    pub converted: u64,
    /// The number of lines that were written.
    pub lines: u64,
    /// The number of records that were written, without headers and trailers.
    pub records: u64,
    /// The number of things that could not be carried over.
    pub losses: u64,
    /// The number of diagnostics that make inputs malformed or non-conformant.
    pub problems: u64,
    /// True if every file was read to its end and written.
    pub complete: bool,
}

impl Default for ConvertTotal {
    fn default() -> ConvertTotal {
        ConvertTotal { files: 0, converted: 0, lines: 0, records: 0, losses: 0, problems: 0, complete: true }
    }
}

impl ConvertTotal {
    /// Adds a file: what was written of it and the number of its problems, if it was converted.
    pub fn add(&mut self, written: Option<(&Summary, u64)>) {
        self.files += 1;
        if let Some((written, problems)) = written {
            self.converted += 1;
            self.lines += written.lines;
            self.records += written.records;
            self.losses += written.losses;
            self.problems += problems;
        }
    }
}

impl fmt::Display for ConvertTotal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ConvertTotal { files, converted, losses, .. } = self;
        write!(f, "{} of {} converted", grouped(*converted), counted(*files, "file"))?;
        match losses {
            0 => Ok(()),
            _ => write!(f, "; {} could not be converted", counted(*losses, "thing")),
        }
    }
}

/// The last line of `elf extract` and `elf redact`.
#[derive(Serialize)]
pub struct ExtractSummary<'a> {
    /// The path as it was given.
    pub file: &'a str,
    /// The numbers of persons.
    pub persons: RecordTally,
    /// The numbers of families.
    pub families: RecordTally,
    /// The numbers of other records, without header, submitters and submissions.
    pub others: RecordTally,
    /// The number of structures that were removed from records that stay.
    pub structures: u64,
    /// The number of texts that hold a name of somebody who is hidden.
    pub mentions: u64,
    /// The number of records that were hidden or removed for what may be another's in them.
    pub unclear: u64,
    /// The number of places that show that something may be left of those who are hidden.
    pub doubts: u64,
    /// True if the rules let the reading reach the end.
    pub complete: bool,
}

/// The last line of `elf redact --check`.
#[derive(Serialize)]
pub struct LivingSummary<'a> {
    /// The path as it was given.
    pub file: &'a str,
    /// The number of persons.
    pub persons: u64,
    /// The number of persons who may be living.
    pub living: u64,
    /// True if the rules let the reading reach the end.
    pub complete: bool,
}

/// The numbers of records by what became of them.
#[derive(Serialize)]
pub struct RecordTally {
    /// The number of those that stay.
    pub kept: u64,
    /// The number of those of which only their place in the tree stays.
    pub hidden: u64,
    /// The number of those that were removed.
    pub removed: u64,
}

/// The place at which the rules ended the reading of a file, and the code of the reason.
#[derive(Serialize)]
pub struct Ended {
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    octet: Option<u64>,
}

impl Ended {
    /// Takes code and place of the diagnostic that ended the reading.
    pub fn of(diagnostic: &Diagnostic) -> Ended {
        let Diagnostic { code, place, .. } = diagnostic;
        let (line, octet) = (place.map(|place| place.line), place.map(|place| place.octet));
        Ended { code: code.id(), line, octet }
    }
}

/// Writes `value` as one line.
///
/// # Errors
///
/// Fails if `out` cannot be written.
pub fn line(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Writes one diagnostic of `file` as one line.
///
/// # Errors
///
/// Fails if `out` cannot be written.
pub fn diagnostic(out: &mut (impl Write + ?Sized), file: &str, diagnostic: &Diagnostic) -> io::Result<()> {
    line(out, &FlatFinding::new(diagnostic).in_file(file))
}

/// Writes `summary` as one line: an object whose only member is called `summary`.
///
/// # Errors
///
/// Fails if `out` cannot be written.
pub fn summary(out: &mut (impl Write + ?Sized), summary: &impl Serialize) -> io::Result<()> {
    #[derive(Serialize)]
    struct Line<'a, S> {
        summary: &'a S,
    }
    line(out, &Line { summary })
}
