//! Prints structures, before or after unescaping, as JSON and as an indented tree.
//!
//! Nothing here recurses: a file may nest as deep as it likes.

mod json;

use crate::sanitise;
use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use elf_base::{push_field, without_credentials};
use elf_schema::Typing;
use elf_tagged::{Document, Node, Payload, Substructures, XrefPayload};
use serde::Serialize;
use serde_json::value::RawValue;
use std::io::{self, Write};

/// Prints the structures of a document in one form.
pub struct Structures<'d> {
    document: &'d Document<'d>,
    form: TreeForm,
    types: Option<&'d Typing>,
}

/// The stage of parsing at which structures are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeForm {
    /// Still escaped. Continuation lines are merged only if the rules merge before they unescape.
    Xref,
    /// Unescaped and merged.
    Tagged,
}

/// The lines or structures under a structure, depending on the form.
enum Children<'d> {
    Structures(Substructures<'d>),
    /// Includes continuation lines.
    Lines(Box<dyn Iterator<Item = Node<'d>> + 'd>),
}

impl<'d> Iterator for Children<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        match self {
            Children::Structures(structures) => structures.next(),
            Children::Lines(lines) => lines.next(),
        }
    }
}

impl<'d> Structures<'d> {
    /// Creates a printer for the structures of `document` in `form`.
    pub const fn new(document: &'d Document<'d>, form: TreeForm) -> Structures<'d> {
        Structures { document, form, types: None }
    }

    /// Creates a printer for the tagged structures of `document` with their types.
    pub const fn typed(document: &'d Document<'d>, typing: &'d Typing) -> Structures<'d> {
        Structures { document, form: TreeForm::Tagged, types: Some(typing) }
    }

    fn type_of(&self, node: Node<'d>) -> Option<&'d str> {
        self.types?.iri_of(node.id())
    }

    /// Returns whether continuation lines are merged in this form. D19 merges after unescaping, J19
    /// and RDX before.
    fn merges_continuations(&self) -> bool {
        self.form != TreeForm::Xref || self.document.rules().tagged.escape.reads_merged()
    }

    fn children(&self, node: Node<'d>) -> Children<'d> {
        match self.merges_continuations() {
            true => Children::Structures(node.substructures()),
            false => Children::Lines(Box::new(node.lines())),
        }
    }

    /// Returns the tag. A raw line of a payload is shown as if it had the tag `CONT`.
    fn tag(node: Node<'d>) -> &'d str {
        if node.is_continuation() && node.tag().is_empty() { "CONT" } else { node.tag() }
    }

    fn payload(&self, node: Node<'d>) -> Payload<'d> {
        if self.form == TreeForm::Tagged {
            return node.payload();
        }
        if let Some(id) = node.pointer() {
            return Payload::Pointer(id);
        }
        match XrefPayload::of(node) {
            XrefPayload::Text(text) => Payload::Text(text),
            XrefPayload::None | XrefPayload::Pointer(_) => Payload::None,
        }
    }

    /// Writes the facts of the header, and the metadata of the document, as one line of JSON.
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn json_header(&self, out: &mut impl Write) -> io::Result<()> {
        #[derive(Serialize)]
        struct Line<'a> {
            header: Header<'a>,
            metadata: Vec<Box<RawValue>>,
        }
        #[derive(Serialize)]
        struct Header<'a> {
            encoding: &'static str,
            elf_version: Option<String>,
            gedcom_version: Option<String>,
            language: Option<&'a str>,
            schemas: Vec<&'a str>,
        }
        let header = self.document.header();
        let metadata = self.document.metadata().map(|node| {
            let mut json = Vec::new();
            self.json(&mut json, node)?;
            Ok(serde_json::from_slice(&json)?)
        });
        let line = Line {
            header: Header {
                encoding: self.document.source().decision().used.name(),
                elf_version: header.elf_version().map(ToString::to_string),
                gedcom_version: header.gedcom_version().map(ToString::to_string),
                language: header.language(),
                schemas: header.schemas().collect(),
            },
            metadata: metadata.collect::<io::Result<_>>()?,
        };
        crate::json::write_line(out, &line)
    }

    /// Writes the facts of the header as one line for people.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn human_header(&self, out: &mut impl Write) -> io::Result<()> {
        let header = self.document.header();
        write!(out, "# {}", self.document.source().decision().used.name())?;
        if let Some(version) = header.gedcom_version_as_written() {
            write!(out, ", GEDCOM {}", sanitise(version))?;
        }
        if let Some(version) = header.elf_version_as_written() {
            write!(out, ", ELF {}", sanitise(version))?;
        }
        if let Some(language) = header.language() {
            write!(out, ", language {}", sanitise(language))?;
        }
        for schema in header.schemas() {
            write!(out, ", schema {}", sanitise(&without_credentials(schema)))?;
        }
        writeln!(out)
    }

    /// Writes a structure with its substructures as an indented tree, one line each.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn human(&self, out: &mut impl Write, root: Node<'d>, coloured: bool) -> io::Result<()> {
        let mut open: Vec<Children<'d>> = Vec::new();
        let mut next = Some(root);
        loop {
            if let Some(node) = next.take() {
                indent(out, open.len())?;
                self.human_line(out, node, coloured)?;
                open.push(self.children(node));
            }
            let Some(children) = open.last_mut() else { return Ok(()) };
            next = children.next();
            if next.is_none() {
                open.pop();
            }
        }
    }

    fn human_line(&self, out: &mut impl Write, node: Node<'d>, coloured: bool) -> io::Result<()> {
        let style = |style: Style| if coloured { style } else { Style::new() };
        let tag = style(Style::new().effects(Effects::BOLD));
        let link = style(AnsiColor::Cyan.on_default());
        let aside = style(Style::new().effects(Effects::DIMMED));
        write!(out, "{tag}{}{tag:#}", sanitise(Self::tag(node)))?;
        if let Some(xref) = node.xref() {
            write!(out, " {link}@{}@{link:#}", sanitise(xref))?;
        }
        if let (Some(types), Some(iri)) = (self.types, self.type_of(node)) {
            let iri = types.schema().prefixes().shorten(iri);
            write!(out, " {aside}<{}>{aside:#}", sanitise(&without_credentials(&iri)))?;
        }
        match self.payload(node) {
            Payload::None => {}
            Payload::Pointer(id) => {
                write!(out, " -> {link}@{}@{link:#}", sanitise(id))?;
                if node.target().is_none() {
                    write!(out, " {aside}(leads nowhere){aside:#}")?;
                }
            }
            Payload::Text(text) => {
                if node.language() != "und" {
                    write!(out, " {aside}[{}]{aside:#}", sanitise(node.language()))?;
                }
                write!(out, ": {}", sanitise(&text))?;
            }
        }
        writeln!(out)
    }
}

