//! Vendor tags of the built-in dictionary: their IRIs, and how children are related to their parents.

use crate::equivalents::Equivalent;
use crate::extensions;
use elf_schema::vendors::{self, VendorTag};
use elf_schema::{Document, Node, Resolver, Schema, TypeId, is_proposed};
use elf_values::ChildTie;
use std::collections::HashMap;
use std::sync::Arc;

/// The tag that says how a child is related to the father.
pub(crate) const FATHER: &str = "_FREL";

/// The tag that says how a child is related to the mother.
const MOTHER: &str = "_MREL";

/// Finds the IRIs of tags in the dictionary.
#[derive(Debug)]
pub(crate) struct VendorTags {
    resolver: Resolver,
}

impl VendorTags {
    /// Makes a finder for a document, or for the run of one that has the header.
    pub(crate) fn of(document: &Document<'_>) -> VendorTags {
        VendorTags::with(vendors::schema_of(document))
    }

    /// Makes a finder with a schema.
    pub(crate) fn with(schema: Arc<Schema>) -> VendorTags {
        VendorTags { resolver: Resolver::new(schema) }
    }

    pub(crate) const fn schema(&self) -> &Arc<Schema> {
        self.resolver.schema()
    }

    /// Returns the IRI of a structure whose type comes from the dictionary or is a fact with a label.
    pub(crate) fn iri(&mut self, node: Node<'_>) -> Option<String> {
        let of = self.type_of(node);
        let iri = self.resolver.iri(of)?;
        // A schema should have only one tag for each IRI.
        if vendors::is_flag(iri) && node.tag().starts_with("__") {
            return Some(vendors::flag_iri(node.tag()));
        }
        let is_known = self.entry(node, of).is_some() || self.label(of).is_some();
        is_known.then(|| iri.to_owned())
    }

    /// Returns what GEDCOM 7.0 has for a structure.
    pub(crate) fn equivalent(&mut self, node: Node<'_>) -> Option<Equivalent> {
        let of = self.type_of(node);
        match self.entry(node, of) {
            Some(entry) => Equivalent::of(entry),
            None => self.label(of).map(|label| Equivalent::of_label(&label)),
        }
    }

    /// Returns the entry of the dictionary for a structure of this type, unless it is a pointer where the dictionary
    /// has none, or the other way round: then the tag means something else.
    fn entry(&self, node: Node<'_>, of: TypeId) -> Option<VendorTag> {
        let is_known = self.resolver.schema().is_vendor_type(of);
        let iri = self.resolver.iri(of).filter(|_| is_known)?;
        let mut entries = vendors::tags_of_type(iri).filter(|entry| entry.tag() == node.tag());
        entries.next().filter(|entry| entry.is_pointer() == node.pointer().is_some())
    }

    /// Returns the label that the file gives a fact of this type.
    fn label(&self, of: TypeId) -> Option<String> {
        self.resolver.iri(of).and_then(vendors::label_of_fact)
    }

    fn type_of(&mut self, node: Node<'_>) -> TypeId {
        let mut tags: Vec<&str> = node.with_ancestors().map(|above| above.tag()).collect();
        tags.reverse();
        let (above, tags) = match tags.split_first() {
            Some((&"HEAD", below)) => (TypeId::METADATA, below),
            _ => (TypeId::DOCUMENT, &tags[..]),
        };
        tags.iter().fold(above, |above, tag| self.resolver.resolve(above, tag))
    }
}

/// Returns whether the dictionary has this IRI for the tag, or the IRI is only proposed, so the tag need not be
/// documented.
pub(crate) fn is_known(tag: &str, iri: &str) -> bool {
    vendors::tags_of_type(iri).any(|one| one.tag() == tag)
        || vendors::label_of_fact(iri).is_some()
        || iri == vendors::flag_iri(tag)
        || is_proposed(iri, tag)
}

/// Returns the vendor tag without an underscore that the extension tag of GEDCOM 7.0 with this IRI was made of.
pub(crate) fn own_tag(made: &str, iri: &str) -> Option<&'static str> {
    let is_own = |tag: &&str| !tag.starts_with('_') && made.starts_with(&extensions::tag_of(tag));
    vendors::tags_of_type(iri).map(VendorTag::tag).find(is_own)
}

/// How children are related to their parents, as programs write it under the links of families. The key is the family
/// and the child.
#[derive(Debug, Default)]
pub(crate) struct ParentTies(HashMap<(Box<str>, Box<str>), ParentTie>);

/// The words for a child's relation to father and mother.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParentTie {
    father: Option<Box<str>>,
    mother: Option<Box<str>>,
}

