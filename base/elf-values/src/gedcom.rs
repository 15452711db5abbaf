//! The grammars of GEDCOM 5.5 and 5.5.1 for dates, ages and times, by what they have otherwise than those of
//! ELF Dates.
//!
//! | | ELF Dates | GEDCOM |
//! | --- | --- | --- |
//! | capital and small letters | differ | count as alike |
//! | calendar escapes | any name | the six that are listed |
//! | epochs | any initials, after any date | `B.C.`, after a year alone |
//! | dual years | of the Julian calendar | of the Gregorian one; two digits after the solidus |
//! | ages without a unit | years | none |
//! | time zones | kept | none |

use crate::check::check_judging;
use crate::datatype::Datatype;
use crate::date::{Date, DateValue};
use crate::finding::{Finding, malformed_message};
use crate::plain::is_plain;
use crate::problem::Malformed;
use crate::scan::{is_space, normalised, span};
use crate::time::Time;
use elf_base::{Code, codes};
use std::borrow::Cow;

/// The names in the calendar escapes of GEDCOM.
const CALENDARS: [&str; 6] = ["GREGORIAN", "JULIAN", "HEBREW", "FRENCH R", "ROMAN", "UNKNOWN"];

/// Checks a payload of `datatype` against the grammars of GEDCOM 5.5.1, which are the same in 5.5 for dates, ages and
/// times. [`check`](crate::check()) checks against ELF Dates.
///
/// ```
/// use elf_values::{Datatype, check_gedcom};
///
/// assert!(check_gedcom("5 Oct 1835", Datatype::DateValue).is_empty());
/// assert!(check_gedcom("ABT @#DGREGORIAN@ 3 MAR 1701/02", Datatype::DateValue).is_empty());
/// let findings = check_gedcom("44 B.C.E.", Datatype::DateValue);
/// assert_eq!(findings[0].message, "`44 B.C.E.` is no date: expected `B.C.` or nothing more, but found `B.C.E.`");
/// assert_eq!(check_gedcom("15:30Z", Datatype::Time)[0].code.name(), "time-malformed");
/// ```
pub fn check_gedcom(payload: &str, datatype: Datatype) -> Vec<Finding> {
    if is_plain(payload, datatype) { Vec::new() } else { check_gedcom_in_full(payload, datatype) }
}

#[cold]
fn check_gedcom_in_full(payload: &str, datatype: Datatype) -> Vec<Finding> {
    let (payload, mut findings) = in_its_letters(payload, datatype);
    if findings.iter().any(is_malformed) {
        findings.iter_mut().for_each(|finding| keep_gedcom(finding, datatype));
        return findings;
    }
    if let Some(finding) = outside(&payload, datatype) {
        return vec![finding];
    }
    findings.iter_mut().for_each(|finding| keep_gedcom(finding, datatype));
    findings
}

/// The payload in the letters of the grammar, where it is in it but for capital and small ones, and what ELF
/// Dates says of it.
fn in_its_letters(payload: &str, datatype: Datatype) -> (Cow<'_, str>, Vec<Finding>) {
    let as_written = check_judging(payload, datatype, |date| date.fault_beside_dual());
    if !as_written.iter().any(is_malformed) {
        return (payload.into(), as_written);
    }
    for text in [payload.to_ascii_uppercase(), payload.to_ascii_lowercase()] {
        let findings = check_judging(&text, datatype, |date| date.fault_beside_dual());
        if !findings.iter().any(is_malformed) {
            return (text.into(), findings);
        }
    }
    (payload.into(), as_written)
}

fn is_malformed(finding: &Finding) -> bool {
    [codes::DATE_MALFORMED, codes::AGE_MALFORMED, codes::TIME_MALFORMED].contains(&finding.code)
}

/// Takes a suggestion away that is outside the grammars of GEDCOM.
fn keep_gedcom(finding: &mut Finding, datatype: Datatype) {
    if finding.fix.as_ref().is_some_and(|fix| outside(&fix.text, datatype).is_some()) {
        finding.fix = None;
        finding.help = None;
    }
}

/// The first place of a payload in the grammar of ELF Dates that GEDCOM does not have.
fn outside(payload: &str, datatype: Datatype) -> Option<Finding> {
    let start = payload.len() - payload.trim_start_matches(is_space).len();
    let normal = normalised(payload);
    let (code, name, fault): (Code, _, _) = match datatype {
        Datatype::DateValue | Datatype::DatePeriod | Datatype::DateExact => {
            let name = match datatype {
                Datatype::DatePeriod => "period",
                Datatype::DateExact => "exact date",
                _ => "date",
            };
            let value = DateValue::parse(&normal).ok()?;
            let fault = value.dates().find_map(|date| date_outside(&normal, &date))?;
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

fn date_outside(text: &str, date: &Date<'_>) -> Option<Malformed> {
    let whole = date.span();
    let written = whole.of(text);
    // The epoch ends a date, the escape starts it.
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
            return Some(part(epoch, true, "`B.C.` or nothing more"));
        }
        if date.month().is_some() {
            return Some(part(epoch, true, "nothing more behind a date with a month"));
        }
    }
    if date.year().is_dual() {
        let (_, behind) = written.split_once('/')?;
        let digits = behind.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        if digits.len() != 2 || matches!(date.escape(), Some("HEBREW" | "FRENCH R")) {
            let at = whole.end as usize - behind.len();
            let expected = if digits.len() == 2 { "one year" } else { "two digits of the next year" };
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
        // The Julian calendar, whose years such dates are of, has that day.
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
