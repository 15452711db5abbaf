//! Ranges and periods of which one end is no day bound nothing; months tell the calendar without an escape.

use elf_values::elf_base::rules::DateRules;
use elf_values::{DateValue, Days};

#[test]
fn a_range_with_an_impossible_end_bounds_nothing() {
    for text in [
        "BET 30 FEB 1900 AND 1 MAR 1901",
        "BET 1900 AND 30 FEB 1901",
        "FROM 30 FEB 1900 TO 1901",
        "FROM 1900 TO 31 JUN 1901",
    ] {
        assert_eq!(DateValue::parse(text).map(|value| value.days()), Ok(Days::UNKNOWN), "{text}");
    }
    let days = DateValue::parse("BET 28 FEB 1900 AND 1 MAR 1901").map(|value| value.days().latest.day());
    assert_eq!(days, Ok(Some(2_415_445)));
}

#[test]
fn months_tell_the_french_calendar() {
    for (text, meant) in [
        ("12 VEND 3", "@#DFRENCH R@ 12 VEND 3"),
        ("VEND 3", "@#DFRENCH R@ VEND 3"),
        ("BET 12 VEND 3 AND 1 MAR 1801", "BET @#DFRENCH R@ 12 VEND 3 AND 1 MAR 1801"),
        ("ABT COMP 7", "ABT @#DFRENCH R@ COMP 7"),
        ("40 VEND 3", "40 VEND 3"),
        ("VENT", "VENT"),
        ("30 FEB 1900", "30 FEB 1900"),
    ] {
        let read = DateValue::parse_lenient(text, DateRules::AsFound).map(|value| value.to_string());
        assert_eq!(read.as_deref().unwrap_or(text), meant, "{text}");
    }
}
