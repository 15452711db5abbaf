//! The sources: what each file must begin with, how long it may be, and what may stand in none.

use super::{Problem, Tree};
use std::collections::BTreeMap;

/// The most lines a source file has. Longer ones hold two subjects, or stand in [`LONG`] with their reason.
const LINES: usize = 600;

/// The most lines that the sources of a crate of the product have together. A larger one is two crates.
const CRATE_LINES: usize = 9000;

/// Crates that may have more, with their limit: trees and pointers are in one; reading and writing are in
/// one, and may come to be; schemas are read, built in, answered by and converted in one; the command is
/// wide, not deep: each verb is a file or two that know nothing of the others.
const LARGE_CRATES: &[(&str, usize)] =
    &[("elf-tree", 9200), ("elf-schema", 10_040), ("elf-tagged", 9500), ("elf-cli", 10_620)];

/// The most columns of a line of comment, as `rustfmt.toml` has it for code.
const COLUMNS: usize = 110;

/// Source files that may be longer, and why.
const LONG: &[(&str, &str)] = &[];

/// Places of the machine a file was written on, which mean nothing to who reads it.
const MACHINE: &[&str] = &[concat!("/", "work/"), concat!("/", "tmp/"), concat!("/", "root/")];

/// Crates that open no file, ask no clock and see no terminal: what they need comes as a value.
const PURE: &[&str] = &[
    "base/elf-base/src/",
    "elf-octets/src/",
    "elf-lines/src/",
    "elf-tagged/src/read/",
    "elf-tagged/src/",
    "lib/elf-edit/src/",
    "elf-schema/src/",
    "lib/elf-validate/src/",
    "lib/elf-lineage/src/",
    "lib/elf-extract/src/",
    "lib/elf-tables/src/",
    "lib/elf-parquet/src/",
    "command/elf-pictures/src/",
    "elf-model/src/",
    "lib/elf-migrate/src/",
    "base/elf-values/src/",
    "lib/elf-archive/src/",
    "lib/elf-config/src/",
    "command/elf-render/src/",
    "lib/elf-findings/src/",
    "command/elf-report/src/",
];

/// Pure crates whose texts are the command's own: they may name its options.
const OF_COMMAND: &[&str] =
    &["lib/elf-config/src/", "command/elf-render/src/", "lib/elf-findings/src/", "command/elf-report/src/"];

/// The one file below the command that drives the network.
const NETWORK: &str = "elf-schema/src/source/http.rs";

/// The modules of the standard library that a pure crate does not name.
const OUTSIDE: &[&str] = &["std::fs", "std::env", "std::net", "std::process", "std::time", "std::thread"];

/// Runs over every text file.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.files() {
        machine_paths(path, text, &mut problems);
        if !is_fixture(path) {
            whitespace(path, text, &mut problems);
        }
        if path.ends_with(".rs") {
            source(path, text, &mut problems);
        }
    }
    crate_sizes(tree, &mut problems);
    for (path, _) in LONG {
        if tree.get(path).is_none_or(|text| text.lines().count() <= LINES) {
            problems.push(Problem::file(path, "the list of long files names it, but it is not long"));
        }
    }
    problems
}

/// Counts the lines in the `src` of each crate, but for tables that are made of facts: nobody reads those.
fn crate_sizes(tree: &Tree, problems: &mut Vec<Problem>) {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, text) in tree.files() {
        if path.ends_with(".rs")
            && path.starts_with("elf-")
            && let Some((name, _)) = path.split_once("/src/")
            && !is_generated(text)
        {
            *sizes.entry(name).or_default() += text.lines().count();
        }
    }
    for (name, lines) in sizes {
        let limit =
            LARGE_CRATES.iter().find(|(large, _)| *large == name).map_or(CRATE_LINES, |(_, most)| *most);
        if lines > limit {
            let message = format!("{lines} lines of src, where a crate of one subject has at most {limit}");
            problems.push(Problem::file(name, message));
        }
    }
}

/// Tells whether a source is made by `cargo xtask`, as it says at its start.
fn is_generated(text: &str) -> bool {
    text.lines().take(4).any(|line| line.starts_with("//! Made by `cargo xtask"))
}

fn source(path: &str, text: &str, problems: &mut Vec<Problem>) {
    if !text.starts_with("//! ") {
        problems.push(Problem::line(path, 0, "expected a module doc line (`//! …`) first"));
    }
    let is_generated = is_generated(text);
    for (index, line) in wide_comments(text).filter(|_| !is_generated) {
        let columns = line.chars().count();
        let message = format!("{columns} columns of comment, where {COLUMNS} are the most");
        problems.push(Problem::line(path, index, message));
    }
    let lines = text.lines().count();
    if lines > LINES && !LONG.iter().any(|(long, _)| *long == path) {
        problems.push(Problem::file(
            path,
            format!("{lines} lines, where a file of one subject has at most {LINES}"),
        ));
    }
    let is_in = |folders: &[&str]| folders.iter().any(|folder| path.starts_with(folder));
    if is_in(PURE) && !is_in(OF_COMMAND) {
        for (index, _) in library_code(text).filter(|(_, line)| line.contains("`--")) {
            problems.push(Problem::line(path, index, "a library names no option of the command"));
        }
    }
    if is_in(PURE) && path != NETWORK {
        for (index, line) in library_code(text) {
            for name in OUTSIDE.iter().filter(|name| line.contains(*name)) {
                problems.push(Problem::line(path, index, format!("a library crate does not use {name}")));
            }
        }
    }
}

