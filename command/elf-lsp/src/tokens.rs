//! Creates semantic tokens, by which editors colour levels, identifiers, tags, pointers, dates and
//! text.

use crate::document::OpenDocument;
use crate::snapshot::Snapshot;
use crate::text::{ColumnUnit, protocol_number};
use elf_base::Span;
use elf_schema::{Node, NodeId};
use gen_lsp_types::{Range as LspRange, SemanticToken, SemanticTokens, SemanticTokensLegend};
use std::ops::Range;

/// A file with more lines is not coloured as a whole. Editors then ask for the lines on the screen.
const MOST_LINES: usize = 50_000;

/// The kinds of tokens, in the order of the legend.
const KINDS: [&str; 7] = ["number", "variable", "keyword", "property", "string", "comment", "macro"];

#[derive(Clone, Copy)]
enum Kind {
    Level,
    Identifier,
    Tag,
    /// A tag that has no type.
    UnknownTag,
    Text,
    /// A line that continues a payload.
    Continuation,
    Date,
}

impl Kind {
    const fn index(self) -> u32 {
        match self {
            Kind::Level => 0,
            Kind::Identifier => 1,
            Kind::Tag => 2,
            Kind::UnknownTag => 3,
            Kind::Text => 4,
            Kind::Continuation => 5,
            Kind::Date => 6,
        }
    }
}

pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: KINDS.map(str::to_owned).to_vec(),
        token_modifiers: vec!["declaration".to_owned()],
    }
}

/// Returns the tokens of a file. Returns `None` if the file is too large.
pub(crate) fn all_tokens(document: &OpenDocument, unit: ColumnUnit) -> Option<SemanticTokens> {
    let lines = document.text.line_count();
    (lines <= MOST_LINES).then(|| tokens_on(document, 0..lines, unit))?
}

pub(crate) fn tokens_in(
    document: &OpenDocument,
    range: LspRange,
    unit: ColumnUnit,
) -> Option<SemanticTokens> {
    tokens_on(document, range.start.line as usize..range.end.line as usize + 1, unit)
}

fn tokens_on(document: &OpenDocument, lines: Range<usize>, unit: ColumnUnit) -> Option<SemanticTokens> {
    let snapshot = document.snapshot()?;
    let mut builder = TokenBuilder { snapshot, unit, data: Vec::new(), line: 0, column: 0 };
    let mut next = snapshot.node_at_line(lines.start).map_or(NodeId::FIRST, Node::id);
    while let Some(node) = snapshot.typed.document().node(next) {
        let line = snapshot.line_of(node);
        if line >= lines.end || node.is_inserted() {
            break;
        }
        next = NodeId::new(next.get() + 1);
        if line >= lines.start {
            builder.add_line(node, line);
        }
    }
    Some(SemanticTokens { result_id: None, data: builder.data })
}

struct TokenBuilder<'s> {
    snapshot: &'s Snapshot,
    unit: ColumnUnit,
    data: Vec<SemanticToken>,
    /// The start of the previous token.
    line: usize,
    column: usize,
}

impl TokenBuilder<'_> {
    fn add_line(&mut self, node: Node<'_>, line: usize) {
        let typed = &self.snapshot.typed;
        if node.is_error() || node.flags().is_raw() {
            return;
        }
        self.add_level(line);
        self.push_token(line, self.snapshot.range_of_identifier(node), Kind::Identifier, true);
        let is_unknown = typed.typing().type_id(node).is_some_and(|of| typed.typing().is_undefined(of));
        let tag = if node.is_continuation() {
            Kind::Continuation
        } else if is_unknown {
            Kind::UnknownTag
        } else {
            Kind::Tag
        };
        self.add_token(line, node.tag_span(), tag);
        let payload = if node.pointer().is_some() {
            Kind::Identifier
        } else if node.tag() == "DATE" {
            Kind::Date
        } else {
            Kind::Text
        };
        self.add_token(line, node.payload_span(), payload);
    }

    /// Adds the token for the level of a line.
    fn add_level(&mut self, line: usize) {
        let text = self.snapshot.text.line(line);
        let indent = text.len() - text.trim_start().len();
        let digits = text.trim_start().bytes().take_while(u8::is_ascii_digit).count();
        let start = self.snapshot.text.line_start(line) + indent;
        self.push_token(line, start..start + digits, Kind::Level, false);
    }

    fn add_token(&mut self, line: usize, span: Span, kind: Kind) {
        self.push_token(line, self.snapshot.range_of(span), kind, false);
    }

    fn push_token(&mut self, line: usize, range: Range<usize>, kind: Kind, is_declaration: bool) {
        let text = &self.snapshot.text;
        let start = text.line_start(line);
        let within = text.line_range(line);
        if range.is_empty() || range.start < start || range.end > within.end {
            return;
        }
        let length = |range: Range<usize>| self.unit.length(text.content().get(range).unwrap_or_default());
        let (column, width) = (length(start..range.start), length(range));
        let before = if line == self.line { self.column } else { 0 };
        self.data.push(SemanticToken {
            delta_line: protocol_number(line - self.line),
            delta_start: protocol_number(column - before),
            length: protocol_number(width),
            token_type: kind.index(),
            token_modifiers_bitset: u32::from(is_declaration),
        });
        (self.line, self.column) = (line, column);
    }
}
