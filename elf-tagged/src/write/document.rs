//! A whole document, written again.

use super::{
    Content, Leads, Preamble, PreambleLine, Summary, Versions, WriteError, WriteOptions, Writer, is_ordinary,
};
use crate::pointers::Bearer;
use crate::tree::flag;
use crate::{Document, Node, NodeId, Payload};
use elf_base::rules::{Metadata, XrefErrors};
use elf_base::{Code, Diagnostic, Rules, Sink, Span, codes};
use std::cell::Cell;
use std::collections::HashSet;
use std::io;

/// Writes a document as a file of `rules`, whatever rules it was read by: in the order in which it stands, with its
/// identifiers, its escapes and the schema of its header.
///
/// What cannot be carried over is reported where it stands in the file that was read. Of several structures that bear
/// one identifier the first keeps it. Pointers that lead nowhere are written as `rules` have them, so that the file conforms
/// to them: see [`Content::Astray`].
///
/// # Errors
///
/// Where the output fails, or the options ask for what cannot be.
///
/// ```
/// use elf_tagged::write::{WriteOptions, write_document};
/// use elf_tagged::{Options, Rules, read};
///
/// let octets = b"0 HEAD\n1 SOUR X\n0 @I1@ INDI\n1 EMAIL ada@example.com\n0 TRLR\n";
/// let document = read(octets, &Rules::WILD, &Options::default(), &mut ())?;
/// let mut written = Vec::new();
/// write_document(&document, &mut written, &Rules::DECEMBER_2019, &WriteOptions::new(), &mut ())?;
/// assert_eq!(
///     String::from_utf8_lossy(&written),
///     "0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 SOUR X\n\
///      0 @I1@ INDI\n1 EMAIL ada@@example.com\n0 TRLR\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_document(
    document: &Document<'_>,
    out: impl io::Write,
    rules: &Rules,
    options: &WriteOptions,
    sink: &mut dyn Sink,
) -> Result<Summary, WriteError> {
    write(document, None, out, rules, options, sink)
}

/// What a document is written with in place of what it holds: the schema of another form, and tags that go with it.
/// Whoever knows types makes it.
#[non_exhaustive]
pub struct Dress<'a> {
    /// SCHMA, or PRFX and DEFN in 2017, with all beneath them; see [`Preamble::schema`].
    pub schema: Option<Vec<PreambleLine<'static>>>,
    /// The tag of a structure, where it is not its own.
    pub tag: &'a dyn Fn(Node<'_>) -> Option<&'a str>,
    /// What cannot be carried over, with the structures where that stands.
    pub losses: Vec<(NodeId, Code, String)>,
}

impl<'a> Dress<'a> {
    /// That schema, those tags, and no losses.
    pub fn new(
        schema: Option<Vec<PreambleLine<'static>>>,
        tag: &'a dyn Fn(Node<'_>) -> Option<&'a str>,
    ) -> Dress<'a> {
        Dress { schema, tag, losses: Vec::new() }
    }

    /// The same with losses, which are reported and counted where the document is written.
    #[must_use]
    pub fn with_losses(mut self, losses: Vec<(NodeId, Code, String)>) -> Dress<'a> {
        self.losses = losses;
        self
    }
}

/// Writes a document as [`write_document`] does, in another dress: with the schema (J19 §4.2) or the dictionary (O17 §6.3)
/// and the tags that `dress` has for it. Its losses are counted among those of the summary.
///
/// # Errors
///
/// Where the output fails, or the options ask for what cannot be.
pub fn write_document_as(
    document: &Document<'_>,
    dress: &Dress<'_>,
    out: impl io::Write,
    rules: &Rules,
    options: &WriteOptions,
    sink: &mut dyn Sink,
) -> Result<Summary, WriteError> {
    write(document, Some(dress), out, rules, options, sink)
}

