//! Vendor tags of the built-in dictionary: their IRIs, and how children are related to their parents.

use crate::equivalents::Equivalent;
use crate::extensions;
use crate::lines::{LineGrammar, LineWriter};
use crate::record::Record;
use elf_base::Rules;
use elf_schema::vendors;
use elf_schema::{Document, Node, Resolver, Schema, TypeId, is_proposed, proposed_tag};
use elf_tagged::Options;
use elf_values::ChildTie;
use std::collections::HashMap;
use std::sync::Arc;

/// The tag that says how a child is related to the father.
pub(crate) const FATHER: &str = "_FREL";

/// The tag that says how a child is related to the mother.
const MOTHER: &str = "_MREL";

/// The tag that means an address of electronic mail, wherever it is.
const EMAIL: &str = "_EMAIL";

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

    /// Makes a finder for a file of GEDCOM 5.5.1 with this header. The header says which program wrote the file, and what
    /// its tags mean.
    pub(crate) fn of_header(header: &Record<'_>) -> Option<VendorTags> {
        let lines = LineWriter { line_break: "\n", grammar: LineGrammar::Gedcom551 };
        let mut octets = Vec::new();
        lines.write_record(&mut octets, header);
        let document = elf_tagged::read(&octets, &Rules::WILD, &Options::default(), &mut ()).ok()?;
        Some(VendorTags::of(&document))
    }

    /// Makes a finder with a schema.
    pub(crate) fn with(schema: Arc<Schema>) -> VendorTags {
        VendorTags { resolver: Resolver::new(schema) }
    }

    pub(crate) const fn schema(&self) -> &Arc<Schema> {
        self.resolver.schema()
    }

    /// Returns the IRI of a structure whose type comes from the dictionary, or from definitions that the program wrote
    /// into the header.
    pub(crate) fn iri(&mut self, node: Node<'_>) -> Option<String> {
        let of = self.type_of(node);
        let is_vendor = |iri: &&str| {
            vendors::known_type(iri).is_some()
                || iri.starts_with(vendors::NAMESPACE)
                || vendors::label_of_fact(iri).is_some()
        };
        let iri = self.resolver.iri(of).filter(is_vendor)?;
        // A schema should have only one tag for each IRI.
        let is_flag = vendors::is_flag(iri) && node.tag().starts_with("__");
        Some(if is_flag { vendors::flag_iri(node.tag()) } else { iri.to_owned() })
    }

    /// Returns what GEDCOM 7.0 has for a structure.
    pub(crate) fn equivalent(&mut self, node: Node<'_>) -> Option<Equivalent> {
        let of = self.type_of(node);
        self.equivalent_of_type(of, node.tag(), node.pointer().is_some())
    }

    /// Returns what GEDCOM 7.0 has for structures of a type with a tag, which are pointers or not.
    pub(crate) fn equivalent_of_type(&self, of: TypeId, tag: &str, is_pointer: bool) -> Option<Equivalent> {
        let iri = self.resolver.iri(of)?;
        if tag == EMAIL {
            return Some(Equivalent::of_email());
        }
        if let Some(label) = vendors::label_of_fact(iri) {
            return Some(Equivalent::of_label(&label));
        }
        if !self.resolver.schema().is_vendor_type(of) {
            return None;
        }
        // A pointer where the dictionary has none, or the other way round, means something else.
        let mut entries = vendors::tags_of_type(iri).filter(|entry| entry.tag() == tag);
        entries.next().filter(|entry| entry.is_pointer() == is_pointer).and_then(Equivalent::of)
    }

    /// Returns the type of a record, or of the header, with a tag.
    pub(crate) fn type_of_record(&mut self, tag: &str) -> TypeId {
        match tag {
            "HEAD" => TypeId::METADATA,
            tag => self.resolver.resolve(TypeId::DOCUMENT, tag),
        }
    }

    /// Returns the type of a structure with a tag under one of the type `above`.
    pub(crate) fn type_under(&mut self, above: TypeId, tag: &str) -> TypeId {
        self.resolver.resolve(above, tag)
    }

    fn type_of(&mut self, node: Node<'_>) -> TypeId {
        let mut tags: Vec<&str> = node.with_ancestors().map(|above| above.tag()).collect();
        let record = tags.pop().map_or(TypeId::DOCUMENT, |tag| self.type_of_record(tag));
        tags.iter().rev().fold(record, |above, tag| self.resolver.resolve(above, tag))
    }
}

/// Returns whether the IRI is one that the dictionary, the definitions of a header or a proposal has for the tag, so the
/// tag need not be documented.
pub(crate) fn is_known(tag: &str, iri: &str) -> bool {
    vendors::tags_of_type(iri).any(|one| one.tag() == tag)
        || vendors::label_of_fact(iri).is_some()
        || iri == vendors::flag_iri(tag)
        || iri == vendors::LISTED_TAG
        || defined_tag(iri) == Some(tag)
        || is_proposed(iri, tag)
}

/// Returns the tag of the structure that the extension tag `made` of GEDCOM 7.0 with this IRI was made of.
pub(crate) fn own_tag<'i>(made: &str, iri: &'i str) -> Option<&'i str> {
    let is_own = |tag: &&str| !tag.starts_with('_') && made.starts_with(&extensions::tag_of(tag));
    let known = vendors::tags_of_type(iri).map(|one| one.tag()).find(is_own);
    known
        .or_else(|| defined_tag(iri))
        .or_else(|| proposed_tag(iri))
        .or_else(|| extensions::tag_of_kept_payload(iri))
}

/// Returns the tag in the IRI of a tag that only the header of a file defines.
fn defined_tag(iri: &str) -> Option<&str> {
    let path = iri.strip_prefix(vendors::NAMESPACE).filter(|_| vendors::known_type(iri).is_none())?;
    Some(path.rsplit_once('-')?.1)
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
        let [father, mother] = [&self.father, &self.mother].map(|word| word.as_deref());
        let [of_father, of_mother] = [father, mother].map(|word| ChildTie::of(word.unwrap_or_default()));
        match (of_father, of_mother) {
            (ChildTie::Unknown, ChildTie::Unknown | ChildTie::Birth)
            | (ChildTie::Birth, ChildTie::Unknown) => None,
            _ if father == mother && standard_word(of_father).is_none() => father.map(str::to_owned),
            _ if of_father == of_mother && standard_word(of_father).is_some() => {
                standard_word(of_father).map(str::to_owned)
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
