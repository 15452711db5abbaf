//! From the runs of a file to the report on it.

use crate::page::decades::Decades;
use crate::page::excerpts::FileFindings;
use crate::page::facts::{FileFacts, RunFacts};
use crate::page::kinds::{DateKinds, UndefinedKinds};
use crate::page::people::{Completeness, PeopleCounter};
use elf_lineage::{LineageBuilder, LineageReader, RunLineage};
use elf_schema::{Counterparts, Resolver, Schema, TypedDocument};
use std::io::Read;

/// Looks through the runs of documents with one schema; it can be shared between threads.
#[derive(Clone, Debug)]
pub struct ReportReader {
    counterparts: Counterparts,
    lineage: LineageReader,
}

/// The share of a run in the report on its file. It borrows nothing of the run.
#[derive(Clone, Debug, Default)]
pub struct RunReport {
    facts: RunFacts,
    lineage: RunLineage,
    people: Completeness,
    dates: DateKinds,
    undefined: UndefinedKinds,
}

/// Takes the runs of a document in the order of the file, and makes the report of them.
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
    /// The things that persons and families have.
    pub people: Completeness,
    /// The events by decade.
    pub decades: Decades,
    /// The findings; none until somebody sets them.
    pub findings: FileFindings,
}

impl ReportReader {
    /// A reader of documents with that schema.
    pub fn new(schema: &Schema) -> ReportReader {
        ReportReader { counterparts: Counterparts::of(schema), lineage: LineageReader::new(schema) }
    }

    /// Looks through a run.
    pub fn run(&self, run: &TypedDocument<'_>) -> RunReport {
        let (people, dates) = (Completeness::default(), DateKinds::default());
        let mut counter = PeopleCounter { counterparts: &self.counterparts, part: run, people, dates };
        counter.run();
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
    /// Takes the next run.
    pub fn take(&mut self, run: RunReport) {
        let RunReport { facts, lineage, people, dates, undefined } = run;
        self.builder.take(lineage);
        self.so_far.facts.add(facts);
        self.so_far.people.join(&people);
        self.so_far.dates.join(&dates);
        self.so_far.undefined.join(&undefined);
    }

    /// Makes the report on a file of that name, after the last run; `None` if `reader` read no run. Neither the
    /// size of the file nor findings are in it yet.
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
        })
    }
}
