//! `elf date`: what a payload says.

use crate::shell::{json, run, status, stderr, stdout};

#[test]
fn the_example_of_the_contract_comes_out_as_it_stands() {
    let output = run(&["date", "--format", "json", "ABT @#DJULIAN@ 3 MAR 1701/02"]);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    let expected = serde_json::json!({
        "text": "ABT @#DJULIAN@ 3 MAR 1701/02",
        "datatype": "https://terms.fhiso.org/elf/DateValue",
        "form": "approximated",
        "modifier": "ABT",
        "dates": [{"calendar": "JULIAN", "year": 1701, "logical": 1702, "dual": 2, "month": "MAR", "day": 3, "epoch": null}],
        "phrase": null,
        "earliest": 2_342_775,
        "latest": 2_342_775,
        "earliest_iso": "1702-03-14",
        "latest_iso": "1702-03-14",
        "canonical": "ABT @#DJULIAN@ 3 MAR 1701/02",
        "findings": []
    });
    assert_eq!(json(&output), [expected]);
}

#[test]
fn what_is_no_date_is_text_with_its_fault_and_its_likely_meaning() {
    let value = &json(&run(&["date", "--format", "json", "5 Oct 1835"]))[0];
    assert_eq!(
        (&value["form"], &value["canonical"], &value["dates"]),
        (&"text".into(), &().into(), &serde_json::json!([]))
    );
    let finding = &value["findings"][0];
    assert_eq!((&finding["name"], &finding["class"]), (&"spelling-unusual".into(), &"advice".into()));
    assert_eq!((&finding["column"], &finding["end_column"]), (&1.into(), &11.into()));
    assert_eq!(finding["fix"], serde_json::json!({"safety": "safe", "payload": "5 OCT 1835"}));
}

#[test]
fn the_days_are_those_that_a_table_has() {
    for (text, form, earliest, latest) in [
        ("27 JUNE 1850", "exact", "1850-06-27", "1850-06-27"),
        ("5 Oct 1835", "text", "1835-10-05", "1835-10-05"),
        ("ABOUT 1850", "exact", "1850-01-01", "1850-12-31"),
        ("1716/17", "exact", "1716-01-01", "1717-12-31"),
        ("BET 3 AND 4 JAN 2001", "between", "2001-01-03", "2001-01-04"),
        ("12 JAN 76", "exact", "", ""),
        ("FROM 1981 TO 07", "from-to", "", ""),
        ("12/05/1890", "text", "", ""),
    ] {
        let value = &json(&run(&["date", "--format", "json", text]))[0];
        let days = ["earliest_iso", "latest_iso"].map(|end| value[end].as_str().unwrap_or_default());
        assert_eq!((value["form"].as_str(), days), (Some(form), [earliest, latest]), "{text}");
    }
    assert_eq!(
        json(&run(&["date", "--format", "json", "1056/1060"]))[0]["canonical"],
        serde_json::Value::Null
    );
}

#[test]
fn days_are_said_in_another_calendar() {
    for (calendar, expected) in [
        ("gregorian", "10 SEP 2018"),
        ("julian", "@#DJULIAN@ 28 AUG 2018"),
        ("hebrew", "@#DHEBREW@ 1 TSH 5779"),
    ] {
        let value = &json(&run(&["date", "--to", calendar, "--format", "json", "@#DHEBREW@ 1 TSH 5779"]))[0];
        assert_eq!(value["in"], expected);
    }
    let value = &json(&run(&["date", "--to", "french", "--format", "json", "1900"]))[0];
    assert_eq!(value.get("in"), None);
}

#[test]
fn ages_and_times_are_known_without_being_asked_for() {
    let values = json(&run(&["date", "--format", "json", "<52y", "24:00", "42", "CHILD"]));
    let forms: Vec<_> =
        values.iter().map(|value| (value["form"].as_str(), value["canonical"].as_str())).collect();
    let expected = [("duration", "< 52y"), ("time", "24:00:00"), ("exact", "42"), ("word", "CHILD")];
    assert_eq!(forms, expected.map(|(form, canonical)| (Some(form), Some(canonical))));
    let value = &json(&run(&["date", "--datatype", "age", "--format", "json", "42"]))[0];
    assert_eq!((&value["years"], &value["canonical"]), (&42.into(), &"42y".into()));
}

