//! Tags: those that GEDCOM 5.5.1 has for structures of GEDCOM 7.0, and those of extensions.

use super::Work551;
use crate::fitted;
use crate::grammar::Structure7;
use crate::identifiers;
use crate::names;
use crate::record::{Id, TOP, Value};
use crate::underscored;
use crate::values::Kind;
use elf_base::codes;
use elf_schema::{Schema, TypeId, term};

impl Work551<'_, '_, '_> {
    /// Gives a structure another tag, where GEDCOM 5.5.1 has one.
    pub(super) fn retag(&mut self, of: Structure7, inner: Structure7, found: TypeId, id: Id) {
        match inner.term() {
            "SNOTE" => self.rename(id, "NOTE"),
            "ROLE" if of.term() == "ASSO" => self.rename(id, "RELA"),
            "MEDI" if of.term() == "FORM" && self.structure(TOP).tag == "OBJE" => self.rename(id, "TYPE"),
            "UID" => {
                let text = self.structure(id).payload.text();
                let made = text.map(identifiers::unique_to_551);
                let back = made.as_deref().and_then(identifiers::unique_to_7);
                if back.is_some() && back.as_deref() == text {
                    self.rename(id, "_UID");
                    self.done.plain.push("_UID");
                    self.done.record.get_mut(id).payload = made.map_or(Value::None, Value::of);
                }
            }
            "EXID" => self.retag_external(found, id),
            "NAME-TRAN" | "PLAC-TRAN" => self.retag_translation(found, id),
            "FAM-FACT" => {
                self.rename(id, "EVEN");
                let message =
                    "a fact of a family is written as `EVEN`, an event, since GEDCOM 5.5.1 has none";
                self.remark(id, codes::VALUE_NOT_CARRIED, message.to_owned());
            }
            _ => {}
        }
    }

    /// A name in another script. It stays what it is where GEDCOM 5.5.1 has none, and where more is said of
    /// its language.
    fn retag_translation(&mut self, found: TypeId, id: Id) {
        let language = self.done.record.find(id, "LANG");
        let text = self.done.record.text_of(id, "LANG").unwrap_or_default().to_owned();
        let (tag, way) = names::way_of(&text);
        let type_of = self.around.resolver.resolve(found, tag);
        let has_more = language.is_some_and(|language| !self.is_bare(language));
        if has_more || self.around.resolver.is_undefined(type_of) {
            return;
        }
        if names::language_of(tag, way) != (&*text, true) {
            let message = match way {
                Some(_) => format!("the language `{text}` does not come back out of its type"),
                None => "the text has no language".to_owned(),
            };
            self.remark(id, codes::VALUE_NOT_CARRIED, message);
        }
        self.rename(id, tag);
        self.take_kept(id, found, tag);
        match (language, way) {
            (Some(language), None) => self.done.record.detach(id, language),
            // Of its type more is said, so that it comes back as it was.
            (Some(language), Some(_)) if self.has_type(id) => {
                self.done.record.detach(id, language);
            }
            (Some(language), Some(way)) => {
                self.rename(language, "TYPE");
                self.settled.insert(language);
                self.done.record.get_mut(language).payload = Value::of(way.to_owned());
            }
            (None, _) => {}
        }
    }

    /// Tells whether the type of a name in another script stands beneath it as an extension.
    fn has_type(&self, id: Id) -> bool {
        let iris =
            self.around.documented.get("_TYPE").filter(|_| self.done.record.find(id, "_TYPE").is_some());
        iris.is_some_and(|iris| iris.iter().any(|iri| Schema::completed().type_of(iri).is_some()))
    }

    /// An external identifier that GEDCOM 5.5.1 has a tag for (MG40 to MG43).
    fn retag_external(&mut self, found: TypeId, id: Id) {
        let text = self.structure(id).payload.text().unwrap_or_default().to_owned();
        let Some(external) = self.done.record.bare(id, "TYPE") else { return };
        let Some(of) = self.structure(external).payload.text().map(str::to_owned) else { return };
        let Some((tag, text)) = identifiers::internal(&text, &of) else { return };
        let exactly = self.structure(id).payload.text();
        let is_own = identifiers::external(tag, &text, self.around.system)
            .is_some_and(|(own, type_of)| type_of == of && Some(&*own) == exactly);
        let type_of = self.around.resolver.resolve(found, tag);
        let has_place = tag.starts_with('_') || !self.around.resolver.is_undefined(type_of);
        if is_own && has_place && self.numbers.insert(tag) {
            self.done.record.detach(id, external);
            self.rename(id, tag);
            self.done.record.get_mut(id).payload = Value::of(text);
        }
    }

    /// Tells whether GEDCOM 5.5.1 has no place for a structure, though it, or GEDCOM 5.5, has its tag. A
    /// sealing to parents loses its pointer to nothing here.
    pub(super) fn has_no_place(&mut self, id: Id, of: Structure7, above: Structure7) -> bool {
        let met = self.met.entry(of.term()).or_default();
        *met += 1;
        let has_none = underscored::has_no_place(&self.done.record, id, of, above, *met - 1);
        let family = self.done.record.find(id, "FAMC").filter(|_| has_none && of.term() == "SLGC");
        if let Some(family) = family {
            self.done.record.get_mut(family).payload = Value::None;
        }
        has_none
    }

    /// Says that a record lacks the name that GEDCOM 5.5.1 wants, for which no value can be given.
    pub(super) fn say_lack(&mut self, id: Id) {
        if self.done.record.find(id, "NAME").is_none() {
            let message = format!("`{}` lacks NAME, which GEDCOM 5.5.1 wants", self.structure(id).tag);
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
    }

    /// Says of a date or an age without a payload, of which more is said, that GEDCOM 5.5.1 wants one.
    pub(super) fn say_nothing(&mut self, id: Id, kind: Kind) {
        let wants = matches!(kind, Kind::Date | Kind::Period | Kind::ExactDate | Kind::Age);
        if wants && self.around.is_plain && !self.is_bare(id) {
            let message = format!("`{}` has no payload, which GEDCOM 5.5.1 wants", self.structure(id).tag);
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
    }

    /// Says of a word that GEDCOM 5.5.1 has a list there without it. It is written all the same, as programs
    /// read it (MG35).
    pub(super) fn say_unlisted(&mut self, id: Id, [of, above]: [Structure7; 2], word: &str) {
        if self.around.is_plain && !fitted::is_listed(of.term(), above.term(), word) {
            let message = format!("`{word}` is none of the words that GEDCOM 5.5.1 lists here");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
    }

    /// Gives an extension, or what stands beneath one, the tag that it has in GEDCOM 5.5.1; `None` where it
    /// is left out.
    pub(super) fn beneath_extension(
        &mut self,
        found: TypeId,
        id: Id,
    ) -> Option<(Option<Structure7>, TypeId)> {
        if self.drop_void(id) {
            return None;
        }
        let tag = self.structure(id).tag.to_string();
        if tag == "SNOTE" {
            self.rename(id, "NOTE");
            return Some((None, self.resolve(found, id)));
        }
        let type_of = self.restore(id, found, &tag);
        Some((None, type_of))
    }

    /// Gives a documented extension its own tag again, where its IRI is that of a type of ELF;
    /// returns its type.
    pub(super) fn restore(&mut self, id: Id, found: TypeId, tag: &str) -> TypeId {
        let is_structural = |tag: &str| is_structural(tag, found == TypeId::METADATA, self.around.is_plain);
        if is_structural(tag) {
            let mut made = format!("_{tag}");
            let mut number = 1;
            while self.around.documented.contains_key(&made) {
                number += 1;
                made = format!("_{tag}_{number}");
            }
            let message = format!("the tag `{tag}` is written as `{made}`: it has a meaning for lines");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
            self.done.record.get_mut(id).tag = made.into();
            return self.resolve(found, id);
        }
        let documented = self.around.documented;
        let Some(iris) = documented.get(tag) else { return self.resolve(found, id) };
        let plain = tag.strip_prefix('_').unwrap_or(tag);
        let unnumbered = plain
            .rsplit_once('_')
            .filter(|(_, number)| !number.is_empty() && number.bytes().all(|octet| octet.is_ascii_digit()));
        let candidates = [Some(plain), unnumbered.map(|(tag, _)| tag)];
        for candidate in candidates.into_iter().flatten().filter(|tag| !is_structural(tag)) {
            let type_of = self.around.resolver.resolve(found, candidate);
            let iri = self.around.resolver.iri(type_of);
            if let Some(iri) = iri.and_then(|iri| iris.get(iri)) {
                self.done.meant.push((tag.to_owned(), iri.clone()));
                self.done.record.get_mut(id).tag = candidate.to_owned().into();
                return type_of;
            }
        }
        // Of several the reader knows which can stand here; where nothing decides, the header says so.
        let part = self.around.part;
        let read = part.document().node(self.structure(id).origin).and_then(|node| part.type_of(node));
        let read = read.and_then(|iri| iris.get(iri));
        match read.or_else(|| iris.first().filter(|_| iris.len() == 1)) {
            Some(iri) => {
                self.done.meant.push((tag.to_owned(), iri.clone()));
                if let Some(tag) = term::undefined_tag(iri).filter(|tag| !is_structural(tag)) {
                    self.done.record.get_mut(id).tag = tag.to_owned().into();
                    return self.resolve(found, id);
                }
                let points = Structure7::of_iri(iri).is_some_and(Structure7::points);
                if points && !self.around.is_plain && self.structure(id).payload == Value::None {
                    let message = format!("`{tag}` has no pointer, and may come back as one to nothing");
                    self.remark(id, codes::STRUCTURE_REARRANGED, message);
                }
                self.extended(found, id, iri)
            }
            None => self.resolve(found, id),
        }
    }
}

/// Tells whether a reader takes lines of a tag for something else than structures of their own, in the header
/// or elsewhere.
fn is_structural(tag: &str, in_head: bool, is_gedcom: bool) -> bool {
    match tag {
        "CONC" | "CONT" | "HEAD" | "TRLR" => true,
        "CHAR" | "GEDC" | "SCHMA" | "ELF" => in_head,
        "PLANG" | "DTYPE" => in_head || !is_gedcom,
        _ => false,
    }
}
