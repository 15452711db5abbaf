//! Tests of damaged lines through the command: lines that run on, full tag names, trailers, identifiers.

use crate::shell::{json, run_with, status, stderr, stdout};
use std::process::Output;

const HEADER: &str = "0 HEAD\n1 SOUR X\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n";

/// A file of those lines, with ` / ` between them.
fn file(lines: &str) -> String {
    format!("{HEADER}{}\n0 TRLR\n", lines.replace(" / ", "\n"))
}

fn run(args: &[&str], file: &str) -> Output {
    run_with(&[args, &["-"]].concat(), file.as_bytes())
}

fn codes(output: &Output) -> Vec<String> {
    json(output).iter().filter_map(|line| Some(line["code"].as_str()?.to_owned())).collect()
}

#[test]
fn only_an_unsafe_fix_divides_lines_that_run_on() {
    for (lines, fixed) in [
        (
            "0 @I1@ INDI / 1 SEX M0 @I2@ INDI / 1 NAME B /H/",
            "0 @I1@ INDI / 1 SEX M / 0 @I2@ INDI / 1 NAME B /H/",
        ),
        (
            "0 @I1@ INDI / 1 FAMS @F1@0 @F1@ FAM / 1 HUSB @I1@",
            "0 @I1@ INDI / 1 FAMS @F1@ / 0 @F1@ FAM / 1 HUSB @I1@",
        ),
        ("0 @I4@ INDI1 NAME B /H/", "0 @I4@ INDI / 1 NAME B /H/"),
        ("0 @I4@ INDI 1 NAME B /H/", "0 @I4@ INDI / 1 NAME B /H/"),
        ("0 @I4@ INDI / 1 BIRT2 DATE 19012 PLAC Rome", "0 @I4@ INDI / 1 BIRT / 2 DATE 1901 / 2 PLAC Rome"),
        ("0 @I1@ INDI / 1 OCCU a@b0 @I2@ INDI", "0 @I1@ INDI / 1 OCCU a@@b / 0 @I2@ INDI"),
    ] {
        for line_break in ["\n", "\r\n"] {
            let [before, after] = [lines, fixed].map(|lines| file(lines).replace('\n', line_break));
            let checked = run(&["check", "--format", "json"], &before);
            assert_eq!(status(&checked), 1, "{lines}");
            assert!(codes(&checked).contains(&"E0214".to_owned()), "{lines}: {}", stdout(&checked));
            assert!(!codes(&checked).contains(&"E0326".to_owned()), "{lines}: {}", stdout(&checked));
            assert_eq!(stdout(&run(&["check", "--fix"], &before)), before, "{lines}");
            assert_eq!(stdout(&run(&["check", "--fix", "--unsafe-fixes"], &before)), after, "{lines}");
        }
    }
    let mail = file("0 @I1@ INDI / 1 NOTE ask me@home.org");
    assert_eq!(stdout(&run(&["check", "--fix"], &mail)), mail.replace('@', "@@").replace("@@I1@@", "@I1@"));
}

#[test]
fn a_damaged_record_line_keeps_its_person() {
    for line in
        ["0@I2@ INDI", "0 @@I2@@ INDI", "\u{FEFF}0 @I2@ INDI", "\u{A0}0 @I2@ INDI", "0 @I2@\u{A0}INDI"]
    {
        let before =
            file(&format!("0 @I1@ INDI / 1 NAME Anna /A/ / 1 OCCU baker / {line} / 1 NAME Bert /B/"));
        let table = stdout(&run(&["table", "people"], &before));
        assert!(table.contains(",I1,Anna A,") && table.contains(",I2,Bert B,"), "{line}: {table}");
        let fixed = stdout(&run(&["check", "--fix", "--unsafe-fixes"], &before));
        assert_eq!(fixed, before.replace(line, "0 @I2@ INDI"), "{line}");
        // Without edits nothing changes; an edited line is written as it should be.
        assert_eq!(stdout(&run(&["edit", "-o", "-"], &before)), before, "{line}");
        let renamed = stdout(&run(&["edit", "--rename-id", "@I2@=@I9@", "-o", "-"], &before));
        assert_eq!(renamed, before.replace(line, "0 @I9@ INDI"), "{line}");
        let converted = stdout(&run(&["convert", "-o", "-"], &before));
        assert!(converted.contains("1 OCCU baker\n0 @I2@ INDI\n1 NAME Bert /B/\n"), "{line}: {converted}");
    }
}

