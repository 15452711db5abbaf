//! Test programs of several files: each file beside `main.rs` is a module of it, or its tests never run.

use super::{Problem, Tree};

/// Runs over the folders that hold a test program.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, _) in tree.files() {
        let Some((folder, file)) = path.rsplit_once('/') else { continue };
        if file.ends_with(".proptest-regressions") && tree.get(&format!("{folder}/main.rs")).is_some() {
            let message = "proptest looks for it in `proptest-regressions` beside the folder";
            problems.push(Problem::file(path, message));
        }
        let Some(module) = file.strip_suffix(".rs").filter(|module| *module != "main") else { continue };
        let main = format!("{folder}/main.rs");
        let is_suite = folder.rsplit('/').nth(1) == Some("tests");
        let Some(program) = tree.get(&main).filter(|_| is_suite) else { continue };
        let declaration = format!("mod {module};");
        if !program.lines().any(|line| line == declaration) {
            problems.push(Problem::file(path, format!("expected `{declaration}` in {main}")));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_no_program_has_is_found() {
        let tree = Tree::of(&[
            ("elf-a/tests/a/main.rs", "//! Tests.\n\n#[cfg(unix)]\nmod one;\nmod one_and_two;\n"),
            ("elf-a/tests/a/one.rs", ""),
            ("elf-a/tests/a/two.rs", ""),
            ("elf-a/tests/a/one_and_two.rs", ""),
            ("elf-a/tests/a/one/deeper.rs", ""),
            ("elf-a/tests/unit/three.rs", ""),
            ("elf-a/tests/a/one.proptest-regressions", ""),
            ("elf-a/src/main.rs", ""),
            ("elf-a/src/four.rs", ""),
        ]);
        let problems: Vec<String> = check(&tree).into_iter().map(|problem| problem.to_string()).collect();
        assert_eq!(
            problems,
            [
                "elf-a/tests/a/one.proptest-regressions: proptest looks for it in `proptest-regressions` beside \
                 the folder",
                "elf-a/tests/a/two.rs: expected `mod two;` in elf-a/tests/a/main.rs"
            ]
        );
    }
}
