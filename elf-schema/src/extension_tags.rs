//! Extension tags: tags to which the header of a GEDCOM 7 file gives URIs (GEDCOM 7.0 *Extensions*).
//!
//! Such a tag has its type everywhere: in structures of the standard, in extensions, and as a record. With the URI of a
//! standard structure it is a *relocated standard structure*, and its substructures have the types that they have in
//! that structure. A tag may have several URIs if they cannot occur in the same place; for those of the standard, of the
//! dictionary of vendor tags and for proposed ones it is known where they can.

use crate::correspondences::Correspondence;
use crate::extension_names::ExtensionNames;
use crate::extensions::{ExtensionTag, GEDCOM_7, Meanings, Places};
use crate::findings::{Finding, Findings, Where};
use crate::ids::TypeId;
use crate::in_use::{RECORD, proposed_place};
use crate::provenance::{Origin, Provenance};
use crate::raw::At;
use crate::reserved::is_reserved_type;
use crate::schema::Schema;
use crate::term::{UNDEFINED, undefined_tag};
use crate::vendors::{self, Producer, VendorTag};
use crate::vocabulary::elf;
use elf_base::{Sink, codes};
use elf_tagged::{Document, Node};
use elf_values::tag_definition_fault;
use std::collections::HashSet;
use std::collections::hash_map::Entry;
use std::sync::{Arc, OnceLock};

/// The beginnings of names in the namespace of GEDCOM 7 that are not structures: enumeration values and sets,
/// calendars, months, and payload types.
const NO_STRUCTURES: [&str; 5] = ["enum-", "enumset-", "cal-", "month-", "type-"];

impl Schema {
    /// Returns the extension tags to which the header of a GEDCOM 7 file gives URIs, in order.
    ///
    /// ```
    /// use elf_schema::{ReadOptions, Rules};
    ///
    /// let file = b"0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _SKY https://e.example/sky\n0 TRLR\n";
    /// let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// assert_eq!(&*typed.schema().extension_tags()[0].uri, "https://e.example/sky");
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn extension_tags(&self) -> &[ExtensionTag] {
        &self.extensions.tags
    }

    /// Returns the extension tags that stand for calendars, months and values.
    pub fn extension_names(&self) -> &ExtensionNames {
        &self.extensions.names
    }

    /// Returns whether this is the schema of GEDCOM 7.0, with or without extension tags. Every other tag then has its
    /// type in GEDCOM 7.0, or none.
    pub fn is_of_gedcom_7(&self) -> bool {
        self.extensions.are_over_gedcom_7 || self.is_gedcom_7()
    }

    /// Returns the type of an extension tag in a superstructure of this type, if it has one there.
    pub(crate) fn extension_type(&self, superstructure: TypeId, tag: &str) -> Option<TypeId> {
        let meanings = self.extensions.by_tag.get(tag).filter(|meanings| !meanings.are_too_many)?;
        match (meanings.standard.as_slice(), meanings.others.as_slice()) {
            ([], [only]) | ([only], []) => Some(*only),
            (standard, others) => {
                let can_be_relocated = |of: &TypeId| self.can_be_relocated(*of, superstructure);
                let can_stand = |of: &TypeId| others.len() == 1 || self.may_stand_in(*of, superstructure);
                let others = others.iter().copied().filter(can_stand);
                let mut left = standard.iter().copied().filter(can_be_relocated).chain(others);
                let first = left.next()?;
                left.next().is_none().then_some(first)
            }
        }
    }

    /// Returns whether an extension may stand in a superstructure of this type, as far as the dictionary of vendor tags
    /// or its proposed IRI says where it stands.
    fn may_stand_in(&self, of: TypeId, superstructure: TypeId) -> bool {
        let places = self.extensions.places.get_or_init(|| self.find_places());
        if let Some(place) = places.proposed.get(&of) {
            return match superstructure {
                TypeId::DOCUMENT => &**place == RECORD,
                TypeId::METADATA => &**place == "HEAD",
                _ => places.types.get(place).is_some_and(|types| types.contains(&superstructure)),
            };
        }
        places.in_dictionary.get(&of).is_none_or(|all| {
            all.contains(&superstructure)
                || self.eventual_supertypes(superstructure).any(|above| all.contains(&above))
        })
    }

