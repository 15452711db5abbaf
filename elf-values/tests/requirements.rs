//! The requirements of ELF Dates, a row each in `tests/requirements/req-dates.tsv`, held against the library.
//!
//! Most rows say what comes of an input, and are run as they stand. The others have a test by name here, or a
//! reason.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_values::{
    Age, Approximation, Calendar, CalendarDay, CalendarName, DateExact, DateForm, DateParts, DatePeriod,
    DateValue, Integer, Relation, Time, recover,
};
use std::collections::HashSet;

const TABLE: &str = include_str!("../../tests/requirements/req-dates.tsv");

struct Row {
    id: &'static str,
    clause: &'static str,
    input: String,
    expected: &'static str,
    is_checked: bool,
}

fn rows() -> Vec<Row> {
    let rows = TABLE.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap_or_default();
        let (id, clause, _, _) = (cell(), cell(), cell(), cell());
        let input = cell().replace("\\t", "\t").replace("\\n", "\n").replace("\\u00a0", "\u{a0}");
        Row { id, clause, input, expected: cell(), is_checked: cell() == "yes" }
    });
    rows.collect()
}

/// Rows that bind authors, publishers or other layers, with the reason.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "DT009 DT010 DT011 DT012 DT013",
        "which structure type has which datatype is a table of the layer with types",
    ),
    ("DT017", "a value has no place in it"),
    ("DT058 DT297", "for tools that cannot compute Cheshvan and Kislev; this one can"),
    ("DT065 DT120 DT144 DT147 DT158 DT176 DT431 DT432 DT433 DT434", "binds authors: no program can tell"),
    ("DT145 DT146 DT376", "permits wider intervals; ours are those of the value stated"),
    ("DT159 DT160", "the language of a phrase comes from outside the value"),
    ("DT185 DT374 DT375", "about the structure around the value"),
    ("DT329 DT423", "permits to change the value; ours is kept"),
    ("DT435", "see the requirements of Basic Concepts"),
];

#[test]
fn every_row_is_run_or_named_or_has_a_reason() {
    let elsewhere: HashSet<&str> = ELSEWHERE.iter().flat_map(|(ids, _)| ids.split(' ')).collect();
    let named: HashSet<&str> = NAMED.iter().flat_map(|(ids, _)| ids.split(' ')).collect();
    let mut counts = (0, 0, 0);
    for row in rows() {
        match (row.is_checked, named.contains(row.id), elsewhere.contains(row.id)) {
            (true, _, false) => counts.0 += 1,
            (false, true, false) => counts.1 += 1,
            (false, false, true) => counts.2 += 1,
            other => panic!("{}: {other:?}", row.id),
        }
    }
    assert_eq!(counts.0 + counts.1 + counts.2, 435);
    for (_, test) in NAMED {
        test();
    }
}

/// Tells whether the payload of a row is in the lexical space of its datatype.
fn is_lexical(row: &Row) -> bool {
    match row.clause {
        "§time" => Time::parse(&row.input).is_ok(),
        "§age" => Age::parse(&row.input).is_ok(),
        "§DateExact" => DateExact::parse(&row.input).is_ok(),
        _ if row.expected.contains("for elf:DatePeriod") => DatePeriod::parse(&row.input).is_ok(),
        _ => DateValue::parse(&row.input).is_ok(),
    }
}

fn value(text: &str) -> DateValue<'_> {
    DateValue::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn calendar_of(row: &Row) -> String {
    let value = value(&row.input);
    let date = value.first().expect(row.id);
    match date.calendar() {
        CalendarName::Known(calendar) => calendar.name().to_owned(),
        CalendarName::Unfamiliar(name) => name.to_owned(),
        CalendarName::Unknown => "UNKNOWN".to_owned(),
    }
}

fn form_of(value: &DateValue<'_>) -> &'static str {
    match value.form() {
        DateForm::Exact(_) => "",
        DateForm::Approximated(Approximation::About, _) => "ABT",
        DateForm::Approximated(Approximation::Calculated, _) => "CAL",
        DateForm::Approximated(Approximation::Estimated, _) => "EST",
        DateForm::Interpreted(..) => "INT",
        DateForm::Phrase(_) => "PHRASE",
        DateForm::Before(_) => "BEF",
        DateForm::After(_) => "AFT",
        DateForm::Between(..) => "BET",
        DateForm::From(_) => "FROM",
        DateForm::To(_) => "TO",
        DateForm::FromTo(..) => "FROM-TO",
    }
}

/// The value behind `key` in a cell of facts.
fn fact<'t>(expected: &'t str, key: &str) -> Option<&'t str> {
    let at = expected
        .match_indices(key)
        .map(|(at, _)| at)
        .find(|at| *at == 0 || expected.get(..*at).is_some_and(|before| before.ends_with([' ', ';', '('])))?;
    let rest = expected.get(at + key.len()..)?;
    if let Some(quoted) = rest.strip_prefix('"') {
        return quoted.split('"').next();
    }
    // A calendar's name may hold a blank; nothing else does.
    let end = if key == "calendar=" && rest.starts_with("FRENCH R") {
        8
    } else {
        rest.find([' ', ';', ',', ')']).unwrap_or(rest.len())
    };
    rest.get(..end)
}

