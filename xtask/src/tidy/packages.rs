//! The packages: what a stranger meets on a registry and on the pages of the documentation.

use super::{Problem, Tree};
use crate::{copies, packages};
use std::collections::HashMap;
use toml::{Table, Value};

/// The heading above the links to neighbours, in the README and on the front page.
const NEXT: &str = "# Which crate next";

/// The page that says which crate is for what.
const OVERVIEW: &str = "docs/crates.md";

/// Runs over every package.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let Some(workspace) = manifest(tree, "Cargo.toml") else { return Vec::new() };
    let mut problems = Vec::new();
    let published: Vec<String> = packages::members(&workspace)
        .into_iter()
        .filter(|member| {
            manifest(tree, &format!("{member}/Cargo.toml")).is_some_and(|it| packages::is_published(&it))
        })
        .collect();
    for (text, copy) in copies::all(&published) {
        if tree.get(&text) != tree.get(&copy) {
            problems
                .push(Problem::file(&copy, format!("is no copy of {text}; `cargo xtask copies` writes it")));
        }
    }
    let overview = tree.get(OVERVIEW).unwrap_or_default();
    for name in &published {
        if !overview.contains(&format!("(https://docs.rs/{name})")) {
            problems.push(Problem::file(OVERVIEW, format!("says nothing of {name}")));
        }
    }
    let mut lists: HashMap<Vec<String>, &str> = HashMap::new();
    for name in &published {
        let path = format!("{name}/Cargo.toml");
        let Some(manifest) = manifest(tree, &path) else { continue };
        problems.extend(metadata(name, &manifest).into_iter().map(|fault| Problem::file(&path, fault)));
        if let Some(other) = lists.insert(words(&manifest, "keywords"), name) {
            problems.push(Problem::file(&path, format!("the keywords are those of {other}")));
        }
        problems.extend(pages(tree, name, &published));
    }
    problems
}

/// Returns what a manifest lacks.
fn metadata(name: &str, manifest: &Table) -> Vec<String> {
    let mut faults = Vec::new();
    let package = manifest.get("package");
    let text = |key: &str| package.and_then(|package| package.get(key)?.as_str()).unwrap_or_default();
    for word in ["GEDCOM", "FHISO"] {
        if name != "elf-cli" && !text("description").contains(word) {
            faults.push(format!("the description does not say {word}"));
        }
    }
    let keywords = words(manifest, "keywords");
    if !keywords.iter().any(|word| word == "gedcom") || keywords.len() > 5 {
        faults.push("the keywords are at most five, `gedcom` among them".to_owned());
    }
    // On the registry the word means the format of executables.
    if keywords.iter().any(|word| word == "elf") {
        faults.push("the keyword `elf` is that of another format".to_owned());
    }
    if words(manifest, "categories").is_empty() {
        faults.push("there is no category".to_owned());
    }
    if text("documentation") != format!("https://docs.rs/{name}") {
        faults.push(format!("the documentation is not https://docs.rs/{name}"));
    }
    let pages = package.and_then(|package| package.get("metadata")?.get("docs")?.get("rs"));
    if pages.and_then(|pages| pages.get("all-features")?.as_bool()) != Some(true) {
        faults.push("[package.metadata.docs.rs] does not ask for all features".to_owned());
    }
    faults
}

/// Returns the faults of the README and of the front page.
fn pages(tree: &Tree, name: &str, published: &[String]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let path = format!("{name}/README.md");
    let readme = tree.get(&path).unwrap_or_default();
    if !readme.starts_with(&format!("# {name}\n")) {
        problems.push(Problem::file(&path, format!("does not open with `# {name}`")));
    }
    if !readme.contains("GEDCOM") {
        problems.push(Problem::file(&path, "does not say what the crate is to GEDCOM"));
    }
    if !readme.contains("\n```rust\n") && !readme.contains("\n```console\n") {
        problems.push(Problem::file(&path, "shows no code"));
    }
    let front = format!("{name}/src/lib.rs");
    let library = tree.get(&front);
    let mut documents = vec![(path.as_str(), readme)];
    if let Some(text) = library {
        if !text.contains("#[doc = include_str!(\"../README.md\")]") {
            problems.push(Problem::file(&front, "does not test the code of the README"));
        }
        documents.push((&front, text));
    }
    for (path, text) in documents {
        let Some((_, after)) = text.split_once(NEXT) else {
            problems.push(Problem::file(path, format!("lacks the section `{NEXT}`")));
            continue;
        };
        for link in after.split("https://docs.rs/").skip(1) {
            let to = link.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or_default();
            if to == name || !published.iter().any(|other| other == to) {
                problems.push(Problem::file(path, format!("links to `{to}`, which is no neighbour")));
            }
        }
        if !after.contains("https://docs.rs/") {
            problems.push(Problem::file(path, "names no neighbour"));
        }
    }
    problems
}

