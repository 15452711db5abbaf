//! Facts about the part of a file that was read before the current block.

use crate::LineBreaks;

/// Facts about the part of a file that was read before the current block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FileCounts {
    /// Whether any byte was not ASCII.
    pub(crate) non_ascii: bool,
    pub(crate) breaks: LineBreaks,
}
