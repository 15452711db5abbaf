//! The state of converting one record to GEDCOM 7.0.

use crate::extensions::{Extensions, KeptTag, TagAbove};
use crate::grammar::Structure7;
use crate::identifiers::Made;
use crate::record::{Id, Record, TOP, Value};
use crate::remarks::Remark;
use crate::siblings::Siblings;
use crate::vendor_tags::{ParentTies, VendorTags};
use elf_base::Code;
use elf_schema::{Resolver, TypedDocument, term};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// A converted record, with data that affects the rest of the file.
#[derive(Debug, Default)]
pub(crate) struct ConvertedRecord<'d> {
    /// The record, followed by the records created from parts of it.
    pub(crate) records: Vec<Record<'d>>,
    pub(crate) extensions: Vec<Extension7>,
    /// The pointers of shared notes, which GEDCOM 5.5.1 does not have.
    pub(crate) shared_notes: Vec<Box<str>>,
    pub(crate) remarks: Vec<Remark>,
    /// True if other records affect how the record is converted.
    pub(crate) depends_on_others: bool,
}

impl ConvertedRecord<'_> {
    /// Returns whether the record is the same in both standards, regardless of the rest of the file.
    pub(crate) fn is_unchanged(&self) -> bool {
        !self.depends_on_others
            && self.remarks.is_empty()
            && self.extensions.is_empty()
            && self.shared_notes.is_empty()
            && matches!(&self.records[..], [record] if !record.is_changed())
    }

    /// Adds the extensions of these records to those of the file. The place of a tag that stays is the one in the
    /// converted record, since a reader of GEDCOM 7.0 looks it up there.
    pub(crate) fn add_extensions_to(&self, all: &mut Extensions) {
        let mut assigned: HashMap<(usize, Id), &str> = HashMap::new();
        let mut superstructures: HashMap<usize, Vec<Option<Id>>> = HashMap::new();
        for extension in &self.extensions {
            match &extension.iri {
                ExtensionIri::Assigned(iri) => _ = assigned.insert((extension.record, extension.id), iri),
                ExtensionIri::Kept(_) => {
                    let record = &self.records[extension.record];
                    superstructures.entry(extension.record).or_insert_with(|| record.superstructures());
                }
            }
        }
        for Extension7 { record, id, iri } in &self.extensions {
            let structures = &self.records[*record];
            let tag = &structures.get(*id).tag;
            let iri = match iri {
                ExtensionIri::Assigned(iri) => {
                    all.add(tag, iri);
                    continue;
                }
                ExtensionIri::Kept(iri) => iri.clone(),
            };
            let above = superstructures.get(record).and_then(|all| all[*id]);
            // What was moved to another record has its place there.
            if above.is_none() && *id != TOP {
                continue;
            }
            let above = above.map(|above| TagAbove {
                tag: structures.get(above).tag.clone().into_owned(),
                iri: assigned.get(&(*record, above)).map(|iri| (*iri).to_owned()),
            });
            all.add_kept(tag, KeptTag { iri, above });
        }
    }
}

/// An extension in one of the converted records.
#[derive(Debug)]
pub(crate) struct Extension7 {
    /// The index of the record.
    pub(crate) record: usize,
    pub(crate) id: Id,
    pub(crate) iri: ExtensionIri,
}

/// The IRI of an extension.
#[derive(Debug)]
pub(crate) enum ExtensionIri {
    /// The IRI of its type. The tag may change, so that no two IRIs have the same tag.
    Assigned(String),
    /// The file does not say what the tag means, so the tag stays. The IRI is that of the built-in dictionary of vendor
    /// tags.
    Kept(Option<String>),
}

/// The data of the file that affects a record.
pub(crate) struct RecordContext<'a> {
    pub(crate) run: &'a TypedDocument<'a>,
    /// The program that wrote the file.
    pub(crate) system: Option<&'a str>,
    /// The submitters to which associations point.
    pub(crate) submitters: &'a HashSet<Box<str>>,
    /// The pointers of shared notes that do not refer to a note.
    pub(crate) strays: &'a HashSet<Box<str>>,
    /// The placeholder submitter that an earlier migration wrote.
    pub(crate) unstated: Option<&'a str>,
    /// Finds the types of GEDCOM 5.5.1 and ELF.
    pub(crate) resolver: &'a mut Resolver,
    /// How children are related to their parents.
    pub(crate) ties: &'a ParentTies,
    pub(crate) vendor_tags: &'a mut VendorTags,
    /// The number of records created from parts of others so far.
    pub(crate) made_records: &'a mut u64,
}

