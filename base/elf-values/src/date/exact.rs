//! Exact dates of the Gregorian calendar: `elf:DateExact`.
//!
//! ```text
//! GregDate ::= GregDay S GregMonth S GregYear
//! GregDay  ::= [0-9] [0-9]?
//! GregYear ::= [0-9] [0-9] [0-9] [0-9]
//! ```
//!
//! The draft lists `ARP` instead of `APR`, which is a misprint: no day of April could be written. This module reads
//! `APR`.

use super::single::unexpected_word;
use crate::calendar::{Calendar, CalendarDay};
use crate::problem::Malformed;
use crate::scan::Cursor;
use std::fmt;

/// A payload of the datatype `elf:DateExact`: a day of the Gregorian calendar, such as that of a change.
///
/// ```
/// use elf_values::DateExact;
///
/// let day = DateExact::parse("24 DEC 2018")?;
/// assert_eq!(day.number(), 2_458_477);
/// assert!(DateExact::parse("29 FEB 2019").is_err());
/// # Ok::<(), elf_values::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateExact {
    number: i64,
}

impl DateExact {
    /// Parses a payload.
    ///
    /// # Errors
    ///
    /// Returns [`Malformed`] with the first place that does not match the production `GregDate`, or with a day that
    /// does not exist. The datatype can represent every day of the Gregorian calendar from year 1 to year 9999.
    pub fn parse(text: &str) -> Result<DateExact, Malformed> {
        DateExact::from_calendar_day(DateExact::parse_any_day(text)?).ok_or_else(|| {
            let whole = crate::scan::span(0, text.len());
            Malformed::new(text, whole, "a day of the Gregorian calendar")
        })
    }

    fn from_calendar_day(day: CalendarDay) -> Option<DateExact> {
        let number = Calendar::Gregorian.day_number(day).filter(|_| day.year > 0)?;
        Some(DateExact { number })
    }

    /// Returns whether a text matches the production `GregDate`, but the day does not exist.
    pub(crate) fn is_nonexistent_day(text: &str) -> bool {
        DateExact::parse_any_day(text).is_ok_and(|day| DateExact::from_calendar_day(day).is_none())
    }

    /// Reads the production `GregDate`. The day may not exist in the calendar.
    fn parse_any_day(text: &str) -> Result<CalendarDay, Malformed> {
        let mut cursor = Cursor::new(text);
        let start = cursor;
        let digits = cursor.read_digits().filter(|digits| digits.len() <= 2);
        let Some(day) = digits.and_then(|digits| digits.parse().ok()) else {
            return Err(unexpected_word(&start, "a day of one or two digits"));
        };
        read_space(&mut cursor)?;
        let Some(month) = Calendar::Gregorian.month(cursor.peek_word()) else {
            return Err(unexpected_word(&cursor, "a month such as `JAN`"));
        };
        cursor.read_word();
        read_space(&mut cursor)?;
        let start_of_year = cursor;
        let Some(year) = cursor.read_digits().filter(|digits| digits.len() == 4) else {
            return Err(unexpected_word(&start_of_year, "a year of four digits"));
        };
        if !cursor.is_done() {
            cursor.skip_space();
            let rest = crate::scan::span(cursor.position() as usize, text.len());
            return Err(Malformed::new(text, rest, "nothing after the year"));
        }
        Ok(CalendarDay { year: year.parse().unwrap_or_default(), month, day })
    }

    /// Returns the Julian day number.
    pub const fn number(self) -> i64 {
        self.number
    }

    /// Returns day, month and year.
    pub fn day(self) -> Option<CalendarDay> {
        Calendar::Gregorian.day(self.number)
    }

    /// Returns the next day, for example to replace `24:00:00` by `00:00:00` of that day (ELF Dates *The elf:Time
    /// datatype*). `None` after the last day of year 9999.
    pub fn next(self) -> Option<DateExact> {
        let next = DateExact { number: self.number + 1 };
        next.day().filter(|day| day.year <= 9_999).map(|_| next)
    }
}

fn read_space(cursor: &mut Cursor<'_>) -> Result<(), Malformed> {
    if cursor.skip_space() { Ok(()) } else { Err(unexpected_word(cursor, "a blank")) }
}

impl fmt::Display for DateExact {
    /// Writes the canonical spelling: no leading zero of the day, four digits of the year.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(day) = self.day() else { return Ok(()) };
        // Months are numbered from 1.
        let month = Calendar::Gregorian.months()[usize::from(day.month) - 1];
        write!(f, "{} {month} {:04}", day.day, day.year)
    }
}
