//! The error that parsing a payload returns.

use elf_base::{Excerpt, Span};
use std::fmt;

/// The reason why a payload does not match a grammar: the first place that does not fit.
///
/// ```
/// let malformed = elf_values::DateValue::parse("1 Jan 1900").unwrap_err();
/// assert_eq!(malformed.to_string(), "expected a month such as `JAN`, but found `Jan`");
/// assert_eq!((malformed.span.start, malformed.span.end), (2, 5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Malformed {
    /// The part of the payload that does not fit. The part is a word, or empty if the payload ends too early.
    pub span: Span,
    /// What was expected, as a noun phrase.
    pub expected: &'static str,
    /// The text of [`Malformed::span`], [shortened for a message](Excerpt::short).
    pub found: Box<str>,
}

impl Malformed {
    pub(crate) fn new(text: &str, span: Span, expected: &'static str) -> Malformed {
        Malformed { span, expected, found: Excerpt::short(span.of(text)).into() }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = self.expected;
        match &*self.found {
            "" => write!(f, "expected {expected}, but the payload ends"),
            found => write!(f, "expected {expected}, but found `{found}`"),
        }
    }
}

impl std::error::Error for Malformed {}
