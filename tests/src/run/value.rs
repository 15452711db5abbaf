//! Runs vectors about payloads and their values.

use super::compare;
use crate::notation::value::ValueCheck;
use crate::vectors::Expect;
use elf_base::Code;
use elf_values::{
    Age, Approximation, Bound, Calendar, CalendarName, Datatype, Date, DateExact, DateForm, DatePeriod,
    DateValue, Time, check, recover,
};

/// Checks each fact against the library, and the findings about the payload.
pub(super) fn run_value(asked: &ValueCheck, expect: &Expect) -> Result<(), String> {
    for (key, expected) in &asked.facts {
        let found = match *key {
            "lexical" => yes_or_no(canonical_spelling(asked.datatype, &asked.payload).is_some()),
            "canonical" => {
                canonical_spelling(asked.datatype, &asked.payload).unwrap_or_else(|| "none".to_owned())
            }
            "equals" => yes_or_no(equal(asked.datatype, &asked.payload, expected)),
            "recovered" => recover(&asked.payload).map_or_else(|| "none".to_owned(), |found| found.text),
            _ => date_fact(key, &asked.payload)?,
        };
        let expected = match *key {
            "equals" => "yes",
            // A value that cannot be judged counts as well-formed.
            "wf" if expected == "assumed" => "yes",
            _ => expected,
        };
        compare(key, expected, &found)?;
    }
    let codes: Vec<Code> =
        check(&asked.payload, asked.datatype).into_iter().map(|finding| finding.code).collect();
    if expect.codes.as_ref().is_some_and(|expected| *expected != codes) {
        return Err(format!("expected the codes {:?}, but found {codes:?}", expect.codes));
    }
    match expect.reports.iter().find(|code| !codes.contains(code)) {
        Some(code) => Err(format!("expected {code}, but found {codes:?}")),
        None => match expect.never.iter().find(|code| codes.contains(code)) {
            Some(code) => Err(format!("expected no {code}, but found it")),
            None => Ok(()),
        },
    }
}

/// The canonical spelling. `None` if the payload does not match the grammar.
fn canonical_spelling(datatype: Datatype, payload: &str) -> Option<String> {
    match datatype {
        Datatype::DateValue => DateValue::parse(payload).ok().map(|value| value.to_string()),
        Datatype::DatePeriod => DatePeriod::parse(payload).ok().map(|period| period.value().to_string()),
        Datatype::DateExact => DateExact::parse(payload).ok().map(|day| day.to_string()),
        Datatype::Age => Age::parse(payload).ok().map(|age| age.to_string()),
        Datatype::Time => Time::parse(payload).ok().map(|time| time.to_string()),
        _ => None,
    }
}

fn equal(datatype: Datatype, one: &str, other: &str) -> bool {
    match datatype {
        Datatype::DateValue => {
            DateValue::parse(one).is_ok() && DateValue::parse(one) == DateValue::parse(other)
        }
        Datatype::DatePeriod => {
            DatePeriod::parse(one).is_ok() && DatePeriod::parse(one) == DatePeriod::parse(other)
        }
        Datatype::DateExact => {
            DateExact::parse(one).is_ok() && DateExact::parse(one) == DateExact::parse(other)
        }
        Datatype::Age => Age::parse(one).is_ok() && Age::parse(one) == Age::parse(other),
        Datatype::Time => Time::parse(one).is_ok() && Time::parse(one) == Time::parse(other),
        _ => false,
    }
}

/// The fact about a date with this key.
fn date_fact(key: &str, payload: &str) -> Result<String, String> {
    let value = DateValue::parse(payload).map_err(|fault| fault.to_string())?;
    let first = || value.first().ok_or("expected a date, but found a phrase");
    Ok(match key {
        "calendar" => calendar(first()?).to_owned(),
        "second" => calendar(value.second().ok_or("expected a second date")?).to_owned(),
        "wf" => yes_or_no(!value.dates().any(|date| date.is_known_ill_formed())),
        "form" => form(&value).to_owned(),
        "phrase" => value.phrase().unwrap_or("none").to_owned(),
        "hist" => first()?.year().historical().to_string(),
        "logical" => first()?.year().logical().to_string(),
        "day" => first()?.day().map_or_else(|| "none".to_owned(), |day| day.to_string()),
        "days" => format!("{}..{}", bound(value.days().earliest), bound(value.days().latest)),
        "reversed" => yes_or_no(value.is_reversed()),
        "gregorian" => value.in_calendar(Calendar::Gregorian).unwrap_or_else(|| "none".to_owned()),
        _ => return Err(format!("there is no fact {key:?} of a date")),
    })
}

fn calendar(date: Date<'_>) -> &str {
    match date.calendar() {
        CalendarName::Known(calendar) => calendar.name(),
        CalendarName::Unfamiliar(name) => name,
        CalendarName::Unknown => "UNKNOWN",
    }
}

fn bound(bound: Bound) -> String {
    match bound {
        Bound::Day(number) => number.to_string(),
        Bound::Open => String::new(),
        Bound::Unknown => "?".to_owned(),
    }
}

fn form(value: &DateValue<'_>) -> &'static str {
    match value.form() {
        DateForm::Exact(_) => "",
        DateForm::Approximated(Approximation::About, _) => "ABT",
        DateForm::Approximated(Approximation::Calculated, _) => "CAL",
        DateForm::Approximated(Approximation::Estimated, _) => "EST",
        DateForm::Interpreted(..) => "INT",
        DateForm::Phrase(_) => "PHRASE",
        DateForm::Before(_) => "BEF",
        DateForm::After(_) => "AFT",
        DateForm::Between(..) => "BET",
        DateForm::From(_) => "FROM",
        DateForm::To(_) => "TO",
        DateForm::FromTo(..) => "FROM-TO",
    }
}

fn yes_or_no(holds: bool) -> String {
    if holds { "yes" } else { "no" }.to_owned()
}
