//! Files with damaged lines, so that somebody who may be living falls into the record of another: not a word
//! of the living is left, and the line is told.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use elf_extract::{Extraction, Plan, PlanError, Redaction, Survey};
use elf_lineage::LivingRule;
use elf_schema::{ReadOptions, Reader, Rules};

/// 22 November 2026.
const TODAY: i64 = 2_461_367;

/// A record of somebody dead, which ends with a text.
const DEAD: &str = "0 @I2@ INDI\n1 NAME Old /Man/\n1 SEX M\n1 DEAT Y\n1 NOTE a text\n";

/// The lines beneath the record of somebody living.
const LIVING: &str = "1 NAME secret /King/\n1 SEX F\n1 BIRT\n2 DATE 1990\n2 PLAC secret\n1 NOTE secret\n";

/// The output and the lines that are told, in parts of that size.
fn redacted(text: &str, keep: &[&str], size: usize) -> Result<(String, Vec<u64>), PlanError> {
    let reader = || Reader::new(text.as_bytes(), &Rules::WILD, ReadOptions::default()).with_part_size(size);
    let survey = Survey::read(&mut reader()).unwrap();
    let redaction = Redaction::by(LivingRule::on(TODAY)).with_keep(keep.iter().copied());
    let plan = Plan::redaction(survey, &redaction)?;
    let mut out = Vec::new();
    Extraction::of(&plan).run(&mut reader(), &mut out, &mut |_| Ok(())).unwrap();
    Ok((String::from_utf8(out).unwrap(), plan.unclear_lines().to_vec()))
}

fn file(body: &str) -> String {
    format!("0 HEAD\n1 CHAR UTF-8\n{body}0 @I9@ INDI\n1 NAME Open /Roe/\n1 DEAT Y\n0 TRLR\n")
}

#[test]
fn a_person_behind_a_damaged_line_is_hidden() {
    for line in [
        "0 @@ INDI",
        "0 @#I1@ INDI",
        "0 @I1@",
        "0 @I 1@INDI",
        "@I1@ INDI",
        "O @I1@ INDI",
        "0@I1@INDI",
        "-1 @I1@ INDI",
        "0 @I1@ IN-DI",
        "0",
        "0 @I1",
        "1 @I1@ INDI",
        "2 INDI",
        "x",
        "\u{FFFD}\u{FFFD}",
        "@#DX@",
        "0 @I1@ INDIVIDUAL",
        "0 @I1@ _INDI",
        "0 @I1@ PERSON",
        "0 I1 INDI",
        "0 @I1@ FAM",
        "0 @I1@ SOUR",
        "0 @I1@ _X",
        "0 @I1@ indi",
        "2 CONT 0 @I1@ INDI",
        "2 CONT 0 @@I1@@ INDI",
        "0 NAME secret",
        "\u{FEFF}0 @I1@ INDI",
        "9 @I1@ INDI",
        "1 @@ INDI",
        "0 HEAD",
        "0 TRLR",
        "0 SUBM",
        "0 @I1@ REPO",
        "0 @I1@ NOTE",
        "0 NOTE",
        "1 @I1@ X-Y",
        "+0 @I1@ INDI",
    ] {
        let text = file(&format!("{DEAD}{line}\n{LIVING}"));
        for size in [1, 1 << 20] {
            match redacted(&text, &["I9", "I2"], size) {
                Ok((out, lines)) => {
                    assert!(!out.contains("secret"), "{line}: {out}");
                    assert!(out.contains("Open /Roe/"), "{line}: {out}");
                    let is_plain = matches!(line, "0 @I1@ indi");
                    assert!(is_plain || !lines.is_empty(), "{line}: {out}");
                }
                Err(error) => assert!(matches!(error, PlanError::UnclearHeader { .. }), "{line}"),
            }
        }
    }
}

#[test]
fn a_person_behind_a_damaged_line_of_the_header_is_told() {
    let text = format!("0 HEAD\n1 CHAR UTF-8\n1 LANG English\n0 @@ INDI\n{LIVING}0 TRLR\n");
    assert_eq!(redacted(&text, &[], 1 << 20).unwrap_err(), PlanError::UnclearHeader { line: 4 });
    let text = format!("0 HEAD\n1 CHAR UTF-8\n{LIVING}0 TRLR\n");
    assert_eq!(redacted(&text, &[], 1 << 20).unwrap_err(), PlanError::UnclearHeader { line: 3 });
    for fact in ["RESI", "CENS", "OCCU miner", "MARR", "HUSB @I4@", "ASSO @I1@", "RESN confidential"] {
        let text = format!("0 HEAD\n1 CHAR UTF-8\n1 {fact}\n2 NOTE secret\n0 TRLR\n");
        assert_eq!(
            redacted(&text, &[], 1 << 20).unwrap_err(),
            PlanError::UnclearHeader { line: 3 },
            "{fact}"
        );
        let text = file(&format!("0 @I4@ INDI\n1 NAME secret\n0 HEAD\n1 {fact}\n2 NOTE secret\n"));
        assert!(matches!(redacted(&text, &[], 1 << 20), Err(PlanError::UnclearHeader { .. })), "{fact}");
    }
}

#[test]
fn what_a_record_may_have_of_another_says_nothing_of_relatives() {
    // The death is that of the one behind the damaged line.
    let parent =
        "0 @I1@ INDI\n1 NAME secret /King/\n1 NOTE x\n0 @@ INDI\n1 NAME secret\n1 DEAT\n2 DATE 1800\n";
    let child = "0 @I3@ INDI\n1 NAME secret /Child/\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I3@\n";
    let (out, lines) = redacted(&file(&format!("{parent}{child}")), &[], 1 << 20).unwrap();
    assert!(!out.contains("secret"), "{out}");
    assert_eq!(lines, [6]);
    // So is the marriage.
    let family = "0 @F1@ FAM\n1 HUSB @I1@\n1 NOTE x\n0 @@ FAM\n1 MARR\n2 DATE 1800\n";
    let (out, _) = redacted(&file(&format!("0 @I1@ INDI\n1 NAME secret\n{family}")), &[], 1 << 20).unwrap();
    assert!(!out.contains("secret") && !out.contains("1800"), "{out}");
}

#[test]
fn a_text_that_is_broken_stays_where_it_is_no_line() {
    let text =
        file(&format!("{DEAD}and another\nline of it, of 07 May\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I2@\n"));
    let (out, lines) = redacted(&text, &[], 1 << 20).unwrap();
    assert_eq!((out, lines), (text, Vec::new()));
}

#[test]
fn a_line_that_cannot_be_read_is_private() {
    let (out, _) = redacted(&file(&format!("{DEAD}1 NO-TE secret\n2 CONT secret\n")), &[], 1 << 20).unwrap();
    assert!(out.contains("Old /Man/") && !out.contains("secret"), "{out}");
}
