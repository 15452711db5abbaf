//! Writes JSON Lines as described in `docs/json.md`: one object per line.

use crate::{counted, grouped};
use elf_base::{Diagnostic, FlatFinding};
use elf_tagged::write::Summary;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};

/// An action or a finding of `elf edit`, `elf extract` or `elf redact` at one place of a file.
///
/// Each event is an object with one member, whose name is the name of the event.
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
    /// A record was hidden, because this line of it may belong to another person's record.
    Unclear {
        /// The name of the file.
        file: &'a str,
        /// The line.
        line: u64,
    },
    /// A record may still contain information about hidden people.
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
    /// The date of birth as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub birth: Option<&'a str>,
    /// The reason in words.
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
        /// False if the pointer is known not to have exactly one target.
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
    /// The number of malformed findings that the edits introduced.
    pub malformed: u64,
    /// The number of non-conformant findings that the edits introduced.
    pub non_conformant: u64,
    /// The number of deprecated findings that the edits introduced.
    pub deprecated: u64,
    /// The number of advice findings that the edits introduced.
    pub advice: u64,
    /// The number of pointers that were removed because their targets were removed.
    pub cascaded: u64,
}

/// The last line of `elf convert`.
#[derive(Serialize)]
pub struct ConvertSummary<'a> {
    /// The path as it was given.
    pub file: &'a str,
    /// The number of written lines.
    pub lines: u64,
    /// The number of written records, without header and trailer.
    pub records: u64,
    /// The number of losses, which are reported as diagnostics before this line.
    pub losses: u64,
    /// The number of diagnostics that make the input malformed or non-conformant.
    pub problems: u64,
    /// True if the input was read to its end.
    pub complete: bool,
    /// The place where reading stopped, if it stopped early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
}

/// The last line of `elf convert` for several files.
#[derive(Serialize)]
pub struct ConvertTotal {
    /// The number of files, including those that were not converted.
    pub files: u64,
    /// The number of written files.
    pub converted: u64,
    /// The number of written lines.
    pub lines: u64,
    /// The number of written records, without headers and trailers.
    pub records: u64,
    /// The number of losses.
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
    /// Adds a converted file: what was written, and the number of problems of its input.
    pub fn add_converted(&mut self, written: &Summary, problems: u64) {
        self.files += 1;
        self.converted += 1;
        self.lines += written.lines;
        self.records += written.records;
        self.losses += written.losses;
        self.problems += problems;
    }

    /// Adds a file that was not converted.
    pub fn add_failed(&mut self) {
        self.files += 1;
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
    /// The number of structures that were removed from kept records.
    pub structures: u64,
    /// The number of texts that contain the name of a hidden person.
    pub mentions: u64,
    /// The number of records that were hidden or removed because they may contain lines of another
    /// record.
    pub unclear: u64,
    /// The number of places that may still contain information about hidden people.
    pub doubts: u64,
    /// True if the input was read to its end.
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
    /// True if the input was read to its end.
    pub complete: bool,
}

/// The numbers of kept, hidden and removed records.
#[derive(Serialize)]
pub struct RecordTally {
    /// The number of kept records.
    pub kept: u64,
    /// The number of records that are reduced to their links.
    pub hidden: u64,
    /// The number of removed records.
    pub removed: u64,
}

/// The place where reading of a file stopped, and the code of the reason.
#[derive(Serialize)]
pub struct Ended {
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    octet: Option<u64>,
}

impl Ended {
    /// Returns the code and the place of the diagnostic that stopped reading.
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
pub fn write_line(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Writes one diagnostic of `file` as one line.
///
/// # Errors
///
/// Fails if `out` cannot be written.
pub fn write_diagnostic(
    out: &mut (impl Write + ?Sized),
    file: &str,
    diagnostic: &Diagnostic,
) -> io::Result<()> {
    write_line(out, &FlatFinding::new(diagnostic).in_file(file))
}

/// Writes `summary` as one line: an object whose only member is called `summary`.
///
/// # Errors
///
/// Fails if `out` cannot be written.
pub fn write_summary(out: &mut (impl Write + ?Sized), summary: &impl Serialize) -> io::Result<()> {
    #[derive(Serialize)]
    struct Line<'a, S> {
        summary: &'a S,
    }
    write_line(out, &Line { summary })
}
