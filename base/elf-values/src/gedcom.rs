//! The grammars of GEDCOM 5.5 and 5.5.1 for dates, ages and times. The grammars differ from ELF Dates as follows:
//!
//! | | ELF Dates | GEDCOM |
//! | --- | --- | --- |
//! | case of letters | significant | ignored |
//! | calendar escapes | any name | the six that are listed |
//! | epochs | any initials, after any date | `B.C.`, after a year alone |
//! | dual years | of the Julian calendar | of the Gregorian one; two digits after the solidus |
//! | ages without a unit | years | none |
//! | time zones | kept | none |

use crate::check::{check_with_fault_finder, impossible_date_finding, impossible_message};
use crate::datatype::Datatype;
use crate::date::{Date, DateValue, in_capitals, recover};
use crate::finding::{Finding, Respelling, likely_help, malformed_message, shorten};
use crate::plain::is_plain;
use crate::problem::Malformed;
use crate::recovery::likely_age;
use crate::scan::{is_space, normalise_whitespace, span};
use crate::time::Time;
use elf_base::{Code, Safety, codes};
use std::borrow::Cow;

const CALENDARS: [&str; 6] = ["GREGORIAN", "JULIAN", "HEBREW", "FRENCH R", "ROMAN", "UNKNOWN"];

/// Checks a payload against the grammar of GEDCOM 5.5.1, which is the same as in GEDCOM 5.5.
/// [`check`](crate::check()) checks against ELF Dates.
///
/// ```
/// use elf_values::{Datatype, check_gedcom};
///
/// assert!(check_gedcom("5 Oct 1835", Datatype::DateValue).is_empty());
/// assert!(check_gedcom("ABT @#DGREGORIAN@ 3 MAR 1701/02", Datatype::DateValue).is_empty());
/// let findings = check_gedcom("44 B.C.E.", Datatype::DateValue);
/// assert_eq!(findings[0].message, "invalid date `44 B.C.E.`: expected `B.C.` or the end, but found `B.C.E.`");
/// assert_eq!(check_gedcom("15:30Z", Datatype::Time)[0].code.name(), "time-malformed");
/// ```
pub fn check_gedcom(payload: &str, datatype: Datatype) -> Vec<Finding> {
    if is_plain(payload, datatype) { Vec::new() } else { check_gedcom_in_full(payload, datatype) }
}

/// Checks a payload under [`DateRules::AsFound`](elf_base::rules::DateRules), the rules for files that real programs
/// write. These rules are those of ELF Dates with three changes: wrong case gets a finding of its own, years need three
/// or four digits, and dual years follow GEDCOM 5.5.1.
///
/// ```
/// use elf_values::{Datatype, check_as_found};
///
/// let name = |text| check_as_found(text, Datatype::DateValue).first().map(|found| found.code.name());
/// assert_eq!(name("5 Oct 1835"), Some("spelling-unusual"));
/// assert_eq!(name("12 JAN 76"), Some("year-doubtful"));
/// assert_eq!(name("1763/65"), Some("date-impossible"));
/// assert_eq!((name("1716/17"), name("44 BC"), name("076")), (None, None, None));
/// ```
pub fn check_as_found(payload: &str, datatype: Datatype) -> Vec<Finding> {
    if is_plain(payload, datatype) { Vec::new() } else { check_as_found_in_full(payload, datatype) }
}

#[cold]
fn check_as_found_in_full(payload: &str, datatype: Datatype) -> Vec<Finding> {
    let (text, findings) = correct_case(payload, datatype);
    if !findings.is_empty() {
        return findings;
    }
    let is_date = matches!(datatype, Datatype::DateValue | Datatype::DatePeriod);
    let find = |text: &str, value: &DateValue<'_>| {
        find_dual_fault(text, value).or_else(|| find_doubtful_year(text, value))
    };
    let doubt = if is_date { find_in_date(&text, find) } else { None };
    match (doubt, text) {
        (Some(mut doubt), _) => {
            quote_as_written(&mut doubt, payload);
            vec![doubt]
        }
        (None, Cow::Owned(_)) => vec![spelling_finding(payload, datatype)],
        (None, Cow::Borrowed(_)) => Vec::new(),
    }
}

fn find_dual_fault(text: &str, value: &DateValue<'_>) -> Option<Finding> {
    let (date, fault) = value.dates().find_map(|date| date.dual_fault().map(|fault| (date, fault)))?;
    let message = impossible_message(text, &date, fault);
    Some(impossible_date_finding(text, &date, message, |_| true))
}

