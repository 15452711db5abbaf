//! Finds the most likely meaning of invalid payloads, in the spelling of GEDCOM 7.0.

use super::grammar::parse;
use crate::datatype::Datatype;
use crate::date::{DateForm, DateValue, recover};
use crate::recovery::{likely_age, likely_time};
use crate::scan::normalise_whitespace;
use crate::{Age, Date};

pub(super) fn find_likely(payload: &str, datatype: Datatype) -> Option<String> {
    let normal = normalise_whitespace(payload);
    match datatype {
        Datatype::Age => {
            let age = Age::parse(&normal).ok().map(|age| age.to_string());
            age.or_else(|| likely_age(&normal))
        }
        Datatype::Time => likely_time(&normal),
        _ if parse(&normal, datatype).is_ok() => Some(normal.into_owned()),
        _ => match DateValue::parse(&normal) {
            Ok(value) => spell_in_gedcom_7(&value),
            Err(_) => DateValue::parse(&recover(&normal)?.text).ok().as_ref().and_then(spell_in_gedcom_7),
        },
    }
}

/// Converts a value to the spelling of GEDCOM 7.0. `None` if that would need a `PHRASE`.
fn spell_in_gedcom_7(value: &DateValue<'_>) -> Option<String> {
    Some(match value.form() {
        DateForm::Exact(date) => spell_date(&date)?,
        DateForm::Approximated(approximation, date) => format!("{approximation} {}", spell_date(&date)?),
        DateForm::Before(date) => format!("BEF {}", spell_date(&date)?),
        DateForm::After(date) => format!("AFT {}", spell_date(&date)?),
        DateForm::From(date) => format!("FROM {}", spell_date(&date)?),
        DateForm::To(date) => format!("TO {}", spell_date(&date)?),
        DateForm::Between(first, second) => {
            format!("BET {} AND {}", spell_date(&first)?, spell_date(&second)?)
        }
        DateForm::FromTo(first, second) => {
            format!("FROM {} TO {}", spell_date(&first)?, spell_date(&second)?)
        }
        DateForm::Interpreted(..) | DateForm::Phrase(_) => return None,
    })
}

fn spell_date(date: &Date<'_>) -> Option<String> {
    if date.year().is_dual() {
        return None;
    }
    let calendar = match date.escape() {
        None | Some("GREGORIAN") => None,
        Some("FRENCH R") => Some("FRENCH_R"),
        Some(name @ ("JULIAN" | "HEBREW")) => Some(name),
        Some(_) => return None,
    };
    let mut text = calendar.map_or_else(String::new, |calendar| format!("{calendar} "));
    if let Some(day) = date.day() {
        text.push_str(&format!("{day} "));
    }
    if let Some(month) = date.month() {
        text.push_str(&format!("{month} "));
    }
    text.push_str(&date.year().logical().to_string());
    match date.epoch_name() {
        None => {}
        Some("B.C." | "BCE") => text.push_str(" BCE"),
        Some(_) => return None,
    }
    Some(text)
}
