//! The migration of a file in parts: a study of all of them, and then the writing.

mod head;
mod lost;

use crate::extensions::{Extensions, Settled, renamed_tags, undefined};
use crate::from_7::{self, Documented};
use crate::identifiers::{INLINE, Identifiers, Renamed};
use crate::lines::{LineGrammar, Lines, point_somewhere};
use crate::outcome::{Origins, Summary};
use crate::record::{Record, TOP, Value};
use crate::remarks::{self, Remark};
use crate::to_7;
use crate::unstated;
use elf_base::{Diagnostic, Rules, Sink, codes};
use elf_schema::vocabulary::elf;
use elf_schema::{Resolver, Run, Schema};
use elf_tagged::write::{LineBreak, Omission, omissions};
use elf_tagged::{Document, Node};
use indexmap::{IndexMap, IndexSet};
use lost::Bearers;
use std::collections::{HashMap, HashSet};
use std::iter;
use std::sync::Arc;

/// The standard that a file is migrated to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

impl Target {
    /// The rules of what is written: those of the standard, and of ELF the latest draft.
    pub const fn rules(self) -> &'static Rules {
        match self {
            Target::Gedcom7 => &Rules::GEDCOM_7,
            Target::Gedcom551 => &Rules::GEDCOM_5_5_1,
            Target::Elf => &Rules::DECEMBER_2019,
        }
    }
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
/// while let Some(part) = first.next_run(&mut ())? {
///     study.see(&part);
/// }
/// let migration = study.finish();
/// let (mut writer, mut second) = (migration.writer(&Rules::WILD), reader());
/// let mut written = Vec::new();
/// while let Some(part) = second.next_run(&mut ())? {
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
    /// The documented tags with the IRIs that structures with them were taken for.
    meant: HashSet<(String, String)>,
    /// The tags of extensions that have no IRI.
    plain: HashSet<String>,
    /// The documented tags that structures bear.
    borne: HashSet<String>,
    /// The documented tags that stand in payloads: calendars, and values of enumerations.
    named: HashSet<String>,
    system: Option<String>,
    inline: HashMap<String, Record<'static>>,
    /// The identifiers that records bear which may have stood within others; those that several bear.
    inline_borne: [HashSet<Box<str>>; 2],
    /// Identifiers that are pointed to, with the number of links: two at least where anything but a link of a
    /// source or of media points to it.
    pointed: HashMap<String, u8>,
    /// The records that submitters are, and those that associations point to.
    submitters: [HashSet<Box<str>>; 2],
    /// The records that notes are, and those that SNOTE points to in GEDCOM 5.5.1.
    notes: [HashSet<Box<str>>; 2],
    resolver: Resolver,
    bearers: Bearers,
    /// The submitter who was made up when the file was written.
    unstated: Option<String>,
    is_started: bool,
}

/// A migration of a file that has been studied.
#[derive(Debug)]
pub struct Migration {
    target: Target,
    renamed: Renamed,
    extensions: Settled,
    types: IndexMap<String, IndexSet<(String, String)>>,
    /// The other tags of types whose own tags stand for nothing elsewhere.
    renamed_tags: HashMap<String, String>,
    documented: Documented,
    meant: HashSet<(String, String)>,
    borne: HashSet<String>,
    named: HashSet<String>,
    system: Option<String>,
    submitters: HashSet<Box<str>>,
    strays: HashSet<Box<str>>,
    inline: HashMap<String, Record<'static>>,
    /// Of the identifiers that several structures bear, those that one goes without.
    lost: HashSet<Box<str>>,
    /// The submitter who is made up: the one that was, or the one to be.
    unstated: Option<String>,
}

/// Writes the parts of a file as its [`Migration`] has them.
#[derive(Debug)]
pub struct Writer<'m> {
    migration: &'m Migration,
    rules: Rules,
    lines: Lines,
    resolver: Resolver,
    inline: u64,
    /// The numbers of records that were written of those that bear an identifier together.
    repeated: HashMap<Box<str>, usize>,
    is_started: bool,
    /// True if the header wants a submitter, and the file has none that it names.
    lacks_submitter: bool,
    summary: Summary,
    origins: Origins,
    /// True if the places of texts beyond ASCII are kept.
    keeps_texts: bool,
}

