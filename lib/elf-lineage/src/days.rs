//! The days on which an event may have happened: a closed interval of Julian day numbers in eight
//! bytes.

use elf_values::elf_base::rules::DateRules;
use elf_values::{Bound, Calendar, CalendarDay, Date, DateForm, DateValue, Days, plain_days};
use std::fmt::Write;

/// The first and the last day on which an event may have happened. The lowest and the highest
/// number stand for an open end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DayRange {
    pub(crate) earliest: i32,
    pub(crate) latest: i32,
}

/// The days of a date, with its calendar and precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DateRange {
    pub(crate) range: DayRange,
    pub(crate) calendar: Calendar,
    /// True for ABT, CAL and EST.
    pub(crate) is_approximate: bool,
}

impl DayRange {
    /// The range that contains all days.
    pub(crate) const ANY: DayRange = DayRange { earliest: i32::MIN, latest: i32::MAX };

    fn of(days: Days) -> DayRange {
        if days.is_empty() {
            return DayRange::ANY;
        }
        let end = |bound: Bound, open: i32| match bound {
            // A day that is too far away for 32 bits becomes an open end if that widens the range,
            // and otherwise the outermost number. Both are less precise than the date, but not
            // wrong.
            Bound::Day(day) => i32::try_from(day).unwrap_or(if day < 0 { i32::MIN } else { i32::MAX }),
            Bound::Open | Bound::Unknown => open,
        };
        DayRange { earliest: end(days.earliest, i32::MIN), latest: end(days.latest, i32::MAX) }
    }

    /// Returns whether the range contains all days.
    pub(crate) fn is_any(self) -> bool {
        self == DayRange::ANY
    }

    /// Returns whether all days of this range are before all days of the other range.
    pub(crate) const fn is_before(self, other: DayRange) -> bool {
        self.latest < other.earliest
    }

    /// Moves both ends by a number of days.
    pub(crate) fn plus_days(self, days: i32) -> DayRange {
        DayRange { earliest: shift_day(self.earliest, days), latest: shift_day(self.latest, days) }
    }

    /// Moves both ends by a number of years of the Gregorian calendar.
    pub(crate) fn plus_years(self, years: i32) -> DayRange {
        DayRange { earliest: years_later(self.earliest, years), latest: years_later(self.latest, years) }
    }

    /// Extends the range by a number of years at both ends.
    pub(crate) fn widened(self, years: i32) -> DayRange {
        DayRange { earliest: years_later(self.earliest, -years), latest: years_later(self.latest, years) }
    }

    /// Converts the range to the interval type of `elf_values`.
    pub(crate) fn days(self) -> Days {
        let bound = |day: i32, open| if day == open { Bound::Open } else { Bound::Day(day.into()) };
        Days { earliest: bound(self.earliest, i32::MIN), latest: bound(self.latest, i32::MAX) }
    }

    fn is_single_day(self) -> bool {
        self.earliest == self.latest
    }
}

/// Returns the day that is `days` later. An open end stays open.
fn shift_day(day: i32, days: i32) -> i32 {
    if day == i32::MIN || day == i32::MAX { day } else { day.saturating_add(days) }
}

/// Returns the day on which a person who was born on `day` reaches an age in years. It is the same
/// day of the Gregorian year, or 1 March if that year has no 29 February. An open end stays open.
pub(crate) fn years_later(day: i32, years: i32) -> i32 {
    if day == i32::MIN || day == i32::MAX {
        return day;
    }
    let moved = Calendar::Gregorian.day(day.into()).and_then(|of| {
        let year = of.year + i64::from(years);
        let same = Calendar::Gregorian.day_number(CalendarDay { year, ..of });
        same.or_else(|| Calendar::Gregorian.day_number(CalendarDay { year, month: 3, day: 1 }))
    });
    let moved = moved.unwrap_or_else(|| i64::from(day) + i64::from(years) * 365);
    i32::try_from(moved).unwrap_or(if moved < 0 { i32::MIN } else { i32::MAX })
}

impl DateRange {
    /// The result for a date that limits nothing.
    pub(crate) const NONE: DateRange =
        DateRange { range: DayRange::ANY, calendar: Calendar::Gregorian, is_approximate: false };

