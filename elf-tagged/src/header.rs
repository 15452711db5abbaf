//! The header record: what it says about the serialisation is taken out of the data
//! (D19 *Header metadata*, *Parsing serialisation metadata*; J19 §4; O17 §3.2).

use crate::Version;
use crate::escape::EscapeTypes;
use crate::tree::build::{Builder, Flow, Waiting};
use crate::tree::{NodeId, flag};
use elf_base::rules::Metadata;
use elf_base::{Code, Span, codes};
use std::borrow::Cow;
use std::collections::HashMap;

/// What the header says about the serialisation.
///
/// The structures themselves are kept as they stood: [`Document::serialisation_metadata`](crate::Document::serialisation_metadata).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Header {
    pub(crate) head: Option<u32>,
    pub(crate) metadata: Vec<NodeId>,
    elf_version: Option<Version>,
    gedcom_version: Option<Version>,
    language: Option<Box<str>>,
    character_encoding: Option<Box<str>>,
    schemas: Vec<Box<str>>,
    /// The tags of the serialisation metadata met, but for SCHMA, which may be repeated: a handful at most.
    kinds: Vec<Box<str>>,
    escapes: HashMap<Box<str>, EscapeTypes>,
    /// Whether ESC of a schema in the header says so.
    escapes_defined: bool,
}

impl Header {
    /// The header of a document of which nothing is read yet, or that has none.
    pub(crate) fn new() -> Header {
        Header { escapes: default_escapes().into_iter().collect(), ..Header::default() }
    }

    /// The ELF serialisation version (D19 *ELF serialisation version*).
    pub const fn elf_version(&self) -> Option<&Version> {
        self.elf_version.as_ref()
    }

    /// The legacy GEDCOM version, of HEAD.GEDC.VERS (D19 *Legacy GEDCOM version*).
    pub const fn gedcom_version(&self) -> Option<&Version> {
        self.gedcom_version.as_ref()
    }

    /// The default payload language, of HEAD.PLANG, as written.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// The payload of HEAD.CHAR, as written. What the octets were decoded with is
    /// [`Decision::used`](elf_octets::Decision).
    pub fn character_encoding(&self) -> Option<&str> {
        self.character_encoding.as_deref()
    }

    /// The payloads of HEAD.SCHMA, in order: IRIs of schemas (D19). Inline schemas have none.
    pub fn schemas(&self) -> impl Iterator<Item = &str> {
        self.schemas.iter().map(|iri| &**iri)
    }

    /// The types of escapes that structures of that tag preserve, under rules that drop all others (J19 §4.2.4).
    pub fn preserved(&self, tag: &str) -> EscapeTypes {
        self.escapes.get(tag).copied().unwrap_or_default()
    }

    /// The types of escapes that the header's own schema permits in structures of that tag; `None` where it says nothing
    /// of escapes, and the drafts have their own answer (D19 *Permitted escapes*).
    pub(crate) fn permitted<'t>(&self, tag: impl FnOnce() -> &'t str) -> Option<EscapeTypes> {
        self.escapes_defined.then(|| self.preserved(tag()))
    }

    /// What is known of the header in a part of the document that does not hold it.
    pub(crate) fn leave_first_part(&mut self) {
        self.head = None;
        self.metadata.clear();
    }

    /// Replaces the table of preserved escapes, because schemas from elsewhere are in force.
    pub(crate) fn set_preserved(&mut self, table: Vec<(Box<str>, EscapeTypes)>) {
        self.escapes.clear();
        self.define_escapes(table);
    }

    /// The first definition for a tag counts.
    fn define_escapes(&mut self, table: Vec<(Box<str>, EscapeTypes)>) {
        for (tag, types) in table {
            self.escapes.entry(tag).or_insert(types);
        }
    }
}

/// `ESC DATE D`, of the default schema (J19 §9).
fn default_escapes() -> Vec<(Box<str>, EscapeTypes)> {
    EscapeTypes::of("D").map(|types| (Box::from("DATE"), types)).into_iter().collect()
}

