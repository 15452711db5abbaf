//! Tags with an underscore that stand for structures of GEDCOM 7.0 (MG100, MG101, MG110, MG113).
//!
//! GEDCOM 5.5.1 has no schema: what it has no place for is written by the tag of GEDCOM 7.0 with an
//! underscore, and nothing in the file says what that means. A vendor may have the same tag for another
//! thing. So it becomes the structure of GEDCOM 7.0 again only where all of this holds:
//!
//! * the tag is one of a closed list, of what GEDCOM 7.0 has beneath the superstructure;
//! * GEDCOM 5.5.1 has no place there for the structure by its own tag: where it has one, what bears the
//!   underscore is another thing (`_DATE` beside or instead of the DATE of an event);
//! * the payload is one that the structure has, and what it needs stands beneath it; a pointer to nothing is
//!   written without a payload, and known by the PHRASE beneath it, which GEDCOM 5.5.1 does not have;
//! * GEDCOM 7.0 lets as many stand there as there are with both tags, so that nobody has to choose.
//!
//! A tag that a schema documents is that of its IRI, and only the last of these is asked.

use crate::fitted::{self, Fit};
use crate::grammar::Structure7;
use crate::record::{Id, Record, Value};
use crate::values::{Kind, Said};
use elf_tagged::elf_lines::VOID;
use elf_validate::Grammar;
use std::collections::HashMap;

/// Tags of GEDCOM 7.0 that files of GEDCOM 5.5.1 have with an underscore, where they mean the same.
const EARLY: &[&str] = &[
    "_PHRASE", "_CROP", "_MIME", "_TRAN", "_ASSO", "_NO", "_EXID", "_CREA", "_DATE", "_RESN", "_SLGC",
    "_QUAY", "_PHON", "_FAX", "_WWW", "_SDATE",
];

/// The numbers of structures of each tag beneath one, counted when they are asked for.
#[derive(Debug, Default)]
pub(crate) struct Siblings {
    above: Id,
    counts: Option<HashMap<String, usize>>,
}

impl Siblings {
    /// Makes the numbers of those beneath a structure.
    pub(crate) const fn beneath(above: Id) -> Siblings {
        Siblings { above, counts: None }
    }

    /// Counts a structure by another tag than it was counted by.
    pub(crate) fn retag(&mut self, was: &str, tag: &str) {
        let Some(counts) = &mut self.counts else { return };
        if let Some(count) = counts.get_mut(was) {
            *count = count.saturating_sub(1);
        }
        *counts.entry(tag.to_owned()).or_default() += 1;
    }

    /// The number of structures with a tag.
    fn count(&mut self, record: &Record<'_>, tag: &str) -> usize {
        let counts = self.counts.get_or_insert_with(|| {
            let mut counts: HashMap<String, usize> = HashMap::new();
            for &id in &record.get(self.above).below {
                let structure = record.get(id);
                // By GEDCOM 7.0 a note that is pointed to has a tag of its own.
                let is_pointed_to = &*structure.tag == "NOTE" && structure.payload.is_pointer();
                let tag = if is_pointed_to { "SNOTE" } else { &*structure.tag };
                match counts.get_mut(tag) {
                    Some(count) => *count += 1,
                    None => _ = counts.insert(tag.to_owned(), 1),
                }
            }
            counts
        });
        counts.get(tag).copied().unwrap_or_default()
    }

    /// Tells whether GEDCOM 7.0 lets all stand there that have a tag of it, or one of others instead.
    pub(crate) fn have_room(
        &mut self,
        record: &Record<'_>,
        of: Structure7,
        tag: &str,
        others: &[&str],
    ) -> bool {
        let Some(most) = of.most(tag) else { return true };
        let all: usize = [tag].iter().chain(others).map(|tag| self.count(record, tag)).sum();
        u32::try_from(all).is_ok_and(|all| all <= most)
    }
}

/// The structure of GEDCOM 7.0 that one with an undocumented tag stands for in a file of GEDCOM 5.5.1.
/// `has_tag` tells whether GEDCOM 5.5.1 has the tag without the underscore in the superstructure, of which
/// `of` is what GEDCOM 7.0 calls it.
pub(crate) fn stands_for(
    record: &Record<'_>,
    of: Structure7,
    id: Id,
    siblings: &mut Siblings,
    has_tag: impl FnOnce(&str) -> bool,
) -> Option<Structure7> {
    let tag = &record.get(id).tag;
    let plain = tag.strip_prefix('_')?;
    let found = of.substructure(plain).filter(|_| is_listed(of.term(), tag))?;
    let has_room = siblings.have_room(record, of, plain, &[tag]);
    let before = siblings.count(record, plain);
    let is_apart = !has_tag(plain) || has_no_place(record, id, found, of, before);
    (is_apart && has_room && fits(record, id, found, of)).then_some(found)
}

