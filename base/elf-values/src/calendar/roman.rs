//! The Gregorian and the Julian calendar, which differ only in their leap years (ELF Dates *The Gregorian calendar*,
//! *The Julian calendar*).

use super::CalendarDay;
use crate::Integer;

pub(super) const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

pub(super) const MONTH_NAMES: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

#[inline(always)]
pub(super) fn month(name: &str) -> Option<u8> {
    const KEYS: [u32; 12] = {
        let mut keys = [0; 12];
        let mut at = 0;
        while at < keys.len() {
            keys[at] = pack_letters(MONTHS[at].as_bytes());
            at += 1;
        }
        keys
    };
    let wanted = pack_letters(name.as_bytes());
    let at = KEYS.iter().position(|key| *key == wanted)?;
    u8::try_from(at + 1).ok()
}

/// Packs a name of three letters into a number. Returns 0, which is the number of no month, for a name of another
/// length.
const fn pack_letters(name: &[u8]) -> u32 {
    match *name {
        [first, second, third] => u32::from_le_bytes([first, second, third, 0]),
        _ => 0,
    }
}

/// The Julian day number of 1 March of year 0.
const GREGORIAN_MARCH_0: i64 = 1_721_120;
const JULIAN_MARCH_0: i64 = 1_721_118;

const DAYS_IN_400_YEARS: i64 = 146_097;
const DAYS_IN_4_YEARS: i64 = 1_461;

pub(super) fn is_gregorian_leap(year: &Integer<'_>) -> bool {
    let year = year.modulo(400);
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year == 0)
}

pub(super) fn is_julian_leap(year: &Integer<'_>) -> bool {
    year.modulo(4) == 0
}

/// Returns the number of days of a month, from 1 for January.
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
    let (year, of_year) = to_march_year(day);
    let (cycle, year) = (year.div_euclid(400), year.rem_euclid(400));
    GREGORIAN_MARCH_0 + cycle * DAYS_IN_400_YEARS + year * 365 + year / 4 - year / 100 + of_year
}

pub(super) fn julian_number(day: CalendarDay) -> i64 {
    let (year, of_year) = to_march_year(day);
    JULIAN_MARCH_0 + year * 365 + year.div_euclid(4) + of_year
}

pub(super) fn gregorian_day(number: i64) -> CalendarDay {
    let days = number - GREGORIAN_MARCH_0;
    let (cycle, rest) = (days.div_euclid(DAYS_IN_400_YEARS), days.rem_euclid(DAYS_IN_400_YEARS));
    // Remove leap days step by step: every 4 years, every 100 years, at the end of 400 years.
    let year = (rest - rest / 1_460 + rest / 36_524 - rest / (DAYS_IN_400_YEARS - 1)) / 365;
    let of_year = rest - (year * 365 + year / 4 - year / 100);
    from_march_year(cycle * 400 + year, of_year)
}

pub(super) fn julian_day(number: i64) -> CalendarDay {
    let days = number - JULIAN_MARCH_0;
    let (cycle, rest) = (days.div_euclid(DAYS_IN_4_YEARS), days.rem_euclid(DAYS_IN_4_YEARS));
    let year = (rest - rest / (DAYS_IN_4_YEARS - 1)) / 365;
    from_march_year(cycle * 4 + year, rest - year * 365)
}

/// Returns the year that starts in March, and the day in it from 0. The leap day is the last day of such a year.
fn to_march_year(day: CalendarDay) -> (i64, i64) {
    let month = i64::from(day.month);
    let (year, month) = if month > 2 { (day.year, month - 3) } else { (day.year - 1, month + 9) };
    // From March, the lengths of months repeat 31 30 31 30 31.
    (year, (153 * month + 2) / 5 + i64::from(day.day) - 1)
}

fn from_march_year(year: i64, of_year: i64) -> CalendarDay {
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    CalendarDay { year, month: to_u8(month), day: to_u8(day) }
}

fn to_u8(number: i64) -> u8 {
    debug_assert!((1..=31).contains(&number), "{number} is neither a month nor a day");
    u8::try_from(number).unwrap_or(1)
}
