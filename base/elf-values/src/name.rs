//! Personal names, which have the surname between solidi (ELF Data Model *Personal name format*).
//!
//! ```text
//! Name    ::= Text ( "/" Text "/" Text )?
//! Text    ::= [^/]*
//! ```

use crate::problem::Malformed;
use crate::scan::{into_owned_text, is_space, span};
use std::borrow::Cow;
use std::fmt;

/// A personal name as it is spoken, with two solidi around the surname.
///
/// ```
/// use elf_values::PersonalName;
///
/// let name = PersonalName::parse("Johan  /van der Berg/ Jr.")?;
/// assert_eq!((name.before(), name.surname(), name.after()), ("Johan", Some("van der Berg"), "Jr."));
/// assert_eq!(name.to_string(), "Johan van der Berg Jr.");
/// assert_eq!(PersonalName::parse("Madonna")?.surname(), None);
/// assert!(PersonalName::parse("John /Smith").is_err());
/// # Ok::<(), elf_values::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PersonalName<'t> {
    before: Cow<'t, str>,
    surname: Option<Cow<'t, str>>,
    after: Cow<'t, str>,
}

impl<'t> PersonalName<'t> {
    /// Parses a payload. Removes whitespace at the ends of its parts.
    ///
    /// # Errors
    ///
    /// Returns [`Malformed`] with the end of the payload if the second solidus is missing, or with the third solidus.
    pub fn parse(text: &'t str) -> Result<PersonalName<'t>, Malformed> {
        let trimmed = |part: &'t str| Cow::Borrowed(part.trim_matches(is_space));
        let Some((before, rest)) = text.split_once('/') else {
            return Ok(PersonalName { before: trimmed(text), surname: None, after: Cow::Borrowed("") });
        };
        let Some((surname, after)) = rest.split_once('/') else {
            let end = text.len();
            return Err(Malformed::new(text, span(end, end), "a second `/` after the surname"));
        };
        if let Some(at) = after.find('/') {
            let at = text.len() - after.len() + at;
            return Err(Malformed::new(text, span(at, at + 1), "no `/` after the surname"));
        }
        Ok(PersonalName { before: trimmed(before), surname: Some(trimmed(surname)), after: trimmed(after) })
    }

    /// Copies the text, so that the result borrows nothing.
    pub fn into_owned(self) -> PersonalName<'static> {
        let PersonalName { before, surname, after } = self;
        PersonalName {
            before: into_owned_text(before),
            surname: surname.map(into_owned_text),
            after: into_owned_text(after),
        }
    }

    /// Returns the text before the surname, usually the given names. Returns the whole name if it has no solidi.
    pub fn before(&self) -> &str {
        &self.before
    }

    /// Returns the text between the solidi, which is empty if the surname is unknown. Returns `None` if the name has no
    /// solidi.
    pub fn surname(&self) -> Option<&str> {
        self.surname.as_deref()
    }

    /// Returns the text after the surname.
    pub fn after(&self) -> &str {
        &self.after
    }
}

impl fmt::Display for PersonalName<'_> {
    /// Writes the name as it is spoken: without solidi, with single spaces between the parts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [self.before(), self.surname().unwrap_or_default(), self.after()];
        let mut separator = "";
        for part in parts.into_iter().flat_map(|part| part.split(is_space)).filter(|part| !part.is_empty()) {
            write!(f, "{separator}{part}")?;
            separator = " ";
        }
        Ok(())
    }
}
