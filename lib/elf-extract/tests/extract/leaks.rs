//! Files in which somebody who may be living is easily missed: not a word of them is left, or it is said.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use elf_extract::{DoubtReason, Plan, Redaction, Survey};
use elf_lineage::LivingRule;
use elf_schema::{ReadOptions, Rules, TypedDocument};

/// 22 November 2026.
const TODAY: i64 = 2_461_367;

/// The output, and the number of texts that hold a name of the living; `None` where the redaction is refused.
fn redacted(body: &str, rules: &Rules) -> Option<(String, usize)> {
    let text = format!("0 HEAD\n1 CHAR UTF-8\n{body}\n0 TRLR\n");
    let typed = elf_schema::read(text.as_bytes(), rules, &ReadOptions::default(), &mut ()).unwrap();
    let plan = Plan::redaction(Survey::of(&typed), &Redaction::by(LivingRule::on(TODAY))).unwrap();
    let extraction = plan.extract().ok()?;
    Some((String::from_utf8(extraction.octets.into_owned()).unwrap(), extraction.mentions.len()))
}

#[test]
fn not_a_word_of_the_living_is_left() {
    let dead = "0 @I2@ INDI\n1 NAME Old /Man/\n1 DEAT Y\n";
    let living = "0 @I1@ INDI\n1 NAME secret /King/\n1 BIRT\n2 DATE 1990\n";
    for (what, body) in [
        (
            "births before and after a day",
            "0 @I1@ INDI\n1 NAME secret /King/\n1 BIRT\n2 DATE 1850\n1 BIRT\n2 DATE AFT 1900".to_owned(),
        ),
        (
            "a child with several births",
            "0 @I1@ INDI\n1 NAME secret /King/\n0 @I3@ INDI\n1 NAME b\n1 BIRT\n2 DATE 1850\n1 BIRT\n\
             2 DATE 1990\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I3@"
                .to_owned(),
        ),
        ("a death that is denied", format!("{living}1 DEAT N")),
        ("a death to come", format!("{living}1 DEAT\n2 DATE 2090")),
        ("a birth with two digits", "0 @I1@ INDI\n1 NAME secret /King/\n1 BIRT\n2 DATE 85".to_owned()),
        (
            "a marriage with two digits",
            "0 @I1@ INDI\n1 NAME secret /King/\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n1 MARR\n\
             2 DATE ABT 95"
                .to_owned(),
        ),
        (
            "a parent of whom nobody knows whether it is one",
            "0 @I1@ INDI\n1 NAME secret /King/\n1 FAMC @F1@\n2 PEDI unknown\n0 @I2@ INDI\n\
             1 FAMS @F1@\n1 DEAT\n2 DATE 1800\n0 @F1@ FAM\n1 WIFE @I2@\n1 CHIL @I1@"
                .to_owned(),
        ),
        ("a burial that is denied", format!("{living}1 BURI N")),
        ("a death of which nothing is filled in", format!("{living}1 DEAT\n2 DATE\n2 PLAC")),
        (
            "several births",
            "0 @I1@ INDI\n1 NAME secret /King/\n1 BIRT\n2 DATE 1850\n1 BIRT\n2 DATE 1990".to_owned(),
        ),
        (
            "a record whose line is damaged",
            format!("{dead}0 @I1 INDI\n1 NAME secret /King/\n1 BIRT\n2 DATE 1990"),
        ),
        ("a record beneath another", format!("{dead}1 @I1@ INDI\n2 NAME secret /King/\n2 BIRT\n3 DATE 1990")),
        ("a tag in small letters", format!("{dead}0 @I1@ indi\n1 NAME secret /King/")),
        (
            "an identifier that two persons bear",
            format!("{living}{living}0 @F1@ FAM\n1 HUSB @I1@\n1 MARR\n2 DATE 2010\n2 PLAC secret"),
        ),
        (
            "an identifier that a person and a family bear",
            format!("{living}0 @I1@ FAM\n0 @F1@ FAM\n1 WIFE @I1@\n1 MARR\n2 NOTE secret"),
        ),
        (
            "a birth that begins after the bound",
            "0 @I1@ INDI\n1 NAME secret /King/\n1 BIRT\n2 DATE AFT 1970\n1 RESI secret\n2 DATE 1850"
                .to_owned(),
        ),
        (
            "signs of life farther apart than a life is long",
            "0 @I1@ INDI\n1 NAME secret /King/\n1 RESI\n2 DATE 1850\n1 RESI secret\n2 DATE 2019".to_owned(),
        ),
        (
            "a marriage long after the death of the father",
            "0 @I1@ INDI\n1 NAME secret /King/\n1 FAMC @F1@\n1 FAMS @F2@\n0 @I3@ INDI\n1 NAME b\n1 FAMS @F1@\n\
             1 DEAT\n2 DATE 1850\n0 @F1@ FAM\n1 HUSB @I3@\n1 CHIL @I1@\n0 @F2@ FAM\n1 HUSB @I1@\n1 MARR\n\
             2 DATE 1990"
                .to_owned(),
        ),
        (
            "children born in two centuries",
            "0 @I1@ INDI\n1 NAME secret /King/\n1 FAMS @F1@\n0 @I3@ INDI\n1 NAME b\n1 FAMC @F1@\n1 BIRT\n\
             2 DATE 1863\n0 @I4@ INDI\n1 NAME b\n1 FAMC @F1@\n1 BIRT\n2 DATE 1990\n0 @F1@ FAM\n\
             1 HUSB @I1@\n1 CHIL @I3@\n1 CHIL @I4@"
                .to_owned(),
        ),
        (
            "a birth with two dates",
            "0 @I1@ INDI\n1 NAME secret /King/\n1 BIRT\n2 DATE 1850\n2 DATE 1985".to_owned(),
        ),
        (
            "a child's birth with two dates",
            "0 @I1@ INDI\n1 NAME secret /King/\n1 FAMS @F1@\n0 @I3@ INDI\n1 NAME b\n1 FAMC @F1@\n1 BIRT\n\
             2 DATE 1850\n2 DATE 1990\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I3@"
                .to_owned(),
        ),
        ("a notice in small letters", format!("{dead}1 resn privacy\n1 NOTE secret")),
        ("a notice with another tag", format!("{dead}1 _RESN confidential\n1 NOTE secret")),
        ("a notice without a blank", format!("{dead}1 RESNprivacy\n1 NOTE secret")),
        ("a notice in another word", format!("{dead}1 RESN Privat\n1 NOTE secret")),
        ("a notice without a comma", format!("{dead}1 RESN locked privacy\n1 NOTE secret")),
        ("a notice with a stray line", format!("{dead}1 RESN confidential\nx\n1 NOTE secret")),
        ("a family of nobody", format!("{dead}0 @F1@ FAM\n1 MARR\n2 PLAC secret")),
        (
            "a family of a living child alone",
            format!("{living}1 FAMC @F1@\n0 @F1@ FAM\n1 CHIL @I1@\n1 NOTE secret"),
        ),
        (
            "a partner with a damaged tag",
            format!("{dead}{living}0 @F1@ FAM\n1 WIFE @I2@\n1 husb @I1@\n1 MARR\n2 NOTE secret"),
        ),
        ("a child in words", format!("{dead}0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL Bob secret")),
        (
            "a child by half a pointer",
            format!("{living}1 FAMC @F1@\n{dead}0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1\n2 _FREL secret"),
        ),
        (
            "a wife by half a pointer",
            format!("{living}{dead}0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I1\n1 MARR\n2 PLAC secret"),
        ),
        ("words about nobody", format!("{living}{dead}1 ASSO @I1@\n1 PHRASE secret")),
        ("a private note beneath a name", format!("{dead}2 NOTE secret\n3 RESN privacy")),
    ] {
        let (out, _) = redacted(&body, &Rules::WILD).unwrap();
        assert!(!out.contains("secret"), "{what}: {out}");
    }
}

