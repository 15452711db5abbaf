//! Dates outside the grammar, or of no known calendar, as real programs write them.
//!
//! | repair | example | safe |
//! | --- | --- | --- |
//! | letters, blanks, full stops | `abt. 5  Oct 1900` | yes |
//! | English names of months | `17 November 2007`, `SEPT 1900` | yes |
//! | English words for keywords | `about 1900`, `between 1900 and 1910` | yes |
//! | `BCE`, `CE` | `44 BCE` | yes |
//! | blank behind an escape | `@#DJULIAN@30 JAN 1648` | yes |
//! | ISO 8601 | `1986-07-05` | yes |
//! | day and month without year | `10 JAN`, a phrase | yes |
//! | names of months in other languages | `1 OKT 1900` | no |
//! | ranges with hyphens | `1840-1860`, `JUL-SEP 1900` | no |
//! | days in figures, with full stops | `1.5.1900` | no |
//! | question marks, plus signs | `1908 ?`, `10+` | no |
//! | months and dual years that show another calendar | `2 TVT 5758` | no |
//!
//! *Safe* means that the meaning cannot change. Where `5/6/1900` would need to know the order of day and
//! month, nothing is read.

use super::single::{CalendarName, Date};
use super::value::DateValue;
use crate::Integer;
use crate::calendar::Calendar;
use crate::date::Fault;
use crate::scan::is_space;

/// A payload read as it was most likely meant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The date in canonical spelling; it is in the grammar of `elf:DateValue`.
    pub text: String,
    /// Tells if the meaning cannot have changed, so that the payload may be replaced.
    pub is_safe: bool,
    /// The repairs of unusual spellings, as noun phrases, in the order in which they were made.
    pub unusual: Vec<&'static str>,
}

/// Reads a payload that is no date by the grammar, or is one that no known calendar has; `None` where it
/// needs no such reading, and where none suggests itself.
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
    /// Longer payloads are prose.
    const LONGEST: usize = 120;
    if text.len() > LONGEST || is_sound(text) {
        return None;
    }
    let mut words = Words::of(text);
    words.tidy();
    words.names();
    words.figures();
    if !words.is_enough() {
        words.guess();
    }
    words.finish()
}

/// Tells if a text is a date in which nothing is unusual.
fn is_sound(text: &str) -> bool {
    let is_meant =
        |date: Date<'_>| date.fault().is_none() && date.calendar() != CalendarName::Unfamiliar(FRENCH);
    DateValue::parse(text).is_ok_and(|value| value.dates().all(is_meant))
}

/// A name of the French Republican calendar that programs write and no standard has.
const FRENCH: &str = "FRENCHR";

/// The words of a payload while they are put right.
struct Words {
    words: Vec<String>,
    /// A date phrase at the end, with its parentheses.
    phrase: Option<String>,
    is_safe: bool,
    unusual: Vec<&'static str>,
}

impl Words {
    fn of(text: &str) -> Words {
        let trimmed = text.trim_matches(is_space);
        let (start, phrase) = match trimmed.find('(') {
            Some(at) if trimmed.ends_with(')') => (trimmed.get(..at), trimmed.get(at..)),
            _ => (Some(trimmed), None),
        };
        let start = start.unwrap_or_default();
        let words = split(&spaced(start));
        let mut rejoined = words.join(" ");
        if !rejoined.is_empty() && phrase.is_some() {
            rejoined.push(' ');
        }
        let unusual = if rejoined == start && trimmed == text { Vec::new() } else { vec!["blanks"] };
        Words { words, phrase: phrase.map(str::to_owned), is_safe: true, unusual }
    }

    fn note(&mut self, unusual: &'static str, is_safe: bool) {
        if !self.unusual.contains(&unusual) {
            self.unusual.push(unusual);
        }
        self.is_safe &= is_safe;
    }

    /// Replaces each word that has another form by it.
    fn replace(&mut self, unusual: &'static str, is_safe: bool, other: impl Fn(&str) -> Option<String>) {
        let mut any = false;
        for word in &mut self.words {
            if let Some(replaced) = other(word).filter(|replaced| replaced != word) {
                *word = replaced;
                any = true;
            }
        }
        if any {
            self.note(unusual, is_safe);
        }
    }

    /// Letters and full stops.
    fn tidy(&mut self) {
        self.replace("small letters", true, |word| Some(word.to_uppercase()));
        self.replace("full stops", true, |word| {
            let bare = word.strip_suffix(['.', ','])?;
            let is_word = bare.chars().all(char::is_alphabetic) && bare.chars().count() > 1;
            is_word.then(|| bare.to_owned())
        });
        self.replace("the day's comma", true, |word| {
            let bare = word.strip_suffix(',')?;
            bare.bytes().all(|octet| octet.is_ascii_digit()).then(|| bare.to_owned())
        });
    }