/// Finds the lines of comment that are too wide and could be broken, counted from 0: rows of tables, single
/// words and examples cannot.
fn wide_comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_example = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            is_example = false;
            return false;
        };
        let comment = comment.trim_start_matches(['/', '!']).trim_start();
        is_example ^= comment.starts_with("```");
        !is_example && line.chars().count() > COLUMNS && !comment.starts_with('|') && comment.contains(' ')
    })
}

/// The lines of a source, counted from 0, without comments and without the tests at its end.
pub(super) fn library_code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = text.find("\n#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let code = text.get(..end).unwrap_or_default();
    code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn whitespace(path: &str, text: &str, problems: &mut Vec<Problem>) {
    for (index, line) in text.split('\n').enumerate() {
        if line.ends_with([' ', '\t', '\r']) {
            problems.push(Problem::line(path, index, "whitespace at the end of the line"));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        problems.push(Problem::file(path, "no line break at the end of the file"));
    } else if text.ends_with("\n\n") {
        problems.push(Problem::file(path, "blank lines at the end of the file"));
    }
}

fn machine_paths(path: &str, text: &str, problems: &mut Vec<Problem>) {
    for (index, line) in text.lines().enumerate() {
        for place in MACHINE.iter().filter(|place| line.contains(*place)) {
            problems.push(Problem::line(path, index, format!("names a place of one machine ({place})")));
        }
    }
}

/// Files whose every octet is what they test.
fn is_fixture(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "tests/fixtures/",
        "tests/vectors/",
        "tests/requirements/",
        "tools/fuzz/seeds/",
        "tools/fuzz/kept/",
    ];
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    FOLDERS.iter().any(|folder| path.starts_with(folder))
        || matches!(ending.as_deref(), Some("ged" | "snap" | "stdout" | "stderr" | "trycmd" | "tsv"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(path, text)])).into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn a_good_source_has_no_problem() {
        assert!(messages("base/elf-base/src/a.rs", "//! A room.\n\nfn f() {}\n").is_empty());
    }

    #[test]
    fn a_source_starts_with_its_module_doc() {
        assert_eq!(messages("a.rs", "use std::fmt;\n").len(), 1);
        assert_eq!(messages("a.rs", "").len(), 1);
    }

    #[test]
    fn a_wide_comment_is_found() {
        let wide = format!("{} word", "x".repeat(COLUMNS));
        for (comment, count) in
            [("// ", 1), ("    /// ", 1), ("//! | ", 0), ("let a = ", 0), ("// ```\n// ", 0)]
        {
            assert_eq!(
                messages("a.rs", &format!("//! A room.\n{comment}{wide}\n")).len(),
                count,
                "{comment}"
            );
        }
    }

    #[test]
    fn a_long_source_is_found() {
        let text = format!("//! A room.\n{}", "fn f() {}\n".repeat(LINES));
        assert_eq!(messages("a.rs", &text), ["601 lines, where a file of one subject has at most 600"]);
    }

    #[test]
    fn a_large_crate_is_found() {
        let text = format!("//! A room.\n{}", "fn f() {}\n".repeat(LINES - 1));
        let names: Vec<String> =
            (0..=CRATE_LINES / LINES).map(|number| format!("/src/f{number}.rs")).collect();
        for (name, count) in
            [("elf-a", 1), ("elf-tagged", usize::from(names.len() * LINES > 9500)), ("tests", 0)]
        {
            let files: Vec<String> = names.iter().map(|file| format!("{name}{file}")).collect();
            let files: Vec<(&str, &str)> = files.iter().map(|file| (file.as_str(), text.as_str())).collect();
            let problems = check(&Tree::of(&files));
            assert_eq!(problems.len(), count, "{name}");
            let made =
                text.replacen("//! A room.\n", "//! A room.\n//!\n//! Made by `cargo xtask schema`.\n", 1);
            let files: Vec<(&str, &str)> = files.iter().map(|(file, _)| (*file, made.as_str())).collect();
            let sizes = check(&Tree::of(&files)).into_iter().filter(|problem| problem.path == name);
            assert_eq!(sizes.count(), 0, "{name}");
        }
    }

    #[test]
    fn whitespace_at_an_end_is_found_but_not_in_fixtures() {
        assert_eq!(messages("a.md", "a \nb\r\nc").len(), 3);
        assert_eq!(messages("a.md", "a\n\n").len(), 1);
        assert!(messages("tests/fixtures/a.txt", "a \nb\r\nc").is_empty());
        assert!(messages("examples/a.GED", "0 HEAD \n").is_empty());
    }

    #[test]
    fn machine_paths_are_found_everywhere() {
        for place in MACHINE {
            assert_eq!(messages("examples/a.ged", &format!("1 FILE {place}a\n")).len(), 1);
        }
    }

    #[test]
    fn only_texts_of_the_command_name_its_options() {
        let text = "//! A room.\nconst HELP: &str = \"`--rules wild` reads on\";\n";
        assert_eq!(messages("elf-octets/src/a.rs", text), ["a library names no option of the command"]);
        assert!(messages("command/elf-render/src/a.rs", text).is_empty());
        assert!(messages("elf-octets/src/a.rs", "//! A room.\n// `--rules`\n").is_empty());
    }

    #[test]
    fn a_pure_crate_opens_nothing_outside_its_tests() {
        let library = "//! A room.\n// std::fs\nuse std::fs::File;\n";
        let tested = "//! A room.\n#[cfg(test)]\nmod tests { use std::fs; }\n";
        assert_eq!(messages("elf-tagged/src/a.rs", library), ["a library crate does not use std::fs"]);
        assert!(messages("elf-tagged/src/a.rs", tested).is_empty());
        assert!(messages("command/elf-cli/src/a.rs", library).is_empty());
    }
}
