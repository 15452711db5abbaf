//! The Gregorian and the Julian calendar: the same months, two rules for leap years (ELF Dates *The Gregorian
//! calendar*, *The Julian calendar*).

use super::CalendarDay;
use crate::Integer;

/// The months, January first.
pub(super) const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/// The place of a month in [`MONTHS`], from 1.
#[inline(always)]
pub(super) fn month(name: &str) -> Option<u8> {
    const KEYS: [u32; 12] = {
        let mut keys = [0; 12];
        let mut at = 0;
        while at < keys.len() {
            keys[at] = key(MONTHS[at].as_bytes());
            at += 1;
        }
        keys
    };
    let wanted = key(name.as_bytes());
    let at = KEYS.iter().position(|key| *key == wanted)?;
    u8::try_from(at + 1).ok()
}

/// Three octets as one number; 0, which no month has, for any other text.
const fn key(name: &[u8]) -> u32 {
    match *name {
        [first, second, third] => u32::from_le_bytes([first, second, third, 0]),
        _ => 0,
    }
}

/// The Julian day numbers of 1 March of year 0, in either calendar.
const GREGORIAN_MARCH_0: i64 = 1_721_120;
const JULIAN_MARCH_0: i64 = 1_721_118;

const DAYS_IN_400_YEARS: i64 = 146_097;
const DAYS_IN_4_YEARS: i64 = 1_461;

/// Returns whether February has 29 days: every fourth year, of full centuries every fourth one.
pub(super) fn is_gregorian_leap(year: &Integer<'_>) -> bool {
    let year = year.modulo(400);
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year == 0)
}

/// Returns whether February has 29 days: every fourth year.
pub(super) fn is_julian_leap(year: &Integer<'_>) -> bool {
    year.modulo(4) == 0
}

/// The days of a month, from 1 for January.
pub(super) fn days_in_month(is_leap: impl FnOnce() -> bool, month: u8) -> Option<u8> {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 if is_leap() => Some(29),
        2 => Some(28),
        _ => None,
    }
}

pub(super) fn gregorian_number(day: CalendarDay) -> i64 {
    let (year, of_year) = from_march(day);
    let (cycle, year) = (year.div_euclid(400), year.rem_euclid(400));
    GREGORIAN_MARCH_0 + cycle * DAYS_IN_400_YEARS + year * 365 + year / 4 - year / 100 + of_year
}

pub(super) fn julian_number(day: CalendarDay) -> i64 {
    let (year, of_year) = from_march(day);
    JULIAN_MARCH_0 + year * 365 + year.div_euclid(4) + of_year
}

pub(super) fn gregorian_day(number: i64) -> CalendarDay {
    let days = number - GREGORIAN_MARCH_0;
    let (cycle, rest) = (days.div_euclid(DAYS_IN_400_YEARS), days.rem_euclid(DAYS_IN_400_YEARS));
    // Remove leap days step by step: every 4 years, every 100 years, at the end of 400 years.
    let year = (rest - rest / 1_460 + rest / 36_524 - rest / (DAYS_IN_400_YEARS - 1)) / 365;
    let of_year = rest - (year * 365 + year / 4 - year / 100);
    from_january(cycle * 400 + year, of_year)
}

pub(super) fn julian_day(number: i64) -> CalendarDay {
    let days = number - JULIAN_MARCH_0;
    let (cycle, rest) = (days.div_euclid(DAYS_IN_4_YEARS), days.rem_euclid(DAYS_IN_4_YEARS));
    let year = (rest - rest / (DAYS_IN_4_YEARS - 1)) / 365;
    from_january(cycle * 4 + year, rest - year * 365)
}

/// The year that starts in March, so that the leap day is its last, and the day of that year from 0.
fn from_march(day: CalendarDay) -> (i64, i64) {
    let month = i64::from(day.month);
    let (year, month) = if month > 2 { (day.year, month - 3) } else { (day.year - 1, month + 9) };
    // From March the months' lengths repeat 31 30 31 30 31.
    (year, (153 * month + 2) / 5 + i64::from(day.day) - 1)
}

fn from_january(year: i64, of_year: i64) -> CalendarDay {
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    CalendarDay { year, month: small(month), day: small(day) }
}

/// A month or a day, which fit by what was computed.
fn small(number: i64) -> u8 {
    debug_assert!((1..=31).contains(&number), "{number} is neither a month nor a day");
    u8::try_from(number).unwrap_or(1)
}
