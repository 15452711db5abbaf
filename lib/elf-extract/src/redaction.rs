//! Redaction: which people are hidden, and what replaces them.

use crate::branch::find_person;
use crate::error::PlanError;
use elf_lineage::{Lineage, LivingRule};

/// Which people to hide, and how. By default, people who may be living are hidden.
///
/// A redaction is a filter, not a guarantee. It does not hide people who are living although the
/// file says otherwise. It does not hide texts about living people that do not contain their names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redaction {
    /// The rule for whether a person may be living.
    pub rule: LivingRule,
    /// What replaces a person.
    pub replacement: Replacement,
    /// The identifiers, without at signs, of people who are never hidden by the rule. People whose
    /// records may be about someone else are hidden anyway.
    pub keep: Vec<String>,
    /// True if what an ordinary redaction keeps and reports is hidden too: texts and identifiers that contain the name
    /// of a hidden person, and records that may be about someone else. For programs that show people a part of a file
    /// and cannot ask anybody to check it first. Records with an unresolved pointer are kept and reported.
    pub strict: bool,
}

/// The name of hidden people in placeholders.
pub const PRIVATE: &str = "Private";

/// What replaces a hidden person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Replacement {
    /// A record with the name `Private`, the sex and the links to families.
    #[default]
    Placeholder,
    /// Nothing: the record and all links to it are removed.
    Nothing,
    /// A placeholder with the first NAME, including the surname.
    Name,
    /// A placeholder with the initials of the first NAME.
    Initials,
}

impl Replacement {
    /// All replacements.
    pub const ALL: [Replacement; 4] =
        [Replacement::Placeholder, Replacement::Nothing, Replacement::Name, Replacement::Initials];

    /// Returns the name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Replacement::Placeholder => "placeholder",
            Replacement::Nothing => "drop",
            Replacement::Name => "name-only",
            Replacement::Initials => "initials",
        }
    }

    /// Returns a description in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Replacement::Placeholder => "A record named `Private`, with the sex and the links to families",
            Replacement::Nothing => "Nothing: the record and the links to it are removed",
            Replacement::Name => {
                "A record with its first NAME (including the surname), sex and links to families"
            }
            Replacement::Initials => "A record with its initials, sex and links to families",
        }
    }

    /// Returns the text that replaces `name`. `None` if the name stays.
    pub(crate) fn name_for(self, name: &str) -> Option<String> {
        match self {
            Replacement::Placeholder | Replacement::Nothing => Some(PRIVATE.to_owned()),
            Replacement::Name => None,
            Replacement::Initials => Some(initials_of(name)),
        }
    }
}

impl Redaction {
    /// Creates a redaction that replaces people who may be living under `rule` by placeholders.
    pub const fn by(rule: LivingRule) -> Redaction {
        Redaction { rule, replacement: Replacement::Placeholder, keep: Vec::new(), strict: false }
    }

    /// Sets what replaces a person.
    #[must_use]
    pub const fn with_replacement(mut self, replacement: Replacement) -> Redaction {
        self.replacement = replacement;
        self
    }

    /// Sets the people who are not hidden, by their identifiers without at signs.
    #[must_use]
    pub fn with_keep(mut self, identifiers: impl IntoIterator<Item = impl Into<String>>) -> Redaction {
        self.keep = identifiers.into_iter().map(Into::into).collect();
        self
    }

    /// Sets whether mentions and doubtful records are hidden too.
    #[must_use]
    pub const fn with_strictness(mut self, strict: bool) -> Redaction {
        self.strict = strict;
        self
    }

    /// Returns for each person of the graph whether the redaction hides the person.
    ///
    /// # Errors
    ///
    /// [`PlanError::NoPerson`] if no person has one of the identifiers to keep.
    pub fn hidden_persons(&self, lineage: &Lineage) -> Result<Vec<bool>, PlanError> {
        let mut hidden: Vec<bool> =
            lineage.persons().map(|person| person.may_be_living(&self.rule)).collect();
        for identifier in &self.keep {
            let person = find_person(lineage, identifier)?;
            hidden[person.id().index()] = person.is_unclear();
        }
        Ok(hidden)
    }
}

/// Returns the initials of a name, each followed by a full stop. The slashes around the surname
/// stay.
fn initials_of(name: &str) -> String {
    let mut initials = String::new();
    let mut slashes = 0;
    for word in name.split_whitespace() {
        let mut rest = word;
        if !initials.is_empty() {
            initials.push(' ');
        }
        while let Some(first) = rest.chars().next() {
            if first == '/' {
                slashes += 1;
                // A name has one surname. Further slashes would be read as text.
                if slashes <= 2 {
                    initials.push('/');
                }
                rest = &rest[1..];
                continue;
            }
            if first.is_alphanumeric() {
                initials.extend([first, '.']);
            }
            rest = rest.find('/').map_or("", |slash| &rest[slash..]);
        }
    }
    initials.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_keep_the_slashes() {
        for (name, expected) in [
            ("Ada Augusta /King/", "A. A. /K./"),
            ("/King/ Ada", "/K./ A."),
            ("Ada/King/", "A./K./"),
            ("Mary /van der Berg/ Jr.", "M. /v. d. B./ J."),
            ("(unknown) /?/", " //"),
            ("", ""),
            ("李/明/", "李./明./"),
        ] {
            assert_eq!(initials_of(name), expected.trim(), "{name}");
        }
    }
}
