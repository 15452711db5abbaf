//! Moves structures to where GEDCOM 5.5.1 has them.

use super::migrator::From7Migrator;
use crate::names;
use crate::record::{Id, TOP, Value};
use elf_base::codes;
use std::collections::HashSet;

impl From7Migrator<'_, '_, '_> {
    /// Moves the title of a source record back to the citation that it came from (MG28).
    pub(super) fn move_source_back(&mut self, id: Id) {
        let Value::Pointer(xref) = &self.structure(id).payload else { return };
        let Some(inline) = self.context.inline.get(&**xref) else { return };
        let title = inline.find(TOP, "TITL").map(|title| inline.get(title).payload.clone());
        self.record_mut().get_mut(id).payload = title.unwrap_or(Value::None);
        self.move_texts_back(id);
    }

    /// Moves the texts of a source without a record to the citation itself (MG28).
    pub(super) fn move_texts_back(&mut self, id: Id) {
        let Some(data) = self.record().find(id, "DATA") else { return };
        let below = std::mem::take(&mut self.record_mut().get_mut(data).below);
        let (texts, others): (Vec<Id>, Vec<Id>) =
            below.into_iter().partition(|&id| self.structure(id).tag == "TEXT");
        let structure = self.structure(data);
        let is_bare = structure.payload == Value::None && structure.xref.is_none();
        let is_emptied = others.is_empty() && !texts.is_empty() && is_bare;
        self.record_mut().get_mut(data).below = others;
        let below = &mut self.record_mut().get_mut(id).below;
        let at = below.iter().position(|&below| below == data).unwrap_or(below.len());
        below.splice(at..at + usize::from(is_emptied), texts.iter().copied());
        self.converted.extend(texts);
    }

    /// Moves the files of a media record back to the link that they came from (MG20). Returns whether it did.
    pub(super) fn move_media_back(&mut self, id: Id) -> bool {
        let Value::Pointer(xref) = &self.structure(id).payload else { return false };
        let Some(inline) = self.context.inline.get(&**xref) else { return false };
        let record = &mut self.output.record;
        let origin = record.get(id).origin;
        let mut moved: Vec<Id> =
            inline.get(TOP).below.iter().map(|&one| record.graft_at(inline, one, origin)).collect();
        let mut files = moved.iter().copied().filter(|&id| record.get(id).tag == "FILE");
        if let (Some(file), None) = (files.next(), files.next())
            && let Some(title) = record.find(file, "TITL")
        {
            record.detach(file, title);
            moved.push(title);
        }
        let structure = record.get_mut(id);
        structure.payload = Value::None;
        moved.append(&mut structure.below);
        structure.below = moved;
        true
    }

    /// Removes a name that was created from its pieces (MG120).
    pub(super) fn remove_made_name(&mut self, id: Id) {
        let made = names::join_name_pieces(self.record(), id);
        if made.is_some() && made.as_deref() == self.structure(id).payload.text() {
            self.record_mut().get_mut(id).payload = Value::None;
        }
    }

    /// Removes the null pointer of a sealing to parents (MG121).
    pub(super) fn remove_void_family(&mut self, id: Id) {
        let family = self.record().find(id, "FAMC");
        let void = family.filter(|&family| self.is_void(family) && self.is_bare(family));
        if family.is_some() && void.is_none() {
            return;
        }
        let message = "`SLGC` has no family, but GEDCOM 5.5.1 requires one".to_owned();
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        if let Some(family) = void {
            self.record_mut().detach(id, family);
        }
    }

    /// Joins name pieces that have the same tag, with commas (MG51).
    pub(super) fn join_pieces(&mut self, id: Id) {
        for tag in names::PIECES {
            let pieces: Vec<Id> = self.pieces_with_text(id, tag).collect();
            let [first, others @ ..] = &pieces[..] else { continue };
            let text = self.report_split(id, *first, &pieces);
            let empty = self.report_empty_pieces(id, tag);
            if others.is_empty() && empty.is_empty() {
                continue;
            }
            let more: Vec<Id> = others.iter().flat_map(|&id| self.structure(id).below.clone()).collect();
            let removed: HashSet<Id> = others.iter().copied().chain(empty).collect();
            let first = self.record_mut().get_mut(*first);
            first.payload = Value::of(text);
            first.below.extend(more);
            self.record_mut().get_mut(id).below.retain(|id| !removed.contains(id));
        }
    }

    /// Joins the texts of pieces. Reports if splitting them again will not return the same pieces.
    fn report_split(&mut self, id: Id, first: Id, pieces: &[Id]) -> String {
        let texts: Vec<&str> = pieces.iter().filter_map(|&id| self.structure(id).payload.text()).collect();
        let text = texts.join(", ");
        let name = self.structure(id).payload.text().unwrap_or("");
        let parts = names::split_piece(&text, name).unwrap_or_else(|| vec![text.clone()]);
        let mut below = self.structure(first).below.iter();
        let is_kept = below.any(|&below| self.context.documented.contains_key(&*self.structure(below).tag));
        if !is_kept && parts != texts && !text.is_empty() {
            let message = format!(
                "the name pieces are joined as `{text}`, and a conversion back to GEDCOM 7.0 splits them differently"
            );
            self.remark(first, codes::VALUE_NOT_CARRIED, message);
        }
        text
    }

    fn report_empty_pieces(&mut self, id: Id, tag: &str) -> Vec<Id> {
        let is_empty = |id: &Id| {
            let piece = self.structure(*id);
            piece.tag == tag && piece.payload == Value::None && piece.below.is_empty()
        };
        let empty: Vec<Id> = self.structure(id).below.iter().copied().filter(is_empty).collect();
        for &piece in &empty {
            let message = "left out an empty name piece next to others".to_owned();
            self.remark(piece, codes::STRUCTURE_REARRANGED, message);
        }
        empty
    }

    /// Returns the name pieces with a tag that have a text.
    fn pieces_with_text(&self, id: Id, tag: &str) -> impl Iterator<Item = Id> {
        let below = self.structure(id).below.iter().copied();
        below.filter(move |&id| self.structure(id).tag == tag && self.structure(id).payload.text().is_some())
    }

    /// Reports a record without the name that GEDCOM 5.5.1 requires.
    pub(super) fn report_missing_name(&mut self, id: Id) {
        if self.record().find(id, "NAME").is_none() {
            let message = format!("`{}` has no NAME, but GEDCOM 5.5.1 requires one", self.structure(id).tag);
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
    }
}
