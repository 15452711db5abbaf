//! Converts the header of a document to the rules of the output.

use super::header_identity::{allows_header_xref, resolves_header};
use super::left_out::StrayLines;
use super::left_out::has_escapes;
use super::preamble::{Origins, RawLines, default_gedcom_version, reason_to_replace_gedcom_version};
use super::transcriber::RunTranscriber;
use super::{Preamble, PreambleLine, shorten};
use crate::{Document, Node, NodeId, Version};
use elf_base::{Rules, codes};
use std::borrow::Cow;
use std::collections::HashSet;
use std::io;

impl<'d> Preamble<'d> {
    /// Collects the serialisation metadata of a document.
    pub fn of_document(document: &'d Document<'_>) -> Preamble<'d> {
        let gedc = document.serialisation_metadata().find(|node| node.tag() == "GEDC");
        let version = gedc.and_then(|gedc| gedc.substructure("VERS"));
        let version = version.map(|vers| vers.line_payload().unwrap_or_default());
        let schema = Some(PreambleLine::of_document(document)).filter(|lines| !lines.is_empty());
        let mut preamble = Preamble::new()
            .with_gedcom_version(version)
            .with_language(document.header().language())
            .with_schema(schema);
        let first = |tags: &[&str]| {
            let found = document.serialisation_metadata().find(|node| tags.contains(&node.tag()));
            found.map(Node::id)
        };
        preamble.origins = Origins {
            head: document.head().map(Node::id),
            gedcom_version: gedc.map(|gedc| gedc.substructure("VERS").unwrap_or(gedc).id()),
            language: first(&["PLANG"]),
            schema: first(&["SCHMA", "PRFX", "DEFN"]),
        };
        preamble
    }
}

