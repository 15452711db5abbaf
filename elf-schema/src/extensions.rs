//! The extension tags of a schema.

use crate::extension_names::ExtensionNames;
use crate::ids::TypeId;
use crate::provenance::Provenance;
use std::collections::HashMap;

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
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Meanings {
    pub(crate) standard: Vec<TypeId>,
    /// The types that are not of the standard.
    pub(crate) others: Vec<TypeId>,
}
