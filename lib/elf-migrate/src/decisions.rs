//! What all records of a file depend on, decided after the whole file was studied.

use crate::extensions::ExtensionTags;
use crate::from_7::{Documented, Meaning, TaggedUnder};
use crate::identifiers::Renamed;
use crate::record::Record;
use crate::vendor_tags::ParentTies;
use indexmap::{IndexMap, IndexSet};
use std::collections::{HashMap, HashSet};

/// The decisions for a migration.
#[derive(Debug)]
pub(crate) enum Decisions {
    To7(To7Decisions),
    From7(From7Decisions),
}

/// The decisions for a migration to GEDCOM 7.0.
#[derive(Debug)]
pub(crate) struct To7Decisions {
    pub(crate) identifiers: Renamed,
    pub(crate) extensions: ExtensionTags,
    /// For each record, whether it is the same in both standards but for identifiers.
    pub(crate) unchanged: Vec<bool>,
    /// The submitters that associations point to.
    pub(crate) submitters: HashSet<Box<str>>,
    /// The pointers of shared notes that do not lead to a note.
    pub(crate) strays: HashSet<Box<str>>,
    /// The submitter who was made up when the file was written.
    pub(crate) unstated: Option<String>,
    /// The ties of children to their parents.
    pub(crate) ties: ParentTies,
}

/// The types of extensions by IRI, with their tags.
pub(crate) type ExtensionTypes = IndexMap<String, IndexSet<TaggedUnder>>;

/// The decisions for a migration to GEDCOM 5.5.1 or ELF.
#[derive(Debug)]
pub(crate) struct From7Decisions {
    /// The extension tags that the header documents.
    pub(crate) documented: Documented,
    pub(crate) types: ExtensionTypes,
    /// The new tags of types whose tags also occur without a type.
    pub(crate) renamed_tags: HashMap<String, String>,
    pub(crate) meanings: HashSet<Meaning>,
    /// Documented tags of structures.
    pub(crate) used_tags: HashSet<String>,
    /// Documented tags in payloads: calendars, and values of enumerations.
    pub(crate) used_values: HashSet<String>,
    /// The records to move back under the links to them.
    pub(crate) inline: HashMap<String, Record<'static>>,
    /// Identifiers of several structures, at least one of which loses it.
    pub(crate) lost_identifiers: HashSet<Box<str>>,
    /// The identifier for a submitter to be made up.
    pub(crate) unstated: Option<String>,
}

impl From7Decisions {
    /// Returns whether a documented tag has several IRIs, and no structure is known to have this one.
    pub(crate) fn is_undecided(&self, tag: &str, iri: &str) -> bool {
        let has_several = self.documented.get(tag).is_some_and(|iris| iris.len() > 1);
        has_several && !self.meanings.contains(&Meaning { tag: tag.to_owned(), iri: iri.to_owned() })
    }
}
