//! Values of payloads as JSON, in the shapes that `docs/json.md` describes.

use elf_base::{Format, Rules};
use elf_values::{
    Age, AgeBound, AgeWord, Approximation, Bound, Calendar, CalendarName, Datatype, Date, DateForm,
    DateValue, Days, Duration, Finding, Gedcom70, Integer, Time, check, check_as_found, is_canonical_date,
    iso_day,
};
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, Write};

/// A payload, and its meaning by datatype.
pub struct Value<'a> {
    /// The payload as given. Left out if the structure is printed with it.
    pub text: Option<&'a str>,
    /// The IRI of the datatype.
    pub datatype: &'static str,
    /// The form of the value; `text` for an invalid value.
    pub form: &'static str,
    parts: Parts<'a>,
    /// The days of a date as understood. The payload may deviate from the grammar.
    pub days: Option<Days>,
    /// The same days in EDTF, if EDTF can express them.
    pub edtf: Option<String>,
    /// The canonical spelling of a valid value.
    pub canonical: Option<Cow<'a, str>>,
    /// The days of the value in the requested calendar, if it can express them.
    pub there: Option<String>,
    /// The reason why the calendar cannot express the days.
    pub reason: Option<&'static str>,
    /// The faults of the payload.
    pub findings: Vec<Fault>,
}

/// The parts of a value, by datatype. For a date, `None` if the payload is invalid.
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
    /// The message.
    pub message: String,
    /// The first faulty column of the payload, in characters from 1.
    column: usize,
    end_column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'static str>,
    /// The help that belongs to the message.
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
    /// Reads a payload of `datatype` under `rules`, and converts its days to `calendar`. Form and
    /// parts follow the grammar; the days are those that the payload means.
    pub fn of(text: &'a str, datatype: Datatype, calendar: Option<Calendar>, rules: &Rules) -> Value<'a> {
        let spelled = |value: &DateValue<'_>| match is_canonical_date(text) {
            true => Cow::Borrowed(text),
            false => Cow::Owned(value.to_string()),
        };
        let dates = rules.schema.dates;
        let findings =
            if dates.fold_letters() { check_as_found(text, datatype) } else { check(text, datatype) };
        let findings: Vec<Fault> =
            findings.into_iter().map(|finding| Fault::new(finding, text, rules.format)).collect();
        let read = match elf_values::Value::read(text, datatype) {
            elf_values::Value::Date(value) => {
                let canonical = spelled(&value);
                Some(ReadValue::date(value, canonical))
            }
            elf_values::Value::Period(period) => {
                let canonical = spelled(period.value());
                Some(ReadValue::date(period.value().clone(), canonical))
            }
            elf_values::Value::Exact(day) => {
                let day = day.to_string();
                let value = DateValue::parse(&day).ok().map(DateValue::into_owned);
                value.map(|value| ReadValue::date(value, Cow::Owned(day)))
            }
            elf_values::Value::Age(age) => Some(ReadValue::age(age)),
            elf_values::Value::Time(time) => Some(ReadValue::time(time)),
            _ => None,
        };
        let ReadValue { form, parts, canonical } = read.unwrap_or_else(|| ReadValue::text(datatype));
        let meant = match &parts {
            Parts::Date(value) if datatype == Datatype::DateValue => {
                DateValue::parse_lenient(text.trim(), dates).or_else(|| value.clone())
            }
            Parts::Date(value) => value.clone(),
            Parts::Age(_) | Parts::Time(_) | Parts::None => None,
        };
        let is_doubted = |value: &DateValue<'_>| dates.doubt_years() && value.has_doubtful_year();
        let meant = meant.filter(|value| !is_doubted(value));
        let days = meant.as_ref().map(DateValue::days);
        let edtf = meant.as_ref().and_then(DateValue::edtf);
        let calendar = calendar.filter(|_| days.is_some());
        let there = calendar.and_then(|calendar| meant.as_ref()?.in_calendar(calendar));
        let reason = calendar.and_then(|calendar| meant.as_ref()?.reason_not_in(calendar));
        // Two years that are not a dual year have no better spelling.
        let is_pair = |date: Date<'_>| date.escape().is_none() && date.year().is_dual();
        let is_refused = !findings.is_empty()
            && matches!(&parts, Parts::Date(Some(value)) if dates.fold_letters() && value.dates().any(is_pair));
        let canonical = canonical.filter(|_| !is_refused);
        // A value in a grammar of GEDCOM 7.0 has only one spelling.
        let canonical = canonical.map(|elf| match datatype {
            Datatype::Gedcom70(_) => Cow::Borrowed(text),
            _ => elf,
        });
        Value {
            text: Some(text),
            datatype: datatype.iri().unwrap_or_default(),
            form,
            parts,
            days,
            edtf,
            canonical,
            there,
            reason,
            findings,
        }
    }
}

