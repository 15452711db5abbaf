//! The grammars of GEDCOM 7.0 for dates, ages and times (GEDCOM 7.0 *Data types*).
//!
//! ```text
//! DateValue  ::= ( Date | DatePeriod | DateRange | DateApprox )?
//! DateExact  ::= Day D Month D Year
//! DatePeriod ::= ( "TO" D Date | "FROM" D Date ( D "TO" D Date )? )?
//! DateRange  ::= "BET" D Date D "AND" D Date | ( "AFT" | "BEF" ) D Date
//! DateApprox ::= ( "ABT" | "CAL" | "EST" ) D Date
//! Date       ::= ( Calendar D )? ( ( Day D )? Month D )? Year ( D Epoch )?
//! Calendar   ::= "GREGORIAN" | "JULIAN" | "FRENCH_R" | "HEBREW" | ExtTag
//! Age        ::= ( ( ( "<" | ">" ) D )? Duration )?
//! Duration   ::= years, months, weeks and days, in this order and at least one, with D between them
//! Time       ::= Hour ":" Minute ( ":" Second ( "." [0-9]+ )? )? "Z"?
//! ```
//!
//! `D` is one blank, no more. A date, a period and an age may be empty; they are said in a `PHRASE` then.

mod faults;
mod likely;

use crate::calendar::Calendar;
use crate::check::{Finding, is_none, is_reversed_message};
use crate::datatype::Datatype;
use crate::date::DateValue;
use crate::plain::is_plain;
use crate::problem::Malformed;
use crate::scan::{Cursor, span};
use elf_base::{Span, codes};
use faults::{Names, fault_of};
use likely::likely;

/// Says what is at fault with a payload of `datatype` by the grammars of GEDCOM 7.0. What stands for an
/// extension calendar, month or epoch only a schema knows, and nothing is said of it:
/// [`check_gedcom_7_by`] knows. [`check_gedcom`](crate::check_gedcom()) says so by the grammars of 5.5.1.
///
/// ```
/// use elf_values::{Datatype, check_gedcom_7};
///
/// assert!(check_gedcom_7("BET JULIAN 3 MAR 44 BCE AND 5 OCT 1835", Datatype::DateValue).is_empty());
/// assert!(check_gedcom_7("> 1y 8w", Datatype::Age).is_empty());
/// let findings = check_gedcom_7("@#DJULIAN@ 3 MAR 1701", Datatype::DateValue);
/// assert_eq!(findings[0].code.name(), "date-malformed");
/// assert_eq!(findings[0].help.as_deref(), Some("it is most likely meant as `JULIAN 3 MAR 1701`"));
/// ```
pub fn check_gedcom_7(payload: &str, datatype: Datatype) -> Vec<Finding> {
    if is_plain(payload, datatype) { Vec::new() } else { check_in_full(payload, datatype) }
}

/// Says what is at fault with a payload as [`check_gedcom_7`] does, in a file whose schema is known:
/// `stands_for` tells whether it gives an extension tag that URI. A calendar of the standard has the months
/// of the standard only, under whatever tag (GEDCOM 7.0 *Appendix A*), and no epoch of an extension
/// (*Extensions*).
///
/// ```
/// use elf_values::{Datatype, check_gedcom_7_by};
///
/// let schema = |tag: &str, uri: &str| tag == "_MAI" && uri == "https://gedcom.io/terms/v7/month-MAY";
/// let found = |payload| check_gedcom_7_by(payload, Datatype::DateValue, &schema);
/// assert!(found("31 _MAI 1900").is_empty());
/// assert_eq!(found("32 _MAI 1900")[0].code.name(), "date-impossible");
/// assert_eq!(found("1 _X 1900")[0].code.name(), "date-impossible");
/// ```
pub fn check_gedcom_7_by(
    payload: &str,
    datatype: Datatype,
    stands_for: &dyn Fn(&str, &str) -> bool,
) -> Vec<Finding> {
    let datatype = if let Datatype::Gedcom7(datatype) = datatype { datatype.of_elf() } else { datatype };
    if is_plain(payload, datatype) { Vec::new() } else { check_naming(payload, datatype, Some(stands_for)) }
}

pub(crate) fn check_in_full(payload: &str, datatype: Datatype) -> Vec<Finding> {
    check_naming(payload, datatype, None)
}

