//! The book in `docs`: every link leads to a file, and every page is in it.

use super::{Problem, ProjectFiles};
use std::collections::BTreeSet;

const BOOK: &str = "docs/";
const SUMMARY: &str = "docs/SUMMARY.md";

pub(super) fn check_links(files: &ProjectFiles) -> Vec<Problem> {
    let mut problems = Vec::new();
    // The pages that the summary links to.
    let mut listed = BTreeSet::new();
    for (page, text) in files.texts().filter(|(path, _)| path.ends_with(".md")) {
        let is_in_book = page.starts_with(BOOK);
        for (index, line) in text.lines().enumerate() {
            for target in markdown_links(line) {
                let path =
                    resolve_target(page, target).filter(|path| files.paths().any(|known| known == path));
                match path {
                    None => problems.push(Problem::in_line(page, index, format!("there is no `{target}`"))),
                    Some(path) if is_in_book && !path.starts_with(BOOK) => {
                        problems.push(Problem::in_line(page, index, format!("{path} is not in the book")));
                    }
                    Some(path) if page == SUMMARY && !listed.insert(path.clone()) => {
                        problems.push(Problem::in_line(page, index, format!("{path} is listed twice")));
                    }
                    Some(_) => {}
                }
            }
        }
    }
    for path in files.paths() {
        let is_page = path.starts_with(BOOK) && path.ends_with(".md") && path != SUMMARY;
        if is_page && !listed.contains(path) {
            problems.push(Problem::in_file(path, format!("is not in {SUMMARY}")));
        }
    }
    problems
}

/// The targets of the links in a line that lead to Markdown files of the project, without anchors.
fn markdown_links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    let paths = targets.map(|target| target.split_once('#').map_or(target, |(path, _)| path));
    paths.filter(|path| path.ends_with(".md") && !path.contains("://"))
}

/// The path from the root of a target on a page. `None` if the target is above the root.
fn resolve_target(page: &str, target: &str) -> Option<String> {
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
    use super::super::problems_of;
    use super::*;

    #[test]
    fn each_mistake_is_found() {
        let files = [
            ("README.md", "[here](docs/a.md#part), [gone](docs/gone.md), [web](https://e.example/x.md)\n"),
            ("docs/SUMMARY.md", "- [A](a.md)\n- [A](a.md)\n- [Codes](codes/c.md)\n"),
            ("docs/a.md", "[gone](gone.md), [out](../README.md), [far](../../x.md)\n"),
            ("docs/b.md", "text\n"),
            ("docs/codes/c.md", "[up](../a.md)\n"),
        ];
        assert_eq!(
            problems_of(check_links, &files),
            [
                "README.md:1: there is no `docs/gone.md`",
                "docs/SUMMARY.md:2: docs/a.md is listed twice",
                "docs/a.md:1: there is no `gone.md`",
                "docs/a.md:1: README.md is not in the book",
                "docs/a.md:1: there is no `../../x.md`",
                "docs/b.md: is not in docs/SUMMARY.md",
            ]
        );
    }
}
