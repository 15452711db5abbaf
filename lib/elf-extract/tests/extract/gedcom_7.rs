//! Redactions of GEDCOM 7: not a word of the living is left in phrases, associations, translations and notes
//! of those who stay, or it is told.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use elf_extract::{Plan, Redaction, Replacement, Survey};
use elf_lineage::LivingRule;
use elf_schema::TypedDocument;

/// 23 November 2026.
const TODAY: i64 = 2_461_368;

/// A dead couple, a living child of theirs called Ada King, and her own records.
const FAMILY: &str = "0 @I1@ INDI\n1 NAME Ada /King/\n1 SEX F\n1 FAMC @F1@\n1 SNOTE @N1@\n1 SOUR @S1@\n1 OBJE @O1@\n\
    1 EXID secret\n2 TYPE https://example.com\n1 UID secret\n1 NO MARR\n2 NOTE secret\n0 @N1@ SNOTE secret\n1 TRAN secret\n\
    2 LANG de\n0 @S1@ SOUR\n1 TITL secret\n0 @O1@ OBJE\n1 FILE secret.jpg\n2 FORM image/jpeg\n2 TITL secret\n";

/// The output, and whether somebody is told to look.
fn redacted(lines: &str, replacement: Replacement) -> (String, bool) {
    let text = format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n{FAMILY}{lines}0 TRLR\n");
    let typed = TypedDocument::parse(text.as_bytes()).unwrap();
    let redaction = Redaction::by(LivingRule::on(TODAY)).with_replacement(replacement);
    let plan = Plan::redaction(Survey::of(&typed), &redaction).unwrap();
    let extraction = plan.extract().unwrap();
    let is_told =
        !extraction.mentions.is_empty() || !plan.doubts().is_empty() || !plan.unclear_lines().is_empty();
    (String::from_utf8(extraction.octets.into_owned()).unwrap(), is_told)
}

/// The dead couple, with lines under the man and under the family.
fn couple(of_man: &str, of_family: &str) -> String {
    format!(
        "0 @I2@ INDI\n1 NAME Old /King/\n1 BIRT\n2 DATE 1850\n1 DEAT Y\n1 FAMS @F1@\n{of_man}\
         0 @I3@ INDI\n1 NAME Old /Queen/\n1 DEAT Y\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I3@\n{of_family}"
    )
}

#[test]
fn not_a_word_of_the_living_is_left() {
    for (of_man, of_family) in [
        ("", "1 CHIL @I1@\n2 PHRASE secret\n"),
        ("", "1 CHIL @VOID@\n2 PHRASE secret\n"),
        ("1 FAMC @VOID@\n2 NOTE secret\n", "1 CHIL @I1@\n"),
        ("1 ASSO @I1@\n2 PHRASE secret\n2 ROLE OTHER\n3 PHRASE secret\n2 SNOTE @N2@\n", "1 CHIL @I1@\n"),
        ("1 ASSO @VOID@\n2 PHRASE secret\n2 ROLE WITN\n2 SNOTE @N2@\n", "1 CHIL @I1@\n"),
        ("1 BURI\n2 ASSO @VOID@\n3 PHRASE secret\n3 ROLE CLERGY\n", "1 MARR\n2 ASSO @I1@\n3 PHRASE secret\n"),
        ("1 ALIA @I1@\n2 PHRASE secret\n", "1 CHIL @I1@\n"),
        ("1 SNOTE @N2@\n2 RESN CONFIDENTIAL\n1 NOTE secret\n2 RESN CONFIDENTIAL, LOCKED\n", "1 CHIL @I1@\n"),
        (
            "1 EVEN secret\n2 TYPE party\n2 RESN locked,PRIVACY\n",
            "1 MARR\n2 RESN CONFIDENTIAL,LOCKED\n2 NOTE secret\n",
        ),
        ("1 OCCU miner\n2 ROLE OTHER\n3 PHRASE secret\n", "1 CHIL @I1@\n"),
        ("1 _FRIEND @I1@\n2 _NAME secret\n", "1 CHIL @I1@\n"),
    ] {
        for replacement in Replacement::ALL {
            let lines = format!("{}0 @N2@ SNOTE secret\n", couple(of_man, of_family));
            // Where nothing referred to the note, it stays, and is told.
            let (out, is_told) = redacted(&lines, replacement);
            let is_referred = of_man.contains("@N2@");
            let rest = if is_referred { out.clone() } else { out.replace("0 @N2@ SNOTE secret\n", "") };
            assert!(!rest.contains("secret"), "{of_man}{of_family}: {out}");
            assert!(out.contains("Old /King/") && (is_referred || is_told), "{of_man}{of_family}: {out}");
            assert!(replacement == Replacement::Name || !out.contains("Ada"), "{out}");
        }
    }
}

#[test]
fn a_name_of_the_living_in_a_phrase_is_told() {
    for of_man in [
        "1 OCCU miner\n2 DATE 1870\n3 PHRASE when Ada King was born\n",
        "1 NAME Old\n2 TRAN Old, father of Ada King\n3 LANG en\n",
        "1 NOTE x\n2 TRAN says Ada King\n3 LANG en\n",
        "1 SOUR @S2@\n2 EVEN BIRT\n3 PHRASE of Ada King\n0 @S2@ SOUR\n1 TITL open\n",
        "1 SOUR @S2@\n2 DATA\n3 TEXT Ada King told\n0 @S2@ SOUR\n1 TITL open\n",
        "1 EXID ada-king\n2 TYPE https://example.com\n",
    ] {
        let (_, is_told) = redacted(&couple(of_man, "1 CHIL @I1@\n"), Replacement::Placeholder);
        assert!(is_told, "{of_man}");
    }
    let (out, is_told) = redacted(&couple("1 OCCU miner\n", "1 CHIL @I1@\n"), Replacement::Placeholder);
    assert!(!is_told && out.contains("1 CHIL @I1@\n") && !out.contains("secret"), "{out}");
}

#[test]
fn that_something_did_not_happen_is_no_death() {
    let lines = couple("", "1 CHIL @I4@\n");
    let person =
        "0 @I4@ INDI\n1 NAME Young /King/\n1 BIRT\n2 DATE 1990\n1 NO DEAT\n2 NOTE secret\n1 FAMC @F1@\n";
    let (out, _) = redacted(&format!("{lines}{person}"), Replacement::Placeholder);
    assert!(!out.contains("Young") && !out.contains("secret"), "{out}");
}
