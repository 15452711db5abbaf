//! The records of a document, their identifiers and pointers, all in file order.

use crate::records::{RecordKind, header_and_records};
use crate::roles::RoleFinder;
use crate::structures::{is_family_link, is_removed_from_every_redaction, is_tagged_person};
use crate::unclear::{find_misplaced_structure, has_level_0, may_be_substructure};
use elf_lineage::unclear_line;
use elf_schema::elf_tagged::LinePlaces;
use elf_schema::term::undefined_tag;
use elf_schema::{Counterpart, Node};
use indexmap::IndexSet;
use std::ops::Range;

/// The records of a document, the structures with identifiers, and the pointers.
#[derive(Debug, Default)]
pub(crate) struct LinkTable {
    pub(crate) records: Vec<RecordLinks>,
    /// The identifiers of structures and pointers, without duplicates.
    pub(crate) identifiers: IndexSet<Box<str>>,
    pub(crate) bearers: Vec<IdentifiedStructure>,
    pub(crate) inner: Vec<InnerRecord>,
    pub(crate) pointers: Vec<Pointer>,
    /// The numbers of the lines that make it unclear whom their records are about.
    pub(crate) unclear_lines: Vec<u64>,
    /// The first unclear line in the header.
    pub(crate) unclear_header: Option<u64>,
}

/// What a plan needs to know about a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordLinks {
    pub(crate) kind: RecordKind,
    /// True if the record is marked as private or confidential.
    pub(crate) is_private: bool,
    /// True for a line outside of records that may belong to the record before it.
    pub(crate) is_stray: bool,
    /// True if it is unclear whom the record is about. A redaction treats such a record as that of
    /// a living person.
    pub(crate) is_unclear: bool,
    /// True for an extension record without an identifier, which may have been a substructure.
    pub(crate) is_loose: bool,
    /// True for the record of a submitter, who may be living.
    pub(crate) is_submitter: bool,
    /// The line number of the record.
    pub(crate) line: u64,
}

impl RecordLinks {
    /// Returns whether the record may be about a person: a name in it may be that of someone who is hidden.
    pub(crate) fn may_be_person(&self) -> bool {
        self.kind == RecordKind::Person || self.is_unclear || self.is_submitter
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct IdentifiedStructure {
    pub(crate) identifier: u32,
    pub(crate) record: u32,
    /// The number in [`LinkTable::inner`]; `None` for a record.
    pub(crate) inner: Option<u32>,
    /// True if the structure, or one that contains it, is [removed from every
    /// redaction](is_removed_from_every_redaction).
    pub(crate) is_withheld: bool,
}

/// A pointer of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pointer {
    pub(crate) record: u32,
    pub(crate) identifier: u32,
    /// The number of the pointer that contains this one.
    pub(crate) above: Option<u32>,
    /// True if the pointer links a person and a family.
    pub(crate) is_family_link: bool,
    /// True for a direct substructure of the record.
    pub(crate) is_direct: bool,
    /// True if the structure, or one that contains it, is [removed from every
    /// redaction](is_removed_from_every_redaction).
    pub(crate) is_withheld: bool,
}

/// A structure inside a record that has an identifier, for example a record that is one level too
/// deep.
#[derive(Clone, Debug)]
pub(crate) struct InnerRecord {
    pub(crate) identifier: u32,
    pub(crate) record: u32,
    /// The number of the inner record that contains this one.
    pub(crate) above: Option<u32>,
    /// The numbers of the pointers inside.
    pub(crate) pointers: Range<u32>,
}

impl LinkTable {
    pub(crate) fn of(roles: &RoleFinder<'_>) -> LinkTable {
        let lines = roles.document().line_places();
        let mut collector = LinkCollector { roles, lines, links: LinkTable::default() };
        for record in header_and_records(roles.document()) {
            collector.add_record(record);
        }
        collector.links
    }

    pub(crate) fn record(&self, number: u32) -> &RecordLinks {
        &self.records[number as usize]
    }

