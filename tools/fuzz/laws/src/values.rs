//! The law of values.

use crate::Input;
use elf_values::{
    Age, Calendar, Choice, Coordinate, Datatype, DateExact, DatePeriod, DateValue, Integer, Malformed,
    MediaType, PersonalName, Time, Value, check, items, language_tag, recover,
};

/// Every payload, as any datatype, is either a value that is read again from its canonical spelling, or a
/// fault that lies within it and has a message; a date that is recovered is a date. What is found at fault
/// lies within it too, and a payload of which nothing is found is no text.
///
/// # Panics
///
/// If the law does not hold.
pub fn values(input: &Input<'_>) {
    let text = String::from_utf8_lossy(input.octets);
    for payload in text.split(['\n', '\r']) {
        date(payload);
        others(payload);
        judged(payload);
    }
}

fn judged(payload: &str) {
    for datatype in Datatype::OF_DATES {
        let findings = check(payload, datatype);
        for found in &findings {
            assert!(payload.get(found.span.range()).is_some(), "{found:?} of {payload:?}");
            let fixed = found.fix.as_ref().map(|fix| Value::read(fix.text.as_str(), datatype));
            assert!(!matches!(fixed, Some(Value::Text(_))), "{found:?} of {payload:?}");
        }
        let value = Value::read(payload, datatype);
        assert_eq!(value.clone().into_owned(), value, "{payload:?}");
        assert_eq!(Value::read(payload.to_owned(), datatype), value, "{payload:?}");
        assert!(!matches!(value, Value::Text(_)) || !findings.is_empty(), "{payload:?}");
    }
}

fn date(payload: &str) {
    match DateValue::parse(payload) {
        Ok(value) => {
            let canonical = value.to_string();
            let again = DateValue::parse(&canonical);
            assert_eq!(again.as_ref(), Ok(&value), "{payload:?} is spelled {canonical:?}");
            assert_eq!(DatePeriod::parse(payload).is_ok(), value.is_period(), "{payload:?}");
            for date in value.dates() {
                assert!(payload.get(date.span().range()).is_some(), "{payload:?} {date:?}");
            }
            let _ = value.edtf();
            for calendar in Calendar::ALL {
                let Some(there) = value.in_calendar(calendar) else { continue };
                let there = DateValue::parse(&there).map(|there| there.days());
                assert_eq!(there, Ok(value.days()), "{payload:?} in {calendar}");
            }
        }
        Err(fault) => fault_lies_within(&fault, payload),
    }
    if let Some(found) = recover(payload) {
        let value = DateValue::parse(&found.text);
        // A year of two digits keeps the zero that tells it from a year without its century.
        let without_zeros: Vec<&str> =
            found.text.split(' ').map(|word| word.trim_start_matches('0')).collect();
        assert_eq!(value.map(|value| value.to_string()), Ok(without_zeros.join(" ")), "{payload:?}");
        assert!(!found.unusual.is_empty(), "{payload:?}");
    }
    if let Err(fault) = DateExact::parse(payload) {
        fault_lies_within(&fault, payload);
    }
}

fn others(payload: &str) {
    match Age::parse(payload) {
        Ok(age) => assert_eq!(Age::parse(&age.to_string()).as_ref(), Ok(&age), "{payload:?}"),
        Err(fault) => fault_lies_within(&fault, payload),
    }
    match Time::parse(payload) {
        Ok(time) => assert_eq!(Time::parse(&time.to_string()).as_ref(), Ok(&time), "{payload:?}"),
        Err(fault) => fault_lies_within(&fault, payload),
    }
    for read in [Coordinate::latitude, Coordinate::longitude] {
        match read(payload) {
            Ok(place) => assert_eq!(read(&place.to_string()), Ok(place), "{payload:?}"),
            Err(fault) => fault_lies_within(&fault, payload),
        }
    }
    if let Err(fault) = MediaType::parse(payload) {
        fault_lies_within(&fault, payload);
    }
    if let Err(fault) = PersonalName::parse(payload) {
        fault_lies_within(&fault, payload);
    }
    if let Some(number) = Integer::parse(payload) {
        assert_eq!(Integer::parse(&number.to_string()), Some(number.clone()), "{payload:?}");
    }
    let _ = (items(payload).count(), Choice::of(payload, ["Y"]), language_tag(payload));
}

fn fault_lies_within(fault: &Malformed, text: &str) {
    assert!(text.get(fault.span.range()).is_some(), "{fault:?} of {text:?}");
    assert!(!fault.to_string().ends_with('.'), "{fault:?}");
}
