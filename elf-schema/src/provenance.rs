//! The schema and the place that a definition comes from.

use crate::vendors::Producer;
use elf_base::{Place, without_credentials};
use std::fmt;
use std::sync::Arc;

/// Where a definition comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Provenance {
    /// The schema that contains the definition.
    pub origin: Origin,
    /// The place in the file, in the built-in schema, or in the external schema.
    pub place: Option<Place>,
}

/// The schema that a definition comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// The built-in schema that the January 2019 draft publishes.
    Published,
    /// The built-in schema with its gaps filled.
    Completed,
    /// The built-in schema of GEDCOM 7.
    Gedcom70,
    /// The built-in schema of the draft of GEDCOM 7.1.
    Gedcom71,
    /// The dictionary of vendor tags: for files of a producer, or the part that all producers have in common.
    Vendor(Option<Producer>),
    /// The header of the file itself.
    File,
    /// The external schema with this IRI.
    External(Arc<str>),
    /// Generated to write a type without a tag.
    Made,
}

impl Provenance {
    /// The provenance of definitions that are generated for writing.
    pub(crate) const MADE: Provenance = Provenance { origin: Origin::Made, place: None };
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Published => f.write_str("the built-in schema `published`"),
            Origin::Completed => f.write_str("the built-in schema `completed`"),
            Origin::Gedcom70 => f.write_str("the built-in schema `gedcom-7`"),
            Origin::Gedcom71 => f.write_str("the built-in schema of GEDCOM 7.1"),
            Origin::Vendor(Some(producer)) => {
                write!(f, "the built-in dictionary `vendor` for {}", producer.name())
            }
            Origin::Vendor(None) => f.write_str("the built-in dictionary `vendor` for all producers"),
            Origin::File => f.write_str("the header"),
            Origin::External(iri) => write!(f, "the external schema `{}`", without_credentials(iri)),
            Origin::Made => f.write_str("generated for the output"),
        }
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.origin.fmt(f)?;
        match self.place {
            Some(place) => write!(f, ", line {}", place.line),
            None => Ok(()),
        }
    }
}
