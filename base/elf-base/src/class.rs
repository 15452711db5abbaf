//! The severity of findings.

use std::fmt;

/// The severity of a finding under a draft.
///
/// The classes are ordered from the mildest to the most severe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// No rule is violated, but a fact about people is implausible.
    Question,
    /// The file conforms to the draft, but the draft or experience recommends something else.
    Advice,
    /// The file conforms to the draft, but the draft says that a later version may not allow this.
    Deprecated,
    /// The file does not conform to the draft, but reading continues (D19 *Errors in structures*).
    NonConformant,
    /// The file does not conform to the draft. Under the rules of December 2019, reading stops here (D19 *Parsing
    /// lines*).
    Malformed,
}

impl Class {
    /// All classes, with the most severe one first.
    pub const ALL: [Class; 5] =
        [Class::Malformed, Class::NonConformant, Class::Deprecated, Class::Advice, Class::Question];

    /// Returns the name of the class in JSON: `malformed`, `non-conformant`, `deprecated`, `advice`, `question`.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Question => "question",
            Class::Advice => "advice",
            Class::Deprecated => "deprecated",
            Class::NonConformant => "non-conformant",
            Class::Malformed => "malformed",
        }
    }

    /// Returns whether a finding of this class makes the file non-conformant. Only malformed and non-conformant
    /// findings do.
    pub const fn is_error(self) -> bool {
        matches!(self, Class::NonConformant | Class::Malformed)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
