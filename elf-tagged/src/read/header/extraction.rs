//! Extracts the serialisation metadata from the header record (D19 *Header metadata*, *Parsing serialisation metadata*;
//! J19 §4; O17 §3.2; RDX *Header*).
//!
//! The record is not changed. The result contains the metadata, the structures that are not data, and findings.

use super::{Header, Written};
use crate::Version;
use crate::read::escape::EscapeSource;
use crate::read::language::NO_LANGUAGE_TAG;
use crate::read::preamble_line::PreambleLine;
use crate::read::report::SpanFinding;
use crate::read::tree::{NodeId, View, flag};
use elf_base::rules::HeaderXrefs;
use elf_base::{Code, Fix, FixAction, Rules, Span, codes, is_language_tag};
use std::borrow::Cow;

/// The result of extracting serialisation metadata from a header record.
pub(crate) struct Extraction {
    /// The metadata. The field `metadata` of the header has the structures that are not data.
    pub(crate) header: Header,
    /// The findings. The findings are not sorted.
    pub(crate) findings: Vec<SpanFinding>,
}

impl Extraction {
    /// Extracts the metadata from the first record of a document, which may be a header. `escapes` determines which
    /// escapes the schemas preserve.
    pub(crate) fn of(view: View<'_>, record: u32, rules: &Rules, escapes: &dyn EscapeSource) -> Extraction {
        let header = Header::new(rules);
        let mut extractor = Extractor { view, rules, header, findings: Vec::new(), met: Vec::new() };
        extractor.read_record(record);
        let schemas = extractor.schemas();
        extractor.header.escapes = escapes.table(&schemas, rules);
        extractor.header.defined_names = defined_names(&schemas);
        Extraction { header: extractor.header, findings: extractor.findings }
    }
}

struct Extractor<'v, 'r> {
    view: View<'v>,
    rules: &'r Rules,
    header: Header,
    findings: Vec<SpanFinding>,
    /// The tags of the serialisation metadata that has been read. There are few.
    met: Vec<&'v str>,
}

