//! Writes the runs of a file according to its migration.

mod header;

use crate::decisions::{Decisions, From7Decisions, To7Decisions};
use crate::lines::{LineGrammar, LineWriter, rename_pointers};
use crate::lost;
use crate::migration::Migration;
use crate::outcome::{Origins, Summary};
use crate::record::{Record, TOP};
use crate::remarks::{self, Remark};
use crate::target::Target;
use crate::to_7::ExtensionIri;
use crate::vendor_tags::VendorTags;
use crate::{from_7, to_7, unstated};
use elf_base::{Diagnostic, Rules, Sink, codes};
use elf_schema::{Resolver, Schema, TypedDocument};
use elf_tagged::write::{LineBreak, Omission, omissions};
use elf_tagged::{Document, Node};
use std::collections::HashMap;
use std::iter;
use std::sync::Arc;

/// Writes the runs of a file according to its [`Migration`].
#[derive(Debug)]
pub struct Writer<'m> {
    migration: &'m Migration,
    rules: Rules,
    lines: LineWriter,
    resolver: Resolver,
    vendor_tags: VendorTags,
    /// The number of records created from parts of others.
    made_records: u64,
    /// For identifiers of several records, the number of records written so far.
    repeated: HashMap<Box<str>, usize>,
    /// The number of records so far.
    records: usize,
    is_started: bool,
    /// True if the file names no submitter although the target requires one.
    lacks_submitter: bool,
    summary: Summary,
    origins: Origins,
    keeps_places_of_texts: bool,
}

impl<'m> Writer<'m> {
    pub(crate) fn new(migration: &'m Migration, rules: &Rules) -> Writer<'m> {
        let grammar = match migration.target {
            Target::Gedcom70 => LineGrammar::Gedcom70,
            Target::Gedcom551 | Target::Elf => LineGrammar::Gedcom551,
        };
        Writer {
            migration,
            rules: *rules,
            lines: LineWriter { line_break: "\n", grammar },
            resolver: Resolver::new(Arc::clone(Schema::completed())),
            vendor_tags: VendorTags::with(match &migration.decisions {
                Decisions::To7(To7Decisions { vendor_schema: Some(schema), .. })
                | Decisions::From7(From7Decisions { vendor_schema: Some(schema), .. }) => Arc::clone(schema),
                Decisions::To7(_) | Decisions::From7(_) => Arc::clone(Schema::completed()),
            }),
            made_records: 0,
            repeated: HashMap::new(),
            records: 0,
            is_started: false,
            lacks_submitter: false,
            summary: Summary::default(),
            origins: Origins::default(),
            keeps_places_of_texts: false,
        }
    }

    /// Sets the line break.
    #[must_use]
    pub fn with_line_break(mut self, line_break: LineBreak) -> Self {
        self.lines.line_break = match line_break {
            LineBreak::Lf => "\n",
            LineBreak::Cr => "\r",
            LineBreak::CrLf => "\r\n",
        };
        self
    }

    /// Sets whether [`Origins`] also keeps the places of non-ASCII texts, not only of records. Set this if you write
    /// the result in an encoding that may not have all characters. The first 16,384 places are kept.
    #[must_use]
    pub const fn with_places_of_texts(mut self, wanted: bool) -> Self {
        self.keeps_places_of_texts = wanted;
        self
    }

    /// Writes the next run, in the order of the file.
    pub fn write_run(&mut self, run: &TypedDocument<'_>, out: &mut Vec<u8>, sink: &mut dyn Sink) {
        let document = run.document();
        if !self.is_started {
            self.is_started = true;
            self.write_header(run, out, sink);
        }
        self.report_omissions(document, sink);
        let mut places = document.line_places();
        for node in document.records().filter(|node| !node.is_inserted()) {
            let place = places.place(node, node.tag_span());
            self.origins.add_record(self.summary.lines + 1, place);
            if !self.copy_record(node, out) {
                self.write_record(run, node, out, sink);
            }
        }
    }

    /// Returns where the written lines come from.
    pub const fn origins(&self) -> &Origins {
        &self.origins
    }

    /// Writes the trailer.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Summary {
        if let Decisions::From7(From7Decisions { unstated: Some(xref), .. }) = &self.migration.decisions
            && self.lacks_submitter
        {
            self.summary.records += 1;
            self.write_line(out, 0, &format!("@{xref}@ SUBM"), "");
            self.write_line(out, 1, "NAME", unstated::NAME);
        }
        self.write_line(out, 0, "TRLR", "");
        self.summary
    }

