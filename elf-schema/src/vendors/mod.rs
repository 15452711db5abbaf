//! The dictionary of vendor tags: what programs mean by tags that no standard defines, and who writes them.
//!
//! Programs have written tags of their own for thirty years: `_FREL`, `_MILT`, `_APID`. The dictionary gives such
//! tags types and supertypes, so that a military service under `_MILT` is an event with a date and a place like
//! any other. It applies below the definitions of the file and of the completed schema: no structure that a
//! standard defines changes its type. Producers contradict one another about some tags, so each file gets the
//! part that all have in common and that of its own producer, which HEAD.SOUR names.
//!
//! ```
//! use elf_schema::{ReadOptions, Rules, read, vocabulary::elf};
//!
//! let octets = b"0 HEAD\n1 SOUR FTM\n0 @I1@ INDI\n1 _MILT\n2 DATE 1915\n0 TRLR\n";
//! let options = ReadOptions::default().with_vendor_tags(true);
//! let typed = read(octets, &Rules::WILD, &options, &mut ())?;
//! let service = typed.of_type(elf::INDIVIDUAL_EVENT).next().expect("an event");
//! assert_eq!(typed.type_of(service), Some("https://terms.fhiso.org/elf/vendor/INDI-_MILT"));
//! assert_eq!(typed.of_type(elf::DATE_VALUE).count(), 1);
//! # Ok::<(), elf_schema::TooLarge>(())
//! ```

mod in_file;
mod table;

pub use in_file::LISTED_TAG;
pub(crate) use in_file::definitions_of;
pub use in_file::{ListedFact, definition_lists, is_fact_tag, listed_facts};

use crate::ids::TypeId;
use crate::provenance::{Origin, Provenance};
use crate::schema::Schema;
use crate::vocabulary::elf;
use elf_base::Rules;
use elf_tagged::{Document, Node};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use table::{DETAILS, ENTRIES, PRODUCER_COUNT, PRODUCERS, TYPES};

/// The namespace of the types that the dictionary names itself.
pub const NAMESPACE: &str = "https://terms.fhiso.org/elf/vendor/";

/// The IRI of the mark that a migration to GEDCOM 7.0 sets under a structure that had a vendor tag.
pub const MARK: &str = "https://terms.fhiso.org/elf/vendor/_VENDOR";

pub(crate) const PREFIXES: [(&str, &str); 2] = [("vendor", NAMESPACE), ("g7", "https://gedcom.io/terms/v7/")];

#[derive(Debug)]
struct ProducerRow {
    key: &'static str,
    name: &'static str,
    sources: &'static [&'static str],
}

#[derive(Debug)]
struct TypeRow {
    iri: &'static str,
    supertype: Option<&'static str>,
    meaning: &'static str,
}

#[derive(Debug)]
struct EntryRow {
    tag: &'static str,
    place: &'static str,
    of: u16,
    above: &'static [&'static str],
    /// A bit for each producer that writes the tag.
    producers: u64,
    is_common: bool,
    /// A bit for each producer that means something else by the tag.
    except: u64,
}

/// The columns that no reader needs. They have a table of their own, which is not in a program that only checks files.
#[derive(Debug)]
struct DetailsRow {
    kind: &'static str,
    payload: &'static str,
    gedcom_7: &'static str,
}

/// A program, or an agreement of programs, that writes vendor tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Producer(u8);

impl Producer {
    /// All producers, sorted by their keys.
    pub fn all() -> impl Iterator<Item = Producer> {
        (0_u8..).zip(&PRODUCERS).map(|(number, _)| Producer(number))
    }

    /// Finds a producer by its key, its name, or what its files have in HEAD.SOUR, in any letter case.
    ///
    /// ```
    /// use elf_schema::vendors::Producer;
    ///
    /// let found = Producer::named("Brother's Keeper").expect("a producer");
    /// assert_eq!(found.key(), "brothers-keeper");
    /// assert_eq!(Producer::named("BROSKEEP"), Some(found));
    /// ```
    pub fn named(text: &str) -> Option<Producer> {
        let is_named =
            |one: &Producer| one.key().eq_ignore_ascii_case(text) || one.name().eq_ignore_ascii_case(text);
        Producer::all().find(is_named).or_else(|| Producer::of_source(text))
    }

