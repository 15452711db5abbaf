//! The last steps of converting a record: removing empty structures, and reporting missing ones.

use super::migrator::{Parent, To7Migrator};
use crate::grammar::Structure7;
use crate::record::{Id, TOP, Value};
use elf_base::codes;

impl To7Migrator<'_, '_, '_> {
    /// Removes empty structures, which GEDCOM 7.0 does not allow (MG105). Events and extensions get a mark instead, so
    /// they can be restored: an empty event may mean that it happened, and the meaning of an empty extension is
    /// unknown. Returns which of the structures were removed.
    pub(super) fn remove_empty_structures(&mut self) -> Vec<bool> {
        let mut is_removed = vec![false; self.record.len()];
        for id in self.record.in_document_order().into_iter().rev() {
            if self.record.get(id).below.iter().any(|&below| is_removed[below]) {
                self.record.get_mut(id).below.retain(|&below| !is_removed[below]);
            }
            let structure = self.record.get(id);
            if id == TOP || !structure.below.is_empty() || structure.payload != Value::None {
                continue;
            }
            if self.meaningful.contains(&id) {
                self.mark(id);
                continue;
            }
            is_removed[id] = true;
            let tag = self.original_tag(id);
            let message = format!("left out empty `{tag}`: GEDCOM 7.0 does not allow empty structures");
            self.remark(id, codes::STRUCTURE_NOT_CARRIED, message);
        }
        let top = self.record.get(TOP);
        if top.payload == Value::None && top.below.is_empty() && top.tag != "HEAD" {
            self.keep_empty_record();
        }
        is_removed
    }

    /// Marks an empty record. If it stays empty because pointers may refer to it, reports it.
    fn keep_empty_record(&mut self) {
        if self.record.get(TOP).xref.is_none() {
            return self.mark(TOP);
        }
        let tag = self.original_tag(TOP);
        let message = format!(
            "empty record `{tag}` kept, because pointers may refer to it; some readers of GEDCOM 7.0 report it"
        );
        self.remark(TOP, codes::STRUCTURE_REARRANGED, message);
    }

    /// Reports missing payloads and substructures that GEDCOM 7.0 requires and that cannot be added.
    pub(super) fn report_missing(&mut self, structures: &[(Id, Structure7)]) {
        for &(id, of) in structures.iter().filter(|(_, of)| of.term() != "HEAD") {
            let structure = self.record.get(id);
            let lacks_payload = structure.payload == Value::None && of.requires_text();
            let payload = lacks_payload.then_some("a payload");
            let substructures =
                of.required_substructures().iter().copied().filter(|tag| self.record.find(id, tag).is_none());
            let missing: Vec<&str> = payload.into_iter().chain(substructures).collect();
            for missing in missing {
                let tag = &self.record.get(id).tag;
                let message = format!("`{tag}` lacks {missing}, which GEDCOM 7.0 requires");
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
        }
    }

    /// Reports a structure if there are more of its type than GEDCOM 7.0 allows.
    pub(super) fn report_repeated(&mut self, parent: &mut Parent, found: Structure7, id: Id) {
        let tag = &self.record.get(id).tag;
        let Some(limit) = parent.of.max_count(tag) else { return };
        // There are only a few types of substructures.
        let at = parent.counts.iter().position(|(of, _)| *of == found).unwrap_or(parent.counts.len());
        if at == parent.counts.len() {
            parent.counts.push((found, 0));
        }
        parent.counts[at].1 += 1;
        if parent.counts[at].1 > limit {
            let message = format!("GEDCOM 7.0 allows at most {limit} `{tag}` here");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
    }
}
