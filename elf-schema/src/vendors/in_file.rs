//! Definitions that programs write into headers: labels of facts, and meanings of tags.
//!
//! Family Tree Maker lists its tags with labels, and the GEDCOM-L addendum lists tags with definitions, each under the
//! structures that contain it in records:
//!
//! ```text
//! 1 _SCHEMA
//! 2 INDI
//! 3 _FA1
//! 4 LABL Ordained deacon
//! ```
//!
//! Such a tag gets a type that is named by its label. So facts with the same label have the same type in all files,
//! whatever numbers their tags have. If a tag has two such types at one place, neither counts.

use crate::ids::TypeId;
use crate::provenance::{Origin, Provenance};
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::term;
use crate::vocabulary::elf;
use elf_base::{Diagnostic, Related, Sink, codes};
use elf_tagged::elf_lines::is_tag;
use elf_tagged::elf_octets::Locator;
use elf_tagged::{Document, Node};
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use indexmap::IndexMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

const FACTS: &str = "https://terms.fhiso.org/elf/fact/";

/// The tag of the definitions in the header.
const SCHEMA: &str = "_SCHEMA";

const LABEL: &str = "LABL";

/// The tag of a definition in words.
const DEFINITION: &str = "_DEFN";

/// The IRI of the type of a tag in the definitions that programs write into the header.
pub const LISTED_TAG: &str = "https://terms.fhiso.org/elf/vendor/HEAD-_SCHEMA-tag";

/// Family Tree Maker labels unused facts with this word and a number.
const UNUSED: &str = "Fact ";

/// The maximum number of levels under a record from which definitions are read.
const DEEPEST: usize = 8;

/// The longest tag that is read, in bytes. The types of all tags under a tag contain it, so a long tag with many others under
/// it would take much memory.
const LONGEST_TAG: usize = 64;

/// Returns the definitions that programs wrote into the header of a document, except those of ELF; `None` if there are
/// none. `schema` is the schema of the document.
pub(crate) fn definitions_of(
    document: &Document<'_>,
    schema: &Arc<Schema>,
    sink: &mut dyn Sink,
) -> Option<Schema> {
    let mut reader = DefinitionReader {
        schema,
        resolver: Resolver::new(Arc::clone(schema)),
        locator: document.locator(),
        made: Schema::empty(),
        found: Vec::new(),
    };
    for listing in definition_lists(document) {
        let above = reader.resolver.resolve(TypeId::METADATA, SCHEMA);
        for record in listing.substructures() {
            reader.read_record(record, above);
        }
    }
    reader.add_found_definitions(document, sink);
    (!reader.made.is_empty()).then_some(reader.made)
}

struct DefinitionReader<'d, 's> {
    schema: &'s Schema,
    resolver: Resolver,
    locator: Locator<'d>,
    made: Schema,
    /// The definitions of tags in records.
    found: Vec<FoundDefinition<'d>>,
}

/// The definition of a tag in records.
struct FoundDefinition<'d> {
    node: Node<'d>,
    /// The IRI of the type of the superstructure in records.
    above: Rc<str>,
    iri: String,
    supertype: Option<&'static str>,
}

/// The first definition of a tag at one place.
struct FirstDefinition {
    number: usize,
    is_contradicted: bool,
}

/// A tag in the definitions, with its place.
struct Defined<'d> {
    node: Node<'d>,
    /// The type of the superstructure in records, and its IRI. The schema does not know the type if the definitions
    /// themselves give it.
    above: TypeId,
    above_iri: Rc<str>,
    /// The type of the superstructure in the header.
    listed_above: TypeId,
    path: Rc<str>,
    depth: usize,
}

