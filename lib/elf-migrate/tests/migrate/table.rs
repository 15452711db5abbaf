//! The table of constructs, `facts/migration.tsv`, against the sources.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]
#![allow(clippy::disallowed_methods, reason = "the sources are files")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A construct that the standards express differently.
pub(crate) struct Row {
    pub(crate) id: String,
    /// The function that converts it to GEDCOM 7.0, and the one that converts it back; `unchanged` if it is
    /// copied.
    functions: [String; 2],
}

const UNCHANGED: &str = "unchanged";

pub(crate) fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(root().join("facts/migration.tsv")).expect("the table");
    let rows = text.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        assert!(cells.len() == 7 && cells.iter().all(|cell| !cell.is_empty()), "seven cells: {line}");
        let functions = [cells[5], cells[6]].map(str::to_owned);
        Row { id: cells[0].to_owned(), functions }
    });
    rows.collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files of a folder of the crate, in all its folders.
fn files(folder: &str) -> Vec<PathBuf> {
    let (mut files, mut open) = (Vec::new(), vec![root().join(folder)]);
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).expect("a folder").map(|entry| entry.expect("one").path()));
        } else {
            files.push(path);
        }
    }
    files
}

/// Returns the identifiers such as `MG17` in a text.
fn cited(text: &str) -> BTreeSet<String> {
    let words = text.split(|one: char| !one.is_ascii_alphanumeric());
    let is_id = |word: &&str| {
        let number = word.strip_prefix("MG");
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    words.filter(is_id).map(str::to_owned).collect()
}

#[test]
fn each_cited_row_is_in_the_table() {
    let known: BTreeSet<String> = rows().into_iter().map(|row| row.id).collect();
    for file in files("src").into_iter().chain(files("tests/vectors")).chain(files("tests/migrate")) {
        let text = std::fs::read_to_string(&file).expect("a file");
        let unknown: Vec<String> = cited(&text).difference(&known).cloned().collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", file.display());
    }
}

#[test]
fn each_row_names_the_functions_that_convert_it() {
    for Row { id, functions } in rows() {
        for path in functions.iter().filter(|path| *path != UNCHANGED) {
            let (module, function) = path.rsplit_once("::").expect("a module and a function");
            let file = root().join(format!("src/{}.rs", module.replace("::", "/")));
            assert!(file.exists(), "{id}: no {}", file.display());
            let text = std::fs::read_to_string(&file).expect("a file");
            let has = |end: &str| text.contains(&format!("fn {function}{end}"));
            assert!(has("(") || has("<"), "{id}: no {path}");
        }
    }
}
