//! From typed structures to rows: what all tables have in common.

use crate::record_numbers::PartRecords;
use crate::rows::Rows;
use crate::sources::PartCitations;
use crate::survey::{Known, LineageCounts, PartKnowledge, PartSurvey, Surveyed};
use crate::table::Table;
use crate::typed::Typed;
use crate::{events, families, people, sources, structures};
use elf_lineage::LineageReader;
use elf_schema::{Counterpart, Counterparts, Node, Role, Schema};
use std::hash::RandomState;

/// Makes rows of a table of the parts of a document. It knows the roles of the types of one schema, and can
/// be shared between threads.
///
/// A document is read twice: [`survey`](TableReader::survey) tells what rows have to know of the whole,
/// [`rows`](TableReader::rows) makes them. A table that [needs no survey](TableReader::needs_survey) is made
/// in one reading.
#[derive(Clone, Debug)]
pub struct TableReader {
    table: Table,
    counterparts: Counterparts,
    lineage: LineageReader,
    /// The keys of identifiers, the same in both readings.
    keys: RandomState,
}

impl TableReader {
    /// A reader of documents with that schema.
    pub fn new(table: Table, schema: &Schema) -> TableReader {
        TableReader {
            table,
            counterparts: Counterparts::of(schema),
            lineage: LineageReader::new(schema).with_links_only(),
            keys: RandomState::new(),
        }
    }

    /// Tells whether rows of a table have to know something of the whole document.
    pub const fn needs_survey(table: Table) -> bool {
        match table {
            Table::People | Table::Families | Table::Sources | Table::Structures => true,
            Table::Events => false,
        }
    }

    /// Finds out what rows have to know of a document that this is, or is a part of.
    pub fn survey<'a>(&self, typed: impl Into<Typed<'a>>) -> PartSurvey {
        let typed = typed.into();
        PartSurvey(match self.table {
            Table::People | Table::Families => {
                let lineage = match typed {
                    Typed::Document(document) => self.lineage.document(document),
                    Typed::Part(part) => self.lineage.part(part),
                };
                PartKnowledge::Lineage(Box::new(lineage), self.counts(typed))
            }
            Table::Sources => PartKnowledge::Citations(PartCitations::of(self, typed)),
            Table::Structures => PartKnowledge::Records(PartRecords::of(typed.document(), &self.keys)),
            Table::Events => PartKnowledge::Nothing,
        })
    }

    /// Adds the rows of a document, or of a part of one. `file` is what the column `file` says of it.
    pub fn rows<'a>(&self, typed: impl Into<Typed<'a>>, surveyed: &Surveyed, file: &str, rows: &mut Rows) {
        let typed = typed.into();
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
            (Table::Events, _) => events::rows(self, typed, file, rows),
            // What was surveyed for another table says nothing to this one.
            (Table::People | Table::Families | Table::Sources | Table::Structures, _) => {}
        }
    }

    /// The counterpart of a structure, given that of its superstructure.
    pub(crate) fn counterpart(&self, typed: Typed<'_>, above: Counterpart, node: Node<'_>) -> Counterpart {
        self.counterparts.find(above, node.tag(), typed.type_id(node), || typed.iri(node))
    }

    /// The records that stand in the file, each with its counterpart.
    pub(crate) fn records<'a>(&self, typed: Typed<'a>) -> impl Iterator<Item = (Node<'a>, Counterpart)> {
        let records = typed.document().records().filter(|record| !record.is_inserted());
        records.map(move |record| (record, self.counterpart(typed, Counterpart::DOCUMENT, record)))
    }

    /// The records of a role, each with its number from `first` on.
    pub(crate) fn records_of<'a>(
        &self,
        typed: Typed<'a>,
        role: Role,
        first: usize,
    ) -> impl Iterator<Item = (usize, Node<'a>, Counterpart)> {
        let records = self.records(typed).filter(move |(_, found)| found.role() == Some(role));
        (first..).zip(records).map(|(number, (record, found))| (number, record, found))
    }

    /// The substructures of a structure, each with its counterpart.
    pub(crate) fn beneath<'a>(
        &self,
        typed: Typed<'a>,
        (node, above): (Node<'a>, Counterpart),
    ) -> impl Iterator<Item = (Node<'a>, Counterpart)> {
        node.substructures().map(move |node| (node, self.counterpart(typed, above, node)))
    }

    fn counts(&self, typed: Typed<'_>) -> LineageCounts {
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
