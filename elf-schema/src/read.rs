//! Reads the schema in a document's header (J19 §4.2; D19 *Header metadata*).

use crate::build::{Builder, collect_references};
use crate::builtin;
use crate::definitions::Reference;
use crate::findings::{Finding, Findings, Where};
use crate::provenance::Origin;
use crate::raw::{Kind, Raw};
use crate::schema::Schema;
use crate::source::{External, ExternalSchemas};
use elf_base::{Diagnostic, Rules, Sink, Tally, codes, without_credentials};
use elf_tagged::{Document, Options, TooLarge};
use std::collections::HashMap;
use std::sync::Arc;

impl Schema {
    /// Returns the schema that a document defines; `None` if it does not define one, so that the default schema
    /// applies (J19 §4.2).
    ///
    /// All SCHMA of the header count as one. External schemas come from `external`, except built-in ones; if one is not
    /// available, that is reported, and its tags stay undefined. Under December 2019 and `WILD` rules, a SCHMA with an
    /// IRI as payload is a reference, and a SCHMA with substructures is a schema.
    ///
    /// ```
    /// use elf_schema::{Options, Rules, Schema};
    ///
    /// let octets = b"0 HEAD\n1 SCHMA\n2 PRFX ex https://e.example/\n2 IRI ex:Shoe\n3 TAG _SHOE ex:Foot\n0 TRLR\n";
    /// let document = elf_tagged::read(octets, &Rules::JANUARY_2019, &Options::default(), &mut ())?;
    /// let schema = Schema::of_document(&document, &(), &mut ()).expect("a schema");
    /// let definition = schema.definitions().next().expect("a definition");
    /// assert_eq!(definition.structure_type(), "https://e.example/Shoe");
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn of_document(
        document: &Document<'_>,
        external: &dyn ExternalSchemas,
        sink: &mut dyn Sink,
    ) -> Option<Schema> {
        read_and_report(document, Origin::File, None, external, sink)
    }

    /// Reads a schema from a document of its own, such as a schema file. `None` if the document contains no schema.
    /// Explanations of types call the document by `name`, which is its IRI or its path. The rules of January 2019 are
    /// used, which define schemas.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] if the text is longer than 4 GiB.
    pub fn read(
        name: &str,
        octets: &[u8],
        options: &Options,
        external: &dyn ExternalSchemas,
        sink: &mut dyn Sink,
    ) -> Result<Option<Schema>, TooLarge> {
        let document = elf_tagged::read(octets, &Rules::JANUARY_2019, options, sink)?;
        Ok(read_and_report(&document, Origin::External(name.into()), None, external, sink))
    }