#[cold]
fn check_naming(payload: &str, datatype: Datatype, names: Names<'_>) -> Vec<Finding> {
    let fault = match read(payload, datatype) {
        Ok(dates) => return dates.map(|dates| dates.faults(payload, names)).unwrap_or_default(),
        Err(fault) => fault,
    };
    let (code, name) = match datatype {
        Datatype::Age => (codes::AGE_MALFORMED, "age"),
        Datatype::Time => (codes::TIME_MALFORMED, "time of day"),
        Datatype::DatePeriod => (codes::DATE_MALFORMED, "period"),
        Datatype::DateExact => (codes::DATE_MALFORMED, "exact date"),
        _ => (codes::DATE_MALFORMED, "date"),
    };
    let meant = likely(payload, datatype).filter(|text| read(text, datatype).is_ok());
    let help = meant.map(|text| format!("it is most likely meant as `{text}`"));
    vec![Finding { code, span: fault.span, message: is_none(payload, name, &fault), help, fix: None }]
}

/// A `DateValue` of GEDCOM 7.0 as ELF Dates spells it; `None` where it is none, says nothing, or is of a
/// calendar or an epoch that ELF Dates does not have.
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

/// Reads a payload of a datatype; returns its dates, where it has any.
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
        | Datatype::Gedcom7(_)
        | Datatype::Text => Ok(None),
    }
}

/// The result of a production.
pub(crate) type Read<T> = Result<T, Malformed>;

/// The word where a cursor stands, as what was not expected.
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
    first: DatePlaces,
    second: Option<DatePlaces>,
    /// True if the first must not be after the second.
    is_period: bool,
}

/// The places of the parts of a date in its payload; one that is not written is empty.
#[derive(Clone, Copy, Debug, Default)]
struct DatePlaces {
    calendar: Span,
    day: Span,
    month: Span,
    year: Span,
    epoch: Span,
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
        blank(&mut cursor, "a blank and a date")?;
        let first = DatePlaces::read(&mut cursor)?;
        let Some(between) = between.filter(|_| !is_period || !cursor.is_done()) else {
            end(&cursor)?;
            return Ok(Dates { first, second: None, is_period: false });
        };
        let expected = if is_period { "`TO` and a date, or nothing more" } else { "`AND` and a date" };
        let mut ahead = cursor;
        blank(&mut ahead, expected)?;
        if ahead.next_word() != between {
            return Err(unexpected(ahead, expected));
        }
        ahead.word();
        blank(&mut ahead, "a blank and a date")?;
        let second = DatePlaces::read(&mut ahead)?;
        end(&ahead)?;
        Ok(Dates { first, second: Some(second), is_period })
    }

    fn of_one(cursor: &mut Cursor<'_>) -> Read<Dates> {
        let first = DatePlaces::read(cursor)?;
        end(cursor)?;
        Ok(Dates { first, second: None, is_period: false })
    }

    /// The faults that the calendars find with the dates and with their order.
    fn faults(&self, payload: &str, names: Names<'_>) -> Vec<Finding> {
        let dates = || [Some(self.first), self.second].into_iter().flatten();
        let mut found: Vec<Finding> = dates().filter_map(|date| fault_of(&date, payload, names)).collect();
        let order = || {
            let [first, second] = [self.first, self.second?].map(|date| date.of_elf(payload));
            Some(format!("FROM {} TO {}", first?, second?))
        };
        let is_reversed =
            order().is_some_and(|text| DateValue::parse(&text).is_ok_and(|value| value.is_reversed()));
        if is_reversed {
            found.push(Finding {
                code: if self.is_period { codes::PERIOD_REVERSED } else { codes::DATE_REVERSED },
                span: span(0, payload.len()),
                message: is_reversed_message(payload),
                help: None,
                fix: None,
            });
        }
        found
    }
}

impl DatePlaces {
    /// `Date`
    fn read(cursor: &mut Cursor<'_>) -> Read<DatePlaces> {
        let mut date = DatePlaces::default();
        // No month of a calendar that GEDCOM 7.0 has is an extension, so what starts a date is a calendar.
        if matches!(cursor.next_word(), "GREGORIAN" | "JULIAN" | "FRENCH_R" | "HEBREW")
            || cursor.next_word().starts_with('_') && is_name(cursor.next_word())
        {
            date.calendar = cursor.word_place();
            blank(cursor, "a blank and a date")?;
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
            return Err(unexpected(*cursor, "a year behind the month"));
        }
        blank(cursor, "a blank and a year")?;
        if !is_number(cursor.next_word()) {
            return Err(unexpected(*cursor, "a year in digits"));
        }
        date.year = cursor.word_place();
        date.epoch = read_epoch(cursor);
        Ok(date)
    }

    /// Tells whether it is a day with its month and year, and nothing before or behind.
    fn is_exact(&self, text: &str) -> bool {
        !self.day.is_empty()
            && self.day.start == 0
            && self.epoch.is_empty()
            && text.len() == self.year.end as usize
    }

