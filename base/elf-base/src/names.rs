//! Functions that find drafts, rules and codes by their names.

use crate::{Code, Draft, Rules};
use std::fmt;
use std::str::FromStr;

/// The error for an unknown name of rules, a draft, a code or an encoding.
///
/// ```
/// use elf_base::{Code, Draft, Rules, codes};
///
/// assert_eq!("wild".parse::<Rules>(), Ok(Rules::WILD));
/// assert_eq!("2019-12".parse::<Draft>(), Ok(Draft::December2019));
/// assert_eq!("E0203".parse::<Code>(), Ok(codes::LEVEL_TOO_DEEP));
/// assert_eq!("WILD".parse::<Rules>(), Ok(Rules::WILD)); // Case is ignored in all names.
/// let error = "5.5.1".parse::<Rules>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "expected wild, 2019-12, 2019-01, declarative, 2017-10, 2017-07, gedcom-7 or gedcom-5.5.1, but found `5.5.1`"
/// );
/// assert_eq!(error.found(), "5.5.1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    expected: Box<str>,
    found: Box<str>,
}

impl UnknownName {
    /// Creates the error. The message of the error lists the names in `expected`.
    pub fn among<'n>(expected: impl IntoIterator<Item = &'n str>, found: &str) -> UnknownName {
        UnknownName::from_list(expected.into_iter().collect(), found)
    }

    /// Creates the error from the names. This is a separate function because compiling became half a minute slower when
    /// its code was inlined where the names are constants.
    #[inline(never)]
    fn from_list(mut names: Vec<&str>, found: &str) -> UnknownName {
        let last = names.pop().unwrap_or_default();
        let expected = match names.is_empty() {
            true => last.to_owned(),
            false => format!("{} or {last}", names.join(", ")),
        };
        UnknownName { expected: expected.into(), found: found.into() }
    }

    /// Returns the name that was not found.
    pub fn found(&self) -> &str {
        &self.found
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, but found `{}`", self.expected, self.found)
    }
}

impl std::error::Error for UnknownName {}

/// Finds a preset by its name, as [`Rules::from_name`] does.
impl FromStr for Rules {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Rules, UnknownName> {
        Rules::from_name(name)
            .copied()
            .ok_or_else(|| UnknownName::among(Rules::PRESETS.map(|rules| rules.name), name))
    }
}

/// Finds a draft by its name, as [`Draft::from_name`] does.
impl FromStr for Draft {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Draft, UnknownName> {
        Draft::from_name(name).ok_or_else(|| UnknownName::among(Draft::ALL.map(Draft::name), name))
    }
}

/// Finds a code by its name, as [`Code::from_name`] does.
impl FromStr for Code {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Code, UnknownName> {
        Code::from_name(name)
            .ok_or_else(|| UnknownName::among(["a code such as E0203 or level-too-deep"], name))
    }
}