/// Returns the finding about the first year that is probably wrong, such as a year with two digits.
fn find_doubtful_year(text: &str, value: &DateValue<'_>) -> Option<Finding> {
    let date = value.dates().find(Date::has_doubtful_year)?;
    let year = date.written_year();
    let found = recover(text).filter(|found| {
        DateValue::parse(&found.text).is_ok_and(|value| value.first().is_some() && !value.has_doubtful_year())
    });
    let help = found.as_ref().map(|found| likely_help(&found.text)).or_else(|| {
        let full =
            format!("write the year in full, such as `19{year:0>2}`, or `{year:0>3}` for the year {year}");
        (year.len() < 3).then_some(full)
    });
    Some(Finding {
        code: codes::YEAR_DOUBTFUL,
        span: date.year_place(),
        message: format!(
            "`{}`: expected a year of 3 or 4 digits, but found `{}`",
            shorten(text),
            shorten(year)
        ),
        help,
        fix: found.map(|found| Respelling { text: found.text, safety: Safety::Unsafe }),
    })
}

/// Makes the finding about a payload that is invalid only because of the case of its letters.
fn spelling_finding(payload: &str, datatype: Datatype) -> Finding {
    let trimmed = payload.trim_matches(is_space);
    let spelled = if datatype == Datatype::Age {
        likely_age(&normalise_whitespace(payload))
    } else {
        in_capitals(trimmed)
    };
    let message = match &spelled {
        Some(spelled) => format!("expected `{}`, but found `{}`", shorten(spelled), shorten(trimmed)),
        None => format!("non-standard spelling `{}`", shorten(trimmed)),
    };
    let start = payload.len() - payload.trim_start_matches(is_space).len();
    Finding {
        code: codes::SPELLING_UNUSUAL,
        span: span(start, start + trimmed.len()),
        message,
        help: None,
        fix: spelled.map(|text| Respelling { text, safety: Safety::Safe }),
    }
}

#[cold]
fn check_gedcom_in_full(payload: &str, datatype: Datatype) -> Vec<Finding> {
    let (payload, mut findings) = correct_case(payload, datatype);
    if findings.iter().any(is_malformed) {
        findings.iter_mut().for_each(|finding| remove_fix_outside_gedcom(finding, datatype));
        return findings;
    }
    if let Some(finding) = find_outside_gedcom(&payload, datatype) {
        return vec![finding];
    }
    if findings.is_empty() && datatype != Datatype::DateExact {
        return find_in_date(&payload, find_doubtful_year).into_iter().collect();
    }
    findings.iter_mut().for_each(|finding| remove_fix_outside_gedcom(finding, datatype));
    findings
}

