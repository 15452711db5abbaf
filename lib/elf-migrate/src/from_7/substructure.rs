//! Converts a substructure of a structure that GEDCOM 7.0 has.

use super::migrator::{From7Migrator, Parent, Types};
use super::void::VoidOutcome;
use crate::extensions;
use crate::fitted;
use crate::grammar::{Place7, Structure7, TERMS};
use crate::record::{Id, Value};
use crate::underscored;
use crate::validity;
use crate::values::PayloadKind;
use elf_base::codes;

impl From7Migrator<'_, '_, '_> {
    /// Converts the tag and the payload of a substructure. `None` if it is left out.
    pub(super) fn convert_substructure(&mut self, parent: &mut Parent, id: Id) -> Option<Types> {
        let tag = self.structure(id).tag.to_string();
        let Some(place) = find_place(parent, &tag) else { return self.convert_unknown(parent, id, &tag) };
        self.report_invalid(place.structure, id, &tag);
        if self.context.resolver.is_undefined(parent.types.in_551) {
            return self.convert_under_extension(parent, place, id);
        }
        if tag == "NO"
            && let Some(types) = self.restore_denied_event(parent, id)
        {
            return Some(types);
        }
        if self.restore_payload(parent.types.in_551, id, &tag) {
            return Some(self.convert_tag(parent, place, id, &tag));
        }
        if self.context.is_plain && self.has_no_place(parent, place, id) {
            return self.write_underscored(parent, place, id, &tag);
        }
        if self.is_void(id) {
            match self.convert_void(parent, place.structure, id) {
                VoidOutcome::Cleared => {}
                VoidOutcome::LeftOut => return None,
                VoidOutcome::Extension(types) => return Some(types),
            }
        }
        self.convert_payload(id, place);
        self.move_residence(id, place.structure);
        Some(self.convert_tag(parent, place, id, &tag))
    }

    /// Converts a substructure that GEDCOM 7.0 does not allow there to an extension.
    fn convert_unknown(&mut self, parent: &mut Parent, id: Id, tag: &str) -> Option<Types> {
        if self.converted.contains(&id) {
            return self.convert_extension(parent, id);
        }
        if !tag.starts_with('_') {
            let message =
                format!("GEDCOM 7.0 does not have `{tag}` here: a conversion back may make it an extension");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        } else if !self.is_in_header(tag) && self.is_mistakable(parent, id) {
            let message = format!(
                "undocumented extension `{tag}`: a conversion back may make it the GEDCOM 7.0 structure with a similar tag"
            );
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        self.convert_extension(parent, id)
    }

    /// Returns whether the header documents a tag.
    fn is_in_header(&self, tag: &str) -> bool {
        self.context.documented.contains_key(tag) || self.context.known_tags.contains(tag)
    }

    /// Returns whether a structure with an undocumented tag would be mistaken for one of GEDCOM 7.0 when converted
    /// back.
    fn is_mistakable(&mut self, parent: &mut Parent, id: Id) -> bool {
        let Types { in_7: Some(in_7), in_551 } = parent.types else { return false };
        let (record, siblings) = (&self.output.record, &mut parent.siblings);
        if underscored::is_used_by_programs(in_7, &record.get(id).tag)
            || underscored::is_void_pointer(record, in_7, id, siblings)
        {
            return true;
        }
        let resolver = &mut *self.context.resolver;
        if resolver.is_undefined(in_551) {
            return false;
        }
        let has_tag = |tag: &str| {
            let type_of = resolver.resolve(in_551, tag);
            !resolver.is_undefined(type_of)
        };
        underscored::stands_for(record, in_7, id, siblings, has_tag)
    }

    /// Reports a structure that GEDCOM 7.0 does not allow in this form. It will be an extension when converted back.
    fn report_invalid(&mut self, of: Structure7, id: Id, tag: &str) {
        if !validity::is_complete(self.record(), of, id) {
            let message = format!(
                "`{tag}` lacks a part that GEDCOM 7.0 requires: a conversion back makes it an extension"
            );
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        let payload = &self.structure(id).payload;
        let problem = match (of.is_pointer(), payload) {
            (true, Value::None | Value::Text(_) | Value::Void | Value::Made(_)) => {
                "no pointer, but GEDCOM 7.0 requires one"
            }
            (false, Value::Pointer(_)) if !self.is_void(id) => "a pointer, but GEDCOM 7.0 does not allow one",
            _ => return,
        };
        let message = format!("`{tag}` has {problem}: a conversion back makes it an extension");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
    }

    /// Converts a substructure of an extension that GEDCOM 7.0 documents. Almost everything stays unchanged.
    fn convert_under_extension(&mut self, parent: &Parent, place: Place7, id: Id) -> Option<Types> {
        if self.drop_void(id) {
            return None;
        }
        if self.structure(id).tag == "SNOTE" {
            self.rename(id, "NOTE");
        }
        if self.context.is_plain
            && let Some(kind) = place.payload_kind()
            && let Some(text) = self.structure(id).payload.text()
        {
            if let Some(word) = ordinance_word(kind, place, text) {
                self.record_mut().get_mut(id).payload = Value::of(word);
            } else if !kind.to_7(text).is_exactly(text) {
                let message = format!(
                    "`{text}` under an extension is not converted, so GEDCOM 5.5.1 programs may misread it"
                );
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
        }
        Some(Types { in_7: Some(place.structure), in_551: self.resolve(parent.types.in_551, id) })
    }

    /// Writes a structure that GEDCOM 5.5.1 does not allow, or not in this form, with an underscore (MG110). `None` if
    /// it is left out.
    fn write_underscored(&mut self, parent: &Parent, place: Place7, id: Id, tag: &str) -> Option<Types> {
        if self.drop_void(id) {
            return None;
        }
        self.respell_payload(id, place);
        let tag = extensions::tag_of(tag);
        let message = format!("written as extension `{tag}`: GEDCOM 5.5.1 does not allow it here");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        self.record_mut().get_mut(id).tag = tag.into();
        Some(Types { in_7: Some(place.structure), in_551: self.resolve(parent.types.in_551, id) })
    }

    /// Gives a payload the spelling of GEDCOM 5.5.1, if that converts back to the same payload.
    fn respell_payload(&mut self, id: Id, place: Place7) {
        let Some(kind) = place.payload_kind() else { return };
        let Some(text) = self.structure(id).payload.text() else { return };
        let respelled = kind.to_551(text, None).text;
        let back = kind.to_7(&respelled);
        if respelled != text && back.payload == text && back.phrase.is_none() {
            self.record_mut().get_mut(id).payload = Value::of(respelled);
        }
    }

    /// Gives a structure the tag of GEDCOM 5.5.1, or one with an underscore if GEDCOM 5.5.1 has none.
    fn convert_tag(&mut self, parent: &mut Parent, place: Place7, id: Id, tag: &str) -> Types {
        self.retag(parent, place, id);
        let mut in_551 = self.resolve(parent.types.in_551, id);
        if self.context.resolver.is_undefined(in_551) && !self.structure(id).tag.starts_with('_') {
            let made = match tag {
                "CREA" if self.record().find(id, "DATE").is_some() => "_CREAT".to_owned(),
                "INIL" => "_INIT".to_owned(),
                tag => extensions::tag_of(tag),
            };
            self.report_unrecognized(parent, place, id, &made);
            self.record_mut().get_mut(id).tag = made.into();
            in_551 = self.add_extension(parent, id, &format!("{TERMS}{}", place.structure.term()));
        }
        Types { in_7: Some(place.structure), in_551 }
    }

    /// Reports a structure that will not be recognized when converted back, because its tag differs.
    fn report_unrecognized(&mut self, parent: &mut Parent, place: Place7, id: Id, made: &str) {
        let record = &self.output.record;
        let (tag, siblings) = (&*record.get(id).tag, &mut parent.siblings);
        let message = if self.context.is_plain {
            if underscored::is_recognized_on_return(record, place, id, tag, made, siblings) {
                return;
            }
            format!("`{tag}` written as extension `{made}`: GEDCOM 5.5.1 does not allow it here")
        } else {
            if siblings.is_within_limit(record, place.parent, tag, &[made]) {
                return;
            }
            format!("more `{tag}` than GEDCOM 7.0 allows here: a conversion back makes it an extension")
        };
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
    }

    /// Returns whether GEDCOM 5.5.1 does not allow a structure although it or GEDCOM 5.5 has the tag.
    fn has_no_place(&mut self, parent: &mut Parent, place: Place7, id: Id) -> bool {
        let count = parent.counts.entry(place.structure.term()).or_insert(0);
        let before = *count;
        *count += 1;
        fitted::has_no_place(self.record(), id, place, before)
    }
}

/// Finds a structure by its tag in GEDCOM 7.0. If a record was moved into its link, includes the substructures of the
/// record.
fn find_place(parent: &Parent, tag: &str) -> Option<Place7> {
    let of = parent.types.in_7?;
    let in_record = || Structure7::record("OBJE").filter(|_| parent.holds_record)?.substructure(tag);
    let structure = of.substructure(tag).or_else(in_record)?;
    Some(Place7 { parent: of, structure })
}

/// Returns the word of GEDCOM 5.5.1 for a value under an initiatory, if it converts back to the same value.
fn ordinance_word(kind: PayloadKind, place: Place7, text: &str) -> Option<String> {
    if place.parent.term() != "INIL" || !matches!(kind, PayloadKind::Enumeration(_)) {
        return None;
    }
    let word = kind.to_551(text, None).text;
    (word != text && kind.to_7(&word).is_exactly(text)).then_some(word)
}
