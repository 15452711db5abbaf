//! One record of GEDCOM 7.0, made one of GEDCOM 5.5.1.
//!
//! What came of GEDCOM 5.5.1 or ELF comes back: an extension whose IRI is a type of theirs gets its
//! tag again. What only GEDCOM 7.0 has keeps its tag, behind an underscore.

mod payload;
mod tags;
mod void;

use crate::extensions;
use crate::grammar::{Structure7, TERMS};
use crate::identifiers::{self, INLINE};
use crate::names;
use crate::record::{Id, Record, Structure, TOP, Value};
use crate::remarks::Remark;
use crate::to_7::is_whole;
use crate::underscored::{self, Siblings};
use crate::values::{Kind, Said};
use elf_base::codes;
use elf_schema::{Resolver, Run, TypeId};
use elf_tagged::NodeId;
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
    pub(crate) part: &'a Run<'a>,
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
        met: HashMap::new(),
        siblings: Siblings::default(),
        settled: HashSet::new(),
        named: HashMap::new(),
        above: None,
        is_taken: false,
    };
    work.run();
    work.done
}

/// Tells whether a record is one that stood within another, as far as its own structures show.
pub(crate) fn is_inline(record: &Record<'_>) -> bool {
    let top = record.get(TOP);
    let mut below = top.below.iter().map(|&id| record.get(id));
    // What bears an identifier may be pointed to, and does not become part of something else.
    let is_bare = || record.order().into_iter().all(|id| id == TOP || record.get(id).xref.is_none());
    top.xref.as_deref().is_some_and(|xref| xref.starts_with(INLINE))
        && match &*top.tag {
            "SOUR" => top.below.len() == 1 && below.all(|one| one.tag == "TITL" && one.below.is_empty()),
            "OBJE" => below.all(|one| matches!(&*one.tag, "FILE" | "NOTE" | "SNOTE" | "SOUR" | "_FORM")),
            _ => false,
        }
        && is_bare()
}

/// A record at work.
struct Work551<'d, 'a, 'w> {
    done: Restored<'d>,
    around: &'w mut Around551<'a>,
    /// The substructures that are left out of the structure that is met.
    left_out: HashSet<Id>,
    /// The tags of numbers that the structure has which is met.
    numbers: HashSet<&'static str>,
    /// The numbers of structures of a term that the structure has which is met.
    met: HashMap<&'static str, usize>,
    /// The substructures that it has.
    siblings: Siblings,
    /// The substructures that stand as GEDCOM 5.5.1 has them already.
    settled: HashSet<Id>,
    /// The IRIs of extensions that the schema does not have.
    named: HashMap<Id, String>,
    /// The one of the structure that is met.
    above: Option<String>,
    /// True if a record went beneath the link to it which is met.
    is_taken: bool,
}

/// A structure whose substructures are still to be met, with what it is by both standards.
type Open = (Id, Option<Structure7>, TypeId);

