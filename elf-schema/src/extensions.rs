//! The extension tags of a schema.

use crate::extension_names::ExtensionNames;
use crate::ids::TypeId;
use crate::provenance::Provenance;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

pub(crate) const GEDCOM_7: &str = "https://gedcom.io/terms/v7/";

/// An extension tag with its URI in the header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExtensionTag {
    /// The tag.
    pub tag: Box<str>,
    /// The URI of a structure type, a value, a calendar or a month.
    pub uri: Box<str>,
    /// Where it is defined.
    pub provenance: Provenance,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Extensions {
    /// The extension tags, in the order of the header.
    pub(crate) tags: Vec<ExtensionTag>,
    pub(crate) by_tag: HashMap<Box<str>, Meanings>,
    /// The tags that are not structures.
    pub(crate) names: ExtensionNames,
    /// The number of types that the schema has without extension tags.
    pub(crate) standard: usize,
    /// True if the base schema is that of GEDCOM 7.0.
    pub(crate) are_over_gedcom_7: bool,
    /// Where the types that are not of the standard may stand. Created when it is first needed.
    pub(crate) places: OnceLock<Places>,
}

/// The types of a tag. A file may give a tag any number of URIs, so only the first [`MOST`](Meanings::MOST) are kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meanings {
    pub(crate) standard: Vec<TypeId>,
    /// The types that are not of the standard.
    pub(crate) others: Vec<TypeId>,
    /// True if the tag has more types. Then it is ambiguous everywhere.
    pub(crate) are_too_many: bool,
}

impl Meanings {
    /// The number of types that a tag may have. Every place of a tag is compared with all of them.
    pub(crate) const MOST: usize = 100;

    pub(crate) fn has(&self, of: TypeId) -> bool {
        self.standard.contains(&of) || self.others.contains(&of)
    }

    /// Adds a type, unless the tag already has too many.
    pub(crate) fn add(&mut self, of: TypeId, is_standard: bool) {
        if self.are_too_many || self.has(of) {
            return;
        }
        if self.standard.len() + self.others.len() == Meanings::MOST {
            self.are_too_many = true;
            return;
        }
        if is_standard { &mut self.standard } else { &mut self.others }.push(of);
    }
}

/// Where the types of extension tags may stand. A type without an entry may stand anywhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// By the type of an extension: the superstructure types in the dictionary of vendor tags.
    pub(crate) in_dictionary: HashMap<TypeId, HashSet<TypeId>>,
    /// By the type of an extension with a proposed IRI: the tag of the superstructure.
    pub(crate) proposed: HashMap<TypeId, Box<str>>,
    /// By a tag in a proposed IRI: the types that it stands for.
    pub(crate) types: HashMap<Box<str>, HashSet<TypeId>>,
}
