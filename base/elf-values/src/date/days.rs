//! The interval of days that a date can mean, in Julian day numbers.

use super::fault::continuous_year;
use super::single::{CalendarName, Date};
use super::value::{DateForm, DateValue};
use crate::Integer;
use crate::calendar::{Calendar, CalendarDay};

/// One end of an interval of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Bound {
    /// The day with this Julian day number, which is part of the interval.
    Day(i64),
    /// The interval has no end on this side.
    Open,
    /// Nobody knows on which day the interval ends on this side.
    ///
    /// For example, a state that lasted `TO 1900` began on an unknown day. Both ends are unknown if the calendar is
    /// unknown, if the calendar does not have the day, or if the year is too far away.
    Unknown,
}

/// The days that a date can mean, from the earliest to the latest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Days {
    /// The first possible day.
    pub earliest: Bound,
    /// The last possible day.
    pub latest: Bound,
}

/// The order of two intervals of days, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Every day of the first is before every day of the second.
    Before,
    /// Every day of the first is after every day of the second.
    After,
    /// Both intervals are the same single day.
    Same,
    /// The intervals have days in common, so the order is not known.
    Overlapping,
    /// The order is not known, or one of the intervals ends before it starts.
    Unknown,
}

impl Bound {
    /// Returns the day number, if it is known.
    pub const fn day(self) -> Option<i64> {
        match self {
            Bound::Day(day) => Some(day),
            Bound::Open | Bound::Unknown => None,
        }
    }
}

impl Days {
    /// The interval of all days.
    pub const ANY: Days = Days { earliest: Bound::Open, latest: Bound::Open };

    /// The interval whose two ends are unknown.
    pub const UNKNOWN: Days = Days { earliest: Bound::Unknown, latest: Bound::Unknown };

    /// Returns the interval of one date: a day, or all days of a month or year.
    pub fn of_date(date: &Date<'_>) -> Days {
        match date.day_range() {
            Some((first, last)) => Days { earliest: Bound::Day(first), latest: Bound::Day(last) },
            None => Days::UNKNOWN,
        }
    }

    /// Compares this interval with another.
    ///
    /// ```
    /// use elf_values::{DateValue, Relation};
    ///
    /// let days = |text| DateValue::parse(text).map(|value| value.days());
    /// assert_eq!(days("BEF 1800")?.relation(days("1801")?), Relation::Before);
    /// assert_eq!(days("1800")?.relation(days("JUN 1800")?), Relation::Overlapping);
    /// assert_eq!(days("29 FEB 1700")?.relation(days("1900")?), Relation::Unknown);
    /// # Ok::<(), elf_values::Malformed>(())
    /// ```
    pub fn relation(self, other: Days) -> Relation {
        if self.is_empty() || other.is_empty() {
            return Relation::Unknown;
        }
        let precedes = |one: Days, two: Days| match (one.latest, two.earliest) {
            (Bound::Day(latest), Bound::Day(earliest)) => Some(latest < earliest),
            (Bound::Open, _) | (_, Bound::Open) => Some(false),
            (Bound::Unknown, _) | (_, Bound::Unknown) => None,
        };
        match (precedes(self, other), precedes(other, self)) {
            (Some(true), _) => Relation::Before,
            (_, Some(true)) => Relation::After,
            (Some(false), Some(false)) => match (self.single(), other.single()) {
                (Some(one), Some(two)) if one == two => Relation::Same,
                _ => Relation::Overlapping,
            },
            _ => Relation::Unknown,
        }
    }

    /// Returns whether the last day is before the first, as in a reversed range.
    pub fn is_empty(self) -> bool {
        matches!((self.earliest, self.latest), (Bound::Day(first), Bound::Day(last)) if last < first)
    }

    /// Returns the day, if the interval has only one.
    pub fn single(self) -> Option<i64> {
        match (self.earliest, self.latest) {
            (Bound::Day(first), Bound::Day(last)) if first == last => Some(first),
            _ => None,
        }
    }
}

impl DateValue<'_> {
    /// Returns the days that the value can mean, including both ends. An approximation such as `ABT` is ignored.
    pub fn days(&self) -> Days {
        let from = |date: Date<'_>| Days::of_date(&date).earliest;
        let to = |date: Date<'_>| Days::of_date(&date).latest;
        match self.form() {
            DateForm::Exact(date) | DateForm::Approximated(_, date) | DateForm::Interpreted(date, _) => {
                Days::of_date(&date)
            }
            DateForm::Phrase(_) => Days::UNKNOWN,
            DateForm::Before(date) => Days { earliest: Bound::Open, latest: to(date) },
            DateForm::To(date) => Days { earliest: Bound::Unknown, latest: to(date) },
            DateForm::After(date) => Days { earliest: from(date), latest: Bound::Open },
            DateForm::From(date) => Days { earliest: from(date), latest: Bound::Unknown },
            // A date that does not exist makes both ends unreliable.
            DateForm::Between(first, second) | DateForm::FromTo(first, second)
                if first.fault().is_some() || second.fault().is_some() =>
            {
                Days::UNKNOWN
            }
            DateForm::Between(first, second) | DateForm::FromTo(first, second) => {
                Days { earliest: from(first), latest: to(second) }
            }
        }
    }

    /// Returns whether the second date is certainly before the first. ELF Dates *Date ranges* does not allow that.
    pub fn is_reversed(&self) -> bool {
        match (self.first(), self.second()) {
            (Some(first), Some(second)) => second.is_before(&first),
            _ => false,
        }
    }
}

