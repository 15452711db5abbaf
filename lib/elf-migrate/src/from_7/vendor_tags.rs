//! Vendor tags that were written in the form of GEDCOM 7.0, and come back (MG125).

use super::migrator::{From7Migrator, MarkedStructure};
use crate::equivalents::{
    Equivalent, FoundForm, FoundKind, FoundPayload, Mark, PayloadForm, VendorPayload, VendorStructure,
};
use crate::record::{Id, TOP, Value};
use crate::siblings::Siblings;
use crate::values::PayloadKind;
use elf_base::codes;
use elf_schema::{TypeId, vendors};
use elf_tagged::elf_lines::VOID;
use std::collections::{HashMap, HashSet};

/// Why a structure does not get its vendor tag back.
const CHANGED: &str = "the vendor tag that it names would not become";

/// The tags of a phrase: that of GEDCOM 7.0, and that in GEDCOM 5.5.1.
const PHRASES: [&str; 2] = ["PHRASE", "_PHRASE"];

impl From7Migrator<'_, '_, '_> {
    /// Takes the mark out of a structure, before the structure is converted. Reports marks that no migration wrote.
    pub(super) fn take_vendor_mark(&mut self, id: Id, above: Option<Id>) {
        if self.context.documented.is_empty() || self.is_bare(id) {
            return;
        }
        let is_mark = |below: &Id| self.is_bare(*below) && self.is_documented(*below, vendors::MARK);
        let found: Vec<Id> = self.structure(id).below.iter().copied().filter(is_mark).collect();
        let Some(&first) = found.first() else { return };
        let mark = self.structure(first).payload.text().and_then(Mark::read).filter(|_| found.len() == 1);
        let removed: HashSet<Id> = found.into_iter().collect();
        self.record_mut().get_mut(id).below.retain(|below| !removed.contains(below));
        match mark {
            Some(mark) => {
                let form = self.form_in_7(id);
                self.vendor_marks.push(MarkedStructure { id, above, mark, form });
            }
            None => self.report_dropped_mark(id, "it does not name the vendor tag of"),
        }
    }

    fn form_in_7(&self, id: Id) -> FoundForm {
        let text = |id: Id| self.structure(id).payload.text().unwrap_or("").to_owned();
        let phrases = |id: Id| {
            let below = self.structure(id).below.iter().copied();
            below.filter(|&below| self.structure(below).tag == "PHRASE").map(text).collect()
        };
        let structure = self.structure(id);
        let kinds = structure.below.iter().copied().filter_map(|below| {
            let tag = &self.structure(below).tag;
            let is_kind = matches!(&**tag, "TYPE" | "ROLE");
            is_kind.then(|| FoundKind { tag: tag.to_string(), text: text(below), phrases: phrases(below) })
        });
        FoundForm {
            tag: structure.tag.to_string(),
            payload: match &structure.payload {
                Value::None => FoundPayload::None,
                Value::Text(text) => FoundPayload::Text(text.to_string()),
                Value::Pointer(xref) if &**xref == VOID => FoundPayload::Void,
                Value::Void => FoundPayload::Void,
                Value::Pointer(_) | Value::Made(_) => FoundPayload::Pointer,
            },
            kinds: kinds.collect(),
            phrases: phrases(id),
            tags: structure.below.iter().map(|&below| self.structure(below).tag.to_string()).collect(),
        }
    }

    fn report_dropped_mark(&mut self, id: Id, reason: &str) {
        let tag = &self.structure(id).tag;
        let message = format!("left out the `_VENDOR` line under `{tag}`: {reason} this structure");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
    }

    /// Gives structures their vendor tags back, once everything under them is converted. A structure only gets its vendor
    /// tag back if a migration would make the same structure of GEDCOM 7.0 of it. So nothing is lost if somebody has
    /// changed the structure or the header.
    pub(super) fn restore_vendor_tags(&mut self) {
        let mut marks: HashMap<Id, MarkedStructure> =
            std::mem::take(&mut self.vendor_marks).into_iter().map(|one| (one.id, one)).collect();
        if marks.is_empty() {
            return;
        }
        let mut changed = self.restore_names(&mut marks);
        // Restore superstructures first: the type of a tag depends on theirs.
        let record_tag = self.structure(TOP).tag.to_string();
        let record_type = self
            .context
            .vendor_tags
            .as_mut()
            .map_or(TypeId::UNDEFINED, |tags| tags.type_of_record(&record_tag));
        let mut open = vec![(TOP, record_type)];
        while let Some((above, of)) = open.pop() {
            // Count before tags change.
            let mut siblings = Siblings::counted(above, self.record());
            for id in self.structure(above).below.clone() {
                if let Some(marked) = marks.remove(&id) {
                    changed.extend(self.restore_or_report(of, &marked, &mut siblings));
                }
                if !self.is_bare(id) {
                    let tag = self.structure(id).tag.to_string();
                    let tags = self.context.vendor_tags.as_mut();
                    open.push((id, tags.map_or(TypeId::UNDEFINED, |tags| tags.type_under(of, &tag))));
                }
            }
        }
        // A record never had a vendor tag.
        if marks.contains_key(&TOP) {
            self.report_dropped_mark(TOP, CHANGED);
        }
        self.forget_remarks(&changed);
    }

    /// Restores a structure under one of the type `above`, or reports that it stays. Returns the structures that came back
    /// in another form.
    fn restore_or_report(
        &mut self,
        above: TypeId,
        marked: &MarkedStructure,
        siblings: &mut Siblings,
    ) -> Vec<Id> {
        let MarkedStructure { id, mark, form, .. } = marked;
        if form.tag == "PEDI" {
            let link = marked.above;
            if let Some(removed) = link.and_then(|link| self.remove_added_pedigree(link, *id, mark)) {
                return vec![removed];
            }
            self.report_dropped_mark(*id, CHANGED);
            return Vec::new();
        }
        if !mark.was_under_name
            && let Some(equivalent) = self.equivalent(above, marked)
            && !self.is_beside_excluded(*id, &equivalent, siblings)
            && let Some(structure) = equivalent.vendor_structure_of(form, mark.text.as_deref())
        {
            return self.restore_vendor_tag(*id, mark, &equivalent, &structure);
        }
        self.report_dropped_mark(*id, CHANGED);
        Vec::new()
    }

    /// Returns whether a structure is beside one that it would contradict or repeat, so it had no vendor tag.
    fn is_beside_excluded(&self, id: Id, equivalent: &Equivalent, siblings: &mut Siblings) -> bool {
        equivalent.excluded_tags().iter().any(|tag| {
            let itself = usize::from(self.structure(id).tag == **tag);
            siblings.count(self.record(), tag) > itself
        })
    }

    /// Finds what GEDCOM 7.0 has for the vendor tag of a marked structure under one of the type `above`.
    fn equivalent(&mut self, above: TypeId, marked: &MarkedStructure) -> Option<Equivalent> {
        let tags = self.context.vendor_tags.as_mut()?;
        let of = tags.type_under(above, &marked.mark.tag);
        tags.equivalent_of_type(of, &marked.mark.tag, marked.form.payload == FoundPayload::Pointer)
    }

    /// Moves names that were under another name back there, and restores them. Returns the structures that came back in
    /// another form.
    fn restore_names(&mut self, marks: &mut HashMap<Id, MarkedStructure>) -> HashSet<Id> {
        let mut changed = HashSet::new();
        let Some(tags) = self.context.vendor_tags.as_mut() else { return changed };
        let person = tags.type_of_record("INDI");
        let name = tags.type_under(person, "NAME");
        let moving: HashSet<Id> = marks
            .values()
            .filter(|one| one.mark.was_under_name && one.above == Some(TOP) && one.form.tag == "NAME")
            .filter(|one| {
                let of = tags.type_under(name, &one.mark.tag);
                let equivalent = tags.equivalent_of_type(of, &one.mark.tag, false);
                let text = one.mark.text.as_deref();
                equivalent.is_some_and(|of| of.vendor_structure_of(&one.form, text).is_some())
            })
            .map(|one| one.id)
            .collect();
        if self.structure(TOP).tag != "INDI" || moving.is_empty() {
            return changed;
        }
        let marked: HashSet<Id> = marks.keys().copied().collect();
        for id in self.move_under_names(&moving, &marked) {
            let Some(mut one) = marks.remove(&id) else { continue };
            one.mark.was_under_name = false;
            changed.extend(self.restore_or_report(name, &one, &mut Siblings::under(TOP)));
        }
        changed
    }

    /// Gives a structure its vendor tag back. Returns the structures that came back in another form.
    fn restore_vendor_tag(
        &mut self,
        id: Id,
        mark: &Mark,
        equivalent: &Equivalent,
        structure: &VendorStructure<'_>,
    ) -> Vec<Id> {
        let mut changed = vec![id];
        if equivalent.kind.is_some() {
            changed.extend(self.restore_kind(id, equivalent, structure.own_kind.as_deref()));
        } else if equivalent.tag == "ASSO" {
            changed.extend(self.restore_role(id));
        }
        if equivalent.payload == PayloadForm::Phrase
            && let Some(phrase) = self.find_phrase(id)
        {
            changed.push(phrase);
            self.record_mut().detach(id, phrase);
        }
        let is_kept = mark.text.is_none()
            && !matches!(equivalent.payload, PayloadForm::Phrase | PayloadForm::Word { .. });
        if !is_kept {
            self.record_mut().get_mut(id).payload = match &structure.payload {
                VendorPayload::Text(text) => Value::of(text.to_string()),
                VendorPayload::None | VendorPayload::Pointer => Value::None,
            };
        }
        self.record_mut().get_mut(id).tag = mark.tag.clone().into();
        changed
    }

    /// Removes the substructure that says what the vendor tag says by itself, or gives it its own text back. Returns the
    /// structures that came back in another form.
    fn restore_kind(&mut self, id: Id, equivalent: &Equivalent, own: Option<&str>) -> Vec<Id> {
        let Some(tag) = equivalent.kind_tag() else { return Vec::new() };
        // GEDCOM 5.5.1 has RELA for ROLE.
        let tags = if tag == "ROLE" { &["ROLE", "RELA"][..] } else { &[tag] };
        let Some(kind) = tags.iter().find_map(|tag| self.record().find(id, tag)) else { return Vec::new() };
        let Some(own) = own.map(str::to_owned) else {
            self.record_mut().detach(id, kind);
            return vec![kind];
        };
        let phrase = self.find_phrase(kind);
        if let Some(phrase) = phrase {
            self.record_mut().detach(kind, phrase);
        }
        let structure = self.record_mut().get_mut(kind);
        (structure.tag, structure.payload) = (tag.into(), Value::of(own));
        phrase.into_iter().chain([kind]).collect()
    }

    fn find_phrase(&self, id: Id) -> Option<Id> {
        PHRASES.iter().find_map(|tag| self.record().find_childless(id, tag))
    }

    /// Removes a PEDI that was added for the relations to father and mother, if it is unchanged and the relations still
    /// say the same. Returns what was removed.
    fn remove_added_pedigree(&mut self, link: Id, id: Id, mark: &Mark) -> Option<Id> {
        let text = mark.text.as_deref()?;
        let pedigree = self.structure(id);
        let is_unchanged = pedigree.below.is_empty() && pedigree.xref.is_none() && self.has_text(id, text);
        let node = self.context.run.document().node(self.structure(link).origin)?;
        if !is_unchanged || self.context.ties.pedigree(node).as_deref() != Some(text) {
            return None;
        }
        self.record_mut().detach(link, id);
        Some(id)
    }

    /// Gives the role of an associate the tag and the words that programs write. Returns what was removed.
    fn restore_role(&mut self, id: Id) -> Option<Id> {
        if let Some(relation) = self.record().find(id, "RELA") {
            self.rename(relation, "ROLE");
            return None;
        }
        let role = self.record().find(id, "ROLE")?;
        if let Some(phrase) = self.find_phrase(role) {
            self.replace_by_phrase(role, phrase);
            return Some(phrase);
        }
        let text = self.structure(role).payload.text()?;
        let words = PayloadKind::of_term("ROLE")?.to_551(text, None).text;
        self.record_mut().get_mut(role).payload = Value::of(words);
        None
    }

    /// Makes a phrase the payload of the structure above it.
    fn replace_by_phrase(&mut self, id: Id, phrase: Id) {
        let text = self.structure(phrase).payload.clone();
        self.record_mut().get_mut(id).payload = text;
        self.record_mut().detach(id, phrase);
    }

    fn has_text(&self, id: Id, text: &str) -> bool {
        self.structure(id).payload.text().is_some_and(|own| own.eq_ignore_ascii_case(text))
    }

    /// Moves these names under the name before them that has no mark. Returns those that moved.
    fn move_under_names(&mut self, moving: &HashSet<Id>, marked: &HashSet<Id>) -> Vec<Id> {
        let mut moved = Vec::new();
        let mut above = None;
        for id in std::mem::take(&mut self.record_mut().get_mut(TOP).below) {
            let name = above.filter(|_| moving.contains(&id));
            if name.is_some() {
                moved.push(id);
            } else if self.structure(id).tag == "NAME" && !marked.contains(&id) {
                above = Some(id);
            }
            self.record_mut().get_mut(name.unwrap_or(TOP)).below.push(id);
        }
        moved
    }

    /// Drops remarks about structures that came back in another form than the one that was converted.
    fn forget_remarks(&mut self, ids: &HashSet<Id>) {
        let origins: HashSet<_> = ids.iter().map(|&id| self.structure(id).origin).collect();
        let is_about_form = [codes::STRUCTURE_REARRANGED, codes::VALUE_NOT_CARRIED];
        self.output
            .remarks
            .retain(|remark| !(is_about_form.contains(&remark.code) && origins.contains(&remark.origin)));
    }
}
