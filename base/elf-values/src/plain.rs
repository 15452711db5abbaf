//! Fast paths for payloads in common spellings. Nearly all payloads of a file have such a spelling.
//!
//! A payload in a common spelling is certainly valid. All other payloads are checked by
//! [`check_in_full`](crate::check::check_in_full). The tests compare every answer of this module with that function.

use crate::datatype::{Datatype, Gedcom70};
use crate::{Bound, Calendar, CalendarDay, Days};

/// The days of a date in a common spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlainDays {
    /// The days that the date can mean, equal to [`DateValue::days`](crate::DateValue::days).
    pub days: Days,
    /// Whether the date is approximated by ABT, CAL or EST.
    pub is_approximate: bool,
}

/// Returns the days of a date in a common spelling: a Gregorian date, alone or after ABT, CAL, EST, BEF or AFT. Returns
/// `None` for every other payload. This is a fast path of [`DateValue`](crate::DateValue).
///
/// ```
/// use elf_values::{DateValue, plain_days};
///
/// let found = plain_days("ABT MAY 1862").expect("a common spelling");
/// assert!(found.is_approximate);
/// assert_eq!(Ok(found.days), DateValue::parse("ABT MAY 1862").map(|value| value.days()));
/// assert_eq!(plain_days("@#DJULIAN@ 1700"), None);
/// ```
pub fn plain_days(payload: &str) -> Option<PlainDays> {
    let octets = payload.as_bytes();
    let alone = |octets| read_date(octets).filter(|date| date.rest.is_empty());
    if let Some(date) = alone(octets) {
        let (first, last) = date.days()?;
        let days = Days { earliest: Bound::Day(first), latest: Bound::Day(last) };
        return Some(PlainDays { days, is_approximate: false });
    }
    let (keyword, rest) = octets.split_at_checked(4)?;
    let (first, last) = alone(rest)?.days()?;
    let (earliest, latest, is_approximate) = match keyword {
        b"ABT " | b"CAL " | b"EST " => (Bound::Day(first), Bound::Day(last), true),
        b"BEF " => (Bound::Open, Bound::Day(last), false),
        b"AFT " => (Bound::Day(first), Bound::Open, false),
        _ => return None,
    };
    Some(PlainDays { days: Days { earliest, latest }, is_approximate })
}

/// Returns whether a payload has a common spelling, so that it is certainly valid.
pub(crate) fn is_plain(payload: &str, datatype: Datatype) -> bool {
    datatype.of_gedcom_7().is_some_and(|kind| kind.is_plain(payload))
}

impl Gedcom70 {
    /// Returns whether a payload has a common spelling of ELF Dates and GEDCOM 7.0, so that it is certainly valid. This
    /// check is fast.
    ///
    /// ```
    /// use elf_values::Gedcom70;
    ///
    /// assert!(Gedcom70::Date.is_plain("5 OCT 1835") && Gedcom70::Age.is_plain("17y"));
    /// assert!(!Gedcom70::Date.is_plain("5 Oct 1835"));
    /// ```
    pub fn is_plain(self, payload: &str) -> bool {
        let octets = payload.as_bytes();
        match self {
            Gedcom70::Date => is_date(octets) || is_date_with_keyword(octets),
            Gedcom70::Period => {
                octets.first().is_some_and(|first| matches!(first, b'F' | b'T'))
                    && is_date_with_keyword(octets)
            }
            Gedcom70::Exact => read_date(octets).is_some_and(|date| date.is_exact && date.rest.is_empty()),
            Gedcom70::Age => is_age(octets),
            Gedcom70::Time => is_time(octets),
        }
    }
}

/// Returns whether a payload is certainly a valid date or period in canonical spelling. This check is fast.
///
/// ```
/// assert!(elf_values::is_canonical_date("5 OCT 1835"));
/// // The first date is invalid, the second has another spelling, and the fast check does not examine escapes.
/// for text in ["5 Oct 1835", "05 OCT 1835", "@#DJULIAN@ 5 OCT 1835"] {
///     assert!(!elf_values::is_canonical_date(text));
/// }
/// ```
pub fn is_canonical_date(payload: &str) -> bool {
    let octets = payload.as_bytes();
    let starts_with_zero = |pair: &[u8]| matches!(pair, [before, b'0'] if !before.is_ascii_digit());
    (is_date(octets) || is_date_with_keyword(octets))
        && octets.first() != Some(&b'0')
        && !octets.windows(2).any(starts_with_zero)
}

/// A Gregorian date at the start of a text.
struct PlainDate<'t> {
    year: u32,
    /// The month, counted from 1; 0 if the date has no month. The day follows the same rule.
    month: u8,
    day: u8,
    /// Whether the date has a day and a year of four digits.
    is_exact: bool,
    rest: &'t [u8],
}

