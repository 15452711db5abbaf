//! Conversion of dates to another calendar.

use super::value::{DateForm, DateValue};
use crate::calendar::{Calendar, CalendarDay};
use crate::date::Bound;

impl DateValue<'_> {
    /// Returns the date in another calendar, in canonical spelling; `None` if it cannot be converted.
    ///
    /// A year or a month has no exact counterpart in another calendar, so `1900` becomes `BET … AND …` with its first
    /// and its last day. An approximated or interpreted year or month cannot be converted, because a range would look
    /// more exact than the date. [`DateValue::reason_not_in`] returns the reason.
    ///
    /// ```
    /// use elf_values::{Calendar, DateValue};
    ///
    /// let day = DateValue::parse("ABT 14 MAR 1702")?;
    /// assert_eq!(day.in_calendar(Calendar::Julian).as_deref(), Some("ABT @#DJULIAN@ 3 MAR 1702"));
    /// # Ok::<(), elf_values::Malformed>(())
    /// ```
    pub fn in_calendar(&self, calendar: Calendar) -> Option<String> {
        if self.dates().all(|date| date.calendar_of_days() == Some(calendar)) && self.first().is_some() {
            return Some(self.to_string());
        }
        let days = self.days();
        let spell = |bound: Bound| spell_day(calendar, bound.day()?);
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
            DateForm::Exact(_) => match days.single() {
                Some(day) => spell_day(calendar, day),
                None => Some(format!("BET {} AND {}", spell(days.earliest)?, spell(days.latest)?)),
            },
            DateForm::Interpreted(_, phrase) => {
                let day = spell_day(calendar, days.single()?)?;
                Some(format!("INT {day} ({phrase})"))
            }
            DateForm::Approximated(approximation, _) => {
                Some(format!("{approximation} {}", spell_day(calendar, days.single()?)?))
            }
        }
    }

    /// Returns the reason why [`DateValue::in_calendar`] cannot convert the date; `None` if it can.
    ///
    /// ```
    /// use elf_values::{Calendar, DateValue};
    ///
    /// let year = DateValue::parse("1900")?;
    /// assert_eq!(year.reason_not_in(Calendar::Hebrew), None);
    /// assert_eq!(year.reason_not_in(Calendar::FrenchRepublican), Some("the date is outside that calendar"));
    /// # Ok::<(), elf_values::Malformed>(())
    /// ```
    pub fn reason_not_in(&self, calendar: Calendar) -> Option<&'static str> {
        if self.in_calendar(calendar).is_some() {
            return None;
        }
        let is_vague = match self.form() {
            DateForm::Approximated(..) | DateForm::Interpreted(..) => self.days().single().is_none(),
            DateForm::Phrase(_) => return Some("words cannot be converted"),
            _ => false,
        };
        Some(match self.dates().all(|date| date.day_range().is_some()) {
            false => "its days cannot be calculated",
            true if is_vague => "a year or month of one calendar is not a year or month of the other",
            true => "the date is outside that calendar",
        })
    }
}

pub(super) fn spell_day(calendar: Calendar, number: i64) -> Option<String> {
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
