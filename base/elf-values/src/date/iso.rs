//! Converts dates to ISO 8601 and EDTF (ISO 8601-2), for use outside ELF (ELF Dates *Date concepts in other formats*).
//!
//! | ELF | EDTF |
//! | --- | --- |
//! | `1900`, `MAY 1900`, `1 MAY 1900` | `1900`, `1900-05`, `1900-05-01` |
//! | `ABT 1900`, `CAL 1900` | `1900~` |
//! | `EST 1900` | `1900%` |
//! | `BEF 1900`, `AFT 1900` | `[..1900]`, `[1900..]` |
//! | `BET 1900 AND 1910` | `[1900..1910]` |
//! | `FROM 1900`, `TO 1910`, `FROM 1900 TO 1910` | `1900/`, `/1910`, `1900/1910` |
//! | a year or month of another calendar | `[first day..last day]` |

use super::single::Date;
use super::value::{Approximation, DateForm, DateValue};
use crate::calendar::{Calendar, CalendarDay};

/// Returns the ISO 8601 spelling of a day, `YYYY-MM-DD`, in the proleptic Gregorian calendar with astronomical years.
/// Years before 0 and with more than four digits have a sign.
///
/// ```
/// assert_eq!(elf_values::iso_day(2_342_775).as_deref(), Some("1702-03-14"));
/// ```
pub fn iso_day(number: i64) -> Option<String> {
    let day = Calendar::Gregorian.day(number)?;
    let mut text = iso_year(day.year);
    for number in [day.month, day.day] {
        text.push('-');
        push_two_digits(&mut text, number);
    }
    Some(text)
}

/// Returns the Julian day number of a day that is written as `YYYY-MM-DD`, with a year of four digits. `None` if the
/// calendar does not have the day.
///
/// ```
/// assert_eq!(elf_values::parse_iso_day("1702-03-14"), Some(2_342_775));
/// assert_eq!(elf_values::parse_iso_day("1702-02-29"), None);
/// ```
pub fn parse_iso_day(text: &str) -> Option<i64> {
    let parts: Vec<&str> = text.split('-').collect();
    let &[year, month, day] = &*parts else { return None };
    let is_number = |part: &str, digits| part.len() == digits && part.bytes().all(|one| one.is_ascii_digit());
    if !(is_number(year, 4) && is_number(month, 2) && is_number(day, 2)) {
        return None;
    }
    let day = CalendarDay { year: year.parse().ok()?, month: month.parse().ok()?, day: day.parse().ok()? };
    Calendar::Gregorian.day_number(day)
}

/// Appends two digits, several times faster than `{:02}`.
fn push_two_digits(text: &mut String, number: u8) {
    text.push(char::from(b'0' + number / 10 % 10));
    text.push(char::from(b'0' + number % 10));
}

fn iso_year(year: i64) -> String {
    match year {
        0..=9_999 => {
            let mut text = String::with_capacity("YYYY-MM-DD".len());
            for pair in [year / 100, year % 100] {
                push_two_digits(&mut text, u8::try_from(pair).unwrap_or_default());
            }
            text
        }
        10_000.. => format!("+{year}"),
        _ => format!("-{:04}", year.unsigned_abs()),
    }
}

impl DateValue<'_> {
    /// Returns the EDTF spelling. The phrase of an interpreted date is omitted.
    ///
    /// Returns `None` for date phrases, for unknown days, and for dates that EDTF cannot express: days and months in
    /// years with more than four digits, and reversed intervals.
    ///
    /// ```
    /// use elf_values::DateValue;
    ///
    /// let edtf = |text| DateValue::parse(text).ok().and_then(|value| value.edtf());
    /// assert_eq!(edtf("BET MAY 1900 AND 1910").as_deref(), Some("[1900-05..1910]"));
    /// assert_eq!(edtf("ABT @#DJULIAN@ 3 MAR 1701/02").as_deref(), Some("1702-03-14~"));
    /// assert_eq!(edtf("(Michaelmas)"), None);
    /// ```
    pub fn edtf(&self) -> Option<String> {
        match self.form() {
            DateForm::Exact(date) | DateForm::Interpreted(date, _) => spell_date(date),
            DateForm::Approximated(approximation, date) => {
                let sign = match approximation {
                    Approximation::About | Approximation::Calculated => '~',
                    Approximation::Estimated => '%',
                };
                spell_without_set(date).map(|date| format!("{date}{sign}"))
            }
            DateForm::Phrase(_) => None,
            DateForm::Between(..) | DateForm::FromTo(..) if self.is_reversed() => None,
            DateForm::Before(date) => Some(format!("[..{}]", spell_last_day(date)?)),
            DateForm::After(date) => Some(format!("[{}..]", spell_first_day(date)?)),
            DateForm::Between(from, to) => {
                Some(format!("[{}..{}]", spell_first_day(from)?, spell_last_day(to)?))
            }
            DateForm::From(date) => Some(format!("{}/", spell_first_day(date)?)),
            DateForm::To(date) => Some(format!("/{}", spell_last_day(date)?)),
            DateForm::FromTo(from, to) => Some(format!("{}/{}", spell_first_day(from)?, spell_last_day(to)?)),
        }
    }
}

fn spell_date(date: Date<'_>) -> Option<String> {
    spell_without_set(date)
        .or_else(|| Some(format!("[{}..{}]", spell_first_day(date)?, spell_last_day(date)?)))
}

/// Spells a day as `YYYY-MM-DD`. Returns `None` if its year has more than four digits.
fn edtf_day(number: i64) -> Option<String> {
    let year = Calendar::Gregorian.day(number)?.year;
    if (-9_999..=9_999).contains(&year) { iso_day(number) } else { None }
}

/// Spells a date that needs no set such as `[..1900]`: a day of any calendar, or a month or year of the Gregorian
/// calendar.
fn spell_without_set(date: Date<'_>) -> Option<String> {
    let (start, end) = date.day_range()?;
    if start == end {
        return edtf_day(start);
    }
    if date.calendar_of_days() != Some(Calendar::Gregorian) {
        return None;
    }
    let day = Calendar::Gregorian.day(start)?;
    let year = match day.year {
        -9_999..=9_999 => iso_year(day.year),
        far => format!("Y{far}"),
    };
    match date.month() {
        Some(_) if year.starts_with('Y') => None,
        Some(_) => Some(format!("{year}-{:02}", day.month)),
        None => Some(year),
    }
}

fn spell_first_day(date: Date<'_>) -> Option<String> {
    spell_without_set(date).or_else(|| edtf_day(date.day_range()?.0))
}

fn spell_last_day(date: Date<'_>) -> Option<String> {
    spell_without_set(date).or_else(|| edtf_day(date.day_range()?.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_spelled_as_formats_spell_them() {
        for number in (-1_000_000..8_000_000).step_by(499) {
            let spelled = Calendar::Gregorian.day(number).map(|day| {
                let year = match day.year {
                    0..=9_999 => format!("{:04}", day.year),
                    10_000.. => format!("+{}", day.year),
                    _ => format!("-{:04}", day.year.unsigned_abs()),
                };
                format!("{year}-{:02}-{:02}", day.month, day.day)
            });
            assert_eq!(iso_day(number), spelled);
        }
    }
}
