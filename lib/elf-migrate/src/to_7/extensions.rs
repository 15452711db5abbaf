//! Converts structures to extensions, and marks empty structures (MG102 to MG105).

use super::migrator::{Extension7, ExtensionIri, To7Migrator};
use crate::extensions;
use crate::record::{Id, Structure, Value};
use crate::vendor_tags;
use elf_base::codes;
use elf_schema::term;

impl<'d> To7Migrator<'d, '_, '_> {
    pub(super) fn extend(&mut self, id: Id) {
        let original = self.record.get(id).tag.clone();
        let iri = self.iri(id).map_or_else(|| extensions::undefined_iri(&original), str::to_owned);
        let tag = extensions::tag_of(&original);
        let is_undefined = term::undefined_tag(&iri).is_some();
        // An undefined tag with an underscore is allowed anywhere, so it is not changed.
        let is_as_before = is_undefined && tag == original;
        if is_undefined && !is_as_before {
            let message = format!("`{original}` written as an extension: GEDCOM 7.0 does not allow it here");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        self.meaningful.insert(id);
        let node = self.context.run.document().node(self.record.get(id).origin).filter(|_| is_undefined);
        let iri = match node {
            Some(node) => {
                let vendor_iri = self.context.vendor_tags.iri(node);
                if is_as_before {
                    ExtensionIri::Kept(vendor_iri)
                } else {
                    // The IRI must say which tag comes back.
                    let own = |iri: &String| vendor_tags::own_tag(&tag, iri) == Some(&*original);
                    let vendor_iri = vendor_iri.filter(own);
                    ExtensionIri::Assigned(vendor_iri.unwrap_or_else(|| extensions::proposed_iri_of(node)))
                }
            }
            None => ExtensionIri::Assigned(iri),
        };
        self.record.get_mut(id).tag = tag.into();
        let record = self.output.records.len();
        self.output.extensions.push(Extension7 { record, id, iri });
    }

    /// Makes an extension of a structure that GEDCOM 7.0 would only allow with further substructures.
    pub(super) fn extend_incomplete(&mut self, id: Id) {
        if self.is_typed(id) {
            let tag = &self.record.get(id).tag;
            let message =
                format!("`{tag}` written as an extension: it lacks a part that GEDCOM 7.0 requires");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        self.extend(id);
    }

    /// Keeps a payload that GEDCOM 7.0 does not allow in an extension under the structure.
    pub(super) fn keep_payload(&mut self, id: Id, payload: Value<'d>) {
        let original = self.original_tag(id);
        let iri = self.iri(id).map_or_else(|| extensions::undefined_iri(original), str::to_owned);
        let iri = extensions::iri_of_kept_payload(&iri, original).into_owned();
        let origin = self.record.get(id).origin;
        let kept = self.record.push(id, Structure::new(extensions::tag_of(original), payload, origin));
        self.add_extension(kept, iri);
    }

    /// Marks a structure that is empty in GEDCOM 5.5.1.
    pub(super) fn mark(&mut self, id: Id) {
        if self.marked.contains(&id) {
            return;
        }
        let mark = self.record.add(id, extensions::EMPTY, "Y");
        self.marked.insert(mark);
        self.add_extension(mark, extensions::EMPTY_IRI.to_owned());
    }

    pub(super) fn add_extension(&mut self, id: Id, iri: String) {
        let record = self.output.records.len();
        self.output.extensions.push(Extension7 { record, id, iri: ExtensionIri::Assigned(iri) });
    }
}
