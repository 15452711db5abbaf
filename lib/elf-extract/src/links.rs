//! The records of a document, its identifiers, and its pointers: all in the order of the file.

use crate::mentions::{PersonNames, is_named_after};
use crate::names::names_of;
use crate::records::{RecordKind, records};
use crate::roles::RoleFinder;
use crate::structures::{is_family_link, is_tagged_person, is_withheld};
use crate::unclear::{has_level_0, is_loose, line_out_of_place};
use elf_lineage::unclear_line;
use elf_schema::elf_tagged::LinePlaces;
use elf_schema::term::undefined_tag;
use elf_schema::{Counterpart, Node, Role};
use indexmap::IndexSet;
use std::ops::Range;

/// The records of a document, the structures that have identifiers, and the pointers.
#[derive(Debug, Default)]
pub(crate) struct LinkTable {
    pub(crate) records: Vec<RecordData>,
    /// The identifiers of structures and pointers, each once.
    pub(crate) identifiers: IndexSet<Box<str>>,
    pub(crate) bearers: Vec<BearerData>,
    pub(crate) inner: Vec<InnerData>,
    pub(crate) pointers: Vec<PointerData>,
    /// The names of persons, in the order of their records.
    pub(crate) names: Vec<RecordNames>,
    /// The numbers of the lines that show that it is not known whom their records are about.
    pub(crate) unclear_lines: Vec<u64>,
    /// The first of these lines in the header.
    pub(crate) unclear_header: Option<u64>,
}

/// A record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordData {
    pub(crate) kind: RecordKind,
    /// True if the record says that it is private or confidential.
    pub(crate) is_private: bool,
    /// True for a person whose identifier contains a word of the name.
    pub(crate) is_named: bool,
    /// True for a line that is in the wrong place, so that it may belong to the record before it.
    pub(crate) is_stray: bool,
    /// True if it is not known whom the record is about: a redaction treats it as that of a living person.
    pub(crate) is_unclear: bool,
    /// True for a producer's own record that has no identifier and may have been a substructure.
    pub(crate) is_loose: bool,
    /// The number of its line.
    pub(crate) line: u64,
}

/// The names of the person of a record.
#[derive(Clone, Debug)]
pub(crate) struct RecordNames {
    pub(crate) record: u32,
    pub(crate) names: PersonNames,
}

/// A structure that has an identifier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BearerData {
    pub(crate) identifier: u32,
    pub(crate) record: u32,
    /// The number in [`LinkTable::inner`]; `None` for a record.
    pub(crate) inner: Option<u32>,
    /// True if it, or a structure that contains it, is [removed in every redaction](is_withheld).
    pub(crate) is_withheld: bool,
}

/// A pointer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointerData {
    pub(crate) record: u32,
    pub(crate) identifier: u32,
    /// The number of the pointer that contains it.
    pub(crate) above: Option<u32>,
    /// True if it links a person and a family.
    pub(crate) is_family_link: bool,
    /// True for a substructure of the record itself.
    pub(crate) is_direct: bool,
    /// True if it, or a structure that contains it, is [removed in every redaction](is_withheld).
    pub(crate) is_withheld: bool,
}

/// A structure below a record that has an identifier, for example a record that is one level too deep.
#[derive(Clone, Debug)]
pub(crate) struct InnerData {
    pub(crate) identifier: u32,
    pub(crate) record: u32,
    /// The number of the inner structure that contains it.
    pub(crate) above: Option<u32>,
    /// The numbers of the pointers in it.
    pub(crate) pointers: Range<u32>,
}

impl LinkTable {
    /// Collects the records and links of a document.
    pub(crate) fn of(roles: &RoleFinder<'_>) -> LinkTable {
        let lines = roles.document().line_places();
        let mut collector = LinkCollector { roles, lines, links: LinkTable::default() };
        for record in records(roles.document()) {
            collector.add_record(record);
        }
        collector.links
    }

    pub(crate) fn record(&self, number: u32) -> &RecordData {
        &self.records[number as usize]
    }

    /// Returns the number of an identifier, which is added if it is new.
    fn identifier(&mut self, text: &str) -> u32 {
        let known = self.identifiers.get_index_of(text);
        number(known.unwrap_or_else(|| self.identifiers.insert_full(text.into()).0))
    }
}

/// The number of an element: there are fewer than bytes in a text, which has at most 4 GiB.
#[allow(clippy::cast_possible_truncation, reason = "a text has at most 4 GiB")]
const fn number(index: usize) -> u32 {
    index as u32
}

struct LinkCollector<'r, 'd> {
    roles: &'r RoleFinder<'d>,
    lines: LinePlaces<'d>,
    links: LinkTable,
}

