//! A document written by the rules of another draft, its types kept: from the dictionary of 2017 to a schema, from a schema
//! to a dictionary, from references to definitions in place.
//!
//! Tags of GEDCOM mean the same in every draft, and stay: what is carried over are the types that a file brings itself.
//! A type is one of those if it is not what the default schema, or the default namespace of 2017, gives its tag there.

mod faults;

use crate::build::is_reserved_type;
use crate::builtin::DATA_MODEL;
use crate::dictionary::is_pseudo_tag;
use crate::document::{ReadOptions, TypedDocument, read_document};
use crate::schema::{Schema, TypeId};
use crate::{Dictionary, Resolver, SchemaForm, builtin, term};
use elf_base::rules::Mechanism;
use elf_base::{Code, Diagnostic, Rules, Sink, codes};
use elf_tagged::write::{
    Dress, Preamble, PreambleLine, Summary, WriteError, WriteOptions, Writer, write_document,
    write_document_as,
};
use elf_tagged::{Document, Node, NodeId};
use faults::{faults, without};
use indexmap::{IndexMap, IndexSet};
use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

/// Writes a document as a file of `rules`, as [`elf_tagged::write::write_document`] does, and with the types that the
/// file gives its structures by a dictionary or a schema of its own, said in the way `rules` have for that. `read` is how
/// its types are found.
///
/// Where a tag cannot have its type there, because it has another one already, the structure gets another tag. What
/// cannot be said at all, such as supertypes in a dictionary, is reported where it stands, and counted as a loss.
///
/// # Errors
///
/// Where the output fails, or the options ask for what cannot be.
///
/// ```
/// use elf_schema::{ReadOptions, Rules};
/// use elf_tagged::{Options, write::WriteOptions};
///
/// let octets = b"0 HEAD\n1 PRFX X_ http://e.example/\n0 @I1@ INDI\n1 X_LAT 54\n0 TRLR\n";
/// let document = elf_tagged::read(octets, &Rules::OCTOBER_2017, &Options::default(), &mut ())?;
/// let mut written = Vec::new();
/// let (rules, options) = (&Rules::JANUARY_2019, WriteOptions::new());
/// elf_schema::convert(document, &ReadOptions::default(), &mut written, rules, &options, &mut ())?;
/// assert!(String::from_utf8_lossy(&written).contains(
///     "2 IRI http://e.example/LAT\n3 TAG X_LAT https://terms.fhiso.org/elf/INDIVIDUAL_RECORD\n"
/// ));
/// let typed = elf_schema::read(&written, rules, &ReadOptions::default(), &mut ())?;
/// assert_eq!(typed.of_type("http://e.example/LAT").count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn convert(
    document: Document<'_>,
    read: &ReadOptions<'_>,
    out: impl io::Write,
    rules: &Rules,
    options: &WriteOptions,
    sink: &mut dyn Sink,
) -> Result<Summary, WriteError> {
    if schema_nodes(&document).next().is_none() {
        return write_document(&document, out, rules, options, sink);
    }
    let translated = needs_translation(&document, rules);
    let mut grave = Vec::new();
    let typed = read_document(document, read, &mut |finding: Diagnostic| {
        if finding.code.class(rules.draft).is_error() {
            grave.push(finding);
        }
    });
    let faults = faults(&typed, &grave);
    let document = typed.document();
    if !translated && faults.is_empty() {
        return write_document(document, out, rules, options, sink);
    }
    let plan = match (document.rules().schema.mechanism, rules.schema.mechanism) {
        _ if !translated => Plan::default(),
        (Mechanism::IriDictionary, _) => Plan::to_schema(&typed, rules),
        (_, Mechanism::IriDictionary) => Plan::to_dictionary(&typed),
        _ => Plan::in_place(&typed, rules),
    };
    let (schema, changed) = match translated {
        true => (Some(plan.lines.clone()), plan.changed(&typed, rules)),
        false => (without(&typed, &faults, rules), Vec::new()),
    };
    let said: HashSet<NodeId> = plan.losses.iter().map(|(node, ..)| *node).collect();
    let left_out = faults.into_iter().filter(|(node, _)| !said.contains(node)).map(|(node, message)| {
        (node, codes::SCHEMA_CANNOT_BE_WRITTEN, format!("left out of the header: {message}"))
    });
    let losses = plan.losses.iter().cloned().chain(left_out).chain(changed).collect();
    let tag = |node: Node<'_>| plan.tags.get(&plan.key(&typed, node)).map(|tag| &**tag);
    let dress = Dress::new(schema, &tag).with_losses(losses);
    write_document_as(document, &dress, out, rules, options, sink)
}

