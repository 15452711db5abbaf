//! Paths: how a person names a structure.

use std::fmt;
use std::str::FromStr;

/// The way to a structure: from a record down, a step for each level.
///
/// ```text
/// Path   ::= Step ("/" Step)*
/// Step   ::= (XRef | (XRef S)? Tag | Type) ("[" Number "]")?
/// XRef   ::= "@" [^@]+ "@"
/// Type   ::= [^/\[]* ":" [^/\[]*
/// Number ::= [1-9] [0-9]*
/// ```
///
/// A tag stands for the structures of that tag, a type for those of that type or a subtype, an identifier for those
/// that bear it: anywhere in the file as a first step, else among the substructures. `[N]` picks the N-th of them;
/// without it the first is meant. An identifier before a tag, as on a line, is for structures yet to be made.
///
/// ```
/// use elf_tagged::edit::{Path, Selector};
///
/// let path: Path = "@I1@/NAME[2]/GIVN".parse()?;
/// assert_eq!(path.steps().len(), 3);
/// assert_eq!(path.steps()[1].selector, Selector::Tag("NAME".into()));
/// assert_eq!(path.steps()[1].number, Some(2));
/// assert_eq!(path.to_string(), "@I1@/NAME[2]/GIVN");
/// # Ok::<(), elf_tagged::edit::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    steps: Vec<Step>,
}

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Step {
    /// Which structures are meant.
    pub selector: Selector,
    /// Which of them, from 1; `None` for the first.
    pub number: Option<u32>,
}

/// What a [`Step`] goes by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Selector {
    /// The tag.
    Tag(Box<str>),
    /// The type, such as `elf:BIRTH`: as written, with its prefix.
    Type(Box<str>),
    /// The cross-reference identifier, without at signs.
    Xref(Box<str>),
    /// The identifier, without at signs, and the tag.
    Labelled(Box<str>, Box<str>),
}

/// Why a text is no path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// No step stands where one should.
    #[error("expected a tag, a type or an identifier in the path `{0}`, but found none")]
    StepMissing(String),
    /// An identifier has no second at sign, or nothing between the two.
    #[error("expected an identifier between two at signs, but found `{0}`")]
    Xref(String),
    /// What is no tag, and no type either.
    #[error("expected a tag, a type or an identifier, but found `{0}`")]
    Tag(String),
    /// What stands in brackets is no number from 1 on.
    #[error("expected a number from 1 on in brackets, but found `{0}`")]
    Number(String),
    /// There is no equals sign between a path and what it is to have.
    #[error("expected an equals sign behind the path, but found none in `{0}`")]
    Assignment(String),
}

impl Path {
    /// The steps, the record's first; there is at least one.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Splits `PATH=VALUE` at the first equals sign that does not stand between at signs.
    ///
    /// # Errors
    ///
    /// [`PathError::Assignment`] where there is none.
    ///
    /// ```
    /// use elf_tagged::edit::Path;
    /// assert_eq!(Path::split("@a=b@/NOTE=c=d")?, ("@a=b@/NOTE", "c=d"));
    /// # Ok::<(), elf_tagged::edit::PathError>(())
    /// ```
    pub fn split(argument: &str) -> Result<(&str, &str), PathError> {
        let end = end_outside(argument, '=');
        match argument.get(end..).and_then(|rest| rest.strip_prefix('=')) {
            Some(value) => Ok((argument.get(..end).unwrap_or_default(), value)),
            None => Err(PathError::Assignment(argument.to_owned())),
        }
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Path, PathError> {
        let mut steps = Vec::new();
        let mut rest = Some(text);
        while let Some(from) = rest {
            let end = end_outside(from, '/');
            let step = from.get(..end).unwrap_or_default();
            if step.is_empty() {
                return Err(PathError::StepMissing(text.to_owned()));
            }
            steps.push(step.parse()?);
            rest = from.get(end + 1..);
        }
        Ok(Path { steps })
    }
}

impl FromStr for Step {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Step, PathError> {
        let (name, number) = match text.get(end_outside(text, '[')..) {
            Some(brackets) if !brackets.is_empty() => {
                let number = brackets.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
                let number = number.filter(|number| number.bytes().all(|octet| octet.is_ascii_digit()));
                let number = number.and_then(|number| number.parse().ok()).filter(|&number: &u32| number > 0);
                let number = number.ok_or_else(|| PathError::Number(brackets.to_owned()))?;
                (text.get(..text.len() - brackets.len()).unwrap_or_default(), Some(number))
            }
            _ => (text, None),
        };
        Ok(Step { selector: name.parse()?, number })
    }
}

impl FromStr for Selector {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Selector, PathError> {
        if let Some(rest) = text.strip_prefix('@') {
            let (xref, rest) = rest.split_once('@').ok_or_else(|| PathError::Xref(text.to_owned()))?;
            if xref.is_empty() {
                return Err(PathError::Xref(text.to_owned()));
            }
            let tag = rest.trim_start_matches([' ', '\t']);
            return match tag {
                "" if rest.is_empty() => Ok(Selector::Xref(xref.into())),
                tag if tag.len() < rest.len() && elf_lines::is_tag(tag) => {
                    Ok(Selector::Labelled(xref.into(), tag.into()))
                }
                _ => Err(PathError::Tag(text.to_owned())),
            };
        }
        match text {
            tag if elf_lines::is_tag(tag) => Ok(Selector::Tag(tag.into())),
            name if name.contains(':') => Ok(Selector::Type(name.into())),
            _ => Err(PathError::Tag(text.to_owned())),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            step.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.selector.fmt(f)?;
        match self.number {
            Some(number) => write!(f, "[{number}]"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::Tag(name) | Selector::Type(name) => f.write_str(name),
            Selector::Xref(xref) => write!(f, "@{xref}@"),
            Selector::Labelled(xref, tag) => write!(f, "@{xref}@ {tag}"),
        }
    }
}

/// Where `wanted` first stands outside at signs; the end where it does not.
fn end_outside(text: &str, wanted: char) -> usize {
    let mut inside = false;
    let mut found = text.char_indices().filter(|&(_, c)| {
        inside ^= c == '@';
        !inside && c == wanted
    });
    found.next().map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_printed_as_they_are_read() {
        for text in ["HEAD", "@I 1/2@/NAME[12]/_X", "elf:INDIVIDUAL/elf:BIRTH[2]", "@N1@ NOTE", "@a=[@[3]"] {
            let path: Path = text.parse().unwrap();
            assert_eq!(path.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in [
            "", "/", "A/", "/A", "A//B", "@I1", "@@", "@I1@x", "@I1@ ", "NA-ME", "A[0]", "A[]", "A[1",
            "A[1]B",
        ] {
            assert!(text.parse::<Path>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_assignment_needs_an_equals_sign_outside_at_signs() {
        assert_eq!(Path::split("A=").unwrap(), ("A", ""));
        assert_eq!(Path::split("@x@=@y@").unwrap(), ("@x@", "@y@"));
        assert!(Path::split("A").is_err());
        assert!(Path::split("@A=b").is_err());
    }
}
