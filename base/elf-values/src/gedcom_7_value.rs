//! Payloads in the grammars of GEDCOM 7.0 as values: what they say, said as ELF Dates says it.

use crate::datatype::Gedcom7;
use crate::gedcom_7::{self, as_elf};
use crate::value::Value;
use crate::{Age, DateExact, DatePeriod, DateValue, Time};
use std::borrow::Cow;

/// Reads a payload; `None` where it is outside the grammar of GEDCOM 7.0, and where a calendar, a month or an
/// epoch is an extension.
pub(crate) fn read(text: &str, datatype: Gedcom7) -> Option<Value<'static>> {
    gedcom_7::read(text, datatype.of_elf()).ok()?;
    match datatype {
        Gedcom7::Date => DateValue::parse(&as_elf(text)?).ok().map(|date| Value::Date(date.into_owned())),
        Gedcom7::Period => {
            DatePeriod::parse(&as_elf(text)?).ok().map(|period| Value::Period(period.into_owned()))
        }
        Gedcom7::Exact => DateExact::parse(text).ok().map(Value::Exact),
        Gedcom7::Age => Age::parse(&without_weeks(text)?).ok().map(|age| Value::Age(age.into_owned())),
        Gedcom7::Time => Time::parse(&with_full_hours(text)).ok().map(|time| Value::Time(time.into_owned())),
    }
}

/// An age in years, months and days, which are all that ELF Dates counts.
fn without_weeks(text: &str) -> Option<Cow<'_, str>> {
    if !text.ends_with('w') && !text.contains("w ") {
        return Some(text.into());
    }
    let mut days = 0_u64;
    let mut words: Vec<Cow<'_, str>> = Vec::new();
    for word in text.split(' ') {
        let in_one = if word.ends_with('w') { 7 } else { 1 };
        match word.strip_suffix(['w', 'd']) {
            Some(number) => days = days.checked_add(number.parse::<u64>().ok()?.checked_mul(in_one)?)?,
            None => words.push(word.into()),
        }
    }
    words.push(format!("{days}d").into());
    Some(words.join(" ").into())
}

/// A time whose hours have two digits.
fn with_full_hours(text: &str) -> Cow<'_, str> {
    if text.as_bytes().get(1) == Some(&b':') { format!("0{text}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Datatype, check};

    #[test]
    fn what_is_in_the_grammar_is_a_value_and_nothing_else_is() {
        let cases = [
            (Gedcom7::Date, "JULIAN 3 MAR 44 BCE", "@#DJULIAN@ 3 MAR 44 B.C.", "3 MAR 44 B.C."),
            (Gedcom7::Date, "BET 1900 AND 1901", "BET 1900 AND 1901", "BET  1900 AND 1901"),
            (Gedcom7::Period, "FROM 1900 TO 1910", "FROM 1900 TO 1910", "1900"),
            (Gedcom7::Exact, "1 JAN 1900", "1 JAN 1900", "JAN 1900"),
            (Gedcom7::Exact, "01 JAN 1900", "1 JAN 1900", "ABT 1 JAN 1900"),
            (Gedcom7::Exact, "3 MAR 2000", "3 MAR 2000", "BEF 3 MAR 2000"),
            (Gedcom7::Exact, "3 MAR 2000", "3 MAR 2000", "FROM 1 JAN 2000"),
            (Gedcom7::Exact, "3 MAR 2000", "3 MAR 2000", "BET 1 JAN 2000 AND 2 JAN 2000"),
            (Gedcom7::Age, "> 1y 8w 3d", "> 1y 59d", ">1y"),
            (Gedcom7::Age, "2w", "14d", "8"),
            (Gedcom7::Age, "1y 3m", "1y 3m", "CHILD"),
            (Gedcom7::Time, "2:30:00.5Z", "02:30:00.5Z", "24:00"),
        ];
        for (datatype, text, meaning, bad) in cases {
            let elf = Value::read(meaning, datatype.of_elf());
            assert!(!matches!(elf, Value::Text(_)), "{meaning}");
            assert_eq!(Value::read(text, Datatype::Gedcom7(datatype)), elf, "{text}");
            assert_eq!(Value::read(bad, Datatype::Gedcom7(datatype)), Value::Text(bad.into()));
            assert_eq!(check(text, Datatype::Gedcom7(datatype)), []);
            assert_eq!(check(bad, Datatype::Gedcom7(datatype)).len(), 1, "{bad}");
        }
    }

    #[test]
    fn extensions_and_numbers_without_end_are_text() {
        for (datatype, text) in [
            (Gedcom7::Date, "_MARS 8 _MONTH 190 _EPOCH".to_owned()),
            (Gedcom7::Age, format!("{}w", "9".repeat(40))),
        ] {
            assert_eq!(check(&text, Datatype::Gedcom7(datatype)), []);
            assert_eq!(Value::read(&*text, Datatype::Gedcom7(datatype)), Value::Text((&*text).into()));
        }
    }
}