/// Whether the types of a document have to be said in another way by `rules`.
fn needs_translation(document: &Document<'_>, rules: &Rules) -> bool {
    let brings = |tags: &[&str]| document.serialisation_metadata().any(|node| tags.contains(&node.tag()));
    match (document.rules().schema.mechanism, rules.schema.mechanism) {
        (Mechanism::IriDictionary, Mechanism::IriDictionary) => false,
        (Mechanism::IriDictionary, _) => brings(&["PRFX", "DEFN"]),
        (_, Mechanism::IriDictionary) => brings(&["SCHMA"]),
        (_, Mechanism::Inline { external: false }) => {
            schema_nodes(document).any(|(_, node)| is_reference(node))
        }
        _ => false,
    }
}

/// SCHMA of the header, or PRFX and DEFN in 2017, with all beneath them, and their levels.
fn schema_nodes<'d>(document: &'d Document<'_>) -> impl Iterator<Item = (u32, Node<'d>)> {
    let tops =
        document.serialisation_metadata().filter(|node| matches!(node.tag(), "SCHMA" | "PRFX" | "DEFN"));
    tops.flat_map(|top| {
        let mut waiting = vec![(1, top)];
        std::iter::from_fn(move || {
            let (level, node): (u32, Node<'d>) = waiting.pop()?;
            let from = waiting.len();
            waiting.extend(node.substructures().map(|beneath| (level.saturating_add(1), beneath)));
            if let Some(added) = waiting.get_mut(from..) {
                added.reverse();
            }
            Some((level, node))
        })
    })
}

/// Whether a structure of the header refers to a schema that stands elsewhere.
fn is_reference(node: Node<'_>) -> bool {
    node.tag() == "SCHMA" && !payload(node).is_empty()
}

/// The payload of serialisation metadata, which December 2019 reads as it stands.
fn payload(node: Node<'_>) -> String {
    match node.line_payload() {
        Some(raw) if node.document().rules().tagged.metadata == elf_base::rules::Metadata::Versions => {
            raw.trim().to_owned()
        }
        _ => node.text().trim().to_owned(),
    }
}

/// How the types of a document are said by other rules.
#[derive(Default)]
struct Plan {
    lines: Vec<PreambleLine<'static>>,
    /// Tags that are not those of the document.
    tags: HashMap<Key, Box<str>>,
    /// The type of a structure, where the document has one of its own for it.
    own: HashMap<Key, Arc<str>>,
    losses: Vec<(NodeId, Code, String)>,
}

/// A structure, as far as its tag and type depend on it: the type of its superstructure, its own, its tag.
type Key = (u32, u32, Box<str>);

const METADATA: u32 = u32::MAX;
const DOCUMENT: u32 = u32::MAX - 1;
const UNTYPED: u32 = u32::MAX - 2;

impl Plan {
    /// The key of a structure; none is needed where no structure has a type of the file's own.
    fn key(&self, typed: &TypedDocument<'_>, node: Node<'_>) -> Key {
        if self.own.is_empty() { (UNTYPED, UNTYPED, Box::from("")) } else { full_key(typed, node) }
    }

    /// From a dictionary: definitions in the contexts in which the tags stand.
    fn to_schema(typed: &TypedDocument<'_>, rules: &Rules) -> Plan {
        let mut plan = Plan::default();
        let Some(dictionary) = typed.typing().dictionary() else { return plan };
        let base = Schema::default_of(rules).unwrap_or_else(|| Schema::published());
        let mut resolver = Resolver::new(Arc::clone(base));
        let mut fresh = Fresh::of(typed.document());
        // By type, its tags, and the types they stand beneath.
        let mut definitions: IndexMap<Arc<str>, Tags> = IndexMap::new();
        let mut column: Vec<Became> = vec![Became::Base(TypeId::UNDEFINED); typed.document().len()];
        let mut known: HashMap<(Became, Box<str>), Became> = HashMap::new();
        let mut types: IndexSet<Arc<str>> = IndexSet::new();
        let mut used: HashSet<Box<str>> = HashSet::new();
        for node in typed.document().structures() {
            let above = superstructure(typed.document(), node, &column);
            let tag = node.tag();
            let key = (above, Box::from(tag));
            let became = match known.get(&key) {
                Some(&became) => became,
                None => {
                    let base_above = match above {
                        Became::Base(of) => of,
                        Became::Own(index) => types
                            .get_index(index as usize)
                            .and_then(|iri| base.type_of(iri))
                            .unwrap_or(TypeId::UNDEFINED),
                    };
                    let found = resolver.resolve(base_above, tag);
                    let iri = own_type(dictionary, tag);
                    let became = match iri {
                        None => Became::Base(found),
                        Some(iri) if is_reserved_type(&iri, base.type_of(&iri).unwrap_or(TypeId::NONE)) => {
                            used.insert(tag.into());
                            plan.own.insert(full_key(typed, node), iri.into());
                            Became::Base(found)
                        }
                        Some(iri) => {
                            let iri: Arc<str> = Arc::from(iri);
                            used.insert(tag.into());
                            let (index, _) = types.insert_full(Arc::clone(&iri));
                            let context: Arc<str> = match above {
                                Became::Base(of) => Arc::from(resolver.iri(of).unwrap_or_default()),
                                Became::Own(index) => {
                                    types.get_index(index as usize).cloned().unwrap_or_else(|| Arc::from(""))
                                }
                            };
                            let mut spelled: Box<str> = tag.into();
                            if resolver.iri(found) != Some(&*iri) {
                                if !resolver.is_undefined(found) || is_reserved(tag) {
                                    spelled = fresh.tag(tag, &iri, base);
                                }
                                let tags = definitions.entry(Arc::clone(&iri)).or_default();
                                tags.entry(spelled.clone()).or_default().insert(context);
                            }
                            let key = full_key(typed, node);
                            if *spelled != *tag {
                                plan.tags.insert(key.clone(), spelled);
                            }
                            plan.own.insert(key, iri);
                            Became::Own(u32::try_from(index).unwrap_or(u32::MAX))
                        }
                    };
                    known.insert(key, became);
                    became
                }
            };
            if matches!(became, Became::Own(_)) {
                // One type of a superstructure may have come of several.
                let key = full_key(typed, node);
                if let Some(iri) = own_type(dictionary, tag)
                    && !plan.own.contains_key(&key)
                {
                    let spelled = definitions.get(&*iri).and_then(|tags| {
                        tags.keys().find(|spelled| ***spelled == *tag).or(tags.keys().next())
                    });
                    if let Some(spelled) = spelled.filter(|spelled| ***spelled != *tag) {
                        plan.tags.insert(key.clone(), spelled.clone());
                    }
                    plan.own.insert(key, Arc::from(iri));
                }
            }
            if let Some(entry) = column.get_mut(node.id().index()) {
                *entry = became;
            }
        }
        plan.lines = base_lines(base, rules);
        for (iri, tags) in definitions {
            plan.line(2, "IRI", iri.to_string());
            for (tag, contexts) in tags {
                let contexts: Vec<&str> = contexts.iter().map(|context| &**context).collect();
                plan.line(3, "TAG", format!("{tag} {}", contexts.join(" ")));
            }
        }
        plan.lose_entries(typed.document(), dictionary, &used);
        plan
    }

    /// What a dictionary says that no structure needs, or that a schema has no word for.
    fn lose_entries(&mut self, document: &Document<'_>, dictionary: &Dictionary, used: &HashSet<Box<str>>) {
        for node in document.serialisation_metadata() {
            let text = node.text();
            let mut words = text.split_ascii_whitespace();
            let (Some(key), more) = (words.next(), words.count()) else { continue };
            let message = match node.tag() {
                "DEFN" if !names_a_term(dictionary, key) => {
                    format!("the IRI of {key} changes as a URI, so no schema can name it")
                }
                "DEFN" if !used.contains(key) => format!("nothing has the tag {key}, so it is not defined"),
                "DEFN" if more > 1 => format!("a schema has one type for {key}: the other IRIs are left out"),
                "PRFX" if more > 0 && !used.iter().any(|tag| tag.starts_with(key)) => {
                    format!("no tag starts with {key}, so the prefix is not carried over")
                }
                _ => continue,
            };
            self.losses.push((node.id(), codes::SCHEMA_CANNOT_BE_WRITTEN, message));
        }
    }

    /// From a schema: a mapping for each tag that has a type of the file's own.
    fn to_dictionary(typed: &TypedDocument<'_>) -> Plan {
        let mut plan = Plan::default();
        let document = typed.document();
        let base = Schema::default_of(document.rules()).unwrap_or_else(|| Schema::published());
        let mut resolver = Resolver::new(Arc::clone(base));
        let mut fresh = Fresh::of(document);
        let mut column: Vec<Became> = vec![Became::Base(TypeId::UNDEFINED); document.len()];
        let mut standard: HashSet<&str> = HashSet::new();
        let mut own: IndexMap<(Box<str>, Arc<str>), Vec<Key>> = IndexMap::new();
        for node in document.structures() {
            let above = match superstructure(document, node, &column) {
                Became::Base(of) => of,
                Became::Own(_) => TypeId::UNDEFINED,
            };
            let found = resolver.resolve(above, node.tag());
            let iri = typed.type_of(node).unwrap_or_default();
            let undefined = term::undefined_tag(iri).is_some_and(|tag| tag == node.tag());
            let mut became = found;
            if undefined || iri.is_empty() || resolver.iri(found) == Some(iri) {
                standard.insert(node.tag());
            } else {
                became = base.type_of(iri).unwrap_or(TypeId::UNDEFINED);
                let key = full_key(typed, node);
                if !plan.own.contains_key(&key) {
                    let iri: Arc<str> = Arc::from(iri);
                    plan.own.insert(key.clone(), Arc::clone(&iri));
                    own.entry((node.tag().into(), iri)).or_default().push(key);
                }
            }
            if let Some(entry) = column.get_mut(node.id().index()) {
                *entry = Became::Base(became);
            }
        }
        let mut mapped: IndexMap<Box<str>, Arc<str>> = IndexMap::new();
        for ((tag, iri), keys) in own {
            let free = !standard.contains(&*tag) && !is_pseudo_tag(&tag) && !is_reserved(&tag);
            let spelled = match mapped.get(&tag) {
                None if free => tag.clone(),
                Some(other) if *other == iri => tag.clone(),
                _ => fresh.tag(&tag, &iri, base),
            };
            if *spelled != *tag {
                plan.tags.extend(keys.into_iter().map(|key| (key, spelled.clone())));
            }
            mapped.insert(spelled, iri);
        }
        for (tag, iri) in &mapped {
            plan.line(1, "DEFN", format!("{tag} {iri}"));
        }
        let tags: HashSet<Box<str>> =
            plan.own.keys().map(|(_, _, tag)| tag.clone()).chain(mapped.into_keys()).collect();
        for (_, node) in schema_nodes(document) {
            let said = payload(node);
            let message = match node.tag() {
                "SCHMA" if !said.is_empty() && !builtin::known(&said) => {
                    "a dictionary cannot refer to a schema".to_owned()
                }
                "ISA" => "a dictionary has no supertypes".to_owned(),
                "IRI" if node.substructures().all(|beneath| beneath.tag() != "TAG") => {
                    "a dictionary has no place for a type without a tag".to_owned()
                }
                "TAG" => match said.split_ascii_whitespace().next() {
                    Some(tag) if !tags.contains(tag) => {
                        format!("nothing has the tag {tag}, so it is not defined")
                    }
                    _ => continue,
                },
                _ => continue,
            };
            plan.losses.push((node.id(), codes::SCHEMA_CANNOT_BE_WRITTEN, message));
        }
        plan
    }

    /// From a schema with references: one that says all itself.
    fn in_place(typed: &TypedDocument<'_>, rules: &Rules) -> Plan {
        let mut plan = Plan {
            lines: typed.schema().to_lines(rules, SchemaForm::Inline).unwrap_or_default(),
            ..Plan::default()
        };
        for (_, node) in schema_nodes(typed.document()).filter(|(_, node)| is_reference(*node)) {
            let iri = payload(node);
            let at_hand = typed.schema().references().iter().any(|one| *one.iri == *iri && one.at_hand);
            if !at_hand && !builtin::known(&iri) {
                let message = format!("the schema `{}` is not at hand", crate::build::brief(&iri));
                plan.losses.push((node.id(), codes::SCHEMA_CANNOT_BE_WRITTEN, message));
            }
        }
        plan
    }

    /// The structures whose own type will not be read back.
    fn changed(&self, typed: &TypedDocument<'_>, rules: &Rules) -> Vec<(NodeId, Code, String)> {
        let mut changed = Vec::new();
        let Some(mut resolver) = self.resolver(rules) else { return changed };
        let document = typed.document();
        let mut column: Vec<TypeId> = vec![TypeId::UNDEFINED; document.len()];
        for node in document.structures() {
            let head = document.head().map(|head| head.id());
            let above = match node.superstructure() {
                Some(above) if Some(above.id()) == head => TypeId::METADATA,
                Some(above) => column.get(above.id().index()).copied().unwrap_or(TypeId::UNDEFINED),
                None => TypeId::DOCUMENT,
            };
            let key = self.key(typed, node);
            let tag = self.tags.get(&key).map_or(node.tag(), |tag| tag);
            let found = resolver.resolve(above, tag);
            if let Some(entry) = column.get_mut(node.id().index()) {
                *entry = found;
            }
            if let Some(iri) = self.own.get(&key)
                && resolver.iri(found) != Some(iri)
            {
                let becomes = resolver.iri(found).unwrap_or("nothing");
                let message = format!("{tag} has the type {iri}, and will be read as {becomes}");
                changed.push((node.id(), codes::TYPE_CANNOT_BE_KEPT, message));
            }
        }
        changed
    }

    /// What types the structures of a file with that header.
    fn resolver(&self, rules: &Rules) -> Option<Resolver> {
        let preamble = Preamble::new().with_schema(Some(self.lines.clone()));
        let (mut header, mut findings) = (Vec::new(), ());
        let mut writer = Writer::new(&mut header, rules, &WriteOptions::new(), &mut findings).ok()?;
        writer.head(&preamble).ok()?;
        writer.finish().ok()?;
        let typed = crate::read(&header, rules, &ReadOptions::default(), &mut ()).ok()?;
        Some(match typed.typing().dictionary() {
            Some(dictionary) => Resolver::of_dictionary(Arc::clone(dictionary)),
            None => Resolver::new(Arc::clone(typed.schema())),
        })
    }

    fn line(&mut self, level: u32, tag: &'static str, payload: String) {
        self.lines.push(PreambleLine::new(level, tag, payload));
    }
}

fn full_key(typed: &TypedDocument<'_>, node: Node<'_>) -> Key {
    let number =
        |node: Node<'_>| typed.type_id(node).and_then(|of| u32::try_from(of.index()).ok()).unwrap_or(UNTYPED);
    let head = typed.document().head().map(|head| head.id());
    let above = match node.superstructure() {
        Some(above) if Some(above.id()) == head => METADATA,
        Some(above) => number(above),
        None => DOCUMENT,
    };
    (above, number(node), node.tag().into())
}

/// The tags of a type, and the types beneath which it has them.
type Tags = IndexMap<Box<str>, IndexSet<Arc<str>>>;

/// What has become of the type of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Became {
    /// A type of the default schema, or an undefined one.
    Base(TypeId),
    /// One of the file's own, by its number.
    Own(u32),
}

