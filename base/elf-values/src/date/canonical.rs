//! The canonical spelling of dates, and their equality.

use super::fault::Fault;
use super::single::{CalendarName, Date};
use crate::calendar::Calendar;
use std::fmt;

impl PartialEq for Date<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.calendar() == other.calendar()
            && self.day() == other.day()
            && self.month() == other.month()
            && self.year() == other.year()
            && self.fault() == other.fault()
            && self.significant_epoch() == other.significant_epoch()
    }
}

impl Eq for Date<'_> {}

impl<'t> Date<'t> {
    fn significant_epoch(&self) -> Option<&'t str> {
        let name = self.epoch_name()?;
        let default = match self.calendar() {
            CalendarName::Known(calendar) => calendar.default_epoch(),
            CalendarName::Unfamiliar(_) | CalendarName::Unknown => None,
        };
        Some(name).filter(|name| Some(*name) != default)
    }
}

impl fmt::Display for Date<'_> {
    /// Writes the canonical spelling: one blank between parts, no leading zeros, no default escape and no default epoch
    /// (ELF Dates *Generic date syntax* and the calendars).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let implied = self.calendar_of_days() == Some(Calendar::Gregorian);
        if let Some(name) = self.escape().filter(|_| !implied) {
            write!(f, "@#D{name}@ ")?;
        }
        if let Some(day) = self.day() {
            write!(f, "{day} ")?;
        }
        if let Some(month) = self.month() {
            write!(f, "{month} ")?;
        }
        // Write both years of `1649/1649` if the calendar forbids dual years: with one year, it would be a different
        // date.
        match self.fault() {
            Some(Fault::DualYear | Fault::DualYearApart) => write!(f, "{}", self.year())?,
            _ => write!(f, "{}", self.year().without_equal_logical_year())?,
        }
        match self.significant_epoch() {
            Some(name) => write!(f, " {name}"),
            None => Ok(()),
        }
    }
}