    /// Returns the number of an identifier. Adds the identifier if it is new.
    fn number_of_identifier(&mut self, text: &str) -> u32 {
        let known = self.identifiers.get_index_of(text);
        to_number(known.unwrap_or_else(|| self.identifiers.insert_full(text.into()).0))
    }
}

/// Converts an index. It fits, because a text has at most 4 GiB and fewer elements than bytes.
#[allow(clippy::cast_possible_truncation, reason = "a text has at most 4 GiB")]
const fn to_number(index: usize) -> u32 {
    index as u32
}

struct LinkCollector<'r, 'd> {
    roles: &'r RoleFinder<'d>,
    lines: LinePlaces<'d>,
    links: LinkTable,
}

impl<'d> LinkCollector<'_, 'd> {
    fn add_record(&mut self, record: Node<'d>) {
        let counterpart = self.roles.counterpart_of_record(record);
        let is_head = self.roles.document().head().is_some_and(|head| head.id() == record.id());
        // A file that has lost its first lines starts with structures that are read as records.
        let is_whole = has_level_0(record.line_span().of(self.roles.document().text()));
        let kind = match RecordKind::of(record, counterpart, is_head) {
            RecordKind::Submitter if !is_whole => RecordKind::Other,
            kind => kind,
        };
        let is_known =
            counterpart != Counterpart::NONE || self.roles.type_of(record).is_some_and(is_schema_defined);
        let unclear = unclear_line(record)
            .or_else(|| find_misplaced_structure(record, kind, is_known))
            .or((!is_whole && !is_head).then_some(record));
        if let Some(node) = unclear {
            self.add_unclear_line(node, kind);
        }
        let is_unclear = unclear.is_some();
        let is_submitter = kind == RecordKind::Submitter && record.tag() == "SUBM";
        let line = self.line_number_of(record);
        self.links.records.push(RecordLinks {
            kind,
            is_private: self.roles.is_private(record),
            is_stray: record.is_error()
                || matches!(record.tag(), "CONT" | "CONC")
                || kind != RecordKind::Person && is_tagged_person(record),
            is_unclear,
            is_loose: may_be_substructure(record),
            is_submitter,
            line,
        });
        self.add_links(record, counterpart);
    }

    fn line_number_of(&mut self, node: Node<'d>) -> u64 {
        self.lines.place(node, node.line_span()).line
    }

    fn add_unclear_line(&mut self, node: Node<'d>, kind: RecordKind) {
        let line = self.line_number_of(node);
        self.links.unclear_lines.push(line);
        if kind == RecordKind::Header {
            self.links.unclear_header.get_or_insert(line);
        }
    }

    /// Adds the identifiers and the pointers of the last added record.
    fn add_links(&mut self, record: Node<'d>, counterpart: Counterpart) {
        let links = &mut self.links;
        let record_number = to_number(links.records.len() - 1);
        let mut open: Vec<OpenStructure> = Vec::new();
        for node in record.subtree_lines().filter(|node| !node.is_continuation()) {
            while let Some(closed) = open.pop_if(|open| open.end <= node.id().get()) {
                closed.set_pointers_end(links);
            }
            let above = open.last().copied().unwrap_or_default();
            let is_record = node.id() == record.id();
            let is_withheld =
                above.is_withheld || !is_record && is_removed_from_every_redaction(self.roles, node);
            let mut this =
                OpenStructure { end: node.subtree_end().get(), is_withheld, is_inner: false, ..above };
            if let Some(xref) = node.xref() {
                let identifier = links.number_of_identifier(xref);
                if !is_record {
                    this.inner = Some(to_number(links.inner.len()));
                    this.is_inner = true;
                    let first = to_number(links.pointers.len());
                    let (record, above) = (record_number, above.inner);
                    links.inner.push(InnerRecord { identifier, record, above, pointers: first..first });
                }
                let (record, inner) = (record_number, this.inner);
                links.bearers.push(IdentifiedStructure { identifier, record, inner, is_withheld });
            }
            if let Some(target) = node.pointer() {
                this.pointer = Some(to_number(links.pointers.len()));
                let is_direct = node.superstructure().is_some_and(|above| above.id() == record.id());
                let is_family_link = is_direct && is_family_link(node, self.roles.role(counterpart, node));
                let identifier = links.number_of_identifier(target);
                links.pointers.push(Pointer {
                    record: record_number,
                    identifier,
                    above: above.pointer,
                    is_family_link,
                    is_direct,
                    is_withheld,
                });
            }
            open.push(this);
        }
        open.into_iter().rev().for_each(|closed| closed.set_pointers_end(links));
    }
}

/// A structure whose substructures are being collected.
#[derive(Clone, Copy, Default)]
struct OpenStructure {
    /// The node after its last descendant.
    end: u32,
    /// The number of this pointer, or of the nearest one that contains the structure.
    pointer: Option<u32>,
    /// The number of this inner record, or of the nearest one that contains the structure.
    inner: Option<u32>,
    /// True if the structure is an inner record.
    is_inner: bool,
    is_withheld: bool,
}

impl OpenStructure {
    /// Sets the end of the pointers of an inner record.
    fn set_pointers_end(self, links: &mut LinkTable) {
        if let Some(inner) = self.inner.filter(|_| self.is_inner) {
            links.inner[inner as usize].pointers.end = to_number(links.pointers.len());
        }
    }
}

/// Returns whether an IRI belongs to a type that a schema defines.
fn is_schema_defined(iri: &str) -> bool {
    undefined_tag(iri).is_none()
}
