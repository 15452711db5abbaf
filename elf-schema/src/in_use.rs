//! Finds the definitions that the structures of a file rely on.

use crate::document::TypedDocument;
use crate::ids::TypeId;
use crate::near::Near;
use crate::provenance::Provenance;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::term;
use crate::vendors::{self, VendorTag};
use crate::vocabulary::elf;
use hashbrown::HashSet;
use indexmap::IndexSet;
use std::sync::Arc;

/// The namespace of types proposed for undefined tags.
const PROPOSED: &str = "https://terms.fhiso.org/elf/proposed/";

/// Returns the IRI that is proposed for a tag that nobody knows. `above` is the tag of its superstructure: `HEAD` in the
/// header, and `None` for a record.
///
/// ```
/// use elf_schema::{is_proposed, proposed_iri};
///
/// assert_eq!(proposed_iri(Some("INDI"), "_QZX"), "https://terms.fhiso.org/elf/proposed/INDI-_QZX");
/// assert!(is_proposed(&proposed_iri(None, "_QZX"), "_QZX"));
/// ```
pub fn proposed_iri(above: Option<&str>, tag: &str) -> String {
    format!("{PROPOSED}{}-{tag}", above.unwrap_or(RECORD))
}

/// Returns whether an IRI is one that is proposed for a tag.
pub fn is_proposed(iri: &str, tag: &str) -> bool {
    proposed_place(iri)
        .is_some_and(|place| iri.ends_with(tag) && iri.len() == PROPOSED.len() + place.len() + 1 + tag.len())
}

/// Returns the tag that an IRI is proposed for; `None` for other IRIs.
///
/// ```
/// use elf_schema::{proposed_iri, proposed_tag};
///
/// assert_eq!(proposed_tag(&proposed_iri(Some("INDI"), "_QZX")), Some("_QZX"));
/// ```
pub fn proposed_tag(iri: &str) -> Option<&str> {
    let (_, tag) = iri.strip_prefix(PROPOSED)?.split_once('-')?;
    Some(tag).filter(|tag| elf_tagged::elf_lines::is_tag(tag))
}

/// Returns the tag of the superstructure in a proposed IRI, or [`RECORD`]; `None` for other IRIs.
pub(crate) fn proposed_place(iri: &str) -> Option<&str> {
    Some(iri.strip_prefix(PROPOSED)?.split_once('-')?.0)
}

/// The place of records in proposed IRIs.
pub(crate) const RECORD: &str = "record";

/// The definitions that the structures of a file rely on: which tag has which type under which type.
///
/// ```
/// use elf_schema::{DefinitionsInUse, ReadOptions, Rules, Schema, read, vocabulary::elf};
///
/// let octets = b"0 HEAD\n1 SOUR FTM\n0 @I1@ INDI\n1 _MILT\n2 DATE 1915\n0 TRLR\n";
/// let options = ReadOptions::default().with_vendor_tags(true);
/// let typed = read(octets, &Rules::WILD, &options, &mut ())?;
/// let mut in_use = DefinitionsInUse::default();
/// in_use.add(&typed);
/// let schema = in_use.added_to(Schema::published());
/// let service = "https://terms.fhiso.org/elf/vendor/INDI-_MILT";
/// assert_eq!(schema.tags_of(service, elf::INDIVIDUAL_RECORD), ["_MILT"]);
/// assert_eq!(schema.tags_of(elf::DATE_VALUE, service), ["DATE"]);
/// # Ok::<(), elf_schema::TooLarge>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct DefinitionsInUse {
    /// In document order.
    uses: IndexSet<Use>,
    /// The types in use and their supertypes, by IRI.
    supertypes: IndexSet<(Box<str>, Box<str>)>,
    /// The uses found in the current run, by number.
    met: HashSet<(TypeId, TypeId, Box<str>)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Use {
    superstructure: Box<str>,
    tag: Box<str>,
    of: Box<str>,
}

