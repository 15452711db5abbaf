//! Vendor tags that were written in the form of GEDCOM 7.0, and come back (MG125).

use super::migrator::{From7Migrator, MarkedStructure};
use crate::equivalents::{Kind, Mark};
use crate::record::{Id, TOP, Value};
use crate::values::PayloadKind;
use elf_base::codes;
use elf_schema::vendors;
use std::collections::HashSet;

impl From7Migrator<'_, '_, '_> {
    /// Takes the mark out of a structure that had a vendor tag.
    pub(super) fn take_vendor_mark(&mut self, id: Id, above: Option<Id>) {
        let below = self.structure(id).below.iter().copied();
        let found = below
            .filter(|&below| self.is_bare(below))
            .find(|&below| self.is_documented(below, vendors::MARK));
        let Some(found) = found else { return };
        let Some(mark) = self.structure(found).payload.text().and_then(Mark::read) else { return };
        self.record_mut().detach(id, found);
        self.vendor_marks.push(MarkedStructure { id, above, mark });
    }

    /// Gives structures their vendor tags back, once everything under them is converted.
    pub(super) fn restore_vendor_tags(&mut self) {
        let mut marks = std::mem::take(&mut self.vendor_marks);
        // The last structures were entered first.
        marks.reverse();
        let moved = self.move_under_names(&marks);
        let mut changed = HashSet::new();
        for MarkedStructure { id, above, mark } in marks {
            if self.structure(id).tag == "PEDI" {
                changed.extend(above.and_then(|link| self.remove_added_pedigree(link, id, &mark)));
            } else if !mark.was_under_name || moved.contains(&id) {
                changed.extend(self.restore_vendor_tag(id, mark));
            }
        }
        self.forget_remarks(&changed);
    }

    /// Gives a structure its vendor tag back. Returns the structures that came back in another form.
    fn restore_vendor_tag(&mut self, id: Id, mark: Mark) -> Vec<Id> {
        let mut changed = vec![id];
        changed.extend(self.remove_kind(id, &mark));
        changed.extend(self.restore_role(id));
        let phrase = ["PHRASE", "_PHRASE"].iter().find_map(|tag| self.record().find_childless(id, tag));
        if let Some(phrase) = phrase.filter(|_| self.structure(id).payload == Value::None) {
            changed.push(phrase);
            self.replace_by_phrase(id, phrase);
        }
        let is_denial = self.structure(id).tag.trim_start_matches('_') == "NO";
        if mark.text.is_some() || is_denial {
            self.record_mut().get_mut(id).payload = Value::of(mark.text.unwrap_or_default());
        }
        self.record_mut().get_mut(id).tag = mark.tag.into();
        changed
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

    /// Removes the substructure that says what the vendor tag says by itself. Returns it.
    fn remove_kind(&mut self, id: Id, mark: &Mark) -> Option<Id> {
        let kinds: Vec<Kind> = mark.kinds().collect();
        let found = match &kinds[..] {
            // A label that only the file knew.
            [] if self.structure(id).tag == "EVEN" => self.record().find_childless(id, "TYPE"),
            kinds => kinds.iter().find_map(|kind| {
                let tags = if kind.tag == "ROLE" { &["ROLE", "RELA"][..] } else { &[kind.tag] };
                let found = tags.iter().find_map(|tag| self.record().find_childless(id, tag))?;
                self.has_text(found, &kind.text).then_some(found)
            }),
        }?;
        self.record_mut().detach(id, found);
        Some(found)
    }

    /// Gives the role of an associate the tag and the words that programs write. Returns what was removed.
    fn restore_role(&mut self, id: Id) -> Option<Id> {
        if let Some(relation) = self.record().find(id, "RELA") {
            self.rename(relation, "ROLE");
            return None;
        }
        let role = self.record().find(id, "ROLE")?;
        if let Some(phrase) =
            ["PHRASE", "_PHRASE"].iter().find_map(|tag| self.record().find_childless(role, tag))
        {
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

    /// Moves names that were under another name under the one before them that has no mark. Returns those that moved.
    fn move_under_names(&mut self, marks: &[MarkedStructure]) -> HashSet<Id> {
        let mut moved = HashSet::new();
        let moving = marks.iter().filter(|one| one.mark.was_under_name).map(|one| one.id);
        let moving: HashSet<Id> = moving.collect();
        if moving.is_empty() {
            return moved;
        }
        let marked: HashSet<Id> = marks.iter().map(|one| one.id).collect();
        let mut above = None;
        for id in std::mem::take(&mut self.record_mut().get_mut(TOP).below) {
            let name = above.filter(|_| moving.contains(&id));
            if name.is_some() {
                moved.insert(id);
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
