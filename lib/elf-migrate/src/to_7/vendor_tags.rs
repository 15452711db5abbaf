//! Vendor tags that GEDCOM 7.0 has something for (MG125).

use super::migrator::{Parent, To7Migrator};
use crate::equivalents::{Equivalent, Mark, NewPayload, VENDOR};
use crate::grammar::{Place7, Structure7};
use crate::record::{Id, TOP, Value};
use crate::validity;
use elf_base::codes;
use elf_schema::vendors;
use std::collections::HashMap;

impl To7Migrator<'_, '_, '_> {
    /// Gives a structure with a vendor tag the form that GEDCOM 7.0 has for it. `None` if it has none, or if payload or
    /// place do not fit.
    pub(super) fn replace_vendor_tag(&mut self, parent: &mut Parent, id: Id) -> Option<Structure7> {
        let equivalent = self.equivalent(id)?;
        let old = self.record.get(id).tag.clone();
        let found = parent.of.substructure(equivalent.tag)?;
        if !parent.siblings.is_within_limit(&self.record, parent.of, equivalent.tag, &[&*old]) {
            return None;
        }
        self.replace(id, &equivalent, Some(Place7 { parent: parent.of, structure: found }), false)?;
        parent.siblings.retag(&old, equivalent.tag);
        Some(found)
    }

    /// Moves names that programs write under another name behind it.
    pub(super) fn move_vendor_names(&mut self) {
        let mut moved = HashMap::new();
        for name in self.all(TOP, "NAME") {
            let (names, others): (Vec<Id>, Vec<Id>) =
                self.record.get(name).below.clone().into_iter().partition(|&below| self.make_name(below));
            if !names.is_empty() {
                self.record.get_mut(name).below = others;
                moved.insert(name, names);
            }
        }
        if moved.is_empty() {
            return;
        }
        let below = std::mem::take(&mut self.record.get_mut(TOP).below);
        let with_moved = |id| std::iter::once(id).chain(moved.remove(&id).unwrap_or_default());
        self.record.get_mut(TOP).below = below.into_iter().flat_map(with_moved).collect();
    }

    /// Makes a name of a structure under a name, if its vendor tag means a name. Returns whether it did.
    fn make_name(&mut self, id: Id) -> bool {
        let equivalent = self.equivalent(id).filter(|one| one.tag == "NAME");
        equivalent.is_some_and(|equivalent| self.replace(id, &equivalent, None, true).is_some())
    }

    /// Finds what GEDCOM 7.0 has for a structure of the document whose type nobody but the dictionary knows.
    fn equivalent(&mut self, id: Id) -> Option<Equivalent> {
        let run = self.context.run;
        let node = run.document().node(self.record.get(id).origin)?;
        if self.is_typed(id) || node.tag() != self.record.get(id).tag {
            return None;
        }
        self.context.vendor_tags.equivalent(node)
    }

    /// Gives a structure its tag and payload of GEDCOM 7.0, and a mark. `None` if the payload does not fit, and
    /// nothing is changed.
    fn replace(
        &mut self,
        id: Id,
        equivalent: &Equivalent,
        place: Option<Place7>,
        was_under_name: bool,
    ) -> Option<()> {
        let is_pointer = self.record.get(id).payload.is_pointer();
        let text = self.record.get(id).payload.text().map(str::to_owned);
        let payload = if is_pointer { NewPayload::Same } else { equivalent.payload_of(text.as_deref())? };
        let has_kind = |tag: &str| self.record.find(id, tag).is_some();
        if equivalent.kind.as_ref().is_some_and(|kind| has_kind(kind.tag)) {
            return None;
        }
        let old = std::mem::replace(&mut self.record.get_mut(id).tag, equivalent.tag.into());
        let before = self.record.get(id).payload.clone();
        let mut mark = Mark { tag: old.to_string(), text: None, was_under_name };
        match payload {
            NewPayload::Same => {}
            NewPayload::Text(made) => {
                self.record.get_mut(id).payload = Value::of(made);
                mark.text = text;
            }
            NewPayload::Phrase => self.record.get_mut(id).payload = Value::Void,
        }
        if place.is_some_and(|place| !validity::is_valid(&self.record, id, place)) {
            let structure = self.record.get_mut(id);
            (structure.tag, structure.payload) = (old, before);
            return None;
        }
        let mut message = format!("`{old}` written as `{}`", equivalent.tag);
        if let Some(kind) = &equivalent.kind {
            message.push_str(&format!(" with {} `{}`", kind.tag, kind.text));
            self.record.add(id, kind.tag, kind.text.clone());
        }
        if self.record.get(id).payload == Value::Void
            && let Value::Text(text) = before
        {
            self.record.add(id, "PHRASE", text);
        }
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        self.mark_vendor(id, &mark);
        Some(())
    }

    /// Marks a structure with the vendor tag that it had.
    pub(super) fn mark_vendor(&mut self, id: Id, mark: &Mark) {
        let mark = self.record.add(id, VENDOR, mark.spell());
        self.marked.insert(mark);
        self.add_extension(mark, vendors::MARK.to_owned());
    }
}