impl<'d, W: io::Write> RunTranscriber<'_, '_, 'd, W> {
    /// Returns the serialisation metadata that is written. Reports the metadata that is lost.
    pub(super) fn convert_preamble(&mut self) -> Preamble<'d> {
        let document = self.document;
        if let Some(head) = document.head() {
            let is_named = allows_header_xref(&self.writer.rules);
            if head.xref().is_some() && !(is_named && resolves_header(document)) {
                let message = match is_named {
                    true => "left out the identifier of the header: no pointer refers to it",
                    false => "left out the identifier of the header: the output cannot have one",
                };
                self.report_loss(head, codes::XREF_CANNOT_BE_WRITTEN, message);
            }
            if !is_named && !head.merged().is_empty() {
                self.report_dropped(head, "left out the payload of the header: the output cannot have one");
                self.report_stray_lines(head);
            }
        }
        let mut preamble = Preamble::of_document(document);
        let as_data = self.gedc_as_data();
        if let Some(gedc) = as_data {
            preamble.gedcom_version = gedc.substructure("VERS").map(version_text);
        }
        self.report_lost_versions(&mut preamble, as_data);
        self.keep_empty_schema(&mut preamble);
        if let Some(schema_override) = self.schema_override {
            preamble.schema.clone_from(&schema_override.schema);
            preamble.escapes.clone_from(&schema_override.escapes);
        }
        let carried = preamble.schema.iter().flatten().filter_map(PreambleLine::origin).collect();
        let mut met = Vec::new();
        for node in document.serialisation_metadata().chain(as_data) {
            self.report_left_out(node, as_data.is_some(), &mut met);
        }
        self.report_continuations(as_data, &carried);
        let mut raw = RawLines::default();
        if let Some(schema) = &preamble.schema
            && self.writer.rules.schema.mechanism.stores_schema()
        {
            raw = self.writer.raw_lines_of(schema);
        }
        self.report_faulty_lines(as_data, &raw);
        self.report_hidden_structures();
        self.report_removed_metadata_escapes(as_data, &raw.written);
        self.report_identifiers(as_data);
        if !self.writer.rules.tagged.payload_language
            && let Some(language) = document.serialisation_metadata().find(|node| node.tag() == "PLANG")
        {
            preamble.language = None;
            self.report_dropped(language, "this draft does not have `PLANG` in the header");
        }
        preamble
    }

    /// Reports the versions in the header that the output cannot have.
    fn report_lost_versions(&mut self, preamble: &mut Preamble<'d>, as_data: Option<Node<'d>>) {
        let rules = self.writer.rules;
        let document = self.document;
        let mut metadata = document.serialisation_metadata().chain(as_data);
        let vers = metadata.find(|node| node.tag() == "GEDC").and_then(|gedc| gedc.substructure("VERS"));
        let message = preamble
            .gedcom_version
            .as_deref()
            .and_then(|given| reason_to_replace_gedcom_version(given, &rules));
        if let (Some(vers), Some(message)) = (vers, message) {
            self.report_loss(vers, codes::VERSION_REPLACED, message);
            preamble.gedcom_version = Some(default_gedcom_version(&rules).into());
        }
        // Metadata without an ELF version means the same under any version.
        let mut metadata = document.serialisation_metadata();
        let beneath = || metadata.find(|node| node.tag() == "GEDC").and_then(|gedc| gedc.substructure("ELF"));
        let elf = document.serialisation_metadata().find(|node| node.tag() == "ELF").or_else(beneath);
        let is_first = |text: &str| Version::parse(text).is_some_and(|version| version.major() == "1");
        let text = elf.and_then(Node::line_payload).unwrap_or_default();
        let Some(elf) = elf.filter(|_| !is_first(text)) else { return };
        if rules.tagged.metadata.has_elf_version() {
            let message = format!("expected ELF version 1, but found `{}`; 1.0.0 is written", shorten(text));
            self.report_loss(elf, codes::VERSION_REPLACED, message);
        } else {
            self.report_dropped(
                elf,
                format!(
                    "this draft does not have an ELF version in the header: `{}` is not written",
                    shorten(text)
                ),
            );
        }
    }

    /// Keeps a SCHMA without definitions. Such a SCHMA means that the default schema does not apply (J19 §4.2). Unknown
    /// structures in it are kept.
    ///
    /// In December 2019, a SCHMA without definitions is not a schema (docs/readings.md, S19).
    fn keep_empty_schema(&mut self, preamble: &mut Preamble<'d>) {
        let inline = |rules: &Rules| rules.schema.mechanism.is_inline();
        // If the output has no schemas, this SCHMA is left out together with all others.
        let mechanism = self.writer.rules.schema.mechanism;
        let has_none = !mechanism.defines_types() && !mechanism.is_of_extension_tags();
        if !inline(self.document.rules()) || inline(&self.writer.rules) || has_none {
            return;
        }
        let Some(lines) = &preamble.schema else { return };
        let defines = |line: &PreambleLine<'_>| match &*line.tag {
            "SCHMA" => line.level > 1 || !line.payload.is_empty(),
            tag => line.level == 2 && matches!(tag, "PRFX" | "IRI" | "ESC"),
        };
        if lines.iter().any(defines) {
            return;
        }
        if lines.iter().all(|line| line.tag == "SCHMA") {
            preamble.schema = None;
        }
        let is_lost_already = |schema: &Node<'_>| {
            let losses = self.schema_override.map(|other| &*other.losses).unwrap_or_default();
            losses
                .iter()
                .any(|(node, code, _)| *node == schema.id() && *code == codes::SCHEMA_CANNOT_BE_WRITTEN)
        };
        let schema = self.document.serialisation_metadata().find(|node| node.tag() == "SCHMA");
        if let Some(schema) = schema.filter(|schema| !is_lost_already(schema)) {
            let message = "this draft ignores a SCHMA without definitions, so the default schema applies";
            self.report_loss(schema, codes::SCHEMA_CANNOT_BE_WRITTEN, message);
        }
    }

    /// Reports the identifiers in serialisation metadata, where identifiers are not allowed (D19 *Parsing serialisation
    /// metadata*; J19 §5.1).
    fn report_identifiers(&mut self, gedc_as_data: Option<Node<'d>>) {
        for top in self.document.serialisation_metadata().chain(gedc_as_data) {
            for node in top.subtree_lines() {
                // A line that continues data is reported with other lines that are not data.
                let is_known = gedc_as_data == Some(top) && node.is_continuation();
                if node.xref().is_some() && !is_known {
                    let message = "left out an identifier: this structure of the header cannot have one";
                    self.report_loss(node, codes::XREF_CANNOT_BE_WRITTEN, message);
                }
            }
        }
    }

    /// Reports continuation lines of serialisation metadata that are lost.
    ///
    /// These are lines that continue the name of an encoding, and misplaced lines in metadata that is not unescaped,
    /// that is generated, or that is not part of the written schema. `carried` contains the nodes of the header that
    /// are kept.
    fn report_continuations(&mut self, gedc_as_data: Option<Node<'d>>, carried: &HashSet<NodeId>) {
        let document = self.document;
        let rules = document.rules();
        let keeps_schema =
            !rules.tagged.metadata.is_raw() && rules.schema.mechanism == self.writer.rules.schema.mechanism;
        let mut strays = StrayLines::default();
        for top in document.serialisation_metadata().chain(gedc_as_data) {
            // The text of a definition is left out together with the definition, which is reported.
            let is_definition = matches!(top.tag(), "DEFN" | "PRFX");
            for node in top.subtree_lines().filter(|node| node.is_continuation()) {
                let continues = |owner: Node<'_>| {
                    carried.contains(&owner.id()) || is_definition && owner.id() == top.id()
                };
                if keeps_schema && node.superstructure().is_some_and(continues) {
                    continue;
                }
                if strays.has(node) {
                    let message = format!(
                        "left out a misplaced line that was read as text of `{}`",
                        shorten(top.tag())
                    );
                    self.report_loss(node, codes::LEFT_OUT_WHEN_READ, message);
                } else if top.tag() == "CHAR" {
                    self.report_not_carried(top, node);
                    continue;
                }
                // Data and schemas are reported with other content that does not belong to them.
                if gedc_as_data != Some(top) && matches!(top.tag(), "CHAR" | "ELF" | "GEDC" | "PLANG") {
                    for beneath in node.lines().filter(|line| !line.is_continuation() && !line.is_error()) {
                        self.report_not_carried(top, beneath);
                    }
                }
            }
        }
    }

    /// Reports invalid lines under serialisation metadata, because they may be records. If a SCHMA is written
    /// unchanged, it keeps the lines in `raw`.
    fn report_faulty_lines(&mut self, gedc_as_data: Option<Node<'d>>, raw: &RawLines) {
        for top in self.document.serialisation_metadata().chain(gedc_as_data) {
            for node in top.subtree_lines().filter(|node| node.is_error()) {
                if raw.written.contains(&node.id()) {
                    let message = "invalid line written as an ERROR structure";
                    self.report_loss(node, codes::FAULTY_LINE_WRITTEN, message);
                } else if !raw.refused.contains(&node.id()) {
                    let beneath =
                        if node.lines().next().is_some() { ", with everything under it" } else { "" };
                    let message = format!("left out an invalid line under `{}`{beneath}", shorten(top.tag()));
                    self.report_loss(node, codes::LEFT_OUT_WHEN_READ, message);
                }
            }
        }
    }

    /// Reports misplaced pseudo-structures under the schema. The misplaced pseudo-structures have no meaning there (O17
    /// §4.2).
    fn report_hidden_structures(&mut self) {
        let document = self.document;
        for top in document.serialisation_metadata().filter(|top| matches!(top.tag(), "PRFX" | "DEFN")) {
            let mut behind = NodeId::FIRST;
            for node in top.subtree_lines().skip(1) {
                if node.id() >= behind && node.flags().is_hidden() && !node.is_continuation() {
                    let tag = shorten(node.tag());
                    let message = format!("left out `{tag}` and everything under it: it is not data here");
                    self.report_loss(node, codes::LEFT_OUT_WHEN_READ, message);
                    behind = node.subtree_end();
                }
            }
        }
    }

    /// Reports escapes that were removed when metadata was read (J19 §5.2). Only metadata that is kept is examined:
    /// schemas and the GEDCOM version.
    ///
    /// Metadata that is left out has been reported already. This includes invalid lines, except those in `raw`.
    fn report_removed_metadata_escapes(&mut self, gedc_as_data: Option<Node<'d>>, raw: &HashSet<NodeId>) {
        let document = self.document;
        if document.rules().tagged.metadata.is_raw() {
            return;
        }
        let is_displaced = self.schema_override.is_some_and(|other| other.displaces)
            || !self.writer.rules.schema.mechanism.defines_types();
        let is_left_out = |top: &Node<'_>| {
            top.tag() == "CHAR" || is_displaced && matches!(top.tag(), "SCHMA" | "PRFX" | "DEFN")
        };
        let schemas = document.serialisation_metadata().filter(|top| !is_left_out(top));
        for top in schemas.chain(gedc_as_data) {
            for node in top.subtree_lines() {
                // The payload of a structure includes that of its continuation lines.
                if !node.is_continuation()
                    && (!node.is_error() || raw.contains(&node.id()))
                    && has_escapes(node)
                {
                    self.report_removed_escapes(node, |_| false);
                    self.deliver(Some(node));
                }
            }
        }
    }

    /// Reports that a line under generated serialisation metadata is left out, together with everything under it.
    ///
    /// The versions of the encoding and of the form are not losses, because the writer chooses them.
    fn report_not_carried(&mut self, top: Node<'d>, node: Node<'d>) {
        let above = node.superstructure().map(Node::tag);
        let is_version = node.tag() == "VERS"
            && matches!((top.tag(), above), ("CHAR", Some("CHAR")) | ("GEDC", Some("FORM")))
            && node.substructures().all(Node::is_error);
        if is_version {
            let message =
                format!("left out a version: the output cannot have one under {} in the header", top.tag());
            self.writer.report(codes::METADATA_NOT_CARRIED, message);
            self.deliver(Some(node));
        } else {
            let message = format!(
                "left out a structure and everything under it: the output cannot have it under {} in the header",
                top.tag()
            );
            self.report_loss(node, codes::LEFT_OUT_WHEN_READ, message);
        }
    }

    /// Reports the content of CHAR, ELF, GEDC and PLANG that is lost, because the writer generates these structures.
    /// `met` contains the tags that have been read.
    fn report_left_out(&mut self, node: Node<'d>, as_data: bool, met: &mut Vec<&'d str>) {
        if !matches!(node.tag(), "CHAR" | "ELF" | "GEDC" | "PLANG") {
            return;
        }
        let is_data = as_data && node.tag() == "GEDC";
        if met.contains(&node.tag()) {
            self.report_dropped(node, "left out a repeated structure: the header has only one with this tag");
            return;
        }
        met.push(node.tag());
        if node.tag() == "GEDC" && !node.merged().is_empty() {
            self.report_dropped(node, "left out the payload of GEDC: the output cannot have one");
        }
        let mut kept = Vec::new();
        // Under GEDC that is data, content that is not data has been reported already. Under CHAR, nothing is data.
        let is_shown = |node: &Node<'_>| !(node.is_continuation() || is_data && node.flags().is_hidden());
        let mut waiting: Vec<Node<'d>> = node.lines().filter(is_shown).collect();
        waiting.reverse();
        while let Some(beneath) = waiting.pop() {
            let stands = beneath.superstructure().is_some_and(|above| above == node);
            let known = match (node.tag(), beneath.tag()) {
                ("GEDC", "VERS") => true,
                ("GEDC", "FORM") => {
                    let usual = version_text(beneath).eq_ignore_ascii_case("LINEAGE-LINKED");
                    if stands && !usual {
                        self.report_dropped(beneath, "the form is replaced by LINEAGE-LINKED");
                    }
                    true
                }
                ("GEDC", "ELF") => !as_data,
                _ => false,
            };
            if !known || !stands || kept.contains(&beneath.tag()) {
                if beneath.is_error() {
                    // This is reported as an invalid line.
                } else if is_data {
                    let message = format!(
                        "left out a structure and everything under it: the output cannot have it under {} in the header",
                        node.tag()
                    );
                    self.report_dropped(beneath, message);
                } else {
                    self.report_not_carried(node, beneath);
                }
                continue;
            }
            kept.push(beneath.tag());
            let from = waiting.len();
            waiting.extend(beneath.lines().filter(is_shown));
            if let Some(added) = waiting.get_mut(from..) {
                added.reverse();
            }
        }
    }

    fn report_dropped(&mut self, node: Node<'d>, message: impl Into<Cow<'static, str>>) {
        self.report_loss(node, codes::STRUCTURE_DROPPED, message);
    }

    /// Returns GEDC if it is data in the input, but not in the output.
    pub(super) fn gedc_as_data(&self) -> Option<Node<'d>> {
        if !self.writer.rules.tagged.metadata.has_versions() {
            return None;
        }
        self.document.metadata().find(|node| node.tag() == "GEDC")
    }
}

/// Returns the text of a version or a form with its continuations. Text that only follows it is not included.
fn version_text(node: Node<'_>) -> Cow<'_, str> {
    let continues = |line: Node<'_>| line.flags().is_cont() || line.flags().is_conc();
    let continued = node.lines().any(continues);
    if continued { node.text() } else { Cow::Borrowed(node.line_payload().unwrap_or_default()) }
}
