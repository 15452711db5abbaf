//! The productions of GEDCOM 7.0 for dates, ages and times.

use crate::calendar::Calendar;
use crate::datatype::Datatype;
use crate::problem::Malformed;
use crate::scan::{Cursor, span};
use elf_base::Span;

/// Respells a `DateValue` of GEDCOM 7.0 as ELF Dates does. `None` if it is invalid or empty, or if ELF Dates does not
/// have its calendar or epoch.
pub(crate) fn as_elf(payload: &str) -> Option<String> {
    let dates = Dates::read(payload).ok()?;
    let first = dates.first.of_elf(payload)?;
    Some(match (Cursor::new(payload).next_word(), dates.second) {
        ("BET", Some(second)) => format!("BET {first} AND {}", second.of_elf(payload)?),
        ("FROM", Some(second)) => format!("FROM {first} TO {}", second.of_elf(payload)?),
        (keyword @ ("FROM" | "TO" | "AFT" | "BEF" | "ABT" | "CAL" | "EST"), _) => {
            format!("{keyword} {first}")
        }
        _ => first,
    })
}

/// Parses a payload of a datatype. Returns its dates, if it has any.
pub(crate) fn read(payload: &str, datatype: Datatype) -> Read<Option<Dates>> {
    let cursor = Cursor::new(payload);
    match datatype {
        Datatype::DateValue => Dates::read(payload).map(Some),
        Datatype::DatePeriod => match cursor.next_word() {
            "FROM" | "TO" => Dates::read(payload).map(Some),
            _ if payload.is_empty() => Ok(None),
            _ => Err(unexpected(cursor, "`FROM` or `TO`")),
        },
        Datatype::DateExact => {
            let dates = Dates::read(payload)?;
            if dates.first.is_exact(payload) {
                return Ok(Some(dates));
            }
            let whole = span(0, payload.len());
            Err(Malformed::new(payload, whole, "a day, a month and a year such as `5 OCT 1835`"))
        }
        Datatype::Age => read_age(payload).map(|()| None),
        Datatype::Time => read_time(payload).map(|()| None),
        Datatype::PersonalName
        | Datatype::Latitude
        | Datatype::Longitude
        | Datatype::Language
        | Datatype::List
        | Datatype::Integer
        | Datatype::Word(_)
        | Datatype::Gedcom70(_)
        | Datatype::Text => Ok(None),
    }
}

/// The result of a production.
pub(crate) type Read<T> = Result<T, Malformed>;

/// Returns the error for the next word, where something else was expected.
fn unexpected(mut cursor: Cursor<'_>, expected: &'static str) -> Malformed {
    let start = cursor.at();
    if cursor.peek() == Some(b' ') {
        cursor.octet(b' ');
    } else {
        cursor.word();
    }
    Malformed::new(cursor.text(), cursor.since(start), expected)
}

/// The dates of a value.
pub(crate) struct Dates {
    pub(super) first: DatePlaces,
    pub(super) second: Option<DatePlaces>,
    /// True if the first must not be after the second.
    pub(super) is_period: bool,
}

/// The spans of the parts of a date in its payload; the span of a missing part is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DatePlaces {
    pub(super) calendar: Span,
    pub(super) day: Span,
    pub(super) month: Span,
    pub(super) year: Span,
    pub(super) epoch: Span,
}

impl Dates {
    /// `DateValue`; the dates of an empty one are empty.
    fn read(payload: &str) -> Read<Dates> {
        let mut cursor = Cursor::new(payload);
        let keyword = cursor.next_word();
        let (between, is_period) = match keyword {
            "BET" => (Some("AND"), false),
            "FROM" => (Some("TO"), true),
            "TO" | "AFT" | "BEF" | "ABT" | "CAL" | "EST" => (None, false),
            "" if payload.is_empty() => {
                return Ok(Dates { first: DatePlaces::default(), second: None, is_period: false });
            }
            _ => return Dates::of_one(&mut cursor),
        };
        cursor.word();
        read_blank(&mut cursor, "a space and a date")?;
        let first = DatePlaces::read(&mut cursor)?;
        let Some(between) = between.filter(|_| !is_period || !cursor.is_done()) else {
            end(&cursor)?;
            return Ok(Dates { first, second: None, is_period: false });
        };
        let expected = if is_period { "`TO` and a date, or the end" } else { "`AND` and a date" };
        let mut ahead = cursor;
        read_blank(&mut ahead, expected)?;
        if ahead.next_word() != between {
            return Err(unexpected(ahead, expected));
        }
        ahead.word();
        read_blank(&mut ahead, "a space and a date")?;
        let second = DatePlaces::read(&mut ahead)?;
        end(&ahead)?;
        Ok(Dates { first, second: Some(second), is_period })
    }

