//! Compares the header: versions, language, schemas, and the remaining metadata.

use super::schema::payload_by_rules;
use super::text::{FORBIDDEN, normalise};
use super::{Difference, Judge, Outline};
use elf_tagged::{Document, Node};
use std::ops::Range;

/// The range of the structures of GEDC, if it is data.
pub(super) fn gedc_as_data(outline: &Outline<'_>) -> Range<usize> {
    let mut all = outline.structures.iter().enumerate();
    let found = all.find(|(_, each)| each.in_header && each.depth == 0 && each.node.tag() == "GEDC");
    found.map_or(0..0, |(number, gedc)| number..gedc.end)
}

/// Returns the structure of the header that names the GEDCOM version.
fn find_version<'d>(document: &'d Document<'_>) -> Option<Node<'d>> {
    let mut all = document.serialisation_metadata().chain(document.metadata());
    all.find(|node| node.tag() == "GEDC")?.substructure("VERS")
}

/// The kinds of reports about a missing part of the header.
const LEFT_OUT: [Difference; 2] = [Difference::Metadata, Difference::Schema];

/// A line of the serialisation metadata.
#[derive(Clone, Copy)]
pub(super) struct MetadataLine<'d> {
    pub(super) node: Node<'d>,
    pub(super) line: u64,
    /// True if a line above it is reported as left out, with everything under it.
    pub(super) is_covered: bool,
    /// True if all of the metadata is reported as left out.
    is_displaced: bool,
}

/// Returns whether a line is stray: text, or a continuation at the level of the structure that it continues.
pub(super) fn is_stray(node: Node<'_>) -> bool {
    let level = |node: Node<'_>| {
        let digits = node.span().of(node.document().text()).trim_start_matches([' ', '\t']);
        let end = digits.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(digits.len());
        digits.get(..end).and_then(|digits| digits.parse::<u64>().ok())
    };
    if !node.is_continuation() {
        return false;
    }
    let above = node.superstructure().and_then(level);
    !matches!(node.tag(), "CONT" | "CONC") || level(node) <= above
}

impl<'c> Judge<'c> {
    /// Checks the serialisation metadata in the header.
    pub(super) fn check_header(&mut self) {
        let before = self.conversion.before.document();
        self.check_versions();
        let mut met: Vec<&str> = Vec::new();
        let data = if self.conversion.has_gedc_on_one_side() {
            let gedc = self.before.structures.get(gedc_as_data(&self.before).start).copied();
            gedc.filter(|gedc| gedc.in_header && gedc.node.tag() == "GEDC").map(|gedc| gedc.node)
        } else {
            None
        };
        for top in before.serialisation_metadata() {
            let is_first = !met.contains(&top.tag());
            met.push(top.tag());
            self.check_metadata(top, is_first, false);
        }
        if let Some(gedc) = data {
            self.check_metadata(gedc, true, true);
        }
    }

    /// Checks a metadata structure with everything under it.
    fn check_metadata(&mut self, top: Node<'c>, is_first: bool, is_data: bool) {
        let mut locator = self.conversion.before.document().locator();
        let mut waiting = vec![(top, false)];
        let mut is_displaced = false;
        while let Some((node, is_covered)) = waiting.pop() {
            let line = locator.place(node.span()).line;
            let is_else = node.is_error() || node.is_continuation() || self.before.index_of(node).is_some();
            // A line that is not data, under a structure that is data, is checked with the lines.
            if is_data && !is_else {
                continue;
            }
            let beneath = MetadataLine { node, line, is_covered, is_displaced };
            let is_covered = self.check_metadata_line(top, beneath, is_first);
            is_displaced |=
                node.id() == top.id() && is_covered && matches!(top.tag(), "SCHMA" | "PRFX" | "DEFN");
            let lines: Vec<Node<'c>> = node.lines().collect();
            waiting.extend(lines.into_iter().rev().map(|line| (line, is_covered)));
        }
    }

    /// Checks one line of metadata. Returns whether a report covers the lines under it.
    fn check_metadata_line(&mut self, top: Node<'c>, beneath: MetadataLine<'c>, is_first: bool) -> bool {
        let MetadataLine { node, line, is_covered, is_displaced } = beneath;
        if let Some(xref) = node.xref() {
            self.reports.require_report(line, Difference::Identifier, || {
                format!("the identifier `{xref}` of metadata")
            });
        }
        if node.is_error() {
            let is_kept = self.is_faulty_line_kept(node);
            let kind = if is_kept { Difference::FaultyLine } else { Difference::Line };
            self.reports.require_report(line, kind, || "a faulty line beneath metadata".to_owned());
            if is_kept {
                self.require_removed_escapes(line, &node.merged(), &[]);
            }
            return is_covered || !is_kept;
        }
        // If CHAR or all metadata is left out, no other report is needed.
        let is_written = top.tag() != "CHAR" && !is_displaced;
        if is_written && !self.conversion.before.document().rules().tagged.metadata.is_raw() {
            self.require_removed_escapes(line, &node.merged(), &[]);
        }
        if node.is_continuation() {
            if top.tag() == "CHAR" || is_stray(node) && !self.keeps_continuations(top) {
                self.reports.require_report(line, Difference::Line, || format!("text of {}", top.tag()));
            }
            return is_covered;
        }
        if matches!(top.tag(), "SCHMA" | "PRFX" | "DEFN") {
            return self.check_schema_line(beneath);
        }
        let is_direct = node.superstructure().map(|above| above.id()) == Some(top.id());
        let is_first_of = |tag| is_direct && top.substructure(tag).map(|of| of.id()) == Some(node.id());
        let is_kept = match (top.tag(), node.tag()) {
            _ if node.id() == top.id() => is_first,
            ("GEDC", tag @ ("VERS" | "FORM" | "ELF")) => is_first_of(tag),
            _ => false,
        };
        if !is_kept {
            if !is_covered {
                let what = || format!("`{}` of {}", node.tag(), top.tag());
                self.reports.require_any_report(line, &LEFT_OUT, what);
            }
            return true;
        }
        if !is_covered {
            self.check_is_kept(top, node, line);
        }
        is_covered
    }

