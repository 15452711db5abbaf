//! Paths, by which users name structures.

mod find;

pub use find::{FindError, PathTree, Types, find, find_under, path_of, structures_at};

use std::error::Error;
use std::fmt;
use std::fmt::Write;
use std::str::FromStr;

/// A path to structures, such as `@I1@/BIRT/DATE`: the record first, then a step for each level.
///
/// ```text
/// Path   ::= Step ("/" Step)*
/// Step   ::= (XRef | (XRef S)? Tag | Type) Value? Which?
/// XRef   ::= "@" [^@]+ "@"
/// Type   ::= [^/\[]* ":" [^/\[]*
/// Value  ::= "[=" ([^\]] | "]]")* "]"
/// Which  ::= "[" (Number | "*") "]"
/// Number ::= [1-9] [0-9]*
/// ```
///
/// A step is a tag, a type (with its subtypes) or an identifier. The first step selects records, and each further step
/// selects substructures. An identifier in the first step may also belong to a substructure.
///
/// `[=VALUE]` selects only the structures with that payload. A VALUE such as `@I1@` is a pointer, and `]` in a VALUE is
/// doubled. `[N]` selects the N-th of the remaining structures, `[*]` all of them. An identifier followed by a tag, as
/// on a line, describes a new structure.
///
/// ```
/// use elf_lines::path::{Path, Selector, Which};
///
/// let path: Path = "@F1@/CHIL[=@I3@]/_ORDER[2]".parse()?;
/// assert_eq!(path.steps().len(), 3);
/// assert_eq!(path.steps()[1].value.as_deref(), Some("@I3@"));
/// assert_eq!(path.steps()[2].selector, Selector::Tag("_ORDER".into()));
/// assert_eq!(path.steps()[2].which, Which::Nth(2));
/// assert_eq!(path.to_string(), "@F1@/CHIL[=@I3@]/_ORDER[2]");
/// # Ok::<(), elf_lines::path::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    steps: Vec<Step>,
}

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Step {
    /// The tag, type or identifier by which the step selects structures.
    pub selector: Selector,
    /// The payload that the structures must have. `None` for any payload.
    pub value: Option<Box<str>>,
    /// Which of the matching structures the step selects.
    pub which: Which,
}

/// Which of the structures that match a [`Step`] the step selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// The only matching structure. If one structure is needed and several match, that is an error.
    Only,
    /// The matching structure with this number, from 1.
    Nth(u32),
    /// All matching structures.
    All,
}

/// How a [`Step`] identifies structures.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Selector {
    /// By the tag.
    Tag(Box<str>),
    /// By the type, such as `elf:BIRTH`, as the user wrote it.
    Type(Box<str>),
    /// By the cross-reference identifier, given without at signs.
    Xref(Box<str>),
    /// By the identifier, given without at signs, and the tag.
    Labelled(Box<str>, Box<str>),
}

/// The reason why a text is not a path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// A step of the path is empty.
    StepMissing(String),
    /// An identifier is empty or has no second at sign.
    Xref(String),
    /// A text is neither a tag nor a type.
    Tag(String),
    /// The text in brackets is neither a value nor a number nor `*`.
    Choice(String),
    /// The equals sign between path and value is missing.
    Assignment(String),
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathError::StepMissing(text) => {
                write!(f, "expected a tag, a type or an identifier in the path `{text}`, but found none")
            }
            PathError::Xref(text) => {
                write!(f, "expected an identifier between two at signs, but found `{text}`")
            }
            PathError::Tag(text) => write!(f, "expected a tag, a type or an identifier, but found `{text}`"),
            PathError::Choice(text) => write!(f, "expected `[N]`, `[*]` or `[=VALUE]`, but found `{text}`"),
            PathError::Assignment(text) => {
                write!(f, "expected an equals sign after the path, but found none in `{text}`")
            }
        }
    }
}

impl Error for PathError {}

