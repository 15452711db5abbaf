//! Writes structures that a program has built.

use super::dangling::{DanglingTarget, is_ordinary};
use super::identifiers::{Identifiers, Renaming, Use};
use super::{Content, Preamble, Summary, Versions, WriteError, WriteOptions, Writer};
use elf_base::{Code, Diagnostic, Rules, Sink};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::io;

/// A structure that will be written.
#[derive(Clone, Copy, Debug)]
pub struct StructureToWrite<'s> {
    /// The level of the structure. A record has level 0. Structures directly in the header have level 1 and come before
    /// all records.
    pub level: u32,
    /// The cross-reference identifier, without at signs.
    pub xref: Option<&'s str>,
    /// The tag.
    pub tag: &'s str,
    /// The payload. Every pointer is given as [`Content::Pointer`], whatever its target is.
    pub content: Content<'s>,
}

/// A loss that is known before the first structure is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownLoss {
    /// The code of the finding.
    pub code: Code,
    /// The message of the finding.
    pub message: String,
}

/// A callback that receives the structures of a [`StructureList`].
pub type TakeStructure<'t> = dyn FnMut(StructureToWrite<'_>) -> Result<(), WriteError> + 't;

/// A list of structures in document order that can be visited several times.
pub trait StructureList {
    /// Calls `take` with each structure, in document order.
    ///
    /// # Errors
    ///
    /// Returns the errors of `take`.
    fn each(&self, take: &mut TakeStructure<'_>) -> Result<(), WriteError>;

    /// Returns whether a pointer to this identifier deliberately refers to no record, such as `VOID` in GEDCOM 7.
    fn is_void(&self, xref: &str) -> bool;
}

/// Writes structures as a file under `rules`, in the given order. [`Tree::write`](crate::tree::Tree::write) and
/// elf-model use it.
///
/// The `losses` are reported and counted too. Content that cannot be expressed is reported with the path of its
/// structure and counted as a loss. Identifiers that `rules` do not allow are [replaced](Identifiers), together with
/// the pointers to them.
///
/// # Errors
///
/// Returns the errors of the output, and [`WriteError::Options`] if the options are impossible.
pub fn write_structures<W: io::Write>(
    structures: &impl StructureList,
    preamble: &Preamble<'_>,
    losses: Vec<KnownLoss>,
    out: W,
    rules: &Rules,
    options: &WriteOptions,
    sink: &mut dyn Sink,
) -> Result<Summary, WriteError> {
    let facts = ListFacts::of(structures, rules)?;
    let mut options = *options;
    if options.versions == Versions::ElfIfNeeded && facts.needs_elf {
        options.versions = Versions::Both;
    }
    let mut preamble = preamble.clone();
    if let Some(version) = facts.gedcom_version.as_deref().filter(|_| preamble.gedcom_version.is_none()) {
        preamble.gedcom_version = Some(version.to_owned().into());
    }
    let mut writing = Writing { structures, facts, absent: HashSet::new() };
    if writing.facts.may_be_left_out {
        let mut rehearsal = Writer::rehearsal(rules, &options)?;
        writing.write_all(&mut rehearsal, |_| {})?;
        writing.absent = rehearsal.into_absent_identifiers();
    }
    let path = RefCell::new(StructurePath::default());
    let mut located = |finding: Diagnostic| {
        sink.report(match path.borrow().text() {
            Some(path) => finding.in_structure(path),
            None => finding,
        });
    };
    let renaming = writing.choose_renaming(rules, &options)?;
    let mut writer = Writer::new(out, rules, &options, &mut located)?;
    writer.rename(renaming);
    writer.head(&preamble)?;
    for KnownLoss { code, message } in losses {
        writer.lose(code, message);
    }
    writing.write_all(&mut writer, |structure| path.borrow_mut().enter(structure))?;
    path.borrow_mut().leave();
    writer.finish()
}

/// Facts about all structures that are needed before the first one is written.
#[derive(Default)]
struct ListFacts {
    /// The kinds of structures that have each identifier.
    bearers: HashMap<Box<str>, Bearers>,
    /// Whether any structure needs the ELF version in the header.
    needs_elf: bool,
    /// Whether a structure with an identifier may be left out or lose its identifier.
    may_be_left_out: bool,
    /// Whether GEDC in the header is not data, because the version is in the preamble (D19 *Header metadata*).
    skips_gedc: bool,
    /// The version in GEDC, if GEDC is skipped.
    gedcom_version: Option<Box<str>>,
}

#[derive(Clone, Copy)]
struct Bearers {
    first_is_record: bool,
    are_several: bool,
}

impl ListFacts {
    fn of(structures: &impl StructureList, rules: &Rules) -> Result<ListFacts, WriteError> {
        let skips_gedc = rules.tagged.metadata.has_versions();
        let mut facts = ListFacts { skips_gedc, ..ListFacts::default() };
        let mut gedc = GedcInHeader::default();
        structures.each(&mut |structure| {
            let StructureToWrite { level, xref, tag, content } = structure;
            if skips_gedc && gedc.has(&structure) {
                if let ("VERS", 2, Content::Text(version)) = (tag, level, content) {
                    facts.gedcom_version.get_or_insert_with(|| version.into());
                }
                return Ok(());
            }
            facts.needs_elf |= matches!(tag, "PLANG" | "DTYPE");
            facts.may_be_left_out |= !is_ordinary(tag) || level > 0 && xref.is_some();
            if let Some(xref) = xref {
                let first = Bearers { first_is_record: level == 0, are_several: false };
                let several = |bearers: &mut Bearers| bearers.are_several = true;
                facts.bearers.entry(xref.into()).and_modify(several).or_insert(first);
            }
            Ok(())
        })?;
        Ok(facts)
    }
}

/// Recognises GEDC in the header and everything under it.
#[derive(Default)]
struct GedcInHeader {
    is_open: bool,
    /// Whether a record has been visited. The header is then complete.
    is_over: bool,
}

impl GedcInHeader {
    fn has(&mut self, structure: &StructureToWrite<'_>) -> bool {
        self.is_over |= structure.level == 0;
        self.is_open = !self.is_over
            && (structure.level > 1 && self.is_open || structure.level == 1 && structure.tag == "GEDC");
        self.is_open
    }
}

/// The structures that are written, with facts about all of them.
struct Writing<'l, L> {
    structures: &'l L,
    facts: ListFacts,
    /// The identifiers that are not written.
    absent: HashSet<Box<str>>,
}

