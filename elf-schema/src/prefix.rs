//! Prefixes: abbreviations of IRIs within a schema (J19 §4.2.2).

use crate::provenance::Provenance;
use indexmap::IndexMap;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;

/// The prefixes of a schema, in the order of their definitions.
#[derive(Clone, Debug, Default)]
pub struct Prefixes {
    map: IndexMap<Box<str>, Prefix>,
    /// The first prefix for each IRI.
    by_iri: BTreeMap<Box<str>, usize>,
    /// The prefixes, each with its colon.
    by_start: BTreeMap<Box<str>, usize>,
}

/// A prefix and its IRI.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Prefix {
    /// The IRI that replaces the prefix and its colon.
    pub iri: Box<str>,
    /// Where it is defined.
    pub provenance: Provenance,
}

impl Prefixes {
    /// Returns the definition of a prefix, given without its colon.
    pub fn get(&self, prefix: &str) -> Option<&Prefix> {
        self.map.get(prefix)
    }

    /// Returns the prefixes with their definitions, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Prefix)> {
        self.map.iter().map(|(prefix, definition)| (&**prefix, definition))
    }

    /// Returns the number of prefixes.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Returns whether there are no prefixes.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Defines a prefix. If it is already defined, returns the existing definition and keeps it.
    pub(crate) fn define(&mut self, prefix: &str, iri: &str, provenance: Provenance) -> Option<&Prefix> {
        match self.map.entry(prefix.into()) {
            indexmap::map::Entry::Occupied(there) => Some(there.into_mut()),
            indexmap::map::Entry::Vacant(vacant) => {
                let index = vacant.index();
                self.by_start.insert(format!("{prefix}:").into(), index);
                // A prefix with a colon is expanded, but never used for writing, because the part after the colon may
                // belong to another prefix.
                if !prefix.contains(':') {
                    self.by_iri.entry(iri.into()).or_insert(index);
                }
                vacant.insert(Prefix { iri: iri.into(), provenance });
                None
            }
        }
    }

    /// Replaces a defined prefix and its colon by its IRI. Returns other text unchanged. Do this before you check
    /// whether text is an IRI, since `elf:BIRTH` is one.
    ///
    /// ```
    /// let schema = elf_schema::Schema::published();
    /// assert_eq!(schema.prefixes().expand("elf:BIRTH"), "https://terms.fhiso.org/elf/BIRTH");
    /// assert_eq!(schema.prefixes().expand("zz:BIRTH"), "zz:BIRTH");
    /// ```
    pub fn expand<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.try_expand(text).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// Expands `text` if it starts with a defined prefix.
    pub(crate) fn try_expand(&self, text: &str) -> Option<String> {
        let (start, index) = find_longest_start(&self.by_start, text)?;
        let (_, prefix) = self.map.get_index(index)?;
        Some([&prefix.iri, text.get(start.len()..)?].concat())
    }

    /// Shortens an IRI by the prefix with the longest matching IRI.
    ///
    /// ```
    /// let schema = elf_schema::Schema::published();
    /// assert_eq!(schema.prefixes().shorten("https://terms.fhiso.org/elf/BIRTH"), "elf:BIRTH");
    /// assert_eq!(schema.prefixes().shorten("https://e.example/"), "https://e.example/");
    /// ```
    pub fn shorten<'t>(&self, iri: &'t str) -> Cow<'t, str> {
        let shorter = || {
            let (known, index) = find_longest_start(&self.by_iri, iri)?;
            let (prefix, _) = self.map.get_index(index)?;
            let short = [prefix, ":", iri.get(known.len()..)?].concat();
            // A longer prefix may match the shortened IRI, so check that it expands back.
            self.try_expand(&short).is_some_and(|expanded| expanded == iri).then_some(short)
        };
        shorter().map_or(Cow::Borrowed(iri), Cow::Owned)
    }
}

/// Returns the longest key that `text` starts with, and its value. In sorted order, the last key up to `text` is either
/// that key, or shares the longest start with `text`.
fn find_longest_start<'k>(keys: &'k BTreeMap<Box<str>, usize>, text: &str) -> Option<(&'k str, usize)> {
    let mut start = text;
    loop {
        let up_to = (Bound::Unbounded, Bound::Included(start));
        let (known, &index) = keys.range::<str, _>(up_to).next_back()?;
        if start.starts_with(&**known) {
            return Some((known, index));
        }
        let both = start.char_indices().zip(known.chars());
        let (end, _) = both.into_iter().find(|((_, one), other)| one != other)?.0;
        start = start.get(..end)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(definitions: &[(String, String)]) -> Prefixes {
        let mut prefixes = Prefixes::default();
        for (prefix, iri) in definitions {
            prefixes.define(prefix, iri, Provenance::MADE);
        }
        prefixes
    }

    proptest! {
        #[test]
        fn the_longest_is_found(definitions in proptest::collection::vec(("[a-z]{1,2}", "[abé]{0,4}"), 0..12), iri in "[abé]{0,6}") {
            let prefixes = of(&definitions);
            let plainly = prefixes
                .iter()
                .filter_map(|(prefix, definition)| Some((prefix, iri.strip_prefix(&*definition.iri)?)))
                .min_by_key(|(_, rest)| rest.len());
            let plainly = plainly.map_or(iri.clone(), |(prefix, rest)| [prefix, ":", rest].concat());
            prop_assert_eq!(prefixes.shorten(&iri), plainly);
        }
    }
}