impl Value<'_> {
    /// Writes the value as one JSON object.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
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
    /// assert!(String::from_utf8_lossy(&json).contains(r#","not_in":"words cannot be converted","#));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn json(&self, out: &mut impl Write) -> io::Result<()> {
        Ok(serde_json::to_writer(out, &self.members())?)
    }

    /// Returns the members of the JSON object.
    pub(crate) fn members(&self) -> ValueMembers<'_> {
        ValueMembers {
            text: self.text,
            datatype: self.datatype,
            form: self.form,
            parts: match &self.parts {
                Parts::Date(value) => PartMembers::Date(date_members(value.as_ref(), self.days)),
                Parts::Age(age) => PartMembers::Age(age_members(age)),
                Parts::Time(time) => PartMembers::Time(time_members(time)),
                Parts::None => PartMembers::None {},
            },
            canonical: self.canonical.as_deref(),
            there: self.there.as_deref(),
            reason: self.reason,
            findings: &self.findings,
        }
    }
}

/// A value as a JSON object.
#[derive(Serialize)]
pub(crate) struct ValueMembers<'v> {
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'v str>,
    datatype: &'static str,
    form: &'static str,
    #[serde(flatten)]
    parts: PartMembers<'v>,
    canonical: Option<&'v str>,
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    there: Option<&'v str>,
    #[serde(rename = "not_in", skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    findings: &'v [Fault],
}

#[derive(Serialize)]
#[serde(untagged)]
enum PartMembers<'v> {
    Date(DateMembers<'v>),
    Age(AgeMembers),
    Time(TimeMembers<'v>),
    None {},
}

/// The members of a date. Empty for a payload that is not a date.
#[derive(Default, Serialize)]
struct DateMembers<'v> {
    #[serde(skip_serializing_if = "Option::is_none")]
    modifier: Option<&'static str>,
    dates: Vec<SingleDate<'v>>,
    phrase: Option<&'v str>,
    earliest: Option<i64>,
    latest: Option<i64>,
    earliest_iso: Option<String>,
    latest_iso: Option<String>,
}

#[derive(Serialize)]
struct SingleDate<'v> {
    calendar: &'v str,
    year: Number,
    logical: Number,
    dual: Option<Number>,
    month: Option<&'v str>,
    day: Option<Number>,
    epoch: Option<&'v str>,
}

#[derive(Serialize)]
struct AgeMembers {
    bound: Option<&'static str>,
    word: Option<&'static str>,
    years: Option<Number>,
    months: Option<Number>,
    days: Option<Number>,
}

#[derive(Serialize)]
struct TimeMembers<'v> {
    hours: u8,
    minutes: u8,
    seconds: Option<u8>,
    fraction: Option<&'v str>,
    zone: Option<&'v str>,
}

/// An integer. A number of more than 64 bits is stored as its digits.
#[derive(Serialize)]
#[serde(untagged)]
enum Number {
    Small(i64),
    Digits(String),
}

impl From<&Integer<'_>> for Number {
    fn from(number: &Integer<'_>) -> Number {
        number.to_i64().map_or_else(|| Number::Digits(number.to_string()), Number::Small)
    }
}

/// Returns the parts of an invalid payload.
const fn parts_of_text(datatype: Datatype) -> Parts<'static> {
    match datatype {
        Datatype::DateValue
        | Datatype::DatePeriod
        | Datatype::DateExact
        | Datatype::Gedcom70(Gedcom70::Date | Gedcom70::Period | Gedcom70::Exact) => Parts::Date(None),
        Datatype::Age
        | Datatype::Time
        | Datatype::PersonalName
        | Datatype::Latitude
        | Datatype::Longitude
        | Datatype::Language
        | Datatype::List
        | Datatype::Integer
        | Datatype::Word(_)
        | Datatype::Gedcom70(Gedcom70::Age | Gedcom70::Time)
        | Datatype::Text => Parts::None,
    }
}

