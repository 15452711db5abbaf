//! Fixes of dates that need a guess, so they are unsafe. Only one of them is safe: a hyphen that can only mean `AND`.

use super::tables::{FOREIGN, LOOSE, find_replacement, is_temple};
use super::{FRENCH, Words, is_day, is_month, is_number, is_plausible_date, spell_figures, split_words};
use crate::Integer;
use crate::calendar::Calendar;
use crate::date::Fault;
use crate::date::single::{CalendarName, Date};
use crate::date::value::DateValue;

impl Words {
    /// Applies the fixes of this module.
    pub(super) fn apply_guesses(&mut self) {
        self.replace_words("the name of a month in another language", false, |word| {
            find_replacement(&FOREIGN, &word.to_uppercase())
        });
        self.replace_words("a digit in place of a letter", false, |word| {
            let rest = word.strip_prefix('0')?;
            rest.starts_with(char::is_alphabetic).then(|| format!("O{rest}"))
        });
        self.replace_words("a word that is not a keyword", false, |word| find_replacement(&LOOSE, word));
        self.replace_words("a sign in place of a keyword", false, split_loose_keyword);
        self.replace_words("a date in digits", false, spell_unambiguous_figures);
        self.split_dates();
        self.move_year_last();
        self.move_escape_behind_keyword();
        self.remove_approximate_ends();
        self.move_parentheses();
        self.merge_equal_years();
        self.remove_day_zero();
        self.move_month_second();
        self.replace_hyphens();
        self.replace_quarters();
        self.replace_marks();
        self.replace_calendar_names();
        self.remove_temple();
    }

    /// Moves the year of a date such as `1900 JAN 5` to the end.
    fn move_year_last(&mut self) {
        if let [.., year, month, day] = self.words.as_mut_slice()
            && matches!(year.len(), 3 | 4)
            && is_number(year)
            && is_month(month)
            && is_day(day)
        {
            std::mem::swap(year, day);
            self.record_fix("the year before the month", false);
        }
    }

    /// Splits a date into three words if an earlier fix replaced digits by a date.
    fn split_dates(&mut self) {
        self.words = split_words(&self.words.join(" "));
    }

    /// Removes the day of a date such as `00 JAN 1900`.
    fn remove_day_zero(&mut self) {
        if let [zero, month, _] = self.words.as_slice()
            && matches!(zero.as_str(), "0" | "00")
            && Calendar::Gregorian.month(month).is_some()
        {
            self.words.remove(0);
            self.record_fix("day 0", false);
        }
    }

    /// Moves the month of a date such as `JAN 5 1900` to the second place.
    fn move_month_second(&mut self) {
        if let [.., month, day, year] = self.words.as_mut_slice()
            && Calendar::Gregorian.month(month).is_some()
            && day.len() <= 2
            && day.bytes().all(|octet| octet.is_ascii_digit())
            && year.bytes().all(|octet| octet.is_ascii_digit())
        {
            std::mem::swap(month, day);
            self.record_fix("the month before the day", false);
        }
    }

    /// Moves the escape of a value such as `@#DJULIAN@ ABT 1700` behind the keyword. The value has one date only, so
    /// the escape belongs to that date.
    fn move_escape_behind_keyword(&mut self) {
        const KEYWORDS: [&str; 8] = ["ABT", "CAL", "EST", "BEF", "AFT", "FROM", "TO", "INT"];
        if let [escape, keyword, rest @ ..] = self.words.as_mut_slice()
            && escape.starts_with("@#")
            && KEYWORDS.contains(&keyword.as_str())
            && !rest.iter().any(|word| word.starts_with("@#") || word == "TO")
        {
            std::mem::swap(escape, keyword);
            self.record_fix("the calendar escape before the keyword", false);
        }
    }

    /// Removes `ABT` from a value such as `FROM ABT 1798 TO 1842`, because an end of a period or a range cannot be
    /// approximated.
    fn remove_approximate_ends(&mut self) {
        let mut before = String::new();
        let count = self.words.len();
        self.words.retain(|word| {
            let is_end = matches!(before.as_str(), "FROM" | "TO" | "BET" | "AND");
            let is_kept = !(is_end && matches!(word.as_str(), "ABT" | "CAL" | "EST"));
            before.clone_from(word);
            is_kept
        });
        if self.words.len() < count {
            self.record_fix("an approximated end", false);
        }
    }

    /// Fixes parentheses within a phrase, such as `(census (1881))`, because a date phrase cannot contain parentheses.
    fn move_parentheses(&mut self) {
        let inner = self.phrase.as_deref().and_then(|phrase| phrase.strip_prefix('(')?.strip_suffix(')'));
        if let Some(inner) = inner
            && inner.contains(['(', ')'])
        {
            self.phrase = Some(format!("({})", inner.replace('(', "[").replace(')', "]")));
            self.record_fix("parentheses within the phrase", false);
        }
    }