/// Tells whether a structure with an undocumented tag stands for a pointer to nothing of GEDCOM 7.0, of which
/// a phrase says more (LG12).
pub(crate) fn points_to_nothing(
    record: &Record<'_>,
    of: Structure7,
    id: Id,
    siblings: &mut Siblings,
) -> bool {
    let structure = record.get(id);
    let plain = structure.tag.strip_prefix('_');
    let Some((plain, found)) = plain.and_then(|plain| Some((plain, of.substructure(plain)?))) else {
        return false;
    };
    let is_known = |id: &Id| found.substructure(&record.get(*id).tag).is_some();
    found.points()
        && structure.payload == Value::None
        && record.find(id, "PHRASE").is_some()
        && structure.below.iter().all(is_known)
        && siblings.have_room(record, of, plain, &[&*structure.tag])
}

/// Tells whether a tag is one that programs are known to have for what GEDCOM 7.0 has in a superstructure
/// by another tag (MG40 to MG47).
pub(crate) fn is_of_programs(of: Structure7, tag: &str) -> bool {
    let own = match tag {
        "_CRE" | "_CREAT" => "CREA",
        "_INIT" => "INIL",
        "_UID" => "UID",
        "_EMAIL" => "EMAIL",
        "_FID" | "_FSFTID" => "EXID",
        _ => return false,
    };
    of.substructure(own).is_some()
}

/// Tells whether a structure of GEDCOM 7.0 that is written by another tag is read as that again.
pub(crate) fn comes_back(
    record: &Record<'_>,
    (of, found): (Structure7, Structure7),
    id: Id,
    (tag, made): (&str, &str),
    siblings: &mut Siblings,
) -> bool {
    match made {
        "_CREAT" => siblings.have_room(record, of, tag, &["_CRE", "_CREA", made]),
        "_INIT" => true,
        _ => {
            is_listed(of.term(), made)
                && siblings.have_room(record, of, tag, &[made])
                && fits(record, id, found, of)
        }
    }
}

/// Tells whether a tag with an underscore is written for what GEDCOM 7.0 has beneath a structure of a term.
fn is_listed(above: &str, tag: &str) -> bool {
    EARLY.contains(&tag)
        || match above {
            "HEAD" => matches!(tag, "_LANG" | "_NOTE" | "_SNOTE"),
            "record-SUBM" => matches!(tag, "_LANG" | "_REFN"),
            "record-FAM" => tag == "_NCHI",
            "PLAC" => matches!(tag, "_NOTE" | "_SNOTE" | "_MAP" | "_LANG"),
            "TEXT" => tag == "_LANG",
            "NOTE" | "record-SNOTE" => matches!(tag, "_LANG" | "_SOUR"),
            "INDI-NCHI" | "FAM-NCHI" => tag != "_UID",
            "DATE" | "DATE-exact" => tag == "_TIME",
            _ => false,
        }
}

/// Tells whether a structure has a payload that GEDCOM 7.0 has for it, and beneath it what that wants.
fn fits(record: &Record<'_>, id: Id, found: Structure7, above: Structure7) -> bool {
    has_payload(record, id, found, above) && has_wanted(record, id, found)
}

/// Tells whether a structure by a tag of GEDCOM 7.0 is what that has by it, once it is said as that says it.
pub(crate) fn is_valid(record: &Record<'_>, id: Id, found: Structure7, above: Structure7) -> bool {
    let Some(kind) = found.kind() else { return false };
    // What these want is added.
    let is_helped = matches!(
        found.term(),
        "ASSO" | "FILE" | "INDI-EVEN" | "FAM-EVEN" | "INDI-FACT" | "FAM-FACT" | "IDNO"
    );
    let wanted = || kind.slots.iter().filter(|slot| slot.min > 0).map(|slot| slot.name);
    let is_there = |tag| {
        let below = record.find(id, tag).zip(found.substructure(tag));
        below.is_some_and(|(below, of)| can_be_said(record, below, of, found))
    };
    can_be_said(record, id, found, above) && (is_helped || wanted().all(is_there))
}

/// Tells whether GEDCOM 7.0 can say a payload of a structure, which is spelled as GEDCOM 5.5.1 does.
fn can_be_said(record: &Record<'_>, id: Id, found: Structure7, above: Structure7) -> bool {
    let Some(kind) = found.kind() else { return false };
    let text = match &record.get(id).payload {
        // What points to nothing may be written without a payload.
        Value::None => return kind.payloads.none || found.points(),
        Value::Pointer(_) | Value::Void | Value::Made(_) => return kind.payloads.pointer,
        // It is said as the phrase of a pointer to nothing.
        Value::Text(_) if found.points() => return found.substructure("PHRASE").is_some(),
        Value::Text(text) => &**text,
    };
    let said = Kind::of(found.term(), above.term()).map_or_else(|| Said::plain(text), |kind| kind.to_7(text));
    let is_value = |word: &str| word.starts_with('_') || kind.text.values.contains(&word);
    let is_listed = match kind.text.grammar {
        Grammar::Word => kind.text.values.contains(&&*said.payload),
        Grammar::Enumeration => is_value(&said.payload),
        Grammar::Enumerations => said.payload.split(',').all(|word| is_value(word.trim())),
        _ => !said.payload.is_empty() || kind.payloads.none,
    };
    let has_phrase = said.phrase.is_none() || found.substructure("PHRASE").is_some();
    kind.payloads.text && is_listed && has_phrase
}

