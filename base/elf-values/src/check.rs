//! Checks payloads against their datatypes.

use crate::age::Age;
use crate::calendar::Calendar;
use crate::datatype::Datatype;
use crate::date::{
    CalendarName, Date, DateExact, DatePeriod, DateValue, Fault, has_misspelled_escape, is_temple, recover,
    spell_both_orders,
};
use crate::finding::{
    Finding, Respelling, likely_help, malformed_message, no_day_message, reversed_message, shorten,
};
use crate::gedcom_7;
use crate::plain::is_plain;
use crate::problem::Malformed;
use crate::recovery::{likely_age, likely_time};
use crate::scan::{is_space, normalise_whitespace, span};
use crate::time::Time;
use elf_base::{Code, Safety, codes};

/// Checks a payload of `datatype`. Returns no findings for a valid and ordinary value.
///
/// Only the datatypes of ELF Dates are checked. Whitespace is normalised first (ELF Data Model *Line strings*), so
/// leading, trailing and repeated blanks are valid.
///
/// ```
/// use elf_base::Safety;
/// use elf_values::{Datatype, check};
///
/// let findings = check("31 FEB 1900", Datatype::DateValue);
/// assert_eq!(findings[0].code.name(), "date-impossible");
/// assert_eq!(findings[0].message, "`31 FEB 1900` does not exist in the Gregorian calendar: that month has 28 days");
/// let findings = check("5 Oct 1835", Datatype::DateValue);
/// assert_eq!(findings[0].fix.as_ref().map(|fix| (&*fix.text, fix.safety)), Some(("5 OCT 1835", Safety::Safe)));
/// assert!(check("  ABT 1900", Datatype::DateValue).is_empty());
/// let fix = |text, datatype| check(text, datatype)[0].fix.as_ref().map(|fix| fix.text.clone());
/// assert_eq!(fix("8:35", Datatype::Time).as_deref(), Some("08:35"));
/// assert_eq!(fix("17 Y", Datatype::Age).as_deref(), Some("17y"));
/// assert_eq!(fix("3 months", Datatype::Age), None);
/// ```
pub fn check(payload: &str, datatype: Datatype) -> Vec<Finding> {
    if is_plain(payload, datatype) { Vec::new() } else { check_in_full(payload, datatype) }
}

