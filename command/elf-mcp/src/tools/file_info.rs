//! `file_info`: what the files are.

use super::{AssistantTool, Effect};
use crate::error::ToolError;
use crate::session::Session;
use crate::snapshot::Snapshot;
use crate::text::{field, field_if_any};
use elf_report::page::RunFacts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(crate) struct FileInfo;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FileInfoArgs {
    /// The name of a file. Leave it out for all files.
    #[serde(default)]
    file: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FileInfoAnswer {
    files: Vec<FileEntry>,
    /// True if changes can be proposed and applied.
    edits_allowed: bool,
    /// True if people who may be living are shown.
    living_shown: bool,
    /// The number of files that are left out to keep the answer short: ask for them by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_files: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FileEntry {
    /// The name that other tools expect in `file`.
    file: String,
    /// Why the file cannot be used. Everything else is missing then.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(flatten)]
    facts: Option<FileFacts>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FileFacts {
    bytes: usize,
    lines: u64,
    /// The encoding, such as `UTF-8` or `ANSEL`.
    encoding: &'static str,
    /// What decided the encoding: `detected`, `specified` by the header, `default`, or `content`.
    encoding_because: &'static str,
    /// The version of GEDCOM in the header.
    #[serde(skip_serializing_if = "Option::is_none")]
    gedcom: Option<String>,
    /// The program that wrote the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    producer: Option<String>,
    people: usize,
    /// The number of these people who may be living and are hidden.
    hidden_people: usize,
    families: usize,
    /// The number of records by tag.
    records: BTreeMap<String, u64>,
    /// Pointers between people and families that no record resolves, or a record of another kind.
    broken_links: u64,
    /// Records that are shown although something in the file makes it unclear whom they are about.
    unclear_records: usize,
    /// Changes with the content of the file.
    version: String,
}

impl AssistantTool for FileInfo {
    const NAME: &'static str = "file_info";
    const TITLE: &'static str = "What the files are";
    const ABOUT: &'static str = "Lists the family tree files that are served, with encoding, producer and counts, and says \
        whether changes are allowed and living people are shown. Call this first.";
    const EFFECT: Effect = Effect::Reads;
    type Args = FileInfoArgs;
    type Answer = FileInfoAnswer;

    fn run(session: &mut Session, args: FileInfoArgs) -> Result<FileInfoAnswer, ToolError> {
        /// The most files of one answer.
        const MOST: usize = 12;
        let numbers = match args.file.as_deref() {
            Some(name) => vec![session.file_number(Some(name))?],
            None => (0..session.files.len()).collect(),
        };
        let more = numbers.len().saturating_sub(MOST);
        let files = numbers.into_iter().take(MOST).map(|at| entry(session, at)).collect();
        Ok(FileInfoAnswer {
            files,
            edits_allowed: session.options.allows_edits,
            living_shown: session.options.shows_living,
            more_files: (more > 0).then_some(more),
        })
    }
}

fn entry(session: &mut Session, at: usize) -> FileEntry {
    let name = session.files.get(at).map(|file| file.name.clone()).unwrap_or_default();
    match session.snapshot_at(at) {
        Ok(snapshot) => FileEntry { file: name, problem: None, facts: Some(facts(&snapshot)) },
        Err(error) => FileEntry { file: name, problem: Some(error.to_string()), facts: None },
    }
}

fn facts(snapshot: &Snapshot) -> FileFacts {
    /// The most tags of records that are listed.
    const MOST_TAGS: usize = 20;
    let document = snapshot.typed.document();
    let counts = RunFacts::of(&snapshot.typed);
    let decision = document.source().decision();
    let producer = counts.first.as_ref().and_then(|first| first.producer.as_ref());
    FileFacts {
        bytes: snapshot.size,
        lines: snapshot.lines.find_origin(counts.lines).line,
        encoding: decision.used.name(),
        encoding_because: decision.because.name(),
        gedcom: document.header().gedcom_version_as_written().and_then(field_if_any),
        producer: producer.and_then(|producer| field_if_any(&producer.words())),
        people: snapshot.lineage.person_count(),
        hidden_people: snapshot.hidden_count(),
        families: snapshot.lineage.family_count(),
        records: counts.tags.iter().take(MOST_TAGS).map(|(tag, count)| (field(tag), *count)).collect(),
        broken_links: snapshot.lineage.lost_links(),
        unclear_records: snapshot.doubts,
        version: snapshot.version.clone(),
    }
}
