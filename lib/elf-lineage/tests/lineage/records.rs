//! Questions about what a record has: several births or deaths, no death, no source, a person twice.

use crate::{codes, lineage, questions, questions_on};
use elf_lineage::{LineageBuilder, LineageReader, OptionalQuestions, QuestionOptions};
use elf_schema::{Diagnostic, ReadOptions, Rules};

/// Asks about a file with two persons, I1 and I2, whose records have these lines, and a family with these lines.
fn asked(first: &str, second: &str, family: &str, unlikely: bool) -> Vec<&'static str> {
    codes(&format!("0 @I1@ INDI{first}\n0 @I2@ INDI{second}\n0 @F1@ FAM{family}"), unlikely)
}

/// A birth of that date.
fn born(date: &str) -> String {
    format!("\n1 BIRT\n2 DATE {date}")
}

#[test]
fn a_person_is_in_a_family_once() {
    for (family, expected) in [
        ("\n1 CHIL @I1@\n1 CHIL @I2@", &[][..]),
        ("\n1 CHIL @I1@\n1 CHIL @I2@\n1 CHIL @I1@", &["P22"]),
        ("\n1 CHIL @I1@\n2 _FREL adopted\n1 CHIL @I1@\n1 CHIL @I1@", &["P22", "P22"]),
        // An unresolved pointer is reported by `check`.
        ("\n1 CHIL @I9@\n1 CHIL @I9@", &[]),
        ("\n1 HUSB @I1@\n1 WIFE @I2@", &[]),
        ("\n1 HUSB @I1@\n1 WIFE @I1@", &["P31"]),
        ("\n1 HUSB @I1@\n1 HUSB @I1@", &["P31"]),
        ("\n1 HUSB @F1@\n1 WIFE @F1@", &[]),
        ("\n1 HUSB @VOID@\n1 WIFE @VOID@", &[]),
    ] {
        assert_eq!(asked("", "", family, false), expected, "{family}");
    }
    // The child's own link is the other half of the family's.
    assert_eq!(asked("\n1 FAMC @F1@", "", "\n1 CHIL @I1@", true), [""; 0]);
}

#[test]
fn the_second_line_of_a_member_is_the_place() {
    let body = "0 @I1@ INDI\n1 NAME Ann /Lee/\n0 @F1@ FAM\n1 CHIL @I1@\n1 CHIL @I1@";
    let found = questions(&lineage(body), false);
    assert_eq!(found[0].message, "@F1@ lists the child Ann Lee (@I1@) twice");
    assert_eq!(found[0].place.map(|place| place.line), Some(7));
}

#[test]
fn siblings_with_one_name_and_birthday_may_be_one_person() {
    let person = |name: &str, date: &str| format!("\n1 NAME {name}{}", born(date));
    for (one, other, expected) in [
        (["Ann /Lee/", "1 JAN 1850"], ["Ann /Lee/", "1 JAN 1850"], true),
        (["ANN /LEE/", "1 JAN 1850"], ["Ann Lee", "01 jan 1850"], true),
        (["Ann /Lee/", "1 JAN 1850"], ["Ann /Lee/", "2 JAN 1850"], false),
        (["Ann /Lee/", "1 JAN 1850"], ["Anna /Lee/", "1 JAN 1850"], false),
        // The dates may mean two days.
        (["Ann /Lee/", "1850"], ["Ann /Lee/", "1850"], false),
        (["Ann /Lee/", "ABT 1 JAN 1850"], ["Ann /Lee/", "ABT 1 JAN 1850"], false),
        // Twins without names.
        (["/Lee/", "1 JAN 1850"], ["/Lee/", "1 JAN 1850"], false),
        (["? /Lee/", "1 JAN 1850"], ["? /Lee/", "1 JAN 1850"], false),
        (["Stillborn /Lee/", "1 JAN 1850"], ["Stillborn /Lee/", "1 JAN 1850"], false),
        (["N.N. /Lee/", "1 JAN 1850"], ["N.N. /Lee/", "1 JAN 1850"], false),
    ] {
        let [first, second] = [one, other].map(|[name, date]| person(name, date));
        let found = asked(&first, &second, "\n1 CHIL @I1@\n1 CHIL @I2@", false);
        assert_eq!(found.contains(&"P23"), expected, "{one:?} {other:?}: {found:?}");
    }
}

