//! The decision on the encoding of a file, with its evidence.

use crate::Encoding;
use elf_base::{Place, Rules};

/// What the caller knows or demands about the encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The encoding that the transport states, such as the charset of HTTP. Before December 2019, it overrides a
    /// byte-order mark (J19 §7.2.1). The draft of December 2019 does not mention it; then it is used if no encoding is
    /// detected in the file.
    pub external: Option<Encoding>,
    /// The encoding to read in, whatever the file says.
    pub forced: Option<Encoding>,
}

impl Options {
    /// Sets the encoding that the transport states.
    #[must_use]
    pub const fn with_external(mut self, encoding: Option<Encoding>) -> Options {
        self.external = encoding;
        self
    }

    /// Sets the encoding that overrides everything in the file.
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
    /// The detected encoding: from a byte-order mark, from the first bytes, or from the caller.
    pub detected: Option<Encoding>,
    /// What the detected encoding was detected from.
    pub detected_by: Option<DetectedBy>,
    /// The payload of CHAR. Under December 2019 rules, it is in upper case and its whitespace is normalised. The name
    /// may be unknown.
    pub specified: Option<Box<str>>,
    /// The place of CHAR in the file.
    pub specified_at: Option<Place>,
    /// The payload of `2 VERS` under CHAR, if CHAR has a non-standard name.
    pub version: Option<Box<str>>,
    /// The encoding the text was decoded in.
    pub used: Encoding,
    /// What decided the encoding.
    pub because: EncodingReason,
    /// Other encodings that fit the bytes about as well, the most likely first. Empty if the evidence is strong or if
    /// everything read so far is ASCII.
    pub rivals: Vec<Encoding>,
    /// True if the file starts with a byte-order mark.
    pub mark: bool,
    /// The evidence that `elf info` shows: observations and conclusions in the order in which they were made, one
    /// sentence each. They may contain characters from the file.
    pub evidence: Vec<String>,
    /// Whether a lone line feed may be part of a payload: the rules [allow it](elf_base::rules::LoneFeeds), and at
    /// least four fifths of the line breaks are CR LF. Only the first [`BREAKS_LIMIT`](crate::BREAKS_LIMIT) bytes are
    /// counted, so that a file reads the same in one run and in several.
    pub feeds_break_payloads: bool,
    /// The rules for the rest of the file: those of the caller, or [`Rules::GEDCOM_7`] if the header says so and the
    /// rules of the caller [allow it](elf_base::rules::Gedcom70Header::Follow).
    pub rules: Rules,
}

/// What an encoding was detected from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DetectedBy {
    /// A byte-order mark.
    ByteOrderMark,
    /// The first two bytes: one ASCII character in UTF-16. Before December 2019, it must be the digit zero.
    FirstOctets,
    /// The caller.
    External,
}

/// What decided the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodingReason {
    /// The detected encoding.
    Detected,
    /// CHAR.
    Specified,
    /// The default of the rules, because nothing was detected and CHAR does not decide.
    Default,
    /// The caller.
    Forced,
    /// The content, because CHAR is missing, unknown, impossible, or names a single-byte encoding that fits fewer
    /// bytes than another encoding does (only if [`OctetRules::content`] allows it).
    ///
    /// [`OctetRules::content`]: elf_base::rules::OctetRules::content
    Content,
}

impl DetectedBy {
    /// Returns the name in JSON: `byte-order-mark`, `first-octets`, `external`.
    pub const fn name(self) -> &'static str {
        match self {
            DetectedBy::ByteOrderMark => "byte-order-mark",
            DetectedBy::FirstOctets => "first-octets",
            DetectedBy::External => "external",
        }
    }
}

impl EncodingReason {
    /// Returns the name in JSON: `detected`, `specified`, `default`, `forced`, `content`.
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
