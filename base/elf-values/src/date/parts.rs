//! Builds dates from their parts. Every date that is built is valid.

use super::value::DateValue;
use super::year::Year;
use crate::Integer;
use crate::problem::Malformed;
use crate::scan::span;
use std::fmt::Write as _;

/// The parts of a date to be written.
///
/// ```
/// use elf_values::{DateParts, Integer};
///
/// let parts = DateParts { day: Some(30), month: Some("JAN"), calendar: Some("JULIAN"), ..DateParts::year(1648) };
/// let parts = DateParts { logical: Some(Integer::from(1649)), ..parts };
/// assert_eq!(parts.spell()?, "@#DJULIAN@ 30 JAN 1648/49");
/// assert!(DateParts { day: Some(30), month: Some("FEB"), ..DateParts::year(1900) }.spell().is_err());
/// # Ok::<(), elf_values::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateParts<'t> {
    /// The name in the calendar escape, such as `JULIAN`; `None` for the Gregorian calendar.
    pub calendar: Option<&'t str>,
    /// The day of the month, from 1.
    pub day: Option<u8>,
    /// The name of the month in that calendar, such as `JAN`.
    pub month: Option<&'t str>,
    /// The year. If `logical` is set, this is the historical year.
    pub historical: Integer<'t>,
    /// The logical year, if it differs from the historical one.
    pub logical: Option<Integer<'t>>,
    /// The epoch, such as `B.C.`; `None` for the default epoch.
    pub epoch: Option<&'t str>,
}

impl<'t> DateParts<'t> {
    /// Creates a year of the Gregorian calendar, to which you can add other parts.
    pub fn year(year: i64) -> DateParts<'t> {
        DateParts {
            calendar: None,
            day: None,
            month: None,
            historical: Integer::from(year),
            logical: None,
            epoch: None,
        }
    }

    /// Returns the canonical spelling.
    ///
    /// # Errors
    ///
    /// Returns [`Malformed`] if the date does not match the grammar (a month `Aug`), if it does not exist in its
    /// calendar, or if it names the calendar `UNKNOWN`. Applications must not generate such dates (ELF Dates *Calendar
    /// escapes*).
    pub fn spell(&self) -> Result<String, Malformed> {
        let mut text = String::new();
        let logical = self.logical.clone().unwrap_or_else(|| self.historical.clone());
        let year = Year::new(self.historical.clone(), logical);
        // Writing to a string cannot fail.
        if let Some(calendar) = self.calendar {
            let _ = write!(text, "@#D{calendar}@ ");
        }
        if let Some(day) = self.day {
            let _ = write!(text, "{day} ");
        }
        if let Some(month) = self.month {
            let _ = write!(text, "{month} ");
        }
        let _ = write!(text, "{year}");
        if let Some(epoch) = self.epoch {
            let _ = write!(text, " {epoch}");
        }
        let value = DateValue::parse(&text)?;
        let refused = self.calendar == Some("UNKNOWN")
            || value.is_period()
            || value.first().is_none_or(|date| date.fault().is_some());
        if refused {
            return Err(Malformed::new(&text, span(0, text.len()), "a date that exists in the calendar"));
        }
        Ok(value.to_string())
    }
}
