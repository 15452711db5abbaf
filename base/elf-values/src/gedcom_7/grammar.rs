//! The productions of GEDCOM 7.0 for dates, ages and times.

use crate::calendar::Calendar;
use crate::datatype::Datatype;
use crate::problem::Malformed;
use crate::scan::{Cursor, span};
use elf_base::Span;

/// Converts a `DateValue` of GEDCOM 7.0 to ELF Dates. Returns `None` if the payload is invalid or empty, or if ELF
/// Dates does not have its calendar or epoch.
pub(crate) fn convert_to_elf(payload: &str) -> Option<String> {
    let dates = Dates::parse(payload).ok()?;
    let first = dates.first.spell_in_elf(payload)?;
    Some(match (Cursor::new(payload).peek_word(), dates.second) {
        ("BET", Some(second)) => format!("BET {first} AND {}", second.spell_in_elf(payload)?),
        ("FROM", Some(second)) => format!("FROM {first} TO {}", second.spell_in_elf(payload)?),
        (keyword @ ("FROM" | "TO" | "AFT" | "BEF" | "ABT" | "CAL" | "EST"), _) => {
            format!("{keyword} {first}")
        }
        _ => first,
    })
}

/// Parses a payload. Returns its dates, if the datatype is a kind of date.
pub(crate) fn parse(payload: &str, datatype: Datatype) -> ParseResult<Option<Dates>> {
    let cursor = Cursor::new(payload);
    match datatype {
        Datatype::DateValue => Dates::parse(payload).map(Some),
        Datatype::DatePeriod => match cursor.peek_word() {
            "FROM" | "TO" => Dates::parse(payload).map(Some),
            _ if payload.is_empty() => Ok(None),
            _ => Err(unexpected_text(cursor, "`FROM` or `TO`")),
        },
        Datatype::DateExact => {
            let dates = Dates::parse(payload)?;
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

pub(crate) type ParseResult<T> = Result<T, Malformed>;

fn unexpected_text(mut cursor: Cursor<'_>, expected: &'static str) -> Malformed {
    let start = cursor.position();
    if cursor.peek() == Some(b' ') {
        cursor.skip_octet(b' ');
    } else {
        cursor.read_word();
    }
    Malformed::new(cursor.text(), cursor.span_from(start), expected)
}

pub(crate) struct Dates {
    pub(super) first: DatePartSpans,
    pub(super) second: Option<DatePartSpans>,
    /// True if the first date must not be after the second.
    pub(super) is_period: bool,
}

/// The spans of the parts of a date in its payload. The span of a missing part is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DatePartSpans {
    pub(super) calendar: Span,
    pub(super) day: Span,
    pub(super) month: Span,
    pub(super) year: Span,
    pub(super) epoch: Span,
}

impl Dates {
    /// Reads the production `DateValue`. An empty payload has no dates.
    fn parse(payload: &str) -> ParseResult<Dates> {
        let mut cursor = Cursor::new(payload);
        let keyword = cursor.peek_word();
        let (between, is_period) = match keyword {
            "BET" => (Some("AND"), false),
            "FROM" => (Some("TO"), true),
            "TO" | "AFT" | "BEF" | "ABT" | "CAL" | "EST" => (None, false),
            "" if payload.is_empty() => {
                return Ok(Dates { first: DatePartSpans::default(), second: None, is_period: false });
            }
            _ => return Dates::read_single(&mut cursor),
        };
        cursor.read_word();
        read_blank(&mut cursor, "a space and a date")?;
        let first = DatePartSpans::read(&mut cursor)?;
        let Some(between) = between.filter(|_| !is_period || !cursor.is_done()) else {
            expect_end(&cursor)?;
            return Ok(Dates { first, second: None, is_period: false });
        };
        let expected = if is_period { "`TO` and a date, or the end" } else { "`AND` and a date" };
        let mut ahead = cursor;
        read_blank(&mut ahead, expected)?;
        if ahead.peek_word() != between {
            return Err(unexpected_text(ahead, expected));
        }
        ahead.read_word();
        read_blank(&mut ahead, "a space and a date")?;
        let second = DatePartSpans::read(&mut ahead)?;
        expect_end(&ahead)?;
        Ok(Dates { first, second: Some(second), is_period })
    }

    fn read_single(cursor: &mut Cursor<'_>) -> ParseResult<Dates> {
        let first = DatePartSpans::read(cursor)?;
        expect_end(cursor)?;
        Ok(Dates { first, second: None, is_period: false })
    }
}

impl DatePartSpans {
    /// Reads the production `Date`.
    fn read(cursor: &mut Cursor<'_>) -> ParseResult<DatePartSpans> {
        let mut date = DatePartSpans::default();
        // The calendars of GEDCOM 7.0 have no extension months, so an extension tag at the start is a calendar.
        if matches!(cursor.peek_word(), "GREGORIAN" | "JULIAN" | "FRENCH_R" | "HEBREW")
            || cursor.peek_word().starts_with('_') && is_month_or_extension(cursor.peek_word())
        {
            date.calendar = cursor.read_word_span();
            read_blank(cursor, "a space and a date")?;
        }
        let first = cursor.peek_word();
        if is_number(first) {
            let number = cursor.read_word_span();
            if !has_month_and_year_next(cursor) {
                date.year = number;
                date.epoch = read_epoch(cursor);
                return Ok(date);
            }
            date.day = number;
            cursor.skip_octet(b' ');
        } else if !is_month_or_extension(first) {
            return Err(unexpected_text(*cursor, "a date such as `5 OCT 1835`"));
        }
        date.month = cursor.read_word_span();
        if cursor.is_done() {
            return Err(unexpected_text(*cursor, "a year after the month"));
        }
        read_blank(cursor, "a space and a year")?;
        if !is_number(cursor.peek_word()) {
            return Err(unexpected_text(*cursor, "a year in digits"));
        }
        date.year = cursor.read_word_span();
        date.epoch = read_epoch(cursor);
        Ok(date)
    }

    fn is_exact(&self, text: &str) -> bool {
        !self.day.is_empty()
            && self.day.start == 0
            && self.epoch.is_empty()
            && text.len() == self.year.end as usize
    }

    pub(super) fn span(&self) -> Span {
        let places = [self.calendar, self.day, self.month, self.year];
        let start = places.iter().find(|place| !place.is_empty()).map_or(0, |place| place.start);
        Span::new(start, if self.epoch.is_empty() { self.year.end } else { self.epoch.end })
    }

    pub(super) fn calendar(&self, text: &str) -> Option<Calendar> {
        match self.calendar.of(text) {
            "" | "GREGORIAN" => Some(Calendar::Gregorian),
            "JULIAN" => Some(Calendar::Julian),
            "FRENCH_R" => Some(Calendar::FrenchRepublican),
            "HEBREW" => Some(Calendar::Hebrew),
            _ => None,
        }
    }

    /// Converts the date to ELF Dates. `None` if ELF Dates does not have its calendar or epoch.
    pub(super) fn spell_in_elf(&self, text: &str) -> Option<String> {
        let calendar = self.calendar(text).filter(|_| !self.year.is_empty())?;
        self.spell_in_elf_with(text, calendar, self.month.of(text))
    }

    /// Converts the date to ELF Dates with the given calendar and month. `None` if ELF Dates does not have its epoch.
    pub(super) fn spell_in_elf_with(&self, text: &str, calendar: Calendar, month: &str) -> Option<String> {
        let epoch = match self.epoch.of(text) {
            "" => None,
            "BCE" if calendar.reverse_epoch().is_some() => Some("B.C."),
            _ => return None,
        };
        let escape = format!("@#D{}@", calendar.name());
        let [day, year] = [self.day, self.year].map(|place| place.of(text));
        // GEDCOM 7.0 calls the only Adar of a common year the second one (*Appendix A*). ELF Dates calls it the first.
        let is_only_adar = calendar == Calendar::Hebrew
            && month == "ADS"
            && year.parse().is_ok_and(|year| calendar.days_in_month(year, SECOND_ADAR).is_none());
        let parts = [day, if is_only_adar { "ADR" } else { month }, year];
        let parts = [&*escape].into_iter().chain(parts).chain(epoch).filter(|part| !part.is_empty());
        Some(parts.collect::<Vec<_>>().join(" "))
    }
}

const SECOND_ADAR: u8 = 7;

fn read_blank(cursor: &mut Cursor<'_>, expected: &'static str) -> ParseResult<()> {
    if cursor.skip_octet(b' ') { Ok(()) } else { Err(unexpected_text(*cursor, expected)) }
}

fn expect_end(cursor: &Cursor<'_>) -> ParseResult<()> {
    if cursor.is_done() {
        return Ok(());
    }
    let mut cursor = *cursor;
    // Report the text after the blank, not the blank.
    if cursor.rest().len() > 1 {
        cursor.skip_octet(b' ');
    }
    Err(unexpected_text(cursor, "the end"))
}

/// Reads the epoch, `( D Epoch )?`. An epoch is `BCE` or an extension tag.
fn read_epoch(cursor: &mut Cursor<'_>) -> Span {
    let mut ahead = *cursor;
    let is_epoch = |word: &str| word == "BCE" || word.starts_with('_') && is_month_or_extension(word);
    if !ahead.skip_octet(b' ') || !is_epoch(ahead.peek_word()) {
        return Span::default();
    }
    let place = ahead.read_word_span();
    *cursor = ahead;
    place
}

fn has_month_and_year_next(cursor: &Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    if !ahead.skip_octet(b' ') || !is_month_or_extension(ahead.read_word()) || !ahead.skip_octet(b' ') {
        return false;
    }
    is_number(ahead.peek_word())
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|octet| octet.is_ascii_digit())
}

/// Returns whether a word can be a month or an extension tag. Keywords of dates such as `TO` cannot.
fn is_month_or_extension(word: &str) -> bool {
    const RESERVED: [&str; 9] = ["FROM", "TO", "BET", "AND", "BEF", "AFT", "ABT", "CAL", "EST"];
    let tag = word.strip_prefix('_').unwrap_or(word);
    let is_tag_octet = |octet: u8| octet.is_ascii_uppercase() || octet.is_ascii_digit() || octet == b'_';
    let starts = tag.len() < word.len() || tag.starts_with(|first: char| first.is_ascii_uppercase());
    !tag.is_empty() && starts && tag.bytes().all(is_tag_octet) && !RESERVED.contains(&word)
}

/// Reads the production `Age`.
fn read_age(payload: &str) -> ParseResult<()> {
    let mut cursor = Cursor::new(payload);
    if cursor.is_done() {
        return Ok(());
    }
    if cursor.skip_octet(b'<') || cursor.skip_octet(b'>') {
        read_blank(&mut cursor, "a space after `<` or `>`")?;
    }
    let mut units = b"ymwd".as_slice();
    loop {
        let start = cursor;
        let expected = "a number of years, months, weeks or days such as `1y 3m 2w 4d`";
        let unit = cursor.read_digits().and_then(|_| units.iter().position(|unit| cursor.skip_octet(*unit)));
        let Some(unit) = unit else { return Err(unexpected_text(start, expected)) };
        units = &units[unit + 1..];
        if cursor.is_done() {
            return Ok(());
        }
        read_blank(&mut cursor, "a space before the next number")?;
    }
}

/// Reads the production `Time`.
fn read_time(payload: &str) -> ParseResult<()> {
    let mut cursor = Cursor::new(payload);
    let number = |cursor: &mut Cursor<'_>, fewest: usize, most: u32, expected| {
        let start = *cursor;
        let digits = cursor.read_digits().filter(|digits| (fewest..=2).contains(&digits.len()));
        match digits.and_then(|digits| digits.parse().ok()) {
            Some(number) if most > number => Ok(()),
            _ => Err(unexpected_text(start, expected)),
        }
    };
    number(&mut cursor, 1, 24, "hours from 0 to 23")?;
    if !cursor.skip_octet(b':') {
        return Err(unexpected_text(cursor, "`:` and minutes"));
    }
    number(&mut cursor, 2, 60, "minutes from 00 to 59")?;
    if cursor.skip_octet(b':') {
        number(&mut cursor, 2, 60, "seconds from 00 to 59")?;
        if cursor.skip_octet(b'.') && cursor.read_digits().is_none() {
            return Err(unexpected_text(cursor, "digits after the decimal point"));
        }
    }
    cursor.skip_octet(b'Z');
    if cursor.is_done() { Ok(()) } else { Err(unexpected_text(cursor, "`Z` or the end")) }
}
