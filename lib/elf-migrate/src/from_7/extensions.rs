//! Converts extensions and their substructures (MG102 to MG105).

use super::migrator::{Extension551, From7Migrator, Meaning, Parent, TaggedUnder, Types};
use crate::extensions;
use crate::grammar::Structure7;
use crate::record::{Id, Value};
use crate::vendor_tags;
use elf_base::codes;
use elf_schema::{TypeId, term};

impl From7Migrator<'_, '_, '_> {
    /// Converts the tag of an extension, or of a structure under one. `None` if the structure is left out.
    pub(super) fn convert_extension(&mut self, parent: &Parent, id: Id) -> Option<Types> {
        if self.drop_void(id) {
            return None;
        }
        let tag = self.structure(id).tag.to_string();
        let in_551 = if tag == "SNOTE" {
            self.rename(id, "NOTE");
            self.resolve(parent.types.in_551, id)
        } else {
            self.restore_tag(parent.types.in_551, parent.iri.as_deref(), id, &tag)
        };
        Some(Types { in_7: None, in_551 })
    }

    /// Restores the tag of a documented extension whose IRI is a type of ELF or GEDCOM 5.5.1. Returns its type.
    pub(super) fn restore_tag(
        &mut self,
        parent: TypeId,
        parent_iri: Option<&str>,
        id: Id,
        tag: &str,
    ) -> TypeId {
        if self.is_structural(tag, parent) {
            self.rename_structural(id, tag);
            return self.resolve(parent, id);
        }
        if let Some(type_of) = self.restore_own_tag(parent, id, tag) {
            return type_of;
        }
        let Some(iri) = self.iri_of(id, tag) else { return self.resolve(parent, id) };
        self.output.meanings.push(Meaning { tag: tag.to_owned(), iri: iri.clone() });
        let own = term::undefined_tag(&iri).or_else(|| vendor_tags::own_tag(tag, &iri));
        if let Some(own) = own.filter(|tag| !self.is_structural(tag, parent)) {
            self.record_mut().get_mut(id).tag = own.to_owned().into();
            return self.resolve(parent, id);
        }
        let is_pointer = Structure7::of_iri(&iri).is_some_and(Structure7::is_pointer);
        if is_pointer && !self.context.is_plain && self.structure(id).payload == Value::None {
            let message = format!(
                "`{tag}` has no pointer: a conversion back to GEDCOM 7.0 may make it a pointer to `@VOID@`"
            );
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        self.name_extension(parent, parent_iri, id, &iri)
    }

    /// Restores the tag of an extension tag if one of its IRIs is a type of ELF or GEDCOM 5.5.1.
    fn restore_own_tag(&mut self, parent: TypeId, id: Id, tag: &str) -> Option<TypeId> {
        let iris = self.context.documented.get(tag)?;
        let plain = tag.strip_prefix('_').unwrap_or(tag);
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let unnumbered = plain.rsplit_once('_').filter(|(_, number)| is_number(number)).map(|(tag, _)| tag);
        for own in [Some(plain), unnumbered].into_iter().flatten() {
            if self.is_structural(own, parent) {
                continue;
            }
            let type_of = self.context.resolver.resolve(parent, own);
            let iri = self.context.resolver.iri(type_of);
            if let Some(iri) = iri.and_then(|iri| iris.get(iri)) {
                self.output.meanings.push(Meaning { tag: tag.to_owned(), iri: iri.clone() });
                self.record_mut().get_mut(id).tag = own.to_owned().into();
                return Some(type_of);
            }
        }
        None
    }

    /// Returns the IRI of a documented extension tag. If it has several, the types that the reader has found decide.
    fn iri_of(&self, id: Id, tag: &str) -> Option<String> {
        let iris = self.context.documented.get(tag)?;
        let run = self.context.run;
        let read = run.document().node(self.structure(id).origin).and_then(|node| run.type_of(node));
        let only = || iris.first().filter(|_| iris.len() == 1);
        read.and_then(|iri| iris.get(iri)).or_else(only).cloned()
    }

    /// Renames a structure whose tag readers would not treat as one of a structure.
    fn rename_structural(&mut self, id: Id, tag: &str) {
        let mut made = format!("_{tag}");
        let mut number = 1;
        while self.context.documented.contains_key(&made) {
            number += 1;
            made = format!("_{tag}_{number}");
        }
        let message = format!("tag `{tag}` renamed to `{made}`, because readers would not read it as data");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        self.record_mut().get_mut(id).tag = made.into();
    }

    /// Returns whether readers treat lines with this tag as something else than structures.
    fn is_structural(&self, tag: &str, parent: TypeId) -> bool {
        let in_head = parent == TypeId::METADATA;
        match tag {
            "CONC" | "CONT" | "HEAD" | "TRLR" => true,
            "CHAR" | "GEDC" | "SCHMA" | "ELF" => in_head,
            "PLANG" | "DTYPE" => in_head || !self.context.is_plain,
            _ => false,
        }
    }

    /// Makes a structure an extension with an IRI. Returns its type.
    pub(super) fn add_extension(&mut self, parent: &Parent, id: Id, iri: &str) -> TypeId {
        self.name_extension(parent.types.in_551, parent.iri.as_deref(), id, iri)
    }

    fn name_extension(&mut self, parent: TypeId, parent_iri: Option<&str>, id: Id, iri: &str) -> TypeId {
        let tag = self.structure(id).tag.to_string();
        if let Some(other) = self.context.renamed.get(&tag) {
            self.output.record.get_mut(id).tag = other.clone().into();
        }
        if let Some(parent) = parent_iri.or(self.context.resolver.iri(parent)).map(str::to_owned) {
            let place = TaggedUnder { tag, parent };
            self.output.extensions.push(Extension551 { iri: iri.to_owned(), place });
        }
        self.iris.insert(id, iri.to_owned());
        self.resolve(parent, id)
    }

    /// Restores an event that GEDCOM 7.0 says did not happen (MG108).
    pub(super) fn restore_denied_event(&mut self, parent: &Parent, id: Id) -> Option<Types> {
        let tag = self.structure(id).payload.text()?.to_owned();
        let event = parent.types.in_7?.substructure(&tag)?;
        if !self.restore_payload(parent.types.in_551, id, &tag) {
            return None;
        }
        self.record_mut().get_mut(id).tag = tag.into();
        Some(Types { in_7: Some(event), in_551: self.resolve(parent.types.in_551, id) })
    }

    /// Restores a payload that an extension under the structure keeps. Returns whether there is one.
    pub(super) fn restore_payload(&mut self, parent: TypeId, id: Id, tag: &str) -> bool {
        if self.context.documented.is_empty() || self.is_bare(id) {
            return false;
        }
        let type_of = self.context.resolver.resolve(parent, tag);
        let Some(iri) = self.context.resolver.iri(type_of) else { return false };
        let iri = extensions::iri_of_kept_payload(iri, tag);
        let kept = self.structure(id).below.iter().copied().find(|&below| {
            let structure = self.structure(below);
            // An extension with substructures stays, so that nothing is lost.
            structure.payload != Value::None && self.is_bare(below) && self.is_documented(below, &iri)
        });
        let Some(kept) = kept else { return false };
        let payload = self.structure(kept).payload.clone();
        self.record_mut().get_mut(id).payload = payload;
        self.record_mut().detach(id, kept);
        true
    }

    /// Removes the mark of a structure that is empty in GEDCOM 5.5.1 (MG105). Returns whether it had one.
    pub(super) fn unmark(&mut self, id: Id) -> bool {
        let mark = self.find_mark(id);
        if let Some(mark) = mark {
            self.record_mut().detach(id, mark);
        }
        mark.is_some()
    }

    /// Finds the mark of a structure that is empty in GEDCOM 5.5.1.
    pub(super) fn find_mark(&self, id: Id) -> Option<Id> {
        let below = self.structure(id).below.iter().copied();
        below
            .filter(|&below| self.is_bare(below))
            .find(|&below| self.is_documented(below, extensions::EMPTY_IRI))
    }

    pub(super) fn is_documented(&self, id: Id, iri: &str) -> bool {
        self.context.documented.get(&*self.structure(id).tag).is_some_and(|iris| iris.contains(iri))
    }
}
