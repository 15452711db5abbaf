//! The first reading: which records there are, what points to what, and who the people are.

use crate::mentions::{NameHash, is_named_after};
use crate::names::names_of;
use crate::records::{RecordKind, records};
use crate::unclear::{has_level_0, is_loose, line_out_of_place};
use elf_lineage::{Lineage, LineageBuilder, LineageReader, PartLineage, is_notice_of_privacy, unclear_line};
use elf_schema::elf_tagged::LinePlaces;
use elf_schema::term::undefined_tag;
use elf_schema::{Counterpart, Counterparts, Document, Node, Run, Reader, Role, Schema};
use indexmap::IndexSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};

/// The hash of the text of a part, by which the second reading is held against the first.
pub(crate) fn fingerprint(part: &Document<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    part.source().text().hash(&mut hasher);
    hasher.finish()
}

/// The identifier by which GEDCOM 7 points to what is not in the file.
pub(crate) const VOID: &str = "VOID";

/// The number that stands for no pointer.
const NONE: u32 = u32::MAX;

/// Finds out what a [`Survey`] has to know of a part; it can be shared between threads.
#[derive(Clone, Debug)]
pub struct SurveyReader {
    counterparts: Counterparts,
    lineage: LineageReader,
}

/// The records and pointers of one part of a document, for [`Survey::take`].
#[derive(Clone, Debug, Default)]
pub struct PartSurvey {
    lineage: PartLineage,
    links: LinkTable,
    fingerprint: u64,
    /// True if the last line is that of a trailer; `None` where there are no lines.
    has_trailer: Option<bool>,
}

/// The records of a document, the pointers between them, and the graph of its persons and families: in memory
/// that grows with the numbers of records and pointers.
#[derive(Debug, Default)]
pub struct Survey {
    builder: LineageBuilder,
    links: LinkTable,
    parts: Vec<SurveyedPart>,
    has_trailer: bool,
}

/// A part as it was surveyed: by these it is known again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurveyedPart {
    /// The number of its first record.
    pub(crate) first_record: u32,
    pub(crate) fingerprint: u64,
}

/// A document that was surveyed to its end: a [`Plan`](crate::Plan) says what becomes of it.
#[derive(Debug)]
pub struct SurveyedDocument {
    pub(crate) lineage: Lineage,
    pub(crate) links: LinkTable,
    pub(crate) parts: Vec<SurveyedPart>,
    /// True if the last line is that of a trailer.
    pub(crate) has_trailer: bool,
}

/// Records, the structures that bear identifiers, and pointers: all in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkTable {
    pub(crate) records: Vec<RecordData>,
    /// The identifiers that are borne or pointed to, each once.
    pub(crate) identifiers: IndexSet<Box<str>>,
    pub(crate) bearers: Vec<BearerData>,
    pub(crate) inner: Vec<InnerData>,
    pub(crate) pointers: Vec<PointerData>,
    /// The names of persons, with the numbers of their records.
    pub(crate) names: Vec<(u32, NameHash)>,
    /// The lines, by their numbers, that show that their records may hold what is another's, or that nobody
    /// knows whom those are about.
    pub(crate) unclear_lines: Vec<u64>,
    /// The first of them in the header.
    pub(crate) unclear_header: Option<u64>,
}

/// A record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordData {
    pub(crate) kind: RecordKind,
    /// True if a notice of the record says that it is private or confidential.
    pub(crate) is_private: bool,
    /// True if it is of a person, and its identifier holds a word of the name.
    pub(crate) is_named: bool,
    /// True if it is a line that fits nowhere, so that it may belong to the record before.
    pub(crate) is_stray: bool,
    /// True if it may hold what is another's, or nobody knows whom it is about: in a redaction such a record
    /// is that of somebody who may be living.
    pub(crate) is_unclear: bool,
    /// True if it is a producer's own, bears no identifier, and may have been a structure of another.
    pub(crate) is_loose: bool,
    /// The number of its line.
    pub(crate) line: u64,
}

/// A structure that bears an identifier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BearerData {
    pub(crate) identifier: u32,
    pub(crate) record: u32,
    /// The number of the structure among those below records that bear identifiers.
    inner: u32,
    /// True if it, or something that it stands in, is in no redaction: [`is_withheld`].
    pub(crate) is_withheld: bool,
}

/// A pointer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointerData {
    pub(crate) record: u32,
    pub(crate) identifier: u32,
    /// The pointer that it stands beneath.
    above: u32,
    /// True if it is a link between a person and a family.
    pub(crate) is_family_link: bool,
    /// True if it stands right beneath its record.
    pub(crate) is_direct: bool,
    /// True if something that it stands in, below the record, is in no redaction: [`is_withheld`].
    pub(crate) is_withheld: bool,
}

