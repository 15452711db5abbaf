//! A common schema for tags that several files do not define, so that structures of all drafts can be compared.
//!
//! January 2019, December 2019 and the declarative draft give a tag a type by its superstructure's type; the drafts of
//! 2017 give it an IRI that is made of the tag alone, such as `http://terms.fhiso.org/elf/SOUR` (O17 §6.2), which
//! stands for a source, a citation or a producer. So, in a given superstructure, an IRI of 2017 corresponds to the type
//! that its tag has there.

use crate::definitions::EscapeDefinition;
use crate::dictionary::Dictionary;
use crate::ids::TypeId;
use crate::provenance::Origin;
use crate::schema::Schema;
use crate::term::NAMESPACE_2017;
use hashbrown::HashSet;
use std::sync::OnceLock;

/// Returns the tag in an IRI of the drafts of 2017; `None` for other IRIs.
///
/// ```
/// use elf_schema::tag_of_2017;
/// assert_eq!(tag_of_2017("http://terms.fhiso.org/elf/SOUR"), Some("SOUR"));
/// assert_eq!(tag_of_2017("http://e.example/SOUR"), None);
/// ```
pub fn tag_of_2017(iri: &str) -> Option<&str> {
    iri.strip_prefix(NAMESPACE_2017).filter(|tag| elf_tagged::elf_lines::is_tag(tag))
}

/// Returns the types that correspond to an IRI of 2017 in any superstructure, according to a schema such as
/// [`Schema::completed`]. Each type is returned once.
///
/// ```
/// use elf_schema::{Schema, types_of_2017};
/// let types = types_of_2017(Schema::completed(), "http://terms.fhiso.org/elf/BIRT");
/// assert_eq!(types, ["https://terms.fhiso.org/elf/BIRTH"]);
/// ```
pub fn types_of_2017<'s>(schema: &'s Schema, iri: &str) -> Vec<&'s str> {
    let Some(tag) = tag_of_2017(iri) else { return Vec::new() };
    let mut types: Vec<&str> = Vec::new();
    for definition in schema.definitions().filter(|definition| definition.tag() == tag) {
        if !types.contains(&definition.structure_type()) {
            types.push(definition.structure_type());
        }
    }
    types
}

/// The meaning of a tag under a dictionary of 2017, before it is translated by a schema.
pub(crate) enum TagOf2017 {
    /// The tag in an IRI of 2017.
    Tag(String),
    /// Another IRI, which is the type itself.
    Iri(String),
    /// The tag of a pseudo-structure, which has no type (O17 §3.2).
    Pseudo,
}

impl TagOf2017 {
    pub(crate) fn of(dictionary: &Dictionary, tag: &str) -> TagOf2017 {
        match dictionary.resolve(tag) {
            None => TagOf2017::Pseudo,
            Some(iri) => match tag_of_2017(&iri) {
                Some(other) => TagOf2017::Tag(other.to_owned()),
                None => TagOf2017::Iri(iri.into_owned()),
            },
        }
    }
}

impl Schema {
    /// Returns this schema with the definitions of another one, which have precedence: if any of them applies to a tag,
    /// no definition of this schema does.
    #[must_use]
    pub fn with_additions(&self, more: &Schema) -> Schema {
        let mut content = self.content().clone();
        content.definitions.iter_mut().for_each(|one| one.layer += 1);
        for (prefix, definition) in more.prefixes().iter() {
            content.prefixes.define(prefix, &definition.iri, definition.provenance.clone());
        }
        let is_new = |one: &&EscapeDefinition| !self.escapes().iter().any(|known| known.tag == one.tag);
        content.escapes.extend(more.escapes().iter().filter(is_new).cloned());
        content.references.extend(more.references().iter().cloned());
        let layer = std::mem::take(&mut content.layer);
        let mut both = Schema::of(content);
        both.extensions.clone_from(&self.extensions);
        for (of, iri) in more.types() {
            if let Some(declared) = more.declared(of) {
                let of = both.intern(iri);
                both.declare(of, declared.clone());
            }
        }
        for one in &more.content().supertypes {
            let ends = [one.subtype, one.supertype].map(|of| both.intern(more.known_iri(of)));
            let is_known = both.content().direct_supertypes(ends[0]).any(|above| above == ends[1]);
            if !is_known {
                both.add_supertype(ends[0], ends[1], one.provenance.clone());
            }
        }
        for one in more.definitions() {
            let [above, of] = [one.superstructure(), one.structure_type()].map(|iri| both.intern(iri));
            both.add_definition(one.tag(), above, of, one.provenance().clone());
        }
        both.definitions_mut().layer = layer + 1;
        // The definitions that were added may have the tags in proposed IRIs.
        both.extensions.places = OnceLock::new();
        both
    }

    /// This schema with the types and supertypes of another one, and none of its tags.
    pub(crate) fn with_types_of(&self, more: &Schema) -> Schema {
        let mut both = self.clone();
        for (_, iri) in more.types() {
            both.intern(iri);
        }
        for one in &more.content().supertypes {
            let [below, above] = [one.subtype, one.supertype].map(|of| both.intern(more.known_iri(of)));
            both.add_supertype(below, above, one.provenance.clone());
        }
        both
    }

    /// The definitions that a file brings, and under them those of another schema: where one of the file
    /// applies to a tag, none of the others does.
    pub(crate) fn with_fallback(&self, fallback: &Schema) -> Schema {
        let mut both = Schema::empty();
        both.definitions_mut().prefixes = self.content().prefixes.clone();
        both.definitions_mut().escapes.clone_from(&self.content().escapes);
        let first = both.len();
        fallback.vendor_types().for_each(|of| _ = both.intern(fallback.known_iri(of)));
        both.definitions_mut().vendor_types = first..both.len();
        let brought = |origin: &Origin| matches!(origin, Origin::File | Origin::External(_) | Origin::Made);
        let mut edges: HashSet<(TypeId, TypeId)> = HashSet::new();
        for (schema, all) in [(self, false), (fallback, true)] {
            for definition in &schema.content().supertypes {
                let taken = all || brought(&definition.provenance.origin);
                let ends = [definition.subtype, definition.supertype].map(|of| schema.iri(of));
                if let ([Some(subtype), Some(supertype)], true) = (ends, taken) {
                    let (subtype, supertype) = (both.intern(subtype), both.intern(supertype));
                    if edges.insert((subtype, supertype)) {
                        both.add_supertype(subtype, supertype, definition.provenance.clone());
                    }
                }
            }
            for definition in schema.definitions() {
                if all || brought(&definition.provenance().origin) {
                    let [above, of] = [definition.superstructure(), definition.structure_type()];
                    let (above, of) = (both.intern(above), both.intern(of));
                    // The dictionary of vendor tags stays below the rest of the schema.
                    let layer = definition.tag_definition().layer;
                    both.definitions_mut().layer = if all { 1 + layer } else { 0 };
                    both.add_definition(definition.tag(), above, of, definition.provenance().clone());
                }
            }
        }
        self.extension_tags().iter().for_each(|tag| both.add_extension(tag.clone()));
        both
    }
}