#[test]
fn rows_with_facts_hold() {
    let mut facts = 0;
    for row in rows().iter().filter(|row| row.is_checked) {
        let before = facts;
        let mut check = |found: String, expected: &str| {
            assert_eq!(found, expected, "{} `{}`: {}", row.id, row.input, row.expected);
            facts += 1;
        };
        if let Some(lexical) = fact(row.expected, "lexical=") {
            check(if is_lexical(row) { "yes" } else { "no" }.to_owned(), lexical);
        }
        if fact(row.expected, "lexical=") == Some("no")
            || matches!(row.clause, "§time" | "§age" | "§DateExact")
        {
            continue;
        }
        if let Some(calendar) = fact(row.expected, "calendar=") {
            check(calendar_of(row), calendar);
        }
        if let Some(wf) = fact(row.expected, "wf=").filter(|wf| matches!(*wf, "yes" | "no")) {
            let value = value(&row.input);
            let ill_formed = value.dates().any(|date| date.is_known_ill_formed());
            check(if ill_formed { "no" } else { "yes" }.to_owned(), wf);
        }
        if let Some(form) = fact(row.expected, "form=") {
            check(form_of(&value(&row.input)).to_owned(), form);
        }
        if let Some(phrase) = fact(row.expected, "phrase=") {
            check(value(&row.input).phrase().unwrap_or("none").to_owned(), phrase);
        }
        for (key, logical) in [("hist=", false), ("logical=", true)] {
            if let Some(year) = fact(row.expected, key) {
                let value = value(&row.input);
                let years = value.first().expect(row.id).year();
                check(if logical { years.logical() } else { years.historical() }.to_string(), year);
            }
        }
        facts += check_singular(row);
        assert!(facts > before, "nothing is checked of {} `{}`: {}", row.id, row.input, row.expected);
    }
    assert!(facts > 400, "{facts}");
}

/// Rows whose facts are said in words of their own.
fn check_singular(row: &Row) -> usize {
    let value = || value(&row.input);
    let is_fault_free = || value().dates().all(|date| date.fault().is_none());
    match row.id {
        "DT015" => {
            let day = value().days().single().expect("a day");
            assert_eq!(Calendar::Gregorian.day(day + 1), Some(CalendarDay { year: 1, month: 1, day: 1 }));
        }
        "DT016" => assert_eq!(value().in_calendar(Calendar::Gregorian).as_deref(), Some("10 SEP 2018")),
        "DT018" => {
            assert!(value().first().expect("a date").day().is_none());
            assert_eq!(value().days().earliest.day(), Some(jdn(1953, 6, 1)));
            assert_eq!(value().days().latest.day(), Some(jdn(1953, 6, 30)));
        }
        "DT019" => {
            let days = value().days();
            assert_eq!((days.earliest.day(), days.latest.day()), (Some(2_439_492), Some(2_439_856)));
        }
        "DT067" => assert_eq!(DateValue::parse("05 JAN 1900"), DateValue::parse("5 JAN 1900")),
        "DT096" => assert_eq!(DateValue::parse("0044 B.C."), DateValue::parse("44 B.C.")),
        "DT134" => assert_eq!(DateValue::parse("24 DEC 2018 A.D."), DateValue::parse("24 DEC 2018")),
        "DT068" => assert_eq!(value().to_string(), "5 JAN 1900"),
        "DT097" => assert_eq!(value().to_string(), "1 JAN 99"),
        "DT055" => assert!(is_fault_free()),
        "DT072" | "DT073" => assert!(DateValue::parse(&row.input).is_err()),
        "DT119" => assert!(!is_fault_free()),
        "DT123" => assert_eq!(value().to_string(), "44 B.C."),
        "DT157" => assert!(value().phrase().is_some()),
        "DT167" | "DT170" => assert!(value().is_reversed()),
        "DT168" | "DT169" | "DT171" => assert!(!value().is_reversed()),
        "DT172" => {
            let value = value();
            assert_eq!(value.second().expect("two").calendar(), CalendarName::Known(Calendar::Gregorian));
        }
        "DT173" => {
            let value = value();
            assert_ne!(value.second().expect("two").calendar(), value.first().expect("two").calendar());
        }
        "DT206" => assert_eq!(value().first().expect("a date").year().logical(), &Integer::from(5)),
        "DT260" => {
            assert!(is_fault_free());
            assert_eq!(value().days().earliest.day(), None);
        }
        "DT261" => assert!(is_fault_free()),
        "DT291" => {
            assert!(!is_fault_free());
        }
        "DT365" | "DT366" | "DT367" => {
            let spelled = fact(row.expected, "").or_else(|| row.expected.split('"').nth(1));
            let expected = row.expected.split('"').nth(1).or(spelled).expect("a spelling");
            assert_eq!(Age::parse(&row.input).expect("an age").to_string(), expected);
        }
        _ => return 0,
    }
    1
}