/// A structure below a record that bears an identifier, as a record does that stands one level too deep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InnerData {
    pub(crate) identifier: u32,
    pub(crate) record: u32,
    /// The one that it stands in.
    above: u32,
    /// The numbers of the first pointer in it, and of the first one behind it.
    pub(crate) pointers: (u32, u32),
}

impl BearerData {
    /// The number of the structure among those below records that bear identifiers; `None` of a record.
    pub(crate) fn inner(self) -> Option<usize> {
        numbered(self.inner)
    }
}

impl InnerData {
    /// The number of the one that it stands in.
    pub(crate) fn above(self) -> Option<usize> {
        numbered(self.above)
    }
}

impl PointerData {
    /// The number of the pointer that it stands beneath.
    pub(crate) fn above(self) -> Option<usize> {
        numbered(self.above)
    }
}

/// A number, where it is one.
fn numbered(number: u32) -> Option<usize> {
    (number != NONE).then_some(number as usize)
}

impl SurveyReader {
    /// A reader of documents with that schema.
    pub fn new(schema: &Schema) -> SurveyReader {
        let lineage = LineageReader::new(schema).with_unclear_records();
        SurveyReader { counterparts: Counterparts::of(schema), lineage }
    }

    /// Looks through a part of a document.
    pub fn part(&self, part: &Run<'_>) -> PartSurvey {
        let mut links = LinkTable::default();
        let mut lines = part.document().line_places();
        for record in records(part.document()) {
            self.record((part, &mut lines), record, &mut links);
        }
        let last = part.document().lines().rev().find(|line| !line.is_inserted());
        PartSurvey {
            lineage: self.lineage.part(part),
            links,
            fingerprint: fingerprint(part.document()),
            has_trailer: last.map(|line| line.tag() == "TRLR"),
        }
    }

    /// The counterpart of a structure, given that of its superstructure.
    pub(crate) fn counterpart(&self, part: &Run<'_>, above: Counterpart, node: Node<'_>) -> Counterpart {
        self.counterparts.find(above, node.tag(), part.type_id(node), || part.type_of(node))
    }

    fn record<'d>(
        &self,
        (part, lines): (&'d Run<'_>, &mut LinePlaces<'d>),
        record: Node<'d>,
        links: &mut LinkTable,
    ) {
        let counterpart = self.counterpart(part, Counterpart::DOCUMENT, record);
        let number = index(links.records.len());
        let is_head = part.document().head().is_some_and(|head| head.id() == record.id());
        // Where a file begins in the middle of something, what belongs to that is read as records.
        let is_whole = has_level_0(record.line_span().of(part.document().text()));
        let kind = match RecordKind::of(record, counterpart, is_head) {
            RecordKind::Submitter if !is_whole => RecordKind::Other,
            kind => kind,
        };
        let is_known = counterpart != Counterpart::NONE || part.type_of(record).is_some_and(is_defined);
        let line_of_record = lines.place(record, record.line_span()).line;
        let unclear = unclear_line(record).or_else(|| line_out_of_place(record, kind, is_known));
        let unclear = unclear.or((!is_whole && !is_head).then_some(record));
        let is_unclear = unclear.is_some();
        if let Some(node) = unclear {
            let line = lines.place(node, node.line_span()).line;
            links.unclear_lines.push(line);
            if kind == RecordKind::Header {
                links.unclear_header = links.unclear_header.or(Some(line));
            }
        }
        let mut is_named = false;
        if kind == RecordKind::Person || is_unclear {
            let is_name = |node: Node<'_>| match kind {
                RecordKind::Person => self.counterpart(part, counterpart, node).role() == Some(Role::Name),
                _ => node.tag() == "NAME",
            };
            for name in names_of(record, is_name) {
                is_named |= kind == RecordKind::Person
                    && record.xref().is_some_and(|identifier| is_named_after(identifier, &name));
                links.names.extend(NameHash::all_of(&name).into_iter().map(|name| (number, name)));
            }
        }
        links.records.push(RecordData {
            kind,
            is_private: is_private(record),
            is_named,
            is_stray: record.is_error()
                || matches!(record.tag(), "CONT" | "CONC")
                || kind != RecordKind::Person && is_tagged_person(record),
            is_unclear,
            is_loose: is_loose(record),
            line: line_of_record,
        });
        let mut open: Vec<Open> = Vec::new();
        for node in record.subtree().filter(|node| !node.is_continuation()) {
            while let Some(closed) = open.pop_if(|open| open.end <= node.id().get()) {
                links.close(closed);
            }
            let above = open.last().copied().unwrap_or(Open::RECORD);
            let is_record = node.id() == record.id();
            let is_withheld = above.is_withheld || !is_record && is_withheld(node);
            let mut this = Open { end: node.subtree_end().get(), is_withheld, is_inner: false, ..above };
            if let Some(xref) = node.xref() {
                let identifier = links.identifier(xref);
                if !is_record {
                    let pointers = (index(links.pointers.len()), NONE);
                    this.inner = index(links.inner.len());
                    this.is_inner = true;
                    links.inner.push(InnerData { identifier, record: number, above: above.inner, pointers });
                }
                let inner = if is_record { NONE } else { this.inner };
                links.bearers.push(BearerData { identifier, record: number, inner, is_withheld });
            }
            if let Some(target) = node.pointer() {
                this.pointer = index(links.pointers.len());
                let is_direct = node.superstructure().is_some_and(|above| above.id() == record.id());
                let is_family_link =
                    is_direct && is_family_link(node, self.counterpart(part, counterpart, node).role());
                let identifier = links.identifier(target);
                links.pointers.push(PointerData {
                    record: number,
                    identifier,
                    above: above.pointer,
                    is_family_link,
                    is_direct,
                    is_withheld,
                });
            }
            open.push(this);
        }
        open.into_iter().rev().for_each(|closed| links.close(closed));
    }
}

