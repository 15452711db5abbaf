//! One date in the generic syntax (ELF Dates *Generic date syntax*).
//!
//! ```text
//! Date   ::= (CalEsc S)? ((Day S)? Month S)? Year (S? Epoch)?
//! CalEsc ::= "@#D" [A-Z] [A-Z ]* "@"
//! Day    ::= [0-9]+
//! Month  ::= [A-Z] [A-Z0-9] [A-Z0-9]+
//! Epoch  ::= [A-Z] ( [A-Z] | [A-Z0-9._]* [._] [A-Z0-9._]* ) | "$" [^ #x9#xA#xD]+
//! ```
//!
//! Reserved words are neither months nor epochs: by the letter of the productions `BET 1900` would be the
//! year 1900 in a month called `BET`.

use super::fault::{Fault, judge, judge_day};
use super::year::Year;
use crate::Integer;
use crate::calendar::Calendar;
use crate::problem::Malformed;
use crate::scan::{Cursor, is_space, owned, span};
use elf_base::Span;
use std::borrow::Cow;
use std::fmt;

/// Words that no calendar may use for a month (ELF Dates *Months*).
const RESERVED_MONTHS: [&str; 18] = [
    "ABT", "AFT", "AND", "BCE", "BEF", "BET", "CAL", "EST", "EVERY", "FOR", "FROM", "INT", "POS", "REP",
    "TIME", "UNCERT", "UNK", "ZONE",
];

/// Words that no calendar may use for an epoch (ELF Dates *Epochs*).
const RESERVED_EPOCHS: [&str; 2] = ["TO", "AT"];

/// A date, perhaps without day or month, in any calendar.
///
/// Two dates are equal if their parts are, whatever their spelling: leading zeros, blanks, `BC` or `B.C.`, an
/// escape or an epoch name that says what holds without it.
#[derive(Clone, Debug)]
pub struct Date<'t> {
    pub(super) span: Span,
    pub(super) escape: Option<Cow<'t, str>>,
    pub(super) day: Option<Integer<'t>>,
    pub(super) month: Option<Cow<'t, str>>,
    pub(super) year: Year<'t>,
    pub(super) epoch: Option<Cow<'t, str>>,
    /// The calendar, if it is one that ELF Dates defines.
    calendar: Option<Calendar>,
    fault: Option<Fault>,
}

/// The calendar that a date is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CalendarName<'t> {
    /// A calendar that ELF Dates defines.
    Known(Calendar),
    /// Another calendar that the escape names; any date in it is taken as well-formed.
    Unfamiliar(&'t str),
    /// `@#DUNKNOWN@`, or no escape on a date that the Gregorian calendar does not have. No two such dates are
    /// assumed to be in one calendar.
    Unknown,
}