    /// Searches the output for the same metadata.
    fn check_is_kept(&mut self, top: Node<'c>, node: Node<'c>, line: u64) {
        let after = self.conversion.after.document();
        let written = after.serialisation_metadata().chain(after.metadata()).find(|of| of.tag() == top.tag());
        let is_lost = match (top.tag(), node.tag()) {
            ("GEDC", "GEDC") => written.is_none() || !node.merged().is_empty(),
            ("PLANG", _) => {
                let [given, written] =
                    [Some(node), written].map(|of| of.map(|of| normalise(&of.text()).trim().to_owned()));
                given != written
            }
            // A default form need not be written (GEDCOM 7.0 *The Header and Trailer*).
            ("GEDC", "FORM") if after.rules().tagged.metadata.has_no_form() => {
                !node.text().trim().eq_ignore_ascii_case("LINEAGE-LINKED")
            }
            ("GEDC", "FORM") => {
                let form = written.and_then(|gedc| gedc.substructure("FORM")).map(|form| form.text());
                !form.is_some_and(|form| {
                    let said = node.text();
                    form.eq_ignore_ascii_case(&said)
                        || self.has_lost_text(node)
                            && said.lines().next().is_some_and(|first| form.eq_ignore_ascii_case(first))
                })
            }
            // Encoding and ELF version are those of the output. Versions are compared separately.
            _ => false,
        };
        if is_lost {
            let what =
                || format!("{} `{}` became {:?}", node.tag(), node.text(), written.map(|of| of.text()));
            self.reports.require_any_report(line, &LEFT_OUT, what);
        }
    }

    /// Returns whether stray text under a schema stays unchanged, because both rules read schemas as payloads.
    fn keeps_continuations(&self, top: Node<'c>) -> bool {
        let [from, to] = self.conversion.rules();
        matches!(top.tag(), "SCHMA" | "PRFX" | "DEFN")
            && !from.tagged.metadata.is_raw()
            && from.schema.mechanism == to.schema.mechanism
    }

    /// Returns whether stray text is reported as left out.
    fn has_lost_text(&self, node: Node<'c>) -> bool {
        let mut locator = self.conversion.before.document().locator();
        let mut stray = node.lines().filter(|line| line.is_continuation() && is_stray(*line));
        stray.any(|line| self.reports.is_reported_at(locator.place(line.span()).line, Difference::Line))
    }

    /// Compares versions.
    fn check_versions(&mut self) {
        let [from, to] = self.conversion.rules();
        let [before, after] = [self.conversion.before, self.conversion.after].map(|typed| typed.document());
        let (has_before, has_after) =
            (from.tagged.metadata.has_versions(), to.tagged.metadata.has_versions());
        let mut locator = before.locator();
        if let Some(vers) = find_version(before).filter(|_| has_before || has_after) {
            let [mut given, written] = [Some(vers), find_version(after)]
                .map(|node| node.map(|node| normalise(&payload_by_rules(node))));
            let line = locator.place(vers.span()).line;
            if let Some(text) = given.as_mut().filter(|text| text.contains(FORBIDDEN))
                && self.reports.explain(line, Difference::Characters)
            {
                *text = normalise(&text.replace(FORBIDDEN, ""));
            }
            if self.has_lost_text(vers)
                && let Some(first) = given.as_mut()
            {
                first.truncate(first.find('\n').unwrap_or(first.len()));
            }
            let trimmed = |text: &Option<String>| text.as_deref().map(|text| text.trim().to_owned());
            if given != written && trimmed(&given) == trimmed(&written) {
                let both = [Difference::Whitespace, Difference::Version];
                self.reports.require_any_report(line, &both, || format!("{given:?} became {written:?}"));
            } else if given != written {
                self.reports
                    .require_report(line, Difference::Version, || format!("{given:?} became {written:?}"));
            }
        }
        let mut metadata = before.serialisation_metadata();
        if let Some(elf) = metadata.find(|node| node.tag() == "ELF") {
            let major = before.header().elf_version().map(elf_tagged::Version::major);
            if major != Some("1") {
                let line = locator.place(elf.span()).line;
                // If the header of the output has no place for the version, it is left out.
                let has_place = to.tagged.metadata.has_elf_version();
                let difference = if has_place { Difference::Version } else { Difference::Metadata };
                self.reports.require_report(line, difference, || format!("ELF of version {major:?}"));
            } else if !to.tagged.metadata.has_elf_version() {
                // If there are several, the first may differ.
                let line = locator.place(elf.span()).line;
                let _ = self.reports.explain(line, Difference::Metadata);
            }
        }
    }
}
