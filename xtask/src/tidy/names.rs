//! The names of files: the project can be checked out on any system.

use super::{Problem, Tree};
use std::collections::HashMap;

/// Names of devices, which Windows takes for no file whatever follows their first point.
const DEVICES: &[&str] = &["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// Devices that a digit follows.
const NUMBERED: &[&str] = &["COM", "LPT"];

/// Characters that no name on Windows holds.
const FORBIDDEN: &[char] = &['<', '>', ':', '"', '|', '?', '*', '\\'];

/// Runs over every file and folder.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut folded: HashMap<String, &str> = HashMap::new();
    for path in tree.paths() {
        for name in path.split('/') {
            if let Some(fault) = fault(name) {
                problems.push(Problem::file(path, format!("the name `{name}` {fault}")));
            }
        }
        if let Some(first) = folded.insert(path.to_lowercase(), path) {
            problems.push(Problem::file(path, format!("differs from {first} in the case of letters only")));
        }
    }
    problems
}

fn fault(name: &str) -> Option<&'static str> {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let numbered = NUMBERED.iter().filter_map(|device| stem.strip_prefix(device)).any(|number| {
        let mut digits = number.chars();
        digits.next().is_some_and(|digit| matches!(digit, '0'..='9' | '¹' | '²' | '³'))
            && digits.next().is_none()
    });
    if numbered || DEVICES.contains(&stem.as_str()) {
        Some("is reserved on Windows")
    } else if name.contains(FORBIDDEN) || name.chars().any(|c| c.is_ascii_control()) {
        Some("holds a character that Windows has in no name")
    } else if name.ends_with(['.', ' ']) {
        Some("ends with a point or a space, which Windows drops")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_windows_reserves_are_found() {
        for name in ["con.toml", "CON", "nul.tar.gz", "lpt1.rs", "COM9", "aux .x"] {
            assert_eq!(fault(name), Some("is reserved on Windows"), "{name}");
        }
        for name in ["continuation.toml", "com.rs", "com10", "console", "lpt", ".con", "a.con"] {
            assert_eq!(fault(name), None, "{name}");
        }
    }

    #[test]
    fn folders_are_names_too_and_case_tells_no_files_apart() {
        let tree =
            Tree::of(&[("a/nul/b.rs", ""), ("a/b?.rs", ""), ("a/c.", ""), ("d/E.rs", ""), ("d/e.rs", "")]);
        let found: Vec<_> = check(&tree).into_iter().map(|problem| problem.path).collect();
        assert_eq!(found, ["a/b?.rs", "a/c.", "a/nul/b.rs", "d/e.rs"]);
    }
}
