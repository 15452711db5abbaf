//! Finds the most likely meaning of invalid ages and times.

use crate::age::Age;
use crate::datatype::Datatype;
use crate::date::{DateExact, DateValue, in_capitals, recover};
use crate::plain::is_canonical_date;
use crate::scan::{is_space, normalise_whitespace};
use crate::time::Time;

/// Corrects an invalid age that differs from a valid one only in case and in spaces between a number and its unit.
/// Returns `None` if the age is valid, or if its meaning is uncertain.
///
/// ```
/// use elf_values::recover_age;
///
/// assert_eq!(recover_age("33 Y").as_deref(), Some("33y"));
/// assert_eq!(recover_age("child").as_deref(), Some("CHILD"));
/// assert_eq!(recover_age("33y"), None);
/// assert_eq!(recover_age("33 years"), None);
/// ```
pub fn recover_age(text: &str) -> Option<String> {
    let normal = normalise_whitespace(text);
    if Age::parse(&normal).is_ok() { None } else { likely_age(&normal) }
}

/// Returns the canonical spelling of a date, an age or a time of day. Returns `None` if the payload already has that
/// spelling, or if it is invalid and has no safe fix.
///
/// ```
/// use elf_values::{Datatype, canonical_spelling};
///
/// let spelled = |text| canonical_spelling(text, Datatype::DateValue);
/// assert_eq!(spelled("abt. 07 March 1990").as_deref(), Some("ABT 7 MAR 1990"));
/// assert_eq!(spelled("07 MAR 1990").as_deref(), Some("7 MAR 1990"));
/// assert_eq!(spelled("7 March 1990").as_deref(), Some("7 MAR 1990"));
/// assert_eq!((spelled("7 MAR 1990"), spelled("07/03/1990")), (None, None));
/// assert_eq!(canonical_spelling("75", Datatype::Age).as_deref(), Some("75y"));
/// ```
pub fn canonical_spelling(text: &str, datatype: Datatype) -> Option<String> {
    let spelled = match datatype {
        Datatype::DateValue | Datatype::DatePeriod if is_canonical_date(text) => return None,
        Datatype::DateValue | Datatype::DatePeriod => {
            DateValue::parse(&spell_as_safe_fix(text)?).ok()?.to_string()
        }
        Datatype::DateExact => DateExact::parse(&spell_as_safe_fix(text)?).ok()?.to_string(),
        Datatype::Age => {
            let age = likely_age(&normalise_whitespace(text));
            age.or_else(|| Age::parse(&normalise_whitespace(text)).ok().map(|age| age.to_string()))?
        }
        Datatype::Time => Time::parse(&likely_time(&normalise_whitespace(text))?).ok()?.to_string(),
        Datatype::PersonalName
        | Datatype::Latitude
        | Datatype::Longitude
        | Datatype::Language
        | Datatype::List
        | Datatype::Integer
        | Datatype::Word(_)
        | Datatype::Gedcom70(_)
        | Datatype::Text => return None,
    };
    (spelled != text).then_some(spelled)
}

fn spell_as_safe_fix(text: &str) -> Option<String> {
    // In capitals, `7 March 1990` is also a valid date with an unknown month.
    let recovered = recover(text).filter(|found| found.is_safe).map(|found| found.text);
    recovered.or_else(|| in_capitals(text))
}

pub(crate) fn likely_age(text: &str) -> Option<String> {
    // Case is ignored for ASCII letters only.
    let (small, capital) = (text.to_ascii_lowercase(), text.to_ascii_uppercase());
    let close = without_blanks_before_units(&small);
    [small, capital, close].iter().find_map(|text| Age::parse(text).ok()).map(|age| age.to_string())
}

/// Removes blanks before units. Blanks between digits stay, because they separate two numbers.
fn without_blanks_before_units(text: &str) -> String {
    let mut close = String::with_capacity(text.len());
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        let is_unit = close.ends_with(|last: char| last.is_ascii_digit())
            && word.starts_with(|first: char| first.is_ascii_alphabetic());
        if !close.is_empty() && !is_unit {
            close.push(' ');
        }
        close.push_str(word);
    }
    close
}

/// Adds the leading zero of an hour and removes blanks. `None` if a blank separates two digits.
pub(crate) fn likely_time(text: &str) -> Option<String> {
    let mut close = String::with_capacity(text.len());
    for word in text.split(is_space) {
        let ends_in_digit = close.ends_with(|last: char| last.is_ascii_digit());
        if ends_in_digit && word.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        close.push_str(word);
    }
    let padded = format!("0{close}");
    [close, padded].into_iter().find(|text| Time::parse(text).is_ok())
}