impl<'t> Date<'t> {
    /// Reads a date where the cursor stands and leaves the cursor behind it.
    pub(super) fn read(text: &'t str, cursor: &mut Cursor<'t>) -> Result<Date<'t>, Malformed> {
        let start = cursor.at();
        let escape = read_escape(text, cursor)?;
        let (day, month) = read_day_and_month(cursor);
        if month.is_none() && ends_in_month(*cursor) {
            return Err(Malformed::new(text, span(text.len(), text.len()), "a year behind the month"));
        }
        let Some(year) = Year::read(cursor) else {
            let expected = match (&day, month) {
                (_, Some(_)) => "a year",
                _ => "a date",
            };
            return Err(expected_word(text, cursor, expected));
        };
        let epoch = read_epoch(cursor);
        let mut date = Date {
            span: cursor.since(start),
            escape: escape.map(Cow::Borrowed),
            day,
            month: month.map(Cow::Borrowed),
            year,
            epoch: epoch.map(Cow::Borrowed),
            calendar: None,
            fault: None,
        };
        date.settle();
        Ok(date)
    }

    /// Finds out the calendar, and what is wrong with the date in it (ELF Dates *Calendar escapes*).
    fn settle(&mut self) {
        let calendar = match self.escape() {
            None => Some(Calendar::Gregorian),
            Some(name) => Calendar::named(name),
        };
        let fault = calendar.and_then(|calendar| judge(calendar, self));
        self.calendar = calendar.filter(|_| fault.is_none() || self.escape.is_some());
        self.fault = fault;
    }

    /// Makes the date own its text.
    pub fn into_owned(self) -> Date<'static> {
        Date {
            span: self.span,
            escape: self.escape.map(owned),
            day: self.day.map(Integer::into_owned),
            month: self.month.map(owned),
            year: self.year.into_owned(),
            epoch: self.epoch.map(owned),
            calendar: self.calendar,
            fault: self.fault,
        }
    }

    /// The octets of the payload that the date takes, its calendar escape included.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The name in the calendar escape, such as `JULIAN`, if there is one.
    pub fn escape(&self) -> Option<&str> {
        self.escape.as_deref()
    }

    /// The calendar that the date is in.
    pub fn calendar(&self) -> CalendarName<'_> {
        match (self.calendar, self.escape()) {
            (Some(calendar), _) => CalendarName::Known(calendar),
            (None, Some("UNKNOWN") | None) => CalendarName::Unknown,
            (None, Some(name)) => CalendarName::Unfamiliar(name),
        }
    }

    /// The day of the month, as it is written.
    pub const fn day(&self) -> Option<&Integer<'t>> {
        self.day.as_ref()
    }

    /// The name of the month.
    pub fn month(&self) -> Option<&str> {
        self.month.as_deref()
    }

    /// The year.
    pub const fn year(&self) -> &Year<'t> {
        &self.year
    }

    /// The epoch name as it is written, such as `BC`, if there is one.
    pub fn epoch(&self) -> Option<&str> {
        self.epoch.as_deref()
    }

    /// The epoch name with its full stops where the calendar has such a one: `B.C.` for `BC` (ELF Dates
    /// *Epochs*).
    ///
    /// Other names of two letters stay as they are. The standard would have `IF` written `I.F.`, but real
    /// files have such codes of temples behind dates.
    pub fn epoch_name(&self) -> Option<&str> {
        let written = self.epoch()?;
        let calendar = match self.escape() {
            None => Calendar::Gregorian,
            Some(name) => match Calendar::named(name) {
                Some(calendar) => calendar,
                None => return Some(written),
            },
        };
        Some(known_epoch(calendar, written).unwrap_or(written))
    }

    /// The reason why the date is not well-formed in the calendar of its escape, or in the Gregorian calendar
    /// where there is no escape. `None` for all dates of calendars that are not known.
    pub const fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// The reason why `calendar` has no such month or day in that year, whatever calendar the date is in.
    pub(crate) fn day_fault_in(&self, calendar: Calendar) -> Option<Fault> {
        judge_day(calendar, self)
    }

    /// Tells if the date is not well-formed in the calendar that it names. A date without escape always is:
    /// what the Gregorian calendar does not have is in a calendar unknown (ELF Dates *Calendar escapes*).
    pub const fn is_known_ill_formed(&self) -> bool {
        self.escape.is_some() && self.fault.is_some()
    }

    /// The calendar that counts the days of this date: the known one in which it is well-formed.
    pub(super) fn counted_in(&self) -> Option<Calendar> {
        self.calendar.filter(|_| self.fault.is_none())
    }

    /// Tells if years are counted backwards.
    pub(super) fn is_reversed(&self, calendar: Calendar) -> bool {
        self.epoch()
            .and_then(|epoch| known_epoch(calendar, epoch))
            .is_some_and(|epoch| Some(epoch) == calendar.reverse_epoch())
    }
}

/// The calendar's own epoch name that `written` is, with or without full stops.
pub(super) fn known_epoch(calendar: Calendar, written: &str) -> Option<&'static str> {
    [calendar.default_epoch(), calendar.reverse_epoch()].into_iter().flatten().find(|name| {
        *name == written || written.len() == 2 && name.chars().filter(|c| *c != '.').eq(written.chars())
    })
}

/// `CalEsc S`, if an escape comes.
fn read_escape<'t>(text: &'t str, cursor: &mut Cursor<'t>) -> Result<Option<&'t str>, Malformed> {
    let mut ahead = *cursor;
    if !ahead.literal("@#D") {
        return Ok(None);
    }
    let name = ahead.take_while(|c| c.is_ascii_uppercase() || c == ' ');
    let well_named = name.starts_with(|c: char| c.is_ascii_uppercase());
    if !well_named || !ahead.literal("@") {
        return Err(expected_word(text, cursor, "a calendar escape such as `@#DJULIAN@`"));
    }
    if !ahead.space() {
        return Err(expected_word(text, &ahead, "a blank after the calendar escape"));
    }
    *cursor = ahead;
    Ok(Some(name))
}

