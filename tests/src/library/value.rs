//! Answers about the values of payloads.

use super::text;
use crate::answer::{Answer, Finding};
use crate::vectors::Case;
use elf_base::Diagnostic;
use elf_values::{
    Age, Approximation, Bound, Calendar, CalendarName, Datatype, Date, DateExact, DateForm, DatePeriod,
    DateValue, Time, check, recover,
};

/// The answer for the form `value`: the facts that the vector expects.
pub(super) fn answer(case: &Case) -> Result<Answer, String> {
    let payload = text(case)?;
    let name = case.vector.datatype.as_deref().ok_or("expected a datatype")?;
    let datatype = Datatype::of_iri(&format!("https://terms.fhiso.org/elf/{name}"));
    let datatype = datatype.ok_or_else(|| format!("there is no datatype {name:?}"))?;
    let mut answer = Answer::default();
    for (key, expected) in &case.vector.value {
        let found = match key.as_str() {
            "lexical" => yes_or_no(canonical(datatype, &payload).is_some()),
            "canonical" => canonical(datatype, &payload).unwrap_or_else(|| "none".to_owned()),
            // The other payload, if it has the same value.
            "equals" => match equal(datatype, &payload, &expected.word()) {
                true => expected.word(),
                false => "something else".to_owned(),
            },
            "recovered" => recover(&payload).map_or_else(|| "none".to_owned(), |found| found.text),
            _ => of_date(key, &payload)?,
        };
        answer.value.insert(key.clone(), found);
    }
    let rules = &case.rules;
    answer.findings = check(&payload, datatype)
        .into_iter()
        .map(|found| Finding::of_library(&Diagnostic::new(found.code, rules, found.message)))
        .collect();
    Ok(answer)
}

/// The canonical spelling; `None` where the payload is not in the grammar.
fn canonical(datatype: Datatype, payload: &str) -> Option<String> {
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

/// The fact of that key about a date.
fn of_date(key: &str, payload: &str) -> Result<String, String> {
    let value = DateValue::parse(payload).map_err(|fault| fault.to_string())?;
    let first = || value.first().ok_or("expected a date, but found a phrase");
    Ok(match key {
        "calendar" => calendar(first()?).to_owned(),
        "second_calendar" => calendar(value.second().ok_or("expected a second date")?).to_owned(),
        "well_formed" => yes_or_no(!value.dates().any(|date| date.is_known_ill_formed())),
        "form" => form(&value).to_owned(),
        "modifier" => modifier(&value).to_owned(),
        "phrase" => value.phrase().unwrap_or("none").to_owned(),
        "historical_year" => first()?.year().historical().to_string(),
        "logical_year" => first()?.year().logical().to_string(),
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
        DateForm::Exact(_) => "exact",
        DateForm::Approximated(..) => "approximated",
        DateForm::Interpreted(..) => "interpreted",
        DateForm::Phrase(_) => "phrase",
        DateForm::Before(_) => "before",
        DateForm::After(_) => "after",
        DateForm::Between(..) => "between",
        DateForm::From(_) => "from",
        DateForm::To(_) => "to",
        DateForm::FromTo(..) => "from-to",
    }
}

fn modifier(value: &DateValue<'_>) -> &'static str {
    match value.form() {
        DateForm::Approximated(Approximation::About, _) => "ABT",
        DateForm::Approximated(Approximation::Calculated, _) => "CAL",
        DateForm::Approximated(Approximation::Estimated, _) => "EST",
        _ => "none",
    }
}

fn yes_or_no(holds: bool) -> String {
    if holds { "yes" } else { "no" }.to_owned()
}
