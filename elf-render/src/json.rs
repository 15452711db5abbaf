//! JSON Lines, in the shapes that `docs/json.md` describes: one object a line.

use crate::findings::At;
use elf_base::{Diagnostic, FlatFinding, FlatFix, FlatLines, Safety};
use elf_tagged::elf_octets::Patch;
use serde::Serialize;
use std::io::{self, Write};

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
/// Whatever keeps `out` from being written.
pub fn line(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Writes one diagnostic of `file` as one line.
///
/// # Errors
///
/// Whatever keeps `out` from being written.
pub fn diagnostic(out: &mut impl Write, file: &str, diagnostic: &Diagnostic) -> io::Result<()> {
    line(out, &FlatFinding::new(diagnostic).in_file(file))
}

/// Writes one finding of `file`, and the structure that it is about, as one line.
///
/// # Errors
///
/// Whatever keeps `out` from being written.
pub fn finding(out: &mut dyn Write, file: &str, finding: &Diagnostic, at: &At<'_>) -> io::Result<()> {
    let flat = FlatFinding::new(finding).in_file(file).in_record(at.record.as_deref(), at.path.as_deref());
    line(out, &flat.repaired_by(at.repair.map(fix)))
}

/// The repair of a finding, line by line.
fn fix(patches: &[Patch]) -> FlatFix<'_> {
    let lines = patches.iter().map(|Patch { lines, with, .. }| FlatLines {
        line: lines.start,
        remove: lines.end - lines.start,
        insert: with.split_terminator('\n').collect(),
    });
    FlatFix { safety: Safety::Safe.name(), lines: lines.collect() }
}

/// Writes one line about a structure that went because what it pointed to did: its path, its line, and how
/// many went.
///
/// # Errors
///
/// Whatever keeps `out` from being written.
pub fn cascaded(
    out: &mut impl Write,
    file: &str,
    (path, number, structures): (&str, Option<u64>, u64),
) -> io::Result<()> {
    #[derive(Serialize)]
    struct Cascaded<'a> {
        path: &'a str,
        file: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u64>,
        structures: u64,
    }
    #[derive(Serialize)]
    struct Line<'a> {
        cascaded: Cascaded<'a>,
    }
    line(out, &Line { cascaded: Cascaded { path, file, line: number, structures } })
}

/// Writes the summary of a file as one line.
///
/// # Errors
///
/// Whatever keeps `out` from being written.
pub fn summary(out: &mut (impl Write + ?Sized), summary: &impl Serialize) -> io::Result<()> {
    #[derive(Serialize)]
    struct Line<'a, S> {
        summary: &'a S,
    }
    line(out, &Line { summary })
}

/// Writes `text` as a JSON string.
///
/// # Errors
///
/// Whatever keeps `out` from being written.
pub fn string(out: &mut impl Write, text: &str) -> io::Result<()> {
    serde_json::to_writer(out, text)?;
    Ok(())
}
