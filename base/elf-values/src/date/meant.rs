//! The meaning of a payload by all the spellings of dates that are known.

use super::value::DateValue;
use super::wild::recover;
use crate::calendar::Calendar;
use crate::gedcom_7::grammar;

impl<'t> DateValue<'t> {
    /// Reads a payload by the grammar of ELF Dates, or else by that of GEDCOM 7.0, or else as
    /// [`recover`](crate::recover()) does where that is safe. Months of the French Republican calendar imply that
    /// calendar. `None` if none of these gives a date.
    ///
    /// ```
    /// use elf_values::DateValue;
    ///
    /// let meant = |text| DateValue::meant(text).map(|value| value.to_string());
    /// assert_eq!(meant("12 Jan 1900").as_deref(), Some("12 JAN 1900"));
    /// assert_eq!(meant("BEF JULIAN 44 BCE").as_deref(), Some("BEF @#DJULIAN@ 44 B.C."));
    /// assert_eq!(meant("12 VEND 3").as_deref(), Some("@#DFRENCH R@ 12 VEND 3"));
    /// assert_eq!(meant("12/05/1890"), None);
    /// ```
    pub fn meant(text: &'t str) -> Option<DateValue<'t>> {
        match DateValue::parse(text) {
            Ok(value) if value.is_faultless() => Some(value),
            // A calendar of GEDCOM 7.0 may be taken for a month that no calendar has.
            Ok(value) => meant_otherwise(text)
                .filter(DateValue::is_faultless)
                .or_else(|| meant_in_french(text).filter(DateValue::is_faultless))
                .or(Some(value)),
            Err(_) => meant_otherwise(text),
        }
    }

    fn is_faultless(&self) -> bool {
        self.dates().all(|date| date.fault().is_none())
    }
}

/// Reads a payload outside the grammar of ELF Dates.
#[cold]
fn meant_otherwise(text: &str) -> Option<DateValue<'static>> {
    let safe = || recover(text).filter(|found| found.is_safe).map(|found| found.text);
    let respelled = grammar::as_elf(text).or_else(safe)?;
    DateValue::parse(&respelled).ok().map(DateValue::into_owned)
}

/// Reads dates without escapes whose months are those of the French Republican calendar.
#[cold]
fn meant_in_french(text: &str) -> Option<DateValue<'static>> {
    let is_month = |word: &&str| Calendar::FrenchRepublican.months().contains(word);
    if text.contains('@') || !text.split(' ').any(|word| is_month(&word)) {
        return None;
    }
    let words: Vec<&str> = text.split(' ').collect();
    let is_day = |word: &&str| word.bytes().all(|octet| octet.is_ascii_digit());
    let mut respelled = String::new();
    for (at, word) in words.iter().enumerate() {
        let after_day = at > 0 && words.get(at - 1).is_some_and(is_day);
        let before_month = is_day(word) && words.get(at + 1).is_some_and(is_month);
        if before_month || is_month(word) && !after_day {
            respelled.push_str("@#DFRENCH R@ ");
        }
        respelled.push_str(word);
        respelled.push(' ');
    }
    DateValue::parse(respelled.trim_end()).ok().map(DateValue::into_owned)
}
