//! Times of day in the datatype `elf:Time` (ELF Dates *The elf:Time datatype*).
//!
//! ```text
//! Time ::=  HH ":" MM (":" SS)? TZD?
//! HH   ::= [0-9] [0-9]
//! MM   ::= [0-9] [0-9]
//! SS   ::= [0-9] [0-9] ("." [0-9]+)?
//! TZD  ::= "Z" | ("+" | "-") HH ":" MM
//! ```
//!
//! A time zone offset has at most 23 hours, as the pattern of the standard requires. The production of the standard
//! would allow 99.

use crate::problem::Malformed;
use crate::scan::{Cursor, into_owned_text};
use std::borrow::Cow;
use std::fmt;

/// A payload of the datatype `elf:Time`.
///
/// Two times are equal if their hours, minutes and seconds are equal. The time zone designator is kept, but the
/// comparison ignores it.
///
/// ```
/// use elf_values::Time;
///
/// let time = Time::parse("15:30Z")?;
/// assert_eq!(time.to_string(), "15:30:00");
/// assert_eq!((time.hours(), time.minutes(), time.zone()), (15, 30, Some("Z")));
/// assert!(Time::parse("24:00")?.is_end_of_day());
/// assert!(Time::parse("24:30").is_err());
/// # Ok::<(), elf_values::Malformed>(())
/// ```
#[derive(Clone, Debug)]
pub struct Time<'t> {
    hours: u8,
    minutes: u8,
    seconds: Option<u8>,
    fraction: Cow<'t, str>,
    zone: Option<Cow<'t, str>>,
}

impl<'t> Time<'t> {
    /// Parses a payload.
    ///
    /// # Errors
    ///
    /// Returns [`Malformed`] with the first place that does not match the production `Time`, or with a number out of
    /// range. Hours go up to 23, or to 24 if all other numbers are 0. Minutes go up to 59, and seconds to 60, for leap
    /// seconds.
    pub fn parse(text: &'t str) -> Result<Time<'t>, Malformed> {
        let mut cursor = Cursor::new(text);
        let hours = read_two_digits(text, &mut cursor, 24, "hours from 00 to 24")?;
        read_colon(text, &mut cursor)?;
        let minutes = read_two_digits(text, &mut cursor, 59, "minutes from 00 to 59")?;
        let mut time = Time { hours, minutes, seconds: None, fraction: Cow::Borrowed(""), zone: None };
        if cursor.skip_literal(":") {
            time.seconds = Some(read_two_digits(text, &mut cursor, 60, "seconds from 00 to 60")?);
            if cursor.skip_literal(".") {
                let Some(digits) = cursor.read_digits() else {
                    return Err(unexpected_text(text, &cursor, "digits after the decimal point"));
                };
                time.fraction = Cow::Borrowed(digits.trim_end_matches('0'));
            }
        }
        time.zone = read_zone(text, &mut cursor)?.map(Cow::Borrowed);
        if !cursor.is_done() {
            let rest = crate::scan::span(cursor.position() as usize, text.len());
            return Err(Malformed::new(text, rest, "nothing after the time"));
        }
        let after_end = time.hours == 24
            && (time.minutes > 0
                || time.seconds.is_some_and(|seconds| seconds > 0)
                || !time.fraction.is_empty());
        if after_end {
            let whole = crate::scan::span(0, text.len());
            return Err(Malformed::new(text, whole, "a time of day up to 24:00:00"));
        }
        Ok(time)
    }

    /// Creates a time of day. Returns `None` for a time outside 00:00:00 to 23:59:59, because applications must not
    /// create leap seconds or the end of a day.
    pub fn new(hours: u8, minutes: u8, seconds: u8) -> Option<Time<'static>> {
        let is_time = hours < 24 && minutes < 60 && seconds < 60;
        is_time.then_some(Time {
            hours,
            minutes,
            seconds: Some(seconds),
            fraction: Cow::Borrowed(""),
            zone: None,
        })
    }