    fn write_line(&mut self, out: &mut Vec<u8>, level: usize, tag: &str, payload: &str) {
        self.lines.write_line(out, level, tag, payload);
        self.summary.lines += 1;
    }

    fn report_omissions(&mut self, document: &Document<'_>, sink: &mut dyn Sink) {
        let mut locator = document.locator();
        for Omission { span, code, message, .. } in omissions(document) {
            // The class of such an omission follows from the rules of the reader.
            let is_of_reader = [codes::LEFT_OUT_WHEN_READ, codes::OCTETS_REPLACED].contains(&code);
            let rules = if is_of_reader { document.rules() } else { &self.rules };
            let finding = Diagnostic::new(code, rules, message);
            sink.report(finding.at(locator.place(span), locator.excerpt(span)));
            self.summary.losses += 1;
        }
    }

    /// Copies a record if it is the same in both standards. Returns whether it did.
    fn copy_record(&mut self, node: Node<'_>, out: &mut Vec<u8>) -> bool {
        let Decisions::To7(decisions) = &self.migration.decisions else { return false };
        let is_unchanged = decisions.unchanged.get(self.records).is_some_and(|is_unchanged| *is_unchanged);
        self.records += 1;
        if !is_unchanged || decisions.ties.concern(node) {
            return false;
        }
        let Some(lines) = self.lines.copy_record(out, node, &decisions.identifiers) else { return false };
        self.summary.records += 1;
        self.summary.lines += lines;
        true
    }

    fn write_record(
        &mut self,
        run: &TypedDocument<'_>,
        node: Node<'_>,
        out: &mut Vec<u8>,
        sink: &mut dyn Sink,
    ) {
        let migration = self.migration;
        let mut found = match &migration.decisions {
            Decisions::To7(decisions) => self.write_record_to_7(decisions, run, node, out),
            Decisions::From7(decisions) => self.write_record_from_7(decisions, run, node, out),
        };
        found.extend(node.subtree_lines().filter(|node| node.is_error()).map(|node| {
            let message = "invalid line written as a structure".to_owned();
            Remark { origin: node.id(), code: codes::FAULTY_LINE_WRITTEN, message }
        }));
        found.extend(removed_escapes(node));
        found.sort_by_key(|remark| remark.origin.index());
        self.summary.losses += remarks::report(found, run.document(), &self.rules, sink);
    }

    fn write_record_to_7(
        &mut self,
        decisions: &To7Decisions,
        run: &TypedDocument<'_>,
        node: Node<'_>,
        out: &mut Vec<u8>,
    ) -> Vec<Remark> {
        let unstated = decisions.unstated.as_deref();
        if node.tag() == "SUBM" && node.xref().is_some_and(|xref| Some(xref) == unstated) {
            return Vec::new();
        }
        let mut context = to_7::RecordContext {
            run,
            system: self.migration.system.as_deref(),
            submitters: &decisions.submitters,
            strays: &decisions.strays,
            unstated,
            resolver: &mut self.resolver,
            ties: &decisions.ties,
            vendor_tags: &mut self.vendor_tags,
            made_records: &mut self.made_records,
        };
        let mut converted = to_7::migrate(Record::of(node), &mut context);
        for extension in converted.extensions {
            let structure = converted.records[extension.record].get_mut(extension.id);
            if let ExtensionIri::Assigned(iri) = &extension.iri
                && let Some(tag) = decisions.extensions.tag(&structure.tag, iri)
            {
                structure.tag = tag.to_owned().into();
            }
        }
        let mut found = converted.remarks;
        found.extend(lost::remarks_about_lost(&lost::structures_losing_identifiers(node, None)));
        // The first record is the converted one; the others were created from its parts.
        found.extend(self.rename_record(decisions, node, &mut converted.records[0]));
        for record in &mut converted.records {
            found.extend(rename_pointers(record, &decisions.identifiers));
            self.summary.records += 1;
            self.summary.lines += self.lines.write_record(out, record);
        }
        found
    }

