//! Baselines, which are lists of known findings. A finding is identified by the data that it is about, not by a line
//! number.
//!
//! A baseline is a sorted file of JSON Lines. The first line of a baseline contains the version of the format, and each
//! further line is an entry.

use crate::once::is_once_per_file;
use elf_base::{Diagnostic, codes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

const VERSION: u32 = 1;

/// Identifies the structure that a finding is about, so that it is recognised in the next export of the same data.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// The identifier of the record. If the record has none, its tag.
    pub record: Option<String>,
    /// The tags from the record down to the structure. Repeated tags are not numbered.
    pub path: Option<String>,
    /// The start of the SHA-256 hash of the payload, in hexadecimal. For a line that is not a structure, the whole line
    /// is hashed.
    pub payload: Option<String>,
}

/// The number of findings of each code about each structure of a file.
pub type Entries = BTreeMap<(String, Signature), u64>;

/// The known findings of some files, by the names of the files.
///
/// ```
/// use elf_check::{Baseline, Entries, Signature};
///
/// let mut baseline = Baseline::default();
/// let found = Entries::from([(("E0306".to_owned(), Signature::default()), 2)]);
/// baseline.record("a.ged".to_owned(), found.clone());
/// let mut octets = Vec::new();
/// baseline.write(&mut octets)?;
/// assert_eq!(octets, b"{\"elf_baseline\":1}\n{\"file\":\"a.ged\",\"code\":\"E0306\",\"count\":2}\n");
/// assert_eq!(Baseline::read(&octets)?.entries_of("a.ged"), found);
///
/// let error = Baseline::read(b"{\"elf_baseline\":7}\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 1: version 7 is unknown, expected 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    files: BTreeMap<String, Entries>,
    /// The files that could not be read, each with the reason.
    unreadable: BTreeMap<String, String>,
}

/// Compares findings with a baseline, or records them for a new baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ledger {
    /// The findings of the baseline that have not been found again.
    Known(Entries),
    /// The findings that have been recorded for a new baseline.
    Recorded(Entries),
}

/// A syntax error in a baseline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct BaselineError {
    /// The number of the line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: usize,
    /// The reason for the error, as a sentence.
    pub message: String,
}

impl Ledger {
    /// Records the finding for a new baseline. If there is a baseline, looks up the finding in it, and returns whether
    /// the finding is known.
    pub(crate) fn match_or_record(
        &mut self,
        finding: &Diagnostic,
        signature: Option<&Arc<Signature>>,
    ) -> bool {
        // An unknown tag is one known finding, even if a new export has more occurrences of it. The same is true of
        // findings that are reported once for a file.
        let is_one_thing = finding.code == codes::TAG_UNDEFINED || is_once_per_file(finding.code);
        let signature = signature.map(|signature| Signature::clone(signature)).unwrap_or_default();
        let key = (finding.code.id().to_owned(), signature);
        match self {
            Ledger::Recorded(entries) => {
                let count = entries.entry(key).or_default();
                *count = if is_one_thing { 1 } else { *count + 1 };
                false
            }
            Ledger::Known(entries) => match entries.get_mut(&key) {
                Some(left) if *left > 0 || is_one_thing => {
                    *left = left.saturating_sub(1);
                    true
                }
                _ => false,
            },
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineHead {
    elf_baseline: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnreadableLine {
    file: String,
    unreadable: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryLine {
    file: String,
    code: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    record: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payload: Option<String>,
    count: u64,
}

impl Baseline {
    /// Reads a baseline from the bytes of its file.
    ///
    /// # Errors
    ///
    /// Returns an error for the first line that [`Baseline::write`] would not write.
    pub fn read(octets: &[u8]) -> Result<Baseline, BaselineError> {
        let mut baseline = Baseline::default();
        let mut lines = octets.split(|&octet| octet == b'\n').zip(1_u64..);
        let fault = |line: u64, column: usize, message: String| Err(BaselineError { line, column, message });
        let head = lines.next().map(|(line, _)| serde_json::from_slice::<BaselineHead>(line));
        match head {
            Some(Ok(BaselineHead { elf_baseline: VERSION })) => {}
            Some(Ok(BaselineHead { elf_baseline })) => {
                return fault(1, 1, format!("version {elf_baseline} is unknown, expected {VERSION}"));
            }
            Some(Err(_)) | None => {
                return fault(1, 1, "expected a baseline, `{\"elf_baseline\":1}`".to_owned());
            }
        }
        for (line, number) in lines.filter(|(line, _)| !line.trim_ascii().is_empty()) {
            if let Ok(UnreadableLine { file, unreadable }) = serde_json::from_slice(line) {
                baseline.unreadable.insert(file, unreadable);
                continue;
            }
            let entry = match serde_json::from_slice(line) {
                Ok(entry) => entry,
                Err(error) => return fault(number, error.column(), message_without_place(&error)),
            };
            let EntryLine { file, code, record, path, payload, count } = entry;
            let known = baseline.files.entry(file).or_default();
            let left = known.entry((code, Signature { record, path, payload })).or_default();
            *left = left.saturating_add(count);
        }
        Ok(baseline)
    }

    /// Returns the known findings of a file.
    pub fn entries_of(&self, file: &str) -> Entries {
        self.files.get(file).cloned().unwrap_or_default()
    }

    /// Sets the findings of a file.
    pub fn record(&mut self, file: String, entries: Entries) {
        self.files.insert(file, entries);
    }

    /// Records that a file could not be read.
    pub fn record_unreadable(&mut self, file: String, reason: String) {
        self.unreadable.insert(file, reason);
    }

    /// Returns whether the baseline already records that this file cannot be read, with the same reason.
    pub fn knows_unreadable(&self, file: &str, reason: &str) -> bool {
        self.unreadable.get(file).is_some_and(|known| known == reason)
    }

    /// Writes the baseline.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn write(self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, &BaselineHead { elf_baseline: VERSION })?;
        out.write_all(b"\n")?;
        for (file, entries) in self.files {
            for ((code, Signature { record, path, payload }), count) in entries {
                serde_json::to_writer(
                    &mut *out,
                    &EntryLine { file: file.clone(), code, record, path, payload, count },
                )?;
                out.write_all(b"\n")?;
            }
        }
        for (file, unreadable) in self.unreadable {
            serde_json::to_writer(&mut *out, &UnreadableLine { file, unreadable })?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

fn message_without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned()
}
