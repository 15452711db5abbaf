//! The lines of one structure for a file that exists already: what the editor puts in place of old ones.

use super::lines::Lines;
use super::payload::{Edges, Kept, Spelling};
use super::repertoire::Repertoire;
use super::{Content, LineBreak};
use crate::escape::EscapeTable;
use elf_base::Rules;
use elf_base::rules::{Escape, LineLimit, PayloadWhitespace};
use elf_octets::Encoding;

/// How a file is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner<'m> {
    pub(crate) rules: &'m Rules,
    /// The grammar of at signs and escapes, which need not be that of the rules.
    pub(crate) escape: Escape,
    pub(crate) encoding: Encoding,
    /// The longest line, its line break counted as one character.
    pub(crate) limit: LineLimit,
    /// The escapes that tags keep, by the schema in force.
    pub(crate) escapes: &'m EscapeTable,
}

/// The line strings of a structure, each ended by LF.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) lines: String,
    /// Where the first line goes on behind its tag.
    pub(crate) behind_tag: usize,
    /// Whether readers will trim whitespace that stands at the end of a line.
    pub(crate) trimmed: bool,
}

impl Fragment {
    /// Spells a structure. Its parts can be written: the tag is one, identifiers are, the text holds characters only.
    pub(crate) fn spell(
        manner: &Manner<'_>,
        level: u32,
        xref: Option<&str>,
        tag: &str,
        content: Content<'_>,
    ) -> Fragment {
        let rules = manner.rules;
        let mut lines = Lines::new(manner.limit, manner.encoding, LineBreak::Lf);
        lines.begin(level, xref, tag);
        let behind_tag = lines.text.len();
        let mut trimmed = false;
        match content {
            Content::Pointer(id) | Content::Astray(id, _) => lines.pointer(id),
            Content::Text("") if rules.tagged.empty_payload.is_written() => lines.empty_payload(),
            Content::Text(text) => {
                let kept = Kept { of_text: manner.escapes.of_text(tag), ..Kept::default() };
                let mut spelling = Spelling::new(
                    Repertoire::new(manner.encoding, rules),
                    manner.escape,
                    edges(rules, false),
                );
                trimmed = spelling.payload(&mut lines, text, kept).whitespace;
            }
            Content::None | Content::Pieces(_) => {}
        }
        lines.end();
        Fragment { lines: lines.text, behind_tag, trimmed }
    }
}

/// Returns what becomes of blanks at the edges of lines in a file of these rules, where they may be escaped, as some ask
/// for and as a caller may (`guard`).
pub(super) const fn edges(rules: &Rules, guard: bool) -> Edges {
    match rules.lines.payload {
        PayloadWhitespace::Trim => Edges::Lose,
        PayloadWhitespace::KeepAfterSpace | PayloadWhitespace::KeepAfterSpaceOrTab
            if rules.write.edge_escapes || guard =>
        {
            Edges::Guard
        }
        PayloadWhitespace::KeepAfterSpace | PayloadWhitespace::KeepAfterSpaceOrTab => Edges::Keep,
    }
}