/// A function that returns the reason why a date does not exist in its calendar.
pub(crate) type DateFaultFinder = fn(&Date<'_>) -> Option<Fault>;

/// Checks a payload like [`check`], without the fast path for common spellings.
pub(crate) fn check_in_full(payload: &str, datatype: Datatype) -> Vec<Finding> {
    check_with_fault_finder(payload, datatype, |date| date.fault())
}

/// Checks a payload like [`check_in_full`], except that `find_fault` decides whether a date exists.
pub(crate) fn check_with_fault_finder(
    payload: &str,
    datatype: Datatype,
    find_fault: DateFaultFinder,
) -> Vec<Finding> {
    if let Datatype::Gedcom70(datatype) = datatype {
        return gedcom_7::check_in_full(payload, datatype.of_elf());
    }
    let trimmed = payload.trim_matches(is_space);
    let start = payload.len() - payload.trim_start_matches(is_space).len();
    let normal = normalise_whitespace(payload);
    let mut findings = match datatype {
        Datatype::DateValue => match DateValue::parse(&normal) {
            Ok(value) => check_value(&normal, &value, find_fault, |_| true),
            Err(fault) => vec![invalid_date_finding(&normal, &fault, "date", |_| true)],
        },
        Datatype::DatePeriod => {
            let is_period = |text: &str| DatePeriod::parse(text).is_ok();
            match DatePeriod::parse(&normal) {
                Ok(period) => check_value(&normal, period.value(), find_fault, is_period),
                Err(fault) => vec![invalid_date_finding(&normal, &fault, "period", is_period)],
            }
        }
        Datatype::DateExact if DateExact::is_nonexistent_day(&normal) => {
            let is_exact = |text: &str| DateExact::parse(text).is_ok();
            let value = DateValue::parse(&normal);
            value.map_or_else(|_| Vec::new(), |value| check_value(&normal, &value, find_fault, is_exact))
        }
        Datatype::DateExact => {
            let fault = DateExact::parse(&normal).err();
            let is_exact = |text: &str| DateExact::parse(text).is_ok();
            let invalid = |fault| invalid_date_finding(&normal, &fault, "exact date", is_exact);
            fault.map(invalid).into_iter().collect()
        }
        Datatype::Age => match Age::parse(&normal) {
            Ok(age) => check_missing_unit(&normal, &age).into_iter().collect(),
            Err(fault) => vec![invalid_finding(codes::AGE_MALFORMED, "age", &normal, &fault, likely_age)],
        },
        Datatype::Time => {
            let fault = Time::parse(&normal).err();
            let invalid =
                |fault| invalid_finding(codes::TIME_MALFORMED, "time of day", &normal, &fault, likely_time);
            fault.map(invalid).into_iter().collect()
        }
        // Whether a word or name is allowed depends on the structure, which is checked elsewhere.
        Datatype::PersonalName
        | Datatype::Latitude
        | Datatype::Longitude
        | Datatype::Language
        | Datatype::List
        | Datatype::Integer
        | Datatype::Word(_)
        | Datatype::Gedcom70(_)
        | Datatype::Text => Vec::new(),
    };
    for finding in &mut findings {
        finding.fix = finding.fix.take().and_then(|fix| restore_phrase(fix, trimmed));
        let [first, last] =
            [finding.span.start, finding.span.end].map(|at| start + offset_before_normalising(trimmed, at));
        finding.span = span(first, last.max(first));
    }
    findings
}

/// Puts the date phrase of the original payload into a fix. A phrase is a quotation (ELF Dates *Date phrases*), so its
/// repeated blanks stay. Returns `None` if the fix has a different phrase.
fn restore_phrase(fix: Respelling, trimmed: &str) -> Option<Respelling> {
    let phrase = trimmed.find('(').map_or("", |at| &trimmed[at..]);
    let normal = normalise_whitespace(phrase);
    if normal == phrase {
        return Some(fix);
    }
    let start = fix.text.strip_suffix(&*normal)?;
    Some(Respelling { text: format!("{start}{phrase}"), ..fix })
}

fn offset_before_normalising(trimmed: &str, offset: u32) -> usize {
    let mut normal = 0;
    let mut is_behind_space = false;
    for (at, character) in trimmed.char_indices() {
        let is_repeated = is_behind_space && is_space(character);
        is_behind_space = is_space(character);
        if !is_repeated {
            if normal >= offset as usize {
                return at;
            }
            normal += character.len_utf8();
        }
    }
    trimmed.len()
}

/// Checks the dates of a value. `is_one` returns whether a suggested payload matches the datatype.
fn check_value(
    text: &str,
    value: &DateValue<'_>,
    find_fault: DateFaultFinder,
    is_one: impl Fn(&str) -> bool,
) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        value.dates().filter_map(|date| check_existence(text, &date, find_fault, &is_one)).collect();
    if value.is_reversed() {
        findings.push(Finding {
            code: if value.is_period() { codes::PERIOD_REVERSED } else { codes::DATE_REVERSED },
            span: span(0, text.len()),
            message: reversed_message(text),
            help: None,
            fix: None,
        });
    }
    if findings.is_empty() { check_recommendations(text, value) } else { findings }
}

