//! Tags: those that GEDCOM 7.0 has for structures of GEDCOM 5.5.1, ELF and programs.

use super::Work7;
use crate::dates;
use crate::extensions;
use crate::grammar::{Structure7, TERMS};
use crate::identifiers;
use crate::names;
use crate::record::{Id, Record, Structure, Value};
use crate::underscored;
use crate::values::{Kind, Said};
use elf_base::codes;
use elf_schema::{Schema, TypeId, term};

impl<'d> Work7<'d, '_, '_> {
    /// The structure of GEDCOM 7.0 that a structure is.
    pub(super) fn found(&mut self, of: Structure7, id: Id) -> Option<Structure7> {
        let structure = self.record.get(id);
        // The header has these anew; by other rules a structure may be called so.
        let is_data = |found: &Structure7| !matches!(found.term(), "GEDC" | "SCHMA");
        if let Some(found) = of.substructure(&structure.tag).filter(is_data) {
            // What only GEDCOM 7.0 has here comes back as an extension, or by another tag.
            let is_own = self.is_as_read(id) && !self.is_typed(id);
            if is_own && !self.is_valid(of, found, id) {
                return None;
            }
            if is_own && self.is_above_typed && is_whole(&self.record, found, id) {
                let tag = &self.record.get(id).tag;
                let message = format!("GEDCOM 5.5.1 does not have `{tag}` here, and it comes back otherwise");
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
            return Some(found);
        }
        let iri = self.iri(structure.origin);
        let term = iri.as_deref().and_then(|iri| iri.strip_prefix(TERMS));
        // A file of ELF may name the terms of GEDCOM 7.0, by any tag.
        let named =
            term.and_then(|_| of.substructure_of(iri.as_deref()?)).filter(|(_, found)| is_data(found));
        let tag = named
            .map_or_else(|| structure.tag.strip_prefix('_').unwrap_or_default(), |(tag, _)| tag)
            .to_owned();
        let found = of.substructure(&tag)?;
        let is_named = named.is_some();
        // What it means is said, but there is no room for it beside what stands there already.
        let tags = [&*structure.tag];
        if is_named && !self.siblings.have_room(&self.record, of, &tag, &tags) {
            return None;
        }
        // What points to nothing is written without a pointer, where more is said of it.
        let is_void = found.points()
            && structure.payload == Value::None
            && !structure.below.is_empty()
            && (is_named || underscored::points_to_nothing(&self.record, of, id, &mut self.siblings));
        let is_early = !is_named && (is_void || self.stands_for(of, id));
        let is_it = (is_named || is_early) && self.may_be_note(found, id);
        if is_it && is_early {
            let was = &self.record.get(id).tag;
            let message = format!("`{was}` is taken for what GEDCOM 7.0 calls `{tag}`");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        is_it.then(|| {
            if is_named {
                self.named.insert(id);
            }
            if is_void {
                self.marked.insert(id);
            }
            let was = std::mem::replace(&mut self.record.get_mut(id).tag, tag.clone().into());
            self.siblings.retag(&was, &tag);
            found
        })
    }

    /// Tells whether a structure that GEDCOM 5.5.1 does not have, by a tag of GEDCOM 7.0, is what that has by
    /// it (MG103, MG104).
    fn is_valid(&mut self, of: Structure7, found: Structure7, id: Id) -> bool {
        if !self.may_be_note(found, id) {
            return false;
        }
        let tag = &self.record.get(id).tag;
        self.siblings.have_room(&self.record, of, tag, &[])
            && underscored::is_valid(&self.record, id, found, of)
    }

    /// Tells whether a structure is other than a pointer to a shared note, or points to a record that is one,
    /// and notes that it does.
    fn may_be_note(&mut self, found: Structure7, id: Id) -> bool {
        if let Value::Pointer(xref) = &self.record.get(id).payload
            && found.term() == "SNOTE"
        {
            if self.around.strays.contains(&**xref) {
                return false;
            }
            self.done.shared.push(xref.as_ref().into());
        }
        true
    }

    /// Reports structures that are more than GEDCOM 7.0 has in one.
    pub(super) fn say_repeated(&mut self, id: Id, found: Structure7, of: Structure7) {
        let tag = &self.record.get(id).tag;
        let Some(most) = of.most(tag) else { return };
        let met = self.met.entry(found.term()).or_default();
        *met += 1;
        if *met > most {
            let message = format!("GEDCOM 7.0 has no more than {most} of `{tag}` here");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
    }

    /// Gives a structure another tag, where GEDCOM 7.0 has one.
    pub(super) fn retag(&mut self, of: Structure7, id: Id) {
        let structure = self.record.get(id);
        if structure.tag.starts_with('_') && self.is_of_7(id) {
            return;
        }
        let text = structure.payload.text().map(str::to_owned);
        let is_pointer = structure.payload.is_pointer();
        let is_creation = matches!(&*structure.tag, "_CRE" | "_CREAT")
            && of.substructure("CREA").is_some_and(|of| underscored::has_wanted(&self.record, id, of))
            && self.siblings.have_room(&self.record, of, "CREA", &["_CRE", "_CREAT", "_CREA"]);
        let has = |tag: &str| of.substructure(tag).is_some();
        match (&*structure.tag, text) {
            ("NOTE", _) if is_pointer && has("SNOTE") => self.rename(id, "SNOTE"),
            ("TYPE" | "MEDI", _) if of.term() == "FORM" => {
                self.respell(id, "MEDI", if self.record.is_made() { "MEDI" } else { "TYPE" });
            }
            ("RELA", _) if of.term() == "ASSO" => self.rename(id, "ROLE"),
            ("EMAI" | "_EMAIL", Some(_)) if has("EMAIL") => self.respell(id, "EMAIL", "EMAIL"),
            ("_INIT" | "WAC", _) if has("INIL") => self.respell(id, "INIL", "_INIT"),
            ("_CRE" | "_CREAT", _) if is_creation => {
                self.respell(id, "CREA", "_CREAT");
            }
            ("_UID", Some(text)) if has("UID") => {
                if let Some(made) = identifiers::unique_to_7(&text) {
                    self.rename(id, "UID");
                    self.record.get_mut(id).payload = Value::of(made);
                }
            }
            (tag @ ("FONE" | "ROMN"), _)
                if matches!(of.term(), "INDI-NAME" | "PLAC") && self.is_typed(id) =>
            {
                let way = self.record.find(id, "TYPE").map(|of| self.record.get(of));
                let is_plain = way.is_none_or(|way| way.below.is_empty() && way.payload.text().is_some());
                let way = way.map(|way| way.payload.text().unwrap_or_default().to_owned());
                let (language, is_said) = names::language_of(tag, way.as_deref());
                let language = language.to_owned();
                if let Some(of) = self.record.find(id, "TYPE").filter(|_| is_said && is_plain) {
                    self.record.detach(id, of);
                }
                self.rename(id, "TRAN");
                self.record.add(id, "LANG", language);
            }
            ("RESI", None) if self.record.bare(id, RESIDENCE).is_some() => {
                if let Some(words) = self.record.bare(id, RESIDENCE) {
                    let payload = std::mem::replace(&mut self.record.get_mut(words).payload, Value::None);
                    self.record.get_mut(id).payload = payload;
                    self.record.detach(id, words);
                }
            }
            ("ALIA", Some(_)) if of.term() == "record-INDI" => {
                self.rename(id, "NAME");
                self.record.add(id, "TYPE", "aka");
                self.remark(
                    id,
                    codes::STRUCTURE_REARRANGED,
                    "an alias that is no pointer becomes another `NAME`".into(),
                );
            }
            (tag, Some(text)) if text == "N" && has("NO") && Kind::of(tag, "") == Some(Kind::Happened) => {
                let tag = tag.to_owned();
                self.keep(id, Value::of(text));
                self.rename(id, "NO");
                self.record.get_mut(id).payload = Value::of(tag);
            }
            // Where GEDCOM 5.5.1 has no such number, there is no tag for it to come back to.
            (tag, Some(text)) if has("EXID") && (!is_number(tag) || self.is_typed(id)) => {
                // Each comes back once: further ones stay what they are, as extensions.
                if let Some(number) = identifiers::number(tag)
                    && !self.numbers.insert(number)
                {
                    return;
                }
                if let Some((text, of)) = identifiers::external(tag, &text, self.around.system) {
                    self.respell(id, "EXID", identifiers::number(tag).unwrap_or("_FSFTID"));
                    self.record.get_mut(id).payload = Value::of(text);
                    self.record.add(id, "TYPE", of);
                }
            }
            _ => {}
        }
    }

    /// Tells whether a structure stands for what GEDCOM 7.0 calls so without the underscore.
    fn stands_for(&mut self, of: Structure7, id: Id) -> bool {
        let Some(above) = self.type_above(of, id) else { return false };
        let resolver = &mut *self.around.resolver;
        let has_tag = |tag: &str| {
            let found = resolver.resolve(above, tag);
            !resolver.is_undefined(found)
        };
        underscored::stands_for(&self.record, of, id, &mut self.siblings, has_tag).is_some()
    }

    /// The type of GEDCOM 5.5.1 of the superstructure of a structure.
    fn type_above(&self, of: Structure7, id: Id) -> Option<TypeId> {
        if of.term() == "HEAD" {
            return Some(TypeId::METADATA);
        }
        let node = self.around.part.document().node(self.record.get(id).origin)?;
        Schema::completed().type_of(self.around.part.type_of(node.superstructure()?)?)
    }

    /// Gives a structure the tag of GEDCOM 7.0, which comes back as another one.
    fn respell(&mut self, id: Id, tag: &'static str, back: &str) {
        let was = &self.record.get(id).tag;
        if was != back {
            let message = format!("`{was}` is one spelling of what is written `{back}` otherwise");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        self.rename(id, tag);
    }

    /// Adds what GEDCOM 7.0 wants, where a value can be given for what is not known.
    pub(super) fn add_wanted(&mut self, id: Id, tag: &'static str, value: String) {
        // The role of an association is still called after its relation.
        if [tag, "RELA"].iter().any(|tag| self.record.find(id, tag).is_some()) {
            return;
        }
        let message = format!("{tag} {value} is added, since GEDCOM 7.0 wants one");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        self.record.add(id, tag, value);
    }

    /// An event or a fact of which no more is said gets a TYPE (MG88).
    pub(super) fn add_type(&mut self, id: Id) {
        if self.record.find(id, "TYPE").is_some() {
            return;
        }
        let structure = self.record.get(id);
        let text = structure.payload.text().filter(|text| structure.tag != "IDNO" && !text.contains('\n'));
        let of = text.unwrap_or(&structure.tag).to_owned();
        self.remark(
            id,
            codes::STRUCTURE_REARRANGED,
            format!("TYPE {of} is added, since GEDCOM 7.0 wants one"),
        );
        self.record.add(id, "TYPE", of);
    }

    /// Keeps a payload that GEDCOM 7.0 does not have, in an extension beneath the structure.
    pub(super) fn keep(&mut self, id: Id, payload: Value<'d>) {
        let structure = self.record.get(id);
        let origin = structure.origin;
        let original = self.tag_read(id);
        let iri = self.iri(origin).unwrap_or_else(|| extensions::undefined(&original));
        let iri = extensions::kept(&iri, &original).into_owned();
        let tag = extensions::tag_of(&original);
        let kept = self.record.push(id, Structure::new(tag, payload, origin));
        self.done.extensions.push((self.done.records.len(), kept, Some(iri)));
    }

    /// Makes a structure an extension.
    pub(super) fn extend(&mut self, id: Id) {
        let structure = self.record.get(id);
        let original = structure.tag.to_string();
        let tag = extensions::tag_of(&original);
        let iri = self.iri(structure.origin).unwrap_or_else(|| extensions::undefined(&original));
        let is_undefined = term::undefined_tag(&iri).is_some();
        // A tag with an underscore may stand anywhere, and nobody knows what it means.
        let is_plain = is_undefined && tag == original;
        if is_undefined && !is_plain {
            let message =
                format!("`{original}` is written as an extension, since GEDCOM 7.0 has none such here");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        self.record.get_mut(id).tag = tag.into();
        self.said.insert(id);
        self.done.extensions.push((self.done.records.len(), id, (!is_plain).then_some(iri)));
    }

    /// Says of structures what each lacks that GEDCOM 7.0 wants, and for which no value can be given.
    pub(super) fn say_lacks(&mut self, structures: &[(Id, Structure7)]) {
        let mut stands = vec![false; self.record.len()];
        for id in self.record.order() {
            stands.get_mut(id).into_iter().for_each(|stands| *stands = true);
        }
        for &(id, of) in structures.iter().filter(|(id, _)| stands.get(*id) == Some(&true)) {
            let Some(kind) = of.kind().filter(|_| of.term() != "HEAD") else { continue };
            let payloads = kind.payloads;
            let is_silent = !payloads.none && !payloads.pointer && self.record.get(id).payload == Value::None;
            let payload = is_silent.then_some("a payload");
            let slots = kind.slots.iter().filter(|slot| slot.min > 0).map(|slot| slot.name);
            for wanted in payload
                .into_iter()
                .chain(slots.filter(|tag| self.record.find(id, tag).is_none()))
                .collect::<Vec<_>>()
            {
                let message = format!("`{}` lacks {wanted}, which GEDCOM 7.0 wants", self.record.get(id).tag);
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
        }
    }

    /// Tells whether a structure has the tag that it had in the document.
    fn is_as_read(&self, id: Id) -> bool {
        let structure = self.record.get(id);
        let node = self.around.part.document().node(structure.origin);
        node.is_some_and(|node| node.tag() == structure.tag)
    }

    /// Tells whether the document calls a structure by an IRI of GEDCOM 7.0.
    fn is_of_7(&self, id: Id) -> bool {
        let node = self.around.part.document().node(self.record.get(id).origin);
        let iri = node.and_then(|node| self.around.part.type_of(node));
        iri.is_some_and(|iri| iri.starts_with(TERMS))
    }
}

/// The tag of a residence in words, beneath it.
pub(crate) const RESIDENCE: &str = "_RESI";

/// Tells whether a tag is that of a number which files or archives give to records.
fn is_number(tag: &str) -> bool {
    matches!(tag, "AFN" | "RFN" | "RIN")
}

/// Tells whether a structure has beneath it what GEDCOM 7.0 wants there and nobody can add
/// (MG59, MG94).
pub(crate) fn is_whole(record: &Record<'_>, of: Structure7, id: Id) -> bool {
    let has = |tag: &str, kind: Kind| {
        let text = record.text_of(id, tag);
        text.is_some_and(|text| !text.is_empty() && kind.to_7(text) == Said::plain(text))
    };
    match of.term() {
        "MAP" => has("LATI", Kind::LATITUDE) && has("LONG", Kind::LONGITUDE),
        "ord-STAT" | "FAMC-STAT" if of.substructure("DATE").is_some() => {
            record.text_of(id, "DATE").is_some_and(|text| dates::exact_to_7(text).phrase.is_none())
        }
        _ => true,
    }
}
