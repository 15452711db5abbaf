//! Laws that hold of any payload and any value.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_values::{
    Age, Calendar, Choice, Coordinate, Datatype, DateExact, DateForm, DatePeriod, DateValue, Integer,
    MediaType, PersonalName, Relation, Time, check, items, recover,
};
use proptest::prelude::*;

/// A date by the grammar, well-formed or not.
fn date() -> BoxedStrategy<String> {
    let escape = prop_oneof![
        4 => Just(""), 1 => Just("@#DGREGORIAN@ "), 2 => Just("@#DJULIAN@ "), 1 => Just("@#DFRENCH R@ "),
        1 => Just("@#DHEBREW@ "), 1 => Just("@#DUNKNOWN@\t"), 1 => Just("@#DOTHER  CALENDAR@  ")
    ];
    let month = prop_oneof![
        4 => Just("JAN"), 2 => Just("FEB"), 1 => Just("COMP"), 1 => Just("ADS"), 1 => Just("TSH"), 1 => Just("VEND"),
        1 => Just("M12"), 1 => Just("AUGUST")
    ];
    let day = prop_oneof![(0_u32..40).prop_map(|day| day.to_string()), "[0-9]{1,25}"];
    let day_and_month = prop_oneof![
        Just(String::new()),
        month.clone().prop_map(|month| format!("{month} ")),
        (day, month).prop_map(|(day, month)| format!("{day} {month} "))
    ];
    let year = prop_oneof![
        6 => (0_u32..6_000).prop_map(|year| year.to_string()),
        1 => "-?[0-9]{1,25}",
        2 => (0_u32..2_100, 0_u32..3).prop_map(|(year, more)| format!("{year}/{:02}", (year + more) % 100)),
        1 => "-?[0-9]{1,22}/-?[0-9]{1,22}",
        1 => "-?[0-9]{1,3}/-?[0-9]{1,3}",
    ];
    let epoch = prop_oneof![6 => Just(""), 1 => Just(" B.C."), 1 => Just("BC"), 1 => Just(" A.D."), 1 => Just(" A.M."),
        1 => Just(" IF"), 1 => Just(" $昭和"), 1 => Just(" HENRY_V")];
    (escape, day_and_month, year, epoch)
        .prop_map(|(escape, day, year, epoch)| format!("{escape}{day}{year}{epoch}"))
        .boxed()
}

/// A date value by the grammar.
fn value() -> BoxedStrategy<String> {
    let phrase = "[^()\r\n]{0,12}";
    prop_oneof![
        4 => date(),
        2 => (prop_oneof![Just("ABT"), Just("CAL"), Just("EST"), Just("BEF"), Just("AFT"), Just("FROM"), Just("TO")], date())
            .prop_map(|(word, date)| format!("{word} {date}")),
        1 => (date(), date()).prop_map(|(one, two)| format!("BET {one} AND {two}")),
        1 => (date(), date()).prop_map(|(one, two)| format!("FROM {one} TO  {two}")),
        1 => (date(), phrase).prop_map(|(date, phrase)| format!("INT {date} ({phrase})")),
        1 => phrase.prop_map(|phrase| format!("({phrase})")),
    ]
    .boxed()
}

/// Text that is nearly a date.
fn nearly() -> BoxedStrategy<String> {
    let word = prop_oneof![
        Just("abt".to_owned()),
        Just("Bet.".to_owned()),
        Just("AND".to_owned()),
        Just("@#DJULIAN@".to_owned()),
        Just("OKT".to_owned()),
        Just("(x)".to_owned()),
        Just("-".to_owned()),
        Just("1900?".to_owned()),
        "[0-9]{1,4}",
        "[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4}",
        "[A-Z]{1,4}",
        "\\PC{1,3}",
        Just("Q3".to_owned()),
        Just("WFT".to_owned()),
    ];
    proptest::collection::vec(word, 0..6).prop_map(|words| words.join(" ")).boxed()
}

