//! The first pass: collects what rows need from the whole document.

use crate::places::{Places, RunPlaces};
use crate::record_numbers::{RecordNumbers, RunRecords};
use crate::sources::{Citations, RunCitations};
use crate::table::Table;
use elf_lineage::{Lineage, LineageBuilder, RunLineage};

/// Information from one run, for [`Survey::take`].
#[derive(Clone, Debug)]
pub struct RunSurvey(pub(crate) RunInfo);

/// The information from one run that the table needs.
#[derive(Clone, Debug)]
pub(crate) enum RunInfo {
    Lineage(Box<RunLineage>, LineageCounts),
    Citations(RunCitations),
    Records(RunRecords),
    Places(RunPlaces),
    Nothing,
}

/// The numbers of people and families.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineageCounts {
    pub(crate) persons: usize,
    pub(crate) families: usize,
}

/// Information about a whole document that rows need. Runs are added in order. Memory use depends
/// on the table: it grows with people, families and their links; for sources, with the targets of
/// pointers; for structures, with the identifiers; for places, with their number. For events it is
/// constant.
#[derive(Debug)]
pub struct Survey(SurveyState);

#[derive(Debug)]
enum SurveyState {
    Lineage(Box<LineageBuilder>, Vec<LineageCounts>, LineageCounts),
    Citations(Citations),
    Records(RecordNumbers),
    Places(Places),
    Nothing,
}

/// The complete information about a document, which rows need.
#[derive(Debug)]
pub struct Surveyed(pub(crate) DocumentInfo);

#[derive(Debug)]
pub(crate) enum DocumentInfo {
    Relatives(Box<Relatives>),
    Citations(Citations),
    Records(RecordNumbers),
    Places(Places),
    Nothing,
}

/// The graph of people and families, and the start of each run in it.
#[derive(Debug)]
pub(crate) struct Relatives {
    pub(crate) lineage: Lineage,
    before: Vec<LineageCounts>,
}

impl Surveyed {
    /// Returns the number of pointers between people and families that are unresolved, ambiguous or
    /// of the wrong type. The rows lack these relatives. 0 for other tables.
    pub fn lost_links(&self) -> u64 {
        match &self.0 {
            DocumentInfo::Relatives(relatives) => relatives.lineage.lost_links(),
            DocumentInfo::Citations(_)
            | DocumentInfo::Records(_)
            | DocumentInfo::Places(_)
            | DocumentInfo::Nothing => 0,
        }
    }
}

impl Relatives {
    /// Returns the number of people and of families before a run. For a run that was not surveyed
    /// the numbers are out of range, so that its rows have no relatives.
    pub(crate) fn counts_before(&self, run: usize) -> LineageCounts {
        self.before.get(run).copied().unwrap_or(LineageCounts { persons: usize::MAX, families: usize::MAX })
    }
}

impl Survey {
    /// Creates an empty survey.
    pub fn of(table: Table) -> Survey {
        Survey(match table {
            Table::People | Table::Families => {
                SurveyState::Lineage(Box::default(), Vec::new(), LineageCounts::default())
            }
            Table::Sources => SurveyState::Citations(Citations::default()),
            Table::Structures => SurveyState::Records(RecordNumbers::default()),
            Table::Places => SurveyState::Places(Places::default()),
            Table::Events => SurveyState::Nothing,
        })
    }

    /// Adds the information of the next run, in the order of the document.
    pub fn take(&mut self, run: RunSurvey) {
        match (&mut self.0, run.0) {
            (SurveyState::Lineage(builder, before, all), RunInfo::Lineage(lineage, counts)) => {
                before.push(*all);
                all.persons += counts.persons;
                all.families += counts.families;
                builder.take(*lineage);
            }
            (SurveyState::Citations(all), RunInfo::Citations(run)) => all.add_run(run),
            (SurveyState::Records(all), RunInfo::Records(run)) => all.add_run(run),
            (SurveyState::Places(all), RunInfo::Places(run)) => all.add_run(run),
            (
                SurveyState::Lineage(..)
                | SurveyState::Citations(_)
                | SurveyState::Records(_)
                | SurveyState::Places(_)
                | SurveyState::Nothing,
                _,
            ) => {}
        }
    }

    /// Completes the survey after the last run.
    pub fn finish(self) -> Surveyed {
        Surveyed(match self.0 {
            SurveyState::Lineage(builder, before, _) => {
                DocumentInfo::Relatives(Box::new(Relatives { lineage: builder.build(), before }))
            }
            SurveyState::Citations(citations) => DocumentInfo::Citations(citations),
            SurveyState::Records(mut records) => {
                records.keep_repeated();
                DocumentInfo::Records(records)
            }
            SurveyState::Places(places) => DocumentInfo::Places(places),
            SurveyState::Nothing => DocumentInfo::Nothing,
        })
    }
}
