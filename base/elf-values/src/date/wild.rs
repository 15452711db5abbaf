//! Finds the meaning of invalid dates that real programs write.
//!
//! | fix | example | safe |
//! | --- | --- | --- |
//! | small letters of ASCII, blanks, full stops | `abt. 5.  Oct 1900` | yes |
//! | English names of months | `17 November 2007`, `SEPT 1900` | yes |
//! | English words for keywords | `about 1900`, `between 1900 and 1910` | yes |
//! | `BCE`, `B.C.E.`, `CE`, `C.E.` | `44 BCE` | yes |
//! | blank after an escape | `@#DJULIAN@30 JAN 1648` | yes |
//! | ISO 8601 | `1986-07-05` | yes |
//! | the second Adar of a common year, as recommended | `@#DHEBREW@ 1 ADS 5783` | yes |
//! | day and month without year | `10 Jan`, a phrase | no |
//! | a month and one or two digits, a day or a year | `Jan 10`, a phrase | no |
//! | the month and the year of the second date for both | `BET 3 AND 4 JAN 2001` | no, but certain |
//! | names of months in other languages | `1 OKT 1900` | no |
//! | a hyphen for `AND` after `BET`, with whole years | `BET 1928 - 1970` | yes |
//! | other ranges with hyphens | `1840-1860`, `JUL-SEP 1900` | no |
//! | days in figures, with full stops | `1.5.1900` | no |
//! | days in figures that can be read in one order only | `31/12/1959` | no |
//! | the year first | `1900 JAN 5` | no |
//! | words and signs for `ABT` | `ca 1850`, `c1850` | no |
//! | question marks, plus signs | `1908 ?`, `10+` | no |
//! | a question mark for the last digit | `185?` | no |
//! | months and dual years that show another calendar | `2 TVT 5758` | no |
//! | dual years of equal halves | `1649/1649` | no |
//! | an escape before the keyword, a keyword after another | `@#DJULIAN@ ABT 1700`, `FROM ABT 1798` | no |
//! | parentheses within a phrase | `(census (1881))` | no |
//! | codes of temples | `21 NOV 1952 IF` | no |
//!
//! A *safe* fix cannot change the meaning. A *certain* fix finds the only possible meaning of a text that literally
//! means something else. Ambiguous dates are not fixed: `5/6/1900`, where the order of day and month is unknown, and
//! `1900-05`, which may be two years. The result is never a date that does not exist or a range that ends before it
//! starts.

mod guess;
mod tables;

pub(crate) use guess::spell_both_orders;
pub(crate) use tables::is_temple;

use super::single::{CalendarName, Date};
use super::value::DateValue;
use crate::calendar::Calendar;
use crate::scan::{is_space, normalise_whitespace};
use tables::{ENGLISH, EPOCHS, KEYWORDS, find_replacement};

/// The most likely meaning of an invalid date.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The date in canonical spelling, which is a valid `elf:DateValue`.
    pub text: String,
    /// True if the replacement certainly has the same meaning, so that a safe fix can apply it.
    pub is_safe: bool,
    /// True if no other date can be meant, so that the days are known.
    pub is_certain: bool,
    /// The unusual spellings that were corrected, as noun phrases, in order.
    pub unusual: Vec<&'static str>,
}

/// Finds the most likely meaning of an invalid date, or of a date that exists in no known calendar. Returns `None` if
/// the date is valid, or if no meaning is likely.
///
/// ```
/// use elf_values::recover;
///
/// let found = recover("abt. Oct 1835").expect("a date");
/// assert_eq!((found.text.as_str(), found.is_safe), ("ABT OCT 1835", true));
/// let found = recover("2 TVT 5758").expect("a date of another calendar");
/// assert_eq!((found.text.as_str(), found.is_safe), ("@#DHEBREW@ 2 TVT 5758", false));
/// assert_eq!(recover("12/05/1890"), None);
/// assert_eq!(recover("5 OCT 1835"), None);
/// ```
pub fn recover(text: &str) -> Option<Recovered> {
    /// A longer payload is prose, not a date.
    const LONGEST: usize = 120;
    if text.len() > LONGEST || is_plain(text) || is_plausible_date(text) {
        return None;
    }
    find_meaning(text)
}

/// Returns whether a text is a day, a month of the Gregorian calendar and a year. The day need not exist.
fn is_plain(text: &str) -> bool {
    let mut words = text.split(' ');
    let (Some(day), Some(month), Some(year), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return false;
    };
    let is_day = is_number(day) && day.len() <= 2 && !day.starts_with('0');
    let is_year = is_number(year) && matches!(year.len(), 3 | 4) && !year.starts_with('0');
    is_day && is_year && Calendar::Gregorian.month(month).is_some()
}

