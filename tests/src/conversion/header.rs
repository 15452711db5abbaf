//! The header: versions, language, schemas, and what is left of the rest.

use super::text::normal;
use super::{Difference, Judge, Outline};
use elf_tagged::{Document, Node};
use std::ops::Range;

/// Returns the numbers of the structures of GEDC, where it is data.
pub(super) fn gedc_as_data(outline: &Outline<'_>) -> Range<usize> {
    let mut all = outline.structures.iter().enumerate();
    let found = all.find(|(_, each)| each.in_header && each.depth == 0 && each.node.tag() == "GEDC");
    found.map_or(0..0, |(number, gedc)| number..gedc.end)
}

/// Returns the structure of the header that names the GEDCOM version.
fn version<'d>(document: &'d Document<'_>) -> Option<Node<'d>> {
    let mut all = document.serialisation_metadata().chain(document.metadata());
    all.find(|node| node.tag() == "GEDC")?.substructure("VERS")
}

/// Any line beneath serialisation metadata, itself included, with the lines above it.
struct Beneath<'d> {
    node: Node<'d>,
    line: u64,
    above: Vec<u64>,
}

/// Returns a structure and every line beneath it, in order.
fn all_beneath<'d>(document: &'d Document<'_>, top: Node<'d>) -> Vec<Beneath<'d>> {
    let mut locator = document.locator();
    let mut found = Vec::new();
    let mut waiting = vec![(top, Vec::new())];
    while let Some((node, above)) = waiting.pop() {
        let line = locator.place(node.span()).line;
        let mut own: Vec<u64> = above.clone();
        own.push(line);
        let lines: Vec<Node<'d>> = node.lines().collect();
        waiting.extend(lines.into_iter().rev().map(|beneath| (beneath, own.clone())));
        found.push(Beneath { node, line, above });
    }
    found
}

impl<'c> Judge<'c> {
    /// Looks at what the header says of the serialisation.
    pub(super) fn header(&mut self) {
        let before = self.conversion.before.document();
        self.versions();
        self.language();
        let mut met: Vec<&str> = Vec::new();
        let data = if self.conversion.has_gedc_on_one_side() {
            let gedc = self.before.structures.get(gedc_as_data(&self.before).start).copied();
            gedc.filter(|gedc| gedc.in_header && gedc.node.tag() == "GEDC").map(|gedc| gedc.node)
        } else {
            None
        };
        let tops: Vec<Node<'c>> = before.serialisation_metadata().chain(data).collect();
        for top in tops {
            let is_first = !met.contains(&top.tag());
            met.push(top.tag());
            for beneath in all_beneath(before, top) {
                self.beneath_metadata(top, &beneath, is_first);
            }
        }
        self.schema();
    }

    /// Looks at one line of what describes the serialisation.
    fn beneath_metadata(&mut self, top: Node<'c>, beneath: &Beneath<'c>, is_first: bool) {
        let &Beneath { node, line, ref above } = beneath;
        if let Some(xref) = node.xref() {
            self.reports
                .needs(line, Difference::Identifier, || format!("the identifier `{xref}` of metadata"));
        }
        if node.is_error() {
            let kinds = [Difference::FaultyLine, Difference::Line, Difference::Schema, Difference::Metadata];
            let is_said = kinds.map(|kind| self.reports.explain(line, kind)).contains(&true);
            if !is_said {
                self.reports.fault(line, "FaultyLine or Line not reported beneath metadata");
            }
            return;
        }
        let kinds = [Difference::Metadata, Difference::Schema, Difference::Line, Difference::Structure];
        let mut is_explained = false;
        for line in above.iter().chain([&line]) {
            for kind in kinds {
                is_explained |= self.reports.explain(*line, kind);
            }
        }
        let is_direct = node.superstructure().map(|above| above.id()) == Some(top.id());
        let is_kept = match (top.tag(), node.tag()) {
            ("CHAR" | "ELF" | "PLANG" | "GEDC", _) if node.id() == top.id() => is_first,
            ("GEDC", "VERS") => is_direct && top.substructure("VERS").map(|of| of.id()) == Some(node.id()),
            ("GEDC", "FORM") => is_direct && top.substructure("FORM").map(|of| of.id()) == Some(node.id()),
            ("GEDC", "ELF") => is_direct && top.substructure("ELF").map(|of| of.id()) == Some(node.id()),
            ("CHAR" | "ELF" | "PLANG" | "GEDC", _) => false,
            // Schemas are compared as a whole, and by the types they give.
            _ => true,
        };
        if !is_kept && !is_explained {
            self.reports.fault(line, &format!("Metadata not reported: `{}` of {}", node.tag(), top.tag()));
        }
        let form = node.merged();
        if is_kept && node.tag() == "FORM" && !form.eq_ignore_ascii_case("LINEAGE-LINKED") && !is_explained {
            self.reports.fault(line, &format!("Metadata not reported: the form `{form}`"));
        }
    }

