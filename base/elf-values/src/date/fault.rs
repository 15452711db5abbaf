//! Reasons why a date does not exist in its calendar (ELF Dates *Calendar definitions*).

use super::single::{Date, find_epoch};
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
        /// The last day of the month.
        last: u8,
    },
}

impl Date<'_> {
    /// Returns the reason why the date does not exist in the calendar of its escape, or in the Gregorian calendar if
    /// it has no escape. `None` for valid dates and for unknown calendars.
    pub fn fault(&self) -> Option<Fault> {
        find_fault(self.named_calendar()?, self)
    }

    /// Returns the reason why the date does not exist by GEDCOM 5.5.1. There, the Gregorian calendar has dual years,
    /// and a dual year without an escape may also be Julian.
    pub(crate) fn gedcom_fault(&self) -> Option<Fault> {
        match self.fault()? {
            Fault::DualYear | Fault::DualYearApart => {
                find_fault_of_day(self.named_calendar()?, self, &self.year())
            }
            fault => Some(fault),
        }
    }

    /// Returns the reason why the two years of the date are not a dual year of GEDCOM 5.5.1. There, the second year is
    /// the next year, in two digits. `None` for other dates.
    pub(crate) fn dual_fault(&self) -> Option<Fault> {
        let year = self.year();
        let calendar = self.named_calendar().filter(|_| year.is_dual())?;
        match calendar {
            Calendar::Gregorian => {
                let (_, second) = self.written_year().split_once('/')?;
                let is_next = second.len() == 2 && year.is_followed_by_next(self.counts_backwards(calendar));
                (!is_next).then_some(Fault::DualYearNext)
            }
            Calendar::Julian => (!year.is_one_apart()).then_some(Fault::DualYearApart),
            Calendar::FrenchRepublican => Some(Fault::DualYear),
            Calendar::Hebrew => None,
        }
    }

    /// Returns whether the date has two different years, no escape, and a month and a day that the Julian calendar has.
    ///
    /// GEDCOM and many people write years that began in March this way. By ELF Dates, the calendar of such a date is
    /// unknown (*Calendar escapes*).
    pub(crate) fn has_two_years_without_escape(&self) -> bool {
        let year = self.year();
        self.escape().is_none()
            && year.is_dual()
            && year.historical() != year.logical()
            && matches!(find_fault(Calendar::Julian, self), None | Some(Fault::DualYearApart))
            && find_fault_of_day(Calendar::Julian, self, &year).is_none()
    }

    /// Returns whether the date does not exist in the calendar of its escape.
    ///
    /// Always false for a date without an escape: if the Gregorian calendar does not have it, ELF Dates puts it into an
    /// unknown calendar (*Calendar escapes*).
    pub fn is_known_ill_formed(&self) -> bool {
        self.escape().is_some() && self.fault().is_some()
    }

    /// Returns the calendar that gives this date its days: the named calendar, if the date exists in it.
    pub(super) fn calendar_of_days(&self) -> Option<Calendar> {
        self.named_calendar().filter(|calendar| find_fault(*calendar, self).is_none())
    }
}

fn find_fault(calendar: Calendar, date: &Date<'_>) -> Option<Fault> {
    let epoch_is_known = date.epoch().is_none_or(|epoch| find_epoch(calendar, epoch).is_some());
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
        // The Hebrew calendar allows dual years, although they are not recommended.
        Calendar::Hebrew => None,
    };
    dual.or_else(|| find_fault_of_day(calendar, date, &year))
}

/// Returns why the month or the day does not exist in `year` of `calendar`.
#[inline(always)]
fn find_fault_of_day(calendar: Calendar, date: &Date<'_>, year: &Year<'_>) -> Option<Fault> {
    let Some(month) = calendar.month(date.month()?) else { return Some(Fault::Month) };
    let counted;
    let year = if date.counts_backwards(calendar) {
        counted = continuous_year(calendar, date, year);
        &counted
    } else {
        year.logical()
    };
    let last = match (calendar, calendar.days_in_month_of(year, month)) {
        (_, Some(last)) => last,
        // Nobody decided which French years after 18 have a sixth complementary day, so allow it in all of them.
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

/// Returns the logical year numbered without a gap between epochs: 0 is 1 B.C.
pub(super) fn continuous_year<'t>(calendar: Calendar, date: &Date<'t>, year: &Year<'t>) -> Integer<'t> {
    let logical = year.logical();
    if date.counts_backwards(calendar) { logical.negated().plus(1) } else { logical.clone() }
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
