//! `--facts`: questions about what cannot be, through the command.

use crate::shell::{elf, json, status, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

/// A man who dies before his birth, a daughter who is 125 years old, an event tomorrow.
const TEXT: &str = "0 HEAD\n0 @I1@ INDI\n1 NAME John /Doe/\n1 BIRT\n2 DATE 14 MAY 1862\n1 DEAT\n2 DATE 1850\n\
    1 FAMS @F1@\n0 @I2@ INDI\n1 NAME Jane /Doe/\n1 BIRT\n2 DATE 1880\n1 DEAT\n2 DATE 2005\n1 FAMC @F1@\n\
    0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I2@\n0 @I3@ INDI\n1 NAME Sir /Late/\n1 BURI\n2 DATE 23 NOV 2026\n0 TRLR\n";

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

/// Line and name of each question.
fn asked(output: &Output) -> Vec<(u64, String)> {
    assert_ne!(status(output), 2, "{}", stderr(output));
    let questions = json(output).into_iter().filter(|line| line["class"] == "question");
    questions
        .map(|line| {
            assert!(line["code"].as_str().is_some_and(|code| code.starts_with('P')));
            (line["line"].as_u64().unwrap_or_default(), line["name"].as_str().unwrap_or_default().to_owned())
        })
        .collect()
}

fn rows(rows: &[(u64, &str)]) -> Vec<(u64, String)> {
    rows.iter().map(|&(line, name)| (line, name.to_owned())).collect()
}

#[test]
fn questions_are_asked_only_of_who_wants_them() {
    let folder = folder(TEXT);
    let today = ["--today", "2026-11-22"];
    let plain = check(folder.path(), &[]);
    assert_eq!((asked(&plain), status(&plain)), (vec![], 0));
    let facts = check(folder.path(), &[&["--facts"], &today[..]].concat());
    let impossible = [(7, "death-before-birth"), (12, "birth-after-father-death"), (22, "date-in-future")];
    assert_eq!((asked(&facts), status(&facts)), (rows(&impossible), 0));
    let lines = json(&facts);
    assert_eq!(lines[lines.len() - 1]["summary"]["questions"], 3);
    let human =
        elf(&["check", "a.ged", "--facts"]).current_dir(folder.path()).output().expect("the command runs");
    assert!(
        String::from_utf8_lossy(&human.stdout).contains("7 | 2 DATE 1850")
            || stdout(&human).contains("6 | 1 DEAT"),
        "{}",
        stdout(&human)
    );
    let other = &lines.iter().find(|line| line["line"] == 7).expect("a question")["related"][0];
    assert_eq!((&other["line"], &other["column"]), (&Value::from(5), &Value::from(1)), "{other}");
    let tomorrow = check(folder.path(), &["--facts", "--today", "2026-11-23"]);
    assert_eq!(asked(&tomorrow), rows(&impossible[..2]));
    let unlikely = check(folder.path(), &[&["--facts", "--unlikely"], &today[..]].concat());
    assert!(asked(&unlikely).contains(&(14, "age-too-high".to_owned())), "{:?}", asked(&unlikely));
    let denied = check(folder.path(), &[&["--facts", "--deny", "question"], &today[..]].concat());
    assert_eq!(status(&denied), 1);
    let ignored = check(folder.path(), &[&["--facts", "--ignore", "P"], &today[..]].concat());
    assert_eq!(asked(&ignored), []);
}

#[test]
fn days_and_thresholds_that_cannot_be_are_errors() {
    let folder = folder(TEXT);
    for day in ["2026-02-30", "2026-2-3", "tomorrow", "20261122", "-026-11-22", "2026-11-22x", ""] {
        assert_eq!(status(&check(folder.path(), &["--facts", "--today", day])), 2, "{day}");
    }
    assert_eq!(status(&check(folder.path(), &["--today", "2026-11-22"])), 2, "it asks for facts");
    assert_eq!(status(&check(folder.path(), &["--unlikely"])), 2);
    let rows = [
        ("longest-life = 130", 0),
        ("longest-life = -1", 2),
        ("longest-life = \"x\"", 2),
        ("longest = 1", 2),
    ];
    for (text, wanted) in rows {
        fs::write(folder.path().join("elf.toml"), format!("[check.facts]\n{text}\n")).expect("a file");
        let output = check(folder.path(), &["--facts", "--unlikely"]);
        assert_eq!(status(&output), wanted, "{text}");
        if wanted == 2 {
            assert!(stderr(&output).contains("elf.toml:2:"), "{}", stderr(&output));
        }
    }
}

#[test]
fn thresholds_are_those_of_the_configuration() {
    let folder = folder(TEXT);
    let unlikely = |folder: &Path| asked(&check(folder, &["--facts", "--unlikely", "--today", "2026-11-22"]));
    let too_old = (14, "age-too-high".to_owned());
    assert!(unlikely(folder.path()).contains(&too_old));
    let text = "[check.facts]\nlongest-life = 124\n[[check.files]]\nglob = \"a.ged\"\nfacts = { longest-life = 130 }\n";
    fs::write(folder.path().join("elf.toml"), text).expect("a file");
    assert!(!unlikely(folder.path()).contains(&too_old));
    let summary = json(&check(folder.path(), &["--facts", "--unlikely"])).pop().expect("a summary");
    assert_eq!(summary["summary"]["config"], "elf.toml");
    let summary = json(&check(folder.path(), &[])).pop().expect("a summary");
    assert_eq!(summary["summary"]["config"], Value::Null, "it has no say where nothing is asked");
}

#[test]
fn a_large_file_has_the_questions_of_a_small_one() {
    let filler: String = (0..20_000).map(|n| format!("0 @N{n}@ NOTE {}\n", "x".repeat(40))).collect();
    let text = TEXT.replace("0 @F1@ FAM\n", &format!("{filler}0 @F1@ FAM\n"));
    assert!(text.len() > 1 << 19);
    let (small, large) = (folder(TEXT), folder(&text));
    let args = ["--facts", "--unlikely", "--today", "2026-11-22"];
    let wanted: Vec<_> = asked(&check(small.path(), &args))
        .into_iter()
        .map(|(line, name)| (line + if line > 15 { 20_000 } else { 0 }, name))
        .collect();
    for jobs in ["1", "2", "3"] {
        let output = check(large.path(), &[&args[..], &["--jobs", jobs]].concat());
        assert_eq!(asked(&output), wanted, "on {jobs}");
    }
}

/// A wife who is male, a child before the marriage, nobody with a source, and a child who is listed twice.
const BY_NAME: &str = "0 HEAD\n0 @I1@ INDI\n1 SEX M\n0 @I2@ INDI\n1 BIRT\n2 DATE 1999\n0 @F1@ FAM\n1 WIFE @I1@\n\
    1 CHIL @I2@\n1 CHIL @I2@\n1 MARR\n2 DATE 2005\n0 TRLR\n";

#[test]
fn some_questions_are_asked_only_where_they_are_named() {
    let folder = folder(BY_NAME);
    let today = ["--facts", "--unlikely", "--today", "2026-11-22"];
    let twice = (10, "child-listed-twice");
    let named = [(7, "sex-against-role"), (6, "child-before-marriage"), (2, "no-source"), (4, "no-source")];
    for (args, expected) in [
        (&[][..], &[twice][..]),
        (&["--select", "P"], &[twice]),
        (&["--select", "question"], &[twice]),
        (&["--select", "sex-against-role"], &named[..1]),
        (&["--select", "P29"], &named[1..2]),
        (&["--select", "no-source"], &named[2..]),
        (&["--select", "P,no-source"], &[named[2], named[3], twice]),
        (&["--deny", "no-source"], &[twice]),
    ] {
        let output = check(folder.path(), &[args, &today[..]].concat());
        let mut asked = asked(&output);
        asked.sort();
        let mut expected = rows(expected);
        expected.sort();
        assert_eq!(asked, expected, "{args:?}");
    }
    for (config, expected) in [
        ("[check]\nselect = [\"no-source\"]\n", &named[2..]),
        ("[check]\ndeny = [\"sex-against-role\"]\n", &[named[0], twice]),
        ("[[check.files]]\nglob = \"a.ged\"\nselect = [\"P29\"]\n", &named[1..2]),
        ("[check]\nignore = [\"no-source\"]\n", &[twice]),
    ] {
        fs::write(folder.path().join("elf.toml"), config).expect("a configuration");
        let found = asked(&check(folder.path(), &today));
        assert_eq!(found, rows(expected), "{config}");
    }
}
