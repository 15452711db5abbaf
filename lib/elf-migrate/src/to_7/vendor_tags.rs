//! Vendor tags that GEDCOM 7.0 has something for (MG125).

use super::migrator::{Parent, To7Migrator};
use crate::equivalents::{Equivalent, Mark, NewPayload, VENDOR, VendorPayload, VendorStructure};
use crate::grammar::{Place7, Structure7};
use crate::record::{Id, TOP, Value};
use crate::validity;
use elf_base::codes;
use elf_schema::vendors;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

impl To7Migrator<'_, '_, '_> {
    /// Gives a structure with a vendor tag the form that GEDCOM 7.0 has for it. `None` if it has none, or if payload or
    /// place do not fit.
    pub(super) fn replace_vendor_tag(&mut self, parent: &mut Parent, id: Id) -> Option<Structure7> {
        let equivalent = self.equivalent(id)?;
        let old = self.record.get(id).tag.clone();
        let found = parent.of.substructure(equivalent.tag)?;
        let is_kept = |below: &Id| equivalent.keeps_substructure(&self.record.get(*below).tag);
        if !self.record.get(id).below.iter().all(is_kept)
            || self.is_beside_excluded(parent, &equivalent)
            || !parent.siblings.is_within_limit(&self.record, parent.of, equivalent.tag, &[&*old])
        {
            return None;
        }
        self.replace(id, &equivalent, Some(Place7 { parent: parent.of, structure: found }), false)?;
        parent.siblings.retag(&old, equivalent.tag);
        if found.term() == "INDI-NAME" {
            self.late_names.insert(id, old);
        }
        Some(found)
    }

    /// Returns whether a structure is beside one that it would contradict or repeat in GEDCOM 7.0.
    fn is_beside_excluded(&mut self, parent: &mut Parent, equivalent: &Equivalent) -> bool {
        let excluded = equivalent.excluded_tags();
        if excluded.iter().any(|tag| parent.siblings.count(&self.record, tag) > 0) {
            return true;
        }
        // Other vendor tags may become such a structure later.
        excluded.iter().any(|&tag| tag != equivalent.tag && self.tags_in_7(parent).contains(tag))
    }

    /// Returns the tags of GEDCOM 7.0 that vendor tags under a superstructure may become.
    fn tags_in_7<'p>(&mut self, parent: &'p mut Parent) -> &'p HashSet<&'static str> {
        parent.tags_in_7.get_or_insert_with(|| {
            let below = self.record.get(parent.id).below.clone();
            below.into_iter().filter_map(|below| Some(self.equivalent(below)?.tag)).collect()
        })
    }

    /// Moves names with vendor tags behind the other names, because the first name of a person is the preferred one.
    /// Structures that kept such a tag move with them, so that their order stays.
    pub(super) fn move_late_names(&mut self) {
        let tags: HashSet<&str> = self.late_names.values().map(|tag| &**tag).collect();
        let is_late = |id: &Id| self.late_names.contains_key(id) || tags.contains(&*self.record.get(*id).tag);
        let below = &self.record.get(TOP).below;
        let is_other_name = |id: &Id| self.record.get(*id).tag == "NAME" && !is_late(id);
        let Some(last) = below.iter().rposition(is_other_name) else { return };
        let (before, after) = below.split_at(last + 1);
        let (late, others): (Vec<Id>, Vec<Id>) = before.iter().partition(|id| is_late(id));
        if !late.is_empty() {
            let below = [&others[..], &late[..], after].concat();
            self.record.get_mut(TOP).below = below;
        }
    }

    /// Gives files with vendor tags the tag of a file, so that their formats and titles are moved under them.
    pub(super) fn name_files(&mut self) {
        let Some(place) = Structure7::record("OBJE")
            .and_then(|parent| Some(Place7 { parent, structure: parent.substructure("FILE")? }))
        else {
            return;
        };
        for id in self.record.get(TOP).below.clone() {
            if let Some(equivalent) = self.equivalent(id).filter(|equivalent| equivalent.tag == "FILE") {
                self.replace(id, &equivalent, Some(place), false);
            }
        }
    }

    /// Moves names that programs write under another name behind it.
    pub(super) fn move_vendor_names(&mut self) {
        let mut moved = HashMap::new();
        for name in self.all(TOP, "NAME") {
            let (mut names, mut others) = (Vec::new(), Vec::new());
            // Names come back behind those with the same tag that stay. So a name only moves if none of these is behind it.
            let mut staying = HashSet::new();
            for below in self.record.get(name).below.clone().into_iter().rev() {
                let tag = self.record.get(below).tag.clone();
                if !staying.contains(&tag) && self.make_name(below) {
                    names.push(below);
                } else {
                    staying.insert(tag);
                    others.push(below);
                }
            }
            names.reverse();
            others.reverse();
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
        let own_kinds = equivalent.kind_tag().map_or_else(Vec::new, |tag| self.all(id, tag));
        let fits = |own: &Id| {
            let own = self.record.get(*own);
            own.payload.text().is_some() && own.below.is_empty()
        };
        if own_kinds.len() > 1 || !own_kinds.iter().all(fits) || !self.allows_role(id, equivalent) {
            return None;
        }
        let own_kind = own_kinds.first().copied();
        let text = self.record.get(id).payload.text().map(str::to_owned);
        let payload = match &text {
            _ if self.record.get(id).payload.is_pointer() => VendorPayload::Pointer,
            Some(text) => VendorPayload::Text(text.into()),
            None => VendorPayload::None,
        };
        let own_text = own_kind.and_then(|own| self.record.get(own).payload.text()).map(Cow::Borrowed);
        let form = equivalent.form_of(&VendorStructure { payload, own_kind: own_text })?;
        let old = std::mem::replace(&mut self.record.get_mut(id).tag, equivalent.tag.into());
        let before = self.record.get(id).payload.clone();
        let mut mark = Mark { tag: old.to_string(), text: None, was_under_name };
        match form.payload {
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
        if let Some(kind) = form.kind {
            message.push_str(&format!(" with {} `{}`", kind.tag, kind.text));
            let kind_id = own_kind.unwrap_or_else(|| self.record.add(id, kind.tag, ""));
            self.record.get_mut(kind_id).payload = Value::of(kind.text);
            if let Some(phrase) = kind.phrase {
                self.record.add(kind_id, "PHRASE", phrase);
            }
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

    /// Returns whether an associate can have the role that GEDCOM 7.0 requires.
    fn allows_role(&self, id: Id, equivalent: &Equivalent) -> bool {
        let has_text = |role: &Id| self.record.get(*role).payload.text().is_some();
        // In GEDCOM 7.0, the relation of an associate is another role.
        let has_relation = equivalent.kind.is_some() && self.record.find(id, "RELA").is_some();
        equivalent.tag != "ASSO" || !has_relation && self.all(id, "ROLE").iter().all(has_text)
    }

    /// Marks a structure with the vendor tag that it had.
    pub(super) fn mark_vendor(&mut self, id: Id, mark: &Mark) {
        let mark = self.record.add(id, VENDOR, mark.spell());
        self.marked.insert(mark);
        self.add_extension(mark, vendors::MARK.to_owned());
    }
}
