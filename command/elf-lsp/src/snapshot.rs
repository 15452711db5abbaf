//! Stores a buffer as structures with types. Most requests are answered from it.

use crate::settings::read_options;
use crate::text::Text;
use elf_base::{Rules, Span};
use elf_schema::{Node, NodeId, TooLarge, TypedDocument};
use std::ops::Range;
use std::sync::Arc;

/// The structures of one version of a buffer.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) text: Arc<Text>,
    pub(crate) typed: TypedDocument<'static>,
}

/// The part of a line that contains a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinePart {
    Level,
    Identifier,
    Tag,
    Payload,
}

/// The structure at a position, and the part of its line.
#[derive(Clone, Debug)]
pub(crate) struct Spot<'s> {
    pub(crate) node: Node<'s>,
    pub(crate) part: LinePart,
    /// The offsets of this part in the buffer.
    pub(crate) range: Range<usize>,
}

impl Snapshot {
    pub(crate) fn read(text: Arc<Text>, rules: &Rules) -> Result<Snapshot, TooLarge> {
        let typed = elf_schema::read(text.content().as_bytes(), rules, &read_options(), &mut ())?;
        let typed = typed.into_owned();
        Ok(Snapshot { text, typed })
    }

    /// Converts a span of the document to offsets in the buffer.
    pub(crate) fn range_of(&self, span: Span) -> Range<usize> {
        let range = self.typed.document().locator().octet_range(span);
        // A buffer is in memory, so its offsets fit.
        let offset = |octet: u64| usize::try_from(octet).unwrap_or(self.text.content().len());
        offset(range.start)..offset(range.end)
    }

    /// Returns the offsets of the identifier of a record, with its at signs. The range is empty if
    /// the record has no identifier.
    pub(crate) fn range_of_identifier(&self, node: Node<'_>) -> Range<usize> {
        let span = node.xref_span();
        if span.is_empty() {
            return 0..0;
        }
        let inner = self.range_of(span);
        let bytes = self.text.content().as_bytes();
        let is_at = |at: Option<usize>| at.is_some_and(|at| bytes.get(at) == Some(&b'@'));
        let before = usize::from(is_at(inner.start.checked_sub(1)));
        inner.start - before..inner.end + usize::from(is_at(Some(inner.end)))
    }

    /// Returns the line of a structure, from 0.
    pub(crate) fn line_of(&self, node: Node<'_>) -> usize {
        self.text.line_of(self.range_of(node.line_span()).start)
    }

    /// Returns the offsets of all lines of a structure and its substructures, without the last line
    /// break.
    pub(crate) fn lines_of(&self, node: Node<'_>) -> Range<usize> {
        let start = self.range_of(node.line_span()).start;
        let last = node.subtree_lines().next_back().unwrap_or(node);
        start..self.range_of(last.line_span()).end.max(start)
    }

    /// Returns the last node that starts on a line or before it.
    pub(crate) fn node_at_line(&self, line: usize) -> Option<Node<'_>> {
        let document = self.typed.document();
        let (mut low, mut high) = (0, u32::try_from(document.len()).ok()?);
        // Nodes that the rules insert come last. They have no line.
        while low < high {
            let middle = low + (high - low) / 2;
            let node = document.node(NodeId::new(middle))?;
            if !node.is_inserted() && self.line_of(node) <= line {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        document.node(NodeId::new(low.checked_sub(1)?))
    }

    /// Finds the structure on the line of an offset, and the part of the line that contains the offset or ends there.
    pub(crate) fn spot(&self, offset: usize) -> Option<Spot<'_>> {
        let line = self.text.line_of(offset);
        let node = self.node_at_line(line).filter(|node| self.line_of(*node) == line)?;
        let parts = [
            (LinePart::Identifier, self.range_of_identifier(node)),
            (LinePart::Tag, self.range_of(node.tag_span())),
            (LinePart::Payload, self.range_of(node.payload_span())),
        ];
        let is_here = |range: &Range<usize>| !range.is_empty() && (range.start..=range.end).contains(&offset);
        let found = parts.into_iter().find(|(_, range)| is_here(range));
        let found = found.map(|(part, range)| Spot { node, part, range });
        let level = || Spot { node, part: LinePart::Level, range: self.text.line_range(line) };
        Some(found.unwrap_or_else(level))
    }

    /// Returns the identifier of the record or pointer at a spot, without at signs, and the offsets
    /// of the identifier.
    pub(crate) fn identifier_at(&self, spot: &Spot<'_>) -> Option<(String, Range<usize>)> {
        let identifier = match spot.part {
            LinePart::Identifier => spot.node.xref()?,
            LinePart::Payload => spot.node.pointer()?,
            LinePart::Level | LinePart::Tag => return None,
        };
        Some((identifier.to_owned(), self.without_at_signs(spot.range.clone())))
    }

    pub(crate) fn without_at_signs(&self, range: Range<usize>) -> Range<usize> {
        let text = self.text.content().get(range.clone()).unwrap_or_default();
        let inner = text.trim().trim_matches('@');
        let start = range.start + text.find(inner).unwrap_or(0);
        start..start + inner.len()
    }

    /// Returns the structures whose pointers name an identifier, whether the pointers can be
    /// resolved or not.
    pub(crate) fn pointers_to<'s>(&'s self, identifier: &'s str) -> impl Iterator<Item = Node<'s>> {
        self.typed.document().structures().filter(move |node| node.pointer() == Some(identifier))
    }
}