impl Path {
    /// Returns the steps, starting with the step for the record. A path has at least one step.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns whether a step names a type, so that a schema is needed to follow the path.
    pub fn names_types(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.selector, Selector::Type(_)))
    }

    /// Splits `PATH=VALUE` at the first equals sign that is neither between at signs nor in brackets.
    ///
    /// # Errors
    ///
    /// Returns [`PathError::Assignment`] if there is no such equals sign.
    ///
    /// ```
    /// use elf_lines::path::Path;
    /// assert_eq!(Path::split("@a=b@/NOTE=c=d")?, ("@a=b@/NOTE", "c=d"));
    /// assert_eq!(Path::split("FAM/CHIL[=@I3@]=@I4@")?, ("FAM/CHIL[=@I3@]", "@I4@"));
    /// # Ok::<(), elf_lines::path::PathError>(())
    /// ```
    pub fn split(argument: &str) -> Result<(&str, &str), PathError> {
        let end = end_outside(argument, '=');
        match argument.get(end..).and_then(|rest| rest.strip_prefix('=')) {
            Some(value) => Ok((&argument[..end], value)),
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
            let step = &from[..end];
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
        let (name, mut brackets) = text.split_at(end_outside(text, '['));
        let wrong = || PathError::Choice(brackets.to_owned());
        let mut step = Step { selector: name.parse()?, value: None, which: Which::Only };
        if let Some(rest) = brackets.strip_prefix("[=") {
            let end = end_of_value(rest).ok_or_else(wrong)?;
            let (value, rest) = rest.split_at(end);
            step.value = Some(value.replace("]]", "]").into());
            brackets = rest.strip_prefix(']').unwrap_or_default();
        }
        if !brackets.is_empty() {
            let inside =
                brackets.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or_else(wrong)?;
            step.which = match inside {
                "*" => Which::All,
                number if number.bytes().all(|octet| octet.is_ascii_digit()) => {
                    let number = number.parse().ok().filter(|&number: &u32| number > 0);
                    Which::Nth(number.ok_or_else(wrong)?)
                }
                _ => return Err(wrong()),
            };
        }
        Ok(step)
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
                tag if tag.len() < rest.len() && crate::is_tag(tag) => {
                    Ok(Selector::Labelled(xref.into(), tag.into()))
                }
                _ => Err(PathError::Tag(text.to_owned())),
            };
        }
        match text {
            tag if crate::is_tag(tag) => Ok(Selector::Tag(tag.into())),
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
        if let Some(value) = &self.value {
            write!(f, "[={}]", value.replace(']', "]]"))?;
        }
        match self.which {
            Which::Only => Ok(()),
            Which::Nth(number) => write!(f, "[{number}]"),
            Which::All => f.write_str("[*]"),
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

/// Appends a step to the path of a structure. The step has `/` unless the path is empty, then the identifier or the
/// tag, and `[N]` if there are several such structures. Numbers start at 1.
///
/// ```
/// use elf_lines::path::push_step;
/// let mut path = String::new();
/// push_step(&mut path, Some("I1"), "INDI", 1, 1);
/// push_step(&mut path, None, "NAME", 1, 2);
/// assert_eq!(path, "@I1@/NAME[1]");
/// ```
pub fn push_step(path: &mut String, xref: Option<&str>, tag: &str, number: u32, count: u32) {
    if !path.is_empty() {
        path.push('/');
    }
    match xref {
        Some(xref) => path.extend(["@", xref, "@"]),
        None => path.push_str(tag),
    }
    if count > 1 {
        // Writing to a string cannot fail.
        let _ = write!(path, "[{number}]");
    }
}

/// Returns the offset of the first `wanted` that is outside at signs and brackets. Returns the length of the text if
/// there is none.
fn end_outside(text: &str, wanted: char) -> usize {
    let mut inside = false;
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        inside ^= c == '@';
        if !inside && c == wanted {
            return at;
        }
        at += c.len_utf8();
        if !inside && c == '[' {
            let rest = &text[at..];
            let end = match rest.strip_prefix('=') {
                Some(value) => end_of_value(value).map(|end| end + 1),
                None => rest.find(']'),
            };
            at = end.map_or(text.len(), |end| at + end + 1);
        }
    }
    text.len()
}

/// Returns the offset of the bracket that ends a value. A doubled bracket does not end it.
fn end_of_value(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.find(']')?;
        match text.as_bytes().get(at + 1) {
            Some(b']') => at += 2,
            _ => return Some(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_printed_as_they_are_read() {
        for text in [
            "HEAD",
            "@I 1/2@/NAME[12]/_X",
            "elf:INDIVIDUAL/elf:BIRTH[2]",
            "@N1@ NOTE",
            "@a=[@[3]",
            "FAM[*]/CHIL[=@I3@]",
            "NOTE[=a=b/c [1]] @ x][*]/SOUR",
            "NOTE[=]",
            "NOTE[=]]][2]",
        ] {
            let path: Path = text.parse().unwrap();
            assert_eq!(path.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in [
            "",
            "/",
            "A/",
            "/A",
            "A//B",
            "@I1",
            "@@",
            "@I1@x",
            "@I1@ ",
            "NA-ME",
            "A[0]",
            "A[]",
            "A[1",
            "A[1]B",
            "A[-1]",
            "A[+1]",
            "A[**]",
            "A[1][2]",
            "A[1][=x]",
            "A[=x",
            "A[=x]]",
            "A[=x]y",
            "[1]",
            "A[99999999999]",
        ] {
            assert!(text.parse::<Path>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_assignment_needs_an_equals_sign_outside_at_signs_and_brackets() {
        assert_eq!(Path::split("A=").unwrap(), ("A", ""));
        assert_eq!(Path::split("A[=x=]]=]=y]=").unwrap(), ("A[=x=]]=]", "y]="));
        assert_eq!(Path::split("A[=@=@]/B=@").unwrap(), ("A[=@=@]/B", "@"));
        assert!(Path::split("A[=x").is_err());
        assert_eq!(Path::split("@x@=@y@").unwrap(), ("@x@", "@y@"));
        assert!(Path::split("A").is_err());
        assert!(Path::split("@A=b").is_err());
    }
}
