//! Names of types: one name stands for one type in a crate.

use super::sources::library_code;
use super::{Problem, Tree};
use std::collections::HashMap;

/// Runs over the library code of every crate of the product.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut first: HashMap<(&str, &str), &str> = HashMap::new();
    let mut problems = Vec::new();
    for (path, text) in tree.files() {
        let Some((folder, rest)) = path.split_once('/') else { continue };
        if !folder.starts_with("elf-") || !rest.starts_with("src/") || !path.ends_with(".rs") {
            continue;
        }
        for (line, code) in library_code(text) {
            let Some(name) = type_of(code) else { continue };
            match first.get(&(folder, name)) {
                Some(other) => {
                    let message = format!("`{name}` is a type of {other} already");
                    problems.push(Problem::line(path, line, message));
                }
                None => {
                    first.insert((folder, name), path);
                }
            }
        }
    }
    problems
}

/// Returns the name of the type that a line of code declares for its module. Associated types are indented.
fn type_of(code: &str) -> Option<&str> {
    let item = match code.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.strip_prefix(' ')?,
        None => code,
    };
    let (kind, name) = item.split_once(' ')?;
    let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
    matches!(kind, "struct" | "enum" | "trait" | "type" | "union").then(|| name.get(..end)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::of(files)).into_iter().map(|problem| problem.to_string()).collect()
    }

    #[test]
    fn a_name_of_two_types_is_found() {
        let files = [
            ("elf-a/src/one.rs", "pub struct Form {\n}\n"),
            ("elf-a/src/two.rs", "use x;\n\npub(crate) enum Form<'a> {\n}\n"),
        ];
        assert_eq!(problems(&files), ["elf-a/src/two.rs:3: `Form` is a type of elf-a/src/one.rs already"]);
    }

    #[test]
    fn other_crates_tests_and_associated_types_are_free() {
        let files = [
            ("elf-a/src/one.rs", "struct Form;\nimpl X for Form {\n    type Form = Form;\n}\n"),
            ("elf-b/src/one.rs", "struct Form;\nstruct Former;\nfn form() {}\n"),
            ("elf-a/tests/one.rs", "struct Form;\n"),
            ("elf-a/src/two.rs", "#[cfg(test)]\nmod tests {\n    struct Form;\n}\n"),
        ];
        assert!(problems(&files).is_empty());
    }
}
