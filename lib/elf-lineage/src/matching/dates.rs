//! Compares two dates of the same event.

use elf_values::{Bound, Calendar, Days};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MatchDate {
    first: i64,
    last: i64,
    is_approximate: bool,
}

/// The days in a year.
const YEAR: i64 = 366;

/// Returns whether a date has neither a first nor a last day.
pub(super) const fn is_unbounded(days: Days) -> bool {
    !matches!(days.earliest, Bound::Day(_)) && !matches!(days.latest, Bound::Day(_))
}

impl MatchDate {
    /// Returns the days of a date for comparison. If one end of the date is open, it becomes the
    /// ten years next to the other end.
    pub(super) fn of(days: Days, is_approximate: bool) -> Option<MatchDate> {
        let (first, last, is_open) = match (days.earliest, days.latest) {
            (Bound::Day(first), Bound::Day(last)) => (first, last, false),
            (Bound::Day(first), _) => (first, first.saturating_add(10 * YEAR), true),
            (_, Bound::Day(last)) => (last.saturating_sub(10 * YEAR), last, true),
            _ => return None,
        };
        Some(MatchDate { first, last, is_approximate: is_approximate || is_open })
    }

    /// Returns the day, if the range is a single day.
    pub(super) fn single_day(self) -> Option<i64> {
        (self.first == self.last && !self.is_approximate).then_some(self.first)
    }

    /// Returns the year in the middle of the range.
    pub(super) fn middle_year(self) -> i64 {
        let middle = self.first / 2 + self.last / 2;
        Calendar::Gregorian.day(middle).map_or(0, |day| day.year)
    }

    pub(super) const fn first_day(self) -> i64 {
        self.first
    }

    /// Returns the evidence, in bits, that two people with these dates are the same.
    pub(super) fn compare_bits(self, other: MatchDate) -> f64 {
        let gap = self.first.max(other.first).saturating_sub(self.last.min(other.last)).max(0);
        if self.first == self.last && other.first == other.last {
            return self.compare_day_bits(other, gap);
        }
        let width = (self.last - self.first).max(other.last - other.first);
        let is_approximate = self.is_approximate || other.is_approximate;
        match (gap, is_approximate) {
            (0, _) if width <= YEAR + 1 => 5.0,
            (0, _) if width <= 5 * YEAR => 3.0,
            (0, _) => 1.0,
            (..=731, true) => 3.5,
            (..=1827, true) => 2.0,
            (..=3653, true) => -2.0,
            (_, true) => -8.0,
            (..=366, false) => 1.0,
            (..=731, false) => -1.5,
            (..=1827, false) => -5.0,
            (_, false) => -10.0,
        }
    }

    fn compare_day_bits(self, other: MatchDate, gap: i64) -> f64 {
        if gap == 0 {
            return 9.0;
        }
        let calendar = Calendar::Gregorian;
        let (Some(one), Some(two)) = (calendar.day(self.first), calendar.day(other.first)) else {
            return 0.0;
        };
        let (same_year, same_month, same_day) =
            (one.year == two.year, one.month == two.month, one.day == two.day);
        let is_swapped = same_year && i64::from(one.month) == i64::from(two.day) && two.month == one.day;
        if is_swapped
            || [same_year, same_month, same_day].into_iter().filter(|same| *same).count() == 2 && same_year
        {
            return 5.0;
        }
        if same_month && same_day {
            return match is_misspelled(one.year, two.year) {
                true if gap <= 10 * YEAR => 3.0,
                true => -2.0,
                false => -4.0,
            };
        }
        match (gap, self.is_approximate || other.is_approximate) {
            (..=400, true) => 3.0,
            (..=31, false) => 2.5,
            (..=366, false) => -2.5,
            (..=1096, _) => -6.0,
            _ => -12.0,
        }
    }
}

/// Returns whether two years differ by one digit, or by two swapped digits.
fn is_misspelled(one: i64, other: i64) -> bool {
    strsim::osa_distance(&one.to_string(), &other.to_string()) == 1
}
