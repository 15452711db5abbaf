//! Creates the report on a file, from the whole file or from its runs.

use crate::page::decades::Decades;
use crate::page::excerpts::{FileFindings, MOST};
use crate::page::facts::{FileFacts, RunFacts};
use crate::page::family::{FamilyBook, HiddenLines, PeopleOptions, read_people};
use crate::page::kinds::{DateKinds, UndefinedKinds};
use crate::page::people::{Completeness, PeopleCounter};
use elf_check::runs::RunReader;
use elf_check::{Check, Finding, Keep};
use elf_edit::RecordTags;
use elf_lineage::{LineageBuilder, LineageReader, RunLineage};
use elf_schema::{Counterparts, ReadOptions, Resolver, Schema, TypedDocument};
use std::io::{self, Read};
use std::sync::OnceLock;

/// Reads runs of documents with one schema. It can be shared between threads.
#[derive(Clone, Debug)]
pub struct ReportReader {
    counterparts: Counterparts,
    lineage: LineageReader,
}

/// The part of a report that comes from one run. It does not borrow from the run.
#[derive(Clone, Debug, Default)]
pub struct RunReport {
    facts: RunFacts,
    lineage: RunLineage,
    people: Completeness,
    dates: DateKinds,
    undefined: UndefinedKinds,
}

/// Collects the runs of a document in the order of the file, and creates the report.
#[derive(Clone, Debug, Default)]
pub struct FileReportBuilder {
    so_far: RunReport,
    builder: LineageBuilder,
}

/// The report on one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileReport {
    /// The name of the file.
    pub name: String,
    /// The facts about the file.
    pub facts: FileFacts,
    /// The tags without a type.
    pub undefined: UndefinedKinds,
    /// The dates of events by calendar.
    pub dates: DateKinds,
    /// The completeness of the data about people and families.
    pub people: Completeness,
    /// The events by decade.
    pub decades: Decades,
    /// The findings. Empty until you set them.
    pub findings: FileFindings,
    /// The people, or the reason why living people cannot be hidden. `None` if people were not requested.
    pub family: Option<Result<FamilyBook, String>>,
}

/// The settings of reports.
#[derive(Clone)]
#[non_exhaustive]
pub struct ReportSettings<'o> {
    /// The settings of the check. At most [`MOST`] findings of each code are kept.
    pub check: Check<'o>,
    /// The options for reading everything except findings.
    pub options: ReadOptions<'o>,
    /// The name of the `elf.toml` that was used, if any.
    pub config: Option<String>,
    /// The settings for the people. `None` if people are not shown.
    pub people: Option<PeopleOptions>,
}

impl<'o> ReportSettings<'o> {
    /// Creates settings that check files with `check` and show no people.
    pub fn new(check: Check<'o>) -> ReportSettings<'o> {
        let options = check.options.clone();
        ReportSettings { check, options, config: None, people: None }
    }

    /// Sets the settings for the people.
    #[must_use]
    pub fn with_people(self, people: Option<PeopleOptions>) -> ReportSettings<'o> {
        ReportSettings { people, ..self }
    }

    /// Sets the options for reading everything except findings.
    #[must_use]
    pub fn with_options(self, options: ReadOptions<'o>) -> ReportSettings<'o> {
        ReportSettings { options, ..self }
    }

    /// Sets the name of the `elf.toml` that was used.
    #[must_use]
    pub fn with_config(self, config: Option<String>) -> ReportSettings<'o> {
        ReportSettings { config, ..self }
    }
}

impl FileReport {
    /// Reads and checks a file in memory.
    ///
    /// # Errors
    ///
    /// Fails if no line of the file could be read, or a record is too long.
    pub fn read(name: &str, bytes: &[u8], settings: &ReportSettings<'_>) -> io::Result<FileReport> {
        let mut report = FileReport::describe(name, bytes, settings)?;
        report.facts.octets = bytes.len() as u64;
        let read =
            settings.people.map(|people| read_people(bytes, settings.check.rules, &settings.options, people));
        let (family, hidden) = match read {
            None => (None, HiddenLines::default()),
            Some(Ok((book, hidden))) => (Some(Ok(book)), hidden),
            Some(Err(reason)) => (Some(Err(reason)), HiddenLines::everything()),
        };
        report.family = family;
        report.findings = check_findings(bytes, settings, &hidden)?;
        Ok(report)
    }