fn write(
    document: &Document<'_>,
    dress: Option<&Dress<'_>>,
    out: impl io::Write,
    rules: &Rules,
    options: &WriteOptions,
    sink: &mut dyn Sink,
) -> Result<Summary, WriteError> {
    let mut options = *options;
    if options.versions == Versions::ElfIfNeeded && needs_elf(document) {
        options.versions = Versions::Both;
    }
    let at = Cell::new(document.head());
    let mut locator = document.locator();
    let mut located = |finding: Diagnostic| {
        let span = at.get().map(Node::span).unwrap_or_default();
        let (place, excerpt) = (locator.place(span), locator.excerpt(span));
        sink.report(finding.at(place, excerpt));
    };
    let mut source = Source { document, dress, rules, at: &at, absent: HashSet::new(), heeds: false };
    if let Some(rehearsal) = Writer::rehearsal(rules, &options)? {
        source.heeds = true;
        source.absent = source.absent(rehearsal)?;
    }
    let mut writer = Writer::new(out, rules, &options, &mut located)?;
    let mut preamble = source.preamble(&mut writer);
    if let Some(dress) = dress {
        preamble.schema.clone_from(&dress.schema);
        for (id, code, message) in &dress.losses {
            at.set(document.node(*id));
            writer.lose(*code, message.clone());
        }
        at.set(document.head());
    }
    writer.head(&preamble)?;
    source.structures(&mut writer)?;
    writer.finish()
}

/// Whether something in the data asks for the ELF version in the header (D19 *ELF serialisation version*).
fn needs_elf(document: &Document<'_>) -> bool {
    document.structures().any(|node| matches!(node.tag(), "PLANG" | "DTYPE"))
}

impl<'d> Preamble<'d> {
    /// What the header of a document says about the serialisation.
    pub fn of_document(document: &'d Document<'_>) -> Preamble<'d> {
        let gedc = document.serialisation_metadata().find(|node| node.tag() == "GEDC");
        let version = gedc.and_then(|gedc| gedc.substructure("VERS")).and_then(Node::line_payload);
        let mut schema = None;
        for node in document.serialisation_metadata() {
            if matches!(node.tag(), "SCHMA" | "PRFX" | "DEFN") {
                schema_lines(node, schema.get_or_insert_with(Vec::new));
            }
        }
        Preamble::new()
            .with_gedcom_version(version)
            .with_language(document.header().language())
            .with_schema(schema)
    }
}

/// A structure of the header with all beneath it. December 2019 reads them as they stand.
fn schema_lines<'d>(top: Node<'d>, lines: &mut Vec<PreambleLine<'d>>) {
    let document = top.document;
    let raw = document.rules().tagged.metadata == Metadata::Versions;
    let mut ends = Vec::new();
    for id in top.id().0..top.subtree_end().0 {
        let node = Node { document, id };
        if !raw && node.is_continuation() {
            continue;
        }
        while ends.last().is_some_and(|&end| end <= id) {
            ends.pop();
        }
        ends.push(node.subtree_end().0);
        let level = u32::try_from(ends.len()).unwrap_or(u32::MAX);
        let payload = if raw { node.line_payload().unwrap_or_default().into() } else { node.text() };
        lines.push(PreambleLine::new(level, node.tag(), payload));
    }
}

struct Source<'a, 't, 'd> {
    document: &'d Document<'d>,
    dress: Option<&'a Dress<'t>>,
    rules: &'a Rules,
    /// The structure at hand, for reports.
    at: &'a Cell<Option<Node<'d>>>,
    /// Identifiers that are not written where they stand.
    absent: HashSet<Box<str>>,
    /// Whether it matters where pointers lead.
    heeds: bool,
}