/// Tells whether what GEDCOM 7.0 wants beneath a structure stands there, each with a payload that it has.
pub(crate) fn has_wanted(record: &Record<'_>, id: Id, found: Structure7) -> bool {
    // What is a translation has another language or another form.
    if found.term() == "NOTE-TRAN" && ["LANG", "MIME"].iter().all(|tag| record.find(id, tag).is_none()) {
        return false;
    }
    let wanted = found.kind().map(|kind| kind.slots).unwrap_or_default().iter().filter(|slot| slot.min > 0);
    wanted.map(|slot| slot.name).all(|tag| {
        let is_role = tag == "ROLE" && record.find(id, "RELA").is_some();
        let below = record.find(id, tag).zip(found.substructure(tag));
        // A pointer to nothing is written without a payload.
        let is_void = |below, of: Structure7| of.points() && record.get(below).payload == Value::None;
        let is_good = |(below, of)| is_void(below, of) || has_payload(record, below, of, found);
        is_role || below.is_some_and(is_good)
    })
}

fn has_payload(record: &Record<'_>, id: Id, found: Structure7, above: Structure7) -> bool {
    let Some(kind) = found.kind() else { return false };
    let text = match &record.get(id).payload {
        Value::None => return kind.payloads.none,
        Value::Pointer(_) | Value::Void | Value::Made(_) => return kind.payloads.pointer,
        Value::Text(text) => &**text,
    };
    let is_listed = match kind.text.grammar {
        Grammar::Word => kind.text.values.contains(&text),
        Grammar::Enumeration => text.starts_with('_') || kind.text.values.contains(&text),
        _ => true,
    };
    // It is spelled as GEDCOM 5.5.1 does, with a phrase or without one.
    let said = Kind::of(found.term(), above.term()).map(|kind| kind.to_7(text));
    let is_read = |said: Said| {
        let has_phrase = said.phrase.is_none() || found.substructure("PHRASE").is_some();
        has_phrase && !said.is_unread && !said.payload.is_empty()
    };
    kind.payloads.text && is_listed && said.is_none_or(is_read)
}

/// Tells whether GEDCOM 5.5.1 has no place for a structure of GEDCOM 7.0, though it, or GEDCOM 5.5, has its
/// tag: no form, or no more of them than stand `before` it.
pub(crate) fn has_no_place(
    record: &Record<'_>,
    id: Id,
    of: Structure7,
    above: Structure7,
    before: usize,
) -> bool {
    let is_apart = match (above.term(), of.term()) {
        // The note of a header is a text.
        ("HEAD", "SNOTE") | ("record-SUBM", "REFN") => true,
        // GEDCOM 5.5 has sources of notes.
        ("NOTE", "SOUR") => true,
        // A period that is said in words alone.
        (_, "DATA-EVEN-DATE") => record.get(id).payload == Value::None,
        _ => false,
    };
    is_apart
        || has_no_form(record, id, of, above)
        || most_in_551(of, above).is_some_and(|most| before >= most)
}

/// Tells whether GEDCOM 5.5.1 has no form for a structure, though it has its tag: a restriction or a
/// certainty that is none of its words, a sealing to parents without the family.
fn has_no_form(record: &Record<'_>, id: Id, of: Structure7, above: Structure7) -> bool {
    if of.term() == "SLGC" {
        return match record.find(id, "FAMC").map(|family| &record.get(family).payload) {
            Some(Value::Pointer(xref)) => &**xref == VOID,
            Some(Value::None | Value::Void) | None => true,
            Some(Value::Text(_) | Value::Made(_)) => false,
        };
    }
    let text = record.get(id).payload.text();
    if of.term() == "QUAY" {
        return text.is_some_and(|text| text.starts_with('_'));
    }
    let kind = Kind::of(of.term(), above.term()).filter(|kind| fitted::tag(*kind).is_some());
    kind.zip(text).is_some_and(|(kind, text)| fitted::fit(kind, text) == Fit::Nothing)
}

/// The most structures of a term that GEDCOM 5.5.1 has beneath one, where GEDCOM 7.0 has more.
fn most_in_551(of: Structure7, above: Structure7) -> Option<usize> {
    match (above.term(), of.term()) {
        ("HEAD", "NOTE") | ("record-FAM", "FAM-NCHI") => Some(1),
        (_, "SUBM-LANG" | "PHON" | "EMAIL" | "FAX" | "WWW") => Some(3),
        _ => None,
    }
}