    /// Returns whether a tag of GEDCOM 7 can have all of these URIs: no two of them can stand in the same place, as far
    /// as the standard, the dictionary of vendor tags or a proposed IRI says where.
    ///
    /// ```
    /// use elf_schema::{Schema, proposed_iri};
    ///
    /// let [person, family] = [Some("INDI"), Some("FAM")].map(|above| proposed_iri(above, "_X"));
    /// assert!(Schema::have_places_apart([&*person, &*family]));
    /// assert!(!Schema::have_places_apart([&*person, "https://e.example/x"]));
    /// ```
    pub fn have_places_apart<'u>(uris: impl IntoIterator<Item = &'u str>) -> bool {
        const TAG: &str = "_X";
        let mut schema = Schema::clone(Schema::gedcom_7());
        let mut superstructures: HashSet<&str> = HashSet::new();
        for uri in uris {
            let above: HashSet<&str> =
                vendors::tags_of_type(uri).flat_map(VendorTag::superstructures).copied().collect();
            if !names_structure(uri) || !above.into_iter().all(|above| superstructures.insert(above)) {
                return false;
            }
            let provenance = Provenance::MADE;
            schema.add_extension(ExtensionTag { tag: TAG.into(), uri: uri.into(), provenance });
        }
        let Some(Meanings { standard, others, are_too_many: false }) = schema.extensions.by_tag.get(TAG)
        else {
            return false;
        };
        let places = schema.extensions.places.get_or_init(|| schema.find_places());
        let has_place =
            |of: &TypeId| places.proposed.contains_key(of) || places.in_dictionary.contains_key(of);
        let is_clear = |above: TypeId| {
            let relocated = standard.iter().filter(|of| schema.can_be_relocated(**of, above));
            relocated.count() + others.iter().filter(|of| schema.may_stand_in(**of, above)).count() < 2
        };
        others.iter().all(has_place) && schema.standard_types().all(is_clear)
    }

    /// Finds where the types of extension tags may stand.
    fn find_places(&self) -> Places {
        let mut places = Places::default();
        for of in self.extensions.by_tag.values().flat_map(|meanings| &meanings.others).copied() {
            let Some(iri) = self.iri(of) else { continue };
            if let Some(place) = proposed_place(iri) {
                places.types.entry(place.into()).or_default();
                places.proposed.insert(of, place.into());
            } else if let Entry::Vacant(places_of_type) = places.in_dictionary.entry(of) {
                let mut tags = vendors::tags_of_type(iri).peekable();
                if tags.peek().is_some() {
                    let above = tags.flat_map(VendorTag::superstructures);
                    places_of_type.insert(above.filter_map(|iri| self.type_of(iri)).collect());
                }
            }
        }
        if places.proposed.is_empty() {
            return places;
        }
        for one in self.definitions() {
            if let Some(types) = places.types.get_mut(one.tag()) {
                types.insert(one.tag_definition().structure_type);
            }
        }
        for (tag, types) in &mut places.types {
            if let Some(meanings) = self.extensions.by_tag.get(tag) {
                types.extend(meanings.standard.iter().chain(&meanings.others));
            }
        }
        places
    }

    /// Returns whether a standard structure can have an extension tag in this superstructure. It cannot where it may
    /// have its own tag, and a record only among records.
    fn can_be_relocated(&self, of: TypeId, superstructure: TypeId) -> bool {
        let stands_in =
            |above| self.definitions_in(above).any(|one| one.tag_definition().structure_type == of);
        stands_in(TypeId::DOCUMENT) == (superstructure == TypeId::DOCUMENT)
            && (superstructure == TypeId::DOCUMENT || !stands_in(superstructure))
    }

    /// Returns the extension tags for a type in a superstructure of this type.
    pub(crate) fn extension_tags_of(&self, of: TypeId, superstructure: TypeId) -> impl Iterator<Item = &str> {
        let of_type = move |one: &&ExtensionTag| self.type_of(&one.uri) == Some(of);
        let tags = self.extensions.tags.iter().filter(of_type).map(|one| &*one.tag);
        tags.filter(move |tag| self.extension_type(superstructure, tag) == Some(of))
    }

    /// Returns whether only extension tags stand for a type. The standard does not say what such a structure contains.
    pub(crate) fn is_extension(&self, of: TypeId) -> bool {
        !self.extensions.tags.is_empty() && (self.extensions.standard..self.len()).contains(&of.index())
    }

    pub(crate) fn standard_types(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.extensions.standard).map(TypeId::of)
    }

    /// Adds an extension tag. Declares the type in its URI, unless the URI is not that of a structure.
    pub(crate) fn add_extension(&mut self, tag: ExtensionTag) {
        if self.extensions.tags.is_empty() {
            self.extensions.standard = self.len();
        }
        let standard = self.extensions.standard;
        if names_structure(&tag.uri) {
            let of = self.intern(&tag.uri);
            self.declare(of, tag.provenance.clone());
            let meanings = self.extensions.by_tag.entry(tag.tag.clone()).or_default();
            meanings.add(of, of.index() < standard);
            self.extensions.places = OnceLock::new();
        } else {
            self.extensions.names.add(&tag.tag, &tag.uri);
        }
        self.extensions.tags.push(tag);
    }
}