impl DefinitionsInUse {
    /// Adds the structures of a document, or of its next run.
    pub fn add(&mut self, typed: &TypedDocument<'_>) {
        let resolver = typed.resolver();
        if resolver.dictionary().is_some() {
            return;
        }
        self.met.clear();
        for node in typed.document().structures() {
            let above = match node.superstructure() {
                None => TypeId::DOCUMENT,
                // The header has no type; its substructures are those of the metadata.
                Some(above) => typed.type_id(above).unwrap_or(TypeId::METADATA),
            };
            let Some(of) = typed.type_id(node) else { continue };
            if resolver.is_undefined(above) || !self.met.insert((above, of, node.tag().into())) {
                continue;
            }
            let (Some(superstructure), Some(iri)) = (resolver.iri(above), resolver.iri(of)) else { continue };
            let tag = node.tag().into();
            if self.uses.insert(Use { superstructure: superstructure.into(), tag, of: iri.into() }) {
                self.add_supertypes(typed.schema(), of);
            }
        }
    }

    fn add_supertypes(&mut self, schema: &Schema, of: TypeId) {
        for below in schema.eventual_supertypes(of) {
            for (above, _) in schema.supertypes(below) {
                self.supertypes.insert((schema.known_iri(below).into(), schema.known_iri(above).into()));
            }
        }
    }

    /// Returns `base` with the definitions in use that it lacks. If `base` gives a tag another type, that type stays.
    pub fn added_to(&self, base: &Schema) -> Schema {
        let mut schema = base.clone();
        schema.definitions_mut().layer = 0;
        for (prefix, iri) in vendors::PREFIXES {
            schema.definitions_mut().prefixes.define(prefix, iri, Provenance::MADE);
        }
        self.declare_types(base, &mut schema);
        let mut resolver = Resolver::new(Arc::new(schema.clone()));
        for one in &self.uses {
            let Some(above) = resolver.type_of(&one.superstructure) else { continue };
            let found = resolver.resolve(above, &one.tag);
            if term::undefined_tag(&one.of).is_none() && resolver.is_undefined(found) {
                let [above, of] = [&one.superstructure, &one.of].map(|iri| schema.intern(iri));
                schema.add_definition(&one.tag, above, of, Provenance::MADE);
            }
        }
        schema
    }

    /// Returns a schema with only the definitions in use, including those of the standard, and with the escapes of
    /// `base`.
    pub fn to_schema(&self, base: &Schema) -> Schema {
        let mut empty = Schema::empty();
        empty.definitions_mut().prefixes = base.prefixes().clone();
        empty.definitions_mut().escapes = base.escapes().to_vec();
        self.added_to(&empty)
    }

    /// Declares the types in use that `base` lacks, with their supertypes.
    fn declare_types(&self, base: &Schema, schema: &mut Schema) {
        let is_new = |iri: &str| term::undefined_tag(iri).is_none() && base.type_of(iri).is_none();
        for one in self.uses.iter().filter(|one| is_new(&one.of)) {
            let of = schema.intern(&one.of);
            schema.declare(of, Provenance::MADE);
        }
        for (below, above) in self.supertypes.iter().filter(|(below, _)| is_new(below)) {
            let [below, above] = [below, above].map(|iri| schema.intern(iri));
            schema.declare(below, Provenance::MADE);
            schema.add_supertype(below, above, Provenance::MADE);
        }
    }

