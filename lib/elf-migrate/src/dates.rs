//! Dates and times of day: the forms of GEDCOM 5.5.1 and those of GEDCOM 7.0 (MG61 to MG78, MG98,
//! MG116, MG117).
//!
//! A payload of GEDCOM 5.5.1 is read as a value, and the value written by the other grammar. One of
//! GEDCOM 7.0 is a row of words with one blank between them, each of which has its own counterpart.

use crate::ages::without_zeros;
use crate::values::Said;
use elf_base::{Against, Class, Standard, codes};
use elf_values::{
    Approximation, Calendar, CalendarName, Datatype, Date, DateExact, DateForm, DateValue, Time,
    check_gedcom, check_gedcom_7, recover,
};

/// The months of the Hebrew calendar that are the sixth and the seventh of a year of thirteen.
const ADAR: [&str; 2] = ["ADR", "ADS"];

/// Says a date as GEDCOM 7.0 does.
pub(crate) fn to_7(text: &str) -> Said {
    if text.is_empty() {
        return Said::plain("");
    }
    let is_valid = |said: &Said| check_gedcom_7(&said.payload, Datatype::DateValue).is_empty();
    let read = |spelled: &str| {
        let said = of_value(&DateValue::parse(spelled).ok()?, spelled, text)?;
        is_valid(&said).then_some(said)
    };
    if let Some(said) = read(text) {
        return said;
    }
    if let Some(said) = with_escapes(text).and_then(|escaped| read(&escaped)) {
        return said;
    }
    // The keyword of an interpretation without a phrase would be a month that no calendar has.
    let is_interpreted = text.starts_with("INT ");
    // What is written of a date of GEDCOM 7.0 in a calendar of an extension is that date.
    let named = with_names(text);
    let is_of_7 = |text: &str| check_gedcom_7(text, Datatype::DateValue).is_empty();
    if !is_interpreted && to_551(&named) == text && is_of_7(&named) {
        return Said::plain(named);
    }
    // A date of GEDCOM 7.0 may stand in GEDCOM 5.5.1 as it is, with a month that is an extension.
    if !is_interpreted && is_of_7(text) {
        return Said::plain(text);
    }
    let recovered = recover(text).filter(|recovered| recovered.is_safe);
    recovered.and_then(|recovered| read(&recovered.text)).unwrap_or_else(|| {
        let is_read = DateValue::parse(text).is_ok();
        if is_read { Said::with("", text) } else { Said::unread("", text) }
    })
}

/// Says a period as GEDCOM 7.0 does.
pub(crate) fn period_to_7(text: &str) -> Said {
    let said = to_7(text);
    let is_period = check_gedcom_7(&said.payload, Datatype::DatePeriod).is_empty();
    if is_period { said } else { Said::unread("", text) }
}

/// Says an exact date as GEDCOM 7.0 does.
pub(crate) fn exact_to_7(text: &str) -> Said {
    let said = to_7(text);
    let is_exact = said.phrase.is_none() && check_gedcom_7(&said.payload, Datatype::DateExact).is_empty();
    if is_exact { said } else { Said::unread("", text) }
}

/// Says a time of day as GEDCOM 7.0 does: without a place on Earth but Greenwich.
pub(crate) fn time_to_7(text: &str) -> Said {
    if text.is_empty() || check_gedcom_7(text, Datatype::Time).is_empty() {
        return Said::plain(text);
    }
    let Ok(time) = Time::parse(text) else { return Said::unread("", text) };
    let fraction = Some(time.fraction()).filter(|digits| !digits.is_empty());
    let fraction = fraction.map_or_else(String::new, |digits| format!(".{}", digits.trim_start_matches('.')));
    let payload = match time.seconds() {
        _ if time.is_end_of_day() => "00:00:00".to_owned(),
        Some(seconds) => {
            format!("{:02}:{:02}:{:02}{fraction}", time.hours(), time.minutes(), seconds.min(59))
        }
        None => format!("{:02}:{:02}", time.hours(), time.minutes()),
    };
    let is_valid = check_gedcom_7(&payload, Datatype::Time).is_empty();
    Said::unread(if is_valid { payload } else { String::new() }, text)
}

/// Tells whether a time of day is the end of the day, which GEDCOM 7.0 has as the start of the next
/// one.
pub(crate) fn is_end_of_day(text: &str) -> bool {
    Time::parse(text).is_ok_and(|time| time.is_end_of_day())
}

