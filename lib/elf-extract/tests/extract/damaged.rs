//! Files with damaged lines, so that somebody who may be living falls into the record of another: not a word
//! of the living is left, and the line is told.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use elf_extract::{DoubtReason, Plan, PlanError, Redaction, Replacement, Survey};
use elf_lineage::LivingRule;
use elf_schema::TypedDocument;

/// 22 November 2026.
const TODAY: i64 = 2_461_367;

/// A record of somebody dead, which ends with a text.
const DEAD: &str = "0 @I2@ INDI\n1 NAME Old /Man/\n1 SEX M\n1 DEAT Y\n1 NOTE a text\n";

/// The lines under the record of somebody living.
const LIVING: &str = "1 NAME secret /King/\n1 SEX F\n1 BIRT\n2 DATE 1990\n2 PLAC secret\n1 NOTE secret\n";

/// The output and the unclear lines.
fn redacted(text: &str, keep: &[&str]) -> Result<(String, Vec<u64>), PlanError> {
    let typed = TypedDocument::parse(text.as_bytes()).unwrap();
    let redaction = Redaction::by(LivingRule::on(TODAY)).with_keep(keep.iter().copied());
    let plan = Plan::redaction(Survey::of(&typed), &redaction)?;
    let out = plan.extract().unwrap().octets.into_owned();
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
        match redacted(&text, &["I9", "I2"]) {
            Ok((out, lines)) => {
                assert!(!out.contains("secret"), "{line}: {out}");
                assert!(out.contains("Open /Roe/"), "{line}: {out}");
                // The line is read as the record that it means, or it is told.
                let is_read = matches!(line, "0 @I1@ indi") || out.contains("1 NAME Private");
                assert!(is_read || !lines.is_empty(), "{line}: {out}");
            }
            Err(error) => assert!(matches!(error, PlanError::UnclearHeader { .. }), "{line}"),
        }
    }
}

#[test]
fn a_person_behind_a_damaged_line_of_the_header_is_told() {
    // The line is a record that cannot be read, and goes with everything under it.
    let text = format!("0 HEAD\n1 CHAR UTF-8\n1 LANG English\n0 @@ INDI\n{LIVING}0 TRLR\n");
    let (out, lines) = redacted(&text, &[]).unwrap();
    assert_eq!((&*out, &*lines), ("0 HEAD\n1 CHAR UTF-8\n1 LANG English\n0 TRLR\n", &[4][..]));
    let text = format!("0 HEAD\n1 CHAR UTF-8\n{LIVING}0 TRLR\n");
    assert_eq!(redacted(&text, &[]).unwrap_err(), PlanError::UnclearHeader { line: 3 });
    for fact in ["RESI", "CENS", "OCCU miner", "MARR", "HUSB @I4@", "ASSO @I1@", "RESN confidential"] {
        let text = format!("0 HEAD\n1 CHAR UTF-8\n1 {fact}\n2 NOTE secret\n0 TRLR\n");
        assert_eq!(redacted(&text, &[]).unwrap_err(), PlanError::UnclearHeader { line: 3 }, "{fact}");
        let text = file(&format!("0 @I4@ INDI\n1 NAME secret\n0 HEAD\n1 {fact}\n2 NOTE secret\n"));
        let (out, lines) = redacted(&text, &[]).unwrap();
        assert!(!out.contains("secret") && !lines.is_empty(), "{fact}: {out}");
    }
}

#[test]
fn what_a_record_may_have_of_another_says_nothing_of_relatives() {
    // The death is that of the one after the damaged line.
    let parent =
        "0 @I1@ INDI\n1 NAME secret /King/\n1 NOTE x\n0 @@ INDI\n1 NAME secret\n1 DEAT\n2 DATE 1800\n";
    let child = "0 @I3@ INDI\n1 NAME secret /Child/\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I3@\n";
    let (out, lines) = redacted(&file(&format!("{parent}{child}")), &[]).unwrap();
    assert!(!out.contains("secret"), "{out}");
    assert_eq!(lines, [6]);
    // So is the marriage.
    let family = "0 @F1@ FAM\n1 HUSB @I1@\n1 NOTE x\n0 @@ FAM\n1 MARR\n2 DATE 1800\n";
    let (out, _) = redacted(&file(&format!("0 @I1@ INDI\n1 NAME secret\n{family}")), &[]).unwrap();
    assert!(!out.contains("secret") && !out.contains("1800"), "{out}");
}

#[test]
fn a_text_that_is_broken_stays_where_it_is_no_line() {
    let text =
        file(&format!("{DEAD}and another\nline of it, of 07 May\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I2@\n"));
    let (out, lines) = redacted(&text, &[]).unwrap();
    assert_eq!((out, lines), (text, Vec::new()));
}

