//! Converts one record of GEDCOM 5.5.1 or ELF to GEDCOM 7.0.
//!
//! Structures are converted from the top down, so that the converted superstructure of each one is known. Structures
//! that GEDCOM 7.0 does not allow become extensions.

mod extensions;
mod finish;
mod migrator;
mod payload;
mod rearrange;
mod recognize;
mod tags;
mod vendor_tags;

pub(crate) use migrator::{ConvertedRecord, ExtensionIri, RecordContext};

use crate::grammar::{Place7, Structure7, is_standard};
use crate::record::{Id, Record, TOP, Value};
use crate::remarks::Remark;
use crate::siblings::Siblings;
use crate::unstated;
use crate::validity;
use crate::values::PayloadKind;
use elf_base::codes;
use migrator::{Parent, To7Migrator};
use std::collections::HashSet;

pub(crate) fn migrate<'d>(mut record: Record<'d>, context: &mut RecordContext<'_>) -> ConvertedRecord<'d> {
    let mut output = ConvertedRecord::default();
    remove_control_characters(&mut record, &mut output.remarks);
    let mut next = vec![record];
    while let Some(record) = next.pop() {
        let mut migrator = To7Migrator::new(record, context, &mut output);
        migrator.run();
        let To7Migrator { record, new_records, .. } = migrator;
        output.records.push(record);
        // The list is a stack, so push new records in reverse order.
        next.extend(new_records.into_iter().rev());
    }
    output
}

/// Removes characters that GEDCOM 7.0 does not allow. This comes first, because conversions depend on how a text starts
/// and whether it is empty.
fn remove_control_characters(record: &mut Record<'_>, remarks: &mut Vec<Remark>) {
    let is_banned =
        |one: char| one.is_control() && !matches!(one, '\t' | '\n') || matches!(one, '\u{FFFE}' | '\u{FFFF}');
    // Fast path: true for nearly all texts.
    let is_harmless = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n');
    // Remarks have the order of the structures.
    for id in 0..record.len() {
        let structure = record.get(id);
        let Some(text) = structure.payload.text() else { continue };
        if text.bytes().all(is_harmless) || !text.contains(is_banned) {
            continue;
        }
        let kept: String = text.chars().filter(|one| !is_banned(*one)).collect();
        let message = "left out control characters: GEDCOM 7.0 does not allow them".to_owned();
        remarks.push(Remark { origin: structure.origin, code: codes::VALUE_NOT_CARRIED, message });
        record.get_mut(id).payload = Value::of(kept);
    }
}