    /// Returns only the definitions of extensions: those that the completed schema lacks. Undefined tags get
    /// [proposals](Proposal).
    pub fn of_extensions(&self) -> Schema {
        let mut schema = Schema::empty();
        for (prefix, definition) in Schema::completed().prefixes().iter() {
            schema.definitions_mut().prefixes.define(prefix, &definition.iri, Provenance::MADE);
        }
        for (prefix, iri) in vendors::PREFIXES.into_iter().chain([("proposed", PROPOSED)]) {
            schema.definitions_mut().prefixes.define(prefix, iri, Provenance::MADE);
        }
        self.declare_types(Schema::completed(), &mut schema);
        let mut resolver = Resolver::new(Arc::new(Schema::completed().with_types_of(&schema)));
        for one in &self.uses {
            let Some(above) = resolver.type_of(&one.superstructure) else { continue };
            let found = resolver.resolve(above, &one.tag);
            if term::undefined_tag(&one.of).is_none() && resolver.iri(found) != Some(&*one.of) {
                let [above, of] = [&one.superstructure, &one.of].map(|iri| schema.intern(iri));
                schema.add_definition(&one.tag, above, of, Provenance::MADE);
            }
        }
        for proposal in self.proposals() {
            let [above, of] = [&proposal.superstructure, &proposal.iri].map(|iri| schema.intern(iri));
            schema.declare(of, Provenance::MADE);
            if let Some(supertype) = proposal.supertype.filter(|_| schema.supertypes(of).next().is_none()) {
                let supertype = schema.intern(supertype);
                schema.add_supertype(of, supertype, Provenance::MADE);
            }
            schema.add_definition(&proposal.tag, above, of, Provenance::MADE);
        }
        schema
    }

    /// Returns proposals for the undefined tags, in document order.
    pub fn proposals(&self) -> Vec<Proposal> {
        let undefined = self.uses.iter().filter(|one| is_extension(one));
        undefined.map(|one| Proposal::propose(one, self.first_tag_of(&one.superstructure))).collect()
    }

    /// Returns the first tag that was found for a type.
    fn first_tag_of(&self, iri: &str) -> Option<&str> {
        self.uses.iter().find(|one| &*one.of == iri).map(|one| &*one.tag)
    }
}

/// Returns whether the tag is undefined, and a schema may define it.
fn is_extension(one: &Use) -> bool {
    let tag = term::undefined_tag(&one.of);
    tag.is_some_and(|tag| tag.starts_with('_') && tag.len() > 1)
}

/// A type that is proposed for an undefined tag.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proposal {
    /// The tag.
    pub tag: Box<str>,
    /// The IRI of its superstructure's type.
    pub superstructure: Box<str>,
    /// The proposed IRI.
    pub iri: Box<str>,
    /// The most similar known tag. The type of that tag is the proposed supertype.
    pub like: Option<&'static str>,
    /// The IRI of the proposed supertype.
    pub supertype: Option<&'static str>,
}

impl Proposal {
    /// Creates a proposal for a tag under a structure with the tag `above`.
    fn propose(one: &Use, above: Option<&str>) -> Proposal {
        let is_metadata = &*one.superstructure == elf::METADATA;
        let place = above.or(is_metadata.then_some("HEAD"));
        let near = find_similar_tag(one);
        Proposal {
            tag: one.tag.clone(),
            superstructure: one.superstructure.clone(),
            iri: proposed_iri(place, &one.tag).into(),
            like: near.map(VendorTag::tag),
            supertype: near.and_then(VendorTag::supertype),
        }
    }
}

/// Returns the most similar tag of the dictionary: the same tag at another place. If the dictionary does not have the tag,
/// a tag under the same type is similar that differs in at most one letter.
fn find_similar_tag(one: &Use) -> Option<VendorTag> {
    let is_here = |tag: &VendorTag| tag.superstructures().contains(&&*one.superstructure);
    let near_of = |is_wanted: &dyn Fn(&VendorTag) -> bool| {
        let tags: Vec<VendorTag> = VendorTag::all().filter(is_wanted).collect();
        let near = Near::of(&one.tag, tags.iter().map(|tag| tag.tag()));
        let nearest = near.nearest().filter(|_| near.distance() < 2)?;
        let is_nearest = |tag: &&VendorTag| tag.tag() == nearest;
        let common = tags.iter().filter(|tag| tag.is_common()).find(is_nearest);
        common.or_else(|| tags.iter().find(is_nearest)).copied()
    };
    near_of(&|tag| tag.tag() == &*one.tag).or_else(|| near_of(&is_here))
}