type Finding = (Span, Code, Cow<'static, str>);

impl Builder<'_, '_> {
    /// Reads and hides the serialisation metadata of the first record, if that is a header.
    pub(crate) fn extract_header(&mut self, record: u32) -> Flow {
        let mut findings: Vec<Finding> = Vec::new();
        let tag = self.view().tag(record);
        let is_head = tag == "HEAD"
            || tag.eq_ignore_ascii_case("HEAD") && self.rules.tagged.metadata == Metadata::Versions;
        if is_head {
            if tag != "HEAD" {
                self.find(
                    &mut findings,
                    codes::HEADER_SPELLING,
                    record,
                    "expected `HEAD` in capital letters",
                );
            }
            self.header.head = Some(record);
            let children: Vec<u32> = self.view().children(record).collect();
            for child in children {
                self.extract(child, &mut findings);
            }
            self.check_head(record, &mut findings);
        }
        let mut flow = Flow::Continue;
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Finding(code, node, message) if !self.in_metadata(node) => {
                    self.find(&mut findings, code, node, message);
                    if self.flow_of(code) == Flow::Stop {
                        flow = Flow::Stop;
                    }
                }
                Waiting::Escapes(node) if !self.in_metadata(node) => {
                    // In order of the text: what was found before this node is said first.
                    let start = self.nodes.get(node as usize).map_or(0, |node| node.start);
                    findings.sort_by_key(|(span, ..)| span.start);
                    let later = findings.split_off(findings.partition_point(|(span, ..)| span.start < start));
                    self.say(std::mem::replace(&mut findings, later));
                    self.report_escapes(node);
                }
                // Said already, as a fault of serialisation metadata.
                Waiting::Finding(..) | Waiting::Escapes(_) => {}
            }
        }
        findings.sort_by_key(|(span, ..)| span.start);
        self.say(findings);
        flow
    }

    /// The pseudo-structures of 2017 are no data wherever they stand (O17 §3.2); under the header they are known
    /// already.
    pub(crate) fn hide_pseudo_structures(&mut self) {
        for id in 0..self.next_index() {
            let misplaced = self.flags(id) & (flag::HIDDEN | flag::CONTINUATION) == 0
                && matches!(self.view().tag(id), "CHAR" | "CONC" | "CONT" | "DEFN" | "PRFX" | "TRLR");
            if misplaced {
                self.set(id, flag::HIDDEN, 0);
                if self.view().tag(id) == "TRLR" {
                    // Its place was spoken of when it was read.
                    continue;
                }
                let span = self.view().tag_span(id);
                let message = "expected a structure, but found a pseudo-structure that belongs elsewhere";
                self.reporter.at(codes::PSEUDO_STRUCTURE_MISPLACED, span, message);
            }
        }
    }

    fn say(&mut self, findings: Vec<Finding>) {
        for (span, code, message) in findings {
            self.reporter.at(code, span, message);
        }
    }

    fn find(
        &self,
        findings: &mut Vec<Finding>,
        code: Code,
        node: u32,
        message: impl Into<Cow<'static, str>>,
    ) {
        let span = self.view().tag_span(node);
        findings.push((span, code, message.into()));
    }

    fn find_payload(
        &self,
        findings: &mut Vec<Finding>,
        code: Code,
        node: u32,
        message: impl Into<Cow<'static, str>>,
    ) {
        let view = self.view();
        let payload = view.get(node).map_or(Span::default(), |data| view.nodes.payload(node, data));
        let span = if payload.is_empty() { view.tag_span(node) } else { payload };
        findings.push((span, code, message.into()));
    }

    fn in_metadata(&self, node: u32) -> bool {
        let mut at = node;
        while let Some(data) = self.nodes.get(at as usize) {
            if data.flags & flag::HIDDEN != 0 {
                return true;
            }
            at = data.parent;
        }
        false
    }

    /// Takes one substructure of the header out of the data, if it describes the serialisation.
    fn extract(&mut self, node: u32, findings: &mut Vec<Finding>) {
        let metadata = self.rules.tagged.metadata;
        let view = self.view();
        let tag = view.tag(node).to_owned();
        if metadata == Metadata::Schema && view.xref(node).is_some() {
            let message = "expected no cross-reference identifier in the header";
            self.find(findings, codes::METADATA_XREF, node, message);
        }
        let is_metadata = match metadata {
            Metadata::PseudoStructures => matches!(&*tag, "CHAR" | "DEFN" | "PRFX"),
            Metadata::Schema => matches!(&*tag, "CHAR" | "SCHMA"),
            _ => matches!(&*tag, "CHAR" | "ELF" | "GEDC" | "PLANG" | "SCHMA"),
        };
        if !is_metadata {
            if tag == "GEDC" {
                self.versions_in_gedc(node);
            }
            if metadata == Metadata::Versions && tag.eq_ignore_ascii_case("CHAR") {
                let message = "the encoding was taken from here, but `CHAR` is written in capital letters";
                self.find(findings, codes::METADATA_SPELLING, node, message);
            }
            return;
        }
        let payload = view.line_payload(node).to_owned();
        let repeated = self.header.kinds.iter().any(|kind| **kind == *tag);
        let has_substructures = view.children(node).next().is_some();
        if !repeated && tag != "SCHMA" {
            self.header.kinds.push(tag.as_str().into());
        }
        if metadata == Metadata::Versions {
            self.check_metadata(node, repeated, findings);
            self.separate_continuations(node);
        } else if tag == "CHAR" && has_substructures {
            let message = "expected `CHAR` without substructures";
            self.find(findings, codes::METADATA_NOT_BARE, node, message);
        }
        self.header.metadata.push(NodeId(node));
        self.set(node, flag::HIDDEN, 0);
        match &*tag {
            "CHAR" if !repeated => self.header.character_encoding = Some(payload.into()),
            "ELF" => self.elf_version(node, &payload, findings),
            "GEDC" => self.gedc(node, &payload, findings),
            "PLANG" if self.header.language.is_none() => {
                if !is_language_tag(&payload) {
                    let message = "expected a language tag such as `en` or `pt-BR`";
                    self.find_payload(findings, codes::LANGUAGE_MALFORMED, node, message);
                }
                self.header.language = Some(payload.into());
            }
            "SCHMA" => {
                if !payload.is_empty() {
                    self.header.schemas.push(payload.into());
                }
                // December 2019 leaves the shape of SCHMA open, and what it permits to schemas where they speak of it.
                let view = self.view();
                let speaks = view.children(node).any(|child| view.tag(child) == "ESC");
                if metadata == Metadata::Schema || metadata == Metadata::Versions && speaks {
                    self.preserved_escapes(node);
                }
            }
            _ => {}
        }
    }

    /// Serialisation metadata of December 2019 stays as it stands: what looks like a continuation in it is a structure of its
    /// own, and nothing is unescaped (D19 *Parsing serialisation metadata*).
    fn separate_continuations(&mut self, node: u32) {
        let end = self.nodes.get(node as usize).map_or(node, |node| node.next);
        for id in node..end {
            self.set(id, 0, flag::CONTINUATION | flag::CONTINUED | flag::AT);
        }
    }

    /// What serialisation metadata of December 2019 may not hold, at any depth.
    fn check_metadata(&self, node: u32, repeated: bool, findings: &mut Vec<Finding>) {
        if repeated {
            let message = format!("a second `{}`; the first one counts", self.view().tag(node));
            self.find(findings, codes::METADATA_REPEATED, node, message);
        }
        let end = self.nodes.get(node as usize).map_or(node, |node| node.next);
        for id in node..end {
            let flags = self.flags(id);
            if flags & flag::XREF != 0 {
                let message = "expected no cross-reference identifier in serialisation metadata";
                self.find(findings, codes::METADATA_XREF, id, message);
            }
            if matches!(self.view().tag(id), "HEAD" | "TRLR" | "CONC" | "CONT") {
                let message = "serialisation metadata is read as it stands, and cannot be continued";
                self.find(findings, codes::METADATA_RESERVED_TAG, id, message);
            }
            if flags & flag::POINTER != 0 {
                self.find_payload(
                    findings,
                    codes::METADATA_POINTER,
                    id,
                    "expected a string, but found a pointer",
                );
            }
        }
    }

    fn elf_version(&mut self, node: u32, payload: &str, findings: &mut Vec<Finding>) {
        let Some(version) = Version::parse(payload) else {
            self.find_payload(
                findings,
                codes::VERSION_MALFORMED,
                node,
                "expected a version number such as 1.0.0",
            );
            return;
        };
        if version.major() != "1" {
            let message = format!("expected ELF version 1, but found {version}");
            self.find_payload(findings, codes::ELF_VERSION_MAJOR, node, message);
        } else if version.minor() != "0" {
            let message = format!("expected ELF version 1.0, but found {version}; it is read as 1.0");
            self.find_payload(findings, codes::ELF_VERSION_MINOR, node, message);
        }
        if self.header.elf_version.is_none() {
            self.header.elf_version = Some(version);
        }
    }

    /// GEDC is one VERS and one FORM (D19 *Parsing serialisation metadata*).
    fn gedc(&mut self, node: u32, payload: &str, findings: &mut Vec<Finding>) {
        let view = self.view();
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
        if !payload.is_empty() || self.flags(node) & flag::CONTINUED != 0 {
            self.find_payload(findings, codes::GEDC_MALFORMED, node, "expected no payload");
        }
        if versions.len() != 1 || forms.len() != 1 {
            let message =
                format!("expected one VERS and one FORM, but found {} and {}", versions.len(), forms.len());
            self.find(findings, codes::GEDC_MALFORMED, node, message);
        }
        if let Some(&form) = forms.first()
            && view.line_payload(form) != "LINEAGE-LINKED"
        {
            self.find_payload(findings, codes::GEDCOM_FORM, form, "expected `LINEAGE-LINKED`");
        }
        let version = versions.first().and_then(|&vers| Version::parse(view.line_payload(vers)));
        if let Some(&vers) = versions.first() {
            match &version {
                None => {
                    let message = "expected a version number such as 5.5.1";
                    self.find_payload(findings, codes::VERSION_MALFORMED, vers, message);
                }
                Some(found) if ![Version::new(5, 5, 0), Version::new(5, 5, 1)].contains(found) => {
                    let message = format!("expected GEDCOM version 5.5 or 5.5.1, but found {found}");
                    self.find_payload(findings, codes::GEDCOM_VERSION_UNKNOWN, vers, message);
                }
                Some(_) => {}
            }
        }
        let misplaced = elf.filter(|_| self.rules.recovers());
        let elf_version = misplaced.and_then(|elf| Version::parse(view.line_payload(elf)));
        if let Some(elf) = misplaced {
            let message = "the ELF version is read from here, but belongs directly under HEAD";
            self.find(findings, codes::ELF_VERSION_MISPLACED, elf, message);
        }
        if self.header.elf_version.is_none() {
            self.header.elf_version = elf_version;
        }
        if self.header.gedcom_version.is_none() {
            self.header.gedcom_version = version;
        }
    }

    /// Before December 2019 GEDC is data like any other, and the only place where versions stand (O17 §2; J19 §9).
    fn versions_in_gedc(&mut self, node: u32) {
        let view = self.view();
        let version = |tag: &str| {
            let child = view.children(node).find(|&child| view.tag(child) == tag)?;
            Version::parse(view.line_payload(child))
        };
        let (elf, gedcom) = (version("ELF"), version("VERS"));
        self.header.elf_version = elf;
        self.header.gedcom_version = gedcom;
    }

    /// The header record itself bears nothing (D19 *Header metadata*; RDX).
    fn check_head(&self, record: u32, findings: &mut Vec<Finding>) {
        let view = self.view();
        if view.xref(record).is_some() {
            self.find(findings, codes::HEADER_NOT_BARE, record, "expected a header without an identifier");
        }
        if !view.line_payload(record).is_empty() || view.flags(record) & flag::CONTINUED != 0 {
            self.find_payload(
                findings,
                codes::HEADER_NOT_BARE,
                record,
                "expected a header without a payload",
            );
        }
    }

    /// ESC of an inline schema (J19 §4.2.4). A schema in the file replaces the default one whole, `ESC DATE D` included.
    fn preserved_escapes(&mut self, schema: u32) {
        let view = self.view();
        let mut table = Vec::new();
        for child in view.children(schema).filter(|&child| view.tag(child) == "ESC") {
            let mut tokens = view.line_payload(child).split_ascii_whitespace();
            if let (Some(tag), Some(types), None) = (tokens.next(), tokens.next(), tokens.next())
                && let Some(types) = EscapeTypes::of(types)
            {
                table.push((Box::from(tag), types));
            }
        }
        // The external default schema names what it preserves (J19 §4.2.1).
        let default = view.children(schema).any(|child| {
            view.tag(child) == "SCHMA"
                && view.line_payload(child) == "https://fhiso.org/TR/elf-data-model/v1.0.0"
        });
        if !self.header.escapes_defined {
            self.header.escapes.clear();
        }
        if default {
            table.extend(default_escapes());
        }
        self.header.escapes_defined = true;
        self.header.define_escapes(table);
    }
}

/// The shape of a language tag: subtags of one to eight letters and digits, the first of letters (RFC 5646).
fn is_language_tag(text: &str) -> bool {
    let mut subtags = text.split('-');
    let first = subtags.next().unwrap_or_default();
    (1..=8).contains(&first.len())
        && first.bytes().all(|octet| octet.is_ascii_alphabetic())
        && subtags.all(|subtag| {
            (1..=8).contains(&subtag.len()) && subtag.bytes().all(|octet| octet.is_ascii_alphanumeric())
        })
}
