//! How grave a finding is.

use std::fmt;

/// How grave a draft considers a finding of a [`Code`](crate::Code).
///
/// Ordered from the mildest to the gravest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// No rule of a draft is violated, but the file says something about people that is hardly true.
    Question,
    /// Conformant, but the draft (or experience) advises otherwise.
    Advice,
    /// Conformant now; the draft says it may be removed later.
    Deprecated,
    /// Not conformant: the reader warns and goes on (D19 *Errors in structures*).
    NonConformant,
    /// Not conformant, and reading ends here under December 2019 rules (D19 *Parsing lines*).
    Malformed,
}

impl Class {
    /// All classes, the gravest first.
    pub const ALL: [Class; 5] =
        [Class::Malformed, Class::NonConformant, Class::Deprecated, Class::Advice, Class::Question];

    /// The name in machine formats: `malformed`, `non-conformant`, `deprecated`, `advice`, `question`.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Question => "question",
            Class::Advice => "advice",
            Class::Deprecated => "deprecated",
            Class::NonConformant => "non-conformant",
            Class::Malformed => "malformed",
        }
    }

    /// Returns whether a file with a finding of this class is a non-conformant source: malformed or
    /// non-conformant.
    pub const fn is_error(self) -> bool {
        matches!(self, Class::NonConformant | Class::Malformed)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