#[test]
fn a_line_that_cannot_be_read_is_private() {
    let (out, _) = redacted(&file(&format!("{DEAD}1 NO-TE secret\n2 CONT secret\n")), &[]).unwrap();
    assert!(out.contains("Old /Man/") && !out.contains("secret"), "{out}");
}

/// The output of a redaction that removes the living, and whether the user is warned.
fn dropped(text: &str) -> (String, bool) {
    let typed = TypedDocument::parse(text.as_bytes()).unwrap();
    let redaction = Redaction::by(LivingRule::on(TODAY)).with_replacement(Replacement::Nothing);
    let plan = Plan::redaction(Survey::of(&typed), &redaction).unwrap();
    let out = plan.extract().unwrap().octets.into_owned();
    let is_told = !plan.doubts().is_empty() || !plan.unclear_lines().is_empty();
    (String::from_utf8(out).unwrap(), is_told)
}

/// Somebody living who refers to a note, a source and an object, and somebody dead who refers to a note.
const REFERRING: &str = "0 @I1@ INDI\n1 NAME secret /King/\n1 NOTE @N4@\n1 SOUR @S1@\n1 OBJE @O1@\n\
    0 @I2@ INDI\n1 NAME Old /Man/\n1 DEAT Y\n1 NOTE @N5@\n";

#[test]
fn a_record_one_level_too_deep_goes_with_those_who_refer_to_it() {
    for (what, behind) in [
        ("a note in a person", "1 @N4@ NOTE secret\n"),
        ("a note in a note", "0 @N5@ NOTE open\n1 @N4@ NOTE secret\n"),
        ("a note in a family", "0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I2@\n1 @N4@ NOTE secret\n"),
        ("a whole source", "1 @S1@ SOUR\n2 TITL secret\n2 NOTE secret\n"),
        ("a source with its notes", "1 @S1@ SOUR\n2 NOTE @N6@\n0 @N6@ NOTE secret\n"),
        ("an object in a note in a note", "0 @N5@ NOTE open\n1 @N6@ NOTE open\n2 @O1@ OBJE\n3 FILE secret\n"),
        ("a note in what goes", "1 @S1@ SOUR\n2 TITL secret\n2 @N4@ NOTE secret\n"),
    ] {
        let (out, _) = dropped(&file(&format!("{REFERRING}{behind}")));
        assert!(!out.contains("secret"), "{what}: {out}");
        assert!(out.contains("Old /Man/") && !out.contains("@N4@"), "{what}: {out}");
    }
    let text = file(&format!("{REFERRING}1 @N5@ NOTE open\n2 @N4@ NOTE secret\n"));
    let (out, _) = dropped(&text);
    assert!(out.contains("1 @N5@ NOTE open\n0 @I9@") && !out.contains("secret"), "{out}");
    // The one that somebody refers to keeps what it is in.
    let text = file(&format!("{REFERRING}1 @N4@ NOTE open\n2 SOUR @S7@\n2 @N5@ NOTE open\n0 @S7@ SOUR\n"));
    assert!(dropped(&text).0.contains("1 @N4@ NOTE open\n2 SOUR @S7@\n2 @N5@ NOTE open\n"));
}

#[test]
fn lines_behind_a_record_one_level_too_deep_may_be_its_own() {
    for (line, below) in [
        ("1 @S1@ SOUR", "1 TITL secret\n1 NOTE secret\n"),
        ("1 @O1@ OBJE", "1 FILE secret\n"),
        ("1 @N4@ NOTE secret", "1 CONT secret\n"),
        ("1 @X1@ _LOC", "1 NAME secret\n"),
        ("2 @S1@ SOUR", "1 TITL secret\n"),
    ] {
        for before in ["", "0 @F1@ FAM\n1 HUSB @I2@\n", "0 @N5@ NOTE open\n", "0 @R1@ REPO\n1 NAME open\n"] {
            let (out, is_told) = dropped(&file(&format!("{REFERRING}{before}{line}\n{below}")));
            assert!(is_told && !out.contains("secret"), "{before}{line}: {out}");
        }
    }
}

#[test]
fn only_the_first_record_is_a_header() {
    for below in [
        "1 NOTE secret\n",
        "1 _UID secret\n",
        "1 SOUR secret\n1 FILE secret\n",
        "1 SUBM @U1@\n2 NOTE secret\n",
    ] {
        for record in ["0 HEAD", "0 @I1@ HEAD", "0 TRLR\n0 HEAD"] {
            let (out, is_told) = dropped(&file(&format!("{REFERRING}{record}\n{below}")));
            assert!(is_told && !out.contains("secret"), "{record}: {out}");
        }
    }
}

