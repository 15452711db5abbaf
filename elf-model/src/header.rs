//! The serialisation metadata of a header.

use crate::json::named::Named;
use serde::{Deserialize, Deserializer, Serialize};

/// The serialisation metadata of a header. The serialisation metadata is not data and is not compared, except for the
/// language, which applies to all literals that do not name their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Header {
    /// The legacy GEDCOM version, as written in the file (D19 *Legacy GEDCOM version*).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gedcom_version: Option<Box<str>>,
    /// The language of payloads that do not name their own, as written in the file (D19 *Header metadata*).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Box<str>>,
    /// The structures SCHMA, or PRFX and DEFN in 2017, with all their substructures, in order.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_schema_lines")]
    pub schema: Option<Vec<SchemaLine>>,
}

/// A structure of the header's schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SchemaLine {
    /// The level of the structure, from 1.
    pub level: u32,
    /// The tag of the structure.
    pub tag: Box<str>,
    /// The payload of the structure. The payload is empty if the structure has none.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub payload: Box<str>,
}

impl Header {
    /// Creates an empty header.
    pub const fn new() -> Header {
        Header { gedcom_version: None, language: None, schema: None }
    }

    /// Sets the GEDCOM version.
    #[must_use]
    pub fn with_gedcom_version(mut self, version: Option<&str>) -> Header {
        self.gedcom_version = version.map(Box::from);
        self
    }

    /// Sets the language.
    #[must_use]
    pub fn with_language(mut self, language: Option<&str>) -> Header {
        self.language = language.map(Box::from);
        self
    }

    /// Sets the schema.
    #[must_use]
    pub fn with_schema(mut self, schema: Option<Vec<SchemaLine>>) -> Header {
        self.schema = schema;
        self
    }
}

impl SchemaLine {
    /// Creates a structure of the schema. `level` counts from 1.
    pub fn new(level: u32, tag: impl Into<Box<str>>, payload: impl Into<Box<str>>) -> SchemaLine {
        SchemaLine { level, tag: tag.into(), payload: payload.into() }
    }
}

fn deserialize_schema_lines<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<SchemaLine>>, D::Error> {
    let lines = Option::<Vec<Named<SchemaLine>>>::deserialize(deserializer)?;
    Ok(lines.map(|lines| lines.into_iter().map(|Named(line)| line).collect()))
}