/// Does the work of [`recover`], for a text of any length.
fn find_meaning(text: &str) -> Option<Recovered> {
    let mut words = Words::split(text);
    words.tidy_letters();
    words.replace_names();
    words.spell_iso_dates();
    words.complete_first_date();
    if !words.is_fixed() {
        words.apply_guesses();
    }
    words.into_recovered()
}

/// Applies the safe replacements: case, full stops, English months and keywords. The result need not be a date.
pub(super) fn apply_safe_spellings(text: &str) -> String {
    let mut words = Words::split(text);
    words.tidy_letters();
    words.replace_names();
    words.text()
}

/// Returns the date or period with the standard letters, spaces and leading zeros. `None` if other changes would be
/// necessary.
///
/// ```
/// assert_eq!(elf_values::in_capitals("abt 05 Oct 1835").as_deref(), Some("ABT 5 OCT 1835"));
/// assert_eq!(elf_values::in_capitals("abt. 5 Oct 1835"), None);
/// ```
pub fn in_capitals(text: &str) -> Option<String> {
    let mut words = Words::split(text);
    words.words.iter_mut().for_each(|word| word.make_ascii_uppercase());
    DateValue::parse(&words.text()).ok().map(|value| spell_value(&value))
}

/// Writes a value in canonical spelling. A year of one or two digits with an epoch or a leading zero gets three digits,
/// because it would be doubtful with fewer.
fn spell_value(value: &DateValue<'_>) -> String {
    const DIGITS: usize = 3;
    let canonical = value.to_string();
    let are_certain: Vec<bool> = value.dates().map(|date| !date.has_doubtful_year()).collect();
    let Ok(read) = DateValue::parse(&canonical) else { return canonical };
    let (mut padded, mut copied) = (String::with_capacity(canonical.len()), 0);
    for (date, is_certain) in read.dates().zip(are_certain) {
        if is_certain && date.has_doubtful_year() {
            let start = date.year_place().start as usize;
            padded.push_str(&canonical[copied..start]);
            (date.written_year().len()..DIGITS).for_each(|_| padded.push('0'));
            copied = start;
        }
    }
    padded + &canonical[copied..]
}

fn is_plausible_date(text: &str) -> bool {
    DateValue::parse(text).is_ok_and(|value| {
        value.dates().all(|date| date.fault().is_none() && !has_misspelled_escape(&date))
            && !value.is_reversed()
            && !first_is_only_day(&value)
    })
}

/// Returns whether the first date of a range or a period is only a day of a month, and the second date has the month:
/// `BET 3 AND 4 JAN 2001`.
fn first_is_only_day(value: &DateValue<'_>) -> bool {
    let (Some(first), Some(second)) = (value.first(), value.second()) else { return false };
    let is_day = first.month().is_none() && first.has_doubtful_year() && is_day(first.written_year());
    is_day && second.day().is_some() && second.is_named_gregorian() && !second.has_doubtful_year()
}

fn is_day(word: &str) -> bool {
    word.len() <= 2 && is_number(word) && word.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day))
}

fn is_month(word: &str) -> bool {
    Calendar::Gregorian.month(word).is_some()
}

/// A misspelling of `FRENCH R` that real programs write.
const FRENCH: &str = "FRENCHR";

pub(crate) fn has_misspelled_escape(date: &Date<'_>) -> bool {
    date.escape() == Some(FRENCH)
}

/// The words of a payload while they are fixed.
struct Words {
    /// The payload with normalised blanks.
    written: String,
    words: Vec<String>,
    phrase: Option<String>,
    is_safe: bool,
    is_certain: bool,
    unusual: Vec<&'static str>,
}

impl Words {
    fn split(text: &str) -> Words {
        let trimmed = text.trim_matches(is_space);
        let (start, phrase) = match trimmed.find('(') {
            Some(at) if trimmed.ends_with(')') => (&trimmed[..at], Some(&trimmed[at..])),
            _ => (trimmed, None),
        };
        let words = split_words(&insert_blanks_after_escapes(start));
        let mut rejoined = words.join(" ");
        if !rejoined.is_empty() && phrase.is_some() {
            rejoined.push(' ');
        }
        let unusual = if rejoined == start && trimmed == text { Vec::new() } else { vec!["blanks"] };
        let written = normalise_whitespace(text).into_owned();
        Words { written, words, phrase: phrase.map(str::to_owned), is_safe: true, is_certain: true, unusual }
    }

    fn record_fix(&mut self, unusual: &'static str, is_safe: bool) {
        if !self.unusual.contains(&unusual) {
            self.unusual.push(unusual);
        }
        self.is_safe &= is_safe;
        self.is_certain &= is_safe;
    }

