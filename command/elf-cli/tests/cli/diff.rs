//! `elf diff`: what two files say differently.

use crate::shell::{file, json, run, run_with, status, stderr, stdout};
use serde_json::json;

const ONE: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada /King/\n1 BIRT\n2 DATE 10 DEC 1815\n1 NOTE a\n\
                   0 @F1@ FAM\n1 WIFE @I1@\n0 @N1@ NOTE x\n0 TRLR\n";
const TWO: &str = "0 HEAD\n1 CHAR UTF-8\n0 @A@ FAM\n1 WIFE @B@\n0 @B@ INDI\n1 BIRT\n2 DATE 10 DEC 1816\n\
                   1 NAME Ada /King/\n1 NOTE a\n1 NOTE b\n2 LANG c\n0 TRLR\n";

/// Runs the command on two files of that content.
fn diff(one: &str, two: &str, args: &[&str]) -> std::process::Output {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("one.ged");
    std::fs::write(&path, one).expect("a file");
    let path = path.to_string_lossy();
    run_with(&[&["diff", &path, "-"], args].concat(), two.as_bytes())
}

#[test]
fn a_file_says_the_same_in_any_encoding_order_and_draft() {
    let path = file("family.ged");
    for args in [
        &["--encoding", "ANSEL"][..],
        &["--encoding", "UTF-16LE", "--width", "30", "--line-break", "cr"],
        &["--encoding", "ASCII"],
    ] {
        let converted = run(&[&["convert", &path, "-o", "-", "--to-rules", "2019-12"], args].concat());
        let output = run_with(&["diff", &path, "-"], &converted.stdout);
        assert_eq!(status(&output), 0, "{args:?}: {}", stdout(&output));
        assert!(stdout(&output).ends_with("have the same content\n"));
    }
}

#[test]
fn differences_are_shown_by_their_paths() {
    let output = diff(ONE, TWO, &[]);
    assert_eq!((status(&output), stderr(&output).as_str()), (1, ""));
    let text = stdout(&output);
    let rest = text.split_once("+++ -\n").expect("two names").1;
    let folder = rest.split("only in ").nth(2).expect("a path").split('\n').next().expect("a path");
    assert_eq!(
        rest.replace(folder, "ONE"),
        "@I1@/BIRT/DATE | @B@/BIRT/DATE\n  - 10 DEC 1815\n  + 10 DEC 1816\n\
         @B@/NOTE[2] is only in -\n  + NOTE b\n  +   LANG c\n\
         @N1@ is only in ONE\n  - NOTE x\n3 differences\n"
    );
}

#[test]
fn differences_are_data() {
    let output = diff(ONE, TWO, &["--format", "json"]);
    assert_eq!(status(&output), 1);
    let lines = json(&output);
    let date = "https://terms.fhiso.org/elf/DATE_VALUE";
    assert_eq!(lines[0]["difference"], "payload");
    assert_eq!(
        lines[0]["a"],
        json!({"path": "@I1@/BIRT/DATE", "tag": "DATE", "type": date, "payload": "10 DEC 1815"})
    );
    assert_eq!(lines[0]["b"]["payload"], "10 DEC 1816");
    assert_eq!(lines[1]["difference"], "added");
    assert_eq!((&lines[1]["b"]["path"], &lines[1]["b"]["structures"]), (&json!("@B@/NOTE[2]"), &json!(2)));
    assert!(lines[1].get("a").is_none());
    assert_eq!((&lines[2]["difference"], &lines[2]["a"]["path"]), (&json!("removed"), &json!("@N1@")));
    let summary = &lines[3]["summary"];
    assert_eq!(
        (&summary["differences"], &summary["complete"], &summary["b"]),
        (&json!(3), &json!(true), &json!("-"))
    );
    let same = diff(ONE, ONE, &["--format", "json"]);
    assert_eq!((status(&same), json(&same).len()), (0, 1));
}

#[test]
fn pointers_order_and_language_are_differences() {
    let lines = |one: &str, two: &str| {
        let body = |of: &str| format!("0 HEAD\n1 CHAR UTF-8\n{of}0 TRLR\n");
        json(&diff(&body(one), &body(two), &["--format", "json"]))
    };
    let people = "0 @A@ INDI\n1 NAME A\n0 @B@ INDI\n1 NAME B\n0 @F@ FAM\n1 MARR\n2 PLAC x\n";
    let found = lines(&format!("{people}1 HUSB @A@\n"), &format!("{people}1 HUSB @B@\n"));
    assert_eq!(found[0]["a"]["payload"], json!({"pointer": "A"}));
    assert_eq!(found.len(), 2);
    let found = lines("0 INDI\n1 NAME A\n1 NAME B\n", "0 INDI\n1 NAME B\n1 NAME A\n");
    assert_eq!(found[0]["difference"], "order");
    let found = lines("1 ELF 1.0.0\n1 PLANG fr\n", "");
    assert_eq!((&found[0]["difference"], &found[0]["a"]["payload"]), (&json!("language"), &json!("fr")));
}

#[test]
fn what_keeps_files_from_being_compared_is_trouble() {
    let path = file("family.ged");
    assert_eq!(status(&run(&["diff", &path, "nowhere.ged"])), 2);
    assert_eq!(status(&run_with(&["diff", "-", "-"], b"")), 2);
    assert_eq!(status(&run(&["diff", &path])), 2);
    // What the rules do not read cannot be said to be the same.
    let broken = file("broken.ged");
    let output = run(&["diff", &broken, &broken, "--rules", "2019-12"]);
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("reading stopped early"), "{}", stderr(&output));
}

#[test]
fn files_of_two_standards_are_compared_by_what_corresponds() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let body = "0 @I1@ INDI\n1 SNOTE @N1@\n1 NOTE here\n1 BIRT\n2 SNOTE @N1@\n1 ASSO @I2@\n2 ROLE x\n\
        0 @N1@ SNOTE there\n0 @I2@ INDI\n0 TRLR\n";
    let seven = write("7.ged", &format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n{body}"));
    let body = body.replace("SNOTE", "NOTE").replace("ROLE", "RELA");
    let five = write("5.ged", &format!("0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n{body}"));
    for [one, two] in [[&seven, &five], [&five, &seven]] {
        let output = run(&["diff", one, two]);
        assert_eq!(status(&output), 0, "{}", stdout(&output));
    }
}
