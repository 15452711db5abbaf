//! Days in four calendars, against tables made by other programs and against each other.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use calendrical_calculations::hebrew::BookHebrew;
use calendrical_calculations::rata_die::RataDie;
use calendrical_calculations::{gregorian, julian};
use elf_values::{Calendar, CalendarDay, DateValue};
use proptest::prelude::*;

const CONVERSIONS: &str = include_str!("../../../../conformance/requirements/calendar-conversions.tsv");
const YEARS: &str = include_str!("../../../../conformance/requirements/hebrew-years.tsv");

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

fn length(year: i64) -> i64 {
    (1..=13).filter_map(|month| Calendar::Hebrew.days_in_month(year, month)).map(i64::from).sum()
}

#[test]
fn hebrew_years_agree_with_the_table() {
    let head = "year\tmetonic\tleap\tmolad_day\tmolad_hours\tmolad_halakim\tlength_by_gates\t\
                length_by_postponement\tcsh\tksl\ttishri1_jdn\ttishri1_gregorian";
    assert_eq!(YEARS.lines().next(), Some(head));
    for line in YEARS.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), 12, "{line}");
        let number = |at: usize| cells[at].parse::<i64>().expect("a number");
        let is_leap = match cells[2] {
            "yes" => true,
            "no" => false,
            other => panic!("expected yes or no, but found {other:?}"),
        };
        let year = number(0);
        assert_eq!(length(year), number(6), "{line}");
        assert_eq!(Calendar::Hebrew.days_in_month(year, 7).is_some(), is_leap, "{line}");
        assert_eq!(number(6), number(7), "{line}");
        assert_eq!(number(1), year % 19, "{line}");
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

/// The day number of the day before 1 January 1 of the Gregorian calendar, where that program starts.
const BEFORE_THE_FIRST: i64 = 1_721_425;

/// Any day of thirty thousand years before and after, by another program. It has no French Republican
/// calendar.
fn by_the_other_program(calendar: Calendar, fixed: RataDie) -> Option<(i32, u8, u8)> {
    match calendar {
        Calendar::Gregorian => gregorian::gregorian_from_fixed(fixed).ok(),
        Calendar::Julian => julian::julian_from_fixed(fixed).ok(),
        Calendar::Hebrew => {
            let BookHebrew { year, month, day } = BookHebrew::book_hebrew_from_fixed(fixed);
            // Its months are counted from Nisan, and the second Adar is the last.
            Some((year, if month < 7 { month + 7 } else { month - 6 }, day))
        }
        Calendar::FrenchRepublican => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn days_are_those_of_another_program(number in -9_000_000_i64..12_000_000) {
        let fixed = RataDie::new(number - BEFORE_THE_FIRST);
        for calendar in [Calendar::Gregorian, Calendar::Julian, Calendar::Hebrew] {
            let Some(day) = calendar.day(number) else {
                prop_assert!(calendar == Calendar::Hebrew && number < 347_998);
                continue;
            };
            let Some((year, month, of_month)) = by_the_other_program(calendar, fixed) else { continue };
            prop_assert_eq!(day, CalendarDay { year: i64::from(year), month, day: of_month }, "{}", calendar);
        }
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
