//! `elf merge`: what becomes of both files, reports and exit statuses.

use crate::shell::{run, status, stderr};
use serde_json::{Value, json};

const A: &str = "0 HEAD\r\n1 CHAR ANSEL\r\n0 @I1@ INDI\r\n  1 NAME Karl /M\u{fc}ller/\r\n1 BIRT\r\n2 DATE 3 MAR 1850\r\n1 FAMS @F1@\r\n\
    0 @I2@ INDI\r\n1 NAME Anna /Huber/\r\n1 FAMS @F1@\r\n0 @F1@ FAM\r\n1 HUSB @I1@\r\n1 WIFE @I2@\r\n0 @S1@ SOUR\r\n1 TITL Book\r\n0 TRLR\r\n";

const B: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Anna /Huber/\n1 SEX F\n1 FAMS @F1@\n\
    0 @I2@ INDI\n1 NAME Karl /M\u{fc}ller/\n1 BIRT\n2 DATE 4 MAR 1850\n1 FAMS @F1@\n1 OBJE\n2 FILE a.jpg\n\
    0 @I3@ INDI\n1 NAME Max /M\u{fc}ller/\n1 FAMC @F1@\n1 SOUR @S7@\n2 PAGE 1\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I1@\n1 CHIL @I3@\n\
    0 @S7@ SOUR\n1 TITL Book\n0 @S8@ SOUR\n1 TITL Other\n0 TRLR\n";

const HEADER: &str = "decision,a_file,a_id,b_file,b_id\n";

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        folder.write("a.ged", &ansel(A));
        folder.write("b.ged", B.as_bytes());
        folder.write(
            "pairs.csv",
            format!("{HEADER}same,a.ged,I1,b.ged,I2\nsame,b.ged,I1,a.ged,I2\n").as_bytes(),
        );
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_string_lossy().into_owned()
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.path().join(name), bytes).expect("a file");
    }

    fn merge(&self, args: &[&str]) -> std::process::Output {
        let [a, b, out] = ["a.ged", "b.ged", "out.ged"].map(|name| self.path(name));
        run(&[&["merge", &a, &b, "-o", &out, "--format", "json"], args].concat())
    }

    fn merged(&self) -> String {
        let bytes = std::fs::read(self.path("out.ged")).expect("a file");
        String::from_utf8(bytes.into_iter().filter(|byte| *byte != 0xE8).collect())
            .expect("ASCII")
            .replace("Muller", "M\u{fc}ller")
    }
}

/// The text in ANSEL, with the one letter that it has.
fn ansel(text: &str) -> Vec<u8> {
    text.split('\u{fc}')
        .collect::<Vec<&str>>()
        .join("\u{1}u")
        .bytes()
        .map(|byte| if byte == 1 { 0xE8 } else { byte })
        .collect()
}

