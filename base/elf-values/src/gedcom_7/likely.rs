//! The most likely meaning of payloads outside the grammars of GEDCOM 7.0, in its spelling.

use super::grammar::read;
use crate::datatype::Datatype;
use crate::date::{DateForm, DateValue, recover};
use crate::recovery::{likely_age, likely_time};
use crate::scan::normalised;
use crate::{Age, Date};

/// Respells a payload outside the grammar by its most likely meaning.
pub(super) fn likely(payload: &str, datatype: Datatype) -> Option<String> {
    let normal = normalised(payload);
    match datatype {
        Datatype::Age => {
            let age = Age::parse(&normal).ok().map(|age| age.to_string());
            age.or_else(|| likely_age(&normal))
        }
        Datatype::Time => likely_time(&normal),
        _ if read(&normal, datatype).is_ok() => Some(normal.into_owned()),
        _ => match DateValue::parse(&normal) {
            Ok(value) => spell_in_gedcom_7(&value),
            Err(_) => DateValue::parse(&recover(&normal)?.text).ok().as_ref().and_then(spell_in_gedcom_7),
        },
    }
}

/// Spells a value as GEDCOM 7.0 does. `None` if that would need a `PHRASE`.
fn spell_in_gedcom_7(value: &DateValue<'_>) -> Option<String> {
    Some(match value.form() {
        DateForm::Exact(date) => date_spelled(&date)?,
        DateForm::Approximated(approximation, date) => format!("{approximation} {}", date_spelled(&date)?),
        DateForm::Before(date) => format!("BEF {}", date_spelled(&date)?),
        DateForm::After(date) => format!("AFT {}", date_spelled(&date)?),
        DateForm::From(date) => format!("FROM {}", date_spelled(&date)?),
        DateForm::To(date) => format!("TO {}", date_spelled(&date)?),
        DateForm::Between(first, second) => {
            format!("BET {} AND {}", date_spelled(&first)?, date_spelled(&second)?)
        }
        DateForm::FromTo(first, second) => {
            format!("FROM {} TO {}", date_spelled(&first)?, date_spelled(&second)?)
        }
        DateForm::Interpreted(..) | DateForm::Phrase(_) => return None,
    })
}

fn date_spelled(date: &Date<'_>) -> Option<String> {
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