fn read_date(octets: &[u8]) -> Option<PlainDate<'_>> {
    let first = read_digits(octets);
    if first.count > 2 {
        return build_plain_date(&first, 0, 0);
    }
    let has_day = first.count > 0;
    let rest = if has_day { first.rest.strip_prefix(b" ")? } else { first.rest };
    let (name, rest) = rest.split_at_checked(3)?;
    let (month, last) = find_month(name)?;
    let day = u8::try_from(first.value).ok()?;
    if has_day && !(1..=last).contains(&day) {
        return None;
    }
    build_plain_date(&read_digits(rest.strip_prefix(b" ")?), month, day)
}

fn build_plain_date<'t>(year: &Digits<'t>, month: u8, day: u8) -> Option<PlainDate<'t>> {
    let &Digits { value, count, rest } = year;
    let is_exact = day > 0 && count == 4;
    (matches!(count, 3 | 4) && value > 0).then_some(PlainDate { year: value, month, day, is_exact, rest })
}

impl PlainDate<'_> {
    /// Returns the Julian day numbers of the first and the last day.
    fn days(&self) -> Option<(i64, i64)> {
        let (gregorian, year) = (Calendar::Gregorian, i64::from(self.year));
        let number = |month, day| gregorian.day_number(CalendarDay { year, month, day });
        match (self.month, self.day) {
            (0, _) => Some((number(1, 1)?, number(12, 31)?)),
            (month, 0) => {
                let first = number(month, 1)?;
                let days = gregorian.days_in_month(year, month)?;
                Some((first, first + i64::from(days) - 1))
            }
            (month, day) => number(month, day).map(|day| (day, day)),
        }
    }
}

/// Decimal digits at the start of a text.
struct Digits<'t> {
    value: u32,
    count: usize,
    rest: &'t [u8],
}

fn read_digits(octets: &[u8]) -> Digits<'_> {
    let mut digits = Digits { value: 0, count: 0, rest: octets };
    while let Some((octet @ b'0'..=b'9', rest)) = digits.rest.split_first().filter(|_| digits.count < 5) {
        digits = Digits { value: digits.value * 10 + u32::from(octet - b'0'), count: digits.count + 1, rest };
    }
    digits
}

/// Returns the number of a month, from 1, and its greatest possible last day.
const fn find_month(name: &[u8]) -> Option<(u8, u8)> {
    match name {
        b"JAN" => Some((1, 31)),
        b"FEB" => Some((2, 28)),
        b"MAR" => Some((3, 31)),
        b"APR" => Some((4, 30)),
        b"MAY" => Some((5, 31)),
        b"JUN" => Some((6, 30)),
        b"JUL" => Some((7, 31)),
        b"AUG" => Some((8, 31)),
        b"SEP" => Some((9, 30)),
        b"OCT" => Some((10, 31)),
        b"NOV" => Some((11, 30)),
        b"DEC" => Some((12, 31)),
        _ => None,
    }
}

fn is_date(octets: &[u8]) -> bool {
    read_date(octets).is_some_and(|date| date.rest.is_empty())
}

/// Returns whether the text is a keyword and a date, or two dates that are certainly in order.
fn is_date_with_keyword(octets: &[u8]) -> bool {
    let in_order = |octets, between: &[u8]| {
        let Some(first) = read_date(octets) else { return false };
        let second = first.rest.strip_prefix(between).and_then(read_date);
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

fn is_age(octets: &[u8]) -> bool {
    let number = read_digits(octets);
    matches!(number.count, 1..=3) && matches!(number.rest, b"y" | b"m" | b"d")
}

fn is_time(octets: &[u8]) -> bool {
    let part = |octets, most| {
        let number = read_digits(octets);
        (number.count == 2 && number.value < most).then_some(number.rest)
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
    use crate::{DateForm, DatePeriod, DateValue};
    use proptest::prelude::*;

    const MONTHS: [&str; 12] =
        ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

    /// Returns whether a payload has a common spelling. Asserts that such a payload has no findings.
    fn holds(payload: &str) -> bool {
        let mut any = false;
        let value = DateValue::parse(payload);
        if let (Some(found), Ok(value)) = (plain_days(payload), &value) {
            assert_eq!(found.days, value.days(), "{payload}");
            let is_approximate = matches!(value.form(), DateForm::Approximated(..));
            assert_eq!(found.is_approximate, is_approximate, "{payload}");
            assert!(value.first().is_some_and(|date| date.escape().is_none()));
            assert!(is_plain(payload, Datatype::DateValue));
        } else {
            assert_eq!(plain_days(payload), None, "{payload}");
            let is_single = !["FROM ", "TO ", "BET "].iter().any(|keyword| payload.starts_with(keyword));
            assert!(!is_single || !is_plain(payload, Datatype::DateValue), "{payload}");
        }
        if is_canonical_date(payload) {
            assert_eq!(value.map(|value| value.to_string()).as_deref(), Ok(payload));
            if let Ok(period) = DatePeriod::parse(payload) {
                assert_eq!(period.to_string(), payload);
            }
        }
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
            "CAL FEB 2000",
            "EST FEB 1900",
            "BEF 28 FEB 2000",
            "AFT DEC 999",
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
