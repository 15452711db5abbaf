//! Writes tagged structures as the bytes of a file.
//!
//! A [`Writer`] takes structures one by one in document order, each with its level, and writes a valid file under the
//! given rules. [`write_document`] writes a whole [`Document`](crate::Document). Writing reverses the steps of reading,
//! in the order of December 2019 (*Serialisation*):
//!
//! ```text
//! tagged structures ── payloads converted ── lines ── line strings ── octets
//!                      at signs, escapes,    levels,  CONT, CONC      encoding, line breaks
//!                      pointers              tags
//! ```
//!
//! Content that the rules of the output cannot express is omitted or approximated. Each such *loss* is reported and
//! counted. Examples are a reserved tag, an identifier with invalid characters, and a line break in serialisation
//! metadata. Writing fails only if the output fails or the options are impossible.
//!
//! This is stricter than the drafts in two points. CONC never splits at whitespace or between a letter and its marks,
//! even if a line becomes longer than recommended. In 2017, text that looks like a Unicode escape gets a Unicode escape
//! in place of its at sign, because doubling the at sign would not help. All readings are listed in
//! [`elf_base::readings`].

mod dangling;
mod document;
mod double_marks;
mod empty;
mod encoder;
mod fragment;
mod header;
mod header_identity;
mod identifiers;
mod inserted;
mod left_out;
pub(crate) mod lines;
mod options;
mod payload;
mod payload_losses;
mod preamble;
mod reports;
mod reserved;
mod schema_override;
mod schema_shape;
mod structures;
mod transcriber;

pub use crate::PreambleLine;
pub use dangling::{DanglingTarget, is_ordinary};
pub use document::{Rehearsal, RunWriter, Survey, write_document};
pub use elf_octets::LineBreak;
pub use encoder::{EncodedRun, RunEncoder};
pub use fragment::{Fragment, FragmentWriter};
pub use identifiers::{Identifiers, Renaming, Use};
pub use left_out::{Omission, omissions, removed_escapes};
pub use options::{OptionError, Summary, Versions, WriteError, WriteOptions};
pub use preamble::Preamble;
pub use schema_override::SchemaOverride;
pub use structures::{KnownLoss, StructureList, StructureToWrite, TakeStructure, write_structures};

use crate::escape::{EscapeTable, EscapeTypes};
use crate::{ADVISED_TAG_LENGTH, NodeId, Piece};
use elf_base::rules::EscapeLookalikes;
use elf_base::{Code, Diagnostic, Rules, Sink, codes};
use elf_octets::{ReadBack, Repertoire};
use empty::EmptyLine;
use lines::Lines;
use payload::{PreservedEscapes, Spelling};
use payload_losses::{DescribedLoss, PayloadLosses};
use reports::{Reports, shorten};
use reserved::is_special_tag;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::io;

