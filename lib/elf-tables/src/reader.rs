//! Contains the parts of reading that all tables share.

use crate::record_numbers::XrefKeys;
use crate::table::Table;
use elf_lineage::{LineageReader, LivingRule, RoleNode};
use elf_schema::{Counterpart, Counterparts, Node, Role, Schema, TypedDocument};

/// Creates the rows of a table from the runs of a document. A reader knows the roles of the types
/// of one schema. Several threads can share it.
///
/// A document is read twice. [`survey`](TableReader::survey) collects what rows need from the whole
/// document, and [`rows`](TableReader::rows) creates the rows. A table that [needs no
/// survey](TableReader::needs_survey) is created in one pass.
#[derive(Clone, Debug)]
pub struct TableReader {
    pub(crate) table: Table,
    counterparts: Counterparts,
    pub(crate) lineage: LineageReader,
    /// The rule for the column `living`. Without a rule, the column is empty.
    pub(crate) living: Option<LivingRule>,
    /// The hash keys for identifiers.
    pub(crate) keys: XrefKeys,
}

impl TableReader {
    /// Creates a reader for documents with this schema.
    pub fn new(table: Table, schema: &Schema) -> TableReader {
        let lineage = LineageReader::new(schema);
        TableReader {
            table,
            counterparts: Counterparts::of(schema),
            lineage: match table {
                Table::People => lineage.with_whole_names().with_unclear_records(),
                Table::Families | Table::Events | Table::Sources | Table::Structures | Table::Places => {
                    lineage.with_links_only()
                }
            },
            living: None,
            keys: XrefKeys::new(),
        }
    }

    /// Sets the rule that decides who may be living, for the column `living` of the table of
    /// people.
    #[must_use]
    pub fn with_living(self, rule: LivingRule) -> TableReader {
        TableReader { living: Some(rule), ..self }
    }

    /// Returns the counterpart of a structure. `above` is the counterpart of its superstructure.
    pub(crate) fn find_counterpart(
        &self,
        typed: &TypedDocument<'_>,
        above: Counterpart,
        node: Node<'_>,
    ) -> Counterpart {
        self.counterparts.find(above, node.tag(), typed.type_id(node), || typed.type_of(node))
    }

    /// Returns the records of a document that are written in the file, each with its role.
    pub(crate) fn records<'a>(&self, typed: &'a TypedDocument<'a>) -> impl Iterator<Item = RoleNode<'a>> {
        let records = typed.document().records().filter(|record| !record.is_inserted());
        records.map(move |record| {
            RoleNode::new(record, self.find_counterpart(typed, Counterpart::DOCUMENT, record))
        })
    }

    /// Returns the records with a role, numbered from 0 on.
    pub(crate) fn records_of<'a>(
        &self,
        typed: &'a TypedDocument<'a>,
        role: Role,
    ) -> impl Iterator<Item = (usize, RoleNode<'a>)> {
        (0..).zip(self.records(typed).filter(move |record| record.role() == Some(role)))
    }

    /// Returns the substructures of a structure, each with its role.
    pub(crate) fn substructures<'a>(
        &self,
        typed: &'a TypedDocument<'a>,
        above: RoleNode<'a>,
    ) -> impl Iterator<Item = RoleNode<'a>> {
        let nodes = above.node.substructures();
        nodes.map(move |node| RoleNode::new(node, self.find_counterpart(typed, above.counterpart, node)))
    }
}
