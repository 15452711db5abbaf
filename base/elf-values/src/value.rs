//! A payload as a value of its datatype.

use crate::age::Age;
use crate::choice::Choice;
use crate::coordinate::Coordinate;
use crate::datatype::Datatype;
use crate::date::{DateExact, DatePeriod, DateValue};
use crate::gedcom_7_value;
use crate::integer::Integer;
use crate::language::tag_of_payload;
use crate::list::List;
use crate::name::PersonalName;
use crate::scan::{normalised, owned};
use crate::time::Time;
use std::borrow::Cow;

/// The value that a payload stands for, a variant for each [`Datatype`].
///
/// A payload that is not in the grammar of its datatype is [`Value::Text`]: it is data all the same.
/// [`check`](crate::check()) says what is at fault with it.
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
pub enum Value<'t> {
    /// A date of history.
    Date(DateValue<'t>),
    /// A time that something lasted.
    Period(DatePeriod<'t>),
    /// A day of the Gregorian calendar.
    Exact(DateExact),
    /// An age.
    Age(Age<'t>),
    /// A time of day.
    Time(Time<'t>),
    /// A name of a person.
    Name(PersonalName<'t>),
    /// Degrees north or south.
    Latitude(Coordinate),
    /// Degrees east or west.
    Longitude(Coordinate),
    /// A language, as its tag of RFC 5646; the payload may be that or a name.
    Language(Cow<'t, str>),
    /// Items with commas between them.
    List(List<'t>),
    /// A whole number.
    Integer(Integer<'t>),
    /// One of the words that the datatype lists, as the standard spells it; capital and small letters of the
    /// payload do not count.
    Word(&'static str),
    /// The payload as it is: text without a grammar, or outside that of its datatype.
    Text(Cow<'t, str>),
}

impl<'t> Value<'t> {
    /// Reads a payload of `datatype`.
    ///
    /// Whitespace at the ends and in runs has no significance but in text (ELF Data Model *Line strings*).
    /// Nothing is allocated for a payload that is borrowed, has no such whitespace, and holds no number
    /// beyond 64 bits.
    pub fn read(text: impl Into<Cow<'t, str>>, datatype: Datatype) -> Value<'t> {
        let text = text.into();
        if matches!(datatype, Datatype::Text) {
            return Value::Text(text);
        }
        // The grammars of GEDCOM 7.0 have each blank that may be.
        if let Datatype::Gedcom7(datatype) = datatype {
            return gedcom_7_value::read(&text, datatype).unwrap_or(Value::Text(text));
        }
        let value = match &text {
            Cow::Borrowed(text) => match normalised(text) {
                Cow::Borrowed(normal) => parse(normal, datatype),
                Cow::Owned(normal) => parse(&normal, datatype).map(Value::into_owned),
            },
            Cow::Owned(text) => parse(&normalised(text), datatype).map(Value::into_owned),
        };
        value.unwrap_or(Value::Text(text))
    }

    /// Returns the date, if the value is a date of history.
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

    /// Makes the value own its text, so that it outlives the payload.
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
            Value::Language(tag) => Value::Language(owned(tag)),
            Value::List(list) => Value::List(list.into_owned()),
            Value::Integer(number) => Value::Integer(number.into_owned()),
            Value::Word(word) => Value::Word(word),
            Value::Text(text) => Value::Text(owned(text)),
        }
    }
}

/// Reads a payload without needless whitespace; `None` where it is outside the grammar.
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
        Datatype::Language => tag_of_payload(text).map(|tag| Value::Language(tag.into())),
        Datatype::List => Some(Value::List(List::new(text))),
        Datatype::Integer => Integer::parse(text).filter(|_| !text.starts_with('-')).map(Value::Integer),
        Datatype::Word(words) => match Choice::of(text, words.iter().copied()) {
            Choice::Listed(word) | Choice::Alike(word) => Some(Value::Word(word)),
            Choice::Other => None,
        },
        Datatype::Gedcom7(datatype) => gedcom_7_value::read(text, datatype),
        Datatype::Text => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
