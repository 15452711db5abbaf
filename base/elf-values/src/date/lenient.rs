//! Decides what a date in a file means, for checks, tables, facts and migration.

use super::single::Date;
use super::value::{DateForm, DateValue};
use super::wild::{apply_safe_spellings, recover};
use crate::calendar::Calendar;
use crate::gedcom_7::grammar;
use elf_base::rules::DateRules;

impl<'t> DateValue<'t> {
    /// Parses a date in the grammar of ELF Dates, in that of GEDCOM 7.0, or in another spelling whose meaning is
    /// certain (see [`recover`](crate::recover())). Dual years without the Julian escape are converted as
    /// [`without_dual_years`](DateValue::without_dual_years) converts them. A month of the French Republican calendar
    /// implies that calendar.
    ///
    /// Returns `None` if the payload is not a date in one of these ways. Also returns `None` for a [doubtful
    /// year](Date::has_doubtful_year), if `rules` reject such years.
    ///
    /// ```
    /// use elf_values::DateValue;
    /// use elf_values::elf_base::rules::DateRules;
    ///
    /// let lenient = |text| DateValue::parse_lenient(text, DateRules::AsFound).map(|value| value.to_string());
    /// assert_eq!(lenient("12 January 1900").as_deref(), Some("12 JAN 1900"));
    /// assert_eq!(lenient("BEF JULIAN 44 BCE").as_deref(), Some("BEF @#DJULIAN@ 44 B.C."));
    /// assert_eq!(lenient("12 VEND 3").as_deref(), Some("@#DFRENCH R@ 12 VEND 3"));
    /// assert_eq!(lenient("29 Feb 1635/36").as_deref(), Some("29 FEB 1636"));
    /// assert_eq!(lenient("BET 3 AND 4 JAN 2001").as_deref(), Some("BET 3 JAN 2001 AND 4 JAN 2001"));
    /// assert_eq!((lenient("12/05/1890"), lenient("12 JAN 76")), (None, None));
    /// ```
    pub fn parse_lenient(text: &'t str, rules: DateRules) -> Option<DateValue<'t>> {
        match DateValue::parse(text).ok() {
            Some(value) if is_certain(&value, rules) => Some(value),
            parsed => parse_other_spelling(text, rules)
                .or_else(|| parsed.filter(|value| !rules.doubt_years() || !value.has_doubtful_year())),
        }
    }

    /// Replaces dual years of the Gregorian calendar, because ELF Dates does not allow dual years in that calendar.
    ///
    /// A dual year alone (`1716/17`) becomes a range. With a month (`29 FEB 1635/36`), the date gets the second year,
    /// which starts in January, if that is the year after the first. Two years that do not follow each other become a
    /// range too. Returns `None` if the value has no such years, or if the result is not a valid date.
    ///
    /// ```
    /// use elf_values::DateValue;
    ///
    /// let without_dual_years = |text| DateValue::parse(text).ok()?.without_dual_years().map(|value| value.to_string());
    /// assert_eq!(without_dual_years("1716/17").as_deref(), Some("BET 1716 AND 1717"));
    /// assert_eq!(without_dual_years("BEF 10 MAR 1634/35").as_deref(), Some("BEF 10 MAR 1635"));
    /// assert_eq!(without_dual_years("1763/65").as_deref(), Some("BET 1763 AND 1765"));
    /// assert_eq!((without_dual_years("1647/16"), without_dual_years("1900")), (None, None));
    /// ```
    pub fn without_dual_years(&self) -> Option<DateValue<'static>> {
        if !self.dates().any(|date| has_gregorian_dual_year(&date)) {
            return None;
        }
        let spelled = match self.form() {
            DateForm::Exact(date) => spell_range_of_years(&date).or_else(|| spell_with_second_year(&date)),
            DateForm::Approximated(how, date) => {
                spell_with_second_year(&date).map(|date| format!("{how} {date}"))
            }
            DateForm::Interpreted(date, phrase) => {
                spell_with_second_year(&date).map(|date| format!("INT {date} ({phrase})"))
            }
            DateForm::Phrase(_) => None,
            DateForm::Before(date) => spell_with_second_year(&date).map(|date| format!("BEF {date}")),
            DateForm::After(date) => spell_with_second_year(&date).map(|date| format!("AFT {date}")),
            DateForm::From(date) => spell_with_second_year(&date).map(|date| format!("FROM {date}")),
            DateForm::To(date) => spell_with_second_year(&date).map(|date| format!("TO {date}")),
            DateForm::Between(first, second) => spell_with_second_years(["BET", "AND"], [&first, &second]),
            DateForm::FromTo(first, second) => spell_with_second_years(["FROM", "TO"], [&first, &second]),
        };
        let value = DateValue::parse(&spelled?).ok()?.into_owned();
        value.is_faultless().then_some(value)
    }

    fn is_faultless(&self) -> bool {
        self.dates().all(|date| date.fault().is_none())
    }
}