impl<L: StructureList> Writing<'_, L> {
    fn write_all<W: io::Write>(
        &self,
        writer: &mut Writer<'_, W>,
        mut tell: impl FnMut(StructureToWrite<'_>),
    ) -> Result<(), WriteError> {
        let restricts_pointers = writer.restricts_pointers() || !self.absent.is_empty();
        self.each(&mut |structure| {
            tell(structure);
            let StructureToWrite { level, xref, tag, content } = structure;
            let content = match content {
                Content::Pointer(id) if restricts_pointers || self.structures.is_void(id) => {
                    self.pointer_content(id)
                }
                other => other,
            };
            writer.structure(level, xref, tag, content)
        })
    }

    fn pointer_content<'p>(&self, id: &'p str) -> Content<'p> {
        match self.facts.bearers.get(id) {
            None => Content::Dangling(id, DanglingTarget::Nowhere),
            Some(_) if self.absent.contains(id) => Content::Dangling(id, DanglingTarget::ToWhatIsLeftOut),
            Some(Bearers { first_is_record: false, .. }) => {
                Content::Dangling(id, DanglingTarget::ToSubstructure)
            }
            Some(_) => Content::Pointer(id),
        }
    }

    fn choose_renaming(&self, rules: &Rules, options: &WriteOptions) -> Result<Renaming, WriteError> {
        let mut identifiers = Identifiers::new(rules, options);
        self.each_identifier(|id, of| identifiers.examine(id, of))?;
        if identifiers.are_unusual() || !self.absent.is_empty() {
            self.each_identifier(|id, of| identifiers.collect(id, of))?;
        }
        Ok(identifiers.into_renaming(&self.absent))
    }

    /// Calls `take` with all structures that are data.
    fn each(&self, take: &mut TakeStructure<'_>) -> Result<(), WriteError> {
        let mut gedc = GedcInHeader::default();
        self.structures.each(&mut |structure| match self.facts.skips_gedc && gedc.has(&structure) {
            true => Ok(()),
            false => take(structure),
        })
    }

    fn each_identifier(&self, mut take: impl FnMut(&str, Use)) -> Result<(), WriteError> {
        self.each(&mut |structure| {
            if let Some(xref) = structure.xref {
                let are_several = self.facts.bearers.get(xref).is_some_and(|bearers| bearers.are_several);
                take(
                    xref,
                    match (self.structures.is_void(xref), are_several) {
                        (true, _) => Use::Void,
                        (false, true) => Use::OneOfSeveral,
                        (false, false) => Use::Bearer,
                    },
                );
            }
            if let Content::Pointer(id) = structure.content {
                take(id, Use::Pointer);
            }
            Ok(())
        })
    }
}

/// The path of the current structure, as `elf edit` and [`Document::find`](crate::Document::find) accept it.
#[derive(Default)]
struct StructurePath {
    /// The path from the record to the current structure, as text.
    text: String,
    /// The structures from the record to the current one.
    open: Vec<OpenStructure>,
    /// The number of records with each tag that have been written.
    records: HashMap<Box<str>, u32>,
}

#[derive(Default)]
struct OpenStructure {
    level: u32,
    /// The length of the path without this structure.
    before: usize,
    /// The number of substructures with each tag that have been written.
    tags: HashMap<Box<str>, u32>,
}

impl StructurePath {
    fn enter(&mut self, structure: StructureToWrite<'_>) {
        let StructureToWrite { level, xref, tag, .. } = structure;
        while let Some(last) = self.open.pop_if(|last| last.level >= level) {
            self.text.truncate(last.before);
        }
        let before = self.text.len();
        if self.open.is_empty() && level > 0 {
            self.text.push_str("HEAD");
        }
        if !self.text.is_empty() {
            self.text.push('/');
        }
        match xref.filter(|_| level == 0) {
            Some(xref) => self.text.extend(["@", xref, "@"]),
            None => {
                let siblings = self.open.last_mut().map_or(&mut self.records, |above| &mut above.tags);
                let number = siblings.entry(tag.into()).or_default();
                *number += 1;
                self.text.push_str(tag);
                if *number > 1 {
                    self.text.push_str(&format!("[{number}]"));
                }
            }
        }
        self.open.push(OpenStructure { level, before, tags: HashMap::new() });
    }

    fn leave(&mut self) {
        *self = StructurePath::default();
    }

    fn text(&self) -> Option<&str> {
        Some(&*self.text).filter(|text| !text.is_empty())
    }
}