#[test]
fn persons_of_a_table_are_united_and_all_else_is_kept() {
    let folder = Folder::new();
    let pairs = folder.path("pairs.csv");
    let output = folder.merge(&["--pairs", &pairs]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let expected = A
        .replace(
            "1 FAMS @F1@\r\n0 @I2@",
            "1 FAMS @F1@\r\n1 BIRT\r\n2 DATE 4 MAR 1850\r\n1 OBJE\r\n2 FILE a.jpg\r\n0 @I2@",
        )
        .replace("1 FAMS @F1@\r\n0 @F1@", "1 FAMS @F1@\r\n1 SEX F\r\n0 @F1@")
        .replace("1 WIFE @I2@\r\n", "1 WIFE @I2@\r\n1 CHIL @I3@\r\n")
        .replace(
            "0 TRLR",
            "0 @I3@ INDI\r\n1 NAME Max /M\u{fc}ller/\r\n1 FAMC @F1@\r\n1 SOUR @S1@\r\n2 PAGE 1\r\n\
             0 @S8@ SOUR\r\n1 TITL Other\r\n0 TRLR",
        );
    assert_eq!(folder.merged(), expected);
    let actions = json_lines(&stderr(&output));
    let summary = json!({"summary": {"persons_united": 2, "persons_added": 1, "families_united": 1, "families_added": 0,
        "records_added": 1, "conflicts": 1}});
    assert_eq!(actions.last(), Some(&summary), "{actions:?}");
    for action in [
        json!({"action": "united", "tag": "INDI", "a": "I2", "b": "I1"}),
        json!({"action": "added", "tag": "SOUR", "id": "S8", "b": "S8"}),
        json!({"action": "conflict", "tag": "BIRT", "a": "I1", "b": "I2", "kept": "3 MAR 1850", "added": "4 MAR 1850"}),
    ] {
        assert!(actions.contains(&action), "{action} {actions:?}");
    }
}

#[test]
fn without_pairs_only_equal_records_are_united() {
    let folder = Folder::new();
    let output = folder.merge(&[]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let merged = folder.merged();
    for line in A.lines() {
        assert!(merged.contains(line), "{line}");
    }
    let actions = json_lines(&stderr(&output));
    assert!(
        actions.contains(&json!({"action": "renamed", "id": "I4", "b": "I1"}))
            || merged.matches(" INDI").count() == 5,
        "{merged}"
    );
    assert_eq!(merged.matches(" INDI\r\n").count(), 5);
    assert_eq!(merged.matches(" FAM\r\n").count(), 2);
    // A copy of the same file adds nothing.
    folder.write("b.ged", &ansel(A));
    assert_eq!(status(&folder.merge(&[])), 0);
    assert_eq!(folder.merged(), A);
    folder.write("b.ged", B.as_bytes());
    let output = folder.merge(&["--at-least", "0.5"]);
    let summary = &json_lines(&stderr(&output)).pop().expect("a summary")["summary"];
    assert_eq!((status(&output), &summary["persons_united"]), (0, &json!(2)), "{summary}");
}

#[test]
fn characters_that_the_encoding_lacks_are_reported() {
    let folder = Folder::new();
    folder.write("b.ged", B.replace("Max", "\u{4e2d}").as_bytes());
    let output = folder.merge(&[]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("\"action\":\"lost\""));
    assert!(std::fs::metadata(folder.path("out.ged")).is_ok());
}

#[test]
fn nothing_is_written_on_failure() {
    let folder = Folder::new();
    let pairs = folder.path("pairs.csv");
    for row in [
        "same,a.ged,I9,b.ged,I2",
        "same,a.ged,I1,b.ged,I9",
        "same,x.ged,I1,b.ged,I1",
        "same,a.ged,I1,a.ged,I2",
        "same,a.ged,F1,b.ged,I1",
        "perhaps,a.ged,I1,b.ged,I2",
        "same,a.ged,,b.ged,I2",
    ] {
        folder.write("pairs.csv", format!("{HEADER}{row}\n").as_bytes());
        let output = folder.merge(&["--pairs", &pairs]);
        assert_eq!(status(&output), 2, "{row}");
        assert!(!std::path::Path::new(&folder.path("out.ged")).exists(), "{row}");
    }
    folder.write("pairs.csv", b"x\n");
    assert_eq!(status(&folder.merge(&["--pairs", &pairs])), 2);
    assert_eq!(status(&folder.merge(&["--pairs", "no-such-table.csv"])), 2);
    assert_eq!(status(&folder.merge(&["--pairs", &pairs, "--at-least", "0.9"])), 2);
    assert_eq!(status(&folder.merge(&["--at-least", "2"])), 2);
    folder.write("b.ged", B.replace("0 TRLR\n", "").as_bytes());
    assert_eq!(status(&folder.merge(&["--rules", "2019-12"])), 2);
    folder.write("b.ged", b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n0 TRLR\n");
    let output = folder.merge(&[]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("different standards"), "{}", stderr(&output));
    let a = folder.path("a.ged");
    assert_eq!(status(&run(&["merge", &a, &a, "-o", &folder.path("out.ged")])), 2);
    assert_eq!(status(&run(&["merge", &a, "no-such-file.ged", "-o", &folder.path("out.ged")])), 2);
    assert!(!std::path::Path::new(&folder.path("out.ged")).exists());
    assert_eq!(status(&run(&["merge", &a, &folder.path("pairs.csv"), "-o", &a])), 2);
}

#[test]
fn contradictory_decisions_are_refused() {
    let folder = Folder::new();
    for (rows, lines) in [
        ("same,a.ged,I1,b.ged,I2\ndifferent,b.ged,I2,a.ged,I1\n", ["pairs.csv:2", "pairs.csv:3"]),
        (
            "same,a.ged,I1,b.ged,I1\nsame,a.ged,I1,b.ged,I2\ndifferent,b.ged,I1,b.ged,I2\n",
            ["pairs.csv:2", "pairs.csv:4"],
        ),
    ] {
        folder.write("pairs.csv", format!("{HEADER}{rows}").as_bytes());
        let output = folder.merge(&["--pairs", &folder.path("pairs.csv")]);
        assert_eq!(status(&output), 2, "{rows}");
        assert!(lines.iter().all(|line| stderr(&output).contains(line)), "{rows}: {}", stderr(&output));
        assert!(!std::path::Path::new(&folder.path("out.ged")).exists());
    }
}
