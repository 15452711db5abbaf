//! The migration of a file in parts: a study of all of them, and then the writing.

use crate::extensions::{Extensions, Settled};
use crate::from_7::{self, Documented};
use crate::grammar::TERMS;
use crate::identifiers::{INLINE, Identifiers, Renamed};
use crate::lines::{LineGrammar, Lines, is_banned, point_somewhere};
use crate::record::{Record, Value};
use crate::remarks::{self, Remark};
use crate::to_7;
use elf_base::{Rules, Sink, codes};
use elf_schema::vocabulary::elf;
use elf_schema::{Part, Resolver, Schema};
use elf_tagged::{Document, Node};
use indexmap::{IndexMap, IndexSet};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The standard that a file is migrated to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// GEDCOM 7.0: what is written is a file of it.
    Gedcom7,
    /// GEDCOM 5.5.1: what is written is for a reader of it that recovers, such as `Rules::WILD`, and
    /// is to be written once more by the rules that it shall be of, which know about encodings and
    /// widths.
    Gedcom551,
    /// GEDCOM 5.5.1 with a schema of ELF that says what extension tags mean.
    Elf,
}

/// A study of a file, made before it is migrated.
///
/// ```
/// use elf_migrate::{Study, Target};
/// use elf_schema::{ReadOptions, Reader, Rules};
///
/// let file = b"0 HEAD\n1 CHAR UTF-8\n0 @i1@ INDI\n1 BIRT\n2 DATE 44 B.C.\n0 TRLR\n";
/// let reader = || Reader::new(&file[..], &Rules::WILD, ReadOptions::default());
/// let (mut study, mut first) = (Study::new(Target::Gedcom7), reader());
/// while let Some(part) = first.next_part(&mut ())? {
///     study.see(&part);
/// }
/// let migration = study.finish();
/// let (mut writer, mut second) = (migration.writer(&Rules::WILD), reader());
/// let mut written = Vec::new();
/// while let Some(part) = second.next_part(&mut ())? {
///     writer.part(&part, &mut written, &mut ());
/// }
/// writer.finish(&mut written);
/// assert_eq!(
///     String::from_utf8_lossy(&written),
///     "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 BIRT\n2 DATE 44 BCE\n0 TRLR\n"
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Study {
    target: Target,
    identifiers: Identifiers,
    extensions: Extensions,
    /// The IRIs of extensions, with the tags and the types of superstructures that they are met with.
    types: IndexMap<String, IndexSet<(String, String)>>,
    documented: Documented,
    system: Option<String>,
    inline: HashMap<String, Record<'static>>,
    pointed: HashSet<String>,
    /// The records that submitters are, and those that associations point to.
    submitters: [HashSet<Box<str>>; 2],
    resolver: Resolver,
    is_started: bool,
}

/// A migration of a file that has been studied.
#[derive(Debug)]
pub struct Migration {
    target: Target,
    renamed: Renamed,
    extensions: Settled,
    types: IndexMap<String, IndexSet<(String, String)>>,
    documented: Documented,
    system: Option<String>,
    submitters: HashSet<Box<str>>,
    inline: HashMap<String, Record<'static>>,
}

/// Writes the parts of a file as its [`Migration`] has them.
#[derive(Debug)]
pub struct Writer<'m> {
    migration: &'m Migration,
    rules: Rules,
    lines: Lines,
    resolver: Resolver,
    inline: u64,
    is_started: bool,
    summary: Summary,
}

/// The numbers of what was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Lines, header and trailer included.
    pub lines: u64,
    /// Records, without header and trailer.
    pub records: u64,
    /// Losses: structures and payloads that could not be carried over.
    pub losses: u64,
}

impl Study {
    /// A study of a file that nothing is known of yet.
    pub fn new(target: Target) -> Study {
        Study {
            target,
            identifiers: Identifiers::default(),
            extensions: Extensions::default(),
            types: IndexMap::new(),
            documented: Documented::new(),
            system: None,
            inline: HashMap::new(),
            pointed: HashSet::new(),
            submitters: [HashSet::new(), HashSet::new()],
            resolver: Resolver::new(Arc::clone(Schema::completed())),
            is_started: false,
        }
    }

    /// Takes note of the next part, in the order of the file.
    pub fn see(&mut self, part: &Part<'_>) {
        if !self.is_started {
            self.is_started = true;
            self.see_header(part.document());
        }
        match self.target {
            Target::Gedcom7 => self.see_for_7(part),
            Target::Gedcom551 | Target::Elf => self.see_from_7(part),
        }
    }

    fn see_header(&mut self, document: &Document<'_>) {
        let Some(head) = document.head() else { return };
        self.system = head.substructure("SOUR").map(|system| system.text().into_owned());
        let definitions = head.lines().filter(|line| line.tag() == "SCHMA").flat_map(Node::lines);
        for definition in definitions.filter(|line| line.tag() == "TAG") {
            if let Some((tag, iri)) = definition.text().split_once(' ') {
                self.documented.entry(tag.to_owned()).or_default().push(iri.trim().to_owned());
            }
        }
    }

