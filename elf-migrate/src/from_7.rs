//! One record of GEDCOM 7.0, made one of GEDCOM 5.5.1.
//!
//! What came of GEDCOM 5.5.1 or ELF comes back: an extension whose IRI is a type of theirs gets its
//! tag again. What only GEDCOM 7.0 has keeps its tag, behind an underscore.

use crate::extensions;
use crate::grammar::{Structure7, TERMS, points};
use crate::identifiers::{self, INLINE};
use crate::names;
use crate::record::{Id, Record, Structure, TOP, Value};
use crate::remarks::Remark;
use crate::to_7::{comes_back, is_whole};
use crate::values::Kind;
use elf_base::codes;
use elf_schema::{Part, Resolver, TypeId, term};
use elf_tagged::NodeId;
use elf_tagged::elf_lines::VOID;
use indexmap::IndexSet;
use std::collections::{HashMap, HashSet};

/// The extension tags that a header documents, with their IRIs.
pub(crate) type Documented = HashMap<String, IndexSet<String>>;

/// The outcome for a record.
#[derive(Debug)]
pub(crate) struct Restored<'d> {
    pub(crate) record: Record<'d>,
    /// The tags of extensions with their IRIs, and the types that they stand beneath.
    pub(crate) extensions: Vec<(String, String, String)>,
    /// The tags with an underscore that are GEDCOM 5.5.1's own, and have no type.
    pub(crate) plain: Vec<&'static str>,
    /// The documented tags with the IRIs that they were taken for.
    pub(crate) meant: Vec<(String, String)>,
    pub(crate) remarks: Vec<Remark>,
}

/// The surroundings of a record in its file.
pub(crate) struct Around551<'a> {
    pub(crate) part: &'a Part<'a>,
    pub(crate) documented: &'a Documented,
    /// Finds the types of GEDCOM 5.5.1 and ELF.
    pub(crate) resolver: &'a mut Resolver,
    pub(crate) system: Option<&'a str>,
    /// The other tags of extensions with an IRI whose own tags stand without one too.
    pub(crate) renamed: &'a HashMap<String, String>,
    /// True if nothing says in the file what its extensions mean.
    pub(crate) is_plain: bool,
    /// The records that stood within others.
    pub(crate) inline: &'a HashMap<String, Record<'static>>,
}

/// Migrates a record.
pub(crate) fn migrate<'d>(record: Record<'d>, around: &mut Around551<'_>) -> Restored<'d> {
    let done = Restored {
        record,
        extensions: Vec::new(),
        plain: Vec::new(),
        meant: Vec::new(),
        remarks: Vec::new(),
    };
    let mut work = Work551 {
        done,
        around,
        left_out: HashSet::new(),
        numbers: HashSet::new(),
        settled: HashSet::new(),
        is_taken: false,
    };
    work.run();
    work.done
}

/// Tells whether a record is one that stood within another, as far as its own structures show.
pub(crate) fn is_inline(record: &Record<'_>) -> bool {
    let top = record.get(TOP);
    let mut below = top.below.iter().map(|&id| record.get(id));
    top.xref.as_deref().is_some_and(|xref| xref.starts_with(INLINE))
        && match &*top.tag {
            "SOUR" => top.below.len() == 1 && below.all(|one| one.tag == "TITL" && one.below.is_empty()),
            "OBJE" => below.all(|one| matches!(&*one.tag, "FILE" | "NOTE" | "SNOTE" | "SOUR" | "_FORM")),
            _ => false,
        }
}

/// A record at work.
struct Work551<'d, 'a, 'w> {
    done: Restored<'d>,
    around: &'w mut Around551<'a>,
    /// The substructures that are left out of the structure that is met.
    left_out: HashSet<Id>,
    /// The tags of numbers that the structure has which is met.
    numbers: HashSet<&'static str>,
    /// The substructures that stand as GEDCOM 5.5.1 has them already.
    settled: HashSet<Id>,
    /// True if a record went beneath the link to it which is met.
    is_taken: bool,
}

/// A structure whose substructures are still to be met, with what it is by both standards.
type Open = (Id, Option<Structure7>, TypeId);