impl<'d> DefinitionReader<'d, '_> {
    /// Reads the definitions for a kind of record. `listing` is the type of the structure in the header that has them.
    fn read_record(&mut self, record: Node<'d>, listing: TypeId) {
        if !has_short_tag(&record) {
            return;
        }
        let above = self.resolver.resolve(TypeId::DOCUMENT, record.tag());
        let listed_above = self.define_listed_tag(record, listing);
        let Some(above_iri) = self.resolver.iri(above).map(Rc::from) else { return };
        let within = |node| Defined {
            node,
            above,
            above_iri: Rc::clone(&above_iri),
            listed_above,
            path: record.tag().into(),
            depth: 1,
        };
        let mut open: Vec<Defined<'d>> = record.substructures().filter(has_short_tag).map(within).collect();
        open.reverse();
        while let Some(Defined { node, above, above_iri, listed_above, path, depth }) = open.pop() {
            let listed = self.define_listed_tag(node, listed_above);
            self.define_fact(node, &above_iri, &path);
            let of = self.resolver.resolve(above, node.tag());
            let mut iri: Rc<str> = self.resolver.iri(of).unwrap_or_default().into();
            if node.substructure(DEFINITION).is_some() && self.resolver.is_undefined(of) {
                iri = Rc::from(format!("{}{path}-{}", super::NAMESPACE, node.tag()));
                self.found.push(FoundDefinition {
                    node,
                    above: above_iri,
                    iri: iri.to_string(),
                    supertype: None,
                });
            }
            let below = node.substructures().filter(|below| ![LABEL, DEFINITION].contains(&below.tag()));
            if depth < DEEPEST {
                let path: Rc<str> = format!("{path}-{}", node.tag()).into();
                let depth = depth + 1;
                let within = |node| Defined {
                    node,
                    above: of,
                    above_iri: Rc::clone(&iri),
                    listed_above: listed,
                    path: Rc::clone(&path),
                    depth,
                };
                open.extend(below.filter(has_short_tag).map(within));
            }
        }
    }

    /// Gives a tag in the definitions of the header a type there, unless the dictionary has one. Returns its type.
    fn define_listed_tag(&mut self, node: Node<'d>, above: TypeId) -> TypeId {
        let known = self.resolver.resolve(above, node.tag());
        match self.schema.type_of(LISTED_TAG).filter(|_| self.resolver.is_undefined(known)) {
            Some(listed) => {
                if let Some(above) = self.schema.iri(above).map(str::to_owned) {
                    self.add_definition(node, &above, LISTED_TAG, None);
                }
                listed
            }
            None => known,
        }
    }

    fn define_fact(&mut self, node: Node<'d>, above: &Rc<str>, record: &str) {
        let Some(supertype) = supertype_in(record) else { return };
        // Family Tree Maker labels other tags, too, which are not facts: `_FREL`, `_MREL`.
        let Some(label) = read_fact_label(node).filter(|_| is_fact_tag(node.tag())) else { return };
        let iri = format!("{FACTS}{record}#{}", encode_label(&label));
        self.found.push(FoundDefinition { node, above: Rc::clone(above), iri, supertype: Some(supertype) });
    }

    /// Adds the definitions of tags in records, except those that contradict one another: these are reported.
    fn add_found_definitions(&mut self, document: &Document<'_>, sink: &mut dyn Sink) {
        let found = std::mem::take(&mut self.found);
        let mut firsts: HashMap<(&str, &str), FirstDefinition> = HashMap::new();
        for (number, one) in found.iter().enumerate() {
            match firsts.entry((&*one.above, one.node.tag())) {
                Entry::Vacant(entry) => {
                    entry.insert(FirstDefinition { number, is_contradicted: false });
                }
                Entry::Occupied(mut entry) => {
                    let Some(first) = found.get(entry.get().number).filter(|first| first.iri != one.iri)
                    else {
                        continue;
                    };
                    if !std::mem::replace(&mut entry.get_mut().is_contradicted, true) {
                        sink.report(self.describe_contradiction(first, one, document));
                    }
                }
            }
        }
        for one in &found {
            let first = firsts.get(&(&*one.above, one.node.tag()));
            if first.is_some_and(|first| !first.is_contradicted) {
                self.add_definition(one.node, &one.above, &one.iri, one.supertype);
            }
        }
    }

    fn describe_contradiction(
        &mut self,
        first: &FoundDefinition<'d>,
        one: &FoundDefinition<'d>,
        document: &Document<'_>,
    ) -> Diagnostic {
        let name = |found: &FoundDefinition<'_>| label_of(&found.iri).unwrap_or_else(|| found.iri.clone());
        let message = format!(
            "{} is defined as `{}` and as `{}`, so neither counts",
            one.node.tag(),
            name(first),
            name(one)
        );
        let mut locate = |found: &FoundDefinition<'_>| {
            let span = found.node.tag_span();
            (self.locator.place(span), self.locator.excerpt(span))
        };
        let (first_place, first_excerpt) = locate(first);
        let (place, excerpt) = locate(one);
        Diagnostic::new(codes::TAG_CONFLICT, document.rules(), message)
            .at(place, excerpt)
            .related(Related::new("the other definition", first_place, first_excerpt))
    }

    /// `above` is the IRI of the type of the superstructure.
    fn add_definition(&mut self, node: Node<'d>, above: &str, iri: &str, supertype: Option<&str>) {
        if !is_tag(node.tag()) || !term::is_iri(iri) || term::undefined_tag(above).is_some() {
            return;
        }
        let place = Some(self.locator.place(node.tag_span()));
        let provenance = Provenance { origin: Origin::File, place };
        let of = self.made.intern(iri);
        self.made.declare(of, provenance.clone());
        if let Some(supertype) = supertype.filter(|_| self.made.supertypes(of).next().is_none()) {
            let supertype = self.made.intern(supertype);
            self.made.add_supertype(of, supertype, provenance.clone());
        }
        let above = self.made.intern(above);
        self.made.add_definition(node.tag(), above, of, provenance);
    }
}

