//! Decoded text, and the list of bytes that could not be decoded.

use crate::survey::Survey;
use elf_base::Span;
use std::borrow::Cow;
use std::ops::Range;

/// Text that was decoded from bytes, with a list of the bytes that were not decoded in the regular way.
#[derive(Debug)]
#[non_exhaustive]
pub struct Decoded<'o> {
    /// The decoded text. The decoded text is borrowed if the bytes are valid UTF-8 and were read as UTF-8.
    pub text: Cow<'o, str>,
    /// The bytes that are not decoded in the regular way, in the order of the text.
    pub irregular: Vec<Irregular>,
    /// Whether all bytes were decoded. If false, decoding stopped at the last entry of `irregular`.
    pub complete: bool,
}

/// Bytes that could not be decoded, or that were decoded in a way that the encoding does not define.
///
/// With this list, no information is lost, although the text has only U+FFFD for some of these bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Irregular {
    /// The text that was decoded from the bytes. The span is empty if the bytes only contribute to other text, or if
    /// decoding stopped at them.
    pub text: Span,
    /// The range of the bytes, counted from 0 at the start of the file.
    pub octets: Range<u64>,
    /// The reason why the bytes are irregular.
    pub kind: Irregularity,
}

/// The reason why bytes are irregular.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Irregularity {
    /// Bytes without a meaning in the encoding. Such bytes are decoded as U+FFFD. Under rules that recover from such
    /// errors, a single byte in UTF-8 is decoded as the character that windows-1252 has for this byte.
    Undecodable,
    /// Two surrogates in UTF-8, as in CESU-8. The two surrogates are decoded as the character that they encode
    /// together.
    Surrogates,
    /// A C1 control character, which is decoded as the character of windows-1252 with the same byte.
    Control,
    /// The first bytes of a character that CONC splits, or combining marks of ANSEL that CONC separates from their
    /// letter. These bytes are decoded as the whole character, including its marks.
    CutHead,
    /// The last bytes of a character that CONC splits. The last bytes are decoded as an empty text.
    CutTail,
    /// Combining marks of ANSEL without a letter. Such marks are decoded as the marks themselves.
    Dangling,
    /// Two bytes that Personal Ancestral File wrote in ANSEL files for a character that ANSEL does not have. The two
    /// bytes are decoded as this character.
    Pair,
}

/// Decoded text, with a summary of the uncommon characters in it.
pub(crate) struct DecodedText<'o> {
    pub(crate) decoded: Decoded<'o>,
    pub(crate) survey: Survey,
}
