//! Dates that are in no grammar, as producers write them: `conformance/requirements/dates-in-the-wild.tsv`.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_values::elf_base::rules::DateRules;
use elf_values::{Datatype, DateValue, check, recover};

const RECOVERY: &str = include_str!("../recovery.tsv");

const WILD: &str = include_str!("../../../../conformance/requirements/dates-in-the-wild.tsv");

#[test]
fn dates_in_the_wild_are_read_as_the_table_says() {
    let mut read = 0;
    for line in WILD.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (id, forms, targets, is_safe) = (cells[0], cells[3], cells[5], cells[7].starts_with("yes"));
        let is_kept = ["keep", "move", "STAT"].iter().any(|word| targets.starts_with(word));
        let targets: Vec<&str> = if is_kept { Vec::new() } else { targets.split(" ; ").collect() };
        for (at, form) in forms.split(" ; ").enumerate() {
            // Of several forms the table may name the reading of the first alone.
            if at > 0 && targets.len() == 1 {
                assert!(recover(form).is_some(), "{id}: `{form}`");
                continue;
            }
            let target = targets.get(at).map(|target| target.split(" + ").next().unwrap_or(target));
            let found = recover(form);
            assert_eq!(found.as_ref().map(|found| found.text.as_str()), target, "{id}: `{form}` {found:?}");
            if let Some(found) = found {
                assert_eq!(found.is_safe, is_safe, "{id}: `{form}` {found:?}");
                read += 1;
            }
        }
    }
    assert!(read >= 35, "{read}");
}

#[test]
fn what_readers_tried_is_judged_and_read_as_the_table_says() {
    let mut rows = 0;
    for line in RECOVERY.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [datatype, payload, codes, suggested, safety] = *cells else { panic!("five cells: {line}") };
        let datatype = match datatype {
            "value" => Datatype::DateValue,
            "exact" => Datatype::DateExact,
            "period" => Datatype::DatePeriod,
            "time" => Datatype::Time,
            "age" => Datatype::Age,
            other => panic!("there is no datatype {other}"),
        };
        let findings = check(payload, datatype);
        let found: Vec<&str> = findings.iter().map(|finding| finding.code.id()).collect();
        let fix = findings.iter().find_map(|finding| finding.fix.as_ref());
        let fix = fix.map_or(("-", "-"), |fix| (fix.text.as_str(), fix.safety.name()));
        let expected = if codes == "-" { Vec::new() } else { codes.split(' ').collect() };
        assert_eq!((found, fix), (expected, (suggested, safety)), "{payload} {findings:?}");
        rows += 1;
    }
    assert!(rows >= 60, "{rows}");
}

#[test]
fn dates_of_gedcom_7_mean_those_of_elf() {
    for (date, expected) in [
        ("", None),
        ("JULIAN 3 MAR 44 BCE", Some("@#DJULIAN@ 3 MAR 44 B.C.")),
        ("JULIAN 1700", Some("@#DJULIAN@ 1700")),
        ("FRENCH_R 6 COMP 3", Some("@#DFRENCH R@ 6 COMP 3")),
        ("HEBREW 5 BCE", None),
        ("_MARS 1 _SOL 5", None),
        ("BET HEBREW TSH 5700 AND HEBREW 5701", Some("BET @#DHEBREW@ TSH 5700 AND @#DHEBREW@ 5701")),
        ("EST HEBREW 5700", Some("EST @#DHEBREW@ 5700")),
        ("EST MAR 1900", Some("EST MAR 1900")),
        ("EST Mar 1900", Some("EST MAR 1900")),
        ("31 FEB 1900", Some("31 FEB 1900")),
    ] {
        assert_eq!(
            DateValue::parse_lenient(date, DateRules::AsFound).map(|value| value.to_string()).as_deref(),
            expected,
            "{date}"
        );
    }
}
