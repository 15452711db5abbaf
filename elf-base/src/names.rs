//! Drafts, rules and codes by name.

use crate::{Code, Draft, Rules};
use std::fmt;
use std::str::FromStr;

/// The error of parsing the name of something that has a fixed set of names: rules, a draft, a code, an
/// encoding.
///
/// ```
/// use elf_base::{Code, Draft, Rules, codes};
///
/// assert_eq!("wild".parse::<Rules>(), Ok(Rules::WILD));
/// assert_eq!("2019-12".parse::<Draft>(), Ok(Draft::December2019));
/// assert_eq!("E0203".parse::<Code>(), Ok(codes::LEVEL_TOO_DEEP));
/// let error = "5.5.1".parse::<Rules>().unwrap_err();
/// assert_eq!(error.to_string(), "expected the name of rules, but found `5.5.1`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    expected: &'static str,
    found: Box<str>,
}

impl UnknownName {
    /// Makes the error of a name that is none of `expected`, such as `rules` or `an encoding`.
    pub fn new(expected: &'static str, found: &str) -> UnknownName {
        UnknownName { expected, found: found.into() }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected the name of {}, but found `{}`", self.expected, self.found)
    }
}

impl std::error::Error for UnknownName {}

/// Finds a preset, as [`Rules::from_name`] does.
impl FromStr for Rules {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Rules, UnknownName> {
        Rules::from_name(name).copied().ok_or_else(|| UnknownName::new("rules", name))
    }
}

/// Finds a draft, as [`Draft::from_name`] does.
impl FromStr for Draft {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Draft, UnknownName> {
        Draft::from_name(name).ok_or_else(|| UnknownName::new("a draft", name))
    }
}

/// Finds a code, as [`Code::from_name`] does.
impl FromStr for Code {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Code, UnknownName> {
        Code::from_name(name).ok_or_else(|| UnknownName::new("a code", name))
    }
}