impl<'d> Work551<'d, '_, '_> {
    fn run(&mut self) {
        let is_header = self.done.record.is_header_of(self.around.part.document());
        let of = Structure7::record(&self.structure(TOP).tag).filter(|of| is_header || of.term() != "HEAD");
        match &*self.structure(TOP).tag {
            "SNOTE" => self.rename(TOP, "NOTE"),
            "HEAD" if is_header => {
                let below = self.structure(TOP).below.iter().copied();
                let is_made = |id: &Id| matches!(&*self.structure(*id).tag, "CHAR" | "GEDC" | "SCHMA");
                let kept = below.filter(|id| !is_made(id)).collect();
                let top = self.done.record.get_mut(TOP);
                (top.payload, top.below) = (Value::None, kept);
            }
            tag if of.is_none() => {
                let tag = tag.to_owned();
                self.restore(TOP, TypeId::DOCUMENT, &tag);
            }
            _ => {}
        }
        if self.is_void(TOP) {
            self.clear_void(TOP);
        }
        let found = if is_header { TypeId::METADATA } else { self.resolve(TypeId::DOCUMENT, TOP) };
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
            self.above = self.named.get(&id).cloned();
            if let Some(of) = of {
                self.arrange(id, of);
            }
            self.left_out.clear();
            self.met.clear();
            self.siblings = Siblings::beneath(id);
            self.numbers.clear();
            let below = self.structure(id).below.clone();
            let numbers = below.iter().filter_map(|&id| identifiers::number(&self.done.record.get(id).tag));
            self.numbers.extend(numbers);
            for below in below {
                let next = match of {
                    Some(of) => self.substructure(of, found, below),
                    None => self.beneath_extension(found, below),
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
        if let Some(mark) = self.mark_of(id) {
            self.done.record.detach(id, mark);
        }
    }

    /// The mark of a structure that is empty in GEDCOM 5.5.1.
    fn mark_of(&self, id: Id) -> Option<Id> {
        let empty = extensions::undefined(extensions::EMPTY);
        let is_mark = |below: &Id| {
            let iris = self.around.documented.get(&*self.structure(*below).tag);
            self.is_bare(*below) && iris.is_some_and(|iris| iris.contains(&empty))
        };
        self.structure(id).below.iter().copied().find(is_mark)
    }

    /// Moves what stands elsewhere in GEDCOM 5.5.1 beneath a structure.
    fn arrange(&mut self, id: Id, of: Structure7) {
        match of.term() {
            "SOUR" | "OBJE" => self.take_inline(id, of),
            "INDI-NAME" | "NAME-TRAN" => self.join_pieces(id),
            "record-REPO" | "record-SUBM" => self.say_lack(id),
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
        let structure = self.structure(data);
        let is_bare = structure.payload == Value::None && structure.xref.is_none();
        let is_empty = others.is_empty() && !texts.is_empty() && is_bare;
        self.done.record.get_mut(data).below = others;
        let above = &mut self.done.record.get_mut(id).below;
        let at = above.iter().position(|&below| below == data).unwrap_or(above.len());
        above.splice(at..at + usize::from(is_empty), texts.iter().copied());
        self.settled.extend(texts);
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
            let below = self.structure(id).below.iter().copied();
            let is_empty = |id: &Id| {
                let piece = self.structure(*id);
                piece.tag == tag && piece.payload == Value::None && piece.below.is_empty()
            };
            let empty: Vec<Id> = below.filter(is_empty).collect();
            for &piece in &empty {
                let message = "a piece that is empty is left out beside others".to_owned();
                self.remark(piece, codes::STRUCTURE_REARRANGED, message);
            }
            if others.is_empty() && empty.is_empty() {
                continue;
            }
            let more: Vec<Id> = others.iter().flat_map(|&id| self.structure(id).below.clone()).collect();
            let others: HashSet<Id> = others.iter().copied().chain(empty).collect();
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
                return self.beneath_extension(found, id);
            }
            if !tag.starts_with('_') {
                let message =
                    format!("GEDCOM 7.0 does not have `{tag}` here: it may come back as an extension");
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            } else if !self.around.documented.contains_key(&tag) && self.stands_for(of, found, id) {
                let message = format!(
                    "nothing says what `{tag}` means: it may come back as what GEDCOM 7.0 has for it"
                );
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
            return self.beneath_extension(found, id);
        };
        if !is_whole(&self.done.record, inner, id) {
            let message = format!("`{tag}` lacks what GEDCOM 7.0 wants: it comes back as an extension");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
        }
        if inner.points() != matches!(self.structure(id).payload, Value::Pointer(_)) {
            let is_pointer = inner.points();
            let (wrong, right) = if is_pointer { ("no pointer", "a pointer") } else { ("a pointer", "none") };
            if is_pointer || self.structure(id).payload.is_pointer() && !self.is_void(id) {
                let message =
                    format!("`{tag}` has {wrong}, where GEDCOM 7.0 has {right}: it comes back as one");
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
        }
        // What stands beneath an extension stays as it is.
        if self.around.resolver.is_undefined(found) {
            if self.drop_void(id) {
                return None;
            }
            if tag == "SNOTE" {
                self.rename(id, "NOTE");
            }
            let kind = Kind::of(inner.term(), of.term()).filter(|_| self.around.is_plain);
            let text = self.structure(id).payload.text();
            // An initiatory comes back as one, with what it has.
            if let (Some(kind @ Kind::Enumeration(_)), Some(text), "INIL") = (kind, text, of.term())
                && let (word, None) = kind.to_551(text, None)
                && word != text
                && kind.to_7(&word) == Said::plain(text)
            {
                self.done.record.get_mut(id).payload = Value::of(word);
            } else if let Some((kind, text)) = kind.zip(text)
                && kind.to_7(text) != Said::plain(text)
            {
                let message = format!("beneath an extension `{text}` stays as it is, and is read otherwise");
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
            return Some((Some(inner), self.resolve(found, id)));
        }
        if tag == "NO"
            && let Some((event, type_of)) = self.take_denied(of, found, id)
        {
            return Some((Some(event), type_of));
        }
        let is_kept = self.take_kept(id, found, &tag);
        if self.around.is_plain && !is_kept && self.has_no_place(id, inner, of) {
            if self.drop_void(id) {
                return None;
            }
            let tag = extensions::tag_of(&tag);
            let message = format!("it is written `{tag}`: GEDCOM 5.5.1 has no more, or no form for it");
            self.remark(id, codes::STRUCTURE_REARRANGED, message);
            self.done.record.get_mut(id).tag = tag.into();
            return Some((Some(inner), self.resolve(found, id)));
        }
        if !is_kept {
            if self.is_void(id) {
                let is_marked = self.mark_of(id).is_some();
                let has_form = !self.around.is_plain || inner.term() == "REPO" || is_marked;
                if points_to_texts(inner.term()) && has_form {
                    // Of one that is bare it is said that it is empty.
                    if !is_marked && !self.is_bare(id) && matches!(inner.term(), "SOUR" | "OBJE") {
                        let message = format!("`{tag}` points to nothing, and comes back with a mark");
                        self.remark(id, codes::STRUCTURE_REARRANGED, message);
                    }
                    self.done.record.get_mut(id).payload = Value::None;
                    if inner.term() == "SOUR" {
                        self.take_texts(id);
                    }
                } else if self.structure(id).below.is_empty() {
                    self.leave_out_void(id);
                    return None;
                } else {
                    return Some((Some(inner), self.extend_void(found, id, inner)));
                }
            }
            self.say(id, inner, of);
            self.say_residence(id, inner);
        }
        self.retag(of, inner, found, id);
        let mut type_of = self.resolve(found, id);
        if self.around.resolver.is_undefined(type_of) && !self.structure(id).tag.starts_with('_') {
            let tag = match &*tag {
                "CREA" if self.done.record.find(id, "DATE").is_some() => "_CREAT".to_owned(),
                "INIL" => "_INIT".to_owned(),
                tag => extensions::tag_of(tag),
            };
            let was = self.structure(id).tag.to_string();
            if let Some(message) = self.unreturned((of, inner), id, (&was, &tag)) {
                self.remark(id, codes::STRUCTURE_REARRANGED, message);
            }
            self.done.record.get_mut(id).tag = tag.into();
            type_of = self.extended(found, id, &format!("{TERMS}{}", inner.term()));
        }
        Some((Some(inner), type_of))
    }

    /// Tells whether a structure with an undocumented tag is taken for one of GEDCOM 7.0 on the way back.
    fn stands_for(&mut self, of: Structure7, found: TypeId, id: Id) -> bool {
        let is_of_programs = underscored::is_of_programs(of, &self.structure(id).tag);
        if is_of_programs || underscored::points_to_nothing(&self.done.record, of, id, &mut self.siblings) {
            return true;
        }
        let resolver = &mut *self.around.resolver;
        if resolver.is_undefined(found) {
            return false;
        }
        let has_tag = |tag: &str| {
            let type_of = resolver.resolve(found, tag);
            !resolver.is_undefined(type_of)
        };
        underscored::stands_for(&self.done.record, of, id, &mut self.siblings, has_tag).is_some()
    }

    /// The reason why a structure that is written by another tag is not read as what it was on the way back.
    fn unreturned(
        &mut self,
        of: (Structure7, Structure7),
        id: Id,
        (tag, made): (&str, &str),
    ) -> Option<String> {
        let siblings = &mut self.siblings;
        if !self.around.is_plain {
            let has_room = siblings.have_room(&self.done.record, of.0, tag, &[made]);
            return (!has_room).then(|| {
                format!("`{tag}` stands here more often than in GEDCOM 7.0, and comes back as an extension")
            });
        }
        let is_back = underscored::comes_back(&self.done.record, of, id, (tag, made), siblings);
        (!is_back).then(|| format!("`{tag}` is written `{made}`, since GEDCOM 5.5.1 does not have it here"))
    }

    /// Takes note of an extension with its IRI; returns its type.
    fn extended(&mut self, found: TypeId, id: Id, iri: &str) -> TypeId {
        let above = self.above.as_deref().or(self.around.resolver.iri(found)).unwrap_or_default().to_owned();
        let tag = self.structure(id).tag.to_string();
        self.named.insert(id, iri.to_owned());
        if let Some(other) = self.around.renamed.get(&tag) {
            self.done.record.get_mut(id).tag = other.clone().into();
        }
        if !above.is_empty() {
            self.done.extensions.push((tag, iri.to_owned(), above));
        }
        self.resolve(found, id)
    }

    fn is_bare(&self, id: Id) -> bool {
        self.structure(id).below.is_empty()
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