    /// Returns the producer of a document, by HEAD.SOUR. Files of a program that is not known may say that they follow
    /// the agreement of GEDCOM-L, in HEAD.GEDC.VERS._ADDENDUM.
    pub fn of(document: &Document<'_>) -> Option<Producer> {
        let in_header = |tag: &str| {
            document.serialisation_metadata().chain(document.metadata()).find(|node| node.tag() == tag)
        };
        let follows_addendum = || {
            let version = in_header("GEDC")?.substructure("VERS")?;
            version.substructure("_ADDENDUM").and_then(|_| Producer::named("gedcom-l"))
        };
        let source = in_header("SOUR").and_then(|source| Producer::of_source(source.text().trim()));
        source.or_else(follows_addendum)
    }

    /// Finds the producer whose HEAD.SOUR name `text` starts with; the longest such name wins.
    fn of_source(text: &str) -> Option<Producer> {
        let length = |source: &str| {
            let (start, rest) = text.split_at_checked(source.len())?;
            let ends = !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            (ends && start.eq_ignore_ascii_case(source)).then_some(source.len())
        };
        let nearness = |one: Producer| {
            let longest = one.row().sources.iter().filter_map(|source| length(source)).max()?;
            Some((longest, one))
        };
        Producer::all().filter_map(nearness).max_by_key(|(longest, _)| *longest).map(|(_, one)| one)
    }

    /// Returns the name in lower case, without blanks: `family-tree-maker`.
    pub fn key(self) -> &'static str {
        self.row().key
    }

    /// Returns the name for people.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    fn row(self) -> &'static ProducerRow {
        // A `Producer` is created from indices of this table only.
        &PRODUCERS[usize::from(self.0)]
    }

    const fn bit(self) -> u64 {
        1 << self.0
    }
}

/// A vendor tag at one place.
#[derive(Clone, Copy, Debug)]
pub struct VendorTag(u16);

impl VendorTag {
    /// All entries of the dictionary, in the order of its table.
    pub fn all() -> impl Iterator<Item = VendorTag> {
        (0_u16..).zip(ENTRIES).map(|(number, _)| VendorTag(number))
    }

    /// Returns the tag.
    pub fn tag(self) -> &'static str {
        self.row().tag
    }

    /// Returns the tags above it, from the record down, separated by `/`: `-` for a record, `*` for any event or
    /// attribute, `**` for any structures.
    pub fn place(self) -> &'static str {
        self.row().place
    }

    /// Returns the IRI of its type.
    pub fn structure_type(self) -> &'static str {
        self.of().iri
    }

    /// Returns the IRI of the supertype of its type.
    pub fn supertype(self) -> Option<&'static str> {
        self.of().supertype
    }

    /// Returns the IRIs of the superstructure types that it has.
    pub fn superstructures(self) -> &'static [&'static str] {
        self.row().above
    }

    /// Returns what it means, in one sentence without a full stop.
    pub fn meaning(self) -> &'static str {
        self.of().meaning
    }

    /// Returns its kind, such as `event` or `bookkeeping`.
    pub fn kind(self) -> &'static str {
        self.details().kind
    }

    /// Returns what its payload is: `none`, `text`, `date`, `enum:` and values, `pointer:` and a tag.
    pub fn payload(self) -> &'static str {
        self.details().payload
    }

    /// Returns whether its payload is a pointer.
    pub fn is_pointer(self) -> bool {
        self.details().payload.starts_with("pointer:")
    }

    /// Returns the structure of GEDCOM 7 with the same meaning.
    pub fn gedcom_7(self) -> Option<&'static str> {
        Some(self.details().gedcom_7).filter(|text| !text.is_empty())
    }

    /// Returns the producers that write it; empty if they are unknown.
    pub fn producers(self) -> impl Iterator<Item = Producer> {
        Producer::all().filter(move |one| self.is_of(*one))
    }

    /// Returns whether a producer writes it.
    pub fn is_of(self, producer: Producer) -> bool {
        self.row().producers & producer.bit() != 0
    }

    /// Returns whether it applies to files of any producer that does not contradict it.
    pub fn is_common(self) -> bool {
        self.row().is_common
    }

    /// Returns whether it applies to files of this producer.
    pub fn applies_to(self, producer: Option<Producer>) -> bool {
        match producer {
            Some(producer) if self.row().except & producer.bit() != 0 => self.is_of(producer),
            Some(producer) => self.row().is_common || self.is_of(producer),
            None => self.row().is_common,
        }
    }

    fn row(self) -> &'static EntryRow {
        // A `VendorTag` is created from indices of this table only.
        &ENTRIES[usize::from(self.0)]
    }

    fn details(self) -> &'static DetailsRow {
        // This table has a row for each row of the table above.
        &DETAILS[usize::from(self.0)]
    }

    fn of(self) -> &'static TypeRow {
        // The table of tags has indices into the table of types only.
        &TYPES[usize::from(self.row().of)]
    }
}

