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
        (14, "link-one-sided", "advice"),
        (16, "structure-missing", "advice"),
    ]);
    let unasked = check(folder.path(), &[]);
    assert_eq!((found(&unasked), status(&unasked)), (advice, 0));
    let named = check(folder.path(), &["--against", "data-model"]);
    let wanted = rows(&[
        (12, "structure-repeated", "advice"),
        (13, "pointer-wrong-type", "non-conformant"),
        (14, "link-one-sided", "non-conformant"),
        (16, "structure-missing", "advice"),
    ]);
    assert_eq!((found(&named), status(&named)), (wanted, 1));
    let gedcom = check(folder.path(), &["--against", "5.5.1"]);
    let wanted = rows(&[
        (12, "structure-repeated", "non-conformant"),
        (13, "pointer-wrong-type", "non-conformant"),
        (14, "link-one-sided", "advice"),
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
            // What only the whole file shows comes last.
            let mut of_large = found(&output);
            of_large.sort();
            assert_eq!(of_large, wanted, "{standard} on {jobs}");
            let paths: Vec<Value> = json(&output).iter().map(|line| line["path"].clone()).collect();
            assert!(["@I1@/FAMS[1]", "@I1@/FAMS[2]"].iter().all(|path| paths.contains(&Value::from(*path))));
        }
    }
}

/// Nearly every fault that the eye finds in an export, one a line.
const NASTY: &str = "0 HEAD / 1 SOUR X / 1 SUBM @U1@ / 1 GEDC / 2 VERS 5.5.1 / 2 FORM LINEAGE-LINKED / 1 CHAR UTF-8 / \
    0 @U1@ SUBM / 1 NAME Me / \
    0 @I1@ INDI / 1 NAME John /Smith / 1 SEX Q / 1 SEX M / 1 BRTH / 2 DATE 1 JAN 1900 / 1 BIRT / 2 DATE 31 FEB 1900 / \
    1 DEAT / 2 DATE 1 MAR 1850 / 1 FAMS @F1@ / 1 FAMC @F1@ / \
    0 @I2@ INDI / 1 NAME Jane /Doe/ / 1 BIRT Y / 2 DATE 12/05/1890 / 2 DATE soon / 1 FAMS @I1@ / 1 AGE 300 / \
    0 @F1@ FAM / 1 HUSB @I1@ / 1 WIFE @F1@ / 1 CHIL @I3@ / 1 MARR / 2 DATE BET 1900 AND 1890 / 2 PLAC / 3 MAP / \
    4 LATI N95.0 / 4 LONG hello / 1 WIBBLE wobble / \
    0 @I3@ INDI / 1 NAME John /Smith/ / 1 RESN none of your business / 1 NOTE @N9@ / 1 OBJE / 2 FILE / \
    0 @I4@ INDI / 0 TRLR / ";

/// The lines of [`NASTY`], whose names of persons have slashes too.
fn nasty() -> String {
    let mut text = NASTY.to_owned();
    for level in 0..5 {
        text = text.replace(&format!(" / {level} "), &format!("\n{level} "));
    }
    text.trim_end_matches(" / ").to_owned() + "\n"
}

#[test]
fn each_fault_of_a_line_is_found_once() {
    let folder = folder(&nasty());
    let output = check(folder.path(), &["--against", "5.5.1"]);
    assert_eq!(status(&output), 1);
    let found: Vec<(u64, String)> = found(&output).into_iter().map(|(line, name, _)| (line, name)).collect();
    let wanted = [
        (11, "value-malformed"),
        (12, "value-not-listed"),
        (13, "structure-repeated"),
        (14, "tag-undefined"),
        (17, "date-impossible"),
        (21, "link-one-sided"),
        (25, "date-malformed"),
        (26, "structure-repeated"),
        (26, "date-malformed"),
        (27, "pointer-wrong-type"),
        (28, "tag-undefined"),
        (31, "pointer-wrong-type"),
        (32, "link-one-sided"),
        (34, "date-reversed"),
        (35, "payload-missing"),
        (37, "value-malformed"),
        (38, "value-malformed"),
        (39, "tag-undefined"),
        (42, "value-not-listed"),
        (43, "pointer-dangling"),
        (45, "structure-missing"),
        (45, "payload-missing"),
    ];
    assert_eq!(found, wanted.map(|(line, name)| (line, name.to_owned())));
}