/// A structure whose substructures are being converted.
pub(super) struct Parent {
    pub(super) id: Id,
    pub(super) of: Structure7,
    /// True if GEDCOM 5.5.1 or ELF has the structure.
    pub(super) is_typed: bool,
    pub(super) siblings: Siblings,
    /// The number of substructures of each type converted so far.
    pub(super) counts: Vec<(Structure7, u32)>,
    /// The tags of record numbers converted so far.
    pub(super) numbers: HashSet<&'static str>,
    /// The tags that vendor tags may become. They are found on first use.
    pub(super) tags_in_7: Option<HashSet<&'static str>>,
}

pub(super) struct To7Migrator<'d, 'a, 'w> {
    pub(super) record: Record<'d>,
    pub(super) context: &'w mut RecordContext<'a>,
    pub(super) output: &'w mut ConvertedRecord<'d>,
    /// Records created from parts of this one.
    pub(super) new_records: Vec<Record<'d>>,
    /// Structures that may have a meaning even if they are empty: events and extensions.
    pub(super) meaningful: HashSet<Id>,
    /// Structures that the file names by IRIs of GEDCOM 7.0, and their substructures. They are spelled as in GEDCOM
    /// 7.0.
    pub(super) named: HashSet<Id>,
    /// Marks of empty structures, and structures that need no mark.
    pub(super) marked: HashSet<Id>,
    /// Times of 24:00 under a date that was changed to the next day.
    pub(super) advanced: HashSet<Id>,
    /// Names of a person that had vendor tags, with these tags.
    pub(super) late_names: HashMap<Id, Cow<'d, str>>,
}

impl<'d, 'a, 'w> To7Migrator<'d, 'a, 'w> {
    pub(super) fn new(
        record: Record<'d>,
        context: &'w mut RecordContext<'a>,
        output: &'w mut ConvertedRecord<'d>,
    ) -> Self {
        To7Migrator {
            record,
            context,
            output,
            new_records: Vec::new(),
            meaningful: HashSet::new(),
            named: HashSet::new(),
            marked: HashSet::new(),
            advanced: HashSet::new(),
            late_names: HashMap::new(),
        }
    }

    /// Adds a record that was created from a part of this one. Returns the pointer to it.
    pub(super) fn add_record(&mut self, mut record: Record<'d>, letter: char) -> Value<'d> {
        *self.context.made_records += 1;
        let made = Made { letter, number: *self.context.made_records };
        record.set_made(made);
        self.new_records.push(record);
        Value::Made(made)
    }

    /// Returns whether GEDCOM 5.5.1, ELF or a schema in the file has a type for the structure.
    pub(super) fn is_typed(&self, id: Id) -> bool {
        self.iri(id).is_some_and(|iri| term::undefined_tag(iri).is_none())
    }

    /// Returns the tag in the document of a structure, or of the structure that it was made from.
    pub(super) fn original_tag(&self, id: Id) -> &'a str {
        self.context.run.document().node(self.record.get(id).origin).map_or("", |node| node.tag())
    }

    /// Returns the IRI of the type that a structure has in the document.
    pub(super) fn iri(&self, id: Id) -> Option<&'a str> {
        let run = self.context.run;
        run.type_of(run.document().node(self.record.get(id).origin)?)
    }

    /// Returns all substructures with a tag.
    pub(super) fn all(&self, parent: Id, tag: &str) -> Vec<Id> {
        let below = self.record.get(parent).below.iter().copied();
        below.filter(|&id| self.record.get(id).tag == tag).collect()
    }

    pub(super) fn rename(&mut self, id: Id, tag: &'static str) {
        self.record.get_mut(id).tag = tag.into();
    }

    pub(super) fn remark(&mut self, id: Id, code: Code, message: String) {
        self.output.remarks.push(Remark { origin: self.record.get(id).origin, code, message });
    }
}