/// The completed schema with the common part of the dictionary, then with the dictionary of each producer.
static OVER_COMPLETED: [OnceLock<Arc<Schema>>; DICTIONARY_COUNT] =
    [const { OnceLock::new() }; DICTIONARY_COUNT];

/// The types of lists of flags of Family Historian.
const FLAG_LISTS: [&str; 2] = ["INDI-_FLGS", "fact-_FLGS"];

/// The types of facts whose tags say only that they are facts.
const NAMED_BY_TYPE: [&str; 4] = ["FAM-_ATTR", "FAM-FACT", "INDI-_ATTR", "_GRAMPS_ATTR"];

/// The type of a flag of the user's own.
const FLAG: &str = "https://terms.fhiso.org/elf/vendor/_FLGS-flag";

/// The number of dictionaries: the common part, and one for each producer.
pub(crate) const DICTIONARY_COUNT: usize = 1 + PRODUCER_COUNT;

/// Returns the completed schema with the dictionary for files of a producer. It is created once.
pub(crate) fn over_completed(producer: Option<Producer>) -> &'static Arc<Schema> {
    let number = producer.map_or(0, |producer| 1 + usize::from(producer.0));
    OVER_COMPLETED[number].get_or_init(|| Arc::new(Schema::completed().with_vendor_tags(producer)))
}

/// Returns the index of a schema that [`over_completed`] created; `None` for other schemas.
pub(crate) fn index_of_schema(schema: &Schema) -> Option<usize> {
    let is_it =
        |one: &OnceLock<Arc<Schema>>| one.get().is_some_and(|one| std::ptr::eq(&raw const **one, schema));
    OVER_COMPLETED.iter().position(is_it)
}

pub(crate) const fn applies_by(rules: &Rules) -> bool {
    rules.schema.default.is_completed()
}

/// Returns whether a document may have tags of the dictionary. Creating the dictionary takes a moment, so small files
/// without such tags should not wait for it.
pub(crate) fn may_apply_to(document: &Document<'_>, producer: Option<Producer>) -> bool {
    // What stands under a tag with an underscore is not there without that tag.
    let is_bare =
        |tag: &VendorTag| !tag.place().split('/').chain([tag.tag()]).any(|one| one.starts_with('_'));
    let own =
        producer.into_iter().flat_map(|producer| VendorTag::all().filter(move |tag| tag.is_of(producer)));
    // For each tag, the last tag of each of its places.
    let mut bare: HashMap<&str, Vec<&str>> = HashMap::new();
    for tag in own.filter(is_bare) {
        bare.entry(tag.tag()).or_default().extend(tag.place().rsplit('/').next());
    }
    let is_known = |node: Node<'_>| {
        let above = node.superstructure().map_or("-", Node::tag);
        bare.get(node.tag())
            .is_some_and(|places| places.iter().any(|place| *place == above || place.starts_with('*')))
    };
    !document.is_whole() || document.structures().any(|node| node.tag().starts_with('_') || is_known(node))
}

