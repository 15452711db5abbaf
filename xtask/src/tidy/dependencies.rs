//! docs/dependencies.md: every external crate of a manifest has a row, and every row belongs to such a crate.

use super::{Problem, ProjectFiles};
use crate::packages::member_folders;
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

const PAGE: &str = "docs/dependencies.md";

pub(super) fn check_rows(files: &ProjectFiles) -> Vec<Problem> {
    let manifest = |path: &str| files.text(path)?.parse::<Table>().ok();
    let Some(workspace) = manifest("Cargo.toml") else {
        return vec![Problem::in_file("Cargo.toml", "cannot be read")];
    };
    // Each external crate with a manifest that names it.
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    for member in member_folders(&workspace) {
        let path = format!("{member}/Cargo.toml");
        for name in manifest(&path).iter().flat_map(external_crates) {
            named.insert(name.to_owned(), path.clone());
        }
    }
    let page = files.text(PAGE).unwrap_or("");
    let rows: BTreeSet<&str> =
        page.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0)).collect();
    let surplus = rows.iter().filter(|name| !named.contains_key(**name));
    let missing = named.iter().filter(|(name, _)| !rows.contains(name.as_str()));
    surplus
        .map(|name| Problem::in_file(PAGE, format!("no manifest names `{name}`")))
        .chain(missing.map(|(name, path)| Problem::in_file(path, format!("`{name}` has no row in {PAGE}"))))
        .collect()
}

/// The names of the crates in all tables of dependencies that are not crates of this project.
fn external_crates(manifest: &Table) -> impl Iterator<Item = &str> {
    const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let targets = manifest.get("target").and_then(Value::as_table);
    let of_targets = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
    std::iter::once(manifest)
        .chain(of_targets)
        .flat_map(|table| KINDS.iter().filter_map(|kind| table.get(*kind)?.as_table()))
        .flat_map(Table::keys)
        .map(String::as_str)
        .filter(|name| !name.starts_with("elf-"))
}

#[cfg(test)]
mod tests {
    use super::super::problems_of;
    use super::*;

    #[test]
    fn each_mistake_is_found() {
        let manifest = "[dependencies]\nelf-b = '1'\nserde = '1'\n\
                        [target.'cfg(unix)'.dev-dependencies]\nnix = '1'\nproptest = '1'\n";
        let page = "| crate | purpose |\n| --- | --- |\n| `serde` | a |\n| `nix` | b |\n| `gone` | c |\n";
        let root = "[workspace]\nmembers = ['a']\n";
        assert_eq!(
            problems_of(check_rows, &[("Cargo.toml", root), ("a/Cargo.toml", manifest), (PAGE, page)]),
            [
                "docs/dependencies.md: no manifest names `gone`",
                "a/Cargo.toml: `proptest` has no row in docs/dependencies.md"
            ]
        );
    }
}
