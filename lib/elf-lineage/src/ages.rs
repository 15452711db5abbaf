//! Ages that events state, and the range of time that each of them allows.

use crate::event_data::EventData;
use crate::spot::LinePosition;
use elf_values::{Age, AgeBound, AgeWord, Duration, Integer, recover_age};

/// An age that an event states. The struct copies the data of its event, because few events state
/// ages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatedAge {
    pub(crate) of: AgeOwner,
    /// The number of the person or the family of the record.
    pub(crate) record: u32,
    pub(crate) event: EventData,
    /// The position of the age in the file.
    pub(crate) spot: LinePosition,
    pub(crate) span: AgeSpan,
}

/// The person whose age is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AgeOwner {
    /// The person of the event.
    Person,
    /// The husband of the family of the event.
    Husband,
    /// The wife of the family of the event.
    Wife,
}

/// An age as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AgeSpan {
    Word(AgeWord),
    Quantity { bound: Option<AgeBound>, years: Option<u16>, months: Option<u16>, days: Option<u16> },
}

/// A length of time: years, and additional days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) years: i32,
    pub(crate) days: i32,
}

const MAX_DAYS_IN_MONTH: i32 = 31;

/// The lowest age that the British census of 1841 rounded down to a multiple of five.
const MIN_ROUNDED_AGE: i32 = 15;

/// The age from which no law, in any language, calls a person a child or an infant.
const FULL_AGE: i32 = 21;

impl AgeSpan {
    /// Parses a stated age, after the changes that a safe fix would make. Returns `None` if the
    /// payload is malformed, or if nobody reaches the age.
    pub(crate) fn parse(text: &str) -> Option<AgeSpan> {
        let small = |number: Option<&Integer<'_>>| match number {
            None => Some(None),
            Some(number) => u16::try_from(number.to_i64()?).ok().map(Some),
        };
        let recovered = recover_age(text);
        match Age::parse(recovered.as_deref().unwrap_or(text.trim())).ok()? {
            Age::Word(word) => Some(AgeSpan::Word(word)),
            Age::Quantity(bound, duration) => Some(AgeSpan::Quantity {
                bound,
                years: small(Duration::years(&duration))?,
                months: small(duration.months())?,
                days: small(duration.days())?,
            }),
        }
    }

    /// Returns the lowest possible age, and the lowest age that is too high. The second is `None`
    /// if there is no limit.
    pub(crate) fn limits(self) -> (Span, Option<Span>) {
        const NONE: Span = Span { years: 0, days: 0 };
        let (bound, years, months, days) = match self {
            AgeSpan::Word(AgeWord::Child | AgeWord::Infant) => {
                return (NONE, Some(Span { years: FULL_AGE, days: 0 }));
            }
            AgeSpan::Word(AgeWord::Stillborn) => (None, Some(0), None, None),
            AgeSpan::Quantity { bound, years, months, days } => (bound, years, months, days),
        };
        let number = |of: Option<u16>| i32::from(of.unwrap_or_default());
        let (whole, rest) = (number(years) + number(months) / 12, number(months) % 12);
        // A month has at least 28 days.
        let least = Span { years: whole, days: rest * 28 + number(days) };
        let most = match (months, days) {
            (_, Some(_)) => Span { years: whole, days: rest * MAX_DAYS_IN_MONTH + number(days) + 1 },
            (Some(_), None) => Span { years: whole, days: (rest + 1) * MAX_DAYS_IN_MONTH },
            (None, None) if whole >= MIN_ROUNDED_AGE && whole % 5 == 0 => Span { years: whole + 5, days: 0 },
            (None, None) => Span { years: whole + 1, days: 0 },
        };
        match bound {
            None => (least, Some(most)),
            Some(AgeBound::AtMost) => (NONE, Some(most)),
            Some(AgeBound::AtLeast) => (least, None),
        }
    }

    /// Describes the age: `the age CHILD`, `an age of at most 8 years`.
    pub(crate) fn describe(self) -> String {
        let (bound, numbers) = match self {
            AgeSpan::Word(word) => return format!("the age {word}"),
            AgeSpan::Quantity { bound, years, months, days } => {
                (bound, [(years, "year"), (months, "month"), (days, "day")])
            }
        };
        let bound = match bound {
            None => "",
            Some(AgeBound::AtMost) => "at most ",
            Some(AgeBound::AtLeast) => "at least ",
        };
        let written = numbers.into_iter().filter_map(|(number, unit)| Some((number?, unit)));
        let written = written.map(|(number, unit)| match number {
            1 => format!("1 {unit}"),
            _ => format!("{number} {unit}s"),
        });
        format!("an age of {bound}{}", written.collect::<Vec<String>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_leave_possible_what_their_last_unit_does() {
        for (text, least, most, words) in [
            ("33", (33, 0), Some((34, 0)), "an age of 33 years"),
            ("1y", (1, 0), Some((2, 0)), "an age of 1 year"),
            ("40y", (40, 0), Some((45, 0)), "an age of 40 years"),
            ("10y", (10, 0), Some((11, 0)), "an age of 10 years"),
            ("40y 0m", (40, 0), Some((40, 31)), "an age of 40 years 0 months"),
            ("26m", (2, 56), Some((2, 93)), "an age of 26 months"),
            ("1y 1m 3d", (1, 31), Some((1, 35)), "an age of 1 year 1 month 3 days"),
            ("< 8y", (0, 0), Some((9, 0)), "an age of at most 8 years"),
            (">60y", (60, 0), None, "an age of at least 60 years"),
            ("CHILD", (0, 0), Some((21, 0)), "the age CHILD"),
            ("INFANT", (0, 0), Some((21, 0)), "the age INFANT"),
            ("STILLBORN", (0, 0), Some((1, 0)), "the age STILLBORN"),
        ] {
            let age = AgeSpan::parse(text).expect("an age");
            let span = |(years, days)| Span { years, days };
            assert_eq!(age.limits(), (span(least), most.map(span)), "{text}");
            assert_eq!(age.describe(), words);
        }
        for text in ["", "about 30", "99999y", "12345678901234567890123"] {
            assert_eq!(AgeSpan::parse(text), None, "{text}");
        }
    }
}