    fn see_for_7(&mut self, part: &Part<'_>) {
        let mut inline = 0;
        for node in part.document().head().into_iter().chain(part.document().records()) {
            if let Some(xref) = node.xref() {
                self.identifiers.meet(xref);
                if node.tag() == "SUBM" {
                    self.submitters[0].insert(xref.into());
                }
            }
            let associations = node.substructures_tagged("ASSO").filter_map(Node::pointer);
            self.submitters[1].extend(associations.map(Box::from));
            let submitters = &HashSet::new();
            let system = self.system.as_deref();
            let mut around = to_7::Around7 { part, system, submitters, inline: &mut inline };
            let done = to_7::migrate(Record::of(node), &mut around);
            for (at, id, iri) in done.extensions {
                let tag = done.records.get(at).map(|record| &*record.get(id).tag);
                self.extensions.meet(tag.unwrap_or_default(), iri.as_deref());
            }
        }
    }

    fn see_from_7(&mut self, part: &Part<'_>) {
        for node in part.document().head().into_iter().chain(part.document().records()) {
            let is_inline = node.xref().is_some_and(|xref| xref.starts_with(INLINE));
            let record = Record::of(node);
            if is_inline && from_7::is_inline(&record) {
                self.inline.insert(node.xref().unwrap_or_default().to_owned(), record.into_owned());
                continue;
            }
            record.walk(|_, structure| {
                if let Value::Pointer(xref) = &structure.payload
                    && matches!(&*structure.tag, "SOUR" | "OBJE")
                    && xref.starts_with(INLINE)
                {
                    self.pointed.insert(xref.to_string());
                }
            });
            // The records that stood within others are not at hand yet, and none of them has an
            // extension that only it has.
            let nothing = HashMap::new();
            let mut around = from_7::Around551 {
                documented: &self.documented,
                resolver: &mut self.resolver,
                system: self.system.as_deref(),
                inline: &nothing,
            };
            for (tag, iri, above) in from_7::migrate(record, &mut around).extensions {
                self.types.entry(iri).or_default().insert((tag, above));
            }
        }
    }

    /// Decides what all parts depend on.
    pub fn finish(self) -> Migration {
        let Study { mut inline, pointed, mut extensions, submitters: [submitters, associates], .. } = self;
        inline.retain(|xref, _| pointed.contains(xref));
        let submitters: HashSet<Box<str>> = submitters.intersection(&associates).cloned().collect();
        if !submitters.is_empty() {
            extensions.meet("_ASSO", Some(elf::ASSOCIATION_STRUCTURE));
        }
        Migration {
            target: self.target,
            renamed: self.identifiers.settle(),
            extensions: extensions.settle(),
            types: self.types,
            documented: self.documented,
            system: self.system,
            submitters,
            inline,
        }
    }
}

impl Migration {
    /// A writer that has written nothing yet, with line breaks of U+000A. Losses have the class that
    /// `rules` give them, those that the file is read by.
    pub fn writer(&self, rules: &Rules) -> Writer<'_> {
        let grammar = match self.target {
            Target::Gedcom7 => LineGrammar::Gedcom7,
            Target::Gedcom551 | Target::Elf => LineGrammar::Gedcom551,
        };
        Writer {
            migration: self,
            rules: *rules,
            lines: Lines { line_break: "\n", grammar },
            resolver: Resolver::new(Arc::clone(Schema::completed())),
            inline: 0,
            is_started: false,
            summary: Summary::default(),
        }
    }
}

