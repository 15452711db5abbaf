//! Decisions that affect all records of a file. They are made after the whole file was studied.

use crate::extensions::ExtensionTags;
use crate::from_7::{Documented, Meaning, TaggedUnder};
use crate::identifiers::Renamed;
use crate::record::Record;
use crate::vendor_tags::ParentTies;
use elf_schema::Schema;
use indexmap::{IndexMap, IndexSet};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

#[derive(Debug)]
pub(crate) enum Decisions {
    To7(To7Decisions),
    From7(From7Decisions),
}

#[derive(Debug)]
pub(crate) struct To7Decisions {
    pub(crate) identifiers: Renamed,
    pub(crate) extensions: ExtensionTags,
    /// For each record, whether only identifiers differ between both standards.
    pub(crate) unchanged: Vec<bool>,
    /// The submitters to which associations point.
    pub(crate) submitters: HashSet<Box<str>>,
    /// The pointers of shared notes that do not refer to a note.
    pub(crate) strays: HashSet<Box<str>>,
    /// The placeholder submitter that an earlier migration wrote.
    pub(crate) unstated: Option<String>,
    /// How children are related to their parents.
    pub(crate) ties: ParentTies,
    /// The schema with the vendor tags of the file; `None` for a file without structures.
    pub(crate) vendor_schema: Option<Arc<Schema>>,
}

/// The types of extensions by IRI, each with its tags.
pub(crate) type ExtensionTypes = IndexMap<String, IndexSet<TaggedUnder>>;

#[derive(Debug)]
pub(crate) struct From7Decisions {
    pub(crate) documented: Documented,
    /// Tags that the header documents as the dictionary of vendor tags does.
    pub(crate) known_tags: HashSet<String>,
    pub(crate) types: ExtensionTypes,
    /// New tags for types whose tags also occur without a type.
    pub(crate) renamed_tags: HashMap<String, String>,
    pub(crate) meanings: HashSet<Meaning>,
    /// Documented tags that are used for structures.
    pub(crate) used_tags: HashSet<String>,
    /// Documented tags that are used in payloads: calendars, and values of enumerations.
    pub(crate) used_values: HashSet<String>,
    /// Records to move back into the structures that link to them.
    pub(crate) inline: HashMap<String, Record<'static>>,
    /// Identifiers that several structures share. At least one of these structures loses the identifier.
    pub(crate) lost_identifiers: HashSet<Box<str>>,
    /// The identifier for a placeholder submitter.
    pub(crate) unstated: Option<String>,
    /// How children are related to their parents.
    pub(crate) ties: ParentTies,
    /// The schema with the vendor tags of the migrated file; `None` if it had none.
    pub(crate) vendor_schema: Option<Arc<Schema>>,
}

impl From7Decisions {
    /// Returns whether a documented tag has several IRIs and no structure is known to have this one.
    pub(crate) fn is_undecided(&self, tag: &str, iri: &str) -> bool {
        let has_several = self.documented.get(tag).is_some_and(|iris| iris.len() > 1);
        has_several && !self.meanings.contains(&Meaning { tag: tag.to_owned(), iri: iri.to_owned() })
    }
}