    fn replace_words(
        &mut self,
        unusual: &'static str,
        is_safe: bool,
        other: impl Fn(&str) -> Option<String>,
    ) {
        let mut any = false;
        for word in &mut self.words {
            if let Some(replaced) = other(word).filter(|replaced| replaced != word) {
                *word = replaced;
                any = true;
            }
        }
        if any {
            self.record_fix(unusual, is_safe);
        }
    }

    /// Fixes case, full stops and commas. Only ASCII letters change, because the grammar has no others.
    fn tidy_letters(&mut self) {
        self.replace_words("small letters", true, |word| Some(word.to_ascii_uppercase()));
        self.replace_words("full stops", true, |word| {
            let bare = word.strip_suffix(['.', ','])?;
            let is_word = bare.chars().all(char::is_alphabetic) && bare.chars().count() > 1;
            is_word.then(|| bare.to_owned())
        });
        self.replace_words("the sign after a number", true, |word| {
            let bare = word.strip_suffix(['.', ','])?;
            is_number(bare).then(|| bare.to_owned())
        });
    }

    /// Replaces names of months, keywords and epochs.
    fn replace_names(&mut self) {
        self.replace_words("the name of a month in full", true, |word| {
            let month = ENGLISH.iter().position(|name| *name == word)?;
            Calendar::Gregorian.months().get(month).map(|name| (*name).to_owned())
        });
        self.replace_words("the abbreviation of a month", true, |word| {
            (word == "SEPT").then(|| "SEP".to_owned())
        });
        self.replace_words("an English word", true, |word| find_replacement(&KEYWORDS, word));
        self.replace_words("the epoch", true, |word| find_replacement(&EPOCHS, word));
        let of_common_year = self.words.iter().map(|word| if word == "ADS" { "ADR" } else { word });
        let of_common_year: Vec<&str> = of_common_year.collect();
        if !self.is_plausible_date() && is_plausible_date(&of_common_year.join(" ")) {
            self.replace_words("the month ADS in a common year", true, |word| {
                (word == "ADS").then(|| "ADR".to_owned())
            });
        }
    }

    /// Replaces dates in digits that have only one meaning.
    fn spell_iso_dates(&mut self) {
        // ISO 8601 dates are Gregorian. If there is an escape for another calendar, either the date or the escape is
        // wrong.
        let is_safe = !self.words.iter().any(|word| word.starts_with("@#"));
        self.replace_words("a date as in ISO 8601", is_safe, |word| {
            let mut parts = word.split('-');
            let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
            let shaped = (year.len(), month.len(), day.len()) == (4, 2, 2) && parts.next().is_none();
            shaped.then(|| spell_figures(year, month, day)).flatten()
        });
        self.complete_missing_year();
    }

    /// Makes a phrase of a day and a month without a year, because GEDCOM 5.5.1 requires a phrase for them. In `Jan
    /// 10`, the number may be the day or an abbreviated year.
    fn complete_missing_year(&mut self) {
        let [first, second] = self.words.as_slice() else { return };
        let is_day_first = is_day(first) && is_month(second);
        let is_month_first = is_month(first) && is_number(second) && second.len() <= 2;
        if self.phrase.is_none() && (is_day_first || is_month_first) {
            self.phrase = Some(format!("({})", self.written));
            self.words.clear();
            self.record_fix("the missing year", false);
        }
    }

    /// Gives the first date the month and the year of the second: `BET 3 AND 4 JAN 2001`, `FROM JUN TO DEC 1900`.
    fn complete_first_date(&mut self) {
        let [keyword, dates @ ..] = self.words.as_slice() else { return };
        let between = match keyword.as_str() {
            "BET" => "AND",
            "FROM" => "TO",
            _ => return,
        };
        let Some(at) = dates.iter().position(|word| word == between) else { return };
        let (first, second) = (&dates[..at], &dates[at + 1..]);
        let shared = match (first, second) {
            ([day], [last, end @ ..]) if is_day(day) && is_day(last) && end.len() == 2 => end,
            ([day, month], [.., _, year]) if is_day(day) && is_month(month) && !is_month(year) => {
                std::slice::from_ref(year)
            }
            ([month], [.., last, year]) if is_month(month) && is_month(last) => std::slice::from_ref(year),
            _ => return,
        };
        let words = [&[keyword.clone()][..], first, shared, &dates[at..]].concat();
        if is_plausible_date(&words.join(" ")) {
            self.words = words;
            self.unusual.push("the missing end of the first date");
            self.is_safe = false;
        }
    }

    fn text(&self) -> String {
        let mut text = self.words.join(" ");
        if let Some(phrase) = &self.phrase {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(phrase);
        }
        text
    }

    fn is_plausible_date(&self) -> bool {
        is_plausible_date(&self.text())
    }

