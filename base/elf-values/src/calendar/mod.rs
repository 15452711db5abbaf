//! The four calendars of ELF Dates *Calendar definitions*: their months, their lengths and their day numbers.
//!
//! A day is counted by its **Julian day number**: the days since 24 November 4714 B.C. of the proleptic
//! Gregorian calendar, which has number 0. A day lasts from midnight to midnight in every calendar, the
//! Hebrew one too (ELF Dates *Time*).
//!
//! Years are numbered without a gap: 1 B.C. is year 0, followed by year 1. All arithmetic uses integers.

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
    /// The Gregorian calendar, extended to the time before its introduction (`@#DGREGORIAN@`, or no escape).
    Gregorian,
    /// The Julian calendar, extended to earlier times (`@#DJULIAN@`).
    Julian,
    /// The French Republican calendar, years 1 to 18 (`@#DFRENCH R@`).
    FrenchRepublican,
    /// The Hebrew calendar (`@#DHEBREW@`).
    Hebrew,
}

/// A day of a calendar: year, month, day of the month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalendarDay {
    /// The year, numbered without a gap between epochs: 0 is 1 B.C. and -43 is 44 B.C.
    pub year: i64,
    /// The index of the month in [`Calendar::months`], from 1. The Hebrew month `ADS` is always 7; it has no days in
    /// common years.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

/// The years whose days have numbers. This range of years is wide enough for any file, and the day numbers fit into 64
/// bits.
const YEARS: std::ops::RangeInclusive<i64> = -1_000_000_000_000..=1_000_000_000_000;

const DAYS: std::ops::RangeInclusive<i64> = -365_000_000_000_000..=365_000_000_000_000;

impl Calendar {
    /// The four calendars, in the order of the standard.
    pub const ALL: [Calendar; 4] =
        [Calendar::Gregorian, Calendar::Julian, Calendar::FrenchRepublican, Calendar::Hebrew];

    /// Returns the name in the calendar escape: `GREGORIAN`, `JULIAN`, `FRENCH R`, `HEBREW` (ELF Dates *Calendar
    /// escapes*).
    pub const fn name(self) -> &'static str {
        match self {
            Calendar::Gregorian => "GREGORIAN",
            Calendar::Julian => "JULIAN",
            Calendar::FrenchRepublican => "FRENCH R",
            Calendar::Hebrew => "HEBREW",
        }
    }

    /// Finds the calendar whose escape has exactly this name.
    pub fn named(name: &str) -> Option<Calendar> {
        Calendar::ALL.into_iter().find(|calendar| calendar.name() == name)
    }

    /// Returns the months as dates spell them, such as `MAR`, in the order of the year.
    pub const fn months(self) -> &'static [&'static str] {
        match self {
            Calendar::Gregorian | Calendar::Julian => &roman::MONTHS,
            Calendar::FrenchRepublican => &french::MONTHS,
            Calendar::Hebrew => &hebrew::MONTHS,
        }
    }

    /// Returns the names of the months, such as `March`, in the order of [`Calendar::months`].
    ///
    /// ```
    /// use elf_values::Calendar;
    ///
    /// assert_eq!(Calendar::Gregorian.month_names()[2], "March");
    /// assert!(Calendar::ALL.iter().all(|calendar| calendar.months().len() == calendar.month_names().len()));
    /// ```
    pub const fn month_names(self) -> &'static [&'static str] {
        match self {
            Calendar::Gregorian | Calendar::Julian => &roman::MONTH_NAMES,
            Calendar::FrenchRepublican => &french::MONTH_NAMES,
            Calendar::Hebrew => &hebrew::MONTH_NAMES,
        }
    }

    /// Returns the index of a month in [`Calendar::months`], from 1.
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

    /// Returns the epoch that counts forwards, which is omitted in canonical spelling. `None` for the French Republican
    /// calendar.
    pub const fn default_epoch(self) -> Option<&'static str> {
        match self {
            Calendar::Gregorian | Calendar::Julian => Some("A.D."),
            Calendar::FrenchRepublican => None,
            Calendar::Hebrew => Some("A.M."),
        }
    }

    /// Returns the epoch that counts backwards, if there is one.
    pub const fn reverse_epoch(self) -> Option<&'static str> {
        match self {
            Calendar::Gregorian | Calendar::Julian => Some("B.C."),
            Calendar::FrenchRepublican | Calendar::Hebrew => None,
        }
    }

    /// Returns the number of days of a month (from 1, as in [`Calendar::months`]).
    ///
    /// `None` if the year does not have the month. Also `None` for the complementary days of French years after 18,
    /// because no law decided which of them are leap years.
    pub fn days_in_month(self, year: i64, month: u8) -> Option<u8> {
        self.days_in_month_of(&Integer::from(year), month)
    }

    /// Returns the number of days of a month like [`days_in_month`](Calendar::days_in_month), for a year of any length.
    #[inline]
    pub(crate) fn days_in_month_of(self, year: &Integer<'_>, month: u8) -> Option<u8> {
        match self {
            Calendar::Gregorian => roman::days_in_month(|| roman::is_gregorian_leap(year), month),
            Calendar::Julian => roman::days_in_month(|| roman::is_julian_leap(year), month),
            Calendar::FrenchRepublican => french::days_in_month(year, month),
            Calendar::Hebrew => hebrew::days_in_month(year, month),
        }
    }

    /// Returns the Julian day number of a day; `None` if the day does not exist, is not known, or is more than 10¹²
    /// years away.
    pub fn day_number(self, day: CalendarDay) -> Option<i64> {
        let length = self.days_in_month(day.year, day.month)?;
        let known = YEARS.contains(&day.year) && (1..=length).contains(&day.day);
        if !known {
            return None;
        }
        match self {
            Calendar::Gregorian => Some(roman::gregorian_number(day)),
            Calendar::Julian => Some(roman::julian_number(day)),
            Calendar::FrenchRepublican => french::day_number(day),
            Calendar::Hebrew => hebrew::day_number(day),
        }
    }

    /// Returns the day with this Julian day number; `None` if it is outside the calendar or more than 10¹² years
    /// away.
    pub fn day(self, number: i64) -> Option<CalendarDay> {
        if !DAYS.contains(&number) {
            return None;
        }
        match self {
            Calendar::Gregorian => Some(roman::gregorian_day(number)),
            Calendar::Julian => Some(roman::julian_day(number)),
            Calendar::FrenchRepublican => french::calendar_day(number),
            Calendar::Hebrew => hebrew::calendar_day(number),
        }
    }

    /// Returns the first and the last month of a year, from 1 as in [`Calendar::months`].
    pub(crate) const fn month_range(self) -> (u8, u8) {
        match self {
            Calendar::Gregorian | Calendar::Julian => (1, 12),
            Calendar::FrenchRepublican | Calendar::Hebrew => (1, 13),
        }
    }
}

impl fmt::Display for Calendar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