/// The day after an exact date.
pub(crate) fn next_day(text: &str) -> Option<String> {
    DateExact::parse(text).ok()?.next().map(|next| next.to_string())
}

/// Says a date of GEDCOM 7.0 as GEDCOM 5.5.1 does.
pub(crate) fn to_551(payload: &str) -> String {
    let mut words = Vec::new();
    let mut calendar = None;
    let mut starts_date = true;
    let all: Vec<&str> = payload.split(' ').collect();
    for (at, &word) in all.iter().enumerate() {
        let escape = Calendar::named(if word == "FRENCH_R" { "FRENCH R" } else { word });
        let next = || all.get(at + 1).copied().unwrap_or_default();
        match word {
            "BET" | "AND" | "FROM" | "TO" | "AFT" | "BEF" | "ABT" | "CAL" | "EST" => {
                (calendar, starts_date) = (None, true);
                words.push(word.to_owned());
                continue;
            }
            _ if starts_date && escape.is_some() => {
                calendar = escape;
                words.push(format!("@#D{}@", escape.map(Calendar::name).unwrap_or_default()));
            }
            _ if starts_date && word.starts_with('_') => {
                words.push(format!("@#D{}@", extension_name(word)));
            }
            "BCE" => words.push("B.C.".to_owned()),
            "ADS" if calendar == Some(Calendar::Hebrew) && !has_leap_month(next()) => {
                words.push("ADR".to_owned());
            }
            _ => words.push(word.to_owned()),
        }
        starts_date = false;
    }
    words.join(" ")
}

/// The name in an escape for a calendar of an extension: without the underscore, but where that would
/// be the name of another calendar.
fn extension_name(tag: &str) -> String {
    let name = tag.strip_prefix('_').unwrap_or(tag).replace('_', " ");
    let is_own = !name.is_empty() && !name.starts_with(' ') && Calendar::named(&name).is_none();
    if is_own { name } else { tag.to_owned() }
}

/// The tag of an extension for the calendar of an escape.
fn extension_tag(name: &str) -> String {
    let name = name.replace(' ', "_");
    if name.starts_with('_') { name } else { format!("_{name}") }
}

