//! Writes the header record with its serialisation metadata (D19 *Header metadata*; J19 §4; O17 §3.2, §6.4).

use super::payload::PreservedEscapes;
use super::payload_losses::PayloadLosses;
use super::schema_shape::{self, LineTreatment};
use super::{Content, Stage, Versions, WriteError, Writer, shorten};
use crate::escape::{DEFAULT_SCHEMA, EscapeSource, EscapeTable};
use crate::write::OptionError;
use crate::{NodeId, PreambleLine, Version};
use elf_base::rules::{Mechanism, Metadata};
use elf_base::{Rules, codes};
use std::borrow::Cow;
use std::collections::HashSet;
use std::io;

/// The serialisation metadata of a header that will be written. The encoding is not part of this metadata, because the
/// writer knows the encoding.
///
/// The rules decide which parts are written. December 2019 has versions, a language and schemas; January 2019 and the
/// declarative draft have only schemas; 2017 has namespaces and definitions of tags. Metadata for which the rules have
/// no place is reported as lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preamble<'p> {
    /// The payload of HEAD.GEDC.VERS. If this version is `None`, 5.5.1 is written if the rules require a version (D19
    /// *Legacy GEDCOM version*), and no version is written if they do not.
    pub gedcom_version: Option<Cow<'p, str>>,
    /// The payload of HEAD.PLANG, which is the default language of payloads (D19 *Header metadata*).
    pub language: Option<Cow<'p, str>>,
    /// The structures SCHMA, or PRFX and DEFN in 2017, with everything under them. If the schema is `None`, none is
    /// written, except that the default schema is written if the rules require one and can refer to it (J19 §4.2.1).
    pub schema: Option<Vec<PreambleLine<'p>>>,
    /// The escapes that readers of the file will preserve because of the schemas to which the file refers. If the table
    /// is `None`, these are the escapes that `schema` defines. Under tags that an external schema may define, all
    /// escapes are written unchanged.
    pub escapes: Option<EscapeTable>,
    /// The nodes from which the metadata was read.
    pub(super) origins: Origins,
}

/// The nodes from which serialisation metadata was read. Losses are reported at these nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Origins {
    pub(super) head: Option<NodeId>,
    pub(super) gedcom_version: Option<NodeId>,
    pub(super) language: Option<NodeId>,
    /// The first structure of the schema. The first structure is used for definitions that are generated.
    pub(super) schema: Option<NodeId>,
}

/// The lines of a schema that is written unchanged. The lines are stored as the nodes from which they come.
#[derive(Debug, Default)]
pub(super) struct RawLines {
    pub(super) written: HashSet<NodeId>,
    /// The lines that cannot be written unchanged. Each is reported at the time at which it would be written.
    pub(super) refused: HashSet<NodeId>,
}

/// The way in which a line of an unchanged schema is written. If a line is left out, everything under it is left out
/// too.
#[derive(Clone, Copy, Debug)]
enum RawTreatment {
    /// The line is written at this level.
    Written(u32),
    /// The line is neither a SCHMA nor under a SCHMA.
    Misplaced,
    /// The part of the line with this name cannot be written.
    Faulty(&'static str),
    /// The line is under a line that is left out.
    Beneath,
}

/// Returns the default GEDCOM version for a file under `rules`.
pub(super) const fn default_gedcom_version(rules: &Rules) -> &'static str {
    if rules.tagged.metadata.has_no_form() { "7.0" } else { "5.5.1" }
}

/// Returns the reason why a file under `rules` cannot contain a GEDCOM version. Returns `None` if it can.
///
/// December 2019 allows 5.5 and 5.5.1 (D19 *Legacy GEDCOM version*). The rules of GEDCOM 7 allow only versions whose
/// payloads are read in the same way as those of GEDCOM 7.
pub(super) fn reason_to_replace_gedcom_version(given: &str, rules: &Rules) -> Option<String> {
    let version = Version::parse(given);
    let is_7 = version.as_ref().is_some_and(Version::is_gedcom_7);
    let (replaced, expected) = match rules.tagged.metadata {
        Metadata::Versions | Metadata::Gedcom551 => {
            (![Version::new(5, 5, 0), Version::new(5, 5, 1)].map(Some).contains(&version), "5.5 or 5.5.1")
        }
        Metadata::PseudoStructures | Metadata::Schema => (is_7, "5.5 or 5.5.1"),
        Metadata::Gedcom70 => (!is_7, "7.0"),
    };
    let message = || {
        let (given, written) = (shorten(given), default_gedcom_version(rules));
        format!("GEDCOM version `{given}` is replaced by {written}: the output needs {expected}")
    };
    replaced.then(message)
}