    fn is_fixed(&self) -> bool {
        !self.unusual.is_empty() && !self.may_lack_year() && self.is_plausible_date()
    }

    /// Returns whether one or two digits follow a month that has no day. In `abt. Jan 10`, 10 may be the day instead of
    /// the year. An escape or an epoch shows that the number is a year.
    fn may_lack_year(&self) -> bool {
        let is_part = |word: &str| is_number(word) || word.starts_with("@#");
        let at = |index: usize| self.words.get(index).map(String::as_str);
        (0..self.words.len()).any(|index| {
            at(index).is_some_and(|word| Calendar::Gregorian.month(word).is_some())
                && at(index + 1).is_some_and(|word| is_number(word) && word.len() <= 2)
                && at(index + 2).is_none_or(|word| matches!(word, "AND" | "TO"))
                && index.checked_sub(1).and_then(at).is_none_or(|word| !is_part(word))
        })
    }

    fn into_recovered(self) -> Option<Recovered> {
        if !self.is_fixed() {
            return None;
        }
        let text = self.text();
        let value = DateValue::parse(&text).ok()?;
        // Do not suggest a text that would have findings of its own.
        if value.is_of_two_calendars() || value.dates().any(|date| date.is_hebrew_and_dual()) {
            return None;
        }
        // The months, epochs and letters that an unknown calendar allows are not known.
        let is_unknown =
            |date: &Date<'_>| date.escape().is_some() && !matches!(date.calendar(), CalendarName::Known(_));
        if value.dates().any(|date| is_unknown(&date))
            && (self.unusual != ["blanks"] || value.to_string() != text)
        {
            return None;
        }
        let Words { is_safe, is_certain, unusual, .. } = self;
        Some(Recovered { text: spell_value(&value), is_safe, is_certain, unusual })
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|octet| octet.is_ascii_digit())
}

fn insert_blanks_after_escapes(text: &str) -> String {
    let (mut spaced, mut rest) = (String::with_capacity(text.len() + 1), text);
    while let Some(start) = rest.find("@#")
        && let Some(length) = rest.get(start + 2..).and_then(|inner| inner.find('@'))
    {
        let (head, tail) = rest.split_at(start + 2 + length + 1);
        spaced.push_str(head);
        if !tail.is_empty() && !tail.starts_with(is_space) {
            spaced.push(' ');
        }
        rest = tail;
    }
    spaced + rest
}

/// Splits a text into words. A calendar escape is one word, even with a blank in it.
fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    while !rest.is_empty() {
        let escape = rest.strip_prefix("@#").and_then(|inner| inner.find('@')).map(|length| length + 3);
        let end = escape.unwrap_or_else(|| rest.find(is_space).unwrap_or(rest.len()));
        let (word, behind) = rest.split_at(end);
        words.push(word.to_owned());
        rest = behind.trim_start_matches(is_space);
    }
    words
}

fn spell_figures(year: &str, month: &str, day: &str) -> Option<String> {
    let month = Calendar::Gregorian.months().get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
    let date = format!("{} {month} {year}", day.trim_start_matches('0'));
    is_plausible_date(&date).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_where_day_and_month_could_be_either() {
        for text in [
            "1–3 July 1035",
            "28 Jan 1456-1457",
            "12/05/1890",
            "5/6/1900",
            "05-06-1900",
            "soon",
            "",
            "(1881)",
            "EST ABT 1881",
        ] {
            assert_eq!(recover(text), None, "{text}");
        }
    }

    #[test]
    fn of_a_plain_day_nothing_else_is_meant() {
        for month in Calendar::Gregorian.months() {
            for day in 1..100 {
                for year in [100, 999, 1000, 1581, 1582, 1700, 1900, 2000, 5758, 9999] {
                    let text = format!("{day} {month} {year}");
                    assert!(is_plain(&text), "{text}");
                    let found = if is_plausible_date(&text) { None } else { find_meaning(&text) };
                    assert_eq!(found, None, "{text}");
                }
            }
        }
        let others =
            ["00 FEB 1900", "31 FEB 12", "31 TVT 5758", "31  FEB 1900", "FEB 31 1900", "31 feb 1900"];
        assert!(!others.into_iter().any(is_plain));
    }

    #[test]
    fn a_recovered_date_needs_no_recovery() {
        for text in [
            "INT 2 TVT 5758 (in winter)",
            "abt. 5  Oct 1900",
            "10 jan",
            "1840-1860",
            "1 OKT 1900",
            "Q3 1900",
            "JULIAN 1401",
            "44 bce",
        ] {
            let found = recover(text).expect(text);
            assert_eq!(recover(&found.text), None, "{text} {found:?}");
        }
    }
}
