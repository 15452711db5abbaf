//! Decides how much of a structure of GEDCOM 7.0 GEDCOM 5.5.1 can express.
//!
//! If it can express only a part of a payload, that part is written, and the whole payload is kept in an extension
//! under the structure, from which it is restored.

use crate::enumerations::RESTRICTION;
use crate::grammar::Place7;
use crate::record::{Id, Record, Value};
use crate::values::PayloadKind;
use elf_validate::{Standard, Table};
use elf_values::language_name;

/// How much of a payload GEDCOM 5.5.1 can express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    Whole,
    Part(String),
    Nothing,
}

/// Fits a payload of GEDCOM 7.0 into GEDCOM 5.5.1: one restriction of a list, a time of day without its zone,
/// a language without its region.
pub(crate) fn fit_payload(kind: PayloadKind, payload: &str) -> Fit {
    match kind {
        _ if kind == PayloadKind::RESTRICTIONS => {
            let mut words = payload.split(',').map(str::trim).filter(|word| !word.is_empty());
            let is_alone = words.clone().count() < 2;
            match words.find_map(|word| RESTRICTION.word_of_value(word)) {
                Some(_) if is_alone => Fit::Whole,
                Some(word) => Fit::Part(word.into_owned()),
                None => Fit::Nothing,
            }
        }
        PayloadKind::Language => {
            let code = payload.split('-').next().unwrap_or(payload);
            match (language_name(payload), language_name(code)) {
                (Some(_), _) => Fit::Whole,
                (None, Some(name)) => Fit::Part(name.to_owned()),
                (None, None) => Fit::Nothing,
            }
        }
        PayloadKind::Time => match payload.strip_suffix('Z') {
            Some(time) => Fit::Part(kind.to_551(time, None).text),
            None => Fit::Whole,
        },
        _ => Fit::Whole,
    }
}

/// Returns the tag of the extension that keeps the whole payload, for kinds that GEDCOM 5.5.1 may express only in part.
pub(crate) fn extension_tag(kind: PayloadKind) -> Option<&'static str> {
    match kind {
        PayloadKind::Time => Some("_TIME"),
        PayloadKind::Language => Some("_LANG"),
        _ if kind == PayloadKind::RESTRICTIONS => Some("_RESN"),
        _ => None,
    }
}

/// Returns whether GEDCOM 5.5.1 lists a word for structures of a type. Also true if it lists no words, or lacks the
/// structure.
pub(crate) fn is_listed(place: Place7, word: &str) -> bool {
    let parent = place.parent.term();
    let path: &[&str] = match place.structure.term() {
        "MEDI" => &["SOUR", "REPO", "CALN", "MEDI"],
        "PEDI" => &["INDI", "FAMC", "PEDI"],
        "FAMC-ADOP" => &["INDI", "ADOP", "FAMC", "ADOP"],
        "ord-STAT" if parent == "SLGS" => &["FAM", "SLGS", "STAT"],
        "ord-STAT" => &["INDI", parent, "STAT"],
        _ => return true,
    };
    let table = Table::of(Standard::Gedcom551);
    let mut tags = path.iter();
    let root = tags.next().and_then(|tag| table.root(tag)).and_then(|slot| table.kind(slot.kind));
    let kind = tags.try_fold(root, |kind, tag| Some(kind?.slot(tag).and_then(|slot| table.kind(slot.kind))));
    kind.flatten().is_none_or(|kind| kind.text.values.is_empty() || kind.text.values.contains(&word))
}

/// Returns whether GEDCOM 5.5.1 does not allow a structure although it or GEDCOM 5.5 has the tag: it lacks the form, or
/// allows no more than `before` structures of this type.
pub(crate) fn has_no_place(record: &Record<'_>, id: Id, place: Place7, before: usize) -> bool {
    let is_elsewhere = match (place.parent.term(), place.structure.term()) {
        // The note of a header is a text.
        ("HEAD", "SNOTE") | ("record-SUBM", "REFN") => true,
        // Only GEDCOM 5.5 has sources of notes.
        ("NOTE", "SOUR") => true,
        // A period given by a phrase alone.
        (_, "DATA-EVEN-DATE") => record.get(id).payload == Value::None,
        _ => false,
    };
    is_elsewhere || has_no_form(record, id, place) || max_in_551(place).is_some_and(|limit| before >= limit)
}

/// Returns whether GEDCOM 5.5.1 cannot express a structure at all, such as a restriction or a certainty with another
/// word.
fn has_no_form(record: &Record<'_>, id: Id, place: Place7) -> bool {
    let Some(text) = record.get(id).payload.text() else { return false };
    if place.structure.term() == "QUAY" {
        return text.starts_with('_');
    }
    place.payload_kind().is_some_and(|kind| fit_payload(kind, text) == Fit::Nothing)
}

/// Returns the maximum number of structures of a type in GEDCOM 5.5.1, if GEDCOM 7.0 allows more.
fn max_in_551(place: Place7) -> Option<usize> {
    match (place.parent.term(), place.structure.term()) {
        ("HEAD", "NOTE") | ("record-FAM", "FAM-NCHI") => Some(1),
        (_, "SUBM-LANG" | "PHON" | "EMAIL" | "FAX" | "WWW") => Some(3),
        _ => None,
    }
}
