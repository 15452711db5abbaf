//! Replaces tags of GEDCOM 7.0 by those of GEDCOM 5.5.1.

use super::migrator::{From7Migrator, Parent};
use crate::grammar::Place7;
use crate::names;
use crate::numbers;
use crate::record::{Id, TOP, Value};
use elf_base::codes;
use elf_schema::{Schema, TypeId};

impl From7Migrator<'_, '_, '_> {
    /// Gives a structure the tag of GEDCOM 5.5.1, if it differs.
    pub(super) fn retag(&mut self, parent: &mut Parent, place: Place7, id: Id) {
        let above = place.parent.term();
        match place.structure.term() {
            // MG114
            "SNOTE" => self.rename(id, "NOTE"),
            // MG36
            "ROLE" if above == "ASSO" => self.rename(id, "RELA"),
            // MG22
            "MEDI" if above == "FORM" && self.structure(TOP).tag == "OBJE" => self.rename(id, "TYPE"),
            "UID" => self.retag_unique_id(id),
            "EXID" => self.retag_external_id(parent, id),
            "NAME-TRAN" | "PLAC-TRAN" => self.retag_translation(parent.types.in_551, id),
            "FAM-FACT" => self.retag_family_fact(id),
            _ => {}
        }
    }

    /// Converts `UID` to `_UID` if it can be converted back to the same (MG45).
    fn retag_unique_id(&mut self, id: Id) {
        let Some(text) = self.structure(id).payload.text() else { return };
        let made = numbers::uid_to_551(text);
        if numbers::uid_to_7(&made).as_deref() == Some(text) {
            self.rename(id, "_UID");
            self.output.untyped_tags.push("_UID");
            self.record_mut().get_mut(id).payload = Value::of(made);
        }
    }

    /// Converts `EXID` to the number that its type names: AFN, RFN, RIN or `_FSFTID` (MG40 to MG43, MG46).
    fn retag_external_id(&mut self, parent: &mut Parent, id: Id) {
        let text = self.structure(id).payload.text().unwrap_or("");
        let Some(type_id) = self.record().find_childless(id, "TYPE") else { return };
        let Some(iri) = self.structure(type_id).payload.text() else { return };
        let Some(number) = numbers::number_of(text, iri) else { return };
        let back = numbers::external_id_of(number.tag, &number.text, self.context.system);
        let comes_back = back.is_some_and(|back| back.iri == iri && back.text == text && !text.is_empty());
        let type_of = self.context.resolver.resolve(parent.types.in_551, number.tag);
        let has_place = number.tag.starts_with('_') || !self.context.resolver.is_undefined(type_of);
        if comes_back && has_place && parent.numbers.insert(number.tag) {
            self.record_mut().detach(id, type_id);
            self.rename(id, number.tag);
            self.record_mut().get_mut(id).payload = Value::of(number.text);
        }
    }

    /// Converts the `TRAN` of a name to `FONE` or `ROMN` with a `TYPE` (MG49, MG50, MG93, MG115). It stays unchanged if
    /// GEDCOM 5.5.1 has neither there, or if its language has substructures.
    fn retag_translation(&mut self, parent: TypeId, id: Id) {
        let language_id = self.record().find(id, "LANG");
        let language = self.record().text_of(id, "LANG").unwrap_or("").to_owned();
        let script = names::script_of(&language);
        let type_of = self.context.resolver.resolve(parent, script.tag);
        let is_detailed = language_id.is_some_and(|language| !self.is_bare(language));
        if is_detailed || self.context.resolver.is_undefined(type_of) {
            return;
        }
        let back = names::script_language(script.tag, script.way);
        if back.tag != language || !back.implies_way {
            let message = match script.way {
                Some(_) => format!("the language `{language}` is lost"),
                None => "the language of the text is lost".to_owned(),
            };
            self.remark(id, codes::VALUE_NOT_CARRIED, message);
        }
        self.rename(id, script.tag);
        self.restore_payload(parent, id, script.tag);
        let Some(language_id) = language_id else { return };
        match script.way {
            // An extension has the original type.
            Some(way) if !self.has_documented_type(id) => {
                self.rename(language_id, "TYPE");
                self.converted.insert(language_id);
                self.record_mut().get_mut(language_id).payload = Value::of(way.to_owned());
            }
            _ => self.record_mut().detach(id, language_id),
        }
    }

    /// Returns whether an extension under a name in another script keeps its type.
    fn has_documented_type(&self, id: Id) -> bool {
        let iris = self.context.documented.get("_TYPE");
        self.record().find(id, "_TYPE").is_some()
            && iris.is_some_and(|iris| iris.iter().any(|iri| Schema::completed().type_of(iri).is_some()))
    }

    /// Converts a fact of a family to an event, because GEDCOM 5.5.1 has no such facts (MG112).
    fn retag_family_fact(&mut self, id: Id) {
        self.rename(id, "EVEN");
        let message = "family fact written as the event `EVEN`: GEDCOM 5.5.1 does not have facts of families";
        self.remark(id, codes::VALUE_NOT_CARRIED, message.to_owned());
    }
}
