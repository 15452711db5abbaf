//! Reads the dates of structures, as written and as days.

use elf_schema::{Datatype, Node, Value};
use elf_values::elf_base::rules::DateRules;
use elf_values::{Bound, DateValue, Days};
use std::borrow::Cow;

/// A date as written, and its days.
#[derive(Clone, Debug, Default)]
pub(crate) struct DatedText<'d> {
    pub(crate) text: Cow<'d, str>,
    /// The first and the last day, as Julian day numbers. `None` if that end is open or unknown.
    pub(crate) from: Option<i64>,
    pub(crate) to: Option<i64>,
}

impl<'d> DatedText<'d> {
    /// Parses the date of an event, in any date grammar and letter case.
    pub(crate) fn of_event(node: Node<'d>) -> DatedText<'d> {
        DatedText::of(node.text(), Datatype::DateValue, node.document().rules().schema.dates)
    }

    /// Parses a payload of this datatype in a file with these date rules. If the datatype is not a
    /// date, the result has no days.
    pub(crate) fn of(text: Cow<'d, str>, datatype: Datatype, rules: DateRules) -> DatedText<'d> {
        if datatype == Datatype::DateValue {
            let days = DateValue::parse_lenient(&text, rules).map(|value| value.days());
            return DatedText::with_days(text, days);
        }
        let days = match Value::read(&*text, datatype) {
            Value::Date(value) => Some(value.days()),
            Value::Period(period) => Some(period.value().days()),
            Value::Exact(day) => {
                let day = day.day().map_or(Bound::Unknown, |_| Bound::Day(day.number()));
                Some(Days { earliest: day, latest: day })
            }
            _ => None,
        };
        DatedText::with_days(text, days)
    }

    fn with_days(text: Cow<'d, str>, days: Option<Days>) -> DatedText<'d> {
        let from = days.and_then(|days| days.earliest.day());
        DatedText { text, from, to: days.and_then(|days| days.latest.day()) }
    }
}
