//! Dependencies: each crate of others that a manifest names has its row in docs/dependencies.md, and no row
//! is without one.

use super::{Problem, Tree};
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

const PAGE: &str = "docs/dependencies.md";

/// The tables of a manifest that name crates.
const KINDS: &[&str] = &["dependencies", "dev-dependencies", "build-dependencies"];

/// The cells of a row: the crate, what it is for, who keeps it, its licence, what would take its place.
const CELLS: usize = 5;

/// Runs over the manifests of the workspace.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let Some(root) = tree.get("Cargo.toml").and_then(|text| text.parse::<Table>().ok()) else {
        return Vec::new();
    };
    let workspace = root.get("workspace");
    let members = workspace.and_then(|workspace| workspace.get("members")).and_then(Value::as_array);
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    for member in members.into_iter().flatten().filter_map(Value::as_str) {
        let path = format!("{member}/Cargo.toml");
        let Some(manifest) = tree.get(&path).and_then(|text| text.parse::<Table>().ok()) else { continue };
        let of_systems = manifest.get("target").and_then(Value::as_table);
        let of_systems = of_systems.into_iter().flat_map(Table::values).filter_map(Value::as_table);
        for table in std::iter::once(&manifest).chain(of_systems) {
            let kinds = KINDS.iter().filter_map(|kind| table.get(*kind)?.as_table());
            let crates = kinds.flat_map(Table::keys).filter(|name| !name.starts_with("elf-"));
            named.extend(crates.map(|name| (name.clone(), path.clone())));
        }
    }
    let mut problems = Vec::new();
    let of_workspace =
        workspace.and_then(|workspace| workspace.get("dependencies")).and_then(Value::as_table);
    for name in of_workspace.into_iter().flat_map(Table::keys) {
        if !name.starts_with("elf-") && !named.contains_key(name) {
            problems.push(Problem::file("Cargo.toml", format!("no member of the workspace uses `{name}`")));
        }
    }
    let mut rows = BTreeSet::new();
    let page = tree.get(PAGE).unwrap_or_default();
    for (index, line) in page.lines().enumerate().filter(|(_, line)| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let name = cells.first().map_or("", |cell| cell.trim_matches('`'));
        if !named.contains_key(name) {
            problems.push(Problem::line(PAGE, index, format!("no manifest names `{name}`")));
        }
        if cells.len() != CELLS || cells.contains(&"") {
            problems.push(Problem::line(
                PAGE,
                index,
                format!("expected {CELLS} cells with something in each"),
            ));
        }
        if !rows.insert(name) {
            problems.push(Problem::line(PAGE, index, format!("`{name}` has a row already")));
        }
    }
    for (name, path) in named.iter().filter(|(name, _)| !rows.contains(&***name)) {
        problems.push(Problem::file(path, format!("`{name}` has no row in {PAGE}")));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "[workspace]\nmembers = ['a']\n[workspace.dependencies]\nelf-b = '1'\nserde = '1'\n";

    fn messages(root: &str, manifest: &str, page: &str) -> Vec<String> {
        let files = [("Cargo.toml", root), ("a/Cargo.toml", manifest), (PAGE, page)];
        check(&Tree::of(&files)).into_iter().map(|problem| problem.to_string()).collect()
    }

    #[test]
    fn a_page_with_all_crates_has_no_problem() {
        let manifest = "[dependencies]\nelf-b.workspace = true\nserde.workspace = true\n\
                        [target.'cfg(unix)'.dev-dependencies]\nnix = '1'\n";
        let page = "| crate | for |\n| --- | --- |\n| `serde` | a | b | c | d |\n| `nix` | a | b | c | d |\n";
        assert_eq!(messages(ROOT, manifest, page), Vec::<String>::new());
    }

    #[test]
    fn each_lapse_is_found() {
        let root = format!("{ROOT}insta = '1'\n");
        let page = "| `serde` | a | b | c |\n| `gone` | a | b | c | d |\n| `serde` | a | b | | d |\n";
        assert_eq!(
            messages(&root, "[dependencies]\nserde = '1'\n[dev-dependencies]\nproptest = '1'\n", page),
            [
                "Cargo.toml: no member of the workspace uses `insta`",
                "docs/dependencies.md:1: expected 5 cells with something in each",
                "docs/dependencies.md:2: no manifest names `gone`",
                "docs/dependencies.md:3: expected 5 cells with something in each",
                "docs/dependencies.md:3: `serde` has a row already",
                "a/Cargo.toml: `proptest` has no row in docs/dependencies.md",
            ]
        );
    }
}