    /// Copies the text, so that the result borrows nothing.
    pub fn into_owned(self) -> Time<'static> {
        let Time { hours, minutes, seconds, fraction, zone } = self;
        Time { hours, minutes, seconds, fraction: into_owned_text(fraction), zone: zone.map(into_owned_text) }
    }

    /// Returns the hours, from 0 to 24. The value 24 occurs only at the end of a day, `24:00:00`.
    pub const fn hours(&self) -> u8 {
        self.hours
    }

    /// Returns the minutes, from 0 to 59.
    pub const fn minutes(&self) -> u8 {
        self.minutes
    }

    /// Returns the seconds, from 0 to 60. Returns `None` if the seconds are not written, which means 0.
    pub const fn seconds(&self) -> Option<u8> {
        self.seconds
    }

    /// Returns the digits of the fraction of a second, without trailing zeros.
    pub fn fraction(&self) -> &str {
        &self.fraction
    }

    /// Returns the time zone as written: `Z` or an offset such as `+02:00`.
    pub fn zone(&self) -> Option<&str> {
        self.zone.as_deref()
    }

    /// Returns whether this is the end of a day, `24:00:00`, which is the start of the next day. Writers must not
    /// create this time. To replace it by `00:00:00`, a writer must also change the date (see
    /// [`DateExact::next`](crate::DateExact::next)).
    pub const fn is_end_of_day(&self) -> bool {
        self.hours == 24
    }

    /// Returns whether the second is a leap second.
    pub const fn is_leap_second(&self) -> bool {
        matches!(self.seconds, Some(60))
    }
}

/// Reads two digits whose value is at most `most`.
fn read_two_digits(
    text: &str,
    cursor: &mut Cursor<'_>,
    most: u8,
    expected: &'static str,
) -> Result<u8, Malformed> {
    let start = *cursor;
    let digits = cursor.read_digits().filter(|digits| digits.len() == 2);
    let number = digits.and_then(|digits| digits.parse().ok()).filter(|number| *number <= most);
    number.ok_or_else(|| unexpected_text(text, &start, expected))
}

fn read_colon(text: &str, cursor: &mut Cursor<'_>) -> Result<(), Malformed> {
    if cursor.skip_literal(":") { Ok(()) } else { Err(unexpected_text(text, cursor, "a colon and minutes")) }
}

/// Reads the optional time zone designator, `TZD?`.
fn read_zone<'t>(text: &'t str, cursor: &mut Cursor<'t>) -> Result<Option<&'t str>, Malformed> {
    let start = cursor.position();
    if !cursor.skip_literal("Z") {
        if !cursor.skip_literal("+") && !cursor.skip_literal("-") {
            return Ok(None);
        }
        read_two_digits(text, cursor, 23, "hours of a time zone from 00 to 23")?;
        read_colon(text, cursor)?;
        read_two_digits(text, cursor, 59, "minutes of a time zone from 00 to 59")?;
    }
    Ok(Some(cursor.span_from(start).of(cursor.text())))
}

/// Makes the error about the characters before the next colon or blank. If a colon or blank comes first, the error is
/// about the characters after it.
fn unexpected_text(text: &str, cursor: &Cursor<'_>, expected: &'static str) -> Malformed {
    let mut ahead = *cursor;
    let start = ahead.position();
    ahead.read_while(|c| c != ':' && !crate::scan::is_space(c));
    if ahead.position() == start {
        ahead.skip_space();
        ahead.read_word();
    }
    Malformed::new(text, ahead.span_from(start), expected)
}

impl PartialEq for Time<'_> {
    fn eq(&self, other: &Self) -> bool {
        let parts = |time: &Self| (time.hours, time.minutes, time.seconds.unwrap_or(0));
        parts(self) == parts(other) && self.fraction == other.fraction
    }
}

impl Eq for Time<'_> {}

impl fmt::Display for Time<'_> {
    /// Writes the canonical spelling: it has seconds, no trailing zeros of the fraction, and no time zone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}:{:02}", self.hours, self.minutes, self.seconds.unwrap_or(0))?;
        if self.fraction.is_empty() { Ok(()) } else { write!(f, ".{}", self.fraction) }
    }
}