/// The payload of a structure to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content<'p> {
    /// The structure has no payload. Only the drafts before December 2019 distinguish this from an empty text.
    None,
    /// The payload is a pointer to a record. The identifier is given without at signs.
    Pointer(&'p str),
    /// The payload is a pointer to something other than a record of the file. If the rules do not allow it, it becomes
    /// text, which is a loss. Readers of January 2019 insert a record UNDEF for such a pointer, so that record is
    /// written (J19 §5.1).
    Dangling(&'p str, DanglingTarget),
    /// The payload is plain text. The at signs of the text are doubled, except in escapes that readers would preserve:
    /// date escapes in a DATE, escapes that the schema preserves under the tag and, in 2017, any escape.
    Text(&'p str),
    /// The payload is a list of texts and escapes, divided in the same way as the payload that was read.
    Pieces(&'p [Piece<'p>]),
}

/// Writes a file of tagged structures, in document order.
///
/// The writer stores only the current structure, so it cannot find repeated identifiers and unresolved pointers. The
/// caller must find them, as [`write_document`] does, and pass the [renamed](Writer::rename) identifiers.
///
/// ```
/// use elf_tagged::Rules;
/// use elf_tagged::write::{Content, WriteOptions, Writer};
///
/// let mut octets = Vec::new();
/// let mut findings = Vec::new();
/// let mut writer =
///     Writer::new(&mut octets, &Rules::DECEMBER_2019, &WriteOptions::new(), &mut findings)?;
/// writer.structure(1, None, "LANG", Content::Text("English"))?; // before the first record: metadata
/// writer.structure(0, Some("I1"), "INDI", Content::None)?;
/// writer.structure(1, None, "NOTE", Content::Text("two lines,\none @ sign"))?;
/// let summary = writer.finish()?;
/// assert_eq!((summary.records, summary.losses), (1, 0));
/// assert_eq!(
///     String::from_utf8_lossy(&octets),
///     "0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 LANG English\n\
///      0 @I1@ INDI\n1 NOTE two lines,\n2 CONT one @@ sign\n0 TRLR\n"
/// );
/// # Ok::<(), elf_tagged::write::WriteError>(())
/// ```
#[must_use = "the trailer is written by `finish`"]
pub struct Writer<'w, W: io::Write> {
    out: W,
    rules: Rules,
    options: WriteOptions,
    reports: Reports<'w>,
    lines: Lines,
    spelling: Spelling,
    /// Finds out which encoding readers will detect.
    read_back: ReadBack,
    /// A buffer for encoded bytes. The buffer is used if the encoding is not UTF-8.
    octets: Vec<u8>,
    stage: Stage,
    /// The level of the previous structure.
    previous: u32,
    /// The level of the last structure whose level affects the structures that follow. See [`Writer::is_lone`].
    counted: u32,
    /// Structures deeper than this level are skipped.
    skip: Option<u32>,
    /// Whether the current structure must be a single line without substructures. See [`Writer::is_lone`].
    lone: bool,
    /// The level of the last structure that was lost because it was under such a line.
    beneath_lone: Option<u32>,
    /// Whether the header has the ELF version.
    names_elf: bool,
    /// The escapes that readers of the output preserve under each tag (J19 §4.2.4; D19 *Permitted escapes*).
    escapes: EscapeTable,
    pieces: Pieces,
    /// The identifiers of unresolved pointers. Records with these identifiers will be written (J19 §5.1).
    undefined: BTreeSet<Box<str>>,
    /// The identifiers that were not written. The identifiers are collected in a rehearsal only.
    absent: Option<HashSet<Box<str>>>,
    /// The new names of identifiers that cannot be kept.
    renaming: Renaming,
    /// The node of the header from which the current output comes.
    origin: Option<NodeId>,
    /// The node from which the current structure was read.
    node: Option<NodeId>,
    /// The last structures, as long as they are empty but must not stay empty.
    empty: Vec<EmptyLine>,
    /// The state that [`reserved`] needs of the last structure and of each structure above it.
    open: Vec<u8>,
    summary: Summary,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Start,
    Header,
    Records,
}

/// Text and escapes that were joined to one text, with the ranges of the escapes.
#[derive(Debug, Default)]
struct Pieces {
    text: String,
    escapes: Vec<(usize, usize)>,
}

/// The number of bytes of UTF-8 that are buffered before they are written.
const BUFFER: usize = 1 << 16;

