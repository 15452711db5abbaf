//! Finds years in dates that cannot be read.

use crate::days::DayRange;
use elf_values::{Calendar, CalendarDay};

/// The first year that is searched for.
const FIRST_YEAR: i64 = 1000;

/// The year after the last one that is searched for.
const END_OF_YEARS: i64 = 2200;

/// The years in a text that is not a valid date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextYears {
    /// The text contains years. The range covers the earliest to the latest of them.
    Within(DayRange),
    /// The text contains numbers that may be years, such as `'87`.
    Doubtful,
    /// The text contains no number except zero.
    None,
}

impl TextYears {
    /// Finds the years in a text that is not a valid date, such as `12/1/1987`, `c1987`, `12 Januar
    /// 1987` or `19870112`. A year of an unknown calendar may be any year.
    pub(crate) fn of(text: &str) -> TextYears {
        if text.contains('@') {
            return TextYears::Doubtful;
        }
        let mut years: Option<(i64, i64)> = None;
        let mut has_number = false;
        for digits in text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty()) {
            // Programs write `00.00.0000` for a day that nobody knows.
            has_number |= digits.contains(|digit| digit != '0');
            for year in possible_years(digits) {
                let (first, last) = years.unwrap_or((year, year));
                years = Some((first.min(year), last.max(year)));
            }
        }
        // Digits of other scripts are numbers too.
        has_number |= text.chars().any(|c| c.is_numeric() && !c.is_ascii());
        match years.map(|(first, last)| (first_day_of(first), first_day_of(last + 1))) {
            Some((Some(first), Some(after))) => {
                TextYears::Within(DayRange { earliest: first, latest: after - 1 })
            }
            _ if has_number => TextYears::Doubtful,
            _ => TextYears::None,
        }
    }
}

/// Returns the years that a run of digits may mean: the number itself or, if there are eight
/// digits, the first or the last four.
fn possible_years(digits: &str) -> impl Iterator<Item = i64> {
    let parts = match digits.len() {
        4 => [Some(digits), None],
        8 => [digits.get(..4), digits.get(4..)],
        _ => [None, None],
    };
    let years = parts.into_iter().flatten().filter_map(|part| part.parse::<i64>().ok());
    years.filter(|year| (FIRST_YEAR..END_OF_YEARS).contains(year))
}

fn first_day_of(year: i64) -> Option<i32> {
    let day = Calendar::Gregorian.day_number(CalendarDay { year, month: 1, day: 1 })?;
    i32::try_from(day).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_found_in_texts() {
        for (text, years) in [
            ("12/1/1987", Some((1987, 1987))),
            ("12.1.1987", Some((1987, 1987))),
            ("c1987", Some((1987, 1987))),
            ("1987?", Some((1987, 1987))),
            ("1850 or 1987", Some((1850, 1987))),
            ("19870112", Some((1987, 1987))),
            ("12011987", Some((1201, 1987))),
        ] {
            let expected = years.map(|(first, last)| DayRange {
                earliest: first_day_of(first).unwrap_or_default(),
                latest: first_day_of(last + 1).unwrap_or_default() - 1,
            });
            assert_eq!(TextYears::of(text), expected.map_or(TextYears::None, TextYears::Within), "{text}");
        }
        assert_eq!(TextYears::of("12/1/87"), TextYears::Doubtful);
        assert_eq!(TextYears::of("198"), TextYears::Doubtful);
        assert_eq!(TextYears::of("@#DROMAN@ 1800"), TextYears::Doubtful);
        assert_eq!(TextYears::of("about Easter"), TextYears::None);
    }
}
