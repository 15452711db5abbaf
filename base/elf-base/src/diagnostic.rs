//! Findings, which describe the problems of a file.

use crate::credentials::mask_hosts_before;
use crate::{Against, Class, Code, Fix, Place, Rules, masked_credentials};
use std::borrow::Cow;
use std::fmt;
use std::num::NonZero;

/// A finding: it has a problem, its class under the current rules, and its place.
///
/// A finding owns its strings, so it can outlive the text of the file. The strings may contain characters from the
/// file, so neutralise them before you print them to a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The code that identifies the kind of problem.
    pub code: Code,
    /// How severe the problem is under the current rules.
    pub class: Class,
    /// The clause of the current rules, such as `D19 Levels`. `None` if the format of the rules has no clause for the
    /// code.
    pub clause: Option<&'static str>,
    /// The message, which describes the problem in one clause. The message starts in lower case and has no full stop
    /// and no position.
    pub message: Cow<'static, str>,
    /// The place in the file; `None` if the finding is about the whole file.
    pub place: Option<Place>,
    /// The text of the line that contains the place.
    pub excerpt: Option<Excerpt>,
    /// The path of the structure, such as `@I1@/BIRT/DATE`. The path is set if a structure has no place in a file when
    /// it is written.
    pub path: Option<Box<str>>,
    /// Other places that belong to the problem, such as an earlier definition.
    pub related: Vec<Related>,
    /// The help: how the reader handled the problem, or what the user can do.
    pub help: Option<Cow<'static, str>>,
    /// The fix of the problem, if there is one.
    pub fix: Option<Fix>,
    /// The number of places with this problem, including this one; `None` if each place has its own finding.
    pub count: Option<NonZero<u64>>,
}

/// The line that a [`Diagnostic`] is about, or a part of that line if it is long.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The text around the problem, at most a few hundred characters and without a line break.
    pub text: Box<str>,
    /// The column of the first character of `text`, from 1.
    pub first_column: u64,
}

/// Another place that belongs to the problem of a [`Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// The message for this place, such as `first defined here`.
    pub message: Cow<'static, str>,
    /// The place in the file.
    pub place: Place,
    /// The line of the place, if it is available.
    pub excerpt: Option<Excerpt>,
}

impl Diagnostic {
    /// Creates a finding without a place. The code and the rules determine its class and clause. User names and
    /// passwords in IRIs are [masked](masked_credentials) in messages and help.
    pub fn new(code: Code, rules: &Rules, message: impl Into<Cow<'static, str>>) -> Diagnostic {
        Diagnostic {
            code,
            class: code.class(rules.format),
            clause: code.clause(rules.format),
            message: mask_message(message.into()),
            place: None,
            excerpt: None,
            path: None,
            related: Vec::new(),
            help: None,
            fix: None,
            count: None,
        }
    }

    /// Creates a finding without a place about a structural standard. The code, the standard, and whether the user
    /// named it determine its class and clause.
    pub fn of_standard(code: Code, against: Against, message: impl Into<Cow<'static, str>>) -> Diagnostic {
        Diagnostic {
            class: code.class_against(against),
            clause: code.clause_against(against.standard),
            ..Diagnostic::new(code, &Rules::WILD, message)
        }
    }

    /// Sets the place, and its line if it is available.
    #[must_use]
    pub fn at(mut self, place: Place, excerpt: Option<Excerpt>) -> Diagnostic {
        self.place = Some(place);
        self.excerpt = excerpt;
        self
    }

    /// Sets the path of the structure that the finding is about.
    #[must_use]
    pub fn in_structure(mut self, path: impl Into<Box<str>>) -> Diagnostic {
        self.path = Some(path.into());
        self
    }

    /// Adds help to the finding.
    #[must_use]
    pub fn help(mut self, help: impl Into<Cow<'static, str>>) -> Diagnostic {
        self.help = Some(mask_message(help.into()));
        self
    }

    /// Adds the fix. The fix must not be safer than the [code](Code::fix) promises.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Diagnostic {
        debug_assert!(
            self.code.fix().is_some_and(|best| best <= fix.safety),
            "{} has a repair that its row does not promise",
            self.code
        );
        self.fix = Some(fix);
        self
    }

    /// Sets the number of places with this problem, including this one.
    #[must_use]
    pub const fn count(mut self, count: NonZero<u64>) -> Diagnostic {
        self.count = Some(count);
        self
    }

    /// Adds a related place.
    #[must_use]
    pub fn related(mut self, related: Related) -> Diagnostic {
        self.related.push(related);
        self
    }
}

/// Writes a finding in one line that starts with the place or the path of the structure, if it has one. The clause, the
/// help and the excerpt are omitted.
///
/// ```
/// use elf_base::{Diagnostic, Place, Rules, codes};
///
/// let found = Diagnostic::new(codes::LEVEL_TOO_DEEP, &Rules::WILD, "expected level 0 or 1, but found 2");
/// assert_eq!(found.to_string(), "malformed[E0203]: expected level 0 or 1, but found 2");
/// let found = found.at(Place::new(57, 4, 1, 2), None);
/// assert_eq!(found.to_string(), "line 4, column 1: malformed[E0203]: expected level 0 or 1, but found 2");
/// ```
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(f, "{place}: ")?;
        } else if let Some(path) = &self.path {
            write!(f, "{path}: ")?;
        }
        write!(f, "{}[{}]: {}", self.class, self.code.id(), self.message)
    }
}

impl Excerpt {
    /// The maximum length of an excerpt in characters.
    pub const MAX_CHARS: usize = 240;

