//! One record of GEDCOM 5.5.1 or ELF, made one of GEDCOM 7.0.
//!
//! Its structures are met from the top down, so that the structure of GEDCOM 7.0 above each is known:
//! what that has no place for becomes an extension.

mod payload;
mod tags;

pub(crate) use tags::{RESIDENCE, is_whole};

use crate::files;
use crate::grammar::{Structure7, is_standard};
use crate::identifiers::Made;
use crate::names;
use crate::record::{Id, Record, Structure, TOP, Value};
use crate::remarks::Remark;
use crate::underscored::Siblings;
use crate::unstated;
use crate::values::Kind;
use elf_base::codes;
use elf_schema::{Resolver, Run, term};
use elf_tagged::NodeId;
use std::collections::{HashMap, HashSet};

/// The outcome for a record.
#[derive(Debug, Default)]
pub(crate) struct MigratedRecord<'d> {
    /// The record, and those that stood within it.
    pub(crate) records: Vec<Record<'d>>,
    /// The extensions in them: the number of the record, the structure, its IRI.
    pub(crate) extensions: Vec<(usize, Id, Option<String>)>,
    /// The identifiers that SNOTE points to, which GEDCOM 5.5.1 does not have.
    pub(crate) shared: Vec<Box<str>>,
    pub(crate) remarks: Vec<Remark>,
}

/// The surroundings of a record in its file.
pub(crate) struct Around7<'a> {
    pub(crate) part: &'a Run<'a>,
    /// The program that wrote the file.
    pub(crate) system: Option<&'a str>,
    /// The submitters that associations point to.
    pub(crate) submitters: &'a HashSet<Box<str>>,
    /// The identifiers that shared notes are pointed to by, and that no note bears.
    pub(crate) strays: &'a HashSet<Box<str>>,
    /// The submitter who was made up when the file was written.
    pub(crate) unstated: Option<&'a str>,
    /// Finds the types of GEDCOM 5.5.1 and ELF.
    pub(crate) resolver: &'a mut Resolver,
    /// The number of the last record that was made of what stood within another one.
    pub(crate) inline: &'a mut u64,
}

/// Migrates a record.
pub(crate) fn migrate<'d>(mut record: Record<'d>, around: &mut Around7<'_>) -> MigratedRecord<'d> {
    let mut done = MigratedRecord::default();
    leave_out_banned(&mut record, &mut done.remarks);
    let mut next = vec![record];
    while let Some(record) = next.pop() {
        let mut work = Work7 {
            record,
            around,
            done: &mut done,
            within: Vec::new(),
            said: HashSet::new(),
            named: HashSet::new(),
            marked: HashSet::new(),
            numbers: HashSet::new(),
            siblings: Siblings::default(),
            advanced: HashSet::new(),
            met: HashMap::new(),
            is_above_typed: false,
        };
        work.run();
        let Work7 { record, within, .. } = work;
        done.records.push(record);
        next.extend(within);
    }
    done
}

/// Leaves out the characters that no line of GEDCOM 7.0 holds, before anything depends on how a text starts,
/// or on whether there is one.
fn leave_out_banned(record: &mut Record<'_>, remarks: &mut Vec<Remark>) {
    let is_banned =
        |one: char| one.is_control() && !matches!(one, '\t' | '\n') || matches!(one, '\u{FFFE}' | '\u{FFFF}');
    for id in record.order() {
        let structure = record.get(id);
        let origin = structure.origin;
        let Some(text) = structure.payload.text().filter(|text| text.contains(is_banned)) else { continue };
        let kept: String = text.chars().filter(|one| !is_banned(*one)).collect();
        record.get_mut(id).payload = Value::of(kept);
        let message = "control characters are left out, which GEDCOM 7.0 does not have".to_owned();
        remarks.push(Remark { origin, code: codes::VALUE_NOT_CARRIED, message });
    }
}

/// A record at work.
struct Work7<'d, 'a, 'w> {
    record: Record<'d>,
    around: &'w mut Around7<'a>,
    done: &'w mut MigratedRecord<'d>,
    /// Records that stood within this one.
    within: Vec<Record<'d>>,
    /// The structures that may say something by standing there, without a payload: events and extensions.
    said: HashSet<Id>,
    /// The structures that a file of ELF calls by the IRIs of GEDCOM 7.0, and those beneath them, which are
    /// spelled as that spells them.
    named: HashSet<Id>,
    /// Marks, and structures that a mark would say nothing of.
    marked: HashSet<Id>,
    /// The tags of numbers that were met in the superstructure at hand.
    numbers: HashSet<&'static str>,
    /// The substructures of the superstructure at hand.
    siblings: Siblings,
    /// The times that are the end of a day, beneath dates of the next one.
    advanced: HashSet<Id>,
    /// The numbers of structures of each term that were met in it.
    met: HashMap<&'static str, u32>,
    /// True if the type of the superstructure at hand is known.
    is_above_typed: bool,
}

