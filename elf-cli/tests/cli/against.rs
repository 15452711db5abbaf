//! `--against`: what is held against a structural standard, by whose word, and in files of any size.

use crate::shell::{elf, json, status, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

/// Has a second SEX, a pointer to a record of another type, a family that does not answer and a repository
/// without a name: the last is a fault to both standards.
const TEXT: &str = "0 HEAD\n1 SUBM @U1@\n1 SOUR X\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n\
    0 @U1@ SUBM\n1 NAME Me\n0 @I1@ INDI\n1 SEX M\n1 SEX F\n1 FAMS @U1@\n1 FAMS @F1@\n0 @F1@ FAM\n0 @R1@ REPO\n\
    0 TRLR\n";

fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.ged"), text).expect("a file");
    folder
}

fn check(folder: &Path, args: &[&str]) -> Output {
    elf(&[&["check", "a.ged", "--format", "json"], args].concat())
        .current_dir(folder)
        .output()
        .expect("the command runs")
}

/// Line, code and class of each finding.
fn found(output: &Output) -> Vec<(u64, String, String)> {
    assert_ne!(status(output), 2, "{}", stderr(output));
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let row =
        |line: &Value| (line["line"].as_u64().unwrap_or_default(), word(&line["name"]), word(&line["class"]));
    json(output).iter().filter(|line| line["code"].is_string()).map(row).collect()
}

fn rows(rows: &[(u64, &str, &str)]) -> Vec<(u64, String, String)> {
    rows.iter().map(|&(line, name, class)| (line, name.to_owned(), class.to_owned())).collect()
}

#[test]
fn the_data_model_gives_advice_unless_somebody_names_a_standard() {
    let folder = folder(TEXT);
    let advice = rows(&[
        (12, "structure-repeated", "advice"),
        (13, "pointer-wrong-type", "advice"),
        (16, "structure-missing", "advice"),
    ]);
    let unasked = check(folder.path(), &[]);
    assert_eq!((found(&unasked), status(&unasked)), (advice, 0));
    let named = check(folder.path(), &["--against", "data-model"]);
    let wanted = rows(&[
        (12, "structure-repeated", "advice"),
        (13, "pointer-wrong-type", "non-conformant"),
        (16, "structure-missing", "advice"),
    ]);
    assert_eq!((found(&named), status(&named)), (wanted, 1));
    let gedcom = check(folder.path(), &["--against", "5.5.1"]);
    let wanted = rows(&[
        (12, "structure-repeated", "non-conformant"),
        (13, "pointer-wrong-type", "non-conformant"),
        (16, "structure-missing", "non-conformant"),
    ]);
    assert_eq!((found(&gedcom), status(&gedcom)), (wanted, 1));
    for nothing in [&["--against", "none"][..], &["--rules", "2017-07"], &["--rules", "2017-10"]] {
        let output = check(folder.path(), nothing);
        let of_standards = |(_, name, _): &(u64, String, String)| name.starts_with("structure-");
        assert!(!found(&output).iter().any(of_standards), "{nothing:?}");
    }
    let asked = check(folder.path(), &["--rules", "2017-10", "--against", "5.5.1"]);
    assert!(found(&asked).contains(&(12, "structure-repeated".to_owned(), "non-conformant".to_owned())));
}

#[test]
fn a_configuration_names_a_standard_for_some_files() {
    let folder = folder(TEXT);
    fs::write(folder.path().join("elf.toml"), "[[check.files]]\nglob = \"a.*\"\nagainst = \"5.5.1\"\n")
        .expect("a file");
    let output = check(folder.path(), &[]);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("\"config\":\"elf.toml\""));
    let output = check(folder.path(), &["--against", "none"]);
    assert_eq!(found(&output), []);
    assert!(!stdout(&output).contains("\"config\""), "it has no say");
    assert_eq!(status(&check(folder.path(), &["--against", "5.6"])), 2);
}

#[test]
fn a_large_file_has_the_findings_of_a_small_one() {
    let filler: String = (0..20_000).map(|n| format!("0 @N{n}@ NOTE {}\n", "x".repeat(40))).collect();
    let text = TEXT.replace("0 @F1@ FAM\n", &format!("{filler}0 @F1@ FAM\n"));
    assert!(text.len() > 1 << 19);
    let (small, large) = (folder(TEXT), folder(&text));
    for standard in ["data-model", "5.5.1"] {
        let wanted: Vec<_> = found(&check(small.path(), &["--against", standard]))
            .into_iter()
            .map(|(line, name, class)| (line + if line > 14 { 20_000 } else { 0 }, name, class))
            .collect();
        for jobs in ["1", "2", "3"] {
            let output = check(large.path(), &["--against", standard, "--jobs", jobs]);
            assert_eq!(found(&output), wanted, "{standard} on {jobs}");
            let paths: Vec<Value> = json(&output).iter().map(|line| line["path"].clone()).collect();
            assert_eq!(paths[1], "@I1@/FAMS[1]");
        }
    }
}