fn jdn(year: i64, month: u8, day: u8) -> i64 {
    Calendar::Gregorian.day_number(CalendarDay { year, month, day }).expect("a day")
}

/// Tests of rows that no single input shows.
const NAMED: &[(&str, fn())] = &[
    ("DT001 DT056 DT051 DT330 DT332", refusals),
    ("DT014", adjacent_epochs),
    ("DT020", other_spellings),
    ("DT037 DT038 DT050 DT121 DT124 DT205 DT292", canonical_dates),
    ("DT052 DT053 DT054", comparisons),
    ("DT112 DT113 DT114 DT115 DT116 DT117 DT407", dual_years),
    ("DT164 DT165", bounds_are_inclusive),
    ("DT237", the_note_on_1900_is_reversed),
    ("DT294 DT295 DT296", hebrew_years),
    ("DT323 DT324 DT325 DT326 DT327 DT328 DT331 DT422", times),
    ("DT368 DT369 DT370 DT371 DT372 DT373 DT430", ages),
];

fn refusals() {
    let august = DateParts { day: Some(1), month: Some("Aug"), ..DateParts::year(1900) };
    assert!(august.spell().is_err());
    let february =
        DateParts { calendar: Some("GREGORIAN"), day: Some(30), month: Some("FEB"), ..DateParts::year(1900) };
    assert!(february.spell().is_err());
    assert!(DateParts { calendar: Some("UNKNOWN"), ..DateParts::year(1900) }.spell().is_err());
    assert!(Time::new(12, 56, 60).is_none());
    assert_eq!(Time::new(12, 56, 59).expect("a time").to_string(), "12:56:59");
}

fn adjacent_epochs() {
    assert_eq!(value("1 JAN 1 A.D.").days().single(), Some(1_721_426));
    assert_eq!(value("31 DEC 1 B.C.").days().single(), Some(1_721_425));
}

fn other_spellings() {
    for (elf, edtf) in [
        ("15 MAR 44 B.C.", "-0043-03-15"),
        ("MAY 1900", "1900-05"),
        ("EST 1900", "1900%"),
        ("BEF 1900", "[..1900]"),
        ("FROM 1861", "1861/"),
        ("FROM 1861 TO MAR 1865", "1861/1865-03"),
        ("@#DJULIAN@ 1700", "[1700-01-11..1701-01-11]"),
        ("20000", "Y20000"),
    ] {
        assert_eq!(value(elf).edtf().as_deref(), Some(edtf), "{elf}");
    }
}

fn canonical_dates() {
    for (written, canonical) in [
        ("1 JAN 1900", "1 JAN 1900"),
        ("1\tJAN  1900", "1 JAN 1900"),
        ("63B.C.", "63 B.C."),
        ("29 FEB 1700", "29 FEB 1700"),
        ("@#DJULIAN@ 1648/1649", "@#DJULIAN@ 1648/49"),
        ("44 BC", "44 B.C."),
        ("24 DEC 2018 A.D.", "24 DEC 2018"),
        ("@#DGREGORIAN@ 24 DEC 2018", "24 DEC 2018"),
        ("@#DGREGORIAN@ 31 FEB 2018", "@#DGREGORIAN@ 31 FEB 2018"),
        ("@#DHEBREW@ 1 TSH 5784 A.M.", "@#DHEBREW@ 1 TSH 5784"),
        ("21 NOV 1952 IF", "21 NOV 1952 IF"),
    ] {
        assert_eq!(value(written).to_string(), canonical);
        assert_eq!(value(canonical), value(written));
    }
}

fn comparisons() {
    let relation = |one, two| {
        let (one, two) = (value(one), value(two));
        one.first().expect("a date").relation(two.first().expect("a date"))
    };
    assert_eq!(relation("@#DUNKNOWN@ 100", "@#DUNKNOWN@ 200"), Relation::Unknown);
    assert_eq!(relation("29 FEB 1700", "30 FEB 1700"), Relation::Unknown);
    assert_eq!(relation("@#DISLAMIC@ 1 RAJ 1420", "@#DISLAMIC@ 9 RAM 1422"), Relation::Before);
    assert_eq!(relation("@#DISLAMIC@ 1420", "@#DISLAMIC@ 1422 B.H."), Relation::Unknown);
    assert_eq!(relation("@#DISLAMIC@ 1420", "@#DOTHER@ 1422"), Relation::Unknown);
}

