//! Draws diagnostics for people: the line, a caret, the code, the clause and help.

use crate::sanitise;
use annotate_snippets::renderer::DEFAULT_TERM_WIDTH;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Padding, Snippet};
use elf_base::{Class, Diagnostic, Excerpt, Place, Related, masked_credentials};
use std::borrow::Cow;
use std::ops::Range;

/// Draws diagnostics, in colour or plain, for a given width.
pub struct Renderer(annotate_snippets::Renderer);

impl Renderer {
    /// Creates a renderer for a terminal of `width` columns. `None` is for a file or a pipe.
    pub fn new(coloured: bool, width: Option<usize>) -> Renderer {
        let renderer = if coloured {
            annotate_snippets::Renderer::styled()
        } else {
            annotate_snippets::Renderer::plain()
        };
        Renderer(renderer.term_width(width.unwrap_or(DEFAULT_TERM_WIDTH)))
    }

    /// Renders a diagnostic of `file` in several lines. The text ends with a line ending.
    pub fn diagnostic(&self, file: &str, diagnostic: &Diagnostic) -> String {
        self.finding(file, diagnostic, None, None)
    }

    /// Renders a diagnostic of `file` about a structure. `structure` describes its place, and
    /// `repair` the fix.
    pub fn finding(
        &self,
        file: &str,
        diagnostic: &Diagnostic,
        structure: Option<&str>,
        repair: Option<&str>,
    ) -> String {
        let title = level_of_class(diagnostic.class)
            .primary_title(sanitise(&diagnostic.message))
            .id(diagnostic.code.id());
        let file = sanitise(file);
        let mut group = Group::with_title(title);
        let mut windows = Vec::new();
        group = match (diagnostic.place, &diagnostic.excerpt) {
            (None, _) => group.element(Origin::path(file.clone())).element(Padding),
            (Some(place), None) => {
                let Place { line, column, .. } = place;
                let origin = Origin::path(file.clone()).line(to_usize(line)).char_column(to_usize(column));
                group.element(origin).element(Padding)
            }
            (Some(place), Some(excerpt)) => {
                let window = Window::new(place, excerpt);
                windows.extend(window.find_wrong_position(&file, place));
                group.element(window.make_snippet(&file, place, AnnotationKind::Primary, None))
            }
        };
        for Related { message, place, excerpt, .. } in &diagnostic.related {
            let message = sanitise(message);
            group = match excerpt {
                Some(excerpt) => {
                    let window = Window::new(*place, excerpt);
                    windows.extend(window.find_wrong_position(&file, *place));
                    group.element(window.make_snippet(&file, *place, AnnotationKind::Context, Some(message)))
                }
                None => {
                    let Place { line, column, .. } = place;
                    group.element(Level::NOTE.message(format!("{message}: line {line}, column {column}")))
                }
            };
        }
        if let Some(structure) = structure {
            group = group.element(Level::NOTE.message(format!("in {}", sanitise(structure))));
        }
        if let Some(rule) = describe_rule(diagnostic) {
            group = group.element(Level::NOTE.message(rule));
        }
        let help = diagnostic.help.as_deref().map(sanitise);
        let help = match (help, repair) {
            (Some(help), Some(repair)) => Some(format!("{help} ({repair})").into()),
            (help, repair) => help.or(repair.map(Cow::Borrowed)),
        };
        if let Some(help) = help {
            group = group.element(Level::HELP.message(help));
        }
        let mut text = self.0.render(&[group]);
        for (misplaced, place) in windows {
            text = text.replacen(&misplaced, &place, 1);
        }
        text.push('\n');
        text
    }

    /// Renders a configuration error, without a final line ending. `excerpt` is the line at `place`.
    pub fn config_error(
        &self,
        file: &str,
        message: &str,
        place: Option<Place>,
        excerpt: Option<&Excerpt>,
        help: Option<&str>,
    ) -> String {
        let (file, message) = (sanitise(file), sanitise(message));
        let mut windows = None;
        let mut group = match place.zip(excerpt) {
            None => {
                let title = format!("cannot read the configuration `{file}`: {message}");
                Group::with_title(Level::ERROR.primary_title(title))
            }
            Some((place, excerpt)) => {
                let window = Window::new(place, excerpt);
                windows = window.find_wrong_position(&file, place);
                let snippet = window.make_snippet(&file, place, AnnotationKind::Primary, None);
                Group::with_title(Level::ERROR.primary_title(message)).element(snippet)
            }
        };
        if let Some(help) = help {
            group = group.element(Level::HELP.message(help));
        }
        let text = self.0.render(&[group]);
        match windows {
            Some((misplaced, place)) => text.replacen(&misplaced, &place, 1),
            None => text,
        }
    }