#[test]
fn a_tag_and_a_value_are_found_once_by_the_standard_that_is_named() {
    let text = TEXT.replace("1 SEX F\n", "1 BRTH\n2 X\n1 BIRT\n2 DATE 5 oct 1835\n2 AGE old\n1 BRTH\n");
    let folder = folder(&text);
    let of = |args: &[&str]| -> Vec<_> {
        let names = ["tag-undefined", "spelling-unusual", "age-malformed"];
        let found = found(&check(folder.path(), args));
        found.into_iter().filter(|(_, name, _)| names.contains(&name.as_str())).collect()
    };
    let unasked = [
        (12, "tag-undefined", "advice"),
        (15, "spelling-unusual", "advice"),
        (16, "age-malformed", "advice"),
    ];
    assert_eq!(of(&[]), rows(&unasked));
    let gedcom = [(12, "tag-undefined", "non-conformant"), (16, "age-malformed", "non-conformant")];
    assert_eq!(of(&["--against", "5.5.1"]), rows(&gedcom));
    let each = [gedcom[0], gedcom[1], (17, "tag-undefined", "non-conformant")];
    assert_eq!(of(&["--against", "5.5.1", "--all"]), rows(&each));
}

#[test]
fn findings_of_one_code_are_counted_by_the_class_of_each() {
    let husband = "0 @F1@ FAM\n1 HUSB @I1@\n";
    let person = "0 @I1@ INDI\n1 FAMC @F2@\n";
    for records in [[husband, person], [person, husband]] {
        let folder = folder(&format!("0 HEAD\n{}0 @F2@ FAM\n0 TRLR\n", records.concat()));
        let output = check(folder.path(), &["--against", "data-model"]);
        let lines = json(&output);
        let classes: Vec<&Value> =
            lines.iter().filter(|line| line["code"] == "E0907").map(|line| &line["class"]).collect();
        assert_eq!(classes.len(), 2);
        assert!(
            classes.contains(&&Value::from("advice")) && classes.contains(&&Value::from("non-conformant"))
        );
        let summary = &lines[lines.len() - 1]["summary"];
        for (class, key) in [("advice", "advice"), ("non-conformant", "non_conformant")] {
            let count = lines.iter().filter(|line| line["class"] == class).count();
            assert_eq!(summary[key], Value::from(count), "{class}");
        }
        let statistics = json(&check(folder.path(), &["--against", "data-model", "--statistics"]));
        let rows: Vec<&Value> =
            statistics.iter().filter(|line| line["code"] == "E0907").map(|line| &line["count"]).collect();
        assert_eq!(rows, [&Value::from(1), &Value::from(1)]);
    }
}

#[test]
fn gedcom_7_is_held_against_its_own_standard() {
    const SEVEN: &str = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NAME a@b /@@/\n1 SEX X\n1 RESI\n2 DATE 44 BCE\n\
        1 NOTE @@me\n1 ALIA @VOID@\n1 SEX U\n1 RFN x\n0 @A_VERY_LONG_IDENTIFIER_INDEED@ REPO\n1 _X y\n0 TRLR\n";
    let filler: String = (0..20_000).map(|n| format!("0 @N{n}@ SNOTE {}\n", "x".repeat(40))).collect();
    for lines in [0, 20_000] {
        let filler = if lines > 0 { &*filler } else { "" };
        let folder = folder(&SEVEN.replace("0 @A_", &format!("{filler}0 @A_")));
        let of = |class| {
            rows(&[
                (11, "structure-repeated", class),
                (13 + lines, "structure-missing", class),
                (12, "tag-undefined", class),
            ])
        };
        let of_standards = |args: &[&str]| {
            let mut found = found(&check(folder.path(), args));
            found.retain(|(_, name, _)| name.starts_with("structure-") || name == "tag-undefined");
            found.sort();
            found
        };
        let sorted = |mut rows: Vec<(u64, String, String)>| {
            rows.sort();
            rows
        };
        assert_eq!(of_standards(&[]), sorted(of("advice")));
        let named = check(folder.path(), &["--against", "7.0"]);
        let mut all = found(&named);
        all.sort();
        assert_eq!((all, status(&named)), (sorted(of("non-conformant")), 1));
        // Rules that read it otherwise leave it alone.
        assert!(of_standards(&["--rules", "2019-12"]).iter().all(|(_, name, _)| name == "tag-undefined"));
    }
}

/// A header of GEDCOM 5.5.1 with those lines, which lacks nothing else.
fn with_header(lines: &str) -> String {
    format!("0 HEAD\n1 SUBM @U1@\n1 SOUR X\n{lines}0 @U1@ SUBM\n1 NAME Somebody\n0 TRLR\n")
}