/// Writes the names of calendars for their escapes, and the epoch of GEDCOM 7.0.
fn with_names(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("@#D") {
        made.push_str(before);
        let Some((name, after)) = behind.split_once('@') else {
            made.push_str("@#D");
            rest = behind;
            break;
        };
        match Calendar::named(name) {
            Some(calendar) => made.push_str(&calendar.name().replace(' ', "_")),
            None => made.push_str(&extension_tag(name)),
        }
        rest = after;
    }
    made.push_str(rest);
    let words = made.split(' ').map(|word| if word == "B.C." { "BCE" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// A date of GEDCOM 5.5.1 with the phrase that it interprets; `None` where the phrase cannot stand in
/// parentheses, or the date is none that is interpreted.
pub(crate) fn with_phrase(date: &str, phrase: &str) -> Option<String> {
    if phrase.contains('\n') {
        return None;
    }
    let made = if date.is_empty() { format!("({phrase})") } else { format!("INT {date} ({phrase})") };
    let is_read = match DateValue::parse(&made).ok()?.form() {
        DateForm::Phrase(read) => date.is_empty() && read == phrase,
        DateForm::Interpreted(_, read) => !date.is_empty() && read == phrase,
        _ => false,
    };
    is_read.then_some(made)
}

/// A date of GEDCOM 7.0 as a phrase of GEDCOM 5.5.1, which has no such date: before Christ it has years
/// alone.
pub(crate) fn in_parentheses(payload: &str) -> Option<String> {
    let is_said = is_of_551(&to_551(payload)) || payload.is_empty() || payload.contains(['(', ')']);
    (!is_said).then(|| format!("({payload})"))
}

/// The date of GEDCOM 7.0 that a phrase is.
pub(crate) fn of_parentheses(text: &str) -> Option<&str> {
    let payload = text.strip_prefix('(')?.strip_suffix(')')?;
    let is_date = check_gedcom_7(payload, Datatype::DateValue).is_empty();
    (is_date && in_parentheses(payload).as_deref() == Some(text)).then_some(payload)
}

/// Tells whether a date is one of GEDCOM 5.5.1 itself, and not only of ELF.
fn is_of_551(text: &str) -> bool {
    let against = Against { standard: Standard::Gedcom551, is_named: true };
    let faults = check_gedcom(text, Datatype::DateValue);
    faults.iter().all(|fault| fault.code.class_against(against) == Class::Advice)
}

/// Tells whether a text is in the grammar of the dates of GEDCOM 5.5.1.
pub(crate) fn is_in_grammar(text: &str) -> bool {
    check_gedcom(text, Datatype::DateValue).iter().all(|fault| fault.code != codes::DATE_MALFORMED)
}

/// Tells whether a text names a calendar as GEDCOM 7.0 does, which would be a month without the escape.
pub(crate) fn names_calendar(text: &str) -> bool {
    with_escapes(text).is_some()
}

/// A time of day with two digits for its hour.
pub(crate) fn time_to_551(payload: &str) -> String {
    let is_short = payload.as_bytes().get(1) == Some(&b':');
    if is_short { format!("0{payload}") } else { payload.to_owned() }
}

/// Tells whether a text is a date of GEDCOM 5.5.1, whatever day it names.
pub(crate) fn is_date(text: &str) -> bool {
    DateValue::parse(text).is_ok()
}

/// Tells whether a date is said otherwise than it stands, so that who reads it should know: by one of
/// its years, in another order, or by its phrase alone.
pub(crate) fn is_reworded(text: &str, said: &Said) -> bool {
    let is_whole = said.phrase.as_deref() == Some(text);
    is_whole && is_date(text) && !text.contains("@#DJULIAN@")
}

/// Tells whether two dates differ in their spelling alone.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let letters = |text: &str| {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_uppercase();
        // What is no date is a phrase, whether it says so or not.
        match words.strip_prefix('(').and_then(|words| words.strip_suffix(')')) {
            Some(phrase) => phrase.to_owned(),
            None => words,
        }
    };
    match (DateValue::parse(one), DateValue::parse(other)) {
        (Ok(one), Ok(other)) if one == other => true,
        _ => letters(one) == letters(other),
    }
}

/// Says a value that was read of a text; `None` where GEDCOM 7.0 has no such date.
///
/// `text` is what stood in the file, `value_text` what the value was read of.
fn of_value(value: &DateValue<'_>, value_text: &str, text: &str) -> Option<Said> {
    let one = |keyword: &str, date: &Date<'_>| {
        let said = of_date(date)?;
        let payload = if keyword.is_empty() { said.text } else { format!("{keyword} {}", said.text) };
        Some(Said { payload, phrase: said.is_changed.then(|| text.to_owned()), is_unread: false })
    };
    let two = |keywords: [&str; 2], dates: [&Date<'_>; 2], is_swapped: bool| {
        let [first, second] = [of_date(dates[0])?, of_date(dates[1])?];
        let payload = format!("{} {} {} {}", keywords[0], first.text, keywords[1], second.text);
        let is_changed = first.is_changed || second.is_changed || is_swapped;
        Some(Said { payload, phrase: is_changed.then(|| text.to_owned()), is_unread: false })
    };
    match value.form() {
        DateForm::Exact(date) => match years_between(&date, value_text) {
            Some(payload) => Some(Said::with(payload, text)),
            None => one("", &date),
        },
        DateForm::Approximated(Approximation::About, date) => one("ABT", &date),
        DateForm::Approximated(Approximation::Calculated, date) => one("CAL", &date),
        DateForm::Approximated(Approximation::Estimated, date) => one("EST", &date),
        DateForm::Interpreted(date, phrase) => {
            let said = one("", &date)?;
            Some(if said.phrase.is_some() { said } else { Said::with(said.payload, phrase) })
        }
        DateForm::Phrase(phrase) => Some(Said::unread("", phrase)),
        DateForm::Before(date) => one("BEF", &date),
        DateForm::After(date) => one("AFT", &date),
        DateForm::Between(first, second) if value.is_reversed() => {
            two(["BET", "AND"], [&second, &first], true)
        }
        DateForm::Between(first, second) => two(["BET", "AND"], [&first, &second], false),
        DateForm::From(date) => one("FROM", &date),
        DateForm::To(date) => one("TO", &date),
        DateForm::FromTo(first, second) => two(["FROM", "TO"], [&first, &second], false),
    }
}

/// The most years between the two of a dual year, as far as they are abbreviated to two digits.
const MOST_BETWEEN: u64 = 9;