/// Finds valid spellings that ELF Dates does not recommend.
fn check_recommendations(text: &str, value: &DateValue<'_>) -> Vec<Finding> {
    let dual = value.dates().filter(Date::is_hebrew_and_dual);
    let mut findings: Vec<Finding> = dual
        .map(|date| Finding {
            code: codes::HEBREW_DUAL_YEAR,
            span: date.span(),
            message: format!(
                "`{}` has a dual year, which the Hebrew calendar does not use",
                shorten(date.span().of(text))
            ),
            help: None,
            fix: None,
        })
        .collect();
    if value.is_of_two_calendars() {
        findings.push(Finding {
            code: codes::CALENDARS_MIXED,
            span: span(0, text.len()),
            message: format!("`{}` mixes two calendars", shorten(text)),
            help: Some("the second date does not inherit the calendar escape of the first".to_owned()),
            fix: None,
        });
    }
    findings
}

fn invalid_date_finding(text: &str, fault: &Malformed, name: &str, is_one: impl Fn(&str) -> bool) -> Finding {
    let found = recover(text).filter(|found| is_one(&found.text));
    let help = found.as_ref().map(|found| likely_help(&found.text)).or_else(|| two_orders_help(text));
    Finding {
        code: codes::DATE_MALFORMED,
        span: fault.span,
        message: malformed_message(text, name, fault),
        help,
        fix: found.map(Respelling::from_recovered),
    }
}

/// Makes the finding about a date that does not exist in its calendar.
///
/// ELF Dates puts such a date without an escape into an unknown calendar. A date that does not exist is most likely a
/// mistake, so it is checked as a Gregorian date.
fn check_existence(
    text: &str,
    date: &Date<'_>,
    find_fault: DateFaultFinder,
    is_one: impl Fn(&str) -> bool,
) -> Option<Finding> {
    if date.has_two_years_without_escape() {
        return None;
    }
    let message = match find_fault(date) {
        Some(fault) => impossible_message(text, date, fault),
        None if has_misspelled_escape(date) => {
            format!("unknown calendar `{}`", shorten(date.escape()?))
        }
        None => return None,
    };
    Some(impossible_date_finding(text, date, message, is_one))
}

pub(crate) fn impossible_date_finding(
    text: &str,
    date: &Date<'_>,
    message: String,
    is_one: impl Fn(&str) -> bool,
) -> Finding {
    let found = recover(text).filter(|found| is_one(&found.text));
    Finding {
        code: codes::DATE_IMPOSSIBLE,
        span: date.span(),
        message,
        help: found.as_ref().map(|found| likely_help(&found.text)),
        fix: found.map(Respelling::from_recovered),
    }
}

fn two_orders_help(text: &str) -> Option<String> {
    let [Some(day_first), Some(month_first)] = spell_both_orders(text)? else { return None };
    Some(format!("did you mean `{day_first}` or `{month_first}`?"))
}

pub(crate) fn impossible_message(text: &str, date: &Date<'_>, fault: Fault) -> String {
    let calendar = match date.calendar() {
        CalendarName::Known(calendar) => calendar,
        CalendarName::Unfamiliar(_) | CalendarName::Unknown => Calendar::Gregorian,
    };
    let written = date.span().of(text);
    match (fault, date.epoch()) {
        (Fault::Day { .. }, _) if is_year_month_day(date) => {
            format!("`{}` starts with its year: the order is day, month, year", shorten(written))
        }
        (Fault::Epoch, Some(code)) if is_temple(code) => {
            let date = written.strip_suffix(code).unwrap_or(written).trim_end();
            format!("expected nothing after the date `{}`, but found `{code}`", shorten(date))
        }
        (_, epoch) => no_day_message(written, calendar, fault, epoch),
    }
}

fn is_year_month_day(date: &Date<'_>) -> bool {
    let (first, last) = (date.day().and_then(|day| day.to_i64()), date.year().historical().to_i64());
    first.is_some_and(|year| (100..=9999).contains(&year)) && last.is_some_and(|day| (1..=31).contains(&day))
}

/// Makes the finding about an invalid age or time. `name` is the name of the datatype.
fn invalid_finding(
    code: Code,
    name: &str,
    text: &str,
    fault: &Malformed,
    likely: fn(&str) -> Option<String>,
) -> Finding {
    let found = likely(text);
    Finding {
        code,
        span: fault.span,
        message: malformed_message(text, name, fault),
        help: found.as_deref().map(likely_help),
        fix: found.map(|text| Respelling { text, safety: Safety::Safe }),
    }
}