impl<'d> Work7<'d, '_, '_> {
    fn run(&mut self) {
        let top = self.top();
        if let Some(top) = top {
            self.arrange(TOP, top);
        }
        let mut open = vec![(TOP, top)];
        let mut known: Vec<(Id, Structure7)> = Vec::new();
        while let Some((id, of)) = open.pop() {
            known.extend(of.map(|of| (id, of)));
            self.numbers.clear();
            self.met.clear();
            self.siblings = Siblings::beneath(id);
            self.is_above_typed = self.is_typed(id);
            for below in self.record.get(id).below.clone() {
                let found = match of {
                    Some(of) if self.named.contains(&id) => self.beneath_named(of, below),
                    Some(of) => self.substructure(of, below),
                    None => self.beneath_extension(below),
                };
                open.push((below, found));
            }
        }
        self.prune();
        self.say_lacks(&known);
    }

    /// Gives the record itself its tag.
    fn top(&mut self) -> Option<Structure7> {
        if self.record.get(TOP).tag == "NOTE" {
            self.record.get_mut(TOP).tag = "SNOTE".into();
        }
        let is_header = self.record.is_header_of(self.around.part.document());
        let stands = |of: &Structure7| is_header || !matches!(of.term(), "HEAD" | "TRLR");
        let of = Structure7::record(&self.record.get(TOP).tag).filter(stands);
        match of {
            Some(of) if of.term() == "HEAD" => {
                let metadata = self.around.part.document().rules().tagged.metadata;
                let is_made = |tag: &str| matches!(tag, "CHAR" | "GEDC") || metadata.takes(tag, true);
                let below = self.record.get(TOP).below.iter().copied();
                let kept = below.filter(|&id| !is_made(&self.record.get(id).tag) && !self.is_unstated(id));
                let kept = kept.collect();
                let top = self.record.get_mut(TOP);
                (top.payload, top.below) = (Value::None, kept);
            }
            Some(of) => self.say_of_record(of),
            None => self.extend(TOP),
        }
        of
    }

    /// A payload of a record that GEDCOM 7.0 has without one goes beneath it.
    fn say_of_record(&mut self, of: Structure7) {
        let payload = &self.record.get(TOP).payload;
        if *payload == Value::None || of.kind().is_none_or(|kind| kind.payloads.text) && !payload.is_pointer()
        {
            return;
        }
        let _ = self.say(TOP, of, of);
    }

    /// Tells whether a structure of the header says that nothing is known of its subject.
    fn is_unstated(&self, id: Id) -> bool {
        let structure = self.record.get(id);
        let is_said = match &structure.payload {
            Value::Text(text) => &*structure.tag != "SOUR" || text != unstated::NAME,
            Value::Pointer(xref) => &*structure.tag != "SUBM" || Some(&**xref) != self.around.unstated,
            Value::None | Value::Void | Value::Made(_) => true,
        };
        !is_said && structure.below.is_empty()
    }

    /// Moves what stands elsewhere in GEDCOM 7.0 beneath a structure.
    fn arrange(&mut self, id: Id, of: Structure7) {
        match of.term() {
            "SOUR" => self.arrange_citation(id),
            "OBJE" => self.arrange_media(id),
            "record-OBJE" => {
                self.arrange_media_record(id);
            }
            "INDI-NAME" | "NAME-TRAN" => self.arrange_name(id),
            "ASSO" => self.add_wanted(id, "ROLE", "other".to_owned()),
            "FILE" => {
                let name = self.record.get(id).payload.text().unwrap_or_default();
                self.add_wanted(id, "FORM", files::format_of(name).to_owned());
            }
            "INDI-EVEN" | "FAM-EVEN" | "INDI-FACT" | "FAM-FACT" | "IDNO" => self.add_type(id),
            _ => {}
        }
    }

    /// A source that is described where it is cited (MG28, MG29): another record.
    fn arrange_citation(&mut self, id: Id) {
        if self.record.get(id).payload.is_pointer() {
            return;
        }
        let description = std::mem::replace(&mut self.record.get_mut(id).payload, Value::None);
        let origin = self.record.get(id).origin;
        let below = std::mem::take(&mut self.record.get_mut(id).below);
        let is_text = |below: &Id| self.record.get(*below).tag == "TEXT";
        let before = below.iter().take_while(|below| !is_text(below)).count();
        let (texts, others): (Vec<Id>, Vec<Id>) = below.into_iter().partition(is_text);
        self.record.get_mut(id).below = others;
        if let Some(data) = self.record.find(id, "DATA")
            && self.record.find(data, "TEXT").is_some()
        {
            let message = "the text of a source without a record comes back beneath it, not beneath DATA";
            self.remark(data, codes::STRUCTURE_REARRANGED, message.to_owned());
        }
        if !texts.is_empty() {
            let data = self.record.find(id, "DATA").unwrap_or_else(|| {
                let data = self.record.loose(Structure::new("DATA", Value::None, origin));
                self.record.get_mut(id).below.insert(before, data);
                data
            });
            self.record.get_mut(data).below.extend(texts);
        }
        let pointer = if description == Value::None {
            self.mark(id);
            Value::Void
        } else {
            let mut source = Record::new(Structure::new("SOUR", Value::None, origin));
            source.push(TOP, Structure::new("TITL", description, origin));
            self.stand_alone(source, 'S')
        };
        self.record.get_mut(id).payload = pointer;
    }