    /// Names of months, keywords and epochs.
    fn names(&mut self) {
        self.replace("the name of a month in full", true, |word| {
            let month = ENGLISH.iter().position(|name| *name == word)?;
            Calendar::Gregorian.months().get(month).map(|name| (*name).to_owned())
        });
        self.replace("the abbreviation of a month", true, |word| (word == "SEPT").then(|| "SEP".to_owned()));
        self.replace("an English word", true, |word| find(&KEYWORDS, word));
        self.replace("the epoch", true, |word| match word {
            "BCE" => Some("B.C.".to_owned()),
            "CE" => Some("A.D.".to_owned()),
            _ => None,
        });
    }

    /// Days in figures that can be read in one way only.
    fn figures(&mut self) {
        self.replace("a date as in ISO 8601", true, |word| {
            let mut parts = word.split('-');
            let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
            let shaped = (year.len(), month.len(), day.len()) == (4, 2, 2) && parts.next().is_none();
            shaped.then(|| in_figures(year, month, day)).flatten()
        });
        if let [day, month] = self.words.as_slice()
            && day.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day))
            && Calendar::Gregorian.month(month).is_some()
            && self.phrase.is_none()
        {
            // GEDCOM 5.5.1 has such a date as a phrase.
            self.phrase = Some(format!("({day} {month})"));
            self.words.clear();
            self.note("the missing year", true);
        }
    }

    /// Makes the repairs that take a guess.
    fn guess(&mut self) {
        self.replace("the name of a month in another language", false, |word| find(&FOREIGN, word));
        self.replace("a figure for a letter", false, |word| {
            let rest = word.strip_prefix('0')?;
            rest.starts_with(char::is_alphabetic).then(|| format!("O{rest}"))
        });
        self.replace("a word that is no keyword", false, |word| find(&LOOSE, word));
        self.replace("a date in figures", false, |word| {
            let mut parts = word.split('.');
            let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
            let shaped = year.len() == 4 && parts.next().is_none();
            shaped.then(|| in_figures(year, month, day)).flatten()
        });
        self.split_dates();
        self.day_zero();
        self.month_first();
        self.ranges();
        self.quarters();
        self.marks();
        self.calendars();
        self.temple();
    }

    /// Dates that were put together of figures are three words.
    fn split_dates(&mut self) {
        self.words = split(&self.words.join(" "));
    }

    /// `00 JAN 1900`
    fn day_zero(&mut self) {
        if let [zero, month, _] = self.words.as_slice()
            && matches!(zero.as_str(), "0" | "00")
            && Calendar::Gregorian.month(month).is_some()
        {
            self.words.remove(0);
            self.note("day 0", false);
        }
    }

    /// `JAN 5 1900`
    fn month_first(&mut self) {
        if let [.., month, day, year] = self.words.as_mut_slice()
            && Calendar::Gregorian.month(month).is_some()
            && day.len() <= 2
            && day.bytes().all(|octet| octet.is_ascii_digit())
            && year.bytes().all(|octet| octet.is_ascii_digit())
        {
            std::mem::swap(month, day);
            self.note("the month before the day", false);
        }
    }

    /// Hyphens for `AND`, and `BET JUN AND DEC 1900`.
    fn ranges(&mut self) {
        let text = self.words.join(" ");
        let text = text.strip_prefix("WFT EST ").unwrap_or(&text);
        let bare = text.strip_prefix("BET ").unwrap_or(text);
        let parts: Vec<&str> = bare.split(['-', '–']).map(str::trim).collect();
        if let [first, second] = parts.as_slice()
            && let Some(range) = range(first, second)
        {
            // Behind `BET` a hyphen can only stand for `AND`.
            let is_bet = bare.len() < text.len();
            let is_safe = is_bet && is_sound(first);
            if !is_bet && !are_as_precise(&range) {
                // `1-3 JUL 1035` are days, and in `28 JAN 1456-1457` the year is more likely a dual one.
                return;
            }
            self.words = split(&range);
            self.note("a hyphen for a range", is_safe);
            return;
        }
        if let Some(bare) = text.strip_prefix("BET ")
            && let Some((first, second)) = bare.split_once(" AND ")
            && !is_sound(first)
            && let Some(range) = range(first, second)
        {
            self.words = split(&range);
            self.note("the missing year of the first date", false);
        }
    }

    /// Quarters of a year: `Q3 1900`, `SEP Q 1900`.
    fn quarters(&mut self) {
        let months = Calendar::Gregorian.months();
        let found = match self.words.as_slice() {
            [quarter, year] => quarter
                .strip_prefix('Q')
                .and_then(|number| number.parse::<usize>().ok())
                .filter(|number| (1..=4).contains(number))
                .map(|number| (number * 3, year)),
            [month, quarter, year] if matches!(quarter.as_str(), "Q" | "QTR" | "QUARTER") => months
                .iter()
                .position(|name| name == month)
                .map(|at| (at + 1, year))
                .filter(|(last, _)| last % 3 == 0),
            _ => None,
        };
        if let Some((last, year)) = found
            && let (Some(first), Some(last)) = (months.get(last - 3), months.get(last - 1))
        {
            self.words = split(&format!("BET {first} {year} AND {last} {year}"));
            self.note("a quarter of a year", false);
        }
    }

    /// Question marks and plus signs behind a date.
    fn marks(&mut self) {
        let text = self.words.join(" ");
        for (mark, keyword, unusual) in [('?', "ABT", "a question mark"), ('+', "AFT", "a plus sign")] {
            let bare: String = text.chars().filter(|c| *c != mark).collect();
            let once = text.matches(mark).count() == 1;
            let dated = format!("{keyword} {}", bare.trim());
            if once && is_sound(&dated) {
                self.words = split(&dated);
                self.note(unusual, false);
                return;
            }
        }
    }

    /// The calendar that months or years show.
    fn calendars(&mut self) {
        let text = self.words.join(" ");
        self.replace("the name of the calendar", false, |word| {
            (word.strip_prefix("@#D")?.strip_suffix('@')? == FRENCH).then(|| "@#DFRENCH R@".to_owned())
        });
        for calendar in Calendar::ALL {
            let Some(rest) = text.strip_prefix(calendar.name()).and_then(|rest| rest.strip_prefix(' '))
            else {
                continue;
            };
            self.words = split(&format!("@#D{calendar}@ {rest}"));
            self.note("the calendar without the signs of an escape", false);
        }
        // A date phrase behind `INT` belongs to what is parsed.
        let text = self.text();
        let Ok(value) = DateValue::parse(&text) else { return };
        let mut escaped = String::new();
        let mut copied = 0;
        for date in value.dates() {
            if date.calendar() != CalendarName::Unknown || date.escape().is_some() {
                continue;
            }
            let of_month = date.month().and_then(|month| {
                [Calendar::Hebrew, Calendar::FrenchRepublican].into_iter().find(|c| c.month(month).is_some())
            });
            // After 1752 a solidus more often means "or".
            let is_early = *date.year().historical() < Integer::from(1_752);
            let is_dual = date.fault() == Some(Fault::DualYear) && date.year().is_one_apart();
            let of_year = (is_dual && is_early).then_some(Calendar::Julian);
            let Some(calendar) = of_month.or(of_year) else { continue };
            let start = date.span().start as usize;
            escaped.push_str(text.get(copied..start).unwrap_or_default());
            escaped.push_str(&format!("@#D{calendar}@ "));
            copied = start;
        }
        if copied > 0 || !escaped.is_empty() {
            escaped.push_str(text.get(copied..).unwrap_or_default());
            let phrase = self.phrase.as_deref().unwrap_or_default();
            self.words = split(escaped.strip_suffix(phrase).unwrap_or(&escaped));
            self.note("the missing calendar escape", false);
        }
    }

    /// Takes two letters behind a date of the Gregorian calendar for the code of a temple, as in ordinances
    /// of GEDCOM 5.5.
    fn temple(&mut self) {
        if let [rest @ .., code] = self.words.as_slice()
            && code.len() == 2
            && code.bytes().all(|octet| octet.is_ascii_uppercase())
            && is_sound(&rest.join(" "))
            && !self.is_sound()
        {
            self.words.pop();
            self.note("two letters behind the date", false);
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

    fn is_sound(&self) -> bool {
        is_sound(&self.text())
    }

    /// Tells if something was put right and a date came of it that at most lacks the escape of its dual year.
    fn is_enough(&self) -> bool {
        let is_meant = |date: Date<'_>| match date.fault() {
            None | Some(Fault::DualYear) => date.calendar() != CalendarName::Unfamiliar(FRENCH),
            Some(_) => false,
        };
        let value = DateValue::parse(&self.text()).map(|value| value.dates().all(is_meant));
        !self.unusual.is_empty() && value == Ok(true)
    }

    fn finish(self) -> Option<Recovered> {
        if !self.is_enough() {
            return None;
        }
        let text = self.text();
        let value = DateValue::parse(&text).ok()?;
        Some(Recovered { text: value.to_string(), is_safe: self.is_safe, unusual: self.unusual })
    }
}

