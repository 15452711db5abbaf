//! The rows of the smaller files of facts.

use std::collections::{BTreeMap, BTreeSet};

/// The namespace of the structures of GEDCOM 7.
pub(super) const GEDCOM_7: &str = "https://gedcom.io/terms/v7/";

/// A type and the types of other standards that correspond to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Correspondence {
    /// The type, with its prefix. `None` for a structure that only GEDCOM 7 has.
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
    /// The datatype as a Rust expression.
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
    /// The name of the type of its text. Empty if it has no text, or any.
    pub(super) value: String,
    /// True if it may have text.
    pub(super) has_text: bool,
    /// Its supertypes in ELF, with their prefixes.
    pub(super) supertypes: Vec<String>,
    /// The structures that may contain it, or `(dataset)` for a record.
    pub(super) places: BTreeSet<String>,
}
