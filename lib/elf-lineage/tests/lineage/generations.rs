//! Ancestors more than one generation above: what is asked, of whom, and how often.

use crate::{codes, lineage, questions};
use std::fmt::Write;

/// A line of descent: for each person the date of birth, or none; each the father of the next.
fn line(births: &[&str]) -> String {
    let mut body = String::new();
    for (number, birth) in births.iter().enumerate() {
        let _ = writeln!(body, "0 @I{number}@ INDI");
        if !birth.is_empty() {
            let _ = write!(body, "1 BIRT\n2 DATE {birth}\n");
        }
        if number > 0 {
            let above = number - 1;
            let _ = write!(body, "0 @F{number}@ FAM\n1 HUSB @I{above}@\n1 CHIL @I{number}@\n");
        }
    }
    body.trim_end().to_owned()
}

fn asked(births: &[&str]) -> Vec<String> {
    let found = questions(&lineage(&line(births)), false);
    let person = |text: &str| text.split('@').nth(1).unwrap_or_default().to_owned();
    found.iter().map(|found| format!("{} {}", found.code, person(&found.message))).collect()
}

#[test]
fn the_finding_names_both_dates_and_those_between() {
    let found = questions(&lineage(&line(&["1900", "", "", "1800"])), false);
    let [found] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(
        found.to_string(),
        "line 16, column 1: question[P20]: @I3@ was born in 1800, at least 99 years before the ancestor @I0@, born in \
         1900; between them: @I2@, @I1@"
    );
    assert_eq!(found.related[0].place.line, 5);
}

#[test]
fn one_fault_is_one_question() {
    for (births, expected) in [
        (&["1900", "", "1800"][..], &["P20 I2"][..]),
        // The father who was born too early himself is the question, not what he makes of his children.
        (&["1900", "1800", "1830"], &["P05 I1"]),
        (&["1900", "1800", "", "1830"], &["P05 I1"]),
        (&["1900", "", "1800", "", "1830"], &["P20 I2"]),
        (&["1900", "", "1800", "", "1750"], &["P20 I2", "P20 I4"]),
        // A wide date between leaves the ends apart.
        (&["1900", "BET 1750 AND 1950", "1800"], &["P20 I2"]),
        (&["1900", "BEF 1950", "", "1800"], &["P20 I3"]),
        (&["1900", "AFT 1700", "", "1800"], &["P20 I3"]),
        // The nearer one is the later one.
        (&["1900", "1920", "", "1910"], &["P20 I3"]),
        (&["1900", "", "1900"], &[]),
        (&["1900", "", "BET 1800 AND 1900"], &[]),
        (&["ABT 1804", "", "ABT 1796"], &[]),
        (&["(a phrase)", "", "1800"], &[]),
        (&["BEF 1900", "", "1800"], &[]),
    ] {
        assert_eq!(asked(births), expected, "{births:?}");
    }
}

#[test]
fn links_by_other_than_birth_end_a_line() {
    let line = line(&["1900", "", "1800"]);
    assert_eq!(codes(&line, false), ["P20"]);
    for by_adoption in ["0 @I1@ INDI", "0 @I2@ INDI"] {
        let family = if by_adoption.contains("I1") { "F1" } else { "F2" };
        let adopted = format!("{by_adoption}\n1 FAMC @{family}@\n2 PEDI adopted");
        assert_eq!(codes(&line.replace(by_adoption, &adopted), true), [""; 0]);
    }
}

#[test]
fn a_hundred_thousand_generations_without_dates_take_linear_time() {
    let mut births = vec![""; 100_000];
    births[0] = "1900";
    births[99_999] = "1800";
    assert_eq!(asked(&births), ["P20 I99999"]);
    // As many children of the last one without a date are as many questions, each as long as one.
    let mut body = line(&births[..50_000]);
    let _ = write!(body, "\n0 @F0@ FAM\n1 HUSB @I49999@");
    for number in 0..50_000 {
        let _ = write!(body, "\n1 CHIL @C{number}@");
    }
    for number in 0..50_000 {
        let _ = write!(body, "\n0 @C{number}@ INDI\n1 BIRT\n2 DATE 1800");
    }
    assert_eq!(questions(&lineage(&body), false).len(), 50_000);
}