impl<'v> Extractor<'v, '_> {
    fn read_record(&mut self, record: u32) {
        let tag = self.view.tag(record);
        let any_case = self.rules.octets.prescan.folds_case();
        if tag != "HEAD" && !(any_case && tag.eq_ignore_ascii_case("HEAD")) {
            return;
        }
        if tag != "HEAD" {
            let span = self.view.tag_span(record);
            let finding =
                SpanFinding::new(codes::HEADER_SPELLING, span, "expected `HEAD` in capital letters");
            self.findings.push(finding.fix(Fix::safe(FixAction::Replace(Cow::Borrowed("HEAD")))));
        }
        self.header.head = Some(record);
        for child in self.view.children(record) {
            self.read_substructure(child);
        }
        self.check_head(record);
    }

    /// Checks the header record itself, which must be empty (D19 *Header metadata*; RDX). In 2017, the header is a
    /// structure like others (O17 §3.1).
    fn check_head(&mut self, record: u32) {
        if self.rules.tagged.metadata.keeps_header_as_data() {
            return;
        }
        if self.view.xref(record).is_some() {
            self.add_finding(codes::HEADER_NOT_BARE, record, "the header has an identifier");
        }
        let continued = self.view.flags(record) & flag::CONTINUED != 0;
        if !self.view.line_payload(record).is_empty() || continued {
            self.add_payload_finding(codes::HEADER_NOT_BARE, record, "the header has a payload");
        }
    }

    /// Reads a substructure of the header. A substructure that describes the serialisation is not data.
    fn read_substructure(&mut self, node: u32) {
        let view = self.view;
        let tag = view.tag(node);
        let is_metadata = self.rules.tagged.metadata.includes(tag, true);
        let is_raw = self.rules.tagged.metadata.is_raw();
        self.check_xrefs(node, is_metadata);
        if !is_metadata {
            if tag == "GEDC" {
                self.read_versions_in_data(node);
            }
            if self.rules.octets.prescan.folds_case() && tag.eq_ignore_ascii_case("CHAR") {
                let message = "the encoding is read from here; write `CHAR` in capital letters";
                self.add_finding(codes::METADATA_SPELLING, node, message);
            }
            return;
        }
        let repeated = self.met.contains(&tag);
        if repeated && !self.may_repeat(tag) {
            let message = format!(
                "a second `{tag}`; {}",
                if tag == "SCHMA" { "they are read as one" } else { "the first one is used" }
            );
            self.add_finding(codes::METADATA_REPEATED, node, message);
        }
        if !repeated {
            self.met.push(tag);
        }
        if is_raw {
            self.check_raw(node);
        } else if tag != "SCHMA" && self.has_substructures(node) {
            let message = format!("`{tag}` has substructures");
            self.add_finding(codes::METADATA_NOT_BARE, node, message);
        }
        self.header.metadata.push(NodeId(node));
        self.read_metadata(node, tag, repeated);
    }

    /// Returns whether a pseudo-structure has substructures other than continuation lines (O17 §6.4). CHAR cannot be
    /// continued.
    fn has_substructures(&self, node: u32) -> bool {
        let view = self.view;
        let continues = |child: u32| view.flags(child) & flag::CONTINUATION != 0 && view.tag(node) != "CHAR";
        view.children(node).any(|child| !continues(child))
    }

    /// Returns whether the header may have several structures with this metadata tag (D19 *Parsing serialisation
    /// metadata*; J19 §4, §4.2; RDX *Header*; O17 §6.4).
    fn may_repeat(&self, tag: &str) -> bool {
        match tag {
            "PRFX" | "DEFN" => true,
            "SCHMA" => self.rules.schema.mechanism.may_refer(),
            _ => false,
        }
    }

    /// Reads a structure of serialisation metadata.
    fn read_metadata(&mut self, node: u32, tag: &str, repeated: bool) {
        let payload = self.view.line_payload(node);
        match tag {
            "CHAR" if self.rules.tagged.metadata.has_no_form() => {
                self.add_finding(
                    codes::METADATA_UNKNOWN,
                    node,
                    "GEDCOM 7 does not have `CHAR`: it is always UTF-8",
                );
            }
            "CHAR" if !repeated => self.header.character_encoding = Some(payload.into()),
            "ELF" => self.read_elf_version(node, payload),
            "GEDC" => self.read_gedc(node, payload),
            "PLANG" => {
                if !is_language_tag(payload) {
                    self.add_payload_finding(codes::LANGUAGE_MALFORMED, node, NO_LANGUAGE_TAG);
                }
                self.header.language.get_or_insert_with(|| payload.into());
            }
            "SCHMA" if self.view.flags(node) & flag::POINTER == 0 => {
                let raw = self.rules.tagged.metadata.is_raw();
                let reference = self.view.metadata_payload(node, raw, self.rules.tagged.escape);
                if !reference.is_empty() {
                    self.header.schemas.push(reference.into());
                }
            }
            _ => {}
        }
    }

    /// Reports identifiers that are not allowed in the header. Serialisation metadata cannot have identifiers at any
    /// depth (D19 *Parsing serialisation metadata*; J19 §5.1). Under the declarative draft, no substructure can have
    /// one (RDX *Header*).
    fn check_xrefs(&mut self, node: u32, is_metadata: bool) {
        let view = self.view;
        let (end, message) = match self.rules.tagged.header_xrefs {
            HeaderXrefs::None if !is_metadata => (node + 1, "cross-reference identifier in the header"),
            HeaderXrefs::None | HeaderXrefs::OnData if is_metadata => (
                view.nodes.end(node).unwrap_or(node),
                "this structure of the header cannot have an identifier",
            ),
            HeaderXrefs::Any | HeaderXrefs::OnData | HeaderXrefs::None => return,
        };
        for id in node..end {
            if view.flags(id) & flag::XREF != 0 {
                self.add_finding(codes::METADATA_XREF, id, message);
            }
        }
    }

    /// Reports content that is not allowed in the serialisation metadata of December 2019, at any depth.
    fn check_raw(&mut self, node: u32) {
        let view = self.view;
        let end = view.nodes.end(node).unwrap_or(node);
        for id in node..end {
            if matches!(view.tag(id), "HEAD" | "TRLR" | "CONC" | "CONT") {
                let message = "this structure of the header cannot contain HEAD, TRLR, CONC or CONT";
                self.add_finding(codes::METADATA_RESERVED_TAG, id, message);
            }
            if view.flags(id) & flag::POINTER != 0 {
                self.add_payload_finding(codes::METADATA_POINTER, id, "expected text, but found a pointer");
            }
        }
    }

    fn read_elf_version(&mut self, node: u32, payload: &str) {
        let Some(written) = Written::of(payload) else {
            self.add_payload_finding(
                codes::VERSION_MALFORMED,
                node,
                "expected a version number such as 1.0.0",
            );
            return;
        };
        if written.version.major() != "1" {
            let message = format!("expected ELF version 1, but found {payload}");
            self.add_payload_finding(codes::ELF_VERSION_MAJOR, node, message);
        } else if written.version.minor() != "0" {
            let message = format!("expected ELF version 1.0, but found {payload}; it is read as 1.0");
            self.add_payload_finding(codes::ELF_VERSION_MINOR, node, message);
        }
        self.header.elf_version.get_or_insert(written);
    }

    /// Reads GEDC, which must have one VERS and one FORM (D19 *Parsing serialisation metadata*).
    fn read_gedc(&mut self, node: u32, payload: &str) {
        let view = self.view;
        let mut versions = Vec::new();
        let mut forms = Vec::new();
        let mut elf = None;
        for child in view.children(node) {
            match view.tag(child) {
                "VERS" => versions.push(child),
                "FORM" => forms.push(child),
                "ELF" => elf = elf.or(Some(child)),
                _ => {}
            }
        }
        let version = versions.first().and_then(|&vers| Written::of(view.line_payload(vers)));
        self.header.set_gedcom_version(version.clone());
        if !payload.is_empty() {
            self.add_payload_finding(codes::GEDC_MALFORMED, node, "unexpected payload");
        }
        self.check_form(node, versions.len(), &forms);
        if let Some(&vers) = versions.first() {
            self.check_gedcom_version(vers, version.as_ref());
        }
        let misplaced = elf.filter(|_| self.rules.recovers());
        if let Some(elf) = misplaced {
            let message = "the ELF version is read from here, but belongs directly under HEAD";
            self.add_finding(codes::ELF_VERSION_MISPLACED, elf, message);
        }
        if self.header.elf_version.is_none() {
            self.header.elf_version = misplaced.and_then(|elf| Written::of(view.line_payload(elf)));
        }
    }

    /// Checks the number of versions and forms of GEDC. GEDC must have one of each, but in GEDCOM 7 it has no form.
    fn check_form(&mut self, node: u32, versions: usize, forms: &[u32]) {
        if self.rules.tagged.metadata.has_no_form() {
            for &form in forms {
                self.add_finding(codes::METADATA_UNKNOWN, form, "GEDCOM 7 does not have `FORM`");
            }
        }
        // For a GEDCOM 7 file, the version is reported, but not the consequences of this version.
        let has_no_form = self.rules.tagged.metadata.has_no_form() || self.header.says_gedcom_7();
        if versions != 1 || forms.len() != 1 && !has_no_form {
            let message = match has_no_form {
                true => format!("expected one VERS in GEDC, but found {versions}"),
                false => format!(
                    "expected one VERS and one FORM in GEDC, but found {versions} and {}",
                    forms.len()
                ),
            };
            self.add_finding(codes::GEDC_MALFORMED, node, message);
        }
        let payload = |form: u32| self.view.line_payload(form);
        if let Some(&form) = forms.first()
            && payload(form) != FORM
            && !self.rules.tagged.metadata.has_no_form()
        {
            let is_meant =
                !self.header.says_gedcom_7() && capital_letters(payload(form)).eq(capital_letters(FORM));
            let fix = is_meant.then(|| Fix::guess(FixAction::Replace(Cow::Borrowed(FORM))));
            let span = self.payload_span(form);
            let finding = SpanFinding::new(codes::GEDCOM_FORM, span, "expected `LINEAGE-LINKED`");
            self.findings.push(finding.fix(fix));
        }
    }

    /// Checks that the rules support the GEDCOM version: 5.5 or 5.5.1 (D19 *Legacy GEDCOM version*), or 7.
    fn check_gedcom_version(&mut self, vers: u32, version: Option<&Written>) {
        let is_of_7 = self.rules.tagged.metadata.has_no_form();
        let expected = if is_of_7 { "7.0" } else { "5.5 or 5.5.1" };
        let Some(Written { version, text }) = version else {
            let message = format!("expected a version number such as {expected}");
            return self.add_payload_finding(codes::VERSION_MALFORMED, vers, message);
        };
        let old = [Version::new(5, 5, 0), Version::new(5, 5, 1)];
        if !(if is_of_7 { version.is_gedcom_7() } else { old.contains(version) }) {
            let message = format!("expected GEDCOM version {expected}, but found {text}");
            self.add_payload_finding(codes::GEDCOM_VERSION_UNKNOWN, vers, message);
        }
    }

    /// Reads the versions in GEDC if GEDC is data. Before December 2019 it is data, and it is the only structure with
    /// versions (O17 §2; J19 §9).
    fn read_versions_in_data(&mut self, node: u32) {
        let view = self.view;
        let version = |tag: &str| {
            let child = view.children(node).find(|&child| view.tag(child) == tag)?;
            // Text that follows the number does not belong to the version.
            let is_continued = |line: u32| view.flags(line) & (flag::CONT | flag::CONC) != 0;
            let is_whole = !view.children(child).any(is_continued);
            Written::of(&view.metadata_payload(child, is_whole, self.rules.tagged.escape))
        };
        if self.header.elf_version.is_none() {
            self.header.elf_version = version("ELF");
        }
        self.header.set_gedcom_version(version("VERS"));
    }

    fn schemas(&self) -> Vec<PreambleLine<'v>> {
        let mut lines = Vec::new();
        let raw = self.rules.tagged.metadata.is_raw();
        for node in self.header.metadata.iter().filter(|node| self.view.tag(node.0) == "SCHMA") {
            PreambleLine::collect(self.view, node.0, raw, self.rules.tagged.escape, &mut lines);
        }
        lines
    }

    fn add_finding(&mut self, code: Code, node: u32, message: impl Into<Cow<'static, str>>) {
        self.findings.push(SpanFinding::new(code, self.view.tag_span(node), message));
    }

    fn add_payload_finding(&mut self, code: Code, node: u32, message: impl Into<Cow<'static, str>>) {
        self.findings.push(SpanFinding::new(code, self.payload_span(node), message));
    }

    /// Returns the span of the payload of a node's line. If the line has no payload, returns the span of its tag.
    fn payload_span(&self, node: u32) -> Span {
        let view = self.view;
        let payload = view.get(node).map_or(Span::default(), |data| view.nodes.payload(node, data));
        if payload.is_empty() { view.tag_span(node) } else { payload }
    }
}

/// Returns the full names of tags that schemas define as tags of their own.
fn defined_names(schemas: &[PreambleLine<'_>]) -> Vec<Box<str>> {
    let defined = schemas.iter().filter(|line| line.tag == "TAG");
    let tags = defined.filter_map(|line| line.payload.split([' ', '\t']).next());
    tags.filter(|tag| elf_lines::tag_of_full_name(tag).is_some()).map(Into::into).collect()
}

/// The only form that is valid in GEDC (D19 *Parsing serialisation metadata*).
const FORM: &str = "LINEAGE-LINKED";

fn capital_letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_uppercase())
}