/// A structure of a record whose end is not met yet.
#[derive(Clone, Copy)]
struct Open {
    /// The end of its nodes.
    end: u32,
    /// The pointer that it is or stands beneath.
    pointer: u32,
    /// The structure below the record that bears an identifier and that it is or stands beneath.
    inner: u32,
    /// True if it is that.
    is_inner: bool,
    /// True if it, or something that it stands in, is in no redaction.
    is_withheld: bool,
}

impl Open {
    /// The place that a record stands in.
    const RECORD: Open = Open { end: 0, pointer: NONE, inner: NONE, is_inner: false, is_withheld: false };
}

/// Tells whether a structure of that role links a person and a family: by a pointer, and with no text on
/// other lines nor an identifier of its own, which nobody looks at in a link.
pub(crate) fn is_family_link(node: Node<'_>, role: Option<Role>) -> bool {
    use Role::{Child, FamilyAsChild, FamilyAsSpouse, Husband, Partner, Wife};
    let is_of_role = matches!(role, Some(Child | FamilyAsChild | FamilyAsSpouse | Husband | Partner | Wife));
    let is_plain = || !node.is_error() && node.xref_span().is_empty() && !is_continued(node);
    is_of_role && node.pointer().is_some() && is_plain()
}

/// Tells whether the payload of a structure goes on on other lines.
pub(crate) fn is_continued(node: Node<'_>) -> bool {
    node.lines().any(Node::is_continuation)
}

/// Tells whether a structure below a record is removed in every redaction: it bears a notice of privacy, is a
/// person where none can stand, or a line that cannot be read.
pub(crate) fn is_withheld(node: Node<'_>) -> bool {
    is_private(node) || is_lost(node)
}

/// Tells whether a structure below a record is a person where none can stand, a line that cannot be read, an
/// association with nobody, or says how somebody is related of whom nothing is said above it.
pub(crate) fn is_lost(node: Node<'_>) -> bool {
    // GEDCOM 7 writes VOID for somebody who is not in the file, and says the name beneath it.
    let is_of_nobody = node.tag() == "ASSO" && node.pointer().is_none_or(|pointer| pointer == VOID);
    is_tagged_person(node) || node.is_error() || is_of_nobody || is_of_lost_pointer(node)
}

/// Tells whether a structure says how somebody is related, and stands beneath nothing that says who.
fn is_of_lost_pointer(node: Node<'_>) -> bool {
    let is_beneath = |is_of: fn(Node<'_>) -> bool| node.superstructure().is_some_and(is_of);
    match node.tag() {
        "RELA" => !is_beneath(|above| {
            above.tag() == "ASSO" || above.tag().starts_with('_') && above.pointer().is_some()
        }),
        // Sources say the role of whom they tell of beneath their event, or beside it.
        "ROLE" => !is_beneath(|above| {
            matches!(above.tag(), "ASSO" | "EVEN" | "SOUR") || above.tag().starts_with('_')
        }),
        // GEDCOM 7 has it beneath what it says in other words.
        "PHRASE" => node.superstructure().is_some_and(|above| above.superstructure().is_none()),
        "_FREL" | "_MREL" => !is_beneath(|above| matches!(above.tag(), "CHIL" | "FAMC" | "FAMS")),
        _ => false,
    }
}

/// Tells whether the IRI of a type is that of one that some schema defines.
fn is_defined(iri: &str) -> bool {
    undefined_tag(iri).is_none()
}

/// Tells whether a notice right beneath a structure says that it is private or confidential.
pub(crate) fn is_private(node: Node<'_>) -> bool {
    node.substructures().any(is_notice_of_privacy)
}

/// Tells whether a structure has the tag of a record of a person, in any letters, wherever it stands.
pub(crate) fn is_tagged_person(node: Node<'_>) -> bool {
    node.tag().eq_ignore_ascii_case("INDI") && node.pointer().is_none()
}

/// The index of an element, of which there are fewer than four thousand million.
fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(NONE)
}