impl Schema {
    /// Returns this schema with the dictionary of a producer. Definitions of this schema have precedence over those of
    /// the dictionary.
    #[must_use]
    pub fn with_vendor_tags(&self, producer: Option<Producer>) -> Schema {
        let mut content = self.content().clone();
        content.layer += 1;
        let first = content.types.len();
        let mut schema = Schema::of(content);
        let provenance = Provenance { origin: Origin::Vendor(producer), place: None };
        schema.add_vendor_tags(&provenance, |tag| tag.applies_to(producer));
        schema.definitions_mut().vendor_types = first..schema.len();
        schema
    }

    /// Returns only the dictionary of a producer: the tags that it writes. Without a producer, returns the part that
    /// all have in common.
    pub fn vendor_dictionary(producer: Option<Producer>) -> Schema {
        let mut schema = Schema::empty();
        let provenance = Provenance { origin: Origin::Vendor(producer), place: None };
        for (prefix, definition) in Schema::completed().prefixes().iter() {
            schema.definitions_mut().prefixes.define(prefix, &definition.iri, provenance.clone());
        }
        schema.add_vendor_tags(&provenance, |tag| match producer {
            Some(producer) => tag.is_of(producer),
            None => tag.is_common(),
        });
        schema
    }

    fn add_vendor_tags(&mut self, provenance: &Provenance, is_in: impl Fn(VendorTag) -> bool) {
        let definitions = self.definitions_mut();
        definitions.reserve(TYPES.len(), ENTRIES.len());
        for (prefix, iri) in PREFIXES {
            definitions.prefixes.define(prefix, iri, provenance.clone());
        }
        let mut types = vec![None; TYPES.len()];
        // Several rows may say the same, since a path is more precise than the types along it.
        let mut defined: HashSet<(u32, TypeId, TypeId)> = HashSet::new();
        for tag in VendorTag::all().filter(|tag| is_in(*tag)) {
            let known = &mut types[usize::from(tag.row().of)];
            let of = *known.get_or_insert_with(|| {
                let of = definitions.intern(tag.structure_type());
                definitions.declare(of, provenance.clone());
                if let Some(above) = tag.supertype() {
                    let above = definitions.intern(above);
                    definitions.add_supertype(of, above, provenance.clone());
                }
                of
            });
            let number = definitions.intern_tag(tag.tag());
            for above in tag.superstructures() {
                let above = definitions.intern(above);
                if defined.insert((number, above, of)) {
                    definitions.add_definition(number, above, of, provenance.clone());
                }
            }
        }
    }

    /// Returns the type of a flag of the user's own, as Family Historian writes them: its tag is made of its name, so no
    /// definition can list it.
    pub(crate) fn vendor_flag(&self, superstructure: TypeId, tag: &str) -> Option<TypeId> {
        let is_list = |iri: &str| iri.strip_prefix(NAMESPACE).is_some_and(|name| FLAG_LISTS.contains(&name));
        let is_flag = tag.starts_with("__") && self.iri(superstructure).is_some_and(is_list);
        self.type_of(FLAG).filter(|of| is_flag && self.is_vendor_type(*of))
    }

    /// Returns whether a type is one that the dictionary of vendor tags adds to this schema, or one of the dictionary to
    /// which the header of a GEDCOM 7 file gives a tag.
    pub fn is_vendor_type(&self, of: TypeId) -> bool {
        self.content().vendor_types.contains(&of.index())
            || self.is_extension(of) && self.iri(of).is_some_and(|iri| known_type(iri).is_some())
    }

    /// Returns whether this schema has types of the dictionary of vendor tags.
    pub(crate) fn has_vendor_types(&self) -> bool {
        !self.content().vendor_types.is_empty()
    }

    /// Returns the types that the dictionary of vendor tags adds to this schema.
    pub(crate) fn vendor_types(&self) -> impl Iterator<Item = TypeId> + use<> {
        self.content().vendor_types.clone().map(TypeId::of)
    }
}