impl ParentTies {
    /// Adds the relations under the links of a family to its children.
    pub(crate) fn add_family(&mut self, family: Node<'_>) {
        let Some(xref) = family.xref().filter(|_| family.tag() == "FAM") else { return };
        for link in family.substructures_tagged("CHIL") {
            let tie = ParentTie::beneath(link);
            if let Some(child) = link.pointer().filter(|_| tie.pedigree().is_some()) {
                self.0.insert((child.into(), xref.into()), tie);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a relation of this person is known.
    pub(crate) fn concern(&self, person: Node<'_>) -> bool {
        !self.is_empty()
            && person.substructures_tagged("FAMC").any(|link| self.between(person, link).is_some())
    }

    fn between(&self, person: Node<'_>, link: Node<'_>) -> Option<&ParentTie> {
        let (child, family) = (person.xref()?, link.pointer()?);
        self.0.get(&(child.into(), family.into()))
    }

    /// Returns the word for PEDI under a person's link to the parents. It comes from the link itself, or from the
    /// family's link to the person.
    pub(crate) fn pedigree(&self, link: Node<'_>) -> Option<String> {
        let own = ParentTie::beneath(link).pedigree();
        own.or_else(|| self.between(link.superstructure()?, link)?.pedigree())
    }
}

impl ParentTie {
    fn beneath(link: Node<'_>) -> ParentTie {
        let word = |tag| {
            let text = link.substructure(tag)?.text();
            Some(text.trim()).filter(|text| !text.is_empty()).map(Box::from)
        };
        ParentTie { father: word(FATHER), mother: word(MOTHER) }
    }

    /// Returns one word for both relations, as PEDI has in GEDCOM 5.5.1; other words become a phrase. `None` if nothing
    /// is known, or only that one parent is a parent by birth. A word such as `Unknown` counts as no word, because a
    /// PEDI that says `OTHER` would deny that the tie may be by birth.
    fn pedigree(&self) -> Option<String> {
        let known = |word: &Option<Box<str>>| {
            let word = word.as_deref()?;
            Some((ChildTie::of(word), word)).filter(|(tie, _)| *tie != ChildTie::Unknown)
        };
        match [&self.father, &self.mother].map(known) {
            [None, None] | [Some((ChildTie::Birth, _)), None] | [None, Some((ChildTie::Birth, _))] => None,
            [Some((father, word)), Some((mother, other))]
                if father == mother && (standard_word(father).is_some() || word == other) =>
            {
                Some(standard_word(father).unwrap_or(word).to_owned())
            }
            _ => self.phrase(),
        }
    }

    /// Returns a phrase for different relations to father and mother.
    fn phrase(&self) -> Option<String> {
        let of = |word: &Option<Box<str>>, parent: &str| Some(format!("{parent}: {}", word.as_deref()?));
        match (of(&self.father, "father"), of(&self.mother, "mother")) {
            (Some(father), Some(mother)) => Some(format!("{father}, {mother}")),
            (one, other) => one.or(other),
        }
    }
}

/// Returns the word of GEDCOM 5.5.1 for a tie, if it has one.
const fn standard_word(tie: ChildTie) -> Option<&'static str> {
    match tie {
        ChildTie::Birth => Some("birth"),
        ChildTie::Adopted => Some("adopted"),
        ChildTie::Foster => Some("foster"),
        ChildTie::Sealing => Some("sealing"),
        ChildTie::Other | ChildTie::Disproven | ChildTie::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_become_one_word_or_a_phrase() {
        let pedigree = |father: &str, mother: &str| {
            let word = |text: &str| (!text.is_empty()).then(|| Box::from(text));
            ParentTie { father: word(father), mother: word(mother) }.pedigree()
        };
        assert_eq!(pedigree("Natural", "Birth").as_deref(), Some("birth"));
        assert_eq!(pedigree("Adopted", "adopted").as_deref(), Some("adopted"));
        assert_eq!(pedigree("Step", "Step").as_deref(), Some("Step"));
        assert_eq!(pedigree("Natural", "Step").as_deref(), Some("father: Natural, mother: Step"));
        assert_eq!(pedigree("", "Step").as_deref(), Some("mother: Step"));
        assert_eq!((pedigree("Natural", ""), pedigree("", "")), (None, None));
        assert_eq!(pedigree("Sealing", "sealing").as_deref(), Some("sealing"));
        assert_eq!(pedigree("Unknown", "Adopted").as_deref(), Some("father: Unknown, mother: Adopted"));
        for unknown in ["Unknown", "Private", "Sealed"] {
            assert_eq!((pedigree(unknown, unknown), pedigree(unknown, "Birth")), (None, None), "{unknown}");
        }
    }
}
