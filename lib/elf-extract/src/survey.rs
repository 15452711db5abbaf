//! The survey of a document: its records, their links, and its persons and families.

use crate::links::LinkTable;
use crate::roles::RoleFinder;
use elf_lineage::{Lineage, LineageBuilder, LineageReader};
use elf_schema::TypedDocument;

/// The records of a document, the pointers between them, and the graph of its persons and families. A
/// [`Plan`](crate::Plan) decides what becomes of them.
#[derive(Debug)]
pub struct Survey<'d> {
    pub(crate) roles: RoleFinder<'d>,
    pub(crate) lineage: Lineage,
    pub(crate) links: LinkTable,
    /// True if the last line is a trailer.
    pub(crate) has_trailer: bool,
}

impl<'d> Survey<'d> {
    /// Surveys a document.
    pub fn of(typed: &'d TypedDocument<'d>) -> Survey<'d> {
        let roles = RoleFinder::of(typed);
        let mut lineage = LineageBuilder::default();
        lineage.take(LineageReader::new(typed.schema()).with_unclear_records().read(typed));
        let last = typed.document().lines().rev().find(|line| !line.is_inserted());
        Survey {
            lineage: lineage.build(),
            links: LinkTable::of(&roles),
            has_trailer: last.is_some_and(|line| line.tag() == "TRLR"),
            roles,
        }
    }

    /// Tells whether the document has a record, header included. It has none if it was read in the wrong
    /// encoding, for example.
    pub fn has_records(&self) -> bool {
        !self.links.records.is_empty()
    }

    /// The numbers of the lines that show that it is not known whom their records are about. A redaction
    /// treats these records as those of living persons.
    pub fn unclear_lines(&self) -> &[u64] {
        &self.links.unclear_lines
    }

    /// The graph of the persons and families.
    pub const fn lineage(&self) -> &Lineage {
        &self.lineage
    }
}
