//! The book: every page stands in its summary, every link leads somewhere, every code has its place.

use super::{Problem, Tree};
use std::collections::{BTreeMap, BTreeSet};

const FOLDER: &str = "docs/";
const SUMMARY: &str = "docs/SUMMARY.md";
const PAGES: &str = "base/elf-base/pages/";

/// Runs over the pages of the book.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    let pages: Vec<(&str, &str)> =
        tree.files().filter(|(path, _)| path.starts_with(FOLDER) && path.ends_with(".md")).collect();
    let mut listed = BTreeSet::new();
    let mut included: BTreeMap<String, usize> = BTreeMap::new();
    for (path, text) in &pages {
        for (index, line) in text.lines().enumerate() {
            for target in links(line) {
                let problem = match resolved(path, target) {
                    None => Some(format!("`{target}` leads out of the project")),
                    Some(to) if tree.get(&to).is_none() => Some(format!("there is no {to}")),
                    // A page outside is no page of the book, where the link would lead to nothing.
                    Some(to) if !to.starts_with(FOLDER) => Some(format!("{to} is not in the book")),
                    Some(to) => {
                        if *path == SUMMARY && !listed.insert(to.clone()) {
                            Some(format!("{to} is listed twice"))
                        } else {
                            None
                        }
                    }
                };
                problems.extend(problem.map(|message| Problem::line(path, index, message)));
            }
            for code in codes(line) {
                if tree.get(&format!("{PAGES}{code}.md")).is_none() {
                    problems.push(Problem::line(path, index, format!("there is no code {code}")));
                }
            }
            let Some(target) = included_file(line) else { continue };
            match resolved(path, target).filter(|to| tree.get(to).is_some()) {
                Some(to) => *included.entry(to).or_default() += 1,
                None => problems.push(Problem::line(path, index, format!("there is no {target}"))),
            }
        }
    }
    for (path, _) in pages {
        if path != SUMMARY && !listed.contains(path) {
            problems.push(Problem::file(path, format!("is not in {SUMMARY}")));
        }
    }
    for path in tree.paths().filter(|path| path.starts_with(PAGES)) {
        if included.get(path) != Some(&1) {
            problems.push(Problem::file(path, "stands in docs/codes not once"));
        }
    }
    let is_example = |path: &&str| path.starts_with("elf-") && path.split('/').nth(1) == Some("examples");
    for path in tree.paths().filter(is_example).filter(|path| path.ends_with(".rs")) {
        if !included.contains_key(path) {
            problems.push(Problem::file(path, "is not in docs/cookbook.md"));
        }
    }
    problems
}

/// Returns the targets of the links of a line that lead to files.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    let files = targets.map(|target| target.split('#').next().unwrap_or_default());
    files.filter(|target| target.ends_with(".md") && !target.contains("://"))
}

/// Returns the words of a line that are codes of findings, `E` and four digits.
fn codes(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| {
        word.len() == 5 && word.strip_prefix('E').is_some_and(|rest| rest.parse::<u16>().is_ok())
    })
}

/// Returns the file that a line of mdBook includes.
fn included_file(line: &str) -> Option<&str> {
    line.strip_prefix("{{#include ")?.strip_suffix("}}")
}

/// Returns the path from the root of a target on a page; `None` where it leads above the root.
fn resolved(page: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()?),
            "." => {}
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::of(files)).into_iter().map(|problem| problem.to_string()).collect()
    }

    #[test]
    fn a_book_in_order_has_no_problem() {
        let files = [
            ("docs/SUMMARY.md", "- [A](a.md)\n- [Codes](codes/b.md)\n"),
            ("docs/a.md", "See [codes](codes/b.md#e0101), [all](https://e.example/x.md).\n"),
            ("docs/codes/b.md", "{{#include ../../elf-base/pages/E0101.md}}\n[up](../a.md)\n"),
            ("base/elf-base/pages/E0101.md", "# E0101\n"),
        ];
        assert_eq!(messages(&files), Vec::<String>::new());
    }

    #[test]
    fn each_lapse_is_found() {
        let found = messages(&[
            ("README.md", "text\n"),
            ("docs/SUMMARY.md", "- [A](a.md)\n- [A](a.md)\n"),
            ("docs/a.md", "[gone](gone.md), [out](../README.md), [far](../../x.md)\n{{#include gone.rs}}\n"),
            ("docs/b.md", "text, E0101 and E0102\n"),
            ("base/elf-base/pages/E0101.md", "# E0101\n"),
            ("elf-a/examples/a.rs", "//! A.\n"),
        ]);
        assert_eq!(
            found,
            [
                "docs/SUMMARY.md:2: docs/a.md is listed twice",
                "docs/a.md:1: there is no docs/gone.md",
                "docs/a.md:1: README.md is not in the book",
                "docs/a.md:1: `../../x.md` leads out of the project",
                "docs/a.md:2: there is no gone.rs",
                "docs/b.md:1: there is no code E0102",
                "docs/b.md: is not in docs/SUMMARY.md",
                "base/elf-base/pages/E0101.md: stands in docs/codes not once",
                "elf-a/examples/a.rs: is not in docs/cookbook.md",
            ]
        );
    }
}