#[test]
fn numbers_beyond_64_bits_are_strings() {
    let value = &json(&run(&["date", "--format", "json", "123456789012345678901"]))[0];
    assert_eq!(value["dates"][0]["year"], "123456789012345678901");
    assert_eq!(value["earliest"], serde_json::Value::Null);
}

#[test]
fn a_person_is_told_the_days() {
    let text = stdout(&run(&["date", "BET 1900 AND 1890"]));
    assert!(text.starts_with("BET 1900 AND 1890\n  form       a day in a range\n"), "{text}");
    assert!(text.contains("  fault      `BET 1900 AND 1890` ends before it starts\n"), "{text}");
    let text = stdout(&run(&["date", "12 AUGUST 2000"]));
    assert!(text.contains("  help       did you mean `12 AUG 2000`?\n"), "{text}");
    assert_eq!(status(&run(&["date"])), 2);
}

#[test]
fn a_person_is_told_what_an_age_or_a_time_means() {
    for (text, lines) in [
        ("12y", ["form       an age", "means      12 years"]),
        ("< 1y 2m", ["form       an age", "means      at most 1 year, 2 months"]),
        ("INFANT", ["form       a word for an age", "means      an infant, as the source defines it"]),
        ("12:30Z", ["form       a time of day", "means      hour 12, minute 30; the time zone Z is ignored"]),
        ("24:00", ["form       a time of day", "means      the end of the day"]),
    ] {
        let output = run(&["date", text]);
        let printed = stdout(&output);
        for line in lines {
            assert!(printed.contains(line), "{text}: {printed}");
        }
    }
}

#[test]
fn the_reason_is_told_where_another_calendar_cannot_state_a_date() {
    for (calendar, text, reason) in [
        ("julian", "ABT 1800", "a year or month of one calendar is not a year or month of the other"),
        ("julian", "INT 1800 (x)", "a year or month of one calendar is not a year or month of the other"),
        ("french", "1900", "the date is outside that calendar"),
        ("julian", "(soon)", "words cannot be converted"),
        ("julian", "29 FEB 1700", "its days cannot be calculated"),
    ] {
        let value = &json(&run(&["date", "--format", "json", "--to", calendar, text]))[0];
        assert_eq!((&value["in"], &value["not_in"]), (&().into(), &reason.into()), "{text}");
        let printed = stdout(&run(&["date", "--to", calendar, text]));
        assert!(printed.contains(&format!("reason     {reason}")), "{printed}");
    }
}

#[test]
fn the_logical_year_is_told_where_its_spelling_is_ambiguous() {
    for (text, year, logical, dual) in [
        ("@#DHEBREW@ 5701/3", 5_701, 3, Some(3)),
        ("@#DHEBREW@ 5701/03", 5_701, 5_703, Some(3)),
        ("@#DFOO@ -45/44", -45, -44, Some(44)),
        ("1475/1475", 1_475, 1_475, Some(1_475)),
        ("1475", 1_475, 1_475, None),
    ] {
        let date = &json(&run(&["date", "--format", "json", text]))[0]["dates"][0];
        assert_eq!(
            (&date["year"], &date["logical"], &date["dual"]),
            (&year.into(), &logical.into(), &dual.into()),
            "{text}"
        );
    }
}

#[test]
fn edtf_is_that_of_the_days_that_are_meant() {
    for (text, edtf) in [
        ("BET 3 AND 4 JAN 2001", Some("[2001-01-03..2001-01-04]")),
        ("27 JUNE 1850", Some("1850-06-27")),
        ("5 OCT 1835", Some("1835-10-05")),
        ("5", None),
    ] {
        let page = stdout(&run(&["date", text]));
        let found = page.lines().find_map(|line| line.trim_start().strip_prefix("EDTF")).map(str::trim);
        assert_eq!(found, edtf, "{page}");
    }
}