fn has_short_tag(node: &Node<'_>) -> bool {
    node.tag().len() <= LONGEST_TAG
}

/// Returns whether a tag is one that Family Tree Maker writes for facts that users define, such as `_FA1`.
pub fn is_fact_tag(tag: &str) -> bool {
    let number = tag.strip_prefix("_FA").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the label of a fact in the definitions of the header, with single spaces; `None` if users have not defined it.
fn read_fact_label(node: Node<'_>) -> Option<String> {
    let text = node.substructure(LABEL)?.text();
    let label = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let is_unused =
        label.strip_prefix(UNUSED).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    (!label.is_empty() && !is_unused).then_some(label)
}

/// A tag for facts that the header lists under a kind of record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedFact<'d> {
    /// The tag of the records.
    pub record: &'d str,
    /// The tag of the facts.
    pub tag: &'d str,
    /// The label. `None` if the header does not give one, or gives several, which contradict one another.
    pub label: Option<String>,
}

/// Returns the tags for facts that the header of a document lists, as Family Tree Maker does, in order. Each is listed once.
///
/// ```
/// use elf_schema::{Options, Rules, vendors};
///
/// let file = b"0 HEAD\n1 SOUR FTM\n1 _SCHEMA\n2 INDI\n3 _FA1\n4 LABL Ordained deacon\n0 TRLR\n";
/// let document = elf_tagged::read(file, &Rules::WILD, &Options::default(), &mut ())?;
/// let listed = vendors::listed_facts(&document);
/// assert_eq!((listed[0].record, listed[0].tag), ("INDI", "_FA1"));
/// assert_eq!(listed[0].label.as_deref(), Some("Ordained deacon"));
/// # Ok::<(), elf_schema::TooLarge>(())
/// ```
pub fn listed_facts<'d>(document: &'d Document<'_>) -> Vec<ListedFact<'d>> {
    let mut facts: IndexMap<(&str, &str), BTreeSet<String>> = IndexMap::new();
    for record in definition_lists(document).flat_map(Node::substructures) {
        for node in record.substructures().filter(|node| is_fact_tag(node.tag())) {
            facts.entry((record.tag(), node.tag())).or_default().extend(read_fact_label(node));
        }
    }
    let listed = facts.into_iter().map(|((record, tag), mut labels)| {
        let label = labels.pop_first().filter(|_| labels.is_empty());
        ListedFact { record, tag, label }
    });
    listed.collect()
}

/// Returns the structures of the header that list tags with labels or definitions (`_SCHEMA`).
pub fn definition_lists<'d>(document: &'d Document<'_>) -> impl Iterator<Item = Node<'d>> {
    document.metadata().filter(|node| node.tag() == SCHEMA)
}