impl<'d> Structures<'d> {
    /// The columns of [`row`](Structures::row).
    pub const COLUMNS: [&'static str; 5] = ["path", "tag", "type", "payload", "line"];

    /// Returns the path and the payload of a structure as one line of text. A pointer has its at
    /// signs.
    ///
    /// ```
    /// use elf_report::tree::{Structures, TreeForm};
    /// use elf_tagged::Document;
    ///
    /// let document = Document::parse(b"0 HEAD\n0 @I1@ INDI\n1 NOTE a\n2 CONT b\\c\n0 TRLR\n")?;
    /// let note = document.records().next().and_then(|person| person.substructure("NOTE")).expect("a note");
    /// let structures = Structures::new(&document, TreeForm::Tagged);
    /// assert_eq!(structures.flat(note, "@I1@/NOTE"), "@I1@/NOTE = a\\nb\\\\c\n");
    /// assert_eq!(structures.row(note, "@I1@/NOTE", Some(3)), "@I1@/NOTE\tNOTE\t\ta\\nb\\\\c\t3\n");
    /// # Ok::<(), elf_tagged::TooLarge>(())
    /// ```
    pub fn flat(&self, node: Node<'d>, path: &str) -> String {
        let mut line = String::new();
        push_field(&mut line, path);
        line.push_str(" = ");
        push_field(&mut line, &self.payload(node).into_value());
        line.push('\n');
        line
    }

    /// Returns a structure as a tab-separated row with the [columns](Structures::COLUMNS). A
    /// structure that the rules inserted has no line number.
    pub fn row(&self, node: Node<'d>, path: &str, line: Option<u64>) -> String {
        let mut row = String::new();
        let payload = self.payload(node).into_value();
        for field in [path, Self::tag(node), self.type_of(node).unwrap_or_default(), &payload] {
            push_field(&mut row, field);
            row.push('\t');
        }
        row.push_str(&line.map_or(String::new(), |line| line.to_string()));
        row.push('\n');
        row
    }
}

/// Writes two spaces for each level, up to a maximum depth.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn indent(out: &mut (impl Write + ?Sized), depth: usize) -> io::Result<()> {
    const DEEPEST: usize = 32;
    for _ in 0..depth.min(DEEPEST) {
        out.write_all(b"  ")?;
    }
    if depth > DEEPEST {
        write!(out, "(level {depth}) ")?;
    }
    Ok(())
}
