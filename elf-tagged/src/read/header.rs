//! Reads the serialisation metadata of the header record (D19 *Header metadata*, *Parsing serialisation metadata*; J19
//! §4; O17 §3.2).

mod extraction;

pub(crate) use extraction::Extraction;

use crate::Version;
use crate::read::escape::EscapeTable;
use crate::read::tree::NodeId;
use elf_base::Rules;
use elf_lines::VOID;

/// The serialisation metadata of a header: versions, language, encoding, schemas and escapes.
///
/// The structures from which these were read are returned by
/// [`Document::serialisation_metadata`](crate::Document::serialisation_metadata).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Header {
    pub(crate) head: Option<u32>,
    pub(crate) metadata: Vec<NodeId>,
    elf_version: Option<Written>,
    gedcom_version: Option<Written>,
    pub(crate) has_void: bool,
    language: Option<Box<str>>,
    character_encoding: Option<Box<str>>,
    schemas: Vec<Box<str>>,
    /// The full names of tags that the schema in the header defines as tags of their own.
    defined_names: Vec<Box<str>>,
    escapes: EscapeTable,
}

/// A version number, and how it is written in the file.
#[derive(Clone, Debug)]
struct Written {
    version: Version,
    text: Box<str>,
}

impl Written {
    fn of(text: &str) -> Option<Written> {
        Version::parse(text).map(|version| Written { version, text: text.into() })
    }
}

impl Header {
    /// Creates the header for a document that has no header, or of which nothing has been read.
    pub(crate) fn new(rules: &Rules) -> Header {
        Header {
            has_void: rules.tagged.void_pointer,
            escapes: EscapeTable::default_of(rules),
            ..Header::default()
        }
    }

    /// Returns the ELF serialisation version (D19 *ELF serialisation version*).
    pub fn elf_version(&self) -> Option<&Version> {
        self.elf_version.as_ref().map(|written| &written.version)
    }

    /// Returns the ELF serialisation version as written, such as `1.0` for 1.0.0.
    pub fn elf_version_as_written(&self) -> Option<&str> {
        self.elf_version.as_ref().map(|written| &*written.text)
    }

    /// Returns the legacy GEDCOM version, HEAD.GEDC.VERS (D19 *Legacy GEDCOM version*).
    pub fn gedcom_version(&self) -> Option<&Version> {
        self.gedcom_version.as_ref().map(|written| &written.version)
    }

    /// Returns the legacy GEDCOM version as written, such as `5.5` for 5.5.0.
    pub fn gedcom_version_as_written(&self) -> Option<&str> {
        self.gedcom_version.as_ref().map(|written| &*written.text)
    }

    /// Returns whether the header names GEDCOM 7, even if the document is read by other rules.
    pub fn says_gedcom_7(&self) -> bool {
        self.gedcom_version().is_some_and(Version::is_gedcom_7)
    }

    /// Returns whether a pointer to this identifier deliberately refers to no record. Only `VOID` does, under rules
    /// that have [such a pointer](elf_base::rules::TaggedRules::void_pointer). The identifier is given without at
    /// signs.
    pub fn is_void(&self, xref: &str) -> bool {
        self.has_void && xref == VOID
    }

    /// Returns the default payload language, HEAD.PLANG, as written.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// Returns the payload of HEAD.CHAR as written. [`Decision::used`](elf_octets::Decision) is the encoding of the
    /// file.
    pub fn character_encoding(&self) -> Option<&str> {
        self.character_encoding.as_deref()
    }

    /// Returns the payloads of HEAD.SCHMA in order, which are IRIs of schemas (D19). Inline schemas are not included.
    pub fn schemas(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.schemas.iter().map(|iri| &**iri)
    }

    /// Returns the escapes that tags preserve, as the schema or the draft determines it (J19 §4.2.4; D19 *Permitted
    /// escapes*).
    pub const fn escapes(&self) -> &EscapeTable {
        &self.escapes
    }

    /// Returns whether another header has the same versions, language and schemas. The comparison ignores inline
    /// schemas.
    pub fn has_same_metadata(&self, other: &Header) -> bool {
        let versions = |header: &Header| (header.elf_version().cloned(), header.gedcom_version().cloned());
        versions(self) == versions(other) && self.language == other.language && self.schemas == other.schemas
    }

    /// Returns whether the schema in the header defines the full name of a tag as a tag of its own.
    pub(crate) fn defines_full_name(&self, name: &str) -> bool {
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        self.defined_names.iter().any(|defined| **defined == name[..end])
    }

    /// Removes the nodes of the header, because they belong to another run.
    pub(crate) fn forget_nodes(&mut self) {
        self.head = None;
        self.metadata.clear();
    }

    fn set_gedcom_version(&mut self, version: Option<Written>) {
        if self.gedcom_version.is_none() {
            self.gedcom_version = version;
        }
    }
}
