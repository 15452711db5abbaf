//! Moves structures to where GEDCOM 7.0 has them, and adds those that it requires.

use super::migrator::To7Migrator;
use crate::equivalents::Mark;
use crate::files;
use crate::grammar::Structure7;
use crate::names;
use crate::record::{Id, Record, Structure, TOP, Value};
use crate::vendor_tags;
use elf_base::codes;

/// The remark about a format beside its file, as in GEDCOM 5.5.
const MOVED_FORMAT: &str = "the format is moved under its file";

/// The remark about a title beside its file, as in GEDCOM 5.5.
const MOVED_TITLE: &str = "the title is moved under its file";

impl To7Migrator<'_, '_, '_> {
    /// Moves and adds substructures so that they are where GEDCOM 7.0 has them.
    pub(super) fn rearrange(&mut self, id: Id, of: Structure7) {
        match of.term() {
            "record-INDI" => self.move_vendor_names(),
            "SOUR" => self.move_source(id),
            "OBJE" => self.move_media(id),
            "record-OBJE" => {
                self.name_files();
                self.move_format(id);
                self.move_title(id);
            }
            "INDI-NAME" | "NAME-TRAN" => {
                self.split_pieces(id);
                self.add_name(id);
            }
            "INDI-FAMC" => self.add_pedigree(id),
            "SLGC" => self.add_family(id),
            "ASSO" => self.add_role(id),
            "FILE" => self.add_format(id),
            "INDI-EVEN" | "FAM-EVEN" | "INDI-FACT" | "FAM-FACT" | "IDNO" => self.add_type(id),
            _ => {}
        }
    }

    /// Creates a record for a source that is described in a citation (MG28, MG29).
    fn move_source(&mut self, id: Id) {
        if self.record.get(id).payload.is_pointer() {
            return self.move_texts_of_citation(id);
        }
        if let Some(data) = self.record.find(id, "DATA")
            && self.record.find(data, "TEXT").is_some()
        {
            let message = "a conversion back puts the text of a source without a record directly under SOUR, not under DATA";
            self.remark(data, codes::STRUCTURE_REARRANGED, message.to_owned());
        }
        let description = std::mem::replace(&mut self.record.get_mut(id).payload, Value::None);
        let origin = self.record.get(id).origin;
        self.move_texts(id);
        let pointer = if description == Value::None {
            self.mark(id);
            Value::Void
        } else {
            let mut source = Record::new(Structure::new("SOUR", Value::None, origin));
            source.push(TOP, Structure::new("TITL", description, origin));
            self.add_record(source, 'S')
        };
        self.record.get_mut(id).payload = pointer;
    }

    /// Moves texts directly under the citation of a source record to where both standards allow them (MG118).
    fn move_texts_of_citation(&mut self, id: Id) {
        let Some(text) = self.record.find(id, "TEXT") else { return };
        let message = "the text is moved under DATA, as in citations of source records".to_owned();
        self.remark(text, codes::STRUCTURE_REARRANGED, message);
        self.move_texts(id);
    }

    /// Moves the texts of a citation under `DATA` (MG28, MG118).
    fn move_texts(&mut self, id: Id) {
        let origin = self.record.get(id).origin;
        let below = std::mem::take(&mut self.record.get_mut(id).below);
        let is_text = |below: &Id| self.record.get(*below).tag == "TEXT";
        let before = below.iter().take_while(|below| !is_text(below)).count();
        let (texts, others): (Vec<Id>, Vec<Id>) = below.into_iter().partition(is_text);
        self.record.get_mut(id).below = others;
        if texts.is_empty() {
            return;
        }
        let data = self.record.find(id, "DATA").unwrap_or_else(|| {
            let data = self.record.add_detached(Structure::new("DATA", Value::None, origin));
            self.record.get_mut(id).below.insert(before, data);
            data
        });
        self.record.get_mut(data).below.extend(texts);
    }

    /// Creates a record for files that are described in a link (MG20, MG21).
    fn move_media(&mut self, id: Id) {
        let files = self.all(id, "FILE");
        if self.record.get(id).payload.is_pointer() || files.is_empty() {
            return;
        }
        let origin = self.record.get(id).origin;
        let mut media = Record::new(Structure::new("OBJE", Value::None, origin));
        // If there are several files, the title stays in the link.
        let moves_title = files.len() == 1 && self.all(id, "TITL").len() == 1;
        for one in std::mem::take(&mut self.record.get_mut(id).below) {
            let is_moved = match &*self.record.get(one).tag {
                "FILE" | "FORM" | "NOTE" | "SOUR" => true,
                "TITL" => moves_title,
                _ => false,
            };
            if is_moved {
                let copy = media.graft(&self.record, one);
                media.get_mut(TOP).below.push(copy);
            } else {
                self.record.get_mut(id).below.push(one);
            }
        }
        if media.find(TOP, "FORM").is_some() {
            self.remark(id, codes::STRUCTURE_REARRANGED, MOVED_FORMAT.to_owned());
        }
        if let (Some(title), Some(file)) = (media.find(TOP, "TITL"), media.find(TOP, "FILE")) {
            media.detach(TOP, title);
            media.get_mut(file).below.push(title);
        }
        let pointer = self.add_record(media, 'O');
        self.record.get_mut(id).payload = pointer;
    }

    /// Moves a format that is beside its file, as in GEDCOM 5.5, under the file (MG24).
    fn move_format(&mut self, id: Id) {
        if let ([file], [form]) = (&self.all(id, "FILE")[..], &self.all(id, "FORM")[..])
            && self.record.find(*file, "FORM").is_none()
        {
            if id == TOP && !self.record.is_made() {
                self.remark(*form, codes::STRUCTURE_REARRANGED, MOVED_FORMAT.to_owned());
            }
            self.record.detach(id, *form);
            self.record.get_mut(*file).below.insert(0, *form);
        }
    }

    /// Moves a title that is beside its file, as in GEDCOM 5.5, under the file (MG119).
    fn move_title(&mut self, id: Id) {
        let titles = self.all(id, "TITL");
        if let ([file], [title]) = (&self.all(id, "FILE")[..], &titles[..])
            && self.record.find(*file, "TITL").is_none()
        {
            self.remark(*title, codes::STRUCTURE_REARRANGED, MOVED_TITLE.to_owned());
            self.record.detach(id, *title);
            self.record.get_mut(*file).below.push(*title);
            return;
        }
        for title in titles {
            let message = "title written as an extension: in GEDCOM 7.0, a title belongs to one file";
            self.remark(title, codes::STRUCTURE_REARRANGED, message.to_owned());
        }
    }

    /// Creates a missing name from its pieces, with a mark (MG120).
    fn add_name(&mut self, id: Id) {
        if self.record.get(id).payload != Value::None {
            return;
        }
        let Some(name) = names::join_name_pieces(&self.record, id) else { return };
        let message = format!("name `{name}` made from its pieces: GEDCOM 7.0 requires one");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        self.record.get_mut(id).payload = Value::of(name);
        self.mark(id);
    }

    /// Adds a null pointer to a sealing to parents without a family (MG121).
    fn add_family(&mut self, id: Id) {
        if self.record.find(id, "FAMC").is_some() {
            return;
        }
        let message = "FAMC @VOID@ added: GEDCOM 7.0 requires FAMC";
        self.remark(id, codes::STRUCTURE_REARRANGED, message.to_owned());
        let origin = self.record.get(id).origin;
        self.record.push(id, Structure::new("FAMC", Value::Void, origin));
    }

    /// Adds PEDI from the relations to father and mother that programs write (MG123). A mark with the word says that it
    /// was added.
    fn add_pedigree(&mut self, id: Id) {
        let node = self.context.run.document().node(self.record.get(id).origin);
        let Some(link) = node.filter(|_| self.record.find(id, "PEDI").is_none()) else { return };
        let Some(word) = self.context.ties.pedigree(link) else { return };
        let message = format!("PEDI `{word}` added, which `_FREL` and `_MREL` say");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        let pedigree = self.record.add(id, "PEDI", word.clone());
        let mark = Mark { tag: vendor_tags::FATHER.to_owned(), text: Some(word), was_under_name: false };
        self.mark_vendor(pedigree, &mark);
    }

    /// Splits name pieces that are separated by commas (MG51).
    fn split_pieces(&mut self, id: Id) {
        let has_commas = |id: &Id| {
            let piece = self.record.get(*id);
            names::PIECES.contains(&&*piece.tag)
                && piece.payload.text().is_some_and(|text| text.contains(','))
        };
        if !self.record.get(id).below.iter().any(has_commas) {
            return;
        }
        let name = self.record.get(id).payload.text().unwrap_or("").to_owned();
        for one in std::mem::take(&mut self.record.get_mut(id).below) {
            self.record.get_mut(id).below.push(one);
            let piece = self.record.get(one);
            let Some(text) = piece.payload.text().filter(|_| names::PIECES.contains(&&*piece.tag)) else {
                continue;
            };
            let Some(parts) = names::split_piece(text, &name) else { continue };
            let (text, tag, origin) = (text.to_owned(), piece.tag.clone(), piece.origin);
            let is_kept = parts.join(", ") == text;
            for (at, part) in parts.into_iter().enumerate() {
                if at == 0 {
                    self.record.get_mut(one).payload = Value::of(part);
                } else {
                    self.record.push(id, Structure::new(tag.clone(), Value::of(part), origin));
                }
            }
            if !is_kept {
                self.keep_payload(one, Value::of(text));
            }
        }
    }

    /// Adds the role of an associate, if it has neither a role nor a relation (MG36).
    fn add_role(&mut self, id: Id) {
        if self.record.find(id, "RELA").is_none() {
            self.add_required(id, "ROLE", "other");
        }
    }

    /// Adds the format of a file, derived from the extension of its name (MG24).
    fn add_format(&mut self, id: Id) {
        let format = files::format_of_name(self.record.get(id).payload.text().unwrap_or(""));
        self.add_required(id, "FORM", format);
    }

    fn add_required(&mut self, id: Id, tag: &'static str, value: &'static str) {
        if self.record.find(id, tag).is_none() {
            let message = format!("{tag} {value} added: GEDCOM 7.0 requires {tag}");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
            self.record.add(id, tag, value);
        }
    }

    /// Adds the type of an event or fact: its payload, or else its tag (MG88).
    fn add_type(&mut self, id: Id) {
        if self.record.find(id, "TYPE").is_some() {
            return;
        }
        let structure = self.record.get(id);
        let text = structure.payload.text().filter(|text| structure.tag != "IDNO" && !text.contains('\n'));
        let value = text.unwrap_or(&structure.tag).to_owned();
        let message = format!("TYPE {value} added: GEDCOM 7.0 requires TYPE");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        self.record.add(id, "TYPE", value);
    }
}