/// `((Day S)? Month S)?`; digits that no month follows are left for the year.
fn read_day_and_month<'t>(cursor: &mut Cursor<'t>) -> (Option<Integer<'t>>, Option<&'t str>) {
    let mut ahead = *cursor;
    let day = ahead.digits();
    if day.is_some() && !ahead.space() {
        return (None, None);
    }
    let month = ahead.word();
    if !is_month(month) || !ahead.space() {
        return (None, None);
    }
    *cursor = ahead;
    (day.map(|digits| Integer::from_digits(digits, false)), Some(month))
}

/// Tells if nothing but a month that a calendar has, perhaps with a day, is left: a date without its year.
fn ends_in_month(mut cursor: Cursor<'_>) -> bool {
    if cursor.digits().is_some() && !cursor.space() {
        return false;
    }
    let word = cursor.word();
    cursor.is_done() && Calendar::ALL.into_iter().any(|calendar| calendar.month(word).is_some())
}

/// Tells if a word is in the production `Month` and not reserved.
fn is_month(word: &str) -> bool {
    word.len() >= 3
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.bytes().all(|octet| octet.is_ascii_uppercase() || octet.is_ascii_digit())
        && !RESERVED_MONTHS.contains(&word)
}

/// `(S? Epoch)?`
fn read_epoch<'t>(cursor: &mut Cursor<'t>) -> Option<&'t str> {
    let mut ahead = *cursor;
    ahead.space();
    let word = ahead.word();
    if !is_epoch(word) {
        return None;
    }
    *cursor = ahead;
    Some(word)
}

/// Tells if a word is in the production `Epoch` and not reserved.
fn is_epoch(word: &str) -> bool {
    if let Some(rest) = word.strip_prefix('$') {
        return !rest.is_empty();
    }
    let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '.' | '_');
    let Some(rest) = word.strip_prefix(|c: char| c.is_ascii_uppercase()) else { return false };
    let two_letters = rest.len() == 1 && rest.bytes().all(|octet| octet.is_ascii_uppercase());
    let initials = rest.contains(['.', '_']) && rest.chars().all(fits);
    (two_letters || initials) && !RESERVED_EPOCHS.contains(&word)
}

/// The fault that the next word is not what was expected.
pub(super) fn expected_word(text: &str, cursor: &Cursor<'_>, expected: &'static str) -> Malformed {
    let mut ahead = *cursor;
    let start = ahead.at();
    let word = ahead.word();
    if word.is_empty() && !ahead.is_done() {
        ahead.take_while(is_space);
    }
    Malformed::new(text, ahead.since(start), expected)
}

impl PartialEq for Date<'_> {
    fn eq(&self, other: &Self) -> bool {
        fn epoch<'d>(date: &'d Date<'_>) -> Option<&'d str> {
            let default = date.calendar.and_then(Calendar::default_epoch);
            date.epoch_name().filter(|name| Some(*name) != default)
        }
        self.calendar() == other.calendar()
            && self.day == other.day
            && self.month == other.month
            && self.year == other.year
            && epoch(self) == epoch(other)
    }
}

impl Eq for Date<'_> {}

impl fmt::Display for Date<'_> {
    /// Writes the canonical spelling: one blank between parts, no leading zeros, no escape and no epoch name
    /// that would say what holds without them (ELF Dates *Generic date syntax* and the calendars).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let implied = self.counted_in() == Some(Calendar::Gregorian);
        if let Some(name) = self.escape().filter(|_| !implied) {
            write!(f, "@#D{name}@ ")?;
        }
        if let Some(day) = &self.day {
            write!(f, "{day} ")?;
        }
        if let Some(month) = self.month() {
            write!(f, "{month} ")?;
        }
        write!(f, "{}", self.year)?;
        let default = self.calendar.and_then(Calendar::default_epoch);
        match self.epoch_name() {
            Some(name) if Some(name) != default => write!(f, " {name}"),
            _ => Ok(()),
        }
    }
}
