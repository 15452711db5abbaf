//! Converts one record of GEDCOM 7.0 to GEDCOM 5.5.1 or ELF.
//!
//! Structures that came from GEDCOM 5.5.1 or ELF are restored: an extension whose IRI is one of their types gets its
//! tag again. Structures that only GEDCOM 7.0 has keep their tag, with an underscore.

mod extensions;
mod migrator;
mod payload;
mod rearrange;
mod substructure;
mod tags;
mod vendor_tags;
mod void;

pub(crate) use migrator::{ConvertedRecord, Documented, Meaning, RecordContext, TaggedUnder};

use crate::grammar::Structure7;
use crate::identifiers::INLINE;
use crate::numbers;
use crate::record::{Id, Record, TOP, Value};
use crate::siblings::Siblings;
use elf_base::codes;
use elf_schema::TypeId;
use migrator::{From7Migrator, Open, Parent, Types};
use std::collections::HashMap;

pub(crate) fn migrate<'d>(record: Record<'d>, context: &mut RecordContext<'_>) -> ConvertedRecord<'d> {
    let mut migrator = From7Migrator::new(record, context);
    migrator.run();
    migrator.output
}

/// Returns whether a record may be moved back into the only structure that links to it (MG20, MG28), as far as the
/// record itself shows.
pub(crate) fn is_inline(record: &Record<'_>) -> bool {
    let top = record.get(TOP);
    let mut below = top.below.iter().map(|&id| record.get(id));
    top.xref.as_deref().is_some_and(|xref| xref.starts_with(INLINE))
        && match &*top.tag {
            "SOUR" => top.below.len() == 1 && below.all(|one| one.tag == "TITL" && one.below.is_empty()),
            "OBJE" => below.all(|one| matches!(&*one.tag, "FILE" | "NOTE" | "SNOTE" | "SOUR" | "_FORM")),
            _ => false,
        }
        // If a structure has an identifier, pointers may refer to it, so the record stays.
        && record.in_document_order().into_iter().all(|id| id == TOP || record.get(id).xref.is_none())
}

impl From7Migrator<'_, '_, '_> {
    fn run(&mut self) {
        self.take_vendor_mark(TOP, None);
        let mut open = vec![Open { id: TOP, types: self.convert_top() }];
        while let Some(Open { id, types }) = open.pop() {
            let mut parent = self.enter(id, types);
            let below = self.structure(id).below.clone();
            let converted = open.len();
            for &below in &below {
                self.take_vendor_mark(below, Some(id));
                let types = match types.in_7 {
                    Some(_) => self.convert_substructure(&mut parent, below),
                    None => self.convert_extension(&parent, below),
                };
                open.extend(types.map(|types| Open { id: below, types }));
            }
            if open.len() - converted < below.len() {
                self.record_mut().get_mut(id).below = open[converted..].iter().map(|one| one.id).collect();
            }
        }
        self.restore_vendor_tags();
    }

    fn convert_top(&mut self) -> Types {
        let is_header = self.record().is_header_of(self.context.run.document());
        let in_7 = Structure7::record(&self.structure(TOP).tag).filter(|of| is_header || of.term() != "HEAD");
        match &*self.structure(TOP).tag {
            "SNOTE" => self.rename(TOP, "NOTE"),
            "HEAD" if is_header => self.clear_header(),
            tag if in_7.is_none() => {
                let tag = tag.to_owned();
                self.restore_tag(TypeId::DOCUMENT, None, TOP, &tag);
            }
            _ => {}
        }
        if self.is_void(TOP) {
            self.clear_void(TOP);
        }
        let in_551 = if is_header { TypeId::METADATA } else { self.resolve(TypeId::DOCUMENT, TOP) };
        Types { in_7, in_551 }
    }

    /// Removes the parts that are written anew in every header (MG01, MG102).
    fn clear_header(&mut self) {
        let is_made = |id: &Id| matches!(&*self.structure(*id).tag, "CHAR" | "GEDC" | "SCHMA");
        let kept = self.structure(TOP).below.iter().copied().filter(|id| !is_made(id)).collect();
        let top = self.record_mut().get_mut(TOP);
        (top.payload, top.below) = (Value::None, kept);
    }

    /// Prepares a structure for converting its substructures.
    fn enter(&mut self, id: Id, types: Types) -> Parent {
        let structure = self.structure(id);
        if id != TOP && structure.payload == Value::None && structure.below.is_empty() {
            let message = format!(
                "`{}` is empty: a conversion back to GEDCOM 7.0 marks it as empty or drops it",
                structure.tag
            );
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        let was_marked = self.unmark(id);
        let holds_record = types.in_7.is_some_and(|of| self.rearrange(id, of, was_marked));
        let below = self.structure(id).below.iter();
        let numbers = below.filter_map(|&id| numbers::number_tag(&self.structure(id).tag)).collect();
        Parent {
            types,
            iri: self.iris.get(&id).cloned(),
            holds_record,
            siblings: Siblings::under(id),
            counts: HashMap::new(),
            numbers,
        }
    }

    /// Moves substructures to where GEDCOM 5.5.1 has them. Returns whether a record was moved into this structure.
    fn rearrange(&mut self, id: Id, of: Structure7, was_marked: bool) -> bool {
        match of.term() {
            "SOUR" => self.move_source_back(id),
            "OBJE" => return self.move_media_back(id),
            "INDI-NAME" | "NAME-TRAN" => {
                if was_marked {
                    self.remove_made_name(id);
                }
                self.join_pieces(id);
            }
            "SLGC" => self.remove_void_family(id),
            "record-REPO" | "record-SUBM" => self.report_missing_name(id),
            _ => {}
        }
        false
    }
}