#[test]
fn names_of_the_living_in_texts_about_others_are_told() {
    for (name, text) in [
        ("Ada /King/", "named after Ada King"),
        ("Dr. Ada /King/ Jr.", "see Ada King"),
        ("María del Carmen de la Fuente /López/", "see María López"),
        ("Maria Magdalena Elisabeth von der /Schulenburg/", "see Maria Schulenburg"),
        ("Ada /King/", "King, Ada: letters"),
        ("Ada /King/", "Ada King's house"),
        ("A /B/\n1 NAME Ada /King/", "see Ada King"),
        ("Zoë /Müller/", "Zoe\u{308} Mu\u{308}ller and ZOE MULLER"),
        ("A\n2 GIVN Ada\n2 SURN King", "see Ada King"),
        ("Augusta /King/\n2 NICK Ada", "Ada King wrote"),
        ("Ada /Byron/\n2 _MARNM King", "Ada King wrote"),
        ("Ada /Byron/\n2 _MARNM Ada /King/", "Ada King wrote"),
        ("Ada /Byron/\n1 ALIA Countess Lovelace", "the Countess Lovelace"),
        ("A /B/\n2 ROMN Ada /King/", "the letters of Ada King"),
    ] {
        for place in ["1 NOTE", "1 NAME Old /Man/\n2 NOTE"] {
            let body = format!("0 @I1@ INDI\n1 NAME {name}\n0 @I2@ INDI\n1 DEAT Y\n{place} {text}");
            let (_, mentions) = redacted(&body, &Rules::WILD).unwrap();
            assert_eq!(mentions, 1, "{name}: {text}");
        }
    }
}