/// What has become of the type of the superstructure of `node`.
fn superstructure(document: &Document<'_>, node: Node<'_>, column: &[Became]) -> Became {
    let head = document.head().map(|head| head.id());
    match node.superstructure() {
        Some(above) if Some(above.id()) == head => Became::Base(TypeId::METADATA),
        Some(above) => column.get(above.id().index()).copied().unwrap_or(Became::Base(TypeId::UNDEFINED)),
        None => Became::Base(TypeId::DOCUMENT),
    }
}

/// The type that a dictionary gives a tag, if it is not the one the tag would have without it.
fn own_type(dictionary: &Dictionary, tag: &str) -> Option<String> {
    let iri = dictionary.resolve(tag).filter(|iri| term::survives_uri(iri))?;
    (iri.strip_prefix(term::NAMESPACE_2017) != Some(tag)).then(|| iri.into_owned())
}

/// Whether the type of a tag has an IRI that can be the name of a term (Basic Concepts §4.1).
fn names_a_term(dictionary: &Dictionary, tag: &str) -> bool {
    dictionary.resolve(tag).is_none_or(|iri| term::survives_uri(&iri))
}

/// The lines of a schema that has the default one in it.
fn base_lines(base: &Schema, rules: &Rules) -> Vec<PreambleLine<'static>> {
    match rules.schema.mechanism {
        Mechanism::Inline { external: false } => base.to_lines(rules, SchemaForm::Inline).unwrap_or_default(),
        _ => vec![PreambleLine::new(1, "SCHMA", ""), PreambleLine::new(2, "SCHMA", DATA_MODEL)],
    }
}