    /// Files that are described where they are linked to (MG20, MG21): another record.
    fn arrange_media(&mut self, id: Id) {
        let files = self.all(id, "FILE");
        if self.record.get(id).payload.is_pointer() || files.is_empty() {
            return;
        }
        let origin = self.record.get(id).origin;
        let mut media = Record::new(Structure::new("OBJE", Value::None, origin));
        let titles = self.all(id, "TITL").len();
        let below = std::mem::take(&mut self.record.get_mut(id).below);
        for one in below {
            let goes = match &*self.record.get(one).tag {
                "FILE" | "FORM" | "NOTE" | "SOUR" => true,
                // A title of several files stays with the link.
                "TITL" => files.len() == 1 && titles == 1,
                _ => false,
            };
            if goes {
                let copy = media.graft(&self.record, one);
                media.get_mut(TOP).below.push(copy);
            } else {
                self.record.get_mut(id).below.push(one);
            }
        }
        if media.find(TOP, "FORM").is_some() {
            self.remark(id, codes::STRUCTURE_REARRANGED, MOVED_FORMAT.to_owned());
        }
        let file = media.find(TOP, "FILE");
        if let (Some(title), Some(file)) = (media.find(TOP, "TITL"), file) {
            media.detach(TOP, title);
            media.get_mut(file).below.push(title);
        }
        let pointer = self.stand_alone(media, 'O');
        self.record.get_mut(id).payload = pointer;
    }