impl Date<'_> {
    /// Returns the Julian day numbers of the first and the last day; `None` if they are not known.
    pub fn day_range(&self) -> Option<(i64, i64)> {
        Some((self.first_day()?, self.last_day()?))
    }

    /// Returns the Julian day number of the first day; `None` if it is not known.
    pub fn first_day(&self) -> Option<i64> {
        let calendar = self.calendar_of_days()?;
        let (year, month) = self.year_and_month(calendar)?;
        let month = month.unwrap_or(calendar.month_range().0);
        let day = self.day_of_month()?.unwrap_or(1);
        calendar.day_number(CalendarDay { year, month, day })
    }

    /// Returns the Julian day number of the last day; `None` if it is not known.
    pub fn last_day(&self) -> Option<i64> {
        let calendar = self.calendar_of_days()?;
        let (year, month) = self.year_and_month(calendar)?;
        let month = month.unwrap_or(calendar.month_range().1);
        let day = match self.day_of_month()? {
            Some(day) => day,
            None => calendar.days_in_month(year, month)?,
        };
        calendar.day_number(CalendarDay { year, month, day })
    }

    fn year_and_month(&self, calendar: Calendar) -> Option<(i64, Option<u8>)> {
        let year = continuous_year(calendar, self, &self.year()).to_i64()?;
        let month = match self.month() {
            Some(name) => Some(calendar.month(name)?),
            None => None,
        };
        Some((year, month))
    }

    fn day_of_month(&self) -> Option<Option<u8>> {
        match self.day() {
            Some(day) => u8::try_from(day.to_i64()?).ok().map(Some),
            None => Some(None),
        }
    }

    /// Compares this date with another.
    ///
    /// Dates in the same unfamiliar calendar are compared by their logical years. The two dates must not have an epoch,
    /// because years of an unfamiliar epoch could count backwards (ELF Dates *Calendar escapes*). The relation of dates
    /// in the calendar `UNKNOWN` is unknown.
    pub fn relation(&self, other: &Date<'_>) -> Relation {
        match (self.calendar(), other.calendar()) {
            (CalendarName::Unfamiliar(one), CalendarName::Unfamiliar(two))
                if one == two && self.epoch().is_none() && other.epoch().is_none() =>
            {
                match self.year().logical().cmp(other.year().logical()) {
                    std::cmp::Ordering::Less => Relation::Before,
                    std::cmp::Ordering::Greater => Relation::After,
                    std::cmp::Ordering::Equal => Relation::Unknown,
                }
            }
            _ => match (Days::of_date(self).relation(Days::of_date(other)), self.order_of_years(other)) {
                (Relation::Unknown, Some(std::cmp::Ordering::Less)) => Relation::Before,
                (Relation::Unknown, Some(std::cmp::Ordering::Greater)) => Relation::After,
                (relation, _) => relation,
            },
        }
    }

    /// Returns whether this date is certainly before another. Also compares years that are too far away to have days.
    pub(super) fn is_before(&self, other: &Date<'_>) -> bool {
        match (self.last_day(), other.first_day()) {
            (Some(last), Some(first)) => last < first,
            _ => self.order_of_years(other) == Some(std::cmp::Ordering::Less),
        }
    }

    /// Compares the years of two dates. Returns `None` if the dates may be in another order than their years.
    #[cold]
    fn order_of_years(&self, other: &Date<'_>) -> Option<std::cmp::Ordering> {
        /// Years nearer to 0 than this have day numbers. For a year farther away, the differences between calendars are
        /// too small to change the order.
        const NEAR: u64 = 500_000_000_000;
        let (one, two) = (self.calendar_of_days()?, other.calendar_of_days()?);
        let (first, second) =
            (continuous_year(one, self, &self.year()), continuous_year(two, other, &other.year()));
        let is_far = |year: &Integer<'_>| year.to_i64().is_none_or(|year| year.unsigned_abs() > 2 * NEAR);
        let is_near = |year: &Integer<'_>| year.to_i64().is_some_and(|year| year.unsigned_abs() <= NEAR);
        let is_certain =
            one == two || is_far(&first) && is_near(&second) || is_near(&first) && is_far(&second);
        Some(first.cmp(&second)).filter(|order| is_certain && order.is_ne())
    }
}
