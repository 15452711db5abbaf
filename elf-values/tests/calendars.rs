//! Days in four calendars, against tables made by other programs and against each other.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_values::{Calendar, CalendarDay, DateValue};
use proptest::prelude::*;

const CONVERSIONS: &str = include_str!("../../tests/requirements/calendar-conversions.tsv");
const YEARS: &str = include_str!("../../tests/requirements/hebrew-years.tsv");

#[test]
fn conversions_agree_with_the_table() {
    let mut checked = 0;
    for line in CONVERSIONS.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let number: i64 = cells[2].parse().expect("a day number");
        for (calendar, written) in Calendar::ALL.into_iter().zip([cells[4], cells[5], cells[7], cells[6]]) {
            if written.is_empty() {
                assert_eq!(calendar.day(number).filter(|_| calendar != Calendar::Hebrew), None, "{line}");
                continue;
            }
            let text = format!("@#D{calendar}@ {written}");
            let value = DateValue::parse(&text).expect("a date");
            assert_eq!(value.days().single(), Some(number), "{text}");
            for other in Calendar::ALL {
                let there = value
                    .in_calendar(other)
                    .map(|there| DateValue::parse(&there).map(|day| day.days().single()));
                assert!(there.is_none_or(|day| day == Ok(Some(number))), "{text} in {other}");
            }
            checked += 1;
        }
        let weekday = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]
            [usize::try_from(number.rem_euclid(7)).expect("0 to 6")];
        assert_eq!(weekday, cells[3]);
    }
    assert!(checked > 220, "{checked}");
}

/// The table of four gates (ELF Dates *The Hebrew calendar*): limits of the molad as day, hours and parts,
/// and the length of the year by its place in the cycle of 19.
const GATES: [((i64, i64, i64), [i64; 4]); 13] = [
    ((0, 18, 0), [355, 355, 355, 385]),
    ((1, 9, 204), [353, 353, 353, 383]),
    ((1, 20, 491), [355, 355, 355, 383]),
    ((2, 15, 589), [355, 355, 355, 385]),
    ((2, 18, 0), [354, 354, 355, 385]),
    ((3, 18, 0), [354, 354, 354, 384]),
    ((4, 11, 695), [354, 354, 354, 383]),
    ((5, 9, 204), [354, 354, 354, 385]),
    ((5, 18, 0), [355, 355, 355, 385]),
    ((6, 0, 408), [353, 353, 353, 383]),
    ((6, 9, 204), [355, 353, 353, 383]),
    ((6, 20, 491), [355, 355, 355, 383]),
    ((7, 0, 0), [355, 355, 355, 385]),
];

/// The molad of Tishrei as the standard computes it: 2:5:204 and 4:1:12:793 for each month before.
fn molad(year: i64) -> (i64, i64, i64) {
    let cycles = (year - 1) / 19;
    let rest = (year - 1) % 19;
    let leaps = (1..=rest).filter(|year| matches!(year % 19, 0 | 3 | 6 | 8 | 11 | 14 | 17)).count();
    let months = cycles * 235 + rest * 12 + i64::try_from(leaps).expect("few");
    let parts = ((2 * 24 + 5) * 1_080 + 204) + months * ((29 * 24 + 12) * 1_080 + 793);
    let parts = parts % (7 * 24 * 1_080);
    (parts / (24 * 1_080), parts / 1_080 % 24, parts % 1_080)
}

fn by_the_gates(year: i64) -> i64 {
    let column = match year % 19 {
        1 | 4 | 9 | 12 | 15 => 0,
        7 | 18 => 1,
        2 | 5 | 10 | 13 | 16 => 2,
        _ => 3,
    };
    // Years 7 and 18 are rows of their own in the standard; 7 is an ordinary year there.
    let molad = molad(year);
    GATES.iter().find(|(limit, _)| molad < *limit).map(|(_, lengths)| lengths[column]).expect("a gate")
}

fn length(year: i64) -> i64 {
    (1..=13).filter_map(|month| Calendar::Hebrew.days_in_month(year, month)).map(i64::from).sum()
}

#[test]
fn hebrew_years_are_as_long_as_the_four_gates_say() {
    assert_eq!(molad(5_779), (2, 14, 316));
    for year in 1..=7_000 {
        assert_eq!(length(year), by_the_gates(year), "{year}");
    }
}

#[test]
fn hebrew_years_agree_with_the_table() {
    for line in YEARS.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| cells[at].parse::<i64>().expect("a number");
        let year = number(0);
        assert_eq!(molad(year), (number(3), number(4), number(5)), "{line}");
        assert_eq!(length(year), number(6), "{line}");
        assert_eq!(Calendar::Hebrew.days_in_month(year, 7).is_some(), cells[2] == "yes", "{line}");
        assert_eq!(Calendar::Hebrew.days_in_month(year, 2).map(i64::from), Some(number(8)), "{line}");
        assert_eq!(Calendar::Hebrew.days_in_month(year, 3).map(i64::from), Some(number(9)), "{line}");
        let day = CalendarDay { year, month: 1, day: 1 };
        assert_eq!(Calendar::Hebrew.day_number(day), Some(number(10)), "{line}");
        let value = DateValue::parse(cells[11]).expect("a date");
        assert_eq!(value.days().single(), Some(number(10)), "{line}");
    }
}

/// All days of 10,000 years, there and back, one after the other without a gap.
#[test]
fn days_of_ten_thousand_years_are_counted_through() {
    for (calendar, first) in [
        (Calendar::Gregorian, 1_721_426 - 2_000_000),
        (Calendar::Julian, 1_721_426 - 2_000_000),
        (Calendar::Hebrew, 347_998),
    ] {
        let mut before = calendar.day(first - 1);
        for number in first..first + 3_653_000 {
            let day = calendar.day(number).expect("a day");
            assert_eq!(calendar.day_number(day), Some(number), "{calendar} {day:?}");
            assert!(before.is_none_or(|before| before < day), "{calendar} {day:?}");
            before = Some(day);
        }
    }
    let french: Vec<_> = (2_375_800..2_382_500)
        .filter_map(|number| Some((number, Calendar::FrenchRepublican.day(number)?)))
        .collect();
    assert_eq!(french.len(), 18 * 365 + 4);
    for (number, day) in french {
        assert_eq!(Calendar::FrenchRepublican.day_number(day), Some(number));
    }
}

proptest! {
    #[test]
    fn days_far_away_are_counted_or_refused(number in any::<i64>(), near in -400_000_000_000_000_i64..400_000_000_000_000) {
        for number in [number, near] {
            for calendar in Calendar::ALL {
                if let Some(day) = calendar.day(number) {
                    prop_assert_eq!(calendar.day_number(day), Some(number));
                }
            }
        }
    }

    #[test]
    fn any_day_is_one_or_none(year in any::<i64>(), month in any::<u8>(), day in any::<u8>()) {
        for calendar in Calendar::ALL {
            let day = CalendarDay { year, month, day };
            if let Some(number) = calendar.day_number(day) {
                prop_assert_eq!(calendar.day(number), Some(day));
            }
        }
    }
}
