//! Dates of structures, as they are written and as days.

use elf_schema::{Datatype, Node, Value};
use elf_values::elf_base::rules::DateRules;
use elf_values::{Bound, DateValue, Days};
use std::borrow::Cow;

/// A date as it is written, and the days that it names.
#[derive(Clone, Debug, Default)]
pub(crate) struct DatedText<'d> {
    pub(crate) text: Cow<'d, str>,
    /// The first and the last day, as Julian day numbers; none where that end is open or not known.
    pub(crate) from: Option<i64>,
    pub(crate) to: Option<i64>,
}

impl<'d> DatedText<'d> {
    /// The date of an event: the days that it means, in whichever grammar and letters.
    pub(crate) fn of_event(node: Node<'d>) -> DatedText<'d> {
        DatedText::of(node.text(), Datatype::DateValue, node.document().rules().schema.dates)
    }

    /// A payload of a datatype, in a file whose dates are judged by `rules`; one that is none of dates has no days.
    pub(crate) fn of(text: Cow<'d, str>, datatype: Datatype, rules: DateRules) -> DatedText<'d> {
        if datatype == Datatype::DateValue {
            let days = DateValue::parse_lenient(&text, rules).map(|value| value.days());
            return DatedText::on(text, days);
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
        DatedText::on(text, days)
    }

    fn on(text: Cow<'d, str>, days: Option<Days>) -> DatedText<'d> {
        let from = days.and_then(|days| days.earliest.day());
        DatedText { text, from, to: days.and_then(|days| days.latest.day()) }
    }
}