impl Writer<'_> {
    /// Sets the line break.
    #[must_use]
    pub fn with_line_break(mut self, line_break: &'static str) -> Self {
        self.lines.line_break = line_break;
        self
    }

    /// Writes the next part, in the order of the file.
    pub fn part(&mut self, part: &Part<'_>, out: &mut Vec<u8>, sink: &mut dyn Sink) {
        let document = part.document();
        if !self.is_started {
            self.start(part, out, sink);
        }
        for node in document.records() {
            self.record(part, node, out, sink);
        }
    }

    /// Writes the trailer.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Summary {
        self.lines.line(out, 0, "TRLR", "");
        self.summary.lines += 1;
        self.summary
    }

    /// Writes the header.
    fn start(&mut self, part: &Part<'_>, out: &mut Vec<u8>, sink: &mut dyn Sink) {
        self.is_started = true;
        let start = out.len();
        self.lines.line(out, 0, "HEAD", "");
        self.lines.line(out, 1, "GEDC", "");
        match self.migration.target {
            Target::Gedcom7 => {
                self.lines.line(out, 2, "VERS", "7.0");
                for (at, (tag, iri)) in self.migration.extensions.entries().enumerate() {
                    if at == 0 {
                        self.lines.line(out, 1, "SCHMA", "");
                    }
                    self.lines.line(out, 2, "TAG", &format!("{tag} {iri}"));
                }
            }
            Target::Gedcom551 | Target::Elf => {
                self.lines.line(out, 2, "VERS", "5.5.1");
                self.lines.line(out, 2, "FORM", "LINEAGE-LINKED");
                self.lines.line(out, 1, "CHAR", "UTF-8");
                self.schema(out);
            }
        }
        let written = out.get(start..).unwrap_or_default();
        self.summary.lines += written.iter().map(|&octet| u64::from(octet == b'\n')).sum::<u64>();
        if let Some(head) = part.document().head() {
            let mut header = Vec::new();
            self.record(part, head, &mut header, sink);
            // Its first line stands there already.
            let rest = header.iter().position(|&octet| octet == b'\n').map_or(header.len(), |at| at + 1);
            out.extend_from_slice(header.get(rest..).unwrap_or_default());
            self.summary.lines -= 1;
            self.summary.records -= 1;
        }
    }

    /// Writes the schema that says what extension tags mean.
    fn schema(&self, out: &mut Vec<u8>) {
        let has_place = |iri: &str| self.migration.target == Target::Elf || !iri.starts_with(TERMS);
        let types: Vec<_> = self.migration.types.iter().filter(|(iri, _)| has_place(iri)).collect();
        if types.is_empty() {
            return;
        }
        self.lines.line(out, 1, "SCHMA", "");
        self.lines.line(out, 2, "SCHMA", elf_schema::DATA_MODEL);
        for (iri, tags) in types {
            self.lines.line(out, 2, "IRI", iri);
            for (tag, above) in tags {
                self.lines.line(out, 3, "TAG", &format!("{tag} {above}"));
            }
        }
    }

    fn record(&mut self, part: &Part<'_>, node: Node<'_>, out: &mut Vec<u8>, sink: &mut dyn Sink) {
        let mut found = match self.migration.target {
            Target::Gedcom7 => self.record_to_7(part, node, out),
            Target::Gedcom551 | Target::Elf => self.record_from_7(node, out),
        };
        found.sort_by_key(|remark| remark.origin.index());
        self.summary.losses += remarks::report(found, part.document(), &self.rules, sink);
    }

    fn record_to_7(&mut self, part: &Part<'_>, node: Node<'_>, out: &mut Vec<u8>) -> Vec<Remark> {
        let system = self.migration.system.as_deref();
        let submitters = &self.migration.submitters;
        let mut around = to_7::Around7 { part, system, submitters, inline: &mut self.inline };
        let mut done = to_7::migrate(Record::of(node), &mut around);
        for (at, id, iri) in done.extensions {
            let (Some(record), Some(iri)) = (done.records.get_mut(at), iri) else { continue };
            if let Some(tag) = self.migration.extensions.tag(&record.get(id).tag, &iri) {
                record.get_mut(id).tag = tag.to_owned().into();
            }
        }
        let mut found = done.remarks;
        let renamed = &self.migration.renamed;
        if let Some((xref, other)) = node.xref().and_then(|xref| Some((xref, renamed.new_name(xref)?))) {
            let message = format!("`{xref}` is called `{other}`");
            found.push(Remark { origin: node.id(), code: codes::IDENTIFIER_RENAMED, message });
        }
        for record in &mut done.records {
            for (id, xref) in point_somewhere(record, renamed) {
                let message = format!("the pointer to `{xref}`, which is no record, becomes one to nothing");
                found.push(Remark { origin: record.get(id).origin, code: codes::VALUE_NOT_CARRIED, message });
            }
            record.walk(|_, structure| {
                let text = structure.payload.text().unwrap_or_default();
                if text.chars().any(|one| one != '\n' && is_banned(one)) {
                    let message =
                        "control characters are left out, which GEDCOM 7.0 does not have".to_owned();
                    found.push(Remark { origin: structure.origin, code: codes::VALUE_NOT_CARRIED, message });
                }
            });
            self.summary.records += 1;
            self.summary.lines += self.lines.record(out, record, Some(renamed));
        }
        found
    }

    fn record_from_7(&mut self, node: Node<'_>, out: &mut Vec<u8>) -> Vec<Remark> {
        if node.xref().is_some_and(|xref| self.migration.inline.contains_key(xref)) {
            return Vec::new();
        }
        let mut around = from_7::Around551 {
            documented: &self.migration.documented,
            resolver: &mut self.resolver,
            system: self.migration.system.as_deref(),
            inline: &self.migration.inline,
        };
        let done = from_7::migrate(Record::of(node), &mut around);
        self.summary.records += 1;
        self.summary.lines += self.lines.record(out, &done.record, None);
        done.remarks
    }
}
