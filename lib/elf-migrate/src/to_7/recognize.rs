//! Finds the structure of GEDCOM 7.0 that a structure is converted to.

use super::migrator::{Parent, To7Migrator};
use crate::grammar::{Place7, Structure7, TERMS};
use crate::record::{Id, Value};
use crate::underscored;
use crate::validity;
use elf_base::codes;
use elf_schema::{Schema, TypeId};

impl To7Migrator<'_, '_, '_> {
    /// Returns the structure of GEDCOM 7.0 that a structure is converted to. `None` if it becomes an extension.
    pub(super) fn find_structure(&mut self, parent: &mut Parent, id: Id) -> Option<Structure7> {
        if let Some(found) = parent.of.substructure(&self.record.get(id).tag).filter(may_come_from_file) {
            return self.is_same(parent, found, id).then_some(found);
        }
        // A file of ELF may name the terms of GEDCOM 7.0, by any tag.
        let iri = self.iri(id).filter(|iri| iri.starts_with(TERMS));
        match iri
            .and_then(|iri| parent.of.substructure_of_iri(iri))
            .filter(|(_, found)| may_come_from_file(found))
        {
            Some((tag, found)) => self.recognize_named(parent, id, tag, found),
            None => self.recognize_underscored(parent, id),
        }
    }

    /// Returns whether a structure means the same as the one of GEDCOM 7.0 with the same tag (MG103, MG104).
    fn is_same(&mut self, parent: &mut Parent, found: Structure7, id: Id) -> bool {
        // GEDCOM 5.5.1 has the structure, or it was renamed to the tag of GEDCOM 7.0.
        if self.is_typed(id) || self.original_tag(id) != self.record.get(id).tag {
            return true;
        }
        let is_valid = self.accept_shared_note(found, id)
            && parent.siblings.is_within_limit(&self.record, parent.of, &self.record.get(id).tag, &[])
            && validity::is_valid(&self.record, id, Place7 { parent: parent.of, structure: found });
        if !is_valid {
            return false;
        }
        if parent.is_typed && validity::is_complete(&self.record, found, id) {
            let tag = &self.record.get(id).tag;
            let message = format!("GEDCOM 5.5.1 does not have `{tag}` here: a conversion back changes it");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        true
    }

    /// Recognizes a structure that the file names by an IRI of GEDCOM 7.0, if GEDCOM 7.0 allows another one there.
    fn recognize_named(
        &mut self,
        parent: &mut Parent,
        id: Id,
        tag: &'static str,
        found: Structure7,
    ) -> Option<Structure7> {
        let structure = self.record.get(id);
        let has_room = parent.siblings.is_within_limit(&self.record, parent.of, tag, &[&*structure.tag]);
        let is_void = found.is_pointer() && structure.payload == Value::None && !structure.below.is_empty();
        if !has_room || !self.accept_shared_note(found, id) {
            return None;
        }
        self.named.insert(id);
        self.recognize(parent, id, tag, is_void);
        Some(found)
    }

    /// Recognizes a structure by its tag without the underscore (MG110).
    fn recognize_underscored(&mut self, parent: &mut Parent, id: Id) -> Option<Structure7> {
        let tag = self.record.get(id).tag.clone();
        let plain = tag.strip_prefix('_')?;
        let found = parent.of.substructure(plain)?;
        let is_void = !self.record.get(id).below.is_empty()
            && underscored::is_void_pointer(&self.record, parent.of, id, &mut parent.siblings);
        if !(is_void || self.stands_for(parent, id)) || !self.accept_shared_note(found, id) {
            return None;
        }
        let message = format!("`{tag}` read as the `{plain}` of GEDCOM 7.0");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        self.recognize(parent, id, plain, is_void);
        Some(found)
    }

    /// Gives a structure the tag of GEDCOM 7.0. A null pointer needs no mark.
    fn recognize(&mut self, parent: &mut Parent, id: Id, tag: &str, is_void: bool) {
        if is_void {
            self.marked.insert(id);
        }
        let old = std::mem::replace(&mut self.record.get_mut(id).tag, tag.to_owned().into());
        parent.siblings.retag(&old, tag);
    }

    /// Records the pointer of a structure that is to become a `SNOTE`. Returns false if it is known that the pointer
    /// does not refer to a note.
    fn accept_shared_note(&mut self, found: Structure7, id: Id) -> bool {
        if let Value::Pointer(xref) = &self.record.get(id).payload
            && found.term() == "SNOTE"
        {
            if self.context.strays.contains(&**xref) {
                return false;
            }
            self.output.shared_notes.push(xref.as_ref().into());
        }
        true
    }

    /// Returns whether a structure with an underscore stands for the one of GEDCOM 7.0 without underscore.
    fn stands_for(&mut self, parent: &mut Parent, id: Id) -> bool {
        let Some(parent_551) = self.parent_type_of_551(parent.of, id) else { return false };
        let resolver = &mut *self.context.resolver;
        let has_tag = |tag: &str| {
            let found = resolver.resolve(parent_551, tag);
            !resolver.is_undefined(found)
        };
        underscored::stands_for(&self.record, parent.of, id, &mut parent.siblings, has_tag)
    }

    /// Returns the type that the superstructure has in GEDCOM 5.5.1.
    fn parent_type_of_551(&self, parent: Structure7, id: Id) -> Option<TypeId> {
        if parent.term() == "HEAD" {
            return Some(TypeId::METADATA);
        }
        let run = self.context.run;
        let node = run.document().node(self.record.get(id).origin)?;
        Schema::completed().type_of(run.type_of(node.superstructure()?)?)
    }
}

/// Returns whether a structure may be taken from the file. The header has some structures anew, and other standards use
/// their tags for other things.
fn may_come_from_file(found: &Structure7) -> bool {
    !matches!(found.term(), "GEDC" | "SCHMA")
}