#[test]
fn a_fault_of_the_header_is_told_once_by_the_reader_and_the_standard() {
    let gedc = "1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n";
    // What the reader says is advice; what a standard that is named says is not.
    let cases = [
        (format!("{gedc}1 CHAR FOO\n"), "advice", vec![(7, "encoding-unknown", "non-conformant")]),
        (gedc.to_owned(), "advice", vec![(1, "encoding-unnamed", "non-conformant")]),
        (
            format!("{gedc}1 CHAR UTF-8\n1 CHAR UTF-8\n"),
            "non-conformant",
            vec![(8, "metadata-repeated", "non-conformant")],
        ),
        (format!("{gedc}1 CHAR ANSI\n"), "non-conformant", vec![(7, "encoding-alias", "non-conformant")]),
        (
            "1 CHAR UTF-8\n1 GEDC x\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n".to_owned(),
            "non-conformant",
            vec![(5, "gedc-malformed", "non-conformant")],
        ),
        (
            "1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM\n".to_owned(),
            "non-conformant",
            vec![(7, "gedcom-form", "non-conformant")],
        ),
        (
            "1 CHAR UTF-8\n1 GEDC\n".to_owned(),
            "non-conformant",
            vec![(5, "gedc-malformed", "non-conformant")],
        ),
        (
            "1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM FOO\n".to_owned(),
            "non-conformant",
            vec![(7, "gedcom-form", "non-conformant")],
        ),
    ];
    for (lines, unnamed, expected) in cases {
        let folder = folder(&with_header(&lines));
        let named = check(folder.path(), &["--against", "5.5.1"]);
        assert_eq!((found(&named), status(&named)), (rows(&expected), 1), "{lines}");
        let quiet = check(folder.path(), &["--against", "5.5.1", "-q"]);
        assert_eq!(json(&quiet).last(), json(&named).last(), "{lines}");
        let classes: Vec<String> = found(&check(folder.path(), &[])).into_iter().map(|one| one.2).collect();
        assert_eq!(classes, [unnamed], "{lines}");
        // Who does not ask for the reader's finding has that of the standard.
        let reader = expected[0].1;
        let others = found(&check(folder.path(), &["--against", "5.5.1", "--ignore", reader]));
        assert!(!others.is_empty() && others.iter().all(|one| one.1 != reader), "{lines}: {others:?}");
    }
    // HEAD lacks two others, of which only the standard speaks.
    let folder = folder("0 HEAD\n0 @U1@ SUBM\n1 NAME Somebody\n0 TRLR\n");
    let names: Vec<String> =
        found(&check(folder.path(), &["--against", "5.5.1"])).into_iter().map(|one| one.1).collect();
    assert_eq!(names, ["encoding-unnamed", "structure-missing", "structure-missing", "structure-missing"]);
}

#[test]
fn a_bad_definition_of_a_tag_is_told_once() {
    let text = "0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _X\n2 TAG FOO bar\n0 TRLR\n";
    let folder = folder(text);
    for (args, class) in [(&[][..], "advice"), (&["--against", "7.0"][..], "non-conformant")] {
        let name = "tag-definition-malformed";
        assert_eq!(found(&check(folder.path(), args)), rows(&[(5, name, class), (6, name, class)]));
    }
}

/// The findings of a file of GEDCOM 7 by what the standard says of months, pointers, paths of files and tags.
#[test]
fn gedcom_7_is_held_to_its_letter() {
    let text = "0 HEAD\n1 GEDC\n2 VERS 7.0\n2 VERS 7.0\n2 SCHMA x\n1 ELF 1.0.0\n0 @I1@ INDI\n1 SUBM @W@\n1 SEX @VOID@\n\
        1 BIRT\n2 DATE 5 JN 1900\n1 DEAT\n2 DATE 5 _X 1900\n1 NOTE x\n2 TRAN y\n1 _ z\n0 @W@ _D x\n0 @O1@ OBJE\n\
        1 FILE ../a.jpg\n2 FORM image/jpeg\n0 TRLR\n";
    let folder = folder(text);
    let named = found(&check(folder.path(), &["--against", "7.0"]));
    let held = "non-conformant";
    let all = [
        (2, "gedc-malformed", held),
        (4, "structure-repeated", held),
        (5, "tag-undefined", held),
        (6, "tag-undefined", held),
        (8, "pointer-wrong-type", held),
        (9, "payload-unexpected", held),
        (11, "date-impossible", held),
        (13, "date-impossible", held),
        (15, "structure-missing", held),
        (16, "tag-malformed", "malformed"),
        (19, "value-malformed", held),
    ];
    assert_eq!(named, rows(&all));
    // Nobody named the standard; what is in GEDC has no types then.
    let advice = found(&check(folder.path(), &[]));
    let of =
        |line: u64| advice.iter().find(|(at, ..)| *at == line).map(|(_, name, class)| (&**name, &**class));
    for (line, name, class) in all.into_iter().skip(3) {
        assert_eq!(of(line), Some((name, if class == held { "advice" } else { class })), "{line}");
    }
    let output = stdout(&elf(&["check", "a.ged"]).current_dir(folder.path()).output().expect("it runs"));
    assert!(output.contains("expected one VERS in GEDC, but found 2\n"), "{output}");
}
