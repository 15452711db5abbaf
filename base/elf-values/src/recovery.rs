//! Ages and times outside their grammars, as they are most likely meant.

use crate::age::Age;
use crate::scan::{is_space, normalised};
use crate::time::Time;

/// Respells an invalid age that differs from a valid one only in upper and lower case and in blanks between a
/// number and its unit, as a safe fix does. `None` for a valid age, and if the meaning is uncertain.
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
    let normal = normalised(text);
    if Age::parse(&normal).is_ok() { None } else { likely_age(&normal) }
}

/// Returns the age that differs from `text` only in case and in blanks between a number and its unit.
pub(crate) fn likely_age(text: &str) -> Option<String> {
    // Only ASCII letters differ in case alone.
    let (small, capital) = (text.to_ascii_lowercase(), text.to_ascii_uppercase());
    let close = without_blanks_before_units(&small);
    [small, capital, close].iter().find_map(|text| Age::parse(text).ok()).map(|age| age.to_string())
}

/// Removes blanks between a digit and a letter. Blanks between digits separate two numbers and stay.
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

/// Returns the time that differs from `text` only in the leading zero of its hour and in blanks. `None` if a blank
/// separates two digits.
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
