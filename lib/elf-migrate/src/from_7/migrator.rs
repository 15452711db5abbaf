//! The state of converting one record to GEDCOM 5.5.1 or ELF.

use crate::equivalents::{FoundForm, Mark};
use crate::grammar::Structure7;
use crate::record::{Id, Record, Structure};
use crate::remarks::Remark;
use crate::siblings::Siblings;
use crate::vendor_tags::{ParentTies, VendorTags};
use elf_base::Code;
use elf_schema::{Resolver, TypeId, TypedDocument};
use indexmap::IndexSet;
use std::collections::{HashMap, HashSet};

/// The extension tags that a header documents, with their IRIs.
pub(crate) type Documented = HashMap<String, IndexSet<String>>;

/// A converted record, with data that affects the header of the file.
#[derive(Debug)]
pub(crate) struct ConvertedRecord<'d> {
    pub(crate) record: Record<'d>,
    pub(crate) extensions: Vec<Extension551>,
    /// Tags with an underscore that belong to GEDCOM 5.5.1 and have no type.
    pub(crate) untyped_tags: Vec<&'static str>,
    /// The meanings of documented tags that were used.
    pub(crate) meanings: Vec<Meaning>,
    pub(crate) remarks: Vec<Remark>,
}

#[derive(Debug)]
pub(crate) struct Extension551 {
    pub(crate) iri: String,
    pub(crate) place: TaggedUnder,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TaggedUnder {
    pub(crate) tag: String,
    /// The IRI of the type of the superstructure.
    pub(crate) parent: String,
}

/// A documented tag, and one of its IRIs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Meaning {
    pub(crate) tag: String,
    pub(crate) iri: String,
}

/// The data of the file that affects a record.
pub(crate) struct RecordContext<'a> {
    pub(crate) run: &'a TypedDocument<'a>,
    pub(crate) documented: &'a Documented,
    /// Tags that the header documents as the dictionary of vendor tags does.
    pub(crate) known_tags: &'a HashSet<String>,
    /// Finds the types of GEDCOM 5.5.1 and ELF.
    pub(crate) resolver: &'a mut Resolver,
    /// The program that wrote the file.
    pub(crate) system: Option<&'a str>,
    /// New tags for extensions whose tags also occur without an IRI.
    pub(crate) renamed: &'a HashMap<String, String>,
    /// True for plain GEDCOM 5.5.1, which has no schema for extensions.
    pub(crate) is_plain: bool,
    /// Records to move back into the structures that link to them.
    pub(crate) inline: &'a HashMap<String, Record<'static>>,
    pub(crate) ties: &'a ParentTies,
    /// Finds the types of vendor tags in the migrated file; `None` while they are unknown.
    pub(crate) vendor_tags: Option<&'a mut VendorTags>,
}

/// The type of a structure in each standard.
#[derive(Clone, Copy)]
pub(super) struct Types {
    /// `None` for extensions.
    pub(super) in_7: Option<Structure7>,
    pub(super) in_551: TypeId,
}

/// A structure whose substructures are converted later.
pub(super) struct Open {
    pub(super) id: Id,
    pub(super) types: Types,
}

/// A structure with the mark of a vendor tag.
pub(super) struct MarkedStructure {
    pub(super) id: Id,
    /// The superstructure; `None` for the record itself.
    pub(super) above: Option<Id>,
    pub(super) mark: Mark,
    /// The structure in GEDCOM 7.0.
    pub(super) form: FoundForm,
}

/// A structure whose substructures are being converted.
pub(super) struct Parent {
    pub(super) types: Types,
    /// The IRI of an extension that is not in the schema.
    pub(super) iri: Option<String>,
    /// True if a record was moved into this structure.
    pub(super) holds_record: bool,
    pub(super) siblings: Siblings,
    /// The number of substructures of each term converted so far.
    pub(super) counts: HashMap<&'static str, usize>,
    /// The tags of its record numbers, such as RIN and AFN.
    pub(super) numbers: HashSet<&'static str>,
}

pub(super) struct From7Migrator<'d, 'a, 'w> {
    pub(super) output: ConvertedRecord<'d>,
    pub(super) context: &'w mut RecordContext<'a>,
    /// Structures that are already in the form of GEDCOM 5.5.1.
    pub(super) converted: HashSet<Id>,
    /// Structures that had vendor tags.
    pub(super) vendor_marks: Vec<MarkedStructure>,
    /// The IRIs of extensions that are not in the schema.
    pub(super) iris: HashMap<Id, String>,
}

impl<'d, 'a, 'w> From7Migrator<'d, 'a, 'w> {
    pub(super) fn new(record: Record<'d>, context: &'w mut RecordContext<'a>) -> Self {
        let output = ConvertedRecord {
            record,
            extensions: Vec::new(),
            untyped_tags: Vec::new(),
            meanings: Vec::new(),
            remarks: Vec::new(),
        };
        From7Migrator {
            output,
            context,
            converted: HashSet::new(),
            vendor_marks: Vec::new(),
            iris: HashMap::new(),
        }
    }

    pub(super) const fn record(&self) -> &Record<'d> {
        &self.output.record
    }

    pub(super) const fn record_mut(&mut self) -> &mut Record<'d> {
        &mut self.output.record
    }

    pub(super) fn structure(&self, id: Id) -> &Structure<'d> {
        self.output.record.get(id)
    }

    pub(super) fn is_bare(&self, id: Id) -> bool {
        self.structure(id).below.is_empty()
    }

    pub(super) fn resolve(&mut self, parent: TypeId, id: Id) -> TypeId {
        self.context.resolver.resolve(parent, &self.output.record.get(id).tag)
    }

    pub(super) fn rename(&mut self, id: Id, tag: &'static str) {
        self.record_mut().get_mut(id).tag = tag.into();
    }

    pub(super) fn remark(&mut self, id: Id, code: Code, message: String) {
        let origin = self.structure(id).origin;
        self.output.remarks.push(Remark { origin, code, message });
    }
}