    /// Reads definitions like [`read`](Schema::read), to [add](Schema::with_additions) them to this schema. They may
    /// mention types that this schema defines.
    ///
    /// ```
    /// use elf_schema::{Diagnostic, Options, Schema};
    ///
    /// let text = b"0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 IRI https://e.example/Shoe\n3 TAG _SHOE https://terms.fhiso.org/elf/FAM_RECORD\n0 TRLR\n";
    /// let mut findings: Vec<Diagnostic> = Vec::new();
    /// let more = Schema::completed().read_additions("shoes.elf", text, &Options::default(), &(), &mut findings)?;
    /// assert!(findings.is_empty() && more.is_some());
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TooLarge`] if the text is longer than 4 GiB.
    pub fn read_additions(
        &self,
        name: &str,
        octets: &[u8],
        options: &Options,
        external: &dyn ExternalSchemas,
        sink: &mut dyn Sink,
    ) -> Result<Option<Schema>, TooLarge> {
        let document = elf_tagged::read(octets, &Rules::JANUARY_2019, options, sink)?;
        Ok(read_and_report(&document, Origin::External(name.into()), Some(self), external, sink))
    }
}

/// Reads the schema of a document and reports its findings.
fn read_and_report(
    document: &Document<'_>,
    origin: Origin,
    base: Option<&Schema>,
    external: &dyn ExternalSchemas,
    sink: &mut dyn Sink,
) -> Option<Schema> {
    let mut findings = Findings::default();
    let (schema, read) = read_with_references(document, origin, base, external, &mut findings);
    let read: Vec<&Reference> = read.iter().collect();
    findings.report(document, &read, document.rules(), sink);
    schema
}

/// Returns the IRIs of the external schemas that a document refers to, except built-in ones, in order and without
/// duplicates.
///
/// ```
/// use elf_schema::{Options, Rules};
///
/// let octets = b"0 HEAD\n1 SCHMA https://e.example/schema\n0 TRLR\n";
/// let document = elf_tagged::read(octets, &Rules::WILD, &Options::default(), &mut ())?;
/// assert_eq!(elf_schema::wanted(&document), ["https://e.example/schema"]);
/// # Ok::<(), elf_schema::TooLarge>(())
/// ```
pub fn wanted(document: &Document<'_>) -> Vec<String> {
    let raw = Raw::of(document, Origin::File);
    collect_references(&raw, document.rules(), &mut Findings::default())
        .into_iter()
        .filter(|reference| !reference.at_hand)
        .map(|reference| reference.iri.to_string())
        .collect()
}

/// Reads the schema of a document. Also returns the references whose documents were read.
fn read_with_references(
    document: &Document<'_>,
    origin: Origin,
    base: Option<&Schema>,
    external: &dyn ExternalSchemas,
    findings: &mut Findings,
) -> (Option<Schema>, Vec<Reference>) {
    let rules = document.rules();
    let raw = Raw::of(document, origin);
    if !raw.found {
        // Only report problems of SCHMA structures that are not schemas.
        if !raw.items.is_empty() {
            Builder::new(rules, findings).build(&[raw], Vec::new());
        }
        return (None, Vec::new());
    }
    let mut references = collect_references(&raw, rules, findings);
    let wanted: Vec<&str> = references
        .iter()
        .map(|reference| &*reference.iri)
        .filter(|iri| !builtin::is_built_in_iri(iri))
        .collect();
    external.prepare(&wanted);
    let places: HashMap<u64, Where> = raw
        .items
        .iter()
        .filter(|item| item.kind == Kind::External)
        .map(|item| (item.at.place.octet, Where { document: 0, at: item.at }))
        .collect();
    let mut documents = vec![raw];
    let mut read = Vec::new();
    for reference in &mut references {
        let place = reference.provenance.place.and_then(|place| places.get(&place.octet)).copied();
        let found = if builtin::is_built_in_iri(&reference.iri) {
            // The reference is to the default schema, which may be the completed one under these rules.
            let completed = rules.schema.default.is_completed();
            Some(builtin::raw_built_in(if completed { Origin::Completed } else { Origin::Published }))
        } else {
            read_external(reference, place, external, findings)
        };
        if let Some(raw) = found {
            reference.at_hand = true;
            documents.push(raw);
            read.push(reference.clone());
        }
    }
    (Some(Builder::new(rules, findings).with_base(base).build(&documents, references)), read)
}

/// Returns the structures of an external schema, if its document is available (J19 §4.2.1).
fn read_external(
    reference: &Reference,
    place: Option<Where>,
    external: &dyn ExternalSchemas,
    findings: &mut Findings,
) -> Option<Raw> {
    let mut find = |code, message: String, help: &'static str| {
        if let Some(at) = place {
            findings.push(Finding::new(code, at, message).help(help));
        }
    };
    let iri = &reference.iri;
    // The message may be shown without the file.
    let named = without_credentials(iri);
    let Some(found) = external.schema(iri) else {
        let web = iri.starts_with("https://") || iri.starts_with("http://");
        let message = match (web, external.remark(iri)) {
            (_, Some(remark)) => format!("cannot get the external schema `{named}`: {remark}"),
            (true, None) => format!("the external schema `{named}` is not available"),
            (false, None) => {
                format!("expected an http or https IRI, but found `{named}`, which is not available")
            }
        };
        find(
            codes::SCHEMA_EXTERNAL,
            message,
            "structures that it defines have no type, and escapes that it may allow are kept",
        );
        return None;
    };
    if let Some(remark) = external.remark(iri) {
        let message = format!("the external schema `{named}` may be out of date: {remark}");
        find(codes::SCHEMA_OUT_OF_DATE, message, "the cached copy is used");
    }
    let mut tally = Tally::new(());
    let document = match read_as_january_2019(&found, &mut tally) {
        Ok(document) => document,
        Err(_) => {
            let message = format!("the external schema `{named}` is longer than 4 GiB");
            find(codes::SCHEMA_EXTERNAL, message, "structures that it defines have no type");
            return None;
        }
    };
    // Only the schema of the document is used, without the schemas that it refers to.
    let mut raw = Raw::of(&document, Origin::External(Arc::clone(iri)));
    if !raw.found {
        find(
            codes::SCHEMA_EXTERNAL,
            format!("no ELF schema at `{named}`"),
            "structures that it should define have no type",
        );
        return None;
    }
    if tally.errors() > 0 {
        let faults = if tally.errors() == 1 { "fault" } else { "faults" };
        let message = format!(
            "the external schema `{named}` is not a valid ELF file: it has {} {faults}",
            tally.errors()
        );
        find(codes::SCHEMA_FAULTY, message, "the valid part of the schema is used");
    }
    if raw.items.iter().any(|item| item.kind == Kind::External) {
        find(
            codes::SCHEMA_NESTED,
            format!("the external schema `{named}` refers to other external schemas"),
            "they are not read; refer to them in the file itself",
        );
        raw.items.retain(|item| item.kind != Kind::External);
    }
    Some(raw)
}

/// Reads the document of an external schema by the rules of January 2019 (J19 §4.2.1).
pub(crate) fn read_as_january_2019<'f>(
    found: &'f External<'_>,
    sink: &mut dyn Sink,
) -> Result<Document<'f>, TooLarge> {
    let options = Options::default().with_external(found.encoding);
    elf_tagged::read(&found.octets, &Rules::JANUARY_2019, &options, sink)
}

/// Reports that a schema is too large, so that types of the document are missing.
pub(crate) fn report_limits(gave_up: bool, rules: &Rules, sink: &mut dyn Sink) {
    if gave_up {
        let message = "the schema has too many supertypes";
        let help = "tags that depend on the last ones are read as undefined";
        sink.report(Diagnostic::new(codes::SCHEMA_TOO_LARGE, rules, message).help(help));
    }
}