    /// Reads the facts about a file and the completeness of its data.
    fn describe(name: &str, bytes: &[u8], settings: &ReportSettings<'_>) -> io::Result<FileReport> {
        let options = &settings.options;
        let reader = elf_tagged::Reader::new(bytes, settings.check.rules, &options.octets);
        let mut runs = RunReader::new(reader, options.clone());
        let (mut builder, reader) = (FileReportBuilder::default(), OnceLock::new());
        let make = |run: &TypedDocument<'_>, ()| {
            reader.get_or_init(|| ReportReader::new(run.schema())).read_run(run)
        };
        let take = |run: RunReport, _: &elf_tagged::Reader<_>| {
            builder.add_run(run);
            Ok(())
        };
        runs.for_each(|| (), make, take, &mut ())?;
        let report = builder.finish(name, runs.tagged(), runs.resolver());
        report.ok_or_else(|| io::Error::other("no line of it could be read"))
    }
}

/// Checks a file. Findings about hidden people are kept without their messages.
fn check_findings(
    mut bytes: &[u8],
    settings: &ReportSettings<'_>,
    hidden: &HiddenLines,
) -> io::Result<FileFindings> {
    let mut findings = FileFindings::default();
    let mut add_findings = |some: &[Finding], records: &RecordTags| {
        for one in some {
            if hidden.hides(&one.diagnostic) {
                findings.add_hidden(&one.diagnostic);
            } else {
                findings
                    .add(&one.diagnostic, || one.context.as_ref().map(|context| context.describe(records)));
            }
        }
        Ok(())
    };
    let check = Check { keep: Keep::FirstOfEach(MOST), ..settings.check.clone() };
    let checked = check.run(&mut bytes, None, &mut add_findings)?;
    findings.codes = checked.codes;
    findings.repairable = checked.fixable;
    findings.config.clone_from(&settings.config);
    Ok(findings)
}

impl ReportReader {
    /// Creates a reader for documents with `schema`.
    pub fn new(schema: &Schema) -> ReportReader {
        ReportReader { counterparts: Counterparts::of(schema), lineage: LineageReader::new(schema) }
    }

    /// Reads a run.
    pub fn read_run(&self, run: &TypedDocument<'_>) -> RunReport {
        let (people, dates) = (Completeness::default(), DateKinds::default());
        let mut counter = PeopleCounter { counterparts: &self.counterparts, part: run, people, dates };
        counter.count_records();
        RunReport {
            people: counter.people,
            dates: counter.dates,
            facts: RunFacts::of(run),
            lineage: self.lineage.read(run),
            undefined: UndefinedKinds::of(run),
        }
    }
}

impl FileReportBuilder {
    /// Adds the next run.
    pub fn add_run(&mut self, run: RunReport) {
        let RunReport { facts, lineage, people, dates, undefined } = run;
        self.builder.take(lineage);
        self.so_far.facts.add(facts);
        self.so_far.people.join(&people);
        self.so_far.dates.join(&dates);
        self.so_far.undefined.join(&undefined);
    }

    /// Creates the report on the file `name`. Call it after the last run. The size of the file and the findings are not
    /// set yet. `None` if `reader` has read no run.
    pub fn finish<R: Read>(
        self,
        name: &str,
        reader: &elf_tagged::Reader<R>,
        resolver: Option<&Resolver>,
    ) -> Option<FileReport> {
        let RunReport { facts, mut people, dates, undefined, .. } = self.so_far;
        let lineage = self.builder.build();
        people.add_links(&lineage);
        Some(FileReport {
            name: name.to_owned(),
            facts: FileFacts::of(reader, resolver, facts)?,
            undefined,
            dates,
            people,
            decades: Decades::of(&lineage),
            findings: FileFindings::default(),
            family: None,
        })
    }
}
