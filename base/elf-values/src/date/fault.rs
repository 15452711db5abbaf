//! Reasons why a date is not well-formed in its calendar (ELF Dates *Calendar definitions*).

use super::single::{Date, known_epoch};
use super::year::Year;
use crate::Integer;
use crate::calendar::Calendar;
use std::fmt;

/// The reason why a date does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// The calendar does not have this epoch.
    Epoch,
    /// The logical year is not greater than 0.
    Year,
    /// The calendar does not use dual years (Gregorian, French Republican).
    DualYear,
    /// The second year of a dual year does not follow the first (Julian).
    DualYearApart,
    /// The second year of a dual year is not the next year in two digits (Gregorian, under GEDCOM 5.5.1).
    DualYearNext,
    /// The calendar does not have this month.
    Month,
    /// The year does not have this month: `ADS` in a common Hebrew year.
    MonthInYear,
    /// The day is 0.
    DayZero,
    /// The month does not have this day.
    Day {
        /// The last day of that month in that year.
        last: u8,
    },
}

impl Date<'_> {
    /// Returns the reason why the date does not exist in the calendar of its escape, or in the Gregorian calendar if
    /// it has no escape. `None` for valid dates and for unknown calendars.
    pub fn fault(&self) -> Option<Fault> {
        find_fault(self.named_calendar()?, self)
    }

    /// The reason why the date is not well-formed by GEDCOM, whose Gregorian calendar has dual years; one of
    /// two years and without an escape may be of the Julian calendar too.
    pub(crate) fn fault_beside_dual(&self) -> Option<Fault> {
        match self.fault()? {
            Fault::DualYear | Fault::DualYearApart => {
                find_fault_of_day(self.named_calendar()?, self, &self.year())
            }
            fault => Some(fault),
        }
    }

    /// The reason why the two years of the date are no dual year: by GEDCOM 5.5.1 the Gregorian calendar has them too,
    /// and the second is the next year, in two digits. `None` for other dates.
    pub(crate) fn dual_fault(&self) -> Option<Fault> {
        let year = self.year();
        let calendar = self.named_calendar().filter(|_| year.is_dual())?;
        match calendar {
            Calendar::Gregorian => {
                let (_, second) = self.written_year().split_once('/')?;
                let is_next = second.len() == 2 && year.is_followed(self.is_reversed(calendar));
                (!is_next).then_some(Fault::DualYearNext)
            }
            Calendar::Julian => (!year.is_one_apart()).then_some(Fault::DualYearApart),
            Calendar::FrenchRepublican => Some(Fault::DualYear),
            Calendar::Hebrew => None,
        }
    }

    /// Returns whether the date has two different years and no escape, and a month and a day that the Julian
    /// calendar has: so GEDCOM writes years that began in March, and people that it was one year or the
    /// other. By ELF Dates its calendar is unknown (*Calendar escapes*).
    pub(crate) fn is_of_two_years(&self) -> bool {
        let year = self.year();
        self.escape().is_none()
            && year.is_dual()
            && year.historical() != year.logical()
            && matches!(find_fault(Calendar::Julian, self), None | Some(Fault::DualYearApart))
            && find_fault_of_day(Calendar::Julian, self, &year).is_none()
    }

    /// Returns whether the date does not exist in the calendar of its escape. False for dates without an escape: a
    /// date that the Gregorian calendar does not have is then in an unknown calendar (ELF Dates *Calendar escapes*).
    pub fn is_known_ill_formed(&self) -> bool {
        self.escape().is_some() && self.fault().is_some()
    }

    /// The calendar that counts the days of this date: the known one in which it is well-formed.
    pub(super) fn counted_in(&self) -> Option<Calendar> {
        self.named_calendar().filter(|calendar| find_fault(*calendar, self).is_none())
    }
}

/// Returns the first reason why `date` is not well-formed in `calendar`.
fn find_fault(calendar: Calendar, date: &Date<'_>) -> Option<Fault> {
    let epoch_is_known = date.epoch().is_none_or(|epoch| known_epoch(calendar, epoch).is_some());
    if !epoch_is_known {
        return Some(Fault::Epoch);
    }
    let year = date.year();
    if !year.logical().is_positive() {
        return Some(Fault::Year);
    }
    let dual = match calendar {
        Calendar::Gregorian | Calendar::FrenchRepublican => year.is_dual().then_some(Fault::DualYear),
        Calendar::Julian => (year.is_dual() && !year.is_one_apart()).then_some(Fault::DualYearApart),
        // Not recommended, but allowed.
        Calendar::Hebrew => None,
    };
    dual.or_else(|| find_fault_of_day(calendar, date, &year))
}

/// Returns why `calendar` has no such month or day in the year of `date`, which is `year`.
#[inline(always)]
fn find_fault_of_day(calendar: Calendar, date: &Date<'_>, year: &Year<'_>) -> Option<Fault> {
    let Some(month) = calendar.month(date.month()?) else { return Some(Fault::Month) };
    let counted;
    let year = if date.is_reversed(calendar) {
        counted = continuous_year(calendar, date, year);
        &counted
    } else {
        year.logical()
    };
    let last = match (calendar, calendar.days_in_month_of(year, month)) {
        (_, Some(last)) => last,
        // It is not known which French years after 18 have a sixth complementary day.
        (Calendar::FrenchRepublican, None) => 6,
        (Calendar::Gregorian | Calendar::Julian | Calendar::Hebrew, None) => return Some(Fault::MonthInYear),
    };
    let day = date.day()?.to_i64();
    match day {
        Some(0) => Some(Fault::DayZero),
        Some(day) if day <= i64::from(last) => None,
        Some(_) | None => Some(Fault::Day { last }),
    }
}

/// Returns the logical year as a number without a gap between the epochs: 0 is 1 B.C.
pub(super) fn continuous_year<'t>(calendar: Calendar, date: &Date<'t>, year: &Year<'t>) -> Integer<'t> {
    let logical = year.logical();
    if date.is_reversed(calendar) { logical.negated().plus(1) } else { logical.clone() }
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Epoch => f.write_str("the calendar does not have this epoch"),
            Fault::Year => f.write_str("years start at 1"),
            Fault::DualYear => f.write_str("this calendar does not use dual years"),
            Fault::DualYearApart => f.write_str("the second year of a dual year must follow the first"),
            Fault::DualYearNext => f.write_str("the second year must be the next year, in two digits"),
            Fault::Month => f.write_str("the calendar does not have this month"),
            Fault::MonthInYear => f.write_str("that year does not have this month"),
            Fault::DayZero => f.write_str("days start at 1"),
            Fault::Day { last } => write!(f, "that month has {last} days"),
        }
    }
}