#[test]
fn a_file_of_which_the_rules_reject_records_is_refused() {
    let body = "0 @I1@ INDI\n1 NAME Ada /King/\n0 @I1@ INDI\n1 NAME Ben /King/\n0 @F1@ FAM\n1 CHIL @I1@";
    assert!(redacted(body, &Rules::WILD).is_some());
    assert!(redacted(body, &Rules::DECLARATIVE).is_none_or(|(out, _)| !out.contains("King")));
}

#[test]
fn no_pointer_beneath_a_name_is_left_to_nothing() {
    let body = "0 @I1@ INDI\n1 NAME Ada /King/\n0 @I2@ INDI\n1 NAME Old /Man/\n2 SOUR @S1@\n1 DEAT Y\n\
                0 @S1@ SOUR\n1 RESN confidential\n1 TITL t";
    let (out, _) = redacted(body, &Rules::WILD).unwrap();
    assert!(!out.contains("@S1@"), "{out}");
}

#[test]
fn a_birth_of_which_nothing_is_said_hides_nobody() {
    let body = "0 @I1@ INDI\n1 NAME Old /Man/\n1 BIRT\n2 PLAC Rome\n1 BIRT\n2 DATE 1850";
    let (out, _) = redacted(body, &Rules::WILD).unwrap();
    assert!(out.contains("Old /Man/"), "{out}");
}

#[test]
fn an_identifier_that_is_a_name_is_told_without_it() {
    let body = "0 @Ada_King@ INDI\n1 NAME Ada /King/\n0 @I2@ INDI\n1 NAME Ben /Roe/";
    let (_, mentions) = redacted(body, &Rules::WILD).unwrap();
    assert_eq!(mentions, 1);
}

#[test]
fn pointers_at_each_of_many_levels_go_in_linear_time() {
    let levels = (2..20_000).map(|level| format!("{level} NOTE @I1@\n{level} _A Ada King\n"));
    let chain: String = levels.collect();
    let body = format!("0 @I1@ INDI\n1 NAME Ada /King/\n0 @I2@ INDI\n1 DEAT Y\n1 _A a\n{chain}0 @N@ NOTE a");
    let (out, mentions) = redacted(&body, &Rules::WILD).unwrap();
    assert_eq!((out.matches("@I1@").count(), mentions), (1, 19_998));
}

#[test]
fn a_submitter_keeps_the_place_and_no_word() {
    let body = "0 @U1@ SUBM\n1 NAME secret /King/\n1 ADDR secret\n2 CONT secret\n1 PHON secret\n1 RESN confidential\n\
                0 @U2@ SUBM\n1 NAME secret /Roe/\n1 ADDR secret";
    let (out, _) = redacted(body, &Rules::WILD).unwrap();
    let expected = "0 @U1@ SUBM\n1 NAME Private\n0 @U2@ SUBM\n1 NAME Private\n";
    assert!(out.contains(expected), "{out}");
}