    /// The octets of the payload that the date takes.
    fn span(&self) -> Span {
        let places = [self.calendar, self.day, self.month, self.year];
        let start = places.iter().find(|place| !place.is_empty()).map_or(0, |place| place.start);
        Span::new(start, if self.epoch.is_empty() { self.year.end } else { self.epoch.end })
    }

    /// The calendar, where it is one that GEDCOM 7.0 has.
    fn calendar(&self, text: &str) -> Option<Calendar> {
        match self.calendar.of(text) {
            "" | "GREGORIAN" => Some(Calendar::Gregorian),
            "JULIAN" => Some(Calendar::Julian),
            "FRENCH_R" => Some(Calendar::FrenchRepublican),
            "HEBREW" => Some(Calendar::Hebrew),
            _ => None,
        }
    }

    /// The date as ELF Dates spells it; `None` in a calendar or with an epoch that it does not have.
    fn of_elf(&self, text: &str) -> Option<String> {
        let calendar = self.calendar(text).filter(|_| !self.year.is_empty())?;
        self.spelled(text, calendar, self.month.of(text))
    }

    /// The date as ELF Dates spells it in a calendar, with that month; `None` with an epoch that it does not
    /// have.
    fn spelled(&self, text: &str, calendar: Calendar, month: &str) -> Option<String> {
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
fn blank(cursor: &mut Cursor<'_>, expected: &'static str) -> Read<()> {
    if cursor.octet(b' ') { Ok(()) } else { Err(unexpected(*cursor, expected)) }
}

fn end(cursor: &Cursor<'_>) -> Read<()> {
    if cursor.is_done() {
        return Ok(());
    }
    let mut cursor = *cursor;
    // What is behind the blank is at fault, where there is something.
    if cursor.rest().len() > 1 {
        cursor.octet(b' ');
    }
    Err(unexpected(cursor, "nothing more"))
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

/// Tells whether a month and a year stand behind the blank that comes next.
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

/// Tells whether a word is a month or an extension by its letters: a tag, and no word between dates.
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
        blank(&mut cursor, "a blank behind the bound")?;
    }
    let mut units = b"ymwd".as_slice();
    loop {
        let start = cursor;
        let expected = "a number of years, months, weeks or days such as `1y 3m 2w 4d`";
        let unit = cursor.digits().and_then(|_| units.iter().position(|unit| cursor.octet(*unit)));
        let Some(unit) = unit else { return Err(unexpected(start, expected)) };
        units = units.get(unit + 1..).unwrap_or_default();
        if cursor.is_done() {
            return Ok(());
        }
        blank(&mut cursor, "a blank before the next number")?;
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
            return Err(unexpected(cursor, "digits behind the full stop"));
        }
    }
    cursor.octet(b'Z');
    if cursor.is_done() { Ok(()) } else { Err(unexpected(cursor, "`Z` or nothing more")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(payload: &str, datatype: Datatype) -> Vec<&'static str> {
        check_gedcom_7(payload, datatype).iter().map(|finding| finding.code.name()).collect()
    }

    #[test]
    fn dates_are_held_to_the_grammar() {
        for good in [
            "",
            "1900",
            "5 OCT 1835",
            "05 OCT 0835",
            "GREGORIAN 5 OCT 1835",
            "JULIAN 3 MAR 44 BCE",
            "44 BCE",
            "MAR 44 BCE",
            "FRENCH_R 6 COMP 3",
            "HEBREW 1 TSH 5779",
            "HEBREW ADS 5779",
            "HEBREW 5 ADS 5780",
            "TO JULIAN 1700",
            "FROM 1900",
            "FROM 1 JAN 1900 TO HEBREW 5779",
            "FROM 44 BCE TO 1 JAN 5 BCE",
            "BET 1900 AND 1901",
            "BEF 1900",
            "ABT HEBREW 5779",
            "_MAYAN 1 _ABC 12 _X",
            "_MAYAN 12",
            "FRENCH_R 2 _JOUR 8",
            "5 OCT 12 _X",
            "ABT _MAYAN _ABC 12",
        ] {
            assert_eq!(codes(good, Datatype::DateValue), [""; 0], "{good}");
        }
        for bad in [
            "5 Oct 1835",
            "abt 1900",
            " 1900",
            "1900 ",
            "5  OCT 1835",
            "INT 1900 (so)",
            "(so)",
            "@#DJULIAN@ 1900",
            "1716/17",
            "44 B.C.",
            "44 CE",
            "FRENCH R 1 VEND 2",
            "5 OCT",
            "OCT",
            "BET 1900",
            "BET 1900 TO 1901",
            "FROM 1900 AND 1901",
            "ABT",
            "ABT BET 1900 AND 1901",
            "1900 1901",
            "5 TO 1900",
            "JULIAN",
            "1900-01-01",
        ] {
            assert_eq!(codes(bad, Datatype::DateValue), ["date-malformed"], "{bad}");
        }
        for (bad, code) in [
            ("31 FEB 1900", "date-impossible"),
            ("0 JAN 1900", "date-impossible"),
            ("0", "date-impossible"),
            ("5 VEND 1900", "date-impossible"),
            ("ROMAN 1900", "date-impossible"),
            ("5 JN 1900", "date-impossible"),
            ("J2 1900", "date-impossible"),
            ("5 F_B 1900", "date-impossible"),
            ("FRECH_R 4", "date-impossible"),
            ("5 BCE 1900", "date-impossible"),
            ("EVERY 1900 BCE", "date-impossible"),
            ("HEBREW 5 JN 5000", "date-impossible"),
            ("FROM J 1900", "date-impossible"),
            ("BET 1900 AND HEBREW INT 5779", "date-impossible"),
            ("_MAYAN 5 JN 12", "date-impossible"),
            ("HEBREW 44 BCE", "date-impossible"),
            ("FRENCH_R 1 BCE", "date-impossible"),
            ("FROM 1901 TO 1900", "period-reversed"),
            ("BET 1901 AND 1900", "date-reversed"),
            ("BET 44 BCE AND 45 BCE", "date-reversed"),
        ] {
            assert_eq!(codes(bad, Datatype::DateValue), [code], "{bad}");
        }
    }

    #[test]
    fn periods_and_exact_dates_are_fewer() {
        for good in ["", "FROM 1900", "TO 5 OCT 1900", "FROM 1900 TO 1901"] {
            assert_eq!(codes(good, Datatype::DatePeriod), [""; 0], "{good}");
        }
        for bad in ["1900", "BET 1900 AND 1901", "ABT 1900"] {
            assert_eq!(codes(bad, Datatype::DatePeriod), ["date-malformed"], "{bad}");
        }
        assert_eq!(codes("5 OCT 835", Datatype::DateExact), [""; 0]);
        for bad in ["31 SEP 1835", "5 JN 1835", "5 BCE 1835"] {
            assert_eq!(codes(bad, Datatype::DateExact), ["date-impossible"], "{bad}");
        }
        assert_eq!(codes("TO 1 J_N 1900", Datatype::DatePeriod), ["date-impossible"]);
        for bad in ["", "OCT 1835", "1835", "5 OCT 44 BCE", "GREGORIAN 5 OCT 1835", "5 OCT 1835 "] {
            assert_eq!(codes(bad, Datatype::DateExact), ["date-malformed"], "{bad}");
        }
    }

    #[test]
    fn ages_and_times_are_held_to_the_grammar() {
        for good in ["", "0y", "1y 2m 3w 4d", "< 8w", "> 30y", "100y 400d", "3w", "2m 4d"] {
            assert_eq!(codes(good, Datatype::Age), [""; 0], "{good}");
        }
        for bad in ["<8w", "8", "CHILD", "1d 2y", "1y2m", "1y  2m", "1Y", "1y ", "<", "1y 2y", "y"] {
            assert_eq!(codes(bad, Datatype::Age), ["age-malformed"], "{bad}");
        }
        for good in ["0:00", "2:50", "02:50", "23:59:59", "12:00:00.123456Z", "12:00Z"] {
            assert_eq!(codes(good, Datatype::Time), [""; 0], "{good}");
        }
        for bad in
            ["", "24:00", "24:00:00", "23:60", "23:59:60", "1", "12:0", "12:00:00.", "12:00+01:00", "12:00 Z"]
        {
            assert_eq!(codes(bad, Datatype::Time), ["time-malformed"], "{bad}");
        }
    }

    #[test]
    fn what_is_at_fault_is_said_and_what_is_meant() {
        for (payload, datatype, fault, help) in [
            ("@#DFRENCH R@ 1 VEND 2", Datatype::DateValue, "@#DFRENCH", Some("FRENCH_R 1 VEND 2")),
            ("44 B.C.", Datatype::DateValue, "B.C.", Some("44 BCE")),
            ("5 Oct 1835", Datatype::DateValue, "Oct", Some("5 OCT 1835")),
            ("BET 1900  AND 1901", Datatype::DateValue, " ", Some("BET 1900 AND 1901")),
            ("1716/17", Datatype::DateValue, "1716/17", None),
            ("<8m", Datatype::Age, "8m", Some("< 8m")),
            ("INT 1900 (so)", Datatype::DateValue, "(so)", None),
        ] {
            let found = &check_gedcom_7(payload, datatype)[0];
            assert_eq!(found.span.of(payload), fault, "{payload}: {}", found.message);
            let help = help.map(|help| format!("it is most likely meant as `{help}`"));
            assert_eq!(found.help, help, "{payload}");
        }
    }
}
