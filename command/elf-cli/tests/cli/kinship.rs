//! `elf kinship`: fields and exit statuses.

use crate::shell::{json, run, run_with, status, stderr, stdout};
use serde_json::json;

const FAMILY: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Karl /Müller/\n1 SEX M\n1 FAMS @F1@\n\
    0 @I2@ INDI\n1 NAME Eva /Müller/\n1 SEX F\n1 FAMS @F1@\n\
    0 @I3@ INDI\n1 NAME Max /Müller/\n1 SEX M\n1 FAMC @F1@\n1 FAMS @F2@\n\
    0 @I4@ INDI\n1 NAME Ida /Müller/\n1 SEX F\n1 FAMC @F1@\n1 FAMS @F3@\n\
    0 @I5@ INDI\n1 NAME Jo /Müller/\n1 FAMC @F2@\n0 @I6@ INDI\n1 NAME Jo /Müller/\n1 SEX F\n1 FAMC @F3@\n\
    0 @I7@ INDI\n1 NAME Tom /Wolf/\n1 SEX M\n1 FAMS @F3@\n0 @I8@ INDI\n1 NAME Ben /Wolf/\n1 SEX M\n1 FAMC @F3@\n2 PEDI adopted\n\
    0 @I9@ INDI\n0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 CHIL @I3@\n1 CHIL @I4@\n\
    0 @F2@ FAM\n1 HUSB @I3@\n1 CHIL @I5@\n0 @F3@ FAM\n1 HUSB @I7@\n1 WIFE @I4@\n1 CHIL @I6@\n1 CHIL @I8@\n0 TRLR\n";

fn kinship(args: &[&str]) -> std::process::Output {
    run_with(&[&["kinship", "-"], args].concat(), FAMILY.as_bytes())
}

#[test]
fn each_field_is_in_json_and_csv() {
    for (one, other, expected, coefficient) in [
        (
            "I5",
            "@I6@",
            json!({"kind": "blood", "name": "first cousin", "up": 2, "down": 2, "half": false, "common_ancestors": ["I1", "I2"]}),
            0.125,
        ),
        (
            "@I1@",
            "I3",
            json!({"kind": "blood", "name": "father", "up": 0, "down": 1, "half": false, "common_ancestors": ["I1"]}),
            0.5,
        ),
        (
            "I8",
            "I5",
            json!({"kind": "adoptive", "name": "adoptive first cousin", "up": 2, "down": 2, "half": false, "common_ancestors": ["I1", "I2"]}),
            0.0,
        ),
        (
            "I2",
            "I7",
            json!({"kind": "marriage", "name": "mother-in-law", "half": false, "common_ancestors": []}),
            0.0,
        ),
    ] {
        let output = kinship(&[one, other, "--format", "json"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let bare = |id: &str| id.trim_matches('@').to_owned();
        let summary = json!({"summary": {"a": bare(one), "b": bare(other), "related": true, "coefficient": coefficient}});
        assert_eq!(json(&output), [expected, summary], "{one} {other}");
    }
    let output = kinship(&["I3", "I6", "--format", "csv"]);
    let expected = "kind,name,up,down,half,common_ancestors\r\nblood,uncle,1,2,false,I1;I2\r\n";
    assert_eq!((status(&output), stdout(&output).as_str()), (0, expected));
    let output = kinship(&["I3", "I7", "--format", "csv"]);
    assert_eq!(
        stdout(&output),
        "kind,name,up,down,half,common_ancestors\r\nmarriage,brother-in-law,,,false,\r\n"
    );
}

#[test]
fn sentences_name_both() {
    for (one, other, expected) in [
        ("I1", "I3", "Karl Müller is the father of Max Müller\nCoefficient of relationship by blood: 0.5\n"),
        ("I1", "I2", "Karl Müller is the husband of Eva Müller\n"),
        ("I2", "I7", "Eva Müller is the mother-in-law of Tom Wolf\n"),
        ("I8", "I4", "Ben Wolf is an adopted son of Ida Müller\n"),
        (
            "I4",
            "I5",
            "Ida Müller is an aunt of Jo Müller\n  common ancestors: Karl Müller (@I1@) and Eva Müller (@I2@)\n\
             Coefficient of relationship by blood: 0.25\n",
        ),
        (
            "I5",
            "I6",
            "Jo Müller (@I5@) is a first cousin of Jo Müller (@I6@)\n  common ancestors: Karl Müller (@I1@) and Eva Müller (@I2@)\n\
             Coefficient of relationship by blood: 0.125\n",
        ),
    ] {
        let output = kinship(&[one, other]);
        assert_eq!((status(&output), stdout(&output).as_str(), stderr(&output).as_str()), (0, expected, ""));
    }
    let output = kinship(&["I9", "I1"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (1, "@I9@ and Karl Müller are not related\n"));
    let output = kinship(&["I9", "I1", "--format", "json"]);
    let summary = json!({"summary": {"a": "I9", "b": "I1", "related": false, "coefficient": 0.0}});
    assert_eq!((status(&output), json(&output)), (1, vec![summary]));
    assert!(stdout(&output).ends_with("\"coefficient\":0.0}}\n"), "{}", stdout(&output));
}

#[test]
fn two_persons_of_one_file_are_needed() {
    for args in [&["I1", "I1"][..], &["I1", "@I1@"], &["I1", "I99"], &["F1", "I1"], &["I1"], &["I1", "@"]] {
        let output = kinship(args);
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{args:?}");
        assert!(!stderr(&output).is_empty());
    }
    let twice = FAMILY.replace("0 @I9@ INDI", "0 @I1@ INDI");
    let output = run_with(&["kinship", "-", "I1", "I3"], twice.as_bytes());
    assert_eq!(status(&output), 2);
    assert_eq!(stderr(&output), "error: -: several people have the identifier `@I1@`\n");
    assert_eq!(status(&run(&["kinship", "no-such-file.ged", "I1", "I2"])), 2);
    let cut = FAMILY.replace("0 @I9@ INDI", "7 @I9@ INDI");
    let output = run_with(&["kinship", "-", "I1", "I3", "--rules", "2019-12"], cut.as_bytes());
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("stopped early"), "{}", stderr(&output));
}
