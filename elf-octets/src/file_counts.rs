//! The octets and line breaks of the blocks of a file that were read before.

use crate::LineBreaks;

/// The octets and line breaks of a file so far, where it is read in blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FileCounts {
    /// True if any octet was not ASCII.
    pub(crate) non_ascii: bool,
    /// The line breaks.
    pub(crate) breaks: LineBreaks,
}
