//! The meaning of a payload: the one answer to what a date in a file says, for checks, tables, facts and migration.

use super::single::Date;
use super::value::{DateForm, DateValue};
use super::wild::{recover, respelled};
use crate::calendar::Calendar;
use crate::gedcom_7::grammar;
use elf_base::rules::DateRules;

impl<'t> DateValue<'t> {
    /// Reads a payload in the grammar of ELF Dates, in that of GEDCOM 7.0, or in another spelling whose meaning is
    /// certain (see [`recover`](crate::recover())). Dual years without the Julian escape are read like
    /// [`undoubled`](DateValue::undoubled). Months of the French Republican calendar imply that calendar.
    ///
    /// `None` if none of these gives a date, and for a date with a [doubtful year](Date::has_doubtful_year) where
    /// `rules` doubt it.
    ///
    /// ```
    /// use elf_values::DateValue;
    /// use elf_values::elf_base::rules::DateRules;
    ///
    /// let meant = |text| DateValue::meant(text, DateRules::AsFound).map(|value| value.to_string());
    /// assert_eq!(meant("12 January 1900").as_deref(), Some("12 JAN 1900"));
    /// assert_eq!(meant("BEF JULIAN 44 BCE").as_deref(), Some("BEF @#DJULIAN@ 44 B.C."));
    /// assert_eq!(meant("12 VEND 3").as_deref(), Some("@#DFRENCH R@ 12 VEND 3"));
    /// assert_eq!(meant("29 Feb 1635/36").as_deref(), Some("29 FEB 1636"));
    /// assert_eq!(meant("BET 3 AND 4 JAN 2001").as_deref(), Some("BET 3 JAN 2001 AND 4 JAN 2001"));
    /// assert_eq!((meant("12/05/1890"), meant("12 JAN 76")), (None, None));
    /// ```
    pub fn meant(text: &'t str, rules: DateRules) -> Option<DateValue<'t>> {
        match DateValue::parse(text).ok() {
            Some(value) if is_certain(&value, rules) => Some(value),
            parsed => meant_otherwise(text, rules)
                .or_else(|| parsed.filter(|value| !rules.doubt_years() || !value.has_doubtful_year())),
        }
    }

    /// Replaces dual years of the Gregorian calendar, which ELF Dates does not have. A dual year alone becomes a
    /// range (`1716/17`); with a month, the year that starts in January is used (`29 FEB 1635/36`), if it is the next
    /// one. Other pairs of years become alternatives. `None` if there are no such years or no valid date results.
    ///
    /// ```
    /// use elf_values::DateValue;
    ///
    /// let undoubled = |text| DateValue::parse(text).ok()?.undoubled().map(|value| value.to_string());
    /// assert_eq!(undoubled("1716/17").as_deref(), Some("BET 1716 AND 1717"));
    /// assert_eq!(undoubled("BEF 10 MAR 1634/35").as_deref(), Some("BEF 10 MAR 1635"));
    /// assert_eq!(undoubled("1763/65").as_deref(), Some("BET 1763 AND 1765"));
    /// assert_eq!((undoubled("1647/16"), undoubled("1900")), (None, None));
    /// ```
    pub fn undoubled(&self) -> Option<DateValue<'static>> {
        if !self.dates().any(|date| is_doubled(&date)) {
            return None;
        }
        let spelled = match self.form() {
            DateForm::Exact(date) => years_between(&date).or_else(|| of_next_year(&date)),
            DateForm::Approximated(how, date) => of_next_year(&date).map(|date| format!("{how} {date}")),
            DateForm::Interpreted(date, phrase) => {
                of_next_year(&date).map(|date| format!("INT {date} ({phrase})"))
            }
            DateForm::Phrase(_) => None,
            DateForm::Before(date) => of_next_year(&date).map(|date| format!("BEF {date}")),
            DateForm::After(date) => of_next_year(&date).map(|date| format!("AFT {date}")),
            DateForm::From(date) => of_next_year(&date).map(|date| format!("FROM {date}")),
            DateForm::To(date) => of_next_year(&date).map(|date| format!("TO {date}")),
            DateForm::Between(first, second) => of_next_years(["BET", "AND"], [&first, &second]),
            DateForm::FromTo(first, second) => of_next_years(["FROM", "TO"], [&first, &second]),
        };
        let value = DateValue::parse(&spelled?).ok()?.into_owned();
        value.is_faultless().then_some(value)
    }

    fn is_faultless(&self) -> bool {
        self.dates().all(|date| date.fault().is_none())
    }
}

/// Returns whether calendars have the dates of a value, and its years are not doubtful.
fn is_certain(value: &DateValue<'_>, rules: DateRules) -> bool {
    value.is_faultless() && !(rules.doubt_years() && value.has_doubtful_year())
}