#[test]
fn children_of_two_mothers_are_not_one_person() {
    let child = "\n1 NAME Ann /Lee/\n1 BIRT\n2 DATE 1 JAN 1850";
    let file = |mother: &str| {
        format!(
            "0 @I1@ INDI{child}\n0 @I2@ INDI{child}\n0 @I3@ INDI\n0 @I4@ INDI\n0 @F1@ FAM\n1 WIFE @I3@\n\
            1 CHIL @I1@\n0 @F2@ FAM\n1 WIFE @{mother}@\n1 CHIL @I2@"
        )
    };
    assert_eq!(codes(&file("I3"), false), ["P23"]);
    assert_eq!(codes(&file("I4"), false), [""; 0]);
}

#[test]
fn births_and_deaths_that_exclude_each_other() {
    for (dates, expected) in [
        (&["1850", "1 MAR 1850"][..], 0),
        (&["1850", "1851"], 1),
        (&["ABT 1850", "1854"], 0),
        (&["ABT 1850", "1860"], 1),
        (&["BET 1850 AND 1860", "1852", "1855"], 1),
        (&["1850", "1850", "1852", "1853"], 2),
        (&["AFT 1850", "BEF 1849"], 1),
        (&["AFT 1850", "BEF 1860"], 0),
        (&["about 60 years ago", "1850"], 0),
    ] {
        for (tag, code) in [("BIRT", "P24"), ("DEAT", "P25")] {
            let events: String = dates.iter().map(|date| format!("\n1 {tag}\n2 DATE {date}")).collect();
            let died = if tag == "BIRT" { "\n1 DEAT Y" } else { "" };
            let found = asked(&(events + died), "", "", true);
            assert_eq!(found, vec![code; expected], "{tag} {dates:?}");
        }
    }
    assert_eq!(asked(&(born("1850") + &born("1851")), "", "", false), [""; 0]);
}

#[test]
fn burials_long_after_the_latest_death() {
    for (events, expected) in [
        ("\n1 DEAT\n2 DATE 1 JAN 1900\n1 BURI\n2 DATE 1 JAN 1901", false),
        ("\n1 DEAT\n2 DATE 1 JAN 1900\n1 BURI\n2 DATE 2 JAN 1901", true),
        ("\n1 DEAT\n2 DATE 1 JAN 1900\n1 CREM\n2 DATE 1910", true),
        ("\n1 DEAT\n2 DATE 1900\n1 BURI\n2 DATE 1901", false),
        ("\n1 DEAT\n2 DATE 1900\n1 BURI\n2 DATE AFT 1900", false),
        ("\n1 DEAT\n2 DATE AFT 1900\n1 BURI\n2 DATE 1950", false),
        ("\n1 DEAT\n2 DATE BEF 1900\n1 BURI\n2 DATE 1950", true),
        ("\n1 DEAT Y\n1 BURI\n2 DATE 1950", false),
        // The latest death counts.
        ("\n1 DEAT\n2 DATE 1900\n1 DEAT\n2 DATE 1949\n1 BURI\n2 DATE 1950", false),
    ] {
        let found = asked(events, "", "", true);
        assert_eq!(found.contains(&"P26"), expected, "{events}: {found:?}");
        assert!(!asked(events, "", "", false).contains(&"P26"));
    }
}

#[test]
fn an_old_birth_without_a_death() {
    // Today is 22 November 2026.
    for (events, expected) in [
        ("\n1 BIRT\n2 DATE 21 NOV 1906", true),
        ("\n1 BIRT\n2 DATE 22 NOV 1906", false),
        ("\n1 BIRT\n2 DATE 1906", false),
        ("\n1 BIRT\n2 DATE BEF 1850", true),
        ("\n1 BIRT\n2 DATE AFT 1850", false),
        ("\n1 BIRT\n2 DATE ABT 1903", false),
        ("\n1 BIRT\n2 DATE 1850\n1 DEAT", false),
        ("\n1 BIRT\n2 DATE 1850\n1 BURI\n2 PLAC Ulm", false),
        ("\n1 BIRT\n2 DATE 1850\n1 CREM", false),
        ("\n1 BIRT\n2 DATE 1850\n1 OCCU Miller", true),
        ("\n1 BIRT\n2 DATE 1850\n1 BIRT\n2 DATE 1950", false),
        ("\n1 OCCU Miller\n2 DATE 1850", false),
    ] {
        let lineage = lineage(&format!("0 @I1@ INDI{events}"));
        for unlikely in [true, false] {
            let found =
                questions_on(&lineage, QuestionOptions::on_date(2026, 11, 22).expect("a day"), unlikely);
            let found: Vec<&str> = found.iter().map(|found| found.code.id()).collect();
            assert_eq!(found.contains(&"P27"), expected && unlikely, "{events}: {found:?}");
        }
    }
}

