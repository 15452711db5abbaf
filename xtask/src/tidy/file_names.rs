//! File names: the project can be checked out on Windows and on file systems that ignore case.

use super::{Problem, ProjectFiles};
use std::collections::HashMap;

/// Device names, which Windows reserves with any extension.
const DEVICES: &[&str] = &["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// Devices that are numbered from 0 to 9.
const NUMBERED_DEVICES: &[&str] = &["COM", "LPT"];

/// Characters that Windows does not allow in names.
const FORBIDDEN: &[char] = &['<', '>', ':', '"', '|', '?', '*', '\\'];

pub(super) fn check_names(files: &ProjectFiles) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut by_lowercase: HashMap<String, &str> = HashMap::new();
    for path in files.paths() {
        for name in path.split('/') {
            if let Some(fault) = find_fault(name) {
                problems.push(Problem::in_file(path, format!("the name `{name}` {fault}")));
            }
        }
        if let Some(first) = by_lowercase.insert(path.to_lowercase(), path) {
            problems.push(Problem::in_file(path, format!("differs from {first} only in case")));
        }
    }
    problems
}

fn find_fault(name: &str) -> Option<&'static str> {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let is_numbered_device = NUMBERED_DEVICES
        .iter()
        .filter_map(|device| stem.strip_prefix(device))
        .any(|number| number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_digit()));
    if is_numbered_device || DEVICES.contains(&stem.as_str()) {
        Some("is reserved on Windows")
    } else if name.contains(FORBIDDEN) || name.chars().any(|c| c.is_ascii_control()) {
        Some("contains a character that Windows does not allow")
    } else if name.ends_with(['.', ' ']) {
        Some("ends with a dot or a space, which Windows drops")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_names_are_found() {
        for name in ["con.toml", "CON", "nul.tar.gz", "lpt1.rs", "COM9", "aux .x"] {
            assert_eq!(find_fault(name), Some("is reserved on Windows"), "{name}");
        }
        for name in ["continuation.toml", "com.rs", "com10", "console", "lpt", ".con", "a.con"] {
            assert_eq!(find_fault(name), None, "{name}");
        }
    }

    #[test]
    fn names_of_folders_and_names_that_differ_in_case_are_found() {
        let files = [("a/nul/b.rs", ""), ("a/b?.rs", ""), ("a/c.", ""), ("d/E.rs", ""), ("d/e.rs", "")];
        let found: Vec<_> =
            check_names(&ProjectFiles::from_texts(&files)).into_iter().map(|problem| problem.place).collect();
        assert_eq!(found, ["a/b?.rs", "a/c.", "a/nul/b.rs", "d/e.rs"]);
    }
}