    /// Returns the days of a payload, in any date grammar and letter case.
    pub(crate) fn parse(payload: &str, rules: DateRules) -> DateRange {
        match plain_days(payload) {
            Some(plain) => DateRange {
                range: DayRange::of(plain.days),
                calendar: Calendar::Gregorian,
                is_approximate: plain.is_approximate,
            },
            None => DateValue::parse_lenient(payload, rules)
                .map_or(DateRange::NONE, |value| DateRange::of(&value)),
        }
    }

    /// Returns the days of a date value. An impossible or reversed date, or a phrase, allows any
    /// day.
    pub(crate) fn of(value: &DateValue<'_>) -> DateRange {
        let days = value.days();
        // If one end of a range is impossible, the wrong end is unknown, so the range limits
        // nothing.
        let is_half = matches!(value.form(), DateForm::Between(..) | DateForm::FromTo(..))
            && (days.earliest == Bound::Unknown || days.latest == Bound::Unknown);
        let range = if is_half { DayRange::ANY } else { DayRange::of(days) };
        let is_approximate = matches!(value.form(), DateForm::Approximated(..));
        let first = value.first().filter(|_| !value.is_of_two_calendars());
        let calendar = first.map_or(Calendar::Gregorian, |date| calendar_of(&date));
        DateRange { range, calendar, is_approximate }
    }
}

/// The unit in which an end of an interval is written.
enum CalendarUnit {
    Year,
    Month,
    Day,
}

/// Describes the days of a date in words, with their preposition and the names of the months.
///
/// ```
/// use elf_lineage::days_in_words;
/// use elf_values::DateValue;
///
/// assert_eq!(days_in_words(&DateValue::parse("3 MAR 1850")?), "on 3 March 1850");
/// assert_eq!(days_in_words(&DateValue::parse("BET 1850 AND 1855")?), "between 1850 and 1855");
/// assert_eq!(days_in_words(&DateValue::parse("FROM 1850 TO MAR 1855")?), "from 1850 to March 1855");
/// assert_eq!(days_in_words(&DateValue::parse("INT 1900 (about then)")?), "in 1900 (\"about then\")");
/// # Ok::<(), elf_values::Malformed>(())
/// ```
pub fn days_in_words(date: &DateValue<'_>) -> String {
    let range = DateRange::of(date);
    let is_reversed = date.days().is_empty();
    let words = match date.form() {
        DateForm::Between(first, last) if is_reversed || !range.range.is_any() => {
            Some(format!("between {} and {}", date_in_words(&first), date_in_words(&last)))
        }
        DateForm::FromTo(first, last) if is_reversed || !range.range.is_any() => {
            Some(format!("from {} to {}", date_in_words(&first), date_in_words(&last)))
        }
        _ if range.range.is_any() => None,
        DateForm::Before(last) => {
            let words = single_date_in_words(&last);
            let (preposition, date) = split_preposition(&words).unwrap_or(("on", &words));
            Some(format!("{preposition} or before {date}"))
        }
        DateForm::After(first) => Some(format!("not before {}", date_in_words(&first))),
        DateForm::From(first) => Some(format!("from {}", date_in_words(&first))),
        DateForm::To(last) => Some(format!("until {}", date_in_words(&last))),
        _ => None,
    };
    let mut words = words.unwrap_or_else(|| describe_days_with(range, Calendar::month_names));
    if is_reversed {
        words += ", but the end is before the start";
    }
    match date.phrase() {
        Some(phrase) => format!("{words} (\"{phrase}\")"),
        None => words,
    }
}

/// Explains a year such as `1699/00`: `1699 if the year starts in spring, …, and 1700 if it starts on 1 January`. Returns
/// `None` for other years.
///
/// ```
/// use elf_values::DateValue;
///
/// let date = DateValue::parse("11 FEB 1731/32")?;
/// let words = date.first().and_then(|date| elf_lineage::dual_year_in_words(&date)).expect("a dual year");
/// assert!(words.starts_with("1731 if the year starts in spring") && words.contains("1732"));
/// # Ok::<(), elf_values::Malformed>(())
/// ```
pub fn dual_year_in_words(date: &Date<'_>) -> Option<String> {
    let year = date.year();
    let (first, second) = (year.historical(), year.logical());
    (year.is_dual() && first != second).then(|| {
        format!(
            "{first} if the year starts in spring, usually on 25 March, and {second} if it starts on 1 January"
        )
    })
}

/// Describes a single date without a preposition.
fn date_in_words(date: &Date<'_>) -> String {
    let words = single_date_in_words(date);
    split_preposition(&words).map_or(words.as_str(), |(_, date)| date).to_owned()
}

