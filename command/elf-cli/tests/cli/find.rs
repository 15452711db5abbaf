//! `elf find`: formats, fields and exit statuses.

use crate::shell::{json, run, run_with, status, stderr, stdout};
use serde_json::json;

const FAMILY: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Karl /Müller/\n2 _MARNM Karl Weiß\n1 SEX M\n\
    1 BIRT\n2 DATE ABT 1850\n2 PLAC Łódź\n1 DEAT\n2 DATE 1911\n2 PLAC Wien, \"IX.\"\n2 SOUR @S1@\n1 FAMS @F1@\n\
    0 @I2@ INDI\n1 NAME Max /Müller/\n1 SEX M\n1 CHR\n2 DATE 3 MAR 1880\n1 FAMC @F1@\n\
    0 INDI\n1 NAME Nobody\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I2@\n0 @S1@ SOUR\n0 TRLR\n";

fn find(args: &[&str]) -> std::process::Output {
    run_with(&[&["find", "-", "--today", "2026-11-28"], args].concat(), FAMILY.as_bytes())
}

#[test]
fn each_field_is_in_json_and_csv() {
    let output = find(&["--name", "weiss", "--format", "json"]);
    let expected = json!({"file": "-", "id": "I1", "name": "Karl Müller", "given": "Karl", "surname": "Müller", "sex": "M",
        "birth": "ABT 1850", "birth_place": "Łódź", "death": "1911", "death_place": "Wien, \"IX.\"", "line": 3});
    assert_eq!((status(&output), json(&output)), (0, vec![expected]));
    let output = find(&["--given", "max", "--format", "json"]);
    assert!(
        stdout(&output)
            .starts_with("{\"file\":\"-\",\"id\":\"I2\",\"name\":\"Max Müller\",\"given\":\"Max\"")
    );
    let expected = json!({"file": "-", "id": "I2", "name": "Max Müller", "given": "Max", "surname": "Müller", "sex": "M",
        "line": 15});
    assert_eq!(json(&output), [expected]);
    let output = find(&["--format", "csv", "--stdin-filename", "my.ged"]);
    let expected = "file,id,name,given,surname,sex,birth,birth_place,death,death_place,line\r\n\
        my.ged,I1,Karl Müller,Karl,Müller,M,ABT 1850,Łódź,1911,\"Wien, \"\"IX.\"\"\",3\r\n\
        my.ged,I2,Max Müller,Max,Müller,M,,,,,15\r\n\
        my.ged,,Nobody,Nobody,,,,,,,21\r\n";
    assert_eq!((status(&output), stdout(&output).as_str()), (0, expected));
    let output = find(&["--format", "ids"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, "@I1@\n@I2@\n"));
    let expected =
        "@I1@  Karl Müller, * ABT 1850 Łódź, † 1911 Wien, \"IX.\"\n@I2@  Max Müller\n      Nobody\n";
    assert_eq!(stdout(&find(&[])), expected);
}

#[test]
fn conditions_are_arguments() {
    for (args, expected) in [
        (&["--name", "MULLER"][..], "@I1@\n@I2@\n"),
        (&["--surname", "weiss"], "@I1@\n"),
        (&["--sounds-like", "Miller"], "@I1@\n@I2@\n"),
        (&["--born", "1850..1860"], "@I1@\n"),
        (&["--born", "..1870"], "@I1@\n"),
        (&["--born", "1880"], "@I2@\n"),
        (&["--died", "1900.."], "@I1@\n"),
        (&["--place", "wien"], "@I1@\n"),
        (&["--sex", "M", "--name", "max"], "@I2@\n"),
        (&["--has", "SOUR"], "@I1@\n"),
        (&["--lacks", "SOUR", "--has", "FAMC"], "@I2@\n"),
        (&["--has", "elf:Event", "--lacks", "BIRT"], "@I2@\n"),
        (&["--ancestor-of", "@I2@"], "@I1@\n"),
        (&["--descendant-of", "I1"], "@I2@\n"),
        (&["--deceased"], "@I1@\n@I2@\n"),
        (&["--living", "--within", "160", "--has", "CHR"], "@I2@\n"),
    ] {
        let output = find(&[args, &["--format", "ids"]].concat());
        assert_eq!(
            (status(&output), stdout(&output).as_str()),
            (0, expected),
            "{args:?} {}",
            stderr(&output)
        );
    }
    // Persons without an identifier are found, though there is nothing to print.
    let output = find(&["--unconnected", "--format", "ids"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""));
}