impl LinkTable {
    fn identifier(&mut self, text: &str) -> u32 {
        let known = self.identifiers.get_index_of(text);
        index(known.unwrap_or_else(|| self.identifiers.insert_full(text.into()).0))
    }

    /// Notes where a structure ended.
    fn close(&mut self, closed: Open) {
        let end = index(self.pointers.len());
        if let Some(inner) = self.inner.get_mut(closed.inner as usize).filter(|_| closed.is_inner) {
            inner.pointers.1 = end;
        }
    }

    /// Adds the table of the next part.
    fn take(&mut self, other: LinkTable) {
        let (records, pointers) = (index(self.records.len()), index(self.pointers.len()));
        let inner = index(self.inner.len());
        let moved = |number: u32, by: u32| if number == NONE { NONE } else { by.saturating_add(number) };
        let identifiers: Vec<u32> = other.identifiers.iter().map(|text| self.identifier(text)).collect();
        let translated = |identifier: u32| identifiers.get(identifier as usize).copied().unwrap_or(NONE);
        self.names
            .extend(other.names.into_iter().map(|(record, name)| (records.saturating_add(record), name)));
        self.records.extend(other.records);
        self.unclear_lines.extend(other.unclear_lines);
        self.unclear_header = self.unclear_header.or(other.unclear_header);
        self.bearers.extend(other.bearers.into_iter().map(|one| BearerData {
            identifier: translated(one.identifier),
            record: records.saturating_add(one.record),
            inner: moved(one.inner, inner),
            ..one
        }));
        self.inner.extend(other.inner.into_iter().map(|one| InnerData {
            identifier: translated(one.identifier),
            record: records.saturating_add(one.record),
            above: moved(one.above, inner),
            pointers: (moved(one.pointers.0, pointers), moved(one.pointers.1, pointers)),
        }));
        self.pointers.extend(other.pointers.into_iter().map(|one| PointerData {
            record: records.saturating_add(one.record),
            identifier: translated(one.identifier),
            above: moved(one.above, pointers),
            ..one
        }));
    }
}

impl Survey {
    /// Surveys all parts that a reader gives, one after the other.
    ///
    /// # Errors
    ///
    /// Those of [`Reader::next_run`].
    pub fn read(reader: &mut Reader<'_, impl Read>) -> io::Result<SurveyedDocument> {
        let mut survey = Survey::default();
        let mut survey_reader = None;
        while let Some(part) = reader.next_run(&mut ())? {
            let survey_reader = survey_reader.get_or_insert_with(|| SurveyReader::new(part.schema()));
            survey.take(survey_reader.part(&part));
        }
        Ok(survey.finish())
    }

    /// Takes the next part, in the order of the document.
    pub fn take(&mut self, part: PartSurvey) {
        let first_record = index(self.links.records.len());
        self.parts.push(SurveyedPart { first_record, fingerprint: part.fingerprint });
        self.has_trailer = part.has_trailer.unwrap_or(self.has_trailer);
        self.builder.take(part.lineage);
        self.links.take(part.links);
    }

    /// Follows the links, when all parts were taken.
    pub fn finish(self) -> SurveyedDocument {
        let Survey { builder, links, parts, has_trailer } = self;
        SurveyedDocument { lineage: builder.build(), links, parts, has_trailer }
    }
}

impl SurveyedDocument {
    /// Tells whether the document has a record, header included: where none could be read, as by a wrong
    /// encoding, nothing in it is known to be anybody's.
    pub fn has_records(&self) -> bool {
        !self.links.records.is_empty()
    }

    /// The lines, by their numbers, that show that their records may hold what is another's, or that nobody
    /// knows whom those are about: a redaction takes them for records of persons who may be living.
    pub fn unclear_lines(&self) -> &[u64] {
        &self.links.unclear_lines
    }

    /// The graph of the persons and families.
    pub const fn lineage(&self) -> &Lineage {
        &self.lineage
    }
}
