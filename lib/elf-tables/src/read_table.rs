//! Reads a document in two passes: the survey, and the rows of a table.

use crate::places::RunPlaces;
use crate::reader::TableReader;
use crate::record_numbers::RunRecords;
use crate::rows::Rows;
use crate::sources::RunCitations;
use crate::survey::{DocumentInfo, LineageCounts, RunInfo, RunSurvey, Surveyed};
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
                RunInfo::Lineage(Box::new(self.lineage.read(typed)), self.counts(typed))
            }
            Table::Sources => RunInfo::Citations(RunCitations::of(self, typed)),
            Table::Structures => RunInfo::Records(RunRecords::of(typed.document(), self.keys)),
            Table::Places => RunInfo::Places(RunPlaces::of(self, typed)),
            Table::Events => RunInfo::Nothing,
        })
    }

    /// Adds the rows of a document or a run. `file` is the value of the column `file`.
    pub fn rows(&self, typed: &TypedDocument<'_>, surveyed: &Surveyed, file: &str, rows: &mut Rows) {
        match (self.table, &surveyed.info) {
            (Table::People, DocumentInfo::Relatives(relatives)) => {
                people::add_person_rows(self, typed, relatives, file, rows)
            }
            (Table::Families, DocumentInfo::Relatives(relatives)) => {
                families::add_family_rows(self, typed, relatives, file, rows);
            }
            (Table::Sources, DocumentInfo::Citations(citations)) => {
                sources::add_source_rows(self, typed, citations, file, rows)
            }
            (Table::Structures, DocumentInfo::Records(records)) => {
                structures::add_structure_rows(typed, records, file, rows);
            }
            (Table::Places, DocumentInfo::Places(places)) => {
                places::add_place_rows(self, typed, places, file, rows)
            }
            (Table::Events, _) => events::add_event_rows(self, typed, file, rows),
            // The survey was made for another table.
            (Table::People | Table::Families | Table::Sources | Table::Structures | Table::Places, _) => {}
        }
    }

    fn counts(&self, typed: &TypedDocument<'_>) -> LineageCounts {
        let mut counts = LineageCounts::default();
        for record in self.records(typed) {
            match record.role() {
                Some(Role::Person) => counts.persons += 1,
                Some(Role::Family) => counts.families += 1,
                _ => {}
            }
        }
        counts
    }
}
