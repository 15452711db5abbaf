//! Payloads, as GEDCOM 7.0 says them.

use super::Work7;
use crate::dates;
use crate::extensions;
use crate::fitted::{self, Fit};
use crate::grammar::Structure7;
use crate::record::{Id, Value};
use crate::values::{Kind, Rest, Said};
use elf_base::codes;
use elf_values::file_path_fault;

impl Work7<'_, '_, '_> {
    /// A structure whose payload GEDCOM 7.0 has as a pointer (MG34).
    pub(super) fn point(&mut self, id: Id, of: Structure7) {
        let said = match &self.record.get(id).payload {
            Value::Pointer(xref) if of.term() == "ASSO" && self.around.submitters.contains(&**xref) => {
                let kept = std::mem::replace(&mut self.record.get_mut(id).payload, Value::Void);
                self.keep(id, kept);
                return;
            }
            Value::Pointer(_) | Value::Void | Value::Made(_) => return,
            // It says nothing, and is left out; but a sealing to parents wants theirs.
            Value::None if self.record.get(id).below.is_empty() => match of.term() {
                "OBJE" => None,
                "FAMC" => {
                    let message = "`FAMC` is written as a pointer to nothing, since GEDCOM 7.0 wants one";
                    self.remark(id, codes::STRUCTURE_REARRANGED, message.to_owned());
                    None
                }
                _ => return,
            },
            Value::None => None,
            Value::Text(text) => Some(text.to_string()),
        };
        self.record.get_mut(id).payload = Value::Void;
        match said {
            Some(text) if of.substructure("PHRASE").is_some() => {
                self.record.add(id, "PHRASE", text);
            }
            Some(text) => self.keep(id, Value::of(text)),
            None if of.term() == "OBJE" => self.mark(id),
            None => {}
        }
    }

    /// Marks a structure that is empty in GEDCOM 5.5.1 itself.
    pub(super) fn mark(&mut self, id: Id) {
        if self.marked.contains(&id) {
            return;
        }
        let mark = self.record.add(id, extensions::EMPTY, "Y");
        self.marked.insert(mark);
        let iri = extensions::undefined(extensions::EMPTY);
        self.done.extensions.push((self.done.records.len(), mark, Some(iri)));
    }

    /// Says a payload as GEDCOM 7.0 does; returns the structure, where it stays the one that it was.
    pub(super) fn say(&mut self, id: Id, of: Structure7, above: Structure7) -> Option<Structure7> {
        let text = match &self.record.get(id).payload {
            Value::None | Value::Void | Value::Made(_) => return Some(of),
            Value::Text(text) => text.to_string(),
            Value::Pointer(xref) => {
                let text = format!("@{xref}@");
                let message = format!("the pointer {text} becomes text, since GEDCOM 7.0 has none here");
                self.remark(id, codes::VALUE_NOT_CARRIED, message);
                self.record.get_mut(id).payload = Value::of(text);
                return Some(of);
            }
        };
        if of.kind().is_some_and(|kind| !kind.payloads.text) {
            let tag = self.tag_read(id);
            let message = format!("GEDCOM 7.0 has no payload of `{tag}` here: `{text}` is kept beneath it");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
            self.keep(id, Value::of(text));
            self.record.get_mut(id).payload = Value::None;
            return Some(of);
        }
        let Some(kind) = Kind::of(of.term(), above.term()) else { return Some(of) };
        if let Some(payload) = self.unfitted(id, kind, &text) {
            self.record.get_mut(id).payload = Value::of(payload);
            return Some(of);
        }
        if kind == Kind::Time && dates::is_end_of_day(&text) && !self.advanced.contains(&id) {
            self.extend(id);
            return None;
        }
        let end = self.record.find(id, "TIME").filter(|&time| {
            let time = self.record.get(time).payload.text();
            kind == Kind::ExactDate && time.is_some_and(dates::is_end_of_day)
        });
        let said = match end.and_then(|end| Some((end, dates::next_day(&text)?))) {
            Some((end, next)) => {
                self.advanced.insert(end);
                Said::unread(next, &*text)
            }
            None => kind.to_7(&text),
        };
        if kind == Kind::Date && dates::is_reworded(&text, &said) {
            let message = match &*said.payload {
                "" => format!("`{text}` is said by a phrase alone"),
                payload => format!("`{text}` is said as `{payload}`, with a phrase"),
            };
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        if kind == Kind::Date
            && let Some(phrase) = dates::in_parentheses(&said.payload)
        {
            let message = format!("`{text}` comes back as `{phrase}`, since GEDCOM 5.5.1 has no such date");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        let Said { payload, is_unread, .. } = said.clone();
        if kind == Kind::FilePath && !is_unread && file_path_fault(&payload).is_some() {
            let message =
                format!("GEDCOM 7.0 supports no files such as `{payload}`: it is written all the same");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        let has_phrase = of.substructure("PHRASE").is_some()
            && !["PHRASE", "_PHRASE"].iter().any(|tag| self.record.find(id, tag).is_some());
        if payload.is_empty() && is_unread && !has_phrase && kind != Kind::Happened {
            self.extend(id);
            return None;
        }
        let (rest, is_equal) = kind.rest(&text, &said, has_phrase);
        self.record.get_mut(id).payload = Value::of(payload.clone());
        match rest {
            Rest::Phrase(phrase) => {
                if !is_equal {
                    let message = match &*payload {
                        "" => format!("`{text}` is outside the grammar, and said by a phrase"),
                        payload if payload == text => {
                            format!("`{text}` is spelled otherwise in GEDCOM 5.5.1")
                        }
                        payload => format!("`{text}` is spelled `{payload}`"),
                    };
                    self.remark(id, codes::STRUCTURE_REARRANGED, message);
                }
                if let Some(phrase) = phrase {
                    self.record.add(id, "PHRASE", phrase);
                }
            }
            Rest::Whole => {
                if !kind.has(&text) {
                    let of = if payload.is_empty() { String::new() } else { format!(" of `{payload}`") };
                    let message = format!("`{text}` is outside the grammar, and stays as a phrase{of}");
                    self.remark(id, codes::STRUCTURE_REARRANGED, message);
                }
                self.record.add(id, "PHRASE", text);
            }
            Rest::Kept => {
                if matches!(kind, Kind::Name | Kind::Date) {
                    let message =
                        format!("`{text}` is written `{payload}`, and whole as an extension beneath it");
                    self.remark(id, codes::STRUCTURE_REARRANGED, message);
                }
                self.keep(id, Value::of(text));
            }
        }
        Some(of)
    }

    /// Takes back a payload of GEDCOM 7.0 of which GEDCOM 5.5.1 says a part, or that it has as a phrase.
    pub(super) fn unfitted(&mut self, id: Id, kind: Kind, text: &str) -> Option<String> {
        if let Some(date) = dates::of_parentheses(text).filter(|_| kind == Kind::Date) {
            let message = format!("`{text}` is taken for a date that GEDCOM 5.5.1 does not have");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
            return Some(date.to_owned());
        }
        let whole = self.record.bare(id, fitted::tag(kind)?)?;
        let payload = self.record.get(whole).payload.text()?.to_owned();
        let is_whole = kind.to_7(&payload) == Said::plain(&*payload);
        if !is_whole || fitted::fit(kind, &payload) != Fit::Part(text.to_owned()) {
            return None;
        }
        self.record.detach(id, whole);
        Some(payload)
    }
}