fn dual_years() {
    for (historical, logical, spelled) in [
        (5493, 5509, "5493/5509"),
        (1701, 1703, "1701/03"),
        (1648, 1649, "1648/49"),
        (-45, -44, "-45/44"),
        (1649, 1649, "1649"),
    ] {
        let parts = DateParts {
            calendar: Some("FOO"),
            logical: Some(Integer::from(logical)),
            ..DateParts::year(historical)
        };
        assert_eq!(parts.spell().expect("a date"), format!("@#DFOO@ {spelled}"));
    }
    let year = "@#DJULIAN@ 1648/49";
    for other in ["@#DJULIAN@ 1648/9", "@#DJULIAN@ 1648/1649"] {
        assert_eq!(value(year), value(other));
    }
    // Whatever the two years are, they are read back.
    for historical in -130_i64..=130 {
        for logical in -130_i64..=130 {
            let logical = Some(Integer::from(logical));
            let parts = DateParts { calendar: Some("FOO"), logical, ..DateParts::year(historical) };
            let text = parts.spell().expect("a date");
            let read = value(&text);
            let year = read.first().expect("a date").year();
            assert_eq!(
                (year.historical(), Some(year.logical())),
                (&parts.historical, parts.logical.as_ref()),
                "{text}"
            );
        }
    }
}

fn bounds_are_inclusive() {
    assert_eq!(value("BEF 1 JAN 1900").days().latest.day(), Some(jdn(1900, 1, 1)));
    assert_eq!(value("AFT 1900").days().earliest.day(), Some(2_415_021));
}

fn the_note_on_1900_is_reversed() {
    assert!(!value("@#DJULIAN@ 29 FEB 1900").first().expect("a date").is_known_ill_formed());
    assert!(value("@#DGREGORIAN@ 29 FEB 1900").first().expect("a date").is_known_ill_formed());
}

fn hebrew_years() {
    for year in 5_776..=5_784 {
        let is_leap = Calendar::Hebrew.days_in_month(year, 7).is_some();
        assert_eq!(is_leap, [5_776, 5_779, 5_782, 5_784].contains(&year), "{year}");
    }
    // The molad and the table of four gates stand in hebrew_years.rs.
}

fn times() {
    let spelled = |text| Time::parse(text).expect(text).to_string();
    assert_eq!(spelled("15:30"), "15:30:00");
    assert_eq!(spelled("15:30:00Z"), "15:30:00");
    assert_eq!(spelled("15:30:00.123456"), "15:30:00.123456");
    assert_eq!(spelled("15:30:00.500"), "15:30:00.5");
    assert_eq!(spelled("24:00:00"), "24:00:00");
    assert_eq!(spelled("23:59:60"), "23:59:60");
    let end = DateExact::parse("30 NOV 2018").expect("a day");
    assert!(Time::parse("24:00:00").expect("a time").is_end_of_day());
    assert_eq!(end.next().expect("a day").to_string(), "1 DEC 2018");
}

fn ages() {
    let age = |text| Age::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    assert_eq!(age("<52y").to_string(), "< 52y");
    for text in ["24m", "2y 0m", "INFANT", "400d", "1y 400d"] {
        assert_eq!(age(text).to_string(), text);
    }
    assert_eq!(age("0y 2m"), age("2m"));
    assert_eq!(age("2y"), age("02y"));
    assert_eq!(age("2y"), age("2"));
    for (one, two) in [("2y 0m", "2y"), ("2y", "24m"), ("2y 0m", "24m"), ("> 2y", "2y"), ("> 2y", "< 2y")] {
        assert_ne!(age(one), age(two));
    }
}

#[test]
fn the_rows_that_speak_of_recovery_are_recovered() {
    for (written, read) in [
        ("1 Aug 1900", "1 AUG 1900"),
        ("44 BCE", "44 B.C."),
        ("@#DFRENCHR@ 1 VEND 2", "@#DFRENCH R@ 1 VEND 2"),
        ("11 NIVO 6", "@#DFRENCH R@ 11 NIVO 6"),
        ("2 TVT 5758", "@#DHEBREW@ 2 TVT 5758"),
        ("00 JAN 1900", "JAN 1900"),
        ("INT 1900(x)", "INT 1900 (x)"),
    ] {
        assert_eq!(recover(written).map(|found| found.text).as_deref(), Some(read), "{written}");
    }
}

const WILD: &str = include_str!("../../tests/requirements/dates-in-the-wild.tsv");

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