/// Asks everything that is asked only by name.
fn asked_by_name(body: &str) -> Vec<&'static str> {
    let file = format!("0 HEAD\n1 CHAR UTF-8\n{body}\n0 TRLR\n");
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let options =
        QuestionOptions::on_date(2026, 11, 22).expect("a day").with_optional(OptionalQuestions::of(|_| true));
    let mut builder = LineageBuilder::default();
    builder.take(LineageReader::new(typed.schema()).for_questions(options).read(&typed));
    let found: Vec<Diagnostic> = questions_on(&builder.build(), options, false);
    found.iter().map(|found| found.code.id()).collect()
}

#[test]
fn some_questions_are_asked_only_by_name() {
    let sourced = "\n1 SOUR Register";
    for (first, second, family, expected) in [
        ("", "\n1 BIRT\n2 NOTE x\n3 SOUR Register", "", &["P30"][..]),
        (sourced, "\n1 NOTE SOUR", "", &["P30"]),
        ("\n1 SOUR Register\n1 SEX F", sourced, "\n1 HUSB @I1@\n1 WIFE @I2@", &["P28"]),
        ("\n1 SOUR Register\n1 SEX M", "\n1 SOUR x\n1 SEX F", "\n1 HUSB @I1@\n1 WIFE @I2@", &[]),
        ("\n1 SOUR Register\n1 SEX M", sourced, "\n1 WIFE @I1@", &["P28"]),
    ] {
        let body = format!("0 @I1@ INDI{first}\n0 @I2@ INDI{second}\n0 @F1@ FAM{family}");
        assert_eq!(asked_by_name(&body), expected, "{body}");
        assert_eq!(codes(&body, true), [""; 0], "{body}");
    }
}

#[test]
fn children_before_every_marriage_are_asked_about_by_name() {
    for (child, family, expected) in [
        ("1849", "\n1 MARR\n2 DATE 1850", true),
        ("1850", "\n1 MARR\n2 DATE 1850", false),
        ("1849", "\n1 MARR\n2 DATE AFT 1840", false),
        ("1849", "\n1 MARR\n2 DATE 1850\n1 MARR\n2 DATE 1840", false),
        ("1849", "\n1 MARR\n2 DATE 1850\n1 MARR", false),
        ("1849", "\n1 MARR Y", false),
        ("1849", "\n1 ENGA\n2 DATE 1850", false),
    ] {
        let body = format!("0 @I1@ INDI\n1 SOUR x\n1 BIRT\n2 DATE {child}\n0 @F1@ FAM\n1 CHIL @I1@{family}");
        let found = asked_by_name(&body);
        assert_eq!(found.contains(&"P29"), expected, "{body}: {found:?}");
        let adopted = body.replace("1 CHIL @I1@", "1 CHIL @I1@\n2 _FREL adopted\n2 _MREL adopted");
        assert!(!asked_by_name(&adopted).contains(&"P29"), "{adopted}");
    }
}

#[test]
fn a_marriage_without_a_date_leaves_a_divorce_open() {
    let body = "0 @F1@ FAM\n1 DIV\n2 DATE 1902\n1 MARR\n2 DATE 1904\n1 MARR";
    let file = format!("0 HEAD\n{body}\n0 TRLR\n");
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let options = QuestionOptions::on_date(2026, 11, 22).expect("a day").with_unlikely(true);
    let mut builder = LineageBuilder::default();
    builder.take(LineageReader::new(typed.schema()).for_questions(options).read(&typed));
    assert!(questions_on(&builder.build(), options, true).is_empty());
}