impl<'d> Work551<'d, '_, '_> {
    fn run(&mut self) {
        let of = Structure7::record(&self.structure(TOP).tag);
        match &*self.structure(TOP).tag {
            "SNOTE" => self.rename(TOP, "NOTE"),
            "HEAD" => {
                let below = self.structure(TOP).below.iter().copied();
                let is_made = |id: &Id| matches!(&*self.structure(*id).tag, "CHAR" | "GEDC" | "SCHMA");
                let kept = below.filter(|id| !is_made(id)).collect();
                self.done.record.get_mut(TOP).below = kept;
            }
            tag if of.is_none() => {
                let tag = tag.to_owned();
                self.restore(TOP, TypeId::DOCUMENT, &tag);
            }
            _ => {}
        }
        let found = match &*self.structure(TOP).tag {
            "HEAD" => TypeId::METADATA,
            _ => self.resolve(TypeId::DOCUMENT, TOP),
        };
        let mut open: Vec<Open> = vec![(TOP, of, found)];
        while let Some((id, of, found)) = open.pop() {
            let structure = self.structure(id);
            if id != TOP && structure.payload == Value::None && structure.below.is_empty() {
                let message =
                    format!("`{}` is empty, and comes back with a mark or not at all", structure.tag);
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
            self.unmark(id);
            self.is_taken = false;
            if let Some(of) = of {
                self.arrange(id, of);
            }
            self.left_out.clear();
            self.numbers.clear();
            let below = self.structure(id).below.clone();
            let numbers = below.iter().filter_map(|&id| identifiers::number(&self.done.record.get(id).tag));
            self.numbers.extend(numbers);
            for below in below {
                let next = match of {
                    Some(of) => self.substructure(of, found, below),
                    None => Some(self.beneath_extension(found, below)),
                };
                open.extend(next.map(|(of, found)| (below, of, found)));
            }
            if !self.left_out.is_empty() {
                let left_out = &self.left_out;
                self.done.record.get_mut(id).below.retain(|id| !left_out.contains(id));
            }
        }
    }

    /// Takes away the mark of a structure that is empty in GEDCOM 5.5.1 (MG105).
    fn unmark(&mut self, id: Id) {
        let empty = extensions::undefined(extensions::EMPTY);
        let is_mark = |below: &Id| {
            let iris = self.around.documented.get(&*self.structure(*below).tag);
            iris.is_some_and(|iris| iris.contains(&empty))
        };
        if let Some(mark) = self.structure(id).below.iter().copied().find(is_mark) {
            self.done.record.detach(id, mark);
        }
    }

    /// Moves what stands elsewhere in GEDCOM 5.5.1 beneath a structure.
    fn arrange(&mut self, id: Id, of: Structure7) {
        match of.term() {
            "SOUR" | "OBJE" => self.take_inline(id, of),
            "INDI-NAME" | "NAME-TRAN" => self.join_pieces(id),
            _ => {}
        }
    }

    /// A record that stood within another one goes there again (MG20, MG28).
    fn take_inline(&mut self, id: Id, of: Structure7) {
        let Value::Pointer(xref) = &self.structure(id).payload else { return };
        let Some(inline) = self.around.inline.get(&**xref) else { return };
        let origin = self.structure(id).origin;
        if of.term() == "SOUR" {
            let title = inline.find(TOP, "TITL").map(|title| inline.get(title).payload.clone());
            self.done.record.get_mut(id).payload = title.unwrap_or(Value::None);
            self.take_texts(id);
            return;
        }
        let mut below = Vec::new();
        for &one in &inline.get(TOP).below {
            below.push(self.done.record.graft_at(inline, one, origin));
        }
        let files: Vec<Id> = below.iter().copied().filter(|&id| self.structure(id).tag == "FILE").collect();
        if let [file] = files[..]
            && let Some(title) = self.done.record.find(file, "TITL")
        {
            self.done.record.detach(file, title);
            below.push(title);
        }
        self.is_taken = true;
        let structure = self.done.record.get_mut(id);
        structure.payload = Value::None;
        below.append(&mut structure.below);
        structure.below = below;
    }

    /// The texts of a source without a record stand beneath its citation (MG28).
    fn take_texts(&mut self, id: Id) {
        let Some(data) = self.done.record.find(id, "DATA") else { return };
        let below = std::mem::take(&mut self.done.record.get_mut(data).below);
        let (texts, others): (Vec<Id>, Vec<Id>) =
            below.into_iter().partition(|&id| self.structure(id).tag == "TEXT");
        let is_empty = others.is_empty() && !texts.is_empty();
        self.done.record.get_mut(data).below = others;
        if is_empty {
            self.done.record.detach(id, data);
        }
        self.settled.extend(texts.iter().copied());
        self.done.record.get_mut(id).below.extend(texts);
    }

    /// Pieces of a name of one kind become one, with commas (MG51).
    fn join_pieces(&mut self, id: Id) {
        for tag in names::PIECES {
            let below = self.structure(id).below.iter().copied();
            let pieces = below
                .filter(|&id| self.structure(id).tag == tag && self.structure(id).payload.text().is_some());
            let pieces: Vec<Id> = pieces.collect();
            let [first, others @ ..] = &pieces[..] else { continue };
            let texts: Vec<&str> =
                pieces.iter().filter_map(|&id| self.structure(id).payload.text()).collect();
            let text = texts.join(", ");
            let name = self.structure(id).payload.text().unwrap_or_default();
            let parts = names::parts_of(&text, name).unwrap_or_else(|| vec![text.clone()]);
            let is_kept = self
                .structure(*first)
                .below
                .iter()
                .any(|&below| self.around.documented.contains_key(&*self.structure(below).tag));
            if !is_kept && parts != texts && !text.is_empty() {
                let message = format!("the pieces come back otherwise out of `{text}`");
                self.remark(*first, codes::VALUE_NOT_CARRIED, message);
            }
            if others.is_empty() {
                continue;
            }
            let more: Vec<Id> = others.iter().flat_map(|&id| self.structure(id).below.clone()).collect();
            let others: HashSet<Id> = others.iter().copied().collect();
            let first = self.done.record.get_mut(*first);
            first.payload = Value::of(text);
            first.below.extend(more);
            self.done.record.get_mut(id).below.retain(|id| !others.contains(id));
        }
    }

    /// Gives a substructure the tag and the payload that it has in GEDCOM 5.5.1; `None` where it is
    /// left out.
    fn substructure(
        &mut self,
        of: Structure7,
        found: TypeId,
        id: Id,
    ) -> Option<(Option<Structure7>, TypeId)> {
        let tag = self.structure(id).tag.to_string();
        // What stood within a record stands beneath the link to it.
        let beneath = of.substructure(&tag).or_else(|| {
            let record = Structure7::record("OBJE").filter(|_| self.is_taken)?;
            record.substructure(&tag)
        });
        let Some(inner) = beneath else {
            if self.settled.contains(&id) {
                return Some(self.beneath_extension(found, id));
            }
            if !tag.starts_with('_') {
                let message =
                    format!("GEDCOM 7.0 does not have `{tag}` here: it may come back as an extension");
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            } else if comes_back(of.term(), &tag) && !self.around.documented.contains_key(&tag) {
                let message =
                    format!("`{tag}` comes back as what GEDCOM 7.0 calls so without the underscore");
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
            return Some(self.beneath_extension(found, id));
        };
        if !is_whole(&self.done.record, inner, id) {
            let message = format!("`{tag}` lacks what GEDCOM 7.0 wants: it comes back as an extension");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        if points(inner.term()) != matches!(self.structure(id).payload, Value::Pointer(_)) {
            let is_pointer = points(inner.term());
            let (wrong, right) = if is_pointer { ("no pointer", "a pointer") } else { ("a pointer", "none") };
            if is_pointer || self.structure(id).payload.is_pointer() {
                let message =
                    format!("`{tag}` has {wrong}, where GEDCOM 7.0 has {right}: it comes back as one");
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
        }
        // What stands beneath an extension stays as it is.
        if self.around.resolver.is_undefined(found) {
            if tag == "SNOTE" {
                self.rename(id, "NOTE");
            }
            return Some((Some(inner), self.resolve(found, id)));
        }
        if tag == "NO"
            && let Some((event, type_of)) = self.take_denied(of, found, id)
        {
            return Some((Some(event), type_of));
        }
        if !self.take_kept(id, found, &tag) {
            let is_void = matches!(&self.structure(id).payload, Value::Pointer(xref) if &**xref == VOID);
            if is_void {
                if points_to_texts(inner.term()) {
                    self.done.record.get_mut(id).payload = Value::None;
                    if inner.term() == "SOUR" {
                        self.take_texts(id);
                    }
                } else if self.structure(id).below.is_empty() {
                    let message = format!(
                        "`{tag}` points to nothing, which GEDCOM 5.5.1 has no word for: it is left out"
                    );
                    self.remark(id, codes::STRUCTURE_NOT_CARRIED, message);
                    self.left_out.insert(id);
                    return None;
                } else {
                    return Some((Some(inner), self.extend_void(found, id, inner)));
                }
            }
            self.say(id, inner, of);
        }
        self.retag(of, inner, found, id);
        let mut type_of = self.resolve(found, id);
        if self.around.resolver.is_undefined(type_of) && !self.structure(id).tag.starts_with('_') {
            let tag = match &*tag {
                "CREA" => "_CREAT".to_owned(),
                "INIL" => "_INIT".to_owned(),
                tag => extensions::tag_of(tag),
            };
            if self.around.is_plain && !(comes_back(of.term(), &tag) && inner.term() != "UID") {
                let was = &self.structure(id).tag;
                let message = format!("`{was}` is written `{tag}`, since GEDCOM 5.5.1 does not have it here");
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
            self.done.record.get_mut(id).tag = tag.into();
            type_of = self.extended(found, id, &format!("{TERMS}{}", inner.term()));
        }
        Some((Some(inner), type_of))
    }

    /// A pointer to nothing of which more is said: an extension without a pointer (LG12).
    fn extend_void(&mut self, found: TypeId, id: Id, of: Structure7) -> TypeId {
        let tag = extensions::tag_of(&self.structure(id).tag);
        let message = format!("a pointer to nothing is written `{tag}`, an extension without a pointer");
        self.remark(id, codes::STRUCTURE_REARRANGED, message);
        let structure = self.done.record.get_mut(id);
        (structure.tag, structure.payload) = (tag.into(), Value::None);
        self.extended(found, id, &format!("{TERMS}{}", of.term()))
    }

    /// Takes back an event that is said not to have happened, as it stood (MG108).
    fn take_denied(&mut self, of: Structure7, found: TypeId, id: Id) -> Option<(Structure7, TypeId)> {
        let tag = self.structure(id).payload.text()?.to_owned();
        let event = of.substructure(&tag)?;
        if !self.take_kept(id, found, &tag) {
            return None;
        }
        self.done.record.get_mut(id).tag = tag.into();
        Some((event, self.resolve(found, id)))
    }

    /// Takes back a payload that GEDCOM 7.0 did not have; returns whether there was one.
    fn take_kept(&mut self, id: Id, found: TypeId, tag: &str) -> bool {
        let type_of = self.around.resolver.resolve(found, tag);
        let kept = self.structure(id).below.iter().copied().find(|&below| {
            let structure = self.structure(below);
            let iris = self.around.documented.get(&*structure.tag);
            let iri = self.around.resolver.iri(type_of);
            iris.zip(iri).is_some_and(|(iris, iri)| iris.contains(iri))
        });
        let Some(kept) = kept else { return false };
        let payload = self.structure(kept).payload.clone();
        self.done.record.get_mut(id).payload = payload;
        self.done.record.detach(id, kept);
        true
    }

    /// Says a payload as GEDCOM 5.5.1 does.
    fn say(&mut self, id: Id, of: Structure7, above: Structure7) {
        let phrase = self.done.record.find(id, "PHRASE");
        let Some(kind) = Kind::of(of.term(), above.term()) else { return };
        let payload = match &self.structure(id).payload {
            Value::None if phrase.is_none() => return,
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
        let (text, left) = kind.to_551(&payload, said.as_deref());
        self.compare(id, kind, [&payload, &text], said.as_deref(), left);
        if let Some(phrase) = phrase.filter(|_| left.is_none() && said.is_some()) {
            self.done.record.detach(id, phrase);
        }
        self.done.record.get_mut(id).payload = Value::of(text);
    }

    /// Names a payload that does not come back out of what is written of it.
    fn compare(
        &mut self,
        id: Id,
        kind: Kind,
        [payload, text]: [&str; 2],
        phrase: Option<&str>,
        left: Option<&str>,
    ) {
        let back = kind.to_7(text);
        let phrase = phrase.filter(|_| left.is_none());
        if back.payload == payload && (back.phrase.as_deref() == phrase || phrase == Some(text)) {
            return;
        }
        let keeps_meaning = back.phrase.as_deref() == phrase && kind.keeps_meaning(payload, &back.payload);
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

    /// Gives a structure another tag, where GEDCOM 5.5.1 has one.
    fn retag(&mut self, of: Structure7, inner: Structure7, found: TypeId, id: Id) {
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
            "NAME-TRAN" | "PLAC-TRAN" => {
                let language = self.done.record.find(id, "LANG");
                let text = self.done.record.text_of(id, "LANG").unwrap_or_default().to_owned();
                let (tag, way) = names::way_of(&text);
                if names::language_of(tag, way) != (&*text, true) {
                    let message = match way {
                        Some(_) => format!("the language `{text}` does not come back out of its type"),
                        None => "the text has no language".to_owned(),
                    };
                    self.remark(id, codes::VALUE_NOT_CARRIED, message);
                }
                self.rename(id, tag);
                match (language, way) {
                    (Some(language), None) => self.done.record.detach(id, language),
                    (Some(language), Some(way)) => {
                        self.rename(language, "TYPE");
                        self.settled.insert(language);
                        self.done.record.get_mut(language).payload = Value::of(way.to_owned());
                    }
                    (None, _) => {}
                }
            }
            "FAM-FACT" => {
                self.rename(id, "EVEN");
                let message = "a fact of a family is written as an event, since GEDCOM 5.5.1 has none";
                self.remark(id, codes::VALUE_NOT_CARRIED, message.to_owned());
            }
            _ => {}
        }
    }

    /// An external identifier that GEDCOM 5.5.1 has a tag for (MG40 to MG43).
    fn retag_external(&mut self, found: TypeId, id: Id) {
        let text = self.structure(id).payload.text().unwrap_or_default().to_owned();
        let Some(of) = self.done.record.text_of(id, "TYPE").map(str::to_owned) else { return };
        let Some((tag, text)) = identifiers::internal(&text, &of) else { return };
        let exactly = self.structure(id).payload.text();
        let is_own = identifiers::external(tag, &text, self.around.system)
            .is_some_and(|(own, type_of)| type_of == of && Some(&*own) == exactly);
        let type_of = self.around.resolver.resolve(found, tag);
        let has_place = tag.starts_with('_') || !self.around.resolver.is_undefined(type_of);
        if is_own && has_place && self.numbers.insert(tag) {
            if let Some(of) = self.done.record.find(id, "TYPE") {
                self.done.record.detach(id, of);
            }
            self.rename(id, tag);
            self.done.record.get_mut(id).payload = Value::of(text);
        }
    }

    /// Gives an extension, or what stands beneath one, the tag that it has in GEDCOM 5.5.1.
    fn beneath_extension(&mut self, found: TypeId, id: Id) -> (Option<Structure7>, TypeId) {
        let tag = self.structure(id).tag.to_string();
        if tag == "SNOTE" {
            self.rename(id, "NOTE");
            return (None, self.resolve(found, id));
        }
        let type_of = self.restore(id, found, &tag);
        (None, type_of)
    }

    /// Gives a documented extension its own tag again, where its IRI is that of a type of ELF;
    /// returns its type.
    fn restore(&mut self, id: Id, found: TypeId, tag: &str) -> TypeId {
        let documented = self.around.documented;
        let Some(iris) = documented.get(tag) else { return self.resolve(found, id) };
        let plain = tag.strip_prefix('_').unwrap_or(tag);
        let unnumbered = plain
            .rsplit_once('_')
            .filter(|(_, number)| !number.is_empty() && number.bytes().all(|octet| octet.is_ascii_digit()));
        for candidate in [Some(plain), unnumbered.map(|(tag, _)| tag)].into_iter().flatten() {
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
                if let Some(tag) = term::undefined_tag(iri) {
                    self.done.record.get_mut(id).tag = tag.to_owned().into();
                    return self.resolve(found, id);
                }
                self.extended(found, id, iri)
            }
            None => self.resolve(found, id),
        }
    }

    /// Takes note of an extension with its IRI; returns its type.
    fn extended(&mut self, found: TypeId, id: Id, iri: &str) -> TypeId {
        let above = self.around.resolver.iri(found).unwrap_or_default().to_owned();
        let tag = self.structure(id).tag.to_string();
        if let Some(other) = self.around.renamed.get(&tag) {
            self.done.record.get_mut(id).tag = other.clone().into();
        }
        if !above.is_empty() {
            self.done.extensions.push((tag, iri.to_owned(), above));
        }
        self.resolve(found, id)
    }

    fn resolve(&mut self, found: TypeId, id: Id) -> TypeId {
        self.around.resolver.resolve(found, &self.done.record.get(id).tag)
    }

    fn structure(&self, id: Id) -> &Structure<'d> {
        self.done.record.get(id)
    }

    fn rename(&mut self, id: Id, tag: &'static str) {
        self.done.record.get_mut(id).tag = tag.into();
    }

    fn remark(&mut self, id: Id, code: elf_base::Code, message: String) {
        let origin: NodeId = self.structure(id).origin;
        self.done.remarks.push(Remark { origin, code, message });
    }
}

/// Tells whether GEDCOM 5.5.1 has what structures of a term point to as texts too.
fn points_to_texts(term: &str) -> bool {
    matches!(term, "SOUR" | "REPO" | "OBJE" | "SNOTE")
}