#[test]
fn what_a_file_begins_with_is_of_somebody() {
    for line in [
        "1 _UID secret",
        "1 _MREL secret\n2 NOTE secret",
        "1 SUBM @U1@\n2 NOTE secret",
        "2 _X secret",
        "1 NOTE secret",
    ] {
        let (out, is_told) = dropped(&format!("{line}\n0 @I2@ INDI\n1 NAME Old /Man/\n1 DEAT Y\n0 TRLR\n"));
        assert!(is_told && !out.contains("secret") && out.contains("Old /Man/"), "{line}: {out}");
    }
}

#[test]
fn a_record_of_no_known_tag_is_of_somebody() {
    for line in
        ["0 @I5@ IND", "0 @I5@ INDIV", "0 @I5@ Indi", "0 @I5@ _INDI", "0 @I1@", "0 @S5@ SOU", "0 @I5@ XNDI"]
    {
        for below in ["1 NAME secret\n", "1 OCCU secret\n", "1 FAMC @F1@\n1 NOTE secret\n"] {
            let (out, is_told) = dropped(&file(&format!("{line}\n{below}")));
            assert!(is_told && !out.contains("secret"), "{line}, {below}: {out}");
        }
    }
}

#[test]
fn a_sealing_goes_with_the_family_of_the_parents() {
    let text = "0 @I1@ INDI\n1 NAME secret\n1 RESN privacy\n1 FAMS @F1@\n0 @I2@ INDI\n1 NAME Old /Man/\n1 DEAT Y\n1 FAMC @F1@\n\
        1 SLGC\n2 DATE 1890\n2 FAMC @F1@\n1 BIRT\n2 DATE 1850\n2 FAMC @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I2@\n";
    let (out, _) = dropped(&file(text));
    assert!(out.contains("1 DEAT Y\n1 BIRT\n2 DATE 1850\n0 @I9@"), "{out}");
}

#[test]
fn an_association_with_nobody_is_with_somebody_living() {
    for lines in [
        "1 ASSO\n2 RELA secret",
        "1 ASSO @I1@2 RELA secret",
        "1 ASSO @@\n2 RELA secret",
        "1 ASSO @I7@\n2 RELA secret",
        "1 ASSO @VOID@\n2 PHRASE secret\n2 NOTE @N4@",
        "1 BAPM\n2 ASSO @VOID@\n3 PHRASE secret",
        "1 OCCU miner\n2 RELA secret",
        "1 FAMC @F1@\n2 RELA secret",
        "1 _UID 1\n2 RELA secret",
        "1 FAMS @F1@\n2 NOTE open\n3 _FREL secret",
        "1 _WITN @I1@2 TYPE secret",
    ] {
        let (out, _) = dropped(&file(&format!("{REFERRING}{lines}\n0 @N4@ NOTE secret\n")));
        assert!(!out.contains("secret") && out.contains("Old /Man/"), "{lines}: {out}");
    }
    let lines = "1 ASSO @I9@\n2 RELA friend\n1 _WITN @I9@\n2 RELA friend\n";
    assert!(dropped(&file(&format!("{REFERRING}{lines}"))).0.matches("friend").count() == 2);
}

#[test]
fn what_nobody_can_find_is_told() {
    for (reason, text) in [
        (DoubtReason::Unreferenced, file(&format!("{REFERRING}0 @N5@ NOTE open\n0 @N6@ NOTE secret\n"))),
        (DoubtReason::Unreferenced, file("0 _TAG secret\n")),
        (DoubtReason::Ambiguous, file(&format!("{REFERRING}0 @N5@ NOTE open\n0 @N5@ NOTE secret\n"))),
        (DoubtReason::LostPointer, file("0 @F1@ FAM\n1 CHIL @I1@\n")),
        (DoubtReason::NoHeader, "0 @I2@ INDI\n1 DEAT Y\n0 TRLR\n".to_owned()),
        (DoubtReason::NoTrailer, "0 HEAD\n0 @I2@ INDI\n1 BIRT\n2 DATE 198".to_owned()),
    ] {
        let typed = TypedDocument::parse(text.as_bytes()).unwrap();
        let plan = Plan::redaction(Survey::of(&typed), &Redaction::by(LivingRule::on(TODAY))).unwrap();
        assert!(plan.doubts().iter().any(|doubt| doubt.reason == reason), "{text}: {:?}", plan.doubts());
    }
    let whole =
        file("0 @I3@ INDI\n1 DEAT Y\n1 NOTE @N1@\n0 @N1@ NOTE open\n0 _PLAC Rome\n1 MAP\n0 @U1@ SUBM\n");
    let typed = TypedDocument::parse(whole.as_bytes()).unwrap();
    let plan = Plan::redaction(Survey::of(&typed), &Redaction::by(LivingRule::on(TODAY))).unwrap();
    assert_eq!(plan.doubts(), []);
}
