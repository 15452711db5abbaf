//! Xref structures, whose continuation lines are merged and whose payloads are still escaped.

use crate::Document;
use crate::escape::tokens;
use crate::read::Node;
use crate::write::lines::{LineEnds, Lines, ascii_run, first_cluster};
use crate::write::{OptionError, WriteOptions};
use elf_base::Rules;
use elf_base::rules::Escape;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// An xref structure. Xref structures are the form between lines and tagged structures (D19 *Parsing lines into
/// structures*; J19 §2.4).
///
/// The payload is still escaped: at signs are doubled, and escapes are as written. Most drafts merge continuation lines
/// before they read escapes, so their continuations are merged in this form. In December 2019, GEDCOM 5.5.1 and 7.0,
/// each CONT and CONC is a structure of its own; [`merge_continuations`] merges them.
///
/// You can read them with [`Document::xref_structures`], create one with [`new`](XrefStructure::new), and write them as
/// lines with an [`XrefWriter`].
///
/// ```
/// use elf_tagged::{Document, XrefPayload};
///
/// let document = Document::parse(b"0 HEAD\n0 @I1@ INDI\n1 EMAIL ada@@example.org\n0 TRLR\n")?;
/// let structures: Vec<_> = document.xref_structures().collect();
/// assert_eq!((structures[1].level, structures[1].xref.as_deref(), &*structures[1].tag), (0, Some("I1"), "INDI"));
/// assert_eq!(structures[2].payload, XrefPayload::Text("ada@@example.org".into()));
/// # Ok::<(), elf_tagged::TooLarge>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XrefStructure<'t> {
    /// The level of the structure. A record has level 0.
    pub level: u32,
    /// The cross-reference identifier, without at signs.
    pub xref: Option<Cow<'t, str>>,
    /// The tag.
    pub tag: Cow<'t, str>,
    /// The payload.
    pub payload: XrefPayload<'t>,
}

/// The payload of an [`XrefStructure`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum XrefPayload<'t> {
    /// The structure has no payload. December 2019 does not distinguish this from an empty text.
    None,
    /// The payload is a pointer. The identifier is given without at signs.
    Pointer(Cow<'t, str>),
    /// The payload is an escaped text. Each line break in it becomes a CONT line.
    Text(Cow<'t, str>),
}

impl<'t> XrefStructure<'t> {
    /// Creates a structure that has no identifier and no payload.
    ///
    /// ```
    /// use elf_tagged::{XrefPayload, XrefStructure};
    ///
    /// let mut note = XrefStructure::new(1, "NOTE");
    /// note.payload = XrefPayload::Text("two\nlines".into());
    /// ```
    pub fn new(level: u32, tag: impl Into<Cow<'t, str>>) -> XrefStructure<'t> {
        XrefStructure { level, xref: None, tag: tag.into(), payload: XrefPayload::None }
    }

    /// Returns the xref structure of a node. Raw text lines are treated as CONT.
    pub fn of(node: Node<'t>, level: u32) -> XrefStructure<'t> {
        let is_raw = node.is_continuation() && node.tag().is_empty();
        XrefStructure {
            level,
            xref: node.xref().map(Cow::Borrowed),
            tag: if is_raw { "CONT" } else { node.tag() }.into(),
            payload: XrefPayload::of(node),
        }
    }

    /// Copies the texts, so that the result borrows nothing.
    pub fn into_owned(self) -> XrefStructure<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        XrefStructure {
            level: self.level,
            xref: self.xref.map(own),
            tag: own(self.tag),
            payload: match self.payload {
                XrefPayload::None => XrefPayload::None,
                XrefPayload::Pointer(xref) => XrefPayload::Pointer(own(xref)),
                XrefPayload::Text(text) => XrefPayload::Text(own(text)),
            },
        }
    }
}

impl<'t> XrefPayload<'t> {
    /// Returns the payload of a node in the xref form.
    pub fn of(node: Node<'t>) -> XrefPayload<'t> {
        if let Some(xref) = node.pointer() {
            return XrefPayload::Pointer(xref.into());
        }
        let rules = node.document().rules();
        let line = node.line_payload();
        let text = if merges_before_unescaping(rules) { node.merged() } else { line.unwrap_or("").into() };
        // December 2019 does not distinguish a missing payload from an empty one (D19 Payloads).
        let is_absent = line.is_none() || rules.tagged.empty_payload.is_absent();
        if text.is_empty() && is_absent { XrefPayload::None } else { XrefPayload::Text(text) }
    }
}

/// Returns whether the rules merge continuation lines before they read escapes (J19 §2.4; RDX *Payload*). December 2019
/// reads escapes first (D19 *Parsing payloads*).
pub(crate) fn merges_before_unescaping(rules: &Rules) -> bool {
    rules.tagged.escape.reads_merged()
}

impl Document<'_> {
    /// Returns the xref structures of the document in order, including header, serialisation metadata and trailer,
    /// but not records that the rules insert.
    pub fn xref_structures(&self) -> impl Iterator<Item = XrefStructure<'_>> {
        let merges = merges_before_unescaping(self.rules());
        let mut ends: Vec<u32> = Vec::new();
        self.nodes().filter(|node| !node.is_inserted()).filter_map(move |node| {
            let id = node.id().get();
            while ends.pop_if(|end| *end <= id).is_some() {}
            let level = crate::offset::to_u32(ends.len());
            ends.push(node.subtree_end().get());
            (!(merges && node.is_continuation())).then(|| XrefStructure::of(node, level))
        })
    }
}

/// Merges structures with the tags CONT and CONC into the payload of the structure above them.
///
/// ```
/// use elf_tagged::{Options, Rules, XrefPayload, merge_continuations, read};
///
/// let octets = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE one\n1 CONC  line\n1 CONT and another\n0 TRLR\n";
/// let document = read(octets, &Rules::DECEMBER_2019, &Options::default(), &mut ())?;
/// let merged: Vec<_> = merge_continuations(document.xref_structures()).collect();
/// assert_eq!(merged[2].payload, XrefPayload::Text("one line\nand another".into()));
/// # Ok::<(), elf_tagged::TooLarge>(())
/// ```
pub fn merge_continuations<'t>(
    structures: impl IntoIterator<Item = XrefStructure<'t>>,
) -> impl Iterator<Item = XrefStructure<'t>> {
    let mut rest = structures.into_iter().peekable();
    std::iter::from_fn(move || {
        let mut structure = rest.next()?;
        let below = structure.level.saturating_add(1);
        while let Some(next) = rest.next_if(|next| next.level == below && is_text_of_continuation(next)) {
            if matches!(structure.payload, XrefPayload::Pointer(_)) {
                break;
            }
            structure.payload = continue_payload(structure.payload, &next);
        }
        Some(structure)
    })
}

