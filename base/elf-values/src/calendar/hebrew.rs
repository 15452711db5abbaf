//! The Hebrew calendar (ELF Dates *The Hebrew calendar*).
//!
//! A year starts on the day of the calculated new moon of Tishrei (the *molad*), or a day or two later by the rules of
//! postponement. The standard has a table of the results (the four gates). This module computes the postponements
//! instead; `tests/values/calendars.rs` compares both.

use super::CalendarDay;
use crate::Integer;

/// The months of a leap year. A common year has no `ADS`; its only Adar is `ADR`.
pub(super) const MONTHS: [&str; 13] =
    ["TSH", "CSH", "KSL", "TVT", "SHV", "ADR", "ADS", "NSN", "IYR", "SVN", "TMZ", "AAV", "ELL"];

/// `ADR` is called Adar in every year, because a common year has only that one.
pub(super) const MONTH_NAMES: [&str; 13] = [
    "Tishrei", "Cheshvan", "Kislev", "Tevet", "Shevat", "Adar", "Adar II", "Nisan", "Iyar", "Sivan",
    "Tammuz", "Av", "Elul",
];

const ADAR: u8 = 6;
const ADAR_SHENI: u8 = 7;

/// The Julian day number of the day before 1 Tishrei of year 1, which is 7 September 3761 B.C. of the
/// Gregorian calendar.
const DAY_BEFORE_EPOCH: i64 = 347_997;

/// After this many years, new moons, weekdays and leap years repeat.
const FULL_CYCLE: u32 = 689_472;

/// A day has 24 hours of 1,080 parts.
const PARTS_A_DAY: i64 = 24 * 1_080;

pub(super) fn days_in_month(year: &Integer<'_>, month: u8) -> Option<u8> {
    // The lengths of years repeat, so a year of the first cycle has the same length. The number of that year is small
    // enough to compute with.
    let year = i64::from(year.modulo(FULL_CYCLE)) + i64::from(FULL_CYCLE);
    month_length(year, month)
}

fn month_length(year: i64, month: u8) -> Option<u8> {
    let days = days_in_year(year);
    Some(match month {
        2 => 29 + u8::from(days % 10 == 5),
        3 => 30 - u8::from(days % 10 == 3),
        ADAR if is_leap(year) => 30,
        ADAR_SHENI if !is_leap(year) => return None,
        4 | ADAR | ADAR_SHENI | 9 | 11 | 13 => 29,
        1 | 5 | 8 | 10 | 12 => 30,
        _ => return None,
    })
}

const fn is_leap(year: i64) -> bool {
    (7 * year + 1).rem_euclid(19) < 7
}

/// A cycle of 19 years has 235 months.
const fn months_before(year: i64) -> i64 {
    (235 * year - 234).div_euclid(19)
}

/// Returns the number of days from the epoch to the new moon of Tishrei. A new moon after noon counts for the next day,
/// and one on a Sunday, Wednesday or Friday is postponed by a day.
fn days_to_new_moon(year: i64) -> i64 {
    let months = months_before(year);
    // The first new moon was 5 hours and 204 parts into a Monday. A new moon after noon belongs to the next day, so 6
    // hours are added. Each month has 29 days, 12 hours and 793 parts.
    let parts = 11 * 1_080 + 204 + months * (12 * 1_080 + 793);
    let day = months * 29 + parts.div_euclid(PARTS_A_DAY);
    if (3 * (day + 1)).rem_euclid(7) < 3 { day + 1 } else { day }
}

/// Returns the number of days from the epoch to 1 Tishrei of `year`. Two more postponements keep years from being too
/// long or too short.
fn days_to_new_year(year: i64) -> i64 {
    let (before, this, after) =
        (days_to_new_moon(year - 1), days_to_new_moon(year), days_to_new_moon(year + 1));
    if after - this == 356 {
        this + 2
    } else if this - before == 382 {
        this + 1
    } else {
        this
    }
}

/// Returns the number of days of a year: 353, 354 or 355, and 30 more in a leap year.
fn days_in_year(year: i64) -> i64 {
    days_to_new_year(year + 1) - days_to_new_year(year)
}

pub(super) fn day_number(day: CalendarDay) -> Option<i64> {
    if day.year < 1 {
        return None;
    }
    let months = (1..day.month).filter_map(|month| month_length(day.year, month));
    let before: i64 = months.map(i64::from).sum();
    Some(DAY_BEFORE_EPOCH + days_to_new_year(day.year) + before + i64::from(day.day))
}

pub(super) fn calendar_day(number: i64) -> Option<CalendarDay> {
    let days = number - DAY_BEFORE_EPOCH - 1;
    if days < 0 {
        return None;
    }
    // 19 years have 235 months of 765,433 parts. The estimate is at most one year off.
    let mean = i128::from(days) * i128::from(PARTS_A_DAY) * 19 / (235 * 765_433);
    let mean = i64::try_from(mean).ok()?;
    let year = (mean..=mean + 2).rev().find(|year| days_to_new_year(*year) <= days)?;
    let mut rest = days - days_to_new_year(year);
    for month in 1..=13 {
        let Some(length) = month_length(year, month) else { continue };
        if rest < i64::from(length) {
            return Some(CalendarDay { year, month, day: u8::try_from(rest + 1).ok()? });
        }
        rest -= i64::from(length);
    }
    None
}
