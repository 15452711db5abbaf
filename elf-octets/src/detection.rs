//! The part of the decision on the encoding that needs only the first bytes and the header.

use crate::Decision;
use crate::evidence::HeaderHints;
use crate::findings::PendingFinding;

/// The decision on the encoding as far as the header determines it.
#[derive(Clone, Debug)]
pub(crate) struct Detection {
    pub(crate) decision: Decision,
    /// The length of the byte-order mark.
    pub(crate) mark: usize,
    /// Whether the rules stop reading the file here.
    pub(crate) ended: bool,
    /// The question that the first non-ASCII bytes must answer.
    pub(crate) open: Option<OpenCase>,
    /// What the header tells about the encoding.
    pub(crate) hints: HeaderHints,
    /// The findings about the header, which wait until the encoding of their lines is known.
    pub(crate) waiting: Vec<PendingFinding>,
}

/// A question that the header leaves open and the bytes of the file answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenCase {
    /// CHAR does not decide. The bytes show the encoding.
    NoCharName,
    /// CHAR names ASCII. If there are non-ASCII bytes, they show the encoding.
    Ascii,
    /// CHAR names ASCII after a UTF-8 byte-order mark. If there are non-ASCII bytes, the mark wins (D19; AMB-05).
    AsciiBehindMark,
    /// CHAR names a single-byte encoding after a UTF-8 byte-order mark. The file is UTF-8 if the bytes are valid UTF-8.
    BehindMark,
    /// CHAR names a single-byte encoding, which is used unless the bytes contradict it.
    SingleByteCharName,
    /// CHAR names `ANSI` or `IBMPC`, the code page of the computer that wrote the file. The bytes show which one.
    CodePage,
}
