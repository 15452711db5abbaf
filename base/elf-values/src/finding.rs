//! Findings about payloads, and the messages that several grammars share.

use crate::calendar::Calendar;
use crate::date::{Fault, Recovered};
use crate::problem::Malformed;
use elf_base::{Code, Excerpt, Safety, Span};
use std::borrow::Cow;

/// A problem with a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The code of the problem, one of E06.
    pub code: Code,
    /// The part of the payload with the problem.
    pub span: Span,
    /// The message, which quotes the problematic part of the payload.
    pub message: String,
    /// A suggestion: the most likely meaning of the payload, or how to write it.
    pub help: Option<String>,
    /// A payload that can replace this one.
    pub fix: Option<Respelling>,
}

/// A new payload that fixes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Respelling {
    /// The new payload, which is valid.
    pub text: String,
    /// Whether the new payload certainly has the same meaning as the old one.
    pub safety: Safety,
}

impl Finding {
    /// Changes the suggestion for a date that describes a state. A state lasts, so `1987-2020` is a period, not a
    /// range.
    #[must_use]
    pub fn of_state(mut self, payload: &str) -> Finding {
        let is_range = payload.trim_start().get(..3).is_some_and(|start| start.eq_ignore_ascii_case("BET"));
        let Some(fix) = self.fix.as_mut().filter(|_| !is_range) else { return self };
        let dates = fix.text.strip_prefix("BET ").and_then(|dates| dates.split_once(" AND "));
        if let Some((first, second)) = dates {
            fix.text = format!("FROM {first} TO {second}");
            fix.safety = Safety::Unsafe;
            self.help = Some(likely_help(&fix.text));
        }
        self
    }
}

impl Respelling {
    pub(crate) fn from_recovered(found: Recovered) -> Respelling {
        let safety = if found.is_safe { Safety::Safe } else { Safety::Unsafe };
        Respelling { text: found.text, safety }
    }
}

pub(crate) fn likely_help(text: &str) -> String {
    format!("did you mean `{text}`?")
}

pub(crate) fn reversed_message(text: &str) -> String {
    format!("`{}` ends before it starts", shorten(text))
}

pub(crate) fn no_day_message(date: &str, calendar: Calendar, fault: Fault, epoch: Option<&str>) -> String {
    let name = match calendar {
        Calendar::Gregorian => "Gregorian",
        Calendar::Julian => "Julian",
        Calendar::FrenchRepublican => "French Republican",
        Calendar::Hebrew => "Hebrew",
    };
    let reason = match (fault, epoch) {
        (Fault::Epoch, Some(epoch)) => format!("the calendar does not have the epoch `{}`", shorten(epoch)),
        _ => fault.to_string(),
    };
    format!("`{}` does not exist in the {name} calendar: {reason}", shorten(date))
}

/// Words the message for a payload that does not match the grammar of its datatype. `name` is the name of the datatype.
pub(crate) fn malformed_message(text: &str, name: &str, fault: &Malformed) -> String {
    match text {
        "" => format!("the payload is empty: expected {}", fault.expected),
        text => format!("invalid {name} `{}`: {fault}", shorten(text)),
    }
}

pub(crate) fn shorten(text: &str) -> Cow<'_, str> {
    Excerpt::start(text, 60)
}
