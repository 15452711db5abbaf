//! `elf check --fix`: what can be repaired is.

use crate::shell::{json, run, run_with, status, stderr, stdout};
use std::fs;

const INPUT: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n01 NOTE me@example.org\nand more\n1 NAME @no one@\n";
const SAFE: &str =
    "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE me@@example.org\n2 CONT and more\n1 NAME @no one@\n0 TRLR\n";

#[test]
fn safe_repairs_are_written_elsewhere() {
    let output = run_with(&["check", "--fix", "-"], INPUT.as_bytes());
    assert_eq!((status(&output), stdout(&output).as_str()), (1, SAFE));
    assert!(stderr(&output).contains("E0210"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("E0326"), "{}", stderr(&output));
    assert!(stderr(&output).contains("; 4 repaired"), "{}", stderr(&output));
    let output = run_with(&["check", "--unsafe-fixes", "-"], INPUT.as_bytes());
    let expected = SAFE.replace("@no one@", "@@no one@@");
    assert_eq!((status(&output), stdout(&output)), (0, expected), "{}", stderr(&output));
}

#[test]
fn files_are_repaired_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.ged");
    let name = path.to_string_lossy();
    fs::write(&path, INPUT).expect("a file");
    // An input is never overwritten unless that is asked for.
    assert_eq!(status(&run(&["check", "--fix", &name, "-o", &name])), 2);
    let output = run(&["check", "--fix", &name]);
    assert_eq!(
        (stdout(&output).as_str(), fs::read_to_string(&path).expect("a file").as_str()),
        (SAFE, INPUT)
    );
    let output = run(&["check", "--fix", "--in-place", &name, &name]);
    assert_eq!(status(&output), 1);
    assert_eq!(fs::read_to_string(&path).expect("a file"), SAFE);
    assert_eq!(stdout(&output).matches("; 4 repaired").count(), 1, "{}", stdout(&output));
    assert_eq!(stdout(&output).matches("; 0 repaired").count(), 1, "{}", stdout(&output));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn repairs_are_shown_before_they_are_made() {
    let output = run_with(&["check", "--diff", "-"], INPUT.as_bytes());
    assert_eq!(status(&output), 1);
    assert_eq!(
        stdout(&output),
        "--- -\n+++ -\n@@ -4,2 +4,2 @@\n-01 NOTE me@example.org\n-and more\n+1 NOTE me@@example.org\n\
         +2 CONT and more\n@@ -6,0 +7 @@\n+0 TRLR\n"
    );
    let output = run_with(&["check", "--diff", "-"], SAFE.as_bytes());
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""));
}

#[test]
fn json_has_what_is_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.ged");
    let args = ["check", "--fix", "--format", "json", "-", "-o", &out.to_string_lossy()];
    let output = run_with(&args, INPUT.as_bytes());
    let lines = json(&output);
    let codes: Vec<_> = lines.iter().filter_map(|line| line["code"].as_str()).collect();
    assert_eq!(codes, ["E0210", "E0327"]);
    assert_eq!(lines[2]["summary"]["repaired"], 4);
    assert_eq!(fs::read_to_string(&out).expect("a file"), SAFE);
    let plain = json(&run_with(&["check", "--format", "json", "-"], SAFE.as_bytes()));
    assert_eq!(plain[1]["summary"].get("repaired"), None);
}

#[test]
fn rules_that_end_the_reading_end_the_repairs() {
    let input = "0 HEAD\n1 CHAR UTF-8\n0 NOTE a@b\n";
    let output = run_with(&["check", "--fix", "--rules", "2019-12", "-"], input.as_bytes());
    assert_eq!((status(&output), stdout(&output)), (0, input.replace('@', "@@") + "0 TRLR\n"));
    assert!(!stderr(&output).contains("wild"), "{}", stderr(&output));
    let input = "0 HEAD\n1 CHAR UTF-8\n0 NOTE a@b\njunk\n0 NOTE a@b\n0 TRLR\n";
    let output = run_with(&["check", "--fix", "--rules", "2019-12", "-"], input.as_bytes());
    assert_eq!((status(&output), stdout(&output)), (1, input.replacen('@', "@@", 1)));
    assert!(stderr(&output).contains("`--rules wild` reads on"), "{}", stderr(&output));
}

#[test]
fn what_contradicts_itself_is_refused() {
    for args in [
        &["check", "--fix", "a.ged", "b.ged"][..],
        &["check", "--fix", "--in-place", "-"],
        &["check", "--fix", "--format", "json", "-"],
        &["check", "--fix", "--in-place", "--diff", "a.ged"],
        &["check", "--in-place", "-o", "b.ged", "a.ged"],
        &["check", "--in-place", "a.ged"],
    ] {
        let output = run_with(args, INPUT.as_bytes());
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{args:?}");
    }
}