    fn rename_record(
        &mut self,
        decisions: &To7Decisions,
        node: Node<'_>,
        record: &mut Record<'_>,
    ) -> Option<Remark> {
        let xref = node.xref()?;
        let made = decisions.identifiers.next_name(xref, &mut self.repeated)?;
        record.get_mut(TOP).xref = Some(made.to_owned().into());
        let message = format!("identifier `{xref}` renamed to `{made}`");
        Some(Remark { origin: node.id(), code: codes::IDENTIFIER_RENAMED, message })
    }

    fn write_record_from_7(
        &mut self,
        decisions: &From7Decisions,
        run: &TypedDocument<'_>,
        node: Node<'_>,
        out: &mut Vec<u8>,
    ) -> Vec<Remark> {
        if node.xref().is_some_and(|xref| decisions.inline.contains_key(xref)) {
            return Vec::new();
        }
        let mut context = from_7::RecordContext {
            run,
            documented: &decisions.documented,
            known_tags: &decisions.known_tags,
            resolver: &mut self.resolver,
            system: self.migration.system.as_deref(),
            renamed: &decisions.renamed_tags,
            is_plain: self.migration.target == Target::Gedcom551,
            vendor_tags: decisions.vendor_schema.is_some().then_some(&mut self.vendor_tags),
            inline: &decisions.inline,
            ties: &decisions.ties,
        };
        let mut converted = from_7::migrate(Record::of(node), &mut context);
        let mut found = converted.remarks;
        found.extend(lost::remarks_about_lost(&lost::structures_losing_identifiers(
            node,
            Some(&converted.record),
        )));
        found.extend(lost::write_pointers_as_text(&mut converted.record, &decisions.lost_identifiers));
        self.summary.records += 1;
        if self.keeps_places_of_texts {
            self.remember_positions_of_texts(&converted.record, run.document());
        }
        self.summary.lines += self.lines.write_record(out, &converted.record);
        found
    }

    /// Keeps the places of the non-ASCII texts of a record that is about to be written.
    fn remember_positions_of_texts(&mut self, record: &Record<'_>, document: &Document<'_>) {
        let (mut places, mut line) = (None, self.summary.lines + 1);
        record.visit_all(|_, structure| {
            let text = structure.payload.text().unwrap_or("");
            if !text.is_ascii()
                && self.origins.has_room_for_texts()
                && let Some(node) = document.node(structure.origin)
            {
                let places = places.get_or_insert_with(|| document.line_places());
                let span = node.tag_span();
                self.origins.add_text(line, places.place(node, span), places.excerpt(node, span));
            }
            line += 1 + text.bytes().filter(|byte| *byte == b'\n').count() as u64;
        });
    }
}

/// Returns the remarks about escapes that were removed when the record was read.
fn removed_escapes(record: Node<'_>) -> Vec<Remark> {
    if !record.document().escape().is_by_tag() {
        return Vec::new();
    }
    let mut remarks = Vec::new();
    for node in iter::once(record).chain(record.descendants()) {
        let removed = elf_tagged::write::removed_escapes(node).into_iter();
        remarks.extend(removed.map(|(code, message)| Remark {
            origin: node.id(),
            code,
            message: message.into_owned(),
        }));
    }
    remarks
}