#[test]
fn what_only_a_person_within_a_record_referred_to_goes() {
    let body = "0 @S1@ SOUR\n1 TITL t\n1 INDI\n2 NAME secret /King/\n2 NOTE @N1@\n2 @X1@ _X\n3 _Y\n1 NOTE @N2@\n\
                0 @N1@ NOTE secret\n0 @N2@ NOTE open\n0 @I2@ INDI\n1 NAME Old /Man/\n1 DEAT Y\n1 _Y @X1@";
    let (out, _) = redacted(body, &Rules::WILD).unwrap();
    assert!(!out.contains("secret") && !out.contains("@N1@") && !out.contains("@X1@"), "{out}");
    assert!(out.contains("0 @N2@ NOTE open\n"), "{out}");
}

#[test]
fn a_link_with_more_than_a_pointer_is_none() {
    let family = "0 @I2@ INDI\n1 NAME Old /Man/\n1 DEAT Y\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@";
    let plain = format!("0 @I1@ INDI\n1 NAME secret /King/\n1 FAMC @F1@\n2 NOTE secret\n{family}");
    let (out, _) = redacted(&plain, &Rules::WILD).unwrap();
    assert!(out.contains("1 FAMC @F1@\n") && !out.contains("secret"), "{out}");
    for more in ["1 FAMC @F1@\n2 CONT secret", "1 @secret@ FAMC @F1@"] {
        let body = format!("0 @I1@ INDI\n1 NAME secret /King/\n{more}\n{family}");
        let (out, _) = redacted(&body, &Rules::WILD).unwrap();
        assert!(!out.contains("FAMC") && !out.contains("secret"), "{out}");
    }
}

#[test]
fn dates_of_other_calendars_count() {
    for (date, is_dead) in [
        ("@#DHEBREW@ 5 TSH 5600", true),
        ("@#DHEBREW@ 5600", true),
        ("@#DFRENCH R@ 12 VEND 3", true),
        ("HEBREW 5 TSH 5600", true),
        ("@#DJULIAN@ 1700/01", true),
        ("12 VEND 3", true),
        ("BET 12 VEND 3 AND COMP 7", true),
        ("@#DHEBREW@ 5 TSH 5750", false),
        ("@#DROMAN@ 1800", false),
    ] {
        let body = format!("0 @I1@ INDI\n1 NAME Ada /King/\n1 BIRT\n2 DATE {date}");
        let (out, _) = redacted(&body, &Rules::WILD).unwrap();
        assert_eq!(out.contains("Ada /King/"), is_dead, "{date}");
    }
}

#[test]
fn a_person_of_whom_nothing_stays_is_a_placeholder() {
    let (out, _) =
        redacted("0 @I1@ INDI\n1 NOTE secret\n1 NAME secret\n2 CONT secret\n0 @I2@ INDI", &Rules::WILD)
            .unwrap();
    assert!(out.contains("0 @I1@ INDI\n1 NAME Private\n0 @I2@ INDI\n1 NAME Private\n0 TRLR"), "{out}");
}

#[test]
fn a_structure_with_an_identifier_is_told_where_it_stays() {
    // The source is that of somebody living, and the note in it that of somebody dead.
    let body = "0 @I1@ INDI\n1 NAME Ada /King/\n1 SOUR @S1@\n0 @S1@ SOUR\n1 TITL a\n1 @N9@ NOTE\n2 CONT b\n\
                0 @I2@ INDI\n1 NAME Old /Man/\n1 DEAT Y\n1 NOTE @N9@";
    let text = format!("0 HEAD\n1 CHAR UTF-8\n{body}\n0 TRLR\n");
    let typed = TypedDocument::parse(text.as_bytes()).unwrap();
    let plan = Plan::redaction(Survey::of(&typed), &Redaction::by(LivingRule::on(TODAY))).unwrap();
    let doubts: Vec<_> = plan.doubts().iter().map(|doubt| (doubt.reason, doubt.line)).collect();
    assert_eq!(doubts, [(DoubtReason::Nested, 6)]);
}
