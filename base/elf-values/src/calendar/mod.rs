//! The four calendars of ELF Dates *Calendar definitions*: months, lengths, and days counted through.
//!
//! A day is counted by its **Julian day number**: the days since 24 November 4714 B.C. of the proleptic
//! Gregorian calendar, which has number 0. A day lasts from midnight to midnight in every calendar, the
//! Hebrew one too (ELF Dates *Time*).
//!
//! All arithmetic is of integers. Years are counted through, without a gap between 1 B.C., which is year 0,
//! and A.D. 1.

mod french;
mod hebrew;
mod roman;

use crate::Integer;
use std::fmt;

/// A calendar that ELF Dates defines.
///
/// ```
/// use elf_values::{Calendar, CalendarDay};
///
/// let day = CalendarDay { year: 1582, month: 10, day: 15 };
/// let number = Calendar::Gregorian.day_number(day).expect("a day of that calendar");
/// assert_eq!(number, 2_299_161);
/// assert_eq!(Calendar::Julian.day(number), Some(CalendarDay { year: 1582, month: 10, day: 5 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Calendar {
    /// The Gregorian calendar, also before its introduction (`@#DGREGORIAN@`, and where no escape is
    /// written).
    Gregorian,
    /// The Julian calendar as Augustus left it, also before (`@#DJULIAN@`).
    Julian,
    /// The French Republican calendar, in its years 1 to 18 (`@#DFRENCH R@`).
    FrenchRepublican,
    /// The Hebrew calendar (`@#DHEBREW@`).
    Hebrew,
}

/// A day of a calendar: year, month, day of the month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalendarDay {
    /// The year, counted through: 0 is 1 B.C. and -43 is 44 B.C. in the calendars that have such years.
    pub year: i64,
    /// The month's place in [`Calendar::months`], from 1. The Hebrew month `ADS` is always 7, in years
    /// without it no day has that month.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

/// The years that are counted in days: far enough for any file, near enough for 64 bits.
const YEARS: std::ops::RangeInclusive<i64> = -1_000_000_000_000..=1_000_000_000_000;

/// The day numbers within those years.
const DAYS: std::ops::RangeInclusive<i64> = -365_000_000_000_000..=365_000_000_000_000;

impl Calendar {
    /// The four calendars, in the order of the standard.
    pub const ALL: [Calendar; 4] =
        [Calendar::Gregorian, Calendar::Julian, Calendar::FrenchRepublican, Calendar::Hebrew];

    /// The name within the calendar escape: `GREGORIAN`, `JULIAN`, `FRENCH R`, `HEBREW` (ELF Dates *Calendar
    /// escapes*).
    pub const fn name(self) -> &'static str {
        match self {
            Calendar::Gregorian => "GREGORIAN",
            Calendar::Julian => "JULIAN",
            Calendar::FrenchRepublican => "FRENCH R",
            Calendar::Hebrew => "HEBREW",
        }
    }

    /// The calendar whose escape holds exactly this name; capitals and blanks count.
    pub fn named(name: &str) -> Option<Calendar> {
        Calendar::ALL.into_iter().find(|calendar| calendar.name() == name)
    }

    /// The names of the months, in the order of the year.
    pub const fn months(self) -> &'static [&'static str] {
        match self {
            Calendar::Gregorian | Calendar::Julian => &roman::MONTHS,
            Calendar::FrenchRepublican => &french::MONTHS,
            Calendar::Hebrew => &hebrew::MONTHS,
        }
    }

    /// The place of a month in [`Calendar::months`], from 1.
    #[inline]
    pub fn month(self, name: &str) -> Option<u8> {
        match self {
            Calendar::Gregorian | Calendar::Julian => roman::month(name),
            Calendar::FrenchRepublican | Calendar::Hebrew => {
                let at = self.months().iter().position(|month| *month == name)?;
                u8::try_from(at + 1).ok()
            }
        }
    }

    /// The epoch name that counts forwards and is left out when written; none in the French Republican
    /// calendar.
    pub const fn default_epoch(self) -> Option<&'static str> {
        match self {
            Calendar::Gregorian | Calendar::Julian => Some("A.D."),
            Calendar::FrenchRepublican => None,
            Calendar::Hebrew => Some("A.M."),
        }
    }

    /// The epoch name that counts backwards, where there is one.
    pub const fn reverse_epoch(self) -> Option<&'static str> {
        match self {
            Calendar::Gregorian | Calendar::Julian => Some("B.C."),
            Calendar::FrenchRepublican | Calendar::Hebrew => None,
        }
    }

    /// The number of days of a month, from 1 as in [`Calendar::months`]; `None` where the year has no such
    /// month, and of the complementary days of French years after 18, whose leap years were never decided.
    pub fn days_in_month(self, year: i64, month: u8) -> Option<u8> {
        self.days_in_month_of(&Integer::from(year), month)
    }

    /// Returns the number of days of a month like [`days_in_month`](Calendar::days_in_month), for a year of
    /// any length, counted through.
    #[inline]
    pub(crate) fn days_in_month_of(self, year: &Integer<'_>, month: u8) -> Option<u8> {
        match self {
            Calendar::Gregorian => roman::days_in_month(|| roman::is_gregorian_leap(year), month),
            Calendar::Julian => roman::days_in_month(|| roman::is_julian_leap(year), month),
            Calendar::FrenchRepublican => french::days_in_month(year, month),
            Calendar::Hebrew => hebrew::days_in_month(year, month),
        }
    }

    /// The Julian day number of a day; `None` where the calendar has no such day, where it is not known, or
    /// where the year is more than 10¹² away.
    pub fn day_number(self, day: CalendarDay) -> Option<i64> {
        let length = self.days_in_month(day.year, day.month)?;
        let known = YEARS.contains(&day.year) && (1..=length).contains(&day.day);
        if !known {
            return None;
        }
        match self {
            Calendar::Gregorian => Some(roman::gregorian_number(day)),
            Calendar::Julian => Some(roman::julian_number(day)),
            Calendar::FrenchRepublican => french::number(day),
            Calendar::Hebrew => hebrew::number(day),
        }
    }

    /// The day with that Julian day number; `None` where the calendar does not reach it, or it is more than
    /// 10¹² years away.
    pub fn day(self, number: i64) -> Option<CalendarDay> {
        if !DAYS.contains(&number) {
            return None;
        }
        match self {
            Calendar::Gregorian => Some(roman::gregorian_day(number)),
            Calendar::Julian => Some(roman::julian_day(number)),
            Calendar::FrenchRepublican => french::day(number),
            Calendar::Hebrew => hebrew::day(number),
        }
    }

    /// The first and the last month of a year, from 1 as in [`Calendar::months`].
    pub(crate) const fn month_range(self) -> (u8, u8) {
        match self {
            Calendar::Gregorian | Calendar::Julian => (1, 12),
            Calendar::FrenchRepublican | Calendar::Hebrew => (1, 13),
        }
    }
}

impl fmt::Display for Calendar {
    /// Writes the name within the calendar escape.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
