//! Converts null pointers, which GEDCOM 7.0 writes as `@VOID@` and GEDCOM 5.5.1 does not have (LG12).

use super::migrator::{From7Migrator, Parent, Types};
use crate::extensions;
use crate::grammar::{Structure7, TERMS};
use crate::record::{Id, Value};
use elf_base::codes;
use elf_tagged::elf_lines::VOID;

/// What a structure with a null pointer is converted to.
pub(super) enum VoidOutcome {
    /// It loses the pointer, and is converted like other structures.
    Cleared,
    LeftOut,
    Extension(Types),
}

impl From7Migrator<'_, '_, '_> {
    pub(super) fn is_void(&self, id: Id) -> bool {
        matches!(&self.structure(id).payload, Value::Pointer(xref) if &**xref == VOID)
    }

    /// Converts a null pointer. If GEDCOM 5.5.1 also allows a text, the structure gets no payload. Otherwise it becomes
    /// an extension without a pointer, or is left out if it has no substructures.
    pub(super) fn convert_void(&mut self, parent: &Parent, of: Structure7, id: Id) -> VoidOutcome {
        let term = of.term();
        let is_marked = self.find_mark(id).is_some();
        let has_form = !self.context.is_plain || term == "REPO" || is_marked;
        if has_form && matches!(term, "SOUR" | "REPO" | "OBJE" | "SNOTE") {
            // An empty structure is reported elsewhere.
            if !is_marked && !self.is_bare(id) && matches!(term, "SOUR" | "OBJE") {
                let message = format!(
                    "`{}` points to `@VOID@`: a conversion back to GEDCOM 7.0 marks it as empty",
                    self.structure(id).tag
                );
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
            self.record_mut().get_mut(id).payload = Value::None;
            if term == "SOUR" {
                self.move_texts_back(id);
            }
            return VoidOutcome::Cleared;
        }
        if self.is_bare(id) {
            self.report_left_out(id);
            return VoidOutcome::LeftOut;
        }
        let tag = extensions::tag_of(&self.structure(id).tag);
        let message = format!("pointer to `@VOID@` written as extension `{tag}` without a pointer");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        let structure = self.record_mut().get_mut(id);
        (structure.tag, structure.payload) = (tag.into(), Value::None);
        let in_551 = self.add_extension(parent, id, &format!("{TERMS}{term}"));
        VoidOutcome::Extension(Types { in_7: Some(of), in_551 })
    }

    /// Removes the null pointer of an extension, or of a structure under one. In GEDCOM 5.5.1, the pointer would refer
    /// to a record called `VOID`. Returns whether the structure is left out.
    pub(super) fn drop_void(&mut self, id: Id) -> bool {
        if !self.is_void(id) {
            return false;
        }
        if self.is_bare(id) {
            self.report_left_out(id);
            return true;
        }
        self.clear_void(id);
        false
    }

    pub(super) fn clear_void(&mut self, id: Id) {
        // A mark says that there was no pointer originally.
        if self.find_mark(id).is_none() {
            let message = format!("`{}` written without its pointer to `@VOID@`", self.structure(id).tag);
            self.remark(id, codes::VALUE_NOT_CARRIED, message);
        }
        self.record_mut().get_mut(id).payload = Value::None;
    }

    fn report_left_out(&mut self, id: Id) {
        let message = format!(
            "left out `{}`: GEDCOM 5.5.1 cannot express its pointer to `@VOID@`",
            self.structure(id).tag
        );
        self.remark(id, codes::STRUCTURE_NOT_CARRIED, message);
    }
}