/// Returns whether a header may have this schema. GEDCOM 7 allows only a schema that defines extension tags (GEDCOM 7.0
/// *Extensions*), and some rules allow no schema.
fn fits_mechanism(schema: &[PreambleLine<'_>], mechanism: Mechanism) -> bool {
    let is_of_tags = || schema.iter().any(|line| line.level == 2 && line.tag == "TAG");
    mechanism.defines_types() || mechanism.is_of_extension_tags() && is_of_tags()
}

impl<'p> Preamble<'p> {
    /// Creates a preamble that contains only what the rules require.
    pub const fn new() -> Preamble<'p> {
        let origins = Origins { head: None, gedcom_version: None, language: None, schema: None };
        Preamble { gedcom_version: None, language: None, schema: None, escapes: None, origins }
    }

    /// Copies the texts, so that the result borrows nothing. The links to the nodes of the input are removed.
    pub fn into_owned(self) -> Preamble<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let lines = |lines: Vec<PreambleLine<'_>>| lines.into_iter().map(PreambleLine::into_owned).collect();
        Preamble {
            gedcom_version: self.gedcom_version.map(own),
            language: self.language.map(own),
            schema: self.schema.map(lines),
            escapes: self.escapes,
            origins: Origins::default(),
        }
    }

    /// Sets the GEDCOM version.
    #[must_use]
    pub fn with_gedcom_version(mut self, version: Option<impl Into<Cow<'p, str>>>) -> Preamble<'p> {
        self.gedcom_version = version.map(Into::into);
        self
    }

    /// Sets the payload language.
    #[must_use]
    pub fn with_language(mut self, language: Option<impl Into<Cow<'p, str>>>) -> Preamble<'p> {
        self.language = language.map(Into::into);
        self
    }

    /// Sets the schema.
    #[must_use]
    pub fn with_schema(mut self, schema: Option<Vec<PreambleLine<'p>>>) -> Preamble<'p> {
        self.schema = schema;
        self
    }

    /// Sets the escapes that readers of the file will preserve.
    #[must_use]
    pub fn with_escapes(mut self, escapes: Option<EscapeTable>) -> Preamble<'p> {
        self.escapes = escapes;
        self
    }
}

impl<W: io::Write> Writer<'_, W> {
    /// Writes the byte-order mark, the header and the serialisation metadata. Call this at most once, before all
    /// structures. If you do not call it, a header with only what the rules require is written.
    ///
    /// # Errors
    ///
    /// Returns the errors of the output, and [`OptionError::GedcomVersionNeeded`] if the header must contain a GEDCOM
    /// version.
    pub fn head(&mut self, preamble: &Preamble<'_>) -> Result<(), WriteError> {
        self.write_named_head(preamble, None, Content::None)
    }

    /// Writes the same as [`head`](Writer::head), with an identifier and a payload of the header if the rules allow
    /// them (O17 §3.1).
    pub(super) fn write_named_head(
        &mut self,
        preamble: &Preamble<'_>,
        xref: Option<&str>,
        content: Content<'_>,
    ) -> Result<(), WriteError> {
        if self.stage != Stage::Start {
            return Ok(());
        }
        self.stage = Stage::Header;
        self.escapes = match &preamble.escapes {
            Some(known) => known.clone(),
            None => ().table(&self.choose_schema(preamble), &self.rules),
        };
        if self.options.writes_mark(&self.rules)
            && let Some(mark) = self.options.encoding.mark()
        {
            self.out.write_all(mark)?;
            self.summary.octets += mark.len() as u64;
        }
        self.origin = preamble.origins.head;
        let xref = self.xref_to_write(0, xref, "HEAD");
        self.lines.start_structure(0, xref.as_deref(), "HEAD");
        self.write_content(content, "HEAD");
        self.lines.end_line();
        if !self.rules.write.encodings.are_utf_8() {
            self.write_line(1, "CHAR", self.options.encoding.char_name().unwrap_or_default());
        }
        match self.rules.tagged.metadata {
            Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom70 => self.write_versions(preamble)?,
            Metadata::Schema => {
                self.write_inline_schema(preamble);
                self.write_data_versions(preamble);
            }
            Metadata::PseudoStructures => {
                self.write_definitions(preamble);
                self.write_data_versions(preamble);
            }
        }
        // At this point, at least CHAR has been written.
        self.counted = 1;
        self.origin = None;
        Ok(())
    }

    /// Writes ELF, GEDC, PLANG and SCHMA. Nothing is escaped, because readers do not unescape these structures.
    fn write_versions(&mut self, preamble: &Preamble<'_>) -> Result<(), WriteError> {
        let schema = preamble.schema.as_deref().unwrap_or_default();
        let has_schema = schema.iter().any(|line| line.level == 1 && line.tag == "SCHMA");
        self.origin = preamble.origins.language;
        let language = preamble.language.as_deref().filter(|language| self.check_language(language));
        self.names_elf = self.options.names_elf(&self.rules, has_schema, language.is_some());
        if self.names_elf {
            self.write_line(1, "ELF", "1.0.0");
        }
        if self.options.versions != Versions::ElfAlone || !self.rules.tagged.metadata.has_elf_version() {
            self.origin = preamble.origins.gedcom_version;
            let version = self.choose_gedcom_version(preamble).into_owned();
            self.write_line(1, "GEDC", "");
            self.write_line(2, "VERS", &version);
            if !self.rules.tagged.metadata.has_no_form() {
                self.write_line(2, "FORM", "LINEAGE-LINKED");
            }
        } else if !has_schema {
            return Err(OptionError::GedcomVersionNeeded.into());
        }
        match language {
            Some(language) if self.rules.tagged.payload_language => self.write_line(1, "PLANG", language),
            Some(_) => self.report_no_place("PLANG"),
            None => {}
        }
        self.write_raw_lines(schema, preamble.origins);
        Ok(())
    }

    /// Returns the given GEDCOM version, or the default version if the rules do not allow it.
    fn choose_gedcom_version<'v>(&mut self, preamble: &'v Preamble<'_>) -> Cow<'v, str> {
        let otherwise = default_gedcom_version(&self.rules);
        let Some(given) = preamble.gedcom_version.as_deref() else { return otherwise.into() };
        let Some(message) = reason_to_replace_gedcom_version(given, &self.rules) else { return given.into() };
        self.lose(codes::VERSION_REPLACED, message);
        otherwise.into()
    }

    /// Writes a schema of December 2019, or the extension tags of GEDCOM 7. If a structure cannot be written unchanged,
    /// it is left out with everything under it.
    fn write_raw_lines(&mut self, lines: &[PreambleLine<'_>], origins: Origins) {
        if !lines.is_empty() && !fits_mechanism(lines, self.rules.schema.mechanism) {
            let tops = lines.iter().enumerate().filter(|(number, line)| *number == 0 || line.level <= 1);
            for (_, line) in tops {
                self.origin = line.origin().or(origins.schema);
                let message = "left out the schema: the header of the output cannot contain one";
                self.lose(codes::SCHEMA_CANNOT_BE_WRITTEN, message);
            }
            self.summary.dropped += lines.len() as u64;
            return;
        }
        for (line, treatment) in self.decide_treatments(lines) {
            self.origin = line.origin().or(origins.schema);
            match treatment {
                RawTreatment::Written(level) => {
                    self.write_line(level, &line.tag, &line.payload);
                    continue;
                }
                RawTreatment::Misplaced => self.report_no_place(&line.tag),
                RawTreatment::Faulty(fault) => self.lose_raw(fault, &line.tag),
                RawTreatment::Beneath => {}
            }
            self.summary.dropped += 1;
        }
    }

    /// Decides how each line of an unchanged schema is written.
    fn decide_treatments<'l, 'p>(
        &mut self,
        lines: &'l [PreambleLine<'p>],
    ) -> Vec<(&'l PreambleLine<'p>, RawTreatment)> {
        let (mut previous, mut skip) = (0, None);
        let has_place = fits_mechanism(lines, self.rules.schema.mechanism);
        let treatment = |line: &PreambleLine<'_>| {
            if skip.is_some_and(|skip| line.level > skip) {
                return RawTreatment::Beneath;
            }
            skip = Some(line.level);
            let level = line.level.clamp(1, previous + 1);
            if level == 1 && line.tag != "SCHMA" || !has_place {
                return RawTreatment::Misplaced;
            }
            if let Some(fault) = self.raw_fault(&line.tag, &line.payload) {
                return RawTreatment::Faulty(fault);
            }
            (previous, skip) = (level, None);
            RawTreatment::Written(level)
        };
        let treatments: Vec<RawTreatment> = lines.iter().map(treatment).collect();
        lines.iter().zip(treatments).collect()
    }

    /// Returns whether a structure can be written unchanged in serialisation metadata (D19 *Parsing serialisation
    /// metadata*). Reports a structure that cannot.
    fn check_raw(&mut self, tag: &str, payload: &str) -> bool {
        let fault = self.raw_fault(tag, payload);
        if let Some(fault) = fault {
            self.lose_raw(fault, tag);
        }
        fault.is_none()
    }

    fn lose_raw(&mut self, fault: &str, tag: &str) {
        let message = format!(
            "left out `{}` and everything under it: {fault} cannot be written in the header",
            shorten(tag)
        );
        self.lose(codes::METADATA_CANNOT_BE_WRITTEN, message);
    }

    /// Returns the part of a structure that cannot be written unchanged in serialisation metadata.
    fn raw_fault(&mut self, tag: &str, payload: &str) -> Option<&'static str> {
        let tag_is_good = elf_lines::is_tag(tag) && !matches!(tag, "HEAD" | "TRLR" | "CONC" | "CONT");
        let trimmed = payload.trim_matches([' ', '\t']);
        let inner = trimmed.strip_prefix('@').and_then(|rest| rest.strip_suffix('@'));
        if !tag_is_good {
            Some("the tag")
        } else if payload.contains(['\n', '\r']) {
            Some("the line ending in the payload")
        } else if inner
            .is_some_and(|inner| !inner.is_empty() && !inner.starts_with('#') && !inner.contains('@'))
        {
            Some("the payload, which looks like a pointer,")
        } else if elf_lines::first_forbidden(payload).is_some() || !self.spelling.has_all_characters(payload)
        {
            Some("a character of the payload")
        } else {
            None
        }
    }

    /// Returns the lines of a schema that is written unchanged. The lines are returned as the nodes from which they
    /// come.
    pub(super) fn raw_lines_of(&mut self, lines: &[PreambleLine<'_>]) -> RawLines {
        let mut raw = RawLines::default();
        for (line, treatment) in self.decide_treatments(lines) {
            match treatment {
                RawTreatment::Written(_) => raw.written.extend(line.origin()),
                RawTreatment::Faulty(_) => raw.refused.extend(line.origin()),
                RawTreatment::Misplaced | RawTreatment::Beneath => {}
            }
        }
        raw
    }

    /// Returns whether a text can be the payload language of the document (Basic Concepts *Language tags*). Reports a
    /// text that cannot.
    fn check_language(&mut self, language: &str) -> bool {
        let well_formed = crate::is_language_tag(language);
        if !well_formed {
            let message =
                format!("left out `PLANG` of the header: `{}` is not a language tag", shorten(language));
            self.lose(codes::METADATA_CANNOT_BE_WRITTEN, message);
        }
        well_formed && self.check_raw("PLANG", language)
    }

    /// Writes one SCHMA of January 2019 or the declarative draft. This SCHMA has the content of all SCHMA, because
    /// several count as one (J19 §4.2). A reference by IRI is one level deeper there than in December 2019.
    fn write_inline_schema(&mut self, preamble: &Preamble<'_>) {
        let lines = self.choose_schema(preamble);
        let treatments = schema_shape::decide_treatments(&lines, &self.rules);
        let mut begun = false;
        let mut previous = 0;
        let mut skip = None;
        for (line, treatment) in lines.iter().zip(treatments) {
            if skip.is_some_and(|skip| line.level > skip) {
                self.summary.dropped += 1;
                continue;
            }
            skip = None;
            self.origin = line.origin().or(preamble.origins.schema);
            let level = line.level.clamp(1, previous + 1);
            let payload = match treatment {
                LineTreatment::Kept => Some(Cow::Borrowed(&*line.payload)),
                LineTreatment::LeftOut(message) => {
                    self.lose(codes::SCHEMA_CANNOT_BE_WRITTEN, message);
                    None
                }
                LineTreatment::Shortened(rest, message) => {
                    self.lose(codes::SCHEMA_CANNOT_BE_WRITTEN, message);
                    Some(Cow::Owned(rest))
                }
            };
            if level == 1 && line.tag != "SCHMA" {
                self.report_no_place(&line.tag);
            } else if level == 1 {
                if !std::mem::replace(&mut begun, true) {
                    self.write_line(1, "SCHMA", "");
                }
                // If the reference is left out, the definitions under it still apply.
                if let Some(reference) = payload.filter(|payload| !payload.is_empty()) {
                    self.write_line(2, "SCHMA", &reference);
                }
                previous = 1;
                continue;
            } else if let Some(payload) = payload
                && self.check_raw(&line.tag, "")
            {
                self.write_line(level, &line.tag, &payload);
                previous = level;
                continue;
            }
            self.summary.dropped += 1;
            skip = Some(line.level);
        }
    }

    /// Returns the schema that is written. A given schema is written as it is. Without a given schema, it is the
    /// default schema, if the rules demand a schema and can refer to the default one (J19 §4.2.1).
    fn choose_schema<'l>(&self, preamble: &'l Preamble<'l>) -> Cow<'l, [PreambleLine<'l>]> {
        match &preamble.schema {
            Some(lines) => Cow::Borrowed(lines.as_slice()),
            None if self.rules.schema.mechanism.wants_default() => {
                Cow::Owned(vec![PreambleLine::new(1, "SCHMA", DEFAULT_SCHEMA)])
            }
            None => Cow::Borrowed(&[]),
        }
    }

    /// Writes PRFX and DEFN of 2017.
    fn write_definitions(&mut self, preamble: &Preamble<'_>) {
        let mut written = true;
        for line in preamble.schema.as_deref().unwrap_or_default() {
            self.origin = line.origin().or(preamble.origins.schema);
            if line.level == 1 {
                written = matches!(&*line.tag, "PRFX" | "DEFN");
                if written {
                    self.write_line(1, &line.tag, &line.payload);
                } else {
                    self.report_no_place(&line.tag);
                }
            } else {
                // Readers ignore everything under a pseudo-structure (O17 §4.2).
                self.summary.dropped += 1;
                if written {
                    self.report_no_place(&line.tag);
                }
            }
        }
    }

    /// Writes the GEDCOM version as data, as the drafts before December 2019 require. These drafts have no payload
    /// language.
    fn write_data_versions(&mut self, preamble: &Preamble<'_>) {
        if preamble.gedcom_version.is_some() || preamble.origins.gedcom_version.is_some() {
            self.origin = preamble.origins.gedcom_version;
            self.write_line(1, "GEDC", "");
            if preamble.gedcom_version.is_some() {
                let version = self.choose_gedcom_version(preamble).into_owned();
                self.write_line(2, "VERS", &version);
            }
            self.write_line(2, "FORM", "LINEAGE-LINKED");
        }
        self.origin = preamble.origins.language;
        if preamble.language.is_some() {
            self.report_no_place("PLANG");
        }
    }

    fn report_no_place(&mut self, tag: &str) {
        let message = format!("this draft does not have `{}` in the header", shorten(tag));
        self.lose(codes::STRUCTURE_DROPPED, message);
    }

    /// Writes a line of the header, with its payload escaped under the rules.
    fn write_line(&mut self, level: u32, tag: &str, payload: &str) {
        self.lines.start_structure(level, None, tag);
        if self.rules.tagged.metadata.is_raw() {
            self.lines.push_whole_payload(payload);
        } else if !payload.is_empty() {
            let spelling = &mut self.spelling;
            let mut lost = PayloadLosses::default();
            self.lines.without_limit(|lines| {
                lost = spelling.write_payload(lines, payload, PreservedEscapes::default())
            });
            self.report_payload_losses(lost, tag);
        }
        self.lines.end_line();
    }
}
