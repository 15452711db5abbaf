//! `elf convert` of real files to GEDCOM 7.0 and from there to plain GEDCOM 5.5.1. The corpus is beside
//! the project; where it is absent, this says so and passes.

use crate::shell::{json, run, status, stderr};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Codes that an output has more often than its input, for a fault of the input that has another code there.
const EXPLAINED: [(&str, &str, u64, &str); 6] = [
    ("maximal70.ged", "E0903", 1, "a source citation of the file leads to @VOID@"),
    ("maximal70.ged", "E0910", 10, "the file has circles of pointers, which GEDCOM 7.0 forbids"),
    ("unterminated-xref.ged", "E0415", 1, "a line that cannot be read is written as ERROR"),
    ("xref-case.ged", "E0901", 1, "HEAD.SUBM leads nowhere, and is left out"),
    ("issue00018.ged", "E0901", 2, "there is no header"),
    ("fullname.ged", "E0901", 1, "HEAD.SUBM is empty, and is left out"),
];

/// Files that no program has written in earnest: they hold what cannot be carried over.
const TORTURE: [&str; 1] = ["customtagstorture.ged"];

/// The least number of lines of a file of which a share says anything.
const LONG: u64 = 100;

#[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: there is no corpus in {}", folder.display());
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_wanted = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ged"))
            // It is a web page.
            && !path.to_string_lossy().contains("GeorgeWashington")
    };
    let mut paths: Vec<PathBuf> = paths.filter(is_wanted).collect();
    paths.sort();
    paths
}

/// The malformed and non-conformant findings of each code, and the summary.
fn findings(args: &[&str]) -> (BTreeMap<String, u64>, Value) {
    let output = run(args);
    assert!(status(&output) < 2, "{args:?}: {}", stderr(&output));
    let (mut counts, mut lines) = (BTreeMap::new(), json(&output));
    let summary = lines.pop().expect("a summary")["summary"].take();
    for line in
        lines.iter().filter(|line| matches!(line["class"].as_str(), Some("malformed" | "non-conformant")))
    {
        *counts.entry(line["code"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
    }
    (counts, summary)
}

#[test]
fn the_corpus_goes_to_gedcom_7_and_back_without_new_faults() {
    let folder = tempfile::tempdir().expect("a folder");
    let [seven, plain] =
        ["seven.ged", "plain.ged"].map(|name| folder.path().join(name).display().to_string());
    for path in files() {
        let name = path.display().to_string();
        let (before, read) = findings(&["check", "--format", "json", "--against", "5.5.1", &name]);
        let check_new = |rules: &str, standard: &str, place: &str| {
            let (after, _) =
                findings(&["check", "--format", "json", "--rules", rules, "--against", standard, place]);
            for (code, count) in after {
                let explained = EXPLAINED.iter().find(|(file, of, ..)| name.ends_with(file) && **of == code);
                let known = before.get(&code).copied().unwrap_or_default();
                assert!(
                    count <= known + explained.map_or(0, |row| row.2),
                    "{name} by {rules}: {count} {code}"
                );
            }
        };
        let to_7 = ["convert", "--format", "json", "--to-rules", "gedcom-7", "-o", &seven, &name];
        let (_, written) = findings(&to_7);
        check_new("gedcom-7", "7.0", &seven);
        let numbers = [&written["losses"], &read["lines"]].map(|number| number.as_u64().expect("a number"));
        let [losses, lines] = numbers;
        if lines >= LONG && !TORTURE.iter().any(|file| name.ends_with(file)) {
            assert!(losses * 100 <= lines, "{name}: {losses} losses in {lines} lines");
        }
        findings(&["convert", "--format", "json", "--to-rules", "gedcom-5.5.1", "-o", &plain, &seven]);
        check_new("gedcom-5.5.1", "5.5.1", &plain);
    }
}
