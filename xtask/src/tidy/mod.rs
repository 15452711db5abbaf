//! `cargo xtask tidy`: checks what no compiler checks.
//!
//! Each check is a function of a [`Tree`], the text of the project's files, and returns [`Problem`]s. None of
//! them touches a disk, so each is tested on a small tree made up for the test.

mod book;
mod closed;
mod codes;
mod dependencies;
mod glossary;
mod imports;
mod names;
mod openings;
mod packages;
mod sources;
mod suites;
mod tree;
mod types;
mod workspace;

use crate::Outcome;
use std::fmt;
use std::path::Path;
use tree::Tree;

/// A fault that a check has found.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Problem {
    /// Path from the root of the project, with `/` between folders.
    path: String,
    /// The line, from 1, where there is one.
    line: Option<usize>,
    /// The description of the fault: one clause, lower case, no full stop.
    message: String,
}

/// A check: what it looks after, and the function that does.
type Check = (&'static str, fn(&Tree) -> Vec<Problem>);

const CHECKS: &[Check] = &[
    ("imports between crates", imports::check),
    ("workspace", workspace::check),
    ("packages", packages::check),
    ("dependencies", dependencies::check),
    ("sources", sources::check),
    ("names of files", names::check),
    ("files of test programs", suites::check),
    ("openings of documentation", openings::check),
    ("names of types", types::check),
    ("book", book::check),
    ("glossary", glossary::check),
    ("closed rules", closed::check),
    ("codes are raised", codes::check_raised),
    ("manual pages", codes::check_pages),
];

/// Runs every check over the project and prints what it found.
pub(crate) fn run(root: &Path) -> Outcome {
    let tree = Tree::read(root).map_err(|error| format!("the project cannot be read: {error}"))?;
    let mut total = 0;
    for (name, check) in CHECKS {
        let problems = check(&tree);
        total += problems.len();
        match problems.len() {
            0 => println!("tidy: {name}: ok"),
            count => println!("tidy: {name}: {count}"),
        }
        for problem in problems {
            println!("  {problem}");
        }
    }
    match total {
        0 => Ok(()),
        1 => Err("tidy found 1 problem".to_owned()),
        count => Err(format!("tidy found {count} problems")),
    }
}

impl Problem {
    fn file(path: &str, message: impl Into<String>) -> Problem {
        Problem { path: path.to_owned(), line: None, message: message.into() }
    }

    /// `index` counts from 0, as `enumerate` does.
    fn line(path: &str, index: usize, message: impl Into<String>) -> Problem {
        Problem { path: path.to_owned(), line: Some(index + 1), message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.message),
            None => write!(f, "{}: {}", self.path, self.message),
        }
    }
}