impl<'d> Source<'_, '_, 'd> {
    /// What the header says about the serialisation.
    fn preamble<W: io::Write>(&self, writer: &mut Writer<'_, W>) -> Preamble<'d> {
        let document = self.document;
        if let Some(head) = document.head() {
            if head.xref().is_some() {
                writer
                    .lose(codes::XREF_CANNOT_BE_WRITTEN, "the header bears no identifier, so it is left out");
            }
            if !head.merged().is_empty() {
                writer.lose(codes::STRUCTURE_DROPPED, "the header has no payload, so it is left out");
            }
        }
        let mut preamble = Preamble::of_document(document);
        let as_data = self.gedc_as_data();
        if let Some(gedc) = as_data {
            preamble.gedcom_version = gedc.substructure("VERS").map(Node::text);
        }
        let mut met = Vec::new();
        for node in document.serialisation_metadata().chain(as_data) {
            self.left_out(node, as_data.is_some(), &mut met, writer);
        }
        if self.rules.tagged.metadata != Metadata::Versions
            && let Some(language) = document.serialisation_metadata().find(|node| node.tag() == "PLANG")
        {
            preamble.language = None;
            self.lose_at(writer, language, "the header has no place for `PLANG` in this draft");
        }
        self.at.set(document.head());
        preamble
    }

    /// Reports what is not carried over of serialisation metadata that is written anew, whatever it was: CHAR, ELF, GEDC
    /// and PLANG. `met` are the tags before.
    fn left_out<W: io::Write>(
        &self,
        node: Node<'d>,
        as_data: bool,
        met: &mut Vec<&'d str>,
        writer: &mut Writer<'_, W>,
    ) {
        if !matches!(node.tag(), "CHAR" | "ELF" | "GEDC" | "PLANG") {
            return;
        }
        if met.contains(&node.tag()) {
            self.lose_at(writer, node, "only one of its tag is written in the header");
            return;
        }
        met.push(node.tag());
        if node.tag() == "GEDC" && !node.merged().is_empty() {
            self.lose_at(writer, node, "GEDC has no payload, so it is left out");
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
                        self.lose_at(writer, beneath, "the form is written as LINEAGE-LINKED");
                    }
                    true
                }
                ("GEDC", "ELF") => !as_data,
                _ => false,
            };
            if !known || !stands || kept.contains(&beneath.tag()) {
                let message = format!("nothing of that tag is written under {} in the header", node.tag());
                self.lose_at(writer, beneath, message);
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

    fn lose_at<W: io::Write>(
        &self,
        writer: &mut Writer<'_, W>,
        node: Node<'d>,
        message: impl Into<std::borrow::Cow<'static, str>>,
    ) {
        self.at.set(Some(node));
        writer.lose(codes::STRUCTURE_DROPPED, message);
    }

    /// GEDC where it is data in the file that was read, but not in the one that is written.
    fn gedc_as_data(&self) -> Option<Node<'d>> {
        if self.rules.tagged.metadata != Metadata::Versions {
            return None;
        }
        self.document.metadata().find(|node| node.tag() == "GEDC")
    }

