//! Parsing of drafts, rules and codes by name.

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
/// assert_eq!("WILD".parse::<Rules>(), Ok(Rules::WILD)); // in any case, as all of them
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
    /// Creates the error. Its message lists the names in `expected`.
    pub fn among<'n>(expected: impl IntoIterator<Item = &'n str>, found: &str) -> UnknownName {
        UnknownName::from_list(expected.into_iter().collect(), found)
    }

    /// Lists the names. A separate function, because inlining this code where the names are constants made compiling
    /// half a minute slower.
    #[inline(never)]
    fn from_list(mut names: Vec<&str>, found: &str) -> UnknownName {
        let last = names.pop().unwrap_or_default();
        let expected = match names.is_empty() {
            true => last.to_owned(),
            false => format!("{} or {last}", names.join(", ")),
        };
        UnknownName { expected: expected.into(), found: found.into() }
    }

    /// Returns the unknown name.
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

/// Finds a preset by its name like [`Rules::from_name`].
impl FromStr for Rules {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Rules, UnknownName> {
        Rules::from_name(name)
            .copied()
            .ok_or_else(|| UnknownName::among(Rules::PRESETS.map(|rules| rules.name), name))
    }
}

/// Finds a draft by its name like [`Draft::from_name`].
impl FromStr for Draft {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Draft, UnknownName> {
        Draft::from_name(name).ok_or_else(|| UnknownName::among(Draft::ALL.map(Draft::name), name))
    }
}

/// Finds a code by its name like [`Code::from_name`].
impl FromStr for Code {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Code, UnknownName> {
        Code::from_name(name)
            .ok_or_else(|| UnknownName::among(["a code such as E0203 or level-too-deep"], name))
    }
}
