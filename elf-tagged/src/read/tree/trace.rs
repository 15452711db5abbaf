//! Finds the text of the file from which a part of a payload was read.

use super::{Node, View, flag};
use crate::offset::to_u32;
use crate::read::escape::{push_meaning, tokens};
use elf_base::Span;

/// A part of a payload with its position in another text: byte `from` of the payload is byte `at` of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    from: usize,
    length: usize,
    at: usize,
    /// The length of the part in the other text. Unless something was unescaped, the part has the same length in both
    /// texts.
    taken: usize,
}

impl Stretch {
    pub(crate) const fn of_line(at: u32, length: usize) -> Stretch {
        Stretch { from: 0, length, at: at as usize, taken: length }
    }

    /// Returns the span in the text of `length` bytes at `offset` of the payload. The bytes start in one of `lines`.
    pub(crate) fn place(lines: &[Stretch], offset: usize, length: usize) -> Span {
        let start = stretch_at(lines, offset).map_or(0, |line| line.at + (offset - line.from));
        Span::new(to_u32(start), to_u32(start + length))
    }

    const fn is_verbatim(&self) -> bool {
        self.length == self.taken
    }
}

impl Node<'_> {
    /// Returns the span of the document from which the byte range `within` of the [payload's text](Node::text) was
    /// read. If the range contains several lines, the span ends with the first line.
    ///
    /// ```
    /// use elf_base::Span;
    /// use elf_tagged::{Options, Rules, read};
    ///
    /// let octets = b"0 HEAD\n0 NOTE at @@ home\n1 CONT alone\n0 TRLR\n";
    /// let document = read(octets, &Rules::WILD, &Options::default(), &mut ())?;
    /// let note = document.records().next().expect("a note");
    /// assert_eq!(note.text(), "at @ home\nalone");
    /// let text = document.source().text();
    /// assert_eq!(note.payload_place(Span::new(5, 9)).of(text), "home");
    /// assert_eq!(note.payload_place(Span::new(3, 4)).of(text), "@@");
    /// assert_eq!(note.payload_place(Span::new(10, 15)).of(text), "alone");
    /// # Ok::<(), elf_tagged::TooLarge>(())
    /// ```
    #[cold]
    pub fn payload_place(self, within: Span) -> Span {
        let (start, end) = (within.start as usize, (within.end as usize).max(within.start as usize));
        let (merged, lines) = self.view().merged_lines(self.id().0);
        let pieces = self.unescape_stretches(&lines, &merged);
        // An empty span belongs to the text before it.
        let last = end.saturating_sub(1).max(start);
        let (first, last) = (stretch_at(&pieces, start), stretch_at(&pieces, last));
        let merged_start = first.map_or(0, |piece| piece.at + offset_in_source(&piece, start, false));
        let merged_end = last.map_or(merged_start, |piece| piece.at + offset_in_source(&piece, end, true));
        let Some(line) = stretch_at(&lines, merged_start) else { return Span::default() };
        let start = line.at + merged_start.saturating_sub(line.from).min(line.length);
        let end = line.at + merged_end.saturating_sub(line.from).min(line.length);
        Span::new(to_u32(start), to_u32(end.max(start)))
    }

    /// Returns the stretches of the unescaped payload, with their positions in the merged lines.
    fn unescape_stretches(self, lines: &[Stretch], merged: &str) -> Vec<Stretch> {
        let grammar = self.document().escape();
        let preserved = self.preserved();
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut read = |text: &mut String, at: usize, line: &str| {
            for (offset, token) in tokens(line, grammar) {
                let from = text.len();
                push_meaning(text, token, grammar, preserved);
                let (length, taken) = (text.len() - from, token.raw().len());
                pieces.push(Stretch { from, length, at: at + offset, taken });
            }
        };
        if grammar.reads_merged() {
            read(&mut text, 0, merged);
            return pieces;
        }
        let mut behind = 0;
        for line in lines {
            text.extend(std::iter::repeat_n('\n', line.from - behind));
            behind = line.from + line.length;
            read(&mut text, line.from, &merged[line.from..behind]);
        }
        pieces
    }
}

impl View<'_> {
    /// Merges the lines of the payload of `node`. Also returns the position in the text of each line.
    #[cold]
    pub(crate) fn merged_lines(self, node: u32) -> (String, Vec<Stretch>) {
        let (mut merged, mut lines) = (String::new(), Vec::new());
        for line in self.payload_lines(node) {
            merged.extend(std::iter::repeat_n('\n', line.breaks));
            let length = line.text.len();
            // For a payload that is joined from several parts, the offset of its end in the text is known.
            let at = match self.flags(line.node.0) & flag::MADE {
                0 => self.line_payload_start(line.node.0) as usize,
                _ => (self.line_end(line.node.0) as usize).saturating_sub(length),
            };
            lines.push(Stretch { from: merged.len(), length, at, taken: length });
            merged.push_str(line.text);
        }
        (merged, lines)
    }
}

fn stretch_at(stretches: &[Stretch], offset: usize) -> Option<Stretch> {
    let behind = stretches.partition_point(|stretch| stretch.from <= offset);
    // An empty stretch has the same offset as the next one.
    stretches.get(..behind)?.iter().rev().find(|stretch| stretch.length > 0).or(stretches.first()).copied()
}

/// Converts an offset in a payload to an offset in the other text of a stretch.
fn offset_in_source(stretch: &Stretch, offset: usize, is_end: bool) -> usize {
    let within = offset.saturating_sub(stretch.from).min(stretch.length);
    match (stretch.is_verbatim(), is_end || within == stretch.length) {
        (true, _) => within,
        (false, true) => stretch.taken,
        (false, false) => 0,
    }
}