/// Tells if both dates of a range have a day, or neither, and both a month, or neither.
fn are_as_precise(range: &str) -> bool {
    let Ok(value) = DateValue::parse(range) else { return false };
    let precision = |date: Date<'_>| (date.day().is_some(), date.month().is_some());
    value.first().map(precision) == value.second().map(precision)
}

/// A range of two texts, the first of which may lack its year.
fn range(first: &str, second: &str) -> Option<String> {
    let whole = if is_sound(first) {
        first.to_owned()
    } else {
        let year = second.split(' ').next_back()?;
        format!("{first} {year}")
    };
    let range = format!("BET {whole} AND {second}");
    is_sound(&range).then_some(range)
}

/// Puts a blank behind a calendar escape.
fn spaced(text: &str) -> String {
    let Some(start) = text.find("@#") else { return text.to_owned() };
    let Some(inner) = text.get(start + 2..) else { return text.to_owned() };
    let Some(end) = inner.find('@') else { return text.to_owned() };
    let (head, tail) = text.split_at(start + 2 + end + 1);
    let tail = spaced(tail);
    if tail.is_empty() || tail.starts_with(is_space) {
        format!("{head}{tail}")
    } else {
        format!("{head} {tail}")
    }
}

/// The words of a text; a calendar escape is one, blank within or not.
fn split(text: &str) -> Vec<String> {
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

/// A date of three numbers, if there is such a day.
fn in_figures(year: &str, month: &str, day: &str) -> Option<String> {
    let month = Calendar::Gregorian.months().get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
    let date = format!("{day} {month} {year}");
    is_sound(&date).then_some(date)
}

fn find(table: &[(&str, &str)], word: &str) -> Option<String> {
    table.iter().find(|(from, _)| *from == word).map(|(_, to)| (*to).to_owned())
}

const ENGLISH: [&str; 12] = [
    "JANUARY",
    "FEBRUARY",
    "MARCH",
    "APRIL",
    "MAY",
    "JUNE",
    "JULY",
    "AUGUST",
    "SEPTEMBER",
    "OCTOBER",
    "NOVEMBER",
    "DECEMBER",
];

/// English words that can mean one keyword only.
const KEYWORDS: [(&str, &str); 6] = [
    ("ABOUT", "ABT"),
    ("BEFORE", "BEF"),
    ("AFTER", "AFT"),
    ("BETWEEN", "BET"),
    ("ESTIMATED", "EST"),
    ("CALCULATED", "CAL"),
];

/// Words and signs that likely mean a keyword.
const LOOSE: [(&str, &str); 11] = [
    ("C", "ABT"),
    ("C.", "ABT"),
    ("CA", "ABT"),
    ("CIRCA", "ABT"),
    ("CIR", "ABT"),
    ("AROUND", "ABT"),
    ("~", "ABT"),
    ("&", "AND"),
    ("<", "BEF"),
    (">", "AFT"),
    ("UNTIL", "TO"),
];

/// Names of months in German, French, Spanish, Portuguese, Italian, Dutch, Danish, Norwegian and Swedish that
/// no two of these languages use for different months.
const FOREIGN: [(&str, &str); 46] = [
    ("JANUAR", "JAN"),
    ("JÄNNER", "JAN"),
    ("JANV", "JAN"),
    ("JANVIER", "JAN"),
    ("ENE", "JAN"),
    ("ENERO", "JAN"),
    ("JANEIRO", "JAN"),
    ("GEN", "JAN"),
    ("GENNAIO", "JAN"),
    ("JANUARI", "JAN"),
    ("FEBRUAR", "FEB"),
    ("FÉV", "FEB"),
    ("FÉVR", "FEB"),
    ("FEBRERO", "FEB"),
    ("FEV", "FEB"),
    ("MÄR", "MAR"),
    ("MÄRZ", "MAR"),
    ("MRZ", "MAR"),
    ("MARS", "MAR"),
    ("MARZO", "MAR"),
    ("MRT", "MAR"),
    ("MAART", "MAR"),
    ("AVR", "APR"),
    ("AVRIL", "APR"),
    ("ABR", "APR"),
    ("ABRIL", "APR"),
    ("MAI", "MAY"),
    ("MAJ", "MAY"),
    ("MEI", "MAY"),
    ("MAYO", "MAY"),
    ("MAG", "MAY"),
    ("JUIN", "JUN"),
    ("JUNI", "JUN"),
    ("GIU", "JUN"),
    ("JUIL", "JUL"),
    ("JUILLET", "JUL"),
    ("JULI", "JUL"),
    ("LUG", "JUL"),
    ("AOÛT", "AUG"),
    ("AGO", "AUG"),
    ("SETT", "SEP"),
    ("OKT", "OCT"),
    ("OKTOBER", "OCT"),
    ("DEZ", "DEC"),
    ("DÉC", "DEC"),
    ("DIC", "DEC"),
];

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