#[test]
fn the_status_says_whether_somebody_was_found() {
    let header = "file,id,name,given,surname,sex,birth,birth_place,death,death_place,line\r\n";
    for (format, expected) in [("human", ""), ("json", ""), ("csv", header), ("ids", "")] {
        let output = find(&["--name", "xyz", "--format", format]);
        assert_eq!((status(&output), stdout(&output).as_str()), (1, expected), "{format}");
        assert_eq!(stderr(&output), "note: no matching people\n");
    }
    for args in [
        &["--born", "1860..1850"][..],
        &["--born", "x"],
        &["--died", ".."],
        &["--sex", "Q"],
        &["--name", " "],
        &["--has", "a b"],
        &["--living", "--deceased"],
        &["--today", "yesterday"],
        &["--format", "xml"],
        &["--ancestor-of", "I9"],
        &["--descendant-of", "F1"],
    ] {
        let output = run_with(&[&["find", "-"], args].concat(), FAMILY.as_bytes());
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{args:?}");
    }
    let output = find(&["--ancestor-of", "I3"]);
    assert!(
        stderr(&output).starts_with("error: -: no person has the identifier `@I3@`; "),
        "{}",
        stderr(&output)
    );
    let twice = FAMILY.replace("0 INDI", "0 @I2@ INDI");
    let output = run_with(&["find", "-", "--ancestor-of", "I2"], twice.as_bytes());
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("several people have the identifier `@I2@`"), "{}", stderr(&output));
    assert_eq!(status(&run(&["find", "no-such-file.ged"])), 2);
    let cut = FAMILY.replace("0 @F1@ FAM", "7 @F1@ FAM");
    let output = run_with(&["find", "-", "--rules", "2019-12"], cut.as_bytes());
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("Max Müller"), "{}", stdout(&output));
}

#[test]
fn folders_are_searched_and_a_person_is_of_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("a.ged", FAMILY);
    write("b.ged", &FAMILY.replace("@I2@", "@X2@"));
    let path = folder.path().to_string_lossy().into_owned();
    let output = run(&["find", &path, "--descendant-of", "I1", "--format", "json"]);
    assert_eq!(status(&output), 0);
    let ids: Vec<String> = json(&output).iter().map(|line| line["id"].to_string()).collect();
    assert_eq!(ids, ["\"I2\"", "\"X2\""]);
    let output = run(&["find", &path, "--ancestor-of", "X2", "--format", "ids"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, "@I1@\n"));
    assert_eq!(status(&run(&["find", &path, "--ancestor-of", "X3"])), 2);
    let output = run(&["find", &path, "--name", "max"]);
    let lines = stdout(&output);
    assert_eq!(lines.lines().filter(|line| line.ends_with(".ged:")).count(), 2, "{lines}");
    let output = run(&["find", &path, "no-such-file.ged", "--name", "max", "--format", "ids"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, "@I2@\n@X2@\n"));
}

#[test]
fn identifiers_go_on_to_extract_and_redact() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("family.ged");
    std::fs::write(&file, FAMILY).expect("a file");
    let file = file.to_string_lossy().into_owned();
    let output = run_with(&["extract", &file, "--from", "-"], b"@I2@\n\nI1\n");
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("@I2@ INDI") && !stdout(&output).contains("Nobody"));
    assert_eq!(status(&run_with(&["extract", &file, "--from", "-"], b"")), 2);
    assert_eq!(status(&run_with(&["extract", &file, "--from", "-"], b"@I9@\n")), 2);
    assert_eq!(status(&run_with(&["extract", "-", "--from", "-"], FAMILY.as_bytes())), 2);
    let args = ["redact", &file, "--within", "200", "--today", "2026-11-28", "--keep"];
    let hidden = run_with(&[&args[..], &["I1"]].concat(), b"");
    assert!(!stdout(&hidden).contains("Max"), "{}", stdout(&hidden));
    let kept = run_with(&[&args[..], &["-"]].concat(), b"@I2@\n");
    assert!(stdout(&kept).contains("Max"), "{}", stdout(&kept));
}

#[test]
fn a_name_without_a_letter_is_refused() {
    let input = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada /King/\n0 TRLR\n";
    for option in ["--name", "--surname", "--given", "--sounds-like"] {
        for text in ["//", "", " / ", ",", "?"] {
            let output = run_with(&["find", "-", option, text], input.as_bytes());
            assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{option} {text:?}");
        }
    }
    assert_eq!(status(&run_with(&["find", "-", "--name", "/King/"], input.as_bytes())), 0);
}
