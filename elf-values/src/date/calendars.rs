//! Days of a date in another calendar.

use super::value::{Approximation, DateForm, DateValue};
use crate::calendar::{Calendar, CalendarDay};
use crate::date::Bound;

impl DateValue<'_> {
    /// Spells the days of the date in `calendar`, canonically; `None` where they cannot be known there.
    ///
    /// A year or a month of one calendar is none of another, so `1900` becomes `BET … AND …` of its first and
    /// its last day, and so does an approximated year, whose approximation that form cannot state.
    ///
    /// ```
    /// use elf_values::{Calendar, DateValue};
    ///
    /// let day = DateValue::parse("ABT 14 MAR 1702")?;
    /// assert_eq!(day.in_calendar(Calendar::Julian).as_deref(), Some("ABT @#DJULIAN@ 3 MAR 1702"));
    /// # Ok::<(), elf_values::Malformed>(())
    /// ```
    pub fn in_calendar(&self, calendar: Calendar) -> Option<String> {
        if self.dates().all(|date| date.counted_in() == Some(calendar)) && self.first().is_some() {
            return Some(self.to_string());
        }
        let days = self.days();
        let spell = |bound: Bound| spelled(calendar, bound.day()?);
        match self.form() {
            DateForm::Phrase(_) => None,
            DateForm::Before(_) => Some(format!("BEF {}", spell(days.latest)?)),
            DateForm::After(_) => Some(format!("AFT {}", spell(days.earliest)?)),
            DateForm::From(_) => Some(format!("FROM {}", spell(days.earliest)?)),
            DateForm::To(_) => Some(format!("TO {}", spell(days.latest)?)),
            DateForm::FromTo(..) => {
                Some(format!("FROM {} TO {}", spell(days.earliest)?, spell(days.latest)?))
            }
            DateForm::Between(..) => {
                Some(format!("BET {} AND {}", spell(days.earliest)?, spell(days.latest)?))
            }
            DateForm::Exact(_) => one(calendar, self, None),
            DateForm::Interpreted(_, phrase) => {
                let day = spelled(calendar, days.single()?)?;
                Some(format!("INT {day} ({phrase})"))
            }
            DateForm::Approximated(approximation, _) => one(calendar, self, Some(approximation)),
        }
    }
}

/// Spells the single day of a value, or the range of all its days.
fn one(calendar: Calendar, value: &DateValue<'_>, approximation: Option<Approximation>) -> Option<String> {
    let days = value.days();
    let Some(day) = days.single() else {
        let (first, last) = (days.earliest.day()?, days.latest.day()?);
        return Some(format!("BET {} AND {}", spelled(calendar, first)?, spelled(calendar, last)?));
    };
    let day = spelled(calendar, day)?;
    Some(approximation.map_or_else(|| day.clone(), |word| format!("{word} {day}")))
}

/// The canonical spelling of a day.
pub(super) fn spelled(calendar: Calendar, number: i64) -> Option<String> {
    let CalendarDay { year, month, day } = calendar.day(number)?;
    let month = calendar.months().get(usize::from(month).checked_sub(1)?)?;
    let (year, epoch) = match (year, calendar.reverse_epoch()) {
        (1.., _) => (year, None),
        (_, Some(epoch)) => (1 - year, Some(epoch)),
        (_, None) => return None,
    };
    let mut text = String::new();
    if calendar != Calendar::Gregorian {
        text.push_str(&format!("@#D{calendar}@ "));
    }
    text.push_str(&format!("{day} {month} {year}"));
    if let Some(epoch) = epoch {
        text.push(' ');
        text.push_str(epoch);
    }
    Some(text)
}
