//! Values of payloads, parsed by their datatypes.

use crate::age::Age;
use crate::choice::Choice;
use crate::coordinate::Coordinate;
use crate::datatype::{Datatype, Gedcom70};
use crate::date::{DateExact, DatePeriod, DateValue};
use crate::gedcom_7::grammar;
use crate::integer::Integer;
use crate::language::find_tag_of_payload;
use crate::list::List;
use crate::name::PersonalName;
use crate::scan::{into_owned_text, normalise_whitespace};
use crate::time::Time;
use std::borrow::Cow;

/// The value of a payload, with a variant for each [`Datatype`].
///
/// A payload that does not match the grammar of its datatype is [`Value::Text`]. [`check`](crate::check()) returns the
/// reason.
///
/// ```
/// use elf_values::{Datatype, Value};
///
/// match Value::read("BET 1881 AND 1885", Datatype::DateValue) {
///     Value::Date(date) => assert_eq!(date.edtf().as_deref(), Some("[1881..1885]")),
///     other => panic!("{other:?}"),
/// }
/// assert!(matches!(Value::read("the winter after the flood", Datatype::DateValue), Value::Text(_)));
/// assert_eq!(Value::read("German", Datatype::Language), Value::Language("de".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'t> {
    /// A date of an event.
    Date(DateValue<'t>),
    /// A period, such as `FROM 1861 TO 1865`.
    Period(DatePeriod<'t>),
    /// A day of the Gregorian calendar.
    Exact(DateExact),
    /// An age.
    Age(Age<'t>),
    /// A time of day.
    Time(Time<'t>),
    /// A personal name.
    Name(PersonalName<'t>),
    /// A latitude: degrees north or south.
    Latitude(Coordinate),
    /// A longitude: degrees east or west.
    Longitude(Coordinate),
    /// A language, represented by its language tag (RFC 5646). The payload may be the tag or the name of the language.
    Language(Cow<'t, str>),
    /// A list of items separated by commas.
    List(List<'t>),
    /// A whole number.
    Integer(Integer<'t>),
    /// One of the words of the datatype, as the standard spells it. Case is ignored.
    Word(&'static str),
    /// The text of the payload. A value is text if the datatype of the payload has no grammar, or if the payload does
    /// not match the grammar.
    Text(Cow<'t, str>),
}

impl<'t> Value<'t> {
    /// Parses a payload as a value of `datatype`.
    ///
    /// Whitespace at the ends and repeated whitespace do not matter, except in text (ELF Data Model *Line strings*).
    /// Parsing borrowed text allocates only if it has such whitespace or a number beyond 64 bits.
    pub fn read(text: impl Into<Cow<'t, str>>, datatype: Datatype) -> Value<'t> {
        let text = text.into();
        if matches!(datatype, Datatype::Text) {
            return Value::Text(text);
        }
        // The grammars of GEDCOM 7.0 contain all spaces that are allowed, so whitespace is not normalised.
        if let Datatype::Gedcom70(datatype) = datatype {
            return parse_gedcom_7(&text, datatype).unwrap_or(Value::Text(text));
        }
        let value = match &text {
            Cow::Borrowed(text) => match normalise_whitespace(text) {
                Cow::Borrowed(normal) => parse(normal, datatype),
                Cow::Owned(normal) => parse(&normal, datatype).map(Value::into_owned),
            },
            Cow::Owned(text) => parse(&normalise_whitespace(text), datatype).map(Value::into_owned),
        };
        value.unwrap_or(Value::Text(text))
    }

    /// Returns the date of an event, if the value is one ([`Value::Date`]).
    ///
    /// ```
    /// use elf_values::{Datatype, Value};
    ///
    /// let day = |text| Value::read(text, Datatype::DateValue).as_date().and_then(|date| date.edtf());
    /// assert_eq!((day("ABT 1815").as_deref(), day("last summer")), (Some("1815~"), None));
    /// ```
    pub const fn as_date(&self) -> Option<&DateValue<'t>> {
        match self {
            Value::Date(date) => Some(date),
            _ => None,
        }
    }

    /// Copies the text, so that the result borrows nothing.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Date(date) => Value::Date(date.into_owned()),
            Value::Period(period) => Value::Period(period.into_owned()),
            Value::Exact(day) => Value::Exact(day),
            Value::Age(age) => Value::Age(age.into_owned()),
            Value::Time(time) => Value::Time(time.into_owned()),
            Value::Name(name) => Value::Name(name.into_owned()),
            Value::Latitude(degrees) => Value::Latitude(degrees),
            Value::Longitude(degrees) => Value::Longitude(degrees),
            Value::Language(tag) => Value::Language(into_owned_text(tag)),
            Value::List(list) => Value::List(list.into_owned()),
            Value::Integer(number) => Value::Integer(number.into_owned()),
            Value::Word(word) => Value::Word(word),
            Value::Text(text) => Value::Text(into_owned_text(text)),
        }
    }
}

/// Parses a payload whose whitespace is normalised. Returns `None` if it does not match the grammar.
fn parse(text: &str, datatype: Datatype) -> Option<Value<'_>> {
    match datatype {
        Datatype::DateValue => DateValue::parse(text).ok().map(Value::Date),
        Datatype::DatePeriod => DatePeriod::parse(text).ok().map(Value::Period),
        Datatype::DateExact => DateExact::parse(text).ok().map(Value::Exact),
        Datatype::Age => Age::parse(text).ok().map(Value::Age),
        Datatype::Time => Time::parse(text).ok().map(Value::Time),
        Datatype::PersonalName => PersonalName::parse(text).ok().map(Value::Name),
        Datatype::Latitude => Coordinate::latitude(text).ok().map(Value::Latitude),
        Datatype::Longitude => Coordinate::longitude(text).ok().map(Value::Longitude),
        Datatype::Language => find_tag_of_payload(text).map(|tag| Value::Language(tag.into())),
        Datatype::List => Some(Value::List(List::new(text))),
        Datatype::Integer => Integer::parse(text).filter(|_| !text.starts_with('-')).map(Value::Integer),
        Datatype::Word(words) => match Choice::of(text, words.iter().copied()) {
            Choice::Listed(word) | Choice::Alike(word) => Some(Value::Word(word)),
            Choice::Other => None,
        },
        Datatype::Gedcom70(datatype) => parse_gedcom_7(text, datatype),
        Datatype::Text => None,
    }
}

/// Parses a payload of GEDCOM 7.0. Returns `None` if it does not match the grammar, or if a calendar, a month or an
/// epoch is an extension.
fn parse_gedcom_7(text: &str, datatype: Gedcom70) -> Option<Value<'static>> {
    grammar::parse(text, datatype.of_elf()).ok()?;
    match datatype {
        Gedcom70::Date => {
            DateValue::parse(&grammar::convert_to_elf(text)?).ok().map(|date| Value::Date(date.into_owned()))
        }
        Gedcom70::Period => DatePeriod::parse(&grammar::convert_to_elf(text)?)
            .ok()
            .map(|period| Value::Period(period.into_owned())),
        Gedcom70::Exact => DateExact::parse(text).ok().map(Value::Exact),
        Gedcom70::Age => Age::parse(&without_weeks(text)?).ok().map(|age| Value::Age(age.into_owned())),
        Gedcom70::Time => Time::parse(&with_full_hours(text)).ok().map(|time| Value::Time(time.into_owned())),
    }
}

/// Converts the weeks of an age to days, because ELF Dates has only years, months and days.
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

fn with_full_hours(text: &str) -> Cow<'_, str> {
    if text.as_bytes().get(1) == Some(&b':') { format!("0{text}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    #[test]
    fn every_datatype_reads_its_own_and_keeps_what_is_not() {
        const SEXES: &[&str] = &["M", "F", "U"];
        let cases = [
            (Datatype::DateValue, "ABT 1900", "Abt 1900"),
            (Datatype::DatePeriod, "FROM 1900", "1900"),
            (Datatype::DateExact, "5 JAN 1900", "JAN 1900"),
            (Datatype::Age, "42y", "42 years"),
            (Datatype::Time, "12:30", "noon"),
            (Datatype::PersonalName, "Ada /Byron/", "Ada /Byron"),
            (Datatype::Latitude, "N51.5", "51.5"),
            (Datatype::Longitude, "W0.1", "W200"),
            (Datatype::Language, "german", "Klingon"),
            (Datatype::Integer, "3", "-3"),
            (Datatype::Word(SEXES), "f", "X"),
        ];
        for (datatype, good, bad) in cases {
            let value = Value::read(good, datatype);
            assert!(!matches!(value, Value::Text(_)), "{good}");
            assert_eq!(Value::read(format!("  {good} "), datatype), value, "{good}");
            assert_eq!(value.clone().into_owned(), value);
            assert_eq!(Value::read(bad, datatype), Value::Text(bad.into()));
        }
        assert_eq!(Value::read(" a  b", Datatype::Text), Value::Text(" a  b".into()));
    }

    #[test]
    fn what_is_in_the_grammar_is_a_value_and_nothing_else_is() {
        let cases = [
            (Gedcom70::Date, "JULIAN 3 MAR 44 BCE", "@#DJULIAN@ 3 MAR 44 B.C.", "3 MAR 44 B.C."),
            (Gedcom70::Date, "BET 1900 AND 1901", "BET 1900 AND 1901", "BET  1900 AND 1901"),
            (Gedcom70::Period, "FROM 1900 TO 1910", "FROM 1900 TO 1910", "1900"),
            (Gedcom70::Exact, "1 JAN 1900", "1 JAN 1900", "JAN 1900"),
            (Gedcom70::Exact, "01 JAN 1900", "1 JAN 1900", "ABT 1 JAN 1900"),
            (Gedcom70::Exact, "3 MAR 2000", "3 MAR 2000", "BEF 3 MAR 2000"),
            (Gedcom70::Exact, "3 MAR 2000", "3 MAR 2000", "FROM 1 JAN 2000"),
            (Gedcom70::Exact, "3 MAR 2000", "3 MAR 2000", "BET 1 JAN 2000 AND 2 JAN 2000"),
            (Gedcom70::Age, "> 1y 8w 3d", "> 1y 59d", ">1y"),
            (Gedcom70::Age, "2w", "14d", "8"),
            (Gedcom70::Age, "1y 3m", "1y 3m", "CHILD"),
            (Gedcom70::Time, "2:30:00.5Z", "02:30:00.5Z", "24:00"),
        ];
        for (datatype, text, meaning, bad) in cases {
            let elf = Value::read(meaning, datatype.of_elf());
            assert!(!matches!(elf, Value::Text(_)), "{meaning}");
            assert_eq!(Value::read(text, Datatype::Gedcom70(datatype)), elf, "{text}");
            assert_eq!(Value::read(bad, Datatype::Gedcom70(datatype)), Value::Text(bad.into()));
            assert_eq!(check(text, Datatype::Gedcom70(datatype)), []);
            assert_eq!(check(bad, Datatype::Gedcom70(datatype)).len(), 1, "{bad}");
        }
    }

    #[test]
    fn extensions_and_numbers_without_end_are_text() {
        for (datatype, text) in [
            (Gedcom70::Date, "_MARS 8 _MONTH 190 _EPOCH".to_owned()),
            (Gedcom70::Age, format!("{}w", "9".repeat(40))),
        ] {
            assert_eq!(check(&text, Datatype::Gedcom70(datatype)), []);
            assert_eq!(Value::read(&*text, Datatype::Gedcom70(datatype)), Value::Text((&*text).into()));
        }
    }
}