fn is_certain(value: &DateValue<'_>, rules: DateRules) -> bool {
    value.is_faultless() && !(rules.doubt_years() && value.has_doubtful_year())
}

/// Parses a payload that ELF Dates rejects, or one with a date that does not exist in a known calendar.
#[cold]
fn parse_other_spelling(text: &str, rules: DateRules) -> Option<DateValue<'static>> {
    let certain = || recover(text).filter(|found| found.is_certain).map(|found| found.text);
    let readings: [&dyn Fn() -> Option<String>; 4] = [
        // Try GEDCOM 7.0 first: ELF Dates could read its calendar names as unknown months.
        &|| grammar::convert_to_elf(text),
        &|| Some(apply_safe_spellings(text)),
        &certain,
        &|| add_french_escape(text),
    ];
    readings.into_iter().find_map(|read| {
        let spelled = read()?;
        let value = DateValue::parse(&spelled).ok()?;
        if is_certain(&value, rules) {
            return Some(value.into_owned());
        }
        value.without_dual_years().filter(|value| is_certain(value, rules))
    })
}

fn has_gregorian_dual_year(date: &Date<'_>) -> bool {
    date.year().is_dual() && date.is_named_gregorian()
}

/// Spells a date with the second of its two years, if the second year is the same or the next one.
///
/// If only the Julian calendar has the day, the result is a date of that calendar, because such dual years belong to
/// it. A date without two years does not change.
fn spell_with_second_year(date: &Date<'_>) -> Option<String> {
    if !has_gregorian_dual_year(date) {
        return Some(date.to_string());
    }
    let year = date.year();
    let (first, second) = date.written_year().split_once('/')?;
    if first.ends_with(second) {
        return Some(spell_with_year(date, first));
    }
    if !year.is_followed_by_next(date.counts_backwards(Calendar::Gregorian)) {
        return None;
    }
    let spelled = spell_with_year(date, &year.logical().to_string());
    let has_day = DateValue::parse(&spelled).is_ok_and(|value| value.is_faultless());
    Some(if has_day { spelled } else { format!("@#D{}@ {spelled}", Calendar::Julian) })
}

fn spell_with_second_years(keywords: [&str; 2], dates: [&Date<'_>; 2]) -> Option<String> {
    let [first, second] = dates.map(spell_with_second_year);
    Some(format!("{} {} {} {}", keywords[0], first?, keywords[1], second?))
}

fn spell_with_year(date: &Date<'_>, year: &str) -> String {
    let day = date.day().map(|day| day.to_string());
    let parts = [day.as_deref(), date.month(), Some(year), date.epoch()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Makes a range of the two years of a date. With a month, it makes a range of two dates if the years do not follow
/// each other. The second year may be abbreviated to its last digits.
fn spell_range_of_years(date: &Date<'_>) -> Option<String> {
    /// An abbreviated second year such as `05` in `1699/05` may belong to the next century, but it is at most this many
    /// years later.
    const FARTHEST: u64 = 9;
    if date.epoch().is_some() || date.month().is_some() && date.year().is_followed_by_next(false) {
        return None;
    }
    let (first, second) = date.written_year().split_once('/')?;
    // Copy the first digits of the first year if the second year has fewer digits.
    let kept = first.len().checked_sub(second.len()).and_then(|kept| first.get(..kept)).unwrap_or("");
    let [from, to] = [first.to_owned(), format!("{kept}{second}")].map(|year| year.parse::<u64>().ok());
    let (from, to) = (from?, to?);
    let step = u32::try_from(second.len()).ok().and_then(|digits| 10_u64.checked_pow(digits))?;
    let next = to.checked_add(step).filter(|next| next.saturating_sub(from) <= FARTHEST);
    let to = if to <= from { next? } else { to };
    let [from, to] = [from, to].map(|year| spell_with_year(date, &year.to_string()));
    Some(format!("BET {from} AND {to}"))
}

/// Adds the escape of the French Republican calendar to dates with months of that calendar.
fn add_french_escape(text: &str) -> Option<String> {
    let is_month = |word: &&str| Calendar::FrenchRepublican.months().contains(word);
    if text.contains('@') || !text.split(' ').any(|word| is_month(&word)) {
        return None;
    }
    let words: Vec<&str> = text.split(' ').collect();
    let is_day = |word: &&str| word.bytes().all(|octet| octet.is_ascii_digit());
    let mut apply_safe_spellings = String::new();
    for (at, word) in words.iter().enumerate() {
        let after_day = at > 0 && words.get(at - 1).is_some_and(is_day);
        let before_month = is_day(word) && words.get(at + 1).is_some_and(is_month);
        if before_month || is_month(word) && !after_day {
            apply_safe_spellings.push_str("@#DFRENCH R@ ");
        }
        apply_safe_spellings.push_str(word);
        apply_safe_spellings.push(' ');
    }
    apply_safe_spellings.truncate(apply_safe_spellings.trim_end().len());
    Some(apply_safe_spellings)
}
