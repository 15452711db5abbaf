//! Converts payloads to GEDCOM 5.5.1.

use super::migrator::From7Migrator;
use crate::dates;
use crate::extensions::RESIDENCE;
use crate::fitted::{self, Fit};
use crate::grammar::{Place7, Structure7};
use crate::record::{Id, Value};
use crate::values::{Converted551, PayloadKind};
use elf_base::codes;

impl From7Migrator<'_, '_, '_> {
    /// Converts a payload and its phrase.
    pub(super) fn convert_payload(&mut self, id: Id, place: Place7) {
        let Some(kind) = place.payload_kind() else { return };
        // Elsewhere, a phrase is an extension.
        let allows_phrase = place.structure.substructure("PHRASE").is_some();
        let phrase_id = self.record().find_childless(id, "PHRASE").filter(|_| allows_phrase);
        let payload = match &self.structure(id).payload {
            Value::None if phrase_id.is_none() => return self.report_missing_payload(id, kind),
            Value::None => "".into(),
            Value::Text(text) => text.clone(),
            Value::Pointer(_) | Value::Void | Value::Made(_) => return,
        };
        if kind.is_same_in_both(&payload) && self.record().find(id, "PHRASE").is_none() {
            return;
        }
        self.report_extra_phrases(id);
        if self.context.is_plain
            && (self.write_as_phrase(id, kind, &payload) || self.write_expressible_part(id, kind, &payload))
        {
            return;
        }
        let phrase = phrase_id.and_then(|id| self.structure(id).payload.text()).map(str::to_owned);
        let mut converted = kind.to_551(&payload, phrase.as_deref());
        // A phrase that would come back as a date stays a phrase.
        if kind == PayloadKind::Date && dates::read_from_parentheses(&converted.text).is_some() {
            converted = Converted551 { text: String::new(), phrase: phrase.as_deref() };
        }
        let text = converted.text;
        if text.is_empty() {
            self.report_missing_payload(id, kind);
        } else if self.context.is_plain && !kind.is_in_grammar_of_551(&text) {
            let message = format!("GEDCOM 5.5.1 does not allow the payload `{text}` here");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        self.report_unlisted(id, place, &text);
        let joined = phrase.as_deref().filter(|_| converted.phrase.is_none());
        self.report_difference(id, kind, &payload, &text, joined);
        if let Some(phrase_id) = phrase_id.filter(|_| joined.is_some()) {
            self.record_mut().detach(id, phrase_id);
        }
        self.record_mut().get_mut(id).payload = Value::of(text);
    }

    /// Writes a date that GEDCOM 5.5.1 cannot express as a phrase. Returns whether it did.
    fn write_as_phrase(&mut self, id: Id, kind: PayloadKind, payload: &str) -> bool {
        if kind != PayloadKind::Date {
            return false;
        }
        let Some(text) = dates::write_in_parentheses(payload) else { return false };
        let message = format!("`{payload}` written as `{text}`: GEDCOM 5.5.1 only allows it as a phrase");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        self.record_mut().get_mut(id).payload = Value::of(text);
        true
    }

    /// Writes the part of a payload that GEDCOM 5.5.1 can express, and keeps the whole payload in an extension. Returns
    /// whether it did.
    fn write_expressible_part(&mut self, id: Id, kind: PayloadKind, payload: &str) -> bool {
        let Some(tag) = fitted::extension_tag(kind) else { return false };
        let Fit::Part(part) = fitted::fit_payload(kind, payload) else { return false };
        let message = format!("`{payload}` shortened to `{part}`, with the full payload as `{tag}` under it");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        self.record_mut().get_mut(id).payload = Value::of(part);
        let whole = self.record_mut().add(id, tag, payload.to_owned());
        self.converted.insert(whole);
        true
    }

    /// Moves the text of a residence, which GEDCOM 5.5.1 does not allow, to an extension (MG89, MG90).
    pub(super) fn move_residence(&mut self, id: Id, of: Structure7) {
        if !self.context.is_plain || !matches!(of.term(), "INDI-RESI" | "FAM-RESI") {
            return;
        }
        let Some(text) = self.structure(id).payload.text().map(str::to_owned) else { return };
        let message = format!("`{text}` moved to `{RESIDENCE}` under it");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        self.record_mut().get_mut(id).payload = Value::None;
        let kept = self.record_mut().add(id, RESIDENCE, text);
        self.converted.insert(kept);
    }

    fn report_extra_phrases(&mut self, id: Id) {
        let phrases = self.structure(id).below.iter().filter(|&&below| self.structure(below).tag == "PHRASE");
        if phrases.count() > 1 {
            let message = "several phrases: only one of them is written in the payload";
            self.remark(id, codes::STRUCTURE_REARRANGED, message.to_owned());
        }
    }

    /// Reports a date or an age that has substructures but no payload, which GEDCOM 5.5.1 requires.
    fn report_missing_payload(&mut self, id: Id, kind: PayloadKind) {
        let is_required = matches!(
            kind,
            PayloadKind::Date | PayloadKind::Period | PayloadKind::ExactDate | PayloadKind::Age
        );
        if is_required && self.context.is_plain && !self.is_bare(id) {
            let message =
                format!("`{}` has no payload, but GEDCOM 5.5.1 requires one", self.structure(id).tag);
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
    }

    /// Reports a word that GEDCOM 5.5.1 does not list. It is written anyway, because programs read it (MG35).
    fn report_unlisted(&mut self, id: Id, place: Place7, word: &str) {
        if self.context.is_plain && !fitted::is_listed(place, word) {
            let message = format!("GEDCOM 5.5.1 does not list the value `{word}` here");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
    }

    /// Reports a payload that will not be the same when `text` is converted back. `phrase` is the phrase that `text`
    /// includes.
    fn report_difference(
        &mut self,
        id: Id,
        kind: PayloadKind,
        payload: &str,
        text: &str,
        phrase: Option<&str>,
    ) {
        let back = kind.to_7(text);
        let back_phrase = match phrase {
            Some(_) => kind.phrase_of(text),
            None => back.phrase.as_deref().map(str::to_owned),
        };
        let is_same_phrase = back_phrase.as_deref() == phrase;
        if back.payload == payload && is_same_phrase {
            return;
        }
        let (code, message) = if is_same_phrase && kind.keeps_meaning(payload, &back.payload) {
            (codes::STRUCTURE_REARRANGED, format!("`{payload}` respelled as `{text}`"))
        } else if phrase.is_none() && back_phrase.as_deref() == Some(text) {
            // The whole text is kept, so this is not a loss.
            let message = format!(
                "`{payload}` written as `{text}`, which a conversion back to GEDCOM 7.0 makes a phrase"
            );
            (codes::STRUCTURE_REARRANGED, message)
        } else {
            let message = format!(
                "`{payload}` written as `{text}`, which has another meaning if it is converted back to GEDCOM 7.0"
            );
            (codes::VALUE_NOT_CARRIED, message)
        };
        self.remark(id, code, message);
    }
}