    /// Renders an error, without a final line ending.
    pub fn failure(&self, message: &str) -> String {
        self.render_title(Level::ERROR, message)
    }

    /// Renders a note, without a final line ending.
    pub fn note(&self, message: &str) -> String {
        self.render_title(Level::NOTE, message)
    }

    fn render_title(&self, level: Level<'_>, message: &str) -> String {
        self.0.render(&[Group::with_title(level.primary_title(sanitise(message)))])
    }
}

/// Returns the clause that is violated and the code's title, without repeating the message.
fn describe_rule(diagnostic: &Diagnostic) -> Option<String> {
    let title = Some(diagnostic.code.title()).filter(|title| diagnostic.message != *title);
    match (diagnostic.clause, title) {
        (Some(clause), Some(title)) => Some(format!("{clause}: {title}")),
        (one, other) => one.or(other).map(str::to_owned),
    }
}

/// Returns the level of a class. Errors have the colour of errors; others have milder colours.
fn level_of_class(class: Class) -> Level<'static> {
    let level = match class {
        Class::Malformed | Class::NonConformant => Level::ERROR,
        Class::Deprecated => Level::WARNING,
        Class::Advice => Level::INFO,
        Class::Question => Level::HELP,
    };
    level.with_name(class.name())
}

/// The part of an excerpt that is drawn, and the bytes in it that the caret is under.
struct Window<'a> {
    text: Cow<'a, str>,
    /// The column of the first character of the text.
    first_column: u64,
    caret: Range<usize>,
}

