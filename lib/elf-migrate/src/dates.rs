//! Converts dates and times of day between GEDCOM 5.5.1 and GEDCOM 7.0 (MG61 to MG78, MG98, MG116, MG117).
//!
//! A payload of GEDCOM 5.5.1 is parsed, and its value is written in the other grammar. A payload of GEDCOM 7.0
//! is a series of words separated by single spaces; each word has its own counterpart.

use crate::ages::without_zeros;
use crate::converted::Converted7;
use elf_base::{Against, Class, Standard, codes};
use elf_values::elf_base::rules::DateRules;
use elf_values::{
    Approximation, Calendar, CalendarName, Datatype, Date, DateExact, DateForm, DateValue, Time,
    canonical_spelling, check_gedcom, check_gedcom_7, is_canonical_date, recover,
};
use std::borrow::Cow;

/// The names of the sixth and seventh month in a Hebrew year with thirteen months.
const ADAR: [&str; 2] = ["ADR", "ADS"];

pub(crate) fn to_7(text: &str) -> Converted7<'_> {
    if text.is_empty() || is_canonical_date(text) {
        return Converted7::exact(text);
    }
    let read = |spelled: &str| {
        let value = DateValue::parse(spelled).ok().filter(|value| !value.has_doubtful_year())?;
        read_value(&value, text)
    };
    if let Some(converted) = read(text) {
        return converted;
    }
    if let Some(converted) = names_to_escapes(text).and_then(|escaped| read(&escaped)) {
        return converted;
    }
    // The keyword `INT` without a phrase would be read as an unknown month.
    if !text.starts_with("INT ") && !has_doubtful_year(text) {
        // A date of GEDCOM 7.0 in a calendar of an extension, as it is written in GEDCOM 5.5.1.
        let named = escapes_to_names(text);
        if to_551(&named) == text && is_date_of_7(&named) {
            return Converted7::exact(named);
        }
        // A date of GEDCOM 7.0 with an extension month is kept unchanged.
        if is_date_of_7(text) {
            return Converted7::exact(text);
        }
    }
    // If the date can be fixed safely, no phrase is needed.
    if let Some(found) = recover(text).filter(|found| found.is_safe)
        && let Some(converted) = DateValue::parse(&found.text).ok().and_then(|value| read_value(&value, text))
    {
        return converted;
    }
    let meant = DateValue::parse_lenient(text, DateRules::AsFound).and_then(|value| read_value(&value, text));
    match meant {
        Some(converted) => Converted7::with_phrase(converted.payload.into_owned(), text),
        None if is_date(text) => Converted7::with_phrase("", text),
        None => Converted7::unread("", text),
    }
}

/// Converts a parsed date to GEDCOM 7.0; `None` if GEDCOM 7.0 cannot express it. `text` is the payload in the file.
fn read_value<'t>(value: &DateValue<'_>, text: &'t str) -> Option<Converted7<'t>> {
    let converted = match value.without_dual_years() {
        Some(single) => Converted7::with_phrase(convert_value(&single, text)?.payload.into_owned(), text),
        None => convert_value(value, text)?,
    };
    is_date_of_7(&converted.payload).then_some(converted)
}

/// Returns whether a text is a date whose year is probably not a year.
fn has_doubtful_year(text: &str) -> bool {
    DateValue::parse(text).is_ok_and(|value| value.has_doubtful_year())
}

pub(crate) fn period_to_7(text: &str) -> Converted7<'_> {
    let converted = to_7(text);
    let is_period = check_gedcom_7(&converted.payload, Datatype::DatePeriod).is_empty();
    if is_period { converted } else { Converted7::unread("", text) }
}

pub(crate) fn exact_to_7(text: &str) -> Converted7<'_> {
    let converted = to_7(text);
    let is_exact =
        converted.phrase.is_none() && check_gedcom_7(&converted.payload, Datatype::DateExact).is_empty();
    if is_exact { converted } else { Converted7::unread("", text) }
}

