//! Pointers to nothing, which GEDCOM 7.0 writes `@VOID@` and GEDCOM 5.5.1 has no word for (LG12).

use super::Work551;
use crate::extensions;
use crate::grammar::{Structure7, TERMS};
use crate::record::{Id, Value};
use elf_base::codes;
use elf_schema::TypeId;
use elf_tagged::elf_lines::VOID;

impl Work551<'_, '_, '_> {
    /// Tells whether a structure points to nothing.
    pub(super) fn is_void(&self, id: Id) -> bool {
        matches!(&self.structure(id).payload, Value::Pointer(xref) if &**xref == VOID)
    }

    /// Leaves a structure out that points to nothing.
    pub(super) fn leave_out_void(&mut self, id: Id) {
        let message = format!(
            "`{}` points to nothing, which GEDCOM 5.5.1 has no word for: it is left out",
            self.structure(id).tag
        );
        self.remark(id, codes::STRUCTURE_NOT_CARRIED, message);
        self.left_out.insert(id);
    }

    /// Takes the pointer to nothing away from an extension, or from what stands beneath one; tells whether
    /// the structure is left out with it. In GEDCOM 5.5.1 it would be one to a record called so.
    pub(super) fn drop_void(&mut self, id: Id) -> bool {
        if !self.is_void(id) {
            return false;
        }
        if self.is_bare(id) {
            self.leave_out_void(id);
            return true;
        }
        self.clear_void(id);
        false
    }

    /// Takes the pointer to nothing away from a structure.
    pub(super) fn clear_void(&mut self, id: Id) {
        // A mark says that there was no pointer before.
        if self.mark_of(id).is_none() {
            let message =
                format!("`{}` points to nothing, and is written without a pointer", self.structure(id).tag);
            self.remark(id, codes::VALUE_NOT_CARRIED, message);
        }
        self.done.record.get_mut(id).payload = Value::None;
    }

    /// A pointer to nothing of which more is said: an extension without a pointer (LG12).
    pub(super) fn extend_void(&mut self, found: TypeId, id: Id, of: Structure7) -> TypeId {
        let tag = extensions::tag_of(&self.structure(id).tag);
        let message = format!("a pointer to nothing is written `{tag}`, an extension without a pointer");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        let structure = self.done.record.get_mut(id);
        (structure.tag, structure.payload) = (tag.into(), Value::None);
        self.extended(found, id, &format!("{TERMS}{}", of.term()))
    }
}
