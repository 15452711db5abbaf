//! Payloads, as GEDCOM 5.5.1 says them.

use super::Work551;
use crate::dates;
use crate::extensions;
use crate::fitted::{self, Fit};
use crate::grammar::Structure7;
use crate::record::{Id, Value};
use crate::to_7::RESIDENCE;
use crate::values::Kind;
use elf_base::codes;
use elf_schema::TypeId;

impl Work551<'_, '_, '_> {
    /// A residence in words: GEDCOM 5.5.1 has none, and they go beneath it.
    pub(super) fn say_residence(&mut self, id: Id, of: Structure7) {
        let text = self.structure(id).payload.text();
        let is_residence = self.around.is_plain && matches!(of.term(), "INDI-RESI" | "FAM-RESI");
        if let Some(text) = text.filter(|_| is_residence).map(str::to_owned) {
            let message = format!("`{text}` is written as `{RESIDENCE}` beneath it");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
            self.done.record.get_mut(id).payload = Value::None;
            let kept = self.done.record.add(id, RESIDENCE, text);
            self.settled.insert(kept);
        }
    }

    /// Takes back an event that is said not to have happened, as it stood (MG108).
    pub(super) fn take_denied(
        &mut self,
        of: Structure7,
        found: TypeId,
        id: Id,
    ) -> Option<(Structure7, TypeId)> {
        let tag = self.structure(id).payload.text()?.to_owned();
        let event = of.substructure(&tag)?;
        if !self.take_kept(id, found, &tag) {
            return None;
        }
        self.done.record.get_mut(id).tag = tag.into();
        Some((event, self.resolve(found, id)))
    }

    /// Takes back a payload that GEDCOM 7.0 did not have; returns whether there was one. It stands alone, so
    /// that nothing goes with it.
    pub(super) fn take_kept(&mut self, id: Id, found: TypeId, tag: &str) -> bool {
        let type_of = self.around.resolver.resolve(found, tag);
        let Some(iri) = self.around.resolver.iri(type_of) else { return false };
        let iri = extensions::kept(iri, tag);
        let kept = self.structure(id).below.iter().copied().find(|&below| {
            let structure = self.structure(below);
            let iris = self.around.documented.get(&*structure.tag);
            let has_payload = structure.payload != Value::None;
            has_payload && self.is_bare(below) && iris.is_some_and(|iris| iris.contains(&*iri))
        });
        let Some(kept) = kept else { return false };
        let payload = self.structure(kept).payload.clone();
        self.done.record.get_mut(id).payload = payload;
        self.done.record.detach(id, kept);
        true
    }

    /// Says a payload as GEDCOM 5.5.1 does.
    pub(super) fn say(&mut self, id: Id, of: Structure7, above: Structure7) {
        let phrase = self.done.record.bare(id, "PHRASE");
        let Some(kind) = Kind::of(of.term(), above.term()) else { return };
        let payload = match &self.structure(id).payload {
            Value::None if phrase.is_none() => return self.say_nothing(id, kind),
            Value::None => String::new(),
            Value::Text(text) => text.to_string(),
            Value::Pointer(_) | Value::Void | Value::Made(_) => return,
        };
        let phrases = self.structure(id).below.iter().filter(|&&below| self.structure(below).tag == "PHRASE");
        if phrases.count() > 1 {
            let message = "of several phrases, one is written with the payload and comes back";
            self.remark(id, codes::STRUCTURE_REARRANGED, message.to_owned());
        }
        let said = phrase.and_then(|phrase| self.structure(phrase).payload.text().map(str::to_owned));
        let (mut text, mut left) = kind.to_551(&payload, said.as_deref());
        // A phrase that would come back as a date stays beside none.
        if kind == Kind::Date && dates::of_parentheses(&text).is_some() {
            (text, left) = (String::new(), said.as_deref());
        }
        if self.around.is_plain
            && kind == Kind::Date
            && let Some(text) = dates::in_parentheses(&payload)
        {
            let message = format!("`{payload}` is written `{text}`: GEDCOM 5.5.1 has it as a phrase alone");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
            self.done.record.get_mut(id).payload = Value::of(text);
            return;
        }
        if self.around.is_plain
            && let Some(tag) = fitted::tag(kind)
            && let Fit::Part(part) = fitted::fit(kind, &payload)
        {
            let message = format!("`{payload}` is written `{part}`, and whole as `{tag}` beneath it");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
            self.done.record.get_mut(id).payload = Value::of(part);
            let kept = self.done.record.add(id, tag, payload);
            self.settled.insert(kept);
            return;
        }
        if text.is_empty() {
            self.say_nothing(id, kind);
        } else if self.around.is_plain && !kind.is_of_551(&text) {
            self.remark(
                id,
                codes::STRUCTURE_REARRANGED,
                format!("GEDCOM 5.5.1 has no payload `{text}` here"),
            );
        }
        self.say_unlisted(id, [of, above], &text);
        self.compare(id, kind, [&payload, &text], said.as_deref(), left);
        if let Some(phrase) = phrase.filter(|_| left.is_none() && said.is_some()) {
            self.done.record.detach(id, phrase);
        }
        self.done.record.get_mut(id).payload = Value::of(text);
    }

    /// Names a payload that does not come back out of what is written of it.
    pub(super) fn compare(
        &mut self,
        id: Id,
        kind: Kind,
        [payload, text]: [&str; 2],
        phrase: Option<&str>,
        left: Option<&str>,
    ) {
        let mut back = kind.to_7(text);
        let phrase = phrase.filter(|_| left.is_none());
        if phrase.is_some() {
            back.phrase = kind.phrase_of(text);
        }
        let is_phrase = back.phrase.as_deref() == phrase;
        if back.payload == payload && is_phrase {
            return;
        }
        let keeps_meaning = is_phrase && kind.keeps_meaning(payload, &back.payload);
        let (code, message) = if keeps_meaning {
            (codes::STRUCTURE_REARRANGED, format!("`{payload}` is spelled `{text}`"))
        } else if phrase.is_none() && back.phrase.as_deref() == Some(text) {
            // All of it is still there, which is no loss.
            let message = format!("`{payload}` is written `{text}`, which comes back as a phrase");
            (codes::STRUCTURE_REARRANGED, message)
        } else {
            let message = format!("`{payload}` is written `{text}`, which GEDCOM 7.0 reads otherwise");
            (codes::VALUE_NOT_CARRIED, message)
        };
        self.remark(id, code, message);
    }
}