    /// The identifiers that will not be written, which a rehearsal finds out.
    fn absent(&self, mut rehearsal: Writer<'static, io::Sink>) -> Result<HashSet<Box<str>>, WriteError> {
        let head = self.document.head();
        let header = head.map_or(0..0, |head| head.id().0..head.subtree_end().0);
        let doubtful = |node: Node<'_>| {
            !is_ordinary(node.tag()) || header.contains(&node.id().0) && node.xref().is_some()
        };
        if self.document.structures().any(doubtful) {
            self.structures(&mut rehearsal)?;
        }
        let mut absent = rehearsal.into_absent();
        absent.extend(head.and_then(Node::xref).map(Box::from));
        Ok(absent)
    }

    /// Where a pointer to `xref` leads in the file that is written, if not to a record and if that matters.
    fn leads(&self, xref: &str) -> Option<Leads> {
        if !self.heeds {
            return None;
        }
        if self.absent.contains(xref) {
            return Some(Leads::Nowhere);
        }
        match self.document.bearer(xref) {
            Bearer::None => Some(Leads::Nowhere),
            Bearer::Substructure => Some(Leads::ToSubstructure),
            Bearer::Record => None,
        }
    }

    fn structures<W: io::Write>(&self, writer: &mut Writer<'_, W>) -> Result<(), WriteError> {
        let gedc = self.gedc_as_data();
        let skipped = gedc.map_or(0..0, |node| node.id().0..node.subtree_end().0);
        let mut ends: Vec<u32> = Vec::new();
        ends.extend(self.document.head().map(|head| head.subtree_end().0));
        for node in self.document.structures() {
            let id = node.id().0;
            while ends.last().is_some_and(|&end| end <= id) {
                ends.pop();
            }
            let level = u32::try_from(ends.len()).unwrap_or(u32::MAX);
            ends.push(node.subtree_end().0);
            if skipped.contains(&id) {
                continue;
            }
            self.at.set(Some(node));
            self.structure(writer, level, node)?;
        }
        Ok(())
    }

    fn structure<W: io::Write>(
        &self,
        writer: &mut Writer<'_, W>,
        level: u32,
        node: Node<'d>,
    ) -> Result<(), WriteError> {
        let other = self.dress.and_then(|dress| (dress.tag)(node));
        if other.is_none()
            && let Some((tag, content, line)) = self.usual_line(level, node)
            && writer.usual_line(level, tag, content, line)?
        {
            return Ok(());
        }
        let tag = other.unwrap_or_else(|| node.tag());
        let flags = self.document.view().flags(node.id);
        let xref = node.xref().filter(|xref| {
            let message = if !self.document.bears_first(node, xref) {
                "another structure bears the identifier already, so this one is left without"
            } else if other.is_some() && self.absent.contains(*xref) {
                "pointers to this structure became text, so it is left without its identifier"
            } else {
                return true;
            };
            writer.lose(codes::XREF_CANNOT_BE_WRITTEN, message);
            false
        });
        if flags & (flag::AT | flag::CONTINUED) != 0 && flags & flag::POINTER == 0 && has_at(node) {
            return writer.pieces(level, xref, tag, |take| node.pieces(take));
        }
        match node.payload() {
            Payload::None => writer.structure(level, xref, tag, Content::None),
            Payload::Pointer(id) => {
                let content = self.leads(id).map_or(Content::Pointer(id), |leads| Content::Astray(id, leads));
                writer.structure(level, xref, tag, content)
            }
            Payload::Text(text) => writer.structure(level, xref, tag, Content::Text(&text)),
        }
    }
}

impl<'d> Source<'_, '_, 'd> {
    /// The line of a structure, taken apart, if it stands in the file as most lines do and as a writer would spell it: a
    /// digit, a space, a tag, a space, a payload. Then it need not be put together again.
    #[inline]
    fn usual_line(&self, level: u32, node: Node<'d>) -> Option<(&'d str, Content<'d>, &'d str)> {
        const UNUSUAL: u32 =
            flag::XREF | flag::AT | flag::CONTINUED | flag::ERROR | flag::MADE | flag::UNDEF | flag::RAW;
        let view = self.document.view();
        let data = view.get(node.id)?;
        if data.flags & UNUSUAL != 0 {
            return None;
        }
        let place = view.nodes.payload(node.id, data);
        let line = Span::new(data.start, place.end).of(view.text);
        let [digit @ b'0'..=b'9', b' ', ..] = line.as_bytes() else { return None };
        if u32::from(digit - b'0') != level {
            return None;
        }
        let (tag, content) = if data.flags & flag::PAYLOAD == 0 {
            (line.get(2..)?, Content::None)
        } else {
            let (head, payload) = line.split_at_checked((place.start - data.start) as usize)?;
            let content = match data.flags & flag::POINTER {
                0 => Content::Text(payload),
                // January leads some pointers elsewhere (J19 §5.1).
                _ if self.document.rules().tagged.xref_errors == XrefErrors::Undef => return None,
                _ => {
                    let id = payload.strip_prefix('@')?.strip_suffix('@')?;
                    if self.leads(id).is_some() {
                        return None;
                    }
                    Content::Pointer(id)
                }
            };
            (head.get(2..)?.strip_suffix(' ')?, content)
        };
        (elf_lines::is_tag(tag) && content != Content::Text("")).then_some((tag, content, line))
    }
}

/// Whether an at sign stands in its payload, so that text and escapes must be told apart.
fn has_at(node: Node<'_>) -> bool {
    let flags = node.document.view().flags(node.id);
    flags & flag::AT != 0
        || node
            .lines()
            .any(|line| line.is_continuation() && node.document.view().flags(line.id) & flag::AT != 0)
}
