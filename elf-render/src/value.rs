//! Values of payloads as JSON, in the shapes that `docs/json.md` describes.

use elf_base::{Format, Rules};
use elf_values::{
    Age, AgeBound, AgeWord, Approximation, Bound, Calendar, CalendarName, Datatype, DateForm, DateValue,
    Finding, Gedcom7, Integer, Time, check, iso_day,
};
use serde::{Serialize, Serializer};

/// A payload, and what it says by its datatype.
#[derive(Serialize)]
pub struct Value<'a> {
    /// The payload as it was given; left out beside a structure that has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a str>,
    /// The IRI of the datatype.
    pub datatype: &'static str,
    /// The form of the value; `text` where it is none.
    pub form: &'static str,
    #[serde(flatten)]
    parts: Parts,
    /// The canonical spelling of what is in the grammar.
    pub canonical: Option<String>,
    /// The days of the value in another calendar, where one was asked for and can state them.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    pub there: Option<String>,
    /// The reason why there is none in the calendar that was asked for.
    #[serde(rename = "not_in", skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// The faults.
    pub findings: Vec<Fault>,
}

/// The parts of a value, by its datatype.
#[derive(Serialize)]
#[serde(untagged)]
enum Parts {
    Date(DateParts),
    Age(AgeParts),
    Time(TimeParts),
    None {},
}

#[derive(Serialize)]
struct DateParts {
    #[serde(skip_serializing_if = "Option::is_none")]
    modifier: Option<&'static str>,
    dates: Vec<OneDate>,
    phrase: Option<String>,
    earliest: Option<i64>,
    latest: Option<i64>,
    earliest_iso: Option<String>,
    latest_iso: Option<String>,
}

#[derive(Serialize)]
struct OneDate {
    calendar: String,
    year: Number,
    logical: Number,
    dual: Option<Number>,
    month: Option<String>,
    day: Option<Number>,
    epoch: Option<String>,
}

#[derive(Serialize)]
struct AgeParts {
    bound: Option<&'static str>,
    word: Option<&'static str>,
    years: Option<Number>,
    months: Option<Number>,
    days: Option<Number>,
}

#[derive(Serialize)]
struct TimeParts {
    hours: u8,
    minutes: u8,
    seconds: Option<u8>,
    fraction: Option<String>,
    zone: Option<String>,
}

/// A number of 64 bits, or the digits of a longer one as a string.
struct Number(Result<i64, String>);

/// A fault of a payload.
#[derive(Serialize)]
pub struct Fault {
    code: &'static str,
    name: &'static str,
    class: &'static str,
    /// The fault in words.
    pub message: String,
    /// The first column of the payload that is at fault, in characters from 1.
    column: usize,
    end_column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'static str>,
    /// The advice that goes with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Replacement>,
}

#[derive(Serialize)]
struct Replacement {
    safety: &'static str,
    payload: String,
}

