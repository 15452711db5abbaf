//! Text that was changed between decoding and splitting into lines, and its offsets in the decoded text.
//!
//! The drafts of 2017 replace Unicode escapes in the character stream, before there are lines. What an escape
//! is, this crate does not know: the caller passes the new text and the ends of the replacements.

use crate::line_table::text_offset;
use elf_base::Span;

/// The end of a replacement, in bytes of the new text and of the old text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The offset after the replacement in the new text.
    pub new_end: usize,
    /// The offset after the replaced part in the old text.
    pub old_end: usize,
}

/// A new text, and where its replacements end, in order.
#[derive(Debug)]
pub(crate) struct Translated {
    pub(crate) text: String,
    steps: Vec<Step>,
}

impl Translated {
    pub(crate) fn new(text: String, steps: Vec<Step>) -> Translated {
        Translated { text, steps }
    }

    /// Returns the offset in the old text of `offset` of the new one; inside a replacing character, the
    /// offset of its start.
    fn old_offset(&self, offset: u32) -> u32 {
        let passed = self.steps.partition_point(|step| step.new_end <= offset as usize);
        let (new, old) = match self.steps[..passed].last() {
            Some(step) => (step.new_end, step.old_end),
            None => (0, 0),
        };
        text_offset(old + (offset as usize).saturating_sub(new))
    }

    /// Returns the offset in the new text of `offset` of the old one; inside a replaced part, the offset of
    /// the end of its replacement.
    fn new_offset(&self, offset: u32) -> u32 {
        let passed = self.steps.partition_point(|step| step.old_end <= offset as usize);
        let (new, old) = match self.steps[..passed].last() {
            Some(step) => (step.new_end, step.old_end),
            None => (0, 0),
        };
        text_offset(new + (offset as usize).saturating_sub(old))
    }

    /// The span of the new text that `span` of the old one went to.
    pub(crate) fn new_span(&self, span: Span) -> Span {
        let start = self.new_offset(span.start);
        Span::new(start, self.new_offset(span.end).max(start))
    }

    /// The span of the old text that `span` of the new one came from.
    pub(crate) fn old_span(&self, span: Span) -> Span {
        let start = self.old_offset(span.start);
        Span::new(start, self.old_offset(span.end).max(start))
    }
}