impl<'w, W: io::Write> Writer<'w, W> {
    /// Creates a writer of a file under `rules`. The output `out` need not be buffered.
    ///
    /// # Errors
    ///
    /// Returns [`OptionError`] if the options are impossible.
    pub fn new(
        out: W,
        rules: &Rules,
        options: &WriteOptions,
        sink: &'w mut dyn Sink,
    ) -> Result<Writer<'w, W>, OptionError> {
        Writer::with_reports(out, rules, options, Reports::To(sink))
    }

    fn with_reports(
        out: W,
        rules: &Rules,
        options: &WriteOptions,
        reports: Reports<'w>,
    ) -> Result<Writer<'w, W>, OptionError> {
        options.check(rules)?;
        let edges = fragment::edge_whitespace(rules, options.guard_whitespace);
        Ok(Writer {
            out,
            rules: *rules,
            options: *options,
            reports,
            lines: Lines::new(options.line_limit(rules), options.encoding, options.line_break),
            spelling: Spelling::new(
                Repertoire::new(options.encoding, &rules.octets),
                rules.tagged.escape,
                edges,
            ),
            read_back: ReadBack::new(options.encoding, &rules.octets),
            octets: Vec::new(),
            stage: Stage::Start,
            previous: 0,
            counted: 0,
            skip: None,
            lone: false,
            beneath_lone: None,
            names_elf: false,
            escapes: EscapeTable::default_of(rules),
            pieces: Pieces::default(),
            undefined: BTreeSet::new(),
            absent: None,
            renaming: Renaming::default(),
            origin: None,
            node: None,
            empty: Vec::new(),
            open: Vec::new(),
            summary: Summary::default(),
        })
    }

    /// Writes a structure. A structure at level 0 is a record. A deeper structure is a substructure of the last
    /// structure that is one level higher or, before the first record, metadata of the header. If `level` is too deep,
    /// the structure is written one level below the previous one.
    ///
    /// The cross-reference identifier `xref` is given without at signs.
    ///
    /// # Errors
    ///
    /// Returns the errors of the output.
    pub fn structure(
        &mut self,
        level: u32,
        xref: Option<&str>,
        tag: &str,
        content: Content<'_>,
    ) -> Result<(), WriteError> {
        let content = match content {
            Content::Pieces(pieces) => {
                return self.pieces(level, xref, tag, |take| pieces.iter().copied().for_each(take));
            }
            other => other,
        };
        let Some(level) = self.start_structure(level, tag, &content)? else {
            self.add_lost_identifier(xref);
            return Ok(());
        };
        let tag = &*self.spelled_tag(tag);
        let (xref, given) = (self.xref_to_write(level, xref, tag), xref);
        let start = self.lines.text.len();
        self.lines.start_structure(level, xref.as_deref(), tag);
        let bare = self.lines.text.len();
        self.write_content(content, tag);
        // A text becomes empty if none of its characters can be written.
        let is_empty = matches!(content, Content::Text("")) || self.lines.text.len() == bare;
        self.lines.end_line();
        self.remember_possibly_empty(level, given, tag, start, is_empty);
        self.end_structure()
    }

    /// Writes the payload of the current structure, after its tag.
    fn write_content(&mut self, content: Content<'_>, tag: &str) {
        match content {
            Content::Pointer(id) => self.write_pointer(id, None, tag),
            Content::Dangling(id, leads) => self.write_pointer(id, Some(leads), tag),
            Content::Text("") => self.write_empty_payload(),
            Content::Text(text) => self.text(text, self.preserved_in_text(tag), tag),
            Content::Pieces(given) => {
                let mut pieces = std::mem::take(&mut self.pieces);
                pieces.collect(|take| given.iter().copied().for_each(take));
                self.text(&pieces.text, self.preserved_in_pieces(tag, &pieces.escapes), tag);
                self.pieces = pieces;
            }
            Content::None => {}
        }
    }

    /// Writes a structure whose payload consists of parts. The function `give` passes the parts, as
    /// [`Node::pieces`](crate::Node::pieces) does.
    ///
    /// # Errors
    ///
    /// Returns the errors of the output.
    pub fn pieces(
        &mut self,
        level: u32,
        xref: Option<&str>,
        tag: &str,
        give: impl FnOnce(&mut dyn FnMut(Piece<'_>)),
    ) -> Result<(), WriteError> {
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.collect(give);
        let written = self.write_gathered(level, xref, tag, &pieces);
        self.pieces = pieces;
        written
    }

    fn write_gathered(
        &mut self,
        level: u32,
        xref: Option<&str>,
        tag: &str,
        pieces: &Pieces,
    ) -> Result<(), WriteError> {
        let content = Content::Text(&pieces.text);
        let Some(level) = self.start_structure(level, tag, &content)? else {
            self.add_lost_identifier(xref);
            return Ok(());
        };
        let tag = &*self.spelled_tag(tag);
        let (xref, given) = (self.xref_to_write(level, xref, tag), xref);
        let start = self.lines.text.len();
        self.lines.start_structure(level, xref.as_deref(), tag);
        let bare = self.lines.text.len();
        if pieces.text.is_empty() {
            self.write_empty_payload();
        } else {
            self.text(&pieces.text, self.preserved_in_pieces(tag, &pieces.escapes), tag);
        }
        let is_empty = pieces.text.is_empty() || self.lines.text.len() == bare;
        self.lines.end_line();
        self.remember_possibly_empty(level, given, tag, start, is_empty);
        self.end_structure()
    }

    fn text(&mut self, text: &str, kept: PreservedEscapes<'_>, tag: &str) {
        let Writer { spelling, lines, .. } = self;
        let mut lost = PayloadLosses::default();
        if self.lone {
            lines.without_limit(|lines| lost = spelling.write_payload(lines, text, kept));
        } else {
            lost = spelling.write_payload(lines, text, kept);
        }
        self.report_payload_losses(lost, tag);
    }

    /// Writes the trailer and flushes the output.
    ///
    /// # Errors
    ///
    /// Returns the errors of the output.
    pub fn finish(mut self) -> Result<Summary, WriteError> {
        self.write_end()
    }

    /// Writes what comes after the last structure of the file.
    fn write_end(&mut self) -> Result<Summary, WriteError> {
        if self.stage == Stage::Start {
            self.head(&Preamble::new())?;
        }
        self.write_undefined_records();
        self.leave_out_empty(0);
        self.lines.start_structure(0, None, "TRLR");
        self.lines.end_line();
        self.flush()?;
        self.out.flush()?;
        if let Some(other) = self.read_back.misdetected() {
            let encoding = self.options.encoding;
            let message = format!(
                "the file is also valid {other} by chance, so programs may read it as {other} instead of {encoding}"
            );
            self.lose(codes::OUTPUT_TAKEN_FOR_OTHER, message);
        }
        self.summary.lines = self.lines.count;
        Ok(self.summary)
    }

    /// Reports and counts something that cannot be written, such as a repeated identifier or a type without a tag. Call
    /// this for losses that only the caller can find.
    pub fn lose(&mut self, code: Code, message: impl Into<Cow<'static, str>>) {
        self.summary.losses += 1;
        self.report(code, message);
    }

    fn report(&mut self, code: Code, message: impl Into<Cow<'static, str>>) {
        self.reports.report(code, &self.rules, message, self.origin);
    }

    /// Writes `line` unchanged, if that is possible. Returns whether the line was written. This is a fast path.
    ///
    /// The line must have this tag and this content, and single spaces between its parts. If the content is a text, the
    /// text must not contain an at sign.
    pub(crate) fn write_usual_line(
        &mut self,
        level: u32,
        tag: &str,
        content: Content<'_>,
        line: &str,
    ) -> Result<bool, WriteError> {
        let usual = self.skip.is_none()
            && self.stage != Stage::Start
            && level <= self.previous.saturating_add(1)
            && tag.len() <= ADVISED_TAG_LENGTH as usize
            && !is_special_tag(tag)
            && self.has_allowed_letters(tag);
        let known = usual
            && match content {
                Content::None | Content::Text(_) => true,
                Content::Pointer(id) => self.is_xref(id) && !self.renaming.is_renamed(id),
                Content::Dangling(..) | Content::Pieces(_) => false,
            };
        if known {
            self.lone = false;
            self.leave_out_empty(level);
            let start = self.lines.text.len();
            self.record_structure(level);
            if let Content::Pointer(_) = content {
                self.record_open_pointer();
            }
            let mut is_empty = content == Content::None;
            match content {
                Content::Text(text) if !self.can_be_copied(text, line) => {
                    self.lines.start_structure(level, None, tag);
                    let bare = self.lines.text.len();
                    self.text(text, self.preserved_in_text(tag), tag);
                    // A text becomes empty if none of its characters can be written.
                    is_empty = self.lines.text.len() == bare;
                    self.lines.end_line();
                }
                _ => self.lines.push_line(line),
            }
            self.remember_possibly_empty(level, None, tag, start, is_empty);
            self.end_structure()?;
        }
        Ok(known)
    }

    fn can_be_copied(&mut self, text: &str, line: &str) -> bool {
        let octets = self.spelling.plain_size(text);
        octets.is_some_and(|octets| self.lines.fits_alone(line.len() - text.len() + octets))
    }

    fn record_structure(&mut self, level: u32) {
        if level == 0 {
            self.stage = Stage::Records;
            self.summary.records += 1;
        }
        self.previous = level;
        self.counted = level;
        self.record_open(level);
        self.summary.structures += 1;
    }

    /// Starts a structure. Returns the level at which it is written, or `None` if it must be skipped.
    fn start_structure(
        &mut self,
        level: u32,
        tag: &str,
        content: &Content<'_>,
    ) -> Result<Option<u32>, WriteError> {
        if self.stage == Stage::Start {
            self.head(&Preamble::new())?;
        }
        if let Some(skip) = self.skip {
            if level > skip {
                self.summary.dropped += 1;
                if self.lone && self.beneath_lone.is_none_or(|lost| level <= lost) {
                    self.beneath_lone = Some(level);
                    let message = format!(
                        "left out `{}` and everything under it: readers ignore it here",
                        shorten(tag)
                    );
                    self.lose(codes::STRUCTURE_DROPPED, message);
                }
                return Ok(None);
            }
            self.skip = None;
        }
        let deepest = self.previous.saturating_add(1);
        if level > deepest {
            let message = format!("`{}` of level {level} is written at level {deepest}", shorten(tag));
            self.lose(codes::LEVEL_CANNOT_BE_KEPT, message);
        }
        let level = level.min(deepest);
        self.lone = self.is_lone(level, tag);
        if self.lone {
            self.skip = Some(level);
            self.beneath_lone = None;
        }
        if level == 0 {
            self.stage = Stage::Records;
        }
        if let Some((code, message)) = self.reason_to_forbid(level, tag, content) {
            self.lose(code, message);
            self.summary.dropped += 1;
            self.skip = Some(level);
            self.lone = false;
            return Ok(None);
        }
        self.leave_out_empty(level);
        if self.rules.lines.lengths_advised && tag.len() > ADVISED_TAG_LENGTH as usize {
            self.report_long(codes::TAG_LONG, "tag", ADVISED_TAG_LENGTH, tag);
        }
        let counted = self.counted;
        self.record_structure(level);
        if self.is_uncounted(tag) {
            self.counted = counted;
        }
        Ok(Some(level))
    }

    fn end_structure(&mut self) -> Result<(), WriteError> {
        if self.lines.text.len() >= BUFFER && self.empty.is_empty() {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes an empty payload. January 2019 and the declarative draft distinguish an empty payload from a missing one.
    fn write_empty_payload(&mut self) {
        if self.rules.tagged.empty_payload.is_written() {
            self.lines.push_empty_payload();
        }
    }

    /// Returns the escapes in plain text that are written as escapes.
    fn preserved_in_text(&self, tag: &str) -> PreservedEscapes<'static> {
        PreservedEscapes { of_text: self.escapes.of_text(tag), ..PreservedEscapes::default() }
    }

    /// Returns the escapes in a text that are written as escapes, if the ranges of its escapes are known.
    fn preserved_in_pieces<'k>(&self, tag: &str, escapes: &'k [(usize, usize)]) -> PreservedEscapes<'k> {
        let of_text = match self.rules.tagged.escape.lookalikes() {
            EscapeLookalikes::AreKeptByTag => self.escapes.named(tag).unwrap_or_default(),
            EscapeLookalikes::AreKept => self.escapes.of_text(tag),
            EscapeLookalikes::AreText => EscapeTypes::NONE,
        };
        PreservedEscapes { escapes, of_escapes: self.escapes.of(tag), of_text }
    }

    fn report_payload_losses(&mut self, lost: PayloadLosses, tag: &str) {
        for DescribedLoss { code, message, help } in lost.describe(self.options.encoding, tag) {
            self.summary.losses += 1;
            let finding = Diagnostic::new(code, &self.rules, message);
            let finding = help.into_iter().fold(finding, Diagnostic::help);
            self.reports.report_finding(finding, self.origin);
        }
    }
}

impl Pieces {
    fn collect(&mut self, give: impl FnOnce(&mut dyn FnMut(Piece<'_>))) {
        self.text.clear();
        self.escapes.clear();
        give(&mut |piece| match piece {
            Piece::Text(text) => self.text.push_str(text),
            Piece::Escape(raw) => {
                let start = self.text.len();
                self.text.push_str(raw);
                self.escapes.push((start, self.text.len()));
            }
        });
    }
}