impl<'a> Value<'a> {
    /// Reads a payload of `datatype` by the draft of `rules`; with the same days in `calendar`.
    pub fn of(text: &'a str, datatype: Datatype, calendar: Option<Calendar>, rules: &Rules) -> Value<'a> {
        let findings = check(text, datatype);
        let findings = findings.into_iter().map(|finding| Fault::new(finding, text, rules.format)).collect();
        let (form, parts, canonical, there) = match elf_values::Value::read(text, datatype) {
            elf_values::Value::Date(value) => Some(date(&value, calendar)),
            elf_values::Value::Period(period) => Some(date(period.value(), calendar)),
            elf_values::Value::Exact(day) => {
                let day = day.to_string();
                DateValue::parse(&day).ok().map(|value| {
                    let (form, parts, _, there) = date(&value, calendar);
                    (form, parts, Some(day.clone()), there)
                })
            }
            elf_values::Value::Age(value) => Some(age(&value)),
            elf_values::Value::Time(value) => Some(time(&value)),
            elf_values::Value::Name(_)
            | elf_values::Value::Latitude(_)
            | elf_values::Value::Longitude(_)
            | elf_values::Value::Language(_)
            | elf_values::Value::List(_)
            | elf_values::Value::Integer(_)
            | elf_values::Value::Word(_)
            | elf_values::Value::Text(_) => None,
        }
        .unwrap_or_else(|| ("text", nothing(datatype), None, None));
        // What is in a grammar of GEDCOM 7.0 is spelled as it has to be.
        let canonical = canonical.map(|elf| match datatype {
            Datatype::Gedcom7(_) => text.to_owned(),
            _ => elf,
        });
        let (there, reason) = match there {
            Some(Ok(there)) => (Some(there), None),
            Some(Err(reason)) => (None, Some(reason)),
            None => (None, None),
        };
        Value {
            text: Some(text),
            datatype: datatype.iri().unwrap_or_default(),
            form,
            parts,
            canonical,
            there,
            reason,
            findings,
        }
    }
}

/// The parts of a payload that is no value.
const fn nothing(datatype: Datatype) -> Parts {
    match datatype {
        Datatype::DateValue
        | Datatype::DatePeriod
        | Datatype::DateExact
        | Datatype::Gedcom7(Gedcom7::Date | Gedcom7::Period | Gedcom7::Exact) => Parts::Date(DateParts {
            modifier: None,
            dates: Vec::new(),
            phrase: None,
            earliest: None,
            latest: None,
            earliest_iso: None,
            latest_iso: None,
        }),
        Datatype::Age
        | Datatype::Time
        | Datatype::PersonalName
        | Datatype::Latitude
        | Datatype::Longitude
        | Datatype::Language
        | Datatype::List
        | Datatype::Integer
        | Datatype::Word(_)
        | Datatype::Gedcom7(Gedcom7::Age | Gedcom7::Time)
        | Datatype::Text => Parts::None {},
    }
}

/// Form, parts, canonical spelling, and the spelling in another calendar or why there is none.
type Read = (&'static str, Parts, Option<String>, Option<Result<String, &'static str>>);

fn date(value: &DateValue<'_>, calendar: Option<Calendar>) -> Read {
    let (form, modifier) = match value.form() {
        DateForm::Exact(_) => ("exact", None),
        DateForm::Approximated(Approximation::About, _) => ("approximated", Some("ABT")),
        DateForm::Approximated(Approximation::Calculated, _) => ("approximated", Some("CAL")),
        DateForm::Approximated(Approximation::Estimated, _) => ("approximated", Some("EST")),
        DateForm::Interpreted(..) => ("interpreted", Some("INT")),
        DateForm::Phrase(_) => ("phrase", None),
        DateForm::Before(_) => ("before", None),
        DateForm::After(_) => ("after", None),
        DateForm::Between(..) => ("between", None),
        DateForm::From(_) => ("from", None),
        DateForm::To(_) => ("to", None),
        DateForm::FromTo(..) => ("from-to", None),
    };
    let days = value.days();
    let iso = |bound: Bound| iso_day(bound.day()?);
    let parts = DateParts {
        modifier,
        dates: value.dates().map(one_date).collect(),
        phrase: value.phrase().map(str::to_owned),
        earliest: days.earliest.day(),
        latest: days.latest.day(),
        earliest_iso: iso(days.earliest),
        latest_iso: iso(days.latest),
    };
    let there = calendar.map(|calendar| {
        let reason = || value.reason_not_in(calendar).unwrap_or_default();
        value.in_calendar(calendar).ok_or_else(reason)
    });
    (form, Parts::Date(parts), Some(value.to_string()), there)
}

fn one_date(date: elf_values::Date<'_>) -> OneDate {
    let calendar = match date.calendar() {
        CalendarName::Known(calendar) => calendar.name(),
        CalendarName::Unfamiliar(name) => name,
        CalendarName::Unknown => "UNKNOWN",
    };
    let year = date.year();
    // The second number as it is spelled: two digits of 1648/49.
    let spelled = year.to_string();
    let dual =
        spelled.split_once('/').and_then(|(_, second)| Integer::parse(second).map(|second| number(&second)));
    OneDate {
        calendar: calendar.to_owned(),
        year: number(year.historical()),
        logical: number(year.logical()),
        dual,
        month: date.month().map(str::to_owned),
        day: date.day().as_ref().map(number),
        epoch: date.epoch_name().map(str::to_owned),
    }
}

fn age(age: &Age<'_>) -> Read {
    let (form, parts) = match age {
        Age::Word(word) => {
            let word = match word {
                AgeWord::Child => "CHILD",
                AgeWord::Infant => "INFANT",
                AgeWord::Stillborn => "STILLBORN",
            };
            ("word", AgeParts { bound: None, word: Some(word), years: None, months: None, days: None })
        }
        Age::Quantity(bound, duration) => {
            let bound = bound.map(|bound| match bound {
                AgeBound::AtMost => "<",
                AgeBound::AtLeast => ">",
            });
            let parts = AgeParts {
                bound,
                word: None,
                years: duration.years().map(number),
                months: duration.months().map(number),
                days: duration.days().map(number),
            };
            ("duration", parts)
        }
    };
    (form, Parts::Age(parts), Some(age.to_string()), None)
}

fn time(time: &Time<'_>) -> Read {
    let parts = TimeParts {
        hours: time.hours(),
        minutes: time.minutes(),
        seconds: time.seconds(),
        fraction: Some(time.fraction().to_owned()).filter(|digits| !digits.is_empty()),
        zone: time.zone().map(str::to_owned),
    };
    ("time", Parts::Time(parts), Some(time.to_string()), None)
}

fn number(number: &Integer<'_>) -> Number {
    Number(number.to_i64().ok_or_else(|| number.to_string()))
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Ok(number) => serializer.serialize_i64(*number),
            Err(digits) => serializer.serialize_str(digits),
        }
    }
}

impl Fault {
    fn new(finding: Finding, text: &str, format: Format) -> Fault {
        let column = |octet: u32| {
            let before = text.get(..octet as usize).unwrap_or_default();
            before.chars().count() + 1
        };
        Fault {
            code: finding.code.id(),
            name: finding.code.name(),
            class: finding.code.class(format).name(),
            message: finding.message,
            column: column(finding.span.start),
            end_column: column(finding.span.end),
            clause: finding.code.clause(format),
            help: finding.help,
            fix: finding.fix.map(|fix| Replacement { safety: fix.safety.name(), payload: fix.text }),
        }
    }
}
