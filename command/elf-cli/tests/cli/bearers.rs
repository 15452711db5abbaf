//! Paths of records that share an identifier: in small and large files, and those that `edit` takes.

use crate::shell::{json, run, run_with, stdout};
use serde_json::Value;

/// Three structures have the identifier @I1@, one of them under a record, and two have @N1@.
const FILE: &str = "\
0 HEAD
1 CHAR UTF-8
0 @I1@ INDI
1 NAME One
1 BIRT
4 DATE 1900
0 @F1@ FAM
1 HUSB @I9@
1 @I1@ NOTE within
0 @I1@ INDI
1 NAME Three
1 FAMC @F9@
0 @N1@ NOTE x
2 CONC
1 WHAT
0 @N1@ NOTE y
4 CONC
0 @N2@ NOTE z
4 CONC
";

/// Code, line, record and path of each finding of a file.
fn paths(text: &str, rules: &str, more: &[&str]) -> Vec<Value> {
    let args =
        [&["check", "--format", "json", "--rules", rules, "--ignore", "E0601,E0602"], more, &["-"]].concat();
    let found = json(&run_with(&args, text.as_bytes()));
    let findings = found.iter().filter(|line| line.get("code").is_some());
    findings.map(|one| serde_json::json!([one["code"], one["line"], one["record"], one["path"]])).collect()
}

/// So many records that a file with them is read in several runs.
fn large() -> String {
    let filler = "0 @S1@ SOUR\n1 TITL a title of some length that is nothing to report\n".repeat(9000);
    let filler: String = filler.lines().enumerate().fold(String::new(), |mut all, (at, line)| {
        all.push_str(&line.replace("@S1@", &format!("@S{at}@")));
        all.push('\n');
        all
    });
    assert!(filler.len() > 600_000);
    filler
}

#[test]
fn a_record_that_shares_its_identifier_has_a_number() {
    let large = format!("{FILE}{}0 TRLR\n", large());
    for rules in ["wild", "2019-12", "2019-01", "declarative"] {
        let mut small = paths(&format!("{FILE}0 TRLR\n"), rules, &[]);
        assert!(!small.is_empty(), "{rules}");
        small.sort_by_key(Value::to_string);
        for jobs in ["1", "3"] {
            let mut of_large = paths(&large, rules, &["--jobs", jobs]);
            of_large.sort_by_key(Value::to_string);
            assert_eq!(of_large, small, "{rules} on {jobs} threads");
        }
    }
    let small = paths(&format!("{FILE}0 TRLR\n"), "wild", &[]);
    let has = |path: &str| small.iter().any(|one| one[3].as_str().is_some_and(|one| one == path));
    for path in ["@I1@[1]/BIRT/DATE", "@I1@[3]", "@I1@[3]/FAMC", "@F1@/HUSB", "@N1@[1]/WHAT", "@N1@[2]"] {
        assert!(has(path), "{path}: {small:?}");
    }
}

/// A level that jumps is found while the run is read, a pointer that leads nowhere after the last run.
const TWIN: &str = "0 @I5@ INDI\n1 BIRT\n4 DATE 1900\n1 FAMC @F9@\n";

#[test]
fn records_of_different_runs_that_share_an_identifier_are_counted_through_the_file() {
    let text = format!("0 HEAD\n1 CHAR UTF-8\n{TWIN}{}{TWIN}{TWIN}0 TRLR\n", large());
    for jobs in ["1", "3"] {
        let found = paths(&text, "wild", &["--select", "E0203,E0327", "--jobs", jobs]);
        let found: Vec<&str> = found.iter().filter_map(|one| one[3].as_str()).collect();
        // When the first run is printed, nobody knows of the others.
        let expected = [
            "@I5@/BIRT/DATE",
            "@I5@[2]/BIRT/DATE",
            "@I5@[3]/BIRT/DATE",
            "@I5@[1]/FAMC",
            "@I5@[2]/FAMC",
            "@I5@[3]/FAMC",
        ];
        assert_eq!(found, expected, "on {jobs} threads");
    }
}

#[test]
fn the_path_of_a_record_that_shares_its_identifier_leads_to_it() {
    let text = format!("{FILE}0 @I1@ INDI\n1 NAME Four\n1 FAMC @F8@\n0 TRLR\n");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("large.ged");
    std::fs::write(&file, &text).expect("a file");
    let file = file.to_string_lossy();
    let path = |one: &&Value| one[0] == "E0327" && one[1].as_u64() > Some(20);
    let found = paths(&text, "wild", &["--select", "E0327"]);
    let found = found.iter().find(path).expect("a pointer that leads nowhere");
    assert_eq!(found[3], "@I1@[4]/FAMC");
    let edited = stdout(&run(&["edit", "--remove", "@I1@[4]/FAMC", &file]));
    assert_eq!(edited, text.replace("1 FAMC @F8@\n", ""));
}