impl<'a> Window<'a> {
    fn new(place: Place, excerpt: &'a Excerpt) -> Window<'a> {
        const CUT: &str = "…";
        let mut text = match masked_credentials(&excerpt.text) {
            Cow::Borrowed(text) => sanitise(text),
            Cow::Owned(text) => sanitise(&text).into_owned().into(),
        };
        let mut first_column = excerpt.first_column;
        if first_column > 1 {
            text = format!("{CUT}{text}").into();
            first_column -= 1;
        }
        let start = offset_of_character(&text, place.column.saturating_sub(first_column));
        let length = place.end_column.saturating_sub(place.column);
        let end = text.get(start..).map_or(start, |rest| start + offset_of_character(rest, length));
        Window { text, first_column, caret: start..end }
    }

    /// Returns the position that the renderer will print, counted in the window, and the correct
    /// one in the file. `None` if they are equal.
    fn find_wrong_position(&self, file: &str, place: Place) -> Option<(String, String)> {
        let Place { line, column, .. } = place;
        let counted = self.text.get(..self.caret.start).map_or(1, |before| before.chars().count() + 1);
        (self.first_column > 1)
            .then(|| (format!("{file}:{line}:{counted}"), format!("{file}:{line}:{column}")))
    }

    fn make_snippet(
        self,
        file: &Cow<'a, str>,
        place: Place,
        kind: AnnotationKind,
        label: Option<Cow<'a, str>>,
    ) -> Snippet<'a, Annotation<'a>> {
        Snippet::source(self.text)
            .line_start(to_usize(place.line))
            .path(file.clone())
            .annotation(kind.span(self.caret).label(label))
    }
}

/// Returns the byte offset of a character by its index. If the text is shorter, returns its end.
fn offset_of_character(text: &str, characters: u64) -> usize {
    text.char_indices().nth(to_usize(characters)).map_or(text.len(), |(octet, _)| octet)
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::{Rules, codes};
    use snapbox::{assert_data_eq, str};

    fn render_plain(diagnostic: &Diagnostic) -> String {
        Renderer::new(false, None).diagnostic("smith.ged", diagnostic)
    }

    fn new_finding(message: &'static str) -> Diagnostic {
        Diagnostic::new(codes::LEVEL_TOO_DEEP, &Rules::DECEMBER_2019, message)
    }

    #[test]
    fn a_fault_is_drawn_under_its_line() {
        let line = "3 DATE 31 FEB 1850";
        let diagnostic = new_finding("expected a level of at most 2, but found 3")
            .at(Place::new(4012, 121, 1, 2), Some(Excerpt::around(line, 0, 1)))
            .help("read as level 2");
        assert_data_eq!(
            render_plain(&diagnostic),
            str![[r#"
malformed[E0203]: expected a level of at most 2, but found 3
   --> smith.ged:121:1
    |
121 | 3 DATE 31 FEB 1850
    | ^
    |
    = note: D19 Levels: a line is more than one level deeper than the line before
    = help: read as level 2

"#]]
        );
    }

    #[test]
    fn a_fault_of_the_file_names_the_file() {
        assert_data_eq!(
            render_plain(&new_finding("nothing here")),
            str![[r#"
malformed[E0203]: nothing here
--> smith.ged
 |
 = note: D19 Levels: a line is more than one level deeper than the line before

"#]]
        );
    }

    #[test]
    fn a_long_line_is_shown_around_the_fault() {
        let line = format!("1 NOTE {}@{}", "é".repeat(500), "x".repeat(500));
        let diagnostic =
            new_finding("odd").at(Place::new(1500, 7, 508, 509), Some(Excerpt::around(&line, 1007, 508)));
        assert_data_eq!(
            render_plain(&diagnostic),
            str![[r#"
malformed[E0203]: odd
 --> smith.ged:7:508
  |
7 | …éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé@xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...
  |                                                                                  ^
  |
  = note: D19 Levels: a line is more than one level deeper than the line before

"#]]
        );
    }

    #[test]
    fn another_place_is_drawn_too() {
        let diagnostic = new_finding("defined twice")
            .at(Place::new(40, 9, 3, 7), Some(Excerpt::around("0 @I1@ INDI", 2, 3)))
            .related(Related::new(
                "first defined here",
                Place::new(10, 2, 3, 7),
                Some(Excerpt::around("0 @I1@ INDI", 2, 3)),
            ))
            .related(Related::new("and here", Place::new(20, 4, 3, 7), None));
        assert_data_eq!(
            render_plain(&diagnostic),
            str![[r#"
malformed[E0203]: defined twice
 --> smith.ged:9:3
  |
9 | 0 @I1@ INDI
  |   ^^^^
  |
 ::: smith.ged:2:3
  |
2 | 0 @I1@ INDI
  |   ---- first defined here
  |
  = note: and here: line 4, column 3
  = note: D19 Levels: a line is more than one level deeper than the line before

"#]]
        );
    }

    #[test]
    fn nothing_from_a_file_reaches_the_terminal_as_it_is() {
        let evil = "\u{1b}[2J\u{202e}\u{9b}\u{200b}\r\n";
        let place = Place::new(0, 1, 1, 4);
        let excerpt = || Some(Excerpt::around(evil, 0, 1));
        let mut diagnostic = Diagnostic::new(codes::LEVEL_TOO_DEEP, &Rules::WILD, evil.to_owned())
            .at(place, excerpt())
            .help(evil)
            .related(Related::new(evil, place, excerpt()))
            .related(Related::new(evil, place, None));
        for _ in 0..2 {
            let text = Renderer::new(false, None).diagnostic(evil, &diagnostic);
            assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{9b}', '\u{200b}', '\r']), "{text:?}");
            diagnostic.place = None;
        }
    }

    #[test]
    fn places_outside_the_excerpt_do_no_harm() {
        for (column, end_column) in [(1, 1), (5, 5), (400, 900), (4, u64::MAX), (u64::MAX, u64::MAX)] {
            for text in ["", "é", "1 NOTE x"] {
                let place = Place::new(u64::MAX, u64::MAX, column, end_column);
                let excerpt = Excerpt::around(text, 0, 1);
                assert!(render_plain(&new_finding("odd").at(place, Some(excerpt))).contains("E0203"));
            }
        }
    }
}
