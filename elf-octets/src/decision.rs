//! The decision on the encoding of a file, with its evidence.

use crate::Encoding;
use elf_base::{Place, Rules};

/// What the caller already knows about the encoding, or demands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The encoding that the transport states, such as the charset of HTTP. Before December 2019, it overrides a
    /// byte-order mark (J19 §7.2.1). December 2019 does not mention it; here it is used if the bytes do not show the
    /// encoding.
    pub external: Option<Encoding>,
    /// The encoding to read in, whatever the file says.
    pub forced: Option<Encoding>,
}

impl Options {
    /// Sets the encoding that came with the octets from outside.
    #[must_use]
    pub const fn with_external(mut self, encoding: Option<Encoding>) -> Options {
        self.external = encoding;
        self
    }

    /// Sets the encoding that overrides the file.
    #[must_use]
    pub const fn with_forced(mut self, encoding: Option<Encoding>) -> Options {
        self.forced = encoding;
        self
    }
}

/// The encoding in which a file is read, with the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The detected encoding: shown by a byte-order mark or by the first octets, or given from outside.
    pub detected: Option<Encoding>,
    /// The evidence that showed the detected encoding.
    pub detected_by: Option<DetectedBy>,
    /// The payload of CHAR as it is in the file; under December 2019 rules, in upper case and with normalised
    /// whitespace. The name may be unknown.
    pub specified: Option<Box<str>>,
    /// The place of CHAR in the file.
    pub specified_at: Option<Place>,
    /// The payload of `2 VERS` under CHAR, if CHAR has a non-standard name.
    pub version: Option<Box<str>>,
    /// The encoding the text was decoded in.
    pub used: Encoding,
    /// The evidence that decided the encoding.
    pub because: EncodingReason,
    /// Other encodings that fit the bytes about as well, the likeliest first. Empty if the evidence is strong or if
    /// everything read so far is ASCII.
    pub rivals: Vec<Encoding>,
    /// True if the file starts with a byte-order mark.
    pub mark: bool,
    /// The observations and conclusions, one sentence each, in the order in which they were made: the evidence that
    /// `elf info` shows. The sentences may contain characters from the file.
    pub evidence: Vec<String>,
    /// True if a lone line feed may be part of a payload: the rules [allow it](elf_base::rules::LoneFeeds), and at
    /// least four fifths of the line breaks are CR LF. Only the first [`BREAKS_LIMIT`](crate::BREAKS_LIMIT) bytes are
    /// counted, so that a file reads the same in one run and in several.
    pub feeds_break_payloads: bool,
    /// The rules that the file is read with: those of the caller, or [`Rules::GEDCOM_7`] if the caller's rules
    /// [follow](elf_base::rules::Gedcom70Header::Heed) the version in the header.
    pub rules: Rules,
}

/// The evidence that showed the detected encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DetectedBy {
    /// A byte-order mark.
    ByteOrderMark,
    /// The first two octets: one ASCII character in UTF-16 (before December 2019, the digit zero).
    FirstOctets,
    /// The caller.
    External,
}

/// The evidence that decided the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodingReason {
    /// The detected encoding.
    Detected,
    /// CHAR.
    Specified,
    /// Neither detection nor CHAR: the encoding is the default of the rules.
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
    /// The name in machine formats: `byte-order-mark`, `first-octets`, `external`.
    pub const fn name(self) -> &'static str {
        match self {
            DetectedBy::ByteOrderMark => "byte-order-mark",
            DetectedBy::FirstOctets => "first-octets",
            DetectedBy::External => "external",
        }
    }
}

impl EncodingReason {
    /// The name in machine formats: `detected`, `specified`, `default`, `forced`, `content`.
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
