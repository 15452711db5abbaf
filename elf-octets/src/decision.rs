//! The decision on the encoding of a file, with its evidence.

use crate::Encoding;
use elf_base::{Place, Rules};

/// The encodings that the caller of a reader knows or demands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The encoding that came with the octets from outside, such as the charset of HTTP. Before December 2019
    /// it is the detected encoding, ahead of any byte-order mark (J19 §7.2.1); December 2019 says nothing of
    /// it, and here it is the detected encoding where the octets show none.
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
    /// The payload of CHAR: upper-cased and with its whitespace normalised under December 2019 rules, as it
    /// stands in the file before. The name may be unknown.
    pub specified: Option<Box<str>>,
    /// The place of CHAR in the file.
    pub specified_at: Option<Place>,
    /// The payload of `2 VERS` under CHAR, where the name in CHAR is not one of the standard's.
    pub version: Option<Box<str>>,
    /// The encoding the text was decoded in.
    pub used: Encoding,
    /// The evidence that decided the encoding.
    pub because: EncodingReason,
    /// The other encodings in which the octets read about as well as in the one that is used, the likeliest
    /// first: empty where the evidence is strong, and where nothing but ASCII has been read.
    pub rivals: Vec<Encoding>,
    /// True if the file starts with a byte-order mark.
    pub mark: bool,
    /// The observations and conclusions in the order in which they were made: a sentence each, for `elf
    /// info`. Strings may hold characters from the file.
    pub evidence: Vec<String>,
    /// True if line feeds alone may be part of payloads: the rules [let them](elf_base::rules::LoneFeeds), and at
    /// least four fifths of the line breaks are CR LF. The first [`BREAKS_LIMIT`](crate::BREAKS_LIMIT) octets are
    /// counted, so that a file reads the same in one run and in several.
    pub feeds_break_payloads: bool,
    /// The rules by which the file is read: those that were asked for, but [`Rules::GEDCOM_7`] where they
    /// [heed](elf_base::rules::Gedcom7::Heed) what the header says.
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
    /// The octets, because CHAR is missing, unknown or impossible, or names an encoding of single octets that
    /// makes sense of fewer of them than another one (only where [`OctetRules::content`] allows).
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