    /// Returns the part of `line` (without its line break) around the byte offset `start`.
    ///
    /// `column` is the column of `start`, from 1. Lines of up to [`MAX_CHARS`](Excerpt::MAX_CHARS) characters are
    /// returned completely. In longer lines, names and passwords before hosts are [masked](masked_credentials), because
    /// the excerpt may contain only a part of them.
    pub fn around(line: &str, start: usize, column: u64) -> Excerpt {
        const BEFORE: usize = 80;
        let start = floor_char_boundary(line, start);
        // Search outwards from the start, so that the time does not depend on the length of the line.
        let head = &line[..start];
        let mut from = 0;
        let mut before = 0;
        for (index, (offset, _)) in head.char_indices().rev().enumerate() {
            if index == BEFORE {
                break;
            }
            from = offset;
            before = index + 1;
        }
        if before < BEFORE {
            from = 0;
        }
        let tail = &line[from..];
        // Most lines are short enough that their characters need not be counted.
        let end = match tail.len() {
            0..=Excerpt::MAX_CHARS => None,
            _ => tail.char_indices().nth(Excerpt::MAX_CHARS).map(|(end, _)| end),
        };
        let text = end.map_or(tail, |end| &tail[..end]);
        let first_column = column.saturating_sub(before as u64).max(1);
        let text =
            if from > 0 || end.is_some() { mask_partial_hosts(line, from, text).into() } else { text.into() };
        Excerpt { text, first_column }
    }
}

impl Excerpt {
    /// Shortens a text from a file for a message. User names and passwords in IRIs are [masked](masked_credentials).
    ///
    /// ```
    /// use elf_base::Excerpt;
    ///
    /// assert_eq!(Excerpt::short("99"), "99");
    /// assert_eq!(Excerpt::short(&"9".repeat(50)), "9".repeat(40) + "…");
    /// ```
    pub fn short(text: &str) -> Cow<'_, str> {
        Excerpt::start(text, 40)
    }

    /// Returns the first `most` characters of a text from a file. User names and passwords are masked, as in
    /// [`short`](Excerpt::short).
    ///
    /// ```
    /// use elf_base::Excerpt;
    ///
    /// assert_eq!(Excerpt::start("https://ada:secret@e.example", 12), "https://****…");
    /// ```
    pub fn start(text: &str, most: usize) -> Cow<'_, str> {
        let Some((end, _)) = text.char_indices().nth(most) else { return masked_credentials(text) };
        match mask_hosts_before(text, end) {
            Cow::Borrowed(_) => Cow::Owned(format!("{}…", &text[..end])),
            Cow::Owned(masked) => Cow::Owned(masked.chars().take(most).chain(['…']).collect()),
        }
    }
}

impl Related {
    /// Creates a related place with its line.
    pub fn new(message: impl Into<Cow<'static, str>>, place: Place, excerpt: Option<Excerpt>) -> Related {
        Related { message: mask_message(message.into()), place, excerpt }
    }
}

/// Returns `text`, which starts at byte `from` of a line. Masks [names and passwords](masked_credentials), even if
/// `text` contains only a part of them.
fn mask_partial_hosts<'l>(line: &'l str, from: usize, text: &'l str) -> Cow<'l, str> {
    /// The number of bytes before the text in which a host is searched.
    const BEFORE: usize = 1024;
    let start = floor_char_boundary(line, from.saturating_sub(BEFORE));
    let [before, all] = [&line[start..from], &line[start..]];
    match mask_hosts_before(all, before.len() + text.len()) {
        Cow::Borrowed(_) => text.into(),
        Cow::Owned(masked) => {
            masked.chars().skip(before.chars().count()).take(text.chars().count()).collect()
        }
    }
}

/// Masks names and passwords in a message. A constant text contains no names and passwords.
fn mask_message(text: Cow<'static, str>) -> Cow<'static, str> {
    match &text {
        Cow::Borrowed(_) => text,
        Cow::Owned(owned) => match masked_credentials(owned) {
            Cow::Borrowed(_) => text,
            Cow::Owned(masked) => masked.into(),
        },
    }
}

fn floor_char_boundary(text: &str, mut index: usize) -> usize {
    index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_of_a_short_line_is_the_line() {
        let excerpt = Excerpt::around("1 NAME é", 7, 8);
        assert_eq!((&*excerpt.text, excerpt.first_column), ("1 NAME é", 1));
    }

    #[test]
    fn a_window_shows_no_part_of_a_password() {
        let password = "secret".repeat(150);
        let line = format!("1 NOTE https://ada:{password}@e.example/ {}", "text ".repeat(200));
        for start in [7, 100, 600, 800, line.find('@').unwrap(), line.find("e.ex").unwrap()] {
            let text = Excerpt::around(&line, start, start as u64 + 1).text;
            assert!(text.contains("***") && !text.contains("secret"), "{start}: {text}");
        }
        let last = Excerpt::around(&line, line.len() - 1, line.len() as u64);
        assert_eq!(&*last.text, &line[line.len() - 81..]);
        assert_eq!(Excerpt::short(&line), format!("1 NOTE https://{}…", "*".repeat(25)));
    }

    #[test]
    fn an_excerpt_of_a_long_line_is_a_window() {
        let line = "é".repeat(100_000);
        let excerpt = Excerpt::around(&line, 100_000, 50_001);
        assert_eq!(excerpt.text.chars().count(), Excerpt::MAX_CHARS);
        assert_eq!(excerpt.first_column, 50_001 - 80);
    }
}
