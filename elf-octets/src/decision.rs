//! The decision on the encoding of a file, with its evidence.

use crate::Encoding;
use elf_base::{Place, Rules};

/// What the caller knows about the encoding of a file, or demands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The encoding that the transport states, such as the charset of HTTP. Before December 2019, it overrides a
    /// byte-order mark (J19 §7.2.1). The draft of December 2019 does not mention it; under that draft, it is used if no
    /// encoding is detected in the file.
    pub external: Option<Encoding>,
    /// The encoding in which the file is read, even if the file names or shows another one.
    pub forced: Option<Encoding>,
}

impl Options {
    /// Sets the encoding that the transport states.
    #[must_use]
    pub const fn with_external(mut self, encoding: Option<Encoding>) -> Options {
        self.external = encoding;
        self
    }

    /// Sets the encoding in which the file is read, even if the file names or shows another one.
    #[must_use]
    pub const fn with_forced(mut self, encoding: Option<Encoding>) -> Options {
        self.forced = encoding;
        self
    }
}

/// The encoding in which a file is read, and the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The encoding that was detected: from a byte-order mark, from the first bytes, or from the caller.
    pub detected: Option<Encoding>,
    /// The evidence from which the detected encoding was detected.
    pub detected_by: Option<DetectedBy>,
    /// The payload of CHAR. Under December 2019 rules, it is in upper case and its whitespace is normalised. The name
    /// may be unknown.
    pub specified: Option<Box<str>>,
    /// The place of CHAR in the file.
    pub specified_at: Option<Place>,
    /// The payload of `2 VERS` under CHAR. The payload is set only if CHAR has a non-standard name.
    pub version: Option<Box<str>>,
    /// The encoding in which the text was decoded.
    pub used: Encoding,
    /// The reason for which this encoding was used.
    pub because: EncodingReason,
    /// Other encodings that fit the bytes about as well, with the most likely one first. The list is empty if the
    /// evidence is strong, or if everything read so far is ASCII.
    pub rivals: Vec<Encoding>,
    /// True if the file starts with a byte-order mark.
    pub mark: bool,
    /// The evidence that `elf info` shows. The evidence consists of sentences, each with an observation or a
    /// conclusion, in the order in which they were made. The sentences may contain characters from the file.
    pub evidence: Vec<String>,
    /// Whether a lone line feed may be part of a payload. A lone line feed may be part of a payload if the rules [allow
    /// it](elf_base::rules::LoneFeeds), and at least four fifths of the line breaks are CR LF. Only the first
    /// [`BREAKS_LIMIT`](crate::BREAKS_LIMIT) bytes are counted, so that a file reads the same in one run and in
    /// several.
    pub feeds_break_payloads: bool,
    /// The rules for the rest of the file. These are the rules of the caller, or [`Rules::GEDCOM_7`] if the header says
    /// GEDCOM 7 and the rules of the caller [allow that](elf_base::rules::Gedcom70Header::Follow).
    pub rules: Rules,
}

/// The evidence from which an encoding was detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DetectedBy {
    /// The file starts with a byte-order mark.
    ByteOrderMark,
    /// The first two bytes are one ASCII character in UTF-16. Before December 2019, it must be the digit zero.
    FirstOctets,
    /// The caller named the encoding ([`Options::external`]).
    External,
}

/// The reason for which an encoding was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodingReason {
    /// The encoding was detected at the start of the file or named by the transport.
    Detected,
    /// CHAR names the encoding.
    Specified,
    /// The encoding is the default of the rules, because nothing was detected and CHAR does not decide.
    Default,
    /// The caller demanded the encoding ([`Options::forced`]).
    Forced,
    /// The content of the file shows the encoding. CHAR is missing, unknown or impossible, or it names a single-byte
    /// encoding that fits fewer bytes than another encoding does. The content decides only if [`OctetRules::content`]
    /// allows it.
    ///
    /// [`OctetRules::content`]: elf_base::rules::OctetRules::content
    Content,
}

impl DetectedBy {
    /// Returns the name of the evidence in JSON: `byte-order-mark`, `first-octets`, `external`.
    pub const fn name(self) -> &'static str {
        match self {
            DetectedBy::ByteOrderMark => "byte-order-mark",
            DetectedBy::FirstOctets => "first-octets",
            DetectedBy::External => "external",
        }
    }
}

impl EncodingReason {
    /// Returns the name of the reason in JSON: `detected`, `specified`, `default`, `forced`, `content`.
    pub const fn name(self) -> &'static str {
        match self {
            EncodingReason::Detected => "detected",
            EncodingReason::Specified => "specified",
            EncodingReason::Default => "default",
            EncodingReason::Forced => "forced",
            EncodingReason::Content => "content",
        }
    }
}
