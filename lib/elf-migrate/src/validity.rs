//! Checks what GEDCOM 7.0 requires of a structure: its payload and its substructures.

use crate::converted::Converted7;
use crate::dates;
use crate::grammar::{Place7, Structure7};
use crate::record::{Id, Record, Value};
use crate::values::PayloadKind;
use elf_validate::{Grammar, Kind};

/// Returns whether a structure has the required substructures that the migration cannot add: the coordinates of a map,
/// the date of a status (MG59, MG94).
pub(crate) fn is_complete(record: &Record<'_>, of: Structure7, id: Id) -> bool {
    let has = |tag: &str, kind: PayloadKind| {
        let text = record.text_of(id, tag);
        text.is_some_and(|text| !kind.to_7(text).payload.is_empty())
    };
    match of.term() {
        "MAP" => has("LATI", PayloadKind::Latitude) && has("LONG", PayloadKind::Longitude),
        "ord-STAT" | "FAMC-STAT" if of.substructure("DATE").is_some() => {
            record.text_of(id, "DATE").is_some_and(|text| dates::exact_to_7(text).phrase.is_none())
        }
        _ => true,
    }
}

/// Returns whether a structure with a tag of GEDCOM 7.0 will be valid there once its payload is converted.
pub(crate) fn is_valid(record: &Record<'_>, id: Id, place: Place7) -> bool {
    let found = place.structure;
    // The migration adds required substructures of these.
    let is_completed = matches!(
        found.term(),
        "ASSO" | "FILE" | "INDI-EVEN" | "FAM-EVEN" | "INDI-FACT" | "FAM-FACT" | "IDNO"
    );
    is_convertible(record, id, place)
        && (is_completed
            || found.required_substructures().iter().all(|tag| {
                find_substructure_in(record, id, found, tag)
                    .is_some_and(|(below, of)| is_convertible(record, below, of))
            }))
}

/// Returns whether a structure has the required substructures, each with a valid payload.
pub(crate) fn has_required(record: &Record<'_>, id: Id, found: Structure7) -> bool {
    // A translation of a note has another language or another format.
    if found.term() == "NOTE-TRAN" && ["LANG", "MIME"].iter().all(|tag| record.find(id, tag).is_none()) {
        return false;
    }
    found.required_substructures().iter().all(|&tag| {
        // GEDCOM 5.5.1 has RELA instead.
        let is_role = tag == "ROLE" && record.find(id, "RELA").is_some();
        is_role
            || find_substructure_in(record, id, found, tag).is_some_and(|(below, of)| {
                // A null pointer is written without a payload.
                let is_void = of.structure.is_pointer() && record.get(below).payload == Value::None;
                is_void || has_valid_payload(record, below, of)
            })
    })
}

/// Returns whether GEDCOM 7.0 can express a payload of GEDCOM 5.5.1 by more than a phrase.
pub(crate) fn has_valid_payload(record: &Record<'_>, id: Id, place: Place7) -> bool {
    let Some(kind) = place.structure.kind() else { return false };
    let text = match &record.get(id).payload {
        Value::None => return kind.payloads.none,
        Value::Pointer(_) | Value::Void | Value::Made(_) => return kind.payloads.pointer,
        Value::Text(text) => &**text,
    };
    let is_listed = match kind.text.grammar {
        Grammar::Word => kind.text.values.contains(&text),
        Grammar::Enumeration => is_value(kind, text),
        _ => true,
    };
    let is_expressed = place.payload_kind().is_none_or(|of| {
        let converted = of.to_7(text);
        allows_phrase(place, &converted) && !converted.is_unread && !converted.payload.is_empty()
    });
    kind.payloads.text && is_listed && is_expressed
}

/// Returns whether GEDCOM 7.0 can express a payload, if only by a phrase.
fn is_convertible(record: &Record<'_>, id: Id, place: Place7) -> bool {
    let found = place.structure;
    let Some(kind) = found.kind() else { return false };
    let text = match &record.get(id).payload {
        // A null pointer may be written without a payload.
        Value::None => return kind.payloads.none || found.is_pointer(),
        Value::Pointer(_) | Value::Void | Value::Made(_) => return kind.payloads.pointer,
        // The text becomes the phrase of a null pointer.
        Value::Text(_) if found.is_pointer() => return found.substructure("PHRASE").is_some(),
        Value::Text(text) => &**text,
    };
    let converted = place.payload_kind().map_or_else(|| Converted7::exact(text), |of| of.to_7(text));
    let is_listed = match kind.text.grammar {
        Grammar::Word => kind.text.values.contains(&&*converted.payload),
        Grammar::Enumeration => is_value(kind, &converted.payload),
        Grammar::Enumerations => converted.payload.split(',').all(|word| is_value(kind, word.trim())),
        _ => !converted.payload.is_empty() || kind.payloads.none,
    };
    kind.payloads.text && is_listed && allows_phrase(place, &converted)
}

fn find_substructure_in(record: &Record<'_>, id: Id, found: Structure7, tag: &str) -> Option<(Id, Place7)> {
    let structure = found.substructure(tag)?;
    Some((record.find(id, tag)?, Place7 { parent: found, structure }))
}

fn is_value(kind: &Kind, word: &str) -> bool {
    word.starts_with('_') || kind.text.values.contains(&word)
}

fn allows_phrase(place: Place7, converted: &Converted7<'_>) -> bool {
    converted.phrase.is_none() || place.structure.substructure("PHRASE").is_some()
}