/// Reads a payload outside the grammar of ELF Dates, or one that it has in no known calendar.
#[cold]
fn meant_otherwise(text: &str, rules: DateRules) -> Option<DateValue<'static>> {
    let certain = || recover(text).filter(|found| found.is_certain).map(|found| found.text);
    let readings: [&dyn Fn() -> Option<String>; 4] = [
        // A calendar name of GEDCOM 7.0 may be read as an unknown month.
        &|| grammar::as_elf(text),
        &|| Some(respelled(text)),
        &certain,
        &|| in_french(text),
    ];
    readings.into_iter().find_map(|read| {
        let spelled = read()?;
        let value = DateValue::parse(&spelled).ok()?;
        if is_certain(&value, rules) {
            return Some(value.into_owned());
        }
        value.undoubled().filter(|value| is_certain(value, rules))
    })
}

/// Returns whether a date has two years of the Gregorian calendar.
fn is_doubled(date: &Date<'_>) -> bool {
    date.year().is_dual() && date.is_named_gregorian()
}

/// Spells a date with the second of its years, if it is the next one or the same. A day that only the Julian calendar
/// has is one of that calendar, whose years such dates are of. A date without two years stays as it is.
fn of_next_year(date: &Date<'_>) -> Option<String> {
    if !is_doubled(date) {
        return Some(date.to_string());
    }
    let year = date.year();
    let (first, second) = date.written_year().split_once('/')?;
    if first.ends_with(second) {
        return Some(with_year(date, first));
    }
    if !year.is_followed(date.is_reversed(Calendar::Gregorian)) {
        return None;
    }
    let spelled = with_year(date, &year.logical().to_string());
    let has_day = DateValue::parse(&spelled).is_ok_and(|value| value.is_faultless());
    Some(if has_day { spelled } else { format!("@#D{}@ {spelled}", Calendar::Julian) })
}

fn of_next_years(keywords: [&str; 2], dates: [&Date<'_>; 2]) -> Option<String> {
    let [first, second] = dates.map(of_next_year);
    Some(format!("{} {} {} {}", keywords[0], first?, keywords[1], second?))
}

/// Spells a date of the Gregorian calendar with another year.
fn with_year(date: &Date<'_>, year: &str) -> String {
    let day = date.day().map(|day| day.to_string());
    let parts = [day.as_deref(), date.month(), Some(year), date.epoch()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The range of two years without a month, and of two dates in years that do not follow each other. The second year
/// may be abbreviated to its last digits.
fn years_between(date: &Date<'_>) -> Option<String> {
    /// The farthest that a year is which belongs to the next century or decade: `1699/05`.
    const FARTHEST: u64 = 9;
    if date.epoch().is_some() || date.month().is_some() && date.year().is_followed(false) {
        return None;
    }
    let (first, second) = date.written_year().split_once('/')?;
    // The second year has the first digits of the first one, unless it is as long.
    let kept = first.len().checked_sub(second.len()).and_then(|kept| first.get(..kept)).unwrap_or("");
    let [from, to] = [first.to_owned(), format!("{kept}{second}")].map(|year| year.parse::<u64>().ok());
    let (from, to) = (from?, to?);
    let step = u32::try_from(second.len()).ok().and_then(|digits| 10_u64.checked_pow(digits))?;
    let next = to.checked_add(step).filter(|next| next.saturating_sub(from) <= FARTHEST);
    let to = if to <= from { next? } else { to };
    let [from, to] = [from, to].map(|year| with_year(date, &year.to_string()));
    Some(format!("BET {from} AND {to}"))
}

/// Respells dates without escapes whose months are those of the French Republican calendar.
fn in_french(text: &str) -> Option<String> {
    let is_month = |word: &&str| Calendar::FrenchRepublican.months().contains(word);
    if text.contains('@') || !text.split(' ').any(|word| is_month(&word)) {
        return None;
    }
    let words: Vec<&str> = text.split(' ').collect();
    let is_day = |word: &&str| word.bytes().all(|octet| octet.is_ascii_digit());
    let mut respelled = String::new();
    for (at, word) in words.iter().enumerate() {
        let after_day = at > 0 && words.get(at - 1).is_some_and(is_day);
        let before_month = is_day(word) && words.get(at + 1).is_some_and(is_month);
        if before_month || is_month(word) && !after_day {
            respelled.push_str("@#DFRENCH R@ ");
        }
        respelled.push_str(word);
        respelled.push(' ');
    }
    respelled.truncate(respelled.trim_end().len());
    Some(respelled)
}
