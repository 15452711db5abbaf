//! The French Republican calendar (ELF Dates *The French Republican calendar*): twelve months of 30 days, and
//! 5 or 6 complementary days as a thirteenth.
//!
//! No law decided which years after year 18 are leap years, so later dates have no day numbers. Such a date is valid if
//! any rule for leap years would allow it.

use super::CalendarDay;
use crate::Integer;

/// The months, and the complementary days as the last one.
pub(super) const MONTHS: [&str; 13] =
    ["VEND", "BRUM", "FRIM", "NIVO", "PLUV", "VENT", "GERM", "FLOR", "PRAI", "MESS", "THER", "FRUC", "COMP"];

pub(super) const MONTH_NAMES: [&str; 13] = [
    "Vendémiaire",
    "Brumaire",
    "Frimaire",
    "Nivôse",
    "Pluviôse",
    "Ventôse",
    "Germinal",
    "Floréal",
    "Prairial",
    "Messidor",
    "Thermidor",
    "Fructidor",
    "Jours complémentaires",
];

/// The Julian day number of 1 Vendémiaire of year 1: 22 September 1792 of the Gregorian calendar.
const EPOCH: i64 = 2_375_840;

const LAST: i64 = 18;

pub(super) fn days_in_month(year: &Integer<'_>, month: u8) -> Option<u8> {
    match month {
        1..=12 => Some(30),
        13 => match year.to_i64() {
            Some(year) if (1..=LAST).contains(&year) => Some(if is_leap(year) { 6 } else { 5 }),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether a year has six complementary days instead of five. The rule is valid up to year 18.
const fn is_leap(year: i64) -> bool {
    matches!(year, 3 | 7 | 11 | 15)
}

const fn days_before_year(year: i64) -> i64 {
    // Years 3, 7, 11 and 15 are leap years.
    (year - 1) * 365 + year / 4
}

pub(super) fn day_number(day: CalendarDay) -> Option<i64> {
    let known = (1..=LAST).contains(&day.year);
    known.then(|| {
        EPOCH + days_before_year(day.year) + (i64::from(day.month) - 1) * 30 + i64::from(day.day) - 1
    })
}

pub(super) fn calendar_day(number: i64) -> Option<CalendarDay> {
    let days = number - EPOCH;
    if !(0..days_before_year(LAST + 1)).contains(&days) {
        return None;
    }
    let year = (1..=LAST).rev().find(|year| days_before_year(*year) <= days)?;
    let of_year = days - days_before_year(year);
    let month = u8::try_from(of_year / 30 + 1).ok()?;
    let day = u8::try_from(of_year % 30 + 1).ok()?;
    Some(CalendarDay { year, month, day })
}