/// Converts a time of day to GEDCOM 7.0, which has no time zone except UTC (MG77, MG78).
pub(crate) fn time_to_7(text: &str) -> Converted7<'_> {
    if text.is_empty() || check_gedcom_7(text, Datatype::Time).is_empty() {
        return Converted7::exact(text);
    }
    let Ok(time) = Time::parse(text) else { return Converted7::unread("", text) };
    let payload = match time.seconds() {
        _ if time.is_end_of_day() => "00:00:00".to_owned(),
        Some(seconds) => {
            let fraction = time.fraction().trim_start_matches('.');
            let point = if fraction.is_empty() { "" } else { "." };
            format!("{:02}:{:02}:{:02}{point}{fraction}", time.hours(), time.minutes(), seconds.min(59))
        }
        None => format!("{:02}:{:02}", time.hours(), time.minutes()),
    };
    let is_valid = check_gedcom_7(&payload, Datatype::Time).is_empty();
    Converted7::unread(if is_valid { payload } else { String::new() }, text)
}

fn is_date_of_7(payload: &str) -> bool {
    check_gedcom_7(payload, Datatype::DateValue).is_empty()
}

/// Returns whether a time of day is 24:00, which GEDCOM 7.0 writes as 00:00 of the next day.
pub(crate) fn is_end_of_day(text: &str) -> bool {
    Time::parse(text).is_ok_and(|time| time.is_end_of_day())
}

pub(crate) fn next_day(text: &str) -> Option<String> {
    DateExact::parse(text).ok()?.next().map(|next| next.to_string())
}

pub(crate) fn to_551(payload: &str) -> String {
    let mut words: Vec<Cow<'_, str>> = Vec::new();
    let mut calendar = None;
    let (mut starts_date, mut is_of_extension) = (true, false);
    let mut rest = payload.split(' ').peekable();
    while let Some(word) = rest.next() {
        if matches!(word, "BET" | "AND" | "FROM" | "TO" | "AFT" | "BEF" | "ABT" | "CAL" | "EST") {
            (calendar, starts_date, is_of_extension) = (None, true, false);
            words.push(word.into());
            continue;
        }
        let named = Calendar::named(if word == "FRENCH_R" { "FRENCH R" } else { word });
        words.push(match (word, named) {
            (_, Some(named)) if starts_date => {
                calendar = Some(named);
                format!("@#D{}@", named.name()).into()
            }
            _ if starts_date && word.starts_with('_') => {
                is_of_extension = true;
                format!("@#D{}@", calendar_name(word)).into()
            }
            ("BCE", _) => "B.C.".into(),
            ("ADS", _)
                if calendar == Some(Calendar::Hebrew)
                    && !rest.peek().is_some_and(|year| has_leap_month(year)) =>
            {
                "ADR".into()
            }
            // GEDCOM 5.5.1 has years of three or four digits.
            _ if !is_of_extension
                && calendar.is_none_or(|of| of == Calendar::Gregorian)
                && is_year(word, rest.peek().copied()) =>
            {
                format!("{word:0>3}").into()
            }
            _ => word.into(),
        });
        starts_date = false;
    }
    words.join(" ")
}

/// Returns whether a word in a date of GEDCOM 7.0 is its year. `next` is the following word, which must not be an
/// epoch.
fn is_year(word: &str, next: Option<&str>) -> bool {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number && next.is_none_or(|next| matches!(next, "AND" | "TO"))
}

/// Returns the name for the escape of an extension calendar. The underscore stays if the name would otherwise be that
/// of another calendar.
fn calendar_name(tag: &str) -> String {
    let name = tag.strip_prefix('_').unwrap_or(tag).replace('_', " ");
    let is_own = !name.is_empty() && !name.starts_with(' ') && Calendar::named(&name).is_none();
    if is_own { name } else { tag.to_owned() }
}

fn calendar_tag(name: &str) -> String {
    let name = name.replace(' ', "_");
    if name.starts_with('_') { name } else { format!("_{name}") }
}