fn is_text_of_continuation(structure: &XrefStructure<'_>) -> bool {
    matches!(&*structure.tag, "CONT" | "CONC") && !matches!(structure.payload, XrefPayload::Pointer(_))
}

fn continue_payload<'t>(payload: XrefPayload<'t>, continuation: &XrefStructure<'t>) -> XrefPayload<'t> {
    let mut text = match payload {
        XrefPayload::Text(text) => text.into_owned(),
        XrefPayload::None | XrefPayload::Pointer(_) => String::new(),
    };
    if continuation.tag == "CONT" {
        text.push('\n');
    }
    if let XrefPayload::Text(more) = &continuation.payload {
        text.push_str(more);
    }
    XrefPayload::Text(text.into())
}

/// The reason why an [`XrefWriter`] rejects a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum XrefWriteError {
    /// The level is more than one deeper than that of the previous structure, or the first level is not 0.
    LevelTooDeep {
        /// The deepest valid level.
        most: u32,
        /// The level of the structure.
        found: u32,
    },
    /// The tag is not valid under the rules.
    Tag(String),
    /// The identifier of the structure or its pointer is not valid under the rules.
    Xref(String),
}

impl fmt::Display for XrefWriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            XrefWriteError::LevelTooDeep { most, found } => {
                write!(f, "expected a level of at most {most}, but found {found}")
            }
            XrefWriteError::Tag(text) => write!(f, "invalid tag `{text}`"),
            XrefWriteError::Xref(text) => write!(f, "invalid cross-reference identifier `{text}`"),
        }
    }
}

impl Error for XrefWriteError {}

/// Writes [`XrefStructure`]s as lines, with CONT and CONC where they are needed. Payloads are written unchanged, so
/// their at signs must already be escaped.
///
/// A line is split if it would be longer than the rules or the [options](WriteOptions::with_width) allow. The line is
/// never split within an escape or a doubled at sign, beside a blank, or between a letter and its marks.
///
/// ```
/// use elf_tagged::write::WriteOptions;
/// use elf_tagged::{Rules, XrefPayload, XrefStructure, XrefWriter};
///
/// let mut note = XrefStructure::new(1, "NOTE");
/// note.payload = XrefPayload::Text("Augusta Ada\nada@@example.org".into());
/// let options = WriteOptions::new().with_width(Some(16));
/// let mut writer = XrefWriter::new(&Rules::DECEMBER_2019, &options)?;
/// writer.write(&XrefStructure::new(0, "INDI"))?;
/// writer.write(&note)?;
/// assert_eq!(
///     writer.finish(),
///     "0 INDI\n1 NOTE August\n2 CONC a Ada\n2 CONT ada@@exa\n2 CONC mple.org\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct XrefWriter {
    rules: Rules,
    lines: Lines,
    /// The deepest valid level of the next structure.
    most: u32,
    section: Section,
}

