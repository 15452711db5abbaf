//! Values of payloads as JSON, in the shapes that `docs/json.md` describes.

use crate::json;
use elf_base::{Format, Rules};
use elf_values::{
    Age, AgeBound, AgeWord, Approximation, Bound, Calendar, CalendarName, Datatype, Date, DateForm,
    DateValue, Duration, Finding, Gedcom7, Integer, Time, check, is_canonical_date, iso_day,
};
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, Write};

/// A payload, and what it says by its datatype.
pub struct Value<'a> {
    /// The payload as it was given; left out beside a structure that has it.
    pub text: Option<&'a str>,
    /// The IRI of the datatype.
    pub datatype: &'static str,
    /// The form of the value; `text` where it is none.
    pub form: &'static str,
    parts: Parts<'a>,
    /// The canonical spelling of what is in the grammar.
    pub canonical: Option<Cow<'a, str>>,
    /// The days of the value in another calendar, where one was asked for and can state them.
    pub there: Option<String>,
    /// The reason why they cannot be stated in that calendar.
    pub reason: Option<&'static str>,
    /// The faults.
    pub findings: Vec<Fault>,
}

/// The parts of a value, by its datatype; of a date `None` where the payload is none.
enum Parts<'a> {
    Date(Option<DateValue<'a>>),
    Age(Age<'a>),
    Time(Time<'a>),
    None,
}

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
        let spelled = |value: &DateValue<'_>| match is_canonical_date(text) {
            true => Cow::Borrowed(text),
            false => Cow::Owned(value.to_string()),
        };
        let findings = check(text, datatype);
        let findings = findings.into_iter().map(|finding| Fault::new(finding, text, rules.format)).collect();
        let (form, parts, canonical, there) = match elf_values::Value::read(text, datatype) {
            elf_values::Value::Date(value) => {
                let canonical = spelled(&value);
                Some(date(value, calendar, canonical))
            }
            elf_values::Value::Period(period) => {
                let canonical = spelled(period.value());
                Some(date(period.value().clone(), calendar, canonical))
            }
            elf_values::Value::Exact(day) => {
                let day = day.to_string();
                let value = DateValue::parse(&day).ok().map(DateValue::into_owned);
                value.map(|value| date(value, calendar, Cow::Owned(day)))
            }
            elf_values::Value::Age(value) => Some(age(value)),
            elf_values::Value::Time(value) => {
                let canonical = value.to_string();
                Some(("time", Parts::Time(value), Some(Cow::Owned(canonical)), None))
            }
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
            Datatype::Gedcom7(_) => Cow::Borrowed(text),
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

impl Value<'_> {
    /// Writes it as one JSON object.
    ///
    /// # Errors
    ///
    /// Whatever keeps `out` from being written.
    ///
    /// ```
    /// use elf_base::Rules;
    /// use elf_report::value::Value;
    /// use elf_values::{Calendar, Datatype};
    ///
    /// let value = Value::of("17y", Datatype::Age, None, &Rules::WILD);
    /// let mut json = Vec::new();
    /// value.json(&mut json)?;
    /// let written = String::from_utf8_lossy(&json);
    /// assert!(written.ends_with(r#""years":17,"months":null,"days":null,"canonical":"17y","findings":[]}"#));
    ///
    /// let phrase = Value::of("(May)", Datatype::DateValue, Some(Calendar::Julian), &Rules::WILD);
    /// let mut json = Vec::new();
    /// phrase.json(&mut json)?;
    /// assert!(String::from_utf8_lossy(&json).contains(r#","not_in":"words have no days","#));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn json(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(b"{")?;
        if let Some(text) = self.text {
            out.write_all(b"\"text\":")?;
            json::string(out, text)?;
            out.write_all(b",")?;
        }
        out.write_all(b"\"datatype\":")?;
        json::string(out, self.datatype)?;
        out.write_all(b",\"form\":")?;
        json::string(out, self.form)?;
        match &self.parts {
            Parts::Date(value) => date_json(out, value.as_ref())?,
            Parts::Age(value) => age_json(out, value)?,
            Parts::Time(value) => time_json(out, value)?,
            Parts::None => {}
        }
        text_json(out, b",\"canonical\":", self.canonical.as_deref())?;
        if self.there.is_some() {
            text_json(out, b",\"in\":", self.there.as_deref())?;
        }
        if self.reason.is_some() {
            text_json(out, b",\"not_in\":", self.reason)?;
        }
        out.write_all(b",\"findings\":")?;
        serde_json::to_writer(&mut *out, &self.findings)?;
        out.write_all(b"}")
    }
}

/// Returns the parts of a payload that is no value.
const fn nothing(datatype: Datatype) -> Parts<'static> {
    match datatype {
        Datatype::DateValue
        | Datatype::DatePeriod
        | Datatype::DateExact
        | Datatype::Gedcom7(Gedcom7::Date | Gedcom7::Period | Gedcom7::Exact) => Parts::Date(None),
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
        | Datatype::Text => Parts::None,
    }
}

/// Form, parts, canonical spelling, and the spelling in another calendar or why there is none.
type Read<'a> = (&'static str, Parts<'a>, Option<Cow<'a, str>>, Option<Result<String, &'static str>>);

fn date<'a>(value: DateValue<'a>, calendar: Option<Calendar>, canonical: Cow<'a, str>) -> Read<'a> {
    let form = match value.form() {
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
    };
    let there = calendar.map(|calendar| {
        let reason = || value.reason_not_in(calendar).unwrap_or_default();
        value.in_calendar(calendar).ok_or_else(reason)
    });
    (form, Parts::Date(Some(value)), Some(canonical), there)
}