    fn of_one(cursor: &mut Cursor<'_>) -> Read<Dates> {
        let first = DatePlaces::read(cursor)?;
        end(cursor)?;
        Ok(Dates { first, second: None, is_period: false })
    }
}

impl DatePlaces {
    /// `Date`
    fn read(cursor: &mut Cursor<'_>) -> Read<DatePlaces> {
        let mut date = DatePlaces::default();
        // No month of the calendars of GEDCOM 7.0 is an extension, so an extension at the start is a calendar.
        if matches!(cursor.next_word(), "GREGORIAN" | "JULIAN" | "FRENCH_R" | "HEBREW")
            || cursor.next_word().starts_with('_') && is_name(cursor.next_word())
        {
            date.calendar = cursor.word_place();
            read_blank(cursor, "a space and a date")?;
        }
        let first = cursor.next_word();
        if is_number(first) {
            let number = cursor.word_place();
            if !has_year_behind_month(cursor) {
                date.year = number;
                date.epoch = read_epoch(cursor);
                return Ok(date);
            }
            date.day = number;
            cursor.octet(b' ');
        } else if !is_name(first) {
            return Err(unexpected(*cursor, "a date such as `5 OCT 1835`"));
        }
        date.month = cursor.word_place();
        if cursor.is_done() {
            return Err(unexpected(*cursor, "a year after the month"));
        }
        read_blank(cursor, "a space and a year")?;
        if !is_number(cursor.next_word()) {
            return Err(unexpected(*cursor, "a year in digits"));
        }
        date.year = cursor.word_place();
        date.epoch = read_epoch(cursor);
        Ok(date)
    }

    /// Returns whether the payload consists of a day, a month and a year.
    fn is_exact(&self, text: &str) -> bool {
        !self.day.is_empty()
            && self.day.start == 0
            && self.epoch.is_empty()
            && text.len() == self.year.end as usize
    }

    /// The span of the whole date.
    pub(super) fn span(&self) -> Span {
        let places = [self.calendar, self.day, self.month, self.year];
        let start = places.iter().find(|place| !place.is_empty()).map_or(0, |place| place.start);
        Span::new(start, if self.epoch.is_empty() { self.year.end } else { self.epoch.end })
    }

    /// The calendar, if GEDCOM 7.0 defines it.
    pub(super) fn calendar(&self, text: &str) -> Option<Calendar> {
        match self.calendar.of(text) {
            "" | "GREGORIAN" => Some(Calendar::Gregorian),
            "JULIAN" => Some(Calendar::Julian),
            "FRENCH_R" => Some(Calendar::FrenchRepublican),
            "HEBREW" => Some(Calendar::Hebrew),
            _ => None,
        }
    }

    /// Respells the date as ELF Dates does. `None` if that does not have its calendar or epoch.
    pub(super) fn of_elf(&self, text: &str) -> Option<String> {
        let calendar = self.calendar(text).filter(|_| !self.year.is_empty())?;
        self.spelled(text, calendar, self.month.of(text))
    }

    /// Respells the date as ELF Dates does, in `calendar` and with `month`. `None` if that does not have its epoch.
    pub(super) fn spelled(&self, text: &str, calendar: Calendar, month: &str) -> Option<String> {
        let epoch = match self.epoch.of(text) {
            "" => None,
            "BCE" if calendar.reverse_epoch().is_some() => Some("B.C."),
            _ => return None,
        };
        let escape = format!("@#D{}@", calendar.name());
        let [day, year] = [self.day, self.year].map(|place| place.of(text));
        // The Adar of a common year is the second one here (GEDCOM 7.0 *Appendix A*), the first in ELF Dates.
        let is_only_adar = calendar == Calendar::Hebrew
            && month == "ADS"
            && year.parse().is_ok_and(|year| calendar.days_in_month(year, SECOND_ADAR).is_none());
        let parts = [day, if is_only_adar { "ADR" } else { month }, year];
        let parts = [&*escape].into_iter().chain(parts).chain(epoch).filter(|part| !part.is_empty());
        Some(parts.collect::<Vec<_>>().join(" "))
    }
}