impl Schema {
    /// Gives the types of vendor tags that the header names their supertypes in GEDCOM 7, and defines what programs
    /// write under them.
    fn define_vendor_types(&mut self, producer: Option<Producer>) {
        let known = self.extensions.tags.iter().filter(|tag| self.type_of(&tag.uri).is_some());
        let mut open: Vec<Box<str>> = known.map(|tag| tag.uri.clone()).collect();
        let mut met: HashSet<Box<str>> = open.iter().cloned().collect();
        let provenance = Provenance { origin: Origin::Vendor(producer), place: None };
        let mut number = 0;
        while let Some(uri) = open.get(number).cloned() {
            number += 1;
            self.add_supertype_of_vendor_type(&uri, &provenance);
            let Some(above) = vendors::known_type(&uri) else { continue };
            for tag in vendors::tags_under(above).filter(|tag| tag.applies_to(producer)) {
                let [above, of] = [&*uri, tag.structure_type()].map(|iri| self.intern(iri));
                self.declare(of, provenance.clone());
                let is_new = !self
                    .definitions_in(above)
                    .any(|one| one.tag() == tag.tag() && one.tag_definition().structure_type == of);
                if is_new {
                    self.add_definition(tag.tag(), above, of, provenance.clone());
                }
                if met.insert(tag.structure_type().into()) {
                    open.push(tag.structure_type().into());
                }
            }
        }
    }

    /// Gives a type of the dictionary the structure of GEDCOM 7 as a supertype that corresponds to its supertype in ELF.
    fn add_supertype_of_vendor_type(&mut self, iri: &str, provenance: &Provenance) {
        let Some(of) = self.type_of(iri) else { return };
        if self.supertypes(of).next().is_some() {
            return;
        }
        let supertype = vendors::supertype_of(iri).and_then(counterpart_in_gedcom_7);
        if let Some(above) = supertype.and_then(|above| self.type_of(&above)) {
            self.add_supertype(of, above, provenance.clone());
        }
    }
}

