//! The first reading: what rows of a table have to know of the whole document.

use crate::places::{Places, RunPlaces};
use crate::record_numbers::{RecordNumbers, RunRecords};
use crate::sources::{Citations, RunCitations};
use crate::table::Table;
use elf_lineage::{Lineage, LineageBuilder, RunLineage};

/// Information from one run, for [`Survey::take`].
#[derive(Clone, Debug)]
pub struct RunSurvey(pub(crate) RunKnowledge);

/// The knowledge of a run, for the table that is made.
#[derive(Clone, Debug)]
pub(crate) enum RunKnowledge {
    Lineage(Box<RunLineage>, LineageCounts),
    Citations(RunCitations),
    Records(RunRecords),
    Places(RunPlaces),
    Nothing,
}

/// The numbers of persons and families.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineageCounts {
    pub(crate) persons: usize,
    pub(crate) families: usize,
}

/// Information about a whole document that rows need. It takes the information of the runs in order. Its memory grows
/// with the people, families and their links; for sources, with the targets of pointers; for structures, with the
/// identifiers; for places, with their number; for events, not at all.
#[derive(Debug)]
pub struct Survey(Knowledge);

#[derive(Debug)]
enum Knowledge {
    Lineage(Box<LineageBuilder>, Vec<LineageCounts>, LineageCounts),
    Citations(Citations),
    Records(RecordNumbers),
    Places(Places),
    Nothing,
}

/// The complete information about a document, which rows need.
#[derive(Debug)]
pub struct Surveyed(pub(crate) Known);

#[derive(Debug)]
pub(crate) enum Known {
    Relatives(Box<Relatives>),
    Citations(Citations),
    Records(RecordNumbers),
    Places(Places),
    Nothing,
}

/// The graph of persons and families, and where each run begins in it.
#[derive(Debug)]
pub(crate) struct Relatives {
    pub(crate) lineage: Lineage,
    before: Vec<LineageCounts>,
}

impl Surveyed {
    /// Returns the number of pointers between people and families that are unresolved, ambiguous or of the wrong
    /// type: rows lack these relatives. 0 for other tables.
    pub fn lost_links(&self) -> u64 {
        match &self.0 {
            Known::Relatives(relatives) => relatives.lineage.lost_links(),
            Known::Citations(_) | Known::Records(_) | Known::Places(_) | Known::Nothing => 0,
        }
    }
}

impl Relatives {
    /// The numbers of persons and families before a run. Of a run that was not surveyed they are those of
    /// nobody, so that its rows have no relatives.
    pub(crate) fn before(&self, run: usize) -> LineageCounts {
        self.before.get(run).copied().unwrap_or(LineageCounts { persons: usize::MAX, families: usize::MAX })
    }
}

impl Survey {
    /// Creates an empty survey.
    pub fn of(table: Table) -> Survey {
        Survey(match table {
            Table::People | Table::Families => {
                Knowledge::Lineage(Box::default(), Vec::new(), LineageCounts::default())
            }
            Table::Sources => Knowledge::Citations(Citations::default()),
            Table::Structures => Knowledge::Records(RecordNumbers::default()),
            Table::Places => Knowledge::Places(Places::default()),
            Table::Events => Knowledge::Nothing,
        })
    }

    /// Adds the information of the next run, in the order of the document.
    pub fn take(&mut self, run: RunSurvey) {
        match (&mut self.0, run.0) {
            (Knowledge::Lineage(builder, before, all), RunKnowledge::Lineage(lineage, counts)) => {
                before.push(*all);
                all.persons += counts.persons;
                all.families += counts.families;
                builder.take(*lineage);
            }
            (Knowledge::Citations(all), RunKnowledge::Citations(run)) => all.take(run),
            (Knowledge::Records(all), RunKnowledge::Records(run)) => all.take(run),
            (Knowledge::Places(all), RunKnowledge::Places(run)) => all.take(run),
            (
                Knowledge::Lineage(..)
                | Knowledge::Citations(_)
                | Knowledge::Records(_)
                | Knowledge::Places(_)
                | Knowledge::Nothing,
                _,
            ) => {}
        }
    }

    /// Completes the survey after the last run.
    pub fn finish(self) -> Surveyed {
        Surveyed(match self.0 {
            Knowledge::Lineage(builder, before, _) => {
                Known::Relatives(Box::new(Relatives { lineage: builder.build(), before }))
            }
            Knowledge::Citations(citations) => Known::Citations(citations),
            Knowledge::Records(mut records) => {
                records.finish();
                Known::Records(records)
            }
            Knowledge::Places(places) => Known::Places(places),
            Knowledge::Nothing => Known::Nothing,
        })
    }
}
