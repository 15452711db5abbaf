//! Prefixes: abbreviations of IRIs within a schema (J19 §4.2.2).

use crate::Provenance;
use indexmap::IndexMap;
use std::borrow::Cow;

/// The prefixes of a schema, in the order of their definitions.
#[derive(Clone, Debug, Default)]
pub struct Prefixes {
    map: IndexMap<Box<str>, Prefix>,
}

/// What a prefix stands for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Prefix {
    /// The IRI that replaces the prefix and its colon.
    pub iri: Box<str>,
    /// Where it is defined.
    pub provenance: Provenance,
}

impl Prefixes {
    /// The definition of a prefix, given without its colon.
    pub fn get(&self, prefix: &str) -> Option<&Prefix> {
        self.map.get(prefix)
    }

    /// Prefixes and what they stand for, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Prefix)> {
        self.map.iter().map(|(prefix, definition)| (&**prefix, definition))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Defines a prefix; a definition that is there already stands, and is returned.
    pub(crate) fn define(&mut self, prefix: &str, iri: &str, provenance: Provenance) -> Option<&Prefix> {
        match self.map.entry(prefix.into()) {
            indexmap::map::Entry::Occupied(there) => Some(there.into_mut()),
            indexmap::map::Entry::Vacant(vacant) => {
                vacant.insert(Prefix { iri: iri.into(), provenance });
                None
            }
        }
    }

    /// Expands a prefix: where `text` begins with a defined prefix and a colon, the IRI replaces both; other text is
    /// unchanged. Done before text is taken for an IRI, since `elf:BIRTH` is one.
    ///
    /// ```
    /// let schema = elf_schema::Schema::published();
    /// assert_eq!(schema.prefixes().expand("elf:BIRTH"), "https://terms.fhiso.org/elf/BIRTH");
    /// assert_eq!(schema.prefixes().expand("zz:BIRTH"), "zz:BIRTH");
    /// ```
    pub fn expand<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.expanded(text).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// What `text` is expanded to, if it begins with a defined prefix.
    pub(crate) fn expanded(&self, text: &str) -> Option<String> {
        let (prefix, rest) = text.split_once(':')?;
        let iri = &self.get(prefix)?.iri;
        Some([iri, rest].concat())
    }

    /// Shortens an IRI to text that is expanded to it again: by the longest IRI a prefix stands for.
    ///
    /// ```
    /// let schema = elf_schema::Schema::published();
    /// assert_eq!(schema.prefixes().shorten("https://terms.fhiso.org/elf/BIRTH"), "elf:BIRTH");
    /// assert_eq!(schema.prefixes().shorten("https://e.example/"), "https://e.example/");
    /// ```
    pub fn shorten<'t>(&self, iri: &'t str) -> Cow<'t, str> {
        let longest = self
            .iter()
            .filter_map(|(prefix, definition)| Some((prefix, iri.strip_prefix(&*definition.iri)?)))
            .min_by_key(|(_, rest)| rest.len());
        match longest {
            Some((prefix, rest)) => Cow::Owned([prefix, ":", rest].concat()),
            None => Cow::Borrowed(iri),
        }
    }
}