    /// Merges the two years of `1649/1649` and `1649/49`. Two short numbers without an escape, such as `3/3`, may be a
    /// day and a month.
    fn merge_equal_years(&mut self) {
        const SHORTEST_YEAR: usize = 3;
        let has_escape = self.words.iter().any(|word| word.starts_with("@#"));
        self.replace_words("the dual year of equal years", false, |word| {
            let (first, second) = word.split_once('/')?;
            let is_ending = second.len() == 2 && first.len() > 2 && first.ends_with(second);
            let is_year = is_number(first) && (has_escape || first.len() >= SHORTEST_YEAR);
            (is_year && (first == second || is_ending)).then(|| first.to_owned())
        });
    }

    /// Replaces hyphens by `AND`, and completes `BET JUN AND DEC 1900`.
    fn replace_hyphens(&mut self) {
        let text = self.words.join(" ");
        let text = text.strip_prefix("WFT EST ").unwrap_or(&text);
        let bare = text.strip_prefix("BET ").unwrap_or(text);
        let parts: Vec<&str> = bare.split(['-', '–']).map(str::trim).collect();
        if let [first, second] = parts.as_slice()
            && let Some(whole) = complete_second_year(first, second)
            && let Some(range) = spell_range(first, &whole)
        {
            // After `BET`, a hyphen can only mean `AND`.
            let is_bet = bare.len() < text.len();
            let is_safe = is_bet && is_plausible_date(first) && whole == *second && have_long_years(&range);
            if !is_bet && !are_as_precise(&range) {
                // `1-3 JUL 1035` is a range of days, but in `28 JAN 1456-1457` the year is more likely a dual year.
                return;
            }
            self.words = split_words(&range);
            self.record_fix("a hyphen in place of a range", is_safe);
            return;
        }
        self.complete_first_date();
    }

    /// Replaces the quarter of a year, such as `Q3 1900` or `SEP Q 1900`, by a range of months.
    fn replace_quarters(&mut self) {
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
            self.words = split_words(&format!("BET {first} {year} AND {last} {year}"));
            self.record_fix("a quarter of a year", false);
        }
    }

    /// Replaces a question mark or a plus sign after a date or before its epoch.
    fn replace_marks(&mut self) {
        let text = self.words.join(" ");
        for (mark, keyword, unusual) in [('?', "ABT", "a question mark"), ('+', "AFT", "a plus sign")] {
            let Some((before, behind)) = text.split_once(mark) else { continue };
            if !(before.is_empty() || behind.is_empty() || behind.starts_with(' ')) {
                continue;
            }
            let is_cut = mark == '?' && behind.is_empty() && may_lack_digit(before);
            let dated = match spell_decade(before) {
                Some(decade) if is_cut => decade,
                None if is_cut => return,
                _ => format!("{keyword} {}{behind}", before.trim_end()),
            };
            if is_plausible_date(&dated) {
                self.words = split_words(&dated);
                self.record_fix(unusual, false);
                return;
            }
        }
    }

    /// Adds the escape of the calendar to which the months or the years belong.
    fn replace_calendar_names(&mut self) {
        let text = self.words.join(" ");
        self.replace_words("the name of the calendar", false, |word| {
            (word.strip_prefix("@#D")?.strip_suffix('@')? == FRENCH).then(|| "@#DFRENCH R@".to_owned())
        });
        for calendar in Calendar::ALL {
            let Some(rest) = text.strip_prefix(calendar.name()).and_then(|rest| rest.strip_prefix(' '))
            else {
                continue;
            };
            self.words = split_words(&format!("@#D{calendar}@ {rest}"));
            self.record_fix("the calendar without the signs of an escape", false);
        }
        // A date phrase after `INT` is part of the text to parse.
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
            // After 1752, a slash between two years more often means "or".
            let is_early = *date.year().historical() < Integer::from(1_752);
            let is_dual = date.fault() == Some(Fault::DualYear) && date.year().is_one_apart();
            let of_year = (is_dual && is_early).then_some(Calendar::Julian);
            let Some(calendar) = of_month.or(of_year) else { continue };
            let start = date.span().start as usize;
            escaped.push_str(&text[copied..start]);
            escaped.push_str(&format!("@#D{calendar}@ "));
            copied = start;
        }
        if copied > 0 || !escaped.is_empty() {
            escaped.push_str(&text[copied..]);
            let phrase = self.phrase.as_deref().unwrap_or_default();
            self.words = split_words(escaped.strip_suffix(phrase).unwrap_or(&escaped));
            self.record_fix("the missing calendar escape", false);
        }
    }

    /// Removes two letters after a date that are the code of a temple, as in ordinances of GEDCOM 5.5.
    fn remove_temple(&mut self) {
        if let [rest @ .., code] = self.words.as_slice()
            && is_temple(code)
            && is_plausible_date(&rest.join(" "))
            && !self.is_plausible_date()
        {
            self.words.pop();
            self.record_fix("the code of a temple after the date", false);
        }
    }
}