/// Describes a single date with its preposition.
fn single_date_in_words(date: &Date<'_>) -> String {
    let range = DayRange::of(Days::of_date(date));
    let date = DateRange { range, calendar: calendar_of(date), is_approximate: false };
    describe_days_with(date, Calendar::month_names)
}

/// Splits the words of a date into `on` or `in` and the rest.
fn split_preposition(words: &str) -> Option<(&str, &str)> {
    words.split_once(' ').filter(|(preposition, _)| ["on", "in"].contains(preposition))
}

/// Returns the calendar in which the days of a date are described. Dates in an unknown calendar have no days.
fn calendar_of(date: &Date<'_>) -> Calendar {
    date.escape().and_then(Calendar::named).unwrap_or(Calendar::Gregorian)
}

/// Returns the lowest and the highest number of whole years from a birth to a later event, counted
/// as birthdays. `None` if a day is open or unknown, or if the event may be before the birth.
///
/// ```
/// use elf_values::DateValue;
///
/// let days = |text| DateValue::parse(text).map(|date| date.days());
/// assert_eq!(elf_lineage::years_between(days("4 MAR 1850")?, days("3 MAR 1900")?), Some((49, 49)));
/// assert_eq!(elf_lineage::years_between(days("1850")?, days("1900")?), Some((49, 50)));
/// assert_eq!(elf_lineage::years_between(days("1850")?, days("AFT 1900")?), None);
/// # Ok::<(), elf_values::Malformed>(())
/// ```
pub fn years_between(birth: Days, event: Days) -> Option<(i64, i64)> {
    let day = |bound: Bound| match bound {
        Bound::Day(number) => Calendar::Gregorian.day(number),
        Bound::Open | Bound::Unknown => None,
    };
    let years = |from: CalendarDay, to: CalendarDay| {
        to.year - from.year - i64::from((to.month, to.day) < (from.month, from.day))
    };
    let least = years(day(birth.latest)?, day(event.earliest)?);
    let most = years(day(birth.earliest)?, day(event.latest)?);
    (least >= 0).then_some((least, most))
}

/// Describes days with their preposition, and with months as the file spells them: `on 1 MAR 1850`,
/// `in 1850`, `between 1850 and 1855`.
pub(crate) fn describe_days(range: DateRange) -> String {
    describe_days_with(range, Calendar::months)
}

/// Describes days with the names of months that a function returns.
fn describe_days_with(
    DateRange { range, calendar, is_approximate }: DateRange,
    months_of: fn(Calendar) -> &'static [&'static str],
) -> String {
    let months = months_of(calendar);
    let about = if is_approximate { "about " } else { "" };
    let behind = match calendar {
        Calendar::Gregorian => "",
        Calendar::Julian => " (Julian)",
        Calendar::FrenchRepublican => " (French Republican)",
        Calendar::Hebrew => " (Hebrew)",
    };
    let first = calendar_day(range.earliest, calendar);
    let last = calendar_day(range.latest, calendar);
    let text = match (first, last) {
        (None, None) if range.earliest == i32::MAX => {
            return "on a day too far in the future".to_owned();
        }
        (None, None) if range.latest == i32::MIN => return "on a day too far in the past".to_owned(),
        (None, None) => return "on an unknown day".to_owned(),
        (None, Some(last)) => {
            let unit = unit_ending_on(last, calendar);
            let preposition = if matches!(unit, CalendarUnit::Day) { "on" } else { "in" };
            format!("{preposition} or before {}", spell_day(last, calendar, months, &unit))
        }
        (Some(first), None) => {
            format!("not before {}", spell_day(first, calendar, months, &unit_starting_on(first)))
        }
        (Some(first), Some(last)) if first == last => {
            let on = if is_approximate { about } else { "on " };
            format!("{on}{}", spell_day(first, calendar, months, &CalendarUnit::Day))
        }
        (Some(first), Some(last)) => {
            let (start, end) = (unit_starting_on(first), unit_ending_on(last, calendar));
            let same_year = first.year == last.year;
            match (&start, &end) {
                (CalendarUnit::Year, CalendarUnit::Year) if same_year => {
                    format!("in {about}{}", spell_day(first, calendar, months, &CalendarUnit::Year))
                }
                (CalendarUnit::Month | CalendarUnit::Year, CalendarUnit::Month | CalendarUnit::Year)
                    if same_year && first.month == last.month =>
                {
                    format!("in {about}{}", spell_day(first, calendar, months, &CalendarUnit::Month))
                }
                _ => format!(
                    "between {} and {}",
                    spell_day(first, calendar, months, &start),
                    spell_day(last, calendar, months, &end)
                ),
            }
        }
    };
    text + behind
}