/// Calls `find` with the date that a payload contains. Moves the span of the finding to its place in the payload.
fn find_in_date(payload: &str, find: fn(&str, &DateValue<'_>) -> Option<Finding>) -> Option<Finding> {
    let normal = normalise_whitespace(payload);
    let mut found = find(&normal, &DateValue::parse(&normal).ok()?)?;
    let start = payload.len() - payload.trim_start_matches(is_space).len();
    found.span = span(start + found.span.start as usize, start + found.span.end as usize);
    Some(found)
}

/// Changes the letters of a payload to the case that the grammar requires, if that makes the payload valid. Also
/// returns the findings of ELF Dates about the changed payload.
fn correct_case(payload: &str, datatype: Datatype) -> (Cow<'_, str>, Vec<Finding>) {
    let as_written = check_with_fault_finder(payload, datatype, |date| date.gedcom_fault());
    if !as_written.iter().any(is_malformed) {
        return (payload.into(), as_written);
    }
    for text in [payload.to_ascii_uppercase(), payload.to_ascii_lowercase()] {
        let mut findings = check_with_fault_finder(&text, datatype, |date| date.gedcom_fault());
        if !findings.iter().any(is_malformed) {
            findings.iter_mut().for_each(|finding| quote_as_written(finding, payload));
            return (text.into(), findings);
        }
    }
    (payload.into(), as_written)
}

/// Restores the case of the payload in the quotations of a message. The expected text keeps the case of the grammar.
fn quote_as_written(finding: &mut Finding, payload: &str) {
    let payload = normalise_whitespace(payload);
    let folded = payload.to_ascii_uppercase();
    let as_written = |quoted: &str| {
        let start = folded.find(&quoted.to_ascii_uppercase())?;
        payload.get(start..start + quoted.len())
    };
    let mut message = String::with_capacity(finding.message.len());
    for (number, piece) in finding.message.split('`').enumerate() {
        let is_expected = ["expected ", "such as "].iter().any(|before| message.ends_with(before));
        if number > 0 {
            message.push('`');
        }
        // The text between every second pair of backticks is a quotation.
        let found = if number % 2 == 1 && !is_expected { as_written(piece) } else { None };
        message.push_str(found.unwrap_or(piece));
    }
    finding.message = message;
}

fn is_malformed(finding: &Finding) -> bool {
    [codes::DATE_MALFORMED, codes::AGE_MALFORMED, codes::TIME_MALFORMED].contains(&finding.code)
}

fn remove_fix_outside_gedcom(finding: &mut Finding, datatype: Datatype) {
    if finding.fix.as_ref().is_some_and(|fix| find_outside_gedcom(&fix.text, datatype).is_some()) {
        finding.fix = None;
        finding.help = None;
    }
}

/// Returns the finding about the first part of a payload that ELF Dates allows and GEDCOM 5.5.1 does not.
fn find_outside_gedcom(payload: &str, datatype: Datatype) -> Option<Finding> {
    let start = payload.len() - payload.trim_start_matches(is_space).len();
    let normal = normalise_whitespace(payload);
    let (code, name, fault): (Code, _, _) = match datatype {
        Datatype::DateValue | Datatype::DatePeriod | Datatype::DateExact => {
            let name = match datatype {
                Datatype::DatePeriod => "period",
                Datatype::DateExact => "exact date",
                _ => "date",
            };
            let value = DateValue::parse(&normal).ok()?;
            let fault = value.dates().find_map(|date| find_part_outside_gedcom(&normal, &date))?;
            (codes::DATE_MALFORMED, name, fault)
        }
        Datatype::Time => {
            let time = Time::parse(&normal).ok()?;
            let zone = time.zone()?;
            let fault = span(normal.len() - zone.len(), normal.len());
            (codes::TIME_MALFORMED, "time of day", Malformed::new(&normal, fault, "no time zone"))
        }
        _ => return None,
    };
    let place = span(start + fault.span.start as usize, start + fault.span.end as usize);
    let message = malformed_message(&normal, name, &fault);
    Some(Finding { code, span: place, message, help: None, fix: None })
}

fn find_part_outside_gedcom(text: &str, date: &Date<'_>) -> Option<Malformed> {
    let whole = date.span();
    let written = whole.of(text);
    // The escape is at the start of a date, and the epoch is at its end.
    let part = |part: &str, is_last: bool, expected| {
        let at = if is_last { whole.end as usize - part.len() } else { whole.start as usize };
        Malformed::new(text, span(at, at + part.len()), expected)
    };
    if let Some(name) = date.escape().filter(|name| !CALENDARS.contains(name)) {
        let escape = written.get(..name.len() + "@#D@".len()).unwrap_or(written);
        return Some(part(escape, false, "a calendar escape such as `@#DJULIAN@`"));
    }
    if let Some(epoch) = date.epoch() {
        let has_place = matches!(date.escape(), None | Some("GREGORIAN" | "JULIAN" | "HEBREW" | "FRENCH R"));
        if epoch != "B.C." || !has_place {
            return Some(part(epoch, true, "`B.C.` or the end"));
        }
        if date.month().is_some() {
            return Some(part(epoch, true, "nothing after a date with a month"));
        }
    }
    if date.year().is_dual() {
        let (_, behind) = written.split_once('/')?;
        let digits = behind.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        let is_of_one_year = matches!(date.escape(), Some("HEBREW" | "FRENCH R"));
        if digits.len() != 2 || is_of_one_year || date.dual_fault().is_some() {
            let at = whole.end as usize - behind.len();
            let expected =
                if is_of_one_year && digits.len() == 2 { "one year" } else { "two digits of the next year" };
            return Some(Malformed::new(text, span(at, at + digits.len()), expected));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(payload: &str, datatype: Datatype) -> Vec<&'static str> {
        check_gedcom(payload, datatype).iter().map(|finding| finding.code.name()).collect()
    }

    #[test]
    fn messages_quote_what_is_written() {
        for (payload, message) in [
            (
                "5 Foo 1900",
                "`5 Foo 1900` does not exist in the Gregorian calendar: the calendar does not have this month",
            ),
            (
                "abt  foo 1900",
                "`foo 1900` does not exist in the Gregorian calendar: the calendar does not have this month",
            ),
            (
                "1900 b.d.",
                "`1900 b.d.` does not exist in the Gregorian calendar: the calendar does not have the epoch `b.d.`",
            ),
            (
                "bet 3 and 4 jan 2001",
                "`bet 3 and 4 jan 2001`: expected a year of 3 or 4 digits, but found `3`",
            ),
            ("31 feb 1900", "`31 feb 1900` does not exist in the Gregorian calendar: that month has 28 days"),
            (
                "5 FOO 1900",
                "`5 FOO 1900` does not exist in the Gregorian calendar: the calendar does not have this month",
            ),
            ("5 oct 1900", "expected `5 OCT 1900`, but found `5 oct 1900`"),
        ] {
            let found: Vec<String> = check_as_found(payload, Datatype::DateValue)
                .into_iter()
                .map(|finding| finding.message)
                .collect();
            assert_eq!(found, [message], "{payload}");
        }
    }

    #[test]
    fn dates_are_held_to_the_grammar_of_gedcom() {
        for good in [
            "1900",
            "5 Oct 1835",
            "abt 1900",
            "Bet 1900 and 1910",
            "INT 1900 (About the turn)",
            "(unknown)",
            "25 FEB 1699/00",
            "@#DGREGORIAN@ 25 FEB 1699/00",
            "@#DJULIAN@ 25 FEB 1699/00",
            "44 B.C.",
            "44B.C.",
            "@#DFRENCH R@ 1 VEND 2",
            "@#DROMAN@ 1 ABC 1",
            "@#DUNKNOWN@ 1900",
            "FROM @#DJULIAN@ 1700",
        ] {
            let found: Vec<_> = codes(good, Datatype::DateValue);
            let found: Vec<_> = found.into_iter().filter(|code| *code != "date-impossible").collect();
            assert_eq!(found, [""; 0], "{good}");
        }
        for bad in [
            "12/05/1890",
            "soon",
            "44 BC",
            "44 B.C.E.",
            "15 MAR 44 B.C.",
            "1716/1716",
            "1716/7",
            "@#DHEBREW@ 5780/81",
            "@#DMAYAN@ 1 ABC 1",
            "@#DFRENCHR@ 1 VEND 2",
            "5 OCT",
            "ABT 1900?",
        ] {
            assert_eq!(codes(bad, Datatype::DateValue), ["date-malformed"], "{bad}");
        }
        assert_eq!(codes("31 FEB 1900", Datatype::DateValue), ["date-impossible"]);
        for bad in ["32 MAY 1900/01", "29 FEB 1900/01", "32 FOO 1900/01", "130 MAY 1744/45"] {
            assert_eq!(codes(bad, Datatype::DateValue), ["date-impossible"], "{bad}");
            let both = format!("BET {bad} AND 11 FEB 1931/32");
            assert_eq!(codes(&both, Datatype::DateValue), ["date-impossible"], "{both}");
        }
        // The Julian calendar has this day, and dual years such as `1699/00` belong to that calendar.
        assert_eq!(codes("29 FEB 1699/00", Datatype::DateValue), [""; 0]);
        assert_eq!(codes("@#DGREGORIAN@ 29 FEB 1699/00", Datatype::DateValue), ["date-impossible"]);
        assert_eq!(codes("31 Feb 1900", Datatype::DateValue), ["date-impossible"]);
        assert_eq!(codes("BET 1900 AND 1890", Datatype::DateValue), ["date-reversed"]);
        assert_eq!(codes("from 1900 to 1910", Datatype::DatePeriod), [""; 0]);
        assert_eq!(codes("1900", Datatype::DatePeriod), ["date-malformed"]);
        assert_eq!(codes("1 Jan 1900", Datatype::DateExact), [""; 0]);
        assert_eq!(codes("JAN 1900", Datatype::DateExact), ["date-malformed"]);
    }

    #[test]
    fn ages_and_times_are_held_to_the_grammar_of_gedcom() {
        for (text, datatype, expected) in [
            ("4y 8m 10d", Datatype::Age, ""),
            ("4Y", Datatype::Age, ""),
            ("child", Datatype::Age, ""),
            ("<1y", Datatype::Age, ""),
            ("42", Datatype::Age, "age-without-unit"),
            ("old", Datatype::Age, "age-malformed"),
            ("15:30", Datatype::Time, ""),
            ("15:30:01.25", Datatype::Time, ""),
            ("15:30Z", Datatype::Time, "time-malformed"),
            ("15:30:00+02:00", Datatype::Time, "time-malformed"),
            ("8:30", Datatype::Time, "time-malformed"),
        ] {
            assert_eq!(codes(text, datatype).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn places_and_suggestions_are_those_of_the_payload() {
        let found = &check_gedcom("  FROM 1900 TO 44 BC", Datatype::DateValue)[0];
        assert_eq!((found.span.start, found.span.end), (18, 20));
        let found = &check_gedcom("@#DMAYAN@ 1 ABC 1", Datatype::DateValue)[0];
        assert_eq!((found.span.start, found.span.end), (0, 9));
        let found = &check_gedcom("5. Oct. 1835", Datatype::DateValue)[0];
        assert_eq!(found.fix.as_ref().map(|fix| &*fix.text), Some("5 OCT 1835"));
    }
}