/// Words of dates as people write them.
fn written() -> BoxedStrategy<String> {
    let word = prop_oneof![
        4 => "(abt|Abt[.]|ABOUT|est|Bef|between|BET[.]|bet|and|AND|from|FROM|to|TO|Int|circa|ca[.])",
        6 => "(jan|Feb|MAR[.]|March|SEPT|Sept[.]|september|DECEMBER|Okt|TVT|ads|ADS|VEND|nach|Easter|\u{17f}ep|apr\u{131}l)",
        6 => "[0-9]{1,2}[.,]?",
        6 => "[12][0-9]{2,3}[.?+]?",
        2 => "[0-9]{4}-[0-9]{2}(-[0-9]{2})?",
        2 => (1_600_u32..1_800, 0_u32..3).prop_map(|(year, more)| format!("{year}/{}", year + more)),
        1 => (1_600_u32..1_800, 0_u32..3).prop_map(|(year, more)| format!("{year}/{:02}", (year + more) % 100)),
        2 => "(BC|b[.]c[.]|BCE|B[.]C[.]E[.]|ce|AD|a[.]d[.]|AM|if|SL)",
        1 => "(@#DJULIAN@|@#djulian@|@#DHEBREW@|@#DFRENCH R@|@#DFRENCHR@)[ ]?",
        1 => "(-|–|[(]x[)]|[(]a [(]b[)][)])",
    ];
    // Words in any order, and in one in which they are more often a date.
    let in_order = (
        proptest::option::of("(abt|Abt[.]|about|EST|bef[.]|Int|from)"),
        proptest::option::of("[0-9]{1,2}[.,]?"),
        proptest::option::of("(jan|Feb|MAR[.]|March|Sept[.]|nach|Okt|ads|\u{17f}ep)"),
        prop_oneof!["[0-9]{1,4}[.]?", "1[67][0-9]{2}/[0-9]{2,4}", "1[0-9]{3} ?- ?[0-9]{2,4}"],
        proptest::option::of("(BC|b[.]c[.]|BCE|B[.]C[.]E[.]|ce|AD|AM|SL)"),
    );
    let in_order = in_order.prop_map(|(keyword, day, month, year, epoch)| {
        [keyword, day, month, Some(year), epoch].into_iter().flatten().collect::<Vec<_>>().join(" ")
    });
    let words = proptest::collection::vec(word, 1..7).prop_map(|words| words.join(" "));
    let two = (in_order.clone(), in_order.clone());
    let between = two.prop_map(|(first, second)| format!("Bet. {first} and {second}"));
    prop_oneof![words, in_order, between].boxed()
}