fn calendar_day(day: i32, calendar: Calendar) -> Option<CalendarDay> {
    if day == i32::MIN || day == i32::MAX {
        return None;
    }
    calendar.day(day.into()).or_else(|| Calendar::Gregorian.day(day.into()))
}

/// Returns the largest unit that begins on a day.
fn unit_starting_on(day: CalendarDay) -> CalendarUnit {
    match (day.month, day.day) {
        (1, 1) => CalendarUnit::Year,
        (_, 1) => CalendarUnit::Month,
        _ => CalendarUnit::Day,
    }
}

/// Returns the largest unit that ends on a day.
fn unit_ending_on(day: CalendarDay, calendar: Calendar) -> CalendarUnit {
    let is_last_day = calendar.days_in_month(day.year, day.month) == Some(day.day);
    let behind = (day.month + 1..=14).find_map(|month| calendar.days_in_month(day.year, month));
    match (is_last_day, behind) {
        (true, None) => CalendarUnit::Year,
        (true, Some(_)) => CalendarUnit::Month,
        (false, _) => CalendarUnit::Day,
    }
}

fn spell_day(day: CalendarDay, calendar: Calendar, months: &[&str], unit: &CalendarUnit) -> String {
    let mut text = String::new();
    if matches!(unit, CalendarUnit::Day) {
        let _ = write!(text, "{} ", day.day);
    }
    if matches!(unit, CalendarUnit::Day | CalendarUnit::Month) {
        let month = months.get(usize::from(day.month).saturating_sub(1));
        let _ = write!(text, "{} ", month.copied().unwrap_or_default());
    }
    match calendar.reverse_epoch().filter(|_| day.year <= 0) {
        Some(epoch) => {
            let _ = write!(text, "{} {epoch}", 1 - day.year);
        }
        None => {
            let _ = write!(text, "{}", day.year);
        }
    }
    text
}

/// Describes the shortest time between two ranges, in days if it is less than two years. Longer
/// times are described as in [`describe_gap`].
pub(crate) fn describe_gap_in_days(earlier: DayRange, later: DayRange) -> String {
    let days = i64::from(later.earliest) - i64::from(earlier.latest);
    if days >= 731 {
        return describe_gap(earlier, later);
    }
    let least = if earlier.is_single_day() && later.is_single_day() { "" } else { "at least " };
    let plural = if days == 1 { "" } else { "s" };
    format!("{least}{days} day{plural}")
}