/// Encodes a label for an IRI: spaces are joined, and characters that are not plain are percent-encoded.
fn encode_label(label: &str) -> String {
    let words: Vec<&str> = label.split_whitespace().collect();
    let mut out = String::new();
    for c in words.join(" ").chars() {
        let is_of_iri = |c: char| !c.is_ascii() && term::survives_uri(c.encode_utf8(&mut [0; 4]));
        let is_plain = c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~') || is_of_iri(c);
        match is_plain {
            true => out.push(c),
            false => {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")))
            }
        }
    }
    out
}

/// Returns the supertype of facts of a kind of record, given by its tag.
fn supertype_in(record: &str) -> Option<&'static str> {
    match record {
        "INDI" => Some(elf::INDIVIDUAL_EVENT),
        "FAM" => Some(elf::FAMILY_EVENT),
        _ => None,
    }
}

/// Returns the supertype of the fact with this IRI.
pub(super) fn supertype_of_fact(iri: &str) -> Option<&'static str> {
    supertype_in(iri.strip_prefix(FACTS)?.split_once('#')?.0)
}

/// Returns the label in the IRI of a fact.
pub(super) fn label_of(iri: &str) -> Option<String> {
    let (_, label) = iri.strip_prefix(FACTS)?.split_once('#')?;
    let mut bytes = Vec::with_capacity(label.len());
    let mut rest = label;
    while let Some(c) = rest.chars().next() {
        let byte = rest.strip_prefix('%').and_then(|rest| u8::from_str_radix(rest.get(..2)?, 16).ok());
        let length = match byte {
            Some(byte) => {
                bytes.push(byte);
                3
            }
            None => {
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                c.len_utf8()
            }
        };
        rest = rest.get(length..)?;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, Rules, read};

    fn types(file: &str, tag: &str) -> Vec<String> {
        let options = ReadOptions::default().with_vendor_tags(true);
        let typed = read(file.as_bytes(), &Rules::WILD, &options, &mut ()).expect("small");
        let found = typed.document().structures().filter(|node| node.tag() == tag);
        found.filter_map(|node| typed.type_of(node)).map(str::to_owned).collect()
    }

    #[test]
    fn labels_of_family_tree_maker_name_facts() {
        let file = "0 HEAD\n1 SOUR FTW\n1 _SCHEMA\n2 INDI\n3 _FA1\n4 LABL Ordained deacon\n3 _FA2\n4 LABL Fact 2\n\
                    3 _FREL\n4 LABL Relationship to father\n2 FAM\n3 _FA1\n4 LABL Handfasting\n\
                    0 @I1@ INDI\n1 _FA1 by the bishop\n2 DATE 1900\n1 _FA2\n0 @F1@ FAM\n1 _FA1\n2 PLAC Rome\n0 TRLR\n";
        let facts: Vec<String> =
            types(file, "_FA1").into_iter().filter(|iri| iri.starts_with(FACTS)).collect();
        assert_eq!(facts, [format!("{FACTS}INDI#Ordained%20deacon"), format!("{FACTS}FAM#Handfasting")]);
        assert_eq!(types(file, "DATE"), [elf::DATE_VALUE]);
        assert_eq!(types(file, "PLAC"), [elf::PLACE_STRUCTURE]);
        assert!(types(file, "_FA2").contains(&format!("{}INDI-_FA2", crate::vendors::NAMESPACE)));
        assert!(!types(file, "_FREL").iter().any(|iri| iri.starts_with(FACTS)));
    }

    #[test]
    fn labels_that_contradict_one_another_are_reported_and_do_not_count() {
        let own = format!("{}INDI-_FA1", crate::vendors::NAMESPACE);
        for (labels, expected, count) in [
            (["Baptised", "Ordained"], own, 1),
            (["Baptised", "Baptised"], format!("{FACTS}INDI#Baptised"), 0),
        ] {
            let file = format!(
                "0 HEAD\n1 SOUR FTM\n1 _SCHEMA\n2 INDI\n3 _FA1\n4 LABL {}\n3 _FA1\n4 LABL {}\n3 _FA2\n4 LABL Ordained\n\
                 0 @I1@ INDI\n1 _FA1\n2 DATE 1830\n1 _FA2\n0 TRLR\n",
                labels[0], labels[1]
            );
            let mut found: Vec<Diagnostic> = Vec::new();
            let options = ReadOptions::default().with_vendor_tags(true);
            let typed = read(file.as_bytes(), &Rules::WILD, &options, &mut found).expect("small");
            let conflicts: Vec<&Diagnostic> =
                found.iter().filter(|one| one.code == codes::TAG_CONFLICT).collect();
            assert_eq!(conflicts.len(), count, "{found:?}");
            let lines = conflicts.iter().filter_map(|one| one.place).map(|place| place.line);
            assert!(lines.eq((count > 0).then_some(7)), "{found:?}");
            assert!(types(&file, "_FA1").contains(&expected), "{expected}");
            assert!(types(&file, "_FA2").contains(&format!("{FACTS}INDI#Ordained")));
            assert_eq!(typed.of_type(elf::DATE_VALUE).count(), 1);
        }
    }

    #[test]
    fn definitions_of_gedcom_l_name_tags() {
        let file = "0 HEAD\n1 _SCHEMA\n2 INDI\n3 _BELL\n4 _DEFN Bells that the person rang\n3 BIRT\n4 _HOUR\n\
                    5 _DEFN Hour of birth\n0 @I1@ INDI\n1 _BELL tenor\n1 BIRT\n2 _HOUR 3\n0 TRLR\n";
        let own =
            |tag: &str, iri: &str| types(file, tag).contains(&format!("{}{iri}", crate::vendors::NAMESPACE));
        assert!(own("_BELL", "INDI-_BELL") && own("_HOUR", "INDI-BIRT-_HOUR"));
        for tag in ["_SCHEMA", "INDI", "_BELL", "BIRT", "_HOUR", "_DEFN"] {
            assert!(!types(file, tag).iter().any(|iri| term::undefined_tag(iri).is_some()), "{tag}");
        }
    }

    #[test]
    fn long_tags_are_not_read() {
        for length in [LONGEST_TAG, LONGEST_TAG + 1] {
            let long = format!("_{}", "A".repeat(length - 1));
            let file = format!(
                "0 HEAD\n1 _SCHEMA\n2 INDI\n3 {long}\n4 _DEFN x\n4 _TONE\n5 _DEFN y\n\
                 0 @I1@ INDI\n1 {long}\n2 _TONE\n0 TRLR\n"
            );
            let is_read = types(&file, "_TONE").iter().all(|iri| term::undefined_tag(iri).is_none());
            assert_eq!(is_read, length == LONGEST_TAG, "{length}");
        }
    }

    #[test]
    fn a_listed_fact_has_one_label_or_none() {
        let file = "0 HEAD\n1 SOUR FTM\n1 _SCHEMA\n2 INDI\n3 _FA1\n4 LABL  Monk  of Ulm\n3 _FA2\n4 LABL Fact 2\n3 _FA3\n\
                    4 LABL Monk\n3 _FREL\n4 LABL Tie\n3 _FATHER\n4 LABL Father\n2 INDI\n3 _FA3\n4 LABL Abbot\n0 TRLR\n";
        let document =
            elf_tagged::read(file.as_bytes(), &Rules::WILD, &elf_tagged::Options::default(), &mut ())
                .expect("small");
        let listed = listed_facts(&document);
        let labels: Vec<(&str, Option<&str>)> =
            listed.iter().map(|one| (one.tag, one.label.as_deref())).collect();
        assert_eq!(labels, [("_FA1", Some("Monk of Ulm")), ("_FA2", None), ("_FA3", None)]);
    }

    #[test]
    fn labels_come_back() {
        for label in ["Ordained deacon", "50 % off, \u{201c}so\u{201d}", "Taufpate für Änne", "a/b#c?d"] {
            let iri = format!("{FACTS}INDI#{}", encode_label(label));
            assert!(term::is_iri(&iri) && term::survives_uri(&iri), "{iri}");
            assert_eq!(label_of(&iri).as_deref(), Some(label));
        }
        assert_eq!(label_of("https://e.example/#a"), None);
    }
}