    /// Compares versions.
    fn versions(&mut self) {
        let [from, to] = self.conversion.rules();
        let [before, after] = [self.conversion.before, self.conversion.after].map(|typed| typed.document());
        let (has_before, has_after) =
            (from.tagged.metadata.has_versions(), to.tagged.metadata.has_versions());
        let mut locator = before.locator();
        if let Some(vers) = version(before).filter(|_| has_before || has_after) {
            let [given, written] =
                [Some(vers), version(after)].map(|node| node.map(|node| normal(&node.text())));
            let line = locator.place(vers.span()).line;
            let trimmed = |text: &Option<String>| text.as_deref().map(|text| text.trim().to_owned());
            if given != written && trimmed(&given) == trimmed(&written) {
                self.reports.needs(line, Difference::Whitespace, || format!("{given:?} became {written:?}"));
            } else if given != written {
                self.reports.needs(line, Difference::Version, || format!("{given:?} became {written:?}"));
            }
        }
        let mut metadata = before.serialisation_metadata();
        if let Some(elf) = metadata.find(|node| node.tag() == "ELF") {
            let major = before.header().elf_version().map(elf_tagged::Version::major);
            if major != Some("1") {
                let line = locator.place(elf.span()).line;
                // Where the header has no place for it, it is left out.
                let difference = if has_after { Difference::Version } else { Difference::Metadata };
                self.reports.needs(line, difference, || format!("ELF of version {major:?}"));
            }
        }
    }

    /// Compares the language of the document, where both sides have one.
    fn language(&mut self) {
        let before = self.conversion.before.document();
        let Some(language) = before.header().language() else { return };
        if self.conversion.after.document().header().language() == Some(language) {
            return;
        }
        let mut metadata = before.serialisation_metadata();
        let line = metadata
            .find(|node| node.tag() == "PLANG")
            .map_or(0, |node| before.locator().place(node.span()).line);
        self.reports.needs(line, Difference::Metadata, || format!("the language {language}"));
    }

    /// Compares schemas line by line where both sides only store them; reports about them may stand nowhere else.
    fn schema(&mut self) {
        let [from, to] = self.conversion.rules();
        if !from.tagged.metadata.is_raw() || !to.tagged.metadata.is_raw() {
            return;
        }
        let before = self.conversion.before.document();
        let after = self.conversion.after.document();
        let of = |document: &'c Document<'c>| {
            let tops = document.serialisation_metadata().filter(|node| node.tag() == "SCHMA");
            tops.flat_map(|top| all_beneath(document, top)).collect::<Vec<_>>()
        };
        let shown = |beneath: &Beneath<'_>| {
            let payload = beneath.node.line_payload().unwrap_or_default();
            (beneath.above.len(), beneath.node.tag().to_owned(), normal(payload))
        };
        let written: Vec<_> = of(after).iter().map(shown).collect();
        let mut written = written.iter();
        for beneath in of(before) {
            let kinds = [Difference::Metadata, Difference::Schema, Difference::Line, Difference::Structure];
            let mut lines = beneath.above.iter().chain([&beneath.line]);
            if lines.any(|line| kinds.iter().any(|kind| self.reports.has(*line, *kind))) {
                continue;
            }
            let expected = shown(&beneath);
            if !beneath.node.is_error()
                && !beneath.node.is_continuation()
                && !written.any(|line| *line == expected)
            {
                self.reports.fault(beneath.line, &format!("missing in the schema: {expected:?}"));
                return;
            }
        }
    }
}