impl Study {
    /// A study of a file that nothing is known of yet; its parts are best read by the rules that
    /// [`reading_rules`](crate::reading_rules) makes.
    pub fn new(target: Target) -> Study {
        Study {
            target,
            identifiers: Identifiers::default(),
            extensions: Extensions::default(),
            types: IndexMap::new(),
            documented: Documented::new(),
            meant: HashSet::new(),
            plain: HashSet::new(),
            borne: HashSet::new(),
            named: HashSet::new(),
            system: None,
            inline: HashMap::new(),
            inline_borne: [HashSet::new(), HashSet::new()],
            pointed: HashMap::new(),
            submitters: [HashSet::new(), HashSet::new()],
            notes: [HashSet::new(), HashSet::new()],
            resolver: Resolver::new(Arc::clone(Schema::completed())),
            bearers: Bearers::default(),
            unstated: None,
            is_started: false,
        }
    }

    /// Takes note of the next part, in the order of the file.
    pub fn see(&mut self, part: &Run<'_>) {
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
        let system = head.substructure("SOUR").map(|system| system.text().into_owned());
        self.system = system.filter(|system| system != unstated::NAME);
        let definitions = head.lines().filter(|line| line.tag() == "SCHMA").flat_map(Node::lines);
        for definition in definitions.filter(|line| line.tag() == "TAG") {
            if let Some((tag, iri)) = definition.text().split_once(' ') {
                self.documented.entry(tag.to_owned()).or_default().insert(iri.trim().to_owned());
            }
        }
    }

    fn see_for_7(&mut self, part: &Run<'_>) {
        let mut inline = 0;
        let head = part.document().head().map(Node::id);
        // A header bears none in GEDCOM 7.0.
        let bearers = part.document().xref_nodes();
        let nodes = bearers.bearers().iter().filter_map(|&id| part.document().node(id));
        for bearer in nodes.filter(|node| node.superstructure().is_some() || Some(node.id()) == head) {
            bearer.xref().into_iter().for_each(|xref| self.identifiers.meet_within(xref));
        }
        for node in records(part.document()) {
            if unstated::is_submitter(node) && self.unstated.is_none() {
                self.unstated = node.xref().map(str::to_owned);
                continue;
            }
            if let Some(xref) = node.xref().filter(|_| Some(node.id()) != head) {
                self.identifiers.meet(xref);
                match node.tag() {
                    "SUBM" => _ = self.submitters[0].insert(xref.into()),
                    "NOTE" | "SNOTE" => _ = self.notes[0].insert(xref.into()),
                    _ => {}
                }
            }
            let associations = node.substructures_tagged("ASSO").filter_map(Node::pointer);
            self.submitters[1].extend(associations.map(Box::from));
            let nothing = &HashSet::new();
            let system = self.system.as_deref();
            let mut around = to_7::Around7 {
                part,
                system,
                submitters: nothing,
                strays: nothing,
                unstated: None,
                resolver: &mut self.resolver,
                inline: &mut inline,
            };
            let done = to_7::migrate(Record::of(node), &mut around);
            self.notes[1].extend(done.shared);
            for (at, id, iri) in done.extensions {
                let tag = done.records.get(at).map(|record| &*record.get(id).tag);
                self.extensions.meet(tag.unwrap_or_default(), iri.as_deref());
            }
        }
    }