#[test]
fn full_tag_names_are_one_finding_and_read_as_their_tags() {
    let full = "0 HEADER\n1 SOURCE FTW\n1 CHARACTER UTF-8\n1 GEDCOM\n2 VERSION 5.5\n2 FORMAT LINEAGE-LINKED\n\
        0 @I1@ INDIVIDUAL\n1 NAME Max /A/\n1 BIRTH\n2 DATE 1850\n1 DEATH\n2 DATE 1900\n1 FAMILY_SPOUSE @F1@\n\
        1 NOTE a\n2 CONTINUED b\n0 @F1@ FAMILY\n1 HUSBAND @I1@\n0 TRAILER\n";
    let short = "0 HEAD\n1 SOUR FTW\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5\n2 FORM LINEAGE-LINKED\n\
        0 @I1@ INDI\n1 NAME Max /A/\n1 BIRT\n2 DATE 1850\n1 DEAT\n2 DATE 1900\n1 FAMS @F1@\n\
        1 NOTE a\n2 CONT b\n0 @F1@ FAM\n1 HUSB @I1@\n0 TRLR\n";
    let checked = run(&["check", "--format", "json"], full);
    let findings = json(&checked);
    assert_eq!((codes(&checked), status(&checked)), (vec!["E0215".to_owned()], 0), "{}", stdout(&checked));
    assert_eq!((&findings[0]["class"], &findings[0]["count"]), (&"deprecated".into(), &14.into()));
    assert_eq!(
        (&findings[1]["summary"]["deprecated"], &findings[1]["summary"]["repairable"]),
        (&1.into(), &1.into())
    );
    assert_eq!(stdout(&run(&["check", "--fix"], full)), short);
    for args in
        [&["table", "people"][..], &["table", "families"], &["table", "events"], &["convert", "-o", "-"]]
    {
        assert_eq!(stdout(&run(args, full)), stdout(&run(args, short)), "{args:?}");
    }
    let today = ["redact", "--today", "2026-01-01", "-o", "-"];
    assert_eq!(stdout(&run(&today, full)), full);
    assert_eq!(
        stdout(&run(&today, &full.replace("1 DEATH\n2 DATE 1900\n", "").replace("1850", "1990")))
            .matches("Max")
            .count(),
        0
    );
    let info = stdout(&run(&["info"], full));
    assert!(info.contains("1 deprecated"), "{info}");
}

#[test]
fn a_trailer_before_other_records_moves_to_the_end() {
    let body = "0 @I1@ INDI\n0 TRLR\n0 @I2@ INDI\n1 NAME B /C/\n";
    let expected = format!("{HEADER}{}0 TRLR\n", body.replace("0 TRLR\n", ""));
    for behind in ["", "0 TRLR\n"] {
        let file = format!("{HEADER}{body}{behind}");
        let checked = run(&["check", "--format", "json"], &file);
        assert_eq!(codes(&checked), ["E0308"], "{}", stdout(&checked));
        assert_eq!(stdout(&run(&["check", "--fix"], &file)), file);
        assert_eq!(stdout(&run(&["check", "--fix", "--unsafe-fixes"], &file)), expected);
        let converted = run(&["convert", "-o", "-"], &file);
        assert_eq!(status(&converted), 0, "{}", stderr(&converted));
        assert_eq!(stdout(&converted).matches("0 TRLR").count(), 1);
        assert!(stdout(&converted).ends_with("1 NAME B /C/\n0 TRLR\n"));
    }
}

#[test]
fn an_identifier_behind_the_tag_of_a_record_is_put_before_it() {
    let before = file("0 INDI @I2@ / 1 NAME A /B/");
    for standard in ["5.5.1", "7.0"] {
        let checked = run(&["check", "--against", standard, "--format", "json"], &before);
        assert!(codes(&checked).contains(&"E0904".to_owned()), "{standard}: {}", stdout(&checked));
        assert!(stdout(&checked).contains("write the identifier before the tag"), "{standard}");
        let fixed = run(&["check", "--against", standard, "--fix", "--unsafe-fixes"], &before);
        assert_eq!(stdout(&fixed), before.replace("0 INDI @I2@", "0 @I2@ INDI"), "{standard}");
    }
    let bare = file("0 INDI / 1 NAME A /B/");
    assert!(
        codes(&run(&["check", "--against", "5.5.1", "--format", "json"], &bare))
            .contains(&"E0930".to_owned())
    );
    for args in [&["check", "--format", "json"][..], &["check", "--against", "7.0", "--format", "json"]] {
        assert!(!codes(&run(args, &bare)).contains(&"E0930".to_owned()), "{args:?}");
    }
}

#[test]
fn several_pointers_in_a_line_are_not_called_doubled_at_signs() {
    for (payload, is_doubled) in
        [("@F1@ @F2@", false), ("@F1@,@F2@", false), ("@#F1@", false), ("@@F1@@", true)]
    {
        let checked = run(&["check", "--format", "json"], &file(&format!("0 @I1@ INDI / 1 FAMS {payload}")));
        let found = json(&checked);
        let unexpected = found.iter().find(|line| line["code"] == "E0904").expect("a finding");
        let message = unexpected["message"].as_str().expect("a message");
        assert_eq!(message.contains("doubled at signs"), is_doubled, "{message}");
    }
}

#[test]
fn text_behind_a_line_feed_is_fixed_as_text() {
    let filler = "1 _X y\n".repeat(20);
    let before = file(&format!("0 @I1@ INDI / {filler}1 NOTE a<LF>1 John b. 1900 / 1 SEX M"));
    let before = before.replace('\n', "\r\n").replace("<LF>", "\n");
    let show = |file: &str| stdout(&run(&["show", "--format", "flat", "--at", "@I1@/NOTE"], file));
    let fixed = stdout(&run(&["check", "--fix"], &before));
    assert!(fixed.contains("1 NOTE a\n2 CONT 1 John b. 1900\r\n"), "{fixed:?}");
    assert_eq!(show(&before), show(&fixed));
    assert!(show(&before).contains("a\\n1 John b. 1900"), "{}", show(&before));
    assert_eq!(stdout(&run(&["edit", "-o", "-"], &before)), before);
}
