//! What the first octets and the header say about the encoding, and what they leave open.

use crate::Decision;
use crate::evidence::HeaderHints;
use crate::findings::PendingFinding;

/// The decision on the encoding as far as the header determines it.
#[derive(Clone, Debug)]
pub(crate) struct Detection {
    pub(crate) decision: Decision,
    /// The length of the byte-order mark.
    pub(crate) mark: usize,
    /// True if the rules end the reading in this layer.
    pub(crate) ended: bool,
    /// The question that the first non-ASCII octets must answer.
    pub(crate) open: Option<OpenCase>,
    /// The evidence of the header for the answer.
    pub(crate) hints: HeaderHints,
    /// The findings about the header. They wait until the encoding of their lines is known.
    pub(crate) waiting: Vec<PendingFinding>,
}

/// A question that the header leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenCase {
    /// CHAR decides nothing: the octets show the encoding.
    Which,
    /// CHAR says ASCII: if there are other octets, they show the encoding.
    Ascii,
    /// CHAR says ASCII after a UTF-8 byte-order mark: the mark wins if there are other octets (D19; AMB-05).
    AsciiBehindMark,
    /// CHAR names a single-octet encoding after a UTF-8 byte-order mark: UTF-8 if the octets are valid UTF-8.
    BehindMark,
    /// CHAR names a single-octet encoding: it is used unless the octets cannot be in it.
    CharName,
    /// CHAR says `ANSI` or `IBMPC`, the code page of the computer that wrote the file: the octets show which.
    CodePage,
}
