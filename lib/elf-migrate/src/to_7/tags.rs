//! Replaces tags of GEDCOM 5.5.1, ELF and programs by those of GEDCOM 7.0.

use super::migrator::{Parent, To7Migrator};
use crate::extensions::RESIDENCE;
use crate::grammar::TERMS;
use crate::names;
use crate::numbers;
use crate::record::{Id, Value};
use crate::validity;
use crate::values::PayloadKind;
use elf_base::codes;

impl To7Migrator<'_, '_, '_> {
    /// Gives a structure the tag of GEDCOM 7.0, if it differs.
    pub(super) fn retag(&mut self, parent: &mut Parent, id: Id) {
        let tag = self.record.get(id).tag.clone();
        if tag.starts_with('_') && self.iri(id).is_some_and(|iri| iri.starts_with(TERMS)) {
            return;
        }
        let of = parent.of;
        let has = |tag: &str| of.substructure(tag).is_some();
        let payload = &self.record.get(id).payload;
        let (is_text, is_pointer) = (payload.text().is_some(), payload.is_pointer());
        match &*tag {
            // MG17
            "NOTE" if is_pointer && has("SNOTE") => self.rename(id, "SNOTE"),
            // MG22, MG23
            "TYPE" | "MEDI" if of.term() == "FORM" => {
                self.respell(id, "MEDI", if self.record.is_made() { "MEDI" } else { "TYPE" });
            }
            // MG36
            "RELA" if of.term() == "ASSO" => self.rename(id, "ROLE"),
            // MG48
            "EMAI" if is_text && has("EMAIL") => self.respell(id, "EMAIL", "EMAIL"),
            // MG60
            "_INIT" | "WAC" if has("INIL") => self.respell(id, "INIL", "_INIT"),
            "_CRE" | "_CREAT" => self.retag_creation(parent, id),
            "_UID" if has("UID") => self.retag_unique_id(id),
            "FONE" | "ROMN" if matches!(of.term(), "INDI-NAME" | "PLAC") => self.retag_translation(id, &tag),
            "RESI" => self.restore_residence(id),
            "ALIA" if is_text && of.term() == "record-INDI" => self.retag_alias(id),
            "AFN" | "RFN" | "RIN" | "_FSFTID" | "_FID" | "FSFTID" if is_text && has("EXID") => {
                self.retag_number(parent, id, &tag);
            }
            _ if payload.text() == Some("N")
                && has("NO")
                && PayloadKind::of_term(&tag) == Some(PayloadKind::Happened) =>
            {
                self.retag_denied_event(id, &tag);
            }
            _ => {}
        }
    }

    /// Converts `_CRE` and `_CREAT` to `CREA` if they are valid as such (MG99).
    fn retag_creation(&mut self, parent: &mut Parent, id: Id) {
        let Some(creation) = parent.of.substructure("CREA") else { return };
        let tags = ["_CRE", "_CREAT", "_CREA"];
        if validity::has_required(&self.record, id, creation)
            && parent.siblings.is_within_limit(&self.record, parent.of, "CREA", &tags)
        {
            self.respell(id, "CREA", "_CREAT");
        }
    }

    /// Converts `_UID` to `UID` if it is a UUID, with or without the checksum of PAF (MG45).
    fn retag_unique_id(&mut self, id: Id) {
        if let Some(made) = self.record.get(id).payload.text().and_then(numbers::uid_to_7) {
            self.rename(id, "UID");
            self.record.get_mut(id).payload = Value::of(made);
        }
    }

    /// Converts `FONE` and `ROMN` to `TRAN` with a language (MG49, MG50, MG93).
    fn retag_translation(&mut self, id: Id, tag: &str) {
        if !self.is_typed(id) {
            return;
        }
        let type_id = self.record.find(id, "TYPE");
        let way = type_id.map(|id| self.record.get(id).payload.text().unwrap_or("").to_owned());
        let language = names::script_language(tag, way.as_deref());
        let (language, implies_way) = (language.tag.to_owned(), language.implies_way);
        if let Some(type_id) = type_id.filter(|_| implies_way) {
            let way = self.record.get(type_id);
            if way.below.is_empty() && way.payload.text().is_some() {
                self.record.detach(id, type_id);
            }
        }
        self.rename(id, "TRAN");
        self.record.add(id, "LANG", language);
    }

    /// Restores the text of a residence from the extension under it (MG89, MG90).
    fn restore_residence(&mut self, id: Id) {
        if self.record.get(id).payload.text().is_none()
            && let Some(words) = self.record.find_childless(id, RESIDENCE)
        {
            let payload = std::mem::replace(&mut self.record.get_mut(words).payload, Value::None);
            self.record.get_mut(id).payload = payload;
            self.record.detach(id, words);
        }
    }

    /// Converts an alias that is a text to another name (MG39).
    fn retag_alias(&mut self, id: Id) {
        self.rename(id, "NAME");
        self.record.add(id, "TYPE", "aka");
        let message = "alias without a pointer written as another `NAME`";
        self.remark(id, codes::STRUCTURE_REARRANGED, message.to_owned());
    }

    /// Converts an event that explicitly did not happen to `NO` (MG108).
    fn retag_denied_event(&mut self, id: Id, tag: &str) {
        let denial = self.record.get(id).payload.clone();
        self.keep_payload(id, denial);
        self.rename(id, "NO");
        self.record.get_mut(id).payload = Value::of(tag.to_owned());
    }

    /// Converts the number of a record to `EXID` (MG40 to MG43, MG46). Structures without a type in GEDCOM 5.5.1 are
    /// excluded, because they could not be converted back.
    fn retag_number(&mut self, parent: &mut Parent, id: Id, tag: &str) {
        if matches!(tag, "AFN" | "RFN" | "RIN") && !self.is_typed(id) {
            return;
        }
        let number = numbers::number_tag(tag);
        // Only one number of each kind can be converted back: further ones become extensions.
        if number.is_some_and(|number| !parent.numbers.insert(number)) {
            return;
        }
        let text = self.record.get(id).payload.text().unwrap_or("");
        if let Some(external) = numbers::external_id_of(tag, text, self.context.system) {
            self.respell(id, "EXID", number.unwrap_or("_FSFTID"));
            self.record.get_mut(id).payload = Value::of(external.text);
            self.record.add(id, "TYPE", external.iri);
        }
    }

    /// Gives a structure the tag of GEDCOM 7.0, if converting back returns `back`.
    fn respell(&mut self, id: Id, tag: &'static str, back: &str) {
        let old = &self.record.get(id).tag;
        if old != back {
            let message = format!("`{old}` is written as `{back}` if it is converted back");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        self.rename(id, tag);
    }
}
