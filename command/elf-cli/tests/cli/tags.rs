//! Tags without meaning where they stand, through the command.

use crate::shell::{json, run, run_with, status, stderr, stdout};
use serde_json::Value;
use std::path::Path;

const TAGS: &[u8] =
    b"0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 @I1@ INDI\n1 _UID 7\n1 BIRT\n\
    2 QUAY 1\n1 BRTH\n2 QUAY 1\n0 @I2@ INDI\n1 BIRT\n2 QUAY 3\n0 TRLR\n";

/// The findings about tags, of JSON: line, message, count.
fn of_tags(lines: &[Value]) -> Vec<(u64, &str, Option<u64>)> {
    let found = lines.iter().filter(|line| line["code"] == "E0415");
    found
        .map(|one| {
            let message = one["message"].as_str().unwrap_or_default();
            (one["line"].as_u64().unwrap_or_default(), message, one["count"].as_u64())
        })
        .collect()
}

#[test]
fn check_says_which_tags_mean_nothing() {
    let output = run_with(&["check", "--format", "json", "-"], TAGS);
    let lines = json(&output);
    assert_eq!(
        of_tags(&lines),
        [
            (9, "unknown tag `QUAY` under `BIRT` (2 occurrences)", Some(2)),
            (10, "unknown tag `BRTH` under `INDI`", Some(1)),
        ]
    );
    assert_eq!(lines[0]["help"], "`QUAY` is defined under `SOUR`");
    assert_eq!(lines[1]["help"], "did you mean `BIRT`?");
    assert_eq!((status(&output), &lines[0]["class"]), (0, &"advice".into()));
    assert_eq!(status(&run_with(&["check", "--deny", "warnings", "-"], TAGS)), 1);
    let output = run_with(&["check", "-"], TAGS);
    assert!(stdout(&output).ends_with("2 advice\n"), "{}", stdout(&output));
}

#[test]
fn all_places_are_reported_where_all_are_asked_for() {
    let output = run_with(&["check", "--all", "--format", "json", "-"], TAGS);
    let expected = [
        (9, "unknown tag `QUAY` under `BIRT`", None),
        (10, "unknown tag `BRTH` under `INDI`", None),
        (14, "unknown tag `QUAY` under `BIRT`", None),
    ];
    assert_eq!(of_tags(&json(&output)), expected);
}

#[test]
fn the_completed_schema_is_named_where_it_helps() {
    let text = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BURI\n0 TRLR\n";
    let output = run_with(&["check", "--rules", "2019-01", "--format", "json", "-"], text);
    assert!(stdout(&output).contains("`--schema completed` defines it there"), "{}", stdout(&output));
    let args = ["check", "--rules", "2019-01", "--schema", "completed", "--format", "json", "-"];
    assert_eq!(of_tags(&json(&run_with(&args, text))), []);
}

#[test]
fn other_commands_have_no_word_about_them() {
    for args in [
        &["show", "--form", "typed", "-"][..],
        &["info", "-"],
        &["schema", "-"],
        &["edit", "--set", "@I1@/BIRT/QUAY=2", "-o", "-", "-"],
        &["convert", "--to-rules", "wild", "-o", "-", "-"],
        &["diff", "-", "-"],
    ] {
        let output = run_with(args, TAGS);
        let said = stdout(&output) + &stderr(&output);
        assert!(!said.contains("E0415") && !said.contains("unknown tag"), "{args:?}: {said}");
    }
}

#[test]
fn a_large_file_has_the_same_findings_on_any_number_of_threads() {
    let mut text = String::from("0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n");
    let record = "0 INDI\n1 NAME Somebody /Else/\n1 BIRT\n2 DATE 1 JAN 1900\n2 QUAY 1\n1 DEAT\n2 DATE 1950\n2 PLAZE x\n";
    while text.len() < 3 << 20 {
        text.push_str(record);
    }
    text.push_str("0 TRLR\n");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.ged");
    std::fs::write(&path, &text).expect("a file");
    let path = path.to_str().expect("a path of letters");
    let records = text.matches(record).count() as u64;
    for jobs in ["1", "2", "5"] {
        let lines = json(&run(&["check", "--jobs", jobs, "--format", "json", path]));
        let counts: Vec<_> = of_tags(&lines).into_iter().map(|(line, _, count)| (line, count)).collect();
        assert_eq!(counts, [(10, Some(records)), (13, Some(records))], "{jobs} jobs");
    }
}

#[test]
#[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
fn no_file_of_a_common_producer_fills_more_than_two_screens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    for (producer, name) in [
        ("Ancestry", "cacack__gedcom-go__ancestry-2025-export.ged"),
        ("MyHeritage", "cacack__gedcom-go__myheritage-2025-export.ged"),
        ("RootsMagic", "cacack__gedcom-go__rootsmagic-2026-export.ged"),
        ("PAF", "D-Jeffrey__gedcom-samples__Royal92-Famous+European+Royalty+Gedcom.ged"),
        ("Brother's Keeper", "D-Jeffrey__gedcom-samples__US+Presidents+Trees+I.ged"),
        ("Family Tree Maker", "frizbog__gedcom4j__Sopranos.ged"),
    ] {
        let path = folder.join(name);
        if !path.exists() {
            eprintln!("skipped: there is no {}", path.display());
            continue;
        }
        let output = run(&["check", &path.to_string_lossy()]);
        let lines = (stdout(&output) + &stderr(&output)).lines().count();
        // A screen has some fifty lines, and a finding takes ten. Ten of the pairs of years that are no dual years in the file of PAF take one more.
        let most = if producer == "PAF" { 180 } else { 120 };
        assert!(lines <= most, "{producer}: {lines} lines");
    }
}
