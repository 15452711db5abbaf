//! The header of a document that is written again.

use super::document::names_header;
use super::passage::Passage;
use super::{Preamble, PreambleLine};
use crate::{Document, Node};
use elf_base::codes;
use elf_base::rules::Metadata;
use std::borrow::Cow;
use std::io;

impl<'d> Preamble<'d> {
    /// What the header of a document says about the serialisation.
    pub fn of_document(document: &'d Document<'_>) -> Preamble<'d> {
        let gedc = document.serialisation_metadata().find(|node| node.tag() == "GEDC");
        let version = gedc.and_then(|gedc| gedc.substructure("VERS")).and_then(Node::line_payload);
        let mut schema = None;
        for node in document.serialisation_metadata() {
            if matches!(node.tag(), "SCHMA" | "PRFX" | "DEFN") {
                let raw = document.rules().tagged.metadata == Metadata::Versions;
                let (view, lines) = (document.view(), schema.get_or_insert_with(Vec::new));
                PreambleLine::collect(view, node.id().0, raw, document.rules().tagged.escape, lines);
            }
        }
        Preamble::new()
            .with_gedcom_version(version)
            .with_language(document.header().language())
            .with_schema(schema)
    }
}

impl<'d, W: io::Write> Passage<'_, '_, 'd, W> {
    /// What the header says about the serialisation; reports what of it is not carried over.
    pub(super) fn preamble(&mut self) -> Preamble<'d> {
        let document = self.document;
        if let Some(head) = document.head().filter(|_| !names_header(&self.writer.rules)) {
            if head.xref().is_some() {
                let message = "the header bears no identifier, so it is left out";
                self.lose(head, codes::XREF_CANNOT_BE_WRITTEN, message);
            }
            if !head.merged().is_empty() {
                self.drop(head, "the header has no payload, so it is left out");
            }
        }
        let mut preamble = Preamble::of_document(document);
        let as_data = self.gedc_as_data();
        if let Some(gedc) = as_data {
            preamble.gedcom_version = gedc.substructure("VERS").map(Node::text);
        }
        let mut met = Vec::new();
        for node in document.serialisation_metadata().chain(as_data) {
            self.left_out(node, as_data.is_some(), &mut met);
        }
        if self.writer.rules.tagged.metadata != Metadata::Versions
            && let Some(language) = document.serialisation_metadata().find(|node| node.tag() == "PLANG")
        {
            preamble.language = None;
            self.drop(language, "the header has no place for `PLANG` in this draft");
        }
        preamble
    }

    /// Reports what is not carried over of serialisation metadata that is written anew, whatever it was: CHAR, ELF, GEDC
    /// and PLANG. `met` are the tags before.
    fn left_out(&mut self, node: Node<'d>, as_data: bool, met: &mut Vec<&'d str>) {
        if !matches!(node.tag(), "CHAR" | "ELF" | "GEDC" | "PLANG") {
            return;
        }
        if met.contains(&node.tag()) {
            self.drop(node, "only one of its tag is written in the header");
            return;
        }
        met.push(node.tag());
        if node.tag() == "GEDC" && !node.merged().is_empty() {
            self.drop(node, "GEDC has no payload, so it is left out");
        }
        let mut kept = Vec::new();
        let mut waiting: Vec<Node<'d>> = node.substructures().collect();
        waiting.reverse();
        while let Some(beneath) = waiting.pop() {
            let stands = beneath.superstructure().map(|above| above.id) == Some(node.id);
            let known = match (node.tag(), beneath.tag()) {
                // The version of an encoding says nothing of another one.
                ("CHAR", "VERS") | ("GEDC", "VERS") => true,
                ("GEDC", "FORM") => {
                    let usual = beneath.merged().eq_ignore_ascii_case("LINEAGE-LINKED");
                    if stands && !usual {
                        self.drop(beneath, "the form is written as LINEAGE-LINKED");
                    }
                    true
                }
                ("GEDC", "ELF") => !as_data,
                _ => false,
            };
            if !known || !stands || kept.contains(&beneath.tag()) {
                let message = format!("nothing of that tag is written under {} in the header", node.tag());
                self.drop(beneath, message);
                continue;
            }
            kept.push(beneath.tag());
            let from = waiting.len();
            waiting.extend(beneath.substructures());
            if let Some(added) = waiting.get_mut(from..) {
                added.reverse();
            }
        }
    }

    /// Reports that a structure of the header, or its payload, is left out.
    fn drop(&mut self, node: Node<'d>, message: impl Into<Cow<'static, str>>) {
        self.lose(node, codes::STRUCTURE_DROPPED, message);
    }

    /// GEDC where it is data in the file that was read, but not in the one that is written.
    pub(super) fn gedc_as_data(&self) -> Option<Node<'d>> {
        if self.writer.rules.tagged.metadata != Metadata::Versions {
            return None;
        }
        self.document.metadata().find(|node| node.tag() == "GEDC")
    }
}
