//! `cargo xtask tidy`: checks what neither the compiler, clippy nor another tool checks.
//!
//! Each check is a function from [`ProjectFiles`] to [`Problem`]s and reads nothing from the disk, so that a test
//! can run it on a few made-up files.

mod book;
mod codes;
mod copies;
mod dependencies;
mod file_names;
mod project_files;

use crate::Outcome;
use project_files::ProjectFiles;
use std::fmt;
use std::path::Path;

/// Something that a check found wrong.
#[derive(Debug)]
struct Problem {
    /// The path from the root of the project with `/` between folders, and where known `:` and the line number.
    place: String,
    message: String,
}

struct Check {
    name: &'static str,
    run: fn(&ProjectFiles) -> Vec<Problem>,
}

const CHECKS: &[Check] = &[
    Check { name: "every code is reported by its layer", run: codes::check_reported },
    Check { name: "every code has a manual page", run: codes::check_pages },
    Check { name: "links and pages of the book", run: book::check_links },
    Check { name: "pages that repeat other files", run: copies::check_copies },
    Check { name: "table of dependencies", run: dependencies::check_rows },
    Check { name: "file names", run: file_names::check_names },
];

/// Runs every check on the project and prints the problems. Fails if there are any.
pub(crate) fn run(root: &Path) -> Outcome {
    let files = ProjectFiles::read(root).map_err(|error| format!("cannot read the project: {error}"))?;
    let mut total = 0;
    for check in CHECKS {
        let problems = (check.run)(&files);
        total += problems.len();
        let result = if problems.is_empty() { "ok".to_owned() } else { problems.len().to_string() };
        println!("tidy: {}: {result}", check.name);
        for problem in problems {
            println!("  {problem}");
        }
    }
    if total == 0 { Ok(()) } else { Err(format!("tidy found {total} problem(s)")) }
}

/// Writes the pages of the book that repeat other files.
pub(crate) fn write_book(root: &Path) -> Outcome {
    let files = ProjectFiles::read(root).map_err(|error| format!("cannot read the project: {error}"))?;
    for page in copies::copied_pages(&files) {
        std::fs::write(root.join(page.path), page.text).map_err(|error| format!("{}: {error}", page.path))?;
    }
    Ok(())
}

impl Problem {
    fn in_file(path: &str, message: impl Into<String>) -> Problem {
        Problem { place: path.to_owned(), message: message.into() }
    }

    /// `index` counts lines from 0, as `enumerate` does.
    fn in_line(path: &str, index: usize, message: impl Into<String>) -> Problem {
        Problem { place: format!("{path}:{}", index + 1), message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Runs a check on made-up files and returns its problems as text.
#[cfg(test)]
fn problems_of(run: fn(&ProjectFiles) -> Vec<Problem>, files: &[(&str, &str)]) -> Vec<String> {
    run(&ProjectFiles::from_texts(files)).iter().map(Problem::to_string).collect()
}
