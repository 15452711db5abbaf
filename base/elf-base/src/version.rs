//! Version numbers (D19 *Version numbers*).

use std::cmp::Ordering;
use std::fmt;

/// A version number: `major.minor` or `major.minor.revision`. The three numbers can be of any size. Leading zeros are
/// ignored, and a missing revision is 0.
///
/// ```text
/// Version ::= Integer "." Integer ("." Integer)?      Integer ::= [0-9]+
/// ```
///
/// ```
/// use elf_base::Version;
/// assert_eq!(Version::parse("5.05"), Version::parse("5.5.0"));
/// assert_eq!(Version::parse("5.5.1 EL"), None);
/// assert!(Version::parse("1.0") < Version::parse("1.0.1"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Version {
    // The parts are stored as digits without leading zeros, so that no number is too large.
    parts: [Box<str>; 3],
}

impl Version {
    /// Parses a version number.
    pub fn parse(text: &str) -> Option<Version> {
        let mut parts = text.split('.');
        let version = Version {
            parts: [
                parse_integer(parts.next()?)?,
                parse_integer(parts.next()?)?,
                parse_integer(parts.next().unwrap_or("0"))?,
            ],
        };
        parts.next().is_none().then_some(version)
    }

    /// Creates a version from three numbers.
    pub fn new(major: u32, minor: u32, revision: u32) -> Version {
        Version { parts: [major, minor, revision].map(|part| part.to_string().into_boxed_str()) }
    }

    /// Returns the decimal digits of the major version, without leading zeros.
    pub fn major(&self) -> &str {
        &self.parts[0]
    }

    /// Returns whether this is a version of GEDCOM 7.
    pub fn is_gedcom_7(&self) -> bool {
        self.major() == "7"
    }

    /// Returns whether a version in a file means GEDCOM 7. Versions 7.x mean GEDCOM 7, and so does `7`, which is not a
    /// valid version number.
    ///
    /// ```
    /// use elf_base::Version;
    /// assert!(Version::says_gedcom_7("7.0.14") && Version::says_gedcom_7("7"));
    /// assert!(!Version::says_gedcom_7("5.5.1") && !Version::says_gedcom_7("70"));
    /// ```
    pub fn says_gedcom_7(text: &str) -> bool {
        parse_integer(text).as_deref() == Some("7")
            || Version::parse(text).is_some_and(|version| version.is_gedcom_7())
    }

    /// Returns whether a version in a file means the draft of GEDCOM 7.1.
    pub fn says_gedcom_7_1(text: &str) -> bool {
        Version::parse(text).is_some_and(|version| version.is_gedcom_7() && version.minor() == "1")
    }

    /// Returns the decimal digits of the minor version.
    pub fn minor(&self) -> &str {
        &self.parts[1]
    }

    /// Returns the decimal digits of the revision. Returns `0` if the version has no revision.
    pub fn revision(&self) -> &str {
        &self.parts[2]
    }
}

fn parse_integer(text: &str) -> Option<Box<str>> {
    if text.is_empty() || !text.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits = text.trim_start_matches('0');
    Some(if digits.is_empty() { "0" } else { digits }.into())
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.parts[0], self.parts[1], self.parts[2])
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        let key = |part: &str| (part.len(), part.to_owned());
        self.parts.each_ref().map(|part| key(part)).cmp(&other.parts.each_ref().map(|part| key(part)))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