/// Replaces a sign or a letter before a number that likely stands for a keyword: `c1850`, `~1850`.
fn split_loose_keyword(word: &str) -> Option<String> {
    const SIGNS: [(&str, &str); 7] = [
        ("CA.", "ABT"),
        ("CA", "ABT"),
        ("C.", "ABT"),
        ("C", "ABT"),
        ("~", "ABT"),
        ("<", "BEF"),
        (">", "AFT"),
    ];
    let of_year = |(sign, keyword): &(&str, &str)| {
        let year = word.strip_prefix(sign).filter(|year| matches!(year.len(), 3 | 4) && is_number(year))?;
        Some(format!("{keyword} {year}"))
    };
    SIGNS.iter().find_map(of_year)
}

/// Reads a date in digits. With full stops, the day comes first, as in German. With other signs, the date is read only
/// if it has one possible meaning.
fn spell_unambiguous_figures(word: &str) -> Option<String> {
    if word.contains('.') {
        let [day, month, year] = split_digits(word, '.')?;
        return spell_figures(year, month, day);
    }
    match spell_both_orders(word)? {
        [Some(only), None] | [None, Some(only)] => Some(only),
        [Some(one), Some(other)] if one == other => Some(one),
        _ => None,
    }
}

/// Returns the two days that `07/11/1959` can mean: one if the day comes first, and one if the month comes first.
pub(crate) fn spell_both_orders(word: &str) -> Option<[Option<String>; 2]> {
    let [first, second, year] = split_digits(word, '/').or_else(|| split_digits(word, '-'))?;
    Some([spell_figures(year, second, first), spell_figures(year, first, second)])
}

fn split_digits(word: &str, sign: char) -> Option<[&str; 3]> {
    let mut parts = word.split(sign);
    let numbers = [parts.next()?, parts.next()?, parts.next()?];
    let [first, second, year] = numbers.map(|part| if is_number(part) { part.len() } else { 0 });
    let is_shaped = matches!(first, 1 | 2) && matches!(second, 1 | 2) && year == 4 && parts.next().is_none();
    is_shaped.then_some(numbers)
}

/// Completes the second year of a range: `60` after `1850` is 1860. Returns `None` if the digits can mean something
/// else. For example, `05` after `1900` may be a month.
fn complete_second_year(first: &str, second: &str) -> Option<String> {
    const LAST_MONTH: u8 = 12;
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let is_shorter = is_number(first) && is_number(second) && second.len() < first.len();
    if !is_shorter {
        return Some(second.to_owned());
    }
    let is_ending = first.len() == 4 && second.len() == 2 && second.parse::<u8>().ok()? > LAST_MONTH;
    is_ending.then(|| format!("{}{second}", &first[..2]))
}

/// Spells the ten years of `185?` as a range.
fn spell_decade(digits: &str) -> Option<String> {
    (digits.len() == 3 && is_number(digits)).then(|| format!("BET {digits}0 AND {digits}9"))
}

/// Returns whether a question mark after a date may stand for the last digit of its year, as in `1 JAN 190?`. False if
/// the year would be in the future.
fn may_lack_digit(date: &str) -> bool {
    let year = date.rsplit_once(' ').map_or(date, |(_, year)| year);
    is_number(year) && matches!(year.len(), 2 | 3) && (year.starts_with('1') || year.starts_with("20"))
}

/// Returns whether both dates of a range have the same parts (day, month and year).
fn are_as_precise(range: &str) -> bool {
    let Ok(value) = DateValue::parse(range) else { return false };
    let precision = |date: Date<'_>| (date.day().is_some(), date.month().is_some());
    value.first().map(precision) == value.second().map(precision)
}

/// Returns whether all years of a range have enough digits to be neither a day nor an abbreviated year.
fn have_long_years(range: &str) -> bool {
    let is_long = |date: Date<'_>| *date.year().historical() >= Integer::from(100);
    DateValue::parse(range).is_ok_and(|value| value.dates().all(is_long))
}

fn spell_range(first: &str, second: &str) -> Option<String> {
    let whole = if is_plausible_date(first) {
        first.to_owned()
    } else {
        let year = second.split(' ').next_back()?;
        format!("{first} {year}")
    };
    let range = format!("BET {whole} AND {second}");
    is_plausible_date(&range).then_some(range)
}