/// Returns a short label for structures of a type that is not one of a standard: the label that the file gives a fact, or
/// the first words of the meaning in the dictionary. `None` for other types.
///
/// ```
/// use elf_schema::vendors;
///
/// let label = |iri| vendors::label_of_type(iri);
/// assert_eq!(label("https://terms.fhiso.org/elf/vendor/INDI-_MILT").as_deref(), Some("Military service"));
/// assert_eq!(label("https://terms.fhiso.org/elf/fact/INDI#Ordained%20deacon").as_deref(), Some("Ordained deacon"));
/// assert_eq!(label("https://terms.fhiso.org/elf/BIRTH"), None);
/// ```
pub fn label_of_type(iri: &str) -> Option<Cow<'static, str>> {
    if let Some(label) = in_file::label_of(iri) {
        return Some(label.into());
    }
    row_of(iri)?.meaning.split([':', ';', ',', '(']).next().map(|words| words.trim().into())
}

/// Returns what a type of the dictionary means, and the first programs that write it; `None` for other types.
///
/// ```
/// let described = elf_schema::vendors::describe_type("https://terms.fhiso.org/elf/vendor/fact-QUAY");
/// let expected = "Certainty of the fact itself, without a citation (Brother's Keeper, GEDKeeper)";
/// assert_eq!(described.as_deref(), Some(expected));
/// ```
pub fn describe_type(iri: &str) -> Option<String> {
    /// The number of programs that are named.
    const NAMED: usize = 3;
    let meaning = row_of(iri)?.meaning;
    let producers: BTreeSet<Producer> = tags_of_type(iri).flat_map(VendorTag::producers).collect();
    let names: Vec<&str> = producers.into_iter().map(Producer::name).collect();
    let (named, more) = names.split_at(names.len().min(NAMED));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    let by = if named.is_empty() { String::new() } else { format!(" ({}{more})", named.join(", ")) };
    Some(format!("{meaning}{by}"))
}

/// Returns the IRI of a type if the dictionary has that type.
pub fn known_type(iri: &str) -> Option<&'static str> {
    row_of(iri).map(|of| of.iri)
}

/// Returns the IRI that only a flag of the user's own with this tag has, as Family Historian writes them.
///
/// ```
/// use elf_schema::vendors;
///
/// let flag = vendors::flag_iri("__LIVES_ABROAD");
/// assert_eq!(vendors::known_type(&flag), Some("https://terms.fhiso.org/elf/vendor/_FLGS-flag"));
/// ```
pub fn flag_iri(tag: &str) -> String {
    format!("{FLAG}#{tag}")
}

/// Returns whether a type is that of flags of the user's own.
pub fn is_flag(iri: &str) -> bool {
    iri.strip_prefix(FLAG).is_some_and(|rest| rest.is_empty() || rest.starts_with("#__"))
}

fn row_of(iri: &str) -> Option<&'static TypeRow> {
    let iri = if is_flag(iri) { FLAG } else { iri };
    static ROWS: OnceLock<HashMap<&str, &TypeRow>> = OnceLock::new();
    ROWS.get_or_init(|| TYPES.iter().map(|of| (of.iri, of)).collect()).get(iri).copied()
}

/// Returns the IRI of the supertype of a type of the dictionary, or of a fact with a label.
pub(crate) fn supertype_of(iri: &str) -> Option<&'static str> {
    in_file::supertype_of_fact(iri).or_else(|| row_of(iri)?.supertype)
}

/// Returns whether the `TYPE` under a fact of this type is its name, as under `_ATTR`: the tag itself says only that
/// it is a fact.
///
/// ```
/// use elf_schema::vendors;
///
/// assert!(vendors::is_named_by_type("https://terms.fhiso.org/elf/vendor/INDI-_ATTR"));
/// assert!(!vendors::is_named_by_type("https://terms.fhiso.org/elf/vendor/INDI-_MILT"));
/// ```
pub fn is_named_by_type(iri: &str) -> bool {
    iri.strip_prefix(NAMESPACE).is_some_and(|name| NAMED_BY_TYPE.contains(&name))
}

