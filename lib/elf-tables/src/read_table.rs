//! The two readings of a document: the survey, and the rows of each table.

use crate::places::RunPlaces;
use crate::reader::TableReader;
use crate::record_numbers::RunRecords;
use crate::rows::Rows;
use crate::sources::RunCitations;
use crate::survey::{Known, LineageCounts, RunKnowledge, RunSurvey, Surveyed};
use crate::table::Table;
use crate::{events, families, people, places, sources, structures};
use elf_schema::{Role, TypedDocument};

impl TableReader {
    /// Returns whether the rows of a table need information about the whole document.
    pub const fn needs_survey(table: Table) -> bool {
        match table {
            Table::People | Table::Families | Table::Sources | Table::Structures | Table::Places => true,
            Table::Events => false,
        }
    }

    /// Collects the information that rows need from a document or a run.
    pub fn survey(&self, typed: &TypedDocument<'_>) -> RunSurvey {
        RunSurvey(match self.table {
            Table::People | Table::Families => {
                RunKnowledge::Lineage(Box::new(self.lineage.read(typed)), self.counts(typed))
            }
            Table::Sources => RunKnowledge::Citations(RunCitations::of(self, typed)),
            Table::Structures => RunKnowledge::Records(RunRecords::of(typed.document(), &self.keys)),
            Table::Places => RunKnowledge::Places(RunPlaces::of(self, typed)),
            Table::Events => RunKnowledge::Nothing,
        })
    }

    /// Adds the rows of a document or a run. `file` is the value of the column `file`.
    pub fn rows(&self, typed: &TypedDocument<'_>, surveyed: &Surveyed, file: &str, rows: &mut Rows) {
        match (self.table, &surveyed.0) {
            (Table::People, Known::Relatives(relatives)) => people::rows(self, typed, relatives, file, rows),
            (Table::Families, Known::Relatives(relatives)) => {
                families::rows(self, typed, relatives, file, rows);
            }
            (Table::Sources, Known::Citations(citations)) => {
                sources::rows(self, typed, citations, file, rows)
            }
            (Table::Structures, Known::Records(records)) => {
                structures::rows(typed, (records, &self.keys), file, rows);
            }
            (Table::Places, Known::Places(places)) => places::rows(self, typed, places, file, rows),
            (Table::Events, _) => events::rows(self, typed, file, rows),
            // A survey for another table is not used.
            (Table::People | Table::Families | Table::Sources | Table::Structures | Table::Places, _) => {}
        }
    }

    fn counts(&self, typed: &TypedDocument<'_>) -> LineageCounts {
        let mut counts = LineageCounts::default();
        for (_, found) in self.records(typed) {
            match found.role() {
                Some(Role::Person) => counts.persons += 1,
                Some(Role::Family) => counts.families += 1,
                _ => {}
            }
        }
        counts
    }
}