/// The part of a file to which a structure belongs. Readers parse serialisation metadata before they merge CONC, so
/// lines in that part are not split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    /// The structure comes before the first record.
    Start,
    Header,
    /// The structure is in the header and describes the serialisation.
    Serialisation,
    Records,
}

impl Section {
    fn of(self, structure: &XrefStructure<'_>) -> Section {
        match (self, structure.level) {
            (Section::Start, 0) if structure.tag == "HEAD" => Section::Header,
            (_, 0) => Section::Records,
            (Section::Header | Section::Serialisation, 1) => match &*structure.tag {
                "CHAR" | "ELF" | "GEDC" | "PLANG" | "SCHMA" | "PRFX" | "DEFN" => Section::Serialisation,
                _ => Section::Header,
            },
            (before, _) => before,
        }
    }
}

impl XrefWriter {
    /// Creates a writer of lines under these rules. The writer uses three of the options: the encoding (in which line
    /// lengths are counted), the width and the line break.
    ///
    /// # Errors
    ///
    /// Returns [`OptionError`] if the options are impossible.
    pub fn new(rules: &Rules, options: &WriteOptions) -> Result<XrefWriter, OptionError> {
        options.check(rules)?;
        let lines = Lines::new(options.line_limit(rules), options.encoding, options.line_break);
        Ok(XrefWriter { rules: *rules, lines, most: 0, section: Section::Start })
    }

    /// Writes the lines of a structure.
    ///
    /// # Errors
    ///
    /// Returns an [`XrefWriteError`] if the structure is not valid under the rules. Nothing is written in that case.
    pub fn write(&mut self, structure: &XrefStructure<'_>) -> Result<(), XrefWriteError> {
        let XrefStructure { level, xref, tag, payload } = structure;
        if *level > self.most {
            return Err(XrefWriteError::LevelTooDeep { most: self.most, found: *level });
        }
        if !elf_lines::is_tag(tag) {
            return Err(XrefWriteError::Tag(tag.to_string()));
        }
        let pointer = match payload {
            XrefPayload::Pointer(xref) => Some(xref),
            XrefPayload::None | XrefPayload::Text(_) => None,
        };
        let is_xref = |xref: &&Cow<'_, str>| elf_lines::is_xref(xref, self.rules.lines.xref);
        if let Some(xref) = xref.iter().chain(pointer).find(|xref| !is_xref(xref)) {
            return Err(XrefWriteError::Xref(xref.to_string()));
        }
        self.most = level.saturating_add(1);
        self.section = self.section.of(structure);
        self.lines.start_structure(*level, xref.as_deref(), tag);
        match payload {
            XrefPayload::None => {}
            XrefPayload::Pointer(xref) => self.lines.push_pointer(xref),
            XrefPayload::Text(text) if text.is_empty() => {
                if self.rules.tagged.empty_payload.is_written() {
                    self.lines.push_empty_payload();
                }
            }
            XrefPayload::Text(text) if self.section == Section::Serialisation => {
                let escape = self.rules.tagged.escape;
                self.lines.without_limit(|lines| push_text(lines, text, escape));
            }
            XrefPayload::Text(text) => push_text(&mut self.lines, text, self.rules.tagged.escape),
        }
        self.lines.end_line();
        Ok(())
    }

    /// Returns the lines of all structures, each with its line break.
    pub fn finish(self) -> String {
        self.lines.text
    }
}

fn push_text(lines: &mut Lines, text: &str, escape: Escape) {
    let mut start = 0;
    for (end, next) in LineEnds::of(text) {
        if start > 0 {
            lines.push_line_break();
        }
        push_line_of_text(lines, &text[start..end], escape);
        start = next.unwrap_or(end);
    }
}

/// Appends text without line breaks. Escapes are not split.
fn push_line_of_text(lines: &mut Lines, text: &str, escape: Escape) {
    for (_, token) in tokens(text, escape) {
        let raw = token.raw();
        if raw.starts_with('@') {
            lines.push_atom(raw, false);
            continue;
        }
        let mut rest = raw;
        while !rest.is_empty() {
            let run = ascii_run(rest);
            let length = if run > 0 {
                lines.push_ascii(&rest[..run]);
                run
            } else {
                let cluster = first_cluster(rest);
                lines.push_atom(cluster, cluster.starts_with([' ', '\t']));
                cluster.len()
            };
            rest = &rest[length..];
        }
    }
}