/// Returns whether structures of a type are events or attributes that a vendor tag or a label of the file names.
///
/// ```
/// use elf_schema::vendors;
///
/// assert!(vendors::is_fact("https://terms.fhiso.org/elf/vendor/INDI-_MILT"));
/// assert!(vendors::is_fact("https://terms.fhiso.org/elf/fact/INDI#Ordained%20deacon"));
/// assert!(!vendors::is_fact("https://terms.fhiso.org/elf/vendor/FAM-CHIL-_FREL"));
/// ```
pub fn is_fact(iri: &str) -> bool {
    if in_file::label_of(iri).is_some() {
        return true;
    }
    let completed = Schema::completed();
    let supertype = row_of(iri).and_then(|row| completed.type_of(row.supertype?));
    let facts = [elf::EVENT, elf::INDIVIDUAL_ATTRIBUTE];
    supertype
        .into_iter()
        .flat_map(|of| completed.eventual_supertypes(of).chain([of]))
        .any(|of| completed.iri(of).is_some_and(|iri| facts.contains(&iri)))
}

/// Returns the label that a file gives facts of a type, such as Family Tree Maker; `None` for other types.
pub fn label_of_fact(iri: &str) -> Option<String> {
    in_file::label_of(iri)
}

/// Returns the completed schema with the dictionary of the program that wrote a document, and with the definitions that
/// the program wrote into the header.
pub fn schema_of(document: &Document<'_>) -> Arc<Schema> {
    let schema = over_completed(Producer::of(document));
    match definitions_of(document, schema, &mut ()) {
        Some(own) => Arc::new(schema.with_additions(&own)),
        None => Arc::clone(schema),
    }
}

/// Returns the entries of a tag, in the order of the table.
pub fn tags_named(tag: &str) -> impl Iterator<Item = VendorTag> {
    VendorTag::all().filter(move |one| one.tag() == tag)
}

/// Returns the entries of a type, given by its IRI, in the order of the table.
pub fn tags_of_type(iri: &str) -> impl Iterator<Item = VendorTag> + use<> {
    static TAGS: OnceLock<TagsByIri> = OnceLock::new();
    list_tags(TAGS.get_or_init(|| VendorTag::all().map(|tag| (tag.structure_type(), tag)).collect()), iri)
}

/// Returns the entries that have a superstructure of a type, given by its IRI, in the order of the table.
pub(crate) fn tags_under(iri: &str) -> impl Iterator<Item = VendorTag> + use<> {
    static TAGS: OnceLock<TagsByIri> = OnceLock::new();
    let with_above = |tag: VendorTag| tag.superstructures().iter().map(move |above| (*above, tag));
    list_tags(TAGS.get_or_init(|| VendorTag::all().flat_map(with_above).collect()), iri)
}

