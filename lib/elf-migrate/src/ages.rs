//! Ages: `<8y`, `99y 11m`, `CHILD` and their spellings in GEDCOM 7.0 (MG79 to MG85, MG111).

use crate::converted::Converted7;
use elf_base::codes;
use elf_values::{Datatype, check_gedcom};

/// The words for ages in GEDCOM 5.5.1, with the ages of GEDCOM 7.0.
const WORDS: [(&str, &str); 3] = [("CHILD", "< 8y"), ("INFANT", "< 1y"), ("STILLBORN", "0y")];

/// The units, longest first.
const UNITS: [u8; 4] = [b'y', b'm', b'w', b'd'];

const WEEK: u64 = 7;

/// An age as a bound and the digits of each unit.
#[derive(Default)]
struct Age<'t> {
    bound: &'t str,
    numbers: [Option<&'t str>; 4],
}

pub(crate) fn is_of_551(text: &str) -> bool {
    check_gedcom(text, Datatype::Age).iter().all(|fault| fault.code != codes::AGE_MALFORMED)
}

pub(crate) fn to_7(text: &str) -> Converted7<'_> {
    let trimmed = text.trim();
    if let Some((_, age)) = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(trimmed)) {
        return Converted7::with_phrase(*age, text);
    }
    match Age::parse(trimmed) {
        None if text.is_empty() => Converted7::exact(""),
        None => Converted7::unread("", text),
        Some(age) => {
            let bound = Some(age.bound).filter(|bound| !bound.is_empty()).map(str::to_owned);
            let units = age.numbers.iter().zip(UNITS).filter_map(|(number, unit)| {
                Some(format!("{}{}", without_zeros((*number)?), char::from(unit)))
            });
            Converted7::exact(bound.into_iter().chain(units).collect::<Vec<_>>().join(" "))
        }
    }
}

/// Converts an age to GEDCOM 5.5.1, which has days instead of weeks (MG111).
pub(crate) fn to_551(payload: &str) -> String {
    let Some(age) = Age::parse(payload) else { return payload.to_owned() };
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
    /// Parses an age with units in any order, with or without spaces. A number without a unit counts years.
    fn parse(text: &'t str) -> Option<Age<'t>> {
        let number = text.trim_start_matches(['<', '>']);
        let bound = text.get(..text.len() - number.len()).filter(|bound| bound.len() < 2)?;
        let mut age = Age { bound, ..Age::default() };
        let mut rest = number.trim_start_matches(' ');
        while !rest.is_empty() {
            let end = rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
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
            rest = behind.split_at_checked(1).map_or("", |(_, rest)| rest).trim_start_matches(' ');
        }
        age.numbers.iter().any(Option::is_some).then_some(age)
    }
}

pub(crate) fn without_zeros(digits: &str) -> &str {
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() { digits.get(..1).unwrap_or(digits) } else { trimmed }
}
