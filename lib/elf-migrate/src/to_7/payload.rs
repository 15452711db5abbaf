//! Converts payloads to GEDCOM 7.0.

use super::migrator::To7Migrator;
use crate::converted::Converted7;
use crate::dates;
use crate::fitted::{self, Fit};
use crate::grammar::{Place7, Structure7};
use crate::record::{Id, Value};
use crate::values::{PayloadKind, Placement, Unexpressed};
use elf_base::codes;
use elf_values::file_path_fault;

impl To7Migrator<'_, '_, '_> {
    /// Converts a payload that must be a pointer in GEDCOM 7.0. Any other payload becomes a null pointer (MG34, MG37,
    /// MG106).
    pub(super) fn convert_pointer(&mut self, id: Id, of: Structure7) {
        self.output.depends_on_others |= of.term() == "ASSO";
        let text = match &self.record.get(id).payload {
            Value::Pointer(xref) if of.term() == "ASSO" && self.context.submitters.contains(&**xref) => {
                let kept = std::mem::replace(&mut self.record.get_mut(id).payload, Value::Void);
                return self.keep_payload(id, kept);
            }
            Value::Pointer(_) | Value::Void | Value::Made(_) => return,
            Value::None if self.record.get(id).below.is_empty() => return self.convert_empty_pointer(id, of),
            Value::None => None,
            Value::Text(text) => Some(text.clone()),
        };
        self.record.get_mut(id).payload = Value::Void;
        match text {
            Some(text) if of.substructure("PHRASE").is_some() => _ = self.record.add(id, "PHRASE", text),
            Some(text) => self.keep_payload(id, Value::of(text)),
            None if of.term() == "OBJE" => self.mark(id),
            None => {}
        }
    }

    /// Converts an empty structure whose payload is a pointer in GEDCOM 7.0. Most such structures are removed later.
    fn convert_empty_pointer(&mut self, id: Id, of: Structure7) {
        match of.term() {
            "OBJE" => {
                self.record.get_mut(id).payload = Value::Void;
                self.mark(id);
            }
            // A sealing to parents requires FAMC.
            "FAMC" => {
                let message = "`FAMC` written as a pointer to `@VOID@`: GEDCOM 7.0 requires a pointer";
                self.remark(id, codes::STRUCTURE_REARRANGED, message.to_owned());
                self.record.get_mut(id).payload = Value::Void;
            }
            _ => {}
        }
    }

    /// Converts a payload that is a text in GEDCOM 7.0. Returns false if the structure has become an extension.
    pub(super) fn convert_payload(&mut self, id: Id, place: Place7) -> bool {
        let text = match &self.record.get(id).payload {
            Value::None | Value::Void | Value::Made(_) => return true,
            Value::Text(text) => text.clone(),
            Value::Pointer(xref) => {
                let text = format!("@{xref}@");
                self.write_pointer_as_text(id, text);
                return true;
            }
        };
        if place.structure.kind().is_some_and(|kind| !kind.payloads.text) {
            self.keep_disallowed_payload(id, &text);
            return true;
        }
        let Some(kind) = place.payload_kind() else { return true };
        if self.restore_payload(id, kind, &text) {
            return true;
        }
        if kind == PayloadKind::Time && dates::is_end_of_day(&text) && !self.advanced.contains(&id) {
            self.extend(id);
            return false;
        }
        let converted = match self.advance_day(id, kind, &text) {
            Some(next) => Converted7::unread(next, &*text),
            None if kind.is_same_in_both(&text) => return true,
            None => kind.to_7(&text),
        };
        self.report_other_value(id, kind, &text, &converted);
        let allows_phrase = place.structure.substructure("PHRASE").is_some()
            && !["PHRASE", "_PHRASE"].iter().any(|tag| self.record.find(id, tag).is_some());
        let is_meaningless = converted.payload.is_empty() && converted.is_unread && !allows_phrase;
        if is_meaningless && kind != PayloadKind::Happened {
            self.extend(id);
            return false;
        }
        let placement = kind.place_unexpressed(&text, &converted, allows_phrase);
        self.write_payload(id, kind, &text, &converted.payload, placement);
        true
    }

    fn write_pointer_as_text(&mut self, id: Id, text: String) {
        let message = format!("pointer {text} written as text: GEDCOM 7.0 does not allow a pointer here");
        self.remark(id, codes::VALUE_NOT_CARRIED, message);
        self.record.get_mut(id).payload = Value::of(text);
    }

    /// Keeps a payload in an extension if GEDCOM 7.0 allows no payload in the structure.
    fn keep_disallowed_payload(&mut self, id: Id, text: &str) {
        let tag = self.original_tag(id);
        let message = format!(
            "GEDCOM 7.0 does not allow a payload of `{tag}` here: `{text}` moved to a structure under it"
        );
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        self.keep_payload(id, Value::of(text.to_owned()));
        self.record.get_mut(id).payload = Value::None;
    }

    /// Restores a payload that GEDCOM 5.5.1 can express only in part or as a phrase. Returns whether it did.
    fn restore_payload(&mut self, id: Id, kind: PayloadKind, text: &str) -> bool {
        if kind == PayloadKind::Date {
            let Some(date) = dates::read_from_parentheses(text) else { return false };
            let message = format!("`{text}` read as a date that GEDCOM 5.5.1 does not have");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
            self.record.get_mut(id).payload = Value::of(date.to_owned());
            return true;
        }
        let whole = fitted::extension_tag(kind).and_then(|tag| self.record.find_childless(id, tag));
        let Some(whole) = whole else { return false };
        let Some(payload) = self.record.get(whole).payload.text() else { return false };
        let is_whole = kind.to_7(payload).is_exactly(payload)
            && fitted::fit_payload(kind, payload) == Fit::Part(text.to_owned());
        if is_whole {
            self.record.get_mut(id).payload = Value::of(payload.to_owned());
            self.record.detach(id, whole);
        }
        is_whole
    }

    /// Returns the next day for a date with the time 24:00, which GEDCOM 7.0 does not have (MG77).
    fn advance_day(&mut self, id: Id, kind: PayloadKind, text: &str) -> Option<String> {
        if kind != PayloadKind::ExactDate {
            return None;
        }
        let time = self.record.find(id, "TIME")?;
        if !self.record.get(time).payload.text().is_some_and(dates::is_end_of_day) {
            return None;
        }
        let next = dates::next_day(text)?;
        self.advanced.insert(time);
        Some(next)
    }

    /// Reports a payload whose value differs from the text, or that GEDCOM 7.0 does not support.
    fn report_other_value(&mut self, id: Id, kind: PayloadKind, text: &str, converted: &Converted7<'_>) {
        let payload = &*converted.payload;
        if kind == PayloadKind::Date && dates::is_reworded(text, converted) {
            let message = match payload {
                "" => format!("`{text}` written as a phrase only"),
                payload => format!("`{text}` written as `{payload}`, with a phrase"),
            };
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        if kind == PayloadKind::Date
            && let Some(phrase) = dates::write_in_parentheses(payload)
        {
            let message = format!(
                "a conversion back makes `{text}` the phrase `{phrase}`: GEDCOM 5.5.1 does not have such dates"
            );
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        if kind == PayloadKind::FilePath && !converted.is_unread && file_path_fault(payload).is_some() {
            let message =
                format!("GEDCOM 7.0 does not allow the file path `{payload}`; it is written unchanged");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
    }

    /// Writes a converted payload, and the part that it does not express.
    fn write_payload(&mut self, id: Id, kind: PayloadKind, text: &str, payload: &str, placement: Placement) {
        if payload != text {
            self.record.get_mut(id).payload = Value::of(payload.to_owned());
        }
        match placement.unexpressed {
            Unexpressed::Phrase(phrase) => {
                if !placement.is_equal {
                    let message = match payload {
                        "" => format!("`{text}` does not match the grammar: written as a phrase"),
                        _ if payload == text => format!("GEDCOM 5.5.1 spells `{text}` differently"),
                        _ => format!("`{text}` respelled as `{payload}`"),
                    };
                    self.remark(id, codes::STRUCTURE_REARRANGED, message);
                }
                if let Some(phrase) = phrase {
                    self.record.add(id, "PHRASE", phrase);
                }
            }
            Unexpressed::WholePhrase => {
                if !kind.is_writable(text) {
                    let of = if payload.is_empty() { String::new() } else { format!(" of `{payload}`") };
                    let message = format!("`{text}` does not match the grammar: kept as a phrase{of}");
                    self.remark(id, codes::STRUCTURE_REARRANGED, message);
                }
                self.record.add(id, "PHRASE", text.to_owned());
            }
            Unexpressed::Extension => {
                if matches!(
                    kind,
                    PayloadKind::Name | PayloadKind::Date | PayloadKind::Latitude | PayloadKind::Longitude
                ) {
                    let message = format!(
                        "`{text}` shortened to `{payload}`, with the full text as an extension under it"
                    );
                    self.remark(id, codes::STRUCTURE_REARRANGED, message);
                }
                self.keep_payload(id, Value::of(text.to_owned()));
            }
        }
    }
}