/// A payload read by its datatype: the members of [`Value`] that depend on the datatype.
struct ReadValue<'a> {
    form: &'static str,
    parts: Parts<'a>,
    canonical: Option<Cow<'a, str>>,
}

impl<'a> ReadValue<'a> {
    fn date(value: DateValue<'a>, canonical: Cow<'a, str>) -> ReadValue<'a> {
        let form = value.form().name();
        ReadValue { form, parts: Parts::Date(Some(value)), canonical: Some(canonical) }
    }

    fn age(age: Age<'a>) -> ReadValue<'a> {
        let form = match age {
            Age::Word(_) => "word",
            Age::Quantity(..) => "duration",
        };
        let canonical = Some(age.to_string().into());
        ReadValue { form, parts: Parts::Age(age), canonical }
    }

    fn time(time: Time<'a>) -> ReadValue<'a> {
        let canonical = Some(time.to_string().into());
        ReadValue { form: "time", parts: Parts::Time(time), canonical }
    }

    /// Returns the form of an invalid payload, or of a datatype without parts.
    const fn text(datatype: Datatype) -> ReadValue<'a> {
        let parts = parts_of_text(datatype);
        ReadValue { form: "text", parts, canonical: None }
    }
}

fn date_members<'v>(value: Option<&'v DateValue<'_>>, days: Option<Days>) -> DateMembers<'v> {
    let [earliest, latest] =
        [days.map(|days| days.earliest), days.map(|days| days.latest)].map(|end| end.and_then(Bound::day));
    let of_days = DateMembers {
        earliest,
        latest,
        earliest_iso: earliest.and_then(iso_day),
        latest_iso: latest.and_then(iso_day),
        ..DateMembers::default()
    };
    let Some(value) = value else { return of_days };
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
    DateMembers {
        modifier,
        dates: value.dates().map(single_date).collect(),
        phrase: value.phrase(),
        ..of_days
    }
}

fn single_date(date: Date<'_>) -> SingleDate<'_> {
    let calendar = match date.calendar() {
        CalendarName::Known(calendar) => calendar.name(),
        CalendarName::Unfamiliar(name) => name,
        CalendarName::Unknown => "UNKNOWN",
    };
    let year = date.year();
    // The second number as written: two digits in 1648/49.
    let spelled = if year.is_dual() { year.to_string() } else { String::new() };
    let dual = spelled.split_once('/').and_then(|(_, second)| Integer::parse(second));
    SingleDate {
        calendar,
        year: year.historical().into(),
        logical: year.logical().into(),
        dual: dual.as_ref().map(Number::from),
        month: date.month(),
        day: date.day().as_ref().map(Number::from),
        epoch: date.epoch_name(),
    }
}

fn age_members(age: &Age<'_>) -> AgeMembers {
    let (bound, word, duration) = match age {
        Age::Word(AgeWord::Child) => (None, Some("CHILD"), None),
        Age::Word(AgeWord::Infant) => (None, Some("INFANT"), None),
        Age::Word(AgeWord::Stillborn) => (None, Some("STILLBORN"), None),
        Age::Quantity(None, duration) => (None, None, Some(duration)),
        Age::Quantity(Some(AgeBound::AtMost), duration) => (Some("<"), None, Some(duration)),
        Age::Quantity(Some(AgeBound::AtLeast), duration) => (Some(">"), None, Some(duration)),
    };
    AgeMembers {
        bound,
        word,
        years: duration.and_then(Duration::years).map(Number::from),
        months: duration.and_then(Duration::months).map(Number::from),
        days: duration.and_then(Duration::days).map(Number::from),
    }
}

fn time_members<'v>(time: &'v Time<'_>) -> TimeMembers<'v> {
    TimeMembers {
        hours: time.hours(),
        minutes: time.minutes(),
        seconds: time.seconds(),
        fraction: Some(time.fraction()).filter(|digits| !digits.is_empty()),
        zone: time.zone(),
    }
}

impl Fault {
    fn new(finding: Finding, text: &str, format: Format) -> Fault {
        let column = |octet: u32| text[..octet as usize].chars().count() + 1;
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