/// The words of a date whatever its letters, full stops, blanks and leading zeros, joined: what no safe
/// suggestion may alter. This knows nothing of the tables under test.
fn said(text: &str) -> String {
    let text = text.to_ascii_uppercase().replace(['.', ','], "");
    let mut said = String::new();
    for word in text.split(|c: char| matches!(c, '-' | '–' | '(' | ')' | '@') || c.is_ascii_whitespace()) {
        let word = match word {
            "ABOUT" => "ABT",
            "BEFORE" => "BEF",
            "AFTER" => "AFT",
            "BETWEEN" => "BET",
            "ADS" => "ADR",
            "SEPT" => "SEP",
            "MARCH" | "AUGUST" | "SEPTEMBER" | "DECEMBER" => word.get(..3).unwrap_or_default(),
            // A hyphen stands for it, and the epochs hold anyway.
            "AND" | "CE" | "AD" | "#DGREGORIAN" => "",
            "AM" if text.contains("#DHEBREW@") => "",
            "BCE" => "BC",
            _ => word.trim_start_matches('0'),
        };
        // Dual years are shortened to two digits, and to none where they are equal.
        let bare = |number: &str| number.trim_start_matches('0').to_owned();
        match word.split_once('/') {
            Some((first, second)) if bare(first) == bare(second) => said.push_str(&bare(first)),
            Some((first, second)) => {
                let ending = second.get(second.len().saturating_sub(2)..).unwrap_or_default();
                said.push_str(&format!("{}/{}", bare(first), bare(ending)));
            }
            None => said.push_str(word),
        }
    }
    said
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn whatever_is_suggested_has_no_fault(text in prop_oneof![2 => written(), 1 => nearly(), 1 => value()]) {
        for datatype in Datatype::OF_DATES {
            for fix in check(&text, datatype).into_iter().filter_map(|finding| finding.fix) {
                // Recommendations, such as one calendar for both dates, are of what is said and no fault.
                let findings = check(&fix.text, datatype);
                let faults = findings.iter().filter(|found| !matches!(found.code.id(), "E0606" | "E0607"));
                prop_assert_eq!(faults.count(), 0, "{} {}", text, fix.text);
            }
        }
    }

    #[test]
    fn what_is_safe_says_what_was_written(text in written()) {
        if let Some(found) = recover(&text).filter(|found| found.is_safe) {
            // The parts of `1900-05-17` are in another order.
            if text.split(' ').all(|word| word.matches('-').count() < 2) {
                prop_assert_eq!(said(&found.text), said(&text), "{} {}", text, found.text);
            }
            prop_assert_eq!(recover(&found.text), None);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_the_grammar_makes_is_read_and_written_to_an_equal_value(text in value()) {
        let value = DateValue::parse(&text).expect("in the grammar");
        let canonical = value.to_string();
        let again = DateValue::parse(&canonical).expect("canonical");
        prop_assert_eq!(&again, &value, "{}", canonical);
        prop_assert_eq!(again.to_string(), canonical.clone());
        prop_assert_eq!(again.days(), value.days());
        prop_assert_eq!(DatePeriod::parse(&text).is_ok(), value.is_period());
        for date in value.dates() {
            prop_assert!(text.get(date.span().range()).is_some());
            if let Some((first, last)) = date.day_range() {
                prop_assert!(first <= last);
                prop_assert!(date.fault().is_none());
            }
        }
        value.edtf();
        for calendar in Calendar::ALL {
            if let Some(there) = value.in_calendar(calendar) {
                let there = DateValue::parse(&there).expect("a date");
                prop_assert_eq!(there.days(), value.days());
                let is_approximated =
                    |value: &DateValue<'_>| matches!(value.form(), DateForm::Approximated(..) | DateForm::Interpreted(..));
                prop_assert_eq!(is_approximated(&there), is_approximated(&value), "{}", text);
            }
        }
    }

    #[test]
    fn relations_are_seen_alike_from_both_sides(one in value(), two in value()) {
        let days = |text| DateValue::parse(text).expect("in the grammar").days();
        let mirrored = match days(&one).relation(days(&two)) {
            Relation::Before => Relation::After,
            Relation::After => Relation::Before,
            other @ (Relation::Same | Relation::Overlapping | Relation::Unknown) => other,
        };
        prop_assert_eq!(days(&two).relation(days(&one)), mirrored);
    }

    #[test]
    fn whatever_is_recovered_is_a_date(text in prop_oneof![nearly(), value(), "\\PC{0,30}"]) {
        if let Some(found) = recover(&text) {
            let value = DateValue::parse(&found.text).expect("a date");
            prop_assert_eq!(value.to_string(), found.text);
            prop_assert!(!found.unusual.is_empty());
        }
    }

    #[test]
    fn nothing_panics_and_faults_lie_in_the_text(text in prop_oneof![nearly(), "\\PC{0,40}", "[-0-9YMDymd:.+Z<> ]{0,20}"]) {
        let spans = [
            DateValue::parse(&text).err(), DateExact::parse(&text).err(), Age::parse(&text).err(), Time::parse(&text).err(),
            Coordinate::latitude(&text).err(), Coordinate::longitude(&text).err(), MediaType::parse(&text).err(),
            PersonalName::parse(&text).err(),
        ];
        for fault in spans.into_iter().flatten() {
            prop_assert!(text.get(fault.span.range()).is_some(), "{:?}", fault);
        }
        items(&text).count();
        Integer::parse(&text);
        Choice::of(&text, ["a", "b"]);
    }

    #[test]
    fn ages_and_times_are_written_to_equal_values(text in prop_oneof![
        "[<>]? ?[0-9]{1,3}y( ?[0-9]{1,3}m)?( ?[0-9]{1,25}d)?", "[<>]?[0-9]{1,3}m( ?[0-9]{1,2}d)?", "[0-9]{1,4}",
        "[0-2][0-9]:[0-5][0-9](:[0-6][0-9]([.][0-9]{1,12})?)?(Z|[+-][01][0-9]:[0-5][0-9])?"
    ]) {
        if let Ok(age) = Age::parse(&text) {
            let canonical = age.to_string();
            prop_assert_eq!(Age::parse(&canonical).expect("canonical"), age);
        }
        if let Ok(time) = Time::parse(&text) {
            let canonical = time.to_string();
            prop_assert_eq!(Time::parse(&canonical).expect("canonical"), time);
        }
    }

    #[test]
    fn coordinates_are_written_to_equal_ones(text in "[NSEW][0-9]{1,3}([.][0-9]{1,9})?") {
        for read in [Coordinate::latitude, Coordinate::longitude] {
            if let Ok(place) = read(&text) {
                prop_assert_eq!(read(&place.to_string()).expect("canonical").billionths(), place.billionths());
            }
        }
    }
}
