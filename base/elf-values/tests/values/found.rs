//! Dates in files as they are found: what is reported of them, and what they mean (`tests/found.tsv`).
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_values::elf_base::rules::DateRules;
use elf_values::{Datatype, DateValue, check_as_found, check_gedcom, iso_day};

const FOUND: &str = include_str!("../found.tsv");

/// The findings of a payload, by their codes.
fn codes(findings: &[elf_values::Finding]) -> String {
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code.id()).collect();
    if codes.is_empty() { "-".to_owned() } else { codes.join(" ") }
}

/// The days that a payload means, as `first..last`; an open end is empty.
fn days(payload: &str) -> String {
    let Some(value) = DateValue::parse_lenient(payload, DateRules::AsFound) else { return "-".to_owned() };
    let days = value.days();
    let [first, last] =
        [days.earliest, days.latest].map(|end| end.day().and_then(iso_day).unwrap_or_default());
    match (first.is_empty() && last.is_empty(), first == last) {
        (true, _) => "-".to_owned(),
        (_, true) => first,
        (_, false) => format!("{first}..{last}"),
    }
}

#[test]
fn dates_are_judged_and_understood_as_the_table_says() {
    let (mut rows, mut wrong) = (0, Vec::new());
    for line in FOUND.lines().filter(|line| !line.starts_with('#')) {
        let payload = line.split('\t').next().unwrap_or_default();
        let findings = check_as_found(payload, Datatype::DateValue);
        let fix = findings.iter().find_map(|finding| finding.fix.as_ref());
        let (fix, safety) = fix.map_or(("-", "-"), |fix| (fix.text.as_str(), fix.safety.name()));
        let by_551 = codes(&check_gedcom(payload, Datatype::DateValue));
        let row = [payload, &codes(&findings), &by_551, fix, safety, &days(payload)].join("\t");
        if row != line {
            wrong.push(format!("expected {line}\n   found {row}"));
        }
        rows += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rows >= 60, "{rows}");
}

#[test]
fn what_a_safe_fix_writes_means_the_same_and_is_in_order() {
    for line in FOUND.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells[4] == "safe" {
            assert_eq!(codes(&check_as_found(cells[3], Datatype::DateValue)), "-", "{line}");
            assert_eq!(days(cells[3]), cells[5], "{line}");
        }
    }
}

#[test]
fn drafts_and_gedcom_7_have_years_of_any_length() {
    for rules in [DateRules::Elf, DateRules::Gedcom70] {
        let value = DateValue::parse_lenient("12 JAN 76", rules).expect("a date");
        assert_eq!(value.days().earliest.day().and_then(iso_day).as_deref(), Some("0076-01-12"));
    }
}

#[test]
fn a_person_is_told_what_is_doubtful_and_what_may_be_meant() {
    for (payload, message, help) in [
        (
            "12 JAN 76",
            "`12 JAN 76`: expected a year of 3 or 4 digits, but found `76`",
            Some("write the year in full, such as `1976`, or `076` for the year 76"),
        ),
        ("19000", "`19000`: expected a year of 3 or 4 digits, but found `19000`", None),
        (
            "BET 3 AND 4 JAN 2001",
            "`BET 3 AND 4 JAN 2001`: expected a year of 3 or 4 digits, but found `3`",
            Some("did you mean `BET 3 JAN 2001 AND 4 JAN 2001`?"),
        ),
        (
            "07/11/1959",
            "invalid date `07/11/1959`: expected a month such as `JAN`, but found `/1959`",
            Some("did you mean `7 NOV 1959` or `11 JUL 1959`?"),
        ),
        (
            "1763/65",
            "`1763/65` does not exist in the Gregorian calendar: the second year must be the next year, in two digits",
            None,
        ),
        (
            "29 FEB 1634/35",
            "`29 FEB 1634/35` does not exist in the Gregorian calendar: that month has 28 days",
            None,
        ),
        (
            "30 APR 1968 LA",
            "expected nothing after the date `30 APR 1968`, but found `LA`",
            Some("did you mean `30 APR 1968`?"),
        ),
        (
            "1900 JAN 5",
            "`1900 JAN 5` starts with its year: the order is day, month, year",
            Some("did you mean `5 JAN 1900`?"),
        ),
        ("5 Oct 1835", "expected `5 OCT 1835`, but found `5 Oct 1835`", None),
    ] {
        let found = &check_as_found(payload, Datatype::DateValue)[0];
        assert_eq!((found.message.as_str(), found.help.as_deref()), (message, help), "{payload}");
    }
}

#[test]
fn ages_in_other_letters_are_a_matter_of_spelling() {
    for (age, code, fix) in [
        ("stillborn", "E0610", Some("STILLBORN")),
        ("Child", "E0610", Some("CHILD")),
        ("4Y", "E0610", Some("4y")),
        ("17 Y", "E0604", Some("17y")),
        ("42", "E0608", Some("42y")),
        ("old", "E0604", None),
        ("STILLBORN", "-", None),
    ] {
        let findings = check_as_found(age, Datatype::Age);
        let text = findings.iter().find_map(|finding| finding.fix.as_ref()).map(|fix| fix.text.as_str());
        assert_eq!((codes(&findings).as_str(), text), (code, fix), "{age}");
    }
}
