//! The severity of findings.

use std::fmt;

/// The severity of a finding under a draft.
///
/// Ordered from the mildest to the gravest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// No rule is violated, but a fact about people is implausible.
    Question,
    /// Conformant, but the draft or experience recommends something else.
    Advice,
    /// Conformant now, but the draft says that it may be removed later.
    Deprecated,
    /// Not conformant; reading continues (D19 *Errors in structures*).
    NonConformant,
    /// Not conformant; under December 2019 rules, reading stops here (D19 *Parsing lines*).
    Malformed,
}

impl Class {
    /// All classes, the most severe first.
    pub const ALL: [Class; 5] =
        [Class::Malformed, Class::NonConformant, Class::Deprecated, Class::Advice, Class::Question];

    /// Returns the name in JSON: `malformed`, `non-conformant`, `deprecated`, `advice`, `question`.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Question => "question",
            Class::Advice => "advice",
            Class::Deprecated => "deprecated",
            Class::NonConformant => "non-conformant",
            Class::Malformed => "malformed",
        }
    }

    /// Returns whether a finding of this class makes the file non-conformant: malformed or non-conformant.
    pub const fn is_error(self) -> bool {
        matches!(self, Class::NonConformant | Class::Malformed)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
