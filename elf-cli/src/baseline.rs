//! Baselines: the findings that somebody knows of already, by what they are about and not by their lines.
//!
//! A baseline is a file of JSON Lines, sorted: first its version, then an entry a line.

use crate::args::ConfigOptions;
use crate::config::{relative, slashed};
use crate::io;
use elf_base::{Diagnostic, codes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the form.
const VERSION: u32 = 1;

/// The structure that a finding is about, as the next export of the same data has it too.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Signature {
    /// The identifier of the record, or its tag.
    pub(crate) record: Option<String>,
    /// The tags from the record down to the structure, without numbers.
    pub(crate) path: Option<String>,
    /// The start of the SHA-256 of the payload, or of the line that is no structure, in hexadecimal digits.
    pub(crate) payload: Option<String>,
}

/// The number of findings of each code about each structure of a file.
pub(crate) type Entries = BTreeMap<(String, Signature), u64>;

/// The findings of some files that are known.
#[derive(Debug)]
pub(crate) struct Baseline {
    /// The full path of the folder that names of files start from.
    folder: PathBuf,
    files: BTreeMap<String, Entries>,
}

/// The account of the findings of one file against its baseline.
#[derive(Clone, Debug)]
pub(crate) enum Ledger {
    /// The known ones that have not been met.
    Known(Entries),
    /// All that were met, to be recorded.
    Recorded(Entries),
}

impl Ledger {
    /// Takes note of a finding, and tells whether it is known.
    pub(crate) fn meet(&mut self, finding: &Diagnostic, signature: Option<&Arc<Signature>>) -> bool {
        // A tag without meaning is one thing to know of, however many places it has in a new export, and
        // whether they are told one by one.
        let is_pair = finding.code == codes::TAG_UNDEFINED;
        let signature = signature.map(|signature| Signature::clone(signature)).unwrap_or_default();
        let key = (finding.code.id().to_owned(), signature);
        match self {
            Ledger::Recorded(entries) => {
                let count = entries.entry(key).or_default();
                *count = if is_pair { 1 } else { *count + 1 };
                false
            }
            Ledger::Known(entries) => match entries.get_mut(&key) {
                Some(left) if *left > 0 || is_pair => {
                    *left = left.saturating_sub(1);
                    true
                }
                _ => false,
            },
        }
    }
}

/// The use of a baseline in a run.
#[derive(Debug)]
pub(crate) enum BaselineUse {
    /// One whose findings are not reported.
    Known(Baseline),
    /// One that is made.
    Recorded(Baseline),
}

impl BaselineUse {
    /// Takes the baseline that the arguments name, if they name one.
    ///
    /// # Errors
    ///
    /// The reason why there is none, in words.
    pub(crate) fn of(options: &ConfigOptions) -> Result<Option<BaselineUse>, String> {
        let ConfigOptions { baseline, write_baseline, .. } = options;
        let (place, makes) = match (baseline, write_baseline) {
            (Some(place), _) => (place, false),
            (None, Some(place)) => (place, true),
            (None, None) => return Ok(None),
        };
        let name = place.display();
        let verb = if makes { "write" } else { "read" };
        let fault = |reason: String| format!("cannot {verb} the baseline `{name}`: {reason}");
        if io::is_standard(place) {
            return Err(fault("expected the name of a file".to_owned()));
        }
        let made = if makes {
            Baseline::new(place).map_err(|error| io::reason(&error)).map(BaselineUse::Recorded)
        } else {
            let octets = io::read_small(place, usize::MAX - 1).map_err(|error| io::reason(&error));
            octets
                .and_then(|octets| Baseline::read(place, &octets.unwrap_or_default()))
                .map(BaselineUse::Known)
        };
        made.map(Some).map_err(fault)
    }

    /// Opens the account of a file, which may be one in an archive.
    pub(crate) fn ledger(&self, file: (&Path, Option<&str>)) -> Ledger {
        match self {
            BaselineUse::Known(baseline) => Ledger::Known(baseline.of(file)),
            BaselineUse::Recorded(_) => Ledger::Recorded(Entries::new()),
        }
    }
}

/// The first line of a baseline.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineHead {
    elf_baseline: u32,
}

/// Each other line.
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
    /// Returns a baseline at `place` that has no entries yet.
    pub(crate) fn new(place: &Path) -> std::io::Result<Baseline> {
        let folder = io::full_path(crate::config::folder_of(place))?;
        Ok(Baseline { folder, files: BTreeMap::new() })
    }

    /// Reads the baseline at `place`.
    ///
    /// # Errors
    ///
    /// The reason, with the place where it is, if it cannot be read.
    pub(crate) fn read(place: &Path, octets: &[u8]) -> Result<Baseline, String> {
        let mut baseline = Baseline::new(place).map_err(|error| io::reason(&error))?;
        let mut lines = octets.split(|&octet| octet == b'\n').zip(1_u64..);
        let fault =
            |number: u64, column: usize, message: &str| format!("line {number}, column {column}: {message}");
        let head = lines.next().map(|(line, _)| serde_json::from_slice::<BaselineHead>(line));
        match head {
            Some(Ok(BaselineHead { elf_baseline: VERSION })) => {}
            Some(Ok(BaselineHead { elf_baseline })) => {
                let message = format!("version {elf_baseline} is unknown, expected {VERSION}");
                return Err(fault(1, 1, &message));
            }
            Some(Err(_)) | None => return Err(fault(1, 1, "expected a baseline, `{\"elf_baseline\":1}`")),
        }
        for (line, number) in lines.filter(|(line, _)| !line.trim_ascii().is_empty()) {
            let entry: EntryLine = serde_json::from_slice(line)
                .map_err(|error| fault(number, error.column(), &message(&error)))?;
            let EntryLine { file, code, record, path, payload, count } = entry;
            let known = baseline.files.entry(file).or_default();
            let left = known.entry((code, Signature { record, path, payload })).or_default();
            *left = left.saturating_add(count);
        }
        Ok(baseline)
    }

    /// The name of a file as seen from the baseline; `inner` is that of a file in it, where it is an archive.
    pub(crate) fn name(&self, (file, inner): (&Path, Option<&str>)) -> String {
        let full = file
            .file_name()
            .and_then(|name| Some(io::full_path(crate::config::folder_of(file)).ok()?.join(name)));
        let full = full.unwrap_or_else(|| file.to_owned());
        let name = slashed(&relative(&self.folder, &full).unwrap_or(full));
        inner.map_or(name.clone(), |inner| format!("{name}!{inner}"))
    }

    /// The findings of a file that are known.
    pub(crate) fn of(&self, file: (&Path, Option<&str>)) -> Entries {
        self.files.get(&self.name(file)).cloned().unwrap_or_default()
    }

    /// Adds the findings of a file, in place of those that were added for it before.
    pub(crate) fn record(&mut self, file: (&Path, Option<&str>), entries: Entries) {
        self.files.insert(self.name(file), entries);
    }

    /// Writes the baseline.
    pub(crate) fn write(self, out: &mut dyn Write) -> std::io::Result<()> {
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
        Ok(())
    }
}

/// The message without the place, which is of the line.
fn message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned()
}
