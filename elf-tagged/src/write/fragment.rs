//! Writes the lines of one structure, for insertion into an existing file.

use super::lines::Lines;
use super::payload::{EdgeWhitespace, PreservedEscapes, Spelling};
use super::{Content, LineBreak};
use crate::Document;
use elf_base::Rules;
use elf_base::rules::LineLimit;
use elf_octets::Repertoire;

/// Writes the lines of single structures that will be inserted into an existing document. The lines follow the rules of
/// the document, are in its encoding, and have the escapes that its schema preserves.
///
/// The writer does not know the surrounding structures and does not report findings. Use a [`Writer`](super::Writer)
/// for whole files.
///
/// ```
/// use elf_tagged::write::{Content, FragmentWriter};
/// use elf_tagged::{Options, Rules, read};
///
/// let octets = b"0 HEAD\n1 CHAR UTF-8\n0 TRLR\n";
/// let document = read(octets, &Rules::WILD, &Options::default(), &mut ())?;
/// let note = FragmentWriter::new(&document).write(1, None, "NOTE", Content::Text("ada@example.org\nand so on"));
/// assert_eq!(note.lines, "1 NOTE ada@@example.org\n2 CONT and so on\n");
/// assert_eq!(&note.lines[note.behind_tag..], " ada@@example.org\n2 CONT and so on\n");
/// # Ok::<(), elf_tagged::TooLarge>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FragmentWriter<'d> {
    document: &'d Document<'d>,
    limit: LineLimit,
}

/// The lines of a structure. [`FragmentWriter::write`] returns them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fragment {
    /// The line strings, each followed by LF.
    pub lines: String,
    /// The offset in `lines` at which the tag of the first line ends.
    pub behind_tag: usize,
    /// Whether readers will remove whitespace at the end of a line.
    pub is_trimmed: bool,
}

impl<'d> FragmentWriter<'d> {
    /// Creates a writer of lines for this document. The lines are no longer than the rules of the document allow.
    pub fn new(document: &'d Document<'_>) -> FragmentWriter<'d> {
        FragmentWriter { document, limit: document.rules().write.limit }
    }

    /// Sets the length above which a line is split with CONC. A line break counts as one character.
    #[must_use]
    pub const fn with_limit(self, limit: LineLimit) -> FragmentWriter<'d> {
        FragmentWriter { document: self.document, limit }
    }

    /// Writes a structure without substructures. The caller must make sure that the tag, the identifiers and the text
    /// are valid under the rules. Characters that the encoding does not have become Unicode escapes.
    pub fn write(&self, level: u32, xref: Option<&str>, tag: &str, content: Content<'_>) -> Fragment {
        let document = self.document;
        let rules = document.rules();
        let encoding = document.source().decision().used;
        let mut lines = Lines::new(self.limit, encoding, LineBreak::Lf);
        lines.start_structure(level, xref, tag);
        let behind_tag = lines.text.len();
        let mut is_trimmed = false;
        match content {
            Content::Pointer(id) | Content::Dangling(id, _) => lines.push_pointer(id),
            Content::Text("") if rules.tagged.empty_payload.is_written() => lines.push_empty_payload(),
            Content::Text(text) => {
                let of_text = document.header().escapes().of_text(tag);
                let mut spelling = Spelling::new(
                    Repertoire::new(encoding, &rules.octets),
                    document.escape(),
                    edge_whitespace(rules, false),
                );
                is_trimmed = spelling
                    .write_payload(
                        &mut lines,
                        text,
                        PreservedEscapes { of_text, ..PreservedEscapes::default() },
                    )
                    .whitespace;
            }
            Content::None | Content::Pieces(_) => {}
        }
        lines.end_line();
        Fragment { lines: lines.text, behind_tag, is_trimmed }
    }
}

/// Returns how blanks at the ends of lines are written under these rules. If `guard` is true, the caller demands
/// escapes.
pub(super) const fn edge_whitespace(rules: &Rules, guard: bool) -> EdgeWhitespace {
    if rules.lines.payload.is_trimmed() {
        EdgeWhitespace::Lose
    } else if rules.tagged.escape.has_characters() && (rules.write.edge_escapes || guard) {
        EdgeWhitespace::Guard
    } else {
        EdgeWhitespace::Keep
    }
}
