//! The first part of the decision on the encoding, which needs only the first bytes and the header.

use crate::Decision;
use crate::evidence::HeaderHints;
use crate::findings::PendingFinding;

/// The decision on the encoding, as far as the header determines it.
#[derive(Clone, Debug)]
pub(crate) struct Detection {
    pub(crate) decision: Decision,
    /// The length of the byte-order mark.
    pub(crate) mark: usize,
    /// Whether the rules stop reading the file at its start.
    pub(crate) ended: bool,
    /// The question about the encoding that the first non-ASCII bytes must answer.
    pub(crate) open: Option<OpenCase>,
    /// The evidence for the encoding that the header contains.
    pub(crate) hints: HeaderHints,
    /// The findings about the header. The findings about the header are reported when the encoding of their lines is
    /// known.
    pub(crate) waiting: Vec<PendingFinding>,
}

/// A question that the header leaves open and the bytes of the file answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenCase {
    /// CHAR does not decide the encoding. The bytes show which one it is.
    NoCharName,
    /// CHAR names ASCII. If the file has non-ASCII bytes, they show the encoding.
    Ascii,
    /// CHAR names ASCII after a UTF-8 byte-order mark. If the file has non-ASCII bytes, it is read as UTF-8 (D19;
    /// AMB-05).
    AsciiBehindMark,
    /// CHAR names a single-byte encoding after a UTF-8 byte-order mark. If the bytes are valid UTF-8, the file is read
    /// as UTF-8.
    BehindMark,
    /// CHAR names a single-byte encoding, which is used unless the bytes contradict it.
    SingleByteCharName,
    /// CHAR names `ANSI` or `IBMPC`, which is the code page of the computer that wrote the file. The bytes show which
    /// page it was.
    CodePage,
}