/// Replaces calendar escapes by calendar names, and the epoch by that of GEDCOM 7.0.
fn escapes_to_names(text: &str) -> String {
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
            None => made.push_str(&calendar_tag(name)),
        }
        rest = after;
    }
    made.push_str(rest);
    let words = made.split(' ').map(|word| if word == "B.C." { "BCE" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Joins a date of GEDCOM 5.5.1 and a phrase: `INT date (phrase)` or `(phrase)`. `None` if the result is not
/// a valid date.
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

/// Writes a date that GEDCOM 5.5.1 cannot express, such as a day before Christ, as a phrase. `None` if GEDCOM 5.5.1 can
/// express it.
pub(crate) fn write_in_parentheses(payload: &str) -> Option<String> {
    let is_date = is_of_551(&to_551(payload)) || payload.is_empty() || payload.contains(['(', ')']);
    (!is_date).then(|| format!("({payload})"))
}

/// Returns the date of GEDCOM 7.0 that [`write_in_parentheses`] wrote as this phrase.
pub(crate) fn read_from_parentheses(text: &str) -> Option<&str> {
    let payload = text.strip_prefix('(')?.strip_suffix(')')?;
    (is_date_of_7(payload) && write_in_parentheses(payload).as_deref() == Some(text)).then_some(payload)
}

/// Returns whether a date is valid in GEDCOM 5.5.1 and not only in ELF.
fn is_of_551(text: &str) -> bool {
    let against = Against { standard: Standard::Gedcom551, is_named: true };
    let faults = check_gedcom(text, Datatype::DateValue);
    faults.iter().all(|fault| fault.code.class_against(against) == Class::Advice)
}

pub(crate) fn is_in_grammar(text: &str) -> bool {
    check_gedcom(text, Datatype::DateValue).iter().all(|fault| fault.code != codes::DATE_MALFORMED)
}

/// Returns whether a text names a calendar as GEDCOM 7.0 does. GEDCOM 5.5.1 would read the name as a month.
pub(crate) fn names_calendar(text: &str) -> bool {
    names_to_escapes(text).is_some()
}

/// Converts a time of day to GEDCOM 5.5.1, whose hour has two digits.
pub(crate) fn time_to_551(payload: &str) -> String {
    let is_short = payload.as_bytes().get(1) == Some(&b':');
    if is_short { format!("0{payload}") } else { payload.to_owned() }
}

/// Returns whether a text is a date of GEDCOM 5.5.1, even if the day does not exist.
pub(crate) fn is_date(text: &str) -> bool {
    DateValue::parse(text).is_ok()
}

/// Returns whether the converted date differs from the text: only one of two years is kept, the dates are swapped, or
/// there is no date.
pub(crate) fn is_reworded(text: &str, converted: &Converted7<'_>) -> bool {
    let is_whole = converted.phrase.as_deref() == Some(text);
    is_whole && is_date(text) && !text.contains("@#DJULIAN@")
}

/// Returns whether two dates differ only in spelling.
pub(crate) fn is_equivalent(one: &str, other: &str) -> bool {
    let letters = |text: &str| {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_uppercase();
        // A text that is not a date is a phrase, with or without parentheses.
        match words.strip_prefix('(').and_then(|words| words.strip_suffix(')')) {
            Some(phrase) => phrase.to_owned(),
            None => words,
        }
    };
    let spelled =
        |text| canonical_spelling(text, Datatype::DateValue).map_or(Cow::Borrowed(text), Cow::Owned);
    let (one_spelled, other_spelled) = (spelled(one), spelled(other));
    match (DateValue::parse(&one_spelled), DateValue::parse(&other_spelled)) {
        (Ok(one), Ok(other)) if one == other => true,
        _ => letters(one) == letters(other),
    }
}

/// Converts a parsed date; `None` if GEDCOM 7.0 cannot express it. `text` is the payload in the file.
fn convert_value<'t>(value: &DateValue<'_>, text: &'t str) -> Option<Converted7<'t>> {
    let phrase_if = |is_changed: bool| is_changed.then_some(Cow::Borrowed(text));
    let one = |keyword: &str, date: &Date<'_>| {
        let converted = convert_date(date)?;
        let payload =
            if keyword.is_empty() { converted.text } else { format!("{keyword} {}", converted.text) };
        Some(Converted7 { phrase: phrase_if(converted.is_changed), ..Converted7::exact(payload) })
    };
    let two = |keywords: [&str; 2], dates: [&Date<'_>; 2], is_swapped: bool| {
        let [first, second] = [convert_date(dates[0])?, convert_date(dates[1])?];
        let payload = format!("{} {} {} {}", keywords[0], first.text, keywords[1], second.text);
        let is_changed = first.is_changed || second.is_changed || is_swapped;
        Some(Converted7 { phrase: phrase_if(is_changed), ..Converted7::exact(payload) })
    };
    match value.form() {
        DateForm::Exact(date) => one("", &date),
        DateForm::Approximated(Approximation::About, date) => one("ABT", &date),
        DateForm::Approximated(Approximation::Calculated, date) => one("CAL", &date),
        DateForm::Approximated(Approximation::Estimated, date) => one("EST", &date),
        DateForm::Interpreted(date, phrase) => {
            let converted = one("", &date)?;
            let has_phrase = converted.phrase.is_some();
            Some(if has_phrase {
                converted
            } else {
                Converted7::with_phrase(converted.payload, phrase.to_owned())
            })
        }
        DateForm::Phrase(phrase) => Some(Converted7::unread("", phrase.to_owned())),
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

/// The maximum difference between the two years of a dual year.
const MAX_DUAL_YEAR_DIFFERENCE: u64 = 9;

struct ConvertedDate {
    text: String,
    /// True if it expresses less than the original.
    is_changed: bool,
}

fn convert_date(date: &Date<'_>) -> Option<ConvertedDate> {
    let year = date.year();
    let (calendar, known) = match (date.escape(), date.calendar()) {
        (None, _) => (None, Some(Calendar::Gregorian)),
        (Some(_), CalendarName::Known(calendar)) => (Some(calendar.name().replace(' ', "_")), Some(calendar)),
        (Some(name), CalendarName::Unfamiliar(_) | CalendarName::Unknown) => (Some(calendar_tag(name)), None),
    };
    let epoch = match (date.epoch_name(), known) {
        (None, _) => None,
        (Some(name), Some(calendar)) if calendar.default_epoch() == Some(name) => None,
        (Some("B.C."), Some(Calendar::Gregorian | Calendar::Julian)) => Some("BCE".to_owned()),
        (Some(_), _) => return None,
    };
    // Dates in the Gregorian calendar have no dual years.
    if year.is_dual() && known == Some(Calendar::Gregorian) {
        return None;
    }
    let logical = year.logical();
    // Years farther apart are not a dual year: the first one is the year of the date.
    let years = year.historical().to_i64().zip(logical.to_i64());
    // The second year of a dual year is not earlier, except before Christ, where years count down.
    let is_onward = |(one, other): &(i64, i64)| other >= one || date.epoch_name().is_some();
    let is_dual =
        years.filter(is_onward).is_some_and(|(one, other)| one.abs_diff(other) <= MAX_DUAL_YEAR_DIFFERENCE);
    let number = if is_dual { logical } else { year.historical() };
    // In Hebrew dates, the year decides which of two months is meant. Unknown calendars are not changed.
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
    Some(ConvertedDate { text, is_changed: year.is_dual() })
}

/// Replaces calendar names by escapes. `None` if there are none.
fn names_to_escapes(text: &str) -> Option<String> {
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

fn has_leap_month(year: &str) -> bool {
    /// The length of the cycle of leap years, and the number of leap years in it.
    const CYCLE: (u64, u64) = (19, 7);
    let year = without_zeros(year).parse::<u64>().ok();
    year.is_some_and(|year| ((year % CYCLE.0) * CYCLE.1 + 1) % CYCLE.0 < CYCLE.1)
}
