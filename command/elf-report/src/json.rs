//! JSON Lines, in the shapes that `docs/json.md` describes: one object a line.

use crate::{counted, grouped};
use elf_base::{Diagnostic, FlatFinding};
use elf_tagged::write::Summary;
use serde::Serialize;
use std::fmt;
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
            _ => write!(f, "; {} could not be carried over", counted(*losses, "thing")),
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
pub fn diagnostic(out: &mut (impl Write + ?Sized), file: &str, diagnostic: &Diagnostic) -> io::Result<()> {
    line(out, &FlatFinding::new(diagnostic).in_file(file))
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

/// Writes one line about a structure that was removed: its path and line, its tag, how many structures went
/// with it, and why.
///
/// # Errors
///
/// Whatever keeps `out` from being written.
pub fn removed(
    out: &mut impl Write,
    file: &str,
    (path, number): (Option<&str>, u64),
    (tag, structures, reason): (&str, u64, &str),
) -> io::Result<()> {
    #[derive(Serialize)]
    struct Removed<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'a str>,
        file: &'a str,
        line: u64,
        tag: &'a str,
        structures: u64,
        reason: &'a str,
    }
    #[derive(Serialize)]
    struct Line<'a> {
        removed: Removed<'a>,
    }
    line(out, &Line { removed: Removed { path, file, line: number, tag, structures, reason } })
}

/// Writes one line about a text that holds the name of somebody who is hidden: its path and line.
///
/// # Errors
///
/// Whatever keeps `out` from being written.
pub fn mention(out: &mut impl Write, file: &str, (path, number): (Option<&str>, u64)) -> io::Result<()> {
    #[derive(Serialize)]
    struct Mention<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'a str>,
        file: &'a str,
        line: u64,
    }
    #[derive(Serialize)]
    struct Line<'a> {
        mention: Mention<'a>,
    }
    line(out, &Line { mention: Mention { path, file, line: number } })
}

/// Writes one line about a line of the file for which its record was hidden: it may have begun a record of
/// somebody else.
///
/// # Errors
///
/// Whatever keeps `out` from being written.
pub fn unclear(out: &mut impl Write, file: &str, number: u64) -> io::Result<()> {
    #[derive(Serialize)]
    struct Unclear<'a> {
        file: &'a str,
        line: u64,
    }
    #[derive(Serialize)]
    struct Line<'a> {
        unclear: Unclear<'a>,
    }
    line(out, &Line { unclear: Unclear { file, line: number } })
}

/// Writes a place that shows that something may be left of those who are hidden: the reason and the line of
/// the record.
///
/// # Errors
///
/// Whatever keeps `out` from being written.
pub fn doubt(out: &mut impl Write, file: &str, (reason, number): (&str, u64)) -> io::Result<()> {
    #[derive(Serialize)]
    struct Doubt<'a> {
        file: &'a str,
        line: u64,
        reason: &'a str,
    }
    #[derive(Serialize)]
    struct Line<'a> {
        doubt: Doubt<'a>,
    }
    line(out, &Line { doubt: Doubt { file, line: number, reason } })
}

/// Writes one line about a person who may be living: identifier and line of the record, and whether a notice
/// says that it is private.
///
/// # Errors
///
/// Whatever keeps `out` from being written.
pub fn living(
    out: &mut impl Write,
    file: &str,
    (record, number, private): (Option<&str>, u64, bool),
) -> io::Result<()> {
    #[derive(Serialize)]
    struct Living<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        record: Option<&'a str>,
        file: &'a str,
        line: u64,
        private: bool,
    }
    #[derive(Serialize)]
    struct Line<'a> {
        living: Living<'a>,
    }
    line(out, &Line { living: Living { record, file, line: number, private } })
}

/// Writes the summary of the list of those who may be living: the numbers of persons, and of those among
/// them, and whether the rules let the reading reach the end.
///
/// # Errors
///
/// Whatever keeps `out` from being written.
pub fn living_summary(
    out: &mut impl Write,
    (file, persons, living, complete): (&str, u64, u64, bool),
) -> io::Result<()> {
    #[derive(Serialize)]
    struct LivingSummary<'a> {
        file: &'a str,
        persons: u64,
        living: u64,
        complete: bool,
    }
    summary(out, &LivingSummary { file, persons, living, complete })
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
    // Few texts hold anything to escape.
    if !is_plain(text.as_bytes()) {
        serde_json::to_writer(out, text)?;
        return Ok(());
    }
    out.write_all(b"\"")?;
    out.write_all(text.as_bytes())?;
    out.write_all(b"\"")
}

/// Tells whether a text holds nothing to escape, which is seen of many octets at once.
fn is_plain(text: &[u8]) -> bool {
    // The last octets are looked at twice rather than one by one.
    match (text.last_chunk::<16>(), text.first_chunk::<8>(), text.last_chunk::<8>()) {
        (Some(last), ..) => text.as_chunks::<16>().0.iter().all(are_plain) && are_plain(last),
        (None, Some(first), Some(last)) => are_plain(first) && are_plain(last),
        (None, ..) => text.iter().all(|&octet| are_plain(&[octet])),
    }
}

#[inline]
fn are_plain<const N: usize>(octets: &[u8; N]) -> bool {
    octets.iter().fold(true, |plain, &octet| plain & (octet >= b' ' && octet != b'"' && octet != b'\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_to_be_escaped_is_seen_wherever_it_stands() {
        for length in 0..70 {
            for (at, odd) in (0..length)
                .flat_map(|at| ['"', '\\', '\n', '\u{1F}', ' ', 'é', '\u{7F}'].map(|odd| (at, odd)))
            {
                let text: String = (0..length).map(|index| if index == at { odd } else { 'x' }).collect();
                let mut written = Vec::new();
                assert!(string(&mut written, &text).is_ok());
                assert_eq!(String::from_utf8_lossy(&written), serde_json::Value::from(text).to_string());
            }
        }
    }
}
