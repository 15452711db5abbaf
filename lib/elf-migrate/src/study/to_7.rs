//! Studies a file that is migrated to GEDCOM 7.0.

use super::header_and_records;
use crate::decisions::To7Decisions;
use crate::equivalents::VENDOR;
use crate::extensions::{Extensions, iri_of_stray_notes};
use crate::identifiers::Identifiers;
use crate::record::Record;
use crate::to_7::{self, RecordContext};
use crate::unstated;
use crate::vendor_tags::{ParentTies, VendorTags};
use elf_schema::vocabulary::elf;
use elf_schema::{Resolver, TypedDocument, vendors};
use elf_tagged::{Document, Node};
use std::collections::HashSet;
use std::sync::Arc;

#[derive(Debug, Default)]
pub(super) struct To7Study {
    identifiers: Identifiers,
    extensions: Extensions,
    /// For each record, whether only identifiers differ between both standards.
    unchanged: Vec<bool>,
    /// The identifiers of submitters, and of associates that may be submitters.
    submitters: HashSet<Box<str>>,
    associates: HashSet<Box<str>>,
    /// The identifiers of notes, and the pointers of `SNOTE`.
    notes: HashSet<Box<str>>,
    shared_notes: HashSet<Box<str>>,
    /// The placeholder submitter that an earlier migration wrote.
    unstated: Option<String>,
    ties: ParentTies,
    vendor_tags: Option<VendorTags>,
}

impl To7Study {
    pub(super) fn add(&mut self, run: &TypedDocument<'_>, system: Option<&str>, resolver: &mut Resolver) {
        self.add_lost_identifiers(run.document());
        let head = run.document().head();
        let mut made_records = 0;
        let no_ties = ParentTies::default();
        let mut vendor_tags = self.vendor_tags.take().unwrap_or_else(|| VendorTags::of(run.document()));
        for node in header_and_records(run.document()) {
            if self.unstated.is_none() && unstated::is_submitter(node) {
                self.unstated = node.xref().map(str::to_owned);
                self.unchanged.push(false);
                continue;
            }
            if head != Some(node) {
                self.add_identifier(node);
            }
            let associates = node.substructures_tagged("ASSO").filter_map(Node::pointer);
            self.associates.extend(associates.map(Box::from));
            self.ties.add_family(node);
            let mut context = RecordContext {
                run,
                system,
                submitters: &HashSet::new(),
                strays: &HashSet::new(),
                unstated: None,
                resolver,
                ties: &no_ties,
                vendor_tags: &mut vendor_tags,
                made_records: &mut made_records,
            };
            let converted = to_7::migrate(Record::of(node), &mut context);
            if head != Some(node) {
                // Remarks about these are made when the record is written.
                let is_clean =
                    !run.document().escape().is_by_tag() && !node.subtree_lines().any(Node::is_error);
                self.unchanged.push(is_clean && converted.is_unchanged());
            }
            converted.add_extensions_to(&mut self.extensions);
            self.shared_notes.extend(converted.shared_notes);
        }
        self.vendor_tags = Some(vendor_tags);
    }

    /// Adds the identifiers that are lost in GEDCOM 7.0: those within records and of the header.
    fn add_lost_identifiers(&mut self, document: &Document<'_>) {
        let head = document.head();
        let bearers = document.xref_nodes();
        let nodes = bearers.bearers().iter().filter_map(|&id| document.node(id));
        for node in nodes.filter(|node| node.superstructure().is_some() || Some(*node) == head) {
            if let Some(xref) = node.xref() {
                self.identifiers.add_within(xref);
            }
        }
    }

    fn add_identifier(&mut self, record: Node<'_>) {
        let Some(xref) = record.xref() else { return };
        self.identifiers.add(xref);
        match record.tag() {
            "SUBM" => _ = self.submitters.insert(xref.into()),
            "NOTE" | "SNOTE" => _ = self.notes.insert(xref.into()),
            _ => {}
        }
    }

    pub(super) fn finish(mut self) -> To7Decisions {
        let submitters: HashSet<Box<str>> = self.submitters.intersection(&self.associates).cloned().collect();
        if !submitters.is_empty() {
            self.extensions.add("_ASSO", elf::ASSOCIATION_STRUCTURE);
        }
        let strays: HashSet<Box<str>> = self.shared_notes.difference(&self.notes).cloned().collect();
        if !strays.is_empty() {
            self.extensions.add("_SNOTE", &iri_of_stray_notes());
        }
        // While the file was studied, the marks of a PEDI that is made from these ties were not made yet.
        if !self.ties.is_empty() {
            self.extensions.add(VENDOR, vendors::MARK);
        }
        To7Decisions {
            identifiers: self.identifiers.choose_new_names(),
            extensions: self.extensions.assign_tags(),
            unchanged: self.unchanged,
            submitters,
            strays,
            unstated: self.unstated,
            ties: self.ties,
            vendor_schema: self.vendor_tags.map(|tags| Arc::clone(tags.schema())),
        }
    }
}