    fn see_from_7(&mut self, part: &Run<'_>) {
        let bearers = part.document().xref_nodes();
        self.bearers.meet(&bearers);
        for node in records(part.document()) {
            let record = Record::of(node);
            let mut is_inline = false;
            if let Some(xref) = node.xref().filter(|xref| xref.starts_with(INLINE)) {
                let [once, several] = &mut self.inline_borne;
                if !once.insert(xref.into()) {
                    several.insert(xref.into());
                } else if from_7::is_inline(&record) {
                    self.inline.insert(xref.to_owned(), record.clone().into_owned());
                    is_inline = true;
                }
            }
            record.walk(|_, structure| {
                if let Value::Pointer(xref) = &structure.payload
                    && xref.starts_with(INLINE)
                {
                    // Whatever else points to a record keeps it one, and so does a second link. What leads
                    // round in a circle never stands within another.
                    let is_link = !is_inline && matches!(&*structure.tag, "SOUR" | "OBJE");
                    let links = self.pointed.entry(xref.to_string()).or_default();
                    *links = links.saturating_add(if is_link { 1 } else { 2 });
                }
                let tag = &*structure.tag;
                if tag.starts_with('_') && !self.documented.contains_key(tag) && !self.plain.contains(tag) {
                    self.plain.insert(tag.to_owned());
                }
                if self.documented.contains_key(tag) && !self.borne.contains(tag) {
                    self.borne.insert(tag.to_owned());
                }
                let is_date = tag == "DATE" || tag == "SDATE";
                let text = structure.payload.text().filter(|text| is_date || text.starts_with('_'));
                for word in text.unwrap_or_default().split([' ', ',']) {
                    if self.documented.contains_key(word) && !self.named.contains(word) {
                        self.named.insert(word.to_owned());
                    }
                }
            });
            // The records that stood within others are not at hand yet, and none of them has an
            // extension that only it has.
            let nothing = HashMap::new();
            let mut around = from_7::Around551 {
                renamed: &HashMap::new(),
                part,
                documented: &self.documented,
                resolver: &mut self.resolver,
                system: self.system.as_deref(),
                is_plain: self.target == Target::Gedcom551,
                inline: &nothing,
            };
            let done = from_7::migrate(record, &mut around);
            self.bearers.lose(&bearers, &lost::bearers(node, Some(&done.record)));
            for (tag, iri, above) in done.extensions {
                self.types.entry(iri).or_default().insert((tag, above));
            }
            self.meant.extend(done.meant);
            self.plain.extend(done.plain.into_iter().map(str::to_owned));
        }
    }

    /// Decides what all parts depend on.
    pub fn finish(self) -> Migration {
        let Study {
            mut inline,
            inline_borne: [once, several],
            pointed,
            mut extensions,
            submitters: [submitters, associates],
            notes: [notes, shared],
            bearers,
            ..
        } = self;
        inline.retain(|xref, _| pointed.get(xref) == Some(&1) && !several.contains(&**xref));
        let submitters: HashSet<Box<str>> = submitters.intersection(&associates).cloned().collect();
        if !submitters.is_empty() {
            extensions.meet("_ASSO", Some(elf::ASSOCIATION_STRUCTURE));
        }
        let strays: HashSet<Box<str>> = shared.difference(&notes).cloned().collect();
        if !strays.is_empty() {
            extensions.meet("_SNOTE", Some(&undefined("SNOTE")));
        }
        Migration {
            target: self.target,
            renamed: match self.target {
                Target::Gedcom7 => self.identifiers.settle(),
                Target::Gedcom551 | Target::Elf => Renamed::default(),
            },
            extensions: extensions.settle(),
            renamed_tags: match self.target {
                Target::Elf => renamed_tags(&self.types, &self.plain),
                Target::Gedcom7 | Target::Gedcom551 => HashMap::new(),
            },
            types: self.types,
            documented: self.documented,
            meant: self.meant,
            borne: self.borne,
            named: self.named,
            system: self.system,
            submitters,
            strays,
            unstated: match self.target {
                Target::Gedcom7 => self.unstated,
                Target::Gedcom551 => {
                    let is_met = |xref: &str| pointed.contains_key(xref) || once.contains(xref);
                    Some(unstated::submitter(is_met))
                }
                Target::Elf => None,
            },
            inline,
            lost: bearers.lost_of_several(),
        }
    }
}

impl Migration {
    pub(crate) const fn target(&self) -> Target {
        self.target
    }

    /// Tells whether a tag of GEDCOM 7.0 stands for an IRI.
    pub(crate) fn says(&self, iri: &str) -> bool {
        self.extensions.says(iri)
    }