fn age(age: Age<'_>) -> Read<'_> {
    let form = match age {
        Age::Word(_) => "word",
        Age::Quantity(..) => "duration",
    };
    let canonical = age.to_string();
    (form, Parts::Age(age), Some(Cow::Owned(canonical)), None)
}

fn date_json(out: &mut impl Write, value: Option<&DateValue<'_>>) -> io::Result<()> {
    let Some(value) = value else {
        let nothing = b",\"dates\":[],\"phrase\":null,\"earliest\":null,\"latest\":null,\
                        \"earliest_iso\":null,\"latest_iso\":null";
        return out.write_all(nothing);
    };
    let modifier = match value.form() {
        DateForm::Approximated(Approximation::About, _) => Some("ABT"),
        DateForm::Approximated(Approximation::Calculated, _) => Some("CAL"),
        DateForm::Approximated(Approximation::Estimated, _) => Some("EST"),
        DateForm::Interpreted(..) => Some("INT"),
        DateForm::Exact(_)
        | DateForm::Phrase(_)
        | DateForm::Before(_)
        | DateForm::After(_)
        | DateForm::Between(..)
        | DateForm::From(_)
        | DateForm::To(_)
        | DateForm::FromTo(..) => None,
    };
    if modifier.is_some() {
        text_json(out, b",\"modifier\":", modifier)?;
    }
    out.write_all(b",\"dates\":[")?;
    for (index, date) in value.dates().enumerate() {
        out.write_all(if index > 0 { b",{" } else { b"{" })?;
        one_date_json(out, date)?;
        out.write_all(b"}")?;
    }
    text_json(out, b"],\"phrase\":", value.phrase())?;
    let days = value.days();
    let [earliest, latest] = [days.earliest, days.latest].map(Bound::day);
    int_json(out, b",\"earliest\":", earliest)?;
    int_json(out, b",\"latest\":", latest)?;
    let earliest_iso = earliest.and_then(iso_day);
    text_json(out, b",\"earliest_iso\":", earliest_iso.as_deref())?;
    let latest_iso = if latest == earliest { earliest_iso } else { latest.and_then(iso_day) };
    text_json(out, b",\"latest_iso\":", latest_iso.as_deref())
}

fn one_date_json(out: &mut impl Write, date: Date<'_>) -> io::Result<()> {
    let calendar = match date.calendar() {
        CalendarName::Known(calendar) => calendar.name(),
        CalendarName::Unfamiliar(name) => name,
        CalendarName::Unknown => "UNKNOWN",
    };
    text_json(out, b"\"calendar\":", Some(calendar))?;
    let year = date.year();
    number_json(out, b",\"year\":", Some(year.historical()))?;
    number_json(out, b",\"logical\":", Some(year.logical()))?;
    // The second number as it is spelled: two digits of 1648/49.
    let spelled = if year.is_dual() { year.to_string() } else { String::new() };
    let dual = spelled.split_once('/').and_then(|(_, second)| Integer::parse(second));
    number_json(out, b",\"dual\":", dual.as_ref())?;
    text_json(out, b",\"month\":", date.month())?;
    number_json(out, b",\"day\":", date.day().as_ref())?;
    text_json(out, b",\"epoch\":", date.epoch_name())
}

fn age_json(out: &mut impl Write, age: &Age<'_>) -> io::Result<()> {
    let (bound, word, duration) = match age {
        Age::Word(AgeWord::Child) => (None, Some("CHILD"), None),
        Age::Word(AgeWord::Infant) => (None, Some("INFANT"), None),
        Age::Word(AgeWord::Stillborn) => (None, Some("STILLBORN"), None),
        Age::Quantity(None, duration) => (None, None, Some(duration)),
        Age::Quantity(Some(AgeBound::AtMost), duration) => (Some("<"), None, Some(duration)),
        Age::Quantity(Some(AgeBound::AtLeast), duration) => (Some(">"), None, Some(duration)),
    };
    text_json(out, b",\"bound\":", bound)?;
    text_json(out, b",\"word\":", word)?;
    number_json(out, b",\"years\":", duration.and_then(Duration::years))?;
    number_json(out, b",\"months\":", duration.and_then(Duration::months))?;
    number_json(out, b",\"days\":", duration.and_then(Duration::days))
}

fn time_json(out: &mut impl Write, time: &Time<'_>) -> io::Result<()> {
    let fraction = Some(time.fraction()).filter(|digits| !digits.is_empty());
    int_json(out, b",\"hours\":", Some(time.hours().into()))?;
    int_json(out, b",\"minutes\":", Some(time.minutes().into()))?;
    int_json(out, b",\"seconds\":", time.seconds().map(i64::from))?;
    text_json(out, b",\"fraction\":", fraction)?;
    text_json(out, b",\"zone\":", time.zone())
}

/// Writes a text behind its name, or `null`.
fn text_json(out: &mut impl Write, name: &[u8], text: Option<&str>) -> io::Result<()> {
    out.write_all(name)?;
    match text {
        Some(text) => json::string(out, text),
        None => out.write_all(b"null"),
    }
}

/// Writes a number behind its name: the digits of one beyond 64 bits as a string.
fn number_json(out: &mut impl Write, name: &[u8], number: Option<&Integer<'_>>) -> io::Result<()> {
    match number.map(|number| number.to_i64().ok_or(number)) {
        Some(Err(long)) => text_json(out, name, Some(&long.to_string())),
        Some(Ok(number)) => int_json(out, name, Some(number)),
        None => int_json(out, name, None),
    }
}

/// Writes a number that is never beyond 64 bits behind its name.
fn int_json(out: &mut impl Write, name: &[u8], number: Option<i64>) -> io::Result<()> {
    out.write_all(name)?;
    Ok(serde_json::to_writer(out, &number)?)
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
