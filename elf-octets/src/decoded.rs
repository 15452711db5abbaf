//! Decoded text, and the side table of the octets that would not decode.

use crate::survey::Survey;
use elf_base::Span;
use std::borrow::Cow;
use std::ops::Range;

/// Text decoded from octets, with the irregular octets.
#[derive(Debug)]
#[non_exhaustive]
pub struct Decoded<'o> {
    /// The text: borrowed where the octets are valid UTF-8, read as such.
    pub text: Cow<'o, str>,
    /// Octets that do not correspond to text in the regular way of the encoding, in the order of the text.
    pub irregular: Vec<Irregular>,
    /// True if all octets were decoded. If not, the last entry of `irregular` is the one that ended the
    /// decoding.
    pub complete: bool,
}

/// Octets that do not correspond to text in the regular way of their encoding.
///
/// This side table keeps the octets that could not be decoded: the text has U+FFFD there, and the table says for
/// which octets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Irregular {
    /// The text decoded from them. It is empty if they only contribute to other text, or if they ended the decoding.
    pub text: Span,
    /// The octets, from 0 at the start of the file.
    pub octets: Range<u64>,
    /// Why the octets are irregular.
    pub kind: Irregularity,
}

/// Why octets are irregular.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Irregularity {
    /// Octets without a meaning in the encoding. The text is U+FFFD or, under rules that repair such faults, the
    /// windows-1252 character of a single octet in UTF-8.
    Undecodable,
    /// Two surrogates in UTF-8, as CESU-8 has them. The text is the character they make.
    Surrogates,
    /// A C1 control. The text is the character that Windows has there.
    Control,
    /// The first octets of a character that CONC cuts in two, or marks of ANSEL that it cuts from their
    /// letter. The text is the whole character, with its marks.
    CutHead,
    /// The last octets of a character that CONC cuts in two. They have no text.
    CutTail,
    /// Marks of ANSEL without a letter. The text is the marks.
    Dangling,
    /// Two octets that Personal Ancestral File wrote in ANSEL for a character that ANSEL lacks. The text is the
    /// character.
    Pair,
}

/// Decoded text, with a survey of its characters.
pub(crate) struct DecodedText<'o> {
    pub(crate) decoded: Decoded<'o>,
    pub(crate) survey: Survey,
}