/// The entries of the dictionary by an IRI, in the order of the table.
#[derive(Default)]
struct TagsByIri(HashMap<&'static str, Vec<VendorTag>>);

impl FromIterator<(&'static str, VendorTag)> for TagsByIri {
    fn from_iter<I: IntoIterator<Item = (&'static str, VendorTag)>>(pairs: I) -> TagsByIri {
        let mut tags = TagsByIri::default();
        pairs.into_iter().for_each(|(iri, tag)| tags.0.entry(iri).or_default().push(tag));
        tags
    }
}

fn list_tags(tags: &'static TagsByIri, iri: &str) -> impl Iterator<Item = VendorTag> + use<> {
    tags.0.get(iri).into_iter().flatten().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypeId;
    use elf_tagged::Options;

    #[test]
    fn facts_that_their_type_names_are_facts_of_gedcom_7() {
        for name in NAMED_BY_TYPE {
            let iri = format!("{NAMESPACE}{name}");
            assert!(tags_of_type(&iri).any(|tag| tag.gedcom_7() == Some("FACT")), "{name}");
        }
    }

    fn producers() -> impl Iterator<Item = Option<Producer>> {
        std::iter::once(None).chain(Producer::all().map(Some))
    }

    #[test]
    fn dictionaries_do_not_contradict_themselves() {
        for producer in producers() {
            let schema = over_completed(producer);
            let is_of_dictionary =
                |of: &crate::Definition<'_>| matches!(of.provenance().origin, Origin::Vendor(_));
            let conflicts = schema.conflicts();
            let own: Vec<_> =
                conflicts.iter().filter(|one| one.definitions.iter().all(is_of_dictionary)).collect();
            assert!(own.is_empty(), "{producer:?}: {own:?}");
        }
    }

    #[test]
    fn no_structure_of_the_completed_schema_gets_another_type() {
        let completed = Schema::completed();
        for producer in producers() {
            let schema = over_completed(producer);
            for (of, iri) in completed.types() {
                assert_eq!(schema.type_of(iri), Some(of));
                let above: Vec<TypeId> = completed.eventual_supertypes(of).collect();
                assert_eq!(schema.eventual_supertypes(of).collect::<Vec<_>>(), above);
                let types: std::collections::HashMap<_, _> = schema.tags_in(iri).into_iter().collect();
                for (tag, of) in completed.tags_in(iri) {
                    assert_eq!(types.get(tag), Some(&of), "{tag} in {iri} for {producer:?}");
                }
            }
        }
    }

    #[test]
    fn the_documents_in_the_repository_say_what_the_tables_say() {
        for producer in producers() {
            let key = producer.map_or("common", Producer::key);
            let path = format!("{}/builtin/vendors/{key}.ged", env!("CARGO_MANIFEST_DIR"));
            #[expect(clippy::disallowed_methods, reason = "a test reads a file of the repository")]
            let text = std::fs::read(path).expect("a document for each dictionary");
            let mut findings: Vec<elf_base::Diagnostic> = Vec::new();
            let document = Schema::read("made.elf", &text, &Options::default(), &(), &mut ()).expect("small");
            let document = document.expect("a schema");
            elf_tagged::read(&text, &Rules::JANUARY_2019, &Options::default(), &mut findings).expect("small");
            assert!(findings.is_empty(), "{key}: {findings:?}");
            assert!(Schema::vendor_dictionary(producer).states_the_same_as(&document), "{key}");
        }
    }

    #[test]
    fn files_without_vendor_tags_do_not_wait_for_the_dictionary() {
        let may_apply = |source: &str, fact: &str| {
            let file = format!(
                "0 HEAD\n1 SOUR {source}\n0 @I1@ INDI\n1 NAME A /B/\n1 BIRT\n2 DATE 1900\n{fact}0 TRLR\n"
            );
            let options = Options::default();
            let document = elf_tagged::read(file.as_bytes(), &Rules::WILD, &options, &mut ()).expect("small");
            may_apply_to(&document, Producer::of(&document))
        };
        assert!(!may_apply("X", "") && !may_apply("X", "2 QUAY 1\n") && !may_apply("ROOTSMAGIC", ""));
        assert!(may_apply("X", "1 _MILT\n") && may_apply("BROSKEEP", "2 QUAY 1\n"));
    }

    #[test]
    fn producers_are_found_by_the_header() {
        let of = |text: &str| Producer::of_source(text).map(Producer::key);
        assert_eq!(of("PAF 2.2"), Some("paf"));
        assert_eq!(of("LEGACY"), Some("legacy"));
        assert_eq!(of("Ancestry.com Family Trees"), Some("ancestry"));
        assert_eq!(of("LIFELINES 3.1.1 (official)"), Some("lifelines"));
        assert_eq!(of("GensDataPro_b"), Some("gensdatapro"));
        assert_eq!((of("PAFx"), of(""), of("ggg")), (None, None, None));
    }

    #[test]
    fn rows_are_sorted_as_the_lookups_expect() {
        assert!(PRODUCERS.is_sorted_by_key(|one| one.key));
        assert!(VendorTag::all().all(|one| usize::from(one.row().of) < TYPES.len()));
    }
}