/// Whether a tag cannot be defined in some place or other (J19 §3.1.2).
fn is_reserved(tag: &str) -> bool {
    matches!(tag, "CHAR" | "CONC" | "CONT" | "ERROR" | "HEAD" | "SCHMA" | "TRLR" | "UNDEF")
}

/// Tags that no structure of a document has.
struct Fresh {
    taken: HashSet<Box<str>>,
    given: HashMap<(Box<str>, Arc<str>), Box<str>>,
}

impl Fresh {
    fn of(document: &Document<'_>) -> Fresh {
        let mut taken: HashSet<Box<str>> = HashSet::new();
        for node in document.structures() {
            if !taken.contains(node.tag()) {
                taken.insert(node.tag().into());
            }
        }
        Fresh { taken, given: HashMap::new() }
    }

    /// A tag like that one, the same for the same type.
    fn tag(&mut self, tag: &str, iri: &Arc<str>, base: &Schema) -> Box<str> {
        let key = (Box::from(tag), Arc::clone(iri));
        if let Some(given) = self.given.get(&key) {
            return given.clone();
        }
        let stem = if tag.starts_with('_') { tag.to_owned() } else { format!("_{tag}") };
        let mut number = 1_u64;
        let mut new = stem.clone();
        while self.taken.contains(&*new) || base.definitions().any(|one| one.tag() == new) {
            number += 1;
            new = format!("{stem}{number}");
        }
        let new: Box<str> = new.into();
        self.taken.insert(new.clone());
        self.given.insert(key, new.clone());
        new
    }
}