fn check_missing_unit(text: &str, age: &Age<'_>) -> Option<Finding> {
    text.ends_with(|last: char| last.is_ascii_digit()).then(|| Finding {
        code: codes::AGE_WITHOUT_UNIT,
        span: span(0, text.len()),
        message: format!("age `{}` without a unit: read as years", shorten(text)),
        help: None,
        fix: Some(Respelling { text: age.to_string(), safety: Safety::Safe }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_behind_an_escape_is_said() {
        let found = check("@#DROMAN@x 1 JAN 1", Datatype::DateValue);
        assert!(
            found[0].message.ends_with("expected a space after the calendar escape, but found `x`"),
            "{found:?}"
        );
    }

    #[test]
    fn what_is_at_fault_is_said_and_lies_where_it_stands() {
        for (payload, datatype, fault, message) in [
            ("12:30 AM", Datatype::Time, " AM", "expected nothing after the time, but found ` AM`"),
            ("15:30 Z", Datatype::Time, " Z", "expected nothing after the time, but found ` Z`"),
            ("12: 30", Datatype::Time, " 30", "expected minutes from 00 to 59, but found ` 30`"),
            (
                "1 JAN 2020 A.D.",
                Datatype::DateExact,
                "A.D.",
                "expected nothing after the year, but found `A.D.`",
            ),
            (
                "1 JAN 12345",
                Datatype::DateExact,
                "12345",
                "expected a year of four digits, but found `12345`",
            ),
            ("31 FEB 2020", Datatype::DateExact, "31 FEB 2020", "Gregorian calendar: that month has 29 days"),
            ("00 JAN 1900", Datatype::DateValue, "00 JAN 1900", "Gregorian calendar: days start at 1"),
            (
                "44 B.C.E.",
                Datatype::DateValue,
                "44 B.C.E.",
                "does not exist in the Gregorian calendar: the calendar does not have the epoch `B.C.E.`",
            ),
            ("1716/1716", Datatype::DateValue, "1716/1716", "this calendar does not use dual years"),
            (
                "@#DFRENCHR@ 1 VEND 2",
                Datatype::DateValue,
                "@#DFRENCHR@ 1 VEND 2",
                "unknown calendar `FRENCHR`",
            ),
            ("FROM 1901 TO 1900", Datatype::DateValue, "FROM 1901 TO 1900", "ends before it starts"),
        ] {
            let findings = check(payload, datatype);
            let found = findings.first().map(|found| found.span.of(payload));
            assert_eq!(found, Some(fault), "{payload}");
            assert!(findings[0].message.ends_with(message), "{}", findings[0].message);
        }
    }

    #[test]
    fn numbers_are_not_joined() {
        for (payload, likely) in
            [("17 Y", Some("17y")), ("1 y 2 m", Some("1y 2m")), ("1 2y", None), ("2 5", None), ("1 2", None)]
        {
            let fix = check(payload, Datatype::Age).into_iter().find_map(|found| found.fix);
            assert_eq!(fix.as_ref().map(|fix| &*fix.text), likely, "{payload}");
        }
    }

    #[test]
    fn faults_lie_where_the_payload_has_them() {
        for (payload, fault) in [
            ("5 Oct 1900", "Oct"),
            ("  5  \t Oct   1900 ", "Oct"),
            ("BET  31 FEB 1900  AND 5 MAR 1900", "31 FEB 1900"),
            (" BET 1915  AND  1904 ", "BET 1915  AND  1904"),
            ("(é)  1900", "1900"),
            ("10  JAN", ""),
        ] {
            let findings = check(payload, Datatype::DateValue);
            let found = findings.first().map(|found| found.span.of(payload));
            assert_eq!(found, Some(fault), "{payload}");
        }
    }
}
