//! Ages: `<8y`, `99y 11m`, `CHILD` and their spellings in GEDCOM 7.0 (MG79 to MG85, MG111).

use crate::values::Said;
use elf_base::codes;
use elf_values::{Datatype, check_gedcom};

/// The words for ages of GEDCOM 5.5.1, and what GEDCOM 7.0 says for them.
const WORDS: [(&str, &str); 3] = [("CHILD", "< 8y"), ("INFANT", "< 1y"), ("STILLBORN", "0y")];

/// The units, the longest first.
const UNITS: [u8; 4] = [b'y', b'm', b'w', b'd'];

/// The number of days in a week.
const WEEK: u64 = 7;

/// An age as a bound and the digits of each unit.
#[derive(Default)]
struct Age<'t> {
    bound: &'t str,
    numbers: [Option<&'t str>; 4],
}

/// Tells whether a text is an age of GEDCOM 5.5.1.
pub(crate) fn is_of_551(text: &str) -> bool {
    check_gedcom(text, Datatype::Age).iter().all(|fault| fault.code != codes::AGE_MALFORMED)
}

/// Says an age as GEDCOM 7.0 does.
pub(crate) fn to_7(text: &str) -> Said {
    let trimmed = text.trim();
    if let Some((_, age)) = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(trimmed)) {
        return Said::with(*age, text);
    }
    match Age::read(trimmed) {
        None if text.is_empty() => Said::plain(""),
        None => Said::unread("", text),
        Some(age) => {
            let bound = Some(age.bound).filter(|bound| !bound.is_empty()).map(str::to_owned);
            let units = age.numbers.iter().zip(UNITS).filter_map(|(number, unit)| {
                Some(format!("{}{}", without_zeros((*number)?), char::from(unit)))
            });
            Said::plain(bound.into_iter().chain(units).collect::<Vec<_>>().join(" "))
        }
    }
}

/// Says an age of GEDCOM 7.0 as GEDCOM 5.5.1 does: weeks as days.
pub(crate) fn to_551(payload: &str) -> String {
    let Some(age) = Age::read(payload) else { return payload.to_owned() };
    let [years, months, weeks, days] = age.numbers;
    let number = |digits: Option<&str>| digits.map_or(Some(0), |digits| digits.parse::<u64>().ok());
    let in_days = weeks.and_then(|_| number(weeks)?.checked_mul(WEEK)?.checked_add(number(days)?));
    let days = in_days.map(|days| days.to_string()).or_else(|| days.map(str::to_owned));
    let [years, months] = [years, months].map(|number| number.map(str::to_owned));
    let units = [(years, 'y'), (months, 'm'), (days, 'd')];
    let units = units.into_iter().filter_map(|(number, unit)| Some(format!("{}{unit}", number?)));
    format!("{}{}", age.bound, units.collect::<Vec<_>>().join(" "))
}

impl<'t> Age<'t> {
    /// Reads an age whose units stand in any order, with blanks or without; a number alone is one of
    /// years.
    fn read(text: &'t str) -> Option<Age<'t>> {
        let number = text.trim_start_matches(['<', '>']);
        let bound = text.get(..text.len() - number.len()).filter(|bound| bound.len() < 2)?;
        let mut age = Age { bound, ..Age::default() };
        let mut rest = number.trim_start_matches(' ');
        while !rest.is_empty() {
            let end = rest.bytes().position(|octet| !octet.is_ascii_digit()).unwrap_or(rest.len());
            let (digits, behind) = rest.split_at_checked(end)?;
            let behind = behind.trim_start_matches(' ');
            let is_alone = age.numbers.iter().all(Option::is_none) && behind.is_empty();
            let unit = behind.bytes().next().unwrap_or(b'y').to_ascii_lowercase();
            if digits.is_empty() || behind.is_empty() && !is_alone {
                return None;
            }
            let place = age.numbers.get_mut(UNITS.iter().position(|&one| one == unit)?)?;
            if place.replace(digits).is_some() {
                return None;
            }
            rest = behind.get(1..).unwrap_or_default().trim_start_matches(' ');
        }
        age.numbers.iter().any(Option::is_some).then_some(age)
    }
}

/// A number without its leading zeros.
pub(crate) fn without_zeros(digits: &str) -> &str {
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() { digits.get(..1).unwrap_or(digits) } else { trimmed }
}