fn manifest(tree: &Tree, path: &str) -> Option<Table> {
    tree.get(path)?.parse().ok()
}

/// Returns a list of words of a package.
fn words(manifest: &Table, key: &str) -> Vec<String> {
    let list = manifest.get("package").and_then(|package| package.get(key)?.as_array());
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\ndescription = 'GEDCOM and FHISO ELF'\nkeywords = ['gedcom', 'x']\n\
        categories = ['encoding']\ndocumentation = 'https://docs.rs/elf-a'\n\
        [package.metadata.docs.rs]\nall-features = true\n";
    const README: &str = "# elf-a\n\nReads GEDCOM.\n\n```rust\n```\n\n## Which crate next\n\n\
        - [`elf-b`](https://docs.rs/elf-b): more\n";
    const FRONT: &str = "//! Reads.\n//!\n//! # Which crate next\n//!\n//! * [`elf-b`](https://docs.rs/elf-b): more\n\
        #[doc = include_str!(\"../README.md\")]\n";

    /// Returns the problems of a workspace of two packages, the second as it should be.
    fn problems(manifest: &str, readme: &str, front: &str, licence: &str) -> Vec<String> {
        let other =
            |text: &str| text.replace("elf-b", "elf-?").replace("elf-a", "elf-b").replace("elf-?", "elf-a");
        let other_manifest = other(MANIFEST).replace("'x'", "'y'");
        let (other_readme, other_front) = (other(README), other(FRONT));
        let mut files = vec![
            ("Cargo.toml", "[workspace]\nmembers = ['elf-a', 'elf-b', 'house']\n"),
            ("docs/crates.md", "[`elf-a`](https://docs.rs/elf-a), [`elf-b`](https://docs.rs/elf-b)\n"),
            ("house/Cargo.toml", "[package]\npublish = false\n"),
            ("elf-a/Cargo.toml", manifest),
            ("elf-a/README.md", readme),
            ("elf-a/src/lib.rs", front),
            ("elf-b/Cargo.toml", &other_manifest),
            ("elf-b/README.md", &other_readme),
            ("elf-b/src/lib.rs", &other_front),
            ("elf-a/LICENSE-MIT", licence),
        ];
        for path in [
            "LICENSE-MIT",
            "LICENSE-APACHE",
            "elf-a/LICENSE-APACHE",
            "elf-b/LICENSE-MIT",
            "elf-b/LICENSE-APACHE",
        ] {
            files.push((path, "Permission\n"));
        }
        check(&Tree::of(&files)).into_iter().map(|problem| problem.to_string()).collect()
    }

    #[test]
    fn packages_in_order_have_no_problem() {
        assert_eq!(problems(MANIFEST, README, FRONT, "Permission\n"), Vec::<String>::new());
    }

    #[test]
    fn each_lapse_is_found() {
        let one = |found: Vec<String>, words: &str| {
            assert!(found.len() == 1 && found[0].contains(words), "expected {words:?}, but found {found:?}");
        };
        let manifest =
            |from: &str, to: &str| problems(&MANIFEST.replace(from, to), README, FRONT, "Permission\n");
        one(problems(MANIFEST, README, FRONT, "None\n"), "is no copy of LICENSE-MIT");
        one(manifest("FHISO", ""), "does not say FHISO");
        one(manifest("'gedcom', ", ""), "`gedcom` among them");
        one(manifest("'x'", "'elf'"), "another format");
        one(manifest("'x'", "'y'"), "the keywords are those of");
        one(manifest("categories = ['encoding']\n", ""), "no category");
        one(manifest("docs.rs/elf-a", "docs.rs/elf-b"), "documentation");
        one(manifest("all-features = true", ""), "all features");
        let readme =
            |from: &str, to: &str| problems(MANIFEST, &README.replace(from, to), FRONT, "Permission\n");
        one(readme("# elf-a", "# a"), "does not open with");
        one(readme("```rust", "```text"), "shows no code");
        one(readme("GEDCOM", "files"), "what the crate is to GEDCOM");
        one(readme("docs.rs/elf-b", "docs.rs/elf-c"), "`elf-c`, which is no neighbour");
        let front =
            |from: &str, to: &str| problems(MANIFEST, README, &FRONT.replace(from, to), "Permission\n");
        one(front("include_str!", ""), "does not test");
        one(front("Which crate next", "Other"), "lacks the section");
    }

    #[test]
    fn the_overview_names_each_package() {
        let tree = Tree::of(&[
            ("Cargo.toml", "[workspace]\nmembers = ['elf-a']\n"),
            ("elf-a/Cargo.toml", "[package]\n"),
            ("docs/crates.md", "[`elf-b`](https://docs.rs/elf-b)\n"),
        ]);
        let found: Vec<String> = check(&tree).into_iter().map(|problem| problem.to_string()).collect();
        assert!(found.contains(&"docs/crates.md: says nothing of elf-a".to_owned()), "{found:?}");
    }
}