/// Describes the shortest time between two ranges: `12 years`, `at least 3 months`, `1 day`.
pub(crate) fn describe_gap(earlier: DayRange, later: DayRange) -> String {
    let days = i64::from(later.earliest) - i64::from(earlier.latest);
    let (number, unit) = match days {
        ..60 => (days, "day"),
        60..366 => (days * 12 / 366, "month"),
        _ => (days * 10_000 / 3_652_425, "year"),
    };
    let least = if earlier.is_single_day() && later.is_single_day() { "" } else { "at least " };
    let plural = if number == 1 { "" } else { "s" };
    format!("{least}{number} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dated(text: &str) -> DateRange {
        DateValue::parse(text).map_or(DateRange::NONE, |value| DateRange::of(&value))
    }

    #[test]
    fn days_are_told_in_the_calendar_they_were_written_in() {
        for (text, words) in [
            ("1 MAR 1850", "on 1 MAR 1850"),
            ("MAR 1850", "in MAR 1850"),
            ("1850", "in 1850"),
            ("ABT 1850", "in about 1850"),
            ("ABT 7 AUG 1850", "about 7 AUG 1850"),
            ("99999999999", "on a day too far in the future"),
            ("99999999999 B.C.", "on a day too far in the past"),
            ("BEF 1850", "in or before 1850"),
            ("BEF 3 MAR 1850", "on or before 3 MAR 1850"),
            ("AFT MAR 1850", "not before MAR 1850"),
            ("BET 1850 AND 3 MAR 1855", "between 1850 and 3 MAR 1855"),
            ("44 B.C.", "in 44 B.C."),
            ("@#DJULIAN@ 1 MAR 1700", "on 1 MAR 1700 (Julian)"),
            ("@#DFRENCH R@ 12 VEND 3", "on 12 VEND 3 (French Republican)"),
            ("@#DHEBREW@ 5779", "in 5779 (Hebrew)"),
            ("@#DHEBREW@ ELL 5779", "in ELL 5779 (Hebrew)"),
            ("(a phrase)", "on an unknown day"),
        ] {
            assert_eq!(describe_days(dated(text)), words, "{text}");
        }
    }

    #[test]
    fn dates_are_described_as_written() {
        for (text, words) in [
            ("FROM 1900 TO 1910", "from 1900 to 1910"),
            ("FROM JAN 1900 TO DEC 1900", "from January 1900 to December 1900"),
            ("FROM 1900", "from 1900"),
            ("TO 3 MAR 1910", "until 3 March 1910"),
            ("FROM @#DJULIAN@ 1 MAR 1700 TO 1710", "from 1 March 1700 (Julian) to 1710"),
            ("FROM 1910 TO 1900", "from 1910 to 1900, but the end is before the start"),
            (
                "BET 2 JAN 1900 AND 1 JAN 1900",
                "between 2 January 1900 and 1 January 1900, but the end is before the start",
            ),
            ("AFT 1 JAN 1850", "not before 1 January 1850"),
            ("AFT JAN 1850", "not before January 1850"),
            ("AFT 1850", "not before 1850"),
            ("BEF 31 DEC 1850", "on or before 31 December 1850"),
            ("BEF DEC 1850", "in or before December 1850"),
            ("FROM 1 JAN 1850", "from 1 January 1850"),
            ("BET 1 JAN 1850 AND 31 DEC 1850", "between 1 January 1850 and 31 December 1850"),
            ("BET 1 MAR 1850 AND 31 MAR 1850", "between 1 March 1850 and 31 March 1850"),
            ("AFT @#DJULIAN@ 1 JAN 1700", "not before 1 January 1700 (Julian)"),
            ("BEF 99999999999 B.C.", "on or before a day too far in the past"),
            ("FROM 30 FEB 1900 TO 1910", "on an unknown day"),
            ("BET 1900 AND 1910", "between 1900 and 1910"),
            ("INT ABT 1900 (about then)", "on an unknown day"),
            ("INT 3 MAR 1900 (about then)", "on 3 March 1900 (\"about then\")"),
            ("(about then)", "on an unknown day (\"about then\")"),
        ] {
            let value = DateValue::parse(text).ok();
            assert_eq!(
                value.map_or("on an unknown day".to_owned(), |value| days_in_words(&value)),
                words,
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_date_bounds_nothing() {
        for text in [
            "BET 1800 AND 30 FEB 1801",
            "FROM 30 FEB 1800 TO 1801",
            "BET 1850 AND 1840",
            "31 FEB 1850",
            "1066/67",
            "5 Oct 1835",
            "(phrase)",
            "",
        ] {
            assert!(dated(text).range.is_any(), "{text}");
        }
        assert!(!dated("INT 1850 (phrase)").range.is_any());
    }

    #[test]
    fn birthdays_are_those_of_the_gregorian_calendar() {
        let day = |text| dated(text).range.earliest;
        assert_eq!(years_later(day("1 MAY 1850"), 12), day("1 MAY 1862"));
        assert_eq!(years_later(day("29 FEB 1852"), 1), day("1 MAR 1853"));
        assert_eq!(years_later(day("29 FEB 1852"), 4), day("29 FEB 1856"));
        assert_eq!(years_later(i32::MIN, 12), i32::MIN);
        assert_eq!(years_later(i32::MAX - 1, 12), i32::MAX);
    }

    #[test]
    fn far_days_are_open_ends() {
        assert_eq!(dated("99999999999").range.latest, i32::MAX);
        assert!(dated("1850").range.is_before(dated("99999999999").range));
        assert!(!dated("99999999999").range.is_before(dated("99999999998").range));
    }

    #[test]
    fn gaps_are_told_in_round_units() {
        let between = |one, two| describe_gap(dated(one).range, dated(two).range);
        assert_eq!(between("1 MAR 1850", "2 MAR 1850"), "1 day");
        assert_eq!(between("1 MAR 1850", "14 MAY 1862"), "12 years");
        assert_eq!(between("1850", "1851"), "at least 1 day");
        assert_eq!(between("1 JAN 1850", "1 JUN 1850"), "4 months");
    }
}
