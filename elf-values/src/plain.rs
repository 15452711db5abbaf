//! Payloads in which nothing is unusual, told from their octets: nearly all that stand in a file.
//!
//! Nothing is decided here. What is plain is a value without a fault, which the tests hold against
//! [`check_in_full`](crate::check::check_in_full); whatever else there is goes there.

use crate::datatype::Datatype;

/// Tells if a payload is one of the common spellings of a value, and certainly without a fault.
pub(crate) fn is_plain(payload: &str, datatype: Datatype) -> bool {
    let octets = payload.as_bytes();
    let of_elf = match datatype {
        Datatype::Gedcom7(datatype) => datatype.of_elf(),
        other => other,
    };
    match of_elf {
        Datatype::DateValue => is_date(octets) || is_modified(octets),
        Datatype::DatePeriod => {
            octets.first().is_some_and(|first| matches!(first, b'F' | b'T')) && is_modified(octets)
        }
        Datatype::DateExact => date(octets).is_some_and(|date| date.is_exact && date.rest.is_empty()),
        Datatype::Age => is_age(octets),
        Datatype::Time => is_time(octets),
        // None of ELF is one.
        Datatype::Gedcom7(_)
        | Datatype::PersonalName
        | Datatype::Latitude
        | Datatype::Longitude
        | Datatype::Language
        | Datatype::List
        | Datatype::Integer
        | Datatype::Word(_)
        | Datatype::Text => false,
    }
}

/// A date of the Gregorian calendar at the start of octets.
struct PlainDate<'t> {
    year: u32,
    /// Tells if it has a day, and a year of four digits.
    is_exact: bool,
    rest: &'t [u8],
}

/// `((Day " ")? Month " ")? Year` with a year of three or four digits.
fn date(octets: &[u8]) -> Option<PlainDate<'_>> {
    let (first, digits, rest) = number(octets);
    if digits > 2 {
        return year(first, digits, rest, false);
    }
    let has_day = digits > 0;
    let rest = if has_day { rest.strip_prefix(b" ")? } else { rest };
    let (month, rest) = rest.split_at_checked(3)?;
    let last = last_day(month)?;
    if has_day && !(1..=last).contains(&first) {
        return None;
    }
    let (number, digits, rest) = number(rest.strip_prefix(b" ")?);
    year(number, digits, rest, has_day && digits == 4)
}

fn year(year: u32, digits: usize, rest: &[u8], is_exact: bool) -> Option<PlainDate<'_>> {
    (matches!(digits, 3 | 4) && year > 0).then_some(PlainDate { year, is_exact, rest })
}

/// The digits at the start, five of them at most: their number, how many, and what is behind.
fn number(octets: &[u8]) -> (u32, usize, &[u8]) {
    let mut value = 0;
    let mut digits = 0;
    let mut rest = octets;
    while let Some((octet @ b'0'..=b'9', behind)) = rest.split_first().filter(|_| digits < 5) {
        value = value * 10 + u32::from(octet - b'0');
        digits += 1;
        rest = behind;
    }
    (value, digits, rest)
}

/// The last day that a month has in any year.
const fn last_day(month: &[u8]) -> Option<u32> {
    match month {
        b"JAN" | b"MAR" | b"MAY" | b"JUL" | b"AUG" | b"OCT" | b"DEC" => Some(31),
        b"APR" | b"JUN" | b"SEP" | b"NOV" => Some(30),
        b"FEB" => Some(28),
        _ => None,
    }
}

fn is_date(octets: &[u8]) -> bool {
    date(octets).is_some_and(|date| date.rest.is_empty())
}

/// A keyword and a date, or two dates that are certainly in order.
fn is_modified(octets: &[u8]) -> bool {
    let in_order = |octets, between: &[u8]| {
        let Some(first) = date(octets) else { return false };
        let second = first.rest.strip_prefix(between).and_then(date);
        second.is_some_and(|second| second.rest.is_empty() && first.year < second.year)
    };
    let Some((keyword, rest)) = octets.split_at_checked(4) else { return false };
    match keyword {
        b"ABT " | b"CAL " | b"EST " | b"BEF " | b"AFT " => is_date(rest),
        b"BET " => in_order(rest, b" AND "),
        b"FROM" => rest.strip_prefix(b" ").is_some_and(|rest| is_date(rest) || in_order(rest, b" TO ")),
        _ => octets.strip_prefix(b"TO ").is_some_and(is_date),
    }
}

/// A number of years, months or days.
fn is_age(octets: &[u8]) -> bool {
    let (_, digits, unit) = number(octets);
    matches!(digits, 1..=3) && matches!(unit, b"y" | b"m" | b"d")
}

/// `HH:MM` or `HH:MM:SS`, before midnight and without a leap second.
fn is_time(octets: &[u8]) -> bool {
    let part = |octets, most| {
        let (value, digits, rest) = number(octets);
        (digits == 2 && value < most).then_some(rest)
    };
    let minutes = part(octets, 24).and_then(|rest| part(rest.strip_prefix(b":")?, 60));
    match minutes {
        Some([]) => true,
        Some(rest) => rest.strip_prefix(b":").and_then(|rest| part(rest, 60)).is_some_and(<[u8]>::is_empty),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check_in_full;
    use proptest::prelude::*;

    const MONTHS: [&str; 12] =
        ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

    fn holds(payload: &str) -> bool {
        let mut any = false;
        for datatype in Datatype::OF_DATES {
            if is_plain(payload, datatype) {
                assert_eq!(check_in_full(payload, datatype), [], "{payload} {datatype:?}");
                any = true;
            }
        }
        any
    }

    #[test]
    fn every_day_of_a_year_is_plain_or_left_to_others() {
        let mut plain = 0;
        for (month, day) in MONTHS.into_iter().flat_map(|month| (0..=40).map(move |day| (month, day))) {
            for year in ["0", "1", "99", "000", "0000", "100", "1900", "2000", "0999", "12345"] {
                plain += usize::from(holds(&format!("{day} {month} {year}")));
                plain += usize::from(holds(&format!("{day:02} {month} {year}")));
            }
        }
        assert_eq!(plain, 365 * 2 * 4);
        for text in [
            "ABT 1900",
            "BET 1900 AND 1901",
            "FROM 1 MAR 1900 TO JUN 1901",
            "TO 1900",
            "52y",
            "23:59",
            "00:00:00",
        ] {
            assert!(holds(text), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn what_is_plain_has_no_fault(words in proptest::collection::vec(prop_oneof![
            "[0-9]{1,5}", "(ABT|BET|AND|FROM|TO|EST|BEF|JAN|FEB|NOV|Jan|TVT)", "[0-9]{1,3}[ymdw]", "[0-9]{2}:[0-9]{2}(:[0-9]{2})?", "\\PC"
        ], 0..7)) {
            holds(&words.join(" "));
        }
    }
}
