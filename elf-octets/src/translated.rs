//! Text that was changed after decoding, with a mapping of its offsets to the decoded text.
//!
//! The drafts of 2017 replace Unicode escapes before the text is split into lines. This crate does not know escapes, so
//! the caller passes the new text and the ends of the replaced parts.

use crate::line_table::text_offset;
use elf_base::Span;

/// The end of a replaced part, as an offset in the new text and in the old text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The offset in the new text of the end of the replacement.
    pub new_end: usize,
    /// The offset in the old text of the end of the replaced part.
    pub old_end: usize,
}

/// A text with replaced parts, and the ends of these parts.
#[derive(Debug)]
pub(crate) struct Translated {
    pub(crate) text: String,
    steps: Vec<Step>,
}

impl Translated {
    pub(crate) fn new(text: String, steps: Vec<Step>) -> Translated {
        Translated { text, steps }
    }

    /// Converts an offset of the new text to one of the old text. For an offset inside a replacement, the result is the
    /// start of the replaced part.
    fn old_offset(&self, offset: u32) -> u32 {
        let passed = self.steps.partition_point(|step| step.new_end <= offset as usize);
        let (new, old) = match self.steps[..passed].last() {
            Some(step) => (step.new_end, step.old_end),
            None => (0, 0),
        };
        text_offset(old + (offset as usize).saturating_sub(new))
    }

    /// Converts an offset of the old text to one of the new text. For an offset inside a replaced part, the result is
    /// the end of the replacement.
    fn new_offset(&self, offset: u32) -> u32 {
        let passed = self.steps.partition_point(|step| step.old_end <= offset as usize);
        let (new, old) = match self.steps[..passed].last() {
            Some(step) => (step.new_end, step.old_end),
            None => (0, 0),
        };
        text_offset(new + (offset as usize).saturating_sub(old))
    }

    pub(crate) fn new_span(&self, span: Span) -> Span {
        let start = self.new_offset(span.start);
        Span::new(start, self.new_offset(span.end).max(start))
    }

    pub(crate) fn old_span(&self, span: Span) -> Span {
        let start = self.old_offset(span.start);
        Span::new(start, self.old_offset(span.end).max(start))
    }
}