/// The number of the second Adar of a leap year.
const SECOND_ADAR: u8 = 7;

/// One blank.
fn read_blank(cursor: &mut Cursor<'_>, expected: &'static str) -> Read<()> {
    if cursor.octet(b' ') { Ok(()) } else { Err(unexpected(*cursor, expected)) }
}

fn end(cursor: &Cursor<'_>) -> Read<()> {
    if cursor.is_done() {
        return Ok(());
    }
    let mut cursor = *cursor;
    // Report the text after the blank, if there is any.
    if cursor.rest().len() > 1 {
        cursor.octet(b' ');
    }
    Err(unexpected(cursor, "the end"))
}

/// `( D Epoch )?`, where an epoch is `BCE` or an extension.
fn read_epoch(cursor: &mut Cursor<'_>) -> Span {
    let mut ahead = *cursor;
    let is_epoch = |word: &str| word == "BCE" || word.starts_with('_') && is_name(word);
    if !ahead.octet(b' ') || !is_epoch(ahead.next_word()) {
        return Span::default();
    }
    let place = ahead.word_place();
    *cursor = ahead;
    place
}

/// Returns whether a blank, a month and a year come next.
fn has_year_behind_month(cursor: &Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    if !ahead.octet(b' ') || !is_name(ahead.word()) || !ahead.octet(b' ') {
        return false;
    }
    is_number(ahead.next_word())
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|octet| octet.is_ascii_digit())
}

/// Returns whether a word looks like a month or an extension: a tag, and not a keyword of dates.
fn is_name(word: &str) -> bool {
    const RESERVED: [&str; 9] = ["FROM", "TO", "BET", "AND", "BEF", "AFT", "ABT", "CAL", "EST"];
    let tag = word.strip_prefix('_').unwrap_or(word);
    let is_tag_octet = |octet: u8| octet.is_ascii_uppercase() || octet.is_ascii_digit() || octet == b'_';
    let starts = tag.len() < word.len() || tag.starts_with(|first: char| first.is_ascii_uppercase());
    !tag.is_empty() && starts && tag.bytes().all(is_tag_octet) && !RESERVED.contains(&word)
}

/// `Age`
fn read_age(payload: &str) -> Read<()> {
    let mut cursor = Cursor::new(payload);
    if cursor.is_done() {
        return Ok(());
    }
    if cursor.octet(b'<') || cursor.octet(b'>') {
        read_blank(&mut cursor, "a space after `<` or `>`")?;
    }
    let mut units = b"ymwd".as_slice();
    loop {
        let start = cursor;
        let expected = "a number of years, months, weeks or days such as `1y 3m 2w 4d`";
        let unit = cursor.digits().and_then(|_| units.iter().position(|unit| cursor.octet(*unit)));
        let Some(unit) = unit else { return Err(unexpected(start, expected)) };
        units = &units[unit + 1..];
        if cursor.is_done() {
            return Ok(());
        }
        read_blank(&mut cursor, "a space before the next number")?;
    }
}

/// `Time`
fn read_time(payload: &str) -> Read<()> {
    let mut cursor = Cursor::new(payload);
    let number = |cursor: &mut Cursor<'_>, fewest: usize, most: u32, expected| {
        let start = *cursor;
        let digits = cursor.digits().filter(|digits| (fewest..=2).contains(&digits.len()));
        match digits.and_then(|digits| digits.parse().ok()) {
            Some(number) if most > number => Ok(()),
            _ => Err(unexpected(start, expected)),
        }
    };
    number(&mut cursor, 1, 24, "hours from 0 to 23")?;
    if !cursor.octet(b':') {
        return Err(unexpected(cursor, "`:` and minutes"));
    }
    number(&mut cursor, 2, 60, "minutes from 00 to 59")?;
    if cursor.octet(b':') {
        number(&mut cursor, 2, 60, "seconds from 00 to 59")?;
        if cursor.octet(b'.') && cursor.digits().is_none() {
            return Err(unexpected(cursor, "digits after the decimal point"));
        }
    }
    cursor.octet(b'Z');
    if cursor.is_done() { Ok(()) } else { Err(unexpected(cursor, "`Z` or the end")) }
}