/// A date as GEDCOM 7.0 has it.
struct DateSaid {
    text: String,
    /// True if it says less than the date.
    is_changed: bool,
}

fn of_date(date: &Date<'_>) -> Option<DateSaid> {
    let year = date.year();
    let (calendar, known) = match (date.escape(), date.calendar()) {
        (None, _) => (None, Some(Calendar::Gregorian)),
        (Some(_), CalendarName::Known(calendar)) => (Some(calendar.name().replace(' ', "_")), Some(calendar)),
        (Some(name), CalendarName::Unfamiliar(_) | CalendarName::Unknown) => {
            (Some(extension_tag(name)), None)
        }
    };
    let epoch = match (date.epoch_name(), known) {
        (None, _) => None,
        (Some(name), Some(calendar)) if calendar.default_epoch() == Some(name) => None,
        (Some("B.C."), Some(Calendar::Gregorian | Calendar::Julian)) => Some("BCE".to_owned()),
        (Some(_), _) => return None,
    };
    let logical = year.logical();
    // Years that are farther apart are no dual year: the first is that of the date.
    let years = year.historical().to_i64().zip(logical.to_i64());
    // Nor do years that go back in time, which those before Christ do by growing.
    let is_onward = |(one, other): &(i64, i64)| other >= one || date.epoch_name().is_some();
    let is_dual = years.filter(is_onward).is_some_and(|(one, other)| one.abs_diff(other) <= MOST_BETWEEN);
    let number = if is_dual { logical } else { year.historical() };
    // A leap year is told by its number, and what is written of an unknown calendar stays as it is.
    let month = match (date.month(), known) {
        (Some("ADR"), Some(Calendar::Hebrew)) => {
            Some(if has_leap_month(&number.to_string()) { ADAR[0] } else { ADAR[1] })
        }
        (month, _) => month,
    };
    let parts = [
        calendar,
        date.day().map(|day| day.to_string()),
        month.map(str::to_owned),
        Some(number.to_string()),
        epoch,
    ];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Some(DateSaid { text, is_changed: year.is_dual() })
}

/// The years of a dual year that stands alone, without a calendar of its own: one of them or between.
///
/// The second may be written by its last digits, and need not be the year after the first.
fn years_between(date: &Date<'_>, text: &str) -> Option<String> {
    let is_alone = date.month().is_none() && date.epoch().is_none();
    let is_of_gregorian = matches!(date.escape(), None | Some("GREGORIAN"));
    if !date.year().is_dual() || !is_alone || !is_of_gregorian {
        return None;
    }
    let (before, second) = date.span().of(text).trim_end().rsplit_once('/')?;
    let first = before.rsplit(' ').next()?;
    let kept = first.len().checked_sub(second.len()).and_then(|kept| first.get(..kept)).unwrap_or_default();
    let [from, to] = [first.to_owned(), format!("{kept}{second}")].map(|year| year.parse::<u64>().ok());
    // What is written of the second may belong to the next hundred years, or the next ten.
    let step = u32::try_from(second.len()).ok().and_then(|digits| 10_u64.checked_pow(digits))?;
    let (from, to) = (from?, to?);
    let to = if to <= from { to.checked_add(step)? } else { to };
    let calendar = date.escape().map_or("", |_| "GREGORIAN ");
    (from < to).then(|| format!("BET {calendar}{from} AND {calendar}{to}"))
}

/// Writes calendars that stand without their escapes in them.
fn with_escapes(text: &str) -> Option<String> {
    let mut found = false;
    let words = text.split(' ').map(|word| match word {
        "GREGORIAN" | "JULIAN" | "HEBREW" | "ROMAN" | "UNKNOWN" => {
            found = true;
            format!("@#D{word}@")
        }
        "FRENCH_R" => {
            found = true;
            "@#DFRENCH R@".to_owned()
        }
        _ => word.to_owned(),
    });
    let escaped = words.collect::<Vec<_>>().join(" ");
    found.then_some(escaped)
}

/// Tells whether a year of the Hebrew calendar has thirteen months.
fn has_leap_month(year: &str) -> bool {
    /// The cycle in which leap years repeat, and the number of those in it.
    const CYCLE: (u64, u64) = (19, 7);
    let year = without_zeros(year).parse::<u64>().ok();
    year.is_some_and(|year| ((year % CYCLE.0) * CYCLE.1 + 1) % CYCLE.0 < CYCLE.1)
}