impl To7Migrator<'_, '_, '_> {
    fn run(&mut self) {
        let top = self.convert_top();
        if let Some(top) = top {
            self.rearrange(TOP, top);
        }
        let mut open = vec![(TOP, top)];
        let mut known: Vec<(Id, Structure7)> = Vec::new();
        while let Some((id, of)) = open.pop() {
            known.extend(of.map(|of| (id, of)));
            if self.record.get(id).below.is_empty() {
                continue;
            }
            let mut parent = of.map(|of| self.enter(id, of));
            for below in self.record.get(id).below.clone() {
                let found = match &mut parent {
                    Some(parent) if self.named.contains(&id) => self.convert_named(parent.of, below),
                    Some(parent) => self.convert_substructure(parent, below),
                    None => self.convert_under_extension(below),
                };
                open.push((below, found));
            }
        }
        if !self.late_names.is_empty() {
            self.move_late_names();
        }
        let is_removed = self.remove_empty_structures();
        known.retain(|(id, _)| !is_removed[*id]);
        self.report_missing(&known);
    }

    fn enter(&self, id: Id, of: Structure7) -> Parent {
        Parent {
            id,
            of,
            is_typed: self.is_typed(id),
            siblings: Siblings::under(id),
            counts: Vec::new(),
            numbers: HashSet::new(),
            tags_in_7: None,
        }
    }

    fn convert_top(&mut self) -> Option<Structure7> {
        // MG17
        if self.record.get(TOP).tag == "NOTE" {
            self.rename(TOP, "SNOTE");
        }
        let is_header = self.record.is_header_of(self.context.run.document());
        let is_record = |of: &Structure7| is_header || !matches!(of.term(), "HEAD" | "TRLR");
        let of = Structure7::record(&self.record.get(TOP).tag).filter(is_record);
        match of {
            Some(of) if of.term() == "HEAD" => self.clear_header(),
            Some(of) => self.convert_record_payload(of),
            None => self.extend(TOP),
        }
        of
    }

    /// Removes the parts that are written anew in every header, and a placeholder submitter or program (MG01, MG02,
    /// MG03).
    fn clear_header(&mut self) {
        let metadata = self.context.run.document().rules().tagged.metadata;
        let is_made = |tag: &str| matches!(tag, "CHAR" | "GEDC") || metadata.includes(tag, true);
        let is_kept = |id: &Id| !is_made(&self.record.get(*id).tag) && !self.is_unstated(*id);
        let kept = self.record.get(TOP).below.iter().copied().filter(is_kept).collect();
        let top = self.record.get_mut(TOP);
        (top.payload, top.below) = (Value::None, kept);
    }

    /// Returns whether a structure of the header is a placeholder program or submitter.
    fn is_unstated(&self, id: Id) -> bool {
        let structure = self.record.get(id);
        let is_made_up = match &structure.payload {
            Value::Text(text) => &*structure.tag == "SOUR" && text == unstated::NAME,
            Value::Pointer(xref) => &*structure.tag == "SUBM" && Some(&**xref) == self.context.unstated,
            Value::None | Value::Void | Value::Made(_) => false,
        };
        is_made_up && structure.below.is_empty()
    }

    /// Moves the payload of a record into a substructure if GEDCOM 7.0 does not allow it.
    fn convert_record_payload(&mut self, of: Structure7) {
        let payload = &self.record.get(TOP).payload;
        let allows_text = of.kind().is_none_or(|kind| kind.payloads.text);
        if payload.is_pointer() || *payload != Value::None && !allows_text {
            self.convert_payload(TOP, Place7 { parent: of, structure: of });
        }
    }

    /// Converts the tag and the payload of a substructure. `None` if it becomes an extension.
    fn convert_substructure(&mut self, parent: &mut Parent, id: Id) -> Option<Structure7> {
        if self.marked.contains(&id) {
            return None;
        }
        self.retag(parent, id);
        let found = self.find_structure(parent, id).or_else(|| self.replace_vendor_tag(parent, id));
        let Some(found) = found else {
            self.extend(id);
            return None;
        };
        let place = Place7 { parent: parent.of, structure: found };
        if place.payload_kind() == Some(PayloadKind::Happened) {
            self.meaningful.insert(id);
        }
        let remains = if self.named.contains(&id) {
            self.convert_valid_payload(id, place)
        } else {
            if !validity::is_complete(&self.record, found, id) {
                self.extend_incomplete(id);
                return None;
            }
            self.rearrange(id, found);
            self.convert_pointer_or_payload(id, place)
        };
        if !remains {
            return None;
        }
        self.report_repeated(parent, found, id);
        Some(found)
    }

    /// Converts the payload of a structure that the file names by an IRI of GEDCOM 7.0. Such a payload is normally
    /// valid there; if it is not, it cannot be restored later.
    fn convert_valid_payload(&mut self, id: Id, place: Place7) -> bool {
        let before = self.record.get(id).below.len();
        let remains = self.convert_pointer_or_payload(id, place);
        if self.record.get(id).below.len() > before {
            let tag = &self.record.get(id).tag;
            let message =
                format!("GEDCOM 7.0 does not allow this payload of `{tag}`: moved to a structure under it");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        remains
    }

    /// Converts a pointer or another payload. Returns false if the structure has become an extension.
    fn convert_pointer_or_payload(&mut self, id: Id, place: Place7) -> bool {
        if place.structure.is_pointer() {
            self.convert_pointer(id, place.structure);
            return true;
        }
        self.convert_payload(id, place)
    }

    /// Converts a structure under one that the file names by an IRI of GEDCOM 7.0. It is spelled as in GEDCOM 7.0.
    fn convert_named(&mut self, parent: Structure7, id: Id) -> Option<Structure7> {
        let structure = self.record.get(id);
        if structure.tag == "NOTE" && structure.payload.is_pointer() && parent.substructure("SNOTE").is_some()
        {
            self.rename(id, "SNOTE");
        }
        let Some(found) = parent.substructure(&self.record.get(id).tag) else {
            self.extend(id);
            return None;
        };
        self.named.insert(id);
        if found.is_pointer() {
            self.convert_pointer(id, found);
        }
        Some(found)
    }

    fn convert_under_extension(&mut self, id: Id) -> Option<Structure7> {
        self.meaningful.insert(id);
        let structure = self.record.get(id);
        if structure.tag == "NOTE" && structure.payload.is_pointer() {
            self.rename(id, "SNOTE");
        } else if !is_standard(&structure.tag) || structure.tag == "SCHMA" {
            self.extend(id);
        } else if structure.tag == "SNOTE" {
            self.remark(
                id,
                codes::STRUCTURE_REARRANGED,
                "a conversion back to GEDCOM 5.5.1 makes `SNOTE` a `NOTE`".to_owned(),
            );
        }
        None
    }
}