    /// A format that stands beside its file, as in GEDCOM 5.5, goes beneath it.
    fn arrange_media_record(&mut self, id: Id) {
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

    /// Pieces with commas (MG51).
    fn arrange_name(&mut self, id: Id) {
        let name = self.record.get(id).payload.text().unwrap_or_default().to_owned();
        let below = std::mem::take(&mut self.record.get_mut(id).below);
        let mut arranged = Vec::with_capacity(below.len());
        for one in below {
            arranged.push(one);
            let piece = self.record.get(one);
            let text = piece.payload.text().unwrap_or_default().to_owned();
            if !names::PIECES.contains(&&*piece.tag) {
                continue;
            }
            let Some(parts) = names::parts_of(&text, &name) else { continue };
            let (tag, origin) = (piece.tag.clone(), piece.origin);
            let is_kept = parts.join(", ") == text;
            for (at, part) in parts.into_iter().enumerate() {
                let value = Value::of(part);
                if at == 0 {
                    self.record.get_mut(one).payload = value;
                } else {
                    arranged.push(self.record.loose(Structure::new(tag.clone(), value, origin)));
                }
            }
            if !is_kept {
                self.keep(one, Value::of(text));
            }
        }
        self.record.get_mut(id).below = arranged;
    }

    /// Gives a substructure the tag and the payload that it has in GEDCOM 7.0.
    fn substructure(&mut self, of: Structure7, id: Id) -> Option<Structure7> {
        if self.marked.contains(&id) {
            return None;
        }
        self.retag(of, id);
        let Some(found) = self.found(of, id) else {
            self.extend(id);
            return None;
        };
        let is_named = self.named.contains(&id);
        if !is_named && !is_whole(&self.record, found, id) {
            if self.is_typed(id) {
                let tag = &self.record.get(id).tag;
                let message = format!("`{tag}` lacks what GEDCOM 7.0 wants, and is written as an extension");
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
            self.extend(id);
            return None;
        }
        if !is_named {
            self.arrange(id, found);
        }
        if Kind::of(found.term(), of.term()) == Some(Kind::Happened) {
            self.said.insert(id);
        }
        let before = is_named.then(|| self.record.get(id).below.len());
        let found = if found.points() {
            self.point(id, found);
            Some(found)
        } else {
            self.say(id, found, of)
        };
        if let Some(found) = found {
            self.say_repeated(id, found, of);
        }
        // By the IRIs of GEDCOM 7.0 it comes from there, and does not go back.
        if before.is_some_and(|before| before < self.record.get(id).below.len()) {
            let tag = &self.record.get(id).tag;
            let message =
                format!("the payload is none that `{tag}` has in GEDCOM 7.0, and is said beneath it");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        found
    }

    /// Finds a structure beneath one that the file calls by an IRI of GEDCOM 7.0, and spells as that does.
    fn beneath_named(&mut self, of: Structure7, id: Id) -> Option<Structure7> {
        let structure = self.record.get(id);
        if structure.tag == "NOTE" && structure.payload.is_pointer() && of.substructure("SNOTE").is_some() {
            self.rename(id, "SNOTE");
        }
        let found = of.substructure(&self.record.get(id).tag);
        match found {
            Some(found) => {
                self.named.insert(id);
                if found.points() {
                    self.point(id, found);
                }
            }
            None => self.extend(id),
        }
        found
    }

    /// Gives a structure beneath an extension the tag that it has in GEDCOM 7.0.
    fn beneath_extension(&mut self, id: Id) -> Option<Structure7> {
        self.said.insert(id);
        let structure = self.record.get(id);
        if structure.tag == "NOTE" && structure.payload.is_pointer() {
            self.rename(id, "SNOTE");
        } else if !is_standard(&structure.tag) || structure.tag == "SCHMA" {
            self.extend(id);
        } else if structure.tag == "SNOTE" {
            self.remark(id, codes::STRUCTURE_REARRANGED, "`SNOTE` comes back as `NOTE`".to_owned());
        }
        None
    }

    /// Leaves out what is empty and says nothing (MG105). An event that is empty may be known to have
    /// happened, and what an extension means nobody knows: they get a mark, with which they come back.
    fn prune(&mut self) {
        let mut is_empty = vec![false; self.record.len()];
        for id in self.record.order().into_iter().rev() {
            let below = std::mem::take(&mut self.record.get_mut(id).below);
            let kept: Vec<Id> =
                below.into_iter().filter(|&id| !is_empty.get(id).copied().unwrap_or_default()).collect();
            let structure = self.record.get(id);
            let is_without = id != TOP && kept.is_empty() && structure.payload == Value::None;
            self.record.get_mut(id).below = kept;
            if is_without && self.said.contains(&id) {
                self.mark(id);
            } else if is_without {
                let tag = self.tag_read(id);
                let message =
                    format!("`{tag}` says nothing and is left out: GEDCOM 7.0 has none that is empty");
                self.remark(id, codes::STRUCTURE_NOT_CARRIED, message);
                if let Some(is_empty) = is_empty.get_mut(id) {
                    *is_empty = true;
                }
            }
        }
        let top = self.record.get(TOP);
        if top.payload != Value::None || !top.below.is_empty() || top.tag == "HEAD" {
            return;
        }
        // A record that nothing can point to is none where it is empty.
        if top.xref.is_none() {
            return self.mark(TOP);
        }
        let tag = self.tag_read(TOP);
        let message = format!(
            "`{tag}` says nothing: it stays, for it may be pointed to, but some readers of GEDCOM 7.0 object"
        );
        self.remark(TOP, codes::STRUCTURE_REARRANGED, message);
    }

    /// Makes a record of what stood within this one; returns the pointer to it.
    fn stand_alone(&mut self, mut record: Record<'d>, letter: char) -> Value<'d> {
        *self.around.inline += 1;
        let made = Made { letter, number: *self.around.inline };
        record.set_made(made);
        self.within.push(record);
        Value::Made(made)
    }

    /// Tells whether the type of a structure of the document is known.
    fn is_typed(&self, id: Id) -> bool {
        let node = self.around.part.document().node(self.record.get(id).origin);
        let iri = node.and_then(|node| self.around.part.type_of(node));
        iri.is_some_and(|iri| term::undefined_tag(iri).is_none())
    }

    /// The tag that the document has for a structure, or for the one that it was made of.
    fn tag_read(&self, id: Id) -> String {
        let node = self.around.part.document().node(self.record.get(id).origin);
        node.map_or("", |node| node.tag()).to_owned()
    }

    /// The IRI of the type of a structure of the document.
    fn iri(&self, origin: NodeId) -> Option<String> {
        let node = self.around.part.document().node(origin)?;
        self.around.part.type_of(node).map(str::to_owned)
    }

    fn all(&self, above: Id, tag: &str) -> Vec<Id> {
        let below = self.record.get(above).below.iter().copied();
        below.filter(|&id| self.record.get(id).tag == tag).collect()
    }

    fn rename(&mut self, id: Id, tag: &'static str) {
        self.record.get_mut(id).tag = tag.into();
    }

    fn remark(&mut self, id: Id, code: elf_base::Code, message: String) {
        self.done.remarks.push(Remark { origin: self.record.get(id).origin, code, message });
    }
}

/// The remark about a format that stands beside its file.
const MOVED_FORMAT: &str = "the format goes beneath the file that it is of";
