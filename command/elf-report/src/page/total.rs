//! Totals of several files.

use crate::page::bounded;
use crate::page::decades::Decades;
use crate::page::kinds::{DateKinds, UndefinedKinds};
use crate::page::people::Completeness;
use crate::page::report::FileReport;
use elf_base::Class;
use elf_check::CodeCounts;
use std::collections::BTreeMap;

/// The counts of all files together, and a table row for each file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Total {
    /// The rows of all files, including files that could not be read, in the order in which they were added.
    pub rows: Vec<FileRow>,
    /// The number of bytes.
    pub octets: u64,
    /// The number of lines.
    pub lines: u64,
    /// The number of records.
    pub records: u64,
    /// The number of files in each encoding.
    pub encodings: BTreeMap<String, u64>,
    /// The number of files of each version. Files without a version are not counted.
    pub versions: BTreeMap<String, u64>,
    /// The number of files that each program wrote. Files without a producer are not counted.
    pub producers: BTreeMap<String, u64>,
    /// The number of findings of each code.
    pub codes: CodeCounts,
    /// The tags without a type.
    pub undefined: UndefinedKinds,
    /// The dates of events by calendar.
    pub dates: DateKinds,
    /// The completeness of the data about people and families.
    pub people: Completeness,
    /// The events by decade.
    pub decades: Decades,
}

/// The table row of a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileRow {
    /// The name of the file.
    pub name: String,
    /// The counts, or the reason why the file could not be read.
    pub read: Result<RowCounts, String>,
}

/// The counts in the table row of a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RowCounts {
    /// The name of the encoding.
    pub encoding: &'static str,
    /// The versions.
    pub versions: String,
    /// The program that wrote the file.
    pub producer: String,
    /// The number of persons.
    pub persons: u64,
    /// The number of families.
    pub families: u64,
    /// The number of malformed and non-conformant findings.
    pub errors: u64,
    /// The number of deprecated and advice findings.
    pub advice: u64,
    /// The number of questions.
    pub questions: u64,
    /// True if the file was read to its end. Some rules stop at an error.
    pub is_complete: bool,
}

impl Total {
    /// Adds a file.
    pub fn add(&mut self, report: &FileReport) {
        let FileReport { name, facts, undefined, dates, people, decades, findings, .. } = report;
        self.octets += facts.octets;
        self.lines += facts.counts.lines;
        self.records += facts.counts.records;
        let (encoding, versions) =
            (facts.decision.used.name(), bounded::shorten_text(&facts.versions()).into_owned());
        let producer = facts.producer();
        let named =
            producer.map(|producer| bounded::shorten_text(&producer.name).into_owned()).unwrap_or_default();
        for (counts, word) in [
            (&mut self.encodings, encoding.to_owned()),
            (&mut self.versions, versions.clone()),
            (&mut self.producers, named),
        ] {
            *counts.entry(word).or_default() += 1;
        }
        self.codes.add(&findings.codes);
        self.undefined.join(undefined);
        self.dates.join(dates);
        self.people.join(people);
        self.decades.join(decades);
        let of_class = |class| findings.codes.of_class(class);
        let counts = RowCounts {
            encoding,
            versions,
            producer: producer
                .map(|producer| bounded::shorten_text(&producer.words()).into_owned())
                .unwrap_or_default(),
            persons: people.persons,
            families: people.families,
            errors: of_class(Class::Malformed) + of_class(Class::NonConformant),
            advice: of_class(Class::Deprecated) + of_class(Class::Advice),
            questions: of_class(Class::Question),
            is_complete: facts.is_complete,
        };
        self.rows.push(FileRow { name: name.clone(), read: Ok(counts) });
    }

    /// Adds a file that could not be read.
    pub fn add_unread(&mut self, name: &str, reason: &str) {
        self.rows.push(FileRow { name: name.to_owned(), read: Err(reason.to_owned()) });
    }

    /// Returns the number of files that could not be read.
    pub fn unread_files(&self) -> usize {
        self.rows.iter().filter(|row| row.read.is_err()).count()
    }

    /// Returns the number of files whose reading stopped early.
    pub fn incomplete_files(&self) -> usize {
        self.rows.iter().filter(|row| row.read.as_ref().is_ok_and(|counts| !counts.is_complete)).count()
    }
}
