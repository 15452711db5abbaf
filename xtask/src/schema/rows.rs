//! The rows of the files that are beside the file of facts.

use std::collections::{BTreeMap, BTreeSet};

/// The namespace of the structures of GEDCOM 7.
pub(super) const GEDCOM_7: &str = "https://gedcom.io/terms/v7/";

/// A type and what corresponds to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Correspondence {
    /// The type, with its prefix; `None` of a structure that only GEDCOM 7 has.
    pub(super) of: Option<String>,
    /// The name of its role.
    pub(super) role: Option<String>,
    /// The IRIs of the structures of GEDCOM 7.
    pub(super) gedcom_7: Vec<String>,
}

/// The datatype of a type.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Datatype {
    /// The type, with its prefix.
    pub(super) of: String,
    /// The datatype as an expression of Rust.
    pub(super) expression: String,
}

/// The structures of GEDCOM 7, in the order of their names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Gedcom70 {
    pub(super) structures: BTreeMap<String, Structure>,
}

/// A structure of GEDCOM 7.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Structure {
    pub(super) tag: String,
    /// The name of the type of its text; empty where it has none, or any.
    pub(super) value: String,
    /// Returns whether it may have a text.
    pub(super) has_text: bool,
    /// The types of ELF that such structures are, with their prefixes.
    pub(super) supertypes: Vec<String>,
    /// The structures it is in, `(dataset)` for none.
    pub(super) places: BTreeSet<String>,
}