    /// Tells whether an extension comes back with an IRI of its own.
    pub(crate) fn types_say(&self, iri: &str) -> bool {
        self.types.contains_key(iri)
    }

    /// Tells whether a documented tag has several IRIs, and this one is that of no structure.
    pub(crate) fn is_undecided(&self, tag: &str, iri: &str) -> bool {
        let has_several = self.documented.get(tag).is_some_and(|iris| iris.len() > 1);
        has_several && !self.meant.contains(&(tag.to_owned(), iri.to_owned()))
    }

    /// Tells whether a structure bears a documented tag.
    pub(crate) fn is_borne(&self, tag: &str) -> bool {
        self.borne.contains(tag)
    }

    /// Tells whether a documented tag stands in a payload.
    pub(crate) fn is_named(&self, tag: &str) -> bool {
        self.named.contains(tag)
    }

    /// A writer that has written nothing yet, with line breaks of U+000A. Losses have the class that
    /// `rules` give them, those of the output, as losses of all other writing do.
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
            repeated: HashMap::new(),
            is_started: false,
            lacks_submitter: false,
            summary: Summary::default(),
            origins: Origins::default(),
            keeps_texts: false,
        }
    }
}

impl Writer<'_> {
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

    /// Has [`Origins`] tell of a text beyond ASCII where it stood, and not only of its record: for whoever
    /// writes it in an encoding that may lack some of its characters. The first 16,384 are kept.
    #[must_use]
    pub const fn with_places_of_texts(mut self, wanted: bool) -> Self {
        self.keeps_texts = wanted;
        self
    }

    /// Writes the next part, in the order of the file.
    pub fn part(&mut self, part: &Run<'_>, out: &mut Vec<u8>, sink: &mut dyn Sink) {
        let document = part.document();
        if !self.is_started {
            self.start(part, out, sink);
        }
        let mut locator = document.locator();
        for Omission { span, code, message, .. } in omissions(document) {
            // What the reading left out has the class that its rules give it.
            let of_reading = [codes::LEFT_OUT_WHEN_READ, codes::OCTETS_REPLACED].contains(&code);
            let rules = if of_reading { document.rules() } else { &self.rules };
            let finding = Diagnostic::new(code, rules, message);
            sink.report(finding.at(locator.place(span), locator.excerpt(span)));
            self.summary.losses += 1;
        }
        let mut places = document.line_places();
        for node in document.records().filter(|node| !node.is_inserted()) {
            let place = places.place(node, node.tag_span());
            self.origins.meet(self.summary.lines + 1, place);
            self.record(part, node, out, sink);
        }
    }

    /// Returns where what was written stood.
    pub const fn origins(&self) -> &Origins {
        &self.origins
    }

    /// Writes the trailer.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Summary {
        if let Some(xref) = self.migration.unstated.as_deref().filter(|_| self.lacks_submitter) {
            self.summary.records += 1;
            self.line(out, 0, &format!("@{xref}@ SUBM"), "");
            self.line(out, 1, "NAME", unstated::NAME);
        }
        self.lines.line(out, 0, "TRLR", "");
        self.summary.lines += 1;
        self.summary
    }

    fn record(&mut self, part: &Run<'_>, node: Node<'_>, out: &mut Vec<u8>, sink: &mut dyn Sink) {
        let mut found = match self.migration.target {
            Target::Gedcom7 => self.record_to_7(part, node, out),
            Target::Gedcom551 | Target::Elf => self.record_from_7(part, node, out),
        };
        found.extend(node.subtree().filter(|node| node.is_error()).map(|node| {
            let message = "a line that could not be read is written as a structure".to_owned();
            Remark { origin: node.id(), code: codes::FAULTY_LINE_WRITTEN, message }
        }));
        found.extend(removed_escapes(node));
        found.sort_by_key(|remark| remark.origin.index());
        self.summary.losses += remarks::report(found, part.document(), &self.rules, sink);
    }

    fn record_to_7(&mut self, part: &Run<'_>, node: Node<'_>, out: &mut Vec<u8>) -> Vec<Remark> {
        let system = self.migration.system.as_deref();
        let submitters = &self.migration.submitters;
        let unstated = self.migration.unstated.as_deref();
        if node.tag() == "SUBM" && node.xref().is_some_and(|xref| Some(xref) == unstated) {
            return Vec::new();
        }
        let mut around = to_7::Around7 {
            part,
            system,
            submitters,
            strays: &self.migration.strays,
            unstated,
            resolver: &mut self.resolver,
            inline: &mut self.inline,
        };
        let mut done = to_7::migrate(Record::of(node), &mut around);
        for (at, id, iri) in done.extensions {
            let (Some(record), Some(iri)) = (done.records.get_mut(at), iri) else { continue };
            if let Some(tag) = self.migration.extensions.tag(&record.get(id).tag, &iri) {
                record.get_mut(id).tag = tag.to_owned().into();
            }
        }
        let mut found = done.remarks;
        // Beneath records GEDCOM 7.0 has none.
        found.extend(lost::remarks(&lost::bearers(node, None)));
        let renamed = &self.migration.renamed;
        let name = |xref| Some((xref, renamed.next_name(xref, &mut self.repeated)?));
        if let Some((xref, other)) = node.xref().and_then(name) {
            if let Some(record) = done.records.first_mut() {
                record.get_mut(TOP).xref = Some(other.to_owned().into());
            }
            let message = format!("`{xref}` is called `{other}`");
            found.push(Remark { origin: node.id(), code: codes::IDENTIFIER_RENAMED, message });
        }
        for record in &mut done.records {
            for (id, message) in point_somewhere(record, renamed) {
                found.push(Remark { origin: record.get(id).origin, code: codes::VALUE_NOT_CARRIED, message });
            }
            self.summary.records += 1;
            self.summary.lines += self.lines.record(out, record);
        }
        found
    }

    /// Takes note of where the texts beyond ASCII of a record stood that is about to be written.
    fn meet_texts(&mut self, record: &Record<'_>, document: &Document<'_>) {
        let (mut places, mut line) = (None, self.summary.lines + 1);
        record.walk(|_, structure| {
            let text = structure.payload.text().unwrap_or_default();
            if !text.is_ascii()
                && self.origins.has_room()
                && let Some(node) = document.node(structure.origin)
            {
                let places = places.get_or_insert_with(|| document.line_places());
                let span = node.tag_span();
                self.origins.meet_text(line, places.place(node, span), places.excerpt(node, span));
            }
            line += 1 + text.bytes().filter(|octet| *octet == b'\n').count() as u64;
        });
    }

    fn record_from_7(&mut self, part: &Run<'_>, node: Node<'_>, out: &mut Vec<u8>) -> Vec<Remark> {
        if node.xref().is_some_and(|xref| self.migration.inline.contains_key(xref)) {
            return Vec::new();
        }
        let mut around = from_7::Around551 {
            renamed: &self.migration.renamed_tags,
            part,
            documented: &self.migration.documented,
            resolver: &mut self.resolver,
            system: self.migration.system.as_deref(),
            is_plain: self.migration.target == Target::Gedcom551,
            inline: &self.migration.inline,
        };
        let mut done = from_7::migrate(Record::of(node), &mut around);
        let lost = lost::remarks(&lost::bearers(node, Some(&done.record)));
        let pointers = lost::leave_no_pointer(&mut done.record, &self.migration.lost);
        self.summary.records += 1;
        if self.keeps_texts {
            self.meet_texts(&done.record, part.document());
        }
        self.summary.lines += self.lines.record(out, &done.record);
        done.remarks.into_iter().chain(lost).chain(pointers).collect()
    }
}

/// Returns the header and the records of a document, without those that the rules insert: what they stand for
/// leads nowhere (J19 §5.1).
fn records<'d>(document: &'d Document<'_>) -> impl Iterator<Item = Node<'d>> {
    document.head().into_iter().chain(document.records().filter(|node| !node.is_inserted()))
}

/// Returns what is to be said of the escapes that were removed when a record was read.
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