impl<'d> LinkCollector<'_, 'd> {
    fn add_record(&mut self, record: Node<'d>) {
        let counterpart = self.roles.of_record(record);
        let is_head = self.roles.document().head().is_some_and(|head| head.id() == record.id());
        // If a file has lost its first lines, it starts with structures that are read as records.
        let is_whole = has_level_0(record.line_span().of(self.roles.document().text()));
        let kind = match RecordKind::of(record, counterpart, is_head) {
            RecordKind::Submitter if !is_whole => RecordKind::Other,
            kind => kind,
        };
        let is_known = counterpart != Counterpart::NONE || self.roles.type_of(record).is_some_and(is_defined);
        let unclear = unclear_line(record)
            .or_else(|| line_out_of_place(record, kind, is_known))
            .or((!is_whole && !is_head).then_some(record));
        if let Some(node) = unclear {
            self.add_unclear_line(node, kind);
        }
        let is_unclear = unclear.is_some();
        let may_be_person = kind == RecordKind::Person || is_unclear;
        let is_named = may_be_person && self.add_names(record, kind, counterpart);
        let line = self.line_of(record);
        self.links.records.push(RecordData {
            kind,
            is_private: self.roles.is_private(record),
            is_named,
            is_stray: record.is_error()
                || matches!(record.tag(), "CONT" | "CONC")
                || kind != RecordKind::Person && is_tagged_person(record),
            is_unclear,
            is_loose: is_loose(record),
            line,
        });
        self.add_links(record, counterpart);
    }

    fn line_of(&mut self, node: Node<'d>) -> u64 {
        self.lines.place(node, node.line_span()).line
    }

    fn add_unclear_line(&mut self, node: Node<'d>, kind: RecordKind) {
        let line = self.line_of(node);
        self.links.unclear_lines.push(line);
        if kind == RecordKind::Header {
            self.links.unclear_header.get_or_insert(line);
        }
    }

    /// Adds the names of the person of a record. Returns whether the identifier of a person contains a word
    /// of one of them.
    fn add_names(&mut self, record: Node<'d>, kind: RecordKind, counterpart: Counterpart) -> bool {
        let is_person = kind == RecordKind::Person;
        let is_name = |node: Node<'_>| match is_person {
            true => self.roles.role(counterpart, node) == Some(Role::Name),
            false => node.tag() == "NAME",
        };
        let names = names_of(record, is_name);
        let number = number(self.links.records.len());
        self.links.names.push(RecordNames { record: number, names: PersonNames::of(&names) });
        let identifier = record.xref().filter(|_| is_person);
        identifier.is_some_and(|identifier| names.whole.iter().any(|name| is_named_after(identifier, name)))
    }

    /// Adds the identifiers and the pointers of the record that was added last.
    fn add_links(&mut self, record: Node<'d>, counterpart: Counterpart) {
        let links = &mut self.links;
        let record_number = number(links.records.len() - 1);
        let mut open: Vec<OpenStructure> = Vec::new();
        for node in record.subtree_lines().filter(|node| !node.is_continuation()) {
            while let Some(closed) = open.pop_if(|open| open.end <= node.id().get()) {
                closed.close(links);
            }
            let above = open.last().copied().unwrap_or_default();
            let is_record = node.id() == record.id();
            let is_withheld = above.is_withheld || !is_record && is_withheld(self.roles, node);
            let mut this =
                OpenStructure { end: node.subtree_end().get(), is_withheld, is_inner: false, ..above };
            if let Some(xref) = node.xref() {
                let identifier = links.identifier(xref);
                if !is_record {
                    this.inner = Some(number(links.inner.len()));
                    this.is_inner = true;
                    let first = number(links.pointers.len());
                    let (record, above) = (record_number, above.inner);
                    links.inner.push(InnerData { identifier, record, above, pointers: first..first });
                }
                let (record, inner) = (record_number, this.inner);
                links.bearers.push(BearerData { identifier, record, inner, is_withheld });
            }
            if let Some(target) = node.pointer() {
                this.pointer = Some(number(links.pointers.len()));
                let is_direct = node.superstructure().is_some_and(|above| above.id() == record.id());
                let is_family_link = is_direct && is_family_link(node, self.roles.role(counterpart, node));
                let identifier = links.identifier(target);
                links.pointers.push(PointerData {
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
        open.into_iter().rev().for_each(|closed| closed.close(links));
    }
}

/// A structure whose substructures are being collected.
#[derive(Clone, Copy, Default)]
struct OpenStructure {
    /// The node after its last descendant.
    end: u32,
    /// The number of this pointer, or of the nearest one that contains it.
    pointer: Option<u32>,
    /// The number of this inner structure, or of the nearest one that contains it.
    inner: Option<u32>,
    /// True if it is an inner structure itself.
    is_inner: bool,
    is_withheld: bool,
}

impl OpenStructure {
    /// Notes the last pointer of an inner structure.
    fn close(self, links: &mut LinkTable) {
        if let Some(inner) = self.inner.filter(|_| self.is_inner) {
            links.inner[inner as usize].pointers.end = number(links.pointers.len());
        }
    }
}

/// Returns whether an IRI is that of a type that a schema defines.
fn is_defined(iri: &str) -> bool {
    undefined_tag(iri).is_none()
}
