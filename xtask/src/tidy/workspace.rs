//! The workspace as a whole: what every crate inherits, and the documents a reader looks for.

use super::{Problem, Tree};
use toml::{Table, Value};

/// The documents of the project.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "deny.toml",
];

/// Unsafe code is forbidden, every member takes the common lints, and every document is there.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems: Vec<Problem> = DOCUMENTS
        .iter()
        .filter(|path| tree.get(path).is_none_or(|text| text.trim().is_empty()))
        .map(|path| Problem::file(path, "the document is missing or empty"))
        .collect();
    let Some(root) = tree.get("Cargo.toml").and_then(|text| text.parse::<Table>().ok()) else {
        problems.push(Problem::file("Cargo.toml", "the manifest of the workspace cannot be read"));
        return problems;
    };
    let workspace = root.get("workspace");
    let level = workspace.and_then(|w| w.get("lints")?.get("rust")?.get("unsafe_code")).map(lint_level);
    if level != Some("forbid") {
        problems.push(Problem::file("Cargo.toml", "the lint unsafe_code of the workspace is not \"forbid\""));
    }
    let members = workspace.and_then(|w| w.get("members")).and_then(Value::as_array).into_iter().flatten();
    for member in members.filter_map(Value::as_str) {
        let path = format!("{member}/Cargo.toml");
        let manifest = tree.get(&path).and_then(|text| text.parse::<Table>().ok());
        let inherits = manifest
            .as_ref()
            .and_then(|manifest| manifest.get("lints")?.get("workspace")?.as_bool())
            .unwrap_or_default();
        if !inherits {
            problems.push(Problem::file(&path, "the crate does not take the lints of the workspace"));
        }
    }
    problems
}

/// `"forbid"`, or `{ level = "forbid", … }`.
fn lint_level(lint: &Value) -> &str {
    lint.as_str().or_else(|| lint.get("level")?.as_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents() -> Vec<(&'static str, &'static str)> {
        DOCUMENTS.iter().map(|&path| (path, "text\n")).collect()
    }

    #[test]
    fn a_house_in_order_has_no_problem() {
        let mut files = documents();
        files.push((
            "Cargo.toml",
            "[workspace]\nmembers = ['a']\n[workspace.lints.rust]\nunsafe_code = 'forbid'\n",
        ));
        files.push(("a/Cargo.toml", "[lints]\nworkspace = true\n"));
        assert_eq!(check(&Tree::of(&files)), []);
    }

    #[test]
    fn each_lapse_is_found() {
        let mut files = documents();
        files.retain(|(path, _)| *path != "CHANGELOG.md");
        files.push((
            "Cargo.toml",
            "[workspace]\nmembers = ['a']\n[workspace.lints.rust]\nunsafe_code = { level = 'deny' }\n",
        ));
        files.push(("a/Cargo.toml", "[lints.rust]\nunused = 'allow'\n"));
        let paths: Vec<String> = check(&Tree::of(&files)).into_iter().map(|problem| problem.path).collect();
        assert_eq!(paths, ["CHANGELOG.md", "Cargo.toml", "a/Cargo.toml"]);
    }
}