/// Returns the IRI of the GEDCOM 7 structure that corresponds to an ELF type, if there is exactly one.
fn counterpart_in_gedcom_7(elf: &str) -> Option<String> {
    let general = [
        (elf::INDIVIDUAL_EVENT, "INDI-EVEN"),
        (elf::INDIVIDUAL_ATTRIBUTE, "INDI-FACT"),
        (elf::FAMILY_EVENT, "FAM-EVEN"),
        (elf::PERSONAL_NAME, "INDI-NAME"),
    ];
    if let Some((_, name)) = general.iter().find(|(of, _)| *of == elf) {
        return Some([GEDCOM_7, name].concat());
    }
    match Correspondence::of(elf)?.gedcom_7 {
        [only] => Some((*only).to_owned()),
        _ => None,
    }
}

/// Returns whether a URI says that the tag replaces another one, which has no type.
fn is_former_tag(uri: &str) -> bool {
    uri != UNDEFINED && undefined_tag(uri).is_some()
}

/// Returns whether a URI may be that of a structure type. In the namespace of GEDCOM 7, this depends on the name.
fn names_structure(uri: &str) -> bool {
    if is_former_tag(uri) {
        return false;
    }
    let name = uri.strip_prefix(GEDCOM_7);
    !name.is_some_and(|name| NO_STRUCTURES.iter().any(|beginning| name.starts_with(beginning)))
}

/// Returns the schema `base` with the extension tags of a document; `base` itself if the header defines none.
pub(crate) fn with_extension_tags(
    base: &Arc<Schema>,
    document: &Document<'_>,
    sink: &mut dyn Sink,
) -> Arc<Schema> {
    let mut findings = Findings::default();
    let tags = read_extension_tags(document, base, &mut findings);
    findings.report(document, &[], document.rules(), sink);
    if tags.is_empty() {
        return Arc::clone(base);
    }
    let mut schema = Schema::clone(base);
    schema.extensions.are_over_gedcom_7 = base.is_of_gedcom_7();
    tags.into_iter().for_each(|tag| schema.add_extension(tag));
    schema.define_vendor_types(Producer::of(document));
    Arc::new(schema)
}

fn read_extension_tags(document: &Document<'_>, base: &Schema, findings: &mut Findings) -> Vec<ExtensionTag> {
    let mut tags: Vec<ExtensionTag> = Vec::new();
    let mut seen: HashSet<(Box<str>, Box<str>)> = HashSet::new();
    let mut locator = document.locator();
    let schemas = document.serialisation_metadata().chain(document.metadata());
    for node in schemas.filter(|node| node.tag() == "SCHMA").flat_map(Node::substructures) {
        if node.tag() != "TAG" {
            continue;
        }
        let payload = node.text();
        let fault = tag_definition_fault(&payload);
        let span = match &fault {
            _ if payload.is_empty() => node.tag_span(),
            Some(fault) => node.payload_place(fault.span),
            None => node.payload_span(),
        };
        let place = locator.place(span);
        let mut find = |code, message: String, help: &'static str| {
            let at = Where { document: 0, at: At { span, place } };
            findings.push(Finding::new(code, at, message).help(help));
        };
        if let Some(fault) = fault {
            let help = "write `_TAG https://e.example/tag`";
            find(codes::TAG_DEFINITION_MALFORMED, fault.to_string(), help);
            continue;
        }
        let Some((tag, uri)) = payload.split_once(' ') else { continue };
        let of = base.type_of(uri).unwrap_or(TypeId::NONE);
        // A tag without a type may have any original name, so that is not an error.
        if is_reserved_type(uri, of) && !is_former_tag(uri) {
            let message = "no structure has this type, so it cannot have a tag".to_owned();
            find(codes::TAG_RESERVED, message, "the definition is ignored");
            continue;
        }
        if !seen.insert((tag.into(), uri.into())) {
            let message = "the tag already has this URI".to_owned();
            find(codes::DEFINITION_REPEATED, message, "one definition is enough");
            continue;
        }
        let provenance = Provenance { origin: Origin::File, place: Some(place) };
        tags.push(ExtensionTag { tag: tag.into(), uri: uri.into(), provenance });
    }
    tags
}
